//! Runs what a learner wrote, whatever it does: a panic, an endless loop and a stub become values.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

/// A check that has said nothing for this long is given up.
pub(super) const PATIENCE: Duration = Duration::from_secs(8);

/// The thread that runs the learner's code.
const NAME: &str = "answer";

/// How guarded work ended.
#[derive(Debug, PartialEq)]
pub(super) enum Ended<T> {
    /// It returned.
    With(T),
    /// It reached a `todo!()` or `unimplemented!()`.
    AtStub,
    /// It panicked with this message.
    InPanic(String),
    /// It still runs; its thread cannot be stopped from here.
    Never,
}

/// Runs `work` in a thread of its own and waits for it at most `patience`.
pub(super) fn run<T: Send + 'static>(patience: Duration, work: impl FnOnce() -> T + Send + 'static) -> Ended<T> {
    // The hook belongs to the whole process: one check changes it at a time.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = Arc::new(panic::take_hook());
    let others = Arc::clone(&hook);
    // The verdict tells of the learner's panic; nothing else is printed of it.
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(NAME) {
            others(info);
        }
    }));
    let (sender, receiver) = mpsc::channel();
    let started = thread::Builder::new().name(NAME.into()).stack_size(32 << 20).spawn(move || {
        // A receiver that has given up makes this fail, and nobody is left to care.
        let _ = sender.send(panic::catch_unwind(AssertUnwindSafe(work)));
    });
    let ended = match started {
        Ok(_) => receiver.recv_timeout(patience),
        Err(error) => Ok(Err(Box::new(format!("no thread could be started: {error}")) as Box<dyn Any + Send>)),
    };
    panic::set_hook(Box::new(move |info| hook(info)));
    match ended {
        Ok(Ok(value)) => Ended::With(value),
        Ok(Err(payload)) => match message(payload.as_ref()) {
            stub if stub.starts_with("not yet implemented") || stub.starts_with("not implemented") => Ended::AtStub,
            message => Ended::InPanic(message),
        },
        Err(_) => Ended::Never,
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_becomes_a_value() {
        let short = Duration::from_millis(300);
        assert_eq!(run(PATIENCE, || 7), Ended::With(7));
        assert_eq!(run(PATIENCE, || -> i32 { todo!() }), Ended::AtStub);
        assert_eq!(run(PATIENCE, || -> i32 { todo!("later") }), Ended::AtStub);
        assert_eq!(run(PATIENCE, || -> i32 { panic!("no {}", 7) }), Ended::InPanic("no 7".into()));
        let never = run(short, || {
            loop {
                thread::sleep(Duration::from_millis(20));
            }
        });
        assert_eq!(never, Ended::<()>::Never);
    }
}
