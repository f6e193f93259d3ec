//! The locations with the largest radii, and the highest risk.
//!
//! No location matters whose upper bound is below some [`LARGEST`] lower bounds. As long as many
//! others are left, these are told from a pivot, as for a percentile. Then they are measured, and
//! those with the largest radii are known. The risk is at most the radius divided by k, so few
//! others can have a higher one than these.

use super::knowledge::{Knowledge, ROOM};
use super::percentile::Need;
use crate::Disc;

/// How many locations with the largest radii are named.
pub const LARGEST: usize = 5;

/// Locations that are measured at once.
const BATCH: usize = 200;

pub(super) struct Largest {
    /// By falling radius, then by location.
    pub discs: Vec<(u32, Disc)>,
    /// The highest so far.
    pub risk: f64,
    /// Locations that may be among them.
    rest: Vec<u32>,
    k: f64,
}

impl Largest {
    pub fn new(weights: &[u64], k: u64) -> Self {
        let all = 0..weights.len() as u32;
        Self {
            discs: Vec::new(),
            risk: 0.0,
            rest: all.filter(|&l| weights[l as usize] > 0).collect(),
            k: k as f64,
        }
    }

    /// The disc of a location is known.
    pub fn offer(&mut self, location: u32, disc: Disc) {
        self.risk = self.risk.max(disc.risk());
        let before = |(other, d): &(u32, Disc)| {
            d.radius > disc.radius || (d.radius == disc.radius && *other < location)
        };
        let at = self.discs.partition_point(before);
        if at < LARGEST {
            self.discs.insert(at, (location, disc));
            self.discs.truncate(LARGEST);
        }
    }

    /// What to find out before all others can be left out.
    pub fn need(&mut self, knowledge: &Knowledge) -> Need {
        self.rest.retain(|&l| !knowledge.has_disc(l));
        let least = self.least(|l| knowledge.low(l));
        let rest = self.rest.iter().copied();
        let mut perhaps: Vec<u32> = rest.filter(|&l| knowledge.high(l) >= least).collect();
        let mut pivot = self.least(|l| knowledge.middle(l));
        if perhaps.is_empty() {
            let (k, risk) = (self.k, self.risk);
            self.rest.retain(|&l| knowledge.high(l) / k > risk);
            perhaps.clone_from(&self.rest);
            pivot = risk * k * (1.0 - 8.0 * ROOM);
        }
        if perhaps.len() <= BATCH {
            return Need::Discs(perhaps);
        }
        let unsure = perhaps.iter().copied();
        let unsure: Vec<u32> = unsure.filter(|&l| knowledge.is_unsure(l, pivot)).collect();
        if !unsure.is_empty() && pivot.is_finite() {
            return Need::Sides(unsure, pivot);
        }
        let high = |l: &u32| knowledge.high(*l);
        perhaps.select_nth_unstable_by(BATCH, |a, b| high(b).total_cmp(&high(a)).then(a.cmp(b)));
        perhaps.truncate(BATCH);
        Need::Discs(perhaps)
    }

    /// The least of the largest radii, if those of the rest are `value`.
    fn least(&self, value: impl Fn(u32) -> f64) -> f64 {
        let mut largest = [f64::NEG_INFINITY; LARGEST];
        let known = self.discs.iter().map(|(_, disc)| disc.radius);
        for radius in known.chain(self.rest.iter().map(|&l| value(l))) {
            if radius > largest[LARGEST - 1] {
                let at = largest.partition_point(|&r| r >= radius);
                largest[at..].rotate_right(1);
                largest[at] = radius;
            }
        }
        largest[LARGEST - 1]
    }
}
