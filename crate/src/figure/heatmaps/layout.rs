//! Where everything in a heatmap figure stands, in pixels.

use super::super::canvas::{FINE, LABEL, SMALL};
use super::super::ticks::{self, Tick, rounded};
use super::super::words::{fitted, largest, shortened, width_of};
use super::super::{INCH, PAD, PAGE};
use super::{Heatmaps, MOST_SHAPES};

/// Dots of an embedded picture in one CSS pixel: screens have up to two.
const DENSITY: f64 = 2.0;
/// A panel whose square cells would leave it thinner than this, in pixels, is stretched to [`SMALLEST`].
const THINNEST: f64 = 4.0;
/// Pixels that a panel gets at least, however small the figure.
const SMALLEST: f64 = 12.0;
/// Side in inches of a whole figure of one panel, as in d2l, and of each panel of several.
const SINGLE: f64 = 2.5;
const SEVERAL: f64 = 1.35;
/// Side of a cell, in pixels, whose row or column has a name.
const NAMED: f64 = 13.0;
const BETWEEN: f64 = 12.0;
/// Pixels beyond the panels that a label may take before it is cut.
const BEYOND: f64 = 240.0;
/// Width of the colour bar and its distance from the panels.
pub(super) const BAR: f64 = 12.0;
const BAR_GAP: f64 = 12.0;
const MOST_BAR_TICKS: usize = 10;
/// Height of a line of the legend below the bar.
pub(super) const LEGEND: f64 = 17.0;
/// Room for a tick, from the panel to its label.
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
    /// The axis labels as they fit, across and down.
    pub labels: (String, String),
    /// The axis labels of neighbouring panels would meet: one stands for all, across and down.
    pub once: (bool, bool),
    /// Width that a title may take.
    pub title_room: f64,
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
        let axis_label = |text: &str| if text.trim().is_empty() { 0.0 } else { LABEL + 4.0 };
        let margin = PAD + axis_label(&maps.ylabel) + y_widest + TICK_ROOM;
        let right = BAR_GAP + BAR + TICK_ROOM + maps.bar_label_width(scale) + PAD;
        let row_gap = BETWEEN + title;

        // The square cell that fills the room that a panel may take, where so much is needed below the panels.
        let cell_above = |below: f64| {
            let room = |total: f64, count: f64, gap: f64| ((total + gap) / count - gap).max(SMALLEST);
            let page = room(PAGE - margin - right, across, BETWEEN);
            let (wide, high) = match maps.figsize {
                Some((width, height)) => (
                    room(width * INCH - margin.ceil() - right, across, BETWEEN),
                    room(height * INCH - PAD - title - below - PAD, down, row_gap),
                ),
                None => {
                    let usual = if rows * columns == 1 { SINGLE * INCH - 60.0 } else { (SEVERAL * INCH).min(page) };
                    // Up to the page's width, a thin panel becomes thick enough to be seen, and each name has room.
                    let (thin, long) = (queries.min(keys) as f64, queries.max(keys) as f64);
                    let named = [(&maps.x_tick_labels, keys), (&maps.y_tick_labels, queries)]
                        .map(|(labels, count)| if labels.is_empty() { 0.0 } else { NAMED * count as f64 });
                    let wanted = (SMALLEST * long / thin).max(named[0]).max(named[1]);
                    let longest = wanted.clamp(usual, page.max(usual));
                    (longest, longest)
                }
            };
            let side = (wide / keys as f64).min(high / queries as f64).max(maps.number_width());
            // Whole pixels where they are many enough, so that edges stay sharp; else whole units of the sheet, so that
            // all cells are equal.
            let side = match side {
                4.0.. => side.floor(),
                1.0.. => (side * FINE).floor() / FINE,
                _ => side,
            };
            let thick = |count: f64| if side * count < THINNEST { SMALLEST / count } else { side };
            (thick(keys as f64), thick(queries as f64))
        };
        let turned = |cell: (f64, f64)| !maps.x_tick_labels.is_empty() && x_widest + 4.0 > cell.0;
        let under = |upright: bool| TICK_ROOM + if upright { x_widest } else { SMALL };
        let noted = |note: Option<String>| if note.is_some() { SMALL + TICK_ROOM } else { 0.0 };
        let below = |cell: (f64, f64)| under(turned(cell)) + axis_label(&maps.xlabel) + noted(maps.note(cell));
        // Smaller cells may turn the labels or call for a note, never the reverse: the second look is final.
        let cell = cell_above(below(cell_above(0.0)));
        let cell = cell_above(below(cell));
        let (upright, note) = (turned(cell), maps.note(cell));
        let under = under(upright);
        let panel = (cell.0 * keys as f64, cell.1 * queries as f64);
        let step = (panel.0 + BETWEEN, panel.1 + row_gap);
        let (panels_wide, panels_high) = (step.0 * across - BETWEEN, step.1 * down - row_gap);

        // Words that are longer than the panels reach beyond them on both sides.
        let labels =
            (fitted(&maps.xlabel, LABEL, panels_wide + BEYOND), fitted(&maps.ylabel, LABEL, panels_high.max(BEYOND)));
        let title_room = if columns == 1 { panels_wide + BEYOND } else { panel.0 + BETWEEN - 4.0 };
        let titles = maps.titles.iter().filter(|_| columns == 1);
        let widest_title = largest(titles.map(|text| width_of(&fitted(text, LABEL, title_room), LABEL)));
        let beyond = |words: f64, panels: f64| ((words - panels) / 2.0).max(0.0);
        let aside = beyond(width_of(&labels.0, LABEL).max(widest_title), panels_wide);
        let above = beyond(width_of(&labels.1, LABEL), panels_high);
        let left = margin.max(PAD + aside).ceil();
        let top = (PAD + title).max(PAD + above).ceil();
        let note_width = note.as_ref().map_or(0.0, |note| width_of(note, SMALL));
        let last_tick = if upright { SMALL } else { x_widest } / 2.0 - cell.0 / 2.0;

        // The bar spans three fifths of the panels, as in d2l, but never less than can be read.
        let legend = LEGEND * maps.apart().len() as f64;
        let bar_high = (0.6 * panels_high).max((panels_high - legend).min(90.0)).max(48.0);
        let bar_top = (top + (panels_high - bar_high - legend) / 2.0).max(PAD);
        let bar_ticks = bar_ticks(scale, ((bar_high / 18.0) as usize).clamp(3, MOST_BAR_TICKS));
        let under_panels = top + panels_high + under + axis_label(&maps.xlabel);

        Self {
            width: (left + panels_wide + right.max(aside + PAD).max(last_tick + PAD)).max(note_width + 2.0 * PAD),
            height: (under_panels.max(top + panels_high + above)).max(bar_top + bar_high + legend) + noted(note) + PAD,
            left,
            top,
            panel,
            cell,
            step,
            upright,
            once: (width_of(&labels.0, LABEL) > step.0, width_of(&labels.1, LABEL) > step.1),
            panels: (panels_wide, panels_high),
            labels,
            title_room,
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

    /// Side of a cell that holds the widest number written into one.
    fn number_width(&self) -> f64 {
        let Some(decimals) = self.decimals else { return 0.0 };
        let numbers = self.panels.iter().map(|&value| width_of(&rounded(value, decimals), SMALL));
        largest(numbers) + 8.0
    }

    /// Room for the words beside the bar, however many ticks it will have.
    fn bar_label_width(&self, scale: (f64, f64)) -> f64 {
        let ticks = (3..=MOST_BAR_TICKS).flat_map(|most| bar_ticks(scale, most)).map(|tick| tick.label);
        let apart = self.apart().into_iter().map(|kind| kind.name());
        largest(ticks.chain(apart).map(|label| width_of(&label, SMALL))).max(20.0)
    }
}

/// Room for the labels of one axis: its names, or the numbers of its places.
pub(super) fn widest(labels: &[String], count: usize) -> f64 {
    if labels.is_empty() {
        return width_of(&(count - 1).to_string(), SMALL);
    }
    largest(labels.iter().map(|label| width_of(&shortened(label), SMALL)))
}

fn bar_ticks((low, high): (f64, f64), most: usize) -> Vec<Tick> {
    if low.is_finite() { ticks::linear(low, high, most) } else { Vec::new() }
}
