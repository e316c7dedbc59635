//! Operations that move numbers and do not change them; their gradients move the same way back.

use std::ops::{Bound, RangeBounds};

use ndarray::{Axis, Slice};

use super::array::{shared, slice as numbers, slice_mut, standard};
use super::product::reshaped;
use super::{Real, Tensor};

/// Moves the axes: axis i of y is axis `axes[i]` of x, and axis `axes[i]` of dx is axis i of dy.
pub(super) fn permute<A: Real>(x: &Tensor<A>, axes: &[usize]) -> Tensor<A> {
    let mut back = vec![0; axes.len()];
    for (to, &from) in axes.iter().enumerate() {
        back[from] = to;
    }
    let y = x.value().permuted_axes(axes);
    Tensor::result("permutation", y, [x.clone()], move |dy, [x]| x.accumulate(|| dy.permuted_axes(&back[..])))
}

/// Exchanges two axes of x, and those of dy back.
pub(super) fn swap_axes<A: Real>(x: &Tensor<A>, one: usize, other: usize) -> Tensor<A> {
    let mut y = x.value();
    y.swap_axes(one, other);
    Tensor::result("transposition", y, [x.clone()], move |mut dy, [x]| {
        x.accumulate(|| {
            dy.swap_axes(one, other);
            dy
        });
    })
}

/// The same numbers in another shape.
pub(super) fn reshape<A: Real>(x: &Tensor<A>, shape: &[usize]) -> Tensor<A> {
    let y = reshaped(x.value(), shape);
    Tensor::result("reshape", y, [x.clone()], |dy, [x]| x.accumulate(|| reshaped(dy, x.shape())))
}

/// Entries `start` to `end` of an axis: dx of these is dy, and of the others 0.
pub(super) fn slice<A: Real>(x: &Tensor<A>, axis: usize, start: usize, end: usize) -> Tensor<A> {
    let mut y = x.value();
    y.slice_axis_inplace(Axis(axis), Slice::from(start..end));
    Tensor::result("slice", y, [x.clone()], move |dy, [x]| {
        let entry: usize = x.shape()[axis + 1..].iter().product();
        let (all, part) = (x.shape()[axis] * entry, (end - start) * entry);
        let dy = standard(dy);
        x.accumulate_in(|dx| {
            if part > 0 {
                for (dx, dy) in slice_mut(dx).chunks_exact_mut(all).zip(numbers(&dy).chunks_exact(part)) {
                    dx[start * entry..].iter_mut().zip(dy).for_each(|(dx, &dy)| *dx += dy);
                }
            }
        });
    })
}

/// All tensors one after the other along an axis; each has its part of dy.
pub(super) fn concat<A: Real>(tensors: &[Tensor<A>], axis: usize) -> Tensor<A> {
    let values: Vec<_> = tensors.iter().map(Tensor::standard).collect();
    let mut shape = tensors[0].shape().to_vec();
    shape[axis] = tensors.iter().map(|tensor| tensor.shape()[axis]).sum();
    let count: usize = shape[..axis].iter().product();
    let mut y = Vec::with_capacity(shape.iter().product());
    for i in 0..count {
        for value in &values {
            let part = value.len() / count;
            y.extend_from_slice(&numbers(value)[i * part..(i + 1) * part]);
        }
    }
    Tensor::result_of_list("concatenation", shared(&shape, y), tensors.into(), move |dy, tensors| {
        let mut start = 0;
        for tensor in tensors {
            let end = start + tensor.shape()[axis];
            tensor.accumulate(|| {
                let mut part = dy.clone();
                part.slice_axis_inplace(Axis(axis), Slice::from(start..end));
                part
            });
            start = end;
        }
    })
}

impl<A: Real> Tensor<A> {
    /// The tensor with its axes in another order: axis i of the result is axis `axes[i]` of this tensor. Nothing is
    /// copied.
    ///
    /// # Panics
    ///
    /// If `axes` does not name every axis once.
    #[track_caller]
    pub fn permute(&self, axes: impl AsRef<[usize]>) -> Self {
        let axes = axes.as_ref();
        assert_permutation(self.shape(), axes);
        (A::OPERATIONS.permute)(self, axes)
    }

    /// The tensor with two axes exchanged; negative ones count from the last, -1. Nothing is copied.
    ///
    /// # Panics
    ///
    /// If there is no such axis.
    #[track_caller]
    pub fn swap_axes(&self, one: isize, other: isize) -> Self {
        let (one, other) = (axis_of(self.shape(), one), axis_of(self.shape(), other));
        (A::OPERATIONS.swap_axes)(self, one, other)
    }

    /// Every matrix transposed: the last two axes exchanged. Nothing is copied.
    ///
    /// # Panics
    ///
    /// If there are fewer than two axes.
    #[track_caller]
    pub fn transpose(&self) -> Self {
        assert!(self.ndim() >= 2, "transpose needs a matrix, not a tensor of shape {:?}", self.shape());
        self.swap_axes(-2, -1)
    }

    /// The same numbers, in row-major order, in another shape.
    ///
    /// # Panics
    ///
    /// If that shape does not hold as many numbers.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let x = Tensor::new(array![1.0, 2.0, 3.0, 4.0]);
    /// assert_eq!(x.reshape([2, 2]).value(), array![[1.0, 2.0], [3.0, 4.0]].into_dyn());
    /// ```
    #[track_caller]
    pub fn reshape(&self, shape: impl AsRef<[usize]>) -> Self {
        let shape = shape.as_ref();
        assert_as_many(self.shape(), shape);
        (A::OPERATIONS.reshape)(self, shape)
    }

    /// A new axis of length 1 at this place; -1 is after the last.
    ///
    /// # Panics
    ///
    /// If the place is beyond the last axis.
    #[track_caller]
    pub fn insert_axis(&self, axis: isize) -> Self {
        let mut shape = self.shape().to_vec();
        shape.insert(place_of(&shape, axis), 1);
        self.reshape(shape)
    }

    /// Without this axis, whose length is 1.
    ///
    /// # Panics
    ///
    /// If there is no such axis or its length is not 1.
    #[track_caller]
    pub fn remove_axis(&self, axis: isize) -> Self {
        let mut shape = self.shape().to_vec();
        let axis = axis_of(&shape, axis);
        assert!(
            shape[axis] == 1,
            "only an axis of length 1 can be removed, and axis {axis} of shape {shape:?} is longer"
        );
        shape.remove(axis);
        self.reshape(shape)
    }

    /// A range of entries of an axis, such as `1..3`, `1..` or `..`. Nothing is copied.
    ///
    /// # Panics
    ///
    /// If there is no such axis, or if the range reaches beyond it.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let x = Tensor::new(array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    /// assert_eq!(x.slice(1, 1..).value(), array![[2.0, 3.0], [5.0, 6.0]].into_dyn());
    /// ```
    #[track_caller]
    pub fn slice(&self, axis: isize, range: impl RangeBounds<usize>) -> Self {
        let (axis, start, end) = part(self.shape(), axis, (range.start_bound().cloned(), range.end_bound().cloned()));
        (A::OPERATIONS.slice)(self, axis, start, end)
    }

    /// One entry of an axis, which is gone from the result; a negative index counts from the last, -1.
    ///
    /// # Panics
    ///
    /// If there is no such axis or no such entry.
    #[track_caller]
    pub fn index_axis(&self, axis: isize, index: isize) -> Self {
        let axis = axis_of(self.shape(), axis) as isize;
        let index = entry_of(self.shape(), axis as usize, index);
        self.slice(axis, index..=index).remove_axis(axis)
    }

    /// The tensors one after the other along an axis.
    ///
    /// # Panics
    ///
    /// If there is none, or if they differ in the length of another axis.
    ///
    /// ```
    /// use d2l::autograd::Tensor;
    /// use ndarray::array;
    ///
    /// let (a, b) = (Tensor::new(array![[1.0], [2.0]]), Tensor::new(array![[3.0], [4.0]]));
    /// assert_eq!(Tensor::concat(&[a, b], 1).value(), array![[1.0, 3.0], [2.0, 4.0]].into_dyn());
    /// ```
    #[track_caller]
    pub fn concat(tensors: &[Self], axis: isize) -> Self {
        let shapes: Vec<&[usize]> = tensors.iter().map(Self::shape).collect();
        let axis = assert_join("concat", &shapes, Some(axis));
        (A::OPERATIONS.concat)(tensors, axis)
    }

    /// The tensors, all of one shape, as the entries of a new axis.
    ///
    /// # Panics
    ///
    /// If there is none, or if their shapes differ.
    #[track_caller]
    pub fn stack(tensors: &[Self], axis: isize) -> Self {
        let shapes: Vec<&[usize]> = tensors.iter().map(Self::shape).collect();
        assert_join("stack", &shapes, None);
        let tensors: Vec<Self> = tensors.iter().map(|tensor| tensor.insert_axis(axis)).collect();
        Self::concat(&tensors, axis)
    }
}

/// The number below `length` that is meant, if there is one; a negative one counts from the end.
fn counted(length: usize, number: isize) -> Option<usize> {
    let counted = if number < 0 { length.checked_add_signed(number) } else { Some(number.unsigned_abs()) };
    counted.filter(|&counted| counted < length)
}

#[track_caller]
pub(super) fn axis_of(shape: &[usize], axis: isize) -> usize {
    let Some(counted) = counted(shape.len(), axis) else {
        panic!("there is no axis {axis} in shape {shape:?}, which has {} axes", shape.len());
    };
    counted
}

#[track_caller]
fn place_of(shape: &[usize], axis: isize) -> usize {
    let Some(counted) = counted(shape.len() + 1, axis) else {
        panic!("there is no place {axis} for a new axis in shape {shape:?}, which has {} axes", shape.len());
    };
    counted
}

#[track_caller]
fn entry_of(shape: &[usize], axis: usize, index: isize) -> usize {
    let length = shape[axis];
    let Some(counted) = counted(length, index) else {
        panic!("there is no entry {index} on axis {axis} of shape {shape:?}, whose length is {length}");
    };
    counted
}

#[track_caller]
fn part(shape: &[usize], axis: isize, range: (Bound<usize>, Bound<usize>)) -> (usize, usize, usize) {
    let axis = axis_of(shape, axis);
    let start = match range.0 {
        Bound::Included(start) => start,
        Bound::Excluded(before) => before + 1,
        Bound::Unbounded => 0,
    };
    let end = match range.1 {
        Bound::Included(last) => last + 1,
        Bound::Excluded(end) => end,
        Bound::Unbounded => shape[axis],
    };
    assert!(
        start <= end && end <= shape[axis],
        "the range {start}..{end} does not fit axis {axis} of shape {shape:?}, whose length is {}",
        shape[axis]
    );
    (axis, start, end)
}

#[track_caller]
fn assert_permutation(shape: &[usize], axes: &[usize]) {
    let mut sorted = axes.to_vec();
    sorted.sort_unstable();
    assert!(
        sorted.into_iter().eq(0..shape.len()),
        "permute: axes {axes:?} do not fit shape {shape:?}: they name each of its {} axes once",
        shape.len()
    );
}

#[track_caller]
fn assert_as_many(from: &[usize], to: &[usize]) {
    let [old, new]: [usize; 2] = [from, to].map(|shape| shape.iter().product());
    assert!(
        old == new,
        "reshape: shapes {from:?} and {to:?} do not fit: both have to hold as many numbers, not {old} and {new}"
    );
}

/// Which axis to join along: that of the name, or none if all shapes are to be equal.
#[track_caller]
fn assert_join(operation: &str, shapes: &[&[usize]], axis: Option<isize>) -> usize {
    let Some((&first, others)) = shapes.split_first() else { panic!("{operation} needs at least one tensor") };
    let axis = axis.map_or(usize::MAX, |axis| axis_of(first, axis));
    for &other in others {
        let fits = other.len() == first.len() && (0..first.len()).all(|i| i == axis || first[i] == other[i]);
        assert!(
            fits,
            "{operation}: shapes {first:?} and {other:?} do not fit: {}",
            if operation == "stack" {
                "they have to be equal"
            } else {
                "lengths have to be equal except on the axis to join along"
            }
        );
    }
    axis
}
