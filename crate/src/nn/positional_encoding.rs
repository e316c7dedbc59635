//! `PositionalEncoding`: adds to every vector a pattern of sines and cosines that tells its position; *Attention Is All
//! You Need*, section 3.5.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let positions = PositionalEncoding::new(32, 60);
//! let y = positions.forward(&Tensor::new(Array3::zeros((1, 60, 32))));
//! let table = y.value().into_shape_with_order((60, 32)).unwrap();
//! plot(&Array1::linspace(0.0, 59.0, 60), &table.column(6), "row (position)", "column 6");
//! assert_eq!((table[[0, 0]], table[[0, 1]], table[[3, 0]]), (0.0, 1.0, 3f64.sin()));
//! ```

use ndarray::{Array2, Axis, Slice};

use super::{Dropout, Module, Parts};
use crate::autograd::{Real, Tensor, float};
use crate::parts;
use crate::random::Generator;

/// Adds P to vectors, where P(i, 2j) = sin(i / 10000^(2j / d)) and P(i, 2j + 1) = cos(i / 10000^(2j / d)).
#[derive(Clone, Debug)]
pub struct PositionalEncoding<A: Real = f64> {
    /// Drops numbers of the sum while the layer is trained.
    pub dropout: Dropout<A>,
    /// P, max_len x num_hiddens.
    table: Array2<A>,
}

impl<A: Real> PositionalEncoding<A> {
    /// The pattern for at most `max_len` vectors of length `num_hiddens`, without dropout.
    pub fn new(num_hiddens: usize, max_len: usize) -> Self {
        let entry = |(i, j)| {
            let angle = angle(i, j / 2, num_hiddens);
            float(if j % 2 == 0 { angle.sin() } else { angle.cos() })
        };
        Self { dropout: Dropout::none(), table: Array2::from_shape_fn((max_len, num_hiddens), entry) }
    }

    /// Drops numbers of the sum with probability `p`.
    ///
    /// # Panics
    /// If `p` is not in [0, 1].
    #[track_caller]
    pub fn dropout(mut self, p: f64, generator: &mut Generator) -> Self {
        self.dropout = Dropout::new(p, generator);
        self
    }

    /// `x` (.. x n x num_hiddens) with the first n rows of the pattern added.
    ///
    /// # Panics
    /// If the vectors have another length, or if there are more than max_len of them.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>) -> Tensor<A> {
        let (max_len, num_hiddens) = self.table.dim();
        let &[.., n, d] = x.shape() else { panic!("positions need n x d, but x has shape {:?}", x.shape()) };
        assert!(
            d == num_hiddens && n <= max_len,
            "x of shape {:?} does not fit a pattern of shape [{max_len}, {num_hiddens}]: the vectors have its width, and \
             there are at most as many as it has rows",
            x.shape()
        );
        let rows = self.table.slice_axis(Axis(0), Slice::from(..n)).to_owned();
        self.dropout.forward(&(x + Tensor::new(rows)))
    }
}

/// The angle of pair `pair` of a vector of length `d` at a position: position / 10000^(2 pair / d).
pub(super) fn angle(position: usize, pair: usize, d: usize) -> f64 {
    position as f64 * 10_000f64.powf(-2.0 * pair as f64 / d as f64)
}

impl<A: Real> Module<A> for PositionalEncoding<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, dropout)
    }
}
