//! The diagram of attention pooling: every number is there, nothing overflows, mistakes are named.

use d2l::prelude::*;

use crate::svg::Drawing;
use crate::{hostile_labels, refused};

#[test]
fn the_diagram_holds_query_keys_weights_values_and_output() {
    let keys = array![[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]];
    let values = array![[10.0], [20.0], [40.0]];
    let figure = show_attention_pooling(&array![3.0, 4.0], &keys, &values, &array![0.5, 0.25, -0.25]);
    let drawing = Drawing::of(&figure.svg());
    for words in ["3", "4", "0.5", "10", "20", "40", "0.500", "0.250", "−0.250", "0"] {
        drawing.text(words);
    }
    assert_eq!(drawing.cells.len(), 2 + 6 + 3 + 1);
    assert_eq!(
        figure.alt_text(),
        "q: [3, 4]; kᵢ: [1, 0] [0, 1] [0.5, 0.5]; αᵢ: [0.500, 0.250, −0.250]; vᵢ: [10] [20] [40]; Σ αᵢvᵢ: [0]"
    );
}

#[test]
fn a_long_key_name_is_cut_in_the_diagram_and_whole_under_the_pointer() {
    let (keys, long) = (array![[1.0], [2.0]], "labai ilgas rakto pavadinimas");
    let figure = show_attention_pooling(&array![1.0], &keys, &keys, &array![0.5, 0.5]);
    let plain = Drawing::of(&figure.svg()).width;
    let drawing = Drawing::of(&figure.key_names(["a", long]).svg());
    assert!(drawing.width < plain + 100.0 && !drawing.words().contains(&long), "{:?}", drawing.words());
    assert_eq!(drawing.tips, [long]);
}

#[test]
fn extreme_numbers_and_hostile_names_stay_inside() {
    for label in hostile_labels() {
        for number in [0.0, -1e308, 1e308, 5e-324, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -123_456.789] {
            let pairs = Array2::from_elem((3, 6), number);
            let names: Vec<&str> = vec![&label; 3];
            let figure =
                show_attention_pooling(&Array1::from_elem(6, number), &pairs, &pairs, &array![number, 0.5, -0.5])
                    .names([&label; 5])
                    .key_names(names);
            let drawing = Drawing::of(&figure.svg());
            assert!(drawing.width < 2500.0 && drawing.height < 300.0);
        }
    }
}

#[test]
fn mistakes_are_named_in_one_line() {
    let zeros = |rows: usize, columns: usize| Array2::<f64>::zeros((rows, columns));
    let pool = |d: usize, keys: Array2<f64>, values: Array2<f64>, weights: usize| {
        refused(move || drop(show_attention_pooling(&Array1::zeros(d), &keys, &values, &Array1::zeros(weights))))
    };
    let named = move || show_attention_pooling(&Array1::zeros(2), &zeros(3, 2), &zeros(3, 1), &Array1::zeros(3));
    let cases = [
        (pool(3, zeros(2, 2), zeros(2, 1), 2), "the query's length is 3, but the keys' is 2"),
        (pool(2, zeros(2, 2), zeros(3, 1), 2), "keys 2, values 3, weights 2"),
        (pool(2, zeros(0, 2), zeros(0, 1), 0), "1 to 12 pairs, not 0"),
        (pool(2, zeros(13, 2), zeros(13, 1), 13), "1 to 12 pairs, not 13"),
        (pool(0, zeros(2, 0), zeros(2, 1), 2), "1 to 6 coordinates, and the keys have 0"),
        (pool(2, zeros(2, 2), zeros(2, 7), 2), "1 to 6 coordinates, and the values have 7"),
        (refused(move || drop(named().key_names(["a"]))), "the number of names is 1, but that of keys is 3"),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted) && !message.contains('\n'), "{message}");
    }
}
