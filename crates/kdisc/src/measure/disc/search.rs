//! Branch and bound over the centres of discs.

use pulp::Simd;

use super::answers::Answers;
use super::candidates::Candidates;
use super::list::{Cell, HEAVY, LANES, List, MARGIN};
use crate::Point;
use crate::index::{Bounds, Nearest, Surroundings, Tree};

/// Room for double precision.
const SAFE: f64 = 1.0 + 1e-9;
/// Supports that are cheaper to try than to part.
const FEW: f32 = 6.0;
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
    squares: Vec<Square>,
    cells: Vec<(Cell, u32)>,
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
            lists: vec![List::default(); 32],
            stack: Vec::new(),
            squares: Vec::new(),
            cells: Vec::new(),
            candidates: Candidates::new(tree, k, delta, answers),
            stats: [0; 12],
        }
    }

    /// Offers all useful discs with their centre in the square.
    #[inline(always)]
    pub fn run<S: Simd>(&mut self, simd: S, square: Square) {
        self.squares.push(square);
        while let Some(square) = self.squares.pop() {
            self.wide(square);
            while let Some((cell, level)) = self.cells.pop() {
                self.narrow(simd, cell, level as usize);
            }
        }
    }

    /// Divides a square, or lists what is within its reach.
    #[inline(always)]
    fn wide(&mut self, square: Square) {
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
            self.squares.extend(square.quarters());
            return;
        }
        let reach = cap.min(square.most + radius) + radius;
        self.collect(square.middle, reach, radius);
        let scale = 1.0 / radius;
        let cell = Cell {
            x: 0.0,
            y: 0.0,
            half: (square.half * scale) as f32,
            most: (square.most * scale) as f32 + MARGIN,
        };
        self.candidates.start(square.middle, radius);
        self.cells.extend(cell.quarters().map(|quarter| (quarter, 0)));
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
    fn collect(&mut self, origin: Point, reach: f64, scale: f64) {
        self.around.collect(self.tree, &Bounds::at(origin), reach);
        let limit = reach * reach * SAFE;
        let shrink = 1.0 / scale;
        let list = &mut self.lists[0];
        list.clear();
        for (i, &location) in self.around.location.iter().enumerate() {
            let (dx, dy) = (self.around.x[i] - origin.x, self.around.y[i] - origin.y);
            if dx * dx + dy * dy <= limit {
                let bound = self.answers.bound(location as usize) * shrink;
                let weight = self.tree.weights()[location as usize].min(HEAVY) as f32;
                list.push(
                    (dx * shrink) as f32,
                    (dy * shrink) as f32,
                    bound as f32 + MARGIN,
                    weight,
                    location,
                );
            }
        }
        list.fill_up();
        self.stats[1] += 1;
        self.stats[2] += list.len() as u64;
    }

    /// Looks into a cell, given the list of what is within its reach, and divides it or offers
    /// its discs.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, mut cell: Cell, mut level: usize) {
        self.stats[3] += 1;
        let scale = self.candidates.scale();
        let shrink = 1.0 / scale;
        let delta = (self.delta * shrink) as f32;
        let k = self.k.min(HEAVY) as f32;
        let probe = self.lists[level].probe(simd, &cell, cell.limit().min(delta));
        if probe.units < k {
            return;
        }
        self.stats[4] += 1;
        if self.lists[level].len() > LANES {
            let (parents, children) = self.lists.split_at_mut(level + 1);
            let answers = self.answers;
            children[0].take_near(&parents[level], probe.reach, |location| {
                (answers.bound(location as usize) * shrink) as f32 + MARGIN
            });
            level += 1;
        }
        let list = &mut self.lists[level];
        let distance = list.kth_distance(simd, &cell, probe.reach, probe.units, k);
        if self.k <= HEAVY {
            cell.most = cell.most.min(distance + MARGIN);
            let bound = cell.most + MARGIN;
            let answers = self.answers;
            list.lower(simd, &cell, distance.min(delta - MARGIN).max(0.0), bound, |location| {
                answers.lower_bound(location as usize, f64::from(bound) * scale);
            });
        }
        let probe = list.probe(simd, &cell, cell.limit().min(delta));
        if probe.units < k {
            return;
        }
        if distance < DENSE {
            self.squares.push(self.candidates.square(&cell));
            return;
        }
        let least = distance - cell.radius();
        let supports = list.supports(simd, &cell, probe.reach, least);
        if supports <= FEW || cell.radius() < SMALL * distance {
            self.stats[5] += 1;
            self.stats[6] += supports as u64;
            self.candidates.offer(simd, list, &cell, probe.reach, least, &mut self.stats);
        } else {
            self.cells.extend(cell.quarters().map(|quarter| (quarter, level as u32)));
        }
    }
}

/// Squares are listed once they are no larger than this, relative to the k-th distance.
const WIDE: f64 = 2.0;
/// Where the k-th unit is nearer than this, in units of the scale, single precision gets thin.
const DENSE: f32 = 0.05;
