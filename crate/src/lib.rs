//! Attention, its figures and a small d2l-style toolkit for Rust notebooks on the evcxr kernel.
//!
//! A notebook needs two lines:
//!
//! ```text
//! :dep d2l = { path = "../../crate" }
//! use d2l::prelude::*;
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`attention`] | softmax, masks, scores and kernels, attention pooling, one head |
//! | [`autograd`] | tensors that remember how they were made: gradients |
//! | [`exercise`] | exercises that answer back: checks, hints, progress |
//! | [`figure`] | heatmaps, plots and diagrams, shown by a cell's last line |
//! | [`guide`] | for readers who know NumPy and PyTorch: two columns, yours and ours |
//! | [`nn`] | layers, models of layers, optimisers |
//! | [`random`] | seeded arrays |
//! | [`train`] | a trainer, its data and its progress |

pub mod attention;
pub mod autograd;
mod display;
pub mod exercise;
pub mod figure;
pub mod guide;
pub mod nn;
pub mod prelude;
pub mod random;
pub mod train;
