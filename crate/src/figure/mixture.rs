//! `show_mixture`: each coordinate of a weighted sum as the stack of its terms.

use ndarray::{Array1, Array2, ArrayBase, Data, Ix1, Ix2};

use super::bars::{Part, Scale, stack, swatch, total_mark};
use super::canvas::{Anchor, Canvas, GRID, INK, MUTED, SMALL, Stroke, TICK, Type, paint};
use super::labels::{Labelled, Labels};
use super::ticks::{self, Tick, exact, rounded};
use super::words::{fitted, join, largest, width_of};
use super::{Draw, Figure, PAD, Picture, check_limits};

/// More terms or coordinates than this do not fit a figure that can be read.
const MOST_TERMS: usize = 24;
const MOST_COORDINATES: usize = 24;

const BARS: f64 = 430.0;
const ROW: f64 = 32.0;
const HIGH: f64 = 22.0;
/// Room for the name of a coordinate or a term.
const NAMED: f64 = 150.0;
/// A line of the legend and its samples.
const LINE: f64 = 20.0;
const SAMPLE: (f64, f64) = (22.0, 12.0);

/// Data and options of the figure; [`show_mixture`] makes it.
#[derive(Clone, Debug)]
pub struct Mixture {
    weights: Array1<f64>,
    values: Array2<f64>,
    limits: Option<(f64, f64)>,
    labels: Labels,
}

/// Shows where a mixture comes from: each of its coordinates is a stack of the terms `weights` (n) times `values` (n x d),
/// and its sum stands beside it.
///
/// A term has a tint and a pattern of its own, told above with its weight; terms keep their order. Negative terms lie to
/// the left of 0, and notches mark the sum.
///
/// # Panics
/// If there is not one weight for each row of `values`, if there is no term or no coordinate, or if there are more than 24
/// of either.
///
/// ```
/// use d2l::prelude::*;
///
/// let figure = show_mixture(&array![0.25, 0.75], &array![[1.0, 0.0], [0.0, 2.0]]).names(["river", "bank"]);
/// assert_eq!(figure.alt_text(), "0.25 river + 0.75 bank; 0: 0.25 + 0.00 = 0.25; 1: 0.00 + 1.50 = 1.50");
/// ```
#[track_caller]
pub fn show_mixture<W, V>(weights: &ArrayBase<W, Ix1>, values: &ArrayBase<V, Ix2>) -> Figure<Mixture>
where
    W: Data<Elem: Copy + Into<f64>>,
    V: Data<Elem: Copy + Into<f64>>,
{
    let ((terms, coordinates), given) = (values.dim(), weights.len());
    assert!(
        given == terms,
        "a mixture needs one weight for each value, but the numbers are: weights {given}, values {terms}"
    );
    for (what, count, most) in [("terms", terms, MOST_TERMS), ("coordinates", coordinates, MOST_COORDINATES)] {
        assert!((1..=most).contains(&count), "a mixture is drawn with 1 to {most} {what}, not {count}");
    }
    let labels = Labels::new((terms, "terms"), coordinates);
    let (weights, values) = (weights.mapv(Into::into), values.mapv(Into::into));
    Figure::new(Mixture { weights, values, limits: None, labels })
}

impl Labelled for Mixture {
    fn labels(&mut self) -> &mut Labels {
        &mut self.labels
    }
}

impl Figure<Mixture> {
    /// The bars' scale shows at least `low` to `high`: mixtures that are given the same can be compared by eye.
    ///
    /// # Panics
    /// If `low` is not less than `high`, or either is not finite.
    #[track_caller]
    pub fn limits(mut self, low: f64, high: f64) -> Self {
        check_limits("a mixture's limits", low, high);
        self.kind.limits = Some((low, high));
        self
    }
}

/// A sample of the legend: its words, and where it stands.
struct Sample {
    words: String,
    x: f64,
    line: usize,
}

impl Draw for Mixture {
    fn draw(&self) -> Picture {
        let (terms, sums) = (self.terms(), self.weights.dot(&self.values));
        let decimals = self.labels.decimals_for(self.weights.iter().chain(&terms).chain(&sums));
        let names = self.labels.all_coordinates();
        let short = |name: &str| fitted(name, SMALL, NAMED);
        let named = largest(names.iter().map(|name| width_of(&short(name), SMALL)));
        let numbers = largest(sums.iter().map(|&sum| width_of(&rounded(sum, decimals), SMALL)));
        let mut reached = ends(&terms);
        reached.extend(&sums);
        if let Some((low, high)) = self.limits {
            reached.extend([low, high]);
        }
        let scale = Scale::over(&reached, BARS);
        // The first tick's number may reach beyond the bars.
        let ticks = largest(ruler_ticks(scale).iter().map(|tick| width_of(&tick.label, SMALL) / 2.0));
        let left = PAD + (named + 8.0).max(ticks);
        let width = left + BARS + 22.0 + numbers + PAD;
        let legend = self.legend(width, decimals);
        let top = PAD + LINE * legend.last().map_or(0.0, |sample| sample.line as f64 + 1.0) + 6.0;
        let bottom = top + ROW * sums.len() as f64;
        let scale = scale.at(left);
        paint(width, bottom + TICK + SMALL + 4.0 + PAD, self.alt(&terms, &sums, decimals), &mut |canvas| {
            for (style, sample) in legend.iter().enumerate() {
                let y = PAD + LINE * (sample.line as f64 + 0.5);
                swatch(canvas, (sample.x, y - SAMPLE.1 / 2.0), SAMPLE, style, &self.told(style));
                canvas.text(sample.x + SAMPLE.0 + 5.0, y, &sample.words, Type::new(SMALL, INK, Anchor::Start));
            }
            ruler(canvas, scale, (top, bottom));
            for (place, name) in names.iter().enumerate() {
                let middle = top + ROW * (place as f64 + 0.5);
                canvas.text(left - 8.0, middle, &short(name), Type::new(SMALL, INK, Anchor::End));
                if short(name) != *name {
                    canvas.tip(PAD, middle - ROW / 2.0, named, ROW, name);
                }
                let parts: Vec<Part> = terms
                    .column(place)
                    .iter()
                    .enumerate()
                    .map(|(term, &value)| {
                        let (weight, factor) = (self.weights[term], self.values[(term, place)]);
                        let product = format!("{} × {} = {}", exact(weight), exact(factor), exact(value));
                        Part { value, style: term, tip: format!("{}: {product}", self.labels.name(term)) }
                    })
                    .collect();
                stack(canvas, scale, (middle, HIGH), &parts, &|value| rounded(value, decimals));
                total_mark(canvas, scale, (middle, HIGH), sums[place]);
                let sum = format!("= {}", rounded(sums[place], decimals));
                canvas.text(left + BARS + 8.0, middle, &sum, Type::new(SMALL, INK, Anchor::Start).bold());
            }
            scale.zero(canvas, top, bottom);
        })
    }
}

impl Mixture {
    /// Each value times its weight. A weight of 0 adds nothing, but 0 times an infinite value is NaN, as in the sum.
    fn terms(&self) -> Array2<f64> {
        let mut terms = self.values.clone();
        for (mut term, &weight) in terms.outer_iter_mut().zip(&self.weights) {
            for value in &mut term {
                *value *= weight;
            }
        }
        terms
    }

    fn told(&self, term: usize) -> String {
        format!("{}: {}", self.labels.name(term), exact(self.weights[term]))
    }

    fn legend(&self, width: f64, decimals: usize) -> Vec<Sample> {
        let words = self.weights.iter().enumerate().map(|(term, &weight)| {
            format!("{} · {}", rounded(weight, decimals), fitted(&self.labels.name(term), SMALL, NAMED))
        });
        let words: Vec<String> = words.collect();
        let longest = largest(words.iter().map(|words| width_of(words, SMALL)));
        let step = SAMPLE.0 + 5.0 + longest + 14.0;
        let across = (((width - 2.0 * PAD) / step) as usize).max(1);
        let places = words.into_iter().enumerate();
        places
            .map(|(term, words)| Sample { words, x: PAD + step * (term % across) as f64, line: term / across })
            .collect()
    }

    fn alt(&self, terms: &Array2<f64>, sums: &Array1<f64>, decimals: usize) -> String {
        let weighted = self.weights.iter().enumerate();
        let weighted =
            weighted.map(|(term, &weight)| format!("{} {}", rounded(weight, decimals), self.labels.name(term)));
        let mut alt = join(weighted, " + ");
        for (place, (terms, &sum)) in terms.columns().into_iter().zip(sums).enumerate() {
            let terms = join(terms.iter().map(|&term| rounded(term, decimals)), " + ");
            alt += &format!("; {}: {terms} = {}", self.labels.coordinate(place), rounded(sum, decimals));
        }
        alt
    }
}

/// How far the positive and the negative terms of each coordinate reach.
fn ends(terms: &Array2<f64>) -> Vec<f64> {
    let mut ends = Vec::new();
    for column in terms.columns() {
        let (mut below, mut above) = (0.0, 0.0);
        for &term in column.iter().filter(|term| term.is_finite()) {
            *(if term < 0.0 { &mut below } else { &mut above }) += term;
        }
        ends.extend([above, below].map(|end: f64| end.clamp(f64::MIN, f64::MAX)));
    }
    ends
}

fn ruler_ticks(scale: Scale) -> Vec<Tick> {
    ticks::linear(scale.low, scale.high, 6)
}

/// Ticks and their numbers below the bars.
fn ruler(canvas: &mut Canvas, scale: Scale, (top, bottom): (f64, f64)) {
    for tick in ruler_ticks(scale) {
        let x = scale.pixel(tick.at);
        canvas.fill(x - 0.4, top, 0.8, bottom - top, GRID);
        canvas.line(&[(x, bottom), (x, bottom + TICK)], Stroke::solid(MUTED, 0.8));
        canvas.text(x, bottom + TICK + 2.0 + SMALL / 2.0, &tick.label, Type::new(SMALL, INK, Anchor::Middle));
    }
}
