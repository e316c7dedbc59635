//! A heatmap figure's shapes.

use ndarray::{ArrayView2, Axis};

use super::super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, SMALL, Stroke, TICK, Type, paint};
use super::super::colormap::{Rgb, readable_on};
use super::super::ticks::{exact, fraction, places, rounded};
use super::super::words::{fitted, name_of, shortened};
use super::super::{Draw, PAD, Picture, picture};
use super::Heatmaps;
use super::apart::Apart;
use super::layout::{BAR, LEGEND, Layout, TICK_ROOM, widest};

const FRAME: Stroke = Stroke { color: MUTED, width: 0.8, dash: (0.0, 0.0) };

impl Draw for Heatmaps {
    fn draw(&self) -> Picture {
        let layout = Layout::of(self);
        let note = self.note(layout.cell);
        let (rows, columns, ..) = self.panels.dim();
        paint(layout.width, layout.height, self.alt(layout.scale, note.as_deref()), &mut |canvas| {
            for row in 0..rows {
                for column in 0..columns {
                    let corner = (layout.left + layout.step.0 * column as f64, layout.top + layout.step.1 * row as f64);
                    self.panel(canvas, &layout, corner, row, column);
                }
            }
            let label = Type::new(LABEL, INK, Anchor::Middle);
            let (left, top, (wide, high)) = (layout.left, layout.top, layout.panels);
            if layout.once.0 {
                canvas.text(left + wide / 2.0, top + high + layout.drop.0, &layout.labels.0, label);
            }
            if layout.once.1 {
                canvas.text(left - layout.drop.1, top + high / 2.0, &layout.labels.1, label.upright());
            }
            self.bar(canvas, &layout);
            if let Some(note) = &note {
                let y = layout.height - SMALL / 2.0 - 4.0;
                canvas.text(PAD, y, note, Type::new(SMALL, MUTED, Anchor::Start));
            }
        })
    }
}

impl Heatmaps {
    fn panel(&self, canvas: &mut Canvas, layout: &Layout, (x, y): (f64, f64), row: usize, column: usize) {
        let rows = self.panels.dim().0;
        let matrix = self.matrix(row, column);
        let (wide, high) = layout.panel;
        match self.block(layout.cell) {
            Some(block) => {
                let (columns, pixels) = averaged(matrix, block, &|value| self.color(value, layout.scale));
                canvas.image(x, y, wide, high, &picture::png(columns, &pixels));
            }
            None => self.cells(canvas, layout, (x, y), matrix),
        }
        canvas.frame(x, y, wide, high, FRAME);
        if let Some(title) = self.title(row, column) {
            let short = fitted(title, LABEL, layout.title_room);
            canvas.text(x + wide / 2.0, y - 4.0 - LABEL / 2.0, &short, Type::new(LABEL, INK, Anchor::Middle));
            if short != title {
                canvas.tip(x, y - 4.0 - LABEL, wide, LABEL, title);
            }
        }
        let (last, first) = (row + 1 == rows, column == 0);
        self.ticks(canvas, layout, (x, y), last, first);
        let label = Type::new(LABEL, INK, Anchor::Middle);
        if last && !layout.once.0 {
            canvas.text(x + wide / 2.0, y + high + layout.drop.0, &layout.labels.0, label);
        }
        if first && !layout.once.1 {
            canvas.text(x - layout.drop.1, y + high / 2.0, &layout.labels.1, label.upright());
        }
    }

    fn cells(&self, canvas: &mut Canvas, layout: &Layout, (x, y): (f64, f64), matrix: ArrayView2<f64>) {
        let (wide, high) = layout.cell;
        for ((query, key), &value) in matrix.indexed_iter() {
            let (left, top) = (x + wide * key as f64, y + high * query as f64);
            let tip = format!(
                "{}, {}: {}",
                name_of(&self.y_tick_labels, query),
                name_of(&self.x_tick_labels, key),
                exact(value)
            );
            let fill = self.color(value, layout.scale);
            canvas.cell(left, top, wide, high, fill, &tip);
            if let Some(decimals) = self.decimals {
                let set = Type::new(SMALL, readable_on(fill), Anchor::Middle);
                canvas.text(left + wide / 2.0, top + high / 2.0, &rounded(value, decimals), set);
            }
        }
    }

    /// Ticks at the centres of the cells; every panel has the ticks, the outer ones their labels.
    fn ticks(&self, canvas: &mut Canvas, layout: &Layout, (x, y): (f64, f64), below: bool, left: bool) {
        let (_, _, queries, keys) = self.panels.dim();
        let mark = Stroke::solid(MUTED, 0.8);
        let room = if layout.upright { SMALL + 2.0 } else { widest(&self.x_tick_labels, keys) + 6.0 };
        for key in places(keys, layout.cell.0, room) {
            let (at, edge) = (x + layout.cell.0 * (key as f64 + 0.5), y + layout.panel.1);
            canvas.line(&[(at, edge), (at, edge + TICK)], mark);
            let label = shortened(&name_of(&self.x_tick_labels, key));
            if below && layout.upright {
                canvas.text(at, edge + TICK_ROOM, &label, Type::new(SMALL, INK, Anchor::End).upright());
            } else if below {
                let set = Type::new(SMALL, INK, Anchor::Middle);
                canvas.text(at, edge + TICK_ROOM + SMALL / 2.0, &label, set);
            }
        }
        for query in places(queries, layout.cell.1, SMALL + 2.0) {
            let at = y + layout.cell.1 * (query as f64 + 0.5);
            canvas.line(&[(x - TICK, at), (x, at)], mark);
            if left {
                let label = shortened(&name_of(&self.y_tick_labels, query));
                canvas.text(x - TICK_ROOM, at, &label, Type::new(SMALL, INK, Anchor::End));
            }
        }
    }

    /// The colour bar that all panels share, and what the colours outside it mean.
    fn bar(&self, canvas: &mut Canvas, layout: &Layout) {
        let x = layout.bar_left;
        let (high, top) = layout.bar;
        let scale = layout.scale;
        let mut legend = top;
        if scale.0.is_finite() {
            let levels: Vec<Rgb> = (0..256).rev().map(|level| self.map.color(level as f64 / 255.0)).collect();
            if scale.0 < scale.1 {
                canvas.image(x, top, BAR, high, &picture::png(1, &levels));
            } else {
                canvas.fill(x, top, BAR, high, self.color(scale.0, scale));
            }
            canvas.frame(x, top, BAR, high, FRAME);
            for tick in &layout.bar_ticks {
                let share = if scale.0 < scale.1 { fraction(tick.at, scale.0, scale.1) } else { 0.5 };
                let y = top + high * (1.0 - share);
                canvas.line(&[(x + BAR, y), (x + BAR + TICK, y)], Stroke::solid(MUTED, 0.8));
                canvas.text(x + BAR + TICK_ROOM, y, &tick.label, Type::new(SMALL, INK, Anchor::Start));
            }
            legend += high + 6.0;
        }
        for kind in self.apart() {
            canvas.fill(x, legend, BAR, LEGEND - 5.0, kind.color());
            canvas.frame(x, legend, BAR, LEGEND - 5.0, FRAME);
            let set = Type::new(SMALL, INK, Anchor::Start);
            canvas.text(x + BAR + TICK_ROOM, legend + LEGEND / 2.0 - 2.5, &kind.name(), set);
            legend += LEGEND;
        }
    }
}

/// Means over blocks of entries as colours, and how many there are in a row. A block with an entry apart is apart.
fn averaged(matrix: ArrayView2<f64>, (high, wide): (usize, usize), color: &dyn Fn(f64) -> Rgb) -> (usize, Vec<Rgb>) {
    let (down, across) = (matrix.nrows().div_ceil(high), matrix.ncols().div_ceil(wide));
    let mut pixels = Vec::with_capacity(down * across);
    for band in matrix.axis_chunks_iter(Axis(0), high) {
        for block in band.axis_chunks_iter(Axis(1), wide) {
            pixels.push(color(mean(block)));
        }
    }
    (across, pixels)
}

fn mean(block: ArrayView2<f64>) -> f64 {
    let count = block.len() as f64;
    let apart = block.iter().copied().find(|&value| Apart::of(value).is_some());
    // Divided first where the sum is beyond a double.
    apart.unwrap_or_else(|| match block.sum() / count {
        mean if mean.is_finite() => mean,
        _ => block.iter().map(|value| value / count).sum::<f64>().clamp(f64::MIN, f64::MAX),
    })
}
