//! Seeded randomness: the same seed gives the same numbers on every run.
//!
//! A generator is made once with [`seeded`] and passed on. The algorithm is named (xoshiro256++, D. Blackman and
//! S. Vigna, 2018) and not left to a library's default, which may change with its version.

use ndarray::{Array, Dimension, ShapeBuilder};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal, Uniform};

/// The generator that notebooks pass on; [`seeded`] makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator(rand_xoshiro::Xoshiro256PlusPlus);

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
    Generator(SeedableRng::seed_from_u64(seed))
}

/// An array of independent numbers from the normal distribution with mean 0 and variance 1.
pub fn normal<D: Dimension>(shape: impl ShapeBuilder<Dim = D>, generator: &mut Generator) -> Array<f64, D> {
    Array::from_shape_simple_fn(shape, || StandardNormal.sample(&mut generator.0))
}

/// An array of independent numbers spread evenly over `low` (included) to `high` (excluded).
///
/// # Panics
/// If the bounds are not finite or `low` is not below `high`.
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
    let Ok(range) = Uniform::new(low, high) else {
        panic!("uniform needs finite bounds that rise, not {low} and {high}");
    };
    Array::from_shape_simple_fn(shape, || range.sample(&mut generator.0))
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn the_first_numbers_of_a_seed_stay_the_same() {
        let first = normal(3, &mut seeded(0));
        assert_eq!(format!("{first:.6}"), "[-0.292803, -0.713121, -0.105321]");
    }

    #[test]
    fn normal_numbers_have_mean_zero_and_variance_one() {
        let numbers: Array2<f64> = normal((200, 100), &mut seeded(3));
        assert!(numbers.mean().is_some_and(|mean| mean.abs() < 0.03));
        assert!((numbers.var(0.0) - 1.0).abs() < 0.05);
    }

    #[test]
    #[should_panic(expected = "uniform needs finite bounds that rise, not 1 and 1")]
    fn bounds_must_rise() {
        uniform(1, 1.0, 1.0, &mut seeded(0));
    }
}
