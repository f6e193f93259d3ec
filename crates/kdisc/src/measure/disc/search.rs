//! Branch and bound over the centres of discs.
//!
//! Let f(x) be the distance of the k-th nearest unit from the place x: the radius of the smallest
//! disc centred there. It changes by no more than the step between two places. A disc centred in
//! a square is of use only if it holds a location whose bound it does not exceed; so a square is
//! left out when f on it is larger than the bounds of all locations within f of it. What remains
//! is divided, until so few locations can lie on the circle that all circles through two or three
//! of them are looked at.
//!
//! Why that finds every answer (δ = ∞): let D be a smallest disc for the location s, with centre x
//! and radius r. Then f(x) = r, else D could shrink towards s. If s is inside, D is a local
//! minimum of f, and so held by two diametral units or by three whose triangle holds x. If s is
//! on the circle, it is one of the two or three that hold D. Either way x lies in a square that
//! is never left out, as r is at most the bound of s, and its circle is among those looked at.
//!
//! Cost: about O(k) cells of O(k) places each per location on even data.

use pulp::Simd;

use super::bounds::UpperBounds;
use super::list::{Cell, LANES, List, MARGIN};
use super::pencil::{Pencils, Range};
use super::square::{Frame, SAFE, Square};
use crate::index::{Bounds, Nearest, Surroundings, Tree};

/// Squares are listed once their radius is no more than this many times f.
const WIDE: f64 = 2.0;
/// Discs smaller than this, relative to the scale of a block, want a block of their own: rounding
/// could blur them.
const FINE: f64 = 1e-4;
/// So few locations on a circle are cheaper to try than to part.
const FEW: f64 = 8.0;
/// Cells this small relative to f hold locations on one and the same circle: no use parting them.
const SMALL: f64 = 1e-9;

/// What is asked of the discs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub k: u64,
    /// The centre is at most this far from the location.
    pub delta: f64,
}

/// A part of the plane that is looked at closely.
pub(crate) struct Part {
    /// The cell, with room for rounding.
    pub bounds: Bounds,
}

/// What is done with circles.
pub(crate) trait Circles {
    /// A new part, with a list of all locations that its discs can hold; those that can lie on
    /// the circles are marked in it.
    fn start(&mut self, list: &List, part: &Part);

    /// A circle through these places of the list, the last two being equal when it is diametral,
    /// may be a disc with its centre in the part.
    fn check(&mut self, list: &List, part: &Part, places: [u32; 3]);
}

pub(crate) struct Search<'a, C> {
    tree: &'a Tree,
    question: Question,
    bounds: &'a UpperBounds,
    /// The largest bound under each node of the tree.
    maxima: &'a [f64],
    circles: C,
    nearest: Nearest,
    around: Surroundings,
    pencils: Pencils,
    lists: Vec<List>,
    frame: Frame,
    squares: Vec<Square>,
    /// Cells to look at, with the index of their list.
    cells: Vec<(Cell, usize)>,
    nodes: Vec<u32>,
}

impl<'a, C: Circles> Search<'a, C> {
    pub fn new(
        tree: &'a Tree,
        question: Question,
        bounds: &'a UpperBounds,
        maxima: &'a [f64],
        circles: C,
    ) -> Self {
        Self {
            tree,
            question,
            bounds,
            maxima,
            circles,
            nearest: Nearest::default(),
            around: Surroundings::default(),
            pencils: Pencils::default(),
            lists: vec![List::default()],
            frame: Frame::default(),
            squares: Vec::new(),
            cells: Vec::new(),
            nodes: Vec::new(),
        }
    }

    /// Looks at all useful discs with their centre in the square.
    pub fn run(&mut self, square: Square) {
        pulp::Arch::new().dispatch(Run(self, square));
    }

    #[inline(always)]
    fn run_on<S: Simd>(&mut self, simd: S, square: Square) {
        self.squares.push(square);
        while let Some(square) = self.squares.pop() {
            self.wide(square);
            while let Some((cell, list)) = self.cells.pop() {
                self.narrow(simd, cell, list);
            }
        }
    }

    /// Divides a square, or lists what is within its reach.
    #[inline(always)]
    fn wide(&mut self, square: Square) {
        let cap = self.cap(&square);
        if cap == 0.0 {
            return;
        }
        let radius = square.radius();
        let bound = square.most.min(cap + radius) * SAFE;
        let near = self
            .nearest
            .find(self.tree, square.middle, self.question.k, bound * bound);
        let mut units = 0;
        let Some(kth) = near.iter().find(|n| {
            units += self.tree.weights()[n.location as usize];
            units >= self.question.k
        }) else {
            return;
        };
        let distance = kth.squared.sqrt();
        let inside = distance.min(self.question.delta / SAFE);
        for n in near {
            if n.squared <= inside * inside {
                self.bounds.lower(n.location as usize, distance * SAFE);
            }
        }
        let square = Square {
            most: distance * SAFE,
            ..square
        };
        if (radius > WIDE * distance || radius > cap / FINE) && !square.is_atom() {
            self.squares.extend(square.quarters());
            return;
        }
        self.frame = Frame {
            origin: square.middle,
            scale: radius,
        };
        self.collect(cap.min(square.most + radius) + radius);
        let cell = Cell {
            x: 0.0,
            y: 0.0,
            half: square.half / radius,
            most: square.most / radius + MARGIN,
        };
        self.cells.push((cell, 0));
    }

    /// The largest bound among locations that a disc centred in the square can hold and serve.
    #[inline(always)]
    fn cap(&mut self, square: &Square) -> f64 {
        let bounds = square.bounds();
        let near = (square.most + square.radius()).min(self.question.delta);
        let mut cap = 0.0f64;
        self.nodes.clear();
        self.nodes.push(1);
        while let Some(node) = self.nodes.pop() {
            let largest = self.maxima[node as usize];
            let reach = largest.min(near) * SAFE;
            let gap = self.tree.bounds(node as usize).squared_gap(&bounds);
            if largest <= cap || gap > reach * reach {
                continue;
            }
            if !self.tree.is_leaf(node as usize) {
                self.nodes.extend([2 * node, 2 * node + 1]);
                continue;
            }
            for location in self.tree.run(node as usize) {
                let bound = self.bounds.of(location);
                let reach = bound.min(near) * SAFE;
                let gap = Bounds::at(self.tree.points()[location]).squared_gap(&bounds);
                if bound > cap && gap <= reach * reach {
                    cap = bound;
                }
            }
        }
        cap
    }

    /// Lists what is within `reach` of the origin.
    #[inline(always)]
    fn collect(&mut self, reach: f64) {
        let Frame { origin, scale } = self.frame;
        self.around.collect(self.tree, &Bounds::at(origin), reach);
        let limit = reach * reach * SAFE;
        let shrink = 1.0 / scale;
        let list = &mut self.lists[0];
        list.clear();
        for (i, &location) in self.around.location.iter().enumerate() {
            let (dx, dy) = (self.around.x[i] - origin.x, self.around.y[i] - origin.y);
            if dx * dx + dy * dy <= limit {
                let bound = self.bounds.of(location as usize) * shrink + MARGIN;
                list.push(
                    dx * shrink,
                    dy * shrink,
                    bound,
                    self.around.weight[i],
                    location,
                );
            }
        }
    }

    /// Looks into a cell, given a list of what is within its reach, and divides it or tries the
    /// circles.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, mut cell: Cell, mut index: usize) {
        let scale = self.frame.scale;
        let shrink = 1.0 / scale;
        let delta = self.question.delta * shrink;
        let k = self.question.k as f64;
        let probe = self.lists[index].probe(simd, &cell, cell.limit().min(delta));
        if probe.units < k {
            return;
        }
        if probe.places + LANES as f64 <= self.lists[index].lanes() as f64 {
            if index + 1 == self.lists.len() {
                self.lists.push(List::default());
            }
            let (lists, shorter) = self.lists.split_at_mut(index + 1);
            shorter[0].take_near(&lists[index], probe.reach, |location| {
                self.bounds.of(location as usize) * shrink + MARGIN
            });
            index += 1;
        }
        let list = &mut self.lists[index];
        let distance = list.kth_distance(simd, &cell, probe.reach, probe.units, k);
        cell.most = cell.most.min(distance + MARGIN);
        let inside = distance.min(delta - MARGIN).max(0.0);
        let lowered = list.lower(simd, &cell, inside, cell.most + MARGIN, |location| {
            self.bounds
                .lower(location as usize, (cell.most + MARGIN) * scale);
        });
        let mut reach = probe.reach.min(cell.limit());
        if lowered {
            reach = list.probe(simd, &cell, cell.limit().min(delta)).reach;
        }
        let least = distance - cell.radius();
        let (units, supports) = list.count_supports(simd, &cell, reach, least);
        if units < k {
            return;
        }
        if reach < FINE {
            let square = self.frame.square(&cell);
            if !square.is_atom() {
                self.squares.push(square);
                return;
            }
        }
        if supports > FEW && cell.radius() > SMALL * distance + 4.0 * MARGIN {
            self.cells
                .extend(cell.quarters().map(|quarter| (quarter, index)));
            return;
        }
        let list = &self.lists[index];
        let part = Part {
            bounds: self.frame.square(&cell).bounds(),
        };
        self.circles.start(list, &part);
        let range = Range { least, reach, k };
        self.pencils.search(simd, list, &cell, &range, |places| {
            self.circles.check(list, &part, places);
        });
    }
}

struct Run<'a, 'b, C>(&'a mut Search<'b, C>, Square);

impl<C: Circles> pulp::WithSimd for Run<'_, '_, C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run_on(simd, self.1);
    }
}
