//! softmax(Q Kᵀ / √d) V as one operation, set by set of a batch, and beside it its derivative.
//!
//! Scores, weights and mixtures of one set of queries and keys are made and used while they are at hand, and the sets are
//! divided among the cores where that pays.

use std::borrow::Cow;
use std::thread;

use ndarray::ArrayView2;

use crate::attention::compiled::softmax_rows;
use crate::autograd::parallel::threads;
use crate::autograd::{MULTIPLICATIONS_A_STEP, Real, Shared, Tensor, float, multiply, shared, slice, standard};

/// Y = (W ∘ R) V with W = softmax(Q Kᵀ / √d), and W itself. R are dropout's factors.
///
/// dV = (W ∘ R)ᵀ dY; with dW = R ∘ (dY Vᵀ) the scores' share is dS = W ∘ (dW - Σ W ∘ dW) / √d, row by row, and so
/// dQ = dS K and dK = dSᵀ Q. Row i of W is over the first `visible[i]` keys.
pub(super) fn attend<A: Real>(
    [queries, keys, values]: [&Tensor<A>; 3],
    visible: Vec<usize>,
    factors: Option<Shared<A>>,
) -> (Tensor<A>, Shared<A>) {
    let parents = [queries, keys, values].map(Tensor::clone);
    let (leading, ends) = queries.shape().split_at(queries.ndim() - 2);
    let &[m, d_v] = &values.shape()[leading.len()..] else { unreachable!("values are .. x m x d_v") };
    let sizes = Sizes { n: ends[0], m, d: ends[1], d_v };
    let count = leading.iter().product();
    let operands =
        Operands { arrays: parents.each_ref().map(|parent| standard(parent.value())), factors, visible, count, sizes };

    let mut weights = vec![A::zero(); count * sizes.n * m];
    let mut y = vec![A::zero(); count * sizes.n * d_v];
    forward(operands.all(), &mut weights, &mut y, operands.threads());

    let array = |columns, numbers| shared(&[leading, &[sizes.n, columns]].concat(), numbers);
    let (weights, y) = (array(m, weights), array(d_v, y));
    let kept = weights.clone();
    let output = Tensor::result("attention", y, parents, move |dy, parents| {
        let mut gradients = parents.each_ref().map(|parent| vec![A::zero(); parent.shape().iter().product()]);
        let dy = standard(dy);
        let [dq, dk, dv] = gradients.each_mut().map(Vec::as_mut_slice);
        backward(operands.all(), [slice(&weights), slice(&dy)], [dq, dk, dv], operands.threads());
        for (parent, gradient) in parents.iter().zip(gradients) {
            parent.accumulate(|| shared(parent.shape(), gradient));
        }
    });
    (output, kept)
}

/// How many sets of n queries of length d there are, each with m keys of that length and m values of length d_v.
#[derive(Clone, Copy)]
struct Sizes {
    n: usize,
    m: usize,
    d: usize,
    d_v: usize,
}

/// What attention is computed from, in row-major order.
struct Operands<A> {
    /// Queries, keys and values.
    arrays: [Shared<A>; 3],
    factors: Option<Shared<A>>,
    visible: Vec<usize>,
    count: usize,
    sizes: Sizes,
}

/// A part of the sets, or one of them.
#[derive(Clone, Copy)]
struct Sets<'a, A> {
    q: &'a [A],
    k: &'a [A],
    v: &'a [A],
    factors: Option<&'a [A]>,
    visible: &'a [usize],
    count: usize,
    sizes: Sizes,
}

impl<A: Real> Operands<A> {
    fn all(&self) -> Sets<'_, A> {
        let [q, k, v] = self.arrays.each_ref().map(slice);
        let factors = self.factors.as_ref().map(slice);
        Sets { q, k, v, factors, visible: &self.visible, count: self.count, sizes: self.sizes }
    }

    fn threads(&self) -> usize {
        let Sizes { n, m, d, d_v } = self.sizes;
        threads(self.count * n * m * (d + d_v) / MULTIPLICATIONS_A_STEP)
    }
}

impl<A: Real> Sets<'_, A> {
    /// Those before and those from a place on.
    fn split(&self, at: usize) -> [Self; 2] {
        let Sizes { n, m, d, d_v } = self.sizes;
        let part = |from: usize, to: usize| Sets {
            q: &self.q[from * n * d..to * n * d],
            k: &self.k[from * m * d..to * m * d],
            v: &self.v[from * m * d_v..to * m * d_v],
            factors: self.factors.map(|factors| &factors[from * n * m..to * n * m]),
            visible: &self.visible[from * n..to * n],
            count: to - from,
            sizes: self.sizes,
        };
        [part(0, at), part(at, self.count)]
    }
}

/// What one set is computed from.
impl<'a, A: Real> Sets<'a, A> {
    /// Queries, keys and values.
    fn matrices(&self) -> [ArrayView2<'a, A>; 3] {
        let Sizes { d, d_v, .. } = self.sizes;
        [self.matrix(self.q, d), rows(self.k, self.sizes.m, d), rows(self.v, self.sizes.m, d_v)]
    }

    /// Numbers of the queries, so many of each.
    fn matrix<'b>(&self, numbers: &'b [A], columns: usize) -> ArrayView2<'b, A> {
        rows(numbers, self.sizes.n, columns)
    }

    /// What stands for every query and key, as dropout lets it through.
    fn dropped<'b>(&self, numbers: &'b [A]) -> Cow<'b, [A]> {
        match self.factors {
            Some(factors) => numbers.iter().zip(factors).map(|(&number, &factor)| number * factor).collect(),
            None => Cow::Borrowed(numbers),
        }
    }

    /// 1/√d; vectors of length 0 score 0 whatever it is.
    fn scale(&self) -> A {
        float(1.0 / (self.sizes.d.max(1) as f64).sqrt())
    }
}

fn rows<A>(numbers: &[A], rows: usize, columns: usize) -> ArrayView2<'_, A> {
    ArrayView2::from_shape((rows, columns), numbers).expect("the numbers fill the rows")
}

/// The weights and mixtures of the sets.
fn forward<A: Real>(sets: Sets<A>, weights: &mut [A], y: &mut [A], threads: usize) {
    match sets.count {
        0 => return,
        1 => return forward_one(sets, weights, y),
        _ => {}
    }
    let (Sizes { n, m, d_v, .. }, half) = (sets.sizes, sets.count / 2);
    let [first, rest] = sets.split(half);
    let (weights, weights_rest) = weights.split_at_mut(half * n * m);
    let (y, y_rest) = y.split_at_mut(half * n * d_v);
    let mut one = |threads| forward(first, weights, y, threads);
    let mut other = |threads| forward(rest, weights_rest, y_rest, threads);
    both(threads, &mut one, &mut other);
}

fn forward_one<A: Real>(set: Sets<A>, weights: &mut [A], y: &mut [A]) {
    let [q, k, v] = set.matrices();
    multiply(q, k.t(), weights);
    weights.iter_mut().for_each(|score| *score *= set.scale());
    softmax_rows(weights, set.sizes.m, set.visible);
    multiply(set.matrix(&set.dropped(weights), set.sizes.m), v, y);
}

/// The gradients of the sets' queries, keys and values, from their weights and the gradient of their mixtures.
fn backward<A: Real>(sets: Sets<A>, [weights, dy]: [&[A]; 2], [dq, dk, dv]: [&mut [A]; 3], threads: usize) {
    match sets.count {
        0 => return,
        1 => return backward_one(sets, [weights, dy], [dq, dk, dv]),
        _ => {}
    }
    let (Sizes { n, m, d, d_v }, half) = (sets.sizes, sets.count / 2);
    let [first, rest] = sets.split(half);
    let (weights, weights_rest) = weights.split_at(half * n * m);
    let (dy, dy_rest) = dy.split_at(half * n * d_v);
    let (dq, dq_rest) = dq.split_at_mut(half * n * d);
    let (dk, dk_rest) = dk.split_at_mut(half * m * d);
    let (dv, dv_rest) = dv.split_at_mut(half * m * d_v);
    let mut one = |threads| backward(first, [weights, dy], [dq, dk, dv], threads);
    let mut other = |threads| backward(rest, [weights_rest, dy_rest], [dq_rest, dk_rest, dv_rest], threads);
    both(threads, &mut one, &mut other);
}

fn backward_one<A: Real>(set: Sets<A>, [weights, dy]: [&[A]; 2], [dq, dk, dv]: [&mut [A]; 3]) {
    let ([q, k, v], Sizes { m, d_v, .. }) = (set.matrices(), set.sizes);
    let dy = set.matrix(dy, d_v);
    multiply(set.matrix(&set.dropped(weights), m).t(), dy, dv);
    let mut dw = vec![A::zero(); weights.len()];
    multiply(dy, v.t(), &mut dw);
    let mut ds = set.dropped(&dw).into_owned();
    if m > 0 {
        for (ds, w) in ds.chunks_exact_mut(m).zip(weights.chunks_exact(m)) {
            let share = w.iter().zip(&*ds).fold(A::zero(), |sum, (&w, &dw)| sum + w * dw);
            ds.iter_mut().zip(w).for_each(|(ds, &w)| *ds = w * (*ds - share) * set.scale());
        }
    }
    let ds = set.matrix(&ds, m);
    multiply(ds, k, dq);
    multiply(ds.t(), q, dk);
}

/// Does two things at the same time, or one after the other where there is but one thread. One copy for all that is done:
/// starting threads is much code.
fn both(threads: usize, one: &mut (dyn FnMut(usize) + Send), other: &mut dyn FnMut(usize)) {
    if threads > 1 {
        thread::scope(|scope| {
            scope.spawn(move || one(threads / 2));
            other(threads - threads / 2);
        });
    } else {
        one(threads);
        other(threads);
    }
}
