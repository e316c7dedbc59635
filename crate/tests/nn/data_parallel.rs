//! Copies of a model that share a batch, held against the model alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use d2l::prelude::*;

/// Two layers with dropout between them, and a parameter that no loss is computed from.
struct Net {
    hidden: Linear,
    dropout: Dropout,
    out: Linear,
    idle: Tensor,
}

impl Module for Net {
    fn parts(&self) -> Parts<'_> {
        parts!(self, hidden, dropout, out, idle)
    }
}

impl Trainable for Net {
    type Batch = (Array2<f64>, Array2<f64>);

    fn training_step(&self, (x, y): &Self::Batch) -> Tensor {
        let hidden = self.hidden.forward(&Tensor::new(x.clone())).tanh();
        self.out.forward(&self.dropout.forward(&hidden)).mse_loss(&Tensor::new(y.clone()))
    }
}

fn net(dropout: f64) -> Net {
    let generator = &mut seeded(1);
    Net {
        hidden: Linear::new(3, 5, generator),
        dropout: Dropout::new(dropout, generator),
        out: Linear::new(5, 2, generator),
        idle: Tensor::parameter(array![1.0]),
    }
}

/// So many parts of so many examples each.
fn parts(count: usize, examples: usize) -> Vec<(Array2<f64>, Array2<f64>)> {
    let generator = &mut seeded(2);
    (0..count).map(|_| (normal((examples, 3), generator), normal((examples, 2), generator))).collect()
}

/// The loss and the gradients of a training step.
fn step<B>(model: &impl Trainable<Batch = B>, batch: &B) -> (f64, Vec<Option<ndarray::ArrayD<f64>>>) {
    model.zero_grad();
    let loss = model.training_step(batch);
    loss.backward();
    (loss.item(), model.parameters().iter().map(Tensor::grad).collect())
}

fn assert_close(one: &[Option<ndarray::ArrayD<f64>>], other: &[Option<ndarray::ArrayD<f64>>]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        match (one, other) {
            (Some(one), Some(other)) => assert!((one - other).iter().all(|d| d.abs() < 1e-12), "{one} {other}"),
            (None, None) => {}
            _ => panic!("one has a gradient and the other has none"),
        }
    }
}

#[test]
fn parts_together_are_as_the_whole_batch() {
    for (copies, count) in [(1, 1), (1, 3), (2, 1), (2, 2), (2, 5), (3, 2)] {
        let parts = parts(count, 4);
        let stack = |all: Vec<_>| ndarray::concatenate(Axis(0), &all).unwrap();
        let whole = (
            stack(parts.iter().map(|(x, _)| x.view()).collect()),
            stack(parts.iter().map(|(_, y)| y.view()).collect()),
        );
        let (loss, gradients) = step(&DataParallel::new(copies, || net(0.0)), &parts);
        let (expected_loss, expected) = step(&net(0.0), &whole);
        assert!((loss - expected_loss).abs() < 1e-12, "{copies} copies, {count} parts");
        assert_close(&gradients, &expected);
        assert!(gradients[4].is_none(), "nothing was computed from the last parameter");
    }
}

#[test]
fn a_loss_that_is_scaled_scales_the_gradients_and_a_second_adds_to_them() {
    let (model, parts) = (DataParallel::new(2, || net(0.0)), parts(2, 3));
    let (_, once) = step(&model, &parts);
    model.zero_grad();
    (model.training_step(&parts) * 2.0).backward();
    model.training_step(&parts).backward();
    let gradients: Vec<_> = model.parameters().iter().map(Tensor::grad).collect();
    assert_close(&gradients, &once.into_iter().map(|gradient| gradient.map(|g| 3.0 * g)).collect::<Vec<_>>());
}

#[test]
fn copies_follow_what_the_model_learns() {
    let run = |dropout| {
        let (model, parts) = (DataParallel::new(2, move || net(dropout)), parts(4, 3));
        let mut adam = Adam::new(&model, 0.01);
        let losses: Vec<f64> = (0..200)
            .map(|_| {
                let (loss, _) = step(&model, &parts);
                adam.step();
                loss
            })
            .collect();
        (losses, model.into_model())
    };
    let (losses, model) = run(0.0);
    assert!(losses[199] < 0.3 * losses[0], "{} {}", losses[0], losses[199]);
    let alone: f64 = parts(4, 3).iter().map(|part| model.training_step(part).item()).sum::<f64>() / 4.0;
    assert!(alone < losses[199], "the model has learned, and not its copies alone");
    // Dropout as well is drawn in an order that does not depend on which copy is done first.
    assert_eq!(run(0.5).0, run(0.5).0);
    assert_ne!(run(0.5).0, losses);
}

#[test]
fn modes_reach_the_copies() {
    let (model, parts) = (DataParallel::new(2, || net(0.9)), parts(2, 50));
    let loss = || model.training_step(&parts).item();
    assert_ne!(loss(), loss());
    model.eval();
    assert_eq!(loss(), loss());
    let measured = no_grad(|| model.validation_step(&parts));
    assert_eq!((measured.item(), measured.needs_gradient()), (loss(), false));
    model.train();
    assert_ne!(loss(), loss());
}

#[test]
fn it_is_the_model_by_its_names() {
    let model = DataParallel::new(2, || net(0.0));
    let names: Vec<String> = model.named_parameters().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["hidden.weight", "hidden.bias", "out.weight", "out.bias", "idle"]);
    assert!(model.model().idle.item() == 1.0);
}

/// What a call panics with.
fn panic_of(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("this panics");
    panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|&s| s.into())).unwrap()
}

#[test]
fn a_panic_of_a_copy_is_the_callers_and_the_next_step_works() {
    let (model, parts) = (DataParallel::new(2, || net(0.0)), parts(2, 3));
    let (expected, _) = step(&model, &parts);
    for place in 0..2 {
        let mut wrong = parts.clone();
        wrong[place].0 = Array2::zeros((3, 4));
        let panic = panic_of(|| drop(model.training_step(&wrong)));
        assert!(panic.contains("x of shape [3, 4] does not fit a linear layer for vectors of length 3"), "{panic}");
        assert_eq!(step(&model, &parts).0, expected);
    }
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let none = panic_of(|| drop(DataParallel::new(0, || net(0.0))));
    assert!(none.contains("at least one copy of the model"), "{none}");
    let empty = panic_of(|| drop(DataParallel::new(2, || net(0.0)).training_step(&vec![])));
    assert!(empty.contains("a batch of no parts has no loss"), "{empty}");
}

/// `make` is called once for the model and once for each copy.
fn copies_of(make: impl Fn(usize) -> Net + Send + Sync + 'static) -> String {
    let calls = AtomicUsize::new(0);
    panic_of(|| drop(DataParallel::new(2, move || make(calls.fetch_add(1, Ordering::Relaxed)))))
}

#[test]
fn copies_that_are_other_models_are_refused() {
    let other = copies_of(|call| Net { hidden: Linear::new(3, 5 + call, &mut seeded(0)), ..net(0.0) });
    assert!(other.contains("every call has to make the same layers"), "{other}");
    assert_eq!(copies_of(|call| if call == 2 { panic!("no third one") } else { net(0.0) }), "no third one");
}
