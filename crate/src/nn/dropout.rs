//! `Dropout`: while a model is trained, every number becomes 0 with probability p and the others grow by 1/(1 - p), so
//! that the expected value stays (N. Srivastava and others, 2014).
//!
//! ```
//! use d2l::prelude::*;
//!
//! let dropout = Dropout::new(0.5, &mut seeded(0));
//! let ones = Tensor::new(Array1::<f64>::ones(1000));
//! let kept = dropout.forward(&ones).value().iter().filter(|&&x| x == 2.0).count();
//! assert!((450..550).contains(&kept));
//!
//! dropout.eval();
//! assert_eq!(dropout.forward(&ones).value(), ones.value());
//! ```

use std::cell::{Cell, RefCell};

use ndarray::{ArrayD, IxDyn};

use super::{Module, Parts};
use crate::autograd::{Real, Shared, Tensor, float};
use crate::random::{Generator, seeded, uniform};

/// Sets numbers to 0 by chance in training mode and passes everything on in evaluation mode.
///
/// It draws from a generator of its own, split off the one that it is made with.
#[derive(Clone, Debug)]
pub struct Dropout<A: Real = f64> {
    p: f64,
    /// What a number that is not dropped is multiplied by.
    growth: A,
    training: Cell<bool>,
    generator: RefCell<Generator>,
}

impl<A: Real> Dropout<A> {
    /// Dropout with probability `p`.
    ///
    /// # Panics
    /// If `p` is not in [0, 1].
    #[track_caller]
    pub fn new(p: f64, generator: &mut Generator) -> Self {
        assert!((0.0..=1.0).contains(&p), "a probability of dropout lies between 0 and 1, and {p} does not");
        // With p = 1 nothing is left that could grow.
        let growth = if p < 1.0 { float(1.0 / (1.0 - p)) } else { A::zero() };
        Self { p, growth, training: Cell::new(true), generator: RefCell::new(generator.split()) }
    }

    /// Dropout that drops nothing: what a layer has until it is given another.
    pub(super) fn none() -> Self {
        Self::new(0.0, &mut seeded(0))
    }

    /// `x` with numbers dropped, in training mode; `x` itself in evaluation mode.
    pub fn forward(&self, x: &Tensor<A>) -> Tensor<A> {
        match self.factors(x.shape()) {
            Some(factors) => x * Tensor::new(factors.into_owned()),
            None => x.clone(),
        }
    }

    /// What each number of an array of this shape is to be multiplied by, if any is to change: 0 or 1/(1 - p).
    pub(super) fn factors(&self, shape: &[usize]) -> Option<Shared<A>> {
        if self.p == 0.0 || !self.training.get() {
            return None;
        }
        let chances: ArrayD<f64> = uniform(IxDyn(shape), 0.0, 1.0, &mut self.generator.borrow_mut());
        Some(chances.mapv(|chance| if chance < self.p { A::zero() } else { self.growth }).into_shared())
    }
}

impl<A: Real> Module<A> for Dropout<A> {
    fn parts(&self) -> Parts<'_, A> {
        Vec::new()
    }

    fn set_training(&self, training: bool) {
        self.training.set(training);
    }
}
