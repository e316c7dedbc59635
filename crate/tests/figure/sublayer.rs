//! `show_sublayer`: every matrix is there, and its numbers are those of the heads.

use d2l::prelude::*;

use crate::svg::Drawing;
use crate::{hostile_labels, refused};

fn matrix(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    uniform([rows, columns], -1.0, 1.0, &mut seeded(seed))
}

#[test]
fn two_heads_fit_the_page_with_every_matrix_and_one_token_marked() {
    let x = array![[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.2], [0.5, 0.5, 0.8, 0.2]];
    let w: Vec<Array2<f64>> = (0..6).map(|seed| matrix(4, 2, seed)).collect();
    let figure = show_sublayer(&x, [(&w[0], &w[1], &w[2]), (&w[3], &w[4], &w[5])], &matrix(4, 4, 9))
        .rows(["the", "river", "bank"])
        .mark_row(2)
        .heads(["Голова 1", "Голова 2"]);
    let drawing = Drawing::of(&figure.svg());
    assert!(drawing.width < 1_000.0 && drawing.height < 800.0, "{} x {}", drawing.width, drawing.height);
    for words in ["X", "Wq₁", "Q₁", "K₁", "V₁", "H₁ = AV", "Wv₂", "A₂ = softmax(QKᵀ/√2)", "[H₁ H₂]", "Wo", "Δ", "Y"]
    {
        drawing.text(words);
    }
    assert!(drawing.text("Голова 1").x < drawing.text("Голова 2").x);
    assert_eq!(drawing.text("Голова 1").y, drawing.text("Голова 2").y, "side by side");
    let of_heads = 2 * (3 * 8 + 3 * 6 + 9 + 6);
    assert_eq!(drawing.cells.len(), 12 + of_heads + 12 + 16 + 12 + 12);
    // X, Q, K, V, A and H of each head, the concatenation, the update and the sum; no projection has a marked row.
    assert_eq!(figure.alt_text().matches('*').count(), 1 + 2 * 5 + 3);
}

#[test]
fn the_numbers_are_those_of_attention() {
    let x = matrix(3, 4, 1);
    let w: Vec<Array2<f64>> = (2..8).map(|seed| matrix(4, 2, seed)).collect();
    let wo = matrix(4, 4, 9);
    let figure = show_sublayer(&x, [(&w[0], &w[1], &w[2]), (&w[3], &w[4], &w[5])], &wo).decimals(4);
    let (a1, h1) = attention(&x, &w[0], &w[1], &w[2], Mask::None);
    let (_, h2) = attention(&x, &w[3], &w[4], &w[5], Mask::None);
    let all = ndarray::concatenate(Axis(1), &[h1.view(), h2.view()]).unwrap();
    let y = &x + &all.dot(&wo);
    let alt = figure.alt_text();
    for (name, matrix) in [("A₁ = softmax(QKᵀ/√2)", &a1), ("[H₁ H₂]", &all), ("Y", &y)] {
        let rows = matrix.outer_iter().map(|row| format!("{row:.4}").replace('-', "−"));
        let told = format!("{name} {} × {}: {}", matrix.nrows(), matrix.ncols(), rows.collect::<Vec<_>>().join(" "));
        assert!(alt.contains(&told), "{told} is not in {alt}");
    }
}

#[test]
fn heads_that_do_not_fit_the_page_go_to_further_rows() {
    let (x, w) = (matrix(3, 6, 1), matrix(6, 2, 2));
    let drawing = Drawing::of(&show_sublayer(&x, vec![(&w, &w, &w); 4], &matrix(8, 6, 3)).decimals(4).svg());
    assert!(drawing.text("Q₄").y > drawing.text("Q₁").y + 100.0);
    let one = array![[1.0]];
    Drawing::of(&show_sublayer(&one, [(&one, &one, &one)], &one).svg());
}

#[test]
fn hostile_names_and_extreme_numbers_stay_inside() {
    for label in hostile_labels() {
        for number in [0.0, -1e308, 5e-324, f64::NAN, f64::INFINITY] {
            let matrix = Array2::from_elem((2, 2), number);
            let figure =
                show_sublayer(&matrix, [(&matrix, &matrix, &matrix)], &matrix).rows([&label; 2]).heads([&label]);
            Drawing::of(&figure.mark_row(1).svg());
        }
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let zeros = |rows: usize, columns: usize| Array2::<f64>::zeros((rows, columns));
    let draw = |x: Array2<f64>, w: [Array2<f64>; 3], heads: usize, wo: Array2<f64>| {
        refused(move || drop(show_sublayer(&x, vec![(&w[0], &w[1], &w[2]); heads], &wo)))
    };
    let w = |d: usize, k: usize, v: usize| [zeros(d, k), zeros(d, k), zeros(d, v)];
    let one = move || {
        let w = w(4, 2, 2);
        show_sublayer(&zeros(3, 4), [(&w[0], &w[1], &w[2])], &zeros(2, 4))
    };
    let cases = [
        (draw(zeros(3, 4), w(4, 2, 2), 0, zeros(4, 4)), "1 to 4 heads, not 0"),
        (draw(zeros(3, 4), w(4, 2, 2), 5, zeros(4, 4)), "1 to 4 heads, not 5"),
        (draw(zeros(9, 4), w(4, 2, 2), 1, zeros(2, 4)), "1 to 8 tokens, not 9"),
        (draw(zeros(3, 9), w(9, 2, 2), 1, zeros(2, 9)), "1 to 8 coordinates, not 9"),
        (draw(zeros(3, 4), w(4, 9, 2), 1, zeros(2, 4)), "1 to 8 coordinates of a query, not 9"),
        (draw(zeros(3, 4), w(4, 2, 5), 2, zeros(10, 4)), "1 to 8 coordinates of all values, not 10"),
        (draw(zeros(3, 4), w(3, 2, 2), 1, zeros(2, 4)), "x of shape [3, 4] and wq of shape [3, 2] do not fit"),
        (
            draw(zeros(3, 4), w(4, 2, 2), 2, zeros(2, 4)),
            "of shape [2, 4] does not fit: the heads' mixtures side by side and the input need [4, 4]",
        ),
        (refused(move || drop(one().rows(["a"]))), "the number of names is 1, but that of tokens is 3"),
        (refused(move || drop(one().mark_row(3))), "there is no row 3 to mark: X has 3, counted from 0"),
        (refused(move || drop(one().heads(["a", "b"]))), "the number of names is 2, but that of heads is 1"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
