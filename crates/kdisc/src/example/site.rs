//! One square of land, and the addresses that have been placed on it.

use std::collections::HashSet;

use super::random::Random;

/// What stands around an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    Park,
    Town,
    Village,
    Farm,
}

/// An address, in whole metres.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location {
    pub x: f64,
    pub y: f64,
    pub setting: Setting,
}

/// A river that flows from west to east through a whole row of squares.
pub(super) struct River {
    middle: f64,
    phases: [f64; 2],
}

impl River {
    const HALF_WIDTH: f64 = 65.0;

    /// A river around the height `middle`, bent by `seed`.
    pub fn new(middle: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let phases = [random.between(0.0, 6.0), random.between(0.0, 6.0)];
        Self { middle, phases }
    }

    pub fn y_at(&self, x: f64) -> f64 {
        self.middle
            + 750.0 * (x / 2600.0 + self.phases[0]).sin()
            + 260.0 * (x / 900.0 + self.phases[1]).sin()
    }
}

/// A square of land with a river, on which addresses are placed, all different.
pub(super) struct Site {
    pub west: f64,
    pub south: f64,
    pub side: f64,
    pub river: River,
    pub locations: Vec<Location>,
    taken: HashSet<(i32, i32)>,
}

impl Site {
    pub fn new(west: f64, south: f64, side: f64, river: River) -> Self {
        Self {
            west,
            south,
            side,
            river,
            locations: Vec::new(),
            taken: HashSet::new(),
        }
    }

    /// Places an address at the nearest whole metre, unless that lies outside the square, in the
    /// river, or on another address.
    pub fn place(&mut self, x: f64, y: f64, setting: Setting) {
        let (x, y) = (x.round(), y.round());
        let inside = (self.west..self.west + self.side).contains(&x)
            && (self.south..self.south + self.side).contains(&y);
        if inside
            && (y - self.river.y_at(x)).abs() > River::HALF_WIDTH
            && self.taken.insert((x as i32, y as i32))
        {
            self.locations.push(Location { x, y, setting });
        }
    }
}
