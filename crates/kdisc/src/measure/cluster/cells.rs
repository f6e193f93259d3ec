//! Discs by their centres: branch and bound over the plane.

use std::cmp::Ordering;

use super::answers::{Answers, Found};
use crate::index::{Bounds, Nearest, Surroundings, Tree};
use crate::predicates::{Support, rounded, side};
use crate::{Disc, Point};

const LANES: usize = 8;
const SAFE: f64 = 1.0 + 1e-9;

#[derive(Default, Clone)]
struct List {
    x: Vec<f64>,
    y: Vec<f64>,
    w: Vec<f64>,
    u: Vec<f64>,
    name: Vec<u32>,
}

impl List {
    fn clear(&mut self) {
        self.x.clear();
        self.y.clear();
        self.w.clear();
        self.u.clear();
        self.name.clear();
    }
    fn len(&self) -> usize { self.name.len() }
}

#[derive(Clone, Copy)]
struct Cell {
    x: f64,
    y: f64,
    /// Half a side.
    half: f64,
    /// At least the distance of the k-th unit from the middle.
    most: f64,
}

impl Cell {
    fn radius(&self) -> f64 { self.half * std::f64::consts::SQRT_2 * SAFE }
    fn quarter(&self, i: usize) -> Self {
        let half = self.half / 2.0;
        let c = Cell { x: self.x + if i & 1 == 0 { -half } else { half }, y: self.y + if i & 2 == 0 { -half } else { half }, half, most: 0.0 };
        Cell { most: self.most + c.radius(), ..c }
    }
}

pub(crate) struct Search<'a> {
    tree: &'a Tree,
    k: u64,
    answers: &'a Answers<'a>,
    reach: &'a [f64],
    nearest: Nearest,
    around: Surroundings,
    lists: Vec<List>,
    d2: Vec<f64>,
    order: Vec<(f64, u32)>,
    stack: Vec<u32>,
    pub stats: [u64; 12],
}

impl<'a> Search<'a> {
    pub fn new(tree: &'a Tree, k: u64, answers: &'a Answers<'a>, reach: &'a [f64]) -> Self {
        Self { tree, k, answers, reach, nearest: Nearest::default(), around: Surroundings::default(), lists: vec![List::default(); 64], d2: vec![], order: vec![], stack: vec![], stats: [0; 12] }
    }

    pub fn run(&mut self, x: f64, y: f64, half: f64) {
        #[allow(unsafe_code)]
        unsafe { self.wide(Cell { x, y, half, most: f64::INFINITY }) }
    }

    /// The largest bound among locations that a disc centred in the cell may hold.
    fn cap(&mut self, cell: &Cell) -> f64 {
        let q = Bounds { low: Point::new(cell.x - cell.half, cell.y - cell.half), high: Point::new(cell.x + cell.half, cell.y + cell.half) };
        let limit = cell.most + cell.radius();
        let mut cap = 0.0f64;
        self.stack.clear();
        self.stack.push(1);
        while let Some(node) = self.stack.pop() {
            let node = node as usize;
            if self.reach[node] <= cap { continue; }
            let r = self.reach[node].min(limit);
            if self.tree.bounds(node).squared_gap(&q) > r * r * SAFE { continue; }
            if self.tree.is_leaf(node) {
                for l in self.tree.run(node) {
                    let u = self.answers.bound(l);
                    let p = self.tree.points()[l];
                    if u > cap { let r = u.min(limit); if (Bounds { low: p, high: p }).squared_gap(&q) <= r * r * SAFE { cap = u; } }
                }
            } else {
                self.stack.push(2 * node as u32);
                self.stack.push(2 * node as u32 + 1);
            }
        }
        cap
    }

    /// A cell with more locations within reach than a list should hold.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
    fn wide(&mut self, cell: Cell) {
        self.stats[0] += 1;
        let cap = self.cap(&cell);
        if cap == 0.0 { return; }
        let radius = cell.radius();
        let at = Point::new(cell.x, cell.y);
        let bound = cell.most.min(cap + radius) * SAFE;
        let near = self.nearest.find(self.tree, at, self.k, bound * bound, self.k);
        let mut sum = 0;
        let Some(kth) = near.iter().find(|n| { sum += self.tree.weights()[n.location as usize]; sum >= self.k }) else { return };
        let distance = kth.squared.sqrt();
        if distance - radius > cap * SAFE { return; }
        let cell = Cell { most: distance * SAFE, ..cell };
        for n in near.iter().take_while(|n| n.squared <= kth.squared) { self.answers.lower_bound(n.location as usize, distance * SAFE); }
        if radius > distance {
            for i in 0..4 { self.wide(cell.quarter(i)); }
            return;
        }
        let reach = cap.min(cell.most + radius) + radius;
        self.around.collect(self.tree, &Bounds { low: at, high: at }, reach);
        let limit = reach * reach * SAFE;
        let mut list = std::mem::take(&mut self.lists[0]);
        list.clear();
        for i in 0..self.around.x.len() {
            let (dx, dy) = (self.around.x[i] - at.x, self.around.y[i] - at.y);
            if dx * dx + dy * dy <= limit && self.around.weight[i] < self.k as f64 {
                let name = self.around.location[i];
                list.x.push(dx); list.y.push(dy); list.w.push(self.around.weight[i]); list.name.push(name);
                list.u.push(self.answers.bound(name as usize));
            }
        }
        self.stats[1] += 1;
        self.stats[2] += list.len() as u64;
        self.lists[0] = list;
        let local = Cell { x: 0.0, y: 0.0, ..cell };
        let before = self.stats[3];
        for i in 0..4 { self.narrow(at, local.quarter(i), 0); }
        if self.stats[3] - before > 20000 { eprintln!("block {at:?} half {} f {} cap {} list {} -> {}", cell.half, distance, cap, self.lists[0].len(), self.stats[3] - before); }
    }

    /// A cell with a list of what is within its reach.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
    fn narrow(&mut self, origin: Point, cell: Cell, level: usize) {
        self.stats[3] += 1;
        let radius = cell.radius();
        let k = self.k as f64;
        let (parents, children) = self.lists.split_at_mut(level + 1);
        let list = &parents[level];
        let n = list.len();
        self.d2.resize(n, 0.0);
        let d2 = &mut self.d2[..n];
        let (lx, ly, lu, lw) = (&list.x[..n], &list.y[..n], &list.u[..n], &list.w[..n]);
        let limit = cell.most + radius;
        let mut caps = [0.0f64; LANES];
        let mut i = 0;
        while i + LANES <= n {
            for l in 0..LANES {
                let (dx, dy) = (lx[i + l] - cell.x, ly[i + l] - cell.y);
                let d = dx * dx + dy * dy;
                d2[i + l] = d;
                let u = lu[i + l];
                let r = (if u < limit { u } else { limit }) + radius;
                let v = if d <= r * r { u } else { 0.0 };
                caps[l] = if v > caps[l] { v } else { caps[l] };
            }
            i += LANES;
        }
        let mut cap = caps.iter().fold(0.0f64, |a, &b| a.max(b));
        for i in i..n {
            let (dx, dy) = (lx[i] - cell.x, ly[i] - cell.y);
            d2[i] = dx * dx + dy * dy;
            let r = lu[i].min(limit) + radius;
            if d2[i] <= r * r { cap = cap.max(lu[i]); }
        }
        let reach = (cap.min(limit) + radius) * SAFE;
        let far = reach * reach;
        let mut sums = [0.0f64; LANES];
        let mut i = 0;
        while i + LANES <= n {
            for l in 0..LANES { sums[l] += if d2[i + l] <= far { lw[i + l] } else { 0.0 }; }
            i += LANES;
        }
        let mut sum = sums.iter().sum::<f64>();
        for i in i..n { if d2[i] <= far { sum += lw[i]; } }
        if sum < k { return; }
        self.stats[4] += 1;
        // survivors: exact k-th distance
        let child = &mut children[0];
        child.clear();
        self.order.clear();
        for i in 0..n {
            if d2[i] <= far {
                self.order.push((d2[i], child.name.len() as u32));
                child.x.push(lx[i]); child.y.push(ly[i]); child.w.push(lw[i]); child.u.push(self.answers.bound(list.name[i] as usize)); child.name.push(list.name[i]);
            }
        }
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        let Some(&(kth, _)) = self.order.iter().find(|(_, i)| { sum += child.w[*i as usize]; sum >= k }) else { return };
        let distance = kth.sqrt();
        let upper = distance * SAFE;
        let mut cap = 0.0f64;
        for &(d, i) in &self.order {
            let i = i as usize;
            if d <= kth && child.u[i] > upper {
                child.u[i] = upper;
                self.answers.lower_bound(child.name[i] as usize, upper);
            }
            let r = child.u[i].min(upper + radius) + radius;
            if d <= r * r { cap = cap.max(child.u[i]); }
        }
        if distance - radius > cap * SAFE { return; }
        let cell = Cell { most: upper, ..cell };
        let inner = (distance - 2.0 * radius) / SAFE;
        let first = if inner > 0.0 { self.order.partition_point(|o| o.0 < inner * inner) } else { 0 };
        let supports = self.order.len() - first;
        if (supports <= 6 && inner > 0.0) || radius < 1e-4 * distance {
            self.stats[5] += 1;
            self.stats[6] += supports as u64;
            self.enumerate(origin, cell, level + 1, first, cap.min(cell.most + radius));
        } else {
            for i in 0..4 { self.narrow(origin, cell.quarter(i), level + 1); }
        }
    }

    fn enumerate(&mut self, origin: Point, cell: Cell, level: usize, first: usize, largest: f64) {
        let list = std::mem::take(&mut self.lists[level]);
        let order = std::mem::take(&mut self.order);
        let s = &order[first..];
        let half = cell.half * (1.0 + 1e-6);
        let limit = largest * largest * SAFE;
        let mut done: Vec<Vec<u32>> = vec![];
        for a in 0..s.len() {
            let i = s[a].1 as usize;
            for b in 0..a {
                let j = s[b].1 as usize;
                let (ux, uy) = (list.x[j] - list.x[i], list.y[j] - list.y[i]);
                let uu = ux * ux + uy * uy;
                if uu > 4.0 * limit { continue; }
                let (cx, cy) = (list.x[i] + ux / 2.0, list.y[i] + uy / 2.0);
                if (cx - cell.x).abs() <= half && (cy - cell.y).abs() <= half {
                    self.check(origin, &list, [i, j, j], cx, cy, uu / 4.0, &mut done);
                }
                for c in 0..b {
                    let l = s[c].1 as usize;
                    let (vx, vy) = (list.x[l] - list.x[i], list.y[l] - list.y[i]);
                    let vv = vx * vx + vy * vy;
                    let dot = ux * vx + uy * vy;
                    let slack = 1e-9 * (uu + vv);
                    if dot < -slack || uu - dot < -slack || vv - dot < -slack { continue; }
                    let cross = 2.0 * (ux * vy - uy * vx);
                    let (px, py) = ((vy * uu - uy * vv) / cross, (ux * vv - vx * uu) / cross);
                    let rr = px * px + py * py;
                    let (cx, cy) = (list.x[i] + px, list.y[i] + py);
                    if rr <= limit && (cx - cell.x).abs() <= half && (cy - cell.y).abs() <= half {
                        self.check(origin, &list, [i, j, l], cx, cy, rr, &mut done);
                    }
                }
            }
        }
        self.order = order;
        self.lists[level] = list;
    }

    #[allow(clippy::too_many_arguments)]
    fn check(&mut self, _origin: Point, list: &List, support: [usize; 3], cx: f64, cy: f64, rr: f64, done: &mut Vec<Vec<u32>>) {
        self.stats[7] += 1;
        let names = support.map(|i| list.name[i]);
        if names[1] != names[2] && done.iter().any(|d| names.iter().all(|n| d.contains(n))) { return; }
        let tol = 1e-9 * rr;
        let mut units = 0.0;
        let mut unclear = 0;
        let mut best = 0.0f64;
        for i in 0..list.len() {
            let (dx, dy) = (list.x[i] - cx, list.y[i] - cy);
            let v = dx * dx + dy * dy - rr;
            if v <= tol {
                units += list.w[i];
                unclear += usize::from(v >= -tol);
                best = best.max(list.u[i]);
            }
        }
        if units < self.k as f64 || rr > best * best * SAFE { return; }
        self.stats[11] += 1;
        let live = (0..list.len()).filter(|&i| {
            let (dx, dy) = (list.x[i] - cx, list.y[i] - cy);
            dx * dx + dy * dy - rr <= tol
        }).map(|i| self.answers.bound(list.name[i] as usize)).fold(0.0, f64::max);
        if rr > live * live * SAFE { return; }
        self.stats[8] += 1;
        let tree = self.tree;
        let [p, q, r] = names.map(|n| tree.points()[n as usize]);
        let (exact, count) = if names[1] == names[2] { (Support::Two(p, q), 2) } else { (Support::Three(p, q, r), 3) };
        let mut out: Vec<u32> = vec![];
        if unclear > count {
            self.stats[9] += 1;
            let mut on = vec![];
            for i in 0..list.len() {
                let (dx, dy) = (list.x[i] - cx, list.y[i] - cy);
                let v = dx * dx + dy * dy - rr;
                if v.abs() <= tol {
                    match side(tree.grain(), &exact, tree.points()[list.name[i] as usize]) {
                        Ordering::Greater => out.push(list.name[i]),
                        Ordering::Equal => on.push(list.name[i]),
                        Ordering::Less => {}
                    }
                }
            }
            done.push(on);
        }
        let members = || (0..list.len()).filter(|&i| {
            let (dx, dy) = (list.x[i] - cx, list.y[i] - cy);
            dx * dx + dy * dy - rr <= tol
        }).map(|i| list.name[i]).filter(|n| out.is_empty() || !out.contains(n));
        let units: u64 = members().map(|n| tree.weights()[n as usize]).sum();
        if units < self.k { return; }
        let (center, radius) = rounded(tree.grain(), &exact);
        self.stats[10] += 1;
        self.answers.offer(&Found { disc: Disc { center, radius, units }, support: names }, members());
    }
}
