//! The reaper: a process beside each kernel that clears up after it, also after `kill -9`.

use std::env;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, parent_id};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::builds::{self, LOCK};
use crate::project::Project;
use crate::{step, template};

/// How often it looks whether the server still lives.
const LOOK: Duration = Duration::from_secs(2);

/// What a reaper was told to watch.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// The kernel's build folder.
    pub folder: PathBuf,
    /// The kernel's process.
    pub kernel: u32,
    /// The process of the server that started it, or 0 when there is none to watch.
    pub server: u32,
}

/// Starts a reaper for this process, which is about to become the kernel. Without one the next sweep clears up.
pub fn start(project: &Project, folder: &Path) {
    let Ok(launcher) = env::current_exe() else { return };
    let named = env::var("JPY_PARENT_PID").ok().and_then(|text| text.parse().ok());
    // The first process of the system adopts orphans and starts no kernels.
    let server = named.unwrap_or(parent_id());
    let mut reaper = Command::new(launcher);
    reaper.arg("--root").arg(project.root()).arg("reap").arg(folder);
    reaper.args([process::id(), if server == 1 { 0 } else { server }].map(|id| id.to_string()));
    // Whoever kills the kernel's process group must not kill this one.
    reaper.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = reaper.spawn();
}

/// Waits for the kernel's end, clears up after it, and renews the template if it no longer fits.
pub fn reap(project: &Project, watch: &Watch) {
    let server = Process::of(watch.server);
    let leads = Process::of(watch.kernel).is_some_and(|kernel| kernel.group == watch.kernel);
    let kernel = if leads { format!("-{}", watch.kernel) } else { watch.kernel.to_string() };
    let Ok(lock) = File::open(watch.folder.join(LOCK)) else { return };
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        // An error says nothing of the kernel: then the sender is dropped without a word.
        if lock.lock().is_ok() {
            let _ = sender.send(lock);
        }
    });
    let _held = loop {
        match ended.recv_timeout(LOOK) {
            Ok(lock) => break lock,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                if server.as_ref().is_some_and(|server| Process::of(server.id).as_ref() != Some(server)) {
                    kill(&kernel);
                }
            }
        }
    };
    if leads {
        // The process that runs the cells does not hold the lock, and a loop in a cell would run for ever.
        kill(&kernel);
    }
    builds::remove(&watch.folder);
    template::renew(project);
}

/// Ends a process, or with a minus before its number the group that it leads.
fn kill(target: &str) {
    let _ = step::ask(Command::new("/bin/sh").args(["-c", "kill -s KILL -- \"$0\"", target]));
}

/// A living process, told from a later one of the same number by its beginning.
#[derive(Debug, PartialEq)]
struct Process {
    id: u32,
    group: u32,
    began: String,
}

impl Process {
    fn of(id: u32) -> Option<Self> {
        let (group, began) = if Path::new("/proc/self/stat").exists() { from_proc(id)? } else { from_ps(id)? };
        Some(Self { id, group, began })
    }
}

/// "id (name) state parent group …", of which the name may hold brackets and blanks; the beginning is field 22.
fn from_proc(id: u32) -> Option<(u32, String)> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let lives = !matches!(*fields.first()?, "Z" | "X");
    lives.then_some((fields.get(2)?.parse().ok()?, (*fields.get(19)?).to_owned()))
}

fn from_ps(id: u32) -> Option<(u32, String)> {
    let answer = step::ask(Command::new("ps").args(["-o", "pgid=,lstart=", "-p", &id.to_string()]))?;
    let (group, began) = answer.trim().split_once(' ')?;
    Some((group.parse().ok()?, began.to_owned()))
}
