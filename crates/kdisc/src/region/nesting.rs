//! Which rings lie in which.
//!
//! Rings that do not cross are inside or outside one another as wholes, so one point of each tells.
//! Every corner of a ring may touch another ring; the point taken is therefore the one just after
//! a corner, on the way to the next: no ring runs along another. It lies in those rings that a
//! ray from it to the east meets an odd number of times.

use std::cmp::Ordering;

use super::RegionError;
use super::border::Border;
use super::boxes::Bounds;
use crate::predicates::turn;

impl Border {
    /// A hole must lie in the outer ring of its part and in none of its other holes; an outer ring
    /// in none of the other parts, for which it may lie in both their outer ring and a hole.
    pub fn check_nesting(&self) -> Result<(), RegionError> {
        let rings = self.part_of.len();
        if rings == 1 {
            return Ok(());
        }
        for ring in 0..rings {
            let part = self.part_of[ring];
            let is_hole = ring > 0 && self.part_of[ring - 1] == part;
            let at = self.corners[self.starts[ring]];
            let around = self.rings_around(ring);
            if is_hole {
                let own = |&&other: &&usize| self.part_of[other] == part;
                let mut own = around.iter().filter(own);
                let outer = self.part_of.partition_point(|&other| other < part);
                if own.next() != Some(&outer) || own.next().is_some() {
                    return Err(RegionError::Hole { at });
                }
            } else {
                let same = |&a: &usize, &b: &usize| self.part_of[a] == self.part_of[b];
                if around.chunk_by(same).any(|of_part| of_part.len() % 2 != 0) {
                    return Err(RegionError::Parts { at });
                }
            }
        }
        Ok(())
    }

    /// The other rings in which a ring lies, in order.
    fn rings_around(&self, ring: usize) -> Vec<usize> {
        let [at, to] = self.edge(self.starts[ring]);
        let above = |y: f64| y > at.y || (y == at.y && to.y < at.y);
        let on_ray = |&Bounds(b): &Bounds| b[2] <= at.y && at.y <= b[3] && at.x <= b[1];
        let mut met = Vec::new();
        self.tree.visit(0, &on_ray, &mut |edge| {
            let other = self.ring_of[edge] as usize;
            let [a, b] = self.edge(edge);
            if other == ring || above(a.y) == above(b.y) {
                return;
            }
            let (low, high) = if above(b.y) { (a, b) } else { (b, a) };
            let side = turn(low, high, at).then_with(|| turn(low, high, to));
            if side == Ordering::Greater {
                met.push(other);
            }
        });
        met.sort_unstable();
        let odd = met.chunk_by(|a, b| a == b).filter(|run| run.len() % 2 != 0);
        odd.map(|run| run[0]).collect()
    }
}
