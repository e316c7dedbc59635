//! The matrix product of arrays, one for every entry of their leading axes; on several cores where that pays.

use std::thread;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewD, ArrayViewMut2, ArrayViewMutD, Axis, Ix2, IxDyn};

use super::Real;
use super::broadcast::stretched;
use super::tensor::{Shared, standard, zeros};

/// a · b over the last two axes; leading axes broadcast.
pub(super) fn product<A: Real>(a: &Shared<A>, b: &Shared<A>) -> Shared<A> {
    let [(n, k), (_, m)] = [a, b].map(|x| (x.shape()[x.ndim() - 2], x.shape()[x.ndim() - 1]));
    if a.ndim() > 2 && b.ndim() == 2 && k > 0 {
        // One matrix for the whole batch: then the batch is one tall matrix.
        let tall = reshaped(a.clone(), &[a.len() / k, k]);
        let shape = [&a.shape()[..a.ndim() - 1], &[m]].concat();
        return reshaped(product(&tall, b), &shape);
    }
    let batch = stretched(&a.shape()[..a.ndim() - 2], &b.shape()[..b.ndim() - 2]).expect("matmul compared the shapes");
    let stretch = |rows, columns| IxDyn(&[batch.as_slice(), &[rows, columns]].concat());
    let (a, b) = (a.broadcast(stretch(n, k)), b.broadcast(stretch(k, m)));
    let mut result = zeros(&[batch.as_slice(), &[n, m]].concat());
    if !result.is_empty() && k > 0 {
        let threads = if result.len() * k < WORTH_A_THREAD { 1 } else { cores() };
        write(a.expect("stretched"), b.expect("stretched"), result.view_mut(), threads);
    }
    result
}

/// The array in another shape, which holds as many numbers.
pub(super) fn reshaped<A: Real>(array: Shared<A>, shape: &[usize]) -> Shared<A> {
    standard(array).into_shape_with_order(shape).expect("as many numbers, in row-major order")
}

/// The array with its last two axes exchanged.
pub(super) fn transposed<A: Real>(mut array: Shared<A>) -> Shared<A> {
    let axes = array.ndim();
    array.swap_axes(axes - 2, axes - 1);
    array
}

/// Multiplications from which on a second thread saves more time than it takes to start.
const WORTH_A_THREAD: usize = 1_000_000;

/// How many threads run at the same time on this machine.
pub(super) fn cores() -> usize {
    thread::available_parallelism().map_or(1, Into::into)
}

/// Writes the products, all with the same leading axes, the first axis divided among the threads.
fn write<A: Real>(a: ArrayViewD<A>, b: ArrayViewD<A>, mut result: ArrayViewMutD<A>, threads: usize) {
    let (is_batch, length) = (result.ndim() > 2, result.shape()[0]);
    if threads > 1 && length > 1 {
        let half = length / 2;
        let (a, a_rest) = a.split_at(Axis(0), half);
        // The rows of one product share all of b.
        let (b, b_rest) = if is_batch { b.split_at(Axis(0), half) } else { (b.clone(), b) };
        let (result, result_rest) = result.split_at(Axis(0), half);
        thread::scope(|scope| {
            scope.spawn(move || write(a, b, result, threads / 2));
            write(a_rest, b_rest, result_rest, threads - threads / 2);
        });
    } else if is_batch {
        for ((a, b), result) in a.outer_iter().zip(b.outer_iter()).zip(result.outer_iter_mut()) {
            write(a, b, result, threads);
        }
    } else {
        let two = "the last two axes are left";
        let (a, b) = (a.into_dimensionality::<Ix2>().expect(two), b.into_dimensionality::<Ix2>().expect(two));
        write_one(a, b, result.into_dimensionality::<Ix2>().expect(two));
    }
}

/// Below this many multiplications, packing the matrices for the fast product takes longer than a plain one.
const SMALL: usize = 2048;

fn write_one<A: Real>(a: ArrayView2<A>, b: ArrayView2<A>, mut result: ArrayViewMut2<A>) {
    if result.len() * a.ncols() > SMALL {
        general_mat_mul(A::one(), &a, &b, A::zero(), &mut result);
        return;
    }
    for (a, mut row) in a.outer_iter().zip(result.outer_iter_mut()) {
        let row = row.as_slice_mut().expect("results are in row-major order");
        for (&a, b) in a.iter().zip(b.outer_iter()) {
            match b.as_slice() {
                Some(b) => row.iter_mut().zip(b).for_each(|(sum, &b)| *sum += a * b),
                None => row.iter_mut().zip(b).for_each(|(sum, &b)| *sum += a * b),
            }
        }
    }
}
