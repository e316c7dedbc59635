//! Models in files: what is saved comes back, and what does not fit is refused in one sentence, with the model untouched.

use std::fs;

use d2l::nn::{load_state, save_state};
use d2l::prelude::*;
use ndarray::{ArrayD, IxDyn};
use tempfile::TempDir;

fn block<A: Real>(seed: u64) -> TransformerEncoderBlock<A> {
    TransformerEncoderBlock::new(4, 6, 2, &mut seeded(seed))
}

fn values<A: Real>(model: &dyn Module<A>) -> Vec<ArrayD<A>> {
    model.parameters().iter().map(|parameter| parameter.value().to_owned()).collect()
}

fn round_trip<A: Real>() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("block.safetensors");
    let (saved, loaded) = (block::<A>(0), block::<A>(1));
    saved
        .parameter("ffn.dense1.bias")
        .set_value(ArrayD::from_shape_fn(IxDyn(&[6]), |i| A::epsilon().powi(i[0] as i32)));
    save_state(&saved, &path).unwrap();
    load_state(&loaded, &path).unwrap();
    assert_eq!(values(&saved), values(&loaded));
    // A model that goes on training after loading changes the same tensors.
    assert!(loaded.parameters().iter().all(Tensor::needs_gradient));
}

#[test]
fn a_model_comes_back_bit_by_bit() {
    round_trip::<f32>();
    round_trip::<f64>();
}

#[test]
fn an_empty_parameter_comes_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("empty.safetensors");
    let model = Linear::<f64>::new(0, 2, &mut seeded(0));
    save_state(&model, &path).unwrap();
    load_state(&model, &path).unwrap();
}

/// The sentence with which `model` refuses what was saved of `saved`, without the path.
fn refusal<A: Real, B: Real>(saved: &dyn Module<A>, model: &dyn Module<B>) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    save_state(saved, &path).unwrap();
    let before = values(model);
    let error = load_state(model, &path).unwrap_err();
    assert_eq!(values(model), before, "a refused file changes nothing");
    assert_eq!(format!("{error}"), format!("{error:?}"));
    error.to_string().strip_prefix(&format!("\"{}\": ", path.display())).expect("the path comes first").to_owned()
}

#[test]
fn what_does_not_fit_is_named() {
    let generator = &mut seeded(0);
    let (linear, plain) = (Linear::<f64>::new(3, 2, generator), Linear::<f64>::without_bias(3, 2, generator));
    assert_eq!(refusal(&plain, &linear), "the file lacks bias");
    assert_eq!(refusal(&linear, &plain), "the file holds more than the model has: bias");
    let norm = AddNorm::<f64>::new(2);
    assert_eq!(
        refusal(&linear, &norm),
        "the file lacks ln.weight, ln.bias and holds more than the model has: bias, weight"
    );
    let wide = Linear::<f64>::new(5, 2, generator);
    assert_eq!(refusal(&linear, &wide), "weight has shape [2, 3] in the file and [2, 5] in the model");
    let narrow = Linear::<f32>::new(3, 2, generator);
    assert_eq!(refusal(&linear, &narrow), "weight holds F64 in the file and F32 in the model");
    assert_eq!(refusal(&narrow, &linear), "weight holds F32 in the file and F64 in the model");
    // The first parameter would fit: it must not be taken over while a later one is refused.
    let (short, long) =
        (PositionWiseFFN::<f64>::new(2, 2, 2, generator), PositionWiseFFN::<f64>::new(2, 2, 3, generator));
    assert_eq!(refusal(&short, &long), "dense2.weight has shape [2, 2] in the file and [3, 2] in the model");
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let folder = TempDir::new().unwrap();
    let model = Linear::<f64>::new(3, 2, &mut seeded(0));
    let missing = load_state(&model, folder.path().join("none")).unwrap_err().to_string();
    assert!(missing.contains("none\": ") && missing.contains("No such file"), "{missing}");
    let folder_itself = save_state(&model, folder.path()).unwrap_err().to_string();
    assert!(folder_itself.contains("directory"), "{folder_itself}");

    let path = folder.path().join("state");
    save_state(&model, &path).unwrap();
    let whole = fs::read(&path).unwrap();
    for broken in [&whole[..0], &whole[..7], &whole[..whole.len() - 1], b"not a file of this format".as_slice()] {
        fs::write(&path, broken).unwrap();
        let error = load_state(&model, &path).unwrap_err().to_string();
        assert!(error.contains("this is no sound safetensors file: "), "{error}");
    }
}
