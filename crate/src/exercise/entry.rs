//! What an exercise is: one entry of the table, from its prompt to its model solution.

use super::guard::{self, Ended};
use super::text::{Language, Text};
use super::verdict::{Outcome, Verdict};

/// What a reader is told of an exercise before solving it.
#[derive(Debug)]
pub struct About {
    /// Its name, also the name of its step, such as `lt-ex1a`.
    pub id: &'static str,
    /// The notebook that it stands in, by its path below `notebooks`.
    pub notebook: &'static str,
    /// The language of that notebook.
    pub language: Language,
    /// From 1 (a line) to 3 (an evening).
    pub difficulty: u8,
    /// Minutes that it usually takes.
    pub minutes: u16,
    /// Its name in words.
    pub title: Text,
    /// What to do.
    pub prompt: Text,
    /// A nudge, the formula, a skeleton.
    pub hints: [Text; 3],
    /// What to think about once it is solved.
    pub next: Text,
}

/// Something that every right answer has, whichever way it is written.
pub(super) struct Property<A: 'static> {
    /// The property in words.
    pub says: Text,
    /// Tries it, also on hidden random cases.
    pub holds: fn(A) -> Result<(), Counterexample>,
}

/// The input on which a property fails. Numbers and signs only, so that it reads in every language.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// What the answer was given.
    pub input: String,
    /// What came back.
    pub got: String,
    /// What would fit.
    pub wanted: String,
}

/// A wrong answer that people give, with the thought behind it.
pub(super) struct Misconception<A: 'static> {
    pub answer: A,
    pub says: Text,
}

/// An entry of the table. `A` is the type of the function that the learner writes.
pub(super) struct Exercise<A: 'static> {
    pub about: About,
    /// In the order in which they are tried.
    pub properties: &'static [Property<A>],
    /// Numbers by which two answers are told apart.
    pub fingerprint: fn(A) -> Vec<f64>,
    pub misconceptions: &'static [Misconception<A>],
    /// What stands in the learner's cell at first; it compiles and stops at its `todo!()`.
    #[cfg(feature = "rehearsal")]
    pub stub: A,
    /// Right answers, the model solution first.
    #[cfg(feature = "rehearsal")]
    pub solutions: &'static [A],
}

/// What the table does with an entry, whatever its answer's type is.
pub(super) trait Entry: Sync {
    fn about(&self) -> &About;
    /// The verdicts on the stub, on each solution and on each wrong answer.
    #[cfg(feature = "rehearsal")]
    fn rehearse(&'static self) -> Rehearsal;
}

/// An entry held against its own answers.
#[cfg(feature = "rehearsal")]
#[derive(Debug)]
pub struct Rehearsal {
    /// The entry.
    pub about: &'static About,
    /// The verdict on the stub.
    pub stub: Verdict,
    /// The verdicts on the right answers, the model solution first.
    pub solutions: Vec<Verdict>,
    /// The verdicts on the wrong answers, each with the thought that should be named.
    pub wrong: Vec<(Verdict, Text)>,
}

/// An answer to an exercise, whatever its type is: what is judged by it is compiled once.
trait Attempt: Send {
    /// Tries a property, if there is one of this number.
    fn tried(&self, property: usize) -> Option<(Text, Result<(), Counterexample>)>;
    fn fingerprint(&self) -> Vec<f64>;
    /// A misconception and its fingerprint, if there is one of this number.
    fn known(&self, misconception: usize) -> Option<(Text, Vec<f64>)>;
}

impl<A: Copy + Send + Sync + 'static> Attempt for (&'static Exercise<A>, A) {
    fn tried(&self, property: usize) -> Option<(Text, Result<(), Counterexample>)> {
        let property = self.0.properties.get(property)?;
        Some((property.says, (property.holds)(self.1)))
    }

    fn fingerprint(&self) -> Vec<f64> {
        (self.0.fingerprint)(self.1)
    }

    fn known(&self, misconception: usize) -> Option<(Text, Vec<f64>)> {
        let known = self.0.misconceptions.get(misconception)?;
        Some((known.says, (self.0.fingerprint)(known.answer)))
    }
}

impl<A: Copy + Send + Sync + 'static> Exercise<A> {
    /// Judges an answer.
    pub fn judge(&'static self, answer: A) -> Verdict {
        judge(&self.about, Box::new((self, answer)))
    }
}

fn judge(about: &'static About, attempt: Box<dyn Attempt>) -> Verdict {
    let outcome = match guard::run(guard::PATIENCE, Box::new(move || first_failure(&*attempt))) {
        Ended::With(None) => Outcome::Passed,
        Ended::With(Some(not_yet)) => not_yet,
        Ended::AtStub => Outcome::NotStarted,
        Ended::InPanic(message) => Outcome::Panicked(message),
        Ended::Never => Outcome::TooSlow,
        Ended::Flooding => Outcome::TooMuchOutput,
        Ended::Silenced => Outcome::NotTried,
    };
    Verdict::new(about, outcome)
}

fn first_failure(attempt: &dyn Attempt) -> Option<Outcome> {
    let tried = (0..).map_while(|property| attempt.tried(property));
    let (property, counterexample) = tried.filter_map(|(says, held)| Some((says, held.err()?))).next()?;
    let print = attempt.fingerprint();
    let mut known = (0..).map_while(|misconception| attempt.known(misconception));
    let misconception = known.find(|(_, known)| same(&print, known)).map(|(says, _)| says);
    Some(Outcome::NotYet { property, counterexample, misconception })
}

impl<A: Copy + Send + Sync + 'static> Entry for Exercise<A> {
    fn about(&self) -> &About {
        &self.about
    }

    #[cfg(feature = "rehearsal")]
    fn rehearse(&'static self) -> Rehearsal {
        Rehearsal {
            about: &self.about,
            stub: self.judge(self.stub),
            solutions: self.solutions.iter().map(|&solution| self.judge(solution)).collect(),
            wrong: self.misconceptions.iter().map(|known| (self.judge(known.answer), known.says)).collect(),
        }
    }
}

/// Whether two answers behave alike; what is not a number in both places is alike.
fn same(a: &[f64], b: &[f64]) -> bool {
    let alike = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    a.len() == b.len() && a.iter().zip(b).all(alike)
}
