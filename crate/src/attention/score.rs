//! Scores a(q, k): how well a query and a key agree, for every query and key at once.
//!
//! Softmax turns the scores of a query into its weights, equation 11.1.2 of *Dive into Deep Learning*. The dot product
//! scaled by 1/√d is from *Attention Is All You Need*, section 3.2.1: if the entries of q and k are independent with
//! mean 0 and variance 1, q·k has variance d, and the division brings it back to 1 whatever d is.

use ndarray::{Array2, ArrayRef2, ArrayView1, NdFloat};

use super::compiled::loops;

/// A scoring function a(q, k) over vectors.
///
/// A closure of a query and a key is one, and so are [`Dot`], [`ScaledDot`], [`NegativeSquaredDistance`] and the
/// kernels; a reference to any of them is one too. A closure names its arguments' types. It may compare vectors of
/// different lengths, so that none are refused before it is called: one that cannot panics with ndarray's words.
///
/// ```
/// use d2l::attention::{Dot, Score};
/// use ndarray::{ArrayView1, array};
///
/// let (queries, keys) = (array![[1.0, 2.0]], array![[3.0, 4.0], [0.0, 1.0]]);
/// let by_hand = |q: ArrayView1<f64>, k: ArrayView1<f64>| q.dot(&k);
/// assert_eq!(by_hand.scores(&queries, &keys), array![[11.0, 2.0]]);
/// assert_eq!(Dot.scores(&queries, &keys), array![[11.0, 2.0]]);
/// ```
pub trait Score<A> {
    /// The scores (n x m) of n queries (n x d) and m keys (m x d).
    ///
    /// # Panics
    ///
    /// If queries and keys differ in length and the score needs them alike, as all but closures do.
    #[track_caller]
    fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A>;
}

impl<A: NdFloat, F: Fn(ArrayView1<A>, ArrayView1<A>) -> A> Score<A> for F {
    fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
        Array2::from_shape_fn((queries.nrows(), keys.nrows()), |(i, j)| self(queries.row(i), keys.row(j)))
    }
}

/// Lets scores be given by reference. A rule for every reference would collide with the one for closures.
macro_rules! score_by_reference {
    ($($score:ty),+) => {
        $(impl<A: NdFloat> Score<A> for &$score {
            fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
                (**self).scores(queries, keys)
            }
        })+
    };
}
pub(super) use score_by_reference;

score_by_reference!(Dot, ScaledDot, NegativeSquaredDistance);

/// The dot product q·k.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dot;

impl<A: NdFloat> Score<A> for Dot {
    fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
        assert_same_length(queries, keys);
        (loops().product)(queries, &keys.t())
    }
}

/// The dot product over the root of the vectors' length, q·k / √d. Vectors of length 0 score 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScaledDot;

impl<A: NdFloat> Score<A> for ScaledDot {
    fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
        // At least 1, so that vectors of length 0 score 0 and not 0/0.
        let d = A::from(queries.ncols().max(1)).expect("a length is a number");
        // Dividing the queries (n x d) is less work than dividing the scores (n x m).
        Dot.scores(&queries.mapv(|x| x / d.sqrt()), keys)
    }
}

/// Minus the squared Euclidean distance, -‖q - k‖²: the nearest key scores highest, and an equal one scores 0.
///
/// Squares overflow: a key farther than about 1e154 (1e19 in `f32`) scores minus infinity, and if all keys are so far,
/// softmax has no answer but NaN. The kernels measure distances in the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NegativeSquaredDistance;

impl<A: NdFloat> Score<A> for NegativeSquaredDistance {
    fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
        -squared_distances(queries, keys)
    }
}

/// ‖q - k‖² of every query and key (n x m).
#[track_caller]
pub(super) fn squared_distances<A: NdFloat>(queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
    assert_same_length(queries, keys);
    (loops().squared_distances)(queries, keys)
}

#[track_caller]
fn assert_same_length<A>(queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) {
    assert!(
        queries.ncols() == keys.ncols(),
        // Only the queries' length is told: pooling has made one matrix of whatever leading axes it was given.
        "queries of shape [.., {}] and keys of shape {:?} do not fit: a query and a key need the same length, queries .. x d and keys m x d",
        queries.ncols(),
        keys.shape()
    );
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn scores_by_hand() {
        let (queries, keys) = (array![[1.0, 2.0], [0.0, -1.0]], array![[3.0, 4.0], [0.0, -1.0], [1.0, 2.0]]);
        assert_eq!(Dot.scores(&queries, &keys), array![[11.0, -2.0, 5.0], [-4.0, 1.0, -2.0]]);
        assert_eq!(NegativeSquaredDistance.scores(&queries, &keys), array![[-8.0, -10.0, 0.0], [-34.0, 0.0, -10.0]]);
        let four = array![[1.0f32, 1.0, 1.0, 3.0]];
        assert_eq!(ScaledDot.scores(&four, &four), array![[6.0]]);
    }

    #[test]
    fn neighbours_far_from_zero_keep_their_distance() {
        assert_eq!(NegativeSquaredDistance.scores(&array![[1e8f32]], &array![[1e8f32 + 8.0]]), array![[-64.0]]);
    }

    #[test]
    fn empty_shapes() {
        let none = Array2::<f64>::zeros((0, 2));
        assert_eq!(Dot.scores(&none, &array![[1.0, 2.0]]).dim(), (0, 1));
        assert_eq!(NegativeSquaredDistance.scores(&array![[1.0, 2.0]], &none).dim(), (1, 0));
        let flat = Array2::<f64>::zeros((2, 0));
        assert_eq!(ScaledDot.scores(&flat, &flat), Array2::<f64>::zeros((2, 2)));
        assert_eq!(NegativeSquaredDistance.scores(&flat, &flat), Array2::<f64>::zeros((2, 2)));
    }

    #[test]
    #[should_panic = "queries of shape [.., 2] and keys of shape [1, 3] do not fit"]
    fn dot_needs_equal_lengths() {
        Dot.scores(&array![[1.0, 2.0]], &array![[1.0, 2.0, 3.0]]);
    }

    #[test]
    #[should_panic = "queries of shape [.., 2] and keys of shape [1, 1] do not fit"]
    fn distance_needs_equal_lengths() {
        NegativeSquaredDistance.scores(&array![[1.0, 2.0]], &array![[1.0]]);
    }
}
