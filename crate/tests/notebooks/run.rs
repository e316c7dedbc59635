//! Runs a notebook's cells on a kernel and judges each of them.

use std::time::Duration;

use nbformat::v4::Output;

use crate::{
    compare,
    document::{CodeCell, Document},
    kernel::{Kernel, stream_text},
};

/// How long a cell may run.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For the first cell and for those that load a crate: they compile it with its dependencies.
    pub loading: Duration,
    pub usual: Duration,
}

impl Limits {
    /// The limits for committed notebooks; `D2L_CELL_SECONDS` replaces both.
    pub fn from_environment() -> Result<Self, String> {
        match std::env::var("D2L_CELL_SECONDS") {
            Ok(text) => match text.parse() {
                Ok(seconds) => Ok(Self::of_seconds(seconds)),
                Err(_) => Err(format!("D2L_CELL_SECONDS is \"{text}\": it must be a whole number of seconds")),
            },
            Err(_) => Ok(Self { loading: Duration::from_secs(300), usual: Duration::from_secs(120) }),
        }
    }

    pub fn of_seconds(seconds: u64) -> Self {
        Self { loading: Duration::from_secs(seconds), usual: Duration::from_secs(seconds) }
    }
}

/// What a run showed, cell by cell, and everything that is wrong with it.
#[derive(Default)]
pub struct Run {
    pub outputs: Vec<Vec<Output>>,
    pub times: Vec<(String, Duration)>,
    /// Failures of cells; the run stops at the first, since the cells after it build on it.
    pub failures: Vec<String>,
    /// Outputs that are not those committed.
    pub differences: Vec<String>,
}

/// Runs the cells one after another.
pub fn run(notebook: &Document, kernel: &mut Kernel, limits: Limits) -> Run {
    let mut run = Run::default();
    for cell in notebook.code_cells() {
        let loads = run.outputs.is_empty() || cell.source.lines().any(|line| line.trim_start().starts_with(":dep"));
        let shown = kernel.execute(&cell.source, if loads { limits.loading } else { limits.usual });
        run.times.push((cell.title(), kernel.last_cell));
        let shown = match shown {
            Ok(shown) => shown,
            Err(stopped) => {
                run.failures.push(format!("{}: {stopped}", cell.title()));
                return run;
            }
        };
        if let Some(failure) = judge(&cell, &shown) {
            run.failures.push(format!("{}: {failure}", cell.title()));
            return run;
        }
        if let Some(difference) = compare::difference(&cell.outputs, &shown, cell.has_tag("varies")) {
            run.differences.push(format!("{}: {difference}", cell.title()));
        }
        run.outputs.push(shown);
    }
    run
}

/// How a cell failed, unless it is meant to.
fn judge(cell: &CodeCell, shown: &[Output]) -> Option<String> {
    match (failure(shown), cell.has_tag("raises-exception")) {
        (Some(failure), false) => Some(failure),
        (None, true) => Some("is tagged `raises-exception`, but it did not fail".into()),
        _ => None,
    }
}

/// The error message, the text on stderr or the debug text that makes a cell a failed one.
fn failure(shown: &[Output]) -> Option<String> {
    let errors: Vec<String> = shown
        .iter()
        .filter_map(|output| match output {
            Output::Error(error) => Some(format!("{}\n{}", error.evalue, error.traceback.join("\n"))),
            _ => None,
        })
        .collect();
    if !errors.is_empty() {
        return Some(format!("error: {}", plain(&errors.join("\n"))));
    }
    if let Some(text) = shown.iter().find_map(|output| stream_text(output, "stderr")) {
        return Some(format!("wrote to stderr: {}", plain(text)));
    }
    let text = shown.iter().find_map(debug_text)?;
    Some(format!("shows a value as Rust's debug text, `{text}…`: does its last line move a variable of the notebook?"))
}

/// The beginning of a struct's debug text that is all there is to see: what evcxr falls back to.
fn debug_text(output: &Output) -> Option<String> {
    let Output::ExecuteResult(result) = output else { return None };
    let bundle = serde_json::to_value(&result.data).expect("a MIME bundle is plain data");
    let text = bundle["text/plain"].as_str().filter(|_| bundle.get("text/html").is_none())?;
    let (name, _) = text.split_once(" { ")?;
    name.chars().all(char::is_alphanumeric).then(|| text.chars().take(40).collect())
}

/// A message without colours and without the list of calls inside the kernel.
fn plain(text: &str) -> String {
    let text = anstream::adapter::strip_str(text).to_string();
    let lines =
        text.lines().take_while(|line| line.trim() != "stack backtrace:").filter(|line| !line.trim().is_empty());
    lines.take(20).collect::<Vec<_>>().join("\n  ")
}
