//! `ProgressBoard`: how a run goes, in a few lines while it lasts and in a figure when it is over.

use crate::display::printable;
use crate::figure::{Figure, Plot, plot};

/// Lines a run prints at most: a cell cannot take back what it has printed.
const LINES: f64 = 10.0;
/// Points of a drawn line at most; more are averaged in groups.
const POINTS: usize = 200;

/// Collects values over the course of a run, such as the loss over epochs.
///
/// While the run lasts it prints a line of text at every tenth of the way. When a notebook's cell ends with it, it shows
/// a figure.
///
/// ```
/// use d2l::train::ProgressBoard;
///
/// let mut board = ProgressBoard::new("x", "sine and cosine", 6.0);
/// for x in (0..=60).map(|i| f64::from(i) / 10.0) {
///     board.draw(x, &[("sin", x.sin()), ("cos", x.cos())]); // prints ten lines: "x 0.6 of 6: sin 0.5646, cos 0.8253" …
/// }
/// assert_eq!(board.values("sin").len(), 61);
/// assert!(board.figure().svg().contains("cos"));
/// ```
#[derive(Clone, Debug)]
pub struct ProgressBoard {
    xlabel: String,
    ylabel: String,
    end: f64,
    quiet: bool,
    /// How many tenths of the way have been told.
    told: f64,
    lines: Vec<Line>,
}

#[derive(Clone, Debug)]
struct Line {
    label: String,
    points: Vec<(f64, f64)>,
}

impl ProgressBoard {
    /// A board for a run from 0 to `end` on the horizontal axis.
    ///
    /// # Panics
    /// If `end` is not a positive finite number.
    #[track_caller]
    pub fn new(xlabel: &str, ylabel: &str, end: f64) -> Self {
        assert!(end.is_finite() && end > 0.0, "a run ends at a positive finite number, not at {end:?}");
        let (xlabel, ylabel) = (xlabel.to_owned(), ylabel.to_owned());
        Self { xlabel, ylabel, end, quiet: false, told: 0.0, lines: Vec::new() }
    }

    /// Prints nothing while the run lasts.
    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// Notes what each line is worth at `x`, and prints it when another tenth of the way is done.
    pub fn draw(&mut self, x: f64, values: &[(&str, f64)]) {
        for &(label, y) in values {
            match self.lines.iter_mut().find(|line| line.label == label) {
                Some(line) => line.points.push((x, y)),
                None => self.lines.push(Line { label: label.to_owned(), points: vec![(x, y)] }),
            }
        }
        if let Some(text) = self.due(x, values).filter(|_| !self.quiet) {
            println!("{text}");
        }
    }

    /// The line of text to print at `x`, if it is time for one.
    fn due(&mut self, x: f64, values: &[(&str, f64)]) -> Option<String> {
        // A little more, since rounding may leave three tenths just short of 3.
        let tenths = (x / self.end * LINES + 1e-9).floor().min(LINES);
        if tenths <= self.told {
            return None;
        }
        self.told = tenths;
        let values: Vec<String> = values.iter().map(|&(label, y)| format!("{label} {}", short(y))).collect();
        Some(printable(&format!("{} {} of {}: {}", self.xlabel, short(x), short(self.end), values.join(", "))))
    }

    /// The values of one line, in the order in which they came; none if there is no such line.
    pub fn values(&self, label: &str) -> Vec<f64> {
        let points = self.lines.iter().find(|line| line.label == label).map_or(&[][..], |line| &line.points);
        points.iter().map(|&(_, y)| y).collect()
    }

    /// All lines in one figure. A line of more than 200 points is averaged down to them.
    pub fn figure(&self) -> Figure<Plot> {
        let (x, y) = self.lines.first().map(Line::thinned).unwrap_or_default();
        let mut figure = plot(&x, &y, &self.xlabel, &self.ylabel);
        for line in self.lines.iter().skip(1) {
            let (x, y) = line.thinned();
            figure = figure.line(&x, &y);
        }
        figure.legend(self.lines.iter().map(|line| &line.label)).xlim(0.0, self.end)
    }

    /// Shows the figure in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        self.figure().evcxr_display();
    }
}

impl Line {
    /// The points, or the means of as many neighbours as it takes to make few of them.
    fn thinned(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut means_x, mut means_y) = (Vec::new(), Vec::new());
        for group in self.points.chunks(self.points.len().div_ceil(POINTS).max(1)) {
            let (mut x, mut y) = (0.0, 0.0);
            for point in group {
                (x, y) = (x + point.0, y + point.1);
            }
            means_x.push(x / group.len() as f64);
            means_y.push(y / group.len() as f64);
        }
        (means_x, means_y)
    }
}

/// A number short enough for a line of text: four decimals, or three digits and a power of ten where they say nothing.
fn short(number: f64) -> String {
    let size = number.abs();
    if number.fract() == 0.0 && size < 1e9 {
        format!("{number}")
    } else if (1e-3..1e6).contains(&size) {
        format!("{number:.4}").trim_end_matches('0').to_owned()
    } else {
        format!("{number:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(epochs: usize) -> Vec<String> {
        let mut board = ProgressBoard::new("epoch", "loss", epochs as f64);
        (1..=epochs).filter_map(|epoch| board.due(epoch as f64, &[("train", 1.0 / epoch as f64)])).collect()
    }

    #[test]
    fn ten_lines_at_most_however_long_the_run() {
        for epochs in [1, 2, 9, 10, 11, 19, 99, 100, 101, 300, 2500, 100_003] {
            let lines = lines(epochs);
            assert_eq!(lines.len(), epochs.min(10), "{epochs} epochs: {lines:?}");
            assert!(lines.last().unwrap().starts_with(&format!("epoch {epochs} of {epochs}: ")), "{lines:?}");
        }
        assert_eq!(lines(300)[0], "epoch 30 of 300: train 0.0333");
    }

    #[test]
    fn a_line_of_text_stays_one_line() {
        let mut board = ProgressBoard::new("a\nb", "loss", 1.0);
        assert_eq!(board.due(2.0, &[("x\r", f64::NAN), ("y", 1e-5)]).unwrap(), "a b 2 of 1: x  NaN, y 1.00e-5");
        assert_eq!(board.due(3.0, &[]), None);
    }

    #[test]
    fn numbers_are_short() {
        let all = [0.0, 3.0, -0.5, 0.56464, 1234.56789, 1e-4, 2.5e7, f64::INFINITY].map(short);
        assert_eq!(all, ["0", "3", "-0.5", "0.5646", "1234.5679", "1.00e-4", "25000000", "inf"]);
    }

    #[test]
    fn the_figure_shows_every_line_by_name() {
        let mut board = ProgressBoard::new("epoch", "loss", 2.0).quiet();
        assert!(board.figure().svg().contains("epoch"));
        board.draw(1.0, &[("train", 0.5), ("test", 0.75)]);
        board.draw(2.0, &[("train", 0.25)]);
        assert_eq!((board.values("train"), board.values("test")), (vec![0.5, 0.25], vec![0.75]));
        assert_eq!(board.values("none"), [0.0; 0]);
        let svg = board.figure().svg();
        assert!(["epoch", "loss", "train", "test"].iter().all(|word| svg.contains(word)), "{svg}");
    }

    #[test]
    fn a_long_line_is_drawn_by_its_means() {
        let points = (0..1000).map(|i| (f64::from(i), f64::from(i % 5))).collect();
        let (x, y) = Line { label: String::new(), points }.thinned();
        assert_eq!((x.len(), x[1], y[1]), (200, 7.0, 2.0));
    }

    #[test]
    #[should_panic = "a run ends at a positive finite number, not at 0.0"]
    fn a_run_ends_somewhere() {
        ProgressBoard::new("x", "y", 0.0);
    }
}
