//! `show_heatmaps` where its input is large, constant, extreme, not finite, hostile or wrong.

use std::collections::HashSet;
use std::time::Instant;

use d2l::prelude::*;
use ndarray::{Array0, Array5};

use crate::heatmaps::random;
use crate::svg::{Drawing, pixels, rgb};
use crate::{hostile_labels, refused};

const NOT_FINITE: [(f64, &str); 3] = [(f64::NAN, "NaN"), (f64::INFINITY, "+∞"), (f64::NEG_INFINITY, "−∞")];

#[test]
fn a_large_matrix_is_an_averaged_picture_that_says_so() {
    let matrix = random([1, 1, 1000, 1000]);
    let start = Instant::now();
    let svg = show_heatmaps(&matrix, "keys", "queries").svg();
    let seconds = start.elapsed().as_secs_f64();
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
    // The bench measures an optimised build: under 0.2 s. Here it must only not be absurd.
    assert!(seconds < 5.0, "{seconds} s");
    let drawing = Drawing::of(&svg);
    assert!(drawing.cells.is_empty());
    let (area, png) = &drawing.images[0];
    let (width, height, colors) = pixels(png);
    assert_eq!((width, height), (334, 334));
    assert!((area.width - area.height).abs() < 0.11);
    let note = "1000 × 1000 → 334 × 334 (⌀ 3 × 3)";
    assert!(drawing.words().contains(&note) && drawing.label.contains(note), "{:?}", drawing.words());
    // The first dot is the mean of the first nine entries, on the scale of all entries.
    let mean = (0..9).map(|place| matrix[[0, 0, place / 3, place % 3]]).sum::<f64>() / 9.0;
    let (low, high) = matrix.iter().fold((1.0f64, 0.0f64), |(low, high), &v| (low.min(v), high.max(v)));
    let one = show_heatmaps(&array![[mean]], "", "").limits(low, high);
    assert_eq!(colors[0], rgb(&Drawing::of(&one.svg()).cells[0].fill));
}

#[test]
fn a_picture_that_shows_every_entry_has_no_note() {
    let figure = show_heatmaps(&random([1, 1, 60, 60]), "keys", "queries");
    let drawing = Drawing::of(&figure.svg());
    let (width, height, _) = pixels(&drawing.images[0].1);
    assert_eq!((width, height), (60, 60));
    assert!(!figure.alt_text().contains('⌀'));
}

#[test]
fn one_odd_entry_of_a_large_matrix_stays_visible() {
    for (value, name) in NOT_FINITE {
        let mut matrix = random([1, 1, 900, 900]);
        matrix[[0, 0, 450, 450]] = value;
        let figure = show_heatmaps(&matrix, "keys", "queries");
        let drawing = Drawing::of(&figure.svg());
        let legend = rgb(&drawing.fills[0].fill);
        let (.., colors) = pixels(&drawing.images[0].1);
        assert_eq!(colors.iter().filter(|&&color| color == legend).count(), 1);
        assert!(drawing.words().contains(&name));
        assert!(figure.alt_text().contains(&format!("{name}: 1 (450, 450)")));
    }
    // Opposite infinities in one block are not taken for NaN, and sums beyond a double not for infinities.
    let mut matrix = Array2::from_elem((900, 900), f64::MAX);
    matrix[[0, 0]] = -f64::MAX;
    let drawing = Drawing::of(&show_heatmaps(&matrix, "", "").svg());
    let strongest = [0x67, 0x00, 0x0d];
    assert_eq!(*pixels(&drawing.images[0].1).2.last().unwrap(), strongest);
    (matrix[[0, 0]], matrix[[0, 1]]) = (f64::INFINITY, f64::NEG_INFINITY);
    assert!(!Drawing::of(&show_heatmaps(&matrix, "", "").svg()).words().contains(&"NaN"));
}

#[test]
fn a_constant_matrix_has_one_color_and_one_number() {
    for value in [0.25, 0.0, -3.0, 1e308, 5e-324, -1e-300] {
        let drawing = Drawing::of(&show_heatmaps(&Array2::from_elem((4, 4), value), "k", "q").svg());
        let fills: HashSet<_> = drawing.cells.iter().map(|cell| &cell.fill).collect();
        assert_eq!(fills.len(), 1, "{value}");
        assert_eq!(drawing.fills.len(), 1, "the bar has that colour too");
        assert_eq!(fills.into_iter().next(), Some(&drawing.fills[0].fill));
        let bar = drawing.fills[0].area;
        assert_eq!(drawing.texts.iter().filter(|text| text.x > bar.x).count(), 1);
    }
}

#[test]
fn entries_apart_have_colors_of_their_own_and_are_named() {
    let maps = include_str!("../reference/colormaps.txt");
    let in_a_map = |color: &str| maps.contains(&color[1..]);
    let mixtures: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[0, 1, 2]];
    for finite in [0, 9] {
        for mixture in mixtures {
            let kinds: Vec<_> = mixture.iter().map(|&kind| NOT_FINITE[kind]).collect();
            let mut values: Vec<f64> = kinds.iter().map(|kind| kind.0).collect();
            values.extend((0..finite).map(f64::from));
            let matrix = Array2::from_shape_vec((1, values.len()), values).unwrap();
            let figure = show_heatmaps(&matrix, "keys", "queries").annotate(1);
            let drawing = Drawing::of(&figure.svg());
            let fills: HashSet<_> = drawing.cells.iter().map(|cell| cell.fill.clone()).collect();
            assert_eq!(fills.len(), matrix.len(), "every entry is told apart");
            for (place, (_, name)) in kinds.iter().enumerate() {
                let color = &drawing.cells[place].fill;
                assert!(!in_a_map(color), "{name} has a colour of a map");
                assert!(drawing.fills.iter().any(|fill| fill.fill == *color), "{name} is not in the legend");
                // Once in its cell and once in the legend.
                assert_eq!(drawing.words().iter().filter(|words| *words == name).count(), 2, "{:?}", drawing.words());
                assert!(figure.alt_text().contains(&format!("{name}: 1 (0, {place})")), "{}", figure.alt_text());
            }
            assert_eq!(drawing.images.len(), usize::from(finite > 0), "a bar only where there is a scale");
        }
    }
    let all = show_heatmaps(&Array2::from_elem((20, 20), f64::NAN), "k", "q");
    assert!(all.alt_text().contains("NaN: 400 (0, 0), (0, 1), (0, 2), …"));
    assert!(Drawing::of(&all.svg()).words().contains(&"NaN"));
}

#[test]
fn extreme_values_keep_their_order() {
    let ordered: [&[f64]; 5] = [
        &[-1e308, 0.0, 1e308],
        &[f64::MIN, -1.0, f64::MAX],
        &[0.0, 5e-324],
        &[1e-300, 5e299, 1e300],
        &[1.0, 1.0 + f64::EPSILON],
    ];
    for values in ordered {
        let matrix = Array2::from_shape_vec((1, values.len()), values.to_vec()).unwrap();
        let drawing = Drawing::of(&show_heatmaps(&matrix, "k", "q").annotate(2).svg());
        let greens: Vec<u8> = drawing.cells.iter().map(|cell| rgb(&cell.fill)[1]).collect();
        assert!(greens.windows(2).all(|pair| pair[0] >= pair[1]) && greens[0] > greens[greens.len() - 1], "{values:?}");
        assert!(drawing.width < 500.0, "{values:?} need {} pixels", drawing.width);
    }
}

#[test]
fn thin_and_tiny_shapes_fit() {
    for (shape, cells) in [((1, 1), 1), ((1, 5000), 0), ((5000, 1), 0), ((2, 2500), 0), ((1, 2500), 2500)] {
        let matrix = Array2::from_shape_fn(shape, |(i, j)| (i + j) as f64);
        for figsize in [(2.5, 2.5), (0.5, 0.5), (8.0, 1.0)] {
            let drawing =
                Drawing::of(&show_heatmaps(&matrix, "Raktai", "Užklausos").figsize(figsize.0, figsize.1).svg());
            assert_eq!(drawing.cells.len(), cells, "{shape:?}");
            assert!(drawing.width < 900.0 && drawing.height < 900.0, "{shape:?} in {figsize:?}");
        }
    }
}

#[test]
fn many_panels_fit_a_page() {
    let drawing = Drawing::of(&show_heatmaps(&random([20, 20, 2, 2]), "Raktai", "Užklausos").svg());
    assert!(drawing.width <= 960.0 && drawing.height <= 960.0, "{} x {}", drawing.width, drawing.height);
    assert_eq!(drawing.cells.len(), 1600);
}

#[test]
fn hostile_labels_are_words_and_nothing_else() {
    for label in hostile_labels() {
        let figure = show_heatmaps(&random([1, 2, 3, 3]), &label, &label)
            .titles([&label, &label])
            .x_tick_labels([&label, &label, &label])
            .y_tick_labels([&label, &label, &label])
            .alt(&label);
        let drawing = Drawing::of(&figure.svg());
        assert!(drawing.width < 1500.0 && drawing.height < 1500.0, "{label}: {} x {}", drawing.width, drawing.height);
        let replaced = |c: char| c.is_control() || c == '\u{202e}';
        let short = label.chars().count() <= 18 && !label.chars().any(replaced);
        if short && !label.trim().is_empty() {
            assert_eq!(
                drawing.words().iter().filter(|words| **words == label).count(),
                2 + 1 + 2 + 2 * 3 + 3,
                "{label}"
            );
        }
    }
}

#[test]
fn words_that_do_not_fit_are_cut_in_the_picture_only() {
    let long = "dėmesio svoriai ".repeat(10);
    let figure = show_heatmaps(&random([1, 4, 3, 3]), "k", "q").titles([&long, "b", "c", "d"]);
    let drawing = Drawing::of(&figure.svg());
    assert!(drawing.words().iter().any(|words| words.ends_with('…')));
    assert!(drawing.tips.contains(&long) && figure.alt_text().contains(long.trim()));
}

#[test]
fn mistakes_are_named_in_one_line() {
    let figure = || show_heatmaps(&Array4::<f64>::zeros((2, 4, 3, 5)), "k", "q");
    let none: [&str; 0] = [];
    let cases = [
        (refused(|| drop(show_heatmaps(&Array2::<f64>::zeros((0, 0)), "", ""))), "the shape [0, 0] holds no entries"),
        (refused(|| drop(show_heatmaps(&Array2::<f64>::zeros((0, 5)), "", ""))), "the shape [0, 5] holds no entries"),
        (refused(|| drop(show_heatmaps(&Array4::<f64>::zeros((0, 4, 10, 10)), "", ""))), "[0, 4, 10, 10]"),
        (refused(|| drop(show_heatmaps(&Array1::<f64>::zeros(3), "", ""))), "2 to 4 axes"),
        (refused(|| drop(show_heatmaps(&Array0::<f64>::zeros(()), "", ""))), "not of shape []"),
        (
            refused(|| drop(show_heatmaps(&Array5::<f64>::zeros((1, 1, 1, 2, 3)), "", ""))),
            "not of shape [1, 1, 1, 2, 3]",
        ),
        (
            refused(move || drop(figure().titles(["a", "b", "c"]))),
            "the number of titles is 3, but the panels are 2 x 4: give 4, one a column, or 8, one a panel",
        ),
        (refused(|| drop(show_heatmaps(&Array2::<f64>::eye(2), "", "").titles(["a", "b"]))), "are 1 x 1: give 1"),
        (refused(move || drop(figure().titles(none))), "the number of titles is 0"),
        (refused(move || drop(figure().x_tick_labels(["a"]))), "the number of tick labels is 1, but that of keys is 5"),
        (
            refused(move || drop(figure().y_tick_labels(none))),
            "the number of tick labels is 0, but that of queries is 3",
        ),
        (refused(move || drop(figure().figsize(0.0, 1.0))), "0 x 1 inches"),
        (refused(move || drop(figure().figsize(1.0, f64::NAN))), "1 x NaN inches"),
        (refused(move || drop(figure().figsize(-1.0, f64::INFINITY))), "-1 x inf inches"),
        (refused(move || drop(figure().limits(0.0, f64::NAN))), "0 to NaN"),
        (refused(move || drop(figure().limits(1.0, 1.0))), "1 to 1 do not"),
        (refused(move || drop(figure().limits(f64::NEG_INFINITY, 1.0))), "must be finite and rise, and -inf to 1"),
        (refused(move || drop(figure().cmap("viridis"))), "no colour map \"viridis\": choose one of Reds, Blues"),
        (refused(move || drop(figure().annotate(11))), "at most 10 decimals, not 11"),
        (
            refused(|| drop(show_heatmaps(&Array2::<f64>::zeros((51, 50)), "", "").annotate(1))),
            "at most 2500 cells, and this figure has 2550",
        ),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
