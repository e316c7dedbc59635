//! `Adam` and `AdamW`: every number of a parameter moves by its mean gradient over the root of its mean squared gradient.
//!
//! With m ← β₁ m + (1 - β₁) g and v ← β₂ v + (1 - β₂) g², step t takes p ← p - η m̂ / (√v̂ + ε), where m̂ = m / (1 - β₁ᵗ)
//! and v̂ = v / (1 - β₂ᵗ) make up for the start from 0 (D. P. Kingma, J. Ba, 2014).
//!
//! ```
//! use d2l::prelude::*;
//!
//! let model = Linear::<f64>::new(1, 1, &mut seeded(0));
//! let mut adam = Adam::new(&model, 0.1);
//! for _ in 0..2000 {
//!     let loss = model.forward(&Tensor::new(array![[1.0], [2.0]])).mse_loss(&Tensor::new(array![[5.0], [7.0]]));
//!     adam.zero_grad();
//!     loss.backward();
//!     adam.step();
//! }
//! assert_eq!(format!("{:.2}", model.parameter("weight")), "[[2.00]]");
//! ```

use super::compiled::compiled;
use super::optimizer::{factor, share};
use super::{Module, Optimizer};
use crate::autograd::{Real, Tensor, float};

/// Adam, with PyTorch's defaults: β = (0.9, 0.999), ε = 10⁻⁸, no weight decay.
#[derive(Clone, Debug)]
pub struct Adam<A: Real = f64> {
    /// η.
    learning_rate: f64,
    betas: (f64, f64),
    eps: f64,
    weight_decay: f64,
    parameters: Vec<Tensor<A>>,
    moments: Vec<Moments<A>>,
}

/// What Adam remembers of a parameter's gradients.
#[derive(Clone, Debug, Default)]
struct Moments<A> {
    steps: i32,
    mean: Vec<A>,
    square: Vec<A>,
}

/// The factors of one step of one parameter.
pub(super) struct AdamStep<A> {
    /// η / (1 - β₁ᵗ).
    rate: A,
    /// 1 - β₁ and 1 - β₂.
    news: (A, A),
    /// 1 / √(1 - β₂ᵗ).
    root_scale: A,
    eps: A,
    /// λ where it is added to the gradient as λ p.
    penalty: A,
    /// 1 - η λ where a parameter is drawn to 0 beside its gradient.
    shrinkage: A,
}

impl<A: Real> Adam<A> {
    /// Adam for all of the model's parameters.
    ///
    /// # Panics
    /// If the learning rate is negative or not finite.
    #[track_caller]
    pub fn new(model: &dyn Module<A>, learning_rate: f64) -> Self {
        let parameters = model.parameters();
        let moments = vec![Moments { steps: 0, mean: Vec::new(), square: Vec::new() }; parameters.len()];
        let learning_rate = factor("a learning rate", learning_rate);
        Self { learning_rate, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.0, parameters, moments }
    }

    /// How much of the old mean and of the old mean square a step keeps.
    ///
    /// # Panics
    /// If one of them is negative, or is 1 or more.
    #[track_caller]
    pub fn betas(mut self, mean: f64, square: f64) -> Self {
        self.betas = (share("a beta", mean), share("a beta", square));
        self
    }

    /// What keeps the divisor away from 0.
    ///
    /// # Panics
    /// If it is negative or not finite.
    #[track_caller]
    pub fn eps(mut self, eps: f64) -> Self {
        self.eps = factor("an epsilon", eps);
        self
    }

    /// Draws parameters towards 0: adds λ p to a gradient, as the penalty λ/2 ‖p‖² would. [`AdamW`] does it otherwise.
    ///
    /// # Panics
    /// If λ is negative or not finite.
    #[track_caller]
    pub fn weight_decay(mut self, weight_decay: f64) -> Self {
        self.weight_decay = factor("a weight decay", weight_decay);
        self
    }

    fn descend(&mut self, penalty: f64, shrinkage: f64) {
        let (beta1, beta2) = self.betas;
        for (parameter, moments) in self.parameters.iter().zip(&mut self.moments) {
            parameter.update(|value, gradient| {
                moments.steps += 1;
                moments.mean.resize(value.len(), A::zero());
                moments.square.resize(value.len(), A::zero());
                let step = AdamStep {
                    rate: float(self.learning_rate / (1.0 - beta1.powi(moments.steps))),
                    news: (float(1.0 - beta1), float(1.0 - beta2)),
                    root_scale: float(1.0 / (1.0 - beta2.powi(moments.steps)).sqrt()),
                    eps: float(self.eps),
                    penalty: float(penalty),
                    shrinkage: float(shrinkage),
                };
                (compiled().adam)(&step, value, gradient, [&mut moments.mean, &mut moments.square]);
            });
        }
    }
}

impl<A: Real> Optimizer<A> for Adam<A> {
    fn parameters(&self) -> &[Tensor<A>] {
        &self.parameters
    }

    fn step(&mut self) {
        self.descend(self.weight_decay, 1.0);
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.learning_rate = factor("a learning rate", learning_rate);
    }
}

/// One step of one parameter.
pub(super) fn descend<A: Real>(step: &AdamStep<A>, value: &mut [A], gradient: &[A], [mean, square]: [&mut [A]; 2]) {
    for (((p, &g), m), v) in value.iter_mut().zip(gradient).zip(mean).zip(square) {
        let g = g + step.penalty * *p;
        *m += step.news.0 * (g - *m);
        *v += step.news.1 * (g * g - *v);
        *p = step.shrinkage * *p - step.rate * *m / (v.sqrt() * step.root_scale + step.eps);
    }
}

/// Adam with decoupled weight decay: a step first takes p ← (1 - η λ) p, and λ does not touch the moments (I. Loshchilov,
/// F. Hutter, 2017). λ is 0.01 unless it is given, everything else as for [`Adam`].
#[derive(Clone, Debug)]
pub struct AdamW<A: Real = f64>(Adam<A>);

impl<A: Real> AdamW<A> {
    /// AdamW for all of the model's parameters.
    ///
    /// # Panics
    /// If the learning rate is negative or not finite.
    #[track_caller]
    pub fn new(model: &dyn Module<A>, learning_rate: f64) -> Self {
        Self(Adam::new(model, learning_rate).weight_decay(0.01))
    }

    /// How much of the old mean and of the old mean square a step keeps.
    ///
    /// # Panics
    /// If one of them is negative, or is 1 or more.
    #[track_caller]
    pub fn betas(self, mean: f64, square: f64) -> Self {
        Self(self.0.betas(mean, square))
    }

    /// What keeps the divisor away from 0.
    ///
    /// # Panics
    /// If it is negative or not finite.
    #[track_caller]
    pub fn eps(self, eps: f64) -> Self {
        Self(self.0.eps(eps))
    }

    /// λ, how fast parameters are drawn towards 0.
    ///
    /// # Panics
    /// If λ is negative or not finite.
    #[track_caller]
    pub fn weight_decay(self, weight_decay: f64) -> Self {
        Self(self.0.weight_decay(weight_decay))
    }
}

impl<A: Real> Optimizer<A> for AdamW<A> {
    fn parameters(&self) -> &[Tensor<A>] {
        &self.0.parameters
    }

    fn step(&mut self) {
        let shrinkage = 1.0 - self.0.learning_rate * self.0.weight_decay;
        self.0.descend(0.0, shrinkage);
    }

    fn set_learning_rate(&mut self, learning_rate: f64) {
        self.0.set_learning_rate(learning_rate);
    }
}
