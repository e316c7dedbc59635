//! The registered kernel, as the launcher sets it up, and the environment that a reader's kernel has.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use jupyter_protocol::JupyterKernelspec;
use jupyter_zmq_client::KernelspecDir;

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

/// Takes from a command what `cargo test` and its caller put into the environment for another build.
///
/// evcxr calls cargo and rustc itself. A target directory, flags, a wrapper or a library path that were meant for the
/// crate's own tests would make it build elsewhere or otherwise than the kernel in a reader's JupyterLab does.
pub fn without_cargo_test(command: &mut Command) {
    for (key, _) in std::env::vars_os() {
        // The kernel's specification sets some variables itself: those stay.
        if belongs_to_cargo_test(&key) && !command.get_envs().any(|(set, _)| set == key) {
            command.env_remove(key);
        }
    }
}

fn belongs_to_cargo_test(key: &OsStr) -> bool {
    let Some(key) = key.to_str() else { return false };
    // Where cargo keeps its files and how it reaches its registry is the reader's, not the test's.
    let kept = ["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR", "CARGO_SOURCE_"];
    if kept.iter().any(|prefix| key.starts_with(prefix)) {
        return false;
    }
    ["CARGO", "RUSTC", "RUSTDOC", "RUSTFLAGS", "RUST_", "EVCXR_", "LD_LIBRARY_PATH", "DYLD_"]
        .iter()
        .any(|prefix| key.starts_with(prefix))
}
