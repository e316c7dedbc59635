//! A model of attention alone that learns to copy: sequences repeat a pattern, and once the pattern comes back, every next
//! token is known. Blocks without feed-forward networks and norms, rotary positions, the table of tokens used for reading
//! and for writing.

use d2l::prelude::*;
use ndarray::Slice;

const TOKENS: usize = 32;
pub const LENGTH: usize = 32;
const WIDTH: usize = 64;
const HEADS: usize = 4;

pub struct Copier {
    table: Embedding<f32>,
    blocks: Vec<MultiHeadAttention<f32>>,
}

impl Module<f32> for Copier {
    fn parts(&self) -> Parts<'_, f32> {
        parts!(self, table, blocks)
    }
}

impl Copier {
    pub fn new(blocks: usize, generator: &mut Generator) -> Self {
        let table = Embedding::new(TOKENS, WIDTH, generator);
        // Small numbers: the table also makes the logits, which start near 0.
        table.weight.set_value(normal((TOKENS, WIDTH), generator).mapv(|x| 0.02 * x as f32));
        let block = |_| MultiHeadAttention::new(WIDTH, HEADS, generator).rotary(LENGTH);
        Self { table, blocks: (0..blocks).map(block).collect() }
    }

    /// Logits of every next token (sequences · length x tokens); `without` leaves out one block.
    pub fn forward(&self, tokens: &Array2<usize>, without: Option<usize>) -> Tensor<f32> {
        let mut x = self.table.forward(tokens);
        for (_, block) in self.blocks.iter().enumerate().filter(|&(place, _)| Some(place) != without) {
            x = &x + block.forward(&x, &x, &x, Mask::Causal);
        }
        x.reshape([tokens.len(), WIDTH]).matmul(&self.table.weight.transpose())
    }
}

/// Sequences and the period of each: a pattern of 8 to 16 different tokens, over and over.
pub fn sequences(count: usize, generator: &mut Generator) -> (Array2<usize>, Vec<usize>) {
    let mut tokens = Array2::zeros((count, LENGTH));
    let mut periods = Vec::with_capacity(count);
    for mut row in tokens.rows_mut() {
        let period = 8 + generator.below(9);
        let pattern = permutation(TOKENS, generator);
        row.indexed_iter_mut().for_each(|(place, token)| *token = pattern[place % period]);
        periods.push(period);
    }
    (tokens, periods)
}

/// What the model reads and what it is to say next: all tokens but the last, all but the first.
pub fn shifted(tokens: &Array2<usize>) -> (Array2<usize>, Vec<usize>) {
    let (read, said) = (Slice::from(..-1), Slice::from(1..));
    (tokens.slice_axis(Axis(1), read).to_owned(), tokens.slice_axis(Axis(1), said).iter().copied().collect())
}

/// A model after so many steps with Adam on batches of 64 new sequences.
pub fn trained(seed: u64, blocks: usize, steps: usize) -> Copier {
    let mut generator = seeded(seed);
    let model = Copier::new(blocks, &mut generator);
    let mut adam = Adam::new(&model, 3e-3);
    for _ in 0..steps {
        let (read, said) = shifted(&sequences(64, &mut generator).0);
        let loss = model.forward(&read, None).cross_entropy(&said);
        adam.zero_grad();
        loss.backward();
        adam.step();
    }
    model
}
