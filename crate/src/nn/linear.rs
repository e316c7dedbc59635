//! `Linear`: x Wᵀ + b, one affine map for every vector along the last axis.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let layer = Linear::new(3, 2, &mut seeded(0));
//! let y = layer.forward(&Tensor::new(Array3::<f64>::zeros((5, 4, 3))));
//! assert_eq!(y.shape(), [5, 4, 2]);
//! ```

use super::init::uniform_fan_in;
use super::{Module, Parts};
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// The affine map x Wᵀ + b of vectors of length `inputs` to vectors of length `outputs`.
///
/// `weight` is outputs x inputs and `bias` has length outputs, as in PyTorch; both start evenly spread over ±1/√inputs.
#[derive(Clone, Debug)]
pub struct Linear<A: Real = f64> {
    /// W, outputs x inputs.
    pub weight: Tensor<A>,
    /// b, of length outputs.
    pub bias: Option<Tensor<A>>,
}

impl<A: Real> Linear<A> {
    /// A map with a bias.
    pub fn new(inputs: usize, outputs: usize, generator: &mut Generator) -> Self {
        let mut layer = Self::without_bias(inputs, outputs, generator);
        layer.add_bias(generator);
        layer
    }

    /// The linear map x Wᵀ alone.
    pub fn without_bias(inputs: usize, outputs: usize, generator: &mut Generator) -> Self {
        Self { weight: uniform_fan_in(&[outputs, inputs], inputs, generator), bias: None }
    }

    /// Adds a bias, or draws the one there is anew.
    pub(super) fn add_bias(&mut self, generator: &mut Generator) {
        let &[outputs, inputs] = self.weight.shape() else { unreachable!("a weight is a matrix") };
        self.bias = Some(uniform_fan_in(&[outputs], inputs, generator));
    }

    /// One map to the outputs of three, one after the other, if they are of the same sizes, all with a bias or all without.
    pub(super) fn side_by_side(layers: [&Self; 3]) -> Option<Self> {
        let [first, ..] = layers;
        let alike = |layer: &&Self| {
            layer.weight.shape() == first.weight.shape() && layer.bias.is_some() == first.bias.is_some()
        };
        let biases: Vec<_> = layers.iter().filter_map(|layer| layer.bias.clone()).collect();
        layers.iter().all(alike).then(|| Self {
            weight: Tensor::concat(&layers.map(|layer| layer.weight.clone()), 0),
            bias: (!biases.is_empty()).then(|| Tensor::concat(&biases, 0)),
        })
    }

    /// `x` with its last axis, of length inputs, mapped to length outputs.
    ///
    /// # Panics
    /// If the last axis of `x` has another length.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>) -> Tensor<A> {
        let inputs = self.weight.shape()[1];
        assert!(
            x.shape().last() == Some(&inputs),
            "x of shape {:?} does not fit a linear layer for vectors of length {inputs}: its last axis has another length",
            x.shape()
        );
        let product = x.matmul(&self.weight.transpose());
        match &self.bias {
            Some(bias) => product + bias,
            None => product,
        }
    }
}

impl<A: Real> Module<A> for Linear<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, weight, bias)
    }
}
