//! The loops over a layer's or an optimiser's numbers, compiled with this crate for `f32` and `f64`.
//!
//! A generic function is compiled where it is called, in a notebook without optimisation; through [`compiled`] a cell calls
//! code that was optimised once, with the crate.

use std::any::Any;
use std::rc::Rc;

use super::adam::{self, AdamStep};
use super::attend::{self, Inputs};
use super::clip;
use super::rotary_positions::{self, Turn};
use super::sgd::{self, SgdStep};
use crate::autograd::{Real, Shared, Tensor};

/// The loops for one type of number.
pub(super) struct Compiled<A: Real> {
    /// Dot-product attention.
    pub attend: Attend<A>,
    /// Turns the pairs of a tensor's last axis.
    pub rotate: Rotate<A>,
    /// Moves a parameter by its gradient.
    pub sgd: SgdDescent<A>,
    /// Moves a parameter by its gradient's moments.
    pub adam: AdamDescent<A>,
    /// Shortens gradients that are longer than the second argument together, and returns how long they were.
    pub clip: fn(&[Tensor<A>], f64) -> f64,
}

type Attend<A> = fn(Inputs<A>, Vec<usize>, Option<Shared<A>>) -> (Tensor<A>, Shared<A>);
type Rotate<A> = fn(&Tensor<A>, &Rc<[Turn<A>]>, usize) -> Tensor<A>;
type SgdDescent<A> = fn(&SgdStep<A>, &mut [A], &[A], &mut [A]);
type AdamDescent<A> = fn(&AdamStep<A>, &mut [A], &[A], [&mut [A]; 2]);

static F32: Compiled<f32> = Compiled::new();
static F64: Compiled<f64> = Compiled::new();

/// The loops for `A`.
pub(super) fn compiled<A: Real>() -> &'static Compiled<A> {
    let all: [&'static dyn Any; 2] = [&F32, &F64];
    all.into_iter().find_map(|one| one.downcast_ref()).expect("tensors hold f32 or f64")
}

impl<A: Real> Compiled<A> {
    const fn new() -> Self {
        Self {
            attend: attend::attend,
            rotate: rotary_positions::rotate,
            sgd: sgd::descend,
            adam: adam::descend,
            clip: clip::clip,
        }
    }
}
