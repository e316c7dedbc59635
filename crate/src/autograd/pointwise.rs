//! Functions of one number, applied to every number of a tensor: y = f(x), dx = f'(x) dy.

use super::array::{negative, slice, slice_mut, standard};
use super::erf::erf;
use super::parallel::for_rows;
use super::real::float;
use super::softmax::EXP;
use super::{Real, Tensor};

/// f of every number, given f and f' as a function of x and y = f(x).
fn pointwise<A: Real>(
    name: &'static str,
    x: &Tensor<A>,
    f: impl Fn(A) -> A + Sync,
    derivative: impl Fn(A, A) -> A + Sync + 'static,
) -> Tensor<A> {
    let each = move |dx: &mut [A], x: &[A], y: &[A]| {
        for ((dx, &x), &y) in dx.iter_mut().zip(x).zip(y) {
            *dx *= derivative(x, y);
        }
    };
    in_loops(name, x, &|numbers| numbers.iter_mut().for_each(|x| *x = f(*x)), Box::new(each))
}

/// Replaces numbers x by f(x).
type Map<'a, A> = dyn Fn(&mut [A]) + Sync + 'a;

/// Multiplies numbers dy by f'(x), given x and y.
type Derivative<A> = dyn Fn(&mut [A], &[A], &[A]) + Sync;

/// One copy for all functions: only their loops are compiled for each.
fn in_loops<A: Real>(name: &'static str, x: &Tensor<A>, f: &Map<A>, derivative: Box<Derivative<A>>) -> Tensor<A> {
    let x_value = x.standard();
    let mut y = x_value.clone();
    for_rows(slice_mut(&mut y), 1, EXP, &|_, numbers| f(numbers));
    let y_value = y.clone();
    Tensor::result(name, y, [x.clone()], move |dy, [x]| {
        x.accumulate(|| {
            let (mut dx, x, y) = (standard(dy), slice(&x_value), slice(&y_value));
            for_rows(slice_mut(&mut dx), 1, 1, &|first, dx| derivative(dx, &x[first..], &y[first..]));
            dx
        });
    })
}

pub(super) fn neg<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    Tensor::result("negative", negative(x.value()), [x.clone()], |dy, [x]| x.accumulate(|| negative(dy)))
}

pub(super) fn exp<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    pointwise("exp", x, A::exp, |_, y| y)
}

pub(super) fn ln<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    pointwise("ln", x, A::ln, |x, _| x.recip())
}

pub(super) fn sqrt<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    pointwise("sqrt", x, A::sqrt, |_, y| (y + y).recip())
}

pub(super) fn powi<A: Real>(x: &Tensor<A>, n: i32) -> Tensor<A> {
    let factor = float::<A>(n.into());
    // x⁰ is 1 everywhere, also at 0, where 0 · x⁻¹ is not 0.
    pointwise("power", x, move |x| x.powi(n), move |x, _| if n == 0 { A::zero() } else { factor * x.powi(n - 1) })
}

pub(super) fn tanh<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    pointwise("tanh", x, A::tanh, |_, y| A::one() - y * y)
}

pub(super) fn sigmoid<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    pointwise("sigmoid", x, |x| (A::one() + (-x).exp()).recip(), |_, y| y * (A::one() - y))
}

pub(super) fn relu<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    let step = |x: A| if x > A::zero() { A::one() } else { A::zero() };
    // Not max: a NaN stays one.
    pointwise("relu", x, |x| if x < A::zero() { A::zero() } else { x }, move |x, _| step(x))
}

/// y = x Φ(x) and f' = Φ(x) + x φ(x), with φ the standard normal density and Φ(x) = (1 + erf(x / √2)) / 2 its integral.
pub(super) fn gelu<A: Real>(x: &Tensor<A>) -> Tensor<A> {
    let half = float::<A>(0.5);
    let integral = move |x: A| half * (A::one() + erf(x * half.sqrt()));
    let scale = float::<A>(std::f64::consts::TAU).sqrt().recip();
    let density = move |x: A| scale * (-half * x * x).exp();
    pointwise("gelu", x, move |x| x * integral(x), move |x, _| integral(x) + x * density(x))
}

impl<A: Real> Tensor<A> {
    /// The exponential of every number.
    pub fn exp(&self) -> Self {
        (A::OPERATIONS.exp)(self)
    }

    /// The natural logarithm of every number.
    pub fn ln(&self) -> Self {
        (A::OPERATIONS.ln)(self)
    }

    /// The square root of every number.
    pub fn sqrt(&self) -> Self {
        (A::OPERATIONS.sqrt)(self)
    }

    /// Every number to the power of `n`.
    pub fn powi(&self, n: i32) -> Self {
        (A::OPERATIONS.powi)(self, n)
    }

    /// The hyperbolic tangent of every number.
    pub fn tanh(&self) -> Self {
        (A::OPERATIONS.tanh)(self)
    }

    /// 1 / (1 + e⁻ˣ) of every number.
    pub fn sigmoid(&self) -> Self {
        (A::OPERATIONS.sigmoid)(self)
    }

    /// max(x, 0) of every number; the derivative at 0 is taken as 0.
    pub fn relu(&self) -> Self {
        (A::OPERATIONS.relu)(self)
    }

    /// x Φ(x) of every number, with Φ the cumulative distribution of the standard normal (D. Hendrycks and K. Gimpel,
    /// 2016); the exact function and not its approximation by tanh.
    pub fn gelu(&self) -> Self {
        (A::OPERATIONS.gelu)(self)
    }
}
