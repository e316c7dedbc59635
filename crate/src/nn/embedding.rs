//! `Embedding`: a table of vectors, one row for each token.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let table = Embedding::<f64>::new(4, 8, &mut seeded(0));
//! let vectors = table.forward(&array![[0, 1], [3, 3]]);
//! assert_eq!(vectors.shape(), [2, 2, 8]);
//! assert_eq!(table.forward(&[0, 1, 3]).shape(), [3, 8]);
//! ```

use ndarray::{ArrayView, Dimension};

use super::{Module, Parts, init};
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// A table of `num_embeddings` vectors of length `embedding_dim`, drawn from the standard normal distribution.
#[derive(Clone, Debug)]
pub struct Embedding<A: Real = f64> {
    /// The table, num_embeddings x embedding_dim.
    pub weight: Tensor<A>,
}

impl<A: Real> Embedding<A> {
    /// A new table.
    pub fn new(num_embeddings: usize, embedding_dim: usize, generator: &mut Generator) -> Self {
        Self { weight: init::normal(&[num_embeddings, embedding_dim], generator) }
    }

    /// The rows of these tokens, an array of any shape or a list: the tokens' axes and after them one of length
    /// embedding_dim.
    ///
    /// # Panics
    /// If a token is not below num_embeddings.
    #[track_caller]
    pub fn forward<'a, D: Dimension>(&self, tokens: impl Into<ArrayView<'a, usize, D>>) -> Tensor<A> {
        let tokens = tokens.into();
        let rows: Vec<usize> = tokens.iter().copied().collect();
        self.weight.gather_rows(&rows).reshape([tokens.shape(), &[self.weight.shape()[1]]].concat())
    }
}

impl<A: Real> Module<A> for Embedding<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, weight)
    }
}
