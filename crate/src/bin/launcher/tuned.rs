//! The tuned kernel: evcxr in a warm build folder of its own, with settings of the project's own.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::builds::{self, Build};
use crate::failure::Failure;
use crate::project::Project;
use crate::{files, say, step, template, toolchain};

/// Cells compile fastest unoptimised; what they call is optimised by [`CARGO`].
///
/// The prelude puts the clone's lock file in its place. It comes last: what the kernel compiles at its start needs no
/// crate, so Cargo would drop them all from the file, and then ask the network for the newest ones.
pub const EVCXR: &str = r#"[evcxr]
opt_level = "0"
prelude = '!cp "$D2L_LOCK" "$EVCXR_TMPDIR/Cargo.lock" || true'
"#;

/// Lets a panic show its message alone, and below the cell that panicked: evcxr does not wait for a cell's last lines,
/// which otherwise come, now and then, below the next cell. A loaded cell runs what stands in its section of initialisers,
/// and the kernel repeats every item in every cell: so it also holds in the process that follows an interrupted one.
pub const INIT: &str = r#"extern "C" fn _d2l_short_panics() {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("{}", panic.payload_as_str().unwrap_or("the cell panicked"));
        std::thread::sleep(std::time::Duration::from_millis(30));
    }));
}
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static _D2L_SHORT_PANICS: extern "C" fn() = _d2l_short_panics;
"#;

/// Cargo's settings for all build folders: the helper crate and its dependencies are compiled once and run often.
pub const CARGO: &str = r#"[profile.dev.package."*"]
opt-level = 2
debug-assertions = false
"#;

/// What runs the cells, found by the set-up and kept for the kernels' starts.
pub struct Engine {
    /// The program of evcxr_jupyter.
    pub evcxr: PathBuf,
    /// The toolchain's own programs: rustup's stand-ins for them slow each of the kernel's forty calls.
    pub toolchain: PathBuf,
}

impl Engine {
    /// Keeps what a kernel's start needs, and the settings it brings along.
    pub fn keep(&self, project: &Project) -> Result<(), Failure> {
        files::write_changed(&settings(project).join("evcxr.toml"), EVCXR)?;
        files::write_changed(&settings(project).join("init.evcxr"), INIT)?;
        files::write_changed(&project.builds().join(".cargo/config.toml"), CARGO)?;
        let paths = format!("{}\n{}\n", self.evcxr.display(), self.toolchain.display());
        files::write_changed(&kept(project), &paths)
    }

    /// What the last set-up kept.
    ///
    /// # Errors
    /// There was none.
    pub fn kept(project: &Project) -> Result<Self, Failure> {
        let paths = fs::read_to_string(kept(project)).unwrap_or_default();
        let mut paths = paths.lines().map(PathBuf::from);
        match (paths.next(), paths.next()) {
            (Some(evcxr), Some(toolchain)) => Ok(Self { evcxr, toolchain }),
            _ => Err(Failure::new("No kernel is set up in this clone; run `cargo run -- setup` first.")),
        }
    }

    /// Lets a command, or the kernel it starts, find the toolchain and the project's settings.
    pub fn settle<'a>(&self, command: &'a mut Command, project: &Project) -> &'a mut Command {
        command.env("EVCXR_CONFIG_DIR", settings(project)).env("PATH", toolchain::path_after(Some(&self.toolchain)));
        command.env("D2L_LOCK", project.root().join("Cargo.lock"))
    }
}

/// Becomes the kernel; returns only when that fails.
pub fn run(project: &Project, connection: &OsStr) -> Result<(), Failure> {
    let engine = Engine::kept(project)?;
    builds::sweep(&project.builds());
    let mut command = Command::new(&engine.evcxr);
    engine.settle(&mut command, project).arg("--control_file").arg(connection);
    match make_build(project) {
        Ok(build) => hand_over(project, command, build),
        Err(error) => {
            // Right, only slow: the kernel makes a temporary folder by itself.
            say(&format!("{} The kernel starts without its warm build folder.", error.sentence));
            step::become_tool("The kernel", &mut command)
        }
    }
}

fn make_build(project: &Project) -> Result<Build, Failure> {
    let failure = |error| Failure::writing(&project.builds(), &error);
    let build = Build::create(&project.builds()).map_err(failure)?;
    if let Err(error) = template::copy_to(project, &build.folder) {
        builds::remove(&build.folder);
        return Err(failure(error));
    }
    Ok(build)
}

/// The locked file becomes the kernel's standard input, which it does not read: so the lock ends with the kernel and
/// the compilers it has started, and not before.
#[cfg(unix)]
fn hand_over(project: &Project, mut command: Command, build: Build) -> Result<(), Failure> {
    crate::reaper::start(project, &build.folder);
    step::become_tool("The kernel", command.env("EVCXR_TMPDIR", &build.folder).stdin(build.lock))
}

#[cfg(not(unix))]
fn hand_over(_: &Project, mut command: Command, build: Build) -> Result<(), Failure> {
    let ended = step::become_tool("The kernel", command.env("EVCXR_TMPDIR", &build.folder));
    drop(build.lock);
    builds::remove(&build.folder);
    ended
}

fn settings(project: &Project) -> PathBuf {
    project.state().join("settings")
}

fn kept(project: &Project) -> PathBuf {
    project.state().join("engine")
}
