//! Which exercises are solved, kept in a file: a cell's statics are gone with the cell.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::text::{Language, Text};
use super::verdict::Outcome;
use super::{TABLE, entry::About};
use crate::display::{escape, show};

/// Beside the notebook, since that is where its kernel runs.
const FILE: &str = ".d2l-progress";

const HEADING: Text = Text("Pažanga", "Поступ", "Progress");
const OF: Text = Text("iš", "з", "of");
const MINUTES: Text = Text("min.", "хв", "min");

/// The file: the one that `D2L_PROGRESS` names, or one in the notebook's folder.
fn file() -> PathBuf {
    env::var_os("D2L_PROGRESS").map_or_else(|| PathBuf::from(FILE), PathBuf::from)
}

/// What is written down: a line for each exercise, its id and `solved` or `tried`.
fn read() -> Vec<(String, String)> {
    let lines = fs::read_to_string(file()).unwrap_or_default();
    lines.lines().filter_map(|line| line.split_once(' ')).map(|(id, state)| (id.to_owned(), state.to_owned())).collect()
}

/// What is written down of one exercise.
fn state_of<'a>(states: &'a [(String, String)], id: &str) -> Option<&'a str> {
    states.iter().find(|(known, _)| known == id).map(|(_, state)| state.as_str())
}

/// Writes an outcome down. An exercise once solved stays solved; a stub changes nothing.
pub(super) fn keep(id: &str, outcome: &Outcome) -> io::Result<()> {
    let states = read();
    let before = state_of(&states, id);
    let state = match outcome {
        Outcome::NotStarted | Outcome::NotTried => return Ok(()),
        Outcome::Passed => "solved",
        _ if before == Some("solved") => return Ok(()),
        _ => "tried",
    };
    if before == Some(state) {
        return Ok(());
    }
    let mut lines = String::new();
    for (known, state) in states.iter().filter(|(known, _)| known != id) {
        let _ = writeln!(lines, "{known} {state}");
    }
    let _ = writeln!(lines, "{id} {state}");
    let (file, aside) = (file(), file().with_extension(std::process::id().to_string()));
    fs::write(&aside, lines)?;
    fs::rename(&aside, &file).inspect_err(|_| drop(fs::remove_file(&aside)))
}

/// The exercises and their state, shown by a cell's last line.
#[derive(Debug)]
pub struct Progress {
    rows: Vec<(&'static About, String)>,
    language: Language,
}

/// The exercises with their state: `✓` solved, `✗` tried, `○` not started. In a folder of notebooks they are those of its
/// notebooks, elsewhere all.
///
/// ```
/// let progress = d2l::exercise::progress();
/// assert!(progress.to_string().contains("lt-ex1a"));
/// ```
pub fn progress() -> Progress {
    let states = read();
    let all = || TABLE.iter().map(|entry| entry.about());
    // A kernel runs in its notebook's folder.
    let folder = env::current_dir().unwrap_or_default();
    let mut rows: Vec<&About> = all().filter(|about| stands_in(about, &folder)).collect();
    if rows.is_empty() {
        rows.extend(all());
    }
    let language = rows.first().map_or(Language::Lt, |about| about.language);
    let rows =
        rows.into_iter().map(|about| (about, state_of(&states, about.id).unwrap_or_default().to_owned())).collect();
    Progress { rows, language }
}

/// Whether an exercise's notebook lies in this folder, such as `uk`.
fn stands_in(about: &About, folder: &Path) -> bool {
    let named = Path::new(about.notebook).parent().and_then(Path::file_name);
    named.is_some() && named == folder.file_name()
}

/// Forgets which exercises are solved, and shows that.
///
/// # Panics
/// If the file is there and cannot be removed.
#[track_caller]
pub fn reset_progress() -> Progress {
    match fs::remove_file(file()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            panic!("{} cannot be removed: {error}", file().display())
        }
        _ => progress(),
    }
}

impl Progress {
    /// The same in another language.
    pub fn in_language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    fn heading(&self) -> String {
        let solved = self.rows.iter().filter(|(_, state)| state == "solved").count();
        let say = |text: Text| text.in_language(self.language);
        format!("{}: {solved} {} {}", say(HEADING), say(OF), self.rows.len())
    }

    /// Sign, id, title and size of each exercise.
    fn lines(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str, String)> {
        self.rows.iter().map(|(about, state)| {
            let sign = match state.as_str() {
                "solved" => "✓",
                "tried" => "✗",
                _ => "○",
            };
            let size = format!(
                "{} · {} {}",
                "★".repeat(about.difficulty.into()),
                about.minutes,
                MINUTES.in_language(self.language)
            );
            (sign, about.id, about.title.in_language(self.language), size)
        })
    }

    /// Shows the table in a notebook: the kernel calls this on a cell's last value.
    pub fn evcxr_display(&self) {
        let mut html = format!("<p><strong>{}</strong></p><table>", self.heading());
        for (sign, id, title, size) in self.lines() {
            let _ = write!(
                html,
                "<tr><td>{sign}</td><td><code>{id}</code></td><td>{}</td><td>{size}</td></tr>",
                escape(title)
            );
        }
        show(&(html + "</table>"), &self.to_string());
    }
}

impl std::fmt::Display for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.heading())?;
        self.lines().try_for_each(|(sign, id, title, size)| write!(f, "\n{sign} {id}  {title}  {size}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_shows_the_exercises_of_its_notebooks() {
        let among = |folder: &str| {
            let ids = TABLE.iter().map(|entry| entry.about()).filter(|about| stands_in(about, Path::new(folder)));
            ids.map(|about| &about.id[..2]).collect::<std::collections::BTreeSet<_>>().into_iter().collect::<String>()
        };
        assert_eq!(
            (among("clone/notebooks/lt"), among("/uk"), among("/"), among("elsewhere")),
            ("lt".into(), "uk".into(), String::new(), String::new())
        );
    }
}
