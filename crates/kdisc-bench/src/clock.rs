//! Timing on a machine that others use too.
//!
//! Contestants take turns, and the best round counts. What runs on one thread is timed by the
//! processor time of the process, which is the time by the clock on a quiet machine, and far
//! steadier on a busy one. What runs on more is timed by the clock.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use kdisc::{Anonymity, Delta, Disc, Measure, Point, Population};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A timed piece of work.
pub type Contestant<'a> = Box<dyn FnMut() -> Duration + 'a>;

/// The best time of each contestant over `rounds` rounds, in which they take turns.
pub fn in_turns<const N: usize>(rounds: usize, mut contestants: [Contestant; N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    for _ in 0..rounds {
        for (best, contestant) in best.iter_mut().zip(&mut contestants) {
            *best = contestant().min(*best);
        }
    }
    best
}

/// The processor time to compute something; throwing it away is not counted.
pub fn effort<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ProcessTime::now();
    let result = black_box(work());
    let time = start.elapsed();
    drop(result);
    time
}

/// The time by the clock to compute something; throwing it away is not counted.
pub fn wait<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let result = black_box(work());
    let time = start.elapsed();
    drop(result);
    time
}

/// kdisc from rows to discs, on one thread.
pub fn kdisc(points: &[Point], k: u64, delta: f64) -> Duration {
    pool(1).install(|| effort(|| discs(points, k, delta, 1)))
}

/// The population of these rows, and the disc of each of its locations.
pub fn discs(
    points: &[Point],
    k: u64,
    delta: f64,
    threads: usize,
) -> (Population, Vec<Option<Disc>>) {
    let population = Population::new(points).expect("the points are valid");
    let delta = Delta::new(delta).expect("the delta is valid");
    let anonymity = Anonymity::new(k).expect("k is valid").with_delta(delta);
    let discs = Measure::new(&population, anonymity)
        .threads(threads)
        .all()
        .expect("nobody cancels");
    (population, discs)
}

/// A pool, so that building an index uses no more threads than measuring.
pub fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads can be started")
}
