//! What a reader must see.

use std::sync::Arc;

use libtest_mimic::Trial;

use crate::{endings, learner, page::Page, picture::Picture, process::wait, session::Shared};

/// The cell of attention pooling and the value in it to change.
const POOLING: &str = "lt-09-kodas";
const QUERY: &str = "1.0, 0.5";

/// All tests, in the order in which they run.
pub fn all(shared: &Arc<Shared>) -> Vec<Trial> {
    let trial = |name, body: fn(&Page) -> Result<(), String>| shared.trial(name, move |session| body(&session.page));
    vec![
        trial("a_fresh_clone_shows_its_committed_figures", a_fresh_clone_shows_its_committed_figures),
        trial("run_all_draws_every_figure", run_all_draws_every_figure),
        trial("a_changed_value_changes_the_figure", a_changed_value_changes_the_figure),
        trial("a_compile_error_is_readable", a_compile_error_is_readable),
        trial("a_shape_that_does_not_fit_is_told_in_a_sentence", a_shape_that_does_not_fit_is_told),
        trial("both_themes_are_readable", both_themes_are_readable),
        trial("restart_and_run_all_draws_every_figure", restart_and_run_all_draws_every_figure),
        shared.trial("an_exercise_answers_back", learner::an_exercise_answers_back),
        trial("an_endless_cell_is_interrupted", endings::an_endless_cell_is_interrupted),
        shared.trial("a_killed_kernel_starts_again", endings::a_killed_kernel_starts_again),
        shared.trial("a_killed_server_leaves_nothing", endings::a_killed_server_leaves_nothing),
    ]
}

fn a_fresh_clone_shows_its_committed_figures(page: &Page) -> Result<(), String> {
    let figures = page.look_at_figures()?;
    expect(figures.len() == page.figures(), || format!("{} figures of {} are shown", figures.len(), page.figures()))?;
    expect(figures.iter().all(|(figure, _)| !figure.live), || "the notebook is trusted before it has run".into())?;
    expect_readable(figures.iter().map(|(_, picture)| picture))
}

fn run_all_draws_every_figure(page: &Page) -> Result<(), String> {
    page.run_all()?;
    expect_everything_drawn(page)
}

fn restart_and_run_all_draws_every_figure(page: &Page) -> Result<(), String> {
    page.ensure_run()?;
    page.restart_and_run_all()?;
    expect_everything_drawn(page)
}

fn a_changed_value_changes_the_figure(page: &Page) -> Result<(), String> {
    page.ensure_run()?;
    let before = page.figure_of(POOLING)?;
    expect(!before.svg.contains("0.37"), || "the figure shows the new number already".into())?;
    page.change(POOLING, QUERY, "-0.37, 0.5")?;
    let changed = page.figure_of(POOLING)?;
    expect(changed.svg.contains("0.37"), || "the figure does not show the new number".into())?;
    page.undo_changes()?;
    let after = page.figure_of(POOLING)?;
    expect(after.svg == before.svg, || "the old number does not bring back the old figure".into())?;
    expect_no_complaints(page)
}

fn a_compile_error_is_readable(page: &Page) -> Result<(), String> {
    let cell = "lt-07-kodas";
    page.ensure_run()?;
    page.change(cell, "&scores", "&scorse")?;
    expect_words(page, cell, &["cannot find value `scorse`", "softmax(&scorse)"])?;
    for (theme, light) in [("JupyterLab Dark", false), ("JupyterLab Light", true)] {
        switch_theme(page, theme, light)?;
        let faint = page.faint_text(".jp-OutputArea-output pre", 4.5)?;
        expect(faint.is_empty(), || format!("{theme}: too faint: {faint:?}"))?;
    }
    page.undo_changes()?;
    expect_no_complaints(page)
}

fn a_shape_that_does_not_fit_is_told(page: &Page) -> Result<(), String> {
    page.ensure_run()?;
    page.change(POOLING, QUERY, "1.0, 0.5, 2.0")?;
    expect_words(page, POOLING, &["queries of shape [.., 3] and keys of shape [4, 2] do not fit"])?;
    page.undo_changes()?;
    expect_no_complaints(page)
}

fn both_themes_are_readable(page: &Page) -> Result<(), String> {
    page.ensure_run()?;
    expect_theme_readable(page, "JupyterLab Light", true)?;
    let dark = expect_theme_readable(page, "JupyterLab Dark", false);
    switch_theme(page, "JupyterLab Light", true)?;
    dark
}

fn expect_theme_readable(page: &Page, name: &str, light: bool) -> Result<(), String> {
    switch_theme(page, name, light)?;
    let figures = page.look_at_figures()?;
    expect_readable(figures.iter().map(|(_, picture)| picture)).map_err(|error| format!("{name}: {error}"))?;
    for (selector, least) in [(".jp-RenderedMarkdown", 4.5), (".jp-OutputArea-output pre", 4.5), (".cm-content", 2.5)] {
        let faint = page.faint_text(selector, least)?;
        expect(faint.is_empty(), || format!("{name}: too faint at {selector}: {faint:?}"))?;
    }
    Ok(())
}

fn switch_theme(page: &Page, name: &str, light: bool) -> Result<(), String> {
    if page.ask::<bool>("document.body.dataset.jpThemeLight === 'true'", &[])? != light {
        page.menu(&["Settings", "Theme", name])?;
    }
    wait(
        std::time::Duration::from_secs(15),
        || format!("the theme {name} did not come"),
        || {
            let shown: String = page.ask("document.body.dataset.jpThemeName ?? ''", &[])?;
            Ok((shown == name).then_some(()))
        },
    )
}

/// Every cell has ended without a complaint and every figure is a live one.
pub fn expect_everything_drawn(page: &Page) -> Result<(), String> {
    expect_no_complaints(page)?;
    let figures = page.look_at_figures()?;
    let live = figures.iter().filter(|(figure, _)| figure.live).count();
    expect(live == page.figures(), || format!("{live} figures of {} are live", page.figures()))?;
    expect_readable(figures.iter().map(|(_, picture)| picture))
}

fn expect_no_complaints(page: &Page) -> Result<(), String> {
    let complaints = page.complaints()?;
    expect(complaints.is_empty(), || format!("the notebook complains: {complaints:#?}"))
}

fn expect_readable<'a>(pictures: impl Iterator<Item = &'a Picture>) -> Result<(), String> {
    for (number, picture) in pictures.enumerate() {
        if let Some(wrong) = picture.unreadable() {
            return Err(format!("figure {} of the notebook is not readable: {wrong}", number + 1));
        }
    }
    Ok(())
}

/// A cell says this, in words and not in the codes of a terminal.
fn expect_words(page: &Page, id: &str, words: &[&str]) -> Result<(), String> {
    let text = expect_shown(page, id, words)?;
    let coded = text.contains('\u{1b}') || text.contains("[0m");
    expect(!coded, || format!("the codes of a terminal are shown as text:\n{text}"))?;
    expect(!page.complaints()?.is_empty(), || format!("it does not look like a failure:\n{text}"))
}

/// A cell shows all of these words; the text is all that it shows.
pub fn expect_shown(page: &Page, id: &str, words: &[&str]) -> Result<String, String> {
    let text: String = page.outputs_of(id)?.into_iter().map(|output| output.text + "\n").collect();
    let missing: Vec<_> = words.iter().filter(|words| !text.contains(**words)).collect();
    expect(missing.is_empty(), || format!("{missing:?} is not shown; this is:\n{text}"))?;
    Ok(text)
}

pub fn expect(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
