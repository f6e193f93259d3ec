//! Point-oriented (δ = 0): the disc is centred on the location itself.
//!
//! The radius is the distance of the k-th nearest unit. Cost: O(log n + k) per location.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::index::{Near, Nearest, SLACK, Tree};
use crate::predicates::{Support, compare_radii, distance};
use crate::{Disc, Point};

/// Enough locations for a task, few enough for smooth progress.
const TASK: usize = 512;

pub(crate) fn solve(tree: &Tree, k: u64, job: &Job<'_>) -> Result<Vec<Option<Disc>>, MeasureError> {
    let mut discs = vec![None; tree.points().len()];
    discs
        .par_chunks_mut(TASK)
        .enumerate()
        .try_for_each(|(task, discs)| {
            let mut walk = Walk::default();
            for (location, disc) in (task * TASK..).zip(discs.iter_mut()) {
                if job.wants(location) {
                    *disc = centred(
                        tree,
                        tree.points()[location],
                        k,
                        walk.next(tree, location, k),
                    );
                }
            }
            job.advance(discs.len())
        })?;
    Ok(discs)
}

/// Nearest locations for one location after another. Neighbours have similar answers: the k-th
/// unit of one is no farther from the next than its own distance plus the step between the two.
#[derive(Default)]
pub(crate) struct Walk {
    nearest: Nearest,
    previous: Option<(Point, f64)>,
}

impl Walk {
    pub fn next(&mut self, tree: &Tree, location: usize, k: u64) -> &[Near] {
        let at = tree.points()[location];
        let bound = self.previous.map_or(f64::INFINITY, |(p, radius)| {
            let (dx, dy) = (p.x - at.x, p.y - at.y);
            let bound = radius + (dx * dx + dy * dy).sqrt();
            bound * bound * (1.0 + SLACK)
        });
        let near = self.nearest.find(tree, at, k, bound);
        // What was found reaches to the k-th unit at least, so this bounds its distance.
        self.previous = near.last().map(|last| (at, last.squared.sqrt()));
        near
    }
}

/// The squared distance of the k-th unit among the nearest locations in order, as far as doubles
/// tell.
pub(crate) fn reached(tree: &Tree, k: u64, near: &[Near]) -> Option<f64> {
    let mut units = 0;
    let last = near.iter().find(|n| {
        units += tree.weights()[n.location as usize];
        units >= k
    });
    last.map(|last| last.squared)
}

/// The disc round `at`, given its nearest locations in order.
fn centred(tree: &Tree, at: Point, k: u64, near: &[Near]) -> Option<Disc> {
    let weight = |n: &Near| tree.weights()[n.location as usize];
    let point = |n: &Near| tree.points()[n.location as usize];
    let squared = reached(tree, k, near)?;
    let disc = |radius, units| {
        Some(Disc {
            center: at,
            radius,
            units,
        })
    };
    if tree.squares_are_exact(squared) {
        let inside = near.iter().take_while(|n| n.squared <= squared);
        return disc(squared.sqrt(), inside.map(weight).sum());
    }

    // Locations whose distance may equal that of the k-th unit, in their exact order.
    let low = near.partition_point(|n| n.squared < squared * (1.0 - 2.0 * SLACK));
    let high = near.partition_point(|n| n.squared <= squared * (1.0 + 2.0 * SLACK));
    let compare = |a: &Near, b: &Near| {
        let (a, b) = (Support::Two(at, point(a)), Support::Two(at, point(b)));
        compare_radii(tree.grain(), &a, &b)
    };
    let mut rim = near[low..high].to_vec();
    rim.sort_by(compare);
    let mut units = near[..low].iter().map(weight).sum::<u64>();
    let last = rim.iter().find(|n| {
        units += weight(n);
        units >= k
    })?;
    let inside = rim
        .iter()
        .take_while(|n| compare(n, last) != Ordering::Greater);
    disc(
        distance(tree.grain(), at, point(last)),
        near[..low].iter().chain(inside).map(weight).sum(),
    )
}
