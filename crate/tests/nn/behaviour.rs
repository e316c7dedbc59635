//! What layers promise beside their gradients: names, seeds, modes, masks, and one sentence for what does not fit.

use d2l::prelude::*;
use ndarray::{ArrayD, IxDyn, Slice};

fn names<A: Real>(model: &dyn Module<A>) -> Vec<String> {
    model.named_parameters().into_iter().map(|(path, _)| path).collect()
}

struct Encoder {
    blocks: Vec<TransformerEncoderBlock>,
    head: Option<Linear>,
}

impl Module for Encoder {
    fn parts(&self) -> Parts<'_> {
        parts!(self, blocks, head)
    }
}

fn encoder(head: bool) -> Encoder {
    let generator = &mut seeded(0);
    let blocks = (0..2).map(|_| TransformerEncoderBlock::new(4, 6, 2, generator).dropout(0.5, generator)).collect();
    Encoder { blocks, head: head.then(|| Linear::new(4, 1, generator)) }
}

#[test]
fn parameters_are_named_by_their_place_in_the_tree() {
    let names = names(&encoder(true));
    assert_eq!(names.len(), 2 * (4 + 2 + 4 + 2) + 2);
    for name in
        ["blocks.0.attention.w_q.weight", "blocks.1.ffn.dense2.bias", "blocks.1.addnorm1.ln.weight", "head.bias"]
    {
        assert!(names.iter().any(|known| known == name), "{name} is not among {names:?}");
    }
    assert_eq!(encoder(false).parameters().len(), 2 * 12);
}

#[test]
fn a_tensor_in_two_places_is_one_parameter() {
    let weight = Tensor::parameter(array![[1.0]]);
    let twice = vec![Linear { weight: weight.clone(), bias: None }, Linear { weight, bias: None }];
    assert_eq!(names(&twice), ["0.weight"]);
}

#[test]
fn a_parameter_alone_is_a_module() {
    let weight: Tensor = Tensor::parameter(array![1.0]);
    weight.sum().backward();
    let mut sgd = Sgd::new(&weight, 0.25);
    sgd.step();
    assert_eq!((weight.item(), names(&weight)), (0.75, vec![String::new()]));
    sgd.set_learning_rate(0.5);
    sgd.step();
    assert_eq!(weight.item(), 0.25);
    sgd.zero_grad();
    sgd.step();
    assert_eq!((weight.item(), weight.grad()), (0.25, None), "without a gradient a parameter stays");
}

#[test]
fn a_parameter_by_name_is_the_models_own() {
    let model = encoder(true);
    model.parameter("head.bias").set_value(array![7.0]);
    assert_eq!(model.head.as_ref().unwrap().bias.as_ref().unwrap().item(), 7.0);
}

#[test]
#[should_panic = "no parameter is called \"wieght\": there are weight, bias"]
fn a_misspelt_name_is_answered_with_the_names() {
    let _ = Linear::<f64>::new(1, 1, &mut seeded(0)).parameter("wieght");
}

#[test]
fn evaluation_mode_reaches_every_part() {
    let (model, x) = (encoder(true), Tensor::new(Array2::from_shape_fn((3, 4), |(i, j)| (i * j) as f64)));
    let forward = || model.blocks[1].forward(&model.blocks[0].forward(&x, Mask::None), Mask::None).value();
    assert_ne!(forward(), forward());
    model.eval();
    assert_eq!(forward(), forward());
    model.train();
    assert_ne!(forward(), forward());
}

#[test]
fn a_seed_settles_a_layer_and_what_it_drops() {
    let x = Tensor::new(Array2::<f64>::ones((5, 4)));
    let run = |seed| {
        let generator = &mut seeded(seed);
        let block = TransformerEncoderBlock::new(4, 6, 2, generator).dropout(0.3, generator);
        (block.forward(&x, Mask::Causal).value(), block.forward(&x, Mask::Causal).value())
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    assert_ne!(run(1).0, run(1).1);
}

#[test]
fn layers_start_as_pytorchs_do() {
    let generator = &mut seeded(0);
    let linear = Linear::<f32>::new(25, 400, generator);
    for parameter in linear.parameters() {
        let value = parameter.value();
        let largest = value.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        // Evenly spread over ±1/√25: nothing beyond, something near the ends, and the variance 0.2²/3.
        assert!(largest <= 0.2 && largest > 0.19, "{largest}");
        assert!((value.var(0.0) - 0.04 / 3.0).abs() < 0.001);
    }
    let table = Embedding::<f32>::new(100, 100, generator).weight.value();
    assert!(table.mean().unwrap().abs() < 0.03 && (table.std(0.0) - 1.0).abs() < 0.03);
    let norm = LayerNorm::<f64>::new(3);
    assert_eq!((norm.weight.value().sum(), norm.bias.value().sum()), (3.0, 0.0));
}

#[test]
fn dropout_keeps_the_expected_value() {
    let x = Tensor::new(Array1::<f64>::ones(20_000));
    for p in [0.1, 0.5, 0.9] {
        let y = Dropout::new(p, &mut seeded(0)).forward(&x).value();
        let dropped = y.iter().filter(|&&y| y == 0.0).count() as f64 / 20_000.0;
        assert!((dropped - p).abs() < 0.02 && (y.mean().unwrap() - 1.0).abs() < 0.05, "{p}: {dropped}");
    }
    assert!(Dropout::new(1.0, &mut seeded(0)).forward(&x).value().iter().all(|&y| y == 0.0));
    assert_eq!(Dropout::new(0.0, &mut seeded(0)).forward(&x).value(), x.value());
}

#[test]
fn kept_weights_are_those_of_softmax_whatever_is_dropped() {
    let generator = &mut seeded(0);
    let attention = DotProductAttention::new().dropout(0.9, generator);
    let vectors = Tensor::new(normal((2, 5, 3), generator));
    attention.forward(&vectors, &vectors, &vectors, Mask::lengths([2, 5]));
    let weights = attention.attention_weights();
    assert!(weights.lanes(Axis(2)).into_iter().all(|row| (row.sum() - 1.0).abs() < 1e-12));
    assert_eq!(weights[[0, 4, 2]], 0.0);
    assert!(show_heatmaps(&weights, "keys", "queries").svg().contains("keys"));
}

/// Large enough for a second thread, and with each set different from its neighbours.
#[test]
fn a_large_batch_is_its_entries_one_by_one() {
    let generator = &mut seeded(5);
    let mut vectors = || normal((37, 30, 16), generator);
    let (q, k, v) = (vectors(), vectors(), vectors());
    let run = |q: Array3<f64>, k: Array3<f64>, v: Array3<f64>| {
        let inputs = [q, k, v].map(Tensor::parameter);
        let output = DotProductAttention::new().forward(&inputs[0], &inputs[1], &inputs[2], Mask::Causal);
        let value = output.value();
        (&output * &output).sum().backward();
        (value, inputs.map(|input| input.grad().unwrap()))
    };
    let (output, gradients) = run(q.clone(), k.clone(), v.clone());
    for entry in 0..37 {
        let one = |x: &Array3<f64>| x.select(Axis(0), &[entry]);
        let (one_output, one_gradients) = run(one(&q), one(&k), one(&v));
        assert_eq!(output.select(Axis(0), &[entry]), one_output);
        assert_eq!(gradients.each_ref().map(|gradient| gradient.select(Axis(0), &[entry])), one_gradients);
    }
}

#[test]
fn the_heads_of_a_large_batch_are_those_of_its_entries() {
    let generator = &mut seeded(6);
    let layer = MultiHeadAttention::new(16, 2, generator).rotary(30);
    let x = normal((41, 30, 16), generator);
    let run = |x: Array3<f64>| {
        let x = Tensor::parameter(x);
        let output = layer.forward(&x, &x, &x, Mask::Causal);
        (&output * &output).sum().backward();
        (output.value(), x.grad().unwrap())
    };
    let (output, gradient) = run(x.clone());
    for entry in 0..41 {
        let (one_output, one_gradient) = run(x.select(Axis(0), &[entry]));
        assert_eq!(output.select(Axis(0), &[entry]), one_output);
        assert_eq!(gradient.select(Axis(0), &[entry]), one_gradient);
    }
}

#[test]
#[should_panic = "a layer has attention weights once forward has been called"]
fn there_are_no_weights_before_the_first_pass() {
    let _ = DotProductAttention::<f64>::new().attention_weights();
}

#[test]
fn heads_see_what_the_mask_shows_each_sequence_and_query() {
    let attention = MultiHeadAttention::<f64>::new(4, 2, &mut seeded(0));
    let hidden = |x: &Tensor, mask: &Mask| {
        attention.forward(x, x, x, mask);
        attention.attention_weights().mapv(|weight| weight == 0.0)
    };
    let lengths = array![[1, 2, 3], [3, 1, 2]];
    let batch = hidden(&Tensor::new(Array3::ones((2, 3, 4))), &Mask::lengths_per_query(lengths.clone()));
    for ((sequence, head, query, key), hidden) in batch.into_dimensionality::<ndarray::Ix4>().unwrap().indexed_iter() {
        assert_eq!(*hidden, key >= lengths[[sequence, query]], "sequence {sequence}, head {head}, query {query}");
    }
    let one = Tensor::new(Array2::ones((3, 4)));
    for (mask, seen) in [(Mask::lengths([1, 2, 3]), [1, 2, 3]), (Mask::length(2), [2; 3]), (Mask::Causal, [1, 2, 3])] {
        let hidden = hidden(&one, &mask).into_dimensionality::<ndarray::Ix3>().unwrap();
        assert!(hidden.indexed_iter().all(|((_, query, key), &hidden)| hidden == (key >= seen[query])), "{mask:?}");
    }
}

#[test]
fn heads_are_attention_over_parts_of_the_vectors() {
    let generator = &mut seeded(3);
    let layer = MultiHeadAttention::<f64>::new(4, 2, generator);
    let x = normal((5, 4), generator);
    let output = layer.forward(&Tensor::new(x.clone()), &Tensor::new(x.clone()), &Tensor::new(x.clone()), Mask::Causal);
    let matrix =
        |name: &str| layer.parameter(name).value().into_dimensionality::<ndarray::Ix2>().unwrap().t().to_owned();
    let [wq, wk, wv] = ["w_q.weight", "w_k.weight", "w_v.weight"].map(matrix);
    let mixtures = [0, 2].map(|from| {
        let part = |w: &Array2<f64>| w.slice_axis(Axis(1), Slice::from(from..from + 2)).to_owned();
        attention(&x, &part(&wq), &part(&wk), &part(&wv), Mask::Causal).1
    });
    let joined = ndarray::concatenate(Axis(1), &[mixtures[0].view(), mixtures[1].view()]).unwrap();
    let expected = joined.dot(&matrix("w_o.weight")).into_dyn();
    assert!((&output.value() - &expected).iter().all(|difference| difference.abs() < 1e-14));
}

#[test]
fn self_attention_is_attention_over_equal_vectors() {
    for rotary in [false, true] {
        let generator = &mut seeded(7);
        let layer = MultiHeadAttention::new(8, 2, generator).bias(generator);
        let layer = if rotary { layer.rotary(5) } else { layer };
        let run = |queries: &Tensor, keys: &Tensor, values: &Tensor| {
            layer.zero_grad();
            let output = layer.forward(queries, keys, values, Mask::Causal);
            (&output * &output).sum().backward();
            let gradients = layer.parameters().iter().map(|parameter| parameter.grad().expect("it is used")).collect();
            (output.value(), gradients)
        };
        let x = normal((3, 5, 8), generator);
        let [a, b, c] = [&x; 3].map(|x| Tensor::new(x.clone()));
        let (apart, their_gradients): (_, Vec<_>) = run(&a, &b, &c);
        let (together, gradients): (_, Vec<_>) = run(&a, &a, &a);
        assert!((&together - &apart).iter().all(|difference| difference.abs() < 1e-12));
        for (one, other) in gradients.iter().zip(&their_gradients) {
            assert!((one - other).iter().all(|difference| difference.abs() < 1e-11));
        }
    }
}

#[test]
#[should_panic = "projections to 6, 6 and 6 numbers do not fit 4 heads: queries and keys need as many, each head an equal part"]
fn replaced_projections_still_share_evenly() {
    let generator = &mut seeded(0);
    let mut layer = MultiHeadAttention::<f64>::new(8, 4, generator);
    [layer.w_q, layer.w_k, layer.w_v] = [(); 3].map(|()| Linear::without_bias(8, 6, generator));
    let x = Tensor::new(Array2::zeros((2, 8)));
    layer.forward(&x, &x, &x, Mask::None);
}

#[test]
fn turned_vectors_agree_by_their_distance() {
    let rotary = RotaryPositions::new(6, 40);
    let same = |vector: ArrayD<f64>| Tensor::new(vector.broadcast(IxDyn(&[40, 6])).unwrap().to_owned());
    let generator = &mut seeded(0);
    let (q, k) = (same(normal(6, generator).into_dyn()), same(normal(6, generator).into_dyn()));
    let scores = rotary.forward(&q).matmul(&rotary.forward(&k).transpose()).value();
    for (i, j) in (0..30).flat_map(|i| (0..30).map(move |j| (i, j))) {
        assert!((scores[[i, j]] - scores[[i + 10, j + 10]]).abs() < 1e-12, "queries {i} and {}", i + 10);
    }
    assert!((scores[[0, 0]] - scores[[0, 7]]).abs() > 1e-3);
}

/// Panics with the layer's sentence if `forward` does.
fn shapes(queries: [usize; 3], keys: [usize; 3], values: [usize; 3]) {
    let zeros = |shape| Tensor::new(Array3::<f64>::zeros(shape));
    DotProductAttention::new().forward(&zeros(queries), &zeros(keys), &zeros(values), Mask::None);
}

#[test]
#[should_panic = "queries of shape [2, 1, 3], keys of shape [2, 4, 3] and values of shape [2, 5, 3] do not fit"]
fn every_key_needs_its_value() {
    shapes([2, 1, 3], [2, 4, 3], [2, 5, 3]);
}

#[test]
#[should_panic = "queries of shape [2, 1, 3], keys of shape [1, 4, 3] and values of shape [1, 4, 3] do not fit"]
fn every_batch_entry_needs_its_keys() {
    shapes([2, 1, 3], [1, 4, 3], [1, 4, 3]);
}

#[test]
#[should_panic = "queries of shape [2, 1, 2] and keys of shape [2, 4, 3] do not fit: a dot product needs vectors of one length"]
fn a_dot_product_needs_one_length() {
    shapes([2, 1, 2], [2, 4, 3], [2, 4, 3]);
}

#[test]
#[should_panic = "6 hidden numbers cannot be shared by 4 heads"]
fn heads_share_evenly() {
    MultiHeadAttention::<f64>::new(6, 4, &mut seeded(0));
}

#[test]
#[should_panic = "a probability of dropout lies between 0 and 1, and 1.5 does not"]
fn a_probability_is_one() {
    Dropout::<f64>::new(1.5, &mut seeded(0));
}

#[test]
#[should_panic = "x of shape [1, 6, 4] does not fit a pattern of shape [5, 4]"]
fn there_are_only_so_many_positions() {
    PositionalEncoding::new(4, 5).forward(&Tensor::new(Array3::<f64>::zeros((1, 6, 4))));
}

#[test]
#[should_panic = "x of shape [6, 4] does not fit rotary positions for at most 5 vectors of length 4 or a multiple of it"]
fn there_are_only_so_many_turns() {
    RotaryPositions::new(4, 5).forward(&Tensor::new(Array2::<f64>::zeros((6, 4))));
}

#[test]
#[should_panic = "vectors of length 3 leave one alone"]
fn turns_need_pairs() {
    RotaryPositions::<f64>::new(3, 5);
}

#[test]
#[should_panic = "x of shape [2, 4] and y of shape [1, 4] do not fit: a residual connection adds equal shapes"]
fn a_residual_connection_does_not_broadcast() {
    AddNorm::new(4).forward(&Tensor::new(Array2::<f64>::zeros((2, 4))), &Tensor::new(Array2::zeros((1, 4))));
}

#[test]
#[should_panic = "gradients are clipped to a norm of 0 or more, not to -1"]
fn a_norm_is_not_negative() {
    clip_gradients(&Linear::<f64>::new(1, 1, &mut seeded(0)), -1.0);
}

#[test]
fn a_step_needs_factors_that_can_be() {
    let model = Linear::<f64>::new(1, 1, &mut seeded(0));
    for number in [-1.0, f64::NAN, f64::INFINITY] {
        refused(|| drop(Sgd::new(&model, number)), "a learning rate is a finite number, 0 or more, not");
        refused(|| drop(Sgd::new(&model, 0.1).momentum(number)), "a momentum is a finite number, 0 or more, not");
        refused(
            || drop(Sgd::new(&model, 0.1).weight_decay(number)),
            "a weight decay is a finite number, 0 or more, not",
        );
        refused(|| Sgd::new(&model, 0.1).set_learning_rate(number), "a learning rate is a finite number");
        refused(|| drop(Adam::new(&model, number)), "a learning rate is a finite number");
        refused(|| drop(Adam::new(&model, 0.1).eps(number)), "an epsilon is a finite number, 0 or more, not");
        refused(|| drop(Adam::new(&model, 0.1).weight_decay(number)), "a weight decay is a finite number");
        refused(|| drop(AdamW::new(&model, number)), "a learning rate is a finite number");
        refused(|| AdamW::new(&model, 0.1).set_learning_rate(number), "a learning rate is a finite number");
    }
    for number in [-0.1, 1.0, f64::NAN] {
        refused(|| drop(Adam::new(&model, 0.1).betas(number, 0.9)), "a beta is at least 0 and less than 1, not");
        refused(|| drop(AdamW::new(&model, 0.1).betas(0.9, number)), "a beta is at least 0 and less than 1, not");
    }
}

#[test]
fn a_layer_says_which_vectors_it_is_for() {
    let generator = &mut seeded(0);
    let x = Tensor::<f64>::new(Array3::zeros((2, 3, 8)));
    let sentence = "x of shape [2, 3, 8] does not fit a linear layer for vectors of length 4";
    refused(|| drop(Linear::new(4, 2, &mut seeded(0)).forward(&x)), sentence);
    let layer = MultiHeadAttention::new(4, 2, generator);
    refused(|| drop(layer.forward(&x, &x, &x, Mask::None)), sentence);
    let layer = MultiHeadAttention::new(8, 2, generator).rotary(2);
    let sentence = "queries of shape [2, 3, 8] do not fit rotary positions: there are positions for at most 2 of them";
    refused(|| drop(layer.forward(&x, &x, &x, Mask::None)), sentence);
}

/// Whether `code` panics with a message that holds this sentence.
#[track_caller]
fn refused(code: impl FnOnce(), sentence: &str) {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(code)).expect_err("it was accepted");
    let message = panic.downcast_ref::<String>().expect("a sentence with what was given");
    assert!(message.contains(sentence), "{message}");
}
