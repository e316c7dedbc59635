//! Layers, optimisers and training, held against finite differences, PyTorch and what they promise.

mod behaviour;
#[path = "../shared/classifier.rs"]
mod classifier;
mod data_parallel;
mod gradients;
#[path = "../shared/induction.rs"]
mod induction;
mod reference;
mod state;
mod training;
