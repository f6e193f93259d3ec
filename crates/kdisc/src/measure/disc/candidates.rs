//! Discs through two or three locations with their centre in a given cell.
//!
//! The circles through two locations form a pencil: with m the middle between them and n the
//! vector between them turned by a right angle, the centres are m + t·n. A place z (relative to
//! m) is inside when A ≤ t·B, with A = |z|² − |n|²/4 and B = 2z·n. So one pass over the places
//! bounds the units of all circles of the pencil with their centre in the cell, and another one
//! counts those of one circle. What passes is counted exactly.

use std::cmp::Ordering;

use pulp::Simd;

use super::answers::{Answers, Found};
use super::list::{Cell, LANES, List, MARGIN};
use super::search::Square;
use crate::index::Tree;
use crate::predicates::{Support, rounded, side};
use crate::{Disc, Point};

/// Room for double precision, relatively.
const SLACK: f64 = 1e-9;

pub(crate) struct Candidates<'a> {
    tree: &'a Tree,
    k: u64,
    answers: &'a Answers<'a>,
    origin: Point,
    scale: f64,
    places: Places,
    supports: Vec<u32>,
    pencil: Pencil,
    /// Locations on circles that were looked at already: no other three of them need to be.
    done: Vec<Vec<u32>>,
    rim: Vec<u32>,
}

/// The places within reach of the cell, as columns.
#[derive(Default)]
struct Places {
    x: Vec<f64>,
    y: Vec<f64>,
    weight: Vec<f64>,
    bound: Vec<f64>,
    location: Vec<u32>,
}

/// A and B of each place.
#[derive(Default)]
struct Pencil {
    a: Vec<f64>,
    b: Vec<f64>,
}

/// A circle, up to rounding.
#[derive(Clone, Copy)]
struct Circle {
    x: f64,
    y: f64,
    squared: f64,
}

impl<'a> Candidates<'a> {
    pub fn new(tree: &'a Tree, k: u64, answers: &'a Answers<'a>) -> Self {
        Self {
            tree,
            k,
            answers,
            origin: Point::default(),
            scale: 1.0,
            places: Places::default(),
            supports: Vec::new(),
            pencil: Pencil::default(),
            done: Vec::new(),
            rim: Vec::new(),
        }
    }

    /// What the cells from now on are relative to.
    pub fn start(&mut self, origin: Point, scale: f64) {
        self.origin = origin;
        self.scale = scale;
    }

    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The cell as a square of the plane, a little larger for the rounding.
    pub fn square(&self, cell: &Cell) -> Square {
        let middle = Point::new(
            self.origin.x + f64::from(cell.x) * self.scale,
            self.origin.y + f64::from(cell.y) * self.scale,
        );
        let rounding = f64::EPSILON * (middle.x.abs() + middle.y.abs());
        let half = f64::from(cell.half + MARGIN) * self.scale + rounding;
        let most = f64::from(cell.most) * self.scale * (1.0 + SLACK) + rounding;
        Square::new(middle, half, most)
    }

    /// Offers the discs with their centre in the cell and a radius from `least` to `reach`.
    #[inline(always)]
    pub fn offer<S: Simd>(&mut self, simd: S, list: &mut List, cell: &Cell, reach: f32, least: f32, stats: &mut [u64; 12]) {
        self.collect(simd, list, cell, reach, least);
        self.done.clear();
        let (mx, my) = (f64::from(cell.x) * self.scale, f64::from(cell.y) * self.scale);
        let half = f64::from(cell.half + MARGIN) * self.scale;
        let largest = f64::from(reach + MARGIN) * self.scale * (1.0 + SLACK);
        let limit = largest * largest;
        for a in 0..self.supports.len() {
            let i = self.supports[a] as usize;
            for b in 0..a {
                let j = self.supports[b] as usize;
                let (ux, uy) = (self.places.x[j] - self.places.x[i], self.places.y[j] - self.places.y[i]);
                let uu = ux * ux + uy * uy;
                let (cx, cy) = (self.places.x[i] + ux / 2.0, self.places.y[i] + uy / 2.0);
                // The part of the pencil with its centre in the cell and its radius in range.
                let (dx, dy) = (mx - cx, my - cy);
                let across = half * (ux.abs() + uy.abs());
                if (dx * ux + dy * uy).abs() > across { continue; }
                let inverse = 1.0 / uu;
                let middle = (dy * ux - dx * uy) * inverse;
                let (low, high) = (middle - across * inverse, middle + across * inverse);
                let nearest = if low > 0.0 { low } else if high < 0.0 { high } else { 0.0 };
                if uu * (0.25 + nearest * nearest) > limit { continue; }
                stats[7] += 1;
                let most = self.pencil.open(simd, &self.places, cx, cy, (-uy, ux), uu, low, high);
                if most < self.k as f64 { continue; }
                stats[11] += 1;
                if dx.abs() <= half && dy.abs() <= half && self.pencil.units(simd, &self.places, uu, 0.0) >= self.k as f64 {
                    self.check([i, j, j], Circle { x: cx, y: cy, squared: uu / 4.0 }, stats);
                }
                for c in 0..b {
                    let l = self.supports[c] as usize;
                    let (pa, pb) = (self.pencil.a[l], self.pencil.b[l]);
                    let t = pa / pb;
                    if !((dx + t * uy).abs() <= half && (dy - t * ux).abs() <= half) { continue; }
                    if self.pencil.units(simd, &self.places, uu, t) < self.k as f64 { continue; }
                    let circle = Circle { x: cx - t * uy, y: cy + t * ux, squared: uu * (0.25 + t * t) };
                    if self.held([i, j, l], circle.squared) {
                        self.check([i, j, l], circle, stats);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn collect<S: Simd>(&mut self, simd: S, list: &mut List, cell: &Cell, reach: f32, least: f32) {
        self.places.clear();
        self.supports.clear();
        let (tree, origin, scale) = (self.tree, self.origin, self.scale);
        let (places, supports) = (&mut self.places, &mut self.supports);
        list.visit(simd, cell, reach, least, |location, bound, support| {
            let p = tree.points()[location as usize];
            if support {
                supports.push(places.location.len() as u32);
            }
            places.x.push(p.x - origin.x);
            places.y.push(p.y - origin.y);
            places.weight.push(tree.weights()[location as usize] as f64);
            places.bound.push(f64::from(bound) * scale * (1.0 + SLACK));
            places.location.push(location);
        });
        places.fill_up();
        self.pencil.a.resize(places.x.len(), 0.0);
        self.pencil.b.resize(places.x.len(), 0.0);
    }

    /// Whether the circle is held in place: at an obtuse corner only by a location there that
    /// must stay inside, and to which it is of use.
    #[inline(always)]
    fn held(&self, corners: [usize; 3], squared: f64) -> bool {
        let places = &self.places;
        (0..3).all(|c| {
            let [i, j, l] = [corners[c], corners[(c + 1) % 3], corners[(c + 2) % 3]];
            let (ux, uy) = (places.x[j] - places.x[i], places.y[j] - places.y[i]);
            let (vx, vy) = (places.x[l] - places.x[i], places.y[l] - places.y[i]);
            ux * vx + uy * vy >= -SLACK * squared
                || places.bound[i] * places.bound[i] >= squared * (1.0 - SLACK)
        })
    }

    /// Counts exactly, and offers the disc to its members.
    fn check(&mut self, support: [usize; 3], circle: Circle, stats: &mut [u64; 12]) {
        let tree = self.tree;
        let places = &self.places;
        let names = support.map(|i| places.location[i]);
        let two = names[1] == names[2];
        if !two && self.done.iter().any(|on| names.iter().all(|n| on.contains(n))) {
            return;
        }
        let tolerance = SLACK * circle.squared;
        let beyond = |i: usize| {
            let (dx, dy) = (places.x[i] - circle.x, places.y[i] - circle.y);
            dx * dx + dy * dy - circle.squared
        };
        self.rim.clear();
        let mut live = 0.0f64;
        for i in 0..places.location.len() {
            if beyond(i) <= tolerance {
                live = live.max(self.answers.bound(places.location[i] as usize));
                if beyond(i) >= -tolerance {
                    self.rim.push(i as u32);
                }
            }
        }
        if circle.squared > live * live * (1.0 + SLACK) {
            return;
        }
        stats[8] += 1;
        let [p, q, r] = names.map(|n| tree.points()[n as usize]);
        let (exact, known) = if two {
            (Support::Two(p, q), 2)
        } else {
            (Support::Three(p, q, r), 3)
        };
        let mut outside = Vec::new();
        if self.rim.len() > known {
            stats[9] += 1;
            let mut on = Vec::new();
            for &i in &self.rim {
                let location = places.location[i as usize];
                match side(tree.grain(), &exact, tree.points()[location as usize]) {
                    Ordering::Greater => outside.push(location),
                    Ordering::Equal => on.push(location),
                    Ordering::Less => {}
                }
            }
            self.done.push(on);
        }
        let members = || {
            (0..places.location.len())
                .filter(|&i| beyond(i) <= tolerance)
                .map(|i| places.location[i])
                .filter(|location| !outside.contains(location))
        };
        let units = members().map(|m| tree.weights()[m as usize]).sum();
        if units < self.k {
            return;
        }
        stats[10] += 1;
        let (center, radius) = rounded(tree.grain(), &exact);
        let disc = Disc { center, radius, units };
        self.answers.offer(&Found { disc, support: names }, members());
    }
}

impl Places {
    fn clear(&mut self) {
        self.x.clear();
        self.y.clear();
        self.weight.clear();
        self.bound.clear();
        self.location.clear();
    }

    /// Fills the columns up to whole vectors with places without units.
    #[inline(always)]
    fn fill_up(&mut self) {
        let lanes = self.location.len().next_multiple_of(LANES);
        self.x.resize(lanes, 0.0);
        self.y.resize(lanes, 0.0);
        self.weight.resize(lanes, 0.0);
    }
}

impl Pencil {
    /// Prepares the pencil round the middle (x, y), and says how many units the circles with
    /// low ≤ t ≤ high hold at most.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn open<S: Simd>(&mut self, simd: S, places: &Places, x: f64, y: f64, normal: (f64, f64), squared: f64, low: f64, high: f64) -> f64 {
        let splat = |value| simd.splat_f64s(value);
        let (x, y, quarter, zero) = (splat(x), splat(y), splat(squared / 4.0), splat(0.0));
        let (nx, ny) = (splat(2.0 * normal.0), splat(2.0 * normal.1));
        let (low, high, slack) = (splat(low), splat(high), splat(SLACK * squared));
        let mut units = zero;
        let columns = S::as_simd_f64s(&places.x).0.iter().zip(S::as_simd_f64s(&places.y).0);
        let out = S::as_mut_simd_f64s(&mut self.a).0.iter_mut().zip(S::as_mut_simd_f64s(&mut self.b).0);
        for (((&px, &py), &weight), (a, b)) in columns.zip(S::as_simd_f64s(&places.weight).0).zip(out) {
            let (zx, zy) = (simd.sub_f64s(px, x), simd.sub_f64s(py, y));
            let length = simd.add_f64s(simd.mul_f64s(zx, zx), simd.mul_f64s(zy, zy));
            *a = simd.sub_f64s(length, quarter);
            *b = simd.add_f64s(simd.mul_f64s(zx, nx), simd.mul_f64s(zy, ny));
            let best = simd.max_f64s(simd.mul_f64s(*b, low), simd.mul_f64s(*b, high));
            let inside = simd.less_than_or_equal_f64s(*a, simd.add_f64s(best, simd.add_f64s(slack, simd.mul_f64s(length, splat(SLACK)))));
            units = simd.add_f64s(units, simd.select_f64s(inside, weight, zero));
        }
        simd.reduce_sum_f64s(units)
    }

    /// The units in the circle at `t`, and those that may be.
    #[inline(always)]
    fn units<S: Simd>(&self, simd: S, places: &Places, squared: f64, t: f64) -> f64 {
        let zero = simd.splat_f64s(0.0);
        let slack = simd.splat_f64s(SLACK * squared * (1.0 + t * t));
        let t = simd.splat_f64s(t);
        let mut units = zero;
        let columns = S::as_simd_f64s(&self.a).0.iter().zip(S::as_simd_f64s(&self.b).0);
        for ((&a, &b), &weight) in columns.zip(S::as_simd_f64s(&places.weight).0) {
            let inside = simd.less_than_or_equal_f64s(a, simd.add_f64s(simd.mul_f64s(t, b), slack));
            units = simd.add_f64s(units, simd.select_f64s(inside, weight, zero));
        }
        simd.reduce_sum_f64s(units)
    }
}
