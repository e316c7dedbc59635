//! Kernels: weights K(u) ≥ 0 that fall with the distance of query and key, u = ‖q - k‖ / width.
//!
//! The Nadaraya–Watson estimator is attention pooling with weights K(u_i) / Σ_j K(u_j); see *Dive into Deep Learning*,
//! section 11.2. That section calls max(0, 1 - u) the Epanechnikov kernel. Here the names are those of statistics:
//! [`Triangular`] is max(0, 1 - u), [`Epanechnikov`] is max(0, 1 - u²). Constant factors are left out, since
//! normalising cancels them.

use std::cmp::Ordering;

use ndarray::{Array2, ArrayRef2, NdFloat};

use super::score::{Score, score_by_reference, squared_distances};

/// A kernel of a certain width.
///
/// As a [`Score`] a kernel is ln K, so that softmax gives exactly K over its sum. A query with no key in range has no
/// weights to normalise: softmax makes them NaN. A NaN distance weighs NaN. Distances beyond about 1e154 (1e19 in `f32`)
/// are infinite, since their squares overflow: even a [`Gaussian`] has no answer there.
///
/// ```
/// use d2l::attention::{Gaussian, Kernel, Triangular, attention_pooling, column};
/// use ndarray::array;
///
/// let (keys, values) = (column(&array![0.0, 1.0, 2.0]), column(&array![0.0, 10.0, 20.0]));
/// let kernels: [&dyn Kernel<f64>; 2] = [&Gaussian::new(0.5), &Triangular::new(0.5)];
/// let at_one = kernels.map(|kernel| attention_pooling(&array![1.0], &keys, &values, kernel).0);
/// assert_eq!(format!("{:.2}", at_one[0]), "[0.11, 0.79, 0.11]");
/// assert_eq!(at_one[1], array![0.0, 1.0, 0.0]);
/// ```
///
/// A kernel of your own needs a width and a profile, and is a score as a `&dyn Kernel`:
///
/// ```
/// # use d2l::attention::{Kernel, attention_pooling};
/// # use ndarray::array;
/// struct Exponential;
///
/// impl Kernel<f64> for Exponential {
///     fn width(&self) -> f64 {
///         1.0
///     }
///     fn profile(&self, u: f64) -> f64 {
///         (-u).exp()
///     }
/// }
///
/// let mine = &Exponential as &dyn Kernel<f64>;
/// let (weights, _) = attention_pooling(&array![0.0], &array![[0.0], [1.0]], &array![[1.0], [2.0]], mine);
/// assert_eq!(format!("{weights:.3}"), "[0.731, 0.269]");
/// ```
pub trait Kernel<A: NdFloat> {
    /// The distance that counts as u = 1.
    fn width(&self) -> A;

    /// K(u) for u ≥ 0.
    fn profile(&self, u: A) -> A;

    /// ln K(u), minus infinity where K is 0.
    fn ln_profile(&self, u: A) -> A {
        self.profile(u).ln()
    }

    /// K at this distance.
    fn weight(&self, distance: A) -> A {
        self.profile(distance / self.width())
    }

    /// K of every query (n x d) and key (m x d), n x m and not normalised; [`normalize`](super::normalize) does that.
    ///
    /// # Panics
    ///
    /// If queries and keys differ in length.
    #[track_caller]
    fn weights(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
        let mut weights = squared_distances(queries, keys);
        weights.mapv_inplace(|squared| self.weight(squared.sqrt()));
        weights
    }
}

impl<A: NdFloat> Score<A> for &dyn Kernel<A> {
    fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
        let mut scores = squared_distances(queries, keys);
        scores.mapv_inplace(|squared| self.ln_profile(squared.sqrt() / self.width()));
        scores
    }
}

macro_rules! kernel {
    ($(#[$doc:meta])* $name:ident { $($function:item)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name<A = f64> {
            width: A,
        }

        impl<A: NdFloat> $name<A> {
            /// The kernel of this width.
            ///
            /// # Panics
            ///
            /// If the width is not a positive finite number.
            #[track_caller]
            pub fn new(width: A) -> Self {
                assert!(
                    width > A::zero() && width.is_finite(),
                    "a kernel's width is {width:?}, but it must be a positive finite number"
                );
                Self { width }
            }
        }

        impl<A: NdFloat> Kernel<A> for $name<A> {
            fn width(&self) -> A {
                self.width
            }

            $($function)+
        }

        impl<A: NdFloat> Score<A> for $name<A> {
            fn scores(&self, queries: &ArrayRef2<A>, keys: &ArrayRef2<A>) -> Array2<A> {
                (self as &dyn Kernel<A>).scores(queries, keys)
            }
        }

        score_by_reference!($name<A>);
    };
}

kernel! {
    /// exp(-u²/2): every key counts, near ones more.
    Gaussian {
        fn profile(&self, u: A) -> A {
            self.ln_profile(u).exp()
        }

        // Not the logarithm of the weight, which is 0 for far keys and would leave a far query without an answer.
        fn ln_profile(&self, u: A) -> A {
            -u * u / (A::one() + A::one())
        }
    }
}

kernel! {
    /// 1 if u ≤ 1, else 0: all keys in range count alike.
    Boxcar {
        fn profile(&self, u: A) -> A {
            match u.partial_cmp(&A::one()) {
                Some(Ordering::Greater) => A::zero(),
                Some(_) => A::one(),
                None => u,
            }
        }
    }
}

kernel! {
    /// max(0, 1 - u²).
    Epanechnikov {
        fn profile(&self, u: A) -> A {
            if u > A::one() { A::zero() } else { A::one() - u * u }
        }
    }
}

kernel! {
    /// max(0, 1 - u).
    Triangular {
        fn profile(&self, u: A) -> A {
            if u > A::one() { A::zero() } else { A::one() - u }
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;
    use crate::attention::{attention_pooling, column, softmax};

    #[test]
    fn weights_at_a_few_distances() {
        let at = |kernel: &dyn Kernel<f64>| [0.0, 1.0, 2.0, 3.0].map(|distance| kernel.weight(distance));
        assert_eq!(at(&Gaussian::new(2.0)), [1.0, (-0.125f64).exp(), (-0.5f64).exp(), (-1.125f64).exp()]);
        assert_eq!(at(&Boxcar::new(2.0)), [1.0, 1.0, 1.0, 0.0]);
        assert_eq!(at(&Epanechnikov::new(2.0)), [1.0, 0.75, 0.0, 0.0]);
        assert_eq!(at(&Triangular::new(2.0)), [1.0, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn nan_stays_nan() {
        let kernels: [&dyn Kernel<f32>; 4] =
            [&Gaussian::new(1.0), &Boxcar::new(1.0), &Epanechnikov::new(1.0), &Triangular::new(1.0)];
        for kernel in kernels {
            assert!(kernel.weight(f32::NAN).is_nan());
            assert!(kernel.scores(&array![[f32::NAN]], &array![[0.0]])[[0, 0]].is_nan());
        }
    }

    #[test]
    fn distances_are_between_whole_vectors() {
        assert_eq!(
            Triangular::new(10.0).weights(&array![[0.0, 0.0]], &array![[3.0, 4.0], [6.0, 8.0]]),
            array![[0.5, 0.0]]
        );
    }

    #[test]
    fn no_key_in_range_has_no_answer() {
        let weights: Array2<f64> = softmax(&Boxcar::new(1.0).scores(&array![[5.0], [0.0]], &array![[0.0], [1.0]]));
        assert!(weights.row(0).iter().all(|weight| weight.is_nan()));
        assert_eq!(weights.row(1), array![0.5, 0.5]);
    }

    #[test]
    fn a_gaussian_answers_from_afar() {
        let xs = column(&array![0.0, 1.0]);
        let (_, output) = attention_pooling(&array![1000.0], &xs, &xs, Gaussian::new(1.0));
        assert_eq!(output, array![1.0]);
    }

    #[test]
    fn squares_of_distances_overflow() {
        let weights: Array2<f64> = softmax(&Gaussian::new(1.0).scores(&array![[1e200]], &array![[0.0], [1.0]]));
        assert!(weights.iter().all(|weight| weight.is_nan()));
    }

    #[test]
    fn a_width_is_positive_and_finite() {
        for width in [0.0, -1e300, f64::NAN, f64::INFINITY] {
            let refused = std::panic::catch_unwind(|| Boxcar::new(width)).unwrap_err();
            let sentence = refused.downcast_ref::<String>().expect("the panic has a message");
            assert_eq!(*sentence, format!("a kernel's width is {width:?}, but it must be a positive finite number"));
        }
    }
}
