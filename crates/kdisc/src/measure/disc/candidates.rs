//! Discs that the lists suggest, looked at exactly.

use std::cmp::Ordering;

use super::answers::{Answers, Found};
use super::list::List;
use crate::index::{Bounds, Tree};
use crate::predicates::{Support, rounded, side};
use crate::{Disc, Point};

/// Room for double precision, relatively.
const SLACK: f64 = 1e-9;

pub(crate) struct Candidates<'a> {
    tree: &'a Tree,
    k: u64,
    answers: &'a Answers<'a>,
    /// Locations on circles that were looked at already: no other three of them need to be.
    done: Vec<Vec<u32>>,
    rim: Vec<u32>,
    members: Vec<u32>,
}

impl<'a> Candidates<'a> {
    pub fn new(tree: &'a Tree, k: u64, answers: &'a Answers<'a>) -> Self {
        Self {
            tree,
            k,
            answers,
            done: Vec::new(),
            rim: Vec::new(),
            members: Vec::new(),
        }
    }

    /// A new cell.
    pub fn start(&mut self) {
        self.done.clear();
    }

    /// Counts the units of the circle through these places of the list, and offers the disc to
    /// the locations inside.
    pub fn check(&mut self, list: &List, support: [u32; 3], within: &Bounds, stats: &mut [u64; 12]) {
        stats[7] += 1;
        let tree = self.tree;
        let names = support.map(|i| list.location(i));
        let two = names[1] == names[2];
        if !two && self.done.iter().any(|on| names.iter().all(|n| on.contains(n))) {
            return;
        }
        let [p, q, r] = names.map(|n| tree.points()[n as usize]);
        let exact = if two { Support::Two(p, q) } else { Support::Three(p, q, r) };
        let Some(circle) = Circle::of(&exact) else { return };
        if !within.hold(circle.center()) {
            return;
        }
        if !two && !self.held(names, circle.squared) {
            return;
        }
        self.rim.clear();
        self.members.clear();
        let mut units = 0;
        let mut live = 0.0f64;
        for location in list.locations() {
            let beyond = circle.beyond(tree.points()[location as usize]);
            if beyond <= circle.tolerance {
                units += tree.weights()[location as usize];
                live = live.max(self.answers.bound(location as usize));
                self.members.push(location);
                if beyond >= -circle.tolerance {
                    self.rim.push(location);
                }
            }
        }
        if units < self.k || circle.squared > live * live * (1.0 + SLACK) {
            return;
        }
        stats[8] += 1;
        if self.rim.len() > if two { 2 } else { 3 } {
            stats[9] += 1;
            let mut on = Vec::new();
            for &location in &self.rim {
                match side(tree.grain(), &exact, tree.points()[location as usize]) {
                    Ordering::Greater => {
                        units -= tree.weights()[location as usize];
                        self.members.retain(|&m| m != location);
                    }
                    Ordering::Equal => on.push(location),
                    Ordering::Less => {}
                }
            }
            self.done.push(on);
            if units < self.k {
                return;
            }
        }
        stats[10] += 1;
        let (center, radius) = rounded(tree.grain(), &exact);
        let disc = Disc { center, radius, units };
        self.answers.offer(&Found { disc, support: names }, self.members.iter().copied());
    }

    /// Whether the circle is held in place: at an obtuse corner only by a location there that
    /// must stay inside, and to which it is of use.
    fn held(&self, corners: [u32; 3], squared: f64) -> bool {
        (0..3).all(|c| {
            let [p, q, r] = [c, (c + 1) % 3, (c + 2) % 3].map(|c| self.tree.points()[corners[c] as usize]);
            let dot = (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y);
            let bound = self.answers.bound(corners[c] as usize);
            dot >= -SLACK * squared || bound * bound >= squared * (1.0 - SLACK)
        })
    }
}

/// A circle in floating point, relative to the first location on it.
struct Circle {
    first: Point,
    x: f64,
    y: f64,
    squared: f64,
    /// Squared distances that differ less from the squared radius may be equal to it.
    tolerance: f64,
}

impl Circle {
    fn of(support: &Support) -> Option<Self> {
        let (first, x, y, error) = match *support {
            Support::Two(p, q) => (p, (q.x - p.x) / 2.0, (q.y - p.y) / 2.0, 0.0),
            Support::Three(p, q, r) => {
                let (ux, uy) = (q.x - p.x, q.y - p.y);
                let (vx, vy) = (r.x - p.x, r.y - p.y);
                let (uu, vv) = (ux * ux + uy * uy, vx * vx + vy * vy);
                let cross = 2.0 * (ux * vy - uy * vx);
                if cross == 0.0 {
                    return None;
                }
                // How much a thin triangle magnifies rounding.
                let bend = (uu * vv).sqrt() / cross.abs();
                (p, (vy * uu - uy * vv) / cross, (ux * vv - vx * uu) / cross, 1e-14 * bend * bend)
            }
        };
        let squared = x * x + y * y;
        let tolerance = squared * (SLACK + error);
        Some(Self { first, x, y, squared, tolerance })
    }

    fn center(&self) -> Point {
        Point::new(self.first.x + self.x, self.first.y + self.y)
    }

    fn beyond(&self, place: Point) -> f64 {
        let (x, y) = (place.x - self.first.x, place.y - self.first.y);
        x * (x - 2.0 * self.x) + y * (y - 2.0 * self.y)
    }
}
