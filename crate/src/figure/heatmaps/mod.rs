//! `show_heatmaps`: matrices of weights as coloured squares, all panels on one scale.

mod apart;
mod draw;
mod layout;

use ndarray::{Array4, ArrayBase, ArrayView2, Axis, Data, Dimension, Ix4};

use super::colormap::{Colormap, Rgb};
use super::ticks::{fraction, number, rounded};
use super::words::{join, one_for_each, strings};
use super::{Figure, check_figsize, check_limits};
use apart::Apart;

/// Cells up to this many are shapes with tooltips and may hold numbers; more of them become an embedded picture.
const MOST_SHAPES: usize = 2_500;
/// The alternative text holds every entry up to this many.
const MOST_TOLD: usize = 64;

/// Options and data of a heatmap figure; [`show_heatmaps`] makes it.
#[derive(Clone, Debug)]
pub struct Heatmaps {
    panels: Array4<f64>,
    xlabel: String,
    ylabel: String,
    titles: Vec<String>,
    figsize: Option<(f64, f64)>,
    map: Colormap,
    decimals: Option<usize>,
    x_tick_labels: Vec<String>,
    y_tick_labels: Vec<String>,
    limits: Option<(f64, f64)>,
}

/// Shows matrices as heatmaps, after d2l's function of the same name.
///
/// `matrices` has the shape (display rows, display columns, queries, keys). Three axes are taken as one display row and
/// two as a single panel. Row 0 is at the top, cells are square, only the outer panels carry labels, and all panels
/// share one scale of colours, shown by one bar. NaN and infinite entries keep out of the scale and have marks of their
/// own. Where the figure is trusted, the pointer on a cell shows its exact value. More than 2500 cells become an embedded
/// picture, averaged down to what the figure can show, and a line below says so. Words that are too long for their place
/// end in an ellipsis; the alternative text holds all of them.
///
/// # Panics
/// If `matrices` has fewer than two or more than four axes, or if one of them has length 0.
///
/// ```
/// use d2l::prelude::*;
///
/// let weights = softmax(&array![[2.0, 1.0, 0.0], [0.0, 1.0, 2.0]]);
/// let figure = show_heatmaps(&weights, "keys", "queries").annotate(2);
/// assert!(figure.alt_text().contains("2 × 3"));
/// ```
#[track_caller]
pub fn show_heatmaps<S, D>(matrices: &ArrayBase<S, D>, xlabel: &str, ylabel: &str) -> Figure<Heatmaps>
where
    S: Data<Elem: Copy + Into<f64>>,
    D: Dimension,
{
    let shape = matrices.shape();
    assert!(
        (2..=4).contains(&shape.len()),
        "show_heatmaps draws arrays of 2 to 4 axes (display rows, display columns, queries, keys), not of shape {shape:?}"
    );
    assert!(!shape.contains(&0), "show_heatmaps has nothing to draw: the shape {shape:?} holds no entries");
    let mut values = matrices.mapv(Into::into).into_dyn();
    while values.ndim() < 4 {
        values.insert_axis_inplace(Axis(0));
    }
    let panels = values.into_dimensionality::<Ix4>().expect("four axes were just made");
    Figure::new(Heatmaps {
        panels,
        xlabel: xlabel.to_owned(),
        ylabel: ylabel.to_owned(),
        titles: Vec::new(),
        figsize: None,
        map: Colormap::named("Reds"),
        decimals: None,
        x_tick_labels: Vec::new(),
        y_tick_labels: Vec::new(),
        limits: None,
    })
}

impl Figure<Heatmaps> {
    /// A title for each display column, or for each panel, row by row.
    ///
    /// # Panics
    /// If there are as many titles as neither columns nor panels.
    #[track_caller]
    pub fn titles<T: AsRef<str>>(mut self, titles: impl IntoIterator<Item = T>) -> Self {
        let titles = strings(titles);
        let (rows, columns, ..) = self.kind.panels.dim();
        let fits = match rows * columns {
            1 => "1".to_owned(),
            panels if panels == columns => format!("{columns}, one a column"),
            panels => format!("{columns}, one a column, or {panels}, one a panel"),
        };
        let given = titles.len();
        assert!(
            given == columns || given == rows * columns,
            "the number of titles is {given}, but the panels are {rows} x {columns}: give {fits}"
        );
        self.kind.titles = titles;
        self
    }

    /// Greatest width and height of the whole figure in inches (96 pixels each).
    ///
    /// The figure is as large as square cells allow within them. It is larger only where it has to be: a panel is at
    /// least an eighth of an inch thick, and labels, the colour bar and the numbers of [`annotate`](Self::annotate) keep
    /// their size.
    ///
    /// # Panics
    /// If one of them is not a positive number of at most 100 inches.
    #[track_caller]
    pub fn figsize(mut self, width: f64, height: f64) -> Self {
        check_figsize(width, height);
        self.kind.figsize = Some((width, height));
        self
    }

    /// Colour map: "Reds" (the default), "Blues", "Greens", "Purples", "Greys" or "RdBu".
    ///
    /// # Panics
    /// If there is no map of that name.
    #[track_caller]
    pub fn cmap(mut self, name: &str) -> Self {
        self.kind.map = Colormap::named(name);
        self
    }

    /// Writes each value into its cell, rounded to `decimals`.
    ///
    /// # Panics
    /// If there are more than 2500 cells, or more than 10 decimals are asked for.
    #[track_caller]
    pub fn annotate(mut self, decimals: usize) -> Self {
        let cells = self.kind.panels.len();
        assert!(cells <= MOST_SHAPES, "annotate writes into at most {MOST_SHAPES} cells, and this figure has {cells}");
        assert!(decimals <= 10, "annotate rounds to at most 10 decimals, not {decimals}");
        self.kind.decimals = Some(decimals);
        self
    }

    /// Names the keys: one label a column of cells. Equal labels stay apart.
    ///
    /// # Panics
    /// If their number is not the number of keys.
    #[track_caller]
    pub fn x_tick_labels<T: AsRef<str>>(mut self, labels: impl IntoIterator<Item = T>) -> Self {
        self.kind.x_tick_labels = one_for_each(strings(labels), "tick labels", self.kind.panels.dim().3, "keys");
        self
    }

    /// Names the queries: one label a row of cells. Equal labels stay apart.
    ///
    /// # Panics
    /// If their number is not the number of queries.
    #[track_caller]
    pub fn y_tick_labels<T: AsRef<str>>(mut self, labels: impl IntoIterator<Item = T>) -> Self {
        self.kind.y_tick_labels = one_for_each(strings(labels), "tick labels", self.kind.panels.dim().2, "queries");
        self
    }

    /// Values of the palest and the strongest colour, instead of the least and the greatest entry.
    ///
    /// # Panics
    /// If they are not finite, or `low` is not below `high`.
    #[track_caller]
    pub fn limits(mut self, low: f64, high: f64) -> Self {
        check_limits("colour limits", low, high);
        self.kind.limits = Some((low, high));
        self
    }
}

impl Heatmaps {
    fn matrix(&self, row: usize, column: usize) -> ArrayView2<'_, f64> {
        self.panels.index_axis(Axis(0), row).index_axis_move(Axis(0), column)
    }

    /// Values of the palest and strongest colour.
    fn scale(&self) -> (f64, f64) {
        self.limits.unwrap_or_else(|| {
            let finite = self.panels.iter().filter(|value| value.is_finite());
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
        })
    }

    fn color(&self, value: f64, (low, high): (f64, f64)) -> Rgb {
        match Apart::of(value) {
            Some(apart) => apart.color(),
            None if low < high => self.map.color(fraction(value, low, high).clamp(0.0, 1.0)),
            None => self.map.color(0.5),
        }
    }

    fn apart(&self) -> Vec<Apart> {
        Apart::ALL.into_iter().filter(|&kind| self.panels.iter().any(|&v| Apart::of(v) == Some(kind))).collect()
    }

    fn title(&self, row: usize, column: usize) -> Option<&str> {
        let columns = self.panels.dim().1;
        let place = if self.titles.len() == columns { column } else { row * columns + column };
        self.titles.get(place).map(String::as_str)
    }

    fn alt(&self, scale: (f64, f64), notes: Option<&str>) -> String {
        let (rows, columns, queries, keys) = self.panels.dim();
        let mut alt = String::new();
        if !self.titles.is_empty() {
            alt += &format!("{}. ", self.titles.join("; "));
        }
        if rows * columns > 1 {
            alt += &format!("{rows} × {columns}: ");
        }
        let labels = [&self.ylabel, &self.xlabel].map(|label| label.trim());
        let labels: Vec<&str> = labels.into_iter().filter(|label| !label.is_empty()).collect();
        if !labels.is_empty() {
            alt += &format!("{} ", labels.join(" × "));
        }
        alt += &format!("{queries} × {keys}");
        if scale.0.is_finite() {
            alt += &format!("; {} … {}", number(scale.0), number(scale.1));
        }
        for kind in self.apart() {
            let places = self.panels.indexed_iter().filter(|&(_, &v)| Apart::of(v) == Some(kind));
            let first = places.clone().take(3).map(|((.., query, key), _)| format!("({query}, {key})"));
            let first = join(first, ", ");
            let count = places.count();
            alt += &format!("; {}: {count} {first}{}", kind.name(), if count > 3 { ", …" } else { "" });
        }
        if self.panels.len() <= MOST_TOLD {
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let matrix = self.matrix(row, column);
                let lines = matrix
                    .outer_iter()
                    .map(|line| join(line.iter().map(|&v| rounded(v, self.decimals.unwrap_or(2))), " "));
                alt += &format!("; [{}]", join(lines, " / "));
            }
        }
        if let Some(notes) = notes {
            alt += &format!("; {notes}");
        }
        alt
    }
}
