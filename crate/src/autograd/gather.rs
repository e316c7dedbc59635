//! Rows of a table, looked up by their numbers: an embedding.

use super::array::{shared, slice, slice_mut, standard};
use super::{Real, Tensor};

/// Row i of y is row `rows[i]` of the table, so that a row's gradient is the sum over all its copies in y.
pub(super) fn gather_rows<A: Real>(table: &Tensor<A>, rows: &[usize]) -> Tensor<A> {
    let value = table.standard();
    let mut shape = table.shape().to_vec();
    shape[0] = rows.len();
    let length: usize = shape[1..].iter().product();
    let place = move |row: usize| row * length..(row + 1) * length;
    let mut y = Vec::with_capacity(rows.len() * length);
    for &row in rows {
        y.extend_from_slice(&slice(&value)[place(row)]);
    }
    let rows = rows.to_vec();
    Tensor::result("rows of a table", shared(&shape, y), [table.clone()], move |dy, [table]| {
        let dy = standard(dy);
        table.accumulate_in(|table| {
            let (table, dy) = (slice_mut(table), slice(&dy));
            for (i, &row) in rows.iter().enumerate() {
                for (sum, &dy) in table[place(row)].iter_mut().zip(&dy[place(i)]) {
                    *sum += dy;
                }
            }
        });
    })
}

impl<A: Real> Tensor<A> {
    /// Entries of the first axis by number, each as often as it is named: of a table rows x d, one row of length d for
    /// every number.
    ///
    /// # Panics
    ///
    /// If this tensor has no axis or if a number is not below its length.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let table = Tensor::parameter(array![[0.0, 1.0], [2.0, 3.0]]);
    /// let rows = table.gather_rows(&[1, 1]);
    /// assert_eq!(rows.value(), array![[2.0, 3.0], [2.0, 3.0]].into_dyn());
    /// rows.sum().backward();
    /// assert_eq!(table.grad(), Some(array![[0.0, 0.0], [2.0, 2.0]].into_dyn()));
    /// ```
    #[track_caller]
    pub fn gather_rows(&self, rows: &[usize]) -> Self {
        assert_rows(self.shape(), rows);
        (A::OPERATIONS.gather_rows)(self, rows)
    }
}

#[track_caller]
fn assert_rows(table: &[usize], rows: &[usize]) {
    let Some(&length) = table.first() else { panic!("gather_rows needs a table, and a single number is none") };
    if let Some((place, row)) = rows.iter().enumerate().find(|&(_, &row)| row >= length) {
        panic!("gather_rows: there is no row {row} (number {place} of those asked for) in a table of shape {table:?}");
    }
}
