//! A running measurement as its parts see it: which locations to answer for, whether to stop,
//! and whom to tell how far it is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{MeasureError, Progress};

pub(crate) struct Job<'a> {
    /// Which locations want an answer; all of them when absent.
    pub wanted: Option<&'a [bool]>,
    /// Whether these are known to exceed δ at δ = ∞.
    pub beyond: bool,
    pub cancel: Option<&'a AtomicBool>,
    pub progress: Option<&'a Progress<'a>>,
    pub done: AtomicUsize,
    /// Steps in all: one per location and pass over the locations.
    pub total: usize,
}

impl Job<'_> {
    pub fn wants(&self, location: usize) -> bool {
        self.wanted.is_none_or(|wanted| wanted[location])
    }

    /// Counts `steps` as done. Call it for every few dozen locations.
    pub fn advance(&self, steps: usize) -> Result<(), MeasureError> {
        if self.cancel.is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(MeasureError::Cancelled);
        }
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        if let Some(progress) = self.progress {
            progress(done.min(self.total), self.total);
        }
        Ok(())
    }
}
