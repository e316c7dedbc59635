//! `Timer`: seconds of repeated runs.

use std::time::Instant;

/// Measures how long things take, run after run.
///
/// It runs from the moment it is made; [`stop`](Self::stop) notes the seconds since the last start.
///
/// ```
/// use d2l::train::Timer;
///
/// let mut timer = Timer::new();
/// for run in 0..3 {
///     timer.start();
///     let _work = (0..1000).map(|i| i * run).sum::<usize>();
///     timer.stop();
/// }
/// assert_eq!(timer.times().len(), 3);
/// assert!(timer.sum() >= timer.avg());
/// ```
#[derive(Clone, Debug)]
pub struct Timer {
    started: Instant,
    times: Vec<f64>,
}

impl Timer {
    /// A timer that has just been started.
    #[expect(clippy::new_without_default, reason = "a timer starts to run: that is no default value")]
    pub fn new() -> Self {
        Self { started: Instant::now(), times: Vec::new() }
    }

    /// Starts a run, in place of the one that was under way.
    pub fn start(&mut self) {
        self.started = Instant::now();
    }

    /// Ends a run, notes its seconds and returns them. Without another start the next run goes on from the same moment.
    pub fn stop(&mut self) -> f64 {
        let seconds = self.started.elapsed().as_secs_f64();
        self.times.push(seconds);
        seconds
    }

    /// Seconds of every run, in order.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Mean seconds of a run; NaN before the first has ended.
    pub fn avg(&self) -> f64 {
        self.sum() / self.times.len() as f64
    }

    /// Seconds of all runs.
    pub fn sum(&self) -> f64 {
        self.times.iter().sum()
    }

    /// Seconds from the first run to the end of each, pauses left out.
    pub fn cumsum(&self) -> Vec<f64> {
        let mut sum = 0.0;
        let add = |seconds: &f64| {
            sum += seconds;
            sum
        };
        self.times.iter().map(add).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn runs_add_up() {
        let timer = Timer { started: Instant::now(), times: vec![1.0, 2.0, 4.0] };
        assert_eq!((timer.sum(), timer.avg(), timer.cumsum()), (7.0, 7.0 / 3.0, vec![1.0, 3.0, 7.0]));
        assert!(Timer::new().avg().is_nan());
    }

    #[test]
    fn a_start_forgets_what_came_before() {
        let mut timer = Timer::new();
        std::thread::sleep(Duration::from_millis(20));
        let all = timer.stop();
        timer.start();
        assert!(all >= 0.02 && timer.stop() < all, "{:?}", timer.times());
    }
}
