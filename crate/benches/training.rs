//! Training: the article's classifier, a step of the model that learns to copy, and one of an encoder with two blocks.
//!
//! `cargo bench --bench training`. The 2500 steps of the copying model, with what it has learned after them:
//! `cargo test --release --test nn -- --ignored --nocapture copying`.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use d2l::prelude::*;

#[path = "../tests/shared/classifier.rs"]
mod classifier;
#[path = "../tests/shared/induction.rs"]
mod induction;

fn whole_trainings(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("training");
    group.sample_size(10);
    group.bench_function("classifier_300_epochs", |bencher| bencher.iter(|| classifier::trained(black_box(0))));
    let task = induction::Task::full();
    group.bench_function("copying_10_steps", |bencher| bencher.iter(|| task.trained(black_box(0), 2, 10)));
    group.finish();
}

struct Encoder<A: Real> {
    table: Embedding<A>,
    positions: PositionalEncoding<A>,
    blocks: Vec<TransformerEncoderBlock<A>>,
    out: Linear<A>,
}

impl<A: Real> Module<A> for Encoder<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, table, positions, blocks, out)
    }
}

fn encoder_step<A: Real>(criterion: &mut Criterion, kind: &str) {
    let generator = &mut seeded(0);
    let (vocabulary, d, batch, n) = (100, 64, 16, 32);
    let model = Encoder::<A> {
        table: Embedding::new(vocabulary, d, generator),
        positions: PositionalEncoding::new(d, n),
        blocks: (0..2).map(|_| TransformerEncoderBlock::new(d, 2 * d, 4, generator)).collect(),
        out: Linear::new(d, vocabulary, generator),
    };
    let mut adam = Adam::new(&model, 1e-3);
    let tokens = Array2::from_shape_simple_fn((batch, n), || generator.below(vocabulary));
    let labels: Vec<usize> = tokens.iter().copied().collect();
    criterion.bench_function(&format!("encoder_step_{kind}"), |bencher| {
        bencher.iter(|| {
            let x = model.positions.forward(&model.table.forward(&tokens));
            let x = model.blocks.iter().fold(x, |x, block| block.forward(&x, Mask::lengths(vec![n; batch])));
            let loss = model.out.forward(&x).reshape([labels.len(), vocabulary]).cross_entropy(&labels);
            adam.zero_grad();
            loss.backward();
            adam.step();
            loss.item()
        });
    });
}

fn all(criterion: &mut Criterion) {
    whole_trainings(criterion);
    encoder_step::<f32>(criterion, "float32");
    encoder_step::<f64>(criterion, "float64");
}

criterion_group!(benches, all);
criterion_main!(benches);
