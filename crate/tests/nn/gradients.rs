//! Every layer's gradients against central differences in f64, over random shapes and those with lengths 1 and 0.

use d2l::prelude::*;
use ndarray::{ArrayD, IxDyn};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Half the distance of two values that are compared: rounding and curvature both stay below 1e-9 of them.
const STEP: f64 = 1e-5;

fn random(shape: &[usize], generator: &mut Generator) -> Tensor {
    Tensor::parameter(normal(IxDyn(shape), generator))
}

/// Compares the gradient of every parameter and input with differences of the loss, a sum of the output's numbers with
/// random factors.
fn assert_gradients(layer: &dyn Module, inputs: &[&Tensor], forward: impl Fn() -> Tensor) {
    let output = forward();
    let factors = Tensor::new(normal(IxDyn(output.shape()), &mut seeded(99)));
    let loss = || (forward() * &factors).sum();
    loss().backward();
    let parameters = layer.named_parameters().into_iter();
    let inputs = inputs.iter().enumerate().map(|(i, &input)| (format!("input {i}"), input.clone()));
    for (name, tensor) in parameters.chain(inputs) {
        let gradient = tensor.grad().unwrap_or_else(|| ArrayD::zeros(tensor.shape()));
        let value = tensor.value().to_owned();
        let mut numeric = ArrayD::zeros(tensor.shape());
        for (index, difference) in numeric.indexed_iter_mut() {
            let at = |change: f64| {
                let mut moved = value.to_owned();
                moved[&index] += change;
                tensor.set_value(moved);
                no_grad(loss).item()
            };
            *difference = (at(STEP) - at(-STEP)) / (2.0 * STEP);
        }
        tensor.set_value(value);
        tensor.zero_grad();
        let norm = |x: &ArrayD<f64>| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let error = norm(&(&gradient - &numeric));
        // A gradient that is 0 by symmetry leaves only rounding to compare.
        let scale = norm(&gradient).max(norm(&numeric)).max(1e-3);
        assert!(error < 1e-6 * scale, "{name}: {gradient} but differences say {numeric}");
    }
}

/// Something that may have no parameters of its own.
struct Nothing;

impl Module for Nothing {
    fn parts(&self) -> Parts<'_> {
        Vec::new()
    }
}

/// Batch sizes, numbers of vectors and lengths of vectors; 1 and 0 come often.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(0), 2 => Just(1), 5 => 2..4usize]
}

/// Leading axes: none, one or two.
fn leading() -> impl Strategy<Value = Vec<usize>> {
    proptest::collection::vec(length(), 0..3)
}

/// A mask that fits scores with these leading axes, n queries and m keys.
fn mask_for(leading: &[usize], n: usize, m: usize, kind: u8, generator: &mut Generator) -> Mask {
    let lengths = |axes: &[usize], generator: &mut Generator| {
        Mask::Lengths(ArrayD::from_shape_simple_fn(IxDyn(axes), || generator.below(m + 1)))
    };
    match kind {
        0 => Mask::None,
        1 => Mask::Causal,
        2 => lengths(leading, generator),
        _ => lengths(&[leading, &[n]].concat(), generator),
    }
}

proptest! {
    // A settled seed: a rectifier has no derivative at 0, and chance would hit it now and then.
    #![proptest_config(ProptestConfig { cases: 40, rng_seed: RngSeed::Fixed(11), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn linear(leading in leading(), inputs in length(), outputs in length(), bias in any::<bool>(), seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let layer = if bias { Linear::new(inputs, outputs, generator) } else { Linear::without_bias(inputs, outputs, generator) };
        // A matrix at least: one vector alone is not a batch of them.
        let x = random(&[&leading[..], &[2, inputs]].concat(), generator);
        assert_gradients(&layer, &[&x], || layer.forward(&x));
    }

    #[test]
    fn embedding(leading in leading(), rows in 1..4usize, d in length(), seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let table = Embedding::new(rows, d, generator);
        let tokens = ArrayD::from_shape_simple_fn(IxDyn(&leading), || generator.below(rows));
        assert_gradients(&table, &[], || table.forward(&tokens));
    }

    #[test]
    fn layer_norm(leading in leading(), d in length(), seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let (norm, x) = (LayerNorm::new(d), random(&[&leading[..], &[d]].concat(), generator));
        // Away from ones and zeros, so that no gradient is right by chance; ε as large as the variance of a few numbers.
        norm.weight.set_value(normal(d, generator));
        let norm = norm.eps(0.5);
        assert_gradients(&norm, &[&x], || norm.forward(&x));
    }

    #[test]
    fn dropout(leading in leading(), p in 0.0..1.0, seed in any::<u64>()) {
        let x = random(&leading, &mut seeded(seed));
        // A new layer of the same seed for every pass drops the same numbers.
        assert_gradients(&Nothing, &[&x], || Dropout::new(p, &mut seeded(seed)).forward(&x));
    }

    #[test]
    fn dot_product_attention(
        leading in leading(), n in length(), m in length(), d in length(), d_v in length(), kind in 0..4u8, seed in any::<u64>(),
    ) {
        let generator = &mut seeded(seed);
        let mut vectors = |count, length| random(&[&leading[..], &[count, length]].concat(), generator);
        let (q, k, v) = (vectors(n, d), vectors(m, d), vectors(m, d_v));
        let mask = mask_for(&leading, n, m, kind, generator);
        let layer = DotProductAttention::new();
        assert_gradients(&layer, &[&q, &k, &v], || layer.forward(&q, &k, &v, &mask));
    }

    #[test]
    fn dot_product_attention_with_dropout(n in length(), m in length(), p in 0.0..1.0, seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let (q, k, v) = (random(&[2, n, 3], generator), random(&[2, m, 3], generator), random(&[2, m, 2], generator));
        // A new layer of the same seed for every pass drops the same weights.
        let forward = || DotProductAttention::new().dropout(p, &mut seeded(seed)).forward(&q, &k, &v, Mask::Causal);
        assert_gradients(&Nothing, &[&q, &k, &v], forward);
    }

    #[test]
    fn additive_attention(
        leading in leading(), n in length(), m in length(), sizes in [length(), length(), length(), length()], kind in 0..4u8,
        seed in any::<u64>(),
    ) {
        let generator = &mut seeded(seed);
        let [query, key, hiddens, d_v] = sizes;
        let layer = AdditiveAttention::new(query, key, hiddens, generator);
        let mut vectors = |count, length| random(&[&leading[..], &[count, length]].concat(), generator);
        let (q, k, v) = (vectors(n, query), vectors(m, key), vectors(m, d_v));
        let mask = mask_for(&leading, n, m, kind, generator);
        assert_gradients(&layer, &[&q, &k, &v], || layer.forward(&q, &k, &v, &mask));
    }

    #[test]
    fn multi_head_attention(
        leading in leading(), n in length(), m in length(), heads in 1..3usize, each in length(), kind in 0..4u8,
        (bias, rotary) in any::<(bool, bool)>(), seed in any::<u64>(),
    ) {
        let generator = &mut seeded(seed);
        let hiddens = 2 * each * heads;
        let mut layer = MultiHeadAttention::sizes([2, 3, 1], hiddens, heads, generator);
        layer = if bias { layer.bias(generator) } else { layer };
        layer = if rotary { layer.rotary(4) } else { layer };
        let mut vectors = |count, length| random(&[&leading[..], &[count, length]].concat(), generator);
        let (q, k, v) = (vectors(n, 2), vectors(m, 3), vectors(m, 1));
        let mask = mask_for(&leading, n, m, kind, generator);
        assert_gradients(&layer, &[&q, &k, &v], || layer.forward(&q, &k, &v, &mask));
    }

    #[test]
    fn positions(leading in leading(), n in length(), d in length(), seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let x = random(&[&leading[..], &[n, 2 * d]].concat(), generator);
        let (added, turned) = (PositionalEncoding::new(2 * d, 5), RotaryPositions::new(2, 5));
        assert_gradients(&added, &[&x], || added.forward(&x));
        assert_gradients(&Nothing, &[&x], || turned.forward(&x));
    }

    #[test]
    fn add_norm(leading in leading(), d in length(), seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let shape = [&leading[..], &[d]].concat();
        let (x, y) = (random(&shape, generator), random(&shape, generator));
        let mut layer = AddNorm::new(d);
        layer.ln = layer.ln.eps(0.5);
        assert_gradients(&layer, &[&x, &y], || layer.forward(&x, &y));
    }

    #[test]
    fn position_wise_ffn(leading in leading(), sizes in [length(), length(), length()], seed in any::<u64>()) {
        let generator = &mut seeded(seed);
        let [inputs, hiddens, outputs] = sizes;
        let layer = PositionWiseFFN::new(inputs, hiddens, outputs, generator);
        let x = random(&[&leading[..], &[2, inputs]].concat(), generator);
        assert_gradients(&layer, &[&x], || layer.forward(&x));
    }

    #[test]
    fn transformer_encoder_block(
        leading in leading(), n in length(), heads in 1..3usize, each in 1..3usize, kind in 0..4u8, seed in any::<u64>(),
    ) {
        let generator = &mut seeded(seed);
        let mut block = TransformerEncoderBlock::new(heads * each, 3, heads, generator).bias(generator);
        block.addnorm1.ln = block.addnorm1.ln.eps(0.5);
        block.addnorm2.ln = block.addnorm2.ln.eps(0.5);
        let x = random(&[&leading[..], &[n, heads * each]].concat(), generator);
        let mask = mask_for(&leading, n, n, kind, generator);
        assert_gradients(&block, &[&x], || block.forward(&x, &mask));
    }
}
