//! The order of the steps.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Project;
use crate::python::Python;
use crate::{conda, environment, files, kernel, say, toolchain};

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
    let cargo = toolchain::cargo()?;
    files::make_folder(&project.state())?;
    // Two test programs may set up at the same time.
    let _lock = files::lock(&project.state().join("lock"))?;
    toolchain::add_sources(&cargo)?;
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
