//! A plot's shapes.

use std::collections::HashSet;

use super::super::canvas::{Anchor, Canvas, GRID, INK, LABEL, MUTED, SMALL, Stroke, Type, paint, shortened, width_of};
use super::super::colormap::Rgb;
use super::super::ticks::Tick;
use super::super::{Draw, INCH, PAD, Picture};
use super::axis::Axis;
use super::{Mark, Plot, Series, clip};

/// Colours that stay apart for colour-blind readers, each at least 3:1 on white; the pattern tells them apart too.
const COLORS: [Rgb; 6] = [
    [0x00, 0x72, 0xb2],
    [0xc8, 0x50, 0x00],
    [0x00, 0x7a, 0x5a],
    [0xaa, 0x33, 0x77],
    [0x44, 0x4b, 0x53],
    [0x86, 0x6a, 0x00],
];
const DASHES: [(f64, f64); 6] = [(0.0, 0.0), (7.0, 3.5), (2.0, 2.5), (12.0, 3.0), (4.0, 2.0), (1.2, 3.5)];
const LINE: f64 = 1.8;
const POINT: f64 = 3.2;
const TICK: f64 = 3.5;
/// Points of a series with tooltips.
const MOST_TIPS: usize = 500;
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
        let values = |of: fn(&(f64, f64)) -> f64| {
            let texts = self.texts.iter().map(|&(x, y, _)| (x, y));
            let points = self.series.iter().flat_map(|series| &series.points).copied().chain(texts);
            points.filter(|point| self.has_place(point)).map(move |point| of(&point)).collect::<Vec<_>>()
        };
        let mut x = Axis::around(values(|p| p.0).into_iter(), self.x.scale, self.x.limits);
        let mut y = Axis::around(values(|p| p.1).into_iter(), self.y.scale, self.y.limits);

        let (width, height) = (self.figsize.0 * INCH, self.figsize.1 * INCH);
        let label = |text: &str| if text.is_empty() { 0.0 } else { LABEL + 4.0 };
        let top = PAD + if self.title.is_empty() { SMALL / 2.0 } else { LABEL + 8.0 };
        let inner_height = (height - top - SMALL - TICK - 4.0 - label(&self.xlabel) - PAD).max(20.0);
        let rows = (inner_height / 32.0) as usize + 1;
        let numbers = |ticks: &[Tick]| ticks.iter().map(|tick| width_of(&tick.label, SMALL)).fold(0.0, f64::max);
        let left = PAD + label(&self.ylabel) + numbers(&y.ticks(rows)).max(numbers(&[tick_for(&y)])) + TICK + 6.0;
        let inner_width = (width - left - PAD - 8.0).max(20.0);
        if self.equal {
            Axis::equalise(&mut x, &mut y, (inner_width, inner_height));
        }
        let frame = Frame { left, top, width: inner_width, height: inner_height, x, y };

        let legend = self.legend.iter().map(|name| width_of(&shortened(name), SMALL)).fold(0.0, f64::max);
        let beside = if self.legend.is_empty() { 0.0 } else { SAMPLE + 14.0 + legend };
        let high = height.max(top + self.legend.len() as f64 * 18.0 + PAD);
        paint(width + beside, high, self.alt(x.ends(), y.ends()), |canvas| {
            self.axes(canvas, &frame);
            for (index, series) in self.series.iter().enumerate() {
                self.series(canvas, &frame, index, series);
            }
            for (x, y, words) in self.texts.iter().filter(|&&(x, y, _)| self.has_place(&(x, y))) {
                let at = frame.pixel(frame.place((*x, *y)));
                canvas.text(at.0 + 6.0, at.1 - 8.0, words, Type::new(LABEL, INK, Anchor::Start));
            }
            self.legend(canvas, frame.left + frame.width + 12.0, frame.top + 9.0);
        })
    }
}

/// The tick that is likely to be the widest.
fn tick_for(axis: &Axis) -> Tick {
    Tick { at: axis.ends().0, label: axis.ticks(3).pop().map(|tick| tick.label).unwrap_or_default() }
}

impl Plot {
    fn axes(&self, canvas: &mut Canvas, frame: &Frame) {
        let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
        let grid = Stroke::solid(GRID, 0.8);
        let axis = Stroke::solid(MUTED, 1.0);
        let columns = (frame.width / 52.0) as usize + 1;
        for tick in frame.x.ticks(columns) {
            let (x, _) = frame.pixel((frame.x.place(tick.at), 0.0));
            canvas.line(&[(x, frame.top), (x, bottom)], grid);
            canvas.line(&[(x, bottom), (x, bottom + TICK)], axis);
            canvas.text(x, bottom + TICK + 2.0 + SMALL / 2.0, &tick.label, Type::new(SMALL, INK, Anchor::Middle));
        }
        for tick in frame.y.ticks((frame.height / 32.0) as usize + 1) {
            let (_, y) = frame.pixel((0.0, frame.y.place(tick.at)));
            canvas.line(&[(frame.left, y), (right, y)], grid);
            canvas.line(&[(frame.left - TICK, y), (frame.left, y)], axis);
            canvas.text(frame.left - TICK - 3.0, y, &tick.label, Type::new(SMALL, INK, Anchor::End));
        }
        canvas.line(&[(frame.left, frame.top), (frame.left, bottom), (right, bottom)], axis);
        let middle = Type::new(LABEL, INK, Anchor::Middle);
        let below = bottom + TICK + 4.0 + SMALL + LABEL / 2.0 + 2.0;
        canvas.text(frame.left + frame.width / 2.0, below, &self.xlabel, middle);
        canvas.text(PAD + LABEL / 2.0, frame.top + frame.height / 2.0, &self.ylabel, middle.upright());
        canvas.text(frame.left + frame.width / 2.0, PAD + LABEL / 2.0, &self.title, middle);
    }

    fn series(&self, canvas: &mut Canvas, frame: &Frame, index: usize, series: &Series) {
        let placed: Vec<Option<(f64, f64)>> =
            series.points.iter().map(|point| self.has_place(point).then(|| frame.place(*point))).collect();
        match series.mark {
            Mark::Line => {
                for run in clip::line(&placed) {
                    let pixels: Vec<_> = clip::thinned(&run, frame.width).iter().map(|&p| frame.pixel(p)).collect();
                    canvas.line(&pixels, stroke(index));
                }
                for place in clip::alone(&placed).filter(is_inside) {
                    canvas.disc(frame.pixel(place), LINE, COLORS[index % COLORS.len()], None);
                }
            }
            Mark::Points => {
                let mut seen = HashSet::new();
                for place in placed.iter().copied().flatten().filter(is_inside) {
                    let pixel = frame.pixel(place);
                    // Points nearer than half a pixel look like one.
                    if seen.insert(((pixel.0 * 2.0) as i64, (pixel.1 * 2.0) as i64)) {
                        marker(canvas, pixel, index);
                    }
                }
            }
            Mark::Region => {
                let corners: Vec<_> = placed.iter().copied().flatten().collect();
                let mut pixels: Vec<_> = clip::area(&corners).iter().map(|&p| frame.pixel(p)).collect();
                canvas.area(&pixels, COLORS[index % COLORS.len()], 0.18);
                pixels.extend(pixels.first().copied());
                canvas.line(&pixels, Stroke { width: 1.0, ..stroke(index) });
            }
        }
        if series.points.len() <= MOST_TIPS && series.mark != Mark::Region {
            for (&(x, y), place) in series.points.iter().zip(&placed) {
                if let Some(place) = place.filter(is_inside) {
                    let (px, py) = frame.pixel(place);
                    canvas.tip(px - 5.0, py - 5.0, 10.0, 10.0, &format!("({x}, {y})"));
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
                    let corners = [(a, y - 5.0), (b, y - 5.0), (b, y + 5.0), (a, y + 5.0)];
                    canvas.area(&corners, COLORS[index % COLORS.len()], 0.18);
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

/// A mark whose form, not only its colour, belongs to the series.
fn marker(canvas: &mut Canvas, (x, y): (f64, f64), index: usize) {
    let color = COLORS[index % COLORS.len()];
    match index % 4 {
        0 => canvas.disc((x, y), POINT, color, None),
        1 => canvas.area(&[(x, y - 4.4), (x + 4.0, y + 2.8), (x - 4.0, y + 2.8)], color, 1.0),
        2 => canvas.disc((x, y), POINT, color, Some(1.4)),
        _ => canvas.area(&[(x - 3.0, y - 3.0), (x + 3.0, y - 3.0), (x + 3.0, y + 3.0), (x - 3.0, y + 3.0)], color, 1.0),
    }
}
