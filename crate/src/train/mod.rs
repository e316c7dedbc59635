//! Training in the manner of d2l: a model, its data, a trainer, and a board that shows how it went.
//!
//! | file | what it holds |
//! |---|---|
//! | `trainer` | [`Trainer`] runs a [`Trainable`] model over its data |
//! | `data` | [`DataModule`] gives batches, [`shuffled_batches`] draws their order |
//! | `data_parallel` | [`DataParallel`]: copies of a model share the work of every batch |
//! | `board` | [`ProgressBoard`]: a few lines while a run lasts, a figure at its end |
//! | `timer` | [`Timer`]: seconds of repeated runs |
//!
//! Whatever is left to chance is drawn from a [`Generator`](crate::random::Generator) that is passed in, so that a seed
//! settles a whole run.

mod board;
mod data;
mod data_parallel;
mod timer;
mod trainer;

pub use board::ProgressBoard;
pub use data::{DataModule, shuffled_batches};
pub use data_parallel::DataParallel;
pub use timer::Timer;
pub use trainer::{Trainable, Trainer};
