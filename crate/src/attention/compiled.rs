//! The loops that take the time, compiled with this crate for `f32` and `f64`.
//!
//! A generic function is compiled where it is called. In a notebook that is a cell, and the tuned kernel builds cells fast
//! by not optimising them: softmax of a million numbers took seven times as long there. Through [`loops`] a cell calls code
//! that was optimised once, with the crate.

use std::any::Any;

use ndarray::{Array2, ArrayRef2, NdFloat};

/// The loops for one type of number.
#[derive(Clone, Copy)]
pub(super) struct Loops<A: 'static> {
    /// Softmax of rows of the given length, each over as many of its first entries as the last argument says; the
    /// others become 0.
    pub softmax_rows: fn(&mut [A], usize, &[usize]),
    /// ‖q - k‖² of the rows of two matrices of equal width.
    pub squared_distances: fn(&ArrayRef2<A>, &ArrayRef2<A>) -> Array2<A>,
    /// The matrix product.
    pub product: fn(&ArrayRef2<A>, &ArrayRef2<A>) -> Array2<A>,
}

static F32: Loops<f32> = Loops::new();
static F64: Loops<f64> = Loops::new();

/// The loops for `A`.
pub(super) fn loops<A: NdFloat>() -> Loops<A> {
    let compiled: [&dyn Any; 2] = [&F32, &F64];
    *compiled.into_iter().find_map(|loops| loops.downcast_ref()).expect("ndarray's floats are f32 and f64")
}

impl<A: NdFloat> Loops<A> {
    const fn new() -> Self {
        Self { softmax_rows, squared_distances, product }
    }
}

pub(crate) fn softmax_rows<A: NdFloat>(entries: &mut [A], length: usize, visible: &[usize]) {
    if length == 0 {
        return;
    }
    for (row, &visible) in entries.chunks_exact_mut(length).zip(visible) {
        let (seen, hidden) = row.split_at_mut(visible);
        softmax(seen);
        hidden.fill(A::zero());
    }
}

fn softmax<A: NdFloat>(row: &mut [A]) {
    let max = max(row);
    let mut sum = A::zero();
    for x in &mut *row {
        *x = (*x - max).exp();
        sum += *x;
    }
    for x in row {
        *x /= sum;
    }
}

/// The largest number; NaN is passed over, since it spoils the sum of the row's exponentials anyway.
fn max<A: NdFloat>(row: &[A]) -> A {
    let larger = |a: A, b: A| if b > a { b } else { a };
    // Eight running maxima instead of one that every step waits for.
    let (eights, rest) = row.as_chunks::<8>();
    let mut lanes = [A::neg_infinity(); 8];
    for eight in eights {
        for (lane, &x) in lanes.iter_mut().zip(eight) {
            *lane = larger(*lane, x);
        }
    }
    lanes.iter().chain(rest).copied().fold(A::neg_infinity(), larger)
}

fn squared_distances<A: NdFloat>(queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
    // Differences first: ‖q‖² + ‖k‖² - 2 q·k would be a matrix product, but cancels to noise for neighbours far from 0.
    let (shape, d) = ((queries.nrows(), keys.nrows()), queries.ncols());
    let [queries, keys] = [queries, keys].map(|vectors| vectors.iter().copied().collect::<Vec<A>>());
    let mut distances = Vec::with_capacity(shape.0 * shape.1);
    for i in 0..shape.0 {
        let query = &queries[i * d..(i + 1) * d];
        for j in 0..shape.1 {
            let mut sum = A::zero();
            for (&q, &k) in query.iter().zip(&keys[j * d..(j + 1) * d]) {
                sum += (q - k) * (q - k);
            }
            distances.push(sum);
        }
    }
    Array2::from_shape_vec(shape, distances).expect("one for each query and key")
}

fn product<A: NdFloat>(a: &ArrayRef2<A>, b: &ArrayRef2<A>) -> Array2<A> {
    a.dot(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_finds_the_largest_wherever_it_stands() {
        for len in 1..20 {
            for place in 0..len {
                let mut row = vec![f64::NAN; len];
                row[len - 1] = -2.0;
                row[place] = -1.0;
                assert_eq!(max(&row), -1.0, "{row:?}");
            }
        }
        assert_eq!(max::<f64>(&[]), f64::NEG_INFINITY);
    }
}
