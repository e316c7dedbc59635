//! Trainers, and two models that have to learn what they are trained for.

use std::cell::RefCell;

use d2l::prelude::*;

use crate::classifier::{self, Classifier};
use crate::induction::{self, Copier, Task};

/// One number to learn, and notes of what the trainer asks for.
struct Level {
    level: Tensor,
    dropout: Dropout,
    seen: RefCell<Vec<(f64, bool)>>,
}

impl Level {
    fn new() -> Self {
        let level = Tensor::parameter(array![0.0]);
        Self { level, dropout: Dropout::new(1.0, &mut seeded(0)), seen: RefCell::default() }
    }
}

impl Module for Level {
    fn parts(&self) -> Parts<'_> {
        parts!(self, level, dropout)
    }
}

impl Trainable for Level {
    type Batch = f64;

    fn training_step(&self, target: &f64) -> Tensor {
        // Dropout of everything tells the modes apart.
        let is_training = self.dropout.forward(&Tensor::new(array![1.0])).item() == 0.0;
        self.seen.borrow_mut().push((*target, is_training));
        self.level.mse_loss(&Tensor::new(array![*target]))
    }
}

struct Targets {
    train: Vec<f64>,
    val: Vec<f64>,
}

impl DataModule for Targets {
    type Batch = f64;

    fn train_batches(&self, generator: &mut Generator) -> impl Iterator<Item = f64> {
        shuffled_batches(self.train.len(), 1, generator).map(|batch| self.train[batch[0]])
    }

    fn val_batches(&self) -> impl Iterator<Item = f64> {
        self.val.iter().copied()
    }
}

#[test]
fn every_epoch_trains_and_then_measures() {
    let (model, data) = (Level::new(), Targets { train: vec![1.0, 3.0], val: vec![10.0] });
    let mut sgd = Sgd::new(&model, 0.1);
    let board = Trainer::new(3).quiet().fit(&model, &data, &mut sgd, &mut seeded(0));
    let seen = model.seen.borrow();
    assert_eq!(seen.len(), 9);
    for epoch in seen.chunks(3) {
        let mut trained = [epoch[0].0, epoch[1].0];
        trained.sort_by(f64::total_cmp);
        assert_eq!((trained, epoch[2].0), ([1.0, 3.0], 10.0));
        assert_eq!([epoch[0].1, epoch[1].1, epoch[2].1], [true, true, false]);
    }
    assert_eq!((board.values("train_loss").len(), board.values("val_loss").len()), (3, 3));
    assert_eq!(*board.values("val_loss").last().unwrap(), (model.level.item() - 10.0).powi(2));
}

#[test]
fn a_seed_settles_a_run() {
    let losses = |seed| {
        let (model, data) = (Level::new(), Targets { train: vec![1.0, 2.0, 4.0, 8.0], val: vec![] });
        let mut adam = Adam::new(&model, 0.1);
        Trainer::new(5).quiet().fit(&model, &data, &mut adam, &mut seeded(seed)).values("train_loss")
    };
    assert_eq!(losses(1), losses(1));
    assert_ne!(losses(1), losses(2));
}

#[test]
fn a_clipped_step_is_as_long_as_allowed() {
    let (model, data) = (Level::new(), Targets { train: vec![100.0], val: vec![] });
    let mut sgd = Sgd::new(&model, 1.0);
    Trainer::new(1).quiet().gradient_clip(0.5).fit(&model, &data, &mut sgd, &mut seeded(0));
    assert!((model.level.item() - 0.5).abs() < 1e-6);
}

#[test]
fn words_of_the_figure_are_the_callers() {
    let (model, data) = (Level::new(), Targets { train: vec![1.0], val: vec![1.0] });
    let mut sgd = Sgd::new(&model, 0.1);
    let trainer = Trainer::new(2).quiet().labels("epocha", "nuostoliai").legend("mokymo", "tikrinimo");
    let svg = trainer.fit(&model, &data, &mut sgd, &mut seeded(0)).figure().svg();
    assert!(["epocha", "nuostoliai", "mokymo", "tikrinimo"].iter().all(|word| svg.contains(word)), "{svg}");
}

#[test]
#[should_panic = "epoch 1 has no batch to train on"]
fn an_epoch_needs_a_batch() {
    let (model, data) = (Level::new(), Targets { train: vec![], val: vec![] });
    Trainer::new(2).fit(&model, &data, &mut Sgd::new(&model, 0.1), &mut seeded(0));
}

#[test]
#[should_panic = "a trainer needs at least one epoch, not 0"]
fn a_trainer_needs_an_epoch() {
    Trainer::new(0);
}

/// How many of the article's texts the classifier gets right.
fn right(model: &Classifier) -> usize {
    let is_right = |(words, label): &(&[usize], usize)| {
        let logits = no_grad(|| model.forward(words)).value();
        usize::from(logits[[0, 1]] > logits[[0, 0]]) == *label
    };
    classifier::TEXTS.iter().filter(|text| is_right(text)).count()
}

#[test]
fn the_classifier_gets_all_texts_right_from_every_seed() {
    assert_eq!(Classifier::new(8, &mut seeded(0)).parameter_count(), 242);
    for seed in 0..20 {
        assert_eq!(right(&classifier::trained(seed)), 4, "seed {seed}");
    }
}

#[test]
fn sequences_repeat_their_pattern() {
    let (tokens, periods) = Task::full().sequences(50, &mut seeded(0));
    for (row, &period) in tokens.outer_iter().zip(&periods) {
        assert!((8..=16).contains(&period));
        assert!((period..row.len()).all(|place| row[place] == row[place - period]));
        let mut pattern = row.iter().take(period).collect::<Vec<_>>();
        pattern.sort();
        pattern.dedup();
        assert_eq!(pattern.len(), period);
    }
}

/// How well a model says the tokens that it could copy, those more than a period after the first.
#[derive(Debug)]
struct Copying {
    /// Their mean cross-entropy.
    loss: f64,
    /// The share of them that it gets right.
    accuracy: f64,
}

/// Measures 256 new sequences; `without` leaves out one block.
fn measured(task: &Task, model: &Copier, without: Option<usize>, generator: &mut Generator) -> Copying {
    let (tokens, periods) = task.sequences(256, generator);
    let (read, said) = induction::shifted(&tokens);
    let logarithms = no_grad(|| model.forward(&read, without).log_softmax(-1)).value();
    let (mut loss, mut right, mut count) = (0.0, 0.0, 0.0);
    for (row, (logarithms, &token)) in logarithms.outer_iter().zip(&said).enumerate() {
        // The first token that is said is the second of its sequence.
        let (sequence, place) = (row / (task.length - 1), row % (task.length - 1) + 1);
        if place > periods[sequence] {
            loss -= f64::from(logarithms[[token]]);
            right += f64::from(u8::from(logarithms.iter().all(|&other| other <= logarithms[[token]])));
            count += 1.0;
        }
    }
    Copying { loss: loss / count, accuracy: right / count }
}

/// Trains two blocks and measures them together and each without the other.
fn copying(task: &Task, seed: u64, steps: usize) -> [Copying; 3] {
    let mut timer = Timer::new();
    let model = task.trained(seed, 2, steps);
    println!("seed {seed}: {:.1} seconds", timer.stop());
    let generator = &mut seeded(100 + seed);
    [None, Some(0), Some(1)].map(|without| {
        let copying = measured(task, &model, without, generator);
        println!("seed {seed} without {without:?}: {copying:?}");
        copying
    })
}

#[test]
fn short_patterns_are_soon_copied_by_two_blocks_together() {
    let task = Task { tokens: 12, length: 16, periods: 3..=5, width: 32, heads: 2, batch: 32, learning_rate: 0.01 };
    let [whole, without_first, without_second] = copying(&task, 0, 300);
    assert!(whole.accuracy >= 0.5, "{whole:?}");
    assert!(without_first.accuracy <= 0.25 && without_second.accuracy <= 0.25);
}

/// Without optimisation this would take an hour: `cargo test --release --test nn -- --ignored --nocapture copying`.
#[test]
#[ignore = "long: run it with --release"]
fn copying_is_learned_and_needs_both_blocks() {
    for seed in 0..3 {
        let [whole, without_first, without_second] = copying(&Task::full(), seed, 2500);
        assert!(whole.loss <= 0.25 && whole.accuracy >= 0.95);
        assert!(without_first.accuracy <= 0.12 && without_second.accuracy <= 0.12);
    }
}
