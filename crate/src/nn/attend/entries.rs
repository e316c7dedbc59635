//! What the heads of a batch are computed from, entry by entry, and where it stands.

use std::ops::Range;
use std::rc::Rc;

use crate::autograd::parallel::threads;
use crate::autograd::{MULTIPLICATIONS_A_STEP, Matrix, Real, Shared, float, multiply_into, slice};
use crate::nn::rotary_positions::{Turn, turn};

/// In which tensor and from which column on the first head's vectors stand, and how long a head's vectors are.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub tensor: usize,
    pub start: usize,
    pub length: usize,
}

/// What attention is computed from, in row-major order.
pub(super) struct Operands<A> {
    pub arrays: Vec<Shared<A>>,
    /// Queries, keys and values.
    pub parts: [Part; 3],
    /// What the heads collect.
    pub mixtures: Part,
    pub heads: usize,
    pub factors: Option<Shared<A>>,
    pub visible: Vec<usize>,
    pub turns: Option<Rc<[Turn<A>]>>,
    /// How many entries the batch has.
    pub count: usize,
}

/// Some entries of the batch.
#[derive(Clone)]
pub(super) struct Entries<'a, A> {
    pub arrays: Vec<&'a [A]>,
    pub parts: [Part; 3],
    pub mixtures: Part,
    pub heads: usize,
    pub factors: Option<&'a [A]>,
    pub visible: &'a [usize],
    pub turns: Option<&'a [Turn<A>]>,
    pub count: usize,
}

impl<A: Real> Operands<A> {
    pub fn all(&self) -> Entries<'_, A> {
        Entries {
            arrays: self.arrays.iter().map(slice).collect(),
            parts: self.parts,
            mixtures: self.mixtures,
            heads: self.heads,
            factors: self.factors.as_ref().map(slice),
            visible: &self.visible,
            turns: self.turns.as_deref().filter(|_| self.parts[0].place.length > 0),
            count: self.count,
        }
    }

    pub fn threads(&self) -> usize {
        let [q, k, v] = self.parts;
        let each = q.rows * k.rows * (q.place.length + v.place.length);
        threads(self.count * self.heads * each / MULTIPLICATIONS_A_STEP)
    }
}

impl<A: Real> Entries<'_, A> {
    /// The first half and the rest.
    pub fn halves(&self) -> [Self; 2] {
        let (count, rest) = (self.count / 2, self.count - self.count / 2);
        let (arrays, arrays_rest) =
            self.arrays.iter().map(|array| array.split_at(half(array.len(), self.count))).unzip();
        let (visible, visible_rest) = self.visible.split_at(half(self.visible.len(), self.count));
        let (factors, factors_rest) =
            self.factors.map(|factors| factors.split_at(half(factors.len(), self.count))).unzip();
        [
            Self { arrays, visible, factors, count, ..self.clone() },
            Self { arrays: arrays_rest, visible: visible_rest, factors: factors_rest, count: rest, ..self.clone() },
        ]
    }

    /// Every head of every entry: its number among all, its entry, and its number there.
    pub fn heads(&self) -> impl Iterator<Item = (usize, usize, usize)> + use<A> {
        let heads = self.heads;
        (0..self.count * heads).map(move |set| (set, set / heads, set % heads))
    }

    /// Queries, keys and values of a head; those that are turned by their positions in memory that was used before.
    pub fn matrices<'a>(&'a self, entry: usize, head: usize, memory: &'a mut [Vec<A>; 2]) -> [Matrix<'a, A>; 3] {
        let [q, k, v] = self.parts.each_ref().map(|part| &self.arrays[part.place.tensor][part.first(entry, head)..]);
        let [turned_q, turned_k] = memory;
        let [q_part, k_part, v_part] = &self.parts;
        [self.turned(q_part, q, turned_q), self.turned(k_part, k, turned_k), v_part.matrix(v)]
    }

    fn turned<'a>(&self, part: &Part, vectors: &'a [A], memory: &'a mut Vec<A>) -> Matrix<'a, A> {
        let Some(turns) = self.turns else { return part.matrix(vectors) };
        let length = part.place.length;
        let turned = zeros(memory, part.rows * length);
        let rows = vectors.chunks(part.width).zip(turned.chunks_exact_mut(length));
        for ((vector, turned), turns) in rows.zip(turns.chunks_exact(length / 2)) {
            turn(&vector[..length], turned, turns, A::one());
        }
        Matrix::new(turned, [part.rows, length], length)
    }

    /// Writes the gradient of a head's queries or keys, which is a product; where they were turned, it is turned back.
    pub fn write(&self, part: &Part, place: &mut [A], [a, b]: [Matrix<A>; 2], memory: &mut Vec<A>) {
        let Some(turns) = self.turns else { return multiply_into(a, b, place, part.width) };
        let length = part.place.length;
        let product = zeros(memory, part.rows * length);
        multiply_into(a, b, product, length);
        let rows = product.chunks_exact(length).zip(place.chunks_mut(part.width));
        for ((turned, vector), turns) in rows.zip(turns.chunks_exact(length / 2)) {
            turn(turned, &mut vector[..length], turns, -A::one());
        }
    }

    /// What stands for every query and key of a head, as a matrix.
    pub fn pairs<'a>(&self, numbers: &'a [A]) -> Matrix<'a, A> {
        let [n, m] = [self.parts[0].rows, self.parts[1].rows];
        Matrix::new(numbers, [n, m], m)
    }

    /// The place of a head's weights among those of all.
    pub fn weights(&self, set: usize) -> Range<usize> {
        let each = self.parts[0].rows * self.parts[1].rows;
        set * each..(set + 1) * each
    }

    /// Drops what stands for some queries and keys of a head, as dropout wants it.
    pub fn drop(&self, set: usize, numbers: &mut [A]) {
        if let Some(factors) = self.factors {
            numbers.iter_mut().zip(&factors[self.weights(set)]).for_each(|(number, &factor)| *number *= factor);
        }
    }

    /// A head's weights with some dropped, in memory that was used before.
    pub fn dropped<'a>(&self, set: usize, weights: &'a [A], memory: &'a mut Vec<A>) -> &'a [A] {
        if self.factors.is_none() {
            return weights;
        }
        memory.clear();
        memory.extend_from_slice(weights);
        self.drop(set, memory);
        memory
    }

    /// 1/√d; vectors of length 0 score 0 whatever it is.
    pub fn scale(&self) -> A {
        float(1.0 / (self.parts[0].place.length.max(1) as f64).sqrt())
    }
}

/// How many numbers the first half of the entries has, of this many of `count` entries.
pub(super) fn half(numbers: usize, count: usize) -> usize {
    numbers / count * (count / 2)
}

/// Where an entry of the batch, with so many rows of so many columns, has the heads' vectors.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub place: Place,
    pub rows: usize,
    pub width: usize,
}

impl Part {
    /// Where a head's first number stands among those of all entries.
    pub fn first(&self, entry: usize, head: usize) -> usize {
        let Place { start, length, .. } = self.place;
        let first = entry * self.rows * self.width + start + head * length;
        // Without vectors there is nothing to begin at.
        if self.rows == 0 { 0 } else { first }
    }

    /// What belongs to a head, from its first number on.
    pub fn of_head<'a, A>(&self, arrays: &'a mut [&mut [A]], entry: usize, head: usize) -> &'a mut [A] {
        &mut arrays[self.place.tensor][self.first(entry, head)..]
    }

    /// A head's vectors, of numbers that begin with its first.
    pub fn matrix<'a, A: Real>(&self, numbers: &'a [A]) -> Matrix<'a, A> {
        Matrix::new(numbers, [self.rows, self.place.length], self.width)
    }
}

/// So many zeros, in memory that was used before.
pub(super) fn zeros<A: Real>(memory: &mut Vec<A>, count: usize) -> &mut [A] {
    memory.clear();
    memory.resize(count, A::zero());
    memory
}
