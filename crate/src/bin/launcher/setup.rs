//! The order of the steps.

use std::env;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Project;
use crate::python::Python;
use crate::{conda, environment, files, kernel, say};

/// What the notebooks need to run.
pub struct Tools {
    pub python: Python,
    /// The toolchain that compiles the cells.
    pub cargo: PathBuf,
}

/// Sets up what is missing.
pub fn set_up(project: &Project) -> Result<Tools, Failure> {
    if let Some(prefix) = conda::active() {
        say(&format!("Using the active conda environment `{}` as it is.", prefix.display()));
        return conda::tools(&prefix);
    }
    let cargo = find_cargo()?;
    files::make_folder(&project.state())?;
    // Tests of several crates may set up at the same time.
    let _lock = files::lock(&project.state().join("lock"))?;
    let python = environment::prepare(project)?;
    kernel::prepare(project, &cargo)?;
    Ok(Tools { python, cargo })
}

/// The kernel.json that the set-up has registered.
///
/// # Errors
/// There is none yet.
pub fn kernelspec(project: &Project) -> Result<PathBuf, Failure> {
    let registration = kernel::registration(&conda::active().unwrap_or_else(|| project.environment()));
    if registration.is_file() {
        Ok(registration)
    } else {
        Err(Failure::new("No kernel is registered yet; run `cargo run -- setup` first."))
    }
}

/// The Cargo that runs this program, or the one on the path when it was started by itself.
fn find_cargo() -> Result<PathBuf, Failure> {
    let name = if cfg!(windows) { "cargo.exe" } else { "cargo" };
    let path = env::var_os("PATH").unwrap_or_default();
    let running = env::var_os("CARGO").map(PathBuf::from);
    let mut candidates = running.into_iter().chain(env::split_paths(&path).map(|folder| folder.join(name)));
    candidates.find(|cargo| cargo.is_file()).ok_or_else(|| {
        Failure::new(
            "Cargo was not found on the PATH; install Rust 1.95 or later with rustup, open a new terminal and run the \
             same command again.",
        )
    })
}
