//! A running measurement as its parts see it: which locations to answer for, whether to stop,
//! and whom to tell how far it is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::{MeasureError, Progress};

/// How to run: on how many threads, whom to tell, and when to stop.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run<'a> {
    /// 0 means all cores.
    pub threads: usize,
    pub progress: Option<&'a Progress<'a>>,
    pub cancel: Option<&'a AtomicBool>,
}

impl Run<'_> {
    /// Does `work` on threads of its own. It is told what a job of `total` steps needs; several
    /// jobs may share the steps.
    pub fn of<T: Send>(
        self,
        total: usize,
        work: impl FnOnce(&Job<'_>) -> Result<T, MeasureError> + Send,
    ) -> Result<T, MeasureError> {
        let done = AtomicUsize::new(0);
        let job = Job {
            wanted: None,
            beyond: false,
            cancel: self.cancel,
            progress: self.progress,
            done: &done,
            total,
        };
        job.advance(0)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        pool.install(|| work(&job))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    /// Which locations want an answer; all of them when absent.
    pub wanted: Option<&'a [bool]>,
    /// Whether these are known to exceed δ at δ = ∞.
    pub beyond: bool,
    pub cancel: Option<&'a AtomicBool>,
    pub progress: Option<&'a Progress<'a>>,
    pub done: &'a AtomicUsize,
    /// Steps in all: one per location and pass over the locations.
    pub total: usize,
}

impl<'a> Job<'a> {
    /// The same for these locations only.
    pub fn wanting(self, wanted: Option<&'a [bool]>) -> Self {
        Self { wanted, ..self }
    }

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
