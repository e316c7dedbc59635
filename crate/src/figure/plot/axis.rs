//! One axis: from values to places on it.

use super::super::canvas::SMALL;
use super::super::check_limits;
use super::super::ticks::{self, Tick, exact, fraction};
use super::super::words::width_of;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Scale {
    #[default]
    Linear,
    Log,
}

impl Scale {
    /// Whether the scale has a place for `value`.
    pub fn holds(self, value: f64) -> bool {
        value.is_finite() && (self == Self::Linear || value > 0.0)
    }
}

/// What the caller wants of an axis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AxisOptions {
    pub scale: Scale,
    pub limits: Option<(f64, f64)>,
}

impl AxisOptions {
    #[track_caller]
    pub fn set_limits(&mut self, low: f64, high: f64) {
        check_limits("an axis' limits", low, high);
        self.limits = Some((low, high));
        self.check();
    }

    #[track_caller]
    pub fn set_scale(&mut self, scale: &str) {
        self.scale = match scale {
            "linear" => Scale::Linear,
            "log" => Scale::Log,
            other => panic!("an axis is \"linear\" or \"log\", not \"{other}\""),
        };
        self.check();
    }

    #[track_caller]
    fn check(&self) {
        if let (Scale::Log, Some((low, high))) = (self.scale, self.limits) {
            let (least, most) = (exact(low), exact(high));
            assert!(
                low > 0.0,
                "a logarithmic axis shows positive values only: the limits {least} to {most} do not fit"
            );
        }
    }
}

/// An axis with its ends settled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    /// The caller has set the ends.
    set: bool,
}

/// Share of the axis left free at each end.
const MARGIN: f64 = 0.04;
/// Places farther out than this count as here: clipping multiplies and subtracts them.
const FAR: f64 = 1e100;

impl Axis {
    /// The axis that shows all of `values`, or just `limits`.
    pub fn around(values: &[f64], scale: Scale, limits: Option<(f64, f64)>) -> Self {
        if let Some((low, high)) = limits {
            return Self { scale, low, high, set: true };
        }
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &value in values.iter().filter(|&&value| scale.holds(value)) {
            (low, high) = (low.min(value), high.max(value));
        }
        match scale {
            _ if low > high => (low, high) = if scale == Scale::Log { (0.1, 1.0) } else { (0.0, 1.0) },
            Scale::Linear => {
                let margin = (high / 2.0 - low / 2.0) * 2.0 * MARGIN;
                let margin = if low + margin > low { margin } else { low.abs().max(high.abs()).max(1.0) * 0.5 };
                (low, high) = ((low - margin).max(f64::MIN), (high + margin).min(f64::MAX));
            }
            Scale::Log => {
                let factor = (high.ln() - low.ln()).mul_add(MARGIN, if low == high { 1.0 } else { 0.0 }).exp();
                (low, high) = ((low / factor).max(f64::MIN_POSITIVE), (high * factor).min(f64::MAX));
            }
        }
        Self { scale, low, high, set: false }
    }

    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Place of `value`: 0 at the low end, 1 at the high end.
    pub fn place(&self, value: f64) -> f64 {
        let place = match self.scale {
            Scale::Linear => fraction(value, self.low, self.high),
            Scale::Log => fraction(value.ln(), self.low.ln(), self.high.ln()),
        };
        place.clamp(-FAR, FAR)
    }

    /// Ticks for labels one above the other along `pixels`, about one every `apart` pixels.
    pub fn ticks_up(&self, pixels: f64, apart: f64) -> Vec<Tick> {
        self.ticks((pixels / apart) as usize + 1)
    }

    fn ticks(&self, most: usize) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => ticks::linear(self.low, self.high, most),
            Scale::Log => ticks::logarithmic(self.low, self.high, most),
        }
    }

    /// Ticks whose labels stand side by side along `pixels` without meeting, at most about one every `apart` pixels.
    pub fn ticks_along(&self, pixels: f64, apart: f64) -> Vec<Tick> {
        let meet = |ticks: &[Tick]| {
            let ends = |tick: &Tick| (self.place(tick.at) * pixels, width_of(&tick.label, SMALL) / 2.0 + 4.0);
            ticks.windows(2).any(|pair| {
                let ((a, half_a), (b, half_b)) = (ends(&pair[0]), ends(&pair[1]));
                a + half_a > b - half_b
            })
        };
        let most = (pixels / apart) as usize + 1;
        for most in (2..=most.max(2)).rev() {
            let ticks = self.ticks(most);
            if !meet(&ticks) {
                return ticks;
            }
        }
        let mut ticks = self.ticks(2);
        ticks.truncate(1);
        ticks
    }

    /// Widens the shorter axis, so that one unit takes the same pixels on both; a low end that the caller has set stays.
    /// Logarithmic axes stay as they are.
    pub fn equalise(x: &mut Self, y: &mut Self, (width, height): (f64, f64)) {
        if x.scale == Scale::Log || y.scale == Scale::Log {
            return;
        }
        // In halves: a whole span may be beyond a double.
        let half = |axis: &Self| axis.high / 2.0 - axis.low / 2.0;
        let unit = (half(x) / width).max(half(y) / height);
        for (axis, pixels) in [(x, width), (y, height)] {
            let more = unit * pixels - half(axis);
            let (below, above) = if axis.set { (0.0, 2.0 * more) } else { (more, more) };
            (axis.low, axis.high) = ((axis.low - below).max(f64::MIN), (axis.high + above).min(f64::MAX));
        }
    }
}
