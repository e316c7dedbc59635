//! The numbers that tensors hold, and the operations on them that were compiled with this crate.
//!
//! A generic function is compiled where it is called. In a notebook that is a cell, which the tuned kernel does not
//! optimise and which compiles anew each time it runs. Through [`Real::OPERATIONS`] a cell calls code that was optimised
//! once, with the crate: a method of [`Tensor`] checks its arguments and leaves the work to the entry of its name.

use ndarray::NdFloat;

use super::array::Shared;
use super::tensor::Node;
use super::{Tensor, arithmetic, backward, gather, loss, matmul, norm, pointwise, reduce, shape, softmax};

/// The floating-point numbers: `f32` and `f64`, and no others.
pub trait Real: NdFloat + sealed::Sealed {
    #[doc(hidden)]
    const OPERATIONS: &'static Operations<Self>;
}

type Unary<A> = fn(&Tensor<A>) -> Tensor<A>;
type Binary<A> = fn(&Tensor<A>, &Tensor<A>) -> Tensor<A>;
type OverAxis<A> = fn(&Tensor<A>, usize) -> Tensor<A>;
type Normalizing<A> = fn(&Tensor<A>, [&Tensor<A>; 2], A) -> Tensor<A>;
type Joining<A> = fn(&[Tensor<A>], usize) -> Tensor<A>;

/// Every operation for one type of number.
#[doc(hidden)]
pub struct Operations<A: Real> {
    pub(super) backward: fn(&Tensor<A>, Shared<A>) -> Result<(), &'static str>,
    pub(super) dismantle: fn(&mut Node<A>),

    pub(super) add: Binary<A>,
    pub(super) sub: Binary<A>,
    pub(super) mul: Binary<A>,
    pub(super) div: Binary<A>,
    pub(super) matmul: Binary<A>,

    pub(super) neg: Unary<A>,
    pub(super) exp: Unary<A>,
    pub(super) ln: Unary<A>,
    pub(super) sqrt: Unary<A>,
    pub(super) powi: fn(&Tensor<A>, i32) -> Tensor<A>,
    pub(super) tanh: Unary<A>,
    pub(super) sigmoid: Unary<A>,
    pub(super) relu: Unary<A>,
    pub(super) gelu: Unary<A>,

    pub(super) permute: fn(&Tensor<A>, &[usize]) -> Tensor<A>,
    pub(super) swap_axes: fn(&Tensor<A>, usize, usize) -> Tensor<A>,
    pub(super) reshape: fn(&Tensor<A>, &[usize]) -> Tensor<A>,
    pub(super) slice: fn(&Tensor<A>, usize, usize, usize) -> Tensor<A>,
    pub(super) concat: Joining<A>,
    pub(super) sum: Unary<A>,
    pub(super) mean: Unary<A>,
    pub(super) sum_keepdim: OverAxis<A>,
    pub(super) mean_keepdim: OverAxis<A>,

    pub(super) masked_softmax: fn(&Tensor<A>, &[usize]) -> Tensor<A>,
    pub(super) log_softmax: Unary<A>,
    pub(super) gather_rows: fn(&Tensor<A>, &[usize]) -> Tensor<A>,
    pub(super) layer_norm: Normalizing<A>,
    pub(super) cross_entropy: fn(&Tensor<A>, &[usize]) -> Tensor<A>,
    pub(super) mse_loss: Binary<A>,
}

impl<A: Real> Operations<A> {
    const COMPILED: Self = Self {
        backward: backward::backward,
        dismantle: backward::dismantle,

        add: arithmetic::add,
        sub: arithmetic::sub,
        mul: arithmetic::mul,
        div: arithmetic::div,
        matmul: matmul::matmul,

        neg: pointwise::neg,
        exp: pointwise::exp,
        ln: pointwise::ln,
        sqrt: pointwise::sqrt,
        powi: pointwise::powi,
        tanh: pointwise::tanh,
        sigmoid: pointwise::sigmoid,
        relu: pointwise::relu,
        gelu: pointwise::gelu,

        permute: shape::permute,
        swap_axes: shape::swap_axes,
        reshape: shape::reshape,
        slice: shape::slice,
        concat: shape::concat,
        sum: reduce::sum,
        mean: reduce::mean,
        sum_keepdim: reduce::sum_keepdim,
        mean_keepdim: reduce::mean_keepdim,

        masked_softmax: softmax::masked_softmax,
        log_softmax: softmax::log_softmax,
        gather_rows: gather::gather_rows,
        layer_norm: norm::layer_norm,
        cross_entropy: loss::cross_entropy,
        mse_loss: loss::mse_loss,
    };
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! real {
    ($($float:ty),+) => {
        $(
            impl sealed::Sealed for $float {}

            impl Real for $float {
                // A static and not a constant: its functions are compiled here, and not where it is read.
                const OPERATIONS: &'static Operations<Self> = {
                    static COMPILED: Operations<$float> = Operations::COMPILED;
                    &COMPILED
                };
            }
        )+
    };
}

real!(f32, f64);

/// A double as a number of the tensors' type, rounded to the nearest.
pub(crate) fn float<A: Real>(number: f64) -> A {
    A::from(number).expect("every double has a nearest float")
}
