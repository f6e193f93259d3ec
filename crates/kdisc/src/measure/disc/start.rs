//! Upper bounds, δ = ∞: f, the distance of the k-th unit, on a grid over every block.
//!
//! Boxes of the tree have given rough ones, which tell how large a block may be. Each point of the
//! grid is the centre of a disc with k units. It bounds what it holds; and with a little more
//! radius, what lies beside it. Then the discs in the hollows of f, and those that lie beside a
//! location, shrink round what they hold. Good bounds are worth much: the search spends its time
//! where f is between the truth and the bound.

use pulp::Simd;

use super::blocks::{Block, Blocks, FINE, Question};
use super::bounds::UpperBounds;
use super::cell::{Cell, MARGIN};
use super::enclosing::enclosing;
use super::grid::{Around, Grid};
use super::lanes;
use super::list::List;
use super::square::Square;
use crate::Point;
use crate::index::Tree;

/// A hollow is of use if it holds a location whose squared bound is more than this part of its own
/// squared radius: it may shrink so much.
const SHRINKS: f64 = 0.8;

/// What is within f and this part of the radius of a cell of its middle, is enough to find some
/// disc from most of the cell.
const ROUND: f64 = 0.5;

/// So many of the places in a disc are put in order.
const FARTHEST: usize = 3;

pub(crate) struct Start<'a> {
    question: Question,
    bounds: &'a UpperBounds,
    /// The radius of a cell with a grid is no more than this many times f at its middle.
    wide: f64,
    blocks: Blocks<'a>,
    /// What is near a block.
    all: List,
    /// Cells to look at.
    cells: Vec<Cell>,
    /// Squares that get a list of their own.
    apart: Vec<Square>,
    /// What is near a cell with a grid.
    list: List,
    grid: Grid,
    /// What a disc holds, as places of the list.
    members: Vec<u32>,
    /// The same, each below the bits of its squared distance from the centre.
    near: Vec<u64>,
    points: Vec<Point>,
}

impl<'a> Start<'a> {
    pub fn new(
        tree: &'a Tree,
        question: Question,
        bounds: &'a UpperBounds,
        maxima: &'a [f64],
    ) -> Self {
        Self {
            question,
            bounds,
            // The more units in a disc, the more a search gains by a finer grid.
            wide: (2.5 / (question.k as f64).sqrt().sqrt()).clamp(0.7, 2.0),
            blocks: Blocks::new(tree, question, false, bounds, maxima),
            all: List::default(),
            cells: Vec::new(),
            apart: Vec::new(),
            list: List::default(),
            grid: Grid::default(),
            members: Vec::new(),
            near: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Bounds the locations in the blocks, and those round them. Returns the blocks, as they were
    /// divided.
    pub fn run(&mut self, blocks: Vec<Block>) -> Vec<Block> {
        pulp::Arch::new().dispatch(Run(self, blocks))
    }

    #[inline(always)]
    fn run_on<S: Simd>(&mut self, simd: S, blocks: Vec<Block>) -> Vec<Block> {
        let mut divided = Vec::with_capacity(blocks.len());
        for block in blocks {
            self.blocks.push(block);
        }
        while let Some((block, cell)) = self.blocks.next(&mut self.all) {
            divided.push(block);
            self.narrow_all(simd, cell);
        }
        while let Some(square) = self.apart.pop() {
            self.blocks.push(square);
            while let Some((_, cell)) = self.blocks.next(&mut self.all) {
                self.narrow_all(simd, cell);
            }
        }
        divided
    }

    #[inline(always)]
    fn narrow_all<S: Simd>(&mut self, simd: S, block: Cell) {
        self.cells.push(block);
        while let Some(cell) = self.cells.pop() {
            self.narrow(simd, cell, block.half);
        }
    }

    /// Divides a cell, or lays a grid over it. Half the side of its block is `whole`.
    #[inline(always)]
    fn narrow<S: Simd>(&mut self, simd: S, mut cell: Cell, whole: f64) {
        let square = self.blocks.frame.square(&cell);
        let is_wide = |cell: &Cell| cell.radius() > self.wide * cell.most && !square.is_atom();
        if !is_wide(&cell) {
            let k = self.question.k as f64;
            let Some(most) = self.all.rough_kth(simd, &cell, k) else {
                // The list has too little of a part of the block: it gets a list of its own.
                if cell.half < whole {
                    self.apart.push(square);
                }
                return;
            };
            cell.most = most;
        }
        if !is_wide(&cell) {
            let reach = cell.most + ROUND * cell.radius();
            self.list.take_near(simd, &self.all, reach, |_| 0.0);
            self.lay(simd, &cell);
        } else if cell.radius() < FINE {
            self.apart.push(square);
        } else {
            self.cells.extend(cell.quarters());
        }
    }

    /// Bounds what is in a cell, and round it.
    #[inline(always)]
    fn lay<S: Simd>(&mut self, simd: S, cell: &Cell) {
        self.grid
            .lay(simd, cell, &self.list, self.question.k as f64);
        self.shrink_hollows(simd);
        let scale = self.blocks.frame.scale;
        let lowest = self.grid.smallest() * scale;
        for place in 0..self.list.len() as u32 {
            let location = self.list.location(place) as usize;
            if self.bounds.of(location) <= lowest {
                continue;
            }
            let offer = self.grid.offer(simd, place as usize);
            let radius = (offer.squared.sqrt() + MARGIN) * scale;
            if self.bounds.of(location) < radius {
                continue;
            }
            self.bounds.lower(location, radius);
            let at = self.list.at(place);
            if (at.x - cell.x).abs().max((at.y - cell.y).abs()) <= cell.half {
                self.members_of(simd, &self.grid.disc_of(&offer));
                self.shrink(Some(place));
            }
        }
    }

    /// Shrinks the discs round those points of the grid that have no lower neighbour.
    #[inline(always)]
    fn shrink_hollows<S: Simd>(&mut self, simd: S) {
        let scale = self.blocks.frame.scale;
        for point in lanes::ones(self.grid.hollows(simd)) {
            let disc = self.grid.disc(point);
            self.members_of(simd, &disc);
            let members = self.members.iter().map(|&place| self.list.location(place));
            let bound = self.bounds.largest(members) / scale;
            if bound * bound > SHRINKS * disc.squared {
                self.shrink(None);
            }
        }
    }

    /// Bounds the members, and a place beside them if there is one, by the smallest disc round
    /// all of them.
    #[inline(always)]
    fn shrink(&mut self, beside: Option<u32>) {
        self.points.clear();
        let all = beside.into_iter().chain(self.members.iter().copied());
        self.points.extend(all.clone().map(|p| self.list.at(p)));
        let (_, farthest) = enclosing(&self.points);
        let farthest = farthest + MARGIN;
        for place in all {
            let location = self.list.location(place) as usize;
            self.bounds
                .lower(location, farthest * self.blocks.frame.scale);
        }
    }

    /// Takes places within a squared distance that hold k units, the few farthest first, as they
    /// mostly hold the disc, and without those of them that are not needed.
    #[inline(always)]
    fn members_of<S: Simd>(&mut self, simd: S, disc: &Around) {
        let (center, limit) = (self.grid.center(disc), disc.squared + MARGIN);
        let (mut units, mut farthest) = (0.0, [0; FARTHEST]);
        self.near.clear();
        self.list.within(simd, center, limit, |squared, place| {
            // From 0 on, numbers are ordered as their bits are: nothing has to be guessed.
            let rank = u64::from((squared as f32).to_bits()) << 32 | u64::from(place);
            units += self.list.weight(place);
            self.near.push(rank);
            let mut rank = rank;
            for far in &mut farthest {
                (*far, rank) = (rank.max(*far), rank.min(*far));
            }
        });
        self.members.clear();
        let Some(&last) = farthest.last().filter(|_| self.near.len() > FARTHEST) else {
            self.members
                .extend(self.near.iter().map(|&rank| rank as u32));
            return;
        };
        for rank in farthest {
            let weight = self.list.weight(rank as u32);
            if units - weight >= self.question.k as f64 {
                units -= weight;
            } else {
                self.members.push(rank as u32);
            }
        }
        let others = self.near.iter().filter(|&&rank| rank < last);
        self.members.extend(others.map(|&rank| rank as u32));
    }
}

struct Run<'a, 'b>(&'a mut Start<'b>, Vec<Block>);

impl pulp::WithSimd for Run<'_, '_> {
    type Output = Vec<Block>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<Block> {
        self.0.run_on(simd, self.1)
    }
}
