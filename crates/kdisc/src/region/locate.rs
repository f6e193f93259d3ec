//! In which region is a point?
//!
//! A point on a border is taken for the one just east of it, and if that is on a border too, for
//! the one just north of that: a region owns its west and south borders, as grid cells do. So a
//! point on a border between two regions belongs to exactly one of them, whichever corners their
//! borders have. A point that this puts outside all regions, but that is on the border of some,
//! belongs to the first of those: no unit is lost at the edge of the map.
//!
//! A raster covers all regions. Most of its cells lie within one region or outside all and answer
//! at once. A cell that borders pass through keeps its edges, and the regions in which the middle
//! of its west side lies. From there one walks to the point within the cell, first north or south,
//! then east; each edge that is crossed leads into or out of its region. All signs are exact.
//!
//! Regions are not compared with one another. Borders that were drawn twice overlap in slivers
//! without harm, unless a point lies in two regions: then a count would be wrong, and both are
//! named.
//!
//! Cost: O(n) for n edges to build, about 100 bytes per edge; a point takes O(1) unless very many
//! borders meet nearby.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::boxes::Bounds;
use super::raster::Raster;
use super::{Overlap, Region, TooManyCorners};
use crate::Point;
use crate::predicates::turn;

/// Cells and edges are numbered in 32 bits, of which one is a mark.
const MOST_CORNERS: usize = 500_000_000;
/// A cell outside all regions; an edge that is none, between two rings.
const NOBODY: u32 = u32::MAX;
/// Marks cells with borders; the rest is the number of their entry.
const MIXED: u32 = 1 << 31;
/// Tasks per thread.
const SHARES: usize = 4;

/// Many regions, and where they are.
#[derive(Debug, Clone)]
pub struct Regions {
    all: Vec<Region>,
    /// All rings, each with its first corner again at the end.
    corners: Vec<Point>,
    /// The region of the edge that begins at a corner.
    owners: Vec<u32>,
    raster: Raster,
    /// For each cell its region, [`NOBODY`], or [`MIXED`] and the index of its border.
    cells: Vec<u32>,
    borders: Vec<Mixed>,
    /// The edges of all mixed cells.
    edges: Vec<u32>,
    /// The regions that hold the starting points of all mixed cells.
    around: Vec<u32>,
}

/// A cell that borders pass through, or that lies in several regions.
#[derive(Debug, Clone)]
struct Mixed {
    edges: Range<u32>,
    around: Range<u32>,
}

impl Regions {
    /// An index of these regions.
    ///
    /// # Errors
    /// They have more corners than can be numbered.
    pub fn new(regions: Vec<Region>) -> Result<Self, TooManyCorners> {
        let count = regions.iter().flat_map(Region::rings).map(|r| r.len() + 1);
        let count: usize = count.sum();
        if count > MOST_CORNERS {
            return Err(TooManyCorners(count));
        }
        let mut corners = Vec::with_capacity(count);
        let mut owners = Vec::with_capacity(count);
        for (owner, region) in regions.iter().enumerate() {
            for ring in region.rings() {
                corners.extend_from_slice(ring);
                corners.push(ring[0]);
                owners.extend(std::iter::repeat_n(owner as u32, ring.len()));
                owners.push(NOBODY);
            }
        }
        let all = edges(&corners, &owners).map(|edge| [corners[edge], corners[edge + 1]]);
        let raster = Raster::new(all);
        let mut found = Self {
            all: regions,
            corners,
            owners,
            raster,
            cells: vec![NOBODY; raster.columns * raster.rows],
            borders: Vec::new(),
            edges: Vec::new(),
            around: Vec::new(),
        };
        found.enter_edges();
        found.enter_regions();
        Ok(found)
    }

    /// The regions.
    #[must_use]
    pub fn all(&self) -> &[Region] {
        &self.all
    }

    /// The region in which a point lies, if any.
    ///
    /// # Errors
    /// It lies in two.
    pub fn locate(&self, at: Point) -> Result<Option<u32>, Overlap> {
        self.find(at, &mut Vec::new())
            .map_err(|regions| Overlap { point: 0, regions })
    }

    /// The region in which each point lies, if any. Uses all threads of the current pool.
    ///
    /// # Errors
    /// One lies in two; the first such point is named.
    pub fn locate_all(&self, points: &[Point]) -> Result<Vec<Option<u32>>, Overlap> {
        let mut found = vec![None; points.len()];
        let share = points.len() / (SHARES * rayon::current_num_threads()) + 1;
        let batch = share.next_power_of_two().clamp(1 << 10, 1 << 20);
        let batches = found.par_chunks_mut(batch).zip(points.par_chunks(batch));
        let overlap = batches.enumerate().filter_map(|(number, (found, points))| {
            let mut overlap = self.locate_batch(points, found).err()?;
            overlap.point += number * batch;
            Some(overlap)
        });
        match overlap.min_by_key(|overlap| overlap.point) {
            Some(overlap) => Err(overlap),
            None => Ok(found),
        }
    }

    /// Points come in no order, and what is known of a cell is all over the memory. So those in
    /// cells with borders are gone through cell by cell.
    fn locate_batch(&self, points: &[Point], found: &mut [Option<u32>]) -> Result<(), Overlap> {
        let mut mixed = Vec::new();
        for (i, (found, &at)) in found.iter_mut().zip(points).enumerate() {
            let Some((column, row)) = self.raster.cell(at) else {
                continue;
            };
            let cell = row * self.raster.columns + column;
            match self.cells[cell] {
                NOBODY => {}
                region if region & MIXED == 0 => *found = Some(region),
                _ => mixed.push((cell as u64) << 32 | i as u64),
            }
        }
        mixed.sort_unstable();
        let mut inside = Vec::new();
        let mut overlap: Option<Overlap> = None;
        for key in mixed {
            let point = (key & u64::from(u32::MAX)) as usize;
            match self.find(points[point], &mut inside) {
                Ok(region) => found[point] = region,
                Err(regions) if overlap.is_none_or(|first| point < first.point) => {
                    overlap = Some(Overlap { point, regions });
                }
                Err(_) => {}
            }
        }
        overlap.map_or(Ok(()), Err)
    }

    /// Lists the edges of every cell that has some.
    fn enter_edges(&mut self) {
        for edge in edges(&self.corners, &self.owners) {
            let ends = [self.corners[edge], self.corners[edge + 1]];
            self.raster.visit(ends, |cell| {
                if self.cells[cell] == NOBODY {
                    self.cells[cell] = MIXED | self.borders.len() as u32;
                    let mixed = Mixed {
                        edges: 0..0,
                        around: 0..0,
                    };
                    self.borders.push(mixed);
                }
                self.borders[(self.cells[cell] ^ MIXED) as usize].edges.end += 1;
            });
        }
        let mut end = 0;
        for mixed in &mut self.borders {
            let start = end;
            end += mixed.edges.end;
            mixed.edges = start..start;
        }
        self.edges = vec![0; end as usize];
        for edge in edges(&self.corners, &self.owners) {
            let ends = [self.corners[edge], self.corners[edge + 1]];
            self.raster.visit(ends, |cell| {
                let mixed = &mut self.borders[(self.cells[cell] ^ MIXED) as usize];
                self.edges[mixed.edges.end as usize] = edge as u32;
                mixed.edges.end += 1;
            });
        }
    }

    /// Walks along the middle of each row from outside all regions, and notes at the west side of
    /// each cell in which regions one is.
    fn enter_regions(&mut self) {
        for row in 0..self.raster.rows {
            let mut inside: Vec<u32> = Vec::new();
            let y = self.raster.middle_of(row);
            for column in 0..self.raster.columns {
                let cell = row * self.raster.columns + column;
                let is_mixed = self.cells[cell] != NOBODY;
                match inside[..] {
                    [] if !is_mixed => continue,
                    [region] if !is_mixed => {
                        self.cells[cell] = region;
                        continue;
                    }
                    _ if !is_mixed => {
                        self.cells[cell] = MIXED | self.borders.len() as u32;
                        self.borders.push(Mixed {
                            edges: 0..0,
                            around: 0..0,
                        });
                    }
                    _ => {}
                }
                let mixed = (self.cells[cell] ^ MIXED) as usize;
                let start = self.around.len() as u32;
                self.around.extend_from_slice(&inside);
                self.borders[mixed].around = start..self.around.len() as u32;
                let west = Point::new(self.raster.west_of(column), y);
                let east = Point::new(self.raster.west_of(column + 1), y);
                for &edge in self.edges_of(mixed) {
                    if self.crosses_row(edge, west, east) {
                        toggle(&mut inside, self.owners[edge as usize]);
                    }
                }
            }
        }
    }

    fn edges_of(&self, mixed: usize) -> &[u32] {
        let Range { start, end } = self.borders[mixed].edges;
        &self.edges[start as usize..end as usize]
    }

    fn edge(&self, edge: u32) -> [Point; 2] {
        [self.corners[edge as usize], self.corners[edge as usize + 1]]
    }

    /// The region of a point, or two of them. `inside` is only there to be used again.
    fn find(&self, at: Point, inside: &mut Vec<u32>) -> Result<Option<u32>, [usize; 2]> {
        let Some((column, row)) = self.raster.cell(at) else {
            return Ok(None);
        };
        let cell = self.cells[row * self.raster.columns + column];
        if cell == NOBODY {
            return Ok(None);
        }
        if cell & MIXED == 0 {
            return Ok(Some(cell));
        }
        let mixed = (cell ^ MIXED) as usize;
        let Range { start, end } = self.borders[mixed].around;
        inside.clear();
        inside.extend_from_slice(&self.around[start as usize..end as usize]);
        let start = Point::new(self.raster.west_of(column), self.raster.middle_of(row));
        let turning = Point::new(start.x, at.y);
        for &edge in self.edges_of(mixed) {
            // Each leg that crosses the border changes sides.
            if self.crosses_column(edge, start, turning) != self.crosses_row(edge, turning, at) {
                toggle(inside, self.owners[edge as usize]);
            }
        }
        match inside[..] {
            [] => Ok(self.first_border(mixed, at)),
            [region] => Ok(Some(region)),
            _ => {
                inside.sort_unstable();
                Err([inside[0] as usize, inside[1] as usize])
            }
        }
    }

    /// The first region on whose border a point lies.
    fn first_border(&self, mixed: usize, at: Point) -> Option<u32> {
        let touching = self.edges_of(mixed).iter().filter(|&&edge| {
            let [a, b] = self.edge(edge);
            Bounds::of([a, b]).holds(at) && turn(a, b, at) == Ordering::Equal
        });
        touching.map(|&edge| self.owners[edge as usize]).min()
    }

    /// Whether an edge passes between two points of one row, each moved a little east and less
    /// north.
    fn crosses_row(&self, edge: u32, p: Point, q: Point) -> bool {
        let [a, b] = self.edge(edge);
        if (a.y > p.y) == (b.y > p.y) {
            return false;
        }
        let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
        let west_of_edge = |at: Point| turn(low, high, at) == Ordering::Greater;
        west_of_edge(p) != west_of_edge(q)
    }

    /// The same for two points of one column.
    fn crosses_column(&self, edge: u32, p: Point, q: Point) -> bool {
        let [a, b] = self.edge(edge);
        if (a.x > p.x) == (b.x > p.x) {
            return false;
        }
        let (left, right) = if a.x < b.x { (a, b) } else { (b, a) };
        // A point on the edge moves east: above it where the edge falls, below where it rises,
        // and north of it where it is level.
        let on_edge = if left.y < right.y {
            Ordering::Less
        } else {
            Ordering::Greater
        };
        let above = |at: Point| turn(left, right, at).then(on_edge) == Ordering::Greater;
        above(p) != above(q)
    }
}

/// The numbers of all edges.
fn edges<'a>(corners: &'a [Point], owners: &'a [u32]) -> impl Iterator<Item = usize> + Clone + 'a {
    (0..corners.len()).filter(|&corner| owners[corner] != NOBODY)
}

/// Enters or leaves a region.
fn toggle(inside: &mut Vec<u32>, region: u32) {
    match inside.iter().position(|&other| other == region) {
        Some(i) => {
            inside.swap_remove(i);
        }
        None => inside.push(region),
    }
}
