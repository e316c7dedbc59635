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
    fn set_learning_rate(&mut self, learning_rate: f64);

    /// Forgets every parameter's gradient, which the next [`Tensor::backward`] would add to.
    fn zero_grad(&self) {
        for parameter in self.parameters() {
            parameter.zero_grad();
        }
    }
}
