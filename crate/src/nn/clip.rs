//! `clip_gradients`: keeps a step short when a gradient is long (R. Pascanu, T. Mikolov, Y. Bengio, 2013).

use super::Module;
use super::compiled::compiled;
use crate::autograd::{Real, Tensor, float};

/// Shortens the gradients of all parameters together to the norm `max_norm`, if they are longer, and returns how long
/// they were: the root of the sum of all their squares.
///
/// # Panics
/// If `max_norm` is negative or NaN.
///
/// ```
/// use d2l::prelude::*;
///
/// let weight = Tensor::parameter(array![0.0, 0.0]);
/// (&weight * &Tensor::new(array![3.0, 4.0])).sum().backward();
/// assert_eq!(clip_gradients(&weight, 1.0), 5.0);
/// assert_eq!(format!("{:.3}", weight.grad().unwrap()), "[0.600, 0.800]");
/// assert_eq!(clip_gradients(&weight, 10.0).round(), 1.0); // short enough: they stay
/// ```
#[track_caller]
pub fn clip_gradients<A: Real>(model: &dyn Module<A>, max_norm: f64) -> f64 {
    assert!(max_norm >= 0.0, "gradients are clipped to a norm of 0 or more, not to {max_norm}");
    (compiled().clip)(&model.parameters(), max_norm)
}

pub(super) fn clip<A: Real>(parameters: &[Tensor<A>], max_norm: f64) -> f64 {
    let mut squares = 0.0;
    for parameter in parameters {
        parameter.change_gradient(|gradient| {
            squares += gradient.iter().map(|g| g.to_f64().expect("a float is a double").powi(2)).sum::<f64>();
        });
    }
    let norm = squares.sqrt();
    if norm > max_norm {
        // As in PyTorch, a little shorter, so that rounding does not leave them a little longer.
        let factor = float::<A>(max_norm / (norm + 1e-6));
        for parameter in parameters {
            parameter.change_gradient(|gradient| gradient.iter_mut().for_each(|g| *g *= factor));
        }
    }
    norm
}
