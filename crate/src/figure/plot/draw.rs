//! A plot's shapes.

use std::collections::HashSet;

use super::super::canvas::{Anchor, Canvas, GRID, INK, LABEL, MUTED, SMALL, Stroke, TICK, Type, paint};
use super::super::colormap::Rgb;
use super::super::ticks::{Tick, exact};
use super::super::words::{fitted, largest, shortened, width_of};
use super::super::{Draw, INCH, PAD, Picture};
use super::axis::Axis;
use super::{Mark, Plot, Series, clip};

/// Colours that stay apart for colour-blind readers, each at least 3:1 on white; the pattern tells them apart too.
/// Dashes and marks are one fewer, so that a colour comes back with another pattern until all pairs have been used.
const COLORS: [Rgb; 6] = [
    [0x00, 0x72, 0xb2],
    [0xc8, 0x50, 0x00],
    [0x00, 0x7a, 0x5a],
    [0xaa, 0x33, 0x77],
    [0x44, 0x4b, 0x53],
    [0x86, 0x6a, 0x00],
];
const DASHES: [(f64, f64); 5] = [(0.0, 0.0), (7.0, 3.5), (2.0, 2.5), (12.0, 3.0), (1.2, 3.5)];
const MARKS: usize = 5;
/// What words stand on.
const GROUND: Rgb = [0xff; 3];
const LINE: f64 = 1.8;
const POINT: f64 = 3.2;
/// Points of a series with tooltips.
const MOST_TIPS: usize = 500;
/// Marks of a series of points; more of them would hide each other.
const MOST_MARKS: usize = 4_000;
/// Pixels along an axis for each tick, across and up.
const X_TICK: f64 = 52.0;
const Y_TICK: f64 = 32.0;
/// The axes are never shorter than this, in pixels.
const SHORTEST: f64 = 20.0;
/// Length of a line's sample in the legend.
const SAMPLE: f64 = 26.0;

/// The axes' rectangle and what stands on it.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Axis,
    y: Axis,
}

impl Frame {
    /// Pixel of a place, both from 0 to 1.
    fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.left + self.width * x, self.top + self.height * (1.0 - y))
    }

    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.place(x), self.y.place(y))
    }
}

impl Draw for Plot {
    fn draw(&self) -> Picture {
        let mut points: Vec<_> = self.texts.iter().map(|&(x, y, _)| (x, y)).collect();
        for series in &self.series {
            points.extend_from_slice(&series.points);
        }
        points.retain(|point| self.has_place(point));
        let (xs, ys): (Vec<_>, Vec<_>) = points.into_iter().unzip();
        let mut x = Axis::around(&xs, self.x.scale, self.x.limits);
        let mut y = Axis::around(&ys, self.y.scale, self.y.limits);

        let (width, height) = (self.figsize.0 * INCH, self.figsize.1 * INCH);
        let label = |text: &str| if text.is_empty() { 0.0 } else { LABEL + 4.0 };
        let top = PAD + if self.title.is_empty() { SMALL / 2.0 } else { LABEL + 8.0 };
        let below = SMALL + TICK + 4.0 + label(&self.xlabel) + PAD;
        let inner_height = (height - top - below).max(SHORTEST);
        let numbers = |ticks: &[Tick]| largest(ticks.iter().map(|tick| width_of(&tick.label, SMALL)));
        let fixed = PAD + label(&self.ylabel) + TICK + 6.0;
        let inner_width = |left: f64, right: f64| (width - left - right).max(SHORTEST);
        let (own_x, own_y) = (x, y);
        if self.equal {
            // Labels need room before the axes have their lengths: a first guess tells the labels.
            Axis::equalise(&mut x, &mut y, (inner_width(fixed + 30.0, PAD + 8.0), inner_height));
        }
        let left = fixed + numbers(&y.ticks_up(inner_height, Y_TICK));
        // The last number may stand at the very end of its axis: half of it reaches beyond.
        let last = x.ticks_along(inner_width(left, PAD + 8.0), X_TICK).pop();
        let right = PAD + last.map_or(0.0, |tick| width_of(&tick.label, SMALL) / 2.0).max(8.0);
        let inner_width = inner_width(left, right);
        if self.equal {
            (x, y) = (own_x, own_y);
            Axis::equalise(&mut x, &mut y, (inner_width, inner_height));
        }
        let frame = Frame { left, top, width: inner_width, height: inner_height, x, y };

        let legend = largest(self.legend.iter().map(|name| width_of(&shortened(name), SMALL)));
        let beside = if self.legend.is_empty() { 0.0 } else { SAMPLE + 14.0 + legend };
        let width = left + inner_width + right;
        let high = (top + inner_height + below).max(top + self.legend.len() as f64 * 18.0 + PAD);
        paint(width + beside, high, self.alt(x.ends(), y.ends()), &mut |canvas| {
            self.axes(canvas, &frame, (width, top + inner_height + below));
            let (regions, others): (Vec<_>, Vec<_>) =
                self.series.iter().enumerate().partition(|(_, series)| series.mark == Mark::Region);
            for (index, series) in regions.into_iter().chain(others) {
                self.series(canvas, &frame, index, series);
            }
            for (x, y, words) in self.texts.iter().filter(|&&(x, y, _)| self.has_place(&(x, y))) {
                let place = frame.place((*x, *y));
                if is_inside(&place) {
                    text_beside(canvas, frame.pixel(place), words, width);
                }
            }
            self.legend(canvas, frame.left + frame.width + 12.0, frame.top + 9.0);
        })
    }
}

/// Words to the right of a point, or to the left of it where there is more room, readable whatever they stand on.
fn text_beside(canvas: &mut Canvas, (x, y): (f64, f64), words: &str, width: f64) {
    let (before, after) = (x - 6.0 - PAD, width - x - 6.0 - PAD);
    let left = width_of(words, LABEL) > after && before > after;
    let (x, room, anchor) = if left { (x - 6.0, before, Anchor::End) } else { (x + 6.0, after, Anchor::Start) };
    let y = (y - 8.0).max(LABEL / 2.0 + 1.0);
    let words = fitted(words, LABEL, room);
    let (length, half) = (width_of(words.trim(), LABEL), LABEL / 2.0 + 1.0);
    let start = if left { x - length } else { x };
    canvas.area(&corners(start, y - half, length, 2.0 * half), GROUND, 0.85);
    canvas.text(x, y, &words, Type::new(LABEL, INK, anchor));
}

fn corners(x: f64, y: f64, width: f64, height: f64) -> [(f64, f64); 4] {
    [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
}

impl Plot {
    fn axes(&self, canvas: &mut Canvas, frame: &Frame, (width, height): (f64, f64)) {
        let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
        let grid = Stroke::solid(GRID, 0.8);
        let axis = Stroke::solid(MUTED, 1.0);
        for tick in frame.x.ticks_along(frame.width, X_TICK) {
            let (x, _) = frame.pixel((frame.x.place(tick.at), 0.0));
            canvas.line(&[(x, frame.top), (x, bottom)], grid);
            canvas.line(&[(x, bottom), (x, bottom + TICK)], axis);
            canvas.text(x, bottom + TICK + 2.0 + SMALL / 2.0, &tick.label, Type::new(SMALL, INK, Anchor::Middle));
        }
        for tick in frame.y.ticks_up(frame.height, Y_TICK) {
            let (_, y) = frame.pixel((0.0, frame.y.place(tick.at)));
            canvas.line(&[(frame.left, y), (right, y)], grid);
            canvas.line(&[(frame.left - TICK, y), (frame.left, y)], axis);
            canvas.text(frame.left - TICK - 3.0, y, &tick.label, Type::new(SMALL, INK, Anchor::End));
        }
        canvas.line(&[(frame.left, frame.top), (frame.left, bottom), (right, bottom)], axis);
        let middle = Type::new(LABEL, INK, Anchor::Middle);
        let below = bottom + TICK + 4.0 + SMALL + LABEL / 2.0 + 2.0;
        let (x, y) = (frame.left + frame.width / 2.0, frame.top + frame.height / 2.0);
        for (words, at) in [(&self.xlabel, below), (&self.title, PAD + LABEL / 2.0)] {
            let (x, words) = centred(words, x, width);
            canvas.text(x, at, &words, middle);
        }
        let (y, words) = centred(&self.ylabel, y, height);
        canvas.text(PAD + LABEL / 2.0, y, &words, middle.upright());
    }

    fn series(&self, canvas: &mut Canvas, frame: &Frame, index: usize, series: &Series) {
        let placed: Vec<Option<(f64, f64)>> =
            series.points.iter().map(|point| self.has_place(point).then(|| frame.place(*point))).collect();
        match series.mark {
            Mark::Line => {
                for run in clip::line(&placed) {
                    let pixels: Vec<_> = clip::thinned(&run, frame.width).iter().map(|&p| frame.pixel(p)).collect();
                    canvas.line(&clip::spaced(&pixels), stroke(index));
                }
                for place in clip::alone(&placed).filter(is_inside) {
                    canvas.disc(frame.pixel(place), LINE, COLORS[index % COLORS.len()], None);
                }
            }
            Mark::Points => {
                let pixels = placed.iter().copied().flatten().filter(is_inside).map(|place| frame.pixel(place));
                for pixel in sparse(pixels.collect()) {
                    marker(canvas, pixel, index);
                }
            }
            Mark::Region => {
                let corners: Vec<_> = placed.iter().copied().flatten().collect();
                let mut pixels: Vec<_> =
                    clip::thinned(&clip::area(&corners), frame.width).iter().map(|&p| frame.pixel(p)).collect();
                canvas.area(&pixels, COLORS[index % COLORS.len()], 0.18);
                pixels.extend(pixels.first().copied());
                canvas.line(&pixels, Stroke { width: 1.0, ..stroke(index) });
            }
        }
        if series.points.len() <= MOST_TIPS && series.mark != Mark::Region {
            for (&(x, y), place) in series.points.iter().zip(&placed) {
                if let Some(place) = place.filter(is_inside) {
                    let (px, py) = frame.pixel(place);
                    canvas.tip(px - 5.0, py - 5.0, 10.0, 10.0, &format!("({}, {})", exact(x), exact(y)));
                }
            }
        }
    }

    fn legend(&self, canvas: &mut Canvas, x: f64, top: f64) {
        for (index, (name, series)) in self.legend.iter().zip(&self.series).enumerate() {
            let y = top + 18.0 * index as f64;
            match series.mark {
                Mark::Line => canvas.line(&[(x, y), (x + SAMPLE, y)], stroke(index)),
                Mark::Points => marker(canvas, (x + SAMPLE / 2.0, y), index),
                Mark::Region => {
                    let (a, b) = (x + 3.0, x + SAMPLE - 3.0);
                    canvas.area(&corners(a, y - 5.0, b - a, 10.0), COLORS[index % COLORS.len()], 0.18);
                    canvas.frame(a, y - 5.0, b - a, 10.0, Stroke { width: 1.0, ..stroke(index) });
                }
            }
            canvas.text(x + SAMPLE + 6.0, y, &shortened(name), Type::new(SMALL, INK, Anchor::Start));
        }
    }
}

fn is_inside(&(x, y): &(f64, f64)) -> bool {
    (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
}

fn stroke(index: usize) -> Stroke {
    Stroke { color: COLORS[index % COLORS.len()], width: LINE, dash: DASHES[index % DASHES.len()] }
}

/// `words` as they fit into `length`, and where their middle lies: at `middle` if the ends do not hinder them.
fn centred(words: &str, middle: f64, length: f64) -> (f64, String) {
    let words = fitted(words, LABEL, length - 8.0);
    let half = width_of(&words, LABEL) / 2.0 + 4.0;
    (middle.min(length - half).max(half), words)
}

/// The points without those that others hide: one in half a pixel, or in a larger square where they are too many.
fn sparse(pixels: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept = pixels;
    for side in [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
        let mut seen = HashSet::new();
        kept.retain(|(x, y)| seen.insert(((x / side) as i64, (y / side) as i64)));
        if kept.len() <= MOST_MARKS {
            break;
        }
    }
    kept
}

/// A mark whose form, not only its colour, belongs to the series.
fn marker(canvas: &mut Canvas, (x, y): (f64, f64), index: usize) {
    let color = COLORS[index % COLORS.len()];
    match index % MARKS {
        0 => canvas.disc((x, y), POINT, color, None),
        1 => canvas.area(&[(x, y - 4.4), (x + 4.0, y + 2.8), (x - 4.0, y + 2.8)], color, 1.0),
        2 => canvas.disc((x, y), POINT, color, Some(1.4)),
        3 => canvas.area(&corners(x - 3.0, y - 3.0, 6.0, 6.0), color, 1.0),
        _ => canvas.area(&[(x, y - 4.6), (x + 3.4, y), (x, y + 4.6), (x - 3.4, y)], color, 1.0),
    }
}
