//! Every operation compared with PyTorch, to 1e-10 in f64 and 1e-5 in f32; `reference/autograd.py` made the numbers.

use d2l::attention::Mask;
use d2l::autograd::{Real, Tensor};
use ndarray::ArrayD;
use serde_json::Value;

/// What the script does with its inputs, under the same name.
fn apply<A: Real>(operation: &str, x: &[Tensor<A>]) -> Tensor<A> {
    let number = |x: f64| A::from(x).expect("a number in range");
    match operation {
        "add" => &x[0] + &x[1],
        "sub" => &x[0] - &x[1],
        "mul" => &x[0] * &x[1],
        "div" => &x[0] / &x[1],
        "neg" => -&x[0],
        "scalars" => (&x[0] * number(3.0) - number(0.5)) / number(7.0) + number(2.0),
        "matmul" => x[0].matmul(&x[1]),
        "exp" => x[0].exp(),
        "ln" => x[0].ln(),
        "sqrt" => x[0].sqrt(),
        "powi" => x[0].powi(3),
        "tanh" => x[0].tanh(),
        "sigmoid" => x[0].sigmoid(),
        "relu" => x[0].relu(),
        "gelu" => x[0].gelu(),
        "sum" => x[0].sum(),
        "mean" => x[0].mean(),
        "sum_axis" => x[0].sum_axis(1),
        "mean_axis" => x[0].mean_axis(-1),
        "sum_keepdim" => x[0].sum_keepdim(0),
        "mean_keepdim" => x[0].mean_keepdim(1),
        "transpose" => x[0].transpose(),
        "permute" => x[0].permute([2, 0, 1]),
        "swap_axes" => x[0].swap_axes(0, 2),
        "reshape" => x[0].permute([1, 0, 2]).reshape([4, 6]),
        "slice" => x[0].slice(1, 1..3),
        "index_axis" => x[0].index_axis(1, -1),
        "concat" => Tensor::concat(x, 1),
        "stack" => Tensor::stack(x, 1),
        "softmax" => x[0].softmax(-1),
        "softmax_0" => x[0].softmax(0),
        "log_softmax" => x[0].log_softmax(1),
        "causal_softmax" => x[0].masked_softmax(Mask::Causal),
        "lengths_softmax" => x[0].masked_softmax(Mask::lengths([2, 3])),
        "gather_rows" => x[0].gather_rows(&[1, 0, 1, 4]),
        "layer_norm" => x[0].layer_norm(&x[1], &x[2], number(1e-5)),
        "cross_entropy" => x[0].cross_entropy(&[2, 0, 2]),
        "mse_loss" => x[0].mse_loss(&x[1]),
        "attention" => {
            let scores = x[0].matmul(&x[1].transpose()) / number(2.0);
            (scores.masked_softmax(Mask::Causal).matmul(&x[2]) + &x[2]).gelu()
        }
        other => panic!("no operation is called {other}"),
    }
}

fn read<A: Real>(value: &Value) -> ArrayD<A> {
    let list = |name: &str| value[name].as_array().unwrap_or_else(|| panic!("{name} is a list")).iter();
    let shape: Vec<usize> = list("shape").map(|n| n.as_u64().expect("a length") as usize).collect();
    let data = list("data").map(|x| A::from(x.as_f64().expect("a number")).expect("a number in range")).collect();
    ArrayD::from_shape_vec(shape, data).expect("the data have the shape")
}

#[track_caller]
fn assert_close<A: Real>(ours: &ArrayD<A>, torch: &Value, what: &str, tolerance: f64) {
    let torch = read::<A>(torch);
    assert_eq!(ours.shape(), torch.shape(), "{what}");
    for (ours, torch) in ours.iter().zip(&torch) {
        let [ours, torch] = [ours, torch].map(|x| x.to_f64().expect("a number"));
        assert!((ours - torch).abs() <= tolerance * torch.abs().max(1.0), "{what}: {ours} here, {torch} in PyTorch");
    }
}

fn compare<A: Real>(tolerance: f64) {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../reference/autograd.json")).expect("a list of cases");
    assert!(cases.len() > 30);
    for case in cases {
        let name = case["operation"].as_str().expect("a name");
        let list = |of: &str| case[of].as_array().expect("a list");
        let inputs: Vec<Tensor<A>> = list("inputs").iter().map(|input| Tensor::parameter(read(input))).collect();
        let y = apply(name, &inputs);
        assert_close(&y.value().to_owned(), &case["output"], &format!("{name}, value"), tolerance);
        let loss = (y * Tensor::new(read(&case["coefficients"]))).sum();
        assert_close(&loss.value().to_owned(), &case["loss"], &format!("{name}, loss"), tolerance);
        loss.backward();
        for (i, (input, gradient)) in inputs.iter().zip(list("gradients")).enumerate() {
            let ours = input.grad().expect("every input is used");
            assert_close(&ours, gradient, &format!("{name}, gradient of input {i}"), tolerance);
        }
    }
}

#[test]
fn doubles() {
    compare::<f64>(1e-10);
}

#[test]
fn floats() {
    compare::<f32>(1e-5);
}
