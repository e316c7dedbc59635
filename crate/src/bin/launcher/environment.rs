//! The virtual environment with the pinned JupyterLab.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::files;
use crate::project::Project;
use crate::python::Python;
use crate::{say, step};

/// Makes what is missing of the environment and returns its Python.
pub fn prepare(project: &Project) -> Result<Python, Failure> {
    let environment = project.environment();
    let stamp = project.state().join("stamp");
    let pins = fs::read_to_string(project.requirements()).map_err(|error| {
        Failure::new(format!("`requirements.txt` could not be read ({error}); restore it with `git checkout`."))
    })?;
    let found = Python::at(&program(&environment));
    let progress = fs::read_to_string(&stamp).unwrap_or_default();
    let python = match (found, Progress::read(&progress, &environment, &pins)) {
        (Some(python), Some((version, Progress::Installed))) if python.version == version => return Ok(python),
        (Some(python), Some((version, Progress::Made))) if python.version == version => python,
        _ => make(&environment, &stamp)?,
    };
    install(&python, project)?;
    files::write_whole(&stamp, &Progress::Installed.stamp(&python.version, &environment, &pins))?;
    Ok(python)
}

/// Refuses a `.venv` that is somebody else's: what follows clears the folder where its stamp does not fit.
pub fn claim(project: &Project) -> Result<(), Failure> {
    let environment = project.environment();
    let Ok(metadata) = fs::symlink_metadata(&environment) else { return Ok(()) };
    let empty = || fs::read_dir(&environment).is_ok_and(|mut entries| entries.next().is_none());
    // Another set-up may be making it now. Its folder of state comes first: what is not empty has that a moment later.
    if metadata.is_dir() && (empty() || project.state().is_dir()) {
        return Ok(());
    }
    let what = if metadata.is_symlink() { "a link" } else { "not made by this program" };
    Err(Failure::new(format!(
        "`{}` is {what} and stays as it is; move it away and run the same command again.",
        environment.display()
    )))
}

/// How far the environment has come, kept in a file that is written when a step has ended.
enum Progress {
    Made,
    Installed,
}

impl Progress {
    /// A moved environment or another Python makes another stamp: both break the programs inside.
    fn stamp(&self, version: &str, environment: &Path, pins: &str) -> String {
        let pins = if matches!(self, Self::Installed) { pins } else { "" };
        format!("Python {version} in {}\n{pins}", environment.display())
    }

    fn read<'a>(stamp: &'a str, environment: &Path, pins: &str) -> Option<(&'a str, Self)> {
        let (version, _) = stamp.strip_prefix("Python ")?.split_once(' ')?;
        if stamp == Self::Installed.stamp(version, environment, pins) {
            return Some((version, Self::Installed));
        }
        stamp.starts_with(&Self::Made.stamp(version, environment, pins)).then_some((version, Self::Made))
    }
}

fn make(environment: &Path, stamp: &Path) -> Result<Python, Failure> {
    let python = Python::find()?;
    clear(environment).map_err(|error| Failure::writing(environment, &error))?;
    say(&format!("Making a virtual environment in `.venv` with Python {}, usually in ten seconds.", python.version));
    let doing = "Making the virtual environment";
    // pip comes in a step of its own: inside `venv` its errors would be swallowed.
    step::run(doing, python.command().args(["-m", "venv", "--without-pip"]).arg(environment))?;
    let made = Python::at(&program(environment)).ok_or_else(|| {
        Failure::new(format!(
            "{doing} stopped: its Python does not run; install Python anew and run the same command again."
        ))
    })?;
    step::run("Adding pip to it", made.command().args(["-m", "ensurepip", "--default-pip"]))?;
    files::write_whole(stamp, &Progress::Made.stamp(&made.version, environment, ""))?;
    Ok(made)
}

/// Removes what an interrupted or outdated environment holds, except what the launcher keeps there.
fn clear(environment: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(environment)? {
        let entry = entry?;
        if entry.file_name() == "d2l" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    match fs::remove_file(environment.join("d2l").join("stamp")) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn install(python: &Python, project: &Project) -> Result<(), Failure> {
    say("Installing JupyterLab into it, usually in about a minute.");
    let mut pip = python.command();
    pip.args(["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-r"])
        .arg(project.requirements())
        // A reader who installs for the user by default would be refused inside an environment.
        .env("PIP_USER", "0");
    step::run("Installing JupyterLab", &mut pip)
}

/// The Python inside an environment.
pub fn program(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stamp: &str) -> Option<(&str, bool)> {
        let (version, progress) = Progress::read(stamp, Path::new("/clone/.venv"), "jupyterlab==1\n")?;
        Some((version, matches!(progress, Progress::Installed)))
    }

    #[test]
    fn the_stamp_tells_how_far_the_environment_has_come() {
        let made = "Python 3.11.2 in /clone/.venv\n";
        assert_eq!(read(made), Some(("3.11.2", false)));
        assert_eq!(read(&format!("{made}jupyterlab==1\n")), Some(("3.11.2", true)));
    }

    #[test]
    fn changed_pins_are_installed_over_the_old_ones() {
        assert_eq!(read("Python 3.11.2 in /clone/.venv\njupyterlab==0\n"), Some(("3.11.2", false)));
    }

    #[test]
    fn no_stamp_half_a_stamp_and_a_moved_clone_start_anew() {
        for stamp in ["", "Python 3.11.2 in /clo", "Python 3.11.2 in /elsewhere/.venv\njupyterlab==1\n"] {
            assert_eq!(read(stamp), None, "{stamp}");
        }
    }
}
