//! `plot` and `scatter`: lines, points and areas on one pair of axes.

mod alt;
mod axis;
mod clip;
mod draw;

use super::{Figure, check_figsize};
use axis::AxisOptions;

/// Width and height in inches, as in d2l.
const FIGSIZE: (f64, f64) = (3.5, 2.5);

/// Options and data of a plot; [`plot`] and [`scatter`] make it.
#[derive(Clone, Debug)]
pub struct Plot {
    series: Vec<Series>,
    texts: Vec<(f64, f64, String)>,
    xlabel: String,
    ylabel: String,
    title: String,
    legend: Vec<String>,
    figsize: (f64, f64),
    x: AxisOptions,
    y: AxisOptions,
    equal: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Line,
    Points,
    Region,
}

#[derive(Clone, Debug)]
struct Series {
    mark: Mark,
    points: Vec<(f64, f64)>,
}

/// Draws `y` against `x` as a line, after d2l's function of the same name.
///
/// More series come with [`line`](Figure::line), [`points`](Figure::points) and [`region`](Figure::region). Of 6 colours,
/// 5 dashes and 5 marks, each of the first 30 series has a pair of its own; then they repeat. A line has a gap where a
/// value is NaN or infinite, or not positive on a logarithmic axis; the alternative text says how many such points there
/// are.
///
/// # Panics
/// If `x` and `y` differ in length.
///
/// ```
/// use d2l::prelude::*;
///
/// let x = Array1::linspace(0.0, 3.0, 50);
/// let figure = plot(&x, &x.mapv(f64::sin), "x", "f(x)").line(&x, &x.mapv(f64::cos)).legend(["sin", "cos"]);
/// assert!(figure.svg().contains("cos"));
/// ```
#[track_caller]
pub fn plot<'a, X, Y>(
    x: impl IntoIterator<Item = &'a X>,
    y: impl IntoIterator<Item = &'a Y>,
    xlabel: &str,
    ylabel: &str,
) -> Figure<Plot>
where
    X: Copy + Into<f64> + 'a,
    Y: Copy + Into<f64> + 'a,
{
    empty(xlabel, ylabel).line(x, y)
}

/// Draws `y` against `x` as points; everything else is as for [`plot`].
///
/// # Panics
/// If `x` and `y` differ in length.
///
/// ```
/// use d2l::prelude::*;
///
/// let figure = scatter(&[1.0, 2.0, 3.0], &[0.5, 0.1, 0.9], "m", "α").xlim(0.0, 4.0);
/// assert!(figure.alt_text().contains("(3, 0.9)"));
/// ```
#[track_caller]
pub fn scatter<'a, X, Y>(
    x: impl IntoIterator<Item = &'a X>,
    y: impl IntoIterator<Item = &'a Y>,
    xlabel: &str,
    ylabel: &str,
) -> Figure<Plot>
where
    X: Copy + Into<f64> + 'a,
    Y: Copy + Into<f64> + 'a,
{
    empty(xlabel, ylabel).points(x, y)
}

fn empty(xlabel: &str, ylabel: &str) -> Figure<Plot> {
    Figure::new(Plot {
        series: Vec::new(),
        texts: Vec::new(),
        xlabel: xlabel.to_owned(),
        ylabel: ylabel.to_owned(),
        title: String::new(),
        legend: Vec::new(),
        figsize: FIGSIZE,
        x: AxisOptions::default(),
        y: AxisOptions::default(),
        equal: false,
    })
}

impl Figure<Plot> {
    #[track_caller]
    fn with<'a, X, Y>(
        mut self,
        mark: Mark,
        x: impl IntoIterator<Item = &'a X>,
        y: impl IntoIterator<Item = &'a Y>,
    ) -> Self
    where
        X: Copy + Into<f64> + 'a,
        Y: Copy + Into<f64> + 'a,
    {
        let x: Vec<f64> = x.into_iter().map(|&value| value.into()).collect();
        let y: Vec<f64> = y.into_iter().map(|&value| value.into()).collect();
        assert!(
            x.len() == y.len(),
            "a series needs one y for each x, but the numbers are: x {}, y {}",
            x.len(),
            y.len()
        );
        self.kind.series.push(Series { mark, points: x.into_iter().zip(y).collect() });
        self
    }

    /// One more line.
    ///
    /// # Panics
    /// If `x` and `y` differ in length.
    #[track_caller]
    pub fn line<'a, X, Y>(self, x: impl IntoIterator<Item = &'a X>, y: impl IntoIterator<Item = &'a Y>) -> Self
    where
        X: Copy + Into<f64> + 'a,
        Y: Copy + Into<f64> + 'a,
    {
        self.with(Mark::Line, x, y)
    }

    /// One more set of points.
    ///
    /// # Panics
    /// If `x` and `y` differ in length.
    #[track_caller]
    pub fn points<'a, X, Y>(self, x: impl IntoIterator<Item = &'a X>, y: impl IntoIterator<Item = &'a Y>) -> Self
    where
        X: Copy + Into<f64> + 'a,
        Y: Copy + Into<f64> + 'a,
    {
        self.with(Mark::Points, x, y)
    }

    /// A tinted area with these corners, in order. Areas lie below all lines and points.
    ///
    /// # Panics
    /// If `x` and `y` differ in length.
    #[track_caller]
    pub fn region<'a, X, Y>(self, x: impl IntoIterator<Item = &'a X>, y: impl IntoIterator<Item = &'a Y>) -> Self
    where
        X: Copy + Into<f64> + 'a,
        Y: Copy + Into<f64> + 'a,
    {
        self.with(Mark::Region, x, y)
    }

    /// Names of the series, in the order in which they were added.
    ///
    /// # Panics
    /// If there are more names than series.
    #[track_caller]
    pub fn legend<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.kind.legend = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
        let (names, series) = (self.kind.legend.len(), self.kind.series.len());
        assert!(
            names <= series,
            "the number of names is {names}, but that of series is {series}: add the series before the legend"
        );
        self
    }

    /// Words beside the point (`x`, `y`).
    pub fn text(mut self, x: f64, y: f64, words: &str) -> Self {
        self.kind.texts.push((x, y, words.to_owned()));
        self
    }

    /// A line of words above the plot.
    pub fn title(mut self, title: &str) -> Self {
        self.kind.title = title.to_owned();
        self
    }

    /// Ends of the horizontal axis. [`equal`](Self::equal) may move the high one up.
    ///
    /// # Panics
    /// If they are not finite or do not rise, or if one is not positive on a logarithmic axis.
    #[track_caller]
    pub fn xlim(mut self, low: f64, high: f64) -> Self {
        self.kind.x.set_limits(low, high);
        self
    }

    /// Ends of the vertical axis. [`equal`](Self::equal) may move the high one up.
    ///
    /// # Panics
    /// If they are not finite or do not rise, or if one is not positive on a logarithmic axis.
    #[track_caller]
    pub fn ylim(mut self, low: f64, high: f64) -> Self {
        self.kind.y.set_limits(low, high);
        self
    }

    /// Scale of the horizontal axis: "linear" (the default) or "log".
    ///
    /// # Panics
    /// If it is neither, or if the limits given are not positive and it is "log".
    #[track_caller]
    pub fn xscale(mut self, scale: &str) -> Self {
        self.kind.x.set_scale(scale);
        self
    }

    /// Scale of the vertical axis: "linear" (the default) or "log".
    ///
    /// # Panics
    /// If it is neither, or if the limits given are not positive and it is "log".
    #[track_caller]
    pub fn yscale(mut self, scale: &str) -> Self {
        self.kind.y.set_scale(scale);
        self
    }

    /// Makes one unit equally long on both axes, for plane geometry.
    ///
    /// One axis then shows more than its data or limits ask for: on both sides, or only above where
    /// [`xlim`](Self::xlim) or [`ylim`](Self::ylim) has set its low end. Logarithmic axes stay as they are.
    pub fn equal(mut self) -> Self {
        self.kind.equal = true;
        self
    }

    /// Width and height of axes and labels in inches (96 pixels each); a legend stands to the right of them.
    ///
    /// Labels keep their size and the axes a fifth of an inch, so that a tiny figure is larger than asked for.
    ///
    /// # Panics
    /// If one of them is not a positive number of at most 100 inches.
    #[track_caller]
    pub fn figsize(mut self, width: f64, height: f64) -> Self {
        check_figsize(width, height);
        self.kind.figsize = (width, height);
        self
    }
}

impl Plot {
    /// Whether a point has a place on these axes.
    fn has_place(&self, &(x, y): &(f64, f64)) -> bool {
        self.x.scale.holds(x) && self.y.scale.holds(y)
    }
}
