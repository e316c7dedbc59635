//! A sheet to draw on: plotters' SVG backend, addressed in CSS pixels and finished as a [`Picture`].
//!
//! plotters draws on whole pixels and cannot write tooltips or embedded pictures. The sheet is therefore ten times
//! finer than a pixel, and cells go to a layer of their own beneath what plotters draws.

use std::fmt::Write as _;

use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Picture;
use super::colormap::Rgb;
use super::dashes::dashes;
use crate::display::{escape, printable};

/// Units of the sheet in one CSS pixel.
pub(super) const FINE: f64 = 10.0;
/// plotters divides font sizes by this before it writes them.
const PLOTTERS_FONT: f64 = 1.24;
/// A line of more dashes than this is drawn solid: it would be many times larger, and look solid anyway.
const MOST_DASHES: usize = 1_000;

pub(super) const INK: Rgb = [0x1f, 0x23, 0x28];
pub(super) const MUTED: Rgb = [0x57, 0x60, 0x6a];
pub(super) const GRID: Rgb = [0xe3, 0xe6, 0xea];
/// Size of tick labels in pixels; axis labels and titles are [`LABEL`].
pub(super) const SMALL: f64 = 10.5;
pub(super) const LABEL: f64 = 12.0;
/// Width of a box's outline.
const OUTLINE: f64 = 0.8;
/// Length of a tick.
pub(super) const TICK: f64 = 3.5;

/// Where a text's anchor lies.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub size: f64,
    pub color: Rgb,
    pub anchor: Anchor,
    pub bold: bool,
    /// Read upwards, as a vertical axis' label is.
    pub upright: bool,
}

impl Type {
    pub fn new(size: f64, color: Rgb, anchor: Anchor) -> Self {
        Self { size, color, anchor, bold: false, upright: false }
    }

    pub fn upright(self) -> Self {
        Self { upright: true, ..self }
    }

    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }
}

/// A stroke: its colour, width in pixels, and lengths of dash and gap (a gap of zero draws a solid line).
#[derive(Clone, Copy)]
pub(super) struct Stroke {
    pub color: Rgb,
    pub width: f64,
    pub dash: (f64, f64),
}

impl Stroke {
    pub fn solid(color: Rgb, width: f64) -> Self {
        Self { color, width, dash: (0.0, 0.0) }
    }

    fn style(&self) -> ShapeStyle {
        color(self.color).stroke_width((self.width * FINE).round() as u32)
    }
}

/// The sheet. `under` collects what plotters cannot draw.
pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
    under: String,
}

/// Draws a picture of `width` x `height` pixels whose words, for whoever cannot see it, are `alt`.
pub(super) fn paint(width: f64, height: f64, alt: String, draw: &mut dyn FnMut(&mut Canvas)) -> Picture {
    let (width, height) = (width.ceil(), height.ceil());
    let mut drawn = String::new();
    let mut canvas = Canvas {
        backend: SVGBackend::with_string(&mut drawn, ((width * FINE) as u32, (height * FINE) as u32)),
        under: String::new(),
    };
    draw(&mut canvas);
    written(canvas.backend.present());
    // Crisp edges: neighbouring cells meet without a seam at every zoom.
    let under = format!("<g pointer-events=\"all\" shape-rendering=\"crispEdges\">\n{}</g>\n", canvas.under);
    drop(canvas);
    // plotters wrote its own root around the shapes: only what stands inside it is kept.
    let shapes = drawn.find('>').map_or("", |end| drawn[end + 1..].trim().trim_end_matches("</svg>"));
    Picture { width, height, alt, view: (width * FINE, height * FINE), body: format!("{under}{shapes}") }
}

impl Canvas<'_> {
    /// A filled rectangle that shows `tip` under the pointer.
    pub fn cell(&mut self, x: f64, y: f64, width: f64, height: f64, fill: Rgb, tip: &str) {
        let path = rectangle(x, y, width, height, fill);
        let _ = writeln!(self.under, "{path}><title>{}</title></path>", escape(tip));
    }

    /// A filled rectangle with an outline that shows `tip` under the pointer.
    pub fn boxed(&mut self, x: f64, y: f64, width: f64, height: f64, fill: Rgb, tip: &str) {
        let (path, stroke) = (rectangle(x, y, width, height, fill), hex(MUTED));
        let _ = writeln!(
            self.under,
            "{path} stroke=\"{stroke}\" stroke-width=\"{}\"><title>{}</title></path>",
            OUTLINE * FINE,
            escape(tip)
        );
    }

    /// Thin lines in the lower layer, as one shape that leaves the pointer to what lies below it.
    pub fn hatch(&mut self, lines: &[[(f64, f64); 2]]) {
        let path: String = lines
            .iter()
            .map(|[from, to]| format!("M{} {}L{} {}", fine(from.0), fine(from.1), fine(to.0), fine(to.1)))
            .collect();
        if !path.is_empty() {
            let (stroke, width) = (hex(MUTED), OUTLINE * FINE);
            let _ = writeln!(
                self.under,
                "<path d=\"{path}\" stroke=\"{stroke}\" stroke-width=\"{width}\" pointer-events=\"none\" \
                 shape-rendering=\"auto\"/>"
            );
        }
    }

    /// Shows `tip` under the pointer over the rectangle.
    pub fn tip(&mut self, x: f64, y: f64, width: f64, height: f64, tip: &str) {
        let (x, y, width, height) = (fine(x), fine(y), fine(width), fine(height));
        let tip = escape(tip);
        let _ = writeln!(
            self.under,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\"><title>{tip}</title></rect>"
        );
    }

    /// An embedded picture stretched over the rectangle, its pixels kept sharp.
    pub fn image(&mut self, x: f64, y: f64, width: f64, height: f64, png: &[u8]) {
        let _ = writeln!(
            self.under,
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" href=\"{}\"/>",
            fine(x),
            fine(y),
            fine(width),
            fine(height),
            super::data_uri("image/png", png)
        );
    }

    /// A filled rectangle in the lower layer.
    pub fn fill(&mut self, x: f64, y: f64, width: f64, height: f64, fill: Rgb) {
        let path = rectangle(x, y, width, height, fill);
        let _ = writeln!(self.under, "{path}/>");
    }

    /// A rectangle's outline.
    pub fn frame(&mut self, x: f64, y: f64, width: f64, height: f64, stroke: Stroke) {
        self.line(&[(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)], stroke);
    }

    /// A line through `points`.
    pub fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let style = stroke.style();
        let length: f64 = points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum();
        if stroke.dash.1 <= 0.0 || length > (stroke.dash.0 + stroke.dash.1) * MOST_DASHES as f64 {
            written(self.backend.draw_path(points.iter().map(|&p| at(p)), &style));
            return;
        }
        for piece in dashes(points, stroke.dash) {
            written(self.backend.draw_path(piece.iter().map(|&p| at(p)), &style));
        }
    }

    /// A filled area with straight edges; `opacity` from 0 (clear) to 1.
    pub fn area(&mut self, points: &[(f64, f64)], fill: Rgb, opacity: f64) {
        let style = color(fill).mix(opacity).filled();
        written(self.backend.fill_polygon(points.iter().map(|&p| at(p)), &style));
    }

    /// A disc, or a ring where `stroke` is a width.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, ink: Rgb, ring: Option<f64>) {
        let style = ShapeStyle {
            color: color(ink).to_rgba(),
            filled: ring.is_none(),
            stroke_width: (ring.unwrap_or(0.0) * FINE).round() as u32,
        };
        written(self.backend.draw_circle(at((x, y)), (radius * FINE).round() as u32, &style, ring.is_none()));
    }

    /// An arrow from `from` to `to` with a filled head.
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length < 1e-9 {
            return;
        }
        let head = (5.0 + 1.5 * stroke.width).min(length);
        let (ux, uy) = (dx / length, dy / length);
        let neck = (to.0 - ux * head, to.1 - uy * head);
        let half = head * 0.45;
        self.line(&[from, (to.0 - ux * head * 0.8, to.1 - uy * head * 0.8)], stroke);
        self.area(
            &[to, (neck.0 - uy * half, neck.1 + ux * half), (neck.0 + uy * half, neck.1 - ux * half)],
            stroke.color,
            1.0,
        );
    }

    /// One line of text, vertically centred on `y`.
    pub fn text(&mut self, x: f64, y: f64, text: &str, set: Type) {
        if text.trim().is_empty() {
            return;
        }
        let font = FontDesc::new(
            FontFamily::SansSerif,
            set.size * FINE * PLOTTERS_FONT,
            if set.bold { FontStyle::Bold } else { FontStyle::Normal },
        )
        .transform(if set.upright { FontTransform::Rotate270 } else { FontTransform::None });
        let h_pos = match set.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let ink = color(set.color);
        let style = TextStyle::from(font).color(&ink).pos(Pos::new(h_pos, VPos::Center));
        written(self.backend.draw_text(&printable(text), &style, at((x, y))));
    }
}

/// Drawing into a string cannot fail: an error here is a mistake in this module.
fn written<E: std::fmt::Debug>(result: Result<(), E>) {
    result.expect("an SVG in memory can always be written");
}

fn fine(pixels: f64) -> i64 {
    (pixels * FINE).round() as i64
}

fn at((x, y): (f64, f64)) -> (i32, i32) {
    (fine(x) as i32, fine(y) as i32)
}

fn color([r, g, b]: Rgb) -> RGBColor {
    RGBColor(r, g, b)
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// A filled rectangle's tag, still open.
fn rectangle(x: f64, y: f64, width: f64, height: f64, fill: Rgb) -> String {
    let (x0, y0, x1, y1) = (fine(x), fine(y), fine(x + width), fine(y + height));
    format!("<path d=\"M{x0} {y0}H{x1}V{y1}H{x0}z\" fill=\"{}\"", hex(fill))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let picture = paint(10.0, 10.0, String::new(), &mut |canvas| {
            canvas.text(1.0, 1.0, "<script>&\"'\u{0}\n🦀", Type::new(SMALL, INK, Anchor::Start));
            canvas.cell(0.0, 0.0, 1.0, 1.0, INK, "</title><script>");
        });
        assert!(!picture.body.contains("<script"));
        assert!(!picture.body.contains('\u{0}'));
        assert!(picture.body.contains('🦀'));
    }
}
