//! Attention pooling: Σ_i α(q, k_i) v_i, equation 11.1.1 of *Dive into Deep Learning*, with the weights
//! α = softmax(a(q, k_1), …, a(q, k_m)) of equation 11.1.2.

use ndarray::{Array, Array2, ArrayBase, ArrayRef, Axis, Data, Dimension, Ix1, Ix2, NdFloat};

use super::{Score, compiled::loops, softmax};

/// Pools the values for each query by its attention to the keys: `(weights, output)`.
///
/// Keys are m x d, values m x d_v. The last axis of `queries` is a query's vector; whatever stands before it is kept.
/// One query of length d gives m weights and an output of length d_v, n queries (n x d) give n x m and n x d_v.
/// `score` is any [`Score`] or a reference to one: [`Dot`](super::Dot), a kernel, a closure. Weights without an answer
/// are NaN, as in [`softmax`], and so is their output. A value that is NaN or infinite makes the outputs NaN even where
/// its weight is 0, since 0 · NaN is NaN.
///
/// # Panics
///
/// If there is no key, if keys and values differ in number, if `queries` has no axis, or if the score refuses the
/// shapes, as all but closures do when queries and keys differ in length.
///
/// ```
/// use d2l::attention::{Dot, attention_pooling};
/// use ndarray::array;
///
/// let keys = array![[1.0, 0.0], [0.0, 1.0]];
/// let values = array![[10.0, 0.0, 0.0], [0.0, 20.0, 0.0]];
///
/// let (weights, output) = attention_pooling(&array![0.0, 0.0], &keys, &values, Dot);
/// assert_eq!(weights, array![0.5, 0.5]);
/// assert_eq!(output, array![5.0, 10.0, 0.0]);
///
/// let (weights, outputs) = attention_pooling(&array![[0.0, 0.0], [0.0, 1000.0]], &keys, &values, Dot);
/// assert_eq!(weights, array![[0.5, 0.5], [0.0, 1.0]]);
/// assert_eq!(outputs, array![[5.0, 10.0, 0.0], [0.0, 20.0, 0.0]]);
/// ```
#[track_caller]
pub fn attention_pooling<A: NdFloat, D: Dimension>(
    queries: &ArrayBase<impl Data<Elem = A>, D>,
    keys: &ArrayBase<impl Data<Elem = A>, Ix2>,
    values: &ArrayBase<impl Data<Elem = A>, Ix2>,
    score: impl Score<A>,
) -> (Array<A, D>, Array<A, D>) {
    let Some((&d, leading)) = queries.shape().split_last() else {
        panic!("a query is a vector, but these queries are 0-dimensional");
    };
    assert!(
        keys.nrows() == values.nrows(),
        "keys of shape {:?} and values of shape {:?} do not fit: every key needs its value, keys m x d and values m x d_v",
        keys.shape(),
        values.shape()
    );
    assert!(keys.nrows() > 0, "there are no keys (shape {:?}), so there is nothing to attend to", keys.shape());

    let rows: usize = leading.iter().product();
    let view = queries.view();
    let stacked = view.to_shape((rows, d)).expect("the number of elements stays the same");
    let weights = softmax(&score.scores(&stacked, keys));
    let output = (loops().product)(&weights, values);
    (with_axes_of(queries, weights), with_axes_of(queries, output))
}

/// Rows as the queries' leading axes had them.
fn with_axes_of<A: NdFloat, D: Dimension>(queries: &ArrayRef<A, D>, rows: Array2<A>) -> Array<A, D> {
    let mut shape = queries.raw_dim();
    shape[queries.ndim() - 1] = rows.ncols();
    rows.into_shape_with_order(shape).expect("one row for each query")
}

/// Numbers as the rows of an m x 1 matrix: keys or values that are scalars, as in Nadaraya–Watson regression.
///
/// ```
/// use d2l::attention::column;
/// use ndarray::array;
///
/// assert_eq!(column(&array![1.0, 2.0, 3.0]), array![[1.0], [2.0], [3.0]]);
/// ```
pub fn column<A: Clone>(xs: &ArrayBase<impl Data<Elem = A>, Ix1>) -> Array2<A> {
    xs.to_owned().insert_axis(Axis(1))
}

#[cfg(test)]
mod tests {
    use ndarray::{Array3, ArrayView1, array};

    use super::*;
    use crate::attention::{Boxcar, Dot, Gaussian, NegativeSquaredDistance, ScaledDot};

    #[test]
    fn leading_axes_are_kept() {
        let keys = array![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
        let values = Array2::from_shape_fn((3, 4), |(i, j)| (i * j) as f64);
        let queries = Array3::from_shape_fn((2, 5, 2), |(b, i, j)| (b + 2 * i + 3 * j) as f64 / 4.0);
        let (weights, output) = attention_pooling(&queries, &keys, &values, ScaledDot);
        assert_eq!((output.dim(), weights.dim()), ((2, 5, 4), (2, 5, 3)));
        let (one_weights, one_output) =
            attention_pooling(&queries.index_axis(Axis(0), 1).row(3), &keys, &values, ScaledDot);
        assert_eq!(
            (output.index_axis(Axis(0), 1).row(3), weights.index_axis(Axis(0), 1).row(3)),
            (one_output.view(), one_weights.view())
        );
    }

    #[test]
    fn a_closure_scores_as_its_struct_does() {
        let xs = array![[0.5, 1.0], [2.0, -1.0]];
        let closure = |q: ArrayView1<f64>, k: ArrayView1<f64>| -(&q - &k).mapv(|x| x * x).sum();
        assert_eq!(
            attention_pooling(&xs, &xs, &xs, closure),
            attention_pooling(&xs, &xs, &xs, NegativeSquaredDistance)
        );
    }

    #[test]
    fn scores_and_kernels_are_given_by_value_or_by_reference() {
        let xs = array![[0.5, 1.0], [2.0, -1.0]];
        let kernel = Gaussian::new(1.0);
        assert_eq!(attention_pooling(&xs, &xs, &xs, &kernel), attention_pooling(&xs, &xs, &xs, kernel));
        assert_eq!(attention_pooling(&xs, &xs, &xs, &ScaledDot), attention_pooling(&xs, &xs, &xs, ScaledDot));
        let closure = |q: ArrayView1<f64>, k: ArrayView1<f64>| q.dot(&k);
        assert_eq!(attention_pooling(&xs, &xs, &xs, &closure), attention_pooling(&xs, &xs, &xs, Dot));
    }

    #[test]
    fn a_value_that_is_no_number_spoils_the_output_whatever_its_weight() {
        let (weights, output) =
            attention_pooling(&array![1.0], &array![[0.0], [1.0]], &array![[f64::NAN], [1.0]], Boxcar::new(0.5));
        assert_eq!(weights, array![0.0, 1.0]);
        assert!(output[0].is_nan());
    }

    #[test]
    fn no_queries_give_no_output() {
        let (weights, output) = attention_pooling(&Array2::zeros((0, 1)), &array![[1.0]], &array![[1.0, 2.0]], Dot);
        assert_eq!((output.dim(), weights.dim()), ((0, 2), (0, 1)));
    }

    #[test]
    #[should_panic = "keys of shape [2, 1] and values of shape [1, 1] do not fit"]
    fn every_key_needs_its_value() {
        attention_pooling(&array![1.0], &array![[1.0], [2.0]], &array![[1.0]], Dot);
    }

    #[test]
    #[should_panic = "queries of shape [.., 2] and keys of shape [1, 1] do not fit"]
    fn a_query_needs_the_keys_length() {
        attention_pooling(&array![1.0, 2.0], &array![[1.0]], &array![[1.0]], Dot);
    }

    #[test]
    #[should_panic = "there are no keys (shape [0, 2])"]
    fn pooling_needs_a_key() {
        attention_pooling(&array![1.0, 2.0], &Array2::zeros((0, 2)), &Array2::zeros((0, 3)), Dot);
    }

    #[test]
    #[should_panic = "these queries are 0-dimensional"]
    fn a_query_is_a_vector() {
        attention_pooling(&ndarray::arr0(1.0), &array![[1.0]], &array![[1.0]], Dot);
    }
}
