//! Losses: one number that says how far predictions are from what was wanted, on average.

use std::ops::{Mul, Sub};

use super::arithmetic::broadcast;
use super::array::{negative, shared, slice, slice_mut};
use super::broadcast::sum;
use super::parallel::for_rows;
use super::real::float;
use super::softmax::{EXP, log_softmax_rows};
use super::{Real, Tensor};

/// y = -mean of ln p over the rows, p being the softmax of a row at its target; dx = (softmax x - [target]) dy / n, where
/// [target] is 1 at the target and 0 elsewhere.
pub(super) fn cross_entropy<A: Real>(logits: &Tensor<A>, targets: &[usize]) -> Tensor<A> {
    let classes = logits.shape()[1];
    let mut logarithms = logits.standard();
    log_softmax_rows(slice_mut(&mut logarithms), classes);
    let of_target = |(row, &target): (usize, &usize)| slice(&logarithms)[row * classes + target];
    let loss = targets.iter().enumerate().map(of_target).fold(A::zero(), |sum, logarithm| sum - logarithm);
    let n = float::<A>(targets.len() as f64);
    let targets = targets.to_vec();
    Tensor::result("cross-entropy", shared(&[], vec![loss / n]), [logits.clone()], move |dy, [logits]| {
        logits.accumulate(|| {
            let scale = slice(&dy)[0] / n;
            let mut dx = logarithms;
            for_rows(slice_mut(&mut dx), classes, EXP, &|first, rows| {
                for (row, &target) in rows.chunks_exact_mut(classes).zip(&targets[first..]) {
                    row.iter_mut().for_each(|x| *x = x.exp() * scale);
                    row[target] -= scale;
                }
            });
            dx
        });
    })
}

/// y = mean (x - t)²; dx = 2 (x - t) dy / n, dt = -dx
pub(super) fn mse_loss<A: Real>(x: &Tensor<A>, target: &Tensor<A>) -> Tensor<A> {
    let differences = broadcast(&x.value_ref(), &target.value_ref(), Sub::sub);
    let n = float::<A>(differences.len() as f64);
    let y = sum(slice(&broadcast(&differences, &differences, Mul::mul))) / n;
    Tensor::result("mean squared error", shared(&[], vec![y]), [x.clone(), target.clone()], move |dy, [x, target]| {
        let scale = (slice(&dy)[0] + slice(&dy)[0]) / n;
        let dx = broadcast(&differences, &shared(&[], vec![scale]), Mul::mul);
        x.accumulate(|| dx.clone());
        target.accumulate(|| negative(dx));
    })
}

impl<A: Real> Tensor<A> {
    /// The mean cross-entropy -ln p of n targets, where p is the probability that the softmax of a row of these logits
    /// (n x classes) gives to its target; of no rows it is NaN.
    ///
    /// # Panics
    ///
    /// If the logits are not n x classes with one target for each row, or if a target is no class.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::Array2;
    ///
    /// let undecided = Tensor::new(Array2::<f64>::zeros((1, 4)));
    /// assert_eq!(undecided.cross_entropy(&[2]).item(), 4f64.ln());
    /// ```
    #[track_caller]
    pub fn cross_entropy(&self, targets: &[usize]) -> Self {
        assert_targets(self.shape(), targets);
        (A::OPERATIONS.cross_entropy)(self, targets)
    }

    /// The mean squared difference of all numbers of two tensors of one shape; of none it is NaN.
    ///
    /// # Panics
    ///
    /// If the shapes differ: broadcasting here is nearly always an axis forgotten.
    #[track_caller]
    pub fn mse_loss(&self, target: &Self) -> Self {
        assert_equal(self.shape(), target.shape());
        (A::OPERATIONS.mse_loss)(self, target)
    }
}

#[track_caller]
fn assert_targets(logits: &[usize], targets: &[usize]) {
    let &[n, classes] = logits else {
        panic!("cross_entropy needs logits of shape n x classes, not {logits:?}: reshape a batch of sequences to rows");
    };
    assert!(
        targets.len() == n,
        "cross_entropy: logits of shape {logits:?} and {} targets do not fit: every row has one target",
        targets.len()
    );
    if let Some((row, target)) = targets.iter().enumerate().find(|&(_, &target)| target >= classes) {
        panic!(
            "cross_entropy: the target of row {row} is {target}, but logits of shape {logits:?} have {classes} classes"
        );
    }
}

#[track_caller]
fn assert_equal(prediction: &[usize], target: &[usize]) {
    assert!(
        prediction == target,
        "mse_loss: shapes {prediction:?} and {target:?} do not fit: each prediction needs one target, so they have to be equal"
    );
}
