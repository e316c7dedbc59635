//! An active conda environment made from `environment.yml`, used as it is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::python::Python;
use crate::registration;
use crate::setup::Tools;

/// The versions of evcxr that `environment.yml` lets conda choose from: up to the one the notebooks are proven on.
const FITTING: [&str; 2] = ["0.21.", "0.22."];

/// The active environment, if it holds JupyterLab and the Rust kernel; any other is no concern of the notebooks.
pub fn active() -> Option<PathBuf> {
    let prefix = PathBuf::from(env::var_os("CONDA_PREFIX")?);
    let holds = |program: &str| prefix.join("bin").join(program).is_file();
    (holds("jupyter-lab") && holds("evcxr_jupyter")).then_some(prefix)
}

/// What the environment brings.
///
/// # Errors
/// It lacks something or holds a version that does not fit.
pub fn tools(prefix: &Path) -> Result<Tools, Failure> {
    let remedy = "run `conda env update -f environment.yml`, or `conda deactivate` to let the set-up make its own";
    let version = evcxr_version(prefix);
    if !version.as_deref().is_some_and(|version| FITTING.iter().any(|fitting| version.starts_with(fitting))) {
        return Err(Failure::new(format!(
            "The active conda environment holds evcxr {}, and these notebooks need {}; {remedy}.",
            version.as_deref().unwrap_or("of unknown version"),
            FITTING.map(|fitting| format!("{fitting}x")).join(" or ")
        )));
    }
    let missing = |what| Failure::new(format!("The active conda environment has no {what}; {remedy}."));
    let bin = prefix.join("bin");
    if !registration::listed(prefix).is_file() {
        return Err(missing("kernel registered under the name `rust`"));
    }
    let cargo = bin.join("cargo");
    if !cargo.is_file() {
        return Err(missing("cargo"));
    }
    let python = Python::at(&bin.join("python")).ok_or_else(|| missing("Python that runs"))?;
    Ok(Tools { python, cargo })
}

/// Conda notes every package in a file named after its version and build.
fn evcxr_version(prefix: &Path) -> Option<String> {
    fs::read_dir(prefix.join("conda-meta")).ok()?.flatten().find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let (version, _build) = name.strip_prefix("evcxr-")?.split_once('-')?;
        Some(version.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_that_fit_are_those_conda_may_choose() {
        let environment = include_str!("../../../../environment.yml");
        assert!(environment.contains("- evcxr>=0.21,<0.23\n"));
        assert_eq!(FITTING, ["0.21.", "0.22."]);
    }
}
