//! One labelled matrix: its name above, its entries in boxes, its shape below.

use ndarray::Array2;

use super::super::canvas::{Anchor, Canvas, INK, LABEL, MUTED, SMALL, Stroke, Type};
use super::super::colormap::Rgb;
use super::super::ticks::{decimals_for, exact, rounded};
use super::super::words::{fitted, join, largest, name_of, width_of};

/// Rows and columns of a larger matrix are left out from the middle.
const MOST_ROWS: usize = 12;
const MOST_COLUMNS: usize = 8;
/// Height of a box, and its least width.
const HIGH: f64 = 20.0;
const NARROWEST: f64 = 26.0;
/// Boxes become up to this wide for the names of their columns; longer names stand upright.
const WIDENED: f64 = 72.0;
/// Pixels for a row's name and for an upright column's.
const NAMED: f64 = 110.0;
/// Least room for the matrix' own name.
const TITLED: f64 = 150.0;

const PLAIN: Rgb = [0xf2, 0xf5, 0xf8];
const LEARNED: Rgb = [0xea, 0xe4, 0xf6];
const MARKED: Rgb = [0xff, 0xe9, 0xa8];

/// A matrix with its names and marks.
#[derive(Clone, Debug)]
pub(in super::super) struct Block {
    pub name: String,
    pub entries: Array2<f64>,
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    pub marked_rows: Vec<usize>,
    pub marked_columns: Vec<usize>,
    pub learned: bool,
}

/// A block with its measures, in pixels.
pub(in super::super) struct LaidOut<'a> {
    block: &'a Block,
    decimals: usize,
    /// Indices of what is shown, `None` for what is left out.
    rows: Vec<Option<usize>>,
    columns: Vec<Option<usize>>,
    cell: f64,
    upright: bool,
    /// Room for the names of rows and of columns.
    named: (f64, f64),
    title: String,
    pub width: f64,
    /// From the middle of the boxes to the upper and the lower end.
    pub above: f64,
    pub below: f64,
}

impl Block {
    pub fn new(entries: Array2<f64>, name: &str) -> Self {
        let (name, none) = (name.to_owned(), Vec::new());
        Self {
            name,
            entries,
            rows: Vec::new(),
            columns: Vec::new(),
            marked_rows: none.clone(),
            marked_columns: none,
            learned: false,
        }
    }

    /// Measures the block; numbers have `decimals`, or as many of up to two as they need.
    pub fn laid_out(&self, decimals: Option<usize>) -> LaidOut<'_> {
        let rows = shown(self.entries.nrows(), MOST_ROWS, &self.marked_rows);
        let columns = shown(self.entries.ncols(), MOST_COLUMNS, &self.marked_columns);
        let mut entries = Vec::new();
        for &row in rows.iter().flatten() {
            entries.extend(columns.iter().flatten().map(|&column| self.entries[(row, column)]));
        }
        let decimals = decimals.unwrap_or_else(|| decimals_for(&entries));
        let numbers = entries.iter().map(|&entry| width_of(&rounded(entry, decimals), SMALL) + 8.0);
        let cell = largest(numbers).max(NARROWEST).ceil();
        let widest = |names: &[String], places: &[Option<usize>]| {
            let names = places.iter().flatten().filter_map(|&place| names.get(place));
            largest(names.map(|name| width_of(&fitted(name, SMALL, NAMED), SMALL)))
        };
        let across = widest(&self.columns, &columns);
        let upright = across + 6.0 > cell.max(WIDENED);
        let cell = if upright { cell } else { cell.max(across + 6.0) };
        let down = widest(&self.rows, &rows);
        let over = match (self.columns.is_empty(), upright) {
            (true, _) => 0.0,
            (_, true) => across + 6.0,
            (_, false) => SMALL + 5.0,
        };
        let named = (if down > 0.0 { down + 6.0 } else { 0.0 }, over);
        let boxes = cell * columns.len() as f64;
        let title = fitted(&self.name, LABEL, boxes.max(TITLED));
        let beside = width_of(&title, LABEL).max(width_of(&self.shape(), SMALL));
        let half = HIGH * rows.len() as f64 / 2.0;
        LaidOut {
            block: self,
            decimals,
            cell,
            upright,
            named,
            width: named.0 + boxes.max(beside),
            above: half + over + if self.name.is_empty() { 0.0 } else { LABEL + 7.0 },
            below: half + SMALL + 7.0,
            title,
            rows,
            columns,
        }
    }

    fn shape(&self) -> String {
        format!("{} × {}", self.entries.nrows(), self.entries.ncols())
    }

    /// The name, the shape, and each row that is shown; `*` stands before what is marked.
    pub fn alt(&self, decimals: Option<usize>) -> String {
        let out = self.laid_out(decimals);
        let star = |marks: &[usize], place: usize| if marks.contains(&place) { "*" } else { "" };
        let mut alt = format!("{} {}", self.name, self.shape());
        if !self.columns.is_empty() || !self.marked_columns.is_empty() {
            let name =
                |&column: &usize| star(&self.marked_columns, column).to_owned() + &name_of(&self.columns, column);
            alt += &format!(" ({})", listed(&out.columns, &name));
        }
        let rows = out.rows.iter().map(|row| match row {
            None => "…".to_owned(),
            Some(row) => {
                let entries = listed(&out.columns, &|&column| rounded(self.entries[(*row, column)], out.decimals));
                let name = self.rows.get(*row).map(|name| format!("{name} ")).unwrap_or_default();
                format!("{}{name}[{entries}]", star(&self.marked_rows, *row))
            }
        });
        alt + ": " + &join(rows, " ")
    }
}

impl LaidOut<'_> {
    /// From the left edge of the block to its boxes.
    fn before(&self) -> f64 {
        self.named.0 + (self.width - self.named.0 - self.cell * self.columns.len() as f64) / 2.0
    }

    /// The sides of the boxes and of their rows' names in a block whose left edge is at `left`.
    pub fn sides(&self, left: f64) -> (f64, f64) {
        let boxes = left + self.before();
        (boxes - self.named.0, boxes + self.cell * self.columns.len() as f64)
    }

    /// Draws the block with its left edge at `left` and the middle of its boxes at `middle`.
    pub fn draw(&self, canvas: &mut Canvas, left: f64, middle: f64) {
        let (wide, high) = (self.cell * self.columns.len() as f64, HIGH * self.rows.len() as f64);
        let (x, y) = (left + self.before(), middle - high / 2.0);
        let centred = Type::new(LABEL, INK, Anchor::Middle).bold();
        canvas.text(x + wide / 2.0, y - self.named.1 - 5.0 - LABEL / 2.0, &self.title, centred);
        if self.title != self.block.name {
            canvas.tip(x, y - self.named.1 - 5.0 - LABEL, wide, LABEL, &self.block.name);
        }
        let shape = Type::new(SMALL, MUTED, Anchor::Middle);
        canvas.text(x + wide / 2.0, y + high + 4.0 + SMALL / 2.0, &self.block.shape(), shape);
        self.names(canvas, x, y);
        for (i, row) in self.rows.iter().enumerate() {
            for (j, column) in self.columns.iter().enumerate() {
                self.entry(canvas, (x + self.cell * j as f64, y + HIGH * i as f64), *row, *column);
            }
        }
        if self.block.learned {
            canvas.frame(x, y, wide, high, Stroke { color: INK, width: 1.6, dash: (5.0, 3.0) });
        }
        let mark = Stroke::solid(INK, 2.0);
        for i in (0..self.rows.len()).filter(|&i| marks(&self.block.marked_rows, self.rows[i])) {
            canvas.frame(x, y + HIGH * i as f64, wide, HIGH, mark);
        }
        for j in (0..self.columns.len()).filter(|&j| marks(&self.block.marked_columns, self.columns[j])) {
            canvas.frame(x + self.cell * j as f64, y, self.cell, high, mark);
        }
    }

    fn names(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let set = |anchor, bold| Type { bold, ..Type::new(SMALL, INK, anchor) };
        for (i, &row) in self.rows.iter().enumerate() {
            let Some(name) = row.and_then(|row| self.block.rows.get(row)) else { continue };
            let (short, top) = (fitted(name, SMALL, NAMED), y + HIGH * i as f64);
            canvas.text(x - 6.0, top + HIGH / 2.0, &short, set(Anchor::End, marks(&self.block.marked_rows, row)));
            if short != *name {
                canvas.tip(x - self.named.0, top, self.named.0, HIGH, name);
            }
        }
        for (j, &column) in self.columns.iter().enumerate() {
            let Some(name) = column.and_then(|column| self.block.columns.get(column)) else { continue };
            let (short, left) = (fitted(name, SMALL, NAMED), x + self.cell * j as f64);
            let bold = marks(&self.block.marked_columns, column);
            if self.upright {
                canvas.text(left + self.cell / 2.0, y - 5.0, &short, set(Anchor::Start, bold).upright());
            } else {
                canvas.text(left + self.cell / 2.0, y - 4.0 - SMALL / 2.0, &short, set(Anchor::Middle, bold));
            }
            if short != *name {
                canvas.tip(left, y - self.named.1, self.cell, self.named.1, name);
            }
        }
    }

    fn entry(&self, canvas: &mut Canvas, (x, y): (f64, f64), row: Option<usize>, column: Option<usize>) {
        let block = self.block;
        let marked = marks(&block.marked_rows, row) || marks(&block.marked_columns, column);
        let set = Type { bold: marked, ..Type::new(SMALL, INK, Anchor::Middle) };
        let middle = (x + self.cell / 2.0, y + HIGH / 2.0);
        let (Some(i), Some(j)) = (row, column) else {
            canvas.text(middle.0, middle.1, if row.is_some() { "⋯" } else { "⋮" }, set);
            return;
        };
        let fill = match (marked, block.learned) {
            (true, _) => MARKED,
            (_, true) => LEARNED,
            _ => PLAIN,
        };
        let value = block.entries[(i, j)];
        let tip = format!("{}, {}: {}", name_of(&block.rows, i), name_of(&block.columns, j), exact(value));
        canvas.boxed(x, y, self.cell, HIGH, fill, &tip);
        canvas.text(middle.0, middle.1, &rounded(value, self.decimals), set);
    }
}

fn marks(marked: &[usize], place: Option<usize>) -> bool {
    place.is_some_and(|place| marked.contains(&place))
}

fn listed(places: &[Option<usize>], word: &dyn Fn(&usize) -> String) -> String {
    let words = places.iter().map(|place| place.as_ref().map_or("…".to_owned(), word));
    join(words, ", ")
}

/// All of `count` places, or the first ones, the last one and the marked ones of more than `most`; `None` for each gap.
fn shown(count: usize, most: usize, marked: &[usize]) -> Vec<Option<usize>> {
    if count <= most {
        return (0..count).map(Some).collect();
    }
    let mut kept: Vec<usize> = (0..most - 2).chain([count - 1]).chain(marked.iter().copied()).collect();
    kept.sort_unstable();
    kept.dedup();
    let mut places = Vec::with_capacity(kept.len() + 2);
    for place in kept {
        if places.last().is_some_and(|&last: &Option<usize>| last.is_some_and(|last| last + 1 < place)) {
            places.push(None);
        }
        places.push(Some(place));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_leaves_one_gap() {
        assert_eq!(shown(3, 4, &[]), [Some(0), Some(1), Some(2)]);
        assert_eq!(shown(9, 4, &[]), [Some(0), Some(1), None, Some(8)]);
        assert_eq!(shown(9, 4, &[0, 5, 8]), [Some(0), Some(1), None, Some(5), None, Some(8)]);
        assert_eq!(shown(9, 4, &[2, 7]), [Some(0), Some(1), Some(2), None, Some(7), Some(8)]);
    }
}
