//! What figures of bars share: one scale for all of them, and parts that lie end to end.

use super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, SMALL, Stroke, Type};
use super::colormap::Rgb;
use super::labels::Labels;
use super::ticks::{fraction, rounded};
use super::words::{fitted, largest, width_of};

/// Light enough for ink on them, and told apart by the pattern on them as well.
const TINTS: [Rgb; 6] = [
    [0xa9, 0xd0, 0xf0],
    [0xf9, 0xc5, 0x9b],
    [0xa6, 0xdd, 0xbf],
    [0xe9, 0xb7, 0xd8],
    [0xe3, 0xd7, 0x8f],
    [0xc9, 0xcf, 0xd6],
];
const PATTERNS: usize = 5;
/// Pixels between a pattern's lines.
const HATCH: f64 = 5.0;
/// How far the mark of a sum stands out.
const NOTCH: f64 = 4.0;
/// What numbers stand on.
const GROUND: Rgb = [0xff; 3];

/// From values to pixels: `left` is where `low` lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    pub left: f64,
    pub width: f64,
}

impl Scale {
    /// The scale over `width` pixels that shows 0 and every finite one of `values`.
    pub fn over(values: &[f64], width: f64) -> Self {
        let (mut low, mut high) = (0.0f64, 0.0f64);
        for &value in values.iter().filter(|value| value.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        let high = if low < high { high } else { 1.0 };
        Self { low, high, left: 0.0, width }
    }

    pub fn at(self, left: f64) -> Self {
        Self { left, ..self }
    }

    /// Pixel of a value; what lies beyond the scale is drawn at its end.
    pub fn pixel(&self, value: f64) -> f64 {
        self.left + self.width * fraction(value, self.low, self.high).clamp(0.0, 1.0)
    }

    /// The line that bars begin at.
    pub fn zero(&self, canvas: &mut Canvas, top: f64, bottom: f64) {
        let x = self.pixel(0.0);
        canvas.line(&[(x, top), (x, bottom)], Stroke::solid(MUTED, 1.0));
    }
}

/// A part of a bar: its value, its pattern's number, and what the pointer tells.
pub(super) struct Part {
    pub value: f64,
    pub style: usize,
    pub tip: String,
}

/// Parts end to end around `middle`: positive ones to the right of 0, negative ones to the left. A part has its number
/// written on it, rounded by `word`, where there is room.
pub(super) fn stack(
    canvas: &mut Canvas,
    scale: Scale,
    (middle, high): (f64, f64),
    parts: &[Part],
    word: &dyn Fn(f64) -> String,
) {
    let (mut below, mut above) = (0.0, 0.0);
    for part in parts.iter().filter(|part| part.value.is_finite() && part.value != 0.0) {
        let end: &mut f64 = if part.value < 0.0 { &mut below } else { &mut above };
        let start = *end;
        *end += part.value;
        let (a, b) = (scale.pixel(start.min(*end)), scale.pixel(start.max(*end)));
        swatch(canvas, (a, middle - high / 2.0), (b - a, high), part.style, &part.tip);
        let word = word(part.value);
        let length = width_of(&word, SMALL);
        if length + 2.0 <= b - a {
            plate(canvas, ((a + b) / 2.0, middle), length);
            canvas.text((a + b) / 2.0, middle, &word, Type::new(SMALL, INK, Anchor::Middle));
        }
    }
}

/// Notches above and below a stack at its sum, which is not its end where parts of both signs meet.
pub(super) fn total_mark(canvas: &mut Canvas, scale: Scale, (middle, high): (f64, f64), total: f64) {
    if total.is_finite() {
        let x = scale.pixel(total);
        for side in [-1.0, 1.0] {
            let edge = middle + side * high / 2.0;
            canvas.line(&[(x, edge - side), (x, edge + side * NOTCH)], Stroke::solid(INK, 2.4));
        }
    }
}

/// Clears the ground for words whose middle is at the point.
fn plate(canvas: &mut Canvas, (x, y): (f64, f64), length: f64) {
    let (half, high) = (length / 2.0, SMALL / 2.0 + 1.0);
    canvas.area(&[(x - half, y - high), (x + half, y - high), (x + half, y + high), (x - half, y + high)], GROUND, 0.8);
}

/// A rectangle with the tint and the pattern that belong to `style`.
pub(super) fn swatch(canvas: &mut Canvas, corner: (f64, f64), size: (f64, f64), style: usize, tip: &str) {
    let ((x, y), (width, height)) = (corner, size);
    canvas.boxed(x, y, width, height, TINTS[style % TINTS.len()], tip);
    let lines = hatch(style % PATTERNS, width, height);
    canvas.hatch(&lines.iter().map(|line| line.map(|(dx, dy)| (x + dx, y + dy))).collect::<Vec<_>>());
}

/// Lines of a pattern inside a rectangle.
fn hatch(pattern: usize, width: f64, height: f64) -> Vec<[(f64, f64); 2]> {
    let across = |room: f64| (1..).map(|i| HATCH * i as f64).take_while(move |&at| at < room);
    let rising: Vec<[(f64, f64); 2]> = across(width + height)
        .map(|at| [((at - height).max(0.0), at.min(height)), (at.min(width), (at - width).max(0.0))])
        .collect();
    match pattern {
        0 => Vec::new(),
        1 => rising,
        2 => across(width).map(|x| [(x, 0.0), (x, height)]).collect(),
        3 => rising.into_iter().map(|line| line.map(|(x, y)| (x, height - y))).collect(),
        _ => across(height).map(|y| [(0.0, y), (width, y)]).collect(),
    }
}

/// Measures that all columns of bars in a figure share.
pub(super) struct Column {
    pub scale: Scale,
    pub decimals: usize,
    /// Room for the numbers beside the bars.
    pub numbers: f64,
    /// Names of the rows and the room for them to the left.
    pub coordinates: Vec<String>,
    pub named: f64,
    /// Room for the longest title.
    titled: f64,
}

/// Height of a row, and of a bar in it.
pub(super) const ROW: f64 = 22.0;
const HIGH: f64 = 14.0;
/// Room for a column's title.
pub(super) const TITLE: f64 = LABEL + 8.0;
/// Pixels for the name of a row, and for a title.
const NAMED: f64 = 130.0;
const TITLED: f64 = 190.0;

impl Column {
    /// A column of bars `bars` pixels long for all of `values`, and of their numbers.
    pub fn over(values: &[f64], bars: f64, labels: &Labels) -> Self {
        let (decimals, coordinates) = (labels.decimals_for(values), labels.all_coordinates());
        let numbers = largest(values.iter().map(|&value| width_of(&rounded(value, decimals), SMALL)));
        let named = largest(coordinates.iter().map(|name| width_of(&fitted(name, SMALL, NAMED), SMALL)));
        let scale = Scale::over(values, bars);
        let titled = largest(labels.given().iter().map(|title| width_of(&fitted(title, LABEL, TITLED), LABEL)));
        Self { scale, decimals, numbers: numbers + 8.0, coordinates, named: named + 8.0, titled }
    }

    /// Room for bars, numbers and titles, without the names of the rows.
    pub fn width(&self) -> f64 {
        (self.scale.width + self.numbers).max(self.titled)
    }

    pub fn height(&self) -> f64 {
        TITLE + ROW * self.coordinates.len() as f64
    }

    /// Names of the rows, to the left of `left`.
    pub fn names(&self, canvas: &mut Canvas, left: f64, top: f64) {
        for (row, name) in self.coordinates.iter().enumerate() {
            let (short, y) = (fitted(name, SMALL, NAMED), top + TITLE + ROW * (row as f64 + 0.5));
            canvas.text(left - 8.0, y, &short, Type::new(SMALL, INK, Anchor::End));
            if short != *name {
                canvas.tip(left - self.named, y - ROW / 2.0, self.named, ROW, name);
            }
        }
    }

    /// Draws a stack of parts and its sum in each row, below a title.
    pub fn draw(&self, canvas: &mut Canvas, (left, top): (f64, f64), title: &str, rows: &[Vec<Part>]) {
        let short = fitted(title, LABEL, self.width());
        canvas.text(left, top + LABEL / 2.0, &short, Type::new(LABEL, INK, Anchor::Start).bold());
        if short != title {
            canvas.tip(left, top, self.width(), LABEL, title);
        }
        let scale = self.scale.at(left);
        for (row, parts) in rows.iter().enumerate() {
            let middle = top + TITLE + ROW * (row as f64 + 0.5);
            stack(canvas, scale, (middle, HIGH), parts, &|_| String::new());
            let total: f64 = parts.iter().map(|part| part.value).sum();
            if parts.len() > 1 {
                total_mark(canvas, scale, (middle, HIGH), total);
            }
            let set = Type { bold: parts.len() > 1, ..Type::new(SMALL, INK, Anchor::Start) };
            canvas.text(left + self.scale.width + 6.0, middle, &rounded(total, self.decimals), set);
        }
        scale.zero(canvas, top + TITLE, top + self.height());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stays_inside_its_rectangle() {
        for (width, height) in [(0.5, 18.0), (18.0, 0.5), (40.0, 18.0), (7.0, 60.0), (0.0, 0.0)] {
            for (x, y) in (0..PATTERNS).flat_map(|pattern| hatch(pattern, width, height)).flatten() {
                assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "({x}, {y}) in {width} x {height}");
            }
        }
    }

    #[test]
    fn numbers_read_on_every_tint() {
        for tint in TINTS {
            assert!(super::super::colormap::contrast(INK, tint) >= 4.5, "{tint:?}");
        }
    }
}
