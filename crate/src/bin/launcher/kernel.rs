//! The Rust kernel: evcxr_jupyter, and its registration inside the virtual environment.

use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::files;
use crate::project::Project;
use crate::toolchain::program;
use crate::{say, step};

/// The version that the notebooks are proven on.
pub const VERSION: &str = "0.22.0";

/// Installs and registers what is missing.
pub fn prepare(project: &Project, cargo: &Path) -> Result<(), Failure> {
    let own = project.state().join("evcxr");
    let shared = install_root();
    let found = installed(&own, shared.as_deref());
    let program = match found.iter().find(|(_, version)| version.as_deref() == Some(VERSION)) {
        Some((program, _)) => program.clone(),
        None => install(project, cargo, &found, shared.as_deref().unwrap_or(&own), &own)?,
    };
    register(project, &program)
}

/// Where the environment's Jupyter finds the kernel.
pub fn registration(environment: &Path) -> PathBuf {
    environment.join("share/jupyter/kernels/rust/kernel.json")
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

fn register(project: &Project, program: &Path) -> Result<(), Failure> {
    let path = registration(&project.environment());
    // The kernel's own registration, with one thing more: a starting kernel brings the registration that JUPYTER_PATH
    // (or the reader's own Jupyter folder) holds up to date. Pointed at a folder without any, it writes nothing.
    let contents = format!(
        "{{\n  \"argv\": [{}, \"--control_file\", \"{{connection_file}}\"],\n  \"display_name\": \"Rust\",\n  \
         \"language\": \"rust\",\n  \"interrupt_mode\": \"message\",\n  \"env\": {{\"JUPYTER_PATH\": {}}}\n}}\n",
        json_string(program)?,
        json_string(&project.state().join("jupyter"))?
    );
    if fs::read_to_string(&path).is_ok_and(|present| present == contents) {
        return Ok(());
    }
    say("Registering the kernel under the name `rust` inside `.venv`.");
    // Its own installer brings the icons and shows that the program runs.
    let share = project.environment().join("share/jupyter");
    let mut installer = Command::new(program);
    installer.arg("--install").env("JUPYTER_PATH", share).stdout(Stdio::null());
    step::run("Registering the kernel", &mut installer)?;
    files::write_whole(&path, &contents)
}

fn json_string(path: &Path) -> Result<String, Failure> {
    let text = path.to_str().ok_or_else(|| {
        Failure::new(format!(
            "`{}` is not valid Unicode, which Jupyter needs; move the clone elsewhere.",
            path.display()
        ))
    })?;
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    Ok(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_json_string() {
        assert_eq!(json_string(Path::new("C:\\ąč \"x\"\n")).unwrap(), r#""C:\\ąč \"x\"\u000a""#);
    }
}
