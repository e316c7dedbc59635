//! Arithmetic, functions of one number, matrix products, sums and means.

use d2l::autograd::Tensor;
use ndarray::{ArrayD, Axis, Ix2, IxDyn, Slice};
use proptest::prelude::*;

use crate::differences::{check, positive, shapes, signed};

/// Two shapes that broadcast: one shape, with axes of each made 1 and leading ones left out.
fn broadcasting(axes: usize) -> impl Strategy<Value = [Vec<usize>; 2]> {
    let narrowed = |shape: Vec<usize>| {
        let ones = prop::collection::vec(any::<bool>(), shape.len());
        (ones, 0..=shape.len()).prop_map(move |(ones, start)| {
            let lengths = shape.iter().zip(ones).map(|(&length, one)| if one { 1 } else { length });
            lengths.skip(start).collect::<Vec<usize>>()
        })
    };
    shapes(0..=axes).prop_flat_map(move |shape| [narrowed(shape.clone()), narrowed(shape)])
}

proptest! {
    #[test]
    fn arithmetic([a, b] in broadcasting(4)) {
        let inputs = [signed(&a, 1), signed(&b, 2)];
        check(&inputs, |x| &x[0] + &x[1]);
        check(&inputs, |x| &x[0] - &x[1]);
        check(&inputs, |x| &x[0] * &x[1]);
        check(&inputs, |x| &x[0] / &x[1]);
        check(&inputs[..1], |x| (2.0 - -&x[0]) * 3.0 / (1.5 + &x[0] * &x[0]) - 1.0);
    }

    #[test]
    fn functions_of_one_number(shape in shapes(0..=3)) {
        let (any, above) = ([signed(&shape, 1)], [positive(&shape, 2)]);
        check(&any, |x| x[0].exp());
        check(&above, |x| x[0].ln());
        check(&above, |x| x[0].sqrt());
        for n in -3..=4 {
            check(&any, |x| x[0].powi(n));
        }
        check(&any, |x| x[0].tanh());
        check(&any, |x| x[0].sigmoid());
        check(&any, |x| x[0].relu());
        check(&any, |x| x[0].gelu());
    }

    #[test]
    fn sums_and_means(shape in shapes(1..=4), seed in any::<u64>()) {
        let input = [signed(&shape, seed)];
        let axes = shape.len() as isize;
        check(&input, |x| x[0].sum());
        check(&input, |x| x[0].mean());
        for axis in -axes..axes {
            check(&input, |x| x[0].sum_axis(axis));
            check(&input, |x| x[0].mean_axis(axis));
            check(&input, |x| x[0].sum_keepdim(axis));
            check(&input, |x| x[0].mean_keepdim(axis) * &x[0]);
        }
    }

    #[test]
    fn products_of_matrices([a, b] in broadcasting(2), n in 0..=4usize, k in 0..=4usize, m in 0..=4usize) {
        let inputs = [signed(&[&a[..], &[n, k]].concat(), 1), signed(&[&b[..], &[k, m]].concat(), 2)];
        check(&inputs, |x| x[0].matmul(&x[1]));
    }

    #[test]
    fn products_with_vectors(leading in shapes(0..=2), k in 0..=4usize, m in 0..=4usize) {
        let (row, vector) = (signed(&[&leading[..], &[m, k]].concat(), 1), signed(&[k], 2));
        check(&[row, vector.clone()], |x| x[0].matmul(&x[1]));
        check(&[vector.clone(), signed(&[&leading[..], &[k, m]].concat(), 3)], |x| x[0].matmul(&x[1]));
        check(&[vector, signed(&[k], 4)], |x| x[0].matmul(&x[1]));
    }
}

#[test]
fn a_mean_of_none_is_nan_and_its_sum_is_0() {
    let none = Tensor::new(ArrayD::<f64>::zeros(IxDyn(&[2, 0])));
    assert!(none.mean().item().is_nan());
    assert_eq!(none.sum().item(), 0.0);
    assert_eq!(none.sum_axis(1).value().as_slice(), Some(&[0.0, 0.0][..]));
}

#[test]
fn relu_passes_nan_on_and_stops_at_0() {
    let x = Tensor::parameter(ndarray::array![-1.0, 0.0, 2.0, f64::NAN]);
    let y = x.relu();
    assert_eq!(y.value().as_slice().unwrap()[..3], [0.0, 0.0, 2.0]);
    assert!(y.value()[[3]].is_nan());
    y.slice(0, ..3).sum().backward();
    assert_eq!(x.grad().unwrap().as_slice().unwrap()[..3], [0.0, 0.0, 1.0]);
}

/// The same numbers, which in memory run backwards along every axis.
fn backwards(x: &ArrayD<f64>) -> Tensor {
    let mut flipped = x.slice_each_axis(|_| Slice::new(0, None, -1)).as_standard_layout().into_owned();
    (0..x.ndim()).for_each(|axis| flipped.invert_axis(Axis(axis)));
    assert_eq!(&flipped, x);
    Tensor::new(flipped)
}

#[test]
fn arrays_that_run_backwards_in_memory_are_read_in_their_own_order() {
    for n in [1, 2, 3, 20] {
        let (a, b) = (signed(&[n, n + 1], 1), signed(&[n + 1, n], 2));
        let [straight_a, straight_b] = [&a, &b].map(|x| Tensor::new(x.clone()));
        let close = |one: Tensor, other: Tensor| assert!((one - other).value().iter().all(|error| error.abs() < 1e-12));
        close(backwards(&a).matmul(&backwards(&b)), straight_a.matmul(&straight_b));
        close(straight_a.matmul(&backwards(&b)), straight_a.matmul(&straight_b));
        close(backwards(&a).exp() + backwards(&a).softmax(-1), straight_a.exp() + straight_a.softmax(-1));
        close(backwards(&b).sum_axis(0), straight_b.sum_axis(0));
    }
}

/// Sizes from the plain loop, over the fast product, to the one divided among threads; every layout.
#[test]
fn large_products_are_those_of_their_matrices() {
    for (batch, n, k, m) in [(1, 12, 13, 14), (3, 31, 16, 31), (2, 128, 64, 96), (64, 31, 16, 31), (5, 40, 300, 50)] {
        let (a, b) = (signed(&[batch, n, k], 1), signed(&[batch, k, m], 2));
        let matrix = |x: &ArrayD<f64>, i| x.index_axis(Axis(0), i).into_dimensionality::<Ix2>().unwrap().to_owned();
        let reversed = |x: &ArrayD<f64>| Tensor::new(x.t().as_standard_layout().into_owned()).permute([2, 1, 0]);
        let all = [
            Tensor::new(a.clone()).matmul(&Tensor::new(b.clone())),
            reversed(&a).matmul(&Tensor::new(b.clone())),
            reversed(&a).matmul(&reversed(&b)),
        ];
        let shared = Tensor::new(a.clone()).matmul(&Tensor::new(matrix(&b, 0)));
        for i in 0..batch {
            let close = |ours: &Tensor, wanted: ndarray::Array2<f64>| {
                assert!((matrix(&ours.value().to_owned(), i) - wanted).iter().all(|error| error.abs() < 1e-12));
            };
            for product in &all {
                close(product, matrix(&a, i).dot(&matrix(&b, i)));
            }
            close(&shared, matrix(&a, i).dot(&matrix(&b, 0)));
        }
    }
}
