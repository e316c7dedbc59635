//! The error function, which the standard library does not offer yet.

use std::f64::consts::PI;

use super::Real;

/// erf(x) = 2/√π ∫₀ˣ exp(-t²) dt, to about 16 digits.
///
/// Quotients of polynomials by W. J. Cody, *Rational Chebyshev approximations for the error function*, 1969: for erf(x)/x
/// near 0, and for erfc = 1 - erf farther out.
pub(super) fn erf<A: Real>(x: A) -> A {
    let x = x.to_f64().expect("f32 and f64 fit");
    let size = x.abs();
    let erf = if size <= 0.46875 {
        size * quotient(size * size, NEAR)
    } else if size <= 4.0 {
        1.0 - (-size * size).exp() * quotient(size, MIDDLE)
    } else {
        let square = (size * size).recip();
        1.0 - (-size * size).exp() / size * (PI.sqrt().recip() - square * quotient(square, FAR))
    };
    A::from(erf.copysign(x)).expect("between -1 and 1, or NaN")
}

/// Numerator and denominator, the highest power first.
type Quotient<const N: usize> = [[f64; N]; 2];

fn quotient<const N: usize>(x: f64, polynomials: Quotient<N>) -> f64 {
    let [numerator, denominator] = polynomials.map(|polynomial| polynomial.into_iter().fold(0.0, |sum, c| sum * x + c));
    numerator / denominator
}

#[rustfmt::skip]
const NEAR: Quotient<5> = [
    [0.185_777_706_184_603_15, 3.161_123_743_870_565_5, 1.138_641_541_510_501_6e2, 3.774_852_376_853_02e2,
     3.209_377_589_138_469_4e3],
    [1.0, 2.360_129_095_234_412_2e1, 2.440_246_379_344_441_7e2, 1.282_616_526_077_372_3e3, 2.844_236_833_439_171e3],
];
#[rustfmt::skip]
const MIDDLE: Quotient<9> = [
    [2.153_115_354_744_038_3e-8, 0.564_188_496_988_670_1, 8.883_149_794_388_377, 6.611_919_063_714_163e1,
     2.986_351_381_974_001e2, 8.819_522_212_417_69e2, 1.712_047_612_634_070_7e3, 2.051_078_377_826_071_6e3,
     1.230_339_354_797_997_2e3],
    [1.0, 1.574_492_611_070_983_5e1, 1.176_939_508_913_125e2, 5.371_811_018_620_099e2, 1.621_389_574_566_690_3e3,
     3.290_799_235_733_459_7e3, 4.362_619_090_143_247e3, 3.439_367_674_143_721_6e3, 1.230_339_354_803_749_5e3],
];
#[rustfmt::skip]
const FAR: Quotient<6> = [
    [1.631_538_713_730_209_7e-2, 0.305_326_634_961_232_36, 0.360_344_899_949_804_45, 0.125_781_726_111_229_26,
     1.608_378_514_874_227_5e-2, 6.587_491_615_298_378e-4],
    [1.0, 2.568_520_192_289_822, 1.872_952_849_923_467_3, 0.527_905_102_951_428_5, 6.051_834_131_244_132e-2,
     2.335_204_976_268_691_8e-3],
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by Python's `math.erf`, around the seams of the three parts and beyond.
    #[test]
    fn known_values() {
        for (x, wanted) in [
            (0.0f64, 0.0),
            (1e-08, 1.128_379_167_095_512_6e-8),
            (0.3, 0.328_626_759_459_127_4),
            (0.46875, 0.492_613_473_217_937_97),
            (0.469, 0.492_839_894_962_579_7),
            (1.0, 0.842_700_792_949_714_9),
            (2.5, 0.999_593_047_982_555),
            (4.0, 0.999_999_984_582_742_1),
            (4.001, 0.999_999_984_709_217_8),
            (5.5, 0.999_999_999_999_992_7),
            (7.0, 1.0),
            (40.0, 1.0),
        ] {
            assert!((erf(x) - wanted).abs() <= 3e-16, "erf({x}) is {wanted}, not {}", erf(x));
            assert_eq!(erf(-x), -erf(x));
        }
        assert!(erf(f64::NAN).is_nan());
        assert_eq!(erf(f64::INFINITY), 1.0);
        assert_eq!(erf(1f32), 0.842_700_8);
    }
}
