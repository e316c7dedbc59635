//! `show_matrix`: labelled matrices in a row, with the signs between them and marks that run through a product.

pub(super) mod block;
mod draw;

use ndarray::{ArrayBase, Data, Ix2};

use super::words::{one_for_each, strings};
use super::{Figure, check_decimals};
use block::Block;

/// More matrices than this are no figure any more.
const MOST_MATRICES: usize = 12;

/// Matrices and options of a figure; [`show_matrix`] makes it.
#[derive(Clone, Debug)]
pub struct Matrices {
    blocks: Vec<Block>,
    /// What stands before each matrix but the first.
    signs: Vec<Sign>,
    decimals: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
enum Sign {
    Times,
    Plus,
    Equals,
    Words(String),
}

/// Shows a matrix: its name above, its entries in boxes, its shape below.
///
/// More matrices follow with [`times`](Figure::times), [`plus`](Figure::plus), [`equals`](Figure::equals) and
/// [`sign`](Figure::sign); [`rows`](Figure::rows), [`columns`](Figure::columns), the marks and
/// [`learned`](Figure::learned) speak of the matrix that was added last. A result takes the names and marks of its rows
/// from the first matrix of its expression, and those of its columns from the last factor, so that a row is marked once
/// and seen through the whole product. Rows beyond 12 and columns beyond 8 are left out from the middle, never marked
/// ones; the shape below is the whole one. Matrices that do not fit the page's width go to the next line.
///
/// # Panics
/// If `matrix` has no entries.
///
/// ```
/// use d2l::prelude::*;
///
/// let x = array![[0.0, 1.0], [1.0, 0.0]];
/// let swap = array![[0.0, 1.0], [1.0, 0.0]];
/// let figure = show_matrix(&x, "X").rows(["Eiffel", "tower"]).mark_row(1)
///     .times(&swap, "Wq").learned()
///     .equals(&x.dot(&swap), "Q");
/// assert!(figure.alt_text().ends_with("= Q 2 × 2: Eiffel [1, 0] *tower [0, 1]"));
/// ```
#[track_caller]
pub fn show_matrix<S>(matrix: &ArrayBase<S, Ix2>, name: &str) -> Figure<Matrices>
where
    S: Data<Elem: Copy + Into<f64>>,
{
    let block = checked(Block::new(matrix.mapv(Into::into), name));
    Figure::new(Matrices { blocks: vec![block], signs: Vec::new(), decimals: None })
}

#[track_caller]
fn checked(block: Block) -> Block {
    let (shape, name) = (block.entries.shape(), &block.name);
    assert!(!shape.contains(&0), "there is nothing to draw: {name} of shape {shape:?} holds no entries");
    block
}

impl Figure<Matrices> {
    /// `· matrix`: the next factor.
    ///
    /// # Panics
    /// If it has not as many rows as the matrix before has columns, or if it would be the thirteenth matrix.
    #[track_caller]
    pub fn times<S>(self, matrix: &ArrayBase<S, Ix2>, name: &str) -> Self
    where
        S: Data<Elem: Copy + Into<f64>>,
    {
        self.with(Sign::Times, Block::new(matrix.mapv(Into::into), name))
    }

    /// `+ matrix`: the next term, which may be the first factor of a product.
    ///
    /// # Panics
    /// If it has no entries, or if it would be the thirteenth matrix.
    #[track_caller]
    pub fn plus<S>(self, matrix: &ArrayBase<S, Ix2>, name: &str) -> Self
    where
        S: Data<Elem: Copy + Into<f64>>,
    {
        self.with(Sign::Plus, Block::new(matrix.mapv(Into::into), name))
    }

    /// `= matrix`: the result of the products and sums before it.
    ///
    /// # Panics
    /// If its shape is not theirs, or if it would be the thirteenth matrix.
    #[track_caller]
    pub fn equals<S>(self, matrix: &ArrayBase<S, Ix2>, name: &str) -> Self
    where
        S: Data<Elem: Copy + Into<f64>>,
    {
        self.with(Sign::Equals, Block::new(matrix.mapv(Into::into), name))
    }

    /// A matrix after any sign of the caller's, such as `"softmax →"`; an empty one sets two matrices side by side.
    ///
    /// # Panics
    /// If it has no entries, or if it would be the thirteenth matrix.
    #[track_caller]
    pub fn sign<S>(self, sign: &str, matrix: &ArrayBase<S, Ix2>, name: &str) -> Self
    where
        S: Data<Elem: Copy + Into<f64>>,
    {
        self.with(Sign::Words(sign.to_owned()), Block::new(matrix.mapv(Into::into), name))
    }

    /// Names of the rows of the matrix added last.
    ///
    /// # Panics
    /// If their number is not that of the rows.
    #[track_caller]
    pub fn rows<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let block = self.last();
        block.rows = one_for_each(strings(names), "names", block.entries.nrows(), "rows");
        self
    }

    /// Names of the columns of the matrix added last.
    ///
    /// # Panics
    /// If their number is not that of the columns.
    #[track_caller]
    pub fn columns<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        let block = self.last();
        block.columns = one_for_each(strings(names), "names", block.entries.ncols(), "columns");
        self
    }

    /// Marks a row of the matrix added last: outlined, tinted and bold. Rows are counted from 0.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn mark_row(mut self, row: usize) -> Self {
        let block = self.last();
        let rows = block.entries.nrows();
        assert!(row < rows, "there is no row {row} to mark: {} has {rows}, counted from 0", block.name);
        block.marked_rows.push(row);
        self
    }

    /// Marks a column of the matrix added last, as [`mark_row`](Self::mark_row) does a row.
    ///
    /// # Panics
    /// If there is no such column.
    #[track_caller]
    pub fn mark_column(mut self, column: usize) -> Self {
        let block = self.last();
        let columns = block.entries.ncols();
        assert!(column < columns, "there is no column {column} to mark: {} has {columns}, counted from 0", block.name);
        block.marked_columns.push(column);
        self
    }

    /// Sets the matrix added last apart, with a tint and a dashed frame: it holds parameters, not numbers computed from
    /// an input.
    pub fn learned(mut self) -> Self {
        self.last().learned = true;
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

    fn last(&mut self) -> &mut Block {
        self.kind.blocks.last_mut().expect("show_matrix begins with a matrix")
    }

    #[track_caller]
    fn with(mut self, sign: Sign, block: Block) -> Self {
        self.kind.add(sign, checked(block));
        self
    }
}

impl Matrices {
    #[track_caller]
    fn add(&mut self, sign: Sign, mut block: Block) {
        let count = self.blocks.len();
        assert!(count < MOST_MATRICES, "a figure holds at most {MOST_MATRICES} matrices: draw the rest in another one");
        let begun = self.signs.iter().rposition(|sign| matches!(sign, Sign::Equals | Sign::Words(_)));
        let start = begun.map_or(0, |sign| sign + 1);
        let (first, before) = (&self.blocks[start], &self.blocks[count - 1]);
        match sign {
            Sign::Times => assert!(
                before.entries.ncols() == block.entries.nrows(),
                "{} of shape {:?} and {} of shape {:?} cannot be multiplied: the second needs as many rows as the first has columns",
                before.name,
                before.entries.shape(),
                block.name,
                block.entries.shape()
            ),
            Sign::Equals => {
                for term in self.terms(start) {
                    let (left, right) = (&self.blocks[term.0], &self.blocks[term.1]);
                    let shape = [left.entries.nrows(), right.entries.ncols()];
                    assert!(
                        shape == block.entries.shape(),
                        "{} of shape {:?} cannot be the result of shape {shape:?} that stands before it",
                        block.name,
                        block.entries.shape()
                    );
                }
            }
            Sign::Plus | Sign::Words(_) => (),
        }
        let same_rows = first.entries.nrows() == block.entries.nrows() && sign != Sign::Times;
        if same_rows {
            block.marked_rows = first.marked_rows.clone();
        }
        if same_rows && sign != Sign::Plus {
            block.rows = first.rows.clone();
        }
        if before.entries.ncols() == block.entries.ncols() && !matches!(sign, Sign::Times | Sign::Plus) {
            block.columns = before.columns.clone();
            block.marked_columns = before.marked_columns.clone();
        }
        self.signs.push(sign);
        self.blocks.push(block);
    }

    /// First and last factor of each term from the matrix `start` on.
    fn terms(&self, start: usize) -> Vec<(usize, usize)> {
        let mut terms = vec![(start, start)];
        for (place, sign) in self.signs.iter().enumerate().skip(start) {
            match sign {
                Sign::Times => terms.last_mut().expect("there is a first term").1 = place + 1,
                _ => terms.push((place + 1, place + 1)),
            }
        }
        terms
    }
}
