//! Gradients: against finite differences, against PyTorch, and what is said and freed on the way.

mod differences;
mod errors;
mod graph;
mod moves;
mod numbers;
mod reference;
mod rows;
