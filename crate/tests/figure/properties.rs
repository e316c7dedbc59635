//! Any valid input gives a well-formed document whose coordinates are finite and whose words are inside.

use d2l::prelude::*;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::svg::Drawing;

/// Numbers of every kind: ordinary, extreme, not finite.
fn entry() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -10.0..10.0f64,
        2 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 5e-324, f64::MAX, f64::MIN]),
    ]
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-zą-ž ]{0,12}",
        2 => any::<String>(),
        1 => "\\PC{0,200}",
        1 => prop::sample::select(crate::hostile_labels()),
    ]
}

fn matrices() -> impl Strategy<Value = Array4<f64>> {
    let shape = prop_oneof![
        4 => (1..4usize, 1..4usize, 1..7usize, 1..7usize),
        1 => (1..2usize, 1..2usize, 1..70usize, 1..70usize),
        1 => (1..12usize, 1..12usize, 1..3usize, 1..3usize),
    ];
    shape.prop_flat_map(|shape| {
        let (a, b, c, d) = shape;
        vec(entry(), a * b * c * d).prop_map(move |values| Array4::from_shape_vec(shape, values).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn heatmaps_are_well_formed(
        matrices in matrices(),
        labels in (words(), words(), words(), words()),
        figsize in prop::option::of((0.3..12.0f64, 0.3..12.0f64)),
        decimals in prop::option::of(0..4usize),
        choices in (any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let (rows, columns, queries, keys) = matrices.dim();
        let (xlabel, ylabel, name, title) = labels;
        let mut figure = show_heatmaps(&matrices, &xlabel, &ylabel).alt(&title);
        if let Some((width, height)) = figsize {
            figure = figure.figsize(width, height);
        }
        if let Some(decimals) = decimals.filter(|_| queries.max(keys) <= 30) {
            figure = figure.annotate(decimals);
        }
        if choices.0 {
            figure = figure.x_tick_labels(vec![&name; keys]);
        }
        if choices.1 {
            figure = figure.y_tick_labels((0..queries).map(|query| format!("{query}{name}")));
        }
        if choices.2 {
            figure = figure.titles(vec![&title; rows * columns]);
        }
        let drawing = Drawing::of(&figure.svg());
        prop_assert!(drawing.width < 4000.0 && drawing.height < 4000.0, "{} x {}", drawing.width, drawing.height);
        let shapes = if matrices.len() <= 2500 { matrices.len() } else { 0 };
        prop_assert_eq!(drawing.cells.len(), shapes);
        prop_assert_eq!(drawing.label, figure.alt_text());
    }

    #[test]
    fn plots_are_well_formed(
        series in vec((0..3usize, vec((entry(), entry()), 0..40)), 1..6),
        labels in (words(), words(), words(), words()),
        logs in (any::<bool>(), any::<bool>()),
        limits in prop::option::of((1e-3..1.0f64, 1.0..1e3f64)),
        figsize in (0.3..12.0f64, 0.3..12.0f64),
        equal in any::<bool>(),
        place in (entry(), entry()),
    ) {
        let (xlabel, ylabel, name, title) = labels;
        let nothing = [0.0; 0];
        let mut figure = plot(&nothing, &nothing, &xlabel, &ylabel).title(&title).text(place.0, place.1, &name);
        let count = series.len();
        for (mark, points) in series {
            let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            figure = match mark {
                0 => figure.line(&x, &y),
                1 => figure.points(&x, &y),
                _ => figure.region(&x, &y),
            };
        }
        figure = figure.legend(vec![&name; count]).figsize(figsize.0, figsize.1);
        if logs.0 {
            figure = figure.xscale("log");
        }
        if logs.1 {
            figure = figure.yscale("log");
        }
        if let Some((low, high)) = limits {
            figure = figure.xlim(low, high).ylim(low, high);
        }
        if equal {
            figure = figure.equal();
        }
        let drawing = Drawing::of(&figure.svg());
        prop_assert!(drawing.width < 4000.0 && drawing.height < 4000.0, "{} x {}", drawing.width, drawing.height);
    }

    #[test]
    fn diagrams_are_well_formed(
        shape in (1..13usize, 1..7usize, 1..7usize),
        numbers in vec(entry(), 200),
        name in words(),
    ) {
        let (pairs, d, d_v) = shape;
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap();
        let query = Array1::from_shape_simple_fn(d, &mut next);
        let keys = Array2::from_shape_simple_fn((pairs, d), &mut next);
        let values = Array2::from_shape_simple_fn((pairs, d_v), &mut next);
        let weights = Array1::from_shape_simple_fn(pairs, &mut next);
        let figure = show_attention_pooling(&query, &keys, &values, &weights).names([&name; 5]).key_names(vec![&name; pairs]);
        let drawing = Drawing::of(&figure.svg());
        prop_assert_eq!(drawing.cells.len(), d + pairs * (d + d_v) + d_v);
        prop_assert!(drawing.width < 4000.0);
    }

    #[test]
    fn figures_of_vectors_are_well_formed(
        shape in (1..13usize, 2..7usize),
        numbers in vec(entry(), 100),
        labels in (words(), words(), words()),
        decimals in prop::option::of(0..5usize),
    ) {
        let (count, width) = shape;
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap();
        let vectors = Array2::from_shape_simple_fn((count, width), &mut next);
        let weights = Array1::from_shape_simple_fn(count, &mut next);
        let (name, coordinate, other) = labels;
        let finite = |value: &f64| if value.is_finite() { *value } else { 0.0 };
        let mut bars = show_vectors(&vectors).names(vec![&name; count]).coordinates(vec![&coordinate; width]);
        let mut mixture = show_mixture(&weights, &vectors).names(vec![&name; count]).coordinates(vec![&coordinate; width]);
        let mut arrows = show_arrows(&vectors.map(finite)).names(vec![&name; count]).coordinates(vec![&coordinate; width]);
        let mut matrix = show_matrix(&vectors, &other).rows(vec![&name; count]).columns(vec![&coordinate; width]);
        arrows = arrows.query(&vectors.row(0).map(finite), &other).axes(1, 0);
        matrix = matrix.mark_row(count - 1).sign(&other, &vectors, &name);
        if let Some(decimals) = decimals {
            bars = bars.decimals(decimals);
            mixture = mixture.decimals(decimals);
            arrows = arrows.decimals(decimals);
            matrix = matrix.decimals(decimals);
        }
        prop_assert_eq!(Drawing::of(&matrix.svg()).cells.len(), 2 * count * width);
        for svg in [bars.svg(), mixture.svg(), arrows.svg()] {
            let drawing = Drawing::of(&svg);
            prop_assert!(drawing.width < 1500.0 && drawing.height < 1500.0, "{} x {}", drawing.width, drawing.height);
        }
    }
}
