//! `requirements.txt` and `environment.yml` bring the same JupyterLab, in a form that pip and conda take.

use saphyr::{LoadableYamlNode, Yaml};

const REQUIREMENTS: &str = include_str!("../../requirements.txt");
const ENVIRONMENT: &str = include_str!("../../environment.yml");

/// Name and version of every pin.
fn pins() -> Vec<(&'static str, &'static str)> {
    let lines = REQUIREMENTS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split(';').next().unwrap().split_once("==").unwrap_or_else(|| panic!("no pin: {line}")))
        .collect()
}

/// Name and version range of every conda package.
fn packages() -> Vec<(String, String)> {
    let documents = Yaml::load_from_str(ENVIRONMENT).unwrap();
    assert_eq!(documents.len(), 1);
    let packages = documents[0]["dependencies"].as_vec().expect("a list of dependencies");
    let packages = packages.iter().map(|package| package.as_str().expect("a dependency in one word"));
    packages
        .map(|package| {
            let end = package.find(['=', '<', '>']).unwrap_or_else(|| panic!("no version: {package}"));
            (package[..end].to_owned(), package[end..].to_owned())
        })
        .collect()
}

#[test]
fn every_requirement_is_pinned_once() {
    let mut names: Vec<_> = pins().iter().map(|(name, _)| name.to_lowercase()).collect();
    for (name, version) in pins() {
        assert!(version.split('.').all(|part| part.chars().all(char::is_alphanumeric)), "{name}=={version}");
    }
    names.sort();
    let count = names.len();
    names.dedup();
    assert!(count > 80 && names.len() == count, "{count} pins, {} names", names.len());
}

#[test]
fn the_conda_environment_has_the_form_that_conda_takes() {
    let documents = Yaml::load_from_str(ENVIRONMENT).unwrap();
    let mut keys: Vec<_> = documents[0].as_mapping().unwrap().keys().filter_map(Yaml::as_str).collect();
    keys.sort();
    assert_eq!(keys, ["channels", "dependencies", "name"]);
    assert_eq!(documents[0]["channels"][0].as_str(), Some("conda-forge"));
    let names: Vec<_> = packages().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["python", "jupyterlab", "evcxr", "rust", "rust-src"]);
}

#[test]
fn both_ways_bring_the_same_jupyterlab() {
    let pinned = pins().into_iter().find(|(name, _)| *name == "jupyterlab").expect("a pin of JupyterLab").1;
    let packages = packages();
    let conda = &packages.iter().find(|(name, _)| name == "jupyterlab").unwrap().1;
    assert_eq!(conda, &format!("={pinned}"));
}

#[test]
fn conda_brings_the_rust_that_the_crate_needs() {
    let oldest = concat!(">=", env!("CARGO_PKG_RUST_VERSION"));
    for (name, version) in packages().iter().filter(|(name, _)| name.starts_with("rust")) {
        assert_eq!(version, oldest, "{name}");
    }
}
