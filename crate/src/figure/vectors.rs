//! `show_vectors`: vectors as bars, a column for each. `show_updates`: one vector and what different updates make of it.

use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Ix1, Ix2};

use super::bars::{Column, Part};
use super::canvas::{Anchor, INK, MUTED, Stroke, Type, paint};
use super::labels::{Labelled, Labels, list};
use super::ticks::exact;
use super::words::join;
use super::{Draw, Figure, PAD, PAGE, Picture};

/// More vectors or coordinates than this do not fit a figure that can be read.
const MOST_VECTORS: usize = 24;
const MOST_UPDATES: usize = 8;
const MOST_COORDINATES: usize = 24;

/// Length of the longest bar, from the lowest value to the highest.
const BARS: f64 = 92.0;
/// Pixels between two columns, and between two rows of them.
const BETWEEN: f64 = 14.0;
const BELOW: f64 = 16.0;
/// Room for the arrows from the start to its updates, and for a sign.
const ARROWS: f64 = 72.0;
const SIGN: f64 = 26.0;

/// Vectors and options of a figure; [`show_vectors`] makes it.
#[derive(Clone, Debug)]
pub struct Vectors {
    vectors: Array2<f64>,
    labels: Labels,
}

/// A vector, its updates and options of a figure; [`show_updates`] makes it.
#[derive(Clone, Debug)]
pub struct Updates {
    start: Array1<f64>,
    updates: Array2<f64>,
    labels: Labels,
}

/// Shows each row of `vectors` (n x d) as a column of bars, one bar a coordinate, all on one scale.
///
/// Bars begin at the line of 0 and go left where a coordinate is negative; its number stands beside it.
///
/// # Panics
/// If there is no vector or no coordinate, or if there are more than 24 of either.
///
/// ```
/// use d2l::prelude::*;
///
/// let mixtures = array![[0.21, 0.52], [0.52, 0.21]];
/// let figure = show_vectors(&mixtures).names(["river", "money"]).coordinates(["finance", "water"]);
/// assert_eq!(figure.alt_text(), "(finance, water): river [0.21, 0.52]; money [0.52, 0.21]");
/// ```
#[track_caller]
pub fn show_vectors<S>(vectors: &ArrayBase<S, Ix2>) -> Figure<Vectors>
where
    S: Data<Elem: Copy + Into<f64>>,
{
    check_count("vectors", vectors.nrows(), MOST_VECTORS);
    check_count("coordinates", vectors.ncols(), MOST_COORDINATES);
    let labels = Labels::new((vectors.nrows(), "vectors"), vectors.ncols());
    Figure::new(Vectors { vectors: vectors.mapv(Into::into), labels })
}

/// Shows how one vector, `start` (d), becomes several: each row of `updates` (k x d) is added to it, and the sum is drawn
/// as the stack of both.
///
/// The sums are computed from the numbers given. A part of the sum has the pattern of the vector that it comes from;
/// notches mark the sum, which is not the end of a bar where the two have opposite signs.
///
/// # Panics
/// If the updates are not as long as `start`, if there is no update or no coordinate, or if there are more than 8 updates
/// or 24 coordinates.
///
/// ```
/// use d2l::prelude::*;
///
/// let figure = show_updates(&array![0.5, 0.5], &array![[0.21, 0.52], [0.52, 0.21]])
///     .names(["bank", "the river bank", "the money bank"])
///     .coordinates(["finance", "water"]);
/// assert!(figure.alt_text().ends_with("the money bank: + [0.52, 0.21] = [1.02, 0.71]"));
/// ```
#[track_caller]
pub fn show_updates<S, U>(start: &ArrayBase<S, Ix1>, updates: &ArrayBase<U, Ix2>) -> Figure<Updates>
where
    S: Data<Elem: Copy + Into<f64>>,
    U: Data<Elem: Copy + Into<f64>>,
{
    let (length, width) = (start.len(), updates.ncols());
    assert!(
        length == width,
        "an update is added coordinate by coordinate, but the start has {length} and an update {width}"
    );
    check_count("updates", updates.nrows(), MOST_UPDATES);
    check_count("coordinates", length, MOST_COORDINATES);
    let labels = Labels::new((updates.nrows() + 1, "the start and its updates"), length);
    Figure::new(Updates { start: start.mapv(Into::into), updates: updates.mapv(Into::into), labels })
}

#[track_caller]
fn check_count(what: &str, count: usize, most: usize) {
    assert!((1..=most).contains(&count), "this figure shows 1 to {most} {what}, not {count}");
}

impl Labelled for Vectors {
    fn labels(&mut self) -> &mut Labels {
        &mut self.labels
    }
}

impl Labelled for Updates {
    fn labels(&mut self) -> &mut Labels {
        &mut self.labels
    }
}

/// The coordinates of a vector as parts of one style.
fn parts(vector: ArrayView1<f64>, style: usize) -> Vec<Part> {
    vector.iter().map(|&value| Part { value, style, tip: exact(value) }).collect()
}

impl Draw for Vectors {
    fn draw(&self) -> Picture {
        let values: Vec<f64> = self.vectors.iter().copied().collect();
        let column = Column::over(&values, BARS, &self.labels);
        let step = (column.width() + BETWEEN, column.height() + BELOW);
        let left = PAD + column.named;
        let most = (((PAGE - left - PAD + BETWEEN) / step.0) as usize).max(1);
        let count = self.vectors.nrows();
        let (across, down) = (count.min(most), count.div_ceil(most));
        let width = left + step.0 * across as f64 - BETWEEN + PAD;
        let alt = self.alt(column.decimals);
        paint(width, 2.0 * PAD + step.1 * down as f64 - BELOW, alt, &mut |canvas| {
            for (index, vector) in self.vectors.outer_iter().enumerate() {
                let corner = (left + step.0 * (index % most) as f64, PAD + step.1 * (index / most) as f64);
                if index % most == 0 {
                    column.names(canvas, left, corner.1);
                }
                let rows: Vec<Vec<Part>> = parts(vector, 0).into_iter().map(|part| vec![part]).collect();
                column.draw(canvas, corner, &self.labels.name(index), &rows);
            }
        })
    }
}

impl Vectors {
    fn alt(&self, decimals: usize) -> String {
        let vectors = self.vectors.outer_iter().enumerate();
        let vectors = vectors.map(|(index, vector)| format!("{} {}", self.labels.name(index), list(vector, decimals)));
        self.labels.told() + &join(vectors, "; ")
    }
}

impl Draw for Updates {
    fn draw(&self) -> Picture {
        let mut sums = self.updates.clone();
        for mut sum in sums.outer_iter_mut() {
            for (sum, start) in sum.iter_mut().zip(&self.start) {
                *sum += start;
            }
        }
        let values: Vec<f64> = self.start.iter().chain(&self.updates).chain(&sums).copied().collect();
        let column = Column::over(&values, BARS, &self.labels);
        let start = PAD + column.named;
        let update = start + column.width() + ARROWS + column.named;
        let sum = update + column.width() + SIGN;
        let (count, step) = (self.updates.nrows() as f64, column.height() + BELOW);
        let height = step * count - BELOW;
        let name = |index: usize| self.labels.name(index);
        paint(sum + column.width() + PAD, height + 2.0 * PAD, self.alt(&sums, column.decimals), &mut |canvas| {
            let middle = PAD + height / 2.0;
            let top = middle - column.height() / 2.0;
            let rows = |parts: Vec<Part>| parts.into_iter().map(|part| vec![part]).collect::<Vec<_>>();
            column.names(canvas, start, top);
            column.draw(canvas, (start, top), &name(0), &rows(parts(self.start.view(), 0)));
            for (index, vector) in self.updates.outer_iter().enumerate() {
                let top = PAD + step * index as f64;
                let y = top + column.height() / 2.0;
                let from = start + column.width() + 4.0;
                let to = from + ARROWS - SIGN - 4.0;
                canvas.arrow((from, middle), (to, y), Stroke::solid(MUTED, 1.4));
                let sign = Type::new(15.0, INK, Anchor::Middle);
                canvas.text(to + SIGN / 2.0, y, "+", sign);
                column.names(canvas, update, top);
                column.draw(canvas, (update, top), &name(index + 1), &rows(parts(vector, 1)));
                canvas.text(sum - SIGN / 2.0, y, "=", sign);
                let both = parts(self.start.view(), 0).into_iter().zip(parts(vector, 1));
                let both: Vec<Vec<Part>> = both.map(|(start, update)| vec![start, update]).collect();
                column.draw(canvas, (sum, top), "", &both);
            }
        })
    }
}

impl Updates {
    fn alt(&self, sums: &Array2<f64>, decimals: usize) -> String {
        let name = |index: usize| self.labels.name(index);
        let start = format!("{}{} {}", self.labels.told(), name(0), list(self.start.view(), decimals));
        let updates = self.updates.outer_iter().zip(sums.outer_iter()).enumerate().map(|(index, (update, sum))| {
            format!("; {}: + {} = {}", name(index + 1), list(update, decimals), list(sum, decimals))
        });
        start + &updates.collect::<String>()
    }
}
