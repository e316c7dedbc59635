//! softmax(Q Kᵀ / √d) V as one operation, head by head of a batch, and beside it its derivative.
//!
//! Scores, weights and mixtures of one head are made and used while they are at hand, and the batch is divided among the
//! cores where that pays.

mod entries;

use std::rc::Rc;

use self::entries::{Entries, Operands, Part, Place, half, zeros};
use super::rotary_positions::Turn;
use crate::attention::compiled::softmax_rows;
use crate::autograd::parallel::both;
use crate::autograd::{Real, Shared, Tensor, multiply_into, shared, slice, standard};

/// Queries, keys and values of all heads, side by side in one tensor or each in its own.
pub(super) struct Inputs<A: Real> {
    /// .. x vectors x columns, with the same leading axes.
    pub tensors: Vec<Tensor<A>>,
    /// Where queries, keys and values stand.
    places: [Place; 3],
    heads: usize,
    /// How queries and keys are turned by their positions.
    pub turns: Option<Rc<[Turn<A>]>>,
}

impl<A: Real> Inputs<A> {
    /// Each in its own tensor, not turned.
    pub fn apart(tensors: [&Tensor<A>; 3], heads: usize) -> Self {
        let length = |place: usize| tensors[place].shape()[tensors[place].ndim() - 1] / heads;
        let places = [0, 1, 2].map(|tensor| Place { tensor, start: 0, length: length(tensor) });
        Self { tensors: tensors.map(Tensor::clone).into(), places, heads, turns: None }
    }

    /// All side by side in one tensor, as long as each other, not turned.
    pub fn together(tensor: Tensor<A>, heads: usize) -> Self {
        let columns = tensor.shape()[tensor.ndim() - 1] / 3;
        let places = [0, 1, 2].map(|kind| Place { tensor: 0, start: kind * columns, length: columns / heads });
        Self { tensors: vec![tensor], places, heads, turns: None }
    }
}

/// Y = (W ∘ R) V with W = softmax(Q Kᵀ / √d), .. x n x heads · d_v, and W itself, .. x heads x n x m. R are dropout's
/// factors.
///
/// dV = (W ∘ R)ᵀ dY; with dW = R ∘ (dY Vᵀ) the scores' share is dS = W ∘ (dW - Σ W ∘ dW) / √d, row by row, and so
/// dQ = dS K and dK = dSᵀ Q. Row i of W is over the first `visible[i]` keys.
pub(super) fn attend<A: Real>(
    Inputs { tensors, places, heads, turns }: Inputs<A>,
    visible: Vec<usize>,
    factors: Option<Shared<A>>,
) -> (Tensor<A>, Shared<A>) {
    let ends = tensors[0].ndim() - 2;
    let leading = tensors[0].shape()[..ends].to_vec();
    let parts = places.map(|place| {
        let &[rows, width] = &tensors[place.tensor].shape()[ends..] else { unreachable!("all have as many axes") };
        Part { place, rows, width }
    });
    let [n, m, length] = [parts[0].rows, parts[1].rows, places[2].length];
    let mixtures = Part { place: Place { tensor: 0, start: 0, length }, rows: n, width: heads * length };
    let arrays = tensors.iter().map(|tensor| standard(tensor.value())).collect();
    let count = leading.iter().product();
    let operands = Operands { arrays, parts, mixtures, heads, factors, visible, turns, count };

    let mut weights = vec![A::zero(); count * heads * n * m];
    let mut y = vec![A::zero(); count * n * mixtures.width];
    forward(&operands.all(), &mut weights, &mut y, operands.threads());

    let weights = shared(&[leading.as_slice(), &[heads, n, m]].concat(), weights);
    let y = shared(&[leading.as_slice(), &[n, mixtures.width]].concat(), y);
    let kept = weights.clone();
    let output = Tensor::result_of_list("attention", y, tensors.into(), move |dy, tensors| {
        let mut gradients: Vec<_> = operands.arrays.iter().map(|array| vec![A::zero(); array.len()]).collect();
        let mut all: Vec<_> = gradients.iter_mut().map(Vec::as_mut_slice).collect();
        let dy = standard(dy);
        backward(&operands.all(), [slice(&weights), slice(&dy)], &mut all, operands.threads());
        for (tensor, gradient) in tensors.iter().zip(gradients) {
            tensor.accumulate(|| shared(tensor.shape(), gradient));
        }
    });
    (output, kept)
}

/// The weights and mixtures of the entries.
fn forward<A: Real>(entries: &Entries<A>, weights: &mut [A], y: &mut [A], threads: usize) {
    if threads > 1 && entries.count > 1 {
        let (weights, weights_rest) = weights.split_at_mut(half(weights.len(), entries.count));
        let (y, y_rest) = y.split_at_mut(half(y.len(), entries.count));
        let [first, rest] = entries.halves();
        let mut one = |threads| forward(&first, weights, y, threads);
        let mut other = |threads| forward(&rest, weights_rest, y_rest, threads);
        return both(threads, &mut one, &mut other);
    }
    let [n, m] = [entries.parts[0].rows, entries.parts[1].rows];
    let (mut turned, mut dropped) = Default::default();
    for (set, entry, head) in entries.heads() {
        let [q, k, v] = entries.matrices(entry, head, &mut turned);
        let (weights, mixtures) = (&mut weights[entries.weights(set)], entries.mixtures);
        multiply_into(q, k.t(), weights, m);
        weights.iter_mut().for_each(|score| *score *= entries.scale());
        softmax_rows(weights, m, &entries.visible[set * n..][..n]);
        let weights = entries.pairs(entries.dropped(set, weights, &mut dropped));
        multiply_into(weights, v, &mut y[mixtures.first(entry, head)..], mixtures.width);
    }
}

/// The gradients of the entries' queries, keys and values, where these stand, from their weights and the gradient of their
/// mixtures.
fn backward<A: Real>(entries: &Entries<A>, [weights, dy]: [&[A]; 2], gradients: &mut [&mut [A]], threads: usize) {
    if threads > 1 && entries.count > 1 {
        let (weights, weights_rest) = weights.split_at(half(weights.len(), entries.count));
        let (dy, dy_rest) = dy.split_at(half(dy.len(), entries.count));
        let halves = gradients.iter_mut().map(|gradient| gradient.split_at_mut(half(gradient.len(), entries.count)));
        let (mut gradients, mut gradients_rest): (Vec<_>, Vec<_>) = halves.unzip();
        let [first, rest] = entries.halves();
        let mut one = |threads| backward(&first, [weights, dy], &mut gradients, threads);
        let mut other = |threads| backward(&rest, [weights_rest, dy_rest], &mut gradients_rest, threads);
        return both(threads, &mut one, &mut other);
    }
    let ([q_part, k_part, v_part], mixtures) = (&entries.parts, entries.mixtures);
    let (mut turned, mut dropped, mut ds, mut memory) = Default::default();
    for (set, entry, head) in entries.heads() {
        let [q, k, v] = entries.matrices(entry, head, &mut turned);
        let (weights, dy) = (&weights[entries.weights(set)], mixtures.matrix(&dy[mixtures.first(entry, head)..]));

        let dropped = entries.pairs(entries.dropped(set, weights, &mut dropped));
        multiply_into(dropped.t(), dy, v_part.of_head(gradients, entry, head), v_part.width);
        // dW, of which row by row dS is made.
        multiply_into(dy, v.t(), zeros(&mut ds, weights.len()), k_part.rows);
        entries.drop(set, &mut ds);
        if k_part.rows > 0 {
            for (ds, w) in ds.chunks_exact_mut(k_part.rows).zip(weights.chunks_exact(k_part.rows)) {
                let share = w.iter().zip(&*ds).fold(A::zero(), |sum, (&w, &dw)| sum + w * dw);
                ds.iter_mut().zip(w).for_each(|(ds, &w)| *ds = w * (*ds - share) * entries.scale());
            }
        }
        let ds = entries.pairs(&ds);
        entries.write(q_part, q_part.of_head(gradients, entry, head), [ds, k], &mut memory);
        entries.write(k_part, k_part.of_head(gradients, entry, head), [ds.t(), q], &mut memory);
    }
}
