//! The k largest scores: the top-k query of a database.

use std::cmp::Ordering;

use ndarray::{ArrayBase, Data, Ix1, NdFloat};

/// The `k` largest scores with their places, largest first; of equal ones the earlier first, and NaN after all numbers.
///
/// # Panics
///
/// If `k` is greater than the number of scores.
///
/// ```
/// use d2l::attention::top_k;
/// use ndarray::array;
///
/// assert_eq!(top_k(&array![0.2, 0.5, 0.1, 0.5], 3), [(1, 0.5), (3, 0.5), (0, 0.2)]);
/// ```
#[track_caller]
pub fn top_k<A: NdFloat>(scores: &ArrayBase<impl Data<Elem = A>, Ix1>, k: usize) -> Vec<(usize, A)> {
    assert!(k <= scores.len(), "k is {k} and the number of scores {}, but k cannot exceed it", scores.len());
    let mut ranked: Vec<(usize, A)> = scores.iter().copied().enumerate().collect();
    if k < ranked.len() {
        ranked.select_nth_unstable_by(k, rank);
        ranked.truncate(k);
    }
    ranked.sort_unstable_by(rank);
    ranked
}

fn rank<A: NdFloat>(a: &(usize, A), b: &(usize, A)) -> Ordering {
    let by_score = b.1.partial_cmp(&a.1).unwrap_or_else(|| a.1.is_nan().cmp(&b.1.is_nan()));
    by_score.then(a.0.cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;

    #[test]
    fn ties_keep_their_order() {
        assert_eq!(top_k(&array![0.0, 1.0, -0.0, 1.0], 4), [(1, 1.0), (3, 1.0), (0, 0.0), (2, 0.0)]);
        assert_eq!(top_k(&Array1::from_elem(100, 1.0f32), 2), [(0, 1.0), (1, 1.0)]);
    }

    #[test]
    fn nan_comes_last() {
        let places = |k| {
            top_k(&array![f64::NAN, 1.0, f64::NEG_INFINITY, f64::NAN], k)
                .into_iter()
                .map(|(i, _)| i)
                .collect::<Vec<_>>()
        };
        assert_eq!(places(2), [1, 2]);
        assert_eq!(places(4), [1, 2, 0, 3]);
    }

    #[test]
    fn of_none_there_are_none() {
        assert_eq!(top_k(&array![1.0, 2.0], 0), []);
        assert_eq!(top_k(&Array1::<f64>::zeros(0), 0), []);
    }

    #[test]
    #[should_panic = "k is 3 and the number of scores 2, but k cannot exceed it"]
    fn more_than_there_are() {
        top_k(&array![1.0, 2.0], 3);
    }
}
