//! `show_heatmaps` and its colours: matplotlib's, one scale for all panels, numbers that read on them.

use d2l::prelude::*;

use crate::heatmaps::{panels, random};
use crate::svg::{Drawing, pixels, rgb};

/// Matplotlib's Reds, from the lowest level to the highest.
fn reds() -> Vec<[u8; 3]> {
    let tables = include_str!("../reference/colormaps.txt");
    let line = tables.lines().find_map(|line| line.strip_prefix("Reds ")).unwrap();
    line.split(' ').map(|color| rgb(&format!("#{color}"))).collect()
}

#[test]
fn one_bar_and_one_scale_serve_all_panels() {
    let matrices = random([2, 3, 4, 4]);
    let drawing = Drawing::of(&show_heatmaps(&matrices, "keys", "queries").svg());
    assert_eq!(drawing.images.len(), 1, "the bar is the only picture");
    let (bar, png) = &drawing.images[0];
    let (width, height, colors) = pixels(png);
    assert_eq!((width, height), (1, 256));
    let up: Vec<_> = colors.into_iter().rev().collect();
    for (level, (ours, theirs)) in up.iter().zip(reds()).enumerate() {
        assert!(ours.iter().zip(theirs).all(|(a, b)| a.abs_diff(b) <= 1), "level {level}: {ours:?}, {theirs:?}");
    }
    let (low, high) = matrices.iter().fold((1.0f64, 0.0f64), |(low, high), &v| (low.min(v), high.max(v)));
    let numbers: Vec<_> = drawing.texts.iter().filter(|text| text.x > bar.x + bar.width).collect();
    assert!(numbers.len() >= 3);
    for text in numbers {
        let value: f64 = text.words.parse().unwrap();
        let share = (bar.y + bar.height - text.y) / bar.height;
        assert!((share - (value - low) / (high - low)).abs() < 0.002, "{value} stands at {share}");
    }
}

#[test]
fn colors_are_matplotlibs_at_every_level() {
    // One row of 256 values, each in the middle of its level, and the two ends, spread over panels.
    let values: Vec<f64> = (0..256).map(|level| (level as f64 + 0.5) / 256.0).chain([0.0, 1.0, 0.0, 1.0]).collect();
    let matrices = Array4::from_shape_vec((1, 4, 5, 13), values.clone()).unwrap();
    let drawing = Drawing::of(&show_heatmaps(&matrices, "keys", "queries").svg());
    assert_eq!(drawing.cells.len(), values.len());
    let reds = reds();
    for (cell, value) in drawing.cells.iter().zip(values) {
        let wanted = reds[((value * 256.0) as usize).min(255)];
        let ours = rgb(&cell.fill);
        assert!(ours.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 1), "{value}: {ours:?}, {wanted:?}");
    }
}

#[test]
fn a_value_has_one_color_in_every_panel() {
    let mut matrices = random([2, 2, 3, 3]);
    for row in 0..2 {
        for column in 0..2 {
            matrices[[row, column, 1, 1]] = 0.625;
        }
    }
    let drawing = Drawing::of(&show_heatmaps(&matrices, "keys", "queries").svg());
    let fills: Vec<_> = panels(&drawing, 9).iter().map(|cells| cells[4].fill.clone()).collect();
    assert!(fills.iter().all(|fill| *fill == fills[0]), "{fills:?}");
}

#[test]
fn limits_set_the_ends_of_the_scale() {
    let drawing = Drawing::of(&show_heatmaps(&array![[0.0, 0.5, 1.0, 7.0]], "k", "q").limits(0.0, 1.0).svg());
    let fills: Vec<_> = drawing.cells.iter().map(|cell| rgb(&cell.fill)).collect();
    assert_eq!(fills[2], fills[3], "what is beyond the limits has the end's colour");
    for (ours, theirs) in [(fills[0], reds()[0]), (fills[2], reds()[255])] {
        assert!(ours.iter().zip(theirs).all(|(a, b)| a.abs_diff(b) <= 1), "{ours:?}, {theirs:?}");
    }
    assert!(drawing.words().contains(&"1.0"));
}

#[test]
fn numbers_in_cells_read_on_their_ground() {
    let matrix = random([1, 1, 12, 12]).mapv(|v| v * 2.0 - 1.0);
    for map in ["Reds", "Blues", "Greens", "Purples", "Greys", "RdBu"] {
        let drawing = Drawing::of(&show_heatmaps(&matrix, "k", "q").cmap(map).annotate(2).svg());
        for (cell, value) in drawing.cells.iter().zip(&matrix) {
            let inside = drawing.texts.iter().find(|text| {
                let (x, y) = cell.area.middle();
                (text.x - x).abs() < 0.2 && (text.y - y).abs() < 0.2
            });
            let text = inside.unwrap_or_else(|| panic!("no number in {cell:?}"));
            let written = text.words.replace('−', "-");
            assert!((written.parse::<f64>().unwrap() - value).abs() <= 0.0050001);
            assert!(contrast(rgb(&text.fill), rgb(&cell.fill)) >= 4.5, "{map}: {text:?} on {cell:?}");
            assert!(text.area.x >= cell.area.x && text.area.width <= cell.area.width, "{text:?} in {cell:?}");
        }
    }
}

/// Contrast as the Web Content Accessibility Guidelines 2.2 define it.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let luminance = |color: [u8; 3]| {
        let linear = color.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}
