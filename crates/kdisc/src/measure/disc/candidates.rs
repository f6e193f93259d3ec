//! Discs through two or three locations with their centre in a given cell.

use std::cmp::Ordering;

use pulp::Simd;

use super::answers::{Answers, Found};
use super::list::{Cell, List, MARGIN};
use super::search::Square;
use crate::index::Tree;
use crate::predicates::{Support, rounded, side};
use crate::{Disc, Point};

/// Room for double precision.
const SLACK: f64 = 1e-9;

pub(crate) struct Candidates<'a> {
    tree: &'a Tree,
    k: u64,
    delta: f64,
    answers: &'a Answers<'a>,
    origin: Point,
    scale: f64,
    places: Vec<Place>,
    supports: Vec<u32>,
    done: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    x: f64,
    y: f64,
    bound: f64,
    location: u32,
}

impl<'a> Candidates<'a> {
    pub fn new(tree: &'a Tree, k: u64, delta: f64, answers: &'a Answers<'a>) -> Self {
        Self {
            tree,
            k,
            delta,
            answers,
            origin: Point::default(),
            scale: 1.0,
            places: Vec::new(),
            supports: Vec::new(),
            done: Vec::new(),
        }
    }

    pub fn start(&mut self, origin: Point, scale: f64) {
        self.origin = origin;
        self.scale = scale;
    }
    pub fn scale(&self) -> f64 { self.scale }
    pub fn square(&self, cell: &Cell) -> Square {
        let middle = Point::new(self.origin.x + f64::from(cell.x) * self.scale, self.origin.y + f64::from(cell.y) * self.scale);
        // The middle is rounded to a coordinate: leave room.
        let half = f64::from(cell.half + MARGIN) * self.scale + f64::EPSILON * (middle.x.abs() + middle.y.abs());
        Square::new(middle, half, f64::from(cell.most) * self.scale * (1.0 + SLACK))
    }

    #[inline(always)]
    pub fn offer<S: Simd>(&mut self, simd: S, list: &mut List, cell: &Cell, reach: f32, least: f32, stats: &mut [u64; 12]) {
        self.places.clear();
        self.supports.clear();
        self.done.clear();
        let (tree, origin, scale) = (self.tree, self.origin, self.scale);
        list.visit(simd, cell, reach, least, |location, bound, support| {
            let p = tree.points()[location as usize];
            if support {
                self.supports.push(self.places.len() as u32);
            }
            self.places.push(Place {
                x: p.x - origin.x,
                y: p.y - origin.y,
                bound: f64::from(bound) * scale * (1.0 + SLACK),
                location,
            });
        });
        let (mx, my) = (f64::from(cell.x) * self.scale, f64::from(cell.y) * self.scale);
        let half = f64::from(cell.half + MARGIN) * self.scale;
        let within = |x: f64, y: f64| (x - mx).abs() <= half && (y - my).abs() <= half;
        let largest = f64::from(reach) * self.scale * (1.0 + 1e-5);
        let limit = largest * largest;
        for a in 0..self.supports.len() {
            let p = self.places[self.supports[a] as usize];
            for b in 0..a {
                let q = self.places[self.supports[b] as usize];
                let (ux, uy) = (q.x - p.x, q.y - p.y);
                let uu = ux * ux + uy * uy;
                if uu > 4.0 * limit { continue; }
                if within(p.x + ux / 2.0, p.y + uy / 2.0) {
                    self.check(stats, [self.supports[a], self.supports[b], self.supports[b]], p.x + ux / 2.0, p.y + uy / 2.0, uu / 4.0);
                }
                for c in 0..b {
                    let r = self.places[self.supports[c] as usize];
                    let (vx, vy) = (r.x - p.x, r.y - p.y);
                    let vv = vx * vx + vy * vy;
                    let cross = 2.0 * (ux * vy - uy * vx);
                    // Is the centre in the cell? Without a division: most are not.
                    let (nx, ny) = (vy * uu - uy * vv, ux * vv - vx * uu);
                    let room = half * cross.abs();
                    if !((nx + (p.x - mx) * cross).abs() <= room && (ny + (p.y - my) * cross).abs() <= room) { continue; }
                    let (cx, cy) = (nx / cross, ny / cross);
                    let rr = cx * cx + cy * cy;
                    if !(rr <= limit) { continue; }
                    // An obtuse corner is held in place only by its own need to be inside.
                    let dot = ux * vx + uy * vy;
                    let slack = SLACK * (uu + vv);
                    let serves = |corner: &Place| corner.bound * corner.bound >= rr * (1.0 - SLACK);
                    if dot < -slack && !serves(&p) || uu - dot < -slack && !serves(&q) || vv - dot < -slack && !serves(&r) { continue; }
                    self.check(stats, [self.supports[a], self.supports[b], self.supports[c]], p.x + cx, p.y + cy, rr);
                }
            }
        }
    }

    fn check(&mut self, stats: &mut [u64; 12], support: [u32; 3], cx: f64, cy: f64, rr: f64) {
        stats[7] += 1;
        let names = support.map(|i| self.places[i as usize].location);
        if names[1] != names[2] && self.done.iter().any(|d| names.iter().all(|n| d.contains(n))) {
            return;
        }
        let tolerance = SLACK * rr;
        let tree = self.tree;
        let mut units = 0;
        let mut unclear = 0;
        let mut best = 0.0f64;
        for place in &self.places {
            let (dx, dy) = (place.x - cx, place.y - cy);
            let beyond = dx * dx + dy * dy - rr;
            if beyond <= tolerance {
                units += tree.weights()[place.location as usize];
                unclear += usize::from(beyond >= -tolerance);
                best = best.max(place.bound);
            }
        }
        if units < self.k || rr > best * best * (1.0 + SLACK) {
            return;
        }
        stats[11] += 1;
        let live = self.places.iter().filter(|p| { let (dx, dy) = (p.x - cx, p.y - cy); dx * dx + dy * dy - rr <= tolerance }).map(|p| self.answers.bound(p.location as usize)).fold(0.0, f64::max);
        if rr > live * live * (1.0 + SLACK) { return; }
        stats[8] += 1;
        let [p, q, r] = names.map(|n| tree.points()[n as usize]);
        let (exact, count) = if names[1] == names[2] { (Support::Two(p, q), 2) } else { (Support::Three(p, q, r), 3) };
        let mut out: Vec<u32> = Vec::new();
        if unclear > count {
            stats[9] += 1;
            let mut on = Vec::new();
            for place in &self.places {
                let (dx, dy) = (place.x - cx, place.y - cy);
                let beyond = dx * dx + dy * dy - rr;
                if beyond.abs() <= tolerance {
                    match side(tree.grain(), &exact, tree.points()[place.location as usize]) {
                        Ordering::Greater => {
                            units -= tree.weights()[place.location as usize];
                            out.push(place.location);
                        }
                        Ordering::Equal => on.push(place.location),
                        Ordering::Less => {}
                    }
                }
            }
            self.done.push(on);
        }
        if units < self.k { return; }
        let (center, radius) = rounded(tree.grain(), &exact);
        stats[10] += 1;
        let members = self.places.iter().filter(|p| { let (dx, dy) = (p.x - cx, p.y - cy); dx * dx + dy * dy - rr <= tolerance }).map(|p| p.location).filter(|n| out.is_empty() || !out.contains(n));
        let _ = self.delta;
        self.answers.offer(&Found { disc: Disc { center, radius, units }, support: names }, members);
    }
}
