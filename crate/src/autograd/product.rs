//! The matrix product of arrays, one for every entry of their leading axes; on several cores where that pays.

use std::sync::OnceLock;
use std::thread;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewD, ArrayViewMut2, ArrayViewMutD, Axis, Ix2, IxDyn};

use super::Real;
use super::broadcast::stretched;
use super::tensor::{Shared, standard, zeros};

/// a · b over the last two axes; leading axes broadcast.
pub(super) fn product<A: Real>(a: &Shared<A>, b: &Shared<A>) -> Shared<A> {
    let [(n, k), (_, m)] = [a, b].map(|x| (x.shape()[x.ndim() - 2], x.shape()[x.ndim() - 1]));
    if a.ndim() == 2 && b.ndim() == 2 {
        return batch(a.view(), b.view(), &[n, m]);
    }
    if b.ndim() == 2 && k > 0 {
        // One matrix for the whole batch: then the batch is one tall matrix.
        let tall = reshaped(a.clone(), &[a.len() / k, k]);
        let shape = [&a.shape()[..a.ndim() - 1], &[m]].concat();
        return reshaped(product(&tall, b), &shape);
    }
    let leading =
        stretched(&a.shape()[..a.ndim() - 2], &b.shape()[..b.ndim() - 2]).expect("matmul compared the shapes");
    let shape = |rows, columns| [leading.as_slice(), &[rows, columns]].concat();
    let (a, b) = (a.broadcast(IxDyn(&shape(n, k))), b.broadcast(IxDyn(&shape(k, m))));
    batch(a.expect("leading axes stretch"), b.expect("leading axes stretch"), &shape(n, m))
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
const WORTH_A_THREAD: usize = 1 << 20;

/// How many threads run at the same time on this machine.
fn cores() -> usize {
    // Asking takes longer than a small product.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, Into::into))
}

/// The products of matrices whose leading axes are the same, in an array of this shape.
fn batch<A: Real>(a: ArrayViewD<A>, b: ArrayViewD<A>, shape: &[usize]) -> Shared<A> {
    let mut result = zeros(shape);
    let multiplications = result.len() * a.shape()[a.ndim() - 1];
    if multiplications > 0 {
        let threads = if multiplications < WORTH_A_THREAD { 1 } else { cores() };
        write(a, b, result.view_mut(), threads);
    }
    result
}

/// Writes the products, the first axis divided among the threads.
fn write<A: Real>(a: ArrayViewD<A>, b: ArrayViewD<A>, result: ArrayViewMutD<A>, threads: usize) {
    let is_batch = result.ndim() > 2;
    let half = result.shape()[0] / 2;
    if threads > 1 && half > 0 {
        let (a, a_rest) = a.split_at(Axis(0), half);
        // The rows of one product share all of b.
        let (b, b_rest) = if is_batch { b.split_at(Axis(0), half) } else { (b.clone(), b) };
        let (result, result_rest) = result.split_at(Axis(0), half);
        thread::scope(|scope| {
            scope.spawn(move || write(a, b, result, threads / 2));
            write(a_rest, b_rest, result_rest, threads - threads / 2);
        });
    } else if is_batch {
        let mut result = result;
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
    let (columns, b) = (b.ncols(), b.as_standard_layout());
    let b = b.as_slice().expect("it is in row-major order");
    let result = result.as_slice_mut().expect("results are in row-major order");
    for (a, row) in a.outer_iter().zip(result.chunks_exact_mut(columns)) {
        for (&a, b) in a.iter().zip(b.chunks_exact(columns)) {
            for (sum, &b) in row.iter_mut().zip(b) {
                *sum += a * b;
            }
        }
    }
}
