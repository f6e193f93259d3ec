//! First upper bounds, δ = ∞: f, the distance of the k-th unit, on a grid over every block.
//!
//! Each point of the grid is the centre of a disc with k units. It bounds what it holds; and with
//! a little more radius, what lies beside it. Then the discs in the hollows of f, and those that
//! lie beside a location, shrink round what they hold. Good bounds are worth much: the search
//! spends its time where f is between the truth and the bound.

use pulp::Simd;

use super::blocks::{Blocks, Plan, Question};
use super::bounds::UpperBounds;
use super::cell::MARGIN;
use super::circle::squared;
use super::enclosing::enclosing;
use super::grid::{Grid, SIDE, Table};
use super::list::List;
use super::square::Square;
use crate::Point;
use crate::index::Tree;

/// A hollow is of use if it holds a location whose squared bound is more than this part of its own
/// squared radius: it may shrink so much.
const SHRINKS: f64 = 0.8;

pub(crate) struct Start<'a> {
    question: Question,
    bounds: &'a UpperBounds,
    blocks: Blocks<'a>,
    list: List,
    grid: Grid,
    /// What a disc holds: squared distances from its centre, and places of the list.
    members: Vec<(f64, u32)>,
    points: Vec<Point>,
}

impl<'a> Start<'a> {
    pub fn new(
        tree: &'a Tree,
        question: Question,
        bounds: &'a UpperBounds,
        maxima: &'a [f64],
    ) -> Self {
        let plan = Plan {
            // The more units in a disc, the more a search gains by a finer grid.
            wide: (2.5 / (question.k as f64).sqrt().sqrt()).clamp(0.7, 2.0),
            complete: false,
        };
        Self {
            question,
            bounds,
            blocks: Blocks::new(tree, question, plan, bounds, maxima),
            list: List::default(),
            grid: Grid::default(),
            members: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Bounds the locations in the square, and those round it.
    pub fn run(&mut self, square: Square) {
        pulp::Arch::new().dispatch(Run(self, square));
    }

    #[inline(always)]
    fn run_on<S: Simd>(&mut self, simd: S, square: Square) {
        self.blocks.push(square);
        while let Some(cell) = self.blocks.next(&mut self.list) {
            self.grid.lay(simd, &cell, &self.list);
            let radii = self.grid.radii(simd, &cell, self.question.k as f64);
            self.shrink_hollows(&radii);
            let scale = self.blocks.frame.scale;
            for place in 0..self.list.len() as u32 {
                let offer = self.grid.offer(simd, place as usize, &radii);
                let radius = (offer.squared.sqrt() + MARGIN) * scale;
                let location = self.list.location(place) as usize;
                let at = self.list.at(place);
                if self.bounds.of(location) < radius {
                    continue;
                }
                self.bounds.lower(location, radius);
                if at.x.abs().max(at.y.abs()) <= cell.half {
                    let center = self.grid.point(offer.row, offer.column);
                    self.members_of(center, radii[offer.row][offer.column]);
                    self.shrink(Some(place));
                }
            }
        }
    }

    /// Shrinks the discs round those points of the grid that have no lower neighbour.
    #[inline(always)]
    fn shrink_hollows(&mut self, radii: &Table) {
        let scale = self.blocks.frame.scale;
        for row in 0..SIDE {
            for column in 0..SIDE {
                if !is_hollow(radii, row, column) {
                    continue;
                }
                let squared = radii[row][column];
                self.members_of(self.grid.point(row, column), squared);
                let members = self.members.iter();
                let bounds = members.map(|&(_, p)| self.bounds.of(self.list.location(p) as usize));
                let bound = bounds.fold(0.0, f64::max) / scale;
                if bound * bound > SHRINKS * squared {
                    self.shrink(None);
                }
            }
        }
    }

    /// Bounds the members, and a place beside them if there is one, by the smallest disc round
    /// all of them.
    #[inline(always)]
    fn shrink(&mut self, beside: Option<u32>) {
        self.points.clear();
        let members = self.members.iter().map(|&(_, place)| place);
        let all = beside.into_iter().chain(members);
        self.points.extend(all.clone().map(|p| self.list.at(p)));
        let center = enclosing(&self.points);
        let distances = self.points.iter().map(|&p| squared(center, p));
        let farthest = distances.fold(0.0, f64::max).sqrt() + MARGIN;
        for place in all {
            let location = self.list.location(place) as usize;
            self.bounds
                .lower(location, farthest * self.blocks.frame.scale);
        }
    }

    /// Takes the nearest places within a squared distance that hold k units, farthest first.
    #[inline(always)]
    fn members_of(&mut self, center: Point, squared: f64) {
        self.list
            .within(center, squared + MARGIN, &mut self.members);
        let weights = self.members.iter().map(|&(_, p)| self.list.weight(p));
        let mut units: f64 = weights.sum();
        // Insertion: there are few.
        for i in 1..self.members.len() {
            let mut j = i;
            while j > 0 && self.members[j - 1].0 < self.members[j].0 {
                self.members.swap(j - 1, j);
                j -= 1;
            }
        }
        let k = self.question.k as f64;
        let extra = self.members.iter().take_while(|&&(_, place)| {
            units -= self.list.weight(place);
            units >= k
        });
        let extra = extra.count();
        self.members.drain(..extra);
    }
}

/// Whether no neighbour is lower.
fn is_hollow(radii: &Table, row: usize, column: usize) -> bool {
    let rows = row.saturating_sub(1)..SIDE.min(row + 2);
    let here = radii[row][column];
    rows.flat_map(|r| &radii[r][column.saturating_sub(1)..SIDE.min(column + 2)])
        .all(|&other| here <= other)
}

struct Run<'a, 'b>(&'a mut Start<'b>, Square);

impl pulp::WithSimd for Run<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run_on(simd, self.1);
    }
}
