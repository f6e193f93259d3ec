//! The measure in L∞ and L1, where discs are squares.
//!
//! A ball of L∞ is a square along the axes; a ball of L1 is one along u = x + y and v = x − y. So
//! both are one problem: the smallest square, along the axes of (u, v), that holds the anchor and
//! at least k units, with its centre within δ. For each anchor by itself:
//!
//! 1. An upper bound on the side, and the locations in reach of such a square, from the tree, in
//!    doubles, generously ([`gather`]).
//! 2. Their coordinates relative to the anchor as whole numbers ([`whole`]). From here on
//!    everything is exact ([`anchor`]).
//! 3. The smallest side ([`smallest`]), leaving out what the neighbours' answers rule out
//!    ([`known`]); then the square of that side with the fewest units ([`slide`]). Its radius and
//!    centre are rounded once, at the end.
//!
//! Bounds and neighbours only save work. The answer for an anchor depends on the set of locations
//! alone, so it is the same for any order and any number of threads.
//!
//! Cost: at most O(k) units are in reach, not counting ties, so O(log n + k²) per location in the
//! worst case and much less where neighbours help; δ = 0 is a search for the k nearest. Memory: 8
//! bytes per location besides the answers.

mod anchor;
mod gather;
mod known;
mod slide;
mod smallest;
mod whole;
mod wide;

#[cfg(test)]
mod tests;

use rayon::prelude::*;

pub(super) use self::gather::turn;

use self::anchor::{Scratch, Solver};
use super::{Job, MeasureError};
use crate::index::Tree;
use crate::{Anonymity, Disc, Metric};

/// Locations done between two reports of progress.
const CHUNK: usize = 256;

/// The square of every wanted location, in the order of the tree; `None` where the population has
/// fewer than k units.
pub(crate) fn solve(
    tree: &Tree,
    anonymity: Anonymity,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    match anonymity.metric() {
        Metric::L1 => solve_in::<true>(tree, anonymity, job),
        Metric::L2 | Metric::Linf => solve_in::<false>(tree, anonymity, job),
    }
}

fn solve_in<const DIAMOND: bool>(
    tree: &Tree,
    anonymity: Anonymity,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let mut discs = vec![None; tree.points().len()];
    if tree.units() < anonymity.k() {
        return Ok(discs);
    }
    let solver = Solver::<DIAMOND>::new(tree, anonymity);
    discs.par_chunks_mut(CHUNK).enumerate().try_for_each_init(
        Scratch::default,
        |scratch, (chunk, discs)| {
            for (i, disc) in (chunk * CHUNK..).zip(discs.iter_mut()) {
                if job.wants(i) {
                    *disc = Some(solver.disc(i, scratch));
                }
            }
            job.advance(discs.len())
        },
    )?;
    Ok(discs)
}

/// Solves single locations again, to tell what their squares hold.
pub(crate) struct Again<'a>(Kind<'a>, Scratch);

enum Kind<'a> {
    Diamond(Solver<'a, true>),
    Upright(Solver<'a, false>),
}

impl<'a> Again<'a> {
    pub fn new(tree: &'a Tree, anonymity: Anonymity) -> Self {
        let kind = match anonymity.metric() {
            Metric::L1 => Kind::Diamond(Solver::new(tree, anonymity)),
            Metric::L2 | Metric::Linf => Kind::Upright(Solver::new(tree, anonymity)),
        };
        Self(kind, Scratch::default())
    }

    /// The locations with units in the square of a location, put in `members`.
    pub fn members(&mut self, location: usize, members: &mut Vec<u32>) {
        match &self.0 {
            Kind::Diamond(solver) => solver.members(location, &mut self.1, members),
            Kind::Upright(solver) => solver.members(location, &mut self.1, members),
        }
    }
}
