//! The Rust toolchain that compiles the cells.

use std::env;
use std::ffi::OsString;
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

/// The folder of the toolchain's own programs, behind rustup's stand-ins for them.
pub fn programs(cargo: &Path) -> PathBuf {
    let named = sysroot(cargo).map(|sysroot| sysroot.join("bin")).filter(|bin| bin.join(program("rustc")).is_file());
    named.unwrap_or_else(|| cargo.with_file_name(""))
}

fn has_sources(cargo: &Path) -> bool {
    sysroot(cargo).is_some_and(|sysroot| sysroot.join("lib/rustlib/src/rust/library").is_dir())
}

fn sysroot(cargo: &Path) -> Option<PathBuf> {
    let rustc = cargo.with_file_name(program("rustc"));
    step::ask(Command::new(rustc).args(["--print", "sysroot"])).map(PathBuf::from)
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program(name))).find(|program| program.is_file())
}

/// A program's file name on this system.
pub fn program(name: &str) -> String {
    format!("{name}{}", env::consts::EXE_SUFFIX)
}

/// PATH with the toolchain's folder first: the kernel calls Cargo and rustc some forty times, and rustup's stand-ins slow
/// each.
pub fn path_after(first: Option<&Path>) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = first.map(Path::to_owned).into_iter().chain(env::split_paths(&path));
    // Only a folder with a separator in its name cannot be joined; such a path is left as it is.
    env::join_paths(folders).unwrap_or(path)
}
