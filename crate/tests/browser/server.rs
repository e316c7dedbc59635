//! JupyterLab as the launcher starts it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use crate::{
    clone::FreshClone,
    environment::without_cargo_test,
    process::{Group, wait},
};

const LAUNCHER: &str = env!("CARGO_BIN_EXE_d2l-notebooks");

/// A running JupyterLab.
pub struct Server {
    /// The address that opens the notebook, with the token.
    pub address: String,
    log: Log,
    process: Group,
}

type Log = Arc<Mutex<String>>;

/// Lets the launcher set up what is missing in the clone that is tested, shown as it goes.
pub fn set_up() -> Result<(), String> {
    let mut setup = Command::new(LAUNCHER);
    without_cargo_test(setup.arg("setup"));
    let status = setup.status().map_err(|error| format!("cannot start the launcher: {error}"))?;
    if status.success() { Ok(()) } else { Err("the launcher's `setup` failed: its sentence above says why".into()) }
}

impl Server {
    pub fn start(clone: &FreshClone) -> Result<Self, String> {
        let mut command = Command::new(LAUNCHER);
        command.arg("--no-browser").arg("--root").arg(clone.root()).env("TMPDIR", clone.temporary());
        without_cargo_test(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()));
        // It ends its kernels first.
        let mut process = Group::start(&mut command, Duration::from_secs(20))?;
        let log = read(process.child.stderr.take().expect("a pipe"));
        let said = || text(&log);
        let address = wait(
            Duration::from_secs(300),
            || format!("the launcher printed no address; it said:\n{}", said()),
            || {
                let ended = process.child.try_wait().map_err(|error| error.to_string())?;
                let text = said();
                match (address(&text), ended) {
                    (Some(address), _) => Ok(Some(address)),
                    (None, None) => Ok(None),
                    (None, Some(status)) => Err(format!("the launcher ended with {status}; it said:\n{text}")),
                }
            },
        )?;
        Ok(Self { address, log, process })
    }

    /// `kill -9` of the server alone: whatever it has started is not told.
    pub fn kill(mut self) -> Result<(), String> {
        self.process.child.kill().and_then(|()| self.process.child.wait()).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// What it has said so far.
    pub fn log(&self) -> String {
        text(&self.log)
    }
}

/// Keeps what is written, so that the writer never waits.
fn read(source: impl std::io::Read + Send + 'static) -> Log {
    let log = Log::default();
    let kept = Arc::clone(&log);
    thread::spawn(move || {
        for line in BufReader::new(source).lines().map_while(Result::ok) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push_str(&line);
            kept.push('\n');
        }
    });
    log
}

fn text(log: &Mutex<String>) -> String {
    log.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Jupyter prints the address of a file first, which only a browser on the same machine opens.
fn address(log: &str) -> Option<String> {
    let whole_lines = log.rsplit_once('\n')?.0;
    let mut words = whole_lines.split_whitespace();
    words.find(|word| word.starts_with("http://127.0.0.1:") && word.contains("token=")).map(str::to_owned)
}

/// The top of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository")
}
