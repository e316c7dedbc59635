//! Softmax, plain, masked and as a logarithm, along the last axis or, by way of an exchange of axes, along any.

use std::borrow::Borrow;

use super::array::{Shared, slice, slice_mut, standard};
use super::broadcast::sum;
use super::parallel::for_rows;
use super::shape::axis_of;
use super::{Real, Tensor};
use crate::attention::Mask;
use crate::attention::compiled::softmax_rows;

/// y = softmax x; dx = y (dy - Σ y dy), row by row. Where the mask hides, y = 0 and so dx = 0.
///
/// `visible` is how many of its first numbers each row is over.
pub(super) fn masked_softmax<A: Real>(x: &Tensor<A>, visible: &[usize]) -> Tensor<A> {
    let mut y = x.standard();
    let length = y.shape()[y.ndim() - 1];
    for_rows(slice_mut(&mut y), length, EXP, |first, rows| softmax_rows(rows, length, &visible[first..]));
    let y_value = y.clone();
    Tensor::result("softmax", y, [x.clone()], move |dy, [x]| {
        x.accumulate(|| {
            rewrite(dy, &y_value, length, 1, |dy, y| {
                let share = dy.iter().zip(y).fold(A::zero(), |sum, (&dy, &y)| sum + y * dy);
                for (dx, &y) in dy.iter_mut().zip(y) {
                    *dx = y * (*dx - share);
                }
            })
        });
    })
}

/// y = x - ln Σ exp x; dx = dy - exp(y) Σ dy, row by row
pub(super) fn log_softmax<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    let length = x.shape()[x.ndim() - 1];
    let mut y = x.standard();
    log_softmax_rows(slice_mut(&mut y), length);
    let y_value = y.clone();
    Tensor::result("log-softmax", y, [x.clone()], move |dy, [x]| {
        x.accumulate(|| {
            rewrite(dy, &y_value, length, EXP, |dy, y| {
                let total = sum(dy);
                for (dx, &y) in dy.iter_mut().zip(y) {
                    *dx -= y.exp() * total;
                }
            })
        });
    })
}

/// Elementary steps of an exponential.
pub(super) const EXP: usize = 4;

/// x - ln Σ exp x of rows of this length, in place. The largest is subtracted first, which changes nothing but keeps exp
/// from overflowing.
pub(super) fn log_softmax_rows<A: Real>(numbers: &mut [A], length: usize) {
    for_rows(numbers, length, EXP, |_, rows| {
        for row in rows.chunks_exact_mut(length) {
            let max = row.iter().copied().fold(A::neg_infinity(), A::max);
            let total = row.iter().fold(A::zero(), |sum, &x| sum + (x - max).exp());
            let shift = max + total.ln();
            row.iter_mut().for_each(|x| *x -= shift);
        }
    });
}

/// Rewrites dy, row by row, next to y.
fn rewrite<A: Real>(
    dy: Shared<A>,
    y: &Shared<A>,
    length: usize,
    steps: usize,
    derivative: impl Fn(&mut [A], &[A]) + Sync,
) -> Shared<A> {
    let (mut dx, y) = (standard(dy), slice(y));
    for_rows(slice_mut(&mut dx), length, steps, |first, rows| {
        for (dx, y) in rows.chunks_exact_mut(length).zip(y[first * length..].chunks_exact(length)) {
            derivative(dx, y);
        }
    });
    dx
}

impl<A: Real> Tensor<A> {
    /// exp(xᵢ) / Σⱼ exp(xⱼ) along an axis; -1 is the last. As [`attention::softmax`](crate::attention::softmax).
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let weights = Tensor::new(array![1000.0, 1001.0]).softmax(-1);
    /// assert_eq!(format!("{weights:.4}"), "[0.2689, 0.7311]");
    /// ```
    #[track_caller]
    pub fn softmax(&self, axis: isize) -> Self {
        self.along(axis, |x| x.masked_softmax(Mask::None))
    }

    /// The logarithm of the softmax along an axis, xᵢ - ln Σⱼ exp(xⱼ), also where the softmax itself rounds to 0.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    #[track_caller]
    pub fn log_softmax(&self, axis: isize) -> Self {
        self.along(axis, A::OPERATIONS.log_softmax)
    }

    /// The softmax along the last axis over those keys that `mask` shows; hidden keys get weight 0 and gradient 0. As
    /// [`attention::masked_softmax`](crate::attention::masked_softmax), for scores .. x queries x keys.
    ///
    /// # Panics
    ///
    /// If the mask does not fit the scores, as [`Mask::apply`] says.
    #[track_caller]
    pub fn masked_softmax(&self, mask: impl Borrow<Mask>) -> Self {
        (A::OPERATIONS.masked_softmax)(self, &mask.borrow().visible_keys(self.shape()))
    }

    /// Applies to an axis what works along the last one.
    #[track_caller]
    fn along(&self, axis: isize, operation: impl Fn(&Self) -> Self) -> Self {
        if axis_of(self.shape(), axis) + 1 == self.ndim() {
            return operation(self);
        }
        operation(&self.swap_axes(axis, -1)).swap_axes(axis, -1)
    }
}
