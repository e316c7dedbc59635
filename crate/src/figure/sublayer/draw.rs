//! Where the matrices of a sublayer stand: the input above, the heads side by side, and their sum below.

use super::super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, Stroke, Type, paint};
use super::super::matrices::block::LaidOut;
use super::super::words::{fitted, join, largest, width_of};
use super::super::{Draw, PAD, PAGE, Picture};
use super::{Head, Sublayer};

const SIGN: f64 = 13.0;
/// Pixels on either side of a sign, between two lines of a head, between heads, and for an arrow.
const BESIDE: f64 = 6.0;
const LINES: f64 = 10.0;
const BETWEEN: f64 = 14.0;
const ARROW: f64 = 30.0;
/// Between a head's frame and what it holds.
const INSIDE: f64 = 8.0;

/// A head with its measures.
struct Part<'a> {
    projections: Vec<LaidOut<'a>>,
    projected: Vec<LaidOut<'a>>,
    weights: LaidOut<'a>,
    mixture: LaidOut<'a>,
    /// Room for `X ·` and its projection, for `=` and what is projected, and for weights and mixture.
    columns: [f64; 3],
    /// Middles of the three lines, from the upper end.
    middles: [f64; 3],
    title: f64,
    width: f64,
    height: f64,
}

impl<'a> Part<'a> {
    fn of(head: &'a Head, decimals: Option<usize>, title: f64) -> Self {
        let [projections, projected] = [&head.projections, &head.projected]
            .map(|blocks| blocks.iter().map(|block| block.laid_out(decimals)).collect::<Vec<_>>());
        let (weights, mixture) = (head.weights.laid_out(decimals), head.mixture.laid_out(decimals));
        let widest = |blocks: &[LaidOut]| largest(blocks.iter().map(|block| block.width));
        let columns = [
            width_of("X ·", SIGN) + BESIDE + widest(&projections),
            width_of("=", SIGN) + 2.0 * BESIDE + widest(&projected),
            ARROW + weights.width.max(mixture.width),
        ];
        let (mut middles, mut bottom) = ([0.0; 3], INSIDE + title);
        for (line, middle) in middles.iter_mut().enumerate() {
            let pair = [&projections[line], &projected[line]];
            *middle = bottom + largest(pair.iter().map(|block| block.above));
            bottom = *middle + largest(pair.iter().map(|block| block.below)) + LINES;
        }
        // The mixture stands on the values' line; it must not meet the weights above it.
        let weights_end = (middles[0] + middles[1]) / 2.0 + weights.below;
        middles[2] += (weights_end + ARROW / 2.0 + mixture.above - middles[2]).max(0.0);
        let last = [&projections[2], &projected[2], &mixture];
        let height = middles[2] + largest(last.iter().map(|block| block.below)) + INSIDE;
        let width = columns.iter().sum::<f64>() + 2.0 * INSIDE;
        Self { projections, projected, weights, mixture, columns, middles, title, width, height }
    }

    fn draw(&self, canvas: &mut Canvas, (left, top): (f64, f64), title: &str) {
        canvas.frame(left, top, self.width, self.height, Stroke::solid(MUTED, 1.0));
        let bold = Type::new(LABEL, INK, Anchor::Start).bold();
        let short = fitted(title, LABEL, self.width - 2.0 * INSIDE);
        canvas.text(left + INSIDE, top + INSIDE + LABEL / 2.0, &short, bold);
        if short != title {
            canvas.tip(left, top, self.width, INSIDE + self.title, title);
        }
        let sign = Type::new(SIGN, INK, Anchor::End);
        let second = left + INSIDE + self.columns[0];
        let third = second + self.columns[1] + ARROW;
        for line in 0..3 {
            let (y, projection, projected) = (top + self.middles[line], &self.projections[line], &self.projected[line]);
            let from = second - projection.width;
            canvas.text(from - BESIDE, y, "X ·", sign);
            projection.draw(canvas, from, y);
            canvas.text(second + BESIDE + width_of("=", SIGN), y, "=", sign);
            projected.draw(canvas, third - ARROW - projected.width, y);
        }
        let weights_middle = top + (self.middles[0] + self.middles[1]) / 2.0;
        let mixture_middle = top + self.middles[2];
        let axis = third + self.weights.width.max(self.mixture.width) / 2.0;
        let (weights, mixture) = (axis - self.weights.width / 2.0, axis - self.mixture.width / 2.0);
        self.weights.draw(canvas, weights, weights_middle);
        self.mixture.draw(canvas, mixture, mixture_middle);
        let thin = Stroke::solid(MUTED, 1.4);
        // Ends at the blocks' edges, so that no arrow crosses a title that is wider than its boxes.
        let ends = [(weights, weights_middle - 6.0), (weights, weights_middle + 6.0), (mixture, mixture_middle)];
        for (line, (x, y)) in ends.into_iter().enumerate() {
            let projected = &self.projected[line];
            let (_, from) = projected.sides(third - ARROW - projected.width);
            canvas.arrow((from + 3.0, top + self.middles[line]), (x - 3.0, y), thin);
        }
        let down = weights_middle + self.weights.below;
        canvas.arrow((axis, down), (axis, mixture_middle - self.mixture.above - 1.0), thin);
    }
}

impl Draw for Sublayer {
    fn draw(&self) -> Picture {
        let title = if self.names.is_empty() { 0.0 } else { LABEL + 4.0 };
        let parts: Vec<Part> = self.heads.iter().map(|head| Part::of(head, self.decimals, title)).collect();
        let x = self.x.laid_out(self.decimals);
        let end: Vec<LaidOut> = self.end.iter().map(|block| block.laid_out(self.decimals)).collect();
        let signs = ["", "·", "=", "+ X ="];
        let rooms = signs.map(|sign| if sign.is_empty() { 0.0 } else { width_of(sign, SIGN) + 2.0 * BESIDE });
        let end_width = end.iter().map(|block| block.width).sum::<f64>() + rooms.iter().sum::<f64>();

        // Heads side by side as far as the page reaches, then in further rows.
        let head = largest(parts.iter().map(|part| part.width));
        let across = (((PAGE + BETWEEN) / (head + BETWEEN)) as usize).clamp(1, parts.len());
        let heads_width = (head + BETWEEN) * across as f64 - BETWEEN;
        // On the right a line of its own takes the input past the heads.
        let inner = heads_width.max(end_width).max(x.width);
        let (left, width) = (PAD, inner + ARROW + 2.0 * PAD);
        let middle = left + inner / 2.0;
        let mut top = PAD + x.above + x.below + ARROW;
        let x_middle = PAD + x.above;
        let mut corners = Vec::with_capacity(parts.len());
        for row in parts.chunks(across) {
            let row_width = row.iter().map(|part| part.width + BETWEEN).sum::<f64>() - BETWEEN;
            let mut at = middle - row_width / 2.0;
            for part in row {
                corners.push((at, top));
                at += part.width + BETWEEN;
            }
            top += largest(row.iter().map(|part| part.height)) + ARROW;
        }
        let above = largest(end.iter().map(|block| block.above));
        let below = largest(end.iter().map(|block| block.below));
        let end_middle = top + above;
        paint(width, end_middle + below + PAD, self.alt(), &mut |canvas| {
            x.draw(canvas, middle - x.width / 2.0, x_middle);
            let mut at = middle - end_width / 2.0;
            for ((block, room), sign) in end.iter().zip(rooms).zip(signs) {
                canvas.text(at + room / 2.0, end_middle, sign, Type::new(SIGN, INK, Anchor::Middle));
                block.draw(canvas, at + room, end_middle);
                at += room + block.width;
            }
            let thin = Stroke::solid(MUTED, 1.4);
            let concatenated = (middle - end_width / 2.0 + end[0].width / 2.0, top - 2.0);
            for (index, (part, &(x0, y0))) in parts.iter().zip(&corners).enumerate() {
                // Across several rows the names say it better than arrows over other heads.
                if across == parts.len() {
                    canvas.arrow((middle, x_middle + x.below), (x0 + part.width / 2.0, y0 - 1.0), thin);
                    canvas.arrow((x0 + part.width / 2.0, y0 + part.height), concatenated, thin);
                }
                part.draw(canvas, (x0, y0), self.names.get(index).map_or("", String::as_str));
            }
            // The residual connection: the input reaches the sum unchanged.
            let rail = width - PAD - 6.0;
            let from = x.sides(middle - x.width / 2.0).1 + 4.0;
            let thick = Stroke::solid(INK, 2.2);
            canvas.line(&[(from, x_middle), (rail, x_middle), (rail, end_middle)], thick);
            canvas.arrow((rail, end_middle), (at + 4.0, end_middle), thick);
        })
    }
}

impl Sublayer {
    /// Every matrix in the order in which it is computed.
    fn alt(&self) -> String {
        let heads = self.heads.iter().flat_map(|head| {
            let pairs = head.projections.iter().zip(&head.projected).flat_map(|(a, b)| [a, b]);
            pairs.chain([&head.weights, &head.mixture])
        });
        let blocks = std::iter::once(&self.x).chain(heads).chain(&self.end);
        join(blocks.map(|block| block.alt(self.decimals)), "; ")
    }
}
