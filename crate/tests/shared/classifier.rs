//! The article's classifier: does "bank" stand by a river or hold money? Eight-dimensional vectors, one attention head.

use d2l::prelude::*;

/// The four texts as places in the vocabulary (the, river, money, bank), and what each is about: 0 the river, 1 money.
pub const TEXTS: [(&[usize], usize); 4] = [(&[0, 1, 3], 0), (&[0, 2, 3], 1), (&[1, 3], 0), (&[2, 3], 1)];

pub struct Classifier {
    table: Embedding,
    w_q: Linear,
    w_k: Linear,
    w_v: Linear,
    attention: DotProductAttention,
    out: Linear,
}

impl Module for Classifier {
    fn parts(&self) -> Parts<'_> {
        parts!(self, table, w_q, w_k, w_v, attention, out)
    }
}

impl Classifier {
    pub fn new(d: usize, generator: &mut Generator) -> Self {
        Self {
            table: Embedding::new(4, d, generator),
            w_q: Linear::without_bias(d, d, generator),
            w_k: Linear::without_bias(d, d, generator),
            w_v: Linear::without_bias(d, d, generator),
            attention: DotProductAttention::new(),
            out: Linear::new(d, 2, generator),
        }
    }

    /// Logits (1 x 2) from what the last word collects.
    pub fn forward(&self, words: &[usize]) -> Tensor {
        let x = self.table.forward(words);
        let (q, k, v) = (self.w_q.forward(&x), self.w_k.forward(&x), self.w_v.forward(&x));
        let mixtures = self.attention.forward(&q, &k, &v, Mask::None);
        self.out.forward(&mixtures.slice(0, words.len() - 1..))
    }
}

/// A model after 300 epochs of four steps with Adam, one text each.
pub fn trained(seed: u64) -> Classifier {
    let model = Classifier::new(8, &mut seeded(seed));
    let mut adam = Adam::new(&model, 0.05);
    for _ in 0..300 {
        for (words, label) in TEXTS {
            let loss = model.forward(words).cross_entropy(&[label]);
            adam.zero_grad();
            loss.backward();
            adam.step();
        }
    }
    model
}
