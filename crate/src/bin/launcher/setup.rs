//! The order of the steps.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::project::Project;
use crate::python::Python;
use crate::tuned::Engine;
use crate::{builds, conda, environment, files, kernel, registration, say, step, template, toolchain};

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
    environment::claim(project)?;
    files::make_folder(&project.state())?;
    // Two test programs may set up at the same time.
    let waiting = "Another set-up of this clone is under way; waiting for it to end.";
    let lock = files::lock(&project.state().join("lock"), waiting)?;
    let tools = step::locked(lock, || install(project, cargo))?;
    if cfg!(unix) {
        // It has a lock of its own.
        if let Err(failure) = template::prepare(project, &tools.python) {
            say(&failure.sentence);
            say("The notebooks work without that step; only their first cells are slower.");
        }
    }
    Ok(tools)
}

/// Installs what is missing and tells Jupyter of the kernel.
fn install(project: &Project, cargo: PathBuf) -> Result<Tools, Failure> {
    toolchain::add_sources(&cargo)?;
    let python = environment::prepare(project)?;
    let evcxr = kernel::prepare(project, &cargo)?;
    registration::register(project, &evcxr)?;
    if cfg!(unix) {
        builds::sweep(&project.builds());
        Engine { evcxr, toolchain: toolchain::programs(&cargo) }.keep(project)?;
    }
    Ok(Tools { python, cargo })
}

/// The kernel.json that the set-up has registered, or with `stock` the plain kernel's.
///
/// # Errors
/// There is none yet.
pub fn kernelspec(project: &Project, stock: bool) -> Result<PathBuf, Failure> {
    let registration = match conda::active() {
        Some(prefix) => registration::listed(&prefix),
        None if stock => registration::stock(project),
        None => registration::listed(&project.environment()),
    };
    if registration.is_file() {
        Ok(registration)
    } else {
        Err(Failure::new("No kernel is registered yet; run `cargo run -- setup` first."))
    }
}
