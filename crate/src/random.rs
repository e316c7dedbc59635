//! Seeded randomness: the same seed gives the same numbers on every run.
//!
//! A generator is made once with [`seeded`] and passed on. The algorithm is named (PCG XSL RR 128/64, M. O'Neill, 2014)
//! and not left to a library's default, which may change with its version. Numbers of a distribution are made here from
//! its bits: the crate of distributions would cost every notebook's first cell a second and a half.

use std::f64::consts::TAU;

use ndarray::{Array, Dimension, ShapeBuilder};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// The generator that notebooks pass on; [`seeded`] makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator(Pcg64);

impl Generator {
    /// A number from 0 (included) to 1 (excluded): the 53 bits that a double holds.
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (-53f64).exp2()
    }

    /// A whole number from 0 to `bound - 1`, each as likely as the others.
    ///
    /// The upper half of a 128-bit product is the number, and products that would favour some numbers are drawn again
    /// (D. Lemire, *Fast random integer generation in an interval*, 2019).
    ///
    /// # Panics
    /// If `bound` is 0.
    ///
    /// ```
    /// use d2l::random::seeded;
    ///
    /// let mut generator = seeded(1);
    /// assert!((0..100).all(|_| generator.below(6) < 6));
    /// ```
    #[track_caller]
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is no whole number below 0: below needs a bound of at least 1");
        let bound = bound as u64;
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as usize;
            }
        }
    }

    /// A generator of its own for whoever keeps one, settled by this one's next number.
    pub fn split(&mut self) -> Generator {
        seeded(self.0.next_u64())
    }
}

/// A generator whose numbers are settled by `seed`.
///
/// ```
/// use d2l::random::{normal, seeded};
/// use ndarray::Array1;
///
/// let once: Array1<f64> = normal(3, &mut seeded(11));
/// assert_eq!(once, normal(3, &mut seeded(11)));
/// assert_ne!(once, normal(3, &mut seeded(12)));
/// ```
pub fn seeded(seed: u64) -> Generator {
    Generator(Pcg64::seed_from_u64(seed))
}

/// An array of independent numbers from the normal distribution with mean 0 and variance 1.
///
/// Each is √(-2 ln u) cos(2π v) with u and v uniform (G. E. P. Box and M. E. Muller, 1958).
pub fn normal<D: Dimension>(shape: impl ShapeBuilder<Dim = D>, generator: &mut Generator) -> Array<f64, D> {
    // 1 - u is never 0, so that its logarithm is finite.
    let mut sample = || (-2.0 * (1.0 - generator.unit()).ln()).sqrt() * (TAU * generator.unit()).cos();
    Array::from_shape_simple_fn(shape, &mut sample)
}

/// An array of independent numbers spread evenly from `low` (included) to `high` (excluded).
///
/// # Panics
/// If the bounds or their difference are not finite, or if `low` is not below `high`.
///
/// ```
/// use d2l::random::{seeded, uniform};
///
/// let places = uniform(100, 0.0, 5.0, &mut seeded(1));
/// assert!(places.iter().all(|place| (0.0..5.0).contains(place)));
/// ```
#[track_caller]
pub fn uniform<D: Dimension>(
    shape: impl ShapeBuilder<Dim = D>,
    low: f64,
    high: f64,
    generator: &mut Generator,
) -> Array<f64, D> {
    assert!(
        low.is_finite() && high.is_finite() && low < high,
        "uniform needs finite bounds that rise, not {low:?} and {high:?}"
    );
    assert!((high - low).is_finite(), "uniform needs bounds whose difference is finite, not {low:?} and {high:?}");
    // Rounding may reach the upper bound itself, which does not belong to the range.
    let mut sample = || (low + (high - low) * generator.unit()).min(high.next_down());
    Array::from_shape_simple_fn(shape, &mut sample)
}

/// The numbers from 0 to `len - 1` in an order drawn by chance, each order as likely as the others.
///
/// From the last place to the first, each takes the number of a place drawn among those before it and itself
/// (R. Durstenfeld, *Algorithm 235: random permutation*, 1964).
///
/// ```
/// use d2l::random::{permutation, seeded};
///
/// let mut order = permutation(5, &mut seeded(1));
/// order.sort();
/// assert_eq!(order, [0, 1, 2, 3, 4]);
/// ```
pub fn permutation(len: usize, generator: &mut Generator) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    for last in (1..len).rev() {
        order.swap(last, generator.below(last + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn the_first_numbers_of_a_seed_stay_the_same() {
        let first = normal(3, &mut seeded(0));
        assert_eq!(format!("{first:.6}"), "[-0.300659, 1.526091, 1.028526]");
    }

    #[test]
    fn normal_numbers_have_the_moments_of_the_distribution() {
        let numbers: Array2<f64> = normal((400, 500), &mut seeded(3));
        let moment = |power: i32| numbers.mapv(|x| x.powi(power)).mean().unwrap();
        for (power, wanted) in [(1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)] {
            assert!((moment(power) - wanted).abs() < 0.05, "moment {power} is {}, not {wanted}", moment(power));
        }
    }

    #[test]
    fn uniform_numbers_fill_their_range() {
        let numbers = uniform(10_000, -2.0, 6.0, &mut seeded(4));
        assert!(numbers.iter().all(|x| (-2.0..6.0).contains(x)));
        assert!((numbers.mean().unwrap() - 2.0).abs() < 0.1 && (numbers.var(0.0) - 64.0 / 12.0).abs() < 0.2);
        let narrow = uniform(1000, 1.0, 1.0f64.next_up(), &mut seeded(5));
        assert!(narrow.iter().all(|&x| x == 1.0));
    }

    #[test]
    fn every_order_is_as_likely() {
        let mut generator = seeded(6);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            *counts.entry(permutation(4, &mut generator)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        // Five standard deviations of a count that is 1000 on average.
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!((permutation(0, &mut generator), permutation(1, &mut generator)), (vec![], vec![0]));
    }

    #[test]
    fn numbers_below_a_large_bound_favour_none() {
        // Three quarters of all 64-bit numbers: without a second draw, multiples of 3 would come twice as often.
        let bound = 3 << (usize::BITS - 2);
        let mut generator = seeded(7);
        let multiples = (0..10_000).filter(|_| generator.below(bound).is_multiple_of(3)).count();
        assert!((3_000..3_670).contains(&multiples), "{multiples} of 10000 are multiples of 3");
    }

    #[test]
    fn a_split_generator_goes_its_own_way() {
        let (mut parent, mut twin) = (seeded(8), seeded(8));
        assert_eq!(parent.split(), twin.split());
        let (mut first, mut second) = (parent.split(), parent.split());
        assert_ne!(normal(3, &mut first), normal(3, &mut second));
    }

    #[test]
    #[should_panic(expected = "there is no whole number below 0")]
    fn a_bound_is_at_least_one() {
        seeded(0).below(0);
    }

    #[test]
    #[should_panic(expected = "uniform needs finite bounds that rise, not 1.0 and 1.0")]
    fn bounds_must_rise() {
        uniform(1, 1.0, 1.0, &mut seeded(0));
    }

    #[test]
    #[should_panic(expected = "bounds whose difference is finite, not -1e308 and 1e308")]
    fn the_difference_of_bounds_is_finite() {
        uniform(1, -1e308, 1e308, &mut seeded(0));
    }
}
