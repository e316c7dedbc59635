//! The attention weights that a layer keeps to be looked at.

use std::cell::RefCell;

use ndarray::{ArcArray, IxDyn};

use crate::autograd::{Real, Tensor};

/// The weights of a layer's last forward pass, without what they were computed from.
#[derive(Clone, Debug)]
pub(super) struct KeptWeights<A: Real>(RefCell<Option<ArcArray<A, IxDyn>>>);

impl<A: Real> Default for KeptWeights<A> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<A: Real> KeptWeights<A> {
    /// Keeps the weights' value and passes them on.
    pub fn keep(&self, weights: Tensor<A>) -> Tensor<A> {
        *self.0.borrow_mut() = Some(weights.value());
        weights
    }

    #[track_caller]
    pub fn get(&self) -> ArcArray<A, IxDyn> {
        self.0.borrow().clone().expect("a layer has attention weights once forward has been called")
    }
}
