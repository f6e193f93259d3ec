//! Does a border cross itself?
//!
//! Every two edges whose boxes meet are compared, exactly. Edges that cross, or have a stretch in
//! common, are refused. What remains can touch, always at a corner of one of them. Several passes
//! of the border through one point are fine as long as none crosses another: then the ends of the
//! passes, taken round the point, nest like brackets.
//!
//! A border that passes both tests can be pulled apart at its touching points without changing
//! what is inside, so that it becomes simple rings.

use std::cmp::Ordering;

use super::boxes::{Bounds, BoxTree};
use super::{Region, RegionError};
use crate::Point;
use crate::predicates::turn;

/// All edges of a region.
pub(super) struct Border {
    /// The corners of all rings, one ring after another.
    pub corners: Vec<Point>,
    /// Of which ring each corner is.
    pub ring_of: Vec<u32>,
    /// Where each ring begins, and the end.
    pub starts: Vec<usize>,
    /// The part of each ring.
    pub part_of: Vec<u32>,
    pub tree: BoxTree,
}

/// How two edges meet.
enum Meeting {
    No,
    Touch(Point),
    Crossing,
    Doubled(Point),
}

impl Border {
    pub fn new(region: &Region) -> Self {
        let mut corners = Vec::new();
        let (mut ring_of, mut starts, mut part_of) = (Vec::new(), vec![0], Vec::new());
        for (part, polygon) in region.parts().iter().enumerate() {
            for ring in polygon.rings() {
                ring_of.extend(std::iter::repeat_n(part_of.len() as u32, ring.len()));
                corners.extend_from_slice(ring);
                starts.push(corners.len());
                part_of.push(part as u32);
            }
        }
        let boxes = region.rings().flat_map(super::edges).map(Bounds::of);
        let tree = BoxTree::new(boxes.collect());
        Self {
            corners,
            ring_of,
            starts,
            part_of,
            tree,
        }
    }

    /// The corner after this one.
    fn next(&self, corner: usize) -> usize {
        let ring = self.ring_of[corner] as usize;
        let next = corner + 1;
        if next == self.starts[ring + 1] {
            self.starts[ring]
        } else {
            next
        }
    }

    fn before(&self, corner: usize) -> usize {
        let ring = self.ring_of[corner] as usize;
        let last = self.starts[ring + 1] - 1;
        if corner == self.starts[ring] {
            last
        } else {
            corner - 1
        }
    }

    /// The edge that begins at a corner.
    pub fn edge(&self, corner: usize) -> [Point; 2] {
        [self.corners[corner], self.corners[self.next(corner)]]
    }

    pub fn check_crossings(&self) -> Result<(), RegionError> {
        let mut touches = Vec::new();
        for first in 0..self.corners.len() {
            let edge = self.edge(first);
            let bounds = self.tree.bounds(first);
            let mut refused = None;
            let wanted = |other: &Bounds| bounds.meets(other);
            self.tree.visit(
                first + 1,
                &wanted,
                &mut |second| match meeting(edge, self.edge(second)) {
                    Meeting::No => {}
                    Meeting::Touch(at) => {
                        let joined = (self.next(first) == second && at == edge[1])
                            || (self.next(second) == first && at == edge[0]);
                        if !joined {
                            touches.push((at, self.pass(first, at)));
                            touches.push((at, self.pass(second, at)));
                        }
                    }
                    Meeting::Crossing => {
                        refused.get_or_insert(RegionError::Crossing { at: edge[0] });
                    }
                    Meeting::Doubled(at) => {
                        refused.get_or_insert(RegionError::Doubled { at });
                    }
                },
            );
            if let Some(error) = refused {
                return Err(error);
            }
        }
        self.check_touches(touches)
    }

    /// The pass of the border through a point on this edge: the corners on either side of it.
    fn pass(&self, edge: usize, at: Point) -> [usize; 2] {
        let end = self.next(edge);
        if self.corners[edge] == at {
            [self.before(edge), end]
        } else if self.corners[end] == at {
            [edge, self.next(end)]
        } else {
            [edge, end]
        }
    }

    fn check_touches(&self, mut touches: Vec<(Point, [usize; 2])>) -> Result<(), RegionError> {
        touches.sort_unstable_by(|(a, p), (b, q)| {
            let places = a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y));
            places.then(p.cmp(q))
        });
        touches.dedup();
        for group in touches.chunk_by(|(a, _), (b, _)| a == b) {
            let at = group[0].0;
            let mut ends: Vec<(Point, usize)> = group
                .iter()
                .enumerate()
                .flat_map(|(pass, (_, ends))| ends.map(|end| (self.corners[end], pass)))
                .collect();
            ends.sort_unstable_by(|(p, _), (q, _)| by_angle(at, *p, *q));
            let mut open: Vec<usize> = Vec::new();
            for (_, pass) in ends {
                if open.last() == Some(&pass) {
                    open.pop();
                } else {
                    open.push(pass);
                }
            }
            if !open.is_empty() {
                return Err(RegionError::Crossing { at });
            }
        }
        Ok(())
    }
}

/// The order of directions from a point, counterclockwise from the east.
fn by_angle(at: Point, p: Point, q: Point) -> Ordering {
    let below = |to: Point| to.y < at.y || (to.y == at.y && to.x < at.x);
    below(p)
        .cmp(&below(q))
        .then_with(|| turn(at, p, q).reverse())
}

fn meeting([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Meeting {
    let (first, second) = (Bounds::of([a, b]), Bounds::of([c, d]));
    let (at_c, at_d) = (turn(a, b, c), turn(a, b, d));
    if at_c == at_d && at_c != Ordering::Equal {
        return Meeting::No;
    }
    if at_c == Ordering::Equal && at_d == Ordering::Equal {
        return on_one_line(first, second);
    }
    let (at_a, at_b) = (turn(c, d, a), turn(c, d, b));
    if at_a == at_b {
        return Meeting::No;
    }
    let corners = [
        (at_c, c, first),
        (at_d, d, first),
        (at_a, a, second),
        (at_b, b, second),
    ];
    let touching = corners
        .into_iter()
        .find(|(side, at, bounds)| *side == Ordering::Equal && bounds.holds(*at));
    match touching {
        Some((_, at, _)) => Meeting::Touch(at),
        None if at_c != Ordering::Equal
            && at_d != Ordering::Equal
            && at_a != Ordering::Equal
            && at_b != Ordering::Equal =>
        {
            Meeting::Crossing
        }
        None => Meeting::No,
    }
}

/// Two edges on one line have in common what their boxes have, as a line is monotone.
fn on_one_line(Bounds(p): Bounds, Bounds(q): Bounds) -> Meeting {
    let (west, east) = (p[0].max(q[0]), p[1].min(q[1]));
    let (south, north) = (p[2].max(q[2]), p[3].min(q[3]));
    // The boxes' common corner is on the line if they have a point in common only; which of its
    // two diagonals the line follows does not matter then.
    if west > east || south > north {
        Meeting::No
    } else if west == east && south == north {
        Meeting::Touch(Point::new(west, south))
    } else {
        Meeting::Doubled(Point::new(west, south))
    }
}
