//! All useful discs with a given location, the pivot, on their circle.

use crate::index::{Surroundings, Tree};
use crate::predicates::{Support, rounded, side};
use crate::{Disc, Point};
use std::cmp::Ordering;

use super::answers::{Answers, Found};
use super::sectors::{Sectors, WIDER, both_ends, directions, either_end, reaching};

#[derive(Default)]
pub(crate) struct Around {
    pub places: Surroundings,
    pub bounds: Vec<f64>,
}

/// What rounding may do to the quantities below, relatively, with room to spare.
const ERROR: f64 = 1e-12;
/// Candidates are padded to whole vectors.
const LANES: usize = 8;

impl Around {
    pub fn collect(&mut self, tree: &Tree, answers: &Answers<'_>, region: &crate::index::Bounds, reach: f64) {
        self.places.collect(tree, region, reach);
        self.bounds.clear();
        self.bounds.extend(self.places.location.iter().map(|&l| answers.bound(l as usize)));
    }
}

#[derive(Default)]
pub(crate) struct Pivot {
    location: u32,
    at: Point,
    x: Vec<f64>,
    y: Vec<f64>,
    squared: Vec<f64>,
    weight: Vec<f64>,
    names: Vec<u32>,
    events: Vec<Event>,
    dx: Vec<f64>,
    dy: Vec<f64>,
    d2: Vec<f64>,
    masks: Vec<Sectors>,
    pub stats: [u64; 8],
}

#[derive(Debug, Clone, Copy)]
struct Event {
    t: f64,
    error: f64,
    /// Units that enter; negative when they leave.
    change: f64,
    candidate: u32,
}

/// Which of the discs through the pivot are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Held in place by its circle alone; found at the first of its locations.
    Local,
    /// Held in place by the pivot, which must stay inside.
    Anchored,
}

impl Pivot {
    #[inline(always)]
    pub fn run(&mut self, tree: &Tree, k: u64, answers: &Answers<'_>, around: &Around, location: usize, scale: f64, farthest: f64) -> Sectors {
        let at = tree.points()[location];
        self.location = location as u32;
        self.at = at;
        let s = &around.places;
        let count = s.x.len();
        self.dx.resize(count, 0.0); self.dy.resize(count, 0.0); self.d2.resize(count, 0.0);
        let (dx, dy, d2) = (&mut self.dx[..count], &mut self.dy[..count], &mut self.d2[..count]);
        let (sx, sy, u) = (&s.x[..count], &s.y[..count], &around.bounds[..count]);
        let mut reach = [0.0f64; LANES];
        for i in 0..count {
            dx[i] = sx[i] - at.x;
            dy[i] = sy[i] - at.y;
            d2[i] = dx[i] * dx[i] + dy[i] * dy[i];
        }
        let mut i = 0;
        while i + LANES <= count {
            for l in 0..LANES {
                let ok = d2[i + l] <= 4.000_001 * u[i + l] * u[i + l];
                let v = if ok { u[i + l] } else { 0.0 };
                reach[l] = if v > reach[l] { v } else { reach[l] };
            }
            i += LANES;
        }
        let mut local = reach.iter().fold(0.0f64, |a, &b| a.max(b));
        for i in i..count { if d2[i] <= 4.000_001 * u[i] * u[i] { local = local.max(u[i]); } }
        let own = answers.bound(location);
        let unit = tree.weights()[location] > 0;
        local = 0.0;
        let local = local.min(scale);
        let most = own.max(local);
        let mut open = 0;
        if false && unit && farthest > scale {
            self.stats[1] += 1;
            directions(dx, dy, d2, scale, &mut self.masks);
            let closed = reaching(self.masks.iter().zip(&s.weight).map(|(&m, &w)| (both_ends(m), w)), k as f64);
            open = !closed;
            if open != 0 { self.stats[2] += 1; }
        }
        let lim = 4.0 * most * most * (1.0 + 1e-9);
        self.x.resize(count + LANES, 0.0); self.y.resize(count + LANES, 0.0); self.squared.resize(count + LANES, 0.0); self.weight.resize(count + LANES, 0.0); self.names.resize(count + LANES, 0);
        let mut n = 0;
        for i in 0..count {
            self.x[n] = dx[i]; self.y[n] = dy[i]; self.squared[n] = d2[i]; self.weight[n] = s.weight[i]; self.names[n] = s.location[i];
            n += usize::from(d2[i] <= lim);
        }
        let padded = n.next_multiple_of(LANES);
        for i in n..padded { self.x[i] = 0.0; self.y[i] = 0.0; self.squared[i] = 1e300; self.weight[i] = 0.0; }
        self.x.truncate(padded); self.y.truncate(padded); self.squared.truncate(padded); self.weight.truncate(padded);
        self.names.truncate(n);
        self.stats[0] += 1;
        self.stats[3] += n as u64;
        directions(&self.x, &self.y, &self.squared, most * WIDER, &mut self.masks);
        let alive = reaching(self.masks.iter().zip(&self.weight).map(|(&m, &w)| (either_end(m), w)), k as f64);
        if alive == 0 { return open; }
        let alive_dirs = alive | alive.rotate_left(1);
        for q in 0..n {
            if self.masks[q] & alive_dirs == 0 { continue; }
            let (qx, qy) = (self.x[q], self.y[q]);
            if self.weight[q] == 0.0 || (qx == 0.0 && qy == 0.0) { continue; }
            let later = qx > 0.0 || (qx == 0.0 && qy > 0.0);
            if later && self.squared[q] <= 4.0 * local * local * (1.0 + 1e-9) {
                self.pair(tree, k, answers, q, local, Kind::Local);
            }
            if self.squared[q] <= 4.0 * own * own * (1.0 + 1e-9) {
                self.pair(tree, k, answers, q, own, Kind::Anchored);
            }
        }
        open
    }

    #[inline(always)]
    fn pair(&mut self, tree: &Tree, k: u64, answers: &Answers<'_>, q: usize, radius: f64, kind: Kind) {
        self.stats[4] += 1;
        let (qx, qy, qq) = (self.x[q], self.y[q], self.squared[q]);
        let k = k as f64;
        let end = (radius * radius * (1.0 + 1e-9) / qq - 0.25).max(0.0).sqrt() + 1e-9;
        if possible(&self.x, &self.y, &self.squared, &self.weight, qx, qy, qq, end) < k {
            return;
        }
        self.stats[5] += 1;
        // events
        let mut base = 0.0;
        let mut wild = false;
        self.events.clear();
        for i in 0..self.names.len() {
            let w = self.weight[i];
            if w == 0.0 { continue; }
            let a = self.squared[i] - (self.x[i] * qx + self.y[i] * qy);
            let b = 2.0 * (qx * self.y[i] - qy * self.x[i]);
            if a == 0.0 && b == 0.0 { base += w; continue; }
            let error = ERROR * (self.squared[i] + qq);
            if b.abs() <= error {
                if a > error * (1.0 + end) { continue; }
                if a < -error * (1.0 + end) { base += w; continue; }
                base += w; wild = true; // optimistic
                continue;
            }
            let t = a / b;
            let te = 2.0 * error * (1.0 + t.abs()) / b.abs();
            if b > 0.0 {
                if t + te < 0.0 { base += w; }
                else if t - te <= end { self.events.push(Event { t, error: te, change: w, candidate: i as u32 }); }
            } else if t - te > end { base += w; }
            else if t + te >= 0.0 { base += w; self.events.push(Event { t, error: te, change: -w, candidate: i as u32 }); }
        }
        let _ = wild;
        self.events.sort_unstable_by(|a, b| a.t.total_cmp(&b.t));
        // optimistic count at 0
        let zero = base + self.events.iter().filter(|e| e.change > 0.0 && e.t - e.error <= 0.0).map(|e| e.change).sum::<f64>();
        if zero >= k && (kind == Kind::Local || self.weight[q] >= k || tree.weights()[self.location as usize] == 0) {
            self.emit(tree, k, answers, q, q, 0.0, 0.0, kind);
        }
        let sure = base - if wild { f64::INFINITY } else { 0.0 };
        for i in 0..self.events.len() {
            let e = self.events[i];
            if e.change < 0.0 { continue; }
            let (low, high) = (e.t - e.error, e.t + e.error);
            let mut most = base;
            let mut least = sure;
            for f in &self.events {
                if f.change > 0.0 {
                    if f.t - f.error <= high { most += f.change; }
                    if f.t + f.error < low { least += f.change; }
                } else {
                    if f.t + f.error < low { most += f.change; }
                    if f.t - f.error <= high { least += f.change; }
                }
            }
            if most >= k && least < k {
                let x = e.candidate as usize;
                let dot = qx * self.x[x] + qy * self.y[x];
                let slack = 1e-9 * (qq + self.squared[x]);
                match kind {
                    Kind::Local => {
                        let later = self.x[x] > 0.0 || (self.x[x] == 0.0 && self.y[x] > 0.0);
                        if !later || dot < -slack { continue; }
                        // angle at q and x
                        if qq - dot < -slack || self.squared[x] - dot < -slack { continue; }
                    }
                    Kind::Anchored => if dot > slack && tree.weights()[self.location as usize] > 0 { continue; },
                }
                self.emit(tree, k, answers, q, x, e.t, e.error, kind);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn emit(&mut self, tree: &Tree, k: f64, answers: &Answers<'_>, q: usize, x: usize, t: f64, error: f64, kind: Kind) {
        self.stats[6] += 1;
        let (qx, qy) = (self.x[q], self.y[q]);
        let (cx, cy) = (qx / 2.0 - t * qy, qy / 2.0 + t * qx);
        let rr = cx * cx + cy * cy;
        let r = rr.sqrt();
        let slack = 1e-9;
        let tol = rr * (1e-11 + 4.0 * error * self.squared[q].sqrt() / r);
        let mut units = 0u64;
        let mut unclear = 0;
        let mut best = 0.0f64;
        for i in 0..self.names.len() {
            let v = self.squared[i] - 2.0 * (self.x[i] * cx + self.y[i] * cy);
            if v <= tol {
                let loc = self.names[i] as usize;
                units += tree.weights()[loc];
                unclear += usize::from(v >= -tol);
                if kind == Kind::Local { best = best.max(answers.bound(loc)); }
            }
        }
        if kind == Kind::Anchored { best = answers.bound(self.location as usize); }
        if (units as f64) < k || r * (1.0 - slack) > best { return; }
        let support = if q == x { Support::Two(self.at, tree.points()[self.names[q] as usize]) } else { Support::Three(self.at, tree.points()[self.names[q] as usize], tree.points()[self.names[x] as usize]) };
        let supports = if q == x { 2 } else { 3 };
        let mut out: Vec<usize> = Vec::new();
        if unclear > supports {
            for i in 0..self.names.len() {
                let v = self.squared[i] - 2.0 * (self.x[i] * cx + self.y[i] * cy);
                if v.abs() <= tol {
                    let loc = self.names[i] as usize;
                    if side(tree.grain(), &support, tree.points()[loc]) == Ordering::Greater {
                        units -= tree.weights()[loc];
                        out.push(i);
                    }
                }
            }
            if (units as f64) < k { return; }
        }
        let (center, radius) = rounded(tree.grain(), &support);
        if radius > best { return; }
        self.stats[7] += 1;
        let found = Found { disc: Disc { center, radius, units }, support: [self.location, self.names[q], self.names[x]] };
        if kind == Kind::Anchored {
            answers.offer(&found, std::iter::once(self.location));
        } else {
            let members = (0..self.names.len()).filter(|i| {
                let v = self.squared[*i] - 2.0 * (self.x[*i] * cx + self.y[*i] * cy);
                v <= tol && !out.contains(i)
            }).map(|i| self.names[i]);
            answers.offer(&found, members);
        }
    }
}

#[inline(always)]
/// Units that are inside some disc through the pivot and q with its centre at 0 ≤ t ≤ end.
#[allow(clippy::too_many_arguments)]
fn possible(x: &[f64], y: &[f64], squared: &[f64], weight: &[f64], qx: f64, qy: f64, qq: f64, end: f64) -> f64 {
    let mut sums = [0.0; LANES];
    let chunks = x.chunks_exact(LANES).zip(y.chunks_exact(LANES)).zip(squared.chunks_exact(LANES)).zip(weight.chunks_exact(LANES));
    for (((x, y), s), w) in chunks {
        for l in 0..LANES {
            let a = s[l] - (x[l] * qx + y[l] * qy);
            let b = 2.0 * (qx * y[l] - qy * x[l]);
            let inside = a <= b.max(0.0) * end + 1e-11 * (s[l] + qq);
            sums[l] += if inside { w[l] } else { 0.0 };
        }
    }
    sums.iter().sum()
}
