//! Broadcasting, as in NumPy: shapes are aligned at their last axes, and an axis of length 1, or one that is missing, is
//! stretched to the other's length.

use super::Real;
use super::array::{Shared, shared, slice, standard};

#[track_caller]
pub(super) fn assert_broadcast(operation: &str, a: &[usize], b: &[usize]) {
    let fits = a.iter().rev().zip(b.iter().rev()).all(|(&a, &b)| a == b || a == 1 || b == 1);
    assert!(
        fits,
        "{operation}: shapes {a:?} and {b:?} do not fit: aligned at the last axis, lengths have to be equal, or one of them 1"
    );
}

/// The shape that both shapes are stretched to, if there is one.
pub(super) fn stretched(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let (longer, shorter) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut shape = longer.to_vec();
    for (length, &other) in shape.iter_mut().rev().zip(shorter.iter().rev()) {
        match (*length, other) {
            (length, other) if length == other => {}
            (1, other) => *length = other,
            (_, 1) => {}
            _ => return None,
        }
    }
    Some(shape)
}

/// How to walk along two row-major arrays stretched to one shape: axes that both pass through alike are merged, and the
/// innermost of what remains is a run in which each array goes on by one or stays.
struct Runs {
    run: Axis,
    outer: Vec<Axis>,
}

#[derive(Clone, Copy)]
struct Axis {
    length: usize,
    /// How far one step goes in each array; 0 along an axis that is stretched.
    steps: [usize; 2],
}

impl Runs {
    #[inline(never)]
    fn new(shape: &[usize], a: &[usize], b: &[usize]) -> Self {
        let (mut run, mut outer): (Option<Axis>, Vec<Axis>) = (None, Vec::new());
        let mut sizes = [1, 1];
        for (i, &length) in shape.iter().rev().enumerate() {
            let mut steps = [0, 0];
            for (side, other) in [a, b].into_iter().enumerate() {
                if i < other.len() && other[other.len() - 1 - i] == length {
                    steps[side] = sizes[side];
                    sizes[side] *= length;
                }
            }
            if length == 1 {
                continue;
            }
            let last = outer.last_mut().or(run.as_mut());
            match last {
                Some(last) if (0..2).all(|side| steps[side] == last.steps[side] * last.length) => last.length *= length,
                Some(_) => outer.push(Axis { length, steps }),
                None => run = Some(Axis { length, steps }),
            }
        }
        Self { run: run.unwrap_or(Axis { length: 1, steps: [1, 1] }), outer }
    }

    /// Calls `visit` with the places in both arrays at which a run begins, run after run.
    fn for_each(&self, visit: &mut dyn FnMut(usize, usize)) {
        if self.run.length == 0 || self.outer.iter().any(|axis| axis.length == 0) {
            return;
        }
        let mut index = vec![0; self.outer.len()];
        let mut place = [0, 0];
        loop {
            visit(place[0], place[1]);
            let mut axes = self.outer.iter().zip(&mut index);
            loop {
                let Some((axis, index)) = axes.next() else { return };
                *index += 1;
                for (place, step) in place.iter_mut().zip(axis.steps) {
                    *place += step;
                }
                if *index < axis.length {
                    break;
                }
                *index = 0;
                for (place, step) in place.iter_mut().zip(axis.steps) {
                    *place -= step * axis.length;
                }
            }
        }
    }
}

/// f of every pair of numbers of two arrays stretched to `shape`.
pub(super) fn zip<A: Real>(shape: &[usize], a: &Shared<A>, b: &Shared<A>, f: impl Fn(A, A) -> A) -> Shared<A> {
    zip_runs(shape, a, b, &|result, a, b| result.extend(a.iter().zip(b).map(|(&a, &b)| f(a, b))))
}

/// As many copies of a stretched number are made at a time: they stay at hand while they are computed with.
const BLOCK: usize = 512;

/// Appends f of every pair of numbers of two slices, which are equally long.
type Append<'a, A> = dyn Fn(&mut Vec<A>, &[A], &[A]) + 'a;

/// One copy for all functions: only what appends is compiled for each.
fn zip_runs<A: Real>(shape: &[usize], a: &Shared<A>, b: &Shared<A>, append: &Append<A>) -> Shared<A> {
    let runs = Runs::new(shape, a.shape(), b.shape());
    let (a, b) = (standard(a.clone()), standard(b.clone()));
    let (a, b) = (slice(&a), slice(&b));
    let length = runs.run.length;
    let mut result = Vec::with_capacity(shape.iter().product());
    let [a_stays, b_stays] = runs.run.steps.map(|step| step == 0);
    if !a_stays && !b_stays {
        runs.for_each(&mut |i, j| append(&mut result, &a[i..i + length], &b[j..j + length]));
        return shared(shape, result);
    }
    let mut copies = vec![A::zero(); length.min(BLOCK)];
    runs.for_each(&mut |i, j| {
        copies.fill(if a_stays { a[i] } else { b[j] });
        for start in (0..length).step_by(BLOCK) {
            let block = start..length.min(start + BLOCK);
            let copies = &copies[..block.len()];
            match a_stays {
                true => append(&mut result, copies, &b[j..][block]),
                false => append(&mut result, &a[i..][block], copies),
            }
        }
    });
    shared(shape, result)
}

/// The way back from broadcasting: numbers that were one number before stretching are added up.
pub(super) fn sum_to<A: Real>(shape: &[usize], array: Shared<A>) -> Shared<A> {
    if array.shape() == shape {
        return array;
    }
    let runs = Runs::new(array.shape(), array.shape(), shape);
    let array = standard(array);
    let array = slice(&array);
    let length = runs.run.length;
    let mut sums = vec![A::zero(); shape.iter().product()];
    runs.for_each(&mut |i, j| {
        let run = &array[i..i + length];
        if runs.run.steps[1] == 0 {
            sums[j] += sum(run);
        } else {
            for (sum, &x) in sums[j..j + length].iter_mut().zip(run) {
                *sum += x;
            }
        }
    });
    shared(shape, sums)
}

/// The sum of the numbers, in eight partial sums that do not wait for each other.
pub(super) fn sum<A: Real>(numbers: &[A]) -> A {
    ndarray::aview1(numbers).sum()
}
