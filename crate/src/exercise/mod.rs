//! Exercises that answer back.
//!
//! A learner's cell holds a function; the next one hands it to its check, and the last line shows the verdict: passed,
//! not started, or not yet, with the property that fails, an input on which it fails and, when it is a known one, the
//! thought behind the mistake. A check tries properties, never one solution's text, so that every right answer passes.
//!
//! ```
//! use d2l::prelude::*;
//!
//! fn score(query: &Array1<f64>, key: &Array1<f64>, temperature: f64) -> f64 {
//!     let difference = query - key;
//!     -difference.dot(&difference) / temperature
//! }
//! assert!(check::lt_ex1a(score).passed());
//! ```
//!
//! [`hint`] gives three hints an exercise, [`progress()`] shows all of them with their state. Adding an exercise is writing
//! its entry and adding one line to the table.

mod entry;
mod guard;
mod lt_ex1;
mod lt_ex2;
mod lt_ex3;
mod lt_ex4;
mod lt_ex5;
mod lt_ex6;
mod numbers;
mod progress;
pub mod search;
mod table;
mod text;
mod uk_mixture;
mod uk_query;
mod uk_tables;
mod verdict;

use std::fmt;

#[cfg(feature = "rehearsal")]
pub use entry::Rehearsal;
pub use entry::{About, Counterexample};
pub use progress::{Progress, progress, reset_progress};
pub use table::check;
pub use text::{Language, Text};
pub use verdict::{Outcome, Verdict};

use crate::display::{escape, show};
use table::TABLE;

/// What is known of an exercise, by its id.
fn about(id: &str) -> Result<&'static About, String> {
    let known = || TABLE.iter().map(|entry| entry.about());
    known().find(|about| about.id == id).ok_or_else(|| {
        format!(
            "there is no exercise \"{id}\": there are {}",
            known().map(|about| about.id).collect::<Vec<_>>().join(", ")
        )
    })
}

/// Holds every entry of the table against its own stub, right answers and wrong answers: the proof of the checks.
///
/// ```
/// for rehearsal in d2l::exercise::rehearse() {
///     assert!(rehearsal.solutions.iter().all(|verdict| verdict.passed()), "{}", rehearsal.about.id);
/// }
/// ```
#[cfg(feature = "rehearsal")]
pub fn rehearse() -> impl Iterator<Item = Rehearsal> {
    TABLE.iter().map(|entry| entry.rehearse())
}

/// A hint, shown by a cell's last line.
#[derive(Clone, Debug)]
pub struct Hint {
    about: &'static About,
    number: usize,
    language: Language,
}

/// A hint for an exercise: 1 is a nudge, 2 the formula, 3 a skeleton of the code.
///
/// # Panics
/// If there is no such exercise or no such hint.
///
/// ```
/// assert!(d2l::exercise::hint("lt-ex1a", 1).to_string().contains("raktas"));
/// assert!(d2l::exercise::hint("lt_ex1a", 1).to_string().contains("raktas"));
/// ```
#[track_caller]
pub fn hint(id: &str, number: usize) -> Hint {
    // As functions spell it, so that a name may be copied from `check::lt_ex1a`.
    let about = about(&id.replace('_', "-")).unwrap_or_else(|sentence| panic!("{sentence}"));
    assert!((1..=about.hints.len()).contains(&number), "there are hints 1 to {}, not {number}", about.hints.len());
    Hint { about, number, language: about.language }
}

impl Hint {
    /// The same hint in another language.
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Shows the hint in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        let lines = self.to_string();
        let html = lines.lines().map(escape).collect::<Vec<_>>().join("\n");
        show(
            &format!("<pre style=\"white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere\">{html}</pre>"),
            &lines,
        );
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.about.hints[self.number - 1].in_language(self.language);
        write!(f, "💡 {}/{}  {words}", self.number, self.about.hints.len())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_entry_judges_its_own_answers_right() {
        for rehearsal in rehearse() {
            let id = rehearsal.about.id;
            assert_eq!(*rehearsal.stub.outcome(), Outcome::NotStarted, "{id}: the stub");
            assert!(rehearsal.solutions.len() >= 3, "{id}: a model solution and two others are wanted");
            for (number, verdict) in rehearsal.solutions.iter().enumerate() {
                assert!(verdict.passed(), "{id}: solution {number} is refused: {verdict}");
            }
            assert!(rehearsal.wrong.len() >= 4, "{id}: four wrong answers are wanted");
            for (number, (verdict, says)) in rehearsal.wrong.iter().enumerate() {
                let Outcome::NotYet { misconception, .. } = verdict.outcome() else {
                    panic!("{id}: wrong answer {number} is not seen: {verdict}");
                };
                assert_eq!(*misconception, Some(*says), "{id}: wrong answer {number}: {verdict}");
                for language in Language::ALL {
                    let shown = verdict.clone().in_language(language);
                    assert!(shown.to_string().contains(says.in_language(language)), "{id} {language:?}: {shown}");
                }
            }
        }
    }

    #[test]
    fn every_text_is_there_once_in_every_language() {
        let mut ids = HashSet::new();
        for rehearsal in rehearse() {
            let about = rehearsal.about;
            assert!(ids.insert(about.id), "{} stands twice in the table", about.id);
            assert!((1..=3).contains(&about.difficulty) && about.minutes > 0, "{}", about.id);
            let texts = [about.title, about.prompt, about.next].into_iter().chain(about.hints);
            for text in texts.chain(rehearsal.wrong.into_iter().map(|(_, says)| says)) {
                let words: HashSet<&str> = Language::ALL.map(|language| text.in_language(language).trim()).into();
                let code = text == Text::code(text.in_language(Language::En));
                assert!(!words.contains("") && (code || words.len() == 3), "{}: {text:?}", about.id);
            }
        }
    }

    #[test]
    fn every_exercise_stands_in_its_notebook_and_is_solved_beside_it() {
        let notebooks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../notebooks");
        for about in TABLE.iter().map(|entry| entry.about()) {
            let check = format!("check::{}(", about.id.replace('-', "_"));
            let solutions = format!("solutions/{}", about.notebook.replace('/', "-"));
            let [notebook, solutions] =
                [about.notebook, &solutions].map(|name| fs::read_to_string(notebooks.join(name)).expect(name));
            assert!(notebook.contains(&check) && solutions.contains(&check), "{} has no cell with {check}", about.id);
            assert!(!solutions.contains(['✗', '○']), "a solution beside {} is refused", about.notebook);
        }
    }

    #[test]
    #[should_panic(expected = "there is no exercise \"lt-ex9\": there are lt-ex1a")]
    fn an_unknown_exercise_names_the_known_ones() {
        hint("lt-ex9", 1);
    }

    #[test]
    #[should_panic(expected = "there are hints 1 to 3, not 4")]
    fn an_unknown_hint_names_the_known_ones() {
        hint("lt-ex1a", 4);
    }
}
