//! The environment that a reader's kernel has.

use std::{ffi::OsStr, process::Command};

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
