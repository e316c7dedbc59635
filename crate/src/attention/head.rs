//! One attention head: softmax(Q Kᵀ / √d_k) V with Q = X Wq, K = X Wk and V = X Wv; *Attention Is All You Need*,
//! section 3.2.1, with one token a row.

use std::borrow::Borrow;

use ndarray::{Array2, ArrayBase, Axis, Data, Ix2, NdFloat};

use super::{Mask, ScaledDot, Score, compiled::loops, masked_softmax};

/// Lets each of n tokens (`x`, n x d) collect from all that `mask` shows it: `(weights, mixture)`.
///
/// `wq` and `wk` are d x d_k, `wv` is d x d_v. Entry (i, j) of the weights (n x n) is token j's share in what token i
/// collects; row i of the mixture (n x d_v) is what it collects. `mask` is a [`Mask`] or a reference to one. Hidden
/// tokens do not touch a mixture, not even with NaN.
///
/// With d_k = 0 there is nothing to compare: all scores are 0 and visible tokens share equally. With n = 0 weights and
/// mixture are empty.
///
/// # Panics
///
/// If a projection's rows are not d, if `wq` and `wk` differ in shape, or if the mask does not fit n x n scores.
///
/// ```
/// use d2l::attention::{Mask, attention};
/// use ndarray::{Array2, array};
///
/// // Two axes: structure, identity. A filler, a name and a thing that has the name.
/// let x = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
/// let (swap, keep) = (array![[0.0, 1.0], [1.0, 0.0]], Array2::eye(2));
///
/// let (weights, mixture) = attention(&x, &swap, &keep, &keep, Mask::None);
/// assert_eq!(format!("{:.4}", weights.row(2)), "[0.2483, 0.5035, 0.2483]");
/// assert_eq!(format!("{:.4}", mixture.row(2)), "[0.2483, 0.5035]");
/// ```
#[track_caller]
pub fn attention<A: NdFloat>(
    x: &ArrayBase<impl Data<Elem = A>, Ix2>,
    wq: &ArrayBase<impl Data<Elem = A>, Ix2>,
    wk: &ArrayBase<impl Data<Elem = A>, Ix2>,
    wv: &ArrayBase<impl Data<Elem = A>, Ix2>,
    mask: impl Borrow<Mask>,
) -> (Array2<A>, Array2<A>) {
    for (name, projection) in [("wq", wq.shape()), ("wk", wk.shape()), ("wv", wv.shape())] {
        assert!(
            x.ncols() == projection[0],
            "x of shape {:?} and {name} of shape {:?} do not fit: x is n x d, and a projection has d rows",
            x.shape(),
            projection
        );
    }
    assert!(
        wq.ncols() == wk.ncols(),
        "wq of shape {:?} and wk of shape {:?} do not fit: both are d x d_k, so that a query meets keys of its own length",
        wq.shape(),
        wk.shape()
    );
    let mask = mask.borrow();
    let product = loops().product;
    let weights = masked_softmax(&ScaledDot.scores(&product(x, wq), &product(x, wk)), mask);
    let mixture = mix(&weights, &product(x, wv), mask);
    (weights, mixture)
}

/// weights · values, where a hidden value counts nothing even if it is not finite.
fn mix<A: NdFloat>(weights: &Array2<A>, values: &Array2<A>, mask: &Mask) -> Array2<A> {
    let mut mixture = (loops().product)(weights, values);
    // 0 · NaN is NaN, so that the product of whole matrices lets hidden values through.
    if *mask != Mask::None && values.iter().any(|value| !value.is_finite()) {
        for (i, visible) in mask.visible_keys(weights.shape()).into_iter().enumerate() {
            let (weights, _) = weights.row(i).split_at(Axis(0), visible);
            let (values, _) = values.view().split_at(Axis(0), visible);
            mixture.row_mut(i).assign(&weights.dot(&values));
        }
    }
    mixture
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    const THE: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
    const RIVER: [f64; 4] = [0.0, 1.0, 0.0, 0.2];
    const MONEY: [f64; 4] = [1.0, 0.0, 0.0, 0.2];
    const BANK: [f64; 4] = [0.5, 0.5, 0.8, 0.2];

    fn rounded(row: ndarray::ArrayView1<f64>, decimals: usize) -> String {
        format!("{row:.decimals$}")
    }

    /// The last token's weights and mixture with identity projections.
    fn last_of(tokens: [[f64; 4]; 3]) -> (String, String) {
        let eye = Array2::eye(4);
        let (weights, mixture) = attention(&Array2::from(tokens.to_vec()), &eye, &eye, &eye, Mask::None);
        (rounded(weights.row(2), 2), rounded(mixture.row(2), 2))
    }

    #[test]
    fn bank_gathers_from_its_sentence() {
        let weights = "[0.26, 0.31, 0.43]".to_string();
        assert_eq!(last_of([THE, RIVER, BANK]), (weights.clone(), "[0.21, 0.52, 0.34, 0.41]".into()));
        assert_eq!(last_of([THE, MONEY, BANK]), (weights, "[0.52, 0.21, 0.34, 0.41]".into()));
    }

    #[test]
    fn larger_scores_sharpen_and_smaller_ones_flatten() {
        let x = array![THE, RIVER, BANK];
        let weights = |factor: f64| {
            let eye = Array2::eye(4);
            rounded(attention(&x, &(&eye * factor), &eye, &eye, Mask::None).0.row(2), 2)
        };
        assert_eq!(weights(5.0), "[0.07, 0.16, 0.78]");
        assert_eq!(weights(0.1), "[0.33, 0.33, 0.34]");
    }

    #[test]
    fn queries_decide_the_weights_and_values_the_content() {
        let x = array![[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]];
        let (eye, swap) = (Array2::eye(2), array![[0.0, 1.0], [1.0, 0.0]]);
        let tower = |wq, wv| {
            let (weights, mixture) = attention(&x, wq, &eye, wv, Mask::None);
            (rounded(weights.row(2), 4), rounded(mixture.row(2), 4))
        };
        assert_eq!(tower(&eye, &eye), ("[0.2483, 0.2483, 0.5035]".into(), "[0.5035, 0.2483]".into()));
        assert_eq!(tower(&swap, &eye), ("[0.2483, 0.5035, 0.2483]".into(), "[0.2483, 0.5035]".into()));
        assert_eq!(tower(&swap, &swap), ("[0.2483, 0.5035, 0.2483]".into(), "[0.5035, 0.2483]".into()));
    }

    #[test]
    fn causal_bank_sees_what_came_before() {
        let eye = Array2::eye(4);
        let head = |tokens: &Array2<f64>, mask| attention(tokens, &eye, &eye, &eye, mask);
        let last = array![THE, RIVER, BANK];
        let (free, causal) = (head(&last, Mask::None), head(&last, Mask::Causal));
        assert_eq!((free.0.row(2), free.1.row(2)), (causal.0.row(2), causal.1.row(2)));
        let (weights, mixture) = head(&array![BANK, RIVER], Mask::Causal);
        assert_eq!((weights.row(0), mixture.row(0)), (array![1.0, 0.0].view(), array![0.5, 0.5, 0.8, 0.2].view()));
    }

    #[test]
    fn hidden_tokens_cannot_spoil_a_mixture() {
        let eye = Array2::eye(1);
        for bad in [f64::NAN, f64::INFINITY] {
            let x = array![[1.0], [2.0], [bad]];
            let (_, causal) = attention(&x, &eye, &eye, &eye, Mask::Causal);
            let (_, known) = attention(&x.view().split_at(Axis(0), 2).0, &eye, &eye, &eye, Mask::Causal);
            assert_eq!(causal.view().split_at(Axis(0), 2).0, known);
            let (_, padded) = attention(&x, &eye, &eye, &eye, Mask::lengths([0, 2, 0]));
            assert_eq!((padded[[0, 0]], padded[[2, 0]]), (0.0, 0.0));
            assert!(padded[[1, 0]].is_finite() && causal[[2, 0]].is_nan());
        }
    }

    #[test]
    fn values_and_queries_may_differ_in_length() {
        let x = Array2::from_shape_fn((3, 4), |(i, j)| (i + j) as f32);
        let (weights, mixture) =
            attention(&x, &Array2::ones((4, 2)), &Array2::ones((4, 2)), &Array2::ones((4, 5)), Mask::None);
        assert_eq!((weights.dim(), mixture.dim()), ((3, 3), (3, 5)));
    }

    #[test]
    fn nothing_to_compare_is_an_average() {
        let x = array![[1.0], [3.0]];
        let none = Array2::zeros((1, 0));
        let (weights, mixture) = attention(&x, &none, &none, &Array2::eye(1), Mask::None);
        assert_eq!((weights, mixture), (array![[0.5, 0.5], [0.5, 0.5]], array![[2.0], [2.0]]));
    }

    #[test]
    fn no_tokens_give_no_weights() {
        let eye = Array2::<f64>::eye(2);
        for mask in [Mask::None, Mask::Causal, Mask::length(0)] {
            let (weights, mixture) = attention(&Array2::zeros((0, 2)), &eye, &eye, &eye, mask);
            assert_eq!((weights.dim(), mixture.dim()), ((0, 0), (0, 2)));
        }
    }

    fn with_shapes(wq: (usize, usize), wk: (usize, usize), wv: (usize, usize), mask: Mask) {
        attention(&Array2::<f64>::zeros((3, 4)), &Array2::zeros(wq), &Array2::zeros(wk), &Array2::zeros(wv), mask);
    }

    #[test]
    #[should_panic = "x of shape [3, 4] and wq of shape [2, 4] do not fit"]
    fn queries_need_the_tokens_length() {
        with_shapes((2, 4), (4, 4), (4, 4), Mask::None);
    }

    #[test]
    #[should_panic = "x of shape [3, 4] and wk of shape [5, 4] do not fit"]
    fn keys_need_the_tokens_length() {
        with_shapes((4, 4), (5, 4), (4, 4), Mask::None);
    }

    #[test]
    #[should_panic = "x of shape [3, 4] and wv of shape [3, 4] do not fit"]
    fn values_need_the_tokens_length() {
        with_shapes((4, 4), (4, 4), (3, 4), Mask::None);
    }

    #[test]
    #[should_panic = "wq of shape [4, 2] and wk of shape [4, 3] do not fit"]
    fn queries_and_keys_need_one_length() {
        with_shapes((4, 2), (4, 3), (4, 4), Mask::None);
    }

    #[test]
    #[should_panic = "valid lengths of shape [2] do not fit scores of shape [3, 3]"]
    fn a_mask_needs_the_tokens_number() {
        with_shapes((4, 2), (4, 2), (4, 4), Mask::lengths([1, 2]));
    }
}
