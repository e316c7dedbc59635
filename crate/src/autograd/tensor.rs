//! A tensor: an array that remembers how it was made.

use std::cell::{Ref, RefCell};
use std::fmt;
use std::rc::Rc;

use ndarray::{ArcArray, Array, ArrayD, Dimension, IxDyn, arr0};

use super::Real;
use super::array::{Shared, add, slice, slice_mut, standard, zeros};
use super::backward::{Operation, is_recording};
use crate::display::show;

/// An array of any number of axes that remembers how it was made, so that gradients find their way back.
///
/// A clone is the same tensor under another name: it costs nothing, and both have one gradient.
///
/// ```
/// use d2l::autograd::Tensor;
/// use ndarray::array;
///
/// let x = Tensor::parameter(array![1.0, 2.0, 3.0]);
/// let y = (&x * &x).sum(); // 1 + 4 + 9
/// y.backward();
/// assert_eq!(y.item(), 14.0);
/// assert_eq!(x.grad(), Some(array![2.0, 4.0, 6.0].into_dyn())); // dy/dx = 2 x
/// ```
pub struct Tensor<A: Real = f64>(pub(super) Rc<Node<A>>);

/// What a tensor holds. An operation's node owns the tensors it was computed from, never the other way round.
#[doc(hidden)]
pub struct Node<A: Real> {
    name: &'static str,
    shape: IxDyn,
    /// At least one more than that of every tensor it was computed from, so that there is an order to go back in.
    pub(super) depth: usize,
    pub(super) origin: RefCell<Origin<A>>,
    value: RefCell<Shared<A>>,
    pub(super) gradient: RefCell<Option<Shared<A>>>,
}

/// Where a tensor's value came from.
pub(super) enum Origin<A: Real> {
    /// Given, and not to be learned.
    Constant,
    /// Given, and to be learned: its gradient stays until it is cleared.
    Parameter,
    /// Computed from parameters.
    Operation(Operation<A>),
    /// Computed from parameters, but `backward` has been through and has freed what it needs for that.
    Freed,
}

impl<A: Real> Tensor<A> {
    /// A constant: data that no gradient is asked of.
    pub fn new<D: Dimension>(value: Array<A, D>) -> Self {
        Self::leaf("constant", value.into_dyn().into_shared(), Origin::Constant)
    }

    /// A parameter: a tensor that is learned, and whose gradient [`Tensor::backward`] leaves in [`Tensor::grad`].
    pub fn parameter<D: Dimension>(value: Array<A, D>) -> Self {
        Self::leaf("parameter", standard(value.into_dyn().into_shared()), Origin::Parameter)
    }

    /// A constant without an axis.
    pub fn scalar(value: A) -> Self {
        Self::new(arr0(value))
    }

    fn leaf(name: &'static str, value: Shared<A>, origin: Origin<A>) -> Self {
        Self::node(name, value, 0, origin)
    }

    // Kept out of every operation's own code, as are those below: they would be compiled there again and again.
    #[inline(never)]
    fn node(name: &'static str, value: Shared<A>, depth: usize, origin: Origin<A>) -> Self {
        let (shape, gradient) = (value.raw_dim(), RefCell::new(None));
        Self(Rc::new(Node { name, shape, depth, origin: RefCell::new(origin), value: RefCell::new(value), gradient }))
    }

    /// What the operation `name` made of `parents`.
    ///
    /// `backward` gets the gradient of the result and the parents, and hands each parent its share with
    /// [`Tensor::accumulate`]. If no parent needs a gradient, or under [`no_grad`](super::no_grad), the result is a
    /// constant and remembers nothing.
    pub(crate) fn result<const N: usize>(
        name: &'static str,
        value: Shared<A>,
        parents: [Self; N],
        backward: impl FnOnce(Shared<A>, &[Self; N]) + 'static,
    ) -> Self {
        Self::result_of_list(name, value, Box::new(parents), move |dy, parents| {
            backward(dy, parents.try_into().expect("these are the parents that were given"));
        })
    }

    /// [`Tensor::result`] of any number of parents.
    pub(crate) fn result_of_list(
        name: &'static str,
        value: Shared<A>,
        parents: Box<[Self]>,
        backward: impl FnOnce(Shared<A>, &[Self]) + 'static,
    ) -> Self {
        match Self::depth_above(&parents) {
            Some(depth) => {
                let backward = Box::new(backward);
                Self::node(name, value, depth, Origin::Operation(Operation { parents, backward }))
            }
            None => Self::node(name, value, 0, Origin::Constant),
        }
    }

    /// The depth of what is computed from these, if it is to be remembered.
    #[inline(never)]
    fn depth_above(parents: &[Self]) -> Option<usize> {
        let recorded = is_recording() && parents.iter().any(Self::needs_gradient);
        recorded.then(|| 1 + parents.iter().map(|parent| parent.0.depth).max().unwrap_or(0))
    }

    /// Whether gradients reach this tensor: it is a parameter or was computed from one.
    pub fn needs_gradient(&self) -> bool {
        !matches!(*self.0.origin.borrow(), Origin::Constant)
    }

    /// Adds to the gradient of this tensor what `gradient` computes, which is not called if none is needed.
    pub(crate) fn accumulate(&self, gradient: impl FnOnce() -> Shared<A>) {
        if self.needs_gradient() {
            self.add_gradient(gradient());
        }
    }

    /// Lets `add` add to the gradient of this tensor, in row-major order and 0 at first, if one is needed.
    pub(crate) fn accumulate_in(&self, add: impl FnOnce(&mut Shared<A>)) {
        if self.needs_gradient() {
            let mut slot = self.0.gradient.borrow_mut();
            let gradient = slot.take().map_or_else(|| zeros(self.shape()), standard);
            add(slot.insert(gradient));
        }
    }

    #[inline(never)]
    pub(super) fn add_gradient(&self, gradient: Shared<A>) {
        debug_assert_eq!(gradient.shape(), self.shape(), "the gradient has the shape of its tensor, {}", self.0.name);
        let mut slot = self.0.gradient.borrow_mut();
        *slot = Some(match slot.take() {
            None => gradient,
            Some(sum) => add(sum, gradient),
        });
    }

    /// The value. The data are shared and not copied; later changes of the tensor do not show in them.
    pub fn value(&self) -> ArcArray<A, IxDyn> {
        self.0.value.borrow().clone()
    }

    /// The length of every axis.
    pub fn shape(&self) -> &[usize] {
        ndarray::Dimension::slice(&self.0.shape)
    }

    /// The number of axes.
    pub fn ndim(&self) -> usize {
        self.shape().len()
    }

    /// The one number that the tensor holds.
    ///
    /// # Panics
    ///
    /// If it holds more or fewer.
    #[track_caller]
    pub fn item(&self) -> A {
        let value = self.0.value.borrow();
        assert!(value.len() == 1, "item needs a tensor of one number, not one of shape {:?}", self.shape());
        *value.first().expect("its length is 1")
    }

    /// The gradient that [`Tensor::backward`] left in a parameter, of the shape of its value.
    ///
    /// `None` if `backward` was not called since the parameter was made or [`Tensor::zero_grad`] was called, or if what
    /// it was called on was not computed from this parameter: by the chain rule a parameter that was never used has no
    /// share in the loss. Constants and results of operations keep no gradient.
    pub fn grad(&self) -> Option<ArrayD<A>> {
        self.0.gradient.borrow().as_ref().map(|gradient| gradient.to_owned())
    }

    /// Clears the gradient. Without this, the next [`Tensor::backward`] adds to it.
    pub fn zero_grad(&self) {
        *self.0.gradient.borrow_mut() = None;
    }

    /// The same value as a constant: no gradient goes back through it.
    pub fn detach(&self) -> Self {
        Self::node("constant", self.value(), 0, Origin::Constant)
    }

    /// Replaces the value, for instance by a stored one. What was computed from the old value keeps it.
    ///
    /// # Panics
    ///
    /// If the new value has another shape.
    #[track_caller]
    pub fn set_value<D: Dimension>(&self, value: Array<A, D>) {
        assert!(
            value.shape() == self.shape(),
            "a value of shape {:?} does not fit a tensor of shape {:?}: the two shapes have to be equal",
            value.shape(),
            self.shape()
        );
        *self.0.value.borrow_mut() = standard(value.into_dyn().into_shared());
    }

    /// Hands an optimiser the numbers of a parameter and its gradient, both in row-major order, to change the former;
    /// a parameter without a gradient is left alone.
    pub fn update(&self, step: impl FnOnce(&mut [A], &[A])) {
        if let Some(gradient) = &*self.0.gradient.borrow() {
            let gradient = standard(gradient.clone());
            let mut value = self.0.value.borrow_mut();
            step(slice_mut(&mut value), slice(&gradient));
        }
    }

    /// Lets `change` rewrite the gradient, in row-major order, for instance to clip it; a tensor without one is left alone.
    pub fn change_gradient(&self, change: impl FnOnce(&mut [A])) {
        let mut slot = self.0.gradient.borrow_mut();
        if let Some(gradient) = slot.take() {
            change(slice_mut(slot.insert(standard(gradient))));
        }
    }

    /// Whether both are one tensor, perhaps under two names.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The value, to read in row-major order.
    pub(super) fn standard(&self) -> Shared<A> {
        standard(self.value())
    }

    pub(super) fn value_ref(&self) -> Ref<'_, Shared<A>> {
        self.0.value.borrow()
    }
}

impl<A: Real> Clone for Tensor<A> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<A: Real> fmt::Display for Tensor<A> {
    /// The numbers, formatted as those of an array: `{:.2}` shows two decimals.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(&*self.0.value.borrow(), f)
    }
}

impl<A: Real> fmt::Debug for Tensor<A> {
    /// Where the tensor comes from, its shape and its numbers to four decimals.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} of shape {:?}\n{:.4}", self.0.name, self.shape(), self.0.value.borrow())
    }
}

impl<A: Real> Tensor<A> {
    /// Shows the tensor in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        let text = format!("{self:?}");
        show(&format!("<pre>{text}</pre>"), &text);
    }
}

impl<A: Real> Drop for Node<A> {
    fn drop(&mut self) {
        if matches!(self.origin.get_mut(), Origin::Operation(_)) {
            (A::OPERATIONS.dismantle)(self);
        }
    }
}
