//! Squares of the plane, each with a list of all locations that matter to discs centred in it.
//!
//! A square is divided until it is not much larger than the discs in it, or left out when no disc
//! in it is of use. How large these are, f at its middle does not tell alone: that of a square with
//! a street along its edge is half its side, however dense the street. The bounds tell as well.

use super::bounds::UpperBounds;
use super::cell::{Cell, MARGIN};
use super::list::{Entry, List};
use super::square::{Frame, SAFE, Square};
use crate::index::{Bounds, Nearest, Tree};

/// Discs smaller than this, relative to the scale of a block, want a block of their own: rounding
/// could blur them.
pub(crate) const FINE: f64 = 1e-4;

/// What is asked of the discs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub k: u64,
    /// The centre is at most this far from the location.
    pub delta: f64,
}

/// The radius of a block is no more than this many times f at its middle. Blocks are large, as one
/// list serves all cells in a block; cells shorten it as they divide.
const WIDE: f64 = 3.0;

/// The radius of a block is no more than this many times that of its largest useful disc. Where all
/// units lie along an edge of it, f at its middle says nothing of the discs there.
const ROOMY: f64 = 6.0;

/// The scale of a block is no less than this part of its discs, however small the square: numbers
/// relative to it stay small.
const NEAR: f64 = 0.25;

/// A square to look at, and the distance of the k-th unit from its middle, if that is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub square: Square,
    pub distance: Option<f64>,
}

impl From<Square> for Block {
    fn from(square: Square) -> Self {
        Self {
            square,
            distance: None,
        }
    }
}

pub(crate) struct Blocks<'a> {
    tree: &'a Tree,
    question: Question,
    /// Whether the list has everything that useful discs can hold; else it has enough to find some
    /// disc from most of the block.
    complete: bool,
    bounds: &'a UpperBounds,
    /// The largest bound under each node of the tree.
    maxima: &'a [f64],
    nearest: Nearest,
    waiting: Vec<Block>,
    nodes: Vec<u32>,
    /// What the list and the cells of the block are relative to.
    pub frame: Frame,
}

impl<'a> Blocks<'a> {
    pub fn new(
        tree: &'a Tree,
        question: Question,
        complete: bool,
        bounds: &'a UpperBounds,
        maxima: &'a [f64],
    ) -> Self {
        Self {
            tree,
            question,
            complete,
            bounds,
            maxima,
            nearest: Nearest::default(),
            waiting: Vec::new(),
            nodes: Vec::new(),
            frame: Frame::default(),
        }
    }

    /// Adds something to look at.
    pub fn push(&mut self, block: impl Into<Block>) {
        self.waiting.push(block.into());
    }

    /// Forgets what was added.
    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// The next block, as it is and as a cell. Fills the list.
    pub fn next(&mut self, list: &mut List) -> Option<(Block, Cell)> {
        while let Some(Block { square, distance }) = self.waiting.pop() {
            let cap = self.cap(&square);
            if cap == 0.0 {
                continue;
            }
            let Some(distance) = distance.or_else(|| self.kth_distance(&square, cap)) else {
                continue;
            };
            let radius = square.radius();
            let most = distance * SAFE;
            if (radius > WIDE * distance || radius > ROOMY * cap) && !square.is_atom() {
                let square = Square { most, ..square };
                self.waiting.extend(square.quarters().map(Block::from));
                continue;
            }
            let scale = radius.max(NEAR * most);
            self.frame = Frame {
                origin: square.middle,
                scale,
            };
            let reach = if self.complete {
                cap.min(most + radius) + radius
            } else {
                most + radius
            };
            self.collect(reach, list);
            let cell = Cell {
                x: 0.0,
                y: 0.0,
                half: square.half / scale,
                most: most / scale + MARGIN,
            };
            let distance = Some(distance);
            return Some((Block { square, distance }, cell));
        }
        None
    }

    /// The distance of the k-th unit from the middle of a square, if discs in it can be of use.
    /// Lowers the bounds of those that are nearer.
    fn kth_distance(&mut self, square: &Square, cap: f64) -> Option<f64> {
        let bound = square.most.min(cap + square.radius()) * SAFE;
        let near = self
            .nearest
            .find(self.tree, square.middle, self.question.k, bound * bound);
        let mut units = 0;
        let kth = near.iter().find(|n| {
            units += self.tree.weights()[n.location as usize];
            units >= self.question.k
        })?;
        let distance = kth.squared.sqrt();
        let inside = distance.min(self.question.delta / SAFE);
        for n in near {
            if n.squared <= inside * inside {
                self.bounds.lower(n.location as usize, distance * SAFE);
            }
        }
        Some(distance)
    }

    /// The largest bound among locations that a disc centred in the square can hold and serve.
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
                let gap = Bounds::at(self.tree.points()[location]).squared_gap(&bounds);
                let reach = bound.min(near) * SAFE;
                if bound > cap && gap <= reach * reach {
                    cap = bound;
                }
            }
        }
        cap
    }

    /// Lists what is within `reach` of the origin.
    fn collect(&mut self, reach: f64, list: &mut List) {
        let Frame { origin, scale } = self.frame;
        let (tree, here) = (self.tree, Bounds::at(origin));
        let limit = reach * reach * SAFE;
        let shrink = 1.0 / scale;
        list.clear(scale);
        self.nodes.clear();
        self.nodes.push(1);
        while let Some(node) = self.nodes.pop() {
            if tree.bounds(node as usize).squared_gap(&here) > limit {
                continue;
            }
            if !tree.is_leaf(node as usize) {
                self.nodes.extend([2 * node + 1, 2 * node]);
                continue;
            }
            for location in tree.run(node as usize) {
                let point = tree.points()[location];
                let (dx, dy) = (point.x - origin.x, point.y - origin.y);
                let place = Entry {
                    x: dx * shrink,
                    y: dy * shrink,
                    bound: self.bounds.of(location) * shrink + MARGIN,
                    weight: tree.weights()[location] as f64,
                    location: location as u32,
                };
                list.push(&place, dx * dx + dy * dy <= limit);
            }
        }
        list.vacate();
    }
}
