//! `show_vectors`, `show_updates` and `show_mixture`: bars as long as their numbers, sums that are sums.

use d2l::prelude::*;

use crate::svg::{Cell, Drawing};
use crate::{hostile_labels, refused};

const BANK: [f64; 4] = [0.5, 0.5, 0.8, 0.2];

fn bank_and_mixtures() -> (Array1<f64>, Array2<f64>) {
    (Array1::from_iter(BANK), array![[0.21, 0.52, 0.34, 0.41], [0.52, 0.21, 0.34, 0.41]])
}

/// The value that a bar's tooltip ends with.
fn value(cell: &Cell) -> f64 {
    cell.tip.rsplit([' ', ':']).next().unwrap().parse().unwrap()
}

#[test]
fn bars_are_as_long_as_their_numbers_and_begin_at_one_line() {
    let vectors = array![[1.0, -2.0, 0.5], [3.0, 0.25, -0.125]];
    let figure = show_vectors(&vectors).names(["a", "b"]).coordinates(["x", "y", "z"]);
    let drawing = Drawing::of(&figure.svg());
    assert_eq!(drawing.cells.len(), 6);
    let unit = drawing.cells[0].area.width;
    for panel in drawing.cells.chunks(3) {
        let begins = panel.iter().map(|bar| if value(bar) < 0.0 { bar.area.x + bar.area.width } else { bar.area.x });
        let begins: Vec<f64> = begins.collect();
        assert!(begins.iter().all(|begin| (begin - begins[0]).abs() < 0.2), "{begins:?}");
        for bar in panel {
            assert!((bar.area.width - unit * value(bar).abs()).abs() < 0.2, "{bar:?}");
        }
    }
    for name in ["a", "b", "x", "y", "z", "−2.00", "0.25", "−0.12"] {
        drawing.text(name);
    }
    assert_eq!(figure.alt_text(), "(x, y, z): a [1.00, −2.00, 0.50]; b [3.00, 0.25, −0.12]");
}

#[test]
fn a_number_stands_beside_its_bar_and_its_coordinate() {
    let drawing = Drawing::of(&show_vectors(&array![[0.1, 0.2, 0.3]]).coordinates(["x", "y", "z"]).svg());
    for (index, (name, number)) in [("x", "0.1"), ("y", "0.2"), ("z", "0.3")].into_iter().enumerate() {
        let middle = drawing.cells[index].area.middle().1;
        for words in [name, number] {
            assert!((drawing.text(words).y - middle).abs() < 0.2, "{words}");
        }
    }
}

#[test]
fn many_vectors_go_to_further_rows_within_the_page() {
    let drawing = Drawing::of(&show_vectors(&Array2::<f64>::ones((24, 24))).svg());
    assert!(drawing.width <= 920.0, "{}", drawing.width);
    assert_eq!(drawing.cells.len(), 24 * 24);
}

#[test]
fn an_updated_vector_is_the_stack_of_the_start_and_the_update() {
    let (bank, mixtures) = bank_and_mixtures();
    let names = ["bank", "the river bank", "the money bank"];
    let figure = show_updates(&bank, &mixtures).names(names).coordinates(["finance", "water", "structure", "generic"]);
    let drawing = Drawing::of(&figure.svg());
    assert_eq!(drawing.cells.len(), 4 + 2 * (4 + 8));
    for sum in ["0.71", "1.02", "1.14", "0.61"] {
        assert_eq!(drawing.texts.iter().filter(|text| text.words == sum).count(), 2, "{sum}");
    }
    // In the sums the update begins where the start ends.
    for pair in drawing.cells[8..16].chunks(2) {
        assert!((pair[0].area.x + pair[0].area.width - pair[1].area.x).abs() < 0.2, "{pair:?}");
        assert_ne!(pair[0].fill, pair[1].fill);
    }
    assert_eq!(
        figure.alt_text(),
        "(finance, water, structure, generic): bank [0.50, 0.50, 0.80, 0.20]; \
         the river bank: + [0.21, 0.52, 0.34, 0.41] = [0.71, 1.02, 1.14, 0.61]; \
         the money bank: + [0.52, 0.21, 0.34, 0.41] = [1.02, 0.71, 1.14, 0.61]"
    );
}

#[test]
fn a_mixture_is_the_stack_of_its_terms() {
    let values = array![[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.2], BANK];
    let weights = array![0.2613, 0.3097, 0.4290];
    let figure = show_mixture(&weights, &values).names(["the", "river", "bank"]).coordinates(["a", "b", "c", "d"]);
    let drawing = Drawing::of(&figure.svg());
    let (legend, bars) = drawing.cells.split_at(3);
    assert_eq!(legend[1].tip, "river: 0.3097");
    assert_eq!(bars.len(), 1 + 2 + 1 + 3, "terms of 0 have no bar");
    let unit = bars[0].area.width / value(&bars[0]);
    assert!(bars.iter().all(|bar| (bar.area.width - unit * value(bar)).abs() < 0.2));
    assert_eq!(bars[1].tip, "river: 0.3097 × 1 = 0.3097");
    assert_eq!((&bars[1].fill, &bars[2].fill), (&legend[1].fill, &legend[2].fill));
    assert!((bars[1].area.x + bars[1].area.width - bars[2].area.x).abs() < 0.2);
    for words in ["0.31 · river", "= 0.21", "= 0.52", "= 0.34", "= 0.41"] {
        drawing.text(words);
    }
    assert!(figure.alt_text().ends_with("d: 0.26 + 0.06 + 0.09 = 0.41"), "{}", figure.alt_text());
}

#[test]
fn mixtures_with_the_same_limits_have_the_same_unit() {
    let unit = |weight: f64, limits: (f64, f64)| {
        let figure = show_mixture(&array![weight], &array![[1.0]]).limits(limits.0, limits.1);
        Drawing::of(&figure.svg()).cells[1].area.width / weight
    };
    assert!((unit(0.2, (0.0, 0.8)) - unit(0.7, (0.0, 0.8))).abs() < 0.5);
    assert!(unit(0.2, (0.0, 0.4)) > unit(0.2, (0.0, 0.8)) + 1.0);
    assert_eq!(unit(1.0, (0.2, 0.4)), unit(1.0, (0.0, 1.0)), "no bar ends before its number");
}

#[test]
fn negative_terms_lie_on_the_other_side_of_zero() {
    let figure = show_mixture(&array![0.5, 0.5, 0.5], &array![[4.0], [-2.0], [-1.0]]).decimals(1);
    let drawing = Drawing::of(&figure.svg());
    let bars = &drawing.cells[3..];
    let zero = bars[0].area.x;
    assert!((bars[1].area.x + bars[1].area.width - zero).abs() < 0.2);
    assert!((bars[2].area.x + bars[2].area.width - bars[1].area.x).abs() < 0.2);
    // The sum of 0.5 is marked above and below the bar, where no part ends.
    let unit = bars[0].area.width / 2.0;
    let marked = drawing
        .lines
        .iter()
        .filter(|line| line.len() == 2 && line.iter().all(|point| (point.0 - zero - 0.5 * unit).abs() < 0.2));
    assert_eq!(marked.count(), 2);
    assert_eq!(figure.alt_text(), "0.5 0 + 0.5 1 + 0.5 2; 0: 2.0 + −1.0 + −0.5 = 0.5");
}

#[test]
fn neighbouring_terms_differ_in_tint_and_in_pattern() {
    let drawing = Drawing::of(&show_mixture(&Array1::<f64>::ones(24), &Array2::<f64>::ones((24, 1))).svg());
    let bars = &drawing.cells[24..];
    let hatched = |bar: &Cell| {
        let inside = |&(x, y): &(f64, f64)| {
            let area = bar.area;
            (area.x - 0.1..=area.x + area.width + 0.1).contains(&x)
                && (area.y - 0.1..=area.y + area.height + 0.1).contains(&y)
        };
        let mut slopes: Vec<(bool, bool)> = drawing
            .lines
            .iter()
            .filter(|line| line.len() == 2 && line.iter().all(inside))
            .map(|line| (line[0].0 == line[1].0, line[0].1 == line[1].1))
            .collect();
        slopes.dedup();
        slopes
    };
    for pair in bars.windows(2) {
        assert!(pair[0].fill != pair[1].fill);
    }
    assert!(hatched(&bars[0]).is_empty());
    assert_eq!(hatched(&bars[2]), [(true, false)], "upright lines");
    assert_eq!(hatched(&bars[4]), [(false, true)], "level lines");
}

#[test]
fn extreme_numbers_and_hostile_names_stay_inside() {
    for label in hostile_labels() {
        for number in [0.0, -1e308, f64::MAX, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -123_456.789] {
            let matrix = Array2::from_elem((3, 4), number);
            let vector = array![number, 1.0, -1.0, 0.0];
            let vectors = show_vectors(&matrix).names([&label; 3]).coordinates([&label; 4]);
            let updates = show_updates(&vector, &matrix).names([&label; 4]).coordinates([&label; 4]);
            let mixture = show_mixture(&array![number, 1.0, -1.0], &matrix).names([&label; 3]).coordinates([&label; 4]);
            for svg in [vectors.svg(), updates.svg(), mixture.svg()] {
                assert!(Drawing::of(&svg).width < 1_000.0);
            }
        }
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let zeros = |rows: usize, columns: usize| Array2::<f64>::zeros((rows, columns));
    let vectors = move |rows, columns| refused(move || drop(show_vectors(&zeros(rows, columns))));
    let updates = move |start, rows, columns| {
        refused(move || drop(show_updates(&Array1::<f64>::zeros(start), &zeros(rows, columns))))
    };
    let mixture = move |weights, rows, columns| {
        refused(move || drop(show_mixture(&Array1::<f64>::zeros(weights), &zeros(rows, columns))))
    };
    let cases = [
        (vectors(0, 2), "1 to 24 vectors, not 0"),
        (vectors(2, 25), "1 to 24 coordinates, not 25"),
        (updates(3, 1, 2), "the start has 3 and an update 2"),
        (updates(2, 9, 2), "1 to 8 updates, not 9"),
        (mixture(2, 3, 1), "weights 2, values 3"),
        (refused(|| drop(show_mixture(&array![1.0], &array![[1.0]]).limits(1.0, 1.0))), "a mixture's limits"),
        (mixture(25, 25, 1), "1 to 24 terms, not 25"),
        (mixture(1, 1, 0), "1 to 24 coordinates, not 0"),
        (
            refused(move || drop(show_vectors(&zeros(2, 2)).names(["a"]))),
            "the number of names is 1, but that of vectors is 2",
        ),
        (
            refused(move || drop(show_updates(&array![1.0], &array![[1.0]]).names(["a"]))),
            "the number of names is 1, but that of the start and its updates is 2",
        ),
        (
            refused(move || drop(show_mixture(&array![1.0], &array![[1.0]]).coordinates(["a", "b"]))),
            "the number of names is 2, but that of coordinates is 1",
        ),
        (refused(move || drop(show_vectors(&zeros(1, 1)).decimals(11))), "at most 10 decimals, not 11"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
