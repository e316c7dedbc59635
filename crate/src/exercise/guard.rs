//! Runs what a learner wrote, whatever it does: a panic, an endless loop, a flood of output and a stub become values.
//!
//! What ends the whole process cannot be caught from inside it: a stack that overflows, memory that runs out, `exit` and
//! `abort`. The kernel then says that its subprocess was terminated, and starts another without the variables. A thread
//! cannot be stopped from outside either. One that is given up goes on in the background until the kernel is restarted;
//! one that writes is kept from it by [`silence_others`], and with it everything that later answers write.

use std::any::Any;
use std::io;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, mem, thread};

/// A check that has said nothing for this long is given up.
pub(super) const PATIENCE: Duration = Duration::from_secs(8);

/// The thread that runs the learner's code.
const NAME: &str = "answer";

/// An answer that has written more than this many bytes is given up: Jupyter drops what comes too fast, the verdict too.
const MOST_WRITTEN: u64 = 16 << 10;

/// How often an answer that still runs is looked at.
const GLANCE: Duration = Duration::from_millis(1);

/// How guarded work ended.
#[derive(Debug, PartialEq)]
pub(super) enum Ended<T> {
    /// It returned.
    With(T),
    /// It reached a `todo!()` or `unimplemented!()`.
    AtStub,
    /// It panicked with this message.
    InPanic(String),
    /// It still runs.
    Never,
    /// It still runs and has written more than [`MOST_WRITTEN`].
    Flooding,
    /// It was not started: [`silence_others`] was called, and it would wait for ever at its first line.
    Silenced,
}

/// Whether the last answer that was given up had written something.
static WRITES: AtomicBool = AtomicBool::new(false);

/// Runs `work` in a thread of its own and waits for it at most `patience`.
pub(super) fn run<T: Send + 'static>(patience: Duration, work: Box<dyn FnOnce() -> T + Send>) -> Ended<T> {
    // The hook belongs to the whole process: one check changes it at a time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // Before the hook is touched: a silenced thread that panics waits inside it, and it cannot be changed meanwhile.
    if !others_can_write() {
        return Ended::Silenced;
    }
    let hook = Arc::new(panic::take_hook());
    let others = Arc::clone(&hook);
    // The verdict tells of the learner's panic; nothing else is printed of it.
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(NAME) {
            others(info);
        }
    }));
    let (began, written_before) = (Instant::now(), written());
    let started = thread::Builder::new().name(NAME.into()).stack_size(32 << 20).spawn(work);
    let ended = match started {
        Err(error) => Ended::InPanic(format!("no thread could be started: {error}")),
        Ok(answer) => loop {
            if answer.is_finished() {
                break answer.join().map_or_else(|payload| panicked(&message(payload.as_ref())), Ended::With);
            }
            if written() > written_before + MOST_WRITTEN {
                break Ended::Flooding;
            }
            if began.elapsed() > patience {
                break Ended::Never;
            }
            thread::sleep(GLANCE);
        },
    };
    panic::set_hook(Box::new(move |info| hook(info)));
    WRITES.store(written() > written_before || written_before == 0, Ordering::Relaxed);
    ended
}

/// Keeps every other thread of the process from writing, if the answer that was given up does: each waits at its next
/// line, for ever. This one, which runs all cells, goes on.
pub(super) fn silence_others() {
    if WRITES.load(Ordering::Relaxed) {
        mem::forget((io::stdout().lock(), io::stderr().lock()));
    }
}

/// Whether another thread than this one may write. In a cell nothing else remembers it: each has its own statics.
fn others_can_write() -> bool {
    let began = Instant::now();
    let Ok(probe) = thread::Builder::new().spawn(|| drop((io::stdout().lock(), io::stderr().lock()))) else {
        return true;
    };
    while !probe.is_finished() {
        if began.elapsed() > Duration::from_secs(1) {
            return false;
        }
        thread::sleep(GLANCE);
    }
    true
}

/// Waits until Jupyter lets messages through again: its server counts those of three seconds, and drops what is too many.
pub(super) fn let_the_flood_pass() {
    thread::sleep(Duration::from_secs(4));
}

/// Bytes that the process has written so far, where the system counts them; elsewhere 0.
fn written() -> u64 {
    let counts = fs::read_to_string("/proc/self/io").unwrap_or_default();
    counts.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok()).unwrap_or(0)
}

fn panicked<T>(message: &str) -> Ended<T> {
    let stub = message.starts_with("not yet implemented") || message.starts_with("not implemented");
    if stub { Ended::AtStub } else { Ended::InPanic(message.to_owned()) }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, RecvTimeoutError};

    use super::*;

    fn ended(patience: Duration, work: impl FnOnce() -> i32 + Send + 'static) -> Ended<i32> {
        run(patience, Box::new(work))
    }

    #[test]
    fn every_ending_becomes_a_value() {
        assert_eq!(ended(PATIENCE, || 7), Ended::With(7));
        assert_eq!(ended(PATIENCE, || todo!()), Ended::AtStub);
        assert_eq!(ended(PATIENCE, || todo!("later")), Ended::AtStub);
        assert_eq!(ended(PATIENCE, || panic!("no {}", 7)), Ended::InPanic("no 7".into()));
        let never = ended(Duration::from_millis(300), || {
            loop {
                thread::sleep(Duration::from_millis(20));
            }
        });
        assert_eq!(never, Ended::Never);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_flood_of_output_is_given_up_at_once() {
        let (end, ending) = mpsc::channel::<()>();
        let flood = ended(PATIENCE, move || {
            let mut nowhere = fs::File::create("/dev/null").expect("it is always there");
            while ending.recv_timeout(Duration::from_millis(1)) == Err(RecvTimeoutError::Timeout) {
                io::Write::write_all(&mut nowhere, &[b'!'; 1000]).expect("it takes everything");
            }
            7
        });
        assert_eq!(flood, Ended::Flooding);
        drop(end);
    }
}
