//! The attention weights that a layer keeps to be looked at.

use std::cell::RefCell;

use crate::autograd::{Real, Shared};

/// The weights of a layer's last forward pass, without what they were computed from.
#[derive(Clone, Debug)]
pub(super) struct KeptWeights<A: Real>(RefCell<Option<Shared<A>>>);

impl<A: Real> Default for KeptWeights<A> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<A: Real> KeptWeights<A> {
    pub fn keep(&self, weights: Shared<A>) {
        *self.0.borrow_mut() = Some(weights);
    }

    #[track_caller]
    pub fn get(&self) -> Shared<A> {
        self.0.borrow().clone().expect("a layer has attention weights once forward has been called")
    }
}
