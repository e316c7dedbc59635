//! Arrays that tensors share, and their numbers in row-major order.

use ndarray::{ArcArray, Array, ArrayD, ArrayViewD, Axis, Ix4, IxDyn};

use super::Real;

/// Array data that several tensors may share; whoever writes to it while it is shared gets a copy first.
pub(crate) type Shared<A> = ArcArray<A, IxDyn>;

/// The array in row-major order; a copy only if it was not.
#[inline(never)]
pub(crate) fn standard<A: Real>(array: Shared<A>) -> Shared<A> {
    if array.is_standard_layout() {
        return array;
    }
    let mut copy = Vec::with_capacity(array.len());
    copy_rows(array.view(), &mut copy);
    shared(array.shape(), copy)
}

/// Appends the numbers in row-major order. Axes that the compiler counts are walked faster than any number of them.
fn copy_rows<A: Real>(mut array: ArrayViewD<A>, copy: &mut Vec<A>) {
    while array.ndim() < 4 {
        array = array.insert_axis(Axis(0));
    }
    let Ok(four) = array.view().into_dimensionality::<Ix4>() else {
        return array.outer_iter().for_each(|part| copy_rows(part, copy));
    };
    for three in four.outer_iter() {
        for matrix in three.outer_iter() {
            for row in matrix.outer_iter() {
                match row.as_slice() {
                    Some(row) => copy.extend_from_slice(row),
                    None => copy.extend(row.iter()),
                }
            }
        }
    }
}

/// The array with these data in row-major order.
#[inline(never)]
pub(crate) fn shared<A: Real>(shape: &[usize], data: Vec<A>) -> Shared<A> {
    // Counted axes first: their checks take a fraction of the time, which small tensors notice.
    let array = match *shape {
        [] => Array::from_shape_vec((), data).map(Array::into_dyn),
        [n] => Array::from_shape_vec(n, data).map(Array::into_dyn),
        [n, m] => Array::from_shape_vec((n, m), data).map(Array::into_dyn),
        _ => ArrayD::from_shape_vec(shape, data),
    };
    array.expect("the data fill the shape").into_shared()
}

pub(super) fn zeros<A: Real>(shape: &[usize]) -> Shared<A> {
    shared(shape, vec![A::zero(); shape.iter().product()])
}

/// The numbers of an array that is in row-major order.
pub(crate) fn slice<A: Real>(array: &Shared<A>) -> &[A] {
    array.as_slice().expect("the array is in row-major order")
}

/// The numbers of an array that is in row-major order, to change; no longer shared afterwards.
pub(crate) fn slice_mut<A: Real>(array: &mut Shared<A>) -> &mut [A] {
    array.as_slice_mut().expect("the array is in row-major order")
}

/// The sum of two arrays of one shape, in the place of the first if nobody shares it.
pub(super) fn add<A: Real>(sum: Shared<A>, term: Shared<A>) -> Shared<A> {
    let (mut sum, term) = (standard(sum), standard(term));
    for (sum, &term) in slice_mut(&mut sum).iter_mut().zip(slice(&term)) {
        *sum += term;
    }
    sum
}

/// The array with every sign changed.
pub(super) fn negative<A: Real>(array: Shared<A>) -> Shared<A> {
    let array = standard(array);
    shared(array.shape(), slice(&array).iter().map(|&x| -x).collect())
}
