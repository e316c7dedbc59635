//! `MultiHeadAttention`: several dot-product attentions side by side, each over its own part of the projected vectors,
//! and a projection of what they collect together; *Attention Is All You Need*, section 3.2.2.
//!
//! ```
//! use d2l::prelude::*;
//!
//! let mut generator = seeded(0);
//! let attention = MultiHeadAttention::new(100, 5, &mut generator);
//! let (x, y) = (Tensor::new(Array3::ones((2, 4, 100))), Tensor::new(Array3::<f64>::ones((2, 6, 100))));
//!
//! let output = attention.forward(&x, &y, &y, Mask::lengths([3, 2]));
//! assert_eq!(output.shape(), [2, 4, 100]);
//! assert_eq!(attention.attention_weights().shape(), [2, 5, 4, 6]); // batch x heads x queries x keys
//! ```

use std::borrow::{Borrow, Cow};
use std::rc::Rc;

use ndarray::{ArcArray, Axis, IxDyn, concatenate};

use super::attend::Inputs;
use super::dot_product_attention::check;
use super::{DotProductAttention, Linear, Module, Parts, RotaryPositions};
use crate::attention::Mask;
use crate::autograd::{Real, Tensor};
use crate::parts;
use crate::random::Generator;

/// Attention with `num_heads` heads of num_hiddens / num_heads numbers each.
///
/// Queries, keys, values and output are vectors of length num_hiddens; [`sizes`](Self::sizes) allows others. There are no
/// biases, no dropout and no positions unless they are asked for.
#[derive(Clone, Debug)]
pub struct MultiHeadAttention<A: Real = f64> {
    /// The projection of queries, all heads in one.
    pub w_q: Linear<A>,
    /// The projection of keys.
    pub w_k: Linear<A>,
    /// The projection of values.
    pub w_v: Linear<A>,
    /// The projection of what the heads collect.
    pub w_o: Linear<A>,
    /// What each head does.
    pub attention: DotProductAttention<A>,
    num_heads: usize,
    rotary: Option<RotaryPositions<A>>,
}

impl<A: Real> MultiHeadAttention<A> {
    /// Attention over vectors of length `num_hiddens`.
    ///
    /// # Panics
    /// If `num_hiddens` is no multiple of `num_heads`.
    #[track_caller]
    pub fn new(num_hiddens: usize, num_heads: usize, generator: &mut Generator) -> Self {
        Self::sizes([num_hiddens; 3], num_hiddens, num_heads, generator)
    }

    /// Attention over queries, keys and values of these three lengths.
    ///
    /// # Panics
    /// If `num_hiddens` is no multiple of `num_heads`.
    #[track_caller]
    pub fn sizes(
        [query, key, value]: [usize; 3],
        num_hiddens: usize,
        num_heads: usize,
        generator: &mut Generator,
    ) -> Self {
        assert!(
            num_heads > 0 && num_hiddens.is_multiple_of(num_heads),
            "{num_hiddens} hidden numbers cannot be shared by {num_heads} heads: each needs an equal part"
        );
        let mut projection = |size| Linear::without_bias(size, num_hiddens, generator);
        Self {
            w_q: projection(query),
            w_k: projection(key),
            w_v: projection(value),
            w_o: projection(num_hiddens),
            attention: DotProductAttention::new(),
            num_heads,
            rotary: None,
        }
    }

    /// Gives each of the four projections a bias.
    pub fn bias(mut self, generator: &mut Generator) -> Self {
        for projection in [&mut self.w_q, &mut self.w_k, &mut self.w_v, &mut self.w_o] {
            projection.add_bias(generator);
        }
        self
    }

    /// Drops attention weights with probability `p` while the layer is trained.
    ///
    /// # Panics
    /// If `p` is not in [0, 1].
    #[track_caller]
    pub fn dropout(mut self, p: f64, generator: &mut Generator) -> Self {
        self.attention = self.attention.dropout(p, generator);
        self
    }

    /// Turns each head's queries and keys by their positions, of which there are at most `max_len`; see
    /// [`RotaryPositions`].
    ///
    /// # Panics
    /// If a head holds an odd number of numbers.
    #[track_caller]
    pub fn rotary(mut self, max_len: usize) -> Self {
        self.rotary = Some(RotaryPositions::new(self.w_q.weight.shape()[0] / self.num_heads, max_len));
        self
    }

    /// What every query (.. x n x d) collects from keys and values (.. x m x d): .. x n x num_hiddens.
    ///
    /// The leading axes are the same in all three. `mask` is a [`Mask`] or a reference to one; it fits scores of shape
    /// .. x n x m and holds for every head.
    ///
    /// # Panics
    /// If the shapes or the mask do not fit.
    #[track_caller]
    pub fn forward(
        &self,
        queries: &Tensor<A>,
        keys: &Tensor<A>,
        values: &Tensor<A>,
        mask: impl Borrow<Mask>,
    ) -> Tensor<A> {
        check(queries, keys, values);
        self.assert_projections_fit();
        let mut inputs = self.inputs(queries, keys, values);
        if let Some(rotary) = &self.rotary {
            rotary.assert_room("queries", queries);
            rotary.assert_room("keys", keys);
            inputs.turns = Some(Rc::clone(&rotary.turns));
        }
        let (leading, n, m) = (queries.ndim() - 2, queries.shape(), keys.shape());
        let scores = [&n[..leading], &[self.num_heads, n[leading], m[leading]]].concat();
        let mask = self.mask_of_heads(mask.borrow(), queries.ndim());
        self.w_o.forward(&self.attention.attend(inputs, &scores, &mask))
    }

    /// They are public, and may have been replaced.
    #[track_caller]
    fn assert_projections_fit(&self) {
        let [q, k, v] = [&self.w_q, &self.w_k, &self.w_v].map(|projection| projection.weight.shape()[0]);
        let heads = self.num_heads;
        assert!(
            q == k
                && [q, v].iter().all(|length| length.is_multiple_of(heads))
                && self.rotary.as_ref().is_none_or(|rotary| q == heads * rotary.d),
            "projections to {q}, {k} and {v} numbers do not fit {heads} heads: queries and keys need as many, each head \
             an equal part, and rotary positions those that they were made for"
        );
    }

    /// The projected queries, keys and values; where all three are one tensor, it is multiplied once.
    #[track_caller]
    fn inputs(&self, queries: &Tensor<A>, keys: &Tensor<A>, values: &Tensor<A>) -> Inputs<A> {
        if queries.is(keys)
            && keys.is(values)
            && let Some(projection) = Linear::side_by_side([&self.w_q, &self.w_k, &self.w_v])
        {
            return Inputs::together(projection.forward(queries), self.num_heads);
        }
        let projected = [(queries, &self.w_q), (keys, &self.w_k), (values, &self.w_v)].map(|(x, w)| w.forward(x));
        Inputs::apart(projected.each_ref(), self.num_heads)
    }

    /// The mask for scores with an axis of heads before the queries.
    fn mask_of_heads<'a>(&self, mask: &'a Mask, axes: usize) -> Cow<'a, Mask> {
        match mask {
            // Lengths that name the queries' axis have to name the heads' axis before it.
            Mask::Lengths(lengths) if lengths.ndim() == axes - 1 => {
                let heads = Axis(axes - 2);
                let each = vec![lengths.view().insert_axis(heads); self.num_heads];
                Cow::Owned(Mask::Lengths(concatenate(heads, &each).expect("copies of one array fit each other")))
            }
            _ => Cow::Borrowed(mask),
        }
    }

    /// The weights of the last [`forward`](Self::forward): .. x heads x n x m, before dropout.
    ///
    /// # Panics
    /// If there was none.
    #[track_caller]
    pub fn attention_weights(&self) -> ArcArray<A, IxDyn> {
        self.attention.attention_weights()
    }
}

impl<A: Real> Module<A> for MultiHeadAttention<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, w_q, w_k, w_v, w_o, attention)
    }
}
