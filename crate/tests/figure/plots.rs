//! `plot` and `scatter`: what is drawn where, gaps, limits, logarithmic axes, sizes, mistakes.

use d2l::prelude::*;

use crate::svg::Drawing;
use crate::{hostile_labels, refused};

const NOTHING: [f64; 0] = [];

/// Lines in the colour of the first series.
fn first_series(svg: &str) -> usize {
    svg.matches("stroke=\"#0072B2\"").count()
}

#[test]
fn points_stand_at_their_values() {
    let drawing = Drawing::of(&scatter(&[1.0, 2.0, 4.0], &[10.0, 30.0, 20.0], "x", "y").svg());
    let discs: Vec<_> = drawing.lines.iter().filter(|line| line.len() == 1).map(|line| line[0]).collect();
    assert_eq!(discs.len(), 3);
    let share = (discs[1].0 - discs[0].0) / (discs[2].0 - discs[0].0);
    assert!((share - 1.0 / 3.0).abs() < 0.002, "{discs:?}");
    assert!(discs[1].1 < discs[2].1 && discs[2].1 < discs[0].1, "greater values stand higher");
    let tick = drawing.text("20");
    assert!((tick.y - discs[2].1).abs() < 0.11, "the tick 20 is level with the point");
    assert_eq!(drawing.tips, ["(1, 10)", "(2, 30)", "(4, 20)"]);
}

#[test]
fn logarithmic_axes_space_decades_evenly_and_leave_out_what_has_no_place() {
    let figure = scatter(&[1.0, 10.0, 100.0, 0.0, -5.0], &[1e-3, 1e-2, 1e-1, 1.0, 1.0], "m", "s");
    let drawing = Drawing::of(&figure.xscale("log").yscale("log").svg());
    let discs: Vec<_> = drawing.lines.iter().filter(|line| line.len() == 1).map(|line| line[0]).collect();
    assert_eq!(discs.len(), 3);
    assert!((discs[1].0 * 2.0 - discs[0].0 - discs[2].0).abs() < 0.21, "{discs:?}");
    assert!((discs[1].1 * 2.0 - discs[0].1 - discs[2].1).abs() < 0.21, "{discs:?}");
    let told = scatter(&[1.0, -1.0, 0.0, f64::NAN], &[1.0; 4], "m", "s").xscale("log").alt_text();
    assert!(told.ends_with("; NaN, ∞: 1; ≤ 0: 2"), "{told}");
    Drawing::of(&plot(&[-1.0, 0.0], &[1.0, 2.0], "", "").xscale("log").svg());
    Drawing::of(&plot(&[5e-324, f64::MAX], &[f64::MIN_POSITIVE, 1e300], "", "").xscale("log").yscale("log").svg());
}

#[test]
fn a_line_has_gaps_where_values_are_missing() {
    let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let y = [1.0, 2.0, f64::NAN, 3.0, f64::INFINITY, 4.0, 5.0];
    let figure = plot(&x, &y, "x", "y");
    // Two lines, and the lonely point between the gaps as a disc.
    assert_eq!(first_series(&figure.svg()), 2);
    let drawing = Drawing::of(&figure.svg());
    assert_eq!(drawing.lines.iter().filter(|line| line.len() == 1).count(), 1);
    assert!(figure.alt_text().contains("NaN, ∞: 2"));
    assert!(figure.alt_text().contains("y: 0.84 … 5.16"), "{}", figure.alt_text());
    for missing in [[f64::NAN; 2], [f64::INFINITY; 2], [f64::NEG_INFINITY, f64::NAN]] {
        let nothing = plot(&missing, &missing, "x", "y");
        assert_eq!(first_series(&nothing.svg()), 0);
        Drawing::of(&nothing.svg());
    }
}

#[test]
fn small_series_are_drawn() {
    for figure in [
        plot(&NOTHING, &NOTHING, "x", "y"),
        plot(&[2.0], &[3.0], "x", "y"),
        scatter(&[2.0], &[3.0], "x", "y"),
        plot(&[0.0, 1.0, 2.0], &[5.0; 3], "x", "y"),
        plot(&[5.0; 3], &[0.0, 1.0, 2.0], "x", "y"),
        plot(&[0.0; 3], &[0.0; 3], "x", "y"),
        plot(&NOTHING, &NOTHING, "", "").region(&[0.0, 1.0, 1.0], &[0.0, 0.0, 1.0]),
        plot(&NOTHING, &NOTHING, "", "").region(&NOTHING, &NOTHING).region(&[1.0], &[1.0]),
    ] {
        let drawing = Drawing::of(&figure.svg());
        assert_eq!((drawing.width, drawing.height), (336.0, 240.0));
        Drawing::of(&figure.equal().xlim(-1.0, 3.0).svg());
    }
    assert_eq!(Drawing::of(&plot(&[2.0], &[3.0], "x", "y").svg()).tips, ["(2, 3)"]);
    assert_eq!(plot(&[2.0f32], &[3i32], "x", "y").svg(), plot(&[2.0], &[3.0], "x", "y").svg());
}

#[test]
fn limits_cut_the_data_at_the_axes() {
    let x = Array1::linspace(-10.0, 10.0, 400);
    let figure = plot(&x, &x.mapv(|x| x * x), "x", "y")
        .points(&x, &x)
        .line(&[-f64::MAX, f64::MAX], &[-f64::MAX, f64::MAX])
        .region(&[-1e300, 1e300, 0.0], &[-20.0, 4.0, 1e308])
        .xlim(-1.0, 2.0)
        .ylim(0.0, 3.0);
    let drawing = Drawing::of(&figure.svg());
    let axes = drawing.lines.iter().find(|line| line.len() == 3).unwrap();
    let ((left, top), (right, bottom)) = (axes[0], axes[2]);
    let inside =
        |&(x, y): &(f64, f64)| (left - 8.0..=right + 8.0).contains(&x) && (top - 8.0..=bottom + 8.0).contains(&y);
    let outside: Vec<_> = drawing.lines.iter().flatten().filter(|point| !inside(point)).collect();
    assert!(outside.is_empty(), "{outside:?}");
    assert!(figure.alt_text().contains("x: −1 … 2; y: 0 … 3"));
    let ticks: Vec<f64> = drawing.words().iter().filter_map(|words| words.replace('−', "-").parse().ok()).collect();
    assert!(ticks.len() > 4 && ticks.iter().all(|tick| (-1.0..=3.0).contains(tick)), "{ticks:?}");
}

#[test]
fn wide_and_narrow_ranges_have_ticks_that_tell_apart() {
    let ranges: [(f64, f64); 9] = [
        (f64::MIN, f64::MAX),
        (0.0, 5e-324),
        (1e-300, 1e300),
        (1e5, 1e5 + 1.0),
        (1.0, 1.0 + 1e-7),
        (-1e-9, 1e-9),
        (123_456.0, 123_460.0),
        (-1e12, 1e12 + 1.0),
        (0.0, 1e6),
    ];
    for range in ranges {
        let ends = [range.0, range.1];
        for figure in
            [plot(&ends, &[0.0, 1.0], "x", "y"), plot(&[0.0, 1.0], &ends, "x", "y"), plot(&ends, &ends, "", "").equal()]
        {
            let drawing = Drawing::of(&figure.svg());
            let bottom = drawing.lines.iter().find(|line| line.len() == 3).unwrap()[1].1;
            let (below, beside): (Vec<_>, Vec<_>) = drawing
                .texts
                .iter()
                .filter(|t| t.words.chars().any(|c| c.is_ascii_digit()))
                .partition(|t| t.y > bottom + 5.0);
            for pair in below.windows(2) {
                assert!(pair[0].area.x + pair[0].area.width < pair[1].area.x, "{range:?}: {pair:?}");
            }
            for labels in [below, beside] {
                let mut words: Vec<_> = labels.iter().map(|text| &text.words).collect();
                words.dedup();
                assert!(!labels.is_empty() && words.len() == labels.len(), "{range:?}: {words:?}");
            }
        }
    }
}

#[test]
fn equal_makes_units_equally_long() {
    for figsize in [(3.5, 2.5), (2.0, 6.0)] {
        let figure = plot(&[0.0, 1.0], &[0.0, 1.0], "x", "y").equal().figsize(figsize.0, figsize.1);
        let drawing = Drawing::of(&figure.svg());
        let line = drawing
            .lines
            .iter()
            .filter(|line| line.len() == 2)
            .find(|line| line[0].0 != line[1].0 && line[0].1 != line[1].1);
        let line = line.expect("the diagonal");
        assert!(((line[1].0 - line[0].0) - (line[0].1 - line[1].1)).abs() < 0.21, "{line:?}");
    }
}

#[test]
fn a_hundred_thousand_points_stay_small() {
    let x = Array1::linspace(0.0, 1.0, 100_000);
    let noise = Array1::from_shape_fn(100_000, |i| ((i as u64 * 2_654_435_761) % 1_000_003) as f64 / 1_000_003.0);
    let turn = x.mapv(|x| 60.0 * x);
    let spiral = (&turn * &turn.mapv(f64::cos), &turn * &turn.mapv(f64::sin));
    for (what, figure) in [
        ("line", plot(&x, &noise, "x", "y")),
        ("dashed line", plot(&NOTHING, &NOTHING, "x", "y").line(&x, &noise)),
        ("points", scatter(&x, &noise, "x", "y")),
        (
            "points in squares",
            plot(&NOTHING, &NOTHING, "x", "y").line(&NOTHING, &NOTHING).points(&NOTHING, &NOTHING).points(&x, &noise),
        ),
        ("a spiral", plot(&spiral.0, &spiral.1, "x", "y")),
        ("a dashed spiral", plot(&NOTHING, &NOTHING, "x", "y").line(&spiral.0, &spiral.1)),
        ("region", plot(&NOTHING, &NOTHING, "x", "y").region(&x, &noise)),
    ] {
        let svg = figure.svg();
        Drawing::of(&svg);
        assert!(svg.len() < 600_000, "{what}: {} bytes", svg.len());
    }
}

#[test]
fn the_legend_names_series_in_form_and_color() {
    let x = [0.0, 1.0];
    let figure = plot(&x, &x, "x", "y").line(&x, &x).points(&x, &x).region(&x, &x).legend(["a", "b", "c", "d"]);
    let drawing = Drawing::of(&figure.svg());
    let places: Vec<_> = ["a", "b", "c", "d"].map(|name| drawing.text(name).y).to_vec();
    assert!(places.windows(2).all(|pair| pair[1] > pair[0] + 10.0), "{places:?}");
    let long = (0..40)
        .fold(plot(&x, &x, "x", "y"), |figure, _| figure.line(&x, &x))
        .legend((0..41).map(|i| format!("serija {i}")));
    let drawing = Drawing::of(&long.svg());
    assert_eq!(drawing.words().iter().filter(|words| words.starts_with("serija")).count(), 41);
}

#[test]
fn thirty_series_have_looks_of_their_own() {
    let looks = |points: bool| {
        let drawn = move |index: usize| {
            let before =
                (0..index).fold(plot(&NOTHING, &NOTHING, "x", "y"), |figure, _| figure.line(&NOTHING, &NOTHING));
            let ends = [0.0, 1.0];
            let figure = if points { before.points(&ends, &ends) } else { before.line(&ends, &ends) };
            // The first line holds the alternative text, which counts the series.
            figure.svg().lines().skip(1).collect::<String>()
        };
        (1..=31).map(drawn).collect::<Vec<_>>()
    };
    for looks in [looks(false), looks(true)] {
        let different: std::collections::HashSet<_> = looks.iter().collect();
        assert_eq!((different.len(), &looks[0]), (30, &looks[30]));
    }
}

#[test]
fn areas_lie_below_points_and_words_on_a_ground() {
    let corners = ([0.0, 2.0, 1.0], [0.0, 0.0, 2.0]);
    let figure = scatter(&[1.0], &[1.0], "x", "y").region(&corners.0, &corners.1).text(1.0, 1.0, "v₁");
    let svg = figure.svg();
    let (area, point) = (svg.find("<polygon").unwrap(), svg.find("<circle").unwrap());
    let (ground, words) = (svg.rfind("<polygon").unwrap(), svg.find("v₁\n</text>").unwrap());
    assert!(area < point && point < ground && ground < words, "{svg}");
    let drawing = Drawing::of(&svg);
    let (x, y) = drawing.text("v₁").area.middle();
    let last = drawing.lines.iter().rfind(|line| line.len() == 4).unwrap();
    let [(left, top), _, (right, bottom), _] = last[..] else { panic!("{last:?}") };
    assert!((left..=right).contains(&x) && (top..=bottom).contains(&y), "{last:?} and {x}, {y}");
}

#[test]
fn equal_keeps_the_low_ends_that_were_given() {
    let square = || plot(&[1.0, 2.0], &[1.0, 2.0], "x", "y").equal();
    let told = square().xlim(0.0, 3.5).ylim(0.0, 2.6).alt_text();
    assert!(told.starts_with("x: 0 … ") && told.contains("; y: 0 … 2.6; "), "{told}");
    let told = square().xlim(-1.0, 1.0).alt_text();
    assert!(told.starts_with("x: −1 … ") && !told.contains("y: −1"), "{told}");
}

#[test]
fn hostile_words_stay_inside() {
    for label in hostile_labels() {
        for figsize in [(3.5, 2.5), (0.5, 0.5), (1.0, 4.0)] {
            let figure = plot(&[0.0, 1.0], &[0.0, 1.0], &label, &label)
                .title(&label)
                .legend([&label])
                .text(0.0, 0.0, &label)
                .text(1.0, 1.0, &label)
                .text(f64::NAN, 0.5, &label)
                .text(0.5, 0.5, &label)
                .alt(&label)
                .figsize(figsize.0, figsize.1);
            let drawing = Drawing::of(&figure.svg());
            assert!(drawing.width < 800.0 && drawing.height < 800.0);
        }
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let figure = || plot(&[1.0], &[1.0], "x", "y");
    let cases = [
        (refused(|| drop(plot(&[1.0, 2.0], &[1.0], "", ""))), "x 2, y 1"),
        (refused(|| drop(scatter(&NOTHING, &[1.0], "", ""))), "x 0, y 1"),
        (refused(move || drop(figure().line(&[1.0], &NOTHING))), "x 1, y 0"),
        (refused(move || drop(figure().legend(["a", "b"]))), "the number of names is 2, but that of series is 1"),
        (refused(move || drop(figure().xlim(2.0, 1.0))), "2 to 1 do not"),
        (refused(move || drop(figure().ylim(1.0, 1.0))), "1 to 1 do not"),
        (refused(move || drop(figure().ylim(f64::NAN, 1.0))), "NaN to 1 do not"),
        (
            refused(move || drop(figure().xlim(0.0, f64::INFINITY))),
            "limits must be finite and rise, and 0 to inf do not",
        ),
        (refused(move || drop(figure().xscale("cubic"))), "not \"cubic\""),
        (refused(move || drop(figure().xlim(-1.0, 1.0).xscale("log"))), "the limits -1 to 1 do not fit"),
        (refused(move || drop(figure().yscale("log").ylim(0.0, 1.0))), "the limits 0 to 1 do not fit"),
        (refused(move || drop(figure().figsize(0.0, 3.0))), "0 x 3 inches"),
        (refused(move || drop(figure().figsize(f64::NAN, 3.0))), "NaN x 3 inches"),
        (
            refused(move || drop(figure().figsize(1e9, 3.0))),
            "1000000000 x 3 inches cannot be drawn: both must be in (0, 100]",
        ),
        (refused(move || drop(figure().ylim(1e300, -1e300))), "1e300 to -1e300 do not"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
