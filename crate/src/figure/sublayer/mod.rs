//! `show_sublayer`: multi-head self-attention with all of its matrices, from the input to the sum with the update.

mod draw;

use ndarray::{Array2, ArrayBase, Data, Ix2};

use super::matrices::block::Block;
use super::words::{join, one_for_each, strings};
use super::{Figure, check_decimals};
use crate::attention::{Mask, attention};

/// More heads, tokens or coordinates than this do not fit a page that can be read.
const MOST_HEADS: usize = 4;
const MOST_TOKENS: usize = 8;
const MOST_COORDINATES: usize = 8;
const SUBSCRIPTS: [&str; MOST_HEADS] = ["₁", "₂", "₃", "₄"];

/// The matrices and options of the figure; [`show_sublayer`] makes it.
#[derive(Clone, Debug)]
pub struct Sublayer {
    x: Block,
    heads: Vec<Head>,
    /// The heads' mixtures side by side, the output projection, the update, and the sum.
    end: [Block; 4],
    names: Vec<String>,
    decimals: Option<usize>,
}

#[derive(Clone, Debug)]
struct Head {
    /// Of queries, keys and values.
    projections: [Block; 3],
    projected: [Block; 3],
    weights: Block,
    mixture: Block,
}

/// Shows a sublayer of multi-head attention with every matrix and its numbers: each head, given by its `(wq, wk, wv)`,
/// reads the input `x` (n x d); the mixtures of all heads, side by side, times the output projection `wo` are the update,
/// which is added to `x`.
///
/// Everything is computed from `x` and the projections, without mask, biases or normalisation. Learned matrices have a
/// tint and a dashed frame of their own; [`mark_row`](Figure::mark_row) follows one token through all others. The names
/// are the usual letters; the heads may have words above them with [`heads`](Figure::heads).
///
/// # Panics
/// If the shapes do not fit each other, if there are no heads or more than 4, or if there are more than 8 tokens,
/// coordinates, or coordinates of a query, a value or all values together.
///
/// ```
/// use d2l::prelude::*;
///
/// let x = array![[0.0, 1.0], [1.0, 0.0]];
/// let (swap, keep) = (array![[0.0, 1.0], [1.0, 0.0]], array![[1.0, 0.0], [0.0, 1.0]]);
/// let wo = array![[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
/// let figure = show_sublayer(&x, [(&keep, &keep, &keep), (&swap, &keep, &keep)], &wo).rows(["Eiffel", "tower"]).mark_row(1);
/// assert!(figure.alt_text().contains("Q₂ 2 × 2: Eiffel [1, 0] *tower [0, 1]"));
/// ```
#[track_caller]
pub fn show_sublayer<'a, X, W, O>(
    x: &ArrayBase<X, Ix2>,
    heads: impl IntoIterator<Item = (&'a ArrayBase<W, Ix2>, &'a ArrayBase<W, Ix2>, &'a ArrayBase<W, Ix2>)>,
    wo: &ArrayBase<O, Ix2>,
) -> Figure<Sublayer>
where
    X: Data<Elem: Copy + Into<f64>>,
    W: Data<Elem: Copy + Into<f64>> + 'a,
    O: Data<Elem: Copy + Into<f64>>,
{
    let heads = heads.into_iter().map(|(wq, wk, wv)| [wq, wk, wv].map(|projection| projection.mapv(Into::into)));
    new(x.mapv(Into::into), heads.collect(), wo.mapv(Into::into))
}

#[track_caller]
fn new(x: Array2<f64>, projections: Vec<[Array2<f64>; 3]>, wo: Array2<f64>) -> Figure<Sublayer> {
    check_count("heads", projections.len(), MOST_HEADS);
    check_count("tokens", x.nrows(), MOST_TOKENS);
    check_count("coordinates", x.ncols(), MOST_COORDINATES);
    let mut heads = Vec::with_capacity(projections.len());
    for (head, projections) in projections.into_iter().enumerate() {
        check_count("coordinates of a query", projections[0].ncols(), MOST_COORDINATES);
        check_count("coordinates of a value", projections[2].ncols(), MOST_COORDINATES);
        heads.push(Head::of(&x, projections, SUBSCRIPTS[head]));
    }
    let all = side_by_side(&heads, x.nrows());
    check_count("coordinates of all values", all.ncols(), MOST_COORDINATES);
    let wanted = [all.ncols(), x.ncols()];
    assert!(
        wo.shape() == wanted,
        "an output projection of shape {:?} does not fit: the heads' mixtures side by side and the input need {wanted:?}",
        wo.shape()
    );
    let update = all.dot(&wo);
    let mut sum = x.clone();
    for (x, change) in sum.iter_mut().zip(&update) {
        *x += change;
    }
    let names = SUBSCRIPTS[..heads.len()].iter().map(|subscript| format!("H{subscript}"));
    let all = Block::new(all, &format!("[{}]", join(names, " ")));
    let wo = Block { learned: true, ..Block::new(wo, "Wo") };
    let end = [all, wo, Block::new(update, "Δ"), Block::new(sum, "Y")];
    Figure::new(Sublayer { x: Block::new(x, "X"), heads, end, names: Vec::new(), decimals: None })
}

/// The mixtures of all heads as one matrix with a row for each token.
fn side_by_side(heads: &[Head], tokens: usize) -> Array2<f64> {
    let mut all = Vec::new();
    for token in 0..tokens {
        for head in heads {
            all.extend(head.mixture.entries.row(token));
        }
    }
    let width = heads.iter().map(|head| head.mixture.entries.ncols()).sum();
    Array2::from_shape_vec((tokens, width), all).expect("every head has a row for each token")
}

#[track_caller]
fn check_count(what: &str, count: usize, most: usize) {
    assert!((1..=most).contains(&count), "a sublayer is drawn with 1 to {most} {what}, not {count}");
}

impl Head {
    #[track_caller]
    fn of(x: &Array2<f64>, projections: [Array2<f64>; 3], subscript: &str) -> Self {
        let [wq, wk, wv] = &projections;
        let (weights, mixture) = attention(x, wq, wk, wv, Mask::None);
        let width = wq.ncols();
        let named = |entries: Array2<f64>, name: &str| Block::new(entries, &format!("{name}{subscript}"));
        let projected = [("Q", wq), ("K", wk), ("V", wv)].map(|(name, projection)| named(x.dot(projection), name));
        let mut letters = ["Wq", "Wk", "Wv"].into_iter();
        let projections = projections.map(|projection| Block {
            learned: true,
            ..named(projection, letters.next().expect("a letter for each projection"))
        });
        let weights = Block::new(weights, &format!("A{subscript} = softmax(QKᵀ/√{width})"));
        Self { projections, projected, weights, mixture: Block::new(mixture, &format!("H{subscript} = AV")) }
    }
}

impl Sublayer {
    /// Every matrix with a row for each token.
    fn of_tokens(&mut self) -> impl Iterator<Item = &mut Block> {
        let [all, _, update, sum] = &mut self.end;
        let heads = self
            .heads
            .iter_mut()
            .flat_map(|head| head.projected.iter_mut().chain([&mut head.weights, &mut head.mixture]));
        std::iter::once(&mut self.x).chain(heads).chain([all, update, sum])
    }
}

impl Figure<Sublayer> {
    /// Names of the tokens, beside the matrices that begin a line.
    ///
    /// # Panics
    /// If their number is not that of the tokens.
    #[track_caller]
    pub fn rows<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let names = one_for_each(strings(names), "names", self.kind.x.entries.nrows(), "tokens");
        let Sublayer { x, heads, end: [all, _, _, sum], .. } = &mut self.kind;
        let projected = heads.iter_mut().flat_map(|head| &mut head.projected);
        for block in projected.chain([x, all, sum]) {
            block.rows.clone_from(&names);
        }
        self
    }

    /// Marks a token's row in every matrix that has one. Tokens are counted from 0.
    ///
    /// # Panics
    /// If there is no such token.
    #[track_caller]
    pub fn mark_row(mut self, row: usize) -> Self {
        let rows = self.kind.x.entries.nrows();
        assert!(row < rows, "there is no row {row} to mark: X has {rows}, counted from 0");
        for block in self.kind.of_tokens() {
            block.marked_rows.push(row);
        }
        self
    }

    /// Words above the heads.
    ///
    /// # Panics
    /// If their number is not that of the heads.
    #[track_caller]
    pub fn heads<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.kind.names = one_for_each(strings(names), "names", self.kind.heads.len(), "heads");
        self
    }

    /// Decimals of all numbers, instead of as many of up to two as each matrix needs.
    ///
    /// # Panics
    /// If there are more than 10.
    #[track_caller]
    pub fn decimals(mut self, decimals: usize) -> Self {
        check_decimals(decimals);
        self.kind.decimals = Some(decimals);
        self
    }
}
