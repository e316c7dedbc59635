//! The check that every operation has to pass: its gradients are what finite differences say.

use d2l::autograd::{Tensor, no_grad};
use d2l::random::{seeded, uniform};
use ndarray::{ArrayD, Dimension, IxDyn};
use proptest::prelude::*;

/// Shapes of at most so many axes, each of length 0 to 3.
pub fn shapes(axes: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..=3usize, axes)
}

/// Numbers from 0.2 to 1.5, far enough from 0 for quotients, roots and kinks.
pub fn positive(shape: &[usize], seed: u64) -> ArrayD<f64> {
    uniform(IxDyn(shape), 0.2, 1.5, &mut seeded(seed))
}

/// Numbers from -1.5 to -0.2 and from 0.2 to 1.5.
pub fn signed(shape: &[usize], seed: u64) -> ArrayD<f64> {
    uniform(IxDyn(shape), -1.3, 1.3, &mut seeded(seed)).mapv(|x: f64| x + 0.2f64.copysign(x))
}

/// Compares the gradients of `f` with finite differences, for inputs in row-major order and in the reverse; and the
/// gradient of each input with the one that it gets when the others are constants.
#[track_caller]
pub fn check(inputs: &[ArrayD<f64>], f: impl Fn(&[Tensor]) -> Tensor) {
    for reversed in [false, true] {
        let leaves: Vec<ArrayD<f64>> = inputs
            .iter()
            .map(|input| if reversed { input.t().as_standard_layout().into_owned() } else { input.clone() })
            .collect();
        let of_leaves = |leaves: &[Tensor]| {
            let axes = |leaf: &Tensor| (0..leaf.ndim()).rev().collect::<Vec<_>>();
            let inputs = leaves.iter().map(|leaf| if reversed { leaf.permute(axes(leaf)) } else { leaf.clone() });
            f(&inputs.collect::<Vec<_>>())
        };
        compare(&leaves, of_leaves);
    }
}

#[track_caller]
fn compare(leaves: &[ArrayD<f64>], f: impl Fn(&[Tensor]) -> Tensor) {
    let parameters: Vec<Tensor> = leaves.iter().cloned().map(Tensor::parameter).collect();
    let y = f(&parameters);
    let coefficients = signed(y.shape(), 99);
    y.backward_with(coefficients.clone());
    let loss = |leaves: &[Tensor]| no_grad(|| (f(leaves).value().to_owned() * &coefficients).sum());

    for (i, parameter) in parameters.iter().enumerate() {
        let gradient = parameter.grad().unwrap_or_else(|| ArrayD::zeros(parameter.shape()));
        assert_eq!(gradient.shape(), parameter.shape());
        for (index, &slope) in gradient.indexed_iter() {
            let difference = slope_at(leaves, i, &index, loss);
            let scale = difference.abs().max(0.01);
            assert!(
                (slope - difference).abs() <= 1e-6 * scale,
                "input {i} of shape {:?} at {:?}: gradient {slope}, finite difference {difference}",
                gradient.shape(),
                index.slice()
            );
        }

        let alone: Vec<Tensor> = leaves.iter().cloned().map(Tensor::new).collect();
        let alone = [&alone[..i], &[Tensor::parameter(leaves[i].clone())], &alone[i + 1..]].concat();
        f(&alone).backward_with(coefficients.clone());
        assert_eq!(alone[i].grad(), parameter.grad(), "input {i} when the others are constants");
    }
}

/// The derivative at a point from four others, exact for polynomials of degree 4.
fn slope_at(leaves: &[ArrayD<f64>], i: usize, index: &IxDyn, loss: impl Fn(&[Tensor]) -> f64) -> f64 {
    const STEP: f64 = 1e-3;
    let moved = |steps: f64| {
        let mut leaves = leaves.to_vec();
        leaves[i][index] += steps * STEP;
        loss(&leaves.into_iter().map(Tensor::new).collect::<Vec<_>>())
    };
    (8.0 * (moved(1.0) - moved(-1.0)) - (moved(2.0) - moved(-2.0))) / (12.0 * STEP)
}
