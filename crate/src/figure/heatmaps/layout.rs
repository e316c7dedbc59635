//! Where everything in a heatmap figure stands, in pixels.

use super::super::canvas::{LABEL, SMALL, shortened, width_of};
use super::super::ticks::{self, Tick};
use super::super::{INCH, PAD};
use super::{Heatmaps, MOST_SHAPES, entry};

/// Dots of an embedded picture in one CSS pixel: screens have up to two.
const DENSITY: f64 = 2.0;
/// A panel is never thinner than this, in pixels; only then may cells not be square.
const THINNEST: f64 = 12.0;
/// Side in inches of a whole figure of one panel, as in d2l, and of each panel of several.
const SINGLE: f64 = 2.5;
const SEVERAL: f64 = 1.35;
const BETWEEN: f64 = 12.0;
/// Width of the colour bar and its distance from the panels.
pub(super) const BAR: f64 = 12.0;
const BAR_GAP: f64 = 12.0;
/// Height of a line of the legend below the bar.
pub(super) const LEGEND: f64 = 17.0;
/// Length of a tick and the room between it and its label.
pub(super) const TICK: f64 = 3.5;
pub(super) const TICK_ROOM: f64 = 6.0;

pub(super) struct Layout {
    pub width: f64,
    pub height: f64,
    /// Corner of the first panel.
    pub left: f64,
    pub top: f64,
    pub panel: (f64, f64),
    pub cell: (f64, f64),
    /// From one panel's corner to the next one's, across and down.
    pub step: (f64, f64),
    /// Key labels stand upright because side by side they would meet.
    pub upright: bool,
    /// All panels with the room between them.
    pub panels: (f64, f64),
    /// The axis labels of neighbouring panels would meet: one stands for all, across and down.
    pub once: (bool, bool),
    /// Distance of the axis labels' centres from the panels, below and to the left.
    pub drop: (f64, f64),
    /// The bar's height and its upper end.
    pub bar: (f64, f64),
    pub bar_left: f64,
    pub bar_ticks: Vec<Tick>,
    /// Values of the palest and strongest colour.
    pub scale: (f64, f64),
}

impl Layout {
    pub fn of(maps: &Heatmaps) -> Self {
        let (rows, columns, queries, keys) = maps.panels.dim();
        let scale = maps.scale();
        let (across, down) = (columns as f64, rows as f64);
        let x_widest = widest(&maps.x_tick_labels, keys);
        let y_widest = widest(&maps.y_tick_labels, queries);
        let title = if maps.titles.is_empty() { 0.0 } else { LABEL + 8.0 };
        let axis_label = |text: &str| if text.is_empty() { 0.0 } else { LABEL + 4.0 };
        let margin = PAD + axis_label(&maps.ylabel) + y_widest + TICK_ROOM;
        let right = BAR_GAP + BAR + TICK_ROOM + bar_label_width(scale) + PAD;
        let row_gap = BETWEEN + title;
        let below = SMALL + TICK_ROOM + axis_label(&maps.xlabel);

        // First the room that a panel may take, then the square cell that fills it.
        let room = |total: f64, count: f64, gap: f64| ((total + gap) / count - gap).max(THINNEST);
        let (wide, high) = match maps.figsize {
            Some((width, height)) => (
                room(width * INCH - margin - right, across, BETWEEN),
                room(height * INCH - PAD - title - below - PAD, down, row_gap),
            ),
            None if rows * columns == 1 => (SINGLE * INCH - 60.0, SINGLE * INCH - 60.0),
            None => (SEVERAL * INCH, SEVERAL * INCH),
        };
        let number = maps.decimals.map_or(0.0, |decimals| {
            maps.panels.iter().map(|&value| width_of(&entry(value, decimals), SMALL)).fold(0.0, f64::max) + 8.0
        });
        let side = (wide / keys as f64).min(high / queries as f64).max(number);
        // Whole pixels where they are many enough: edges stay sharp.
        let side = if side >= 4.0 { side.floor() } else { side };
        let cell = (side.max(THINNEST / keys as f64), side.max(THINNEST / queries as f64));
        let panel = (cell.0 * keys as f64, cell.1 * queries as f64);

        let upright = !maps.x_tick_labels.is_empty() && x_widest + 4.0 > cell.0;
        let under = TICK_ROOM + if upright { x_widest } else { SMALL };
        let step = (panel.0 + BETWEEN, panel.1 + row_gap);
        let (panels_wide, panels_high) = (step.0 * across - BETWEEN, step.1 * down - row_gap);
        // Axis labels that are longer than the panels reach beyond them on both sides.
        let beyond = |label: &str, panels: f64| ((width_of(label, LABEL) - panels) / 2.0).max(0.0);
        let (aside, above) = (beyond(&maps.xlabel, panels_wide), beyond(&maps.ylabel, panels_high));
        let left = margin.max(PAD + aside);
        let top = (PAD + title).max(PAD + above);
        let note = if maps.note(cell).is_some() { SMALL + TICK_ROOM } else { 0.0 };

        // The bar spans three fifths of the panels, as in d2l, but never less than can be read.
        let legend = LEGEND * maps.apart().len() as f64;
        let bar_high = (0.6 * panels_high).max((panels_high - legend).min(90.0)).max(48.0);
        let bar_top = (top + (panels_high - bar_high - legend) / 2.0).max(PAD);
        let bar_ticks = bar_ticks(scale, (bar_high / 18.0).max(3.0) as usize);

        Self {
            width: left + panels_wide + right.max(aside + PAD),
            height: (top + panels_high + under + axis_label(&maps.xlabel) + note).max(bar_top + bar_high + legend)
                + PAD,
            left,
            top,
            panel,
            cell,
            step,
            upright,
            once: (width_of(&maps.xlabel, LABEL) > step.0, width_of(&maps.ylabel, LABEL) > step.1),
            panels: (panels_wide, panels_high),
            drop: (under + axis_label(&maps.xlabel) - LABEL / 2.0, y_widest + TICK_ROOM + 4.0 + LABEL / 2.0),
            bar: (bar_high, bar_top),
            bar_left: left + panels_wide + BAR_GAP,
            bar_ticks,
            scale,
        }
    }
}

impl Heatmaps {
    /// Rows and columns of entries that one dot of an embedded picture stands for; `None` where cells are shapes.
    pub(super) fn block(&self, cell: (f64, f64)) -> Option<(usize, usize)> {
        let block = |pixels: f64| (1.0 / (pixels * DENSITY)).ceil().max(1.0) as usize;
        (self.panels.len() > MOST_SHAPES).then(|| (block(cell.1), block(cell.0)))
    }

    /// What was averaged to fit, in signs that need no translation.
    pub(super) fn note(&self, cell: (f64, f64)) -> Option<String> {
        let (rows, columns) = self.block(cell).filter(|&block| block != (1, 1))?;
        let (_, _, queries, keys) = self.panels.dim();
        let (high, wide) = (queries.div_ceil(rows), keys.div_ceil(columns));
        Some(format!("{queries} × {keys} → {high} × {wide} (⌀ {rows} × {columns})"))
    }
}

/// Room for the labels of one axis: its names, or the numbers of its places.
fn widest(labels: &[String], count: usize) -> f64 {
    if labels.is_empty() {
        return width_of(&(count - 1).to_string(), SMALL);
    }
    labels.iter().map(|label| width_of(&shortened(label), SMALL)).fold(0.0, f64::max)
}

fn bar_ticks((low, high): (f64, f64), most: usize) -> Vec<Tick> {
    if low.is_finite() { ticks::linear(low, high, most) } else { Vec::new() }
}

fn bar_label_width(scale: (f64, f64)) -> f64 {
    bar_ticks(scale, 6).iter().map(|tick| width_of(&tick.label, SMALL)).fold(20.0, f64::max)
}
