//! The registered kernel, as the launcher sets it up, and the environment that a reader's kernel has.

#[path = "../shared/environment.rs"]
mod environment;

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use jupyter_protocol::JupyterKernelspec;
use jupyter_zmq_client::KernelspecDir;

pub use self::environment::without_cargo_test;

const LAUNCHER: &str = env!("CARGO_BIN_EXE_d2l-notebooks");

/// Lets the launcher set up what is missing, shown as it goes, and reads the kernel that it registered.
pub fn kernelspec(stock: bool) -> Result<KernelspecDir, String> {
    let mut setup = Command::new(LAUNCHER);
    without_cargo_test(setup.arg("setup"));
    let status = setup.status().map_err(|error| format!("cannot start the launcher: {error}"))?;
    if !status.success() {
        return Err("the launcher's `setup` failed: its sentence above says why".into());
    }
    let mut ask = Command::new(LAUNCHER);
    ask.arg("kernelspec").args(stock.then_some("--stock")).stderr(Stdio::inherit());
    without_cargo_test(&mut ask);
    let answer = ask.output().map_err(|error| format!("cannot start the launcher: {error}"))?;
    let path = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    if !answer.status.success() || path.is_empty() {
        return Err("the launcher's `kernelspec` names no registered kernel: `cargo run -- setup` registers it".into());
    }
    read(Path::new(&path))
}

/// Reads a `kernel.json`.
pub fn read(path: &Path) -> Result<KernelspecDir, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the kernel specification {}: {error}", path.display()))?;
    let kernelspec: JupyterKernelspec = serde_json::from_str(&text)
        .map_err(|error| format!("{} is not a kernel specification: {error}", path.display()))?;
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    Ok(KernelspecDir { kernel_name: kernelspec.display_name.clone(), path: folder, kernelspec })
}
