//! Spelling: every word that the notebooks and the exercises say in Lithuanian and Ukrainian is in hunspell's dictionary
//! or in the list of terms and names beside this file.
//!
//! A line of a list is a word, or a word and after a slash another one whose inflected forms it has, such as `токен/план`.
//! Where hunspell or a dictionary is missing, the language is left out, with a line that says so.

mod prose;

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::Path,
    process::{Command, Stdio},
    sync::LazyLock,
};

use d2l::exercise::{Language, Outcome, Rehearsal, Text, rehearse};
use serde_json::Value;

/// The words of one language, each with the first place that says it.
type Places = BTreeMap<String, String>;

/// Every exercise, judged once: the checks take longer than the spelling.
static REHEARSALS: LazyLock<Vec<Rehearsal>> = LazyLock::new(|| rehearse().collect());

#[test]
fn lithuanian_words_are_spelled_right() {
    check(Language::Lt, "lt", "lt_LT");
}

#[test]
fn ukrainian_words_are_spelled_right() {
    check(Language::Uk, "uk", "uk_UA");
}

fn check(language: Language, folder: &str, dictionary: &str) {
    let mut places = Places::new();
    notebooks(folder, &mut places);
    exercises(language, &mut places);
    assert!(places.len() > 500, "only {} words were found", places.len());
    let list = format!("{}/tests/spelling/words-{folder}.txt", env!("CARGO_MANIFEST_DIR"));
    match unknown(places.keys(), dictionary, &list) {
        Ok(words) => {
            let lines: Vec<String> = words.iter().map(|word| format!("{word} ({})", places[word])).collect();
            assert!(lines.is_empty(), "neither {dictionary} nor {list} has: {}", lines.join(", "));
        }
        // Past the test harness, which keeps what a passing test prints.
        Err(reason) => {
            writeln!(io::stderr(), "spelling of {dictionary} was left out: {reason}").expect("stderr is open")
        }
    }
}

/// The words of a language's notebooks and of their solutions.
fn notebooks(language: &str, places: &mut Places) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../notebooks");
    for (folder, prefix) in [(language, ""), ("solutions", language)] {
        for entry in root.join(folder).read_dir().expect("the folder is there") {
            let path = entry.expect("the folder can be listed").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !name.starts_with(prefix) || !name.ends_with(".ipynb") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a notebook can be read");
            let notebook: Value = serde_json::from_str(&text).expect("a notebook is JSON");
            for cell in notebook["cells"].as_array().expect("a notebook has cells") {
                let lines = cell["source"].as_array().expect("a cell has lines");
                let source: String = lines.iter().filter_map(Value::as_str).collect();
                let said =
                    if cell["cell_type"] == "markdown" { prose::markdown(&source) } else { prose::code(&source) };
                add(&said, language, &format!("{folder}/{name}"), places);
            }
        }
    }
}

/// The words of every exercise: what it asks, hints at and says of an answer.
fn exercises(language: Language, places: &mut Places) {
    let code = if language == Language::Lt { "lt" } else { "uk" };
    for rehearsal in REHEARSALS.iter() {
        let about = rehearsal.about;
        let mut texts = vec![about.title, about.prompt, about.next];
        // The third hint is code.
        texts.extend(&about.hints[..2]);
        for (verdict, says) in &rehearsal.wrong {
            texts.push(*says);
            if let Outcome::NotYet { property, .. } = verdict.outcome() {
                texts.push(*property);
            }
        }
        for text in texts.iter().filter(|text| **text != Text::code(text.in_language(Language::En))) {
            add(&prose::markdown(text.in_language(language)), code, about.id, places);
        }
    }
}

fn add(said: &str, language: &str, place: &str, places: &mut Places) {
    for word in prose::words(said).filter(|word| prose::is_of(language, word)) {
        places.entry(word.to_owned()).or_insert_with(|| place.to_owned());
    }
}

/// The words that neither the dictionary nor the list has, or why they were not looked up.
fn unknown<'a>(words: impl Iterator<Item = &'a String>, dictionary: &str, list: &str) -> Result<Vec<String>, String> {
    let said = |arguments: &[&str], input: String| -> io::Result<(String, String)> {
        let mut hunspell = Command::new("hunspell")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = hunspell.stdin.take().expect("it was piped");
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = hunspell.wait_with_output()?;
        writer.join().expect("writing does not panic")?;
        Ok([output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).into())
    };
    let (_, dictionaries) =
        said(&["-D"], String::new()).map_err(|error| format!("hunspell cannot be run ({error})"))?;
    if !dictionaries.lines().any(|line| line.ends_with(dictionary)) {
        return Err(format!("hunspell has no dictionary {dictionary}"));
    }
    let words: Vec<&str> = words.map(String::as_str).collect();
    let (found, complaint) = said(&["-d", dictionary, "-i", "utf-8", "-p", list, "-l"], words.join("\n"))
        .map_err(|error| format!("hunspell cannot be run ({error})"))?;
    assert!(complaint.is_empty(), "hunspell says: {complaint}");
    let found: Vec<&str> = found.lines().collect();
    // Hunspell may name a part of a word with a hyphen; a report names the whole of it.
    let missed = |word: &&str| found.contains(word) || word.split('-').any(|part| found.contains(&part));
    Ok(words.into_iter().filter(missed).map(str::to_owned).collect())
}
