//! Operations on rows: softmax, look-up, layer norm, losses.

use d2l::attention::{self, Mask};
use d2l::autograd::Tensor;
use ndarray::{Array2, ArrayD, array};
use proptest::prelude::*;

use crate::differences::{check, positive, shapes, signed};

proptest! {
    #[test]
    fn softmax_along_any_axis(shape in shapes(1..=3)) {
        let input = [signed(&shape, 1) * 2.0];
        let axes = shape.len() as isize;
        for axis in -axes..axes {
            check(&input, |x| x[0].softmax(axis));
            check(&input, |x| x[0].log_softmax(axis));
        }
    }

    #[test]
    fn softmax_under_a_mask(shape in shapes(2..=4), length in 0..=3usize) {
        let (input, keys) = ([signed(&shape, 1)], shape[shape.len() - 1]);
        let lengths = (0..shape[0]).map(|i| (length + i) % (keys + 1));
        for mask in [Mask::None, Mask::Causal, Mask::length(length.min(keys)), Mask::lengths(lengths)] {
            check(&input, |x| x[0].masked_softmax(&mask));
            let ours = Tensor::new(input[0].clone()).masked_softmax(&mask);
            prop_assert_eq!(ours.value().to_owned(), attention::masked_softmax(&input[0], mask));
        }
    }

    #[test]
    fn rows_of_a_table(shape in shapes(1..=3), picks in prop::collection::vec(any::<prop::sample::Index>(), 0..6)) {
        let rows: Vec<usize> = if shape[0] == 0 { vec![] } else { picks.iter().map(|pick| pick.index(shape[0])).collect() };
        check(&[signed(&shape, 1)], |x| x[0].gather_rows(&rows));
    }

    #[test]
    fn layer_norm(leading in shapes(0..=2), length in 0..=5usize) {
        let x = signed(&[&leading[..], &[length]].concat(), 1);
        check(&[x, signed(&[length], 2), signed(&[length], 3)], |x| x[0].layer_norm(&x[1], &x[2], 1e-2));
    }

    #[test]
    fn losses(n in 1..=4usize, classes in 1..=4usize, seed in any::<u64>()) {
        let targets: Vec<usize> = (0..n).map(|i| (seed.rotate_left(8 * i as u32) % classes as u64) as usize).collect();
        let logits = [signed(&[n, classes], seed)];
        check(&logits, |x| x[0].cross_entropy(&targets));
        let [logits] = logits;
        check(&[logits, positive(&[n, classes], 2)], |x| x[0].mse_loss(&x[1]) * x[0].mse_loss(&x[1]));
    }
}

#[test]
fn far_logits_do_not_overflow() {
    let x = Tensor::parameter(array![[1e4, 0.0, -1e4]]);
    assert_eq!(x.log_softmax(-1).value(), array![[0.0, -1e4, -2e4]].into_dyn());
    let loss = x.cross_entropy(&[2]);
    assert_eq!(loss.item(), 2e4);
    loss.backward();
    assert_eq!(x.grad(), Some(array![[1.0, 0.0, -1.0]].into_dyn()));
}

#[test]
fn losses_of_nothing_are_nan() {
    let none = Tensor::new(Array2::<f64>::zeros((0, 3)));
    assert!(none.cross_entropy(&[]).item().is_nan());
    assert!(none.mse_loss(&none).item().is_nan());
}

#[test]
fn a_row_that_sees_nothing_gets_no_gradient() {
    let scores = Tensor::parameter(array![[1.0, f64::NAN], [1.0, 2.0]]);
    scores.masked_softmax(Mask::lengths([0, 2])).backward_with(array![[1.0, 1.0], [1.0, 1.0]]);
    assert_eq!(scores.grad(), Some(ArrayD::zeros(vec![2, 2])));
}
