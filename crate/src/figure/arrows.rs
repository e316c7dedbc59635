//! `show_arrows`: vectors as arrows in the plane, alone or beside a query that they are compared with.

use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Ix1, Ix2};

use super::beside::{Beside, LONGEST};
use super::canvas::{LABEL, MUTED, Stroke, paint};
use super::colormap::Rgb;
use super::labels::{Labelled, Labels, list};
use super::plane::Plane;
use super::ticks::{rounded, short};
use super::words::{fitted, join, largest, one_for_each, strings, width_of};
use super::{Draw, Figure, PAD, Picture};

/// More arrows than this hide each other.
const MOST_ARROWS: usize = 12;
/// Pixels of the plane's longer side.
const SIDE: f64 = 320.0;
/// Pixels to the right of the plane for words, whatever their length.
const ASIDE: f64 = 60.0;
const QUERY: Rgb = [0xb3, 0x1b, 0x1b];
const KEY: Rgb = [0x00, 0x5a, 0x9c];

/// Vectors and options of the figure; [`show_arrows`] makes it.
#[derive(Clone, Debug)]
pub struct Arrows {
    vectors: Array2<f64>,
    query: Option<Query>,
    notes: Vec<String>,
    faded: Vec<usize>,
    axes: (usize, usize),
    labels: Labels,
}

#[derive(Clone, Debug)]
struct Query {
    vector: Array1<f64>,
    name: String,
    rescaled: bool,
}

/// Shows each row of `vectors` (n x d) as an arrow from the origin; one unit is equally long on both axes.
///
/// With a [`query`](Figure::query) the arrows are its keys, and each label ends with the dot product of the two. Of more
/// than two coordinates [`axes`](Figure::axes) chooses the two that are drawn; dot products are always of all of them. A
/// zero vector is a ring at the origin.
///
/// # Panics
/// If there are no vectors or more than 12, if they have fewer than two coordinates, or if one is not finite.
///
/// ```
/// use d2l::prelude::*;
///
/// let keys = array![[0.0, 1.0], [0.5, 0.5]];
/// let figure = show_arrows(&keys).names(["river", "bank"]).query(&array![0.0, 3.0], "q").coordinates(["finance", "water"]);
/// assert_eq!(figure.alt_text(), "(finance, water): q [0.0, 3.0]; river [0.0, 1.0]: 3.0; bank [0.5, 0.5]: 1.5");
/// ```
#[track_caller]
pub fn show_arrows<S>(vectors: &ArrayBase<S, Ix2>) -> Figure<Arrows>
where
    S: Data<Elem: Copy + Into<f64>>,
{
    let vectors = vectors.mapv(Into::into);
    let (count, width) = vectors.dim();
    assert!((1..=MOST_ARROWS).contains(&count), "this figure shows 1 to {MOST_ARROWS} arrows, not {count}");
    assert!(width >= 2, "arrows in the plane need at least 2 coordinates, and the vectors have {width}");
    for (index, vector) in vectors.outer_iter().enumerate() {
        check_finite(vector, &index.to_string());
    }
    let labels = Labels::new((count, "vectors"), width);
    Figure::new(Arrows { vectors, query: None, notes: Vec::new(), faded: Vec::new(), axes: (0, 1), labels })
}

#[track_caller]
fn check_finite(vector: ArrayView1<f64>, name: &str) {
    let finite = vector.iter().all(|value| value.is_finite());
    assert!(finite, "an arrow has no place for NaN or an infinite coordinate: vector {name} is {vector}");
}

impl Labelled for Arrows {
    fn labels(&mut self) -> &mut Labels {
        &mut self.labels
    }
}

impl Figure<Arrows> {
    /// A thicker arrow that the others are compared with: each label ends with its dot product with `query` (d).
    ///
    /// # Panics
    /// If the query is not as long as the vectors, or not finite.
    #[track_caller]
    pub fn query<S>(mut self, query: &ArrayBase<S, Ix1>, name: &str) -> Self
    where
        S: Data<Elem: Copy + Into<f64>>,
    {
        let (length, width) = (query.len(), self.kind.vectors.ncols());
        assert!(
            length == width,
            "a dot product needs equal lengths, but the query's is {length} and the vectors' is {width}"
        );
        let vector = query.mapv(Into::into);
        check_finite(vector.view(), name);
        let rescaled = self.kind.query.as_ref().is_some_and(|query| query.rescaled);
        self.kind.query = Some(Query { vector, name: name.to_owned(), rescaled });
        self
    }

    /// Draws the query as long as the longest of the other arrows, to compare directions; its label ends with the factor.
    ///
    /// # Panics
    /// If the figure has no query yet.
    #[track_caller]
    pub fn rescale_query(mut self) -> Self {
        let Some(query) = &mut self.kind.query else {
            panic!("there is no query to rescale: give it with query first")
        };
        query.rescaled = true;
        self
    }

    /// Words that end the labels instead of the dot products, such as weights.
    ///
    /// # Panics
    /// If their number is not that of the vectors.
    #[track_caller]
    pub fn notes<T: AsRef<str>>(mut self, notes: impl IntoIterator<Item = T>) -> Self {
        self.kind.notes = one_for_each(strings(notes), "notes", self.kind.vectors.nrows(), "vectors");
        self
    }

    /// Draws these vectors grey and dashed: they are told but do not take part. Vectors are counted from 0.
    ///
    /// # Panics
    /// If there is no such vector.
    #[track_caller]
    pub fn fade(mut self, vectors: impl IntoIterator<Item = usize>) -> Self {
        self.kind.faded = vectors.into_iter().collect();
        let count = self.kind.vectors.nrows();
        for &vector in &self.kind.faded {
            assert!(vector < count, "there is no vector {vector} to fade: there are {count}, counted from 0");
        }
        self
    }

    /// The two coordinates that are drawn, across and up, counted from 0: the first two if nothing is said.
    ///
    /// # Panics
    /// If the vectors have no such coordinate, or if both are the same.
    #[track_caller]
    pub fn axes(mut self, across: usize, up: usize) -> Self {
        let width = self.kind.vectors.ncols();
        assert!(
            across < width && up < width && across != up,
            "the axes must be two different coordinates of {width}, counted from 0, not {across} and {up}"
        );
        self.kind.axes = (across, up);
        self
    }
}

/// An arrow as it is drawn.
struct Arrow {
    end: (f64, f64),
    label: String,
    stroke: Stroke,
}

impl Draw for Arrows {
    fn draw(&self) -> Picture {
        let arrows = self.arrows();
        let longest = arrows.iter().map(|arrow| width_of(&fitted(&arrow.label, LABEL, LONGEST), LABEL));
        let aside = largest(longest).max(ASIDE);
        let plane = Plane::around(&arrows.iter().map(|arrow| arrow.end).collect::<Vec<_>>(), SIDE);
        let (left, below) = plane.margins();
        let plane = plane.at(PAD + left, PAD + 2.0 * LABEL);
        let page = (plane.left + plane.width + aside.min(LONGEST) + PAD, plane.top + plane.height + below + PAD);
        paint(page.0, page.1, self.alt(), &mut |canvas| {
            let names = [self.axes.0, self.axes.1].map(|axis| self.labels.coordinate(axis));
            plane.axes(canvas, [&names[0], &names[1]]);
            let origin = plane.pixel((0.0, 0.0));
            let ends: Vec<_> = arrows.iter().map(|arrow| plane.pixel(arrow.end)).collect();
            for (arrow, &end) in arrows.iter().zip(&ends) {
                if arrow.end == (0.0, 0.0) {
                    canvas.disc(origin, 3.0 + arrow.stroke.width, arrow.stroke.color, Some(arrow.stroke.width));
                } else {
                    canvas.arrow(origin, end, arrow.stroke);
                }
            }
            let room = ((plane.left, 0.0), (page.0, plane.top + plane.height));
            let lines = ends.iter().map(|&end| (origin, end)).chain(plane.lines());
            let mut beside = Beside::new(room, lines.collect());
            for (index, (arrow, &end)) in arrows.iter().zip(&ends).enumerate() {
                let bold = index == 0 && self.query.is_some();
                beside.write(canvas, end, (end.0 - origin.0, end.1 - origin.1), &arrow.label, bold);
            }
        })
    }
}

impl Arrows {
    /// The query, if there is one, then the vectors.
    fn arrows(&self) -> Vec<Arrow> {
        let drawn = |vector: ArrayView1<f64>| (vector[self.axes.0], vector[self.axes.1]);
        let length = |(x, y): (f64, f64)| x.hypot(y);
        let query = self.query.iter().map(|query| {
            let end = drawn(query.vector.view());
            let longest = largest(self.vectors.outer_iter().map(|vector| length(drawn(vector))));
            let factor = longest / length(end);
            let (end, label) = if query.rescaled && factor.is_finite() && factor > 0.0 {
                ((end.0 * factor, end.1 * factor), format!("{} × {}", query.name, short(factor)))
            } else {
                (end, query.name.clone())
            };
            Arrow { end, label, stroke: Stroke::solid(QUERY, 3.2) }
        });
        let vectors = self.vectors.outer_iter().enumerate().map(|(index, vector)| {
            let note = self.note(index).map(|note| format!(": {note}")).unwrap_or_default();
            let faded = self.faded.contains(&index);
            let stroke = Stroke {
                color: if faded { MUTED } else { KEY },
                width: if faded { 1.2 } else { 1.9 },
                dash: if faded { (4.0, 3.0) } else { (0.0, 0.0) },
            };
            Arrow { end: drawn(vector), label: self.labels.name(index) + &note, stroke }
        });
        query.chain(vectors).collect()
    }

    /// What ends the label of a vector.
    fn note(&self, index: usize) -> Option<String> {
        let product = || Some(rounded(*self.products().get(index)?, self.decimals()));
        self.notes.get(index).cloned().or_else(product)
    }

    /// Dot products of the vectors with the query, if there is one.
    fn products(&self) -> Vec<f64> {
        self.query.as_ref().map(|query| self.vectors.dot(&query.vector).to_vec()).unwrap_or_default()
    }

    fn decimals(&self) -> usize {
        let query = self.query.iter().flat_map(|query| &query.vector);
        self.labels.decimals_for(query.chain(&self.vectors).chain(&self.products()))
    }

    fn alt(&self) -> String {
        let decimals = self.decimals();
        let query = self.query.iter().map(|query| format!("{} {}", query.name, list(query.vector.view(), decimals)));
        let vectors = self.vectors.outer_iter().enumerate().map(|(index, vector)| {
            let note = self.note(index).map(|note| format!(": {note}")).unwrap_or_default();
            format!("{} {}{note}", self.labels.name(index), list(vector, decimals))
        });
        self.labels.told() + &join(query.chain(vectors), "; ")
    }
}
