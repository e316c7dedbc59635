//! `show_matrix`: where names, entries, shapes and marks stand, and what runs through a product.

use d2l::prelude::*;

use crate::svg::{Area, Drawing, rgb};
use crate::{hostile_labels, refused};

fn tokens() -> [&'static str; 3] {
    ["the", "river", "bank"]
}

fn x() -> Array2<f64> {
    array![[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.2], [0.5, 0.5, 0.8, 0.2]]
}

/// Rectangles of thick outlines.
fn marks(drawing: &Drawing) -> Vec<Area> {
    let closed = drawing.lines.iter().filter(|line| line.len() == 5 && line[0] == line[4]);
    closed.map(|l| Area { x: l[0].0, y: l[0].1, width: l[2].0 - l[0].0, height: l[2].1 - l[0].1 }).collect()
}

#[test]
fn a_matrix_has_its_name_above_its_rows_beside_and_its_shape_below() {
    let drawing = Drawing::of(&show_matrix(&x(), "X").rows(tokens()).columns(["a", "b", "c", "d"]).svg());
    assert_eq!(drawing.cells.len(), 12);
    let (first, last) = (drawing.cells[0].area, drawing.cells[11].area);
    for (row, name) in tokens().into_iter().enumerate() {
        let text = drawing.text(name);
        assert!(text.x < first.x && (text.y - drawing.cells[row * 4].area.middle().1).abs() < 0.2);
    }
    for (column, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let text = drawing.text(name);
        assert!(text.y < first.y && (text.x - drawing.cells[column].area.middle().0).abs() < 0.2);
    }
    assert!(drawing.text("X").y < drawing.text("a").y);
    assert!(drawing.text("3 × 4").y > last.y + last.height);
    assert_eq!(drawing.cells[11].tip, "bank, d: 0.2");
}

#[test]
fn numbers_have_as_many_decimals_as_the_matrix_needs() {
    let written = |matrix: Array2<f64>| {
        let drawing = Drawing::of(&show_matrix(&matrix, "").svg());
        drawing.words()[1].to_owned()
    };
    assert_eq!(written(array![[1.0, -3.0]]), "1");
    assert_eq!(written(array![[1.0, 0.5]]), "1.0");
    assert_eq!(written(array![[1.0, 0.333]]), "1.00");
    assert_eq!(written(array![[1.0, 1e300]]), "1");
    let figure = show_matrix(&array![[0.24833]], "").decimals(4);
    assert!(figure.alt_text().contains("[0.2483]"));
}

#[test]
fn a_marked_row_runs_through_the_product_and_is_not_told_by_color_alone() {
    let (q, w) = (x(), Array2::<f64>::eye(4));
    let figure = show_matrix(&q, "X").rows(tokens()).mark_row(2).times(&w, "W").learned().equals(&q, "Q");
    let drawing = Drawing::of(&figure.svg());
    let marks = marks(&drawing);
    assert_eq!(marks.len(), 2, "X and Q have a marked row, W has none");
    let (ordinary, marked) = (&drawing.cells[0], &drawing.cells[8]);
    assert!((marks[0].x - marked.area.x).abs() < 0.2 && (marks[0].y - marked.area.y).abs() < 0.2);
    assert!((marks[0].width - 4.0 * marked.area.width).abs() < 0.2);
    assert_ne!(rgb(&ordinary.fill), rgb(&marked.fill));
    assert_eq!(drawing.texts.iter().filter(|text| text.words == "bank").count(), 2);
    assert_eq!(
        figure.alt_text(),
        "X 3 × 4: the [0.0, 0.0, 0.0, 1.0] river [0.0, 1.0, 0.0, 0.2] *bank [0.5, 0.5, 0.8, 0.2] \
         · W 4 × 4: [1, 0, 0, 0] [0, 1, 0, 0] [0, 0, 1, 0] [0, 0, 0, 1] \
         = Q 3 × 4: the [0.0, 0.0, 0.0, 1.0] river [0.0, 1.0, 0.0, 0.2] *bank [0.5, 0.5, 0.8, 0.2]"
    );
    for sign in ["·", "="] {
        drawing.text(sign);
    }
}

#[test]
fn results_take_the_names_of_their_columns_from_the_last_factor() {
    let names = |figure: Figure<Matrices>| figure.alt_text().rsplit_once(" (").unwrap().1.to_owned();
    let figure = show_matrix(&x(), "X").columns(["a", "b", "c", "d"]).mark_column(1);
    let same = figure.clone().sign("→", &x(), "Y");
    assert!(names(same).starts_with("a, *b, c, d): "));
    let product = figure.times(&array![[1], [2], [3], [4]], "w").columns(["e"]).equals(&array![[1], [2], [3]], "Xw");
    assert!(names(product).starts_with("e): "));
}

#[test]
fn a_large_matrix_leaves_out_its_middle_but_never_what_is_marked() {
    let large = Array2::from_shape_fn((12_288, 128), |(i, j)| (i * 128 + j) as f64);
    let figure = show_matrix(&large, "Wq").mark_row(7_000).mark_column(60);
    let drawing = Drawing::of(&figure.svg());
    drawing.text("12288 × 128");
    let tips: Vec<&str> = drawing.cells.iter().map(|cell| cell.tip.as_str()).collect();
    for tip in ["0, 0: 0", "7000, 60: 896060", "12287, 127: 1572863"] {
        assert!(tips.contains(&tip), "{tip} is not among {tips:?}");
    }
    assert!(drawing.width < 912.0 && drawing.height < 400.0);
    assert!(drawing.words().contains(&"⋮") && drawing.words().contains(&"⋯"));
    assert!(figure.alt_text().contains("…") && figure.alt_text().len() < 2_000);
}

#[test]
fn what_does_not_fit_the_page_goes_to_the_next_line() {
    let wide = Array2::<f64>::eye(8);
    let figure = show_matrix(&wide, "A").times(&wide, "B").times(&wide, "C").equals(&wide, "D");
    let drawing = Drawing::of(&figure.svg());
    assert!(drawing.width <= 912.0 + 14.0);
    assert!(drawing.text("D").y > drawing.text("A").y + 100.0);
}

#[test]
fn hostile_names_and_extreme_numbers_stay_inside() {
    for label in hostile_labels() {
        for number in [0.0, -1e308, 5e-324, f64::NAN, f64::INFINITY, -123_456.789] {
            let matrix = Array2::from_elem((2, 3), number);
            let figure = show_matrix(&matrix, &label)
                .rows([&label; 2])
                .columns([&label; 3])
                .mark_row(0)
                .mark_column(2)
                .sign(&label, &matrix, &label)
                .alt(&label);
            let drawing = Drawing::of(&figure.svg());
            assert_eq!(drawing.cells.len(), 12);
        }
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let zeros = |rows: usize, columns: usize| Array2::<f64>::zeros((rows, columns));
    let one = move || show_matrix(&zeros(2, 3), "A");
    let many = || (0..12).fold(show_matrix(&array![[1]], "A"), |figure, _| figure.plus(&array![[1]], "B"));
    let cases = [
        (refused(move || drop(show_matrix(&zeros(0, 3), "A"))), "A of shape [0, 3] holds no entries"),
        (refused(move || drop(one().rows(["a"]))), "the number of names is 1, but that of rows is 2"),
        (refused(move || drop(one().columns(["a"]))), "the number of names is 1, but that of columns is 3"),
        (refused(move || drop(one().mark_row(2))), "there is no row 2 to mark: A has 2, counted from 0"),
        (refused(move || drop(one().mark_column(3))), "there is no column 3 to mark: A has 3, counted from 0"),
        (
            refused(move || drop(one().times(&zeros(2, 2), "B"))),
            "A of shape [2, 3] and B of shape [2, 2] cannot be multiplied",
        ),
        (
            refused(move || drop(one().times(&zeros(3, 1), "B").equals(&zeros(2, 2), "C"))),
            "C of shape [2, 2] cannot be the result of shape [2, 1]",
        ),
        (
            refused(move || drop(one().plus(&zeros(2, 1), "B").equals(&zeros(2, 3), "C"))),
            "C of shape [2, 3] cannot be the result of shape [2, 1]",
        ),
        (refused(move || drop(one().decimals(11))), "rounded to at most 10 decimals, not 11"),
        (refused(move || drop(many())), "a figure holds at most 12 matrices"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
