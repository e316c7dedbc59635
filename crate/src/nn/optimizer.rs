//! What optimisers share.

use crate::autograd::{Real, Tensor};

/// Changes parameters by their gradients, one step at a time.
///
/// It holds the parameters themselves, so that no step has to name the model again. A parameter without a gradient stays
/// as it is.
pub trait Optimizer<A: Real = f64> {
    /// The parameters that it changes.
    fn parameters(&self) -> &[Tensor<A>];

    /// Changes every parameter that has a gradient.
    fn step(&mut self);

    /// Changes how far the steps to come go.
    ///
    /// # Panics
    /// If the learning rate is negative or not finite.
    #[track_caller]
    fn set_learning_rate(&mut self, learning_rate: f64);

    /// Forgets every parameter's gradient, which the next [`Tensor::backward`] would add to.
    fn zero_grad(&self) {
        for parameter in self.parameters() {
            parameter.zero_grad();
        }
    }
}

/// `number` if it can be a factor of a step.
#[track_caller]
pub(super) fn factor(what: &str, number: f64) -> f64 {
    assert!(number >= 0.0 && number.is_finite(), "{what} is a finite number, 0 or more, not {number}");
    number
}

/// `number` if it can be the share of what was before.
#[track_caller]
pub(super) fn share(what: &str, number: f64) -> f64 {
    assert!((0.0..1.0).contains(&number), "{what} is at least 0 and less than 1, not {number}");
    number
}
