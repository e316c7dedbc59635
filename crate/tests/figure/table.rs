//! `show_table`: columns that line up, numbers rounded, words that stay words.

use d2l::prelude::*;
use roxmltree::Document;

use crate::{hostile_labels, refused};

#[test]
fn columns_line_up_and_numbers_are_rounded_alike() {
    let table = show_table(["токен", "q · k", "вага", "№"])
        .rows(["the", "river"], &array![[0.2, 0.26126, 1.0], [-0.54, 0.30974, 2.0]]);
    assert_eq!(table.text(), "токен  q · k  вага  №\nthe     0.20  0.26  1\nriver  −0.54  0.31  2");
    let table = table.decimals(3);
    assert_eq!(table.text(), "токен   q · k   вага      №\nthe     0.200  0.261  1.000\nriver  −0.540  0.310  2.000");
}

#[test]
fn whole_numbers_keep_their_digits_and_words_stand_to_the_left() {
    let table = show_table(["об'єкт", "кількість"]).row("E", [50_257usize * 12_288]).row("Wq", [-3]);
    assert_eq!(table.text(), "об'єкт  кількість\nE       617558016\nWq             −3");
    let table = show_table(["", "форма"]).row("Wq", ["d × d_k"]).row("довга назва", ["n"]);
    assert_eq!(table.text(), "             форма\nWq           d × d_k\nдовга назва  n");
    let scores = array![1.5, f64::NAN];
    let table = show_table(["", "a", "b"]).row("x", &scores).row("y", [1.0f32, f32::INFINITY]);
    assert_eq!(table.text(), "     a    b\nx  1.5  NaN\ny  1.0   +∞");
}

#[test]
fn html_is_a_table_with_headers_for_rows_and_columns() {
    for label in hostile_labels() {
        let html = show_table([&label, &label]).row(&label, [label.as_str()]).html();
        let document = Document::parse(&html).unwrap_or_else(|error| panic!("{error} in {html}"));
        let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
        assert_eq!([count("table"), count("tr"), count("th"), count("td"), count("script")], [1, 2, 3, 1, 0]);
        assert!(!html.contains('\n'));
    }
    let html = show_table(["a", "b"]).row("x", [1.0]).html();
    assert!(
        html.contains("<th scope=\"row\" style=\"text-align:left\">x</th><td style=\"text-align:right\">1</td>"),
        "{html}"
    );
}

#[test]
fn mistakes_are_named_in_one_line() {
    let none = refused(|| drop(show_table([""; 0])));
    let row = refused(|| drop(show_table(["a", "b"]).row("x", [1.0, 2.0])));
    let rows = refused(|| drop(show_table(["a", "b"]).rows(["x"], &array![[1.0], [2.0]])));
    assert_eq!(none, "a table needs at least one column");
    assert_eq!(row, "a row of this table has a name and 1 entries, not 2");
    assert_eq!(rows, "the number of names is 1, but that of rows is 2: give one for each");
}
