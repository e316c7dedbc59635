//! Axes of a plane on which one unit is equally long in every direction, with the origin in sight.

use super::canvas::{Anchor, Canvas, GRID, INK, LABEL, MUTED, SMALL, Stroke, TICK, Type};
use super::ticks::{self, Tick};
use super::words::{fitted, largest, width_of};

/// Share of the longer side left free around what is shown, and the least share that the shorter side has of it.
const MARGIN: f64 = 0.12;
const THINNEST: f64 = 0.45;
/// Pixels for each tick.
const APART: f64 = 46.0;

/// A part of the plane and where it is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// The greatest coordinate: all others are measured by it, so that none is too large.
    most: f64,
    low: (f64, f64),
    unit: f64,
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Plane {
    /// The part around the origin and `points`, which are finite; its longer side has `side` pixels.
    pub fn around(points: &[(f64, f64)], side: f64) -> Self {
        let most = largest(points.iter().map(|(x, y)| x.abs().max(y.abs())));
        let most = if most > 0.0 { most } else { 1.0 };
        let (mut x, mut y) = ((0.0f64, 0.0f64), (0.0f64, 0.0f64));
        for point in points {
            let (across, up) = (point.0 / most, point.1 / most);
            x = (x.0.min(across), x.1.max(across));
            y = (y.0.min(up), y.1.max(up));
        }
        let longest = (x.1 - x.0).max(y.1 - y.0);
        let longest = if longest > 0.0 { longest } else { 1.0 };
        let widened = |(low, high): (f64, f64)| {
            let more = ((THINNEST * longest - (high - low)) / 2.0).max(0.0) + MARGIN * longest;
            (low - more, high + more)
        };
        let (x, y) = (widened(x), widened(y));
        let unit = side / (x.1 - x.0).max(y.1 - y.0);
        let (width, height) = ((x.1 - x.0) * unit, (y.1 - y.0) * unit);
        Self { most, low: (x.0, y.0), unit, left: 0.0, top: 0.0, width, height }
    }

    pub fn at(self, left: f64, top: f64) -> Self {
        Self { left, top, ..self }
    }

    pub fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (x, y) = (x / self.most - self.low.0, y / self.most - self.low.1);
        (self.left + x * self.unit, self.top + self.height - y * self.unit)
    }

    /// Both axes, from end to end.
    pub fn lines(&self) -> [((f64, f64), (f64, f64)); 2] {
        let (x, y) = self.pixel((0.0, 0.0));
        [((self.left, y), (self.left + self.width, y)), ((x, self.top), (x, self.top + self.height))]
    }

    /// Room for ticks and names to the left of the plane, and below it.
    pub fn margins(&self) -> (f64, f64) {
        let numbers = largest(self.ticks().1.iter().map(|tick| width_of(&tick.label, SMALL)));
        (LABEL + 6.0 + numbers + TICK + 3.0, TICK + SMALL + LABEL + 8.0)
    }

    fn ticks(&self) -> (Vec<Tick>, Vec<Tick>) {
        let along = |low: f64, pixels: f64| {
            let end = |at: f64| (at * self.most).clamp(f64::MIN, f64::MAX);
            ticks::linear(end(low), end(low + pixels / self.unit), (pixels / APART) as usize)
        };
        (along(self.low.0, self.width), along(self.low.1, self.height))
    }

    /// Grid, axes through the origin, numbers and the names of both axes.
    pub fn axes(&self, canvas: &mut Canvas, names: [&str; 2]) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        let (grid, axis) = (Stroke::solid(GRID, 0.8), Stroke::solid(MUTED, 1.0));
        let (x_ticks, y_ticks) = self.ticks();
        for tick in x_ticks {
            let (x, _) = self.pixel((tick.at, 0.0));
            canvas.line(&[(x, self.top), (x, bottom)], grid);
            canvas.text(x, bottom + TICK + SMALL / 2.0, &tick.label, Type::new(SMALL, INK, Anchor::Middle));
        }
        for tick in y_ticks {
            let (_, y) = self.pixel((0.0, tick.at));
            canvas.line(&[(self.left, y), (right, y)], grid);
            canvas.text(self.left - TICK, y, &tick.label, Type::new(SMALL, INK, Anchor::End));
        }
        for (from, to) in self.lines() {
            canvas.line(&[from, to], axis);
        }
        let (middle, [x_name, y_name]) = (Type::new(LABEL, INK, Anchor::Middle), names);
        let below = bottom + TICK + SMALL + 4.0 + LABEL / 2.0;
        canvas.text(self.left + self.width / 2.0, below, &fitted(x_name, LABEL, self.width), middle);
        let aside = self.left - self.margins().0 + LABEL / 2.0;
        canvas.text(aside, self.top + self.height / 2.0, &fitted(y_name, LABEL, self.height), middle.upright());
    }
}
