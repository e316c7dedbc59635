//! `TransformerEncoderBlock`: self-attention and a feed-forward network, each with its residual connection; *Attention Is
//! All You Need*, figure 1, left.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let block = TransformerEncoderBlock::new(24, 48, 8, &mut seeded(0));
//! let x = Tensor::new(Array3::<f64>::ones((2, 100, 24)));
//! assert_eq!(block.forward(&x, Mask::lengths([3, 2])).shape(), [2, 100, 24]);
//! assert_eq!(block.attention_weights().shape(), [2, 8, 100, 100]);
//! ```

use std::borrow::Borrow;

use ndarray::{ArcArray, IxDyn};

use super::{AddNorm, Module, MultiHeadAttention, Parts, PositionWiseFFN};
use crate::attention::Mask;
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// One block of a Transformer's encoder. Its input and its output have the same shape, so that blocks can be stacked.
#[derive(Clone, Debug)]
pub struct TransformerEncoderBlock<A: Real = f64> {
    /// Attention of every vector to all of its sequence.
    pub attention: MultiHeadAttention<A>,
    /// Adds the attention's output to its input.
    pub addnorm1: AddNorm<A>,
    /// The feed-forward network.
    pub ffn: PositionWiseFFN<A>,
    /// Adds the network's output to its input.
    pub addnorm2: AddNorm<A>,
}

impl<A: Real> TransformerEncoderBlock<A> {
    /// A block for vectors of length `num_hiddens`, without dropout and without biases in the attention.
    ///
    /// # Panics
    /// If `num_hiddens` is no multiple of `num_heads`.
    #[track_caller]
    pub fn new(num_hiddens: usize, ffn_num_hiddens: usize, num_heads: usize, generator: &mut Generator) -> Self {
        Self {
            attention: MultiHeadAttention::new(num_hiddens, num_heads, generator),
            addnorm1: AddNorm::new(num_hiddens),
            ffn: PositionWiseFFN::new(num_hiddens, ffn_num_hiddens, num_hiddens, generator),
            addnorm2: AddNorm::new(num_hiddens),
        }
    }

    /// Gives the attention's projections biases.
    pub fn bias(mut self, generator: &mut Generator) -> Self {
        self.attention = self.attention.bias(generator);
        self
    }

    /// Drops attention weights and numbers of both sublayers' outputs with probability `p` while the block is trained.
    ///
    /// # Panics
    /// If `p` is not in [0, 1].
    #[track_caller]
    pub fn dropout(mut self, p: f64, generator: &mut Generator) -> Self {
        self.attention = self.attention.dropout(p, generator);
        self.addnorm1 = self.addnorm1.dropout(p, generator);
        self.addnorm2 = self.addnorm2.dropout(p, generator);
        self
    }

    /// `x` (.. x n x num_hiddens) after one more round. `mask` is a [`Mask`] or a reference to one; it fits scores of shape
    /// .. x n x n.
    ///
    /// # Panics
    /// If the shapes or the mask do not fit.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>, mask: impl Borrow<Mask>) -> Tensor<A> {
        let y = self.addnorm1.forward(x, &self.attention.forward(x, x, x, mask));
        self.addnorm2.forward(&y, &self.ffn.forward(&y))
    }

    /// The weights of the last [`forward`](Self::forward): .. x heads x n x n, before dropout.
    ///
    /// # Panics
    /// If there was none.
    #[track_caller]
    pub fn attention_weights(&self) -> ArcArray<A, IxDyn> {
        self.attention.attention_weights()
    }
}

impl<A: Real> Module<A> for TransformerEncoderBlock<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, attention, addnorm1, ffn, addnorm2)
    }
}
