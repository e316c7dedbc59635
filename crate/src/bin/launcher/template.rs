//! The template: a build folder in which the helper crate is compiled, copied for every kernel that starts.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::builds::{self, Build, LOCK, TEMPLATE};
use crate::failure::Failure;
use crate::project::Project;
use crate::python::Python;
use crate::toolchain::program;
use crate::tuned::{self, Engine};
use crate::{environment, files, jupyter, kernel, registration, say, step};

/// Names inside the template of what it was made from.
const STAMP: &str = "stamp";

/// The first cell of every notebook, as seen from the notebooks' folder.
const LOAD: &str = ":dep d2l = { path = \"../crate\" }\nuse d2l::prelude::*;";

/// A `let` whose type cannot be told makes the kernel check the crate and all below it, for the compiler's message: a
/// learner's first misspelt name would wait for that.
const WRONG: &str = "let wrong = misspelt();";

/// Runs the first argument on the plain kernel, which must go well, and then the others.
const DRIVE: &str = "
import subprocess, sys
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager
kernels, load, *cells = sys.argv[1:]
manager = KernelManager(kernel_name='rust', kernel_spec_manager=KernelSpecManager(kernel_dirs=[kernels]))
manager.start_kernel(stdout=subprocess.DEVNULL)
client = manager.blocking_client()
client.start_channels()
said = []
try:
    client.wait_for_ready(timeout=300)
    hook = lambda message: said.append(message['content'].get('evalue') or '')
    reply = client.execute_interactive(load, timeout=1800, output_hook=hook)
    if reply['content']['status'] != 'ok':
        sys.exit(''.join(said))
    for cell in cells:
        client.execute_interactive(cell, timeout=600, output_hook=hook)
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)";

/// Copies the template into a build folder, or nothing when there is none: then the first cell compiles the crate.
pub fn copy_to(project: &Project, folder: &Path) -> io::Result<()> {
    let lock = File::create(swap_lock(project))?;
    lock.lock_shared()?;
    match builds::copy(&place(project), folder, &[STAMP]) {
        Err(error) if error.kind() == ErrorKind::NotFound && !place(project).exists() => Ok(()),
        copied => copied,
    }
}

/// Makes the template when it is missing or no longer fits what it was made from.
pub fn prepare(project: &Project, python: &Python) -> Result<(), Failure> {
    let engine = Engine::kept(project)?;
    let waiting = "The notebooks' crate is being compiled by another process; waiting for it to end.";
    let _lock = files::lock(&project.builds().join(".building"), waiting)?;
    let stamp = stamp(project, &engine);
    match fs::read_to_string(place(project).join(STAMP)) {
        Ok(present) if present == stamp => return Ok(()),
        Ok(_) => say("The crate, its versions or the compiler have changed since the kernel's template was made."),
        Err(_) => {}
    }
    say("Compiling the notebooks' crate for the kernel, usually in one to two minutes; notebooks then answer at once.");
    make(project, &engine, python.command(), &stamp)
}

/// As [`prepare`], in the background: at low priority, without a word, and not twice from what has failed.
pub fn renew(project: &Project) -> Option<()> {
    let engine = Engine::kept(project).ok()?;
    let lock = File::create(project.builds().join(".building")).ok()?;
    lock.try_lock().ok()?;
    let stamp = stamp(project, &engine);
    let failed = project.builds().join(".failed");
    if [place(project).join(STAMP), failed.clone()]
        .iter()
        .any(|file| fs::read_to_string(file).is_ok_and(|s| s == stamp))
    {
        return None;
    }
    let mut python = Command::new("nice");
    python.args(["-n", "19"]).arg(environment::program(&project.environment()));
    if make(project, &engine, python, &stamp).is_err() {
        fs::write(failed, &stamp).ok()?;
    }
    Some(())
}

/// Builds aside and swaps in the whole.
fn make(project: &Project, engine: &Engine, mut python: Command, stamp: &str) -> Result<(), Failure> {
    let failure = |error| Failure::writing(&project.builds(), &error);
    let build = Build::create(&project.builds()).map_err(failure)?;
    jupyter::isolate(&mut python, &project.state().join("jupyter"));
    python.args(["-c", DRIVE]).arg(registration::stock_kernels(project)).args([LOAD, WRONG]);
    python.current_dir(project.notebooks()).env("EVCXR_TMPDIR", &build.folder);
    let made = step::run("Compiling the crate", engine.settle(&mut python, project));
    let swapped = made.and_then(|()| strip(&build.folder, stamp).and_then(|()| swap(project, &build)).map_err(failure));
    if swapped.is_err() {
        builds::remove(&build.folder);
    }
    swapped
}

/// Removes what only the cells have left.
fn strip(folder: &Path, stamp: &str) -> io::Result<()> {
    let mut folders = vec![folder.join("target")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name == "incremental" {
                fs::remove_dir_all(entry.path())?;
            } else if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if name.contains("code_") || name.starts_with("libctx.") {
                fs::remove_file(entry.path())?;
            }
        }
    }
    fs::write(folder.join(STAMP), stamp)
}

fn swap(project: &Project, build: &Build) -> io::Result<()> {
    let (place, lock) = (place(project), File::create(swap_lock(project))?);
    lock.lock()?;
    let aside = build.folder.with_extension("old");
    match fs::rename(&place, &aside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::rename(&build.folder, &place)?;
    fs::remove_file(place.join(LOCK))?;
    builds::remove(&aside);
    Ok(())
}

fn place(project: &Project) -> PathBuf {
    project.builds().join(TEMPLATE)
}

/// Held by all who copy the template, and by the one who swaps it.
fn swap_lock(project: &Project) -> PathBuf {
    project.builds().join(".template")
}

/// A digest of everything that decides whether the template fits.
fn stamp(project: &Project, engine: &Engine) -> String {
    let mut hasher = DefaultHasher::new();
    // Moved, the crate is another one to Cargo.
    (project.root(), tuned::EVCXR, tuned::INIT, tuned::CARGO, LOAD, WRONG, kernel::VERSION, &engine.evcxr)
        .hash(&mut hasher);
    let rustc = engine.toolchain.join(program("rustc"));
    step::ask(Command::new(rustc).arg("-vV")).hash(&mut hasher);
    let root = project.root();
    let mut sources = ["Cargo.toml", "Cargo.lock", "crate/Cargo.toml"].map(|name| root.join(name)).to_vec();
    let mut folders = vec![root.join("crate/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                // The launcher lies below the crate, and no cell sees it.
                Ok(kind) if kind.is_dir() && entry.file_name() != "bin" => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => sources.push(entry.path()),
                _ => {}
            }
        }
    }
    sources.sort();
    for source in sources {
        (source.strip_prefix(root).ok(), fs::read(&source).ok()).hash(&mut hasher);
    }
    format!("{:016x}\n", hasher.finish())
}
