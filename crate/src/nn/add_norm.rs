//! `AddNorm`: the residual connection and what follows it, LayerNorm(x + dropout(y)); *Attention Is All You Need*,
//! section 3.1.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let add_norm = AddNorm::new(4).dropout(0.5, &mut seeded(0));
//! let ones = Tensor::new(Array3::<f64>::ones((2, 3, 4)));
//! assert_eq!(add_norm.forward(&ones, &ones).shape(), [2, 3, 4]);
//! ```

use super::{Dropout, LayerNorm, Module, Parts};
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// Adds what a layer made of its input to that input and normalises the sum.
#[derive(Clone, Debug)]
pub struct AddNorm<A: Real = f64> {
    /// Drops numbers of the layer's output while it is trained.
    pub dropout: Dropout<A>,
    /// Normalises the sum.
    pub ln: LayerNorm<A>,
}

impl<A: Real> AddNorm<A> {
    /// For vectors of length `size`, without dropout.
    pub fn new(size: usize) -> Self {
        Self { dropout: Dropout::none(), ln: LayerNorm::new(size) }
    }

    /// Drops numbers of the layer's output with probability `p`.
    ///
    /// # Panics
    /// If `p` is not in [0, 1].
    #[track_caller]
    pub fn dropout(mut self, p: f64, generator: &mut Generator) -> Self {
        self.dropout = Dropout::new(p, generator);
        self
    }

    /// The input `x` and the layer's output `y`, of one shape, added and normalised.
    ///
    /// # Panics
    /// If the shapes differ, or if the last axis is not as long as the layer says.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>, y: &Tensor<A>) -> Tensor<A> {
        assert!(
            x.shape() == y.shape(),
            "x of shape {:?} and y of shape {:?} do not fit: a residual connection adds equal shapes",
            x.shape(),
            y.shape()
        );
        self.ln.forward(&(x + self.dropout.forward(y)))
    }
}

impl<A: Real> Module<A> for AddNorm<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, dropout, ln)
    }
}
