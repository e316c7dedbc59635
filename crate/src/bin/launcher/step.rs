//! Running a tool so that the reader sees it work and the launcher can tell why it stopped.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::failure::Failure;
use crate::say;

/// As much of a tool's errors as decides why it stopped; pip repeats a network failure for every try.
const TAIL: usize = 64 * 1024;

/// The lock of the set-up that is under way.
static LOCK: Mutex<Option<File>> = Mutex::new(None);

/// Lets the tools that run during `work` share a lock: one that outlives the launcher keeps it, and the next set-up waits
/// for its end instead of starting the same tool beside it.
pub fn locked<T>(lock: File, work: impl FnOnce() -> T) -> T {
    let held = || LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    *held() = Some(lock);
    let done = work();
    *held() = None;
    done
}

/// An empty input, which holds the lock if there is one.
fn input() -> Stdio {
    let lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    lock.as_ref().and_then(|lock| lock.try_clone().ok()).map_or_else(Stdio::null, Stdio::from)
}

/// Runs a tool to its end, its output let through to the terminal; `doing` starts the sentence when it fails.
pub fn run(doing: &str, command: &mut Command) -> Result<(), Failure> {
    let start = Instant::now();
    // Only errors are read on their way: standard output stays a terminal, so pip draws its progress bars there.
    let spawned = command.stdin(input()).stderr(Stdio::piped()).spawn();
    let mut child =
        spawned.map_err(|error| Failure::new(format!("{doing} stopped: {}.", unstarted(command, &error))))?;
    let tail = child.stderr.take().map(pass_on).unwrap_or_default();
    let status =
        child.wait().map_err(|error| Failure::new(format!("{doing} stopped: {error}; run the same command again.")))?;
    if !status.success() {
        return Err(Failure::of_tool(doing, status, &String::from_utf8_lossy(&tail)));
    }
    let seconds = start.elapsed().as_secs();
    if seconds > 0 {
        say(&format!("{doing} took {seconds} s."));
    }
    Ok(())
}

/// The standard output of a short, quiet tool, or nothing when it does not run or fails.
pub fn ask(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// What to do about a tool that does not start at all.
pub fn unstarted(command: &Command, error: &io::Error) -> String {
    let program = command.get_program().to_string_lossy();
    format!("`{program}` could not be started ({error}); install it anew and run the same command again")
}

fn pass_on(mut source: impl Read) -> Vec<u8> {
    let (mut tail, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(length @ 1..) = source.read(&mut chunk) {
        let _ = io::stderr().write_all(&chunk[..length]);
        tail.extend_from_slice(&chunk[..length]);
        if tail.len() > 2 * TAIL {
            tail.drain(..tail.len() - TAIL);
        }
    }
    tail
}

/// Becomes a tool; returns only when that fails (or, on Windows, when the tool has ended).
#[cfg(unix)]
pub fn become_tool(name: &str, command: &mut Command) -> Result<(), Failure> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(Failure::new(format!("{name} did not start: {}.", unstarted(command, &error))))
}

/// Becomes a tool; returns only when that fails (or, on Windows, when the tool has ended).
#[cfg(not(unix))]
pub fn become_tool(name: &str, command: &mut Command) -> Result<(), Failure> {
    let status = command
        .status()
        .map_err(|error| Failure::new(format!("{name} did not start: {}.", unstarted(command, &error))))?;
    if status.success() { Ok(()) } else { Err(Failure::of_tool(name, status, "")) }
}
