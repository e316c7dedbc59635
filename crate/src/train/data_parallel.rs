//! `DataParallel`: copies of a model, each on a thread of its own, share the work of every batch.
//!
//! One operation is often too short to be divided among cores: starting a thread takes as long as thousands of
//! multiplications. A whole step is long enough. Each copy computes the loss and the gradients of its parts of the batch,
//! and the model gets their mean (*Dive into Deep Learning*, section 13.5, with cores in the place of GPUs).
//!
//! ```
//! use d2l::prelude::*;
//!
//! struct Line {
//!     slope: Linear,
//! }
//!
//! impl Module for Line {
//!     fn parts(&self) -> Parts<'_> {
//!         parts!(self, slope)
//!     }
//! }
//!
//! impl Trainable for Line {
//!     type Batch = (Array2<f64>, Array2<f64>); // arrays may go to another thread, tensors may not
//!
//!     fn training_step(&self, (x, y): &Self::Batch) -> Tensor {
//!         self.slope.forward(&Tensor::new(x.clone())).mse_loss(&Tensor::new(y.clone()))
//!     }
//! }
//!
//! let model = DataParallel::new(2, || Line { slope: Linear::new(1, 1, &mut seeded(0)) });
//! let mut sgd = Sgd::new(&model, 0.5);
//! let parts = [array![[-1.0], [0.5]], array![[1.0], [-0.5]]].map(|x| (x.clone(), 2.0 * x + 1.0));
//! for _ in 0..100 {
//!     let loss = model.training_step(&parts.to_vec()); // as the mean of both parts' losses
//!     sgd.zero_grad();
//!     loss.backward();
//!     sgd.step();
//! }
//! assert!((model.parameter("slope.weight").item() - 2.0).abs() < 1e-6);
//! ```

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use super::Trainable;
use crate::autograd::{Real, Shared, Tensor, float, is_recording, no_grad, parallel, shared};
use crate::nn::{Module, Parts};

/// A model whose batches are lists of parts, which copies of it work on at the same time.
///
/// It is [`Trainable`] like the model itself: [`Trainer`](super::Trainer), optimisers and saved states take it in its
/// place, and parameters keep their names. Part i goes to copy i modulo their number, and sums are formed in a fixed order,
/// so that a run does not depend on how many cores a machine has. A copy divides no operation among cores beyond its
/// share of them. Copies have dropout generators of their own, and the attention weights that they keep stay with them.
pub struct DataParallel<A: Real, M: Trainable<A>> {
    model: M,
    copies: Vec<Worker<A, M>>,
    training: Cell<bool>,
}

/// A copy of the model, on the thread that made it; the thread ends when this is dropped.
struct Worker<A: Real, M: Trainable<A>> {
    jobs: Option<Sender<Job<A, M>>>,
    thread: Option<JoinHandle<()>>,
}

/// What a copy is asked to do.
struct Job<A: Real, M: Trainable<A>> {
    /// Of the model's parameters.
    values: Arc<[Shared<A>]>,
    parts: Vec<M::Batch>,
    step: Step<A, M>,
    is_training: bool,
    is_recording: bool,
    answer: Sender<thread::Result<Answer<A>>>,
}

type Step<A, M> = fn(&M, &<M as Trainable<A>>::Batch) -> Tensor<A>;

/// The sum of the losses on a copy's parts, and its gradient with respect to each parameter.
struct Answer<A: Real> {
    loss: A,
    gradients: Vec<Option<Shared<A>>>,
}

impl<A: Real, M> DataParallel<A, M>
where
    M: Trainable<A> + 'static,
    M::Batch: Clone + Send,
{
    /// So many copies of the model that `make` makes; more copies than cores gain nothing.
    ///
    /// # Panics
    /// If there is to be no copy, or if `make` makes models whose parameters differ in name or shape.
    #[track_caller]
    pub fn new(copies: usize, make: impl Fn() -> M + Send + Sync + 'static) -> Self {
        assert!(copies > 0, "a batch needs at least one copy of the model to work on it, not 0");
        let (model, make) = (make(), Arc::new(make));
        let (started, names) = channel();
        let workers = (0..copies).map(|_| {
            let (make, started) = (Arc::clone(&make), started.clone());
            Worker::start(move |jobs| {
                parallel::share_cores(copies);
                let model = make();
                // Nobody waits for the names once an earlier copy has turned out not to fit.
                let _ = started.send(outline(&model));
                drop(started);
                work(&model, &jobs);
            })
        });
        let mut workers: Vec<_> = workers.collect();
        drop(started);
        let expected = outline(&model);
        for _ in 0..copies {
            let Ok(outline) = names.recv() else {
                let panic = workers.iter_mut().find_map(|worker| worker.end().err());
                resume_unwind(panic.expect("a copy that gives no names has panicked"));
            };
            assert!(
                outline == expected,
                "a copy with the parameters {outline:?} does not fit a model with {expected:?}: every call has to make \
                 the same layers"
            );
        }
        Self { model, copies: workers, training: Cell::new(true) }
    }

    /// The mean of what `step` gives for the parts.
    #[track_caller]
    fn mean(&self, parts: &[M::Batch], step: Step<A, M>) -> Tensor<A> {
        assert!(!parts.is_empty(), "a batch of no parts has no loss: it needs at least one");
        let (parameters, weight) = (self.model.parameters(), float::<A>(1.0 / parts.len() as f64));
        let values: Arc<[_]> = parameters.iter().map(Tensor::value).collect();
        let copies = self.copies.iter().enumerate().take(parts.len());
        let answers: Vec<_> = copies
            .map(|(first, copy)| {
                let (answer, answers) = channel();
                copy.take_on(Job {
                    values: Arc::clone(&values),
                    parts: parts.iter().skip(first).step_by(self.copies.len()).cloned().collect(),
                    step,
                    is_training: self.training.get(),
                    is_recording: is_recording(),
                    answer,
                });
                answers
            })
            .collect();
        let (mut loss, mut gradients) = (A::zero(), vec![Vec::new(); parameters.len()]);
        for answer in answers {
            let answer = answer.recv().expect("a copy answers, if only with its panic");
            let answer = answer.unwrap_or_else(|panic| resume_unwind(panic));
            loss += answer.loss;
            gradients.iter_mut().zip(answer.gradients).for_each(|(all, one)| all.extend(one));
        }
        Tensor::result_of_list(
            "data parallel",
            shared(&[], vec![weight * loss]),
            parameters.into(),
            move |dy, parameters| {
                let factor = weight * *dy.first().expect("a loss is one number");
                for (parameter, gradients) in parameters.iter().zip(gradients) {
                    for gradient in gradients {
                        parameter.accumulate(|| gradient.mapv(|number| factor * number).into_shared());
                    }
                }
            },
        )
    }
}

impl<A: Real, M: Trainable<A>> DataParallel<A, M> {
    /// The model that the copies are copies of: what is asked of it beside training is asked here.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The model alone, with what it has learned.
    pub fn into_model(self) -> M {
        self.model
    }
}

/// The parameters' names and shapes.
fn outline<A: Real>(model: &dyn Module<A>) -> Vec<(String, Vec<usize>)> {
    model.named_parameters().into_iter().map(|(name, parameter)| (name, parameter.shape().to_vec())).collect()
}

/// Does what it is asked until nobody can ask any more. A panic is an answer as well.
fn work<A: Real, M: Trainable<A>>(model: &M, jobs: &Receiver<Job<A, M>>) {
    let parameters = model.parameters();
    while let Ok(job) = jobs.recv() {
        let answer = catch_unwind(AssertUnwindSafe(|| job.done(model, &parameters)));
        // Nobody waits for it if another copy has panicked.
        let _ = job.answer.send(answer);
    }
}

impl<A: Real, M: Trainable<A>> Job<A, M> {
    fn done(&self, model: &M, parameters: &[Tensor<A>]) -> Answer<A> {
        model.set_training(self.is_training);
        for (parameter, value) in parameters.iter().zip(&*self.values) {
            parameter.zero_grad();
            parameter.set_value(value.to_owned());
        }
        let mut loss = A::zero();
        for part in &self.parts {
            let step = || (self.step)(model, part);
            let one = if self.is_recording { step() } else { no_grad(step) };
            if one.needs_gradient() {
                one.backward();
            }
            loss += one.item();
        }
        let gradients = parameters.iter().map(|parameter| parameter.grad().map(Into::into)).collect();
        Answer { loss, gradients }
    }
}

impl<A: Real, M: Trainable<A> + 'static> Worker<A, M>
where
    M::Batch: Send,
{
    fn start(run: impl FnOnce(Receiver<Job<A, M>>) + Send + 'static) -> Self {
        let (jobs, receiver) = channel();
        Self { jobs: Some(jobs), thread: Some(thread::spawn(move || run(receiver))) }
    }
}

impl<A: Real, M: Trainable<A>> Worker<A, M> {
    fn take_on(&self, job: Job<A, M>) {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        assert!(sent, "a copy takes on jobs until it is dropped");
    }

    /// Waits for the end of its thread, and says how it ended.
    fn end(&mut self) -> thread::Result<()> {
        self.jobs = None;
        self.thread.take().map_or(Ok(()), JoinHandle::join)
    }
}

impl<A: Real, M: Trainable<A>> Drop for Worker<A, M> {
    fn drop(&mut self) {
        // Whoever waited for the thread's work knows of its panic.
        let _ = self.end();
    }
}

impl<A: Real, M> Module<A> for DataParallel<A, M>
where
    M: Trainable<A>,
{
    fn parts(&self) -> Parts<'_, A> {
        self.model.parts()
    }

    fn set_training(&self, training: bool) {
        self.training.set(training);
        self.model.set_training(training);
    }
}

impl<A: Real, M> Trainable<A> for DataParallel<A, M>
where
    M: Trainable<A> + 'static,
    M::Batch: Clone + Send,
{
    /// Parts of a batch; of equally large ones the mean of the losses is the loss on the whole.
    type Batch = Vec<M::Batch>;

    fn training_step(&self, batch: &Self::Batch) -> Tensor<A> {
        self.mean(batch, M::training_step)
    }

    fn validation_step(&self, batch: &Self::Batch) -> Tensor<A> {
        self.mean(batch, M::validation_step)
    }
}

impl<A: Real, M: Trainable<A> + fmt::Debug> fmt::Debug for DataParallel<A, M> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { model, copies, .. } = self;
        f.debug_struct("DataParallel").field("model", model).field("copies", &copies.len()).finish_non_exhaustive()
    }
}
