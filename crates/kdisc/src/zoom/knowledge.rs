//! What is known of the radius of a location before it is measured.
//!
//! The radius of a location bounds that of its pixel, and the radius at one δ that at another. Let z
//! be the radius at δ = 0, and r that at δ = ∞ with its centre at a distance d. The radius at δ is at
//! least r and at least z − δ. It is at most z and, as the radius about a place changes no faster than
//! the place moves, at most r + max(d − δ, 0): go δ towards the centre. Both δ = 0 and δ = ∞ take less
//! time than what lies between, so a location whose bounds do not settle it is measured at these first.

use Knowledge::{AfterZero, Beyond, Bounds, Unclear};

use crate::{Anonymity, Delta, Disc, Point};

/// What is known of the discs of a population before they are measured.
#[derive(Debug, Clone)]
pub enum Known<'a> {
    /// The discs of all locations at δ = 0 and at δ = ∞. Where δ is one of these, the other may be
    /// empty.
    Discs {
        /// At δ = 0.
        at_zero: &'a [Option<Disc>],
        /// At δ = ∞.
        at_infinity: &'a [Option<Disc>],
    },
    /// The discs of all locations, at the δ that is asked.
    All(&'a [Option<Disc>]),
    /// The radius of each location is between these two, at the δ that is asked.
    Bounds(Vec<(f64, f64)>),
}

/// How much is known of a location. The radius lies between two bounds:
#[derive(Debug, Clone, Copy)]
pub(super) enum Knowledge {
    /// from elsewhere;
    Bounds(f64, f64),
    /// also from the radius at δ = 0;
    AfterZero(f64, f64),
    /// also from that at δ = ∞, which exceeds δ;
    Beyond(f64, f64),
    /// also from that at δ = ∞, which is δ when it is rounded;
    Unclear(f64, f64),
    /// or it is known.
    Disc(Disc),
}

impl Knowledge {
    /// The bounds of what is not known yet.
    pub fn bounds(self) -> Option<(f64, f64)> {
        match self {
            Bounds(low, high) | AfterZero(low, high) | Beyond(low, high) | Unclear(low, high) => {
                Some((low, high))
            }
            Self::Disc(_) => None,
        }
    }
}

/// What is known of every location from what is given.
pub(super) fn begin(known: Known<'_>, anonymity: Anonymity, locations: &[Point]) -> Vec<Knowledge> {
    let given = |disc: &Option<Disc>| disc.map_or(Bounds(0.0, f64::INFINITY), Knowledge::Disc);
    let (at_zero, at_infinity) = match known {
        Known::All(discs) => return discs.iter().map(given).collect(),
        Known::Bounds(bounds) => {
            let bounds = bounds.into_iter();
            return bounds.map(|(low, high)| Bounds(low, high)).collect();
        }
        Known::Discs {
            at_zero,
            at_infinity,
        } => (at_zero, at_infinity),
    };
    match anonymity.delta() {
        Delta::ZERO => at_zero.iter().map(given).collect(),
        Delta::INFINITE => at_infinity.iter().map(given).collect(),
        delta => {
            let pairs = at_zero.iter().zip(at_infinity).zip(locations);
            let told = pairs.map(|((zero, infinity), &location)| match (zero, infinity) {
                (Some(zero), Some(infinity)) => {
                    let bounds = after_zero((0.0, f64::INFINITY), zero.radius, delta);
                    after_infinity(bounds, infinity, location, anonymity)
                }
                _ => Bounds(0.0, f64::INFINITY),
            });
            told.collect()
        }
    }
}

/// Bounds, once the radius at δ = 0 is known.
pub(super) fn after_zero((low, high): (f64, f64), radius: f64, delta: Delta) -> (f64, f64) {
    (low.max(radius - delta.distance()), high.min(radius))
}

/// What is known once the disc at δ = ∞ is.
pub(super) fn after_infinity(
    (low, high): (f64, f64),
    disc: &Disc,
    location: Point,
    anonymity: Anonymity,
) -> Knowledge {
    let delta = anonymity.delta().distance();
    if disc.radius < delta {
        return Knowledge::Disc(*disc);
    }
    let (dx, dy) = (disc.center.x - location.x, disc.center.y - location.y);
    let apart = anonymity.metric().length(dx, dy);
    let high = high.min(disc.radius + (apart - delta).max(0.0));
    if disc.radius > delta {
        Beyond(low.max(disc.radius), high)
    } else {
        Unclear(low.max(disc.radius), high)
    }
}
