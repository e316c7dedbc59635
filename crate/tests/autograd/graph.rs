//! What a computation remembers, adds up, frees and leaves alone.

use d2l::autograd::{Tensor, no_grad};
use ndarray::{Array2, ArrayD, array};

use crate::differences::{check, signed};

#[test]
fn what_is_used_often_gathers_all_its_shares() {
    check(&[signed(&[2, 2], 1), signed(&[2, 2], 2)], |x| {
        let (mut a, mut b) = (x[0].clone(), x[1].clone());
        for _ in 0..5 {
            (a, b) = ((&a + &b).tanh(), a.matmul(&b) * &a);
        }
        a * b - &x[0] - &x[0]
    });
}

#[test]
fn gradients_add_up_until_they_are_cleared() {
    let x = Tensor::parameter(array![3.0]);
    assert_eq!(x.grad(), None);
    for expected in [6.0, 12.0] {
        (&x * &x).backward();
        assert_eq!(x.grad(), Some(array![expected].into_dyn()));
    }
    x.zero_grad();
    assert_eq!(x.grad(), None);
}

#[test]
fn a_parameter_that_was_never_used_has_no_gradient() {
    let (used, unused) = (Tensor::parameter(array![1.0]), Tensor::parameter(array![1.0]));
    (&used * 2.0).backward();
    assert_eq!((used.grad(), unused.grad()), (Some(array![2.0].into_dyn()), None));
}

#[test]
fn constants_and_results_keep_no_gradient() {
    let (x, c) = (Tensor::parameter(array![2.0]), Tensor::new(array![5.0]));
    let y = &x * &c;
    let z = &y * &y;
    z.backward();
    assert_eq!((c.grad(), y.grad(), z.grad()), (None, None, None));
    assert_eq!(x.grad(), Some(array![2.0 * 5.0 * 5.0 * 2.0].into_dyn()));
}

#[test]
fn a_parameter_is_its_own_derivative() {
    let x = Tensor::parameter(array![4.0]);
    x.backward();
    x.backward();
    assert_eq!(x.grad(), Some(array![2.0].into_dyn()));
}

#[test]
fn nothing_goes_back_through_detached_tensors() {
    let x = Tensor::parameter(array![3.0]);
    let y = &x * x.detach();
    y.backward();
    assert_eq!(x.grad(), Some(array![3.0].into_dyn()));
    assert!(!x.detach().needs_gradient());
}

#[test]
fn no_grad_ends_with_its_closure_also_after_a_panic() {
    let x = Tensor::parameter(array![3.0]);
    no_grad(|| {
        no_grad(|| assert!(!(&x + &x).needs_gradient()));
        assert!(!(&x + &x).needs_gradient());
    });
    let stopped = std::panic::catch_unwind(|| no_grad(|| std::panic::resume_unwind(Box::new(()))));
    assert!(stopped.is_err() && (&x + &x).needs_gradient());
}

#[test]
fn a_step_between_forward_and_backward_does_not_change_the_gradient() {
    let x = Tensor::parameter(array![3.0]);
    let (y, before) = (&x * &x, x.value());
    x.set_value(array![100.0]);
    y.backward();
    assert_eq!(x.grad(), Some(array![6.0].into_dyn()));
    x.update(|value, gradient| value[0] -= gradient[0]);
    assert_eq!((x.item(), before[[0]]), (94.0, 3.0));
}

#[test]
fn update_meets_value_and_gradient_in_one_order() {
    let x = Tensor::parameter(array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].reversed_axes());
    x.update(|_, _| panic!("there is no gradient yet"));
    let weights = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    (x.transpose() * Tensor::new(weights.t().to_owned())).sum().backward();
    x.update(|value, gradient| {
        assert_eq!(value, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!(gradient, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    });
    x.change_gradient(|gradient| gradient.iter_mut().for_each(|g| *g = -*g));
    assert_eq!(x.grad(), Some((-weights).into_dyn()));
}

#[test]
fn long_chains_neither_overflow_the_stack_going_back_nor_when_dropped() {
    let x = Tensor::parameter(array![1.0]);
    let chain = || (0..200_000).fold(x.clone(), |y, _| y + 1e-5);
    let y = chain();
    y.backward();
    assert_eq!(x.grad(), Some(array![1.0].into_dyn()));
    drop(y);
    drop(chain());
    // As many paths as 2 to the power of 1000, but only 3000 tensors.
    let halves = (0..1000).fold(x.clone(), |y, _| &y * 0.5 + &y * 0.5);
    x.zero_grad();
    halves.backward();
    assert_eq!(x.grad(), Some(array![1.0].into_dyn()));
}

/// A value is shared for as long as a computation remembers it.
#[test]
fn a_computation_is_freed_going_back_and_when_dropped() {
    let x = Tensor::parameter(array![1.0, 2.0]);
    for drops in [false, true] {
        let middle = (&x * 2.0).exp();
        let value = middle.value();
        let loss = middle.sum();
        drop(middle);
        assert!(!value.is_unique(), "the loss remembers how it was made");
        if drops {
            drop(loss);
            assert!(value.is_unique(), "dropping the loss frees the computation");
        } else {
            loss.backward();
            assert!(value.is_unique(), "going back frees the computation");
            assert!(loss.item() > 0.0);
        }
    }
}

#[test]
fn both_types_of_number_work() {
    let x = Tensor::<f32>::parameter(array![1.0, 2.0]);
    (2.0f32 * &x).sum().backward();
    assert_eq!(x.grad(), Some(ArrayD::from_elem(vec![2], 2.0f32)));
}

#[test]
fn what_is_shown_is_short() {
    let x = Tensor::parameter(array![[1.0, 2.0], [3.0, 1.0 / 3.0]]);
    assert_eq!(format!("{x:?}"), "parameter of shape [2, 2]\n[[1.0000, 2.0000],\n [3.0000, 0.3333]]");
    assert_eq!(format!("{:.1}", &x * 2.0), "[[2.0, 4.0],\n [6.0, 0.7]]");
    assert!(format!("{:?}", Tensor::new(Array2::<f64>::zeros((1000, 1000)))).len() < 2000);
}
