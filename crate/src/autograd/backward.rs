//! The way back: from a result to the parameters it was computed from.
//!
//! The chain rule, one tensor at a time: the gradient of a tensor is complete once everything that was computed from it
//! has been visited; then its operation hands each tensor it was computed from its share. Deepest first is such an order.
//! Nothing here recurs, so that the stack does not limit how long a computation may be.

use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::rc::Rc;

use ndarray::{Array, Dimension};

use super::array::{Shared, shared};
use super::tensor::{Node, Origin};
use super::{Real, Tensor};

thread_local! {
    static RECORDING: Cell<bool> = const { Cell::new(true) };
}

/// Whether results remember how they were made.
pub(crate) fn is_recording() -> bool {
    RECORDING.get()
}

/// Computes without remembering: results are constants. For predictions, whose gradient nobody asks.
///
/// ```
/// use d2l::autograd::{Tensor, no_grad};
/// use ndarray::array;
///
/// let weight = Tensor::parameter(array![2.0]);
/// assert!(!no_grad(|| &weight * 3.0).needs_gradient());
/// assert!((&weight * 3.0).needs_gradient());
/// ```
pub fn no_grad<T>(compute: impl FnOnce() -> T) -> T {
    /// Restores what was there before, also if `compute` panics.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            RECORDING.set(self.0);
        }
    }
    let _restore = Restore(RECORDING.replace(false));
    compute()
}

impl<A: Real> Tensor<A> {
    /// Computes the gradient of this tensor, a loss of one number, with respect to every parameter it was computed
    /// from, and adds it to theirs ([`Tensor::grad`]).
    ///
    /// What the way back needs is freed as it goes: call this once per loss.
    ///
    /// # Panics
    ///
    /// If this tensor holds not one number ([`Tensor::backward_with`] takes a gradient to start from), if it was
    /// computed from no parameter, or if `backward` went through it, or through something it was computed from, before.
    #[track_caller]
    pub fn backward(&self) {
        assert_one_number(self.shape());
        self.backward_from(shared(self.shape(), vec![A::one()]));
    }

    /// [`Tensor::backward`] for a tensor of any shape, starting from `gradient`: the gradient of some loss with respect
    /// to this tensor.
    ///
    /// # Panics
    ///
    /// If `gradient` has another shape than this tensor; otherwise as [`Tensor::backward`].
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let x = Tensor::parameter(array![1.0, 2.0]);
    /// (&x * &x).backward_with(array![1.0, 10.0]);
    /// assert_eq!(x.grad(), Some(array![2.0, 40.0].into_dyn()));
    /// ```
    #[track_caller]
    pub fn backward_with<D: Dimension>(&self, gradient: Array<A, D>) {
        assert_same_shape(gradient.shape(), self.shape());
        self.backward_from(gradient.into_dyn().into_shared());
    }

    #[track_caller]
    fn backward_from(&self, gradient: Shared<A>) {
        if let Err(why) = (A::OPERATIONS.backward)(self, gradient) {
            panic!("{why}");
        }
    }
}

#[track_caller]
fn assert_one_number(shape: &[usize]) {
    let numbers: usize = shape.iter().product();
    assert!(
        numbers == 1,
        "backward starts from a loss of one number, not from shape {shape:?}: take its sum() or mean(), or give \
         backward_with() a gradient of that shape"
    );
}

#[track_caller]
fn assert_same_shape(gradient: &[usize], tensor: &[usize]) {
    assert!(
        gradient == tensor,
        "a gradient of shape {gradient:?} does not fit a tensor of shape {tensor:?}: the two shapes have to be equal"
    );
}

/// The way an operation's result hands its gradient on.
pub(super) struct Operation<A: Real> {
    pub(super) parents: Box<[Tensor<A>]>,
    /// Adds to the gradient of every parent its share.
    pub(super) backward: Backward<A>,
}

/// Gets the gradient of a result and the parents.
pub(super) type Backward<A> = Box<dyn FnOnce(Shared<A>, &[Tensor<A>])>;

impl<A: Real> Tensor<A> {
    /// Whether a gradient does not stay here but goes on to what this tensor was computed from.
    fn hands_on(&self) -> bool {
        matches!(*self.0.origin.borrow(), Origin::Operation(_) | Origin::Freed)
    }
}

/// Lets those parents wait that are going to hand a gradient on. One that has a gradient is waiting already.
fn join<A: Real>(waiting: &mut BinaryHeap<Waiting<A>>, parents: &[Tensor<A>]) {
    for parent in parents {
        if parent.hands_on() && parent.0.gradient.borrow().is_none() {
            waiting.push(Waiting(parent.clone()));
        }
    }
}

/// A tensor to be visited, the deepest first.
pub(super) struct Waiting<A: Real>(Tensor<A>);

impl<A: Real> Ord for Waiting<A> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.0.depth.cmp(&other.0.0.depth)
    }
}

impl<A: Real> PartialOrd for Waiting<A> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<A: Real> PartialEq for Waiting<A> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<A: Real> Eq for Waiting<A> {}

/// Visits all that `root` was computed from, or says why it cannot.
pub(super) fn backward<A: Real>(root: &Tensor<A>, gradient: Shared<A>) -> Result<(), &'static str> {
    if !root.needs_gradient() {
        return Err(
            "backward found no parameter: this tensor was computed from constants only, detached, or computed \
                    under no_grad",
        );
    }
    root.add_gradient(gradient);
    let mut waiting = BinaryHeap::from([Waiting(root.clone())]);
    while let Some(Waiting(tensor)) = waiting.pop() {
        if !tensor.hands_on() {
            continue;
        }
        let Some(gradient) = tensor.0.gradient.take() else { continue };
        match tensor.0.origin.replace(Origin::Freed) {
            Origin::Operation(Operation { parents, backward }) => {
                join(&mut waiting, &parents);
                backward(gradient, &parents);
            }
            _ => {
                for Waiting(tensor) in waiting {
                    tensor.zero_grad();
                }
                return Err("backward has been here before and freed what it needs: compute the loss anew for every \
                            backward, or add losses up and call it once");
            }
        }
    }
    Ok(())
}

/// Takes a node's operation apart, and those of the tensors that nobody else holds: dropping each from within the one
/// computed from it would take as many stack frames as the chain has links.
pub(super) fn dismantle<A: Real>(node: &mut Node<A>) {
    let mut parents = Vec::new();
    let take_parents = |node: &mut Node<A>, parents: &mut Vec<Tensor<A>>| {
        if let Origin::Operation(operation) = std::mem::replace(node.origin.get_mut(), Origin::Freed) {
            parents.extend(operation.parents.into_iter().filter(Tensor::hands_on));
        }
    };
    take_parents(node, &mut parents);
    while let Some(Tensor(parent)) = parents.pop() {
        if let Some(mut node) = Rc::into_inner(parent) {
            take_parents(&mut node, &mut parents);
        }
    }
}
