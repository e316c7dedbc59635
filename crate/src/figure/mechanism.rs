//! Attention pooling as a diagram: a query meets keys, weights follow, and values are mixed into an output.

use ndarray::{Array1, Array2, ArrayBase, ArrayView1, Data, Ix1, Ix2};

use super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, SMALL, Stroke, Type, paint};
use super::colormap::Rgb;
use super::ticks::{exact, rounded, short};
use super::words::{fitted, join, largest, one_for_each, shortened, strings, width_of};
use super::{Draw, Figure, PAD, Picture};

/// More pairs or coordinates than this do not fit a diagram that can be read.
const MOST_PAIRS: usize = 12;
const MOST_COORDINATES: usize = 6;

const ROW: f64 = 34.0;
const HIGH: f64 = 20.0;
const GAP: f64 = 74.0;
/// Room for a key's name: longer ones would leave short names far from their arrows.
const NAMED: f64 = 90.0;
/// Length of the greatest weight's bar.
const BAR: f64 = 44.0;
const QUERY: Rgb = [0xd6, 0xe8, 0xf7];
const KEY: Rgb = [0xfb, 0xe3, 0xcf];
const VALUE: Rgb = [0xd5, 0xee, 0xdd];
const POSITIVE: Rgb = [0xb3, 0x1b, 0x1b];
const NEGATIVE: Rgb = [0x00, 0x5a, 0x9c];
const NAMES: [&str; 5] = ["q", "kᵢ", "αᵢ", "vᵢ", "Σ αᵢvᵢ"];

/// Data and options of the diagram; [`show_attention_pooling`] makes it.
#[derive(Clone, Debug)]
pub struct Mechanism {
    query: Array1<f64>,
    keys: Array2<f64>,
    values: Array2<f64>,
    weights: Array1<f64>,
    names: [String; 5],
    key_names: Vec<String>,
}

/// Draws how attention pooling comes about: `query` (d) meets `keys` (m x d), each pair has its weight in `weights` (m),
/// and the output is the sum of `values` (m x d_v) times their weights.
///
/// The output is computed from the numbers given. A line is as thick as its weight; a negative weight is blue and
/// dashed.
///
/// # Panics
/// If the shapes do not fit each other, if there is no pair, or if there are more than 12 pairs or 6 coordinates.
///
/// ```
/// use d2l::prelude::*;
///
/// let keys = array![[1.0, 0.0], [0.0, 1.0]];
/// let figure = show_attention_pooling(&array![1.0, 0.2], &keys, &array![[10.0], [20.0]], &array![0.7, 0.3]);
/// assert!(figure.alt_text().ends_with("[13]"));
/// ```
#[track_caller]
pub fn show_attention_pooling<A, Q, K, V, W>(
    query: &ArrayBase<Q, Ix1>,
    keys: &ArrayBase<K, Ix2>,
    values: &ArrayBase<V, Ix2>,
    weights: &ArrayBase<W, Ix1>,
) -> Figure<Mechanism>
where
    A: Copy + Into<f64>,
    Q: Data<Elem = A>,
    K: Data<Elem = A>,
    V: Data<Elem = A>,
    W: Data<Elem = A>,
{
    let (m, d) = keys.dim();
    assert!(query.len() == d, "the query's length is {}, but the keys' is {d}: they must be the same", query.len());
    assert!(
        values.nrows() == m && weights.len() == m,
        "every key needs a value and a weight, but the numbers are: keys {m}, values {}, weights {}",
        values.nrows(),
        weights.len()
    );
    assert!((1..=MOST_PAIRS).contains(&m), "the diagram holds 1 to {MOST_PAIRS} pairs, not {m}");
    for (what, coordinates) in [("keys", d), ("values", values.ncols())] {
        assert!(
            (1..=MOST_COORDINATES).contains(&coordinates),
            "the diagram holds 1 to {MOST_COORDINATES} coordinates, and the {what} have {coordinates}"
        );
    }
    Figure::new(Mechanism {
        query: query.mapv(Into::into),
        keys: keys.mapv(Into::into),
        values: values.mapv(Into::into),
        weights: weights.mapv(Into::into),
        names: NAMES.map(str::to_owned),
        key_names: Vec::new(),
    })
}

impl Figure<Mechanism> {
    /// Words above the five columns: query, keys, weights, values, output.
    pub fn names(mut self, names: [&str; 5]) -> Self {
        self.kind.names = names.map(str::to_owned);
        self
    }

    /// A name beside each key; a long one ends in an ellipsis and is whole under the pointer.
    ///
    /// # Panics
    /// If their number is not the number of keys.
    #[track_caller]
    pub fn key_names<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.kind.key_names = one_for_each(strings(names), "names", self.kind.weights.len(), "keys");
        self
    }
}

impl Draw for Mechanism {
    fn draw(&self) -> Picture {
        let output = self.weights.dot(&self.values);
        let entries = self.query.iter().chain(&self.keys).chain(&self.values).chain(&output);
        let widest = largest(entries.map(|&v| width_of(&short(v), SMALL))).max(16.0);
        let cell = widest + 8.0;
        let short_names: Vec<String> = self.key_names.iter().map(|name| fitted(name, SMALL, NAMED)).collect();
        let named = largest(short_names.iter().map(|name| width_of(name, SMALL) + 6.0));
        let (m, d, d_v) = (self.keys.nrows() as f64, self.query.len() as f64, output.len() as f64);

        // Left edges of query, keys, weights, values, output.
        let column = |width: f64, name: &str| width.max(width_of(&shortened(name), LABEL));
        let weight_numbers = largest(self.weights.iter().map(|&weight| width_of(&rounded(weight, 3), SMALL)));
        let query = PAD + 2.0;
        let keys = query + column(d * cell, &self.names[0]) + GAP + named;
        let weights = keys + column(d * cell, &self.names[1]) + 18.0;
        let values = weights + column(BAR + 4.0 + weight_numbers, &self.names[2]) + 18.0;
        let out = values + column(d_v * cell, &self.names[3]) + GAP;
        let width = out + column(d_v * cell, &self.names[4]) + PAD + 2.0;
        let top = PAD + LABEL + 14.0;
        let middle = top + m * ROW / 2.0;

        paint(width, top + m * ROW + PAD, self.alt(&output), &mut |canvas| {
            for (x, name) in [query, keys, weights, values, out].into_iter().zip(&self.names) {
                canvas.text(x, PAD + LABEL / 2.0, &shortened(name), Type::new(LABEL, INK, Anchor::Start).bold());
            }
            let finite = self.weights.iter().filter(|weight| weight.is_finite());
            let most = finite.fold(1e-12f64, |most, weight| most.max(weight.abs()));
            for (row, &weight) in self.weights.iter().enumerate() {
                let y = top + ROW * (row as f64 + 0.5);
                let thin = Stroke::solid(MUTED, 1.0);
                canvas.arrow((query + d * cell + 3.0, middle), (keys - named - 4.0, y), thin);
                if let Some((name, short)) = self.key_names.get(row).zip(short_names.get(row)) {
                    canvas.text(keys - 6.0, y, short, Type::new(SMALL, INK, Anchor::End));
                    if short != name {
                        canvas.tip(keys - named, y - HIGH / 2.0, named, HIGH, name);
                    }
                }
                vector(canvas, (keys, y), cell, self.keys.row(row), KEY);
                let color = if weight < 0.0 { NEGATIVE } else { POSITIVE };
                let share = if weight.is_finite() { (weight / most).abs() } else { 0.0 };
                canvas.fill(weights, y - 5.0, share * BAR, 10.0, color);
                let set = Type::new(SMALL, INK, Anchor::Start);
                canvas.text(weights + share * BAR + 4.0, y, &rounded(weight, 3), set);
                vector(canvas, (values, y), cell, self.values.row(row), VALUE);
                let dash = if weight < 0.0 { (5.0, 3.0) } else { (0.0, 0.0) };
                if share > 0.0 {
                    let line = Stroke { color, width: 0.4 + 4.6 * share, dash };
                    canvas.line(&[(values + d_v * cell + 3.0, y), (out - 4.0, middle)], line);
                }
            }
            vector(canvas, (query, middle), cell, self.query.view(), QUERY);
            vector(canvas, (out, middle), cell, output.view(), VALUE);
        })
    }
}

impl Mechanism {
    fn alt(&self, output: &Array1<f64>) -> String {
        let list = |numbers: Vec<String>| format!("[{}]", numbers.join(", "));
        let shorts = |vector: ArrayView1<f64>| list(vector.iter().map(|&v| short(v)).collect());
        let rows = |matrix: &Array2<f64>| join(matrix.outer_iter().map(shorts), " ");
        let weights = list(self.weights.iter().map(|&weight| rounded(weight, 3)).collect());
        let parts = [shorts(self.query.view()), rows(&self.keys), weights, rows(&self.values), shorts(output.view())];
        join(self.names.iter().zip(parts).map(|(name, part)| format!("{name}: {part}")), "; ")
    }
}

/// A row of numbered boxes whose left edge is centred on the point.
fn vector(canvas: &mut Canvas, (x, y): (f64, f64), cell: f64, numbers: ArrayView1<f64>, fill: Rgb) {
    for (index, &value) in numbers.iter().enumerate() {
        let left = x + cell * index as f64;
        canvas.cell(left, y - HIGH / 2.0, cell, HIGH, fill, &exact(value));
        canvas.frame(left, y - HIGH / 2.0, cell, HIGH, Stroke::solid(MUTED, 0.8));
        canvas.text(left + cell / 2.0, y, &short(value), Type::new(SMALL, INK, Anchor::Middle));
    }
}
