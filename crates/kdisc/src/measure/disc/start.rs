//! First upper bounds, δ = ∞: f on a grid over every block, then downhill from its hollows.

use pulp::Simd;

use super::blocks::{Blocks, Question};
use super::bounds::UpperBounds;
use super::enclosing::enclosing;
use super::grid::{Grid, SIDE, Table};
use super::list::{List, MARGIN};
use super::square::Square;
use crate::Point;
use crate::index::Tree;

/// Steps downhill at most; more find little.
const STEPS: usize = 3;
/// A step must shrink the squared radius by this factor to be worth another.
const WORTH: f64 = 0.98;

pub(crate) struct Start<'a> {
    question: Question,
    bounds: &'a UpperBounds,
    blocks: Blocks<'a>,
    list: List,
    grid: Grid,
    members: Vec<(f64, u32)>,
    places: Vec<Point>,
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
            blocks: Blocks::new(tree, question, bounds, maxima),
            list: List::default(),
            grid: Grid::default(),
            members: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Bounds the locations in the square, and those round it.
    pub fn run(&mut self, square: Square) {
        pulp::Arch::new().dispatch(Run(self, square));
    }

    #[inline(always)]
    fn run_on<S: Simd>(&mut self, simd: S, square: Square) {
        self.blocks.push(square);
        while let Some(cell) = self.blocks.next(&mut self.list, true) {
            let k = self.question.k as f64;
            self.grid.lay(simd, &cell, &self.list);
            let radii = self.grid.radii(simd, &cell, k);
            for place in 0..self.list.len() {
                let squared = self.grid.offer(simd, place, &radii);
                let scale = self.blocks.frame.scale;
                let radius = squared.sqrt() + MARGIN;
                self.bounds
                    .lower(self.list.location(place as u32) as usize, radius * scale);
            }
            for row in 0..SIDE {
                for column in 0..SIDE {
                    if hollow(&radii, row, column) {
                        let center = Point::new(self.grid.x[column], self.grid.y[row]);
                        self.slide(center, radii[row][column]);
                    }
                }
            }
        }
    }

    /// Slides downhill from a disc that holds k units, and bounds what it holds on the way.
    #[inline(always)]
    fn slide(&mut self, mut center: Point, squared: f64) {
        let scale = self.blocks.frame.scale;
        let mut squared = squared;
        for step in 0..STEPS {
            self.list
                .within(center.x, center.y, squared + MARGIN, &mut self.members);
            if step == 0 {
                let useful = self.members.iter().map(|&(_, place)| {
                    self.bounds.of(self.list.location(place) as usize)
                });
                let useful = useful.fold(0.0, f64::max) / scale;
                if useful * useful < envu() * squared {
                    return;
                }
            }
            self.drop_extra();
            self.places.clear();
            self.places
                .extend(self.members.iter().map(|&(_, place)| self.list.at(place)));
            center = enclosing(&self.places);
            let far = |p: &Point| {
                let (dx, dy) = (p.x - center.x, p.y - center.y);
                dx * dx + dy * dy
            };
            let farthest = self.places.iter().map(far).fold(0.0, f64::max);
            let radius = (farthest.sqrt() + MARGIN) * scale;
            for &(_, place) in &self.members {
                self.bounds
                    .lower(self.list.location(place) as usize, radius);
            }
            if farthest >= WORTH * squared {
                break;
            }
            squared = farthest;
        }
    }

    /// Keeps the nearest members that hold k units, farthest first.
    #[inline(always)]
    fn drop_extra(&mut self) {
        let weights = self.members.iter().map(|&(_, place)| self.list.weight(place));
        let mut units: f64 = weights.sum();
        let k = self.question.k as f64;
        // Insertion: there are few, and the farthest come first.
        for i in 1..self.members.len() {
            let mut j = i;
            while j > 0 && self.members[j - 1].0 < self.members[j].0 {
                self.members.swap(j - 1, j);
                j -= 1;
            }
        }
        let extra = self.members.iter().take_while(|(_, place)| {
            units -= self.list.weight(*place);
            units >= k
        });
        let extra = extra.count();
        self.members.drain(..extra);
    }
}

fn envu()->f64{static W:std::sync::OnceLock<f64>=std::sync::OnceLock::new();*W.get_or_init(||std::env::var("USEFUL").map_or(0.85,|v|v.parse().unwrap()))}
/// Whether no neighbour is lower.
fn hollow(radii: &Table, row: usize, column: usize) -> bool {
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
