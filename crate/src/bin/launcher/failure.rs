//! What went wrong, in one sentence with the cause and the remedy.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitStatus;

/// The end of a run that did not succeed.
#[derive(Debug, PartialEq)]
pub struct Failure {
    /// Cause and remedy, the last thing the reader sees.
    pub sentence: String,
    /// The exit code: 2 for a command line that does not fit, 1 for everything else.
    pub code: u8,
}

const DISK: &str = "the disk is full; free about 2 GB and run the same command again, which goes on from there";

impl Failure {
    /// A failure of the work itself.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 1 }
    }

    /// A command line that does not fit.
    pub fn usage(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), code: 2 }
    }

    /// A file or folder that could not be written.
    pub fn writing(path: &Path, error: &io::Error) -> Self {
        let path = path.display();
        Self::new(match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => format!("`{path}` could not be written: {DISK}."),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => format!(
                "`{path}` could not be written for want of permission; make the clone's folder your own or clone into \
                 a folder of yours."
            ),
            _ => format!(
                "`{path}` could not be written ({error}); move away what is there and run the same command again."
            ),
        })
    }

    /// A tool that ended without success: `doing` names the step, `tail` is the end of what the tool wrote.
    pub fn of_tool(doing: &str, status: ExitStatus, tail: &str) -> Self {
        let cause = match Cause::of(status, tail) {
            Cause::Disk => DISK.to_owned(),
            Cause::Permission => {
                "a file could not be written for want of permission; make the folder named above your \
                 own and run the same command again"
                    .to_owned()
            }
            Cause::Network => "the network could not be reached; check the connection or the proxy and run the same \
                 command again, which goes on from there"
                .to_owned(),
            Cause::Killed => {
                "the tool was killed, most often because memory ran out; close other programs and run the \
                 same command again, which goes on from there"
                    .to_owned()
            }
            Cause::Other(said) => format!(
                "the tool ended with {said}; its messages above say why, and when they do not, delete the folder \
                 `.venv` and run the same command again"
            ),
        };
        Self::new(format!("{doing} stopped: {cause}."))
    }
}

/// Why a tool stopped, as far as its exit status and its last words tell.
#[derive(Debug, PartialEq)]
enum Cause {
    Disk,
    Permission,
    Network,
    Killed,
    Other(String),
}

/// Words of the operating system and of the tools, in the order in which they decide: a full disk can also look like
/// a failed download, and a download that is refused can end in a missing version.
const WORDS: [(Cause, &[&str]); 4] = [
    (
        Cause::Disk,
        &[
            "No space left on device",
            "Disk quota exceeded",
            "not enough space on the disk",
            "os error 28",
            "os error 112",
        ],
    ),
    (Cause::Killed, &["signal: 9, SIGKILL", "MemoryError", "Cannot allocate memory"]),
    (
        Cause::Permission,
        &["Permission denied", "Read-only file system", "Operation not permitted", "Access is denied", "os error 13"],
    ),
    (
        Cause::Network,
        &[
            "NewConnectionError",
            "ConnectTimeoutError",
            "ReadTimeoutError",
            "NameResolutionError",
            "ProxyError",
            "SSLError",
            "ConnectionResetError",
            "Temporary failure in name resolution",
            "Max retries exceeded",
            "Could not resolve host",
            "Couldn't connect to server",
            "spurious network error",
            "Timeout was reached",
            "failed to download",
            "download of config.json failed",
            "could not download file",
        ],
    ),
];

impl Cause {
    fn of(status: ExitStatus, tail: &str) -> Self {
        for (cause, words) in WORDS {
            if words.iter().any(|word| tail.contains(word)) {
                return cause;
            }
        }
        // A Unix process that a signal ended has no code.
        status.code().map_or(Self::Killed, |code| Self::Other(format!("exit code {code}")))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn cause(tail: &str) -> Cause {
        Cause::of(ExitStatus::from_raw(1 << 8), tail)
    }

    #[test]
    fn the_tools_own_words_decide() {
        assert_eq!(cause("ERROR: [Errno 28] No space left on device: '/x'"), Cause::Disk);
        assert_eq!(cause("error: failed to write `/x`\n  Permission denied (os error 13)"), Cause::Permission);
        assert_eq!(cause("WARNING: Retrying (Retry(total=4)) NewConnectionError\nERROR: No matching"), Cause::Network);
        assert_eq!(cause("[6] Could not resolve hostname (Could not resolve host: index)"), Cause::Network);
        assert_eq!(cause("  process didn't exit successfully: `rustc` (signal: 9, SIGKILL: kill)"), Cause::Killed);
        assert_eq!(cause("ERROR: Requirement is odd"), Cause::Other("exit code 1".to_owned()));
    }

    #[test]
    fn a_full_disk_decides_over_the_download_that_failed_for_it() {
        assert_eq!(cause("failed to download `x`\nNo space left on device (os error 28)"), Cause::Disk);
    }

    #[test]
    fn a_tool_ended_by_a_signal_was_killed() {
        assert_eq!(Cause::of(ExitStatus::from_raw(9), ""), Cause::Killed);
    }

    #[test]
    fn the_sentence_has_the_step_and_the_code() {
        let failure = Failure::of_tool("Installing JupyterLab", ExitStatus::from_raw(3 << 8), "odd");
        assert!(failure.sentence.starts_with("Installing JupyterLab stopped: the tool ended with exit code 3;"));
    }
}
