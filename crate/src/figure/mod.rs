//! What the reader looks at: heatmaps, plots, diagrams, tables.
//!
//! Every function here returns a [`Figure`]. A notebook shows it when it is the last line of a cell, and its options
//! are methods, called in any order:
//!
//! ```
//! use d2l::prelude::*;
//!
//! let weights = Array2::<f64>::eye(10);
//! let figure = show_heatmaps(&weights, "keys", "queries").titles(["identity"]).cmap("Blues");
//! assert!(figure.svg().starts_with("<svg"));
//! ```
//!
//! | to show | function |
//! |---|---|
//! | weights as colours | [`show_heatmaps`] |
//! | series on axes | [`plot`], [`scatter`] |
//! | how one query pools values | [`show_attention_pooling`] |
//! | matrices and what their product comes from | [`show_matrix`] |
//! | vectors, and what updates make of one | [`show_vectors`], [`show_updates`] |
//! | the terms of a mixture | [`show_mixture`] |
//! | directions of queries and keys | [`show_arrows`] |
//! | what a map ignores | [`show_null_space`] |
//! | all matrices of multi-head attention | [`show_sublayer`] |
//! | prepared settings to step through | [`stepper`] |
//! | numbers and words in rows | [`show_table`] |
//!
//! A cell of the evcxr kernel shows one block of each kind, so several figures are joined into one with
//! [`Figure::beside`] and [`Figure::above`].
//!
//! A figure brings its own light ground: it reads the same on a dark page, on paper and where the page's style sheet
//! does not reach. Its words are the caller's: the alternative text adds only numbers and signs, so that it stays in the
//! language of the notebook.

mod arrows;
mod bars;
mod beside;
mod canvas;
mod colormap;
mod dashes;
mod heatmaps;
mod labels;
mod matrices;
mod mechanism;
mod mixture;
mod null_space;
mod picture;
mod plane;
mod plot;
mod stepper;
mod sublayer;
mod table;
mod ticks;
mod vectors;
mod words;

use std::path::Path;

use base64::Engine as _;

use crate::display::{escape, printable, show};

pub use arrows::{Arrows, show_arrows};
pub use heatmaps::{Heatmaps, show_heatmaps};
pub use labels::Labelled;
pub use matrices::{Matrices, show_matrix};
pub use mechanism::{Mechanism, show_attention_pooling};
pub use mixture::{Mixture, show_mixture};
pub use null_space::{NullSpace, show_null_space};
pub use plot::{Plot, plot, scatter};
pub use stepper::{Stepper, stepper};
pub use sublayer::{Sublayer, show_sublayer};
pub use table::{Entry, Table, show_table};
pub use vectors::{Updates, Vectors, show_updates, show_vectors};

/// Something that can be looked at, shown by the last line of a cell.
///
/// The type in brackets says what it is a figure of, and brings the options that only such a figure has.
#[derive(Clone, Debug)]
pub struct Figure<K = Picture> {
    kind: K,
    alt: Option<String>,
}

/// A kind of figure. This crate's kinds implement it, and no others can: only they make a [`Picture`].
pub trait Draw {
    /// The finished picture.
    fn draw(&self) -> Picture;

    /// The HTML that shows `picture`, which is the finished one, which the caller's sentence, if any, introduces.
    fn html(&self, picture: &Picture, _sentence: &str) -> String {
        picture.html()
    }
}

/// A finished drawing: scalable shapes, their size in pixels, and words for whoever cannot see them.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    width: f64,
    height: f64,
    /// Size of the coordinate system that `body` is drawn in.
    view: (f64, f64),
    body: String,
    alt: String,
}

/// CSS pixels in an inch.
const INCH: f64 = 96.0;
/// Pixels between a figure's edge and what it shows.
const PAD: f64 = 7.0;
/// Width in pixels that a notebook's page shows: figures that grow with their data keep to it where they can.
const PAGE: f64 = 912.0;
/// Pixels between two joined figures.
const GAP: f64 = 8.0;
/// Radius in pixels of the ground's corners.
const CORNER: f64 = 3.0;

impl Draw for Picture {
    fn draw(&self) -> Picture {
        self.clone()
    }
}

impl<K: Draw> Figure<K> {
    fn new(kind: K) -> Self {
        Self { kind, alt: None }
    }

    /// Puts a sentence of the caller's before the numbers of the alternative text.
    pub fn alt(mut self, sentence: &str) -> Self {
        self.alt = Some(sentence.trim().to_owned());
        self
    }

    /// What is read out to whoever cannot see the figure: the sentence given to [`alt`](Self::alt), then numbers.
    pub fn alt_text(&self) -> String {
        self.picture().alt
    }

    fn picture(&self) -> Picture {
        self.kind.draw().introduced(self.alt.as_deref().unwrap_or_default())
    }

    /// The figure as an SVG document.
    pub fn svg(&self) -> String {
        self.picture().document()
    }

    /// Writes the figure to an SVG file and returns the figure's size in bytes.
    ///
    /// # Errors
    /// The file system's error, with the path that could not be written in quotes.
    ///
    /// ```no_run
    /// # use d2l::prelude::*;
    /// show_heatmaps(&Array2::<f64>::eye(3), "keys", "queries").save("identity.svg")?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> std::io::Result<usize> {
        let (path, svg) = (path.as_ref(), self.svg());
        std::fs::write(path, &svg).map_err(|error| {
            std::io::Error::new(error.kind(), format!("cannot write \"{}\": {error}", path.display()))
        })?;
        Ok(svg.len())
    }

    /// This figure with `other` to its right, as one figure.
    pub fn beside<L: Draw>(&self, other: &Figure<L>) -> Figure {
        let (a, b) = (self.picture(), other.picture());
        let height = a.height.max(b.height);
        let offset = a.width + GAP;
        let parts = [(0.0, (height - a.height) / 2.0, a), (offset, (height - b.height) / 2.0, b)];
        Figure::new(joined(offset + parts[1].2.width, height, &parts))
    }

    /// This figure with `other` below it, as one figure.
    pub fn above<L: Draw>(&self, other: &Figure<L>) -> Figure {
        let (a, b) = (self.picture(), other.picture());
        let offset = a.height + GAP;
        Figure::new(joined(a.width.max(b.width), offset + b.height, &[(0.0, 0.0, a), (0.0, offset, b)]))
    }

    /// The figure as HTML: a live document with tooltips where the page allows it, the same picture where it does not.
    pub fn html(&self) -> String {
        self.page(&self.picture())
    }

    fn page(&self, picture: &Picture) -> String {
        self.kind.html(picture, self.alt.as_deref().unwrap_or_default())
    }

    /// Shows the figure in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        let picture = self.picture();
        show(&self.page(&picture), &picture.alt);
    }
}

impl Picture {
    /// The picture with a sentence of the caller's, which may be empty, before its words.
    fn introduced(mut self, sentence: &str) -> Self {
        if !sentence.is_empty() {
            let stop = if sentence.ends_with(['.', '!', '?', ':', '…']) { "" } else { "." };
            self.alt = format!("{sentence}{stop} {}", self.alt);
        }
        // One line: words of the caller's cannot end the block that the kernel reads.
        self.alt = printable(&self.alt).trim().to_owned();
        self
    }

    fn html(&self) -> String {
        let uri = data_uri("image/svg+xml", self.document().as_bytes());
        let alt = escape(&self.alt);
        let size = format!("width=\"{}\" height=\"{}\" style=\"max-width:100%\"", self.width, self.height);
        format!(
            "<object type=\"image/svg+xml\" role=\"img\" aria-label=\"{alt}\" data=\"{uri}\" {size}>\
             <img alt=\"{alt}\" src=\"{uri}\" {size}></object>"
        )
    }

    fn document(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\" width=\"{}\" height=\"{}\" \
             viewBox=\"0 0 {} {}\" pointer-events=\"none\">\n<rect width=\"100%\" height=\"100%\" rx=\"{}\" \
             fill=\"#ffffff\"/>\n<g pointer-events=\"none\">\n{}</g>\n</svg>\n",
            escape(&self.alt),
            self.width,
            self.height,
            self.view.0,
            self.view.1,
            CORNER * self.view.0 / self.width,
            self.body
        )
    }
}

fn joined(width: f64, height: f64, parts: &[(f64, f64, Picture)]) -> Picture {
    let mut body = String::new();
    for (x, y, part) in parts {
        body += &format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n{}</svg>\n",
            part.width, part.height, part.view.0, part.view.1, part.body
        );
    }
    let alt = parts.iter().map(|(_, _, part)| part.alt.as_str()).collect::<Vec<_>>().join(" | ");
    Picture { width, height, view: (width, height), body, alt }
}

fn data_uri(kind: &str, content: &[u8]) -> String {
    format!("data:{kind};base64,{}", base64::engine::general_purpose::STANDARD.encode(content))
}

#[track_caller]
fn check_decimals(decimals: usize) {
    assert!(decimals <= 10, "numbers are rounded to at most 10 decimals, not {decimals}");
}

#[track_caller]
fn check_figsize(width: f64, height: f64) {
    let fits = |inches: f64| inches > 0.0 && inches <= 100.0;
    assert!(
        fits(width) && fits(height),
        "a figure of {} x {} inches cannot be drawn: both must be in (0, 100]",
        ticks::exact(width),
        ticks::exact(height)
    );
}

#[track_caller]
fn check_limits(what: &str, low: f64, high: f64) {
    let (least, most) = (ticks::exact(low), ticks::exact(high));
    assert!(
        low.is_finite() && high.is_finite() && low < high,
        "{what} must be finite and rise, and {least} to {most} do not"
    );
}
