//! A Python that is new enough and can make virtual environments.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::step;

/// The oldest Python that the pinned JupyterLab runs on.
const OLDEST: (u32, u32) = (3, 10);

/// Python's names, the usual ones first; the numbered ones help where `python3` is an old one of the system's.
const NAMES: &[&[&str]] = if cfg!(windows) {
    &[&["py", "-3"], &["python3"], &["python"]]
} else {
    &[&["python3"], &["python"], &["python3.14"], &["python3.13"], &["python3.12"], &["python3.11"], &["python3.10"]]
};

/// Runs on Python 2 as well, so that an old Python is named and not taken for none.
const QUESTION: &str = "
import sys
try:
    import ensurepip, venv
    able = 'able'
except ImportError:
    able = 'unable'
print('%d.%d.%d %s' % (sys.version_info[:3] + (able,)))";

/// A Python that answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Python {
    /// The program and its first arguments.
    name: Vec<OsString>,
    /// As in `3.11.2`.
    pub version: String,
    makes_environments: bool,
}

impl Python {
    /// The Python of that path, if one runs there.
    pub fn at(path: &Path) -> Option<Self> {
        Self::asked(vec![path.into()])
    }

    /// The first Python on the path that fits.
    ///
    /// # Errors
    /// There is none; the sentence says what the nearest one lacks.
    pub fn find() -> Result<Self, Failure> {
        choose(NAMES.iter().filter_map(|name| Self::asked(name.iter().map(OsString::from).collect())))
    }

    /// A command that runs this Python, undisturbed by the reader's own Python settings.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.name[0]);
        command.args(&self.name[1..]).env_remove("PYTHONHOME").env_remove("PYTHONPATH");
        command
    }

    fn asked(name: Vec<OsString>) -> Option<Self> {
        let mut python = Self { name, version: String::new(), makes_environments: false };
        let answer = step::ask(python.command().args(["-c", QUESTION]))?;
        let (version, able) = answer.split_once(' ')?;
        python.version = version.to_owned();
        python.makes_environments = able == "able";
        Some(python)
    }

    fn is_new_enough(&self) -> bool {
        let mut numbers = self.version.split('.').map_while(|number| number.parse().ok());
        (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= OLDEST
    }
}

fn choose(answered: impl Iterator<Item = Python>) -> Result<Python, Failure> {
    let (mut unable, mut old) = (None, None);
    for python in answered {
        match (python.is_new_enough(), python.makes_environments) {
            (true, true) => return Ok(python),
            (true, false) => unable = unable.or(Some(python)),
            (false, _) => old = old.or(Some(python)),
        }
    }
    let (major, minor) = OLDEST;
    Err(Failure::new(match (unable, old) {
        (Some(python), _) => format!(
            "Python {} has no `venv` module; install it (on Debian and Ubuntu `sudo apt install python3-venv`) and run \
             the same command again.",
            python.version
        ),
        (None, Some(python)) => format!(
            "Python {} is too old; install Python {major}.{minor} or later and run the same command again.",
            python.version
        ),
        (None, None) => format!(
            "No Python was found on the PATH; install Python {major}.{minor} or later and run the same command again."
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(version: &str, makes_environments: bool) -> Python {
        Python { name: vec!["python3".into()], version: version.to_owned(), makes_environments }
    }

    #[test]
    fn versions_compare_as_numbers() {
        for (version, fits) in
            [("2.7.18", false), ("3.9.18", false), ("3.10.0", true), ("3.14.1", true), ("4.0.0", true)]
        {
            assert_eq!(python(version, true).is_new_enough(), fits, "{version}");
        }
    }

    #[test]
    fn the_first_that_fits_is_taken() {
        let all = [python("3.8.1", true), python("3.11.2", false), python("3.12.1", true), python("3.13.0", true)];
        assert_eq!(choose(all.into_iter()).unwrap().version, "3.12.1");
    }

    #[test]
    fn the_nearest_miss_is_told() {
        let all = [python("3.8.1", true), python("3.11.2", false)];
        assert!(choose(all.into_iter()).unwrap_err().sentence.contains("Python 3.11.2 has no `venv` module"));
        assert!(choose([python("3.9.6", true)].into_iter()).unwrap_err().sentence.contains("Python 3.9.6 is too old"));
        assert!(choose([].into_iter()).unwrap_err().sentence.starts_with("No Python was found"));
    }
}
