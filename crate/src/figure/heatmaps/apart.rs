//! Entries that no scale of colours can hold: NaN and the two infinities.

use super::super::colormap::Rgb;
use super::super::ticks::number;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Apart {
    NotANumber,
    PlusInfinity,
    MinusInfinity,
}

impl Apart {
    pub const ALL: [Self; 3] = [Self::NotANumber, Self::PlusInfinity, Self::MinusInfinity];

    pub fn of(value: f64) -> Option<Self> {
        match value {
            v if v.is_nan() => Some(Self::NotANumber),
            f64::INFINITY => Some(Self::PlusInfinity),
            f64::NEG_INFINITY => Some(Self::MinusInfinity),
            _ => None,
        }
    }

    pub fn name(self) -> String {
        number(match self {
            Self::NotANumber => f64::NAN,
            Self::PlusInfinity => f64::INFINITY,
            Self::MinusInfinity => f64::NEG_INFINITY,
        })
    }

    /// Colours outside every map offered, so that the marks cannot be taken for values.
    pub fn color(self) -> Rgb {
        match self {
            Self::NotANumber => [0xb4, 0xb8, 0xa6],
            Self::PlusInfinity => [0xf2, 0xc1, 0x2e],
            Self::MinusInfinity => [0x2b, 0xb3, 0xa3],
        }
    }
}
