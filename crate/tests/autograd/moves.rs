//! Operations that only move numbers.

use d2l::autograd::Tensor;
use ndarray::array;
use proptest::prelude::*;

use crate::differences::{check, shapes, signed};

proptest! {
    #[test]
    fn permutations(shape in shapes(0..=5), seed in any::<u64>()) {
        let axes: Vec<usize> = (0..shape.len()).collect();
        let mut order = axes.clone();
        // Some order of the axes, settled by the seed.
        order.sort_by_key(|&axis| seed.rotate_left(13 * axis as u32) ^ axis as u64);
        let input = [signed(&shape, 1)];
        check(&input, |x| x[0].permute(&order));
        if let [.., _, _] = axes[..] {
            check(&input, |x| x[0].transpose());
            check(&input, |x| x[0].swap_axes(0, -1) * 2.0);
        }
    }

    #[test]
    fn other_shapes(shape in shapes(1..=3)) {
        let input = [signed(&shape, 1)];
        let all = [shape.iter().product()];
        check(&input, |x| x[0].reshape(all));
        check(&input, |x| x[0].reshape(shape.iter().rev().copied().collect::<Vec<_>>()).exp());
        let axes = shape.len() as isize;
        for axis in -axes - 1..=axes {
            check(&input, |x| x[0].insert_axis(axis));
            let same = Tensor::new(input[0].clone()).insert_axis(axis).remove_axis(axis);
            prop_assert_eq!(same.shape(), &shape[..]);
        }
    }

    #[test]
    fn parts(shape in shapes(1..=3), axis in 0..3usize, bounds in [0..=3usize, 0..=3usize]) {
        let (input, axis) = ([signed(&shape, 1)], axis % shape.len());
        let (start, end) = (bounds[0].min(bounds[1]).min(shape[axis]), bounds[0].max(bounds[1]).min(shape[axis]));
        let axis = axis as isize;
        check(&input, |x| x[0].slice(axis, start..end));
        check(&input, |x| x[0].slice(axis, start..) + x[0].slice(axis, ..shape[axis as usize] - start));
        if start < end {
            check(&input, |x| x[0].index_axis(axis, start as isize));
            check(&input, |x| x[0].index_axis(axis, -1) * x[0].index_axis(axis, start as isize));
        }
    }

    #[test]
    fn joins(shape in shapes(1..=3), axis in 0..3usize, lengths in [0..=3usize, 0..=3usize, 0..=3usize]) {
        let axis = axis % shape.len();
        let parts = lengths.map(|length| {
            let mut shape = shape.clone();
            shape[axis] = length;
            signed(&shape, length as u64)
        });
        check(&parts, |x| Tensor::concat(x, axis as isize));
        check(&parts, |x| Tensor::concat(x, axis as isize - shape.len() as isize));
        let equal = [1, 2].map(|seed| signed(&shape, seed));
        for axis in 0..=shape.len() as isize {
            check(&equal, |x| Tensor::stack(x, axis));
        }
        check(&equal[..1], |x| Tensor::stack(&[x[0].clone(), x[0].clone()], -1));
    }
}

#[test]
fn stack_and_concat_put_numbers_where_numpy_does() {
    let (a, b) = (Tensor::new(array![1.0, 2.0]), Tensor::new(array![3.0, 4.0]));
    let both = [a, b];
    assert_eq!(Tensor::stack(&both, 0).value(), array![[1.0, 2.0], [3.0, 4.0]].into_dyn());
    assert_eq!(Tensor::stack(&both, -1).value(), array![[1.0, 3.0], [2.0, 4.0]].into_dyn());
    assert_eq!(Tensor::concat(&both, 0).value(), array![1.0, 2.0, 3.0, 4.0].into_dyn());
}
