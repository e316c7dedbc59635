//! `show_heatmaps` where its input is as expected: squares, order, ticks, labels, tooltips.

use d2l::prelude::*;
use ndarray::Slice;

use crate::svg::{Area, Cell, Drawing};

/// Numbers in [0, 1), the same on every run.
pub fn random(shape: [usize; 4]) -> Array4<f64> {
    uniform(shape, 0.0, 1.0, &mut seeded(7))
}

/// A matrix whose entries are the whole numbers from 0.
fn counted(queries: usize, keys: usize) -> Array2<f64> {
    Array2::from_shape_fn((queries, keys), |(query, key)| (query * keys + key) as f64)
}

/// The cells of each panel, in the order of the tooltips' row and column.
pub fn panels(drawing: &Drawing, cells: usize) -> Vec<&[Cell]> {
    assert_eq!(drawing.cells.len() % cells, 0);
    drawing.cells.chunks(cells).collect()
}

#[test]
fn cells_are_equal_squares_with_row_0_at_the_top() {
    for (queries, keys) in [(1, 1), (10, 10), (3, 7), (7, 3), (2, 40), (40, 2), (1, 50), (50, 50), (1, 12)] {
        for figsize in [None, Some((2.5, 2.5)), Some((4.1, 1.7)), Some((1.9, 3.9))] {
            let mut figure = show_heatmaps(&counted(queries, keys), "keys", "queries");
            if queries.max(keys) > 12 * queries.min(keys) && figsize.is_some() {
                continue; // too thin to be seen as squares
            }
            if let Some((width, height)) = figsize {
                figure = figure.figsize(width, height);
            }
            let drawing = Drawing::of(&figure.svg());
            assert_eq!(drawing.cells.len(), queries * keys);
            let (first, case) = (drawing.cells[0].area, format!("{queries} x {keys} in {figsize:?}"));
            for (place, Cell { area, .. }) in drawing.cells.iter().enumerate() {
                let (query, key) = ((place / keys) as f64, (place % keys) as f64);
                assert!((area.width - area.height).abs() < 1e-9, "{case}: {area:?}");
                assert!((area.x - first.x - key * first.width).abs() < 1e-9, "{case}: {area:?}");
                assert!((area.y - first.y - query * first.height).abs() < 1e-9, "{case}: {area:?}");
            }
        }
    }
}

#[test]
fn neighbouring_cells_share_their_edge() {
    let drawing = Drawing::of(&show_heatmaps(&counted(50, 50), "", "").figsize(1.9, 1.9).svg());
    for row in drawing.cells.chunks(50) {
        for pair in row.windows(2) {
            assert!((pair[0].area.x + pair[0].area.width - pair[1].area.x).abs() < 1e-9);
        }
    }
}

#[test]
fn ticks_stand_at_the_centres_of_cells() {
    for (queries, keys) in [(10, 10), (3, 7), (1, 1), (30, 40)] {
        let drawing = Drawing::of(&show_heatmaps(&counted(queries, keys), "keys", "queries").svg());
        let below = drawing.cells.iter().map(|cell| cell.area.y + cell.area.height).fold(0.0, f64::max);
        let left = drawing.cells[0].area.x;
        let labelled = |outside: &dyn Fn(&Area) -> bool| {
            let texts = drawing.texts.iter().filter(|text| outside(&text.area));
            texts.filter_map(|text| Some((text, text.words.parse::<usize>().ok()?))).collect::<Vec<_>>()
        };
        let (under, beside) = (labelled(&|area| area.y > below), labelled(&|area| area.x + area.width <= left));
        assert!(!under.is_empty() && !beside.is_empty());
        for (text, key) in under {
            let (x, _) = drawing.cells[key].area.middle();
            assert!((text.x - x).abs() < 0.11, "key {key} of {keys}");
            assert!(drawing.lines.iter().any(|line| line.iter().all(|p| (p.0 - x).abs() < 0.11)), "no tick at {key}");
        }
        for (text, query) in beside {
            let (_, y) = drawing.cells[query * keys].area.middle();
            assert!((text.y - y).abs() < 0.11, "query {query} of {queries}");
        }
    }
}

#[test]
fn tick_steps_are_round_and_labels_do_not_meet() {
    for count in [2usize, 10, 37, 50, 100, 512, 1000, 5000] {
        for matrix in [counted(count, 1), counted(1, count), counted(count, 3)] {
            let drawing = Drawing::of(&show_heatmaps(&matrix, "", "").svg());
            let picture = drawing.images.iter().filter(|_| drawing.cells.is_empty()).map(|image| image.0).next();
            let areas: Vec<Area> = drawing.cells.iter().map(|cell| cell.area).chain(picture).collect();
            let right = areas.iter().map(|area| area.x + area.width).fold(0.0, f64::max);
            let bottom = areas.iter().map(|area| area.y + area.height).fold(0.0, f64::max);
            let texts = drawing.texts.iter().filter(|text| text.y > bottom && text.x <= right);
            let under: Vec<_> = texts.filter_map(|text| Some((text.words.parse::<usize>().ok()?, text.area))).collect();
            for pair in under.windows(2) {
                assert!(pair[0].1.x + pair[0].1.width <= pair[1].1.x + 0.2, "{count}: {pair:?}");
            }
            if let [(first, _), (second, _), ..] = under.as_slice() {
                let step = second - first;
                let mantissa = step / 10usize.pow(step.ilog10());
                assert!(*first == 0 && [1, 2, 5].contains(&mantissa), "{count}: step {step}");
            }
        }
    }
}

#[test]
fn only_outer_panels_carry_labels() {
    let drawing = Drawing::of(&show_heatmaps(&random([2, 4, 10, 10]), "Raktai", "Užklausos").svg());
    let count = |words: &str| drawing.texts.iter().filter(|text| text.words == words).count();
    assert_eq!((count("Raktai"), count("Užklausos")), (4, 2));
    let panels = panels(&drawing, 100);
    let corners: Vec<Area> = panels.iter().map(|cells| cells[0].area).collect();
    let (bottom, left) = (panels[4][99].area, corners[0].x);
    let inside_x = corners[3].x + panels[3][9].area.width * 10.0;
    for text in drawing.texts.iter().filter(|text| text.x < inside_x) {
        assert!(text.y > bottom.y + bottom.height || text.x < left, "{text:?} stands inside");
    }
    // Each outer panel has the same numbers: below four of them and beside two.
    assert_eq!(count("0"), 4 + 2);
    let label = drawing.text("Užklausos");
    assert!(label.upright && label.x < left);
}

#[test]
fn every_cell_tells_its_exact_value() {
    let mut matrix = random([1, 1, 6, 6]);
    for (place, value) in
        [0.1 + 0.2, -1.0 / 3.0, 1e308, -1e308, 5e-324, 1e-300, 123_456_789.125, -0.0].into_iter().enumerate()
    {
        matrix[[0, 0, place / 6, place % 6]] = value;
    }
    let drawing = Drawing::of(&show_heatmaps(&matrix, "keys", "queries").svg());
    for (place, (cell, &value)) in drawing.cells.iter().zip(&matrix).enumerate() {
        let (name, told) = cell.tip.split_once(": ").unwrap();
        assert_eq!(name, format!("{}, {}", place / 6, place % 6));
        assert_eq!(told.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{told}");
    }
    let named = show_heatmaps(&array![[0.5]], "k", "q").x_tick_labels(["bank"]).y_tick_labels(["river"]);
    assert_eq!(Drawing::of(&named.svg()).cells[0].tip, "river, bank: 0.5");
}

#[test]
fn titles_stand_above_their_columns_or_panels() {
    let matrices = random([2, 3, 4, 4]);
    let figure = show_heatmaps(&matrices, "keys", "queries");
    for (titles, rows) in [
        (vec!["A", "B", "C"], vec!["A", "B", "C", "A", "B", "C"]),
        (vec!["1st", "2nd", "3rd", "4th", "5th", "6th"], vec!["1st", "2nd", "3rd", "4th", "5th", "6th"]),
    ] {
        let drawing = Drawing::of(&figure.clone().titles(&titles).svg());
        let above: Vec<_> = drawing.texts.iter().filter(|text| titles.contains(&text.words.as_str())).collect();
        assert_eq!(above.iter().map(|text| text.words.as_str()).collect::<Vec<_>>(), rows);
        for (text, cells) in above.iter().zip(panels(&drawing, 16)) {
            let middle = (cells[0].area.x + cells[3].area.x + cells[3].area.width) / 2.0;
            assert!((text.x - middle).abs() < 0.11 && text.y < cells[0].area.y);
            assert!(text.area.y + text.area.height <= cells[0].area.y);
        }
    }
}

#[test]
fn figsize_bounds_the_figure() {
    let labels = ["the", "river", "bank", "money", "tower", "Eiffel", "the", "bank", "the", "river"];
    for (width, height) in [(2.5, 2.5), (7.0, 3.5), (3.0, 6.0), (2.3, 2.3), (20.0, 12.0)] {
        let plain = show_heatmaps(&random([2, 4, 10, 10]), "Raktai", "Užklausos");
        let one = show_heatmaps(&random([1, 1, 10, 10]), "Raktai", "Užklausos");
        let named = one.clone().x_tick_labels(labels).y_tick_labels(labels);
        let large = show_heatmaps(&random([1, 1, 300, 300]), "Raktai", "Užklausos");
        for figure in [plain.titles(["a", "b", "c", "d"]), one, named, large] {
            let drawing = Drawing::of(&figure.figsize(width, height).svg());
            let (most_wide, most_high) = ((width * 96.0f64).ceil(), (height * 96.0f64).ceil());
            assert!(drawing.width <= most_wide && drawing.height <= most_high, "{width} x {height}: {drawing:?}");
            let used = (drawing.width / most_wide).max(drawing.height / most_high);
            assert!(used > 0.8, "{width} x {height} inches are used to {used}");
        }
    }
}

#[test]
fn repeated_tokens_stay_apart() {
    let tokens = ["the", "bank", "the", "bank"];
    let figure = show_heatmaps(&counted(4, 4), "keys", "queries").x_tick_labels(tokens).y_tick_labels(tokens);
    let drawing = Drawing::of(&figure.svg());
    let places: Vec<_> = drawing.texts.iter().filter(|text| text.words == "the").map(|text| (text.x, text.y)).collect();
    assert_eq!(places.len(), 4);
    assert!(places.iter().enumerate().all(|(i, a)| places[..i].iter().all(|b| a != b)));
    assert_eq!(drawing.cells.len(), 16);
}

#[test]
fn every_token_of_a_sentence_is_named() {
    let tokens: Vec<String> = (0..40).map(|place| format!("žodis{place}")).collect();
    let figure = show_heatmaps(&counted(40, 40), "keys", "queries").x_tick_labels(&tokens).y_tick_labels(&tokens);
    let drawing = Drawing::of(&figure.svg());
    assert!(tokens.iter().all(|token| drawing.words().iter().filter(|words| *words == token).count() == 2));
    assert!(drawing.width <= 960.0);
}

#[test]
fn shapes_views_and_precisions_give_one_picture() {
    let matrix = counted(3, 5);
    let wanted = show_heatmaps(&matrix, "k", "q").svg();
    let single = matrix.mapv(|v| v as f32);
    let columns_first = matrix.t().as_standard_layout().into_owned();
    // The slicing macro holds an `unsafe` block, which the workspace forbids: views are made by axes here.
    let turned = Array2::from_shape_fn((3, 5), |(i, j)| matrix[[2 - i, 4 - j]]);
    let mut reversed = turned.view();
    reversed.invert_axis(Axis(0));
    reversed.invert_axis(Axis(1));
    let padded = Array2::from_shape_fn((6, 10), |(i, j)| matrix[[i / 2, j / 2]]);
    let mut every_second = padded.view();
    every_second.slice_axis_inplace(Axis(0), Slice::from(..).step_by(2));
    every_second.slice_axis_inplace(Axis(1), Slice::from(..).step_by(2));
    let integers = matrix.mapv(|v| v as u8);
    for ours in [
        show_heatmaps(&single, "k", "q"),
        show_heatmaps(&columns_first.t(), "k", "q"),
        show_heatmaps(&reversed, "k", "q"),
        show_heatmaps(&every_second, "k", "q"),
        show_heatmaps(&integers, "k", "q"),
        show_heatmaps(&matrix.view().into_dyn(), "k", "q"),
        show_heatmaps(&matrix.clone().insert_axis(Axis(0)), "k", "q"),
        show_heatmaps(&matrix.clone().insert_axis(Axis(0)).insert_axis(Axis(0)), "k", "q"),
        show_heatmaps(&matrix.to_shared(), "k", "q"),
    ] {
        assert_eq!(ours.svg(), wanted);
    }
    let row = Array3::from_shape_fn((3, 2, 2), |(panel, i, j)| (panel + i + j) as f64);
    let drawing = Drawing::of(&show_heatmaps(&row, "k", "q").svg());
    let corners: Vec<Area> = panels(&drawing, 4).iter().map(|cells| cells[0].area).collect();
    assert!(corners[0].x < corners[1].x && corners[1].x < corners[2].x);
    assert!(corners.iter().all(|corner| corner.y == corners[0].y));
}
