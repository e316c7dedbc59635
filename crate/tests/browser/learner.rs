//! A learner's way through an exercise: a wrong answer, its verdict, a hint, a right answer, the progress.

use crate::{
    page::Page,
    session::{Session, target},
    trials::{expect, expect_shown},
};

const ANSWER: &str = "lt-ex1a-kodas";
const CHECK: &str = "lt-ex1a-patikra";
const CALL: &str = "check::lt_ex1a(score)";

pub fn an_exercise_answers_back(session: &Session) -> Result<(), String> {
    let (page, address) = (&session.page, &session.server.address);
    page.undo_changes()?;
    page.go_to(address, "11-1-pratimai.ipynb")?;
    let outcome = solve(page);
    page.go_back(address)?;
    outcome
}

fn solve(page: &Page) -> Result<(), String> {
    page.clear()?;
    page.run("pasirengimas")?;
    page.run(ANSWER)?;
    step(page, "1-stub", &["○"])?;

    page.change(ANSWER, "todo!()", "query.dot(key) / temperature")?;
    step(page, "2-wrong", &["✗", "skaliarinė sandauga auga kartu su rakto ilgiu", "α ="])?;

    page.change(CHECK, CALL, "hint(\"lt-ex1a\", 1)")?;
    shown(page, "3-hint", &["1/3", "Kuo raktas toliau nuo užklausos"])?;

    page.change(CHECK, "hint(\"lt-ex1a\", 1)", CALL)?;
    page.change(ANSWER, "query.dot(key) / temperature", "-(query - key).mapv(|x| x * x).sum() / temperature")?;
    step(page, "4-right", &["✓"])?;

    page.change(CHECK, CALL, "progress()")?;
    shown(page, "5-progress", &["✓", "Apytikslė vektorių paieška", "○"])
}

/// Runs the check and looks at the verdict.
fn step(page: &Page, name: &str, words: &[&str]) -> Result<(), String> {
    page.run(CHECK)?;
    shown(page, name, words)
}

/// The check's cell shows these words, in text that can be read; a picture of the window is kept.
fn shown(page: &Page, name: &str, words: &[&str]) -> Result<(), String> {
    let folder = target().join("browser-pictures");
    let (picture, path) = (page.browser.screenshot()?, folder.join(format!("{name}.png")));
    std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&path, picture))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    expect_shown(page, CHECK, words).map_err(|error| format!("{name}: {error}"))?;
    let faint = page.faint_text(".jp-OutputArea-output", 4.5)?;
    expect(faint.is_empty(), || format!("{name}: too faint: {faint:?}"))
}
