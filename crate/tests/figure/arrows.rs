//! `show_arrows`: one unit everywhere, labels that meet nothing, dot products of all coordinates.

use d2l::prelude::*;

use crate::svg::{Area, Drawing};
use crate::{hostile_labels, refused};

/// The tips of the arrows: the first corner of each arrow's head.
fn tips(drawing: &Drawing) -> Vec<(f64, f64)> {
    drawing.lines.iter().filter(|line| line.len() == 3 && line[0] != line[2]).map(|line| line[0]).collect()
}

fn meet(a: &Area, b: &Area) -> bool {
    let apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    !apart
}

#[test]
fn one_unit_is_equally_long_in_every_direction() {
    for angle in [0.3f64, 1.2, 2.0, 3.5, 5.0] {
        let (sin, cos) = angle.sin_cos();
        let figure = show_arrows(&array![[1.0, 0.0], [0.0, 1.0], [cos, sin], [-2.0 * cos, -2.0 * sin]]);
        let drawing = Drawing::of(&figure.svg());
        let tips = tips(&drawing);
        let origin = (tips[1].0, tips[0].1);
        let unit = tips[0].0 - origin.0;
        for (tip, length) in tips.iter().zip([1.0, 1.0, 1.0, 2.0]) {
            let pixels = (tip.0 - origin.0).hypot(tip.1 - origin.1);
            assert!((pixels - length * unit).abs() < 0.5, "{angle}: {pixels} for {length} of {unit}");
        }
        assert!(tips[1].1 < origin.1, "the second axis goes up");
    }
}

#[test]
fn labels_end_with_dot_products_over_all_coordinates() {
    let keys = array![[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.8]];
    let query = array![0.0, 3.0, 1.0];
    let figure = show_arrows(&keys).names(["the", "river", "bank"]).query(&query, "q").coordinates(["a", "b", "c"]);
    let drawing = Drawing::of(&figure.svg());
    for words in ["q", "the: 0.0", "river: 3.0", "bank: 2.3", "a", "b"] {
        drawing.text(words);
    }
    assert!(!drawing.words().contains(&"c"));
    let other = Drawing::of(&figure.clone().axes(0, 2).notes(["11%", "63%", "26%"]).svg());
    for words in ["a", "c", "the: 11%", "river: 63%", "bank: 26%"] {
        other.text(words);
    }
    assert_eq!(
        figure.alt_text(),
        "(a, b, c): q [0.0, 3.0, 1.0]; the [0.0, 0.0, 0.0]: 0.0; river [0.0, 1.0, 0.0]: 3.0; bank [0.5, 0.5, 0.8]: 2.3"
    );
}

#[test]
fn a_rescaled_query_is_as_long_as_the_longest_arrow_and_says_its_factor() {
    let figure = show_arrows(&array![[0.0, 1.0], [0.6, 0.0]]).query(&array![3.0, 4.0], "q").rescale_query();
    let drawing = Drawing::of(&figure.svg());
    drawing.text("q × 0.2");
    let tips = tips(&drawing);
    let origin = (tips[1].0, tips[2].1);
    let length = |tip: (f64, f64)| (tip.0 - origin.0).hypot(tip.1 - origin.1);
    assert!((length(tips[0]) - length(tips[1])).abs() < 0.5);
    let zero = show_arrows(&array![[0.0, 1.0]]).query(&array![0.0, 0.0], "q").rescale_query();
    Drawing::of(&zero.svg()).text("q");
}

#[test]
fn labels_meet_neither_each_other_nor_an_arrow() {
    let angles = |count: usize| (0..count).map(move |i| 0.4 + i as f64 * 0.09);
    for count in [1, 3, 8, 12] {
        let vectors =
            Array2::from_shape_vec((count, 2), angles(count).flat_map(|a| [a.cos(), a.sin()]).collect()).unwrap();
        let names: Vec<String> = (0..count).map(|index| format!("токен номер {index}")).collect();
        let drawing = Drawing::of(&show_arrows(&vectors).names(&names).query(&array![-0.2, 0.3], "запит").svg());
        let labels: Vec<&Area> = names
            .iter()
            .map(|name| &drawing.texts.iter().find(|text| text.words.starts_with(&format!("{name}:"))).unwrap().area)
            .collect();
        for (index, label) in labels.iter().enumerate() {
            assert!(labels[..index].iter().all(|other| !meet(label, other)), "{count}: {label:?}");
            for tip in tips(&drawing) {
                let inside = tip.0 > label.x && tip.0 < label.x + label.width;
                assert!(
                    !(inside && tip.1 > label.y && tip.1 < label.y + label.height),
                    "{count}: {tip:?} in {label:?}"
                );
            }
        }
    }
}

#[test]
fn faded_arrows_are_dashed_and_zero_vectors_are_rings() {
    let plain = Drawing::of(&show_arrows(&array![[1.0, 0.0], [0.0, 1.0]]).svg());
    let faded = Drawing::of(&show_arrows(&array![[1.0, 0.0], [0.0, 1.0]]).fade([1]).svg());
    assert!(faded.lines.len() > plain.lines.len() + 10, "dashes are lines of their own");
    let zero = Drawing::of(&show_arrows(&array![[0.0, 0.0], [1.0, 1.0]]).svg());
    assert_eq!(zero.lines.iter().filter(|line| line.len() == 1).count(), 1);
    assert_eq!(tips(&zero).len(), 1);
}

#[test]
fn extreme_numbers_and_hostile_names_stay_inside() {
    for label in hostile_labels() {
        for number in [0.0, -1e308, f64::MAX, 5e-324, -123_456.789] {
            let vectors = array![[number, 0.0], [0.0, number], [number, -number], [1.0, 0.0]];
            let figure =
                show_arrows(&vectors).names([&label; 4]).coordinates([&label; 2]).query(&array![number, 1.0], &label);
            assert!(Drawing::of(&figure.svg()).width < 900.0);
            Drawing::of(&figure.rescale_query().notes([&label; 4]).svg());
        }
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let zeros = |rows: usize, columns: usize| Array2::<f64>::zeros((rows, columns));
    let arrows = move |rows, columns| refused(move || drop(show_arrows(&zeros(rows, columns))));
    let two = move || show_arrows(&zeros(2, 3));
    let cases = [
        (arrows(0, 2), "1 to 12 arrows, not 0"),
        (arrows(13, 2), "1 to 12 arrows, not 13"),
        (arrows(2, 1), "at least 2 coordinates, and the vectors have 1"),
        (
            refused(|| drop(show_arrows(&array![[1.0, 0.0], [f64::NAN, 1.0]]))),
            "no place for NaN or an infinite coordinate: vector 1 is [NaN, 1]",
        ),
        (refused(move || drop(two().query(&array![1.0], "q"))), "the query's is 1 and the vectors' is 3"),
        (refused(move || drop(two().rescale_query())), "there is no query to rescale"),
        (refused(move || drop(two().axes(1, 1))), "two different coordinates of 3, counted from 0, not 1 and 1"),
        (refused(move || drop(two().axes(0, 3))), "two different coordinates of 3, counted from 0, not 0 and 3"),
        (refused(move || drop(two().fade([2]))), "there is no vector 2 to fade: there are 2, counted from 0"),
        (refused(move || drop(two().notes(["a"]))), "the number of notes is 1, but that of vectors is 2"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
