//! Work as every command does it: on so many threads, with a bar, until somebody stops it.

use kdisc::{Anonymity, Measure, MeasureError, Population};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::interrupt::Interrupt;
use crate::outputs::Run;
use crate::progress::Phase;

impl Run {
    /// Threads for what is not a measurement.
    pub fn pool(&self) -> anyhow::Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads);
        Ok(pool.build()?)
    }

    /// Takes a measurement; `ask` says of whom. The bar is called `what`.
    pub fn measure<T>(
        &self,
        what: impl Into<String>,
        population: &Population,
        asked: Anonymity,
        interrupt: &Interrupt,
        ask: impl FnOnce(Measure) -> Result<T, MeasureError>,
    ) -> anyhow::Result<T> {
        let phase = Phase::new(what, &self.audience);
        let progress = |done, total| phase.report(done, total);
        let measure = Measure::new(population, asked)
            .threads(self.threads)
            .progress(&progress)
            .cancel(interrupt.flag());
        interrupt.measured(|| ask(measure))
    }
}
