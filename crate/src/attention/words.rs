//! Scores of things that are not vectors, and a similarity of words.

use ndarray::Array2;

/// The scores (n x m) of n queries and m keys of any kind, such as words.
///
/// ```
/// use d2l::attention::{score_pairs, softmax, word_similarity};
/// use ndarray::array;
///
/// let surnames = ["Zhang", "Lipton", "Smola"];
/// let exact = score_pairs(&["Smola"], &surnames, |q, k| if q == k { 0.0 } else { f64::NEG_INFINITY });
/// assert_eq!(softmax(&exact), array![[0.0, 0.0, 1.0]]);
///
/// let similar = score_pairs(&["Li"], &surnames, |q, k| word_similarity(q, k));
/// assert_eq!(format!("{similar:.2}"), "[[0.00, 0.33, 0.20]]");
/// ```
pub fn score_pairs<Q, K, A>(queries: &[Q], keys: &[K], score: impl Fn(&Q, &K) -> A) -> Array2<A> {
    Array2::from_shape_fn((queries.len(), keys.len()), |(i, j)| score(&queries[i], &keys[j]))
}

/// How alike two words are: 1 for equal words, 0 for words that share no letter in place.
///
/// 1 - edits / length of the longer word, where edits are the letters to insert, delete or replace and the neighbouring
/// ones to swap on the way from one word to the other (normalised Damerau–Levenshtein, F. J. Damerau 1964). Letters are
/// Unicode scalar values, compared without regard to case. Two empty words are equal.
///
/// ```
/// use d2l::attention::word_similarity;
///
/// // Four letters make Li Lipton, and Lipton has six: 1 - 4/6.
/// assert_eq!(format!("{:.3}", word_similarity("Li", "Lipton")), "0.333");
/// assert_eq!(word_similarity("Žemyna", "žemyna"), 1.0);
/// ```
pub fn word_similarity(a: &str, b: &str) -> f64 {
    strsim::normalized_damerau_levenshtein(&a.to_lowercase(), &b.to_lowercase())
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn li_is_nearest_to_lipton() {
        let surnames = ["Zhang", "Lipton", "Smola", "Hu", "Werness"];
        let scores = score_pairs(&["Li"], &surnames, |q, k| word_similarity(q, k));
        assert!(scores.indexed_iter().all(|((_, j), &score)| j == 1 || score < scores[[0, 1]]), "{scores}");
    }

    #[test]
    fn letters_are_counted_not_bytes() {
        assert_eq!(word_similarity("ąžuolas", "ažuolas"), 1.0 - 1.0 / 7.0);
        assert_eq!(word_similarity("річка", "рчіка"), 1.0 - 1.0 / 5.0);
        assert_eq!(word_similarity("", ""), 1.0);
        assert_eq!(word_similarity("", "Hu"), 0.0);
    }

    #[test]
    fn queries_are_rows_and_keys_columns() {
        assert_eq!(score_pairs(&[10, 20], &[1, 2, 3], |q, k| q + k), array![[11, 12, 13], [21, 22, 23]]);
        assert_eq!(score_pairs(&[0; 0], &["a"], |_, _| 0.0).dim(), (0, 1));
    }
}
