//! The numbers that layers start with.

use ndarray::{ArrayD, IxDyn};

use crate::autograd::{Real, Tensor, float};
use crate::random::{self, Generator};

/// A parameter spread evenly over ±1/√`fan_in`, where `fan_in` is how many inputs reach one output: PyTorch's default.
pub(super) fn uniform_fan_in<A: Real>(shape: &[usize], fan_in: usize, generator: &mut Generator) -> Tensor<A> {
    // Without inputs there is nothing to scale, and a bound has to be finite.
    let bound = 1.0 / (fan_in.max(1) as f64).sqrt();
    parameter(random::uniform(IxDyn(shape), -bound, bound, generator))
}

/// A parameter from the normal distribution with mean 0 and variance 1.
pub(super) fn normal<A: Real>(shape: &[usize], generator: &mut Generator) -> Tensor<A> {
    parameter(random::normal(IxDyn(shape), generator))
}

fn parameter<A: Real>(numbers: ArrayD<f64>) -> Tensor<A> {
    Tensor::parameter(numbers.mapv(float))
}
