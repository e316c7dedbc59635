//! Runs every notebook cell by cell in a fresh evcxr kernel and compares what it shows with what is committed.
//!
//! ```text
//! cargo test --test notebooks                      # every notebook, and the proof of this runner
//! cargo test --test notebooks -- 11-1              # the ones whose path contains 11-1
//! cargo test --test notebooks -- --write 11-1      # run them and write their outputs back
//! cargo test --test notebooks -- --stock           # all of it on the plain kernel, without the launcher's tuning
//! cargo test --test notebooks -- --race 11-1       # the tuned and the stock kernel by turns, five rounds a notebook
//! ```
//!
//! A cell fails when it does not compile, writes to stderr (a panic, a failed `assert!`, a `todo!()` and a `?` that
//! fails leave the kernel's status at ok), shows a struct's debug text, never ends, kills the kernel, or shows something
//! else than is committed.
//! Two cell tags change that:
//!
//! | tag | meaning |
//! |---|---|
//! | `raises-exception` | the cell must fail, with a compile error or with text on stderr |
//! | `varies` | outputs differ from run to run: only their number, types and MIME types are compared |
//!
//! `D2L_CELL_SECONDS` replaces the time limit of every cell, for a slow machine.

mod answers;
mod compare;
mod document;
mod fixtures;
mod kernel;
mod lab;
mod ports;
mod pure;
mod race;
mod run;
mod setup;
mod tuned;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::lab::Lab;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().collect();
    let mut take = |option: &str| {
        let count = words.len();
        words.retain(|word| word != option);
        words.len() < count
    };
    let (write, stock, race) = (take("--write"), take("--stock"), take("--race"));
    let mut arguments = Arguments::from_iter(words);
    // A kernel compiles on every core there is; two at once only make each other late.
    arguments.test_threads = Some(1);

    let notebooks = match find(&root().join("notebooks")) {
        Ok(paths) => paths,
        Err(sentence) => return refuse(&sentence),
    };
    match (write, race) {
        (false, false) => test(&arguments, notebooks, stock),
        (true, false) => write_back(&arguments, notebooks, stock),
        (false, true) => race_kernels(&arguments, notebooks),
        (true, true) => refuse("--write and --race are two things: give one of them"),
    }
}

/// Runs the notebooks and the runner's own proof as tests.
fn test(arguments: &Arguments, notebooks: Vec<PathBuf>, stock: bool) -> ExitCode {
    let lab = Arc::new(Mutex::new(Lab::default()));
    let mut trials = pure::trials();
    trials.extend(fixtures::trials(&lab));
    trials.extend(answers::trials(&lab));
    if !stock {
        trials.extend(tuned::trials(&lab));
    }
    for path in notebooks {
        trials.push(kernel_trial(name_of(&path), &lab, move |lab| lab.check(&path)));
    }
    let runs_something = trials.iter().any(|trial| !arguments.is_filtered_out(trial));
    if runs_something
        && !arguments.list
        && let Err(sentence) = lock(&lab).set_up(stock)
    {
        return refuse(&sentence);
    }
    let conclusion = libtest_mimic::run(arguments, trials);
    let mut lab = lock(&lab);
    lab.close();
    for line in lab.timings() {
        println!("{line}");
    }
    conclusion.exit_code()
}

/// The notebooks that the filter names, at least one.
fn named(arguments: &Arguments, mut notebooks: Vec<PathBuf>) -> Result<Vec<PathBuf>, String> {
    notebooks.retain(|path| !arguments.is_filtered_out(&Trial::test(name_of(path), || Ok(()))));
    if notebooks.is_empty() {
        let filter = arguments.filter.as_deref().unwrap_or_default();
        return Err(format!("no notebook under notebooks/ has \"{filter}\" in its path: nothing was run"));
    }
    Ok(notebooks)
}

/// Races the tuned kernel against the stock one on the notebooks that the filter names.
fn race_kernels(arguments: &Arguments, notebooks: Vec<PathBuf>) -> ExitCode {
    const ROUNDS: usize = 5;
    let raced =
        named(arguments, notebooks).and_then(|paths| paths.iter().try_for_each(|path| race::race(path, ROUNDS)));
    raced.map_or_else(|sentence| refuse(&sentence), |()| ExitCode::SUCCESS)
}

/// Runs the notebooks that the filter names and writes the outputs of those that pass.
fn write_back(arguments: &Arguments, notebooks: Vec<PathBuf>, stock: bool) -> ExitCode {
    let notebooks = match named(arguments, notebooks) {
        Ok(notebooks) => notebooks,
        Err(sentence) => return refuse(&sentence),
    };
    let mut lab = Lab::default();
    if let Err(sentence) = lab.set_up(stock) {
        return refuse(&sentence);
    }
    let mut code = ExitCode::SUCCESS;
    for path in notebooks {
        match lab.write(&path) {
            Ok(true) => println!("{}: written", name_of(&path)),
            Ok(false) => println!("{}: unchanged", name_of(&path)),
            Err(report) => {
                eprintln!("{report}\nnothing was written to {}", name_of(&path));
                code = ExitCode::FAILURE;
            }
        }
    }
    for line in lab.timings() {
        println!("{line}");
    }
    code
}

/// A test that needs the kernels of the lab.
fn kernel_trial(
    name: String,
    lab: &Arc<Mutex<Lab>>,
    body: impl FnOnce(&mut Lab) -> Result<(), String> + Send + 'static,
) -> Trial {
    let lab = Arc::clone(lab);
    Trial::test(name, move || body(&mut lock(&lab)).map_err(Failed::from))
}

/// The lab, also after a test that panicked while it held it.
fn lock(lab: &Mutex<Lab>) -> std::sync::MutexGuard<'_, Lab> {
    lab.lock().unwrap_or_else(PoisonError::into_inner)
}

fn refuse(sentence: &str) -> ExitCode {
    eprintln!("error: {sentence}");
    ExitCode::FAILURE
}

/// The top of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository")
}

/// How a notebook is named in tests and reports: its path in the repository.
fn name_of(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Every notebook below `folder`, sorted; JupyterLab's checkpoints are not notebooks of ours.
fn find(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let entries = folder.read_dir().map_err(|error| format!("cannot list {}: {error}", name_of(folder)))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("cannot list {}: {error}", name_of(folder)))?.path();
        if path.is_dir() && !path.ends_with(".ipynb_checkpoints") {
            found.extend(find(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
