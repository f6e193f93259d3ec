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
//! on the circle, it may be one of the two or three that hold D: if all on the circle, s among
//! them, lay on one side of a line through x, a step to that side would bring all of them nearer,
//! and D could shrink. Either way x lies in a square that is never left out, as r is at most the
//! bound of s, and its circle is among those looked at. And so a square is also left out when all
//! that can lie on the circles is on one side of it: without that, the search would follow the
//! bisector of two clusters down to their size.
//!
//! Cost: about O(k) cells of O(k) places each per location on even data.

use pulp::Simd;

use super::blocks::{Block, Blocks, FINE, Question};
use super::bounds::UpperBounds;
use super::cell::{Cell, MARGIN};
use super::list::{LANES, List};
use super::pencil::Pencils;
use super::quick::Quick;
use super::square::Frame;
use super::supports::{Range, Supports};
use crate::Point;
use crate::index::{Bounds, Tree};

/// Cells this large relative to f are divided without a closer look.
const BROAD: f64 = 0.5;
/// Cells this small relative to f tell by bisectors which places can lie on a circle.
const NARROW: f64 = 0.03;
/// With more places than this on its circles, a narrow cell is told apart.
const SOME: usize = 8;
/// With more places than this, dividing is quicker.
const CROWD: usize = 1024;
/// Cells this small relative to f are not divided: what is on their circles mostly is on one and
/// the same circle, or in clusters.
const SMALL: f64 = 1e-6;

/// Discs at finite δ are tied if their radii differ by less than 1e-12, relatively. One that can
/// shrink all along a step of this length, relative to its radius, shrinks by more than that: it is
/// not tied with the smallest, whatever cells it was looked for in.
const STEP: f64 = 2e-6;

/// A part of the plane that is looked at closely.
pub(crate) struct Part {
    /// The cell, with room for rounding.
    pub bounds: Bounds,
}

/// What is done with circles.
pub(crate) trait Circles {
    /// With more places than this on its circles, a cell is divided; at most [`super::quick::MOST`].
    const FEW: usize;

    /// A new part, with a list of all locations that its discs can hold, and those places of it
    /// that can lie on the circles.
    fn start(&mut self, _list: &List, _part: &Part, _supports: &[u32]) {}

    /// A circle through these places of the list, the last two being equal when it is diametral,
    /// may be a disc with its centre in the part.
    fn check<S: Simd>(&mut self, simd: S, list: &List, part: &Part, places: [u32; 3]);

    /// All parts of a task have been looked at.
    fn finish(&mut self) {}
}

pub(crate) struct Search<'a, C> {
    question: Question,
    bounds: &'a UpperBounds,
    blocks: Blocks<'a>,
    circles: C,
    supports: Supports,
    pencils: Pencils,
    quick: Quick,
    /// What can lie on circles in and round a cell, δ < ∞.
    around: Supports,
    /// Locations that have their discs' centres no farther, δ < ∞.
    anchors: Vec<Point>,
    lists: Vec<List>,
    /// Cells to look at, with the index of their list.
    cells: Vec<(Cell, usize)>,
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
            question,
            bounds,
            blocks: Blocks::new(tree, question, true, bounds, maxima),
            circles,
            supports: Supports::default(),
            pencils: Pencils::default(),
            quick: Quick::default(),
            around: Supports::default(),
            anchors: Vec::new(),
            lists: vec![List::default()],
            cells: Vec::new(),
        }
    }

    /// Looks at all useful discs with their centre in the blocks.
    pub fn run(&mut self, blocks: Vec<Block>) {
        pulp::Arch::new().dispatch(Run(self, blocks));
    }

    /// The list for [`Search::run_listed`].
    pub fn list(&mut self) -> &mut List {
        &mut self.lists[0]
    }

    /// Looks at all useful discs with their centre in the cell, given a frame and a list of all
    /// that these discs can hold. None is much smaller than the scale of the frame.
    pub fn run_listed(&mut self, frame: Frame, cell: Cell) {
        self.blocks.frame = frame;
        self.cells.push((cell, 0));
        pulp::Arch::new().dispatch(Run(self, Vec::new()));
    }

    #[inline(always)]
    fn run_on<S: Simd>(&mut self, simd: S, blocks: Vec<Block>) {
        self.narrow_all(simd);
        // What is too fine for the frame.
        self.blocks.clear();
        for block in blocks {
            self.blocks.push(block);
        }
        while let Some((_, cell)) = self.blocks.next(&mut self.lists[0]) {
            self.cells.push((cell, 0));
            self.narrow_all(simd);
        }
        self.circles.finish();
    }

    #[inline(always)]
    fn narrow_all<S: Simd>(&mut self, simd: S) {
        while let Some((cell, list)) = self.cells.pop() {
            self.narrow(simd, cell, list);
        }
    }

    /// Looks into a cell, given a list of what is within its reach, and divides it or tries the
    /// circles.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, mut cell: Cell, mut index: usize) {
        let scale = self.blocks.frame.scale;
        let shrink = 1.0 / scale;
        let delta = self.question.delta * shrink;
        let k = self.question.k as f64;
        let probe = self.lists[index].probe(simd, &cell, cell.limit().min(delta));
        if probe.units < k {
            return;
        }
        if probe.places + LANES <= self.lists[index].lanes() {
            if index + 1 == self.lists.len() {
                self.lists.push(List::default());
            }
            let (lists, shorter) = self.lists.split_at_mut(index + 1);
            shorter[0].take_near(simd, &lists[index], probe.reach, |location| {
                self.bounds.of(location as usize) * shrink + MARGIN
            });
            index += 1;
        }
        if cell.radius() > BROAD * cell.most {
            self.divide(&cell, index);
            return;
        }
        let list = &mut self.lists[index];
        let [low, high] = list.kth_distance(simd, &cell, probe.reach, k);
        cell.most = cell.most.min(high + MARGIN);
        let distance = high.min(cell.most);
        let inside = distance.min(delta - MARGIN).max(0.0);
        let bound = cell.most + MARGIN;
        let lowered = probe.reach > bound
            && list.lower(simd, inside, bound, |location| {
                self.bounds.lower(location as usize, bound * scale);
            });
        let mut reach = probe.reach.min(cell.limit());
        if lowered {
            reach = list.probe(simd, &cell, cell.limit().min(delta)).reach;
        }
        let least = low - cell.radius();
        let mut rim = list.count_supports(simd, &cell, reach, least);
        if rim.units < k {
            return;
        }
        if reach < FINE {
            let square = self.blocks.frame.square(&cell);
            if !square.is_atom() {
                self.blocks.push(square);
                return;
            }
        }
        let divisible = cell.radius() > SMALL * distance + 4.0 * MARGIN;
        let crowded = rim.count > C::FEW;
        let told_apart = cell.radius() <= NARROW * distance && rim.count <= CROWD;
        if crowded && divisible && !told_apart {
            self.divide(&cell, index);
            return;
        }
        self.supports.collect(list, &cell);
        if rim.count > SOME && (told_apart || !divisible) {
            self.supports.sift(simd, list, &cell, &mut rim.inside, k);
            self.supports.collect(list, &cell);
            if self.supports.count() > SOME && self.is_aside(simd, &cell, index, [least, reach]) {
                return;
            }
        }
        if divisible && self.supports.count() > C::FEW {
            self.divide(&cell, index);
            return;
        }
        let range = Range {
            reach,
            least,
            k,
            inside: rim.inside,
        };
        if !self.try_circles(simd, &cell, index, &range, divisible) {
            self.divide(&cell, index);
        }
    }

    /// Whether all that can lie on the circles in the cell, from the least to the largest, lies on
    /// one side of it.
    fn is_aside<S: Simd>(
        &mut self,
        simd: S,
        cell: &Cell,
        index: usize,
        [least, most]: [f64; 2],
    ) -> bool {
        if self.question.delta == f64::INFINITY {
            return self.supports.lie_aside(cell, 0.0, &[]);
        }
        // On the way to that side, no other may come to lie on the circle.
        let (list, step) = (&mut self.lists[index], STEP * most);
        let wide = Cell {
            half: cell.half + step,
            ..*cell
        };
        let least = least - 2.0 * step;
        let mut rim = list.count_supports(simd, &wide, most + 2.0 * step, least);
        self.around.collect(list, &wide);
        let k = self.question.k as f64;
        self.around.sift(simd, list, &wide, &mut rim.inside, k);
        self.around.collect(list, &wide);
        let delta = self.question.delta / self.blocks.frame.scale;
        list.anchors(&wide, delta, least, &mut self.anchors);
        self.around.lie_aside(cell, 2.0 * step, &self.anchors)
    }

    #[inline(always)]
    fn divide(&mut self, cell: &Cell, index: usize) {
        let quarters = cell.quarters();
        self.cells.extend(quarters.map(|quarter| (quarter, index)));
    }

    /// Tries the circles through the supports with their centre in a cell, unless there are so many
    /// that it is better divided, if it can be.
    #[inline(always)]
    fn try_circles<S: Simd>(
        &mut self,
        simd: S,
        cell: &Cell,
        index: usize,
        range: &Range,
        divisible: bool,
    ) -> bool {
        let list = &self.lists[index];
        let supports = &self.supports;
        let found = if divisible {
            let Some(found) = self.quick.search(simd, supports, cell, range) else {
                return false;
            };
            found
        } else {
            self.pencils.search(simd, supports, cell, range)
        };
        let part = Part {
            bounds: self.blocks.frame.square(cell).bounds(),
        };
        self.circles.start(list, &part, &supports.index);
        for places in found {
            let places = places.map(|place| supports.index[place as usize]);
            self.circles.check(simd, list, &part, places);
        }
        true
    }
}

struct Run<'a, 'b, C>(&'a mut Search<'b, C>, Vec<Block>);

impl<C: Circles> pulp::WithSimd for Run<'_, '_, C> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run_on(simd, self.1);
    }
}
