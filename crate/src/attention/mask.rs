//! Masks: which keys a query may see.
//!
//! A hidden score becomes minus infinity before softmax, so that its weight is exp(-∞) = 0 and the visible keys share
//! the whole of 1. A hidden score of 0 would not do: exp(0) = 1 still claims a share. Every mask here shows a query the
//! first keys and hides the rest.

use ndarray::{Array, Array1, Array2, ArrayBase, ArrayD, Axis, Data, Dimension, NdFloat, Slice, arr0};

use super::softmax::standard_copy;

/// Which keys each query may see.
///
/// Scores are queries x keys, with any number of leading axes (batch x queries x keys).
///
/// ```
/// use d2l::attention::{Mask, softmax};
/// use ndarray::Array2;
///
/// let scores = Mask::Causal.apply(&Array2::<f64>::zeros((3, 3)));
/// assert_eq!(format!("{scores:.1}"), "[[0.0, -inf, -inf],\n [0.0, 0.0, -inf],\n [0.0, 0.0, 0.0]]");
/// assert_eq!(softmax(&scores).row(1).to_vec(), [0.5, 0.5, 0.0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mask {
    /// Every query sees every key.
    #[default]
    None,
    /// Query i sees keys 0 to i: itself and what came before. Keys beyond the queries' number stay hidden, as with
    /// `numpy.triu(…, k=1)`. Scores need a query axis.
    Causal,
    /// A query sees as many of the first keys as its valid length says; of length 0, none.
    ///
    /// The lengths' shape is that of the scores' leading axes, as many of them as are named: no axis is one length
    /// for all, `[batch]` one for each batch entry, `[batch, queries]` one for each query of each entry, and for a single
    /// queries x keys matrix `[queries]` one for each query. [`Mask::length`], [`Mask::lengths`] and
    /// [`Mask::lengths_per_query`] make them.
    Lengths(ArrayD<usize>),
}

impl Mask {
    /// One valid length for all queries.
    pub fn length(length: usize) -> Self {
        Self::Lengths(arr0(length).into_dyn())
    }

    /// A valid length for each entry of the scores' first axis: each batch entry of batch x queries x keys, each
    /// query of queries x keys.
    pub fn lengths(lengths: impl IntoIterator<Item = usize>) -> Self {
        Self::Lengths(lengths.into_iter().collect::<Array1<usize>>().into_dyn())
    }

    /// A valid length for each query of each batch entry (batch x queries).
    pub fn lengths_per_query(lengths: Array2<usize>) -> Self {
        Self::Lengths(lengths.into_dyn())
    }

    /// The scores with minus infinity wherever a key is hidden: what softmax gets to see.
    ///
    /// # Panics
    ///
    /// If the mask does not fit the scores: scores without an axis, a causal mask on scores without a query axis,
    /// lengths whose shape is not that of the leading axes, or a length above the number of keys.
    #[track_caller]
    pub fn apply<A: NdFloat, D: Dimension>(&self, scores: &ArrayBase<impl Data<Elem = A>, D>) -> Array<A, D> {
        let visible = self.visible_keys(scores.shape());
        let mut masked = standard_copy(scores);
        for (mut row, visible) in masked.rows_mut().into_iter().zip(visible) {
            row.slice_axis_mut(Axis(0), Slice::from(visible..)).fill(A::neg_infinity());
        }
        masked
    }

    /// How many of the first keys each row of scores of this shape sees, row after row.
    #[track_caller]
    pub(crate) fn visible_keys(&self, scores: &[usize]) -> Vec<usize> {
        let Some((&keys, leading)) = scores.split_last() else {
            panic!("scores need an axis of keys, but these are 0-dimensional");
        };
        let rows = leading.iter().product();
        match self {
            Mask::None => vec![keys; rows],
            Mask::Causal => {
                let Some(&queries) = leading.last() else {
                    panic!("a causal mask needs queries x keys, but the scores have shape {scores:?}");
                };
                (0..queries).map(|query| keys.min(query + 1)).cycle().take(rows).collect()
            }
            Mask::Lengths(lengths) => {
                assert!(
                    leading.starts_with(lengths.shape()),
                    "valid lengths of shape {:?} do not fit scores of shape {scores:?}: the scores' leading axes are {leading:?}, and the \
                     lengths need all or the first of them",
                    lengths.shape()
                );
                if let Some((index, length)) = lengths.indexed_iter().find(|&(_, &length)| length > keys) {
                    let index = index.as_array_view().to_vec();
                    let place = if index.is_empty() { String::new() } else { format!(" at {index:?}") };
                    panic!("the valid length{place} is {length}, but the number of keys is {keys}");
                }
                let rows_each = leading[lengths.ndim()..].iter().product();
                lengths.iter().flat_map(|&length| std::iter::repeat_n(length, rows_each)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array3, Array4, array};

    use super::*;

    #[test]
    fn causal_rows_see_themselves_and_the_past() {
        assert_eq!(Mask::Causal.visible_keys(&[3, 3]), [1, 2, 3]);
        assert_eq!(Mask::Causal.visible_keys(&[2, 2, 4]), [1, 2, 1, 2]);
        assert_eq!(Mask::Causal.visible_keys(&[4, 2]), [1, 2, 2, 2]);
        assert_eq!(Mask::Causal.visible_keys(&[0, 3]), [0; 0]);
    }

    #[test]
    fn lengths_follow_the_leading_axes() {
        assert_eq!(Mask::length(2).visible_keys(&[3, 4]), [2, 2, 2]);
        assert_eq!(Mask::length(2).visible_keys(&[4]), [2]);
        assert_eq!(Mask::lengths([2, 0, 4]).visible_keys(&[3, 4]), [2, 0, 4]);
        assert_eq!(Mask::lengths([2, 3]).visible_keys(&[2, 2, 4]), [2, 2, 3, 3]);
        assert_eq!(Mask::lengths_per_query(array![[1, 3], [2, 4]]).visible_keys(&[2, 2, 4]), [1, 3, 2, 4]);
        assert_eq!(Mask::lengths([1, 2]).visible_keys(&[2, 3, 1, 5]), [1, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn apply_keeps_visible_scores() {
        let scores = Array4::from_elem((2, 1, 2, 3), 7.0f32);
        let masked = Mask::lengths([1, 3]).apply(&scores);
        assert!(
            masked.indexed_iter().all(|((b, _, _, j), &x)| x == if j < [1, 3][b] { 7.0 } else { f32::NEG_INFINITY })
        );
    }

    #[test]
    #[should_panic = "valid lengths of shape [3] do not fit scores of shape [2, 2, 4]"]
    fn lengths_of_another_batch() {
        Mask::lengths([2, 3, 1]).apply(&Array3::<f64>::zeros((2, 2, 4)));
    }

    #[test]
    #[should_panic = "valid lengths of shape [2, 4] do not fit scores of shape [2, 4]"]
    fn lengths_cannot_name_keys() {
        Mask::lengths_per_query(Array2::ones((2, 4))).apply(&Array2::<f64>::zeros((2, 4)));
    }

    #[test]
    #[should_panic = "the valid length at [1] is 5, but the number of keys is 4"]
    fn a_length_above_the_number_of_keys() {
        Mask::lengths([2, 5]).apply(&Array2::<f64>::zeros((2, 4)));
    }

    #[test]
    #[should_panic = "the valid length is 4, but the number of keys is 3"]
    fn one_length_has_no_place() {
        Mask::length(4).apply(&Array1::<f64>::zeros(3));
    }

    #[test]
    #[should_panic = "a causal mask needs queries x keys, but the scores have shape [4]"]
    fn causal_needs_queries() {
        Mask::Causal.apply(&Array1::<f64>::zeros(4));
    }

    #[test]
    #[should_panic = "scores need an axis of keys"]
    fn scores_need_keys() {
        Mask::None.apply(&arr0(1.0));
    }
}
