//! Files that are either whole or not there.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;

use crate::failure::Failure;
use crate::say;

/// Makes a folder and those above it.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::writing(path, &error))
}

/// Writes a file under another name first, so that an interruption never leaves half of it.
pub fn write_whole(path: &Path, contents: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let mut part = OsString::from(path);
    part.push(".part");
    let written = File::create(&part)
        .and_then(|mut file| file.write_all(contents.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        // Half a file would only take the room that is wanting; the error to tell is the first one.
        let _ = fs::remove_file(&part);
        Failure::writing(path, &error)
    })
}

/// Writes a file unless it holds the same already.
pub fn write_changed(path: &Path, contents: &str) -> Result<(), Failure> {
    if fs::read_to_string(path).is_ok_and(|present| present == contents) {
        return Ok(());
    }
    write_whole(path, contents)
}

/// Waits until no other process holds `path`, having told the reader what for, then holds it until the file is dropped.
pub fn lock(path: &Path, waiting: &str) -> Result<File, Failure> {
    let file = File::create(path).map_err(|error| Failure::writing(path, &error))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => say(waiting),
        Err(TryLockError::Error(error)) => return Err(Failure::writing(path, &error)),
    }
    file.lock().map_err(|error| Failure::writing(path, &error))?;
    Ok(file)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_full_disk_leaves_the_old_file_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kernel.json");
        write_whole(&path, "old").unwrap();
        symlink("/dev/full", path.with_extension("json.part")).unwrap();
        let failure = write_whole(&path, "new").unwrap_err();
        assert!(failure.sentence.contains("the disk is full"), "{}", failure.sentence);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn a_folder_in_the_way_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stamp");
        fs::create_dir_all(path.join("inside")).unwrap();
        let failure = write_whole(&path, "new").unwrap_err();
        assert!(failure.sentence.contains("stamp"), "{}", failure.sentence);
    }
}
