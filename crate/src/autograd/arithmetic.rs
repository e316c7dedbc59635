//! Sum, difference, product and quotient, number by number, of tensors whose shapes broadcast.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::array::{Shared, negative};
use super::broadcast::{assert_broadcast, stretched, sum_to, zip};
use super::{Real, Tensor};

/// f of every pair of numbers of two arrays that broadcast.
pub(super) fn broadcast<A: Real>(a: &Shared<A>, b: &Shared<A>, f: impl Fn(A, A) -> A) -> Shared<A> {
    if a.shape() == b.shape() {
        return zip(a.shape(), a, b, f);
    }
    zip(&stretched(a.shape(), b.shape()).expect("the operator compared the shapes"), a, b, f)
}

/// y = a + b; da = dy, db = dy
pub(super) fn add<A: Real>(a: &Tensor<A>, b: &Tensor<A>) -> Tensor<A> {
    let y = broadcast(&a.value_ref(), &b.value_ref(), Add::add);
    Tensor::result("sum", y, [a.clone(), b.clone()], |dy, [a, b]| {
        a.accumulate(|| sum_to(a.shape(), dy.clone()));
        b.accumulate(|| sum_to(b.shape(), dy));
    })
}

/// y = a - b; da = dy, db = -dy
pub(super) fn sub<A: Real>(a: &Tensor<A>, b: &Tensor<A>) -> Tensor<A> {
    let y = broadcast(&a.value_ref(), &b.value_ref(), Sub::sub);
    Tensor::result("difference", y, [a.clone(), b.clone()], |dy, [a, b]| {
        a.accumulate(|| sum_to(a.shape(), dy.clone()));
        b.accumulate(|| sum_to(b.shape(), negative(dy)));
    })
}

/// y = a b; da = b dy, db = a dy
pub(super) fn mul<A: Real>(a: &Tensor<A>, b: &Tensor<A>) -> Tensor<A> {
    let (a_value, b_value) = (a.value(), b.value());
    let y = broadcast(&a_value, &b_value, Mul::mul);
    Tensor::result("product", y, [a.clone(), b.clone()], move |dy, [a, b]| {
        a.accumulate(|| sum_to(a.shape(), broadcast(&dy, &b_value, Mul::mul)));
        b.accumulate(|| sum_to(b.shape(), broadcast(&dy, &a_value, Mul::mul)));
    })
}

/// y = a / b; da = dy / b, db = -a dy / b² = -y dy / b
pub(super) fn div<A: Real>(a: &Tensor<A>, b: &Tensor<A>) -> Tensor<A> {
    let b_value = b.value();
    let y = broadcast(&a.value_ref(), &b_value, Div::div);
    let y_value = y.clone();
    Tensor::result("quotient", y, [a.clone(), b.clone()], move |dy, [a, b]| {
        a.accumulate(|| sum_to(a.shape(), broadcast(&dy, &b_value, Div::div)));
        b.accumulate(|| {
            let numerator = negative(broadcast(&dy, &y_value, Mul::mul));
            sum_to(b.shape(), broadcast(&numerator, &b_value, Div::div))
        });
    })
}

macro_rules! operator {
    ($Operator:ident, $method:ident, $name:literal, [$($float:ty),+]) => {
        impl<A: Real> $Operator<&Tensor<A>> for &Tensor<A> {
            type Output = Tensor<A>;
            #[track_caller]
            fn $method(self, other: &Tensor<A>) -> Tensor<A> {
                assert_broadcast($name, self.shape(), other.shape());
                (A::OPERATIONS.$method)(self, other)
            }
        }

        impl<A: Real> $Operator<Tensor<A>> for &Tensor<A> {
            type Output = Tensor<A>;
            #[track_caller]
            fn $method(self, other: Tensor<A>) -> Tensor<A> {
                $Operator::$method(self, &other)
            }
        }

        impl<A: Real> $Operator<&Tensor<A>> for Tensor<A> {
            type Output = Tensor<A>;
            #[track_caller]
            fn $method(self, other: &Tensor<A>) -> Tensor<A> {
                $Operator::$method(&self, other)
            }
        }

        impl<A: Real> $Operator<Tensor<A>> for Tensor<A> {
            type Output = Tensor<A>;
            #[track_caller]
            fn $method(self, other: Tensor<A>) -> Tensor<A> {
                $Operator::$method(&self, &other)
            }
        }

        impl<A: Real> $Operator<A> for &Tensor<A> {
            type Output = Tensor<A>;
            fn $method(self, other: A) -> Tensor<A> {
                $Operator::$method(self, &Tensor::scalar(other))
            }
        }

        impl<A: Real> $Operator<A> for Tensor<A> {
            type Output = Tensor<A>;
            fn $method(self, other: A) -> Tensor<A> {
                $Operator::$method(&self, other)
            }
        }

        $(
            impl $Operator<&Tensor<$float>> for $float {
                type Output = Tensor<$float>;
                fn $method(self, other: &Tensor<$float>) -> Tensor<$float> {
                    $Operator::$method(&Tensor::scalar(self), other)
                }
            }

            impl $Operator<Tensor<$float>> for $float {
                type Output = Tensor<$float>;
                fn $method(self, other: Tensor<$float>) -> Tensor<$float> {
                    $Operator::$method(self, &other)
                }
            }
        )+
    };
}

operator!(Add, add, "a + b", [f32, f64]);
operator!(Sub, sub, "a - b", [f32, f64]);
operator!(Mul, mul, "a * b", [f32, f64]);
operator!(Div, div, "a / b", [f32, f64]);

impl<A: Real> Neg for &Tensor<A> {
    type Output = Tensor<A>;
    fn neg(self) -> Tensor<A> {
        (A::OPERATIONS.neg)(self)
    }
}

impl<A: Real> Neg for Tensor<A> {
    type Output = Tensor<A>;
    fn neg(self) -> Tensor<A> {
        -&self
    }
}
