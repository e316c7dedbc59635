//! Sums and means over all numbers or along one axis.

use super::array::{Shared, shared, slice, zeros};
use super::broadcast::{sum as sum_of, sum_to, zip};
use super::real::float;
use super::shape::axis_of;
use super::{Real, Tensor};

/// y = Σ x; dx = dy for every x
pub(super) fn sum<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    let y = shared(&[], vec![sum_of(slice(&x.standard()))]);
    Tensor::result("sum over all", y, [x.clone()], |dy, [x]| x.accumulate(|| stretch(x.shape(), &dy)))
}

/// y = Σ x along an axis, which stays with length 1; dx = dy for every x of the sum
pub(super) fn sum_keepdim<A: Real>(x: &Tensor<A>, axis: usize) -> Tensor<A> {
    let mut shape = x.shape().to_vec();
    shape[axis] = 1;
    let y = sum_to(&shape, x.value());
    Tensor::result("sum over an axis", y, [x.clone()], |dy, [x]| x.accumulate(|| stretch(x.shape(), &dy)))
}

/// y = 1/n Σ x
pub(super) fn mean<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    sum(x) / count::<A>(x.shape().iter().product())
}

/// y = 1/n Σ x along an axis, which stays with length 1
pub(super) fn mean_keepdim<A: Real>(x: &Tensor<A>, axis: usize) -> Tensor<A> {
    sum_keepdim(x, axis) / count::<A>(x.shape()[axis])
}

fn count<A: Real>(n: usize) -> A {
    float(n as f64)
}

/// One number, or one number along an axis, repeated.
fn stretch<A: Real>(shape: &[usize], x: &Shared<A>) -> Shared<A> {
    zip(shape, x, &zeros(shape), |x, _| x)
}

impl<A: Real> Tensor<A> {
    /// The sum of all numbers, a tensor without an axis.
    pub fn sum(&self) -> Self {
        (A::OPERATIONS.sum)(self)
    }

    /// The mean of all numbers, a tensor without an axis; of none it is NaN.
    pub fn mean(&self) -> Self {
        (A::OPERATIONS.mean)(self)
    }

    /// The sums along an axis, which is gone from the result; -1 is the last axis.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let x = Tensor::new(array![[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(x.sum_axis(0).value(), array![4.0, 6.0].into_dyn());
    /// assert_eq!(x.sum_keepdim(1).value(), array![[3.0], [7.0]].into_dyn());
    /// ```
    #[track_caller]
    pub fn sum_axis(&self, axis: isize) -> Self {
        self.sum_keepdim(axis).remove_axis(axis)
    }

    /// The means along an axis, which is gone from the result; -1 is the last axis.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    #[track_caller]
    pub fn mean_axis(&self, axis: isize) -> Self {
        self.mean_keepdim(axis).remove_axis(axis)
    }

    /// The sums along an axis, whose length becomes 1, so that they broadcast against this tensor.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    #[track_caller]
    pub fn sum_keepdim(&self, axis: isize) -> Self {
        (A::OPERATIONS.sum_keepdim)(self, axis_of(self.shape(), axis))
    }

    /// The means along an axis, whose length becomes 1, so that they broadcast against this tensor.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    #[track_caller]
    pub fn mean_keepdim(&self, axis: isize) -> Self {
        (A::OPERATIONS.mean_keepdim)(self, axis_of(self.shape(), axis))
    }
}
