//! Processes that end with the test, whatever becomes of it.

use std::os::unix::process::CommandExt;
use std::{
    process::{Child, Command},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::signal::unix::{SignalKind, signal};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From here on an interruption is an error of whoever waits, so that the processes are ended and the folders removed.
pub fn watch_for_interruption() {
    thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let mut interrupt = signal(SignalKind::interrupt()).expect("a handler for SIGINT");
            let mut terminate = signal(SignalKind::terminate()).expect("a handler for SIGTERM");
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            INTERRUPTED.store(true, Ordering::Relaxed);
        });
    });
}

/// Asks again and again until there is an answer; `what` is told when none comes in time.
pub fn wait<T>(
    limit: Duration,
    what: impl Fn() -> String,
    mut ask: impl FnMut() -> Result<Option<T>, String>,
) -> Result<T, String> {
    let began = Instant::now();
    loop {
        if let Some(answer) = ask()? {
            return Ok(answer);
        }
        if INTERRUPTED.load(Ordering::Relaxed) {
            return Err("interrupted".into());
        }
        if began.elapsed() > limit {
            return Err(format!("{} within {} s", what(), limit.as_secs()));
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// A process that leads a group of its own.
pub struct Group {
    pub child: Child,
    leader: Pid,
    patience: Duration,
}

impl Group {
    /// `patience` is the time to clean up before it is killed.
    pub fn start(command: &mut Command, patience: Duration) -> Result<Self, String> {
        let program = command.get_program().to_owned();
        // The terminal's Ctrl-C is not for it: it must outlive the orders that end its work.
        let started = command.process_group(0).spawn();
        let child = started.map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let leader = Pid::from_child(&child);
        Ok(Self { child, leader, patience })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let began = Instant::now();
        // An error says that it is gone already.
        let _ = kill_process(self.leader, Signal::TERM);
        while matches!(self.child.try_wait(), Ok(None)) && began.elapsed() < self.patience {
            thread::sleep(Duration::from_millis(20));
        }
        let _ = kill_process_group(self.leader, Signal::KILL);
        let _ = self.child.wait();
    }
}
