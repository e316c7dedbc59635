//! The matrix product of arrays, one for every entry of their leading axes; on several cores where that pays.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayRef, ArrayView2, ArrayViewD, ArrayViewMut2, Axis, Dimension, Ix2, IxDyn, ShapeBuilder};

use super::Real;
use super::array::{Shared, shared, standard};
use super::broadcast::stretched;
use super::parallel::{both, threads};

/// a · b over the last two axes; leading axes broadcast.
pub(super) fn product<A: Real>(a: &Shared<A>, b: &Shared<A>) -> Shared<A> {
    product_on(usize::MAX, a, b)
}

/// The [`product`], computed by so many threads at most.
pub(super) fn product_on<A: Real>(most: usize, a: &Shared<A>, b: &Shared<A>) -> Shared<A> {
    let [(n, k), (_, m)] = [a, b].map(|x| (x.shape()[x.ndim() - 2], x.shape()[x.ndim() - 1]));
    if a.ndim() == 2 && b.ndim() == 2 {
        if (1..=SMALL).contains(&(n * k * m))
            && let (Some(a), Some(b)) = (Matrix::of(a), Matrix::of(b))
        {
            let mut result = vec![A::zero(); n * m];
            multiply_plain(a, b, &mut result, m);
            return shared(&[n, m], result);
        }
        return products(most, a.view(), b.view(), &[n, m]);
    }
    if b.ndim() == 2 && k > 0 {
        // One matrix for the whole batch: then the batch is one tall matrix.
        let tall = reshaped(a.clone(), &[a.len() / k, k]);
        let shape = [&a.shape()[..a.ndim() - 1], &[m]].concat();
        return reshaped(product_on(most, &tall, b), &shape);
    }
    let leading =
        stretched(&a.shape()[..a.ndim() - 2], &b.shape()[..b.ndim() - 2]).expect("matmul compared the shapes");
    let shape = |rows, columns| [leading.as_slice(), &[rows, columns]].concat();
    let (a, b) = (a.broadcast(IxDyn(&shape(n, k))), b.broadcast(IxDyn(&shape(k, m))));
    products(most, a.expect("leading axes stretch"), b.expect("leading axes stretch"), &shape(n, m))
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

/// The products of matrices whose leading axes are the same, in an array of this shape.
fn products<A: Real>(most: usize, a: ArrayViewD<A>, b: ArrayViewD<A>, shape: &[usize]) -> Shared<A> {
    let mut result = vec![A::zero(); shape.iter().product()];
    let multiplications = result.len() * a.shape()[a.ndim() - 1];
    if multiplications > 0 {
        write(a, b, &mut result, threads(multiplications / MULTIPLICATIONS_A_STEP).min(most));
    }
    shared(shape, result)
}

/// Writes the products in row-major order, the first axis divided among the threads.
fn write<A: Real>(a: ArrayViewD<A>, b: ArrayViewD<A>, result: &mut [A], threads: usize) {
    let (is_batch, length) = (a.ndim() > 2, a.shape()[0]);
    let each = result.len() / length;
    if threads > 1 && length > 1 {
        let half = length / 2;
        let (a, a_rest) = a.split_at(Axis(0), half);
        // The rows of one product share all of b.
        let (b, b_rest) = if is_batch { b.split_at(Axis(0), half) } else { (b.clone(), b) };
        let (result, result_rest) = result.split_at_mut(half * each);
        let mut one = |threads| write(a.view(), b.view(), result, threads);
        let mut other = |threads| write(a_rest.view(), b_rest.view(), result_rest, threads);
        both(threads, &mut one, &mut other);
    } else if is_batch {
        for ((a, b), result) in a.outer_iter().zip(b.outer_iter()).zip(result.chunks_exact_mut(each)) {
            write(a, b, result, threads);
        }
    } else {
        let [a, b] = [a, b].map(|x| x.into_dimensionality::<Ix2>().expect("two axes are left"));
        multiply(a, b, result);
    }
}

/// What a core multiplies and adds in a nanosecond or so.
pub(crate) const MULTIPLICATIONS_A_STEP: usize = 10;

/// Writes the product of two matrices, in row-major order, where there were zeros.
fn multiply<A: Real>(a: ArrayView2<A>, b: ArrayView2<A>, result: &mut [A]) {
    let (n, k, m) = (a.nrows(), a.ncols(), b.ncols());
    match [Matrix::of(&a), Matrix::of(&b)] {
        _ if result.is_empty() => {}
        [Some(a), Some(b)] if n * k * m <= SMALL => multiply_plain(a, b, result, m),
        _ => multiply_fast(a, b, result, m),
    }
}

/// Writes the product of two matrices where there were zeros; its rows begin `width` numbers apart.
pub(crate) fn multiply_into<A: Real>(a: Matrix<A>, b: Matrix<A>, result: &mut [A], width: usize) {
    match a.rows * a.columns * b.columns {
        0 => {}
        1..=SMALL => multiply_plain(a, b, result, width),
        _ => multiply_fast(a.view(), b.view(), result, width),
    }
}

/// Up to so many multiplications, packing the matrices for the fast product takes longer than a plain one.
const SMALL: usize = 2048;

/// A matrix in a slice that begins with its first number, and how far away the next row and the next column are.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a, A> {
    numbers: &'a [A],
    rows: usize,
    columns: usize,
    row: usize,
    column: usize,
}

impl<'a, A: Real> Matrix<'a, A> {
    /// So many rows and columns; rows begin `width` numbers apart.
    pub fn new(numbers: &'a [A], [rows, columns]: [usize; 2], width: usize) -> Self {
        Self { numbers, rows, columns, row: width, column: 1 }
    }

    /// Nothing for matrices with gaps or running backwards.
    fn of<D: Dimension>(matrix: &'a ArrayRef<A, D>) -> Option<Self> {
        let [row, column] = [matrix.strides()[0], matrix.strides()[1]].map(usize::try_from);
        let (numbers, (row, column)) = (matrix.as_slice_memory_order()?, (row.ok()?, column.ok()?));
        Some(Self { numbers, rows: matrix.shape()[0], columns: matrix.shape()[1], row, column })
    }

    /// Rows for columns.
    pub fn t(self) -> Self {
        Self { rows: self.columns, columns: self.rows, row: self.column, column: self.row, ..self }
    }

    fn view(self) -> ArrayView2<'a, A> {
        let shape = (self.rows, self.columns).strides((self.row, self.column));
        ArrayView2::from_shape(shape, self.numbers).expect("the slice holds the matrix")
    }
}

fn multiply_fast<A: Real>(a: ArrayView2<A>, b: ArrayView2<A>, result: &mut [A], width: usize) {
    let shape = (a.nrows(), b.ncols()).strides((width, 1));
    let mut result = ArrayViewMut2::from_shape(shape, result).expect("there is room for the product");
    general_mat_mul(A::one(), &a, &b, A::zero(), &mut result);
}

/// Adds the product to zeros.
fn multiply_plain<A: Real>(a: Matrix<A>, b: Matrix<A>, result: &mut [A], width: usize) {
    for (i, sums) in result.chunks_mut(width).take(a.rows).enumerate() {
        let sums = &mut sums[..b.columns];
        for j in 0..a.columns {
            let (a, b_row) = (a.numbers[i * a.row + j * a.column], &b.numbers[j * b.row..]);
            if b.column == 1 {
                sums.iter_mut().zip(b_row).for_each(|(sum, &b)| *sum += a * b);
            } else {
                sums.iter_mut().zip(b_row.iter().step_by(b.column)).for_each(|(sum, &b)| *sum += a * b);
            }
        }
    }
}
