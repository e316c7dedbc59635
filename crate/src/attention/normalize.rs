//! Normalising: α_i / Σ_j α_j over the last axis, the step between equations 11.1.1 and 11.1.2 of *Dive into Deep
//! Learning*.

use std::{error::Error, fmt};

use ndarray::{Array, ArrayBase, Data, Dimension, NdFloat};

use super::softmax::standard_copy;

/// Divides nonnegative weights by their sum over the last axis.
///
/// # Errors
///
/// If a weight is negative or NaN, or a row's sum is 0 or infinite; the error names the first such row.
///
/// # Panics
///
/// If `weights` has no axis.
///
/// ```
/// use d2l::attention::normalize;
/// use ndarray::array;
///
/// assert_eq!(normalize(&array![[1.0, 3.0], [2.0, 2.0]])?, array![[0.25, 0.75], [0.5, 0.5]]);
///
/// let error = normalize(&array![[1.0, 3.0], [2.0, -0.5]]).unwrap_err();
/// assert_eq!(error.to_string(), "row [1]: weight 1 is -0.5, but weights must be nonnegative numbers");
/// # Ok::<(), d2l::attention::NormalizeError<f64>>(())
/// ```
#[track_caller]
pub fn normalize<A: NdFloat, D: Dimension>(
    weights: &ArrayBase<impl Data<Elem = A>, D>,
) -> Result<Array<A, D>, NormalizeError<A>> {
    assert!(weights.ndim() > 0, "normalize works along the last axis, but a 0-dimensional array has none");
    let mut weights = standard_copy(weights);
    let leading = weights.shape()[..weights.ndim() - 1].to_vec();
    for (row, mut lane) in weights.rows_mut().into_iter().enumerate() {
        if let Some((index, &value)) = lane.indexed_iter().find(|(_, weight)| weight.is_nan() || **weight < A::zero()) {
            return Err(NormalizeError::Weight { row: unravel(row, &leading), index, value });
        }
        let sum = lane.sum();
        if sum <= A::zero() || sum.is_infinite() {
            return Err(NormalizeError::Sum { row: unravel(row, &leading), sum });
        }
        lane /= sum;
    }
    Ok(weights)
}

/// Why weights could not be normalised. `row` is the row's index along the leading axes, empty for a single vector.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum NormalizeError<A> {
    /// A weight is negative or NaN.
    Weight {
        /// The row it stands in.
        row: Vec<usize>,
        /// Its place in the row.
        index: usize,
        /// The weight.
        value: A,
    },
    /// A row's weights sum to 0 or to infinity.
    Sum {
        /// The row.
        row: Vec<usize>,
        /// Its sum.
        sum: A,
    },
}

impl<A: fmt::Display> fmt::Display for NormalizeError<A> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (NormalizeError::Weight { row, .. } | NormalizeError::Sum { row, .. }) = self;
        if !row.is_empty() {
            write!(f, "row {row:?}: ")?;
        }
        match self {
            NormalizeError::Weight { index, value, .. } => {
                write!(f, "weight {index} is {value}, but weights must be nonnegative numbers")
            }
            NormalizeError::Sum { sum, .. } => {
                write!(f, "the weights sum to {sum}, but only a positive finite sum can be divided by")
            }
        }
    }
}

/// The same sentence: it is what `unwrap` shows.
impl<A: fmt::Display> fmt::Debug for NormalizeError<A> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<A: fmt::Display> Error for NormalizeError<A> {}

/// The index along axes of these lengths that has this place in row-major order.
fn unravel(mut place: usize, lengths: &[usize]) -> Vec<usize> {
    let mut index = vec![0; lengths.len()];
    for (position, &length) in index.iter_mut().zip(lengths).rev() {
        *position = place % length;
        place /= length;
    }
    index
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, Array3, ArrayRef, arr0, array};

    use super::*;

    fn message<D: Dimension>(weights: &ArrayRef<f64, D>) -> String {
        normalize(&weights.view()).unwrap_err().to_string()
    }

    #[test]
    fn rows_are_divided_by_their_sums() {
        assert_eq!(normalize(&array![0.0f32, 1.0, 3.0]), Ok(array![0.0, 0.25, 0.75]));
        assert_eq!(normalize(&array![[1.0, 3.0], [4.0, 0.0]].t()), Ok(array![[0.2, 0.8], [1.0, 0.0]]));
        assert_eq!(normalize(&Array2::<f64>::zeros((0, 3))), Ok(Array2::zeros((0, 3))));
    }

    #[test]
    fn what_cannot_be_normalised_is_named() {
        assert_eq!(message(&array![1.0, -2.0]), "weight 1 is -2, but weights must be nonnegative numbers");
        assert_eq!(message(&array![f64::NAN]), "weight 0 is NaN, but weights must be nonnegative numbers");
        let sum = "but only a positive finite sum can be divided by";
        assert_eq!(message(&array![[1.0, 1.0], [0.0, 0.0]]), format!("row [1]: the weights sum to 0, {sum}"));
        assert_eq!(message(&array![1.0, f64::INFINITY]), format!("the weights sum to inf, {sum}"));
        assert_eq!(message(&array![f64::MAX, f64::MAX]), format!("the weights sum to inf, {sum}"));
        assert_eq!(format!("{:?}", normalize(&array![0.0]).unwrap_err()), format!("the weights sum to 0, {sum}"));
        assert_eq!(message(&Array1::zeros(0)), format!("the weights sum to 0, {sum}"));
    }

    #[test]
    fn a_row_is_named_by_its_index_along_the_leading_axes() {
        let mut weights = Array3::ones((2, 3, 4));
        weights[[1, 2, 3]] = -0.1f32;
        let expected = NormalizeError::Weight { row: vec![1, 2], index: 3, value: -0.1 };
        assert_eq!(normalize(&weights), Err(expected.clone()));
        assert_eq!(expected.to_string(), "row [1, 2]: weight 3 is -0.1, but weights must be nonnegative numbers");
    }

    #[test]
    #[should_panic = "a 0-dimensional array has none"]
    fn a_number_has_no_last_axis() {
        let _ = normalize(&arr0(1.0));
    }
}
