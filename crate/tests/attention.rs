//! Properties of softmax, masks, pooling and the head that hold whatever the numbers.

use d2l::prelude::*;
use ndarray::{Array, ArrayRef, Dimension, ShapeBuilder, Slice};
use proptest::{collection::vec, prelude::*};

/// A matrix of any shape up to the given one, with entries up to `bound` in size.
fn matrix(rows: usize, columns: usize, bound: f64) -> impl Strategy<Value = Array2<f64>> {
    (1..=rows, 1..=columns).prop_flat_map(move |shape| sized(shape, bound))
}

fn sized(shape: (usize, usize), bound: f64) -> impl Strategy<Value = Array2<f64>> {
    vec(-bound..bound, shape.0 * shape.1).prop_map(move |data| Array2::from_shape_vec(shape, data).unwrap())
}

/// Tokens and three projections that fit them.
fn head() -> impl Strategy<Value = [Array2<f64>; 4]> {
    (1..7usize, 1..5usize, 1..5usize, 1..5usize)
        .prop_flat_map(|(n, d, d_k, d_v)| [(n, d), (d, d_k), (d, d_k), (d, d_v)].map(|shape| sized(shape, 1.0)))
}

/// Queries, keys and values that fit each other.
fn database() -> impl Strategy<Value = [Array2<f64>; 3]> {
    (1..4usize, 1..7usize, 1..4usize, 1..4usize)
        .prop_flat_map(|(n, m, d, d_v)| [(n, d), (m, d), (m, d_v)].map(|shape| sized(shape, 2.0)))
}

#[track_caller]
fn assert_close<D: Dimension>(a: &ArrayRef<f64, D>, b: &ArrayRef<f64, D>, tolerance: f64) {
    assert_eq!(a.shape(), b.shape());
    for (index, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= tolerance || a.is_nan() && b.is_nan(), "element {index}: {a} and {b}");
    }
}

fn to_f32<D: Dimension>(x: &ArrayRef<f64, D>) -> Array<f32, D> {
    x.mapv(|x| x as f32)
}

fn to_f64<D: Dimension>(x: &ArrayRef<f32, D>) -> Array<f64, D> {
    x.mapv(f64::from)
}

/// An array whose [`seen`] view has the entries of `x`: reversed on both axes, with gaps, in column-major order.
fn scattered(x: &Array2<f64>) -> Array2<f64> {
    let mut wide = Array2::from_elem((x.nrows() * 2, x.ncols() * 3).f(), f64::NAN);
    wide.slice_axis_mut(Axis(0), Slice::new(0, None, -2)).slice_axis_mut(Axis(1), Slice::new(0, None, -3)).assign(x);
    wide
}

fn seen(wide: &Array2<f64>) -> ArrayView2<'_, f64> {
    wide.slice_each_axis(|axis| Slice::new(0, None, if axis.axis == Axis(0) { -2 } else { -3 }))
}

proptest! {
    #[test]
    fn weights_are_nonnegative_and_sum_to_one(x in matrix(5, 8, 1e3)) {
        for row in softmax(&x).rows() {
            prop_assert!(row.iter().all(|&weight| weight >= 0.0));
            prop_assert!((row.sum() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn scores_of_any_size_keep_weights_finite(x in matrix(5, 8, 1.0), exponent in -300..300i32) {
        for row in softmax(&(x * 10f64.powi(exponent))).rows() {
            prop_assert!((row.sum() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn adding_to_all_scores_changes_nothing(x in matrix(5, 8, 50.0), shift in -1e3..1e3) {
        assert_close(&softmax(&(&x + shift)), &softmax(&x), 1e-11);
    }

    #[test]
    fn a_higher_score_never_weighs_less(x in matrix(1, 8, 50.0)) {
        let weights = softmax(&x);
        for (a, b) in (0..x.len()).flat_map(|a| (0..x.len()).map(move |b| (a, b))) {
            prop_assert!(x[[0, a]] > x[[0, b]] || weights[[0, a]] <= weights[[0, b]]);
        }
    }

    #[test]
    fn keys_may_stand_in_any_order(
        ([queries, keys, values], order) in database().prop_flat_map(|database| {
            let order: Vec<usize> = (0..database[1].nrows()).collect();
            (Just(database), Just(order).prop_shuffle())
        }),
    ) {
        let (weights, output) = attention_pooling(&queries, &keys, &values, ScaledDot);
        let (shuffled_keys, shuffled_values) = (keys.select(Axis(0), &order), values.select(Axis(0), &order));
        let (shuffled_weights, shuffled_output) = attention_pooling(&queries, &shuffled_keys, &shuffled_values, ScaledDot);
        assert_close(&shuffled_weights, &weights.select(Axis(1), &order), 1e-14);
        assert_close(&shuffled_output, &output, 1e-14);
    }

    #[test]
    fn without_a_mask_tokens_may_stand_in_any_order(
        ([x, wq, wk, wv], order) in head().prop_flat_map(|head| {
            let order: Vec<usize> = (0..head[0].nrows()).collect();
            (Just(head), Just(order).prop_shuffle())
        }),
    ) {
        let (weights, mixture) = attention(&x, &wq, &wk, &wv, Mask::None);
        let (shuffled_weights, shuffled_mixture) = attention(&x.select(Axis(0), &order), &wq, &wk, &wv, Mask::None);
        assert_close(&shuffled_weights, &weights.select(Axis(0), &order).select(Axis(1), &order), 1e-13);
        assert_close(&shuffled_mixture, &mixture.select(Axis(0), &order), 1e-13);
    }

    #[test]
    fn a_valid_length_is_a_shorter_row(x in matrix(5, 8, 50.0), length in 0..8usize) {
        let length = length.min(x.ncols());
        let weights = masked_softmax(&x, Mask::length(length));
        let (visible, hidden) = weights.view().split_at(Axis(1), length);
        assert_close(&visible, &softmax(&x.view().split_at(Axis(1), length).0), 0.0);
        prop_assert!(hidden.iter().all(|&weight| weight == 0.0));
    }

    #[test]
    fn causal_tokens_do_not_know_the_later_ones(
        ([x, wq, wk, wv], later, known) in head().prop_flat_map(|head| {
            let (n, d) = head[0].dim();
            (Just(head), sized((n, d), 1.0), 0..n)
        }),
        spoiled in any::<bool>(),
    ) {
        let later = if spoiled { later * f64::NAN } else { later };
        let mut changed = x.clone();
        changed.view_mut().split_at(Axis(0), known + 1).1.assign(&later.view().split_at(Axis(0), known + 1).1);
        let (weights, mixture) = attention(&x, &wq, &wk, &wv, Mask::Causal);
        let (changed_weights, changed_mixture) = attention(&changed, &wq, &wk, &wv, Mask::Causal);
        for token in 0..=known {
            assert_close(&changed_weights.row(token), &weights.row(token), 1e-14);
            assert_close(&changed_mixture.row(token), &mixture.row(token), 1e-14);
        }
    }

    #[test]
    fn outputs_lie_between_the_values([queries, keys, values] in database()) {
        let (_, output) = attention_pooling(&queries, &keys, &values, NegativeSquaredDistance);
        for (outputs, values) in output.columns().into_iter().zip(values.columns()) {
            let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(least, most), &v| (least.min(v), most.max(v)));
            prop_assert!(outputs.iter().all(|&o| least - 1e-14 <= o && o <= most + 1e-14));
        }
    }

    #[test]
    fn kernels_as_scores_are_kernels_normalised([queries, keys, _] in database(), width in 0.1..10.0) {
        let kernels: [&dyn Kernel<f64>; 4] =
            [&Gaussian::new(width), &Boxcar::new(width), &Epanechnikov::new(width), &Triangular::new(width)];
        for kernel in kernels {
            let weights = softmax(&kernel.scores(&queries, &keys));
            for (weights, query) in weights.rows().into_iter().zip(queries.rows()) {
                match normalize(&kernel.weights(&query.insert_axis(Axis(0)), &keys)) {
                    Ok(expected) => assert_close(&weights, &expected.row(0), 1e-12),
                    Err(NormalizeError::Sum { .. }) if kernel.weight(1.5 * width) == 0.0 => {
                        prop_assert!(weights.iter().all(|weight| weight.is_nan()));
                    }
                    // The Gaussian has no end: its weights of far keys underflow, but its scores do not.
                    Err(error) => prop_assert!((weights.sum() - 1.0).abs() < 1e-12, "{error}"),
                }
            }
        }
    }

    #[test]
    fn f32_agrees_with_f64(x in matrix(5, 8, 20.0), [tokens, wq, wk, wv] in head()) {
        assert_close(&to_f64(&softmax(&to_f32(&x))), &softmax(&x), 1e-5);
        for mask in [Mask::None, Mask::Causal] {
            let (weights, mixture) = attention(&tokens, &wq, &wk, &wv, &mask);
            let (narrow_weights, narrow_mixture) = attention(&to_f32(&tokens), &to_f32(&wq), &to_f32(&wk), &to_f32(&wv), &mask);
            assert_close(&to_f64(&narrow_weights), &weights, 1e-5);
            assert_close(&to_f64(&narrow_mixture), &mixture, 1e-5);
        }
    }

    #[test]
    fn a_batch_is_its_entries_one_by_one(
        (scores, lengths) in (1..4usize, 1..4usize, 1..6usize).prop_flat_map(|(b, q, k)| {
            (sized((b * q, k), 50.0).prop_map(move |x| x.into_shape_with_order((b, q, k)).unwrap()), vec(0..=k, b))
        }),
    ) {
        let plain = softmax(&scores);
        let masked = masked_softmax(&scores, Mask::lengths(lengths.clone()));
        let causal = masked_softmax(&scores, Mask::Causal);
        for (b, entry) in scores.outer_iter().enumerate() {
            assert_close(&plain.index_axis(Axis(0), b), &softmax(&entry), 0.0);
            assert_close(&masked.index_axis(Axis(0), b), &masked_softmax(&entry, Mask::length(lengths[b])), 0.0);
            assert_close(&causal.index_axis(Axis(0), b), &masked_softmax(&entry, Mask::Causal), 0.0);
        }
    }

    #[test]
    fn views_count_as_the_arrays_they_show([x, wq, wk, wv] in head(), [queries, keys, values] in database()) {
        let [wide_x, wide_q, wide_k, wide_v] = [&x, &wq, &wk, &wv].map(scattered);
        let expected = attention(&x, &wq, &wk, &wv, Mask::Causal);
        let through_views = attention(&seen(&wide_x), &seen(&wide_q), &seen(&wide_k), &seen(&wide_v), Mask::Causal);
        assert_close(&through_views.0, &expected.0, 1e-14);
        assert_close(&through_views.1, &expected.1, 1e-14);
        assert_close(&softmax(&seen(&wide_x)), &softmax(&x), 0.0);

        let [wide_queries, wide_keys, wide_values] = [&queries, &keys, &values].map(scattered);
        let expected = attention_pooling(&queries, &keys, &values, NegativeSquaredDistance);
        let through_views =
            attention_pooling(&seen(&wide_queries), &seen(&wide_keys), &seen(&wide_values), NegativeSquaredDistance);
        assert_close(&through_views.0, &expected.0, 1e-14);
        assert_close(&through_views.1, &expected.1, 1e-14);
        let one = attention_pooling(&seen(&wide_queries).row(0), &seen(&wide_keys), &seen(&wide_values), NegativeSquaredDistance);
        assert_close(&one.1, &expected.1.row(0), 1e-14);
    }

    #[test]
    fn the_top_k_are_a_sorted_prefix(
        (scores, k) in vec(prop_oneof![-3..3i32, Just(7)], 0..12).prop_flat_map(|scores| {
            let len = scores.len();
            (Just(Array1::from(scores).mapv(|x| if x == 7 { f64::NAN } else { f64::from(x) })), 0..=len)
        }),
    ) {
        let mut expected: Vec<usize> = (0..scores.len()).collect();
        // A stable sort keeps equal scores in order.
        expected.sort_by_key(|&i| if scores[i].is_nan() { i32::MAX } else { -scores[i] as i32 });
        expected.truncate(k);
        let places: Vec<usize> = top_k(&scores, k).into_iter().map(|(i, _)| i).collect();
        prop_assert_eq!(places, expected);
    }
}
