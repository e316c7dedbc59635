//! `show_null_space`: the null vector, feet on the plane, and inputs that come out at one point.

use d2l::prelude::*;
use proptest::prelude::*;

use crate::svg::Drawing;
use crate::{hostile_labels, refused};

/// The map that reads x₁ + x₃ and x₂ + x₃, and three inputs: two that it cannot tell apart and one that it can.
fn example() -> Figure<NullSpace> {
    let map = array![[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    show_null_space(&map, &array![[1.0, 0.0, 1.0], [3.0, 2.0, -1.0], [0.0, 1.0, 0.5]])
}

#[test]
fn inputs_that_differ_by_a_null_vector_share_their_output() {
    let figure = example().names(["x", "x + 2n", "y"]).coordinates(["a", "b", "c"]).outputs(["d", "e"]);
    let drawing = Drawing::of(&figure.clone().spaces("row space", "null space").map_name("· W").svg());
    for words in ["x, x + 2n", "x", "x + 2n", "a", "b", "c", "d", "e", "row space", "null space [1, 1, −1]", "· W"] {
        drawing.text(words);
    }
    assert_eq!(drawing.texts.iter().filter(|text| text.words == "y").count(), 2, "in space and in the plane");
    assert_eq!(
        figure.alt_text(),
        "(a, b, c): [1, 1, −1] → 0; x [1.0, 0.0, 1.0] → [2.0, 1.0]; x + 2n [3.0, 2.0, −1.0] → [2.0, 1.0]; \
         y [0.0, 1.0, 0.5] → [0.5, 1.5]"
    );
}

#[test]
fn the_plane_is_a_parallelogram_and_inputs_lie_along_the_null_line() {
    let drawing = Drawing::of(&example().svg());
    // The plane's outline is closed and has four sides, opposite ones equal.
    let plane = drawing.lines.iter().find(|line| line.len() == 5 && line[0] == line[4]).unwrap();
    let side = |i: usize| (plane[i + 1].0 - plane[i].0, plane[i + 1].1 - plane[i].1);
    assert!((side(0).0 + side(2).0).abs() < 0.3 && (side(0).1 + side(2).1).abs() < 0.3, "{plane:?}");
    // Discs are points: three inputs, three feet, two outputs.
    let discs: Vec<(f64, f64)> = drawing.lines.iter().filter(|line| line.len() == 1).map(|line| line[0]).collect();
    assert_eq!(discs.len(), 3 + 3 + 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn any_map_of_rank_two_is_drawn_with_its_null_vector(
        entries in prop::collection::vec(-3..4i32, 6),
        input in prop::collection::vec(-5.0..5.0f64, 3),
        steps in -2.0..2.0f64,
    ) {
        let map = Array2::from_shape_vec((3, 2), entries.into_iter().map(f64::from).collect()).unwrap();
        let (a, b) = (map.column(0), map.column(1));
        let null = array![a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
        prop_assume!(null.iter().any(|value| value.abs() > 0.5));
        let input = Array1::from_vec(input);
        let moved = &input + &(&null * steps);
        let inputs = ndarray::stack(Axis(0), &[input.view(), moved.view()]).unwrap();
        let drawing = Drawing::of(&show_null_space(&map, &inputs).names(["x", "y"]).svg());
        drawing.text("x, y");
    }
}

#[test]
fn hostile_names_and_extreme_numbers_stay_inside() {
    for label in hostile_labels() {
        let figure = example().names([&label; 3]).coordinates([&label; 3]).outputs([&label; 2]);
        Drawing::of(&figure.spaces(&label, &label).map_name(&label).svg());
    }
    for number in [0.0, 1e300, 1e-300, f64::MAX, -5e-324] {
        let map = array![[1e200, 0.0], [0.0, 1e-200], [0.0, 0.0]];
        Drawing::of(&show_null_space(&map, &array![[number, 1.0, 0.0], [0.0, number, number]]).svg());
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let draw = |map: Array2<f64>, inputs: Array2<f64>| refused(move || drop(show_null_space(&map, &inputs)));
    let map = || array![[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]];
    let zeros = |rows: usize, columns: usize| Array2::<f64>::zeros((rows, columns));
    let cases = [
        (draw(zeros(2, 3), zeros(1, 3)), "of shape [3, 2], not [2, 3]"),
        (draw(map(), zeros(1, 2)), "have 3 columns, not 2"),
        (draw(map(), zeros(0, 3)), "1 to 8 inputs, not 0"),
        (draw(map(), zeros(9, 3)), "1 to 8 inputs, not 9"),
        (draw(map(), array![[f64::INFINITY, 0.0, 0.0]]), "no place for NaN or infinite numbers"),
        (draw(zeros(3, 2), zeros(1, 3)), "the columns of the map are parallel"),
        (draw(array![[0.1, 0.3], [0.2, 0.6], [0.3, 0.9]], zeros(1, 3)), "the columns of the map are parallel"),
        (refused(|| drop(example().outputs(["a"]))), "the number of names is 1, but that of output coordinates is 2"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
