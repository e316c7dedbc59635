//! `Trainer`: runs a model over its data, epoch after epoch.

use super::{DataModule, ProgressBoard};
use crate::autograd::{Real, Tensor, no_grad};
use crate::nn::{Module, Optimizer, clip_gradients};
use crate::random::Generator;

/// A model that says what it loses on a batch; [`Trainer::fit`] makes that less.
pub trait Trainable<A: Real = f64>: Module<A> {
    /// What one step learns from.
    type Batch;

    /// The loss on a batch: a tensor with one element, made from the model's parameters.
    fn training_step(&self, batch: &Self::Batch) -> Tensor<A>;

    /// What is measured on a validation batch: the loss, unless the model says otherwise.
    fn validation_step(&self, batch: &Self::Batch) -> Tensor<A> {
        self.training_step(batch)
    }
}

/// Trains for a number of epochs.
///
/// ```
/// use d2l::prelude::*;
///
/// struct Line {
///     slope: Linear,
/// }
///
/// impl Module for Line {
///     fn parts(&self) -> Parts<'_> {
///         parts!(self, slope)
///     }
/// }
///
/// impl Trainable for Line {
///     type Batch = (Tensor, Tensor);
///
///     fn training_step(&self, (x, y): &Self::Batch) -> Tensor {
///         self.slope.forward(x).mse_loss(y)
///     }
/// }
///
/// struct Points {
///     x: Array2<f64>,
/// }
///
/// impl DataModule for Points {
///     type Batch = (Tensor, Tensor);
///
///     fn train_batches(&self, generator: &mut Generator) -> impl Iterator<Item = Self::Batch> {
///         shuffled_batches(self.x.nrows(), 8, generator).map(|batch| {
///             let x = self.x.select(Axis(0), &batch);
///             (Tensor::new(x.clone()), Tensor::new(2.0 * x + 1.0))
///         })
///     }
/// }
///
/// let mut generator = seeded(0);
/// let model = Line { slope: Linear::new(1, 1, &mut generator) };
/// let points = Points { x: uniform((32, 1), -1.0, 1.0, &mut generator) };
/// let mut sgd = Sgd::new(&model, 0.3);
/// let board = Trainer::new(20).fit(&model, &points, &mut sgd, &mut generator); // prints ten lines
/// assert!((model.parameter("slope.weight").item() - 2.0).abs() < 1e-3);
/// assert!(board.values("train_loss")[19] < 1e-6);
/// board.figure(); // the last line of a cell: the loss over the epochs
/// ```
#[derive(Clone, Debug)]
pub struct Trainer {
    max_epochs: usize,
    gradient_clip: Option<f64>,
    quiet: bool,
    labels: [String; 2],
    legend: [String; 2],
}

impl Trainer {
    /// Training that ends after `max_epochs` passes over the data.
    ///
    /// # Panics
    /// If `max_epochs` is 0.
    #[track_caller]
    pub fn new(max_epochs: usize) -> Self {
        assert!(max_epochs > 0, "a trainer needs at least one epoch, not 0");
        Self {
            max_epochs,
            gradient_clip: None,
            quiet: false,
            labels: ["epoch", "loss"].map(str::to_owned),
            legend: ["train_loss", "val_loss"].map(str::to_owned),
        }
    }

    /// Shortens the gradients of a step to this norm when they are longer, see [`clip_gradients`].
    pub fn gradient_clip(mut self, max_norm: f64) -> Self {
        self.gradient_clip = Some(max_norm);
        self
    }

    /// Words for the two axes of the figure, "epoch" and "loss" unless they are given.
    pub fn labels(mut self, xlabel: &str, ylabel: &str) -> Self {
        self.labels = [xlabel, ylabel].map(str::to_owned);
        self
    }

    /// Names of the two lines, "`train_loss`" and "`val_loss`" unless they are given.
    pub fn legend(mut self, train: &str, val: &str) -> Self {
        self.legend = [train, val].map(str::to_owned);
        self
    }

    /// Prints nothing while it runs.
    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// Trains `model` on `data`: for each batch the loss, its gradients, a step of `optimizer`.
    ///
    /// After an epoch the mean loss of its batches goes to the board, and beside it, if the data has validation
    /// batches, their mean with the model in evaluation mode and without gradients. At most ten lines are printed.
    ///
    /// # Panics
    /// If an epoch has no training batch.
    #[track_caller]
    pub fn fit<A: Real, M: Trainable<A>>(
        &self,
        model: &M,
        data: &impl DataModule<Batch = M::Batch>,
        optimizer: &mut impl Optimizer<A>,
        generator: &mut Generator,
    ) -> ProgressBoard {
        let [xlabel, ylabel] = &self.labels;
        let mut board = ProgressBoard::new(xlabel, ylabel, self.max_epochs as f64);
        if self.quiet {
            board = board.quiet();
        }
        let [train, val] = self.legend.each_ref().map(String::as_str);
        for epoch in 1..=self.max_epochs {
            model.train();
            let step = |batch| {
                let loss = model.training_step(&batch);
                optimizer.zero_grad();
                loss.backward();
                if let Some(max_norm) = self.gradient_clip {
                    clip_gradients(model, max_norm);
                }
                optimizer.step();
                number(&loss)
            };
            let Some(train_loss) = mean(data.train_batches(generator).map(step)) else {
                panic!("epoch {epoch} has no batch to train on: train_batches gave none");
            };
            let mut values = vec![(train, train_loss)];
            model.eval();
            let measure = |batch| number(&model.validation_step(&batch));
            values.extend(no_grad(|| mean(data.val_batches().map(measure))).map(|loss| (val, loss)));
            board.draw(epoch as f64, &values);
        }
        model.train();
        board
    }
}

fn number<A: Real>(loss: &Tensor<A>) -> f64 {
    loss.item().to_f64().expect("a float is a double")
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
