//! A bar on the terminal for work that takes longer than a second.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

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
    drawn: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Phase {
    /// Begins a phase, with a bar unless `quiet` or nobody looks.
    pub fn new(name: impl Into<String>, quiet: bool) -> Self {
        Self {
            name: name.into(),
            started: Instant::now(),
            shown: !quiet && io::stderr().is_terminal(),
            drawn: AtomicU64::new(0),
            bar: OnceLock::new(),
        }
    }

    /// `done` of `total` steps are done. Cheap enough to be called often, from any thread.
    pub fn report(&self, done: usize, total: usize) {
        let elapsed = self.started.elapsed();
        if !self.shown || elapsed < PATIENCE || done == 0 {
            return;
        }
        let now = elapsed.as_millis() as u64;
        let before = self.drawn.load(Ordering::Relaxed);
        let due = now >= before + PACE;
        if !due || self.drawn.swap(now, Ordering::Relaxed) != before {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::new(total as u64);
            if let Ok(style) =
                ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3}% {msg}")
            {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_prefix(self.name.clone());
            bar
        });
        let left = elapsed.mul_f64(total.saturating_sub(done) as f64 / done as f64);
        bar.set_message(format!("{} left", coarse(left)));
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
