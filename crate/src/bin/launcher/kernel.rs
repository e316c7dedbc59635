//! The Rust kernel: evcxr_jupyter of the version that the notebooks are proven on.

use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::project::Project;
use crate::toolchain::program;
use crate::{say, step};

/// The version that the notebooks are proven on.
pub const VERSION: &str = "0.22.0";

/// Finds the kernel's program, or installs it.
pub fn prepare(project: &Project, cargo: &Path) -> Result<PathBuf, Failure> {
    let own = project.state().join("evcxr");
    let shared = install_root();
    let found = installed(&own, shared.as_deref());
    match found.iter().find(|(_, version)| version.as_deref() == Some(VERSION)) {
        Some((program, _)) => Ok(program.clone()),
        None => install(project, cargo, &found, shared.as_deref().unwrap_or(&own), &own),
    }
}

/// The folder that `cargo install` fills by default.
fn install_root() -> Option<PathBuf> {
    let named = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("CARGO_INSTALL_ROOT").or_else(|| named("CARGO_HOME")).or_else(|| Some(env::home_dir()?.join(".cargo")))
}

/// Every evcxr_jupyter in sight with its version, this clone's own first.
fn installed(own: &Path, shared: Option<&Path>) -> Vec<(PathBuf, Option<String>)> {
    let roots = [Some(own), shared].into_iter().flatten().map(|root| root.join("bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let files = roots.chain(env::split_paths(&path)).map(|folder| folder.join(program("evcxr_jupyter")));
    files.filter(|file| file.is_file()).map(|file| (file.clone(), recorded_version(&file))).collect()
}

/// The version that Cargo noted beside a program it installed: evcxr_jupyter 0.22.0 has no option that prints it, and
/// `cargo install --list` would create its own files in every folder it is asked about.
fn recorded_version(program: &Path) -> Option<String> {
    let notes = fs::read_to_string(program.parent()?.parent()?.join(".crates.toml")).ok()?;
    let after = notes.split_once("\"evcxr_jupyter ")?.1;
    after.split([' ', '"']).next().map(str::to_owned)
}

fn install(
    project: &Project,
    cargo: &Path,
    found: &[(PathBuf, Option<String>)],
    shared: &Path,
    own: &Path,
) -> Result<PathBuf, Failure> {
    let root = match found.first() {
        None => shared,
        Some((other, version)) => {
            say(&format!(
                "evcxr_jupyter {} in `{}` stays as it is; these notebooks need {VERSION} and get it for themselves alone.",
                version.as_deref().unwrap_or("of unknown version"),
                other.display()
            ));
            own
        }
    };
    say(&format!(
        "Building evcxr_jupyter {VERSION} into `{}`, usually in about ten minutes on two cores; an interrupted build \
         goes on from where it was.",
        root.join("bin").display()
    ));
    let build = project.kernel_build();
    let mut command = Command::new(cargo);
    command
        .args(["install", "--locked", "evcxr_jupyter", "--version", VERSION, "--root"])
        .arg(root)
        .arg("--target-dir")
        .arg(&build);
    if io::stderr().is_terminal() {
        // Cargo sees a pipe and would leave out its colours and its bar.
        command.env("CARGO_TERM_COLOR", "always");
        command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "80");
    }
    step::run(&format!("Installing evcxr_jupyter {VERSION}"), &mut command)?;
    // Large, and nothing needs it any more; what cannot be removed does no harm.
    let _ = fs::remove_dir_all(build);
    Ok(root.join("bin").join(program("evcxr_jupyter")))
}
