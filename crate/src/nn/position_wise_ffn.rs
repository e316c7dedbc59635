//! `PositionWiseFFN`: relu(x W₁ᵀ + b₁) W₂ᵀ + b₂ for every vector by itself; *Attention Is All You Need*, section 3.3.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let ffn = PositionWiseFFN::new(4, 16, 8, &mut seeded(0));
//! assert_eq!(ffn.forward(&Tensor::new(Array3::<f64>::ones((2, 3, 4)))).shape(), [2, 3, 8]);
//! ```

use super::{Linear, Module, Parts};
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// Two affine maps with a rectifier between them.
#[derive(Clone, Debug)]
pub struct PositionWiseFFN<A: Real = f64> {
    /// The map to the hidden layer.
    pub dense1: Linear<A>,
    /// The map from it.
    pub dense2: Linear<A>,
}

impl<A: Real> PositionWiseFFN<A> {
    /// From vectors of length `num_inputs` through `ffn_num_hiddens` to `ffn_num_outputs`.
    pub fn new(num_inputs: usize, ffn_num_hiddens: usize, ffn_num_outputs: usize, generator: &mut Generator) -> Self {
        let dense1 = Linear::new(num_inputs, ffn_num_hiddens, generator);
        Self { dense1, dense2: Linear::new(ffn_num_hiddens, ffn_num_outputs, generator) }
    }

    /// `x` (.. x num_inputs) as .. x ffn_num_outputs.
    ///
    /// # Panics
    /// If the last axis of `x` has another length.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>) -> Tensor<A> {
        self.dense2.forward(&self.dense1.forward(x).relu())
    }
}

impl<A: Real> Module<A> for PositionWiseFFN<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, dense1, dense2)
    }
}
