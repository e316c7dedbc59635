//! Layers and optimisers compared with PyTorch, to 1e-10 in f64 and 1e-5 in f32; `../reference/nn.py` made the numbers.

use d2l::prelude::*;
use ndarray::{ArrayD, ArrayRef, IxDyn};
use serde_json::{Map, Value};

fn file() -> Value {
    serde_json::from_str(include_str!("../reference/nn.json")).expect("the file is JSON")
}

/// f32 or f64, and how far its results may be from PyTorch's.
trait Float: Real {
    const TOLERANCE: f64;
}

impl Float for f32 {
    const TOLERANCE: f64 = 1e-5;
}

impl Float for f64 {
    const TOLERANCE: f64 = 1e-10;
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn whole(value: &Value) -> Vec<usize> {
    numbers(value).into_iter().map(|n| n as usize).collect()
}

fn object(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("an object")
}

fn array<A: Float>(value: &Value) -> ArrayD<A> {
    let data = numbers(&value["data"]).into_iter().map(|x| A::from(x).unwrap()).collect();
    ArrayD::from_shape_vec(whole(&value["shape"]), data).expect("the data have the shape")
}

fn mask(case: &Value) -> Mask {
    match &case["lengths"] {
        _ if case["causal"] == true => Mask::Causal,
        Value::Null => Mask::None,
        Value::Array(rows) if rows[0].is_array() => {
            let rows: Vec<Vec<usize>> = rows.iter().map(whole).collect();
            Mask::lengths_per_query(Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j]))
        }
        lengths => Mask::lengths(whole(lengths)),
    }
}

#[track_caller]
fn assert_close<A: Float>(ours: &ArrayRef<A, IxDyn>, torch: &Value, what: &str) {
    let torch: ArrayD<f64> = array(torch);
    assert_eq!(ours.shape(), torch.shape(), "{what}");
    for (index, (ours, torch)) in ours.iter().zip(&torch).enumerate() {
        let (ours, scale) = (ours.to_f64().unwrap(), torch.abs().max(1.0));
        assert!(
            (ours - torch).abs() <= A::TOLERANCE * scale,
            "{what}, element {index}: {ours} here, {torch} in PyTorch"
        );
    }
}

/// Gives the model the parameters of the file, all of them and no others.
fn load<A: Float>(model: &dyn Module<A>, parameters: &Value) {
    let parameters = object(parameters);
    assert_eq!(model.named_parameters().len(), parameters.len());
    for (path, parameter) in model.named_parameters() {
        parameter.set_value(array(&parameters[&path]));
    }
}

/// Runs the case's layer with PyTorch's parameters: the layer's output and its parameters by name.
fn run<A: Float>(case: &Value, inputs: &[Tensor<A>]) -> (Tensor<A>, Vec<(String, Tensor<A>)>) {
    /// Loads the layer, runs it, and keeps hold of its parameters.
    macro_rules! layer {
        ($layer:expr, |$loaded:ident| $forward:expr) => {{
            let $loaded = $layer;
            load(&$loaded, &case["parameters"]);
            ($forward, $loaded.named_parameters())
        }};
    }
    let (generator, mask) = (&mut seeded(0), mask(case));
    let has_bias = case["parameters"].get("bias").is_some();
    match (case["name"].as_str().expect("a name"), inputs) {
        ("linear", [x]) if has_bias => layer!(Linear::new(3, 2, generator), |linear| linear.forward(x)),
        ("linear", [x]) => layer!(Linear::without_bias(2, 3, generator), |linear| linear.forward(x)),
        ("embedding", [tokens]) => {
            let tokens = tokens.value().mapv(|token| token.to_usize().unwrap());
            layer!(Embedding::new(5, 3, generator), |table| table.forward(&tokens))
        }
        ("layer norm", [x]) => layer!(LayerNorm::new(5), |norm| norm.forward(x)),
        ("dot product", [q, k, v]) => layer!(DotProductAttention::new(), |layer| layer.forward(q, k, v, mask)),
        ("additive", [q, k, v]) => {
            layer!(AdditiveAttention::new(3, 2, 4, generator), |layer| layer.forward(q, k, v, mask))
        }
        ("multi-head", [q, k, v]) => {
            layer!(MultiHeadAttention::new(4, 2, generator).bias(generator), |layer| layer.forward(q, k, v, mask))
        }
        ("multi-head of sizes", [q, k, v]) => {
            let layer = MultiHeadAttention::sizes([4, 3, 5], 4, 2, generator);
            layer!(layer, |layer| layer.forward(q, k, v, mask))
        }
        ("positional encoding", [x]) => layer!(PositionalEncoding::new(6, 10), |layer| layer.forward(x)),
        ("rotary positions", [x]) => (RotaryPositions::new(4, 10).forward(x), Vec::new()),
        ("add norm", [x, y]) => layer!(AddNorm::new(4), |layer| layer.forward(x, y)),
        ("ffn", [x]) => layer!(PositionWiseFFN::new(3, 5, 2, generator), |layer| layer.forward(x)),
        ("encoder block", [x]) => {
            let block = TransformerEncoderBlock::new(4, 6, 2, generator).bias(generator);
            layer!(block, |block| block.forward(x, mask))
        }
        (other, inputs) => panic!("no layer is called {other} and takes {} inputs", inputs.len()),
    }
}

fn layers<A: Float>() {
    let file = file();
    for case in file["layers"].as_array().expect("a list of cases") {
        let name = case["name"].as_str().expect("a name");
        let named: Vec<(&String, Tensor<A>)> =
            object(&case["inputs"]).iter().map(|(input, value)| (input, Tensor::parameter(array(value)))).collect();
        let inputs: Vec<Tensor<A>> = in_order(&named);
        let (output, parameters) = run(case, &inputs);
        assert_close(&output.value(), &case["output"], name);

        (output * Tensor::new(array(&case["coefficients"]))).sum().backward();
        let learned = parameters.into_iter().chain(named.into_iter().map(|(input, tensor)| (input.clone(), tensor)));
        let gradients = object(&case["gradients"]);
        let mut compared = 0;
        for (path, tensor) in learned.filter(|(path, _)| gradients.contains_key(path)) {
            let gradient = tensor.grad().expect("every parameter was used");
            assert_close(&gradient, &gradients[&path], &format!("{name}, gradient of {path}"));
            compared += 1;
        }
        assert_eq!(compared, gradients.len(), "{name}");
    }
}

/// The inputs as the layers' methods take them: JSON knows no order.
fn in_order<A: Float>(named: &[(&String, Tensor<A>)]) -> Vec<Tensor<A>> {
    let order = ["queries", "keys", "values", "tokens", "x", "y"];
    order.iter().filter_map(|&name| named.iter().find(|(input, _)| *input == name)).map(|(_, x)| x.clone()).collect()
}

#[test]
fn layers_agree_in_f32() {
    layers::<f32>();
}

#[test]
fn layers_agree_in_f64() {
    layers::<f64>();
}

struct Tagger<A: Real> {
    table: Embedding<A>,
    positions: PositionalEncoding<A>,
    block: TransformerEncoderBlock<A>,
    out: Linear<A>,
}

impl<A: Real> Module<A> for Tagger<A> {
    fn parts(&self) -> Parts<'_, A> {
        parts!(self, table, positions, block, out)
    }
}

impl<A: Float> Tagger<A> {
    fn new(case: &Value) -> Self {
        let generator = &mut seeded(0);
        let model = Self {
            table: Embedding::new(5, 4, generator),
            positions: PositionalEncoding::new(4, 3),
            block: TransformerEncoderBlock::new(4, 6, 2, generator),
            out: Linear::new(4, 3, generator),
        };
        load(&model, &case["parameters"]);
        model
    }

    /// Logits of every token, (batch · n) x labels.
    fn forward(&self, case: &Value) -> Tensor<A> {
        let tokens: Vec<Vec<usize>> = case["tokens"].as_array().expect("sequences").iter().map(whole).collect();
        let tokens = Array2::from_shape_fn((tokens.len(), tokens[0].len()), |(i, j)| tokens[i][j]);
        let x = self.positions.forward(&self.table.forward(&tokens));
        let logits = self.out.forward(&self.block.forward(&x, mask(case)));
        logits.reshape([tokens.len(), logits.shape()[2]])
    }
}

fn first_step<A: Float>() {
    let case = &file()["model"];
    let model = Tagger::<A>::new(case);
    let logits = model.forward(case);
    let torch = &case["logits"];
    assert_close(&logits.value().into_shape_with_order(whole(&torch["shape"])).unwrap(), torch, "logits");
    logits.cross_entropy(&whole(&case["labels"])).backward();
    for (path, parameter) in model.named_parameters() {
        assert_close(&parameter.grad().expect("it was used"), &case["gradients"][&path], &path);
    }
}

#[test]
fn a_whole_model_has_the_same_gradients() {
    first_step::<f32>();
    first_step::<f64>();
}

fn ten_steps<A: Float, O: Optimizer<A>>(name: &str, max_norm: Option<f64>, optimizer: impl Fn(&Tagger<A>) -> O) {
    let case = &file()["model"];
    let (model, torch) = (Tagger::<A>::new(case), &case[name]);
    let mut optimizer = optimizer(&model);
    let agree = |ours: f64, theirs: f64, what: &str| {
        assert!((ours - theirs).abs() <= A::TOLERANCE, "{name}, {what}: {ours} here, {theirs} in PyTorch");
    };
    for (step, torch_loss) in numbers(&torch["losses"]).into_iter().enumerate() {
        let loss = model.forward(case).cross_entropy(&whole(&case["labels"]));
        optimizer.zero_grad();
        loss.backward();
        if let Some(max_norm) = max_norm {
            agree(clip_gradients(&model, max_norm), numbers(&torch["norms"])[step], "norm of the gradients");
        }
        optimizer.step();
        agree(loss.item().to_f64().unwrap(), torch_loss, &format!("loss of step {step}"));
    }
    for (path, parameter) in model.named_parameters() {
        assert_close(&parameter.value(), &torch["parameters"][&path], &format!("{name}, {path} after ten steps"));
    }
}

fn optimizers<A: Float>() {
    ten_steps::<A, _>("sgd", None, |model| Sgd::new(model, 0.1).momentum(0.9).weight_decay(0.01));
    ten_steps::<A, _>("adam", None, |model| Adam::new(model, 0.01));
    ten_steps::<A, _>("adam with decay", None, |model| {
        Adam::new(model, 0.01).betas(0.8, 0.95).eps(1e-6).weight_decay(0.1)
    });
    ten_steps::<A, _>("adamw", None, |model| AdamW::new(model, 0.01));
    ten_steps::<A, _>("clipped sgd", Some(0.5), |model| Sgd::new(model, 0.1));
}

#[test]
fn ten_steps_of_every_optimizer_agree_in_f32() {
    optimizers::<f32>();
}

#[test]
fn ten_steps_of_every_optimizer_agree_in_f64() {
    optimizers::<f64>();
}
