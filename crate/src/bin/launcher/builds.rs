//! The build folders of running kernels: each kernel has one of its own, since two in one folder corrupt each other.
//!
//! A folder holds a file that its kernel keeps locked. The system lets go of the lock when the process ends, however it
//! ends, so a folder whose lock can be taken is nobody's and may go.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// The template's folder lies among the kernels' own.
pub const TEMPLATE: &str = "template";

/// The locked file inside a build folder.
pub const LOCK: &str = "lock";

/// How long a folder may be without its lock file: far longer than it takes to make one.
const BEING_MADE: Duration = Duration::from_secs(60);

/// A folder of the holder's own.
pub struct Build {
    /// Its path.
    pub folder: PathBuf,
    /// Locked; the folder is in use as long as any process holds this file open.
    pub lock: File,
}

impl Build {
    /// Makes a folder below `builds`.
    ///
    /// # Errors
    /// The disk is full, the clone is read-only, or its file system has no locks.
    pub fn create(builds: &Path) -> io::Result<Self> {
        fs::create_dir_all(builds)?;
        loop {
            let folder = builds.join(unique_name());
            match fs::create_dir(&folder) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            let path = folder.join(LOCK);
            let lock = File::create_new(&path)?;
            match lock.try_lock() {
                // Between the two lines above a sweep may have taken the folder for a dead one and removed it.
                Ok(()) if path.exists() => return Ok(Self { folder, lock }),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => {
                    remove(&folder);
                    return Err(error);
                }
            }
        }
    }
}

/// Removes a folder as far as it can be: what is left goes with the next sweep.
pub fn remove(folder: &Path) {
    // A compiler that was killed a moment ago may still add a file.
    for _ in 0..5 {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != ErrorKind::NotFound => std::thread::sleep(Duration::from_millis(50)),
            _ => return,
        }
    }
}

/// Removes every folder below `builds` whose kernel is gone.
pub fn sweep(builds: &Path) {
    for entry in fs::read_dir(builds).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_build = name != TEMPLATE && !name.to_string_lossy().starts_with('.');
        if is_build && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_abandoned(&entry.path()) {
            remove(&entry.path());
        }
    }
}

/// Whether no process holds the folder. The lock is let go again: a folder's name is used once, so nobody takes it.
fn is_abandoned(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let made = fs::metadata(folder).and_then(|folder| folder.modified());
            made.is_ok_and(|made| SystemTime::now().duration_since(made).is_ok_and(|age| age > BEING_MADE))
        }
        Err(_) => false,
    }
}

/// Copies a folder with everything in it but what `left_out` names at its top. Times are kept: Cargo takes a file that
/// is newer than it was for a changed one.
pub fn copy(from: &Path, to: &Path, left_out: &[&str]) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if left_out.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&source, &target, &[])?;
        } else {
            fs::copy(&source, &target)?;
            File::options().write(true).open(&target)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}

fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_millis();
    format!("{now:x}-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}
