//! Large loops divided among the machine's cores; small ones are left alone.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::OnceLock;
use std::thread;

use super::Real;

/// Elementary steps, about a nanosecond each, from which on a second thread saves more time than it takes to start.
const WORTH_A_THREAD: usize = 100_000;

thread_local! {
    /// How many threads share the cores, this one among them.
    static SHARERS: Cell<usize> = const { Cell::new(1) };
}

/// From now on this thread takes its share of the cores only: so many threads work at the same time.
pub(crate) fn share_cores(sharers: usize) {
    SHARERS.set(sharers);
}

/// How many threads to divide so many elementary steps among.
pub(crate) fn threads(steps: usize) -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    if steps < WORTH_A_THREAD {
        return 1;
    }
    let cores = CORES.get_or_init(|| {
        // Training frees all memory of a step and asks for it again. The allocator of Linux gives large blocks back to
        // the system, which clears them anew each time, unless it once saw as large a block come and go.
        drop(black_box(Vec::<u8>::with_capacity(31 << 20)));
        thread::available_parallelism().map_or(1, Into::into)
    });
    (cores / SHARERS.get()).max(1)
}

/// Work on whole rows, given the number of the first. Not a generic parameter: the start of threads is a lot to compile.
type Work<'a, A> = dyn Fn(usize, &mut [A]) + Sync + 'a;

/// Calls `work` with parts of `numbers`, whole rows of this length, and the number of each part's first row.
///
/// `steps` is how many elementary steps a number takes.
pub(crate) fn for_rows<A: Real>(numbers: &mut [A], length: usize, steps: usize, work: &Work<A>) {
    if numbers.is_empty() {
        return;
    }
    let (rows, threads) = (numbers.len() / length, threads(numbers.len() * steps));
    if threads == 1 {
        return work(0, numbers);
    }
    divide(numbers, length, rows.div_ceil(threads), &work);
}

/// One copy for all kinds of work: starting threads is much code.
fn divide<A: Send>(numbers: &mut [A], length: usize, part: usize, work: &(dyn Fn(usize, &mut [A]) + Sync)) {
    let mut parts = numbers.chunks_mut(part * length).enumerate();
    let first = parts.next();
    thread::scope(|scope| {
        for (i, rows) in parts {
            scope.spawn(move || work(i * part, rows));
        }
        if let Some((_, rows)) = first {
            work(0, rows);
        }
    });
}

/// Does two things and tells each how many threads it has: at the same time, if there are two or more for them.
pub(crate) fn both(threads: usize, one: &mut (dyn FnMut(usize) + Send), other: &mut dyn FnMut(usize)) {
    if threads < 2 {
        one(threads);
        return other(threads);
    }
    thread::scope(|scope| {
        scope.spawn(move || one(threads / 2));
        other(threads - threads / 2);
    });
}
