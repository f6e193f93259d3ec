//! What is known of the radii of a population before, and while, some are measured.
//!
//! The radius of a location bounds that of its pixel, and the radius at one δ that at another. Let z
//! be the radius at δ = 0, and r that at δ = ∞ with its centre at a distance d. The radius at δ is at
//! least r and at least z − δ. It is at most z and, as the radius about a place changes no faster than
//! the place moves, at most r + max(d − δ, 0): go δ towards the centre. Where r is less than δ, it is
//! the radius at δ. And a location with k units of its own has the radius 0.

use crate::{Anonymity, Delta, Disc, Measure, Point, Side};

/// Bounds are worked out in doubles: some room for that.
pub(super) const ROOM: f64 = 1e-9;

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

/// What is known of each location.
pub(super) struct Knowledge {
    /// Between what its radius lies; equal when it is known.
    bounds: Vec<(f64, f64)>,
    has_disc: Vec<bool>,
    /// Whether it is no use to ask on which side of a radius it is.
    is_stuck: Vec<bool>,
    delta: f64,
    /// All coordinates are multiples of this.
    grain: f64,
}

impl Knowledge {
    /// What is known at first. Calls `tell` with every disc that is.
    pub fn new(known: Known<'_>, measure: Measure<'_>, mut tell: impl FnMut(u32, Disc)) -> Self {
        let Measure {
            population,
            anonymity,
            ..
        } = measure;
        let delta = anonymity.delta();
        let ends = delta == Delta::ZERO || delta == Delta::INFINITE;
        let nothing = (0.0, f64::INFINITY);
        let locations = population.locations();
        // Bounds, and discs that are answers where they are smaller than the last.
        let (bounds, discs, below) = match known {
            Known::Bounds(bounds) => (bounds, &[][..], 0.0),
            Known::All(discs) => (vec![nothing; discs.len()], discs, f64::INFINITY),
            Known::Discs { at_zero, .. } if delta == Delta::ZERO => {
                (vec![nothing; at_zero.len()], at_zero, f64::INFINITY)
            }
            Known::Discs {
                at_zero,
                at_infinity,
            } => {
                let pairs = at_zero.iter().zip(at_infinity).zip(locations);
                let bounds = pairs.map(|((zero, infinity), &location)| match (zero, infinity) {
                    (Some(zero), Some(infinity)) => between(zero, infinity, location, anonymity),
                    _ => nothing,
                });
                let bounds = if ends {
                    vec![nothing; at_infinity.len()]
                } else {
                    bounds.collect()
                };
                (bounds, at_infinity, delta.distance())
            }
        };
        assert_eq!(bounds.len(), locations.len(), "one for each location");
        let mut knowledge = Self {
            has_disc: vec![false; bounds.len()],
            // At these a disc takes hardly longer than a side.
            is_stuck: vec![ends; bounds.len()],
            bounds: bounds.into_iter().map(widened).collect(),
            delta: delta.distance(),
            grain: population.tree().grain().size(),
        };
        for (location, &weight) in population.multiplicities().iter().enumerate() {
            if weight >= anonymity.k() {
                knowledge.bounds[location] = (0.0, 0.0);
            }
        }
        for (location, disc) in (0..).zip(discs) {
            if let Some(disc) = disc.filter(|disc| disc.radius < below) {
                knowledge.measured(location, disc.radius);
                tell(location, disc);
            }
        }
        knowledge
    }

    pub fn low(&self, location: u32) -> f64 {
        self.bounds[location as usize].0
    }

    pub fn high(&self, location: u32) -> f64 {
        self.bounds[location as usize].1
    }

    pub fn middle(&self, location: u32) -> f64 {
        f64::midpoint(self.low(location), self.high(location))
    }

    /// Whether its radius is not known.
    pub fn is_open(&self, location: u32) -> bool {
        self.low(location) < self.high(location)
    }

    pub fn has_disc(&self, location: u32) -> bool {
        self.has_disc[location as usize]
    }

    /// Whether it may be on either side of a radius.
    pub fn straddles(&self, location: u32, radius: f64) -> bool {
        self.low(location) < radius && radius < self.high(location)
    }

    /// Whether it may be on either side of a radius, and to ask would tell.
    pub fn is_unsure(&self, location: u32, radius: f64) -> bool {
        let more = |value: f64| value * (1.0 + 4.0 * ROOM);
        more(self.low(location)) < radius
            && more(radius) < self.high(location)
            && !self.is_stuck[location as usize]
    }

    /// Two radii up to this one that differ by less are equal; 0 when that cannot be told.
    ///
    /// In grains, coordinates are whole. A circle through three locations has the squared radius
    /// a²b²c² / (4A)², with whole squares of the sides and a whole 2A, twice the area. That is at most
    /// 2.6 times the squared radius, so for a radius of one grain it is 1 or 2, and the squared radius
    /// is a multiple of 1/16. So it is for two locations, and in L1 and L∞, where a radius is a
    /// multiple of 1/2. Then two radii up to 1 differ by 1/32 at least, or not at all. At radii
    /// below δ the centre may be anywhere, so there is no other kind of disc.
    pub fn resolution(&self, radius: f64) -> f64 {
        if radius < self.delta && radius <= self.grain {
            self.grain / 32.0
        } else {
            0.0
        }
    }

    /// The disc of a location was measured.
    pub fn measured(&mut self, location: u32, radius: f64) {
        self.bounds[location as usize] = (radius, radius);
        self.has_disc[location as usize] = true;
    }

    /// A location is on this side of a radius.
    pub fn told(&mut self, location: u32, radius: f64, side: Side) {
        let (from, to) = widened(match side {
            Side::Within => (0.0, radius),
            Side::Beyond => (radius, f64::INFINITY),
            Side::Near(room) => {
                self.is_stuck[location as usize] = true;
                (radius - room, radius + room)
            }
        });
        let (low, high) = &mut self.bounds[location as usize];
        (*low, *high) = (low.max(from), high.min(to));
    }
}

fn widened((low, high): (f64, f64)) -> (f64, f64) {
    ((low * (1.0 - ROOM)).max(0.0), high * (1.0 + ROOM))
}

/// Bounds from the discs at δ = 0 and at δ = ∞.
fn between(zero: &Disc, infinity: &Disc, location: Point, anonymity: Anonymity) -> (f64, f64) {
    let delta = anonymity.delta().distance();
    let (dx, dy) = (
        infinity.center.x - location.x,
        infinity.center.y - location.y,
    );
    let apart = anonymity.metric().length(dx, dy);
    let low = infinity.radius.max(zero.radius - delta);
    let high = infinity.radius + (apart - delta).max(0.0);
    (low, zero.radius.min(high))
}
