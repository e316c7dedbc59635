//! `LayerNorm`: (x - mean) / √(variance + ε) · γ + β over the last axis (J. L. Ba, J. R. Kiros, G. E. Hinton, 2016).
//!
//! ```
//! use d2l::prelude::*;
//!
//! let y = LayerNorm::new(3).forward(&Tensor::new(array![[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]));
//! assert_eq!(format!("{:.3}", y.value()), "[[-1.225, 0.000, 1.225],\n [-1.225, 0.000, 1.225]]");
//! ```

use ndarray::Array1;

use super::{Module, Parts};
use crate::autograd::{Real, Tensor, float};
use crate::parts;

/// Gives every vector along the last axis mean 0 and variance 1, then scales and shifts each of its places.
///
/// The variance is that of the vector itself (divided by its length), ε is 10⁻⁵, the scale starts at 1 and the shift
/// at 0, as in PyTorch.
#[derive(Clone, Debug)]
pub struct LayerNorm<A: Real = f64> {
    /// The scale γ.
    pub weight: Tensor<A>,
    /// The shift β.
    pub bias: Tensor<A>,
    eps: f64,
}

impl<A: Real> LayerNorm<A> {
    /// For vectors of length `size`.
    pub fn new(size: usize) -> Self {
        let (weight, bias) = (Tensor::parameter(Array1::ones(size)), Tensor::parameter(Array1::zeros(size)));
        Self { weight, bias, eps: 1e-5 }
    }

    /// Another ε.
    pub fn eps(mut self, eps: f64) -> Self {
        self.eps = eps;
        self
    }

    /// `x` normalised along its last axis.
    ///
    /// # Panics
    /// If the last axis of `x` has another length than the layer.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>) -> Tensor<A> {
        x.layer_norm(&self.weight, &self.bias, float(self.eps))
    }
}

impl<A: Real> Module<A> for LayerNorm<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, weight, bias)
    }
}
