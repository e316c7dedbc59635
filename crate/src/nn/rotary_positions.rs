//! `RotaryPositions`: turns every pair of neighbouring numbers of a vector by an angle that grows with its position, so
//! that the dot product of a query and a key depends on how far apart they stand (J. Su and others, *RoFormer*, 2021).
//!
//! ```
//! use d2l::prelude::*;
//!
//! let rotary = RotaryPositions::new(2, 10);
//! let row = rotary.forward(&Tensor::new(array![[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])).value();
//! assert_eq!((row[[0, 0]], row[[0, 1]]), (1.0, 0.0)); // position 0 stays
//! assert_eq!((row[[1, 0]], row[[1, 1]]), (1f64.cos(), 1f64.sin()));
//! assert_eq!((row[[2, 0]], row[[2, 1]]), (-2f64.sin(), 2f64.cos()));
//! ```

use std::rc::Rc;

use super::compiled::compiled;
use super::positional_encoding::angle;
use crate::autograd::{Real, Shared, Tensor, float, shared, slice, standard};

/// Turns pair i of a vector of length d at position p by p / 10000^(2i / d).
///
/// Vectors may be several heads' in one: each d of their numbers are turned in the same way. It has no parameters, so that
/// it is no part of a module.
#[derive(Clone, Debug)]
pub struct RotaryPositions<A: Real = f64> {
    pub(super) d: usize,
    max_len: usize,
    pub(super) turns: Rc<[Turn<A>]>,
}

/// Cosine and sine of an angle.
pub(super) type Turn<A> = (A, A);

impl<A: Real> RotaryPositions<A> {
    /// For at most `max_len` positions of vectors of length `d`.
    ///
    /// # Panics
    /// If `d` is odd.
    #[track_caller]
    pub fn new(d: usize, max_len: usize) -> Self {
        assert!(
            d.is_multiple_of(2),
            "rotary positions turn pairs of numbers, but vectors of length {d} leave one alone"
        );
        let pairs = (0..max_len).flat_map(|position| (0..d / 2).map(move |pair| angle(position, pair, d)));
        Self { d, max_len, turns: pairs.map(|angle| (float(angle.cos()), float(angle.sin()))).collect() }
    }

    /// `x` (.. x n x a multiple of d), the n vectors turned by their positions 0 to n - 1.
    ///
    /// # Panics
    /// If the vectors' length is no multiple of d, or if there are more than max_len of them.
    #[track_caller]
    pub fn forward(&self, x: &Tensor<A>) -> Tensor<A> {
        let &[.., n, width] = x.shape() else { panic!("positions need n x d, but x has shape {:?}", x.shape()) };
        let (d, max_len) = (self.d, self.max_len);
        assert!(
            n <= max_len && (width == 0 || d > 0 && width.is_multiple_of(d)),
            "x of shape {:?} does not fit rotary positions for at most {max_len} vectors of length {d} or a multiple of it",
            x.shape()
        );
        (compiled().rotate)(x, &self.turns, d / 2)
    }

    /// Whether there are positions for so many vectors.
    #[track_caller]
    pub(super) fn assert_room(&self, what: &str, x: &Tensor<A>) {
        let max_len = self.max_len;
        assert!(
            x.shape()[x.ndim() - 2] <= max_len,
            "{what} of shape {:?} do not fit rotary positions: there are positions for at most {max_len} of them",
            x.shape()
        );
    }
}

/// Forward and backward: the way back turns by the opposite angles.
pub(super) fn rotate<A: Real>(x: &Tensor<A>, turns: &Rc<[Turn<A>]>, pairs: usize) -> Tensor<A> {
    let (positions, back) = (x.shape()[x.ndim() - 2], Rc::clone(turns));
    let value = turned(x.value(), turns, pairs, positions, A::one());
    Tensor::result("rotary positions", value, [x.clone()], move |gradient, [x]| {
        x.accumulate(|| turned(gradient, &back, pairs, positions, -A::one()));
    })
}

fn turned<A: Real>(x: Shared<A>, turns: &[Turn<A>], pairs: usize, positions: usize, sign: A) -> Shared<A> {
    let x = standard(x);
    let width = x.shape()[x.ndim() - 1];
    let mut y = vec![A::zero(); x.len()];
    if width > 0 {
        let each_position = turns.chunks_exact(pairs).take(positions).cycle();
        let rows = slice(&x).chunks_exact(width).zip(y.chunks_exact_mut(width));
        for ((row, turned), turns) in rows.zip(each_position) {
            for (vector, turned) in row.chunks_exact(2 * pairs).zip(turned.chunks_exact_mut(2 * pairs)) {
                turn(vector, turned, turns, sign);
            }
        }
    }
    shared(x.shape(), y)
}

/// Turns every pair of a vector.
#[inline]
pub(super) fn turn<A: Real>(vector: &[A], turned: &mut [A], turns: &[Turn<A>], sign: A) {
    let (pairs, turned) = (vector.as_chunks().0, turned.as_chunks_mut().0);
    for ((&[a, b], turned), &(cos, sin)) in pairs.iter().zip(turned).zip(turns) {
        *turned = [a * cos - sign * b * sin, sign * a * sin + b * cos];
    }
}
