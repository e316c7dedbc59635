//! What is read out of a plot to whoever cannot see it: numbers and the caller's words.

use super::super::ticks::number;
use super::super::words::join;
use super::Plot;

/// Every point of a series of up to this many is told.
const MOST_TOLD: usize = 8;

impl Plot {
    /// The axes' names and ends, then each series: all of its points where they are few, else its ends and extremes.
    pub(super) fn alt(&self, x: (f64, f64), y: (f64, f64)) -> String {
        let mut parts = Vec::new();
        if !self.title.is_empty() {
            parts.push(self.title.clone());
        }
        parts.push(format!("{}: {} … {}", self.xlabel, number(x.0), number(x.1)));
        parts.push(format!("{}: {} … {}", self.ylabel, number(y.0), number(y.1)));
        for (index, series) in self.series.iter().enumerate() {
            let name = self.legend.get(index).cloned().unwrap_or_else(|| (index + 1).to_string());
            let placed: Vec<_> = series.points.iter().copied().filter(|point| self.has_place(point)).collect();
            let told = |points: &[(f64, f64)]| {
                join(points.iter().map(|&(x, y)| format!("({}, {})", number(x), number(y))), ", ")
            };
            let mut part = match placed.as_slice() {
                few if few.len() <= MOST_TOLD => format!("{name}: {}", told(few)),
                many => {
                    let heights = many.iter().map(|&(_, y)| y);
                    let (low, high) =
                        (heights.clone().fold(f64::INFINITY, f64::min), heights.fold(f64::NEG_INFINITY, f64::max));
                    let (ends, count) = ([many[0], many[many.len() - 1]], many.len());
                    format!(
                        "{name} ({count}): {}, …, {}, min {}, max {}",
                        told(&ends[..1]),
                        told(&ends[1..]),
                        number(low),
                        number(high)
                    )
                }
            };
            let infinite = series.points.iter().filter(|(x, y)| !x.is_finite() || !y.is_finite()).count();
            // What else has no place is not positive, on a logarithmic axis.
            for (what, count) in [("NaN, ∞", infinite), ("≤ 0", series.points.len() - placed.len() - infinite)] {
                if count > 0 {
                    part += &format!("; {what}: {count}");
                }
            }
            parts.push(part);
        }
        parts.join("; ")
    }
}
