//! What is said when something does not fit: one sentence, with what was given.

use std::panic::{AssertUnwindSafe, catch_unwind};

use d2l::attention::Mask;
use d2l::autograd::{Tensor, no_grad};
use ndarray::{ArrayD, IxDyn};

fn tensor(shape: &[usize]) -> Tensor {
    Tensor::parameter(ArrayD::ones(IxDyn(shape)))
}

#[track_caller]
fn says(mistake: impl FnOnce(), sentence: &str) {
    let panic = catch_unwind(AssertUnwindSafe(mistake)).expect_err("this is a mistake");
    let said = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|&s| s.into()));
    let said = said.expect("panics say something");
    assert!(said.contains(sentence) && !said.contains('\n'), "said: {said}\nnot: {sentence}");
}

#[test]
fn shapes_that_do_not_fit() {
    let (a, b) = (tensor(&[2, 3]), tensor(&[2, 2]));
    says(
        || _ = &a + &b,
        "a + b: shapes [2, 3] and [2, 2] do not fit: aligned at the last axis, lengths have to be equal, or one of them 1",
    );
    says(|| _ = &a - &b, "a - b: shapes [2, 3] and [2, 2] do not fit");
    says(|| _ = &a * &b, "a * b: shapes [2, 3] and [2, 2] do not fit");
    says(|| _ = &a / tensor(&[2]), "a / b: shapes [2, 3] and [2] do not fit");
    says(
        || _ = a.matmul(&a),
        "matmul: shapes [2, 3] and [2, 3] do not fit: n x k times k x m needs equal k, not 3 and 2",
    );
    says(|| _ = a.matmul(&tensor(&[2])), "matmul: shapes [2, 3] and [2] do not fit: n x k times k x m needs equal k");
    says(|| _ = a.matmul(&tensor(&[])), "matmul: shapes [2, 3] and [] do not fit");
    let (c, d) = (tensor(&[2, 1, 1]), tensor(&[3, 1, 1]));
    says(
        || _ = c.matmul(&d),
        "matmul: shapes [2, 1, 1] and [3, 1, 1] do not fit: the axes before the last two have to broadcast",
    );
    says(
        || _ = a.reshape([4]),
        "reshape: shapes [2, 3] and [4] do not fit: both have to hold as many numbers, not 6 and 4",
    );
    says(|| _ = Tensor::concat(&[a.clone(), c.clone()], 0), "concat: shapes [2, 3] and [2, 1, 1] do not fit");
    says(
        || _ = Tensor::concat(&[a.clone(), b.clone()], 0),
        "concat: shapes [2, 3] and [2, 2] do not fit: lengths have",
    );
    says(|| _ = Tensor::<f64>::concat(&[], 0), "concat needs at least one tensor");
    says(
        || _ = Tensor::stack(&[a.clone(), b.clone()], 0),
        "stack: shapes [2, 3] and [2, 2] do not fit: they have to be equal",
    );
    says(
        || _ = a.mse_loss(&tensor(&[3])),
        "mse_loss: shapes [2, 3] and [3] do not fit: each prediction needs one target",
    );
    says(
        || _ = a.layer_norm(&tensor(&[2]), &tensor(&[3]), 0.0),
        "layer_norm: weight of shape [2] does not fit x of shape",
    );
    says(|| _ = a.layer_norm(&tensor(&[3]), &tensor(&[1, 3]), 0.0), "layer_norm: bias of shape [1, 3] does not fit");
    says(
        || a.set_value(ArrayD::ones(vec![3])),
        "a value of shape [3] does not fit a tensor of shape [2, 3]: the two shapes have to be equal",
    );
}

#[test]
fn axes_entries_and_classes_that_are_not_there() {
    let a = tensor(&[2, 3]);
    says(|| _ = a.sum_axis(2), "there is no axis 2 in shape [2, 3], which has 2 axes");
    says(|| _ = a.softmax(-3), "there is no axis -3 in shape [2, 3], which has 2 axes");
    says(|| _ = tensor(&[]).softmax(-1), "there is no axis -1 in shape [], which has 0 axes");
    says(|| _ = a.insert_axis(3), "there is no place 3 for a new axis in shape [2, 3], which has 2 axes");
    says(|| _ = a.remove_axis(0), "only an axis of length 1 can be removed, and axis 0 of shape [2, 3] is longer");
    says(|| _ = tensor(&[3]).transpose(), "transpose needs a matrix, not a tensor of shape [3]");
    says(|| _ = a.permute([0, 0]), "permute: axes [0, 0] do not fit shape [2, 3]: they name each of its 2 axes once");
    says(|| _ = a.permute([0]), "permute: axes [0] do not fit shape [2, 3]");
    says(|| _ = a.slice(1, 2..4), "the range 2..4 does not fit axis 1 of shape [2, 3], whose length is 3");
    #[expect(clippy::reversed_empty_ranges, reason = "this is the mistake")]
    says(|| _ = a.slice(0, 2..1), "the range 2..1 does not fit axis 0 of shape [2, 3], whose length is 2");
    says(|| _ = a.index_axis(0, 2), "there is no entry 2 on axis 0 of shape [2, 3], whose length is 2");
    says(|| _ = a.index_axis(1, -4), "there is no entry -4 on axis 1 of shape [2, 3], whose length is 3");
    says(|| _ = a.gather_rows(&[1, 2]), "there is no row 2 (number 1 of those asked for) in a table of shape [2, 3]");
    says(|| _ = tensor(&[]).gather_rows(&[]), "gather_rows needs a table, and a single number is none");
    says(|| _ = a.cross_entropy(&[0]), "cross_entropy: logits of shape [2, 3] and 1 targets do not fit");
    says(|| _ = a.cross_entropy(&[0, 3]), "the target of row 1 is 3, but logits of shape [2, 3] have 3 classes");
    says(|| _ = tensor(&[3]).cross_entropy(&[0]), "cross_entropy needs logits of shape n x classes, not [3]");
    says(|| _ = a.masked_softmax(Mask::length(4)), "the valid length is 4, but the number of keys is 3");
    says(|| _ = a.item(), "item needs a tensor of one number, not one of shape [2, 3]");
}

#[test]
fn a_way_back_that_is_not_there() {
    let x = tensor(&[2]);
    says(
        || (&x * 2.0).backward(),
        "backward starts from a loss of one number, not from shape [2]: take its sum() or mean()",
    );
    says(|| x.backward_with(ArrayD::ones(vec![3])), "a gradient of shape [3] does not fit a tensor of shape [2]");
    let none = "backward found no parameter: this tensor was computed from constants only, detached, or computed under no_grad";
    says(|| Tensor::scalar(2.0).backward(), none);
    says(|| x.detach().sum().backward(), none);
    says(|| no_grad(|| x.sum()).backward(), none);
}

#[test]
fn a_second_way_back_through_the_same_computation() {
    let x = tensor(&[2]);
    let shared = &x * 3.0;
    let (one, other) = (shared.sum(), (&shared * &shared).sum());
    one.backward();
    let freed = "backward has been here before and freed what it needs: compute the loss anew for every backward";
    says(|| one.backward(), freed);
    says(|| other.backward(), freed);
    // Nothing is left behind that a later gradient would pick up.
    x.zero_grad();
    (&x * 3.0).sum().backward();
    assert_eq!(x.grad(), Some(ArrayD::from_elem(vec![2], 3.0)));
}
