//! Proves the runner on the real kernel: each fixture notebook has one fault, and the report has to name it.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use libtest_mimic::Trial;
use rustix::process::{Pid, test_kill_process_group};

use crate::{
    document::Document,
    kernel::Kernel,
    kernel_trial,
    lab::{Lab, refuse_unexecuted, report, save},
    run::{self, Limits},
};

/// Fixture, and words that its report must have; none when it has to pass. All of them leave the kernel usable.
const CASES: &[(&str, &[&str])] = &[
    ("hello", &[]),
    ("panic", &["cell 2 (`let heads = 3;`)", "8 columns do not split into 3 heads"]),
    ("failed-assert", &["cell 1", "assertion `left == right` failed", "left: 4", "right: 5"]),
    ("todo", &["cell 1 (`todo!(", "not yet implemented: write softmax here"]),
    ("debug-text", &["cell 1", "shows a value as Rust's debug text, `Shown { value: 1 }"]),
    ("failed-question-mark", &["cell 1", "wrote to stderr", "invalid digit found in string"]),
    ("compile-error", &["cell 1", "error:", "mismatched types", "expected `i32`, found `&str`"]),
    ("process-dies", &["cell 1 (`std::process::abort()`)", "Subprocess terminated", "SIGABRT"]),
    (
        "changed-text",
        &[
            "cell 1 (`for step in 1..=12 {`)",
            "stdout changed",
            "line 13, byte 92",
            "in the file: …",
            "beta 3",
            "beta 2",
        ],
    ),
    ("changed-html", &["cell 1", "execute_result text/html changed", "<b>0.5</b>", "<b>0.7</b>"]),
    ("changed-picture", &["cell 1", "text/html changed: in the embedded picture, at line 2", "#fff5f0", "#67000d"]),
    ("output-appeared", &["cell 1", "stdout appeared", "said nothing before"]),
    ("output-disappeared", &["cell 1", "output 1, execute_result text/plain disappeared", "42"]),
    ("raises-exception", &[]),
    ("raises-nothing", &["cell 1", "tagged `raises-exception`, but it did not fail"]),
    ("varies", &[]),
    ("varies-in-kind", &["cell 1", "output 1, execute_result text/plain disappeared"]),
    ("unexecuted", &["not executed", "cargo test --test notebooks -- --write unexecuted.ipynb"]),
    ("no-cells", &["no-cells.ipynb has no cells"]),
    ("absent", &["absent.ipynb cannot be read: No such file"]),
];

pub fn trials(lab: &Arc<Mutex<Lab>>) -> Vec<Trial> {
    let mut trials: Vec<Trial> = CASES
        .iter()
        .map(|&(fixture, words)| {
            kernel_trial(format!("runner::{fixture}"), lab, move |lab| expect(words, check_shared(lab, fixture)))
        })
        .collect();
    trials.push(kernel_trial("runner::never-ends".into(), lab, |lab| never_ends(lab)));
    trials.push(kernel_trial("runner::kernel-dies".into(), lab, |lab| kernel_dies(lab)));
    trials.push(kernel_trial("runner::kernel-that-does-not-start".into(), lab, |lab| does_not_start(lab)));
    trials.push(kernel_trial("runner::write-then-check".into(), lab, write_then_check));
    trials.push(kernel_trial("runner::write-refuses-a-failure".into(), lab, write_refuses_a_failure));
    trials
}

fn fixture_path(fixture: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(format!("{fixture}.ipynb"))
}

fn read(fixture: &str) -> Result<Document, String> {
    Document::read(&fixture_path(fixture), &format!("{fixture}.ipynb"))
}

/// Holds a report against the words that it must have.
fn expect(words: &[&str], outcome: Result<(), String>) -> Result<(), String> {
    match outcome {
        Ok(()) if words.is_empty() => Ok(()),
        Ok(()) => Err(format!("passed, but a report with {words:?} was due")),
        Err(report) if words.is_empty() => Err(format!("should pass, but was reported:\n{report}")),
        Err(report) => match words.iter().find(|word| !report.contains(*word)) {
            None => Ok(()),
            Some(word) => Err(format!("the report lacks {word:?}:\n{report}")),
        },
    }
}

fn check_shared(lab: &mut Lab, fixture: &str) -> Result<(), String> {
    let notebook = read(fixture)?;
    refuse_unexecuted(&notebook)?;
    let limits = lab.limits();
    check(&notebook, lab.shared()?, limits)
}

fn check(notebook: &Document, kernel: &mut Kernel, limits: Limits) -> Result<(), String> {
    let run = run::run(notebook, kernel, limits);
    report(&notebook.name, run.failures.into_iter().chain(run.differences))
}

/// A cell that loops for ever is reported at its limit, and neither a process nor a file of its kernel is left.
fn never_ends(lab: &Lab) -> Result<(), String> {
    let mut kernel = lab.kernel(&std::env::temp_dir(), "killed")?;
    let (group, files) = (kernel.group(), kernel.files());
    let outcome = check(&read("never-ends")?, &mut kernel, Limits::of_seconds(6));
    expect(&["cell 1 (`loop {", "never ended within 6 s"], outcome)?;
    drop(kernel);
    if files.exists() {
        return Err(format!("the kernel's files are left in {}", files.display()));
    }
    let began = Instant::now();
    while lives(group) {
        if began.elapsed() > Duration::from_secs(5) {
            return Err("a process of the killed kernel still runs after 5 s".into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// Whether a process of the group still runs.
///
/// Where `/proc` tells, one that ended but was not yet taken note of by the system's first process is no living one.
fn lives(group: Pid) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else { return test_kill_process_group(group).is_ok() };
    let group = group.as_raw_nonzero().to_string();
    processes.flatten().filter_map(|process| fs::read_to_string(process.path().join("stat")).ok()).any(|stat| {
        // "pid (name) state parent group …", and a name may hold brackets and blanks.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let mut fields = fields.split_whitespace();
        fields.next().is_some_and(|state| state != "Z") && fields.nth(1) == Some(&group)
    })
}

/// The kernel itself, not only the process that runs the cells, is killed by a cell.
fn kernel_dies(lab: &Lab) -> Result<(), String> {
    let mut kernel = lab.kernel(&std::env::temp_dir(), "killed")?;
    let outcome = check(&read("kernel-dies")?, &mut kernel, lab.limits());
    expect(&["cell 1", "the kernel died (signal: 9 (SIGKILL))"], outcome)
}

/// A kernel that ends at once is reported with what it wrote; so is a program that is not there.
fn does_not_start(lab: &Lab) -> Result<(), String> {
    let mut spec = lab.spec().clone();
    spec.kernelspec.argv = ["sh", "-c", "echo no room for a kernel >&2; exit 3"].map(String::from).to_vec();
    let folder = std::env::temp_dir();
    let outcome = Kernel::start(&spec, &folder, &lab.builds().join("killed")).map(drop);
    expect(&["the kernel did not start", "exit status: 3", "no room for a kernel"], outcome)?;
    spec.kernelspec.argv = vec!["no-such-kernel".into()];
    let outcome = Kernel::start(&spec, &folder, &lab.builds().join("killed")).map(drop);
    expect(&["cannot start no-such-kernel"], outcome)
}

/// An unexecuted copy passes once it is written, and writing again changes no byte.
fn write_then_check(lab: &mut Lab) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let limits = lab.limits();
    for fixture in ["unexecuted", "hello"] {
        let copy = folder.path().join(format!("{fixture}.ipynb"));
        fs::copy(fixture_path(fixture), &copy).map_err(|error| error.to_string())?;
        let mut notebook = Document::read(&copy, fixture)?;
        let run = run::run(&notebook, lab.shared()?, limits);
        let changed = save(&mut notebook, &copy, run)?;
        if changed != (fixture == "unexecuted") {
            return Err(format!("{fixture}: changed is {changed}"));
        }
        let mut written = Document::read(&copy, fixture)?;
        refuse_unexecuted(&written)?;
        let run = run::run(&written, lab.shared()?, limits);
        report(fixture, run.differences.iter().cloned())?;
        if save(&mut written, &copy, run)? {
            return Err(format!("{fixture}: writing an unchanged notebook changed it"));
        }
    }
    Ok(())
}

/// When a cell fails, the file stays as it is.
fn write_refuses_a_failure(lab: &mut Lab) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let copy = folder.path().join("panic.ipynb");
    fs::copy(fixture_path("panic"), &copy).map_err(|error| error.to_string())?;
    let mut notebook = Document::read(&copy, "panic.ipynb")?;
    let limits = lab.limits();
    let run = run::run(&notebook, lab.shared()?, limits);
    expect(&["panic.ipynb", "cell 2", "8 columns do not split"], save(&mut notebook, &copy, run).map(drop))?;
    if fs::read(&copy).ok() != fs::read(fixture_path("panic")).ok() {
        return Err("the file changed although a cell failed".into());
    }
    Ok(())
}
