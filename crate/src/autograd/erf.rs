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

const NEAR: Quotient<5> = [
    [
        1.857_777_061_846_031_5e-1,
        3.161_123_743_870_565_6,
        1.138_641_541_510_501_6e2,
        3.774_852_376_853_02e2,
        3.209_377_589_138_469_5e3,
    ],
    [1.0, 2.360_129_095_234_412_1e1, 2.440_246_379_344_441_7e2, 1.282_616_526_077_372_3e3, 2.844_236_833_439_170_6e3],
];
const MIDDLE: Quotient<9> = [
    [
        2.153_115_354_744_038_5e-8,
        5.641_884_969_886_700_9e-1,
        8.883_149_794_388_376,
        6.611_919_063_714_163e1,
        2.986_351_381_974_001_3e2,
        8.819_522_212_417_691e2,
        1.712_047_612_634_070_6e3,
        2.051_078_377_826_071_5e3,
        1.230_339_354_797_997_3e3,
    ],
    [
        1.0,
        1.574_492_611_070_983_5e1,
        1.176_939_508_913_125e2,
        5.371_811_018_620_099e2,
        1.621_389_574_566_690_2e3,
        3.290_799_235_733_459_6e3,
        4.362_619_090_143_247e3,
        3.439_367_674_143_721_6e3,
        1.230_339_354_803_749_4e3,
    ],
];
const FAR: Quotient<6> = [
    [
        1.631_538_713_730_209_8e-2,
        3.053_266_349_612_323_4e-1,
        3.603_448_999_498_044_4e-1,
        1.257_817_261_112_292_5e-1,
        1.608_378_514_874_227_7e-2,
        6.587_491_615_298_378e-4,
    ],
    [
        1.0,
        2.568_520_192_289_822_4,
        1.872_952_849_923_467_3,
        5.279_051_029_514_284e-1,
        6.051_834_131_244_132e-2,
        2.335_204_976_268_691_9e-3,
    ],
];
