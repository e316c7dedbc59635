//! Attention compared with NumPy, to 1e-12 in f64; `reference/attention.py` made the numbers.

use d2l::prelude::*;
use ndarray::{Array, ArrayD, ArrayRef, Dimension, Ix2, IxDyn};
use serde_json::Value;

fn reference(kind: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(include_str!("reference/attention.json")).expect("the file is JSON");
    let cases = file[kind].as_array().expect("every kind is a list of cases").clone();
    assert!(!cases.is_empty());
    cases
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn read<D: Dimension>(case: &Value, name: &str) -> Array<f64, D> {
    let shape: Vec<usize> = numbers(&case[name]["shape"]).into_iter().map(|n| n as usize).collect();
    let array = ArrayD::from_shape_vec(shape, numbers(&case[name]["data"])).expect("the data have the shape");
    array.into_dimensionality().expect("the shape has the expected number of axes")
}

fn mask(case: &Value) -> Mask {
    let length = |value: &Value| value.as_u64().expect("a length") as usize;
    match &case["lengths"] {
        _ if case["causal"] == true => Mask::Causal,
        Value::Null => Mask::None,
        Value::Array(rows) if rows[0].is_array() => {
            let columns = rows[0].as_array().map_or(0, Vec::len);
            Mask::lengths_per_query(Array2::from_shape_fn((rows.len(), columns), |(i, j)| length(&rows[i][j])))
        }
        Value::Array(lengths) => Mask::lengths(lengths.iter().map(length)),
        one => Mask::length(length(one)),
    }
}

#[track_caller]
fn assert_close<D: Dimension>(ours: &ArrayRef<f64, D>, case: &Value, name: &str) {
    let numpy = read::<D>(case, name);
    assert_eq!(ours.shape(), numpy.shape(), "{name}");
    for (index, (ours, numpy)) in ours.iter().zip(&numpy).enumerate() {
        let scale = numpy.abs().max(1.0);
        assert!((ours - numpy).abs() <= 1e-12 * scale, "{name}, element {index}: {ours} here, {numpy} in NumPy");
    }
}

#[test]
fn heads() {
    for case in reference("heads") {
        let [x, wq, wk, wv] = ["x", "wq", "wk", "wv"].map(|name| read::<Ix2>(&case, name));
        let (weights, mixture) = attention(&x, &wq, &wk, &wv, mask(&case));
        assert_close(&weights, &case, "weights");
        assert_close(&mixture, &case, "mixture");
    }
}

#[test]
fn masked_batches() {
    for case in reference("batches") {
        assert_close(&masked_softmax(&read::<IxDyn>(&case, "scores"), mask(&case)), &case, "weights");
    }
}

#[test]
fn pools() {
    for case in reference("pools") {
        let [queries, keys, values] = ["queries", "keys", "values"].map(|name| read::<Ix2>(&case, name));
        let width = 2.5;
        let (weights, output) = match case["score"].as_str().expect("a name") {
            "dot" => attention_pooling(&queries, &keys, &values, Dot),
            "scaled dot" => attention_pooling(&queries, &keys, &values, ScaledDot),
            "negative squared distance" => attention_pooling(&queries, &keys, &values, NegativeSquaredDistance),
            "gaussian" => attention_pooling(&queries, &keys, &values, Gaussian::new(width)),
            "boxcar" => attention_pooling(&queries, &keys, &values, Boxcar::new(width)),
            "epanechnikov" => attention_pooling(&queries, &keys, &values, Epanechnikov::new(width)),
            "triangular" => attention_pooling(&queries, &keys, &values, Triangular::new(width)),
            other => panic!("no score is called {other}"),
        };
        assert_close(&weights, &case, "weights");
        assert_close(&output, &case, "output");
    }
}
