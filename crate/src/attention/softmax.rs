//! Softmax: exp(x_i) / Σ_j exp(x_j) over the last axis, equation 11.1.2 of *Dive into Deep Learning*.
//!
//! The largest entry of a row is subtracted first. That leaves the quotient as it is and keeps exp from overflowing:
//! the largest term becomes exp(0) = 1.

use std::borrow::Borrow;

use ndarray::{Array, ArrayBase, ArrayRef, Data, Dimension, NdFloat};

use super::{Mask, compiled::loops};

/// Softmax over the last axis: every row becomes nonnegative and sums to 1.
///
/// An entry of minus infinity gets exactly 0. A row that holds a NaN or plus infinity, or nothing but minus infinity, has
/// no softmax and comes back as NaN throughout, as in NumPy; other rows are not touched by it. A last axis of length
/// 0 stays empty.
///
/// # Panics
///
/// If `x` has no axis.
///
/// ```
/// use d2l::attention::softmax;
/// use ndarray::array;
///
/// let weights = softmax(&array![1000.0, 1001.0]);
/// assert_eq!(format!("{weights:.4}"), "[0.2689, 0.7311]");
/// ```
#[track_caller]
pub fn softmax<A: NdFloat, D: Dimension>(x: &ArrayBase<impl Data<Elem = A>, D>) -> Array<A, D> {
    assert!(x.ndim() > 0, "softmax works along the last axis, but a 0-dimensional array has none");
    masked_softmax(x, Mask::None)
}

/// Softmax over the keys that `mask` (a [`Mask`] or a reference to one) lets each query see; hidden keys get exactly 0.
///
/// `scores` is queries x keys, with any number of leading axes. The result is the softmax of [`Mask::apply`], except
/// that a row with no visible key has nothing to attend to and gets weights 0 (*Dive into Deep Learning* hides keys
/// with -10⁶ instead of minus infinity, which turns such a row into equal weights for all). A NaN under the mask
/// changes nothing.
///
/// # Panics
///
/// If the mask does not fit the scores, as [`Mask::apply`] says.
///
/// ```
/// use d2l::attention::{Mask, masked_softmax};
/// use ndarray::Array3;
///
/// let weights = masked_softmax(&Array3::<f64>::zeros((2, 2, 4)), Mask::lengths([2, 3]));
/// assert_eq!(
///     format!("{weights:.2}"),
///     "[[[0.50, 0.50, 0.00, 0.00],
///   [0.50, 0.50, 0.00, 0.00]],
///
///  [[0.33, 0.33, 0.33, 0.00],
///   [0.33, 0.33, 0.33, 0.00]]]"
/// );
/// ```
#[track_caller]
pub fn masked_softmax<A: NdFloat, D: Dimension>(
    scores: &ArrayBase<impl Data<Elem = A>, D>,
    mask: impl Borrow<Mask>,
) -> Array<A, D> {
    let visible = mask.borrow().visible_keys(scores.shape());
    let mut weights = standard_copy(scores);
    let keys = weights.shape()[weights.ndim() - 1];
    let entries = weights.as_slice_mut().expect("a standard-layout array is contiguous");
    (loops().softmax_rows)(entries, keys, &visible);
    weights
}

/// A copy in row-major order, whatever the order of `x`, so that rows are slices.
pub(super) fn standard_copy<A: Clone, D: Dimension>(x: &ArrayRef<A, D>) -> Array<A, D> {
    x.view().as_standard_layout().into_owned()
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, Array3, Axis, Slice, arr0, array};

    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn large_scores_do_not_overflow() {
        assert_eq!(softmax(&array![1000.0, 1001.0]), softmax(&array![0.0, 1.0]));
        assert_eq!(softmax(&array![-1e300, 1e300]), array![0.0, 1.0]);
        assert_eq!(softmax(&array![f64::MAX, f64::MIN]), array![1.0, 0.0]);
    }

    #[test]
    fn minus_infinity_gets_exactly_zero() {
        assert_eq!(softmax(&array![3.0, -INF, 3.0]), array![0.5, 0.0, 0.5]);
    }

    #[test]
    fn a_row_without_an_answer_is_nan_and_leaves_its_neighbours_alone() {
        for bad in [[-INF, -INF], [f64::NAN, 0.0], [INF, 0.0], [INF, -INF]] {
            let weights = softmax(&array![bad, [0.0, 0.0]]);
            assert!(weights.row(0).iter().all(|w| w.is_nan()), "{bad:?} gave {weights}");
            assert_eq!(weights.row(1), array![0.5, 0.5]);
        }
    }

    #[test]
    fn an_empty_axis_stays_empty() {
        assert_eq!(softmax(&Array2::<f32>::zeros((3, 0))).dim(), (3, 0));
        assert_eq!(softmax(&Array2::<f32>::zeros((0, 3))).dim(), (0, 3));
        assert_eq!(masked_softmax(&Array2::<f32>::zeros((3, 0)), Mask::Causal).dim(), (3, 0));
        assert_eq!(masked_softmax(&Array3::<f32>::zeros((0, 2, 4)), Mask::lengths([])).dim(), (0, 2, 4));
    }

    #[test]
    #[should_panic = "a 0-dimensional array has none"]
    fn a_number_has_no_last_axis() {
        softmax(&arr0(1.0));
    }

    #[test]
    fn no_visible_key_means_no_weight() {
        let weights = masked_softmax(&array![[1.0, 2.0], [1.0, 1.0]], Mask::lengths([0, 2]));
        assert_eq!(weights, array![[0.0, 0.0], [0.5, 0.5]]);
    }

    #[test]
    fn hidden_scores_cannot_spoil_a_row() {
        for hidden in [f64::NAN, INF, -INF] {
            let scores = array![[1.0, hidden], [1.0, 1.0]];
            assert_eq!(masked_softmax(&scores, &Mask::Causal), array![[1.0, 0.0], [0.5, 0.5]]);
        }
    }

    #[test]
    fn weights_are_the_softmax_of_the_masked_scores() {
        let scores = Array3::from_shape_fn((2, 3, 4), |(b, i, j)| ((7 * b + 5 * i + 3 * j) % 4) as f64);
        let per_query = Mask::lengths_per_query(array![[1, 4, 2], [3, 2, 4]]);
        for mask in [Mask::None, Mask::Causal, Mask::length(3), Mask::lengths([1, 4]), per_query] {
            assert_eq!(masked_softmax(&scores, &mask), softmax(&mask.apply(&scores)), "{mask:?}");
        }
    }

    #[test]
    fn views_in_any_order_give_what_their_copies_give() {
        let x = Array2::from_shape_fn((4, 6), |(i, j)| ((3 * i + 5 * j) % 7) as f64);
        let reversed = x.slice_each_axis(|_| Slice::new(0, None, -1));
        let every_other = x.slice_axis(Axis(1), Slice::new(0, None, 2));
        for view in [x.t(), reversed, every_other] {
            assert_eq!(softmax(&view), softmax(&view.to_owned()));
            assert_eq!(masked_softmax(&view, Mask::Causal), masked_softmax(&view.to_owned(), Mask::Causal));
        }
    }
}
