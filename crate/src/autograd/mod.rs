//! Reverse-mode automatic differentiation: tensors that remember how they were made.
//!
//! A [`Tensor`] is an array; what is computed from it remembers it, and so back to the parameters. `backward` goes that
//! way from a loss and leaves in every parameter the derivative of the loss with respect to it.
//!
//! | file | what it holds |
//! |---|---|
//! | `tensor` | the tensor: value, gradient and origin |
//! | `backward` | the way back through the operations, in the right order |
//! | `arithmetic` | + - * / with broadcasting |
//! | `pointwise` | exp, ln, tanh and other functions of one number; `erf` is the one that the standard library lacks |
//! | `matmul` | the matrix product; `product` computes it |
//! | `shape` | permute, reshape, slice, concat: operations that only move numbers |
//! | `reduce` | sums and means |
//! | `softmax` | softmax, masked softmax, log-softmax |
//! | `gather` | rows of a table |
//! | `norm` | layer normalisation |
//! | `loss` | cross-entropy, mean squared error |
//! | `broadcast` | how shapes are stretched, and summed on the way back |
//! | `parallel` | large loops divided among cores |
//! | `array` | arrays that tensors share, in row-major order |
//! | `real` | f32 and f64, and the operations compiled for them |
//!
//! Each operation is one short function: the value, and beside it what its derivative hands on. There is no tape: a tensor
//! owns what it was computed from, so that dropping a loss frees the computation.

mod arithmetic;
mod array;
mod backward;
mod broadcast;
mod erf;
mod gather;
mod loss;
mod matmul;
mod norm;
pub(crate) mod parallel;
mod pointwise;
mod product;
mod real;
mod reduce;
mod shape;
mod softmax;
mod tensor;

pub(crate) use array::{Shared, shared, slice, standard};
pub(crate) use backward::is_recording;
pub use backward::no_grad;
pub(crate) use product::{MULTIPLICATIONS_A_STEP, Matrix, multiply_into};
pub use real::Real;
pub(crate) use real::float;
pub use tensor::Tensor;
