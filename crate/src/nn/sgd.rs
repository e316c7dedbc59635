//! `Sgd`: stochastic gradient descent, p ← p - η v with v ← μ v + g + λ p.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let model = Linear::<f64>::new(1, 1, &mut seeded(0));
//! let mut sgd = Sgd::new(&model, 0.1).momentum(0.9);
//! for _ in 0..200 {
//!     let loss = model.forward(&Tensor::new(array![[1.0], [2.0]])).mse_loss(&Tensor::new(array![[5.0], [7.0]]));
//!     sgd.zero_grad();
//!     loss.backward();
//!     sgd.step();
//! }
//! assert_eq!(format!("{:.3}", model.parameter("weight")), "[[2.000]]");
//! ```

use super::compiled::compiled;
use super::optimizer::factor;
use super::{Module, Optimizer};
use crate::autograd::{Real, Tensor, float};

/// Stochastic gradient descent with momentum μ and weight decay λ, both 0 unless they are given.
#[derive(Clone, Debug)]
pub struct Sgd<A: Real = f64> {
    /// η.
    learning_rate: f64,
    momentum: f64,
    weight_decay: f64,
    parameters: Vec<Tensor<A>>,
    /// v of each parameter, empty before its first step.
    velocities: Vec<Vec<A>>,
}

/// The factors of one step.
pub(super) struct SgdStep<A> {
    learning_rate: A,
    momentum: A,
    weight_decay: A,
}

impl<A: Real> Sgd<A> {
    /// Descent of all of the model's parameters.
    ///
    /// # Panics
    /// If the learning rate is negative or not finite.
    #[track_caller]
    pub fn new(model: &dyn Module<A>, learning_rate: f64) -> Self {
        let parameters = model.parameters();
        let velocities = vec![Vec::new(); parameters.len()];
        let learning_rate = factor("a learning rate", learning_rate);
        Self { learning_rate, momentum: 0.0, weight_decay: 0.0, parameters, velocities }
    }

    /// Keeps μ of the last step's v.
    ///
    /// # Panics
    /// If μ is negative or not finite.
    #[track_caller]
    pub fn momentum(mut self, momentum: f64) -> Self {
        self.momentum = factor("a momentum", momentum);
        self
    }

    /// Draws parameters towards 0: adds λ p to a gradient, as the penalty λ/2 ‖p‖² would.
    ///
    /// # Panics
    /// If λ is negative or not finite.
    #[track_caller]
    pub fn weight_decay(mut self, weight_decay: f64) -> Self {
        self.weight_decay = factor("a weight decay", weight_decay);
        self
    }
}

impl<A: Real> Optimizer<A> for Sgd<A> {
    fn parameters(&self) -> &[Tensor<A>] {
        &self.parameters
    }

    fn step(&mut self) {
        let [learning_rate, momentum, weight_decay] = [self.learning_rate, self.momentum, self.weight_decay].map(float);
        let step = SgdStep { learning_rate, momentum, weight_decay };
        for (parameter, velocity) in self.parameters.iter().zip(&mut self.velocities) {
            parameter.update(|value, gradient| {
                velocity.resize(value.len(), A::zero());
                (compiled().sgd)(&step, value, gradient, velocity);
            });
        }
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.learning_rate = factor("a learning rate", learning_rate);
    }
}

/// One step of one parameter.
pub(super) fn descend<A: Real>(step: &SgdStep<A>, value: &mut [A], gradient: &[A], velocity: &mut [A]) {
    for ((p, &g), v) in value.iter_mut().zip(gradient).zip(velocity) {
        *v = step.momentum * *v + (g + step.weight_decay * *p);
        *p -= step.learning_rate * *v;
    }
}
