//! The Rust toolchain that compiles the cells.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::{say, step};

/// The Cargo that runs this program, or the one on the path when it was started by itself.
///
/// # Errors
/// There is none, so the kernel could not work either.
pub fn cargo() -> Result<PathBuf, Failure> {
    let running = env::var_os("CARGO").map(PathBuf::from).filter(|cargo| cargo.is_file());
    running.or_else(|| on_path("cargo")).ok_or_else(|| {
        Failure::new(
            "Cargo was not found on the PATH; install Rust 1.95 or later with rustup, open a new terminal and run the \
             same command again.",
        )
    })
}

/// Adds the standard library's sources when they are missing, as they are in a plain installation: without them the
/// kernel cannot tell the type of a cell's `let` and refuses it.
pub fn add_sources(cargo: &Path) -> Result<(), Failure> {
    if has_sources(cargo) {
        return Ok(());
    }
    if let Some(rustup) = on_path("rustup") {
        say("Adding the standard library's sources, which the kernel reads, usually in ten seconds.");
        step::run("Adding the sources", Command::new(rustup).args(["component", "add", "rust-src"]))?;
        if has_sources(cargo) {
            return Ok(());
        }
    }
    Err(Failure::new(
        "The toolchain has no sources of the standard library, which the kernel needs; install them (`rustup component \
         add rust-src`, or on Debian and Ubuntu `sudo apt install rust-src`) and run the same command again.",
    ))
}

fn has_sources(cargo: &Path) -> bool {
    let sysroot = step::ask(Command::new(cargo.with_file_name(program("rustc"))).args(["--print", "sysroot"]));
    sysroot.is_some_and(|sysroot| Path::new(&sysroot).join("lib/rustlib/src/rust/library").is_dir())
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program(name))).find(|program| program.is_file())
}

/// A program's file name on this system.
pub fn program(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}
