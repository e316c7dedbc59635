//! Proves the tuned kernel that the launcher registers, on the real evcxr.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use libtest_mimic::Trial;
use nbformat::v4::Output;
use rustix::process::{Signal, kill_process};

use crate::{
    kernel::{Kernel, Stopped, stream_text},
    kernel_trial,
    lab::Lab,
    root,
};

type Outcome = Result<(), String>;
type Test = fn(&Lab) -> Outcome;

/// The crate's own words for queries and keys that do not fit.
const SHAPES: &str = "queries of shape [.., 2] and keys of shape [3, 3] do not fit: a query and a key need the same \
                      length, queries .. x d and keys m x d\n";

const LOAD: &str = ":dep d2l = { path = \"../../crate\" }\nuse d2l::prelude::*;";

/// Long enough also where the template is missing.
const LIMIT: Duration = Duration::from_secs(300);

pub fn trials(lab: &Arc<Mutex<Lab>>) -> Vec<Trial> {
    let tests: [(&str, Test); 6] = [
        ("a-panic-shows-one-line", panic_in_one_line),
        ("versions-are-those-that-were-tested", tested_versions),
        ("two-kernels-at-once", two_at_once),
        ("four-notebooks-at-once", four_notebooks),
        ("a-killed-kernel-leaves-nothing", killed),
        ("an-edited-crate-is-compiled-anew", edited_crate),
    ];
    let trial = |(name, test): (&str, Test)| kernel_trial(format!("tuned::{name}"), lab, move |lab| test(lab));
    tests.into_iter().map(trial).collect()
}

/// A kernel in the folder of the Lithuanian notebooks.
fn start(lab: &Lab) -> Result<Kernel, String> {
    lab.kernel(&root().join("notebooks/lt"), "unused")
}

/// What a cell wrote to standard output, and to standard error with the messages of errors.
fn shown(kernel: &mut Kernel, code: &str) -> Result<(String, String), Stopped> {
    let outputs = kernel.execute(code, LIMIT)?;
    let stream = |name| outputs.iter().find_map(|output| stream_text(output, name)).unwrap_or_default().to_owned();
    let errors: Vec<String> = outputs
        .iter()
        .filter_map(|output| match output {
            Output::Error(error) => Some(error.evalue.clone()),
            _ => None,
        })
        .collect();
    Ok((stream("stdout"), stream("stderr") + &errors.concat()))
}

fn expect(kernel: &mut Kernel, code: &str, stdout: &str, stderr: &str) -> Outcome {
    let found = shown(kernel, code).map_err(|stopped| format!("`{code}`: {stopped}"))?;
    if found == (stdout.to_owned(), stderr.to_owned()) {
        return Ok(());
    }
    Err(format!("`{code}` should show {stdout:?} and {stderr:?}, but showed {found:?}"))
}

/// In any cell, in a thread, and in the process that follows one that died.
fn panic_in_one_line(lab: &Lab) -> Outcome {
    let mut kernel = start(lab)?;
    expect(&mut kernel, LOAD, "", "")?;
    expect(&mut kernel, "let x = array![1.0, 2.0];", "", "")?;
    expect(&mut kernel, "attention_pooling(&x, &Array2::<f64>::eye(3), &Array2::<f64>::eye(3), Dot);", "", SHAPES)?;
    let died = "std::process::abort()";
    let (_, said) = shown(&mut kernel, died).map_err(|stopped| stopped.to_string())?;
    if !said.contains("SIGABRT") {
        return Err(format!("`{died}` should end the process of the cells, but showed {said}"));
    }
    expect(&mut kernel, "todo!(\"ė\")", "", "not yet implemented: ė\n")?;
    expect(&mut kernel, "std::thread::spawn(|| panic!(\"aside\")).join().unwrap_or(())", "", "aside\n")
}

/// What the clone's lock file names is what the cells are compiled with.
fn tested_versions(lab: &Lab) -> Outcome {
    let mut kernel = start(lab)?;
    expect(&mut kernel, LOAD, "", "")?;
    let folder = "println!(\"{}\", std::env::var(\"EVCXR_TMPDIR\").unwrap());";
    let (folder, _) = shown(&mut kernel, folder).map_err(|stopped| stopped.to_string())?;
    let read = |path: PathBuf| fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()));
    let (used, tested) = (read(Path::new(folder.trim_end()).join("Cargo.lock"))?, read(root().join("Cargo.lock"))?);
    let packages = |text: &str| -> Vec<String> {
        let packages = text.split("[[package]]").skip(1);
        packages.map(|package| package.lines().skip(1).take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    let (used, tested) = (packages(&used), packages(&tested));
    match used.iter().find(|package| !tested.contains(package) && !package.contains("\"ctx\"")) {
        None if used.len() > 10 => Ok(()),
        None => Err(format!("only {used:?} is locked")),
        Some(package) => Err(format!("{package} is not what was tested")),
    }
}

/// Each sees its own variables and its own compiled cells, in turns and at the same time.
fn two_at_once(lab: &Lab) -> Outcome {
    let mut kernels = [start(lab)?, start(lab)?];
    let folders = builds();
    if folders.len() < 2 {
        return Err(format!("two kernels at once have the folders {folders:?}"));
    }
    std::thread::scope(|scope| {
        let runs: Vec<_> = kernels
            .iter_mut()
            .zip(["one", "two"])
            .map(|(kernel, name)| {
                scope.spawn(move || {
                    expect(kernel, LOAD, "", "")?;
                    expect(kernel, &format!("let name = \"{name}\";"), "", "")?;
                    (1..4).try_for_each(|_| expect(kernel, "println!(\"{name}\");", &format!("{name}\n"), ""))
                })
            })
            .collect();
        runs.into_iter().try_for_each(|run| run.join().map_err(|_| "a run panicked".to_owned())?)
    })
}

/// Four whole notebooks at the same time show what is committed, as each does alone.
fn four_notebooks(lab: &Lab) -> Outcome {
    let notebooks = crate::find(&root().join("notebooks"))?;
    std::thread::scope(|scope| {
        let runs: Vec<_> =
            (notebooks.iter().cycle().take(4)).map(|path| scope.spawn(move || lab.check(path))).collect();
        let outcomes = runs.into_iter().map(|run| run.join().map_err(|_| "a run panicked".to_owned())?);
        let problems: Vec<String> = outcomes.filter_map(Result::err).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    })
}

/// `kill -9` of the kernel while a cell loops.
fn killed(lab: &Lab) -> Outcome {
    let before = builds();
    let mut kernel = start(lab)?;
    let own: Vec<_> = builds().into_iter().filter(|folder| !before.contains(folder)).collect();
    let group = kernel.group();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(3));
        kill_process(group, Signal::KILL)
    });
    let outcome = kernel.execute("loop {}", LIMIT);
    killer.join().map_err(|_| "the killer panicked")?.map_err(|error| error.to_string())?;
    let Err(Stopped::Died { .. }) = outcome else { return Err("the kernel should have died".into()) };
    let [folder] = &own[..] else { return Err(format!("the kernel has the folders {own:?}")) };
    let began = Instant::now();
    while folder.exists() {
        if began.elapsed() > Duration::from_secs(5) {
            return Err(format!("{} is left 5 s after its kernel was killed", folder.display()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// A crate changes while a notebook is open: the next `:dep` compiles what has changed.
fn edited_crate(lab: &Lab) -> Outcome {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let source = folder.path().join("crate/src/lib.rs");
    write(&folder.path().join("crate/Cargo.toml"), "[package]\nname = \"scratch\"\nedition = \"2024\"\n")?;
    let load =
        format!(":dep scratch = {{ path = {:?} }}\nprintln!(\"{{}}\", scratch::word());", folder.path().join("crate"));
    let mut kernel = start(lab)?;
    for word in ["first", "second"] {
        write(&source, &format!("pub fn word() -> &'static str {{ {word:?} }}\n"))?;
        expect(&mut kernel, &load, &format!("{word}\n"), "")?;
        // Cargo compares times.
        std::thread::sleep(Duration::from_millis(1100));
    }
    Ok(())
}

fn write(path: &Path, contents: &str) -> Outcome {
    let folder = path.parent().ok_or("no folder")?;
    fs::create_dir_all(folder).and_then(|()| fs::write(path, contents)).map_err(|error| error.to_string())
}

/// The build folders that exist now.
fn builds() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(".kernels")).into_iter().flatten().flatten();
    let folders = entries.map(|entry| entry.path()).filter(|path| path.is_dir());
    folders.filter(|path| path.join("lock").exists()).collect()
}
