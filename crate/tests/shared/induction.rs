//! A model of attention alone that learns to copy: sequences repeat a pattern, and once the pattern comes back, every next
//! token is known. Blocks without feed-forward networks and norms, rotary positions, the table of tokens used for reading
//! and for writing.

use std::ops::RangeInclusive;

use d2l::prelude::*;
use ndarray::Slice;

/// What sequences look like, how large a model is, and how many sequences it learns from at a time.
#[derive(Clone)]
pub struct Task {
    pub tokens: usize,
    pub length: usize,
    pub periods: RangeInclusive<usize>,
    pub width: usize,
    pub heads: usize,
    pub batch: usize,
    pub learning_rate: f64,
}

impl Task {
    pub fn full() -> Self {
        Self { tokens: 32, length: 32, periods: 8..=16, width: 64, heads: 4, batch: 64, learning_rate: 3e-3 }
    }

    /// Sequences and the period of each: a pattern of different tokens, over and over.
    pub fn sequences(&self, count: usize, generator: &mut Generator) -> (Array2<usize>, Vec<usize>) {
        let mut tokens = Array2::zeros((count, self.length));
        let mut periods = Vec::with_capacity(count);
        for mut row in tokens.rows_mut() {
            let period = self.periods.start() + generator.below(self.periods.clone().count());
            let pattern = permutation(self.tokens, generator);
            row.indexed_iter_mut().for_each(|(place, token)| *token = pattern[place % period]);
            periods.push(period);
        }
        (tokens, periods)
    }

    /// A model after so many steps with Adam, each on new sequences, of which two copies read one half each.
    pub fn trained(&self, seed: u64, blocks: usize, steps: usize) -> Copier {
        let mut generator = seeded(seed);
        let task = self.clone();
        let model = DataParallel::new(2, move || Copier::new(&task, blocks, &mut seeded(seed)));
        // Sequences are drawn with the numbers that come after those of the weights.
        Copier::new(self, blocks, &mut generator);
        let mut adam = Adam::new(&model, self.learning_rate);
        for _ in 0..steps {
            let (tokens, _) = self.sequences(self.batch, &mut generator);
            let halves = tokens.axis_chunks_iter(Axis(0), self.batch.div_ceil(2)).map(|half| shifted(&half.to_owned()));
            let loss = model.training_step(&halves.collect());
            adam.zero_grad();
            loss.backward();
            adam.step();
        }
        model.into_model()
    }
}

/// What a model reads and what it is to say next: all tokens but the last, all but the first.
pub fn shifted(tokens: &Array2<usize>) -> (Array2<usize>, Vec<usize>) {
    let (read, said) = (Slice::from(..-1), Slice::from(1..));
    (tokens.slice_axis(Axis(1), read).to_owned(), tokens.slice_axis(Axis(1), said).iter().copied().collect())
}

pub struct Copier {
    table: Embedding<f32>,
    blocks: Vec<MultiHeadAttention<f32>>,
}

impl Module<f32> for Copier {
    fn parts(&self) -> Parts<'_, f32> {
        parts!(self, table, blocks)
    }
}

impl Trainable<f32> for Copier {
    /// What is read, and what is to be said.
    type Batch = (Array2<usize>, Vec<usize>);

    fn training_step(&self, (read, said): &Self::Batch) -> Tensor<f32> {
        self.forward(read, None).cross_entropy(said)
    }
}

impl Copier {
    fn new(task: &Task, blocks: usize, generator: &mut Generator) -> Self {
        let table = Embedding::new(task.tokens, task.width, generator);
        // Small numbers: the table also makes the logits, which start near 0.
        table.weight.set_value(table.weight.value().mapv(|x| 0.02 * x));
        let block = |_| MultiHeadAttention::new(task.width, task.heads, generator).rotary(task.length);
        Self { table, blocks: (0..blocks).map(block).collect() }
    }

    /// Logits of every next token (sequences · length x tokens); `without` leaves out one block.
    pub fn forward(&self, tokens: &Array2<usize>, without: Option<usize>) -> Tensor<f32> {
        let mut x = self.table.forward(tokens);
        for (_, block) in self.blocks.iter().enumerate().filter(|&(place, _)| Some(place) != without) {
            x = &x + block.forward(&x, &x, &x, Mask::Causal);
        }
        let logits = x.matmul(&self.table.weight.transpose());
        logits.reshape([tokens.len(), logits.shape()[2]])
    }
}
