//! A bar on the terminal for work that takes longer than a second.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use crate::audience::{Audience, Program};

/// Shorter work shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks of the bar, in milliseconds.
const PACE: u64 = 100;

/// Progress of one phase. The bar goes away when this is dropped.
#[derive(Debug)]
pub struct Phase {
    name: String,
    started: Instant,
    shown: bool,
    program: Option<Arc<Program>>,
    drawn: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Phase {
    /// Begins a phase, with a bar if somebody looks.
    pub fn new(name: impl Into<String>, audience: &Audience) -> Self {
        Self {
            name: name.into(),
            started: Instant::now(),
            shown: audience.sees_bars(),
            program: audience.program().cloned(),
            drawn: AtomicU64::new(0),
            bar: OnceLock::new(),
        }
    }

    /// `done` of `total` steps are done. Cheap enough to be called often, from any thread.
    pub fn report(&self, done: usize, total: usize) {
        if done == 0 || !self.is_due() {
            return;
        }
        if let Some(program) = &self.program {
            return program.report(&self.name, done, total);
        }
        let part = done as f64 / total as f64;
        let left = self.started.elapsed().mul_f64((1.0 / part - 1.0).max(0.0));
        let message = format!("{} left", coarse(left));
        self.draw(
            "{prefix} [{bar:30}] {percent:>3}% {msg}",
            done,
            total,
            message,
        );
    }

    /// So many bytes are done, of so many if that is known.
    pub fn report_bytes(&self, done: usize, total: Option<usize>) {
        if let Some(total) = total {
            self.report(done, total);
        } else if self.is_due() {
            if let Some(program) = &self.program {
                return program.report(&self.name, done, done);
            }
            let message = HumanBytes(done as u64).to_string();
            self.draw("{prefix}: {msg}", done, done, message);
        }
    }

    /// Whether it is time to draw; only one thread is told so.
    fn is_due(&self) -> bool {
        let elapsed = self.started.elapsed();
        if self.program.is_none() && (!self.shown || elapsed < PATIENCE) {
            return false;
        }
        let now = elapsed.as_millis() as u64;
        let before = self.drawn.load(Ordering::Relaxed);
        now >= before + PACE && self.drawn.swap(now, Ordering::Relaxed) == before
    }

    fn draw(&self, template: &str, done: usize, total: usize, message: String) {
        let first = || {
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            // All at once, or it would flash by empty.
            ProgressBar::new(total as u64)
                .with_style(style.progress_chars("=> "))
                .with_prefix(self.name.clone())
                .with_position(done as u64)
        };
        let bar = self.bar.get_or_init(first);
        bar.set_message(message);
        bar.set_position(done as u64);
    }
}

impl Drop for Phase {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Does work that cannot tell how far it is, with a spinner once it takes long.
pub fn waiting<T>(name: &'static str, audience: &Audience, work: impl FnOnce() -> T) -> T {
    if let Some(program) = audience.program() {
        program.report(name, 0, 0);
    }
    if !audience.sees_bars() {
        return work();
    }
    thread::scope(|scope| {
        let (working, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_message(name);
                spinner.enable_steady_tick(Duration::from_millis(PACE));
                let _ = ended.recv();
                spinner.finish_and_clear();
            }
        });
        let done = work();
        drop(working);
        done
    })
}

/// A duration as precisely as an estimate deserves.
fn coarse(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ 0..=99 => format!("{} s", seconds + 1),
        seconds @ 100..=5999 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{} h", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_rounded_up() {
        for (seconds, text) in [(0, "1 s"), (59, "60 s"), (100, "2 min"), (7200, "2 h")] {
            assert_eq!(coarse(Duration::from_secs(seconds)), text);
        }
    }
}
