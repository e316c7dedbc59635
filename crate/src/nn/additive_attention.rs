//! `AdditiveAttention`: scores w_vᵀ tanh(W_q q + W_k k), for queries and keys of different lengths (D. Bahdanau, K. Cho,
//! Y. Bengio, 2014).
//!
//! ```
//! use d2l::prelude::*;
//!
//! let mut generator = seeded(0);
//! let attention = AdditiveAttention::new(20, 2, 8, &mut generator);
//! let mut draw = |shape| Tensor::new(normal(shape, &mut generator));
//! let (queries, keys, values) = (draw((2, 1, 20)), draw((2, 10, 2)), draw((2, 10, 4)));
//!
//! let output = attention.forward(&queries, &keys, &values, Mask::lengths([2, 6]));
//! assert_eq!(output.shape(), [2, 1, 4]);
//! assert_eq!(attention.attention_weights().shape(), [2, 1, 10]);
//! ```

use std::borrow::Borrow;

use ndarray::{ArcArray, IxDyn};

use super::dot_product_attention::check;
use super::kept_weights::KeptWeights;
use super::{Dropout, Linear, Module, Parts};
use crate::attention::Mask;
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// Attention whose scores come from a small network with one hidden layer. None of its three maps has a bias.
#[derive(Clone, Debug)]
pub struct AdditiveAttention<A: Real = f64> {
    /// W_q, from queries to the hidden layer.
    pub w_q: Linear<A>,
    /// W_k, from keys to the hidden layer.
    pub w_k: Linear<A>,
    /// w_v, from the hidden layer to a score.
    pub w_v: Linear<A>,
    /// Drops weights while the layer is trained.
    pub dropout: Dropout<A>,
    kept: KeptWeights<A>,
}

impl<A: Real> AdditiveAttention<A> {
    /// Attention between queries and keys of these lengths, through a hidden layer of `num_hiddens`, without dropout.
    pub fn new(query_size: usize, key_size: usize, num_hiddens: usize, generator: &mut Generator) -> Self {
        Self {
            w_q: Linear::without_bias(query_size, num_hiddens, generator),
            w_k: Linear::without_bias(key_size, num_hiddens, generator),
            w_v: Linear::without_bias(num_hiddens, 1, generator),
            dropout: Dropout::none(),
            kept: KeptWeights::default(),
        }
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

    /// What every query (.. x n x query_size) collects from the values (.. x m x d_v) by its agreement with the keys
    /// (.. x m x key_size): .. x n x d_v, the leading axes being the same in all three. `mask` is a [`Mask`] or a
    /// reference to one.
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
        let (queries, keys) = (self.w_q.forward(queries), self.w_k.forward(keys));
        // An axis of length 1 in place of the other's, so that every query meets every key.
        let features = (queries.insert_axis(-2) + keys.insert_axis(-3)).tanh();
        let scores = self.w_v.forward(&features).remove_axis(-1);
        let weights = scores.masked_softmax(mask.borrow());
        self.kept.keep(weights.value());
        self.dropout.forward(&weights).matmul(values)
    }

    /// The weights of the last [`forward`](Self::forward): .. x n x m, before dropout.
    ///
    /// # Panics
    /// If there was none.
    #[track_caller]
    pub fn attention_weights(&self) -> ArcArray<A, IxDyn> {
        self.kept.get()
    }
}

impl<A: Real> Module<A> for AdditiveAttention<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, w_q, w_k, w_v, dropout)
    }
}
