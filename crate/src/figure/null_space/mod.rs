//! `show_null_space`: what a map from three coordinates to two reads, and what it ignores.

mod camera;
mod draw;

use ndarray::{Array2, ArrayBase, Data, Ix2};

use super::Figure;
use super::labels::{Labelled, Labels};
use super::words::{one_for_each, strings};
use camera::{Vector, cross, dot, scaled};

/// More inputs than this hide each other.
const MOST_INPUTS: usize = 8;
/// A normal shorter than this, relative to the columns that it is made of, is a rounding error: the columns are parallel.
const PARALLEL: f64 = 1e-12;

/// A map, inputs and options of the figure; [`show_null_space`] makes it.
#[derive(Clone, Debug)]
pub struct NullSpace {
    map: Array2<f64>,
    inputs: Array2<f64>,
    labels: Labels,
    outputs: [String; 2],
    map_name: String,
    spaces: [String; 2],
    /// Spans the null space; its greatest coordinate is 1.
    null: Vector,
}

/// Draws what `map` (3 x 2, as a query projection `Wq` of three coordinates) does to `inputs` (n x 3): on the left the
/// inputs in space, on the right their outputs `inputs · map`.
///
/// On the left stand the line of the null space, labelled with the vector that spans it, and the plane of the row space
/// (of the map written for column vectors: the span of the columns here), which is at right angles to it. A dashed line
/// along the null direction joins each input with its foot on the plane: inputs on one such line have one output, and
/// their names stand together there.
///
/// # Panics
/// If `map` is not 3 x 2 or the inputs have not three coordinates, if there are no inputs or more than 8, if a number is
/// not finite, or if the null space is more than a line because the columns of `map` are parallel.
///
/// ```
/// use d2l::prelude::*;
///
/// let map = array![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
/// let figure = show_null_space(&map, &array![[1.0, 0.0, 1.0], [2.0, 1.0, 0.0]]).names(["x", "x + n"]);
/// assert_eq!(figure.alt_text(), "[1, 1, −1] → 0; x [1, 0, 1] → [2, 1]; x + n [2, 1, 0] → [2, 1]");
/// ```
#[track_caller]
pub fn show_null_space<M, S>(map: &ArrayBase<M, Ix2>, inputs: &ArrayBase<S, Ix2>) -> Figure<NullSpace>
where
    M: Data<Elem: Copy + Into<f64>>,
    S: Data<Elem: Copy + Into<f64>>,
{
    new(map.mapv(Into::into), inputs.mapv(Into::into))
}

#[track_caller]
fn new(map: Array2<f64>, inputs: Array2<f64>) -> Figure<NullSpace> {
    let (given, (count, width)) = (map.shape(), inputs.dim());
    assert!(given == [3, 2], "this figure draws maps from 3 coordinates to 2, of shape [3, 2], not {given:?}");
    assert!(width == 3, "inputs of a map from 3 coordinates have 3 columns, not {width}");
    assert!((1..=MOST_INPUTS).contains(&count), "this figure shows 1 to {MOST_INPUTS} inputs, not {count}");
    let finite = map.iter().chain(&inputs).all(|value| value.is_finite());
    assert!(finite, "a figure in space has no place for NaN or infinite numbers");
    let Some(null) = null_direction(&map) else {
        panic!("the columns of the map are parallel: its null space is more than the line that this figure shows");
    };
    let labels = Labels::new((count, "inputs"), 3);
    let (outputs, none) = (["0", "1"].map(str::to_owned), String::new());
    Figure::new(NullSpace { map, inputs, labels, outputs, map_name: none.clone(), spaces: [none.clone(), none], null })
}

/// The vector at right angles to both columns, scaled so that its greatest coordinate is 1 and its first one positive.
fn null_direction(map: &Array2<f64>) -> Option<Vector> {
    let size = |vector: Vector| vector.iter().fold(0.0f64, |most, value| most.max(value.abs()));
    let column = |index: usize| {
        let column = [map[(0, index)], map[(1, index)], map[(2, index)]];
        // Divided first, so that no product is beyond a double.
        let most = size(column);
        column.map(|value| if most > 0.0 { value / most } else { 0.0 })
    };
    let normal = cross(column(0), column(1));
    let most = size(normal);
    let sign = normal.iter().find(|value| value.abs() > PARALLEL * most).map_or(1.0, |value| value.signum());
    (most > PARALLEL).then(|| normal.map(|value| value / most * sign + 0.0))
}

impl Labelled for NullSpace {
    fn labels(&mut self) -> &mut Labels {
        &mut self.labels
    }
}

impl Figure<NullSpace> {
    /// Names of the two output coordinates.
    ///
    /// # Panics
    /// If they are not two.
    #[track_caller]
    pub fn outputs<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let names = one_for_each(strings(names), "names", 2, "output coordinates");
        self.kind.outputs = names.try_into().expect("two were just counted");
        self
    }

    /// What stands on the arrow from left to right: the map's name.
    pub fn map_name(mut self, name: &str) -> Self {
        self.kind.map_name = name.to_owned();
        self
    }

    /// Words beside the plane and beside the line: the row space and the null space.
    pub fn spaces(mut self, row_space: &str, null_space: &str) -> Self {
        self.kind.spaces = [row_space, null_space].map(str::to_owned);
        self
    }
}

impl NullSpace {
    /// An input and its foot on the plane, measured by `most`.
    fn with_foot(&self, index: usize, most: f64) -> [Vector; 2] {
        let row = self.inputs.row(index);
        let input = [row[0] / most, row[1] / most, row[2] / most];
        let share = dot(input, self.null) / dot(self.null, self.null);
        [input, camera::sum(input, scaled(self.null, -share))]
    }

    fn output(&self, index: usize) -> (f64, f64) {
        let output = self.inputs.row(index).dot(&self.map);
        (output[0].clamp(f64::MIN, f64::MAX), output[1].clamp(f64::MIN, f64::MAX))
    }
}
