//! Branch and bound over the centres of discs.

use super::answers::Answers;
use super::candidates::Candidates;
use super::list::{Cell, ENOUGH, LANES, List, MARGIN};
use crate::Point;
use crate::index::{Bounds, Nearest, Surroundings, Tree};

/// Room for double precision.
const SAFE: f64 = 1.0 + 1e-9;
/// Supports that are cheaper to try than to part.
const FEW: usize = 6;
/// Cells this small relative to their discs are not divided further.
const SMALL: f32 = 1e-3;

/// A square of the plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Square {
    pub middle: Point,
    pub half: f64,
    /// At least the distance of the k-th unit from the middle.
    most: f64,
}

impl Square {
    pub fn new(middle: Point, half: f64, most: f64) -> Self {
        Self { middle, half, most }
    }

    pub fn around(bounds: &Bounds) -> Self {
        let (width, height) = (bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y);
        Self {
            middle: Point::new(bounds.low.x + width / 2.0, bounds.low.y + height / 2.0),
            half: width.max(height) / 2.0 * SAFE,
            most: f64::INFINITY,
        }
    }

    fn radius(&self) -> f64 {
        self.half * (std::f64::consts::SQRT_2 * SAFE)
    }

    pub fn bounds(&self) -> Bounds {
        let Point { x, y } = self.middle;
        Bounds {
            low: Point::new(x - self.half, y - self.half),
            high: Point::new(x + self.half, y + self.half),
        }
    }

    pub fn quarters(&self) -> [Self; 4] {
        let half = self.half / 2.0;
        [(-half, -half), (half, -half), (-half, half), (half, half)].map(|(dx, dy)| {
            let quarter = Self {
                middle: Point::new(self.middle.x + dx, self.middle.y + dy),
                half,
                most: self.most,
            };
            Self {
                most: self.most + quarter.radius(),
                ..quarter
            }
        })
    }
}

pub(crate) struct Search<'a> {
    tree: &'a Tree,
    k: u64,
    delta: f64,
    answers: &'a Answers<'a>,
    /// The largest bound under each node of the tree.
    reach: &'a [f64],
    nearest: Nearest,
    around: Surroundings,
    lists: Vec<List>,
    stack: Vec<u32>,
    order: Order,
    candidates: Candidates<'a>,
    pub stats: [u64; 12],
}

impl<'a> Search<'a> {
    pub fn new(
        tree: &'a Tree,
        k: u64,
        delta: f64,
        answers: &'a Answers<'a>,
        reach: &'a [f64],
    ) -> Self {
        Self {
            tree,
            k,
            delta,
            answers,
            reach,
            nearest: Nearest::default(),
            around: Surroundings::default(),
            lists: vec![List::default(); 256],
            stack: Vec::new(),
            order: Order::default(),
            candidates: Candidates::new(tree, k, delta, answers),
            stats: [0; 12],
        }
    }

    /// Offers all useful discs with their centre in the square.
    pub fn wide(&mut self, square: Square, level: usize) {
        self.stats[0] += 1;
        let cap = self.cap(&square);
        if cap == 0.0 {
            return;
        }
        let radius = square.radius();
        let bound = square.most.min(cap + radius) * SAFE;
        let near = self.nearest.find(self.tree, square.middle, self.k, bound * bound);
        let mut units = 0;
        let Some(kth) = near.iter().find(|n| {
            units += self.tree.weights()[n.location as usize];
            units >= self.k
        }) else {
            return;
        };
        let distance = kth.squared.sqrt();
        for n in near {
            if n.squared <= kth.squared.min(self.delta * self.delta) {
                self.answers.lower_bound(n.location as usize, distance * SAFE);
            }
        }
        let square = Square {
            most: distance * SAFE,
            ..square
        };
        if radius > WIDE * distance {
            for quarter in square.quarters() {
                self.wide(quarter, level);
            }
            return;
        }
        let reach = cap.min(square.most + radius) + radius;
        self.collect(square.middle, reach, radius, level);
        let scale = 1.0 / radius;
        let cell = Cell {
            x: 0.0,
            y: 0.0,
            half: (square.half * scale) as f32,
            most: (square.most * scale) as f32 + MARGIN,
        };
        self.candidates.start(square.middle, radius);
        for quarter in cell.quarters() {
            self.narrow(quarter, level);
        }
    }

    /// The largest bound among locations that a disc centred in the square can hold and serve.
    #[inline(always)]
    fn cap(&mut self, square: &Square) -> f64 {
        let bounds = square.bounds();
        let near = (square.most + square.radius()).min(self.delta);
        let mut cap = 0.0f64;
        self.stack.clear();
        self.stack.push(1);
        while let Some(node) = self.stack.pop() {
            let node = node as usize;
            let largest = self.reach[node];
            let reach = largest.min(near);
            if largest <= cap || self.tree.bounds(node).squared_gap(&bounds) > reach * reach * SAFE {
                continue;
            }
            if self.tree.is_leaf(node) {
                for location in self.tree.run(node) {
                    let bound = self.answers.bound(location);
                    let reach = bound.min(near);
                    let place = Bounds::at(self.tree.points()[location]);
                    if bound > cap && place.squared_gap(&bounds) <= reach * reach * SAFE {
                        cap = bound;
                    }
                }
            } else {
                self.stack.extend([2 * node as u32, 2 * node as u32 + 1]);
            }
        }
        cap
    }

    /// Lists what is within `reach` of the origin, in units of `scale`.
    #[inline(always)]
    fn collect(&mut self, origin: Point, reach: f64, scale: f64, level: usize) {
        self.around.collect(self.tree, &Bounds::at(origin), reach);
        let limit = reach * reach * SAFE;
        let shrink = 1.0 / scale;
        let list = &mut self.lists[level];
        list.clear();
        for (i, &location) in self.around.location.iter().enumerate() {
            let (dx, dy) = (self.around.x[i] - origin.x, self.around.y[i] - origin.y);
            if dx * dx + dy * dy <= limit {
                let bound = self.answers.bound(location as usize) * shrink;
                let weight = self.tree.weights()[location as usize].min(ENOUGH) as u32;
                list.push(
                    (dx * shrink) as f32,
                    (dy * shrink) as f32,
                    bound as f32 + MARGIN,
                    weight,
                    location,
                );
            }
        }
        self.stats[1] += 1;
        self.stats[2] += list.len() as u64;
    }

    /// Offers all useful discs with their centre in the cell, given the list of its parent.
    fn narrow(&mut self, mut cell: Cell, level: usize) {
        self.stats[3] += 1;
        let scale = self.candidates.scale();
        let shrink = 1.0 / scale;
        let delta = (self.delta * shrink) as f32;
        let need = self.k.min(ENOUGH) as u32;
        let list = &self.lists[level];
        let cap = list.cap(&cell, cell.limit().min(delta));
        let reach = cap.min(cell.limit());
        if list.units(&cell, reach) < need {
            return;
        }
        self.stats[4] += 1;
        let (parents, children) = self.lists.split_at_mut(level + 1);
        let child = &mut children[0];
        child.take_near(&parents[level], &cell, reach);
        let distance = self.order.kth_distance(child, &cell, need);
        if self.k <= ENOUGH {
            cell.most = cell.most.min(distance + MARGIN);
        }
        let inside = distance.min(delta - MARGIN);
        let inside = if inside > 0.0 { inside * inside } else { -1.0 };
        for chunk in child.chunks_mut() {
            for l in 0..LANES {
                let location = chunk.location[l] as usize;
                let live = (self.answers.bound(location) * shrink) as f32 + MARGIN;
                chunk.bound[l] = chunk.bound[l].min(live);
                if chunk.bound[l] > cell.most + MARGIN && chunk.squared_distance(l, &cell) <= inside {
                    chunk.bound[l] = cell.most + MARGIN;
                    self.answers.lower_bound(location, f64::from(cell.most) * SAFE * scale);
                }
            }
        }
        let cap = child.cap(&cell, cell.limit().min(delta));
        let reach = cap.min(cell.limit());
        if child.units(&cell, reach) < need {
            return;
        }
        if distance < DENSE {
            let state = self.candidates.state();
            self.wide(self.candidates.square(&cell), level + 1);
            self.candidates.restore(state);
            return;
        }
        let least = distance - cell.radius() - MARGIN;
        let least = if least > 0.0 { least * least } else { 0.0 };
        let mut supports = [0u32; LANES];
        let mut count = 0;
        for (c, chunk) in child.chunks().iter().enumerate() {
            for l in 0..LANES {
                if chunk.squared_span(l, &cell) >= least && c * LANES + l < child.len() {
                    if count < LANES { supports[count] = (c * LANES + l) as u32; }
                    count += 1;
                }
            }
        }
        if count <= FEW || cell.radius() < SMALL * distance {
            self.stats[5] += 1;
            self.stats[6] += count as u64;
            self.candidates.offer(&self.lists[level + 1], &cell, least, reach, &mut self.stats);
        } else {
            for quarter in cell.quarters() {
                self.narrow(quarter, level + 1);
            }
        }
    }
}

/// Distances from the middle of a cell, to find the k-th unit's.
#[derive(Default)]
struct Order(Vec<(f32, u32)>);

impl Order {
    #[inline(always)]
    fn kth_distance(&mut self, list: &List, cell: &Cell, need: u32) -> f32 {
        let order = &mut self.0;
        order.clear();
        let mut units = 0;
        let mut heaviest = 0;
        for chunk in list.chunks() {
            let mut d = [0.0; LANES];
            for l in 0..LANES { d[l] = chunk.squared_distance(l, cell); }
            for l in 0..LANES {
                if chunk.weight[l] > 0 {
                    order.push((d[l], chunk.weight[l]));
                    units += chunk.weight[l];
                    heaviest = heaviest.max(chunk.weight[l]);
                }
            }
        }
        if units - need > 12 {
            if heaviest == 1 {
                let (_, kth, _) = order.select_nth_unstable_by(need as usize - 1, |a, b| a.0.total_cmp(&b.0));
                return kth.0.sqrt();
            }
            order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut sum = 0;
            let kth = order.iter().find(|o| { sum += o.1; sum >= need });
            return kth.map_or(f32::INFINITY, |o| o.0.sqrt());
        }
        loop {
            let mut far = 0;
            for i in 1..order.len() {
                if order[i].0 > order[far].0 { far = i; }
            }
            let (squared, weight) = order[far];
            if units - weight < need { return squared.sqrt(); }
            units -= weight;
            order.swap_remove(far);
        }
    }
}

/// Squares are listed once they are no larger than this, relative to the k-th distance.
const WIDE: f64 = 2.0;
/// Where the k-th unit is nearer than this, in units of the scale, single precision gets thin.
const DENSE: f32 = 0.05;
