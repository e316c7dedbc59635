//! What a check says.

use std::fmt;

use super::entry::{About, Counterexample};
use super::text::{Language, Text};
use super::{guard, progress};
use crate::display::{escape, printable, show};

/// How an answer fared.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Every property holds.
    Passed,
    /// The cell still holds the stub.
    NotStarted,
    /// A property fails.
    NotYet {
        /// Which one.
        property: Text,
        /// On which input.
        counterexample: Counterexample,
        /// The thought behind the answer, when it is a known one.
        misconception: Option<Text>,
    },
    /// The answer panicked with this message.
    Panicked(String),
    /// The answer did not end.
    TooSlow,
    /// The answer was given up for what it printed.
    TooMuchOutput,
    /// An earlier answer that was given up still runs and writes: no other can be tried beside it.
    NotTried,
}

/// The verdict on an answer, shown by the last line of a check's cell.
#[derive(Clone, Debug)]
pub struct Verdict {
    about: &'static About,
    outcome: Outcome,
    language: Language,
    /// Why the progress could not be kept.
    unkept: Option<String>,
}

/// Longest value shown, in characters: what a learner's answer returns may be of any size.
const LONGEST: usize = 300;

const PASSED: Text = Text("Išspręsta", "Розв'язано", "Solved");
const NOT_STARTED: Text = Text("Dar nepradėta", "Ще не розпочато", "Not started");
const NOT_YET: Text = Text("Dar ne", "Ще ні", "Not yet");
const REPLACE_STUB: Text = Text(
    "Langelyje tebėra `todo!()`: įrašykite vietoj jo savo sprendimą ir paleiskite abu langelius.",
    "У комірці досі стоїть `todo!()`: запишіть замість нього свій розв'язок і виконайте обидві комірки.",
    "The cell still holds `todo!()`: put your own answer in its place and run both cells.",
);
const GIVEN: Text = Text("duota:", "дано:", "given:");
const GOT: Text = Text("gauta:", "отримано:", "got:");
const WANTED: Text = Text("turėtų būti:", "має бути:", "should be:");
const LIKELY: Text = Text("Tikėtina priežastis:", "Імовірна причина:", "Probably:");
/// With a full stop, since what follows is whole sentences.
const THINK: Text = Text("Pagalvokite.", "Поміркуйте.", "Something to think about.");
const PANICKED: Text =
    Text("Jūsų kodas nutrūko; pranešimas:", "Ваш код аварійно завершився з повідомленням:", "Your code panicked with:");
const SHAPES: Text = Text(
    "masyvų matmenys nedera; pažiūrėkite į juos su `.shape()`",
    "розміри масивів не узгоджені; подивіться на них за допомогою `.shape()`",
    "the arrays' shapes do not fit; look at them with `.shape()`",
);
const TOO_SLOW: Text = Text(
    "Jūsų kodas per aštuonias sekundes nebaigė darbo. Ar jame nėra begalinio ciklo?",
    "Ваш код не завершив роботу за вісім секунд. Чи немає в ньому нескінченного циклу?",
    "Your code did not finish within eight seconds. Is there an endless loop?",
);
const TOO_MUCH_OUTPUT: Text = Text(
    "Jūsų kodas spausdina per daug, todėl patikra sustabdyta. Ištrinkite `println!` arba spausdinkite rečiau.",
    "Ваш код виводить забагато, тому перевірку зупинено. Видаліть `println!` або виводьте рідше.",
    "Your code prints too much, so the check was stopped. Remove `println!` or print less.",
);
const NOT_TRIED: Text = Text(
    "Šis atsakymas nepatikrintas: tebeveikia ankstesnis, kuris spausdina be galo.",
    "Цю відповідь не перевірено: досі працює попередня, яка безперервно виводить текст.",
    "This answer was not tried: an earlier one still runs and prints without end.",
);
const RESTART: Text = Text(
    "Sustabdyti jo iš čia neįmanoma: paleiskite branduolį iš naujo (meniu Kernel, komanda Restart Kernel) ir užrašinės \
     langelius nuo pradžių. Išspręsti pratimai liks išspręsti.",
    "Зупинити його звідси неможливо: перезапустіть ядро (меню Kernel, команда Restart Kernel) і виконайте комірки від \
     початку. Розв'язані вправи лишаться розв'язаними.",
    "It cannot be stopped from here: restart the kernel (menu Kernel, Restart Kernel) and run the cells from the top. \
     Solved exercises stay solved.",
);
const UNKEPT: Text =
    Text("Pažangos įrašyti nepavyko:", "Поступ не вдалося зберегти:", "Your progress could not be kept:");

impl Verdict {
    pub(super) fn new(about: &'static About, outcome: Outcome) -> Self {
        Self { about, outcome, language: about.language, unkept: None }
    }

    /// Writes the outcome down for [`progress`](super::progress()). An answer that was given up still runs: from here on
    /// it cannot write.
    pub(super) fn kept(mut self) -> Self {
        if matches!(self.outcome, Outcome::TooSlow | Outcome::TooMuchOutput) {
            guard::silence_others();
        }
        if self.outcome == Outcome::TooMuchOutput {
            guard::let_the_flood_pass();
        }
        self.unkept = progress::keep(self.about.id, &self.outcome).err().map(|error| error.to_string());
        self
    }

    /// The same verdict in another language.
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// How the answer fared.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Whether the answer is right.
    pub fn passed(&self) -> bool {
        self.outcome == Outcome::Passed
    }

    /// A sign and a heading, then lines of a label with its mark (which may be empty) and words.
    fn parts(&self) -> (&'static str, &'static str, Vec<(&'static str, String)>) {
        let say = |text: Text| text.in_language(self.language);
        let mut lines = Vec::new();
        let (sign, heading) = match &self.outcome {
            Outcome::Passed => {
                lines.push((say(THINK), say(self.about.next).to_owned()));
                ("✓", say(PASSED))
            }
            Outcome::NotStarted => {
                lines.push(("", say(REPLACE_STUB).to_owned()));
                ("○", say(NOT_STARTED))
            }
            Outcome::NotYet { property, counterexample, misconception } => {
                lines.push(("", say(*property).to_owned()));
                lines.push((say(GIVEN), cut(&counterexample.input)));
                lines.push((say(GOT), cut(&counterexample.got)));
                lines.push((say(WANTED), cut(&counterexample.wanted)));
                lines.extend(misconception.map(|thought| (say(LIKELY), say(thought).to_owned())));
                ("✗", say(NOT_YET))
            }
            Outcome::Panicked(message) => {
                lines.push((say(PANICKED), cut(message)));
                if message.contains("ShapeError") {
                    lines.push((say(LIKELY), say(SHAPES).to_owned()));
                }
                ("✗", say(NOT_YET))
            }
            Outcome::TooSlow | Outcome::TooMuchOutput | Outcome::NotTried => {
                let what = match self.outcome {
                    Outcome::TooSlow => TOO_SLOW,
                    Outcome::TooMuchOutput => TOO_MUCH_OUTPUT,
                    _ => NOT_TRIED,
                };
                lines.push(("", say(what).to_owned()));
                lines.push(("", say(RESTART).to_owned()));
                ("✗", say(NOT_YET))
            }
        };
        lines.extend(self.unkept.iter().map(|error| (say(UNKEPT), error.clone())));
        (sign, heading, lines)
    }

    /// The verdict as HTML.
    pub fn html(&self) -> String {
        let (sign, heading, lines) = self.parts();
        let color = match self.outcome {
            Outcome::Passed => "#1a7f37",
            Outcome::NotStarted => "#8c959f",
            _ => "#cf5a00",
        };
        let title = escape(self.about.title.in_language(self.language));
        let mut html = format!(
            "<div style=\"border-left:4px solid {color};padding:4px 12px\"><p style=\"margin:2px 0\"><strong>{sign} \
             {heading}</strong> · {title}</p>"
        );
        for (label, words) in lines {
            let label = if label.is_empty() { String::new() } else { format!("<em>{}</em> ", escape(label)) };
            html += &format!("<p style=\"margin:2px 0\">{label}{}</p>", code(&escape(&words)));
        }
        html + "</div>"
    }

    /// Shows the verdict in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        show(&self.html(), &self.to_string());
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, heading, lines) = self.parts();
        write!(f, "{sign} {heading} · {}", self.about.title.in_language(self.language))?;
        for (label, words) in lines {
            let space = if label.is_empty() { "" } else { " " };
            write!(f, "\n  {label}{space}{words}")?;
        }
        Ok(())
    }
}

/// At most [`LONGEST`] characters of a value.
fn cut(value: &str) -> String {
    let line = printable(value);
    if line.chars().count() <= LONGEST { line } else { line.chars().take(LONGEST).chain(['…']).collect() }
}

/// Backticks as in Markdown: what stands between two of them is code.
fn code(escaped: &str) -> String {
    let mut pieces = escaped.split('`');
    let mut html = pieces.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = pieces.collect();
    for (index, piece) in rest.iter().enumerate() {
        let tag = match (index % 2, index + 1 < rest.len()) {
            (0, true) => "<code>",
            (0, false) => "`",
            _ => "</code>",
        };
        html += tag;
        html += piece;
    }
    html
}
