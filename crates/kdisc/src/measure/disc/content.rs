//! What a circle holds: first in floating point, then exactly.

use std::cmp::Ordering;

use pulp::Simd;

use super::circle::Circle;
use super::list::List;
use crate::index::Tree;
use crate::predicates::{Sides, Support};

/// The two or three locations that hold a disc in place; the last two are equal when there are
/// only two.
pub(crate) fn support(locations: [u32; 3], tree: &Tree) -> Support {
    let [p, q, r] = locations.map(|location| tree.points()[location as usize]);
    if locations[1] == locations[2] {
        Support::Two(p, q)
    } else {
        Support::Three(p, q, r)
    }
}

#[derive(Default)]
pub(crate) struct Content {
    pub units: u64,
    pub members: Vec<u32>,
    /// The members that may be outside or on the circle.
    rim: Vec<u32>,
}

impl Content {
    /// Takes the locations of the list that may be inside a circle through one of its places.
    #[inline(always)]
    pub fn collect<S: Simd>(
        &mut self,
        simd: S,
        tree: &Tree,
        list: &List,
        circle: &Circle,
        place: u32,
    ) {
        self.units = 0;
        self.members.clear();
        self.rim.clear();
        let from = circle.center_from(tree.points()[list.location(place) as usize]);
        let near = list.circle(
            place,
            from,
            circle.squared.sqrt(),
            circle.tolerance / circle.squared,
        );
        list.near(simd, &near, |location, is_sure| {
            if !is_sure {
                let beyond = circle.beyond(tree.points()[location as usize]);
                let may_be = beyond <= circle.tolerance;
                if !may_be {
                    return;
                }
                if beyond >= -circle.tolerance {
                    self.rim.push(location);
                }
            }
            self.units += tree.weights()[location as usize];
            self.members.push(location);
        });
    }

    /// Whether others than those that hold the circle in place may be outside or on it.
    pub fn is_open(&self, support: &Support) -> bool {
        let known = match support {
            Support::Two(..) => 2,
            Support::Three(..) => 3,
        };
        self.rim.len() > known
    }

    /// Drops what is outside, exactly, until fewer than `k` units are left. Tells the locations on
    /// the circle if there are others than those that hold it in place.
    pub fn decide(&mut self, tree: &Tree, support: &Support, k: u64) -> Option<Vec<u32>> {
        if !self.is_open(support) {
            return None;
        }
        let sides = Sides::new(tree.grain(), support);
        let mut on = Vec::new();
        for &location in &self.rim {
            match sides.of(tree.points()[location as usize]) {
                Ordering::Greater => {
                    self.units -= tree.weights()[location as usize];
                    if self.units < k {
                        return None;
                    }
                    self.members.retain(|&member| member != location);
                }
                Ordering::Equal => on.push(location),
                Ordering::Less => {}
            }
        }
        Some(on)
    }
}
