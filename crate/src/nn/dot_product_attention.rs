//! `DotProductAttention`: softmax(Q Kᵀ / √d) V, *Attention Is All You Need*, equation 1.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let mut generator = seeded(0);
//! let mut draw = |shape| Tensor::new(normal(shape, &mut generator));
//! let (queries, keys, values) = (draw((2, 1, 2)), draw((2, 10, 2)), draw((2, 10, 4)));
//!
//! let attention = DotProductAttention::new();
//! let output = attention.forward(&queries, &keys, &values, Mask::lengths([2, 6]));
//! assert_eq!(output.shape(), [2, 1, 4]);
//! show_heatmaps(&attention.attention_weights(), "keys", "queries");
//! ```

use std::borrow::Borrow;

use ndarray::{ArcArray, IxDyn};

use super::attend::Inputs;
use super::compiled::compiled;
use super::kept_weights::KeptWeights;
use super::{Dropout, Module, Parts};
use crate::attention::Mask;
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// Attention whose scores are dot products over the root of the vectors' length.
#[derive(Clone, Debug)]
pub struct DotProductAttention<A: Real = f64> {
    /// Drops weights while the layer is trained.
    pub dropout: Dropout<A>,
    kept: KeptWeights<A>,
}

impl<A: Real> DotProductAttention<A> {
    /// Attention without dropout.
    #[expect(clippy::new_without_default, reason = "a layer is made, as all others are, with new")]
    pub fn new() -> Self {
        Self { dropout: Dropout::none(), kept: KeptWeights::default() }
    }

    /// Drops weights with probability `p`.
    ///
    /// # Panics
    /// If `p` is not in [0, 1].
    #[track_caller]
    pub fn dropout(mut self, p: f64, generator: &mut Generator) -> Self {
        self.dropout = Dropout::new(p, generator);
        self
    }

    /// What every query (.. x n x d) collects from the values (.. x m x d_v) by its agreement with the keys (.. x m x d):
    /// .. x n x d_v, the leading axes being the same in all three. `mask` is a [`Mask`] or a reference to one.
    ///
    /// # Panics
    /// If the shapes or the mask do not fit.
    #[track_caller]
    pub fn forward(
        &self,
        queries: &Tensor<A>,
        keys: &Tensor<A>,
        values: &Tensor<A>,
        mask: impl Borrow<Mask>,
    ) -> Tensor<A> {
        check(queries, keys, values);
        assert!(
            queries.shape().last() == keys.shape().last(),
            "queries of shape {:?} and keys of shape {:?} do not fit: a dot product needs vectors of one length",
            queries.shape(),
            keys.shape()
        );
        let scores = [&queries.shape()[..queries.ndim() - 1], &[keys.shape()[keys.ndim() - 2]]].concat();
        self.attend(Inputs::apart([queries, keys, values], 1), &scores, mask.borrow())
    }

    /// What several heads collect, with weights of the shape of the scores.
    #[track_caller]
    pub(super) fn attend(&self, inputs: Inputs<A>, scores: &[usize], mask: &Mask) -> Tensor<A> {
        let visible = mask.visible_keys(scores);
        let (output, weights) = (compiled().attend)(inputs, visible, self.dropout.factors(scores));
        self.kept.keep(weights.into_shape_with_order(scores).expect("there is a weight for each score"));
        output
    }

    /// The weights of the last [`forward`](Self::forward): .. x n x m, before dropout, ready for
    /// [`show_heatmaps`](crate::figure::show_heatmaps).
    ///
    /// # Panics
    /// If there was none.
    #[track_caller]
    pub fn attention_weights(&self) -> ArcArray<A, IxDyn> {
        self.kept.get()
    }
}

/// Whether there is a value for each key and one set of them for each set of queries.
#[track_caller]
pub(super) fn check<A: Real>(queries: &Tensor<A>, keys: &Tensor<A>, values: &Tensor<A>) {
    let (q, k, v) = (queries.shape(), keys.shape(), values.shape());
    let fits = |q: &[usize], k: &[usize], v: &[usize]| {
        let axes = q.len();
        axes >= 2
            && k.len() == axes
            && v.len() == axes
            && q[..axes - 2] == k[..axes - 2]
            && k[..axes - 1] == v[..axes - 1]
    };
    assert!(
        fits(q, k, v),
        "queries of shape {q:?}, keys of shape {k:?} and values of shape {v:?} do not fit: they are batch x n x d, \
         batch x m x d and batch x m x d_v, with a value for each key"
    );
}

impl<A: Real> Module<A> for DotProductAttention<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, dropout)
    }
}
