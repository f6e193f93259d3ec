//! Point-oriented (δ = 0): the disc is centred on the location itself.
//!
//! The radius is the distance of the k-th nearest unit, which neighbours find together.
//! Cost: O(log n + k²) per location, in vectors, up to *k* = 24; beyond, O(log n + √k) on even data,
//! as only what lies near the circle is looked at one by one.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::index::{Kth, Near, Nearest, SLACK, Together, Tree};
use crate::predicates::{Support, compare_radii, distance};
use crate::{Disc, Point};

pub(crate) fn solve(tree: &Tree, k: u64, job: &Job<'_>) -> Result<Vec<Option<Disc>>, MeasureError> {
    let mut discs = vec![None; tree.points().len()];
    let mut rest = &mut discs[..];
    let tasks: Vec<_> = tree
        .tasks()
        .map(|node| {
            (
                node,
                rest.split_off_mut(..tree.run(node).len())
                    .unwrap_or_default(),
            )
        })
        .collect();
    tasks.into_par_iter().try_for_each(|(node, discs)| {
        let first = tree.run(node).start;
        let wants = |location| job.wants(location);
        Together::default().tell(tree, node, k, wants, |location, kth| {
            discs[location - first] = centred(tree, tree.points()[location], k, &kth);
        });
        job.advance(discs.len())
    })?;
    Ok(discs)
}

/// The disc round `at`, given its k-th unit as far as doubles tell.
fn centred(tree: &Tree, at: Point, k: u64, kth: &Kth) -> Option<Disc> {
    let radius = if tree.squares_are_exact(kth.squared) {
        kth.squared.sqrt()
    } else if kth.tied {
        return among_tied(tree, at, k, kth.squared);
    } else {
        distance(tree.grain(), at, tree.points()[kth.location as usize])
    };
    Some(Disc {
        center: at,
        radius,
        units: kth.units,
    })
}

/// The disc round `at`, given the squared distance of its k-th unit, to which others are so near
/// that only exact arithmetic tells which is which.
fn among_tied(tree: &Tree, at: Point, k: u64, squared: f64) -> Option<Disc> {
    let mut nearest = Nearest::default();
    let [inner, bound] = [1.0 - 4.0 * SLACK, 1.0 + 4.0 * SLACK].map(|part| squared * part);
    let (inside, near) = nearest.find_beyond(tree, at, k, inner, bound);
    let weight = |n: &Near| tree.weights()[n.location as usize];
    let point = |n: &Near| tree.points()[n.location as usize];
    // Locations whose distance may equal that of the k-th unit, in their exact order.
    let low = near.partition_point(|n| n.squared < squared * (1.0 - 2.0 * SLACK));
    let high = near.partition_point(|n| n.squared <= squared * (1.0 + 2.0 * SLACK));
    let compare = |a: &Near, b: &Near| {
        let (a, b) = (Support::Two(at, point(a)), Support::Two(at, point(b)));
        compare_radii(tree.grain(), &a, &b)
    };
    let mut rim = near[low..high].to_vec();
    rim.sort_by(compare);
    let surely = inside + near[..low].iter().map(weight).sum::<u64>();
    let mut units = surely;
    let last = rim.iter().find(|n| {
        units += weight(n);
        units >= k
    })?;
    let on_or_inside = rim
        .iter()
        .take_while(|n| compare(n, last) != Ordering::Greater);
    Some(Disc {
        center: at,
        radius: distance(tree.grain(), at, point(last)),
        units: surely + on_or_inside.map(weight).sum::<u64>(),
    })
}
