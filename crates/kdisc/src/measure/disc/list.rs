//! The locations within reach of a cell, in short lists that fill the registers of a processor.
//!
//! Everything is relative to the origin and scale of one block, where coordinates are small
//! numbers: distances are off by less than [`MARGIN`], and every test has that margin on the
//! careful side. Nothing is decided here but what may be left out.
//!
//! The loops over places work on whole vectors (crate pulp: the widest that the processor has).

use pulp::Simd;

use super::cell::{Cell, MARGIN, Measure, dot};
use super::lanes;
use crate::Point;

/// Lists are filled up to whole vectors of any processor.
pub(crate) const LANES: usize = 16;

/// Up to [`LANES`] places as columns. Vacant lanes are infinitely far away.
///
/// Vectors that straddle two lines of a cache would take twice as long.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Chunk {
    pub x: Lanes,
    pub y: Lanes,
    /// No disc larger than this is of use to the location; 0 where nothing is asked.
    pub bound: Lanes,
    pub weight: Lanes,
    pub location: [u32; LANES],
    /// Squared distances between a cell and the places.
    pub(super) scratch: Lanes,
    /// The lanes that are marked, one bit each.
    marks: u32,
}

pub(crate) type Lanes = [f64; LANES];

const VACANT: Chunk = Chunk {
    x: [f64::INFINITY; LANES],
    y: [f64::INFINITY; LANES],
    bound: [0.0; LANES],
    weight: [0.0; LANES],
    location: [u32::MAX; LANES],
    scratch: [0.0; LANES],
    marks: 0,
};

/// A place of a list.
pub(crate) struct Entry {
    pub x: f64,
    pub y: f64,
    pub bound: f64,
    pub weight: f64,
    pub location: u32,
}

#[derive(Default, Clone)]
pub(crate) struct List {
    /// As many as were ever needed.
    chunks: Vec<Chunk>,
    len: usize,
    /// What coordinates are divided by.
    scale: f64,
}

/// A circle, by squared distances from its centre.
pub(crate) struct Near {
    center: Point,
    /// Up to here a place is inside.
    surely: f64,
    /// Up to here it may be.
    maybe: f64,
}

/// What a list says of a cell.
pub(crate) struct Probe {
    /// No useful disc centred in the cell is larger than this.
    pub reach: f64,
    /// Units that such discs can hold.
    pub units: f64,
    /// Places that such discs can hold.
    pub places: usize,
}

/// What a list says of the circles with their centre in a cell.
pub(crate) struct Rim {
    /// Units that they can hold.
    pub units: f64,
    /// Places that can lie on one.
    pub count: usize,
    pub inside: Inside,
}

/// What is inside all circles with their centre in a cell.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    pub units: f64,
    /// The largest bound.
    pub bound: f64,
}

impl List {
    #[inline(always)]
    pub fn clear(&mut self, scale: f64) {
        self.len = 0;
        self.scale = scale;
    }

    /// Places that there is room for.
    #[inline(always)]
    pub fn lanes(&self) -> usize {
        self.chunks().len() * LANES
    }

    #[inline(always)]
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks[..self.len.div_ceil(LANES)]
    }

    #[inline(always)]
    pub(super) fn chunks_mut(&mut self) -> &mut [Chunk] {
        &mut self.chunks[..self.len.div_ceil(LANES)]
    }

    /// Adds a place if it is wanted: it is written down anyway, so that nothing has to be guessed.
    /// In the end, [`List::vacate`].
    #[inline(always)]
    pub fn push(&mut self, place: &Entry, is_wanted: bool) {
        if self.len == self.chunks.len() * LANES {
            self.chunks.push(VACANT);
        }
        let (chunk, lane) = (&mut self.chunks[self.len / LANES], self.len % LANES);
        chunk.x[lane] = place.x;
        chunk.y[lane] = place.y;
        chunk.bound[lane] = place.bound;
        chunk.weight[lane] = place.weight;
        chunk.location[lane] = place.location;
        self.len += usize::from(is_wanted);
    }

    /// Puts the lanes beyond the last place far away.
    #[inline(always)]
    pub fn vacate(&mut self) {
        let lane = self.len % LANES;
        if lane > 0 {
            let chunk = &mut self.chunks[self.len / LANES];
            chunk.x[lane..].copy_from_slice(&VACANT.x[lane..]);
            chunk.bound[lane..].copy_from_slice(&VACANT.bound[lane..]);
            chunk.weight[lane..].copy_from_slice(&VACANT.weight[lane..]);
        }
    }

    /// The locations in the list.
    pub fn locations(&self) -> impl Iterator<Item = u32> {
        let all = self.chunks().iter().flat_map(|chunk| chunk.location);
        all.take(self.len)
    }

    /// Looks at a cell. Locations farther than `near` from it are not served.
    #[inline(always)]
    pub fn probe<S: Simd>(&mut self, simd: S, cell: &Cell, near: f64) -> Probe {
        let measure = Measure::new(simd, cell);
        let (margin, near) = (simd.splat_f64s(MARGIN), simd.splat_f64s(near));
        let zero = simd.splat_f64s(0.0);
        let mut caps = zero;
        for chunk in self.chunks_mut() {
            let (x, y, bound) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.bound));
            let gaps = S::as_mut_simd_f64s(&mut chunk.scratch).0;
            for v in 0..x.len() {
                gaps[v] = measure.gap(x[v], y[v]);
                let reach = simd.add_f64s(simd.min_f64s(bound[v], near), margin);
                let served = simd.less_than_or_equal_f64s(gaps[v], simd.mul_f64s(reach, reach));
                caps = simd.max_f64s(caps, simd.select_f64s(served, bound[v], zero));
            }
        }
        let reach = simd.reduce_max_f64s(caps).min(cell.limit());
        let within = simd.splat_f64s(within(reach));
        let (mut units, mut places) = (zero, 0);
        for chunk in self.chunks() {
            let (weight, gaps) = (of::<S>(&chunk.weight), of::<S>(&chunk.scratch));
            for v in 0..weight.len() {
                let inside = simd.less_than_or_equal_f64s(gaps[v], within);
                units = simd.add_f64s(units, simd.select_f64s(inside, weight[v], zero));
                places += lanes::doubles(simd, 0, inside).count_ones() as usize;
            }
        }
        Probe {
            reach,
            units: simd.reduce_sum_f64s(units),
            places,
        }
    }

    /// Keeps the locations of `other`, just probed, within `reach` of the cell.
    #[inline(always)]
    pub fn take_near<S: Simd>(
        &mut self,
        simd: S,
        other: &Self,
        reach: f64,
        bound: impl Fn(u32) -> f64,
    ) {
        let within = simd.splat_f64s(within(reach));
        self.clear(other.scale);
        if self.chunks.len() < other.chunks().len() {
            self.chunks.resize(other.chunks().len(), VACANT);
        }
        let mut len = 0;
        for chunk in other.chunks() {
            let squared = of::<S>(&chunk.scratch);
            let mut near = 0;
            for v in 0..squared.len() {
                near |= lanes::doubles(simd, v, simd.less_than_or_equal_f64s(squared[v], within));
            }
            for l in lanes::ones(near) {
                let (to, lane) = (&mut self.chunks[len / LANES], len % LANES);
                let location = chunk.location[l];
                to.x[lane] = chunk.x[l];
                to.y[lane] = chunk.y[l];
                to.bound[lane] = bound(location);
                to.weight[lane] = chunk.weight[l];
                to.location[lane] = location;
                len += 1;
            }
        }
        self.len = len;
        self.vacate();
    }

    /// Lowers the bounds above `bound` of the locations within `distance` of the middle of the
    /// cell, as [`List::kth_distance`] left them, tells whose, and says whether there were any.
    #[inline(always)]
    pub fn lower<S: Simd>(
        &mut self,
        simd: S,
        distance: f64,
        bound: f64,
        mut tell: impl FnMut(u32),
    ) -> bool {
        let mut any = false;
        let (within, limit) = (simd.splat_f64s(distance * distance), simd.splat_f64s(bound));
        for chunk in self.chunks_mut() {
            let (bounds, squared) = (of::<S>(&chunk.bound), of::<S>(&chunk.scratch));
            let mut lowered = 0;
            for v in 0..bounds.len() {
                let inside = simd.less_than_or_equal_f64s(squared[v], within);
                let above = simd.greater_than_f64s(bounds[v], limit);
                lowered |= lanes::doubles(simd, v, simd.and_m64s(inside, above));
            }
            any |= lowered != 0;
            for l in lanes::ones(lowered) {
                chunk.bound[l] = bound;
                tell(chunk.location[l]);
            }
        }
        any
    }

    /// How many places can lie on a circle of radius `least` to `reach` round a centre in the
    /// cell, and what is inside all of these. Marks them for [`List::supports`].
    #[inline(always)]
    pub fn count_supports<S: Simd>(&mut self, simd: S, cell: &Cell, reach: f64, least: f64) -> Rim {
        let measure = Measure::new(simd, cell);
        let (within, least) = (
            simd.splat_f64s(within(reach)),
            simd.splat_f64s(beyond(least)),
        );
        let zero = simd.splat_f64s(0.0);
        let (mut units, mut inner, mut bounds) = (zero, zero, zero);
        let mut count = 0;
        for chunk in self.chunks_mut() {
            let (x, y, weight) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.weight));
            let bound = of::<S>(&chunk.bound);
            let mut marks = 0;
            for v in 0..x.len() {
                let near = simd.less_than_or_equal_f64s(measure.gap(x[v], y[v]), within);
                let far = simd.greater_than_or_equal_f64s(measure.span(x[v], y[v]), least);
                units = simd.add_f64s(units, simd.select_f64s(near, weight[v], zero));
                inner = simd.add_f64s(inner, simd.select_f64s(far, zero, weight[v]));
                bounds = simd.max_f64s(bounds, simd.select_f64s(far, zero, bound[v]));
                marks |= lanes::doubles(simd, v, simd.and_m64s(near, far));
            }
            chunk.marks = marks;
            count += marks.count_ones() as usize;
        }
        Rim {
            units: simd.reduce_sum_f64s(units),
            count,
            inside: Inside {
                units: simd.reduce_sum_f64s(inner),
                bound: simd.reduce_max_f64s(bounds),
            },
        }
    }

    /// Visits the places just marked: index, coordinates, bound and weight.
    #[inline(always)]
    pub fn supports(&self, mut visit: impl FnMut(u32, f64, f64, f64, f64)) {
        for (c, chunk) in self.chunks().iter().enumerate() {
            for l in lanes::ones(chunk.marks) {
                let place = (c * LANES + l) as u32;
                visit(
                    place,
                    chunk.x[l],
                    chunk.y[l],
                    chunk.bound[l],
                    chunk.weight[l],
                );
            }
        }
    }

    /// Takes the places, as seen from the middle of a cell, that discs no smaller than `least` can
    /// serve, and that have some point of the cell exactly `delta` away, or are in it themselves.
    pub fn anchors(&self, cell: &Cell, delta: f64, least: f64, found: &mut Vec<Point>) {
        let (near, far) = (within(delta), beyond(delta));
        found.clear();
        for chunk in self.chunks() {
            for l in 0..LANES {
                let (x, y) = (chunk.x[l] - cell.x, chunk.y[l] - cell.y);
                let gap = [x, y].map(|a| (a.abs() - cell.half).max(0.0));
                let span = [x, y].map(|a| a.abs() + cell.half);
                let [gap, span] = [gap, span].map(|[x, y]| x * x + y * y);
                if chunk.bound[l] >= least - MARGIN && gap <= near && (span >= far || gap == 0.0) {
                    found.push(Point::new(x, y));
                }
            }
        }
    }

    /// Takes a mark away.
    pub fn unmark(&mut self, index: u32) {
        self.chunks[index as usize / LANES].marks &= !(1 << (index as usize % LANES));
    }

    /// Visits the places within a squared distance of a point: squared distances and indices.
    #[inline(always)]
    pub fn within<S: Simd>(
        &self,
        simd: S,
        center: Point,
        limit: f64,
        mut visit: impl FnMut(f64, u32),
    ) {
        let (x, y) = (simd.splat_f64s(center.x), simd.splat_f64s(center.y));
        let limit = simd.splat_f64s(limit);
        for (c, chunk) in self.chunks().iter().enumerate() {
            let mut squared = [0.0; LANES];
            let (px, py) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
            let mut near = 0;
            for v in 0..px.len() {
                let (dx, dy) = (simd.sub_f64s(px[v], x), simd.sub_f64s(py[v], y));
                let square = dot(simd, dx, dx, dy, dy);
                near |= lanes::doubles(simd, v, simd.less_than_or_equal_f64s(square, limit));
                S::as_mut_simd_f64s(&mut squared).0[v] = square;
            }
            for l in lanes::ones(near) {
                visit(squared[l], (c * LANES + l) as u32);
            }
        }
    }

    /// A circle as seen from the list: one through a place, with its centre as seen from there, and
    /// by how much squared distances from the centre may be off, relatively.
    pub fn circle(&self, place: u32, center: Point, radius: f64, error: f64) -> Near {
        let (at, shrink) = (self.at(place), 1.0 / self.scale);
        let radius = radius * shrink;
        // Coordinates are off, too.
        let room = radius * radius * error + 16.0 * MARGIN * (radius + MARGIN);
        Near {
            center: Point::new(at.x + center.x * shrink, at.y + center.y * shrink),
            surely: radius * radius - room,
            maybe: radius * radius + room,
        }
    }

    /// Visits the locations that may be in a circle, and says whether they surely are.
    #[inline(always)]
    pub fn near<S: Simd>(&self, simd: S, near: &Near, mut visit: impl FnMut(u32, bool)) {
        let (x, y) = (
            simd.splat_f64s(near.center.x),
            simd.splat_f64s(near.center.y),
        );
        let (surely, maybe) = (simd.splat_f64s(near.surely), simd.splat_f64s(near.maybe));
        for (c, chunk) in self.chunks().iter().enumerate() {
            let (px, py) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
            // Those that are surely outside: where a number is too large, none is.
            let (mut outside, mut sure) = (0, 0);
            for v in 0..px.len() {
                let (dx, dy) = (simd.sub_f64s(px[v], x), simd.sub_f64s(py[v], y));
                let square = dot(simd, dx, dx, dy, dy);
                outside |= lanes::doubles(simd, v, simd.greater_than_f64s(square, maybe));
                sure |= lanes::doubles(simd, v, simd.less_than_f64s(square, surely));
            }
            let taken = (1 << (self.len - c * LANES).min(LANES)) - 1;
            for l in lanes::ones(!outside & taken) {
                visit(chunk.location[l], sure & (1 << l) != 0);
            }
        }
    }

    #[inline(always)]
    pub fn weight(&self, index: u32) -> f64 {
        self.chunks[index as usize / LANES].weight[index as usize % LANES]
    }

    #[inline(always)]
    pub fn at(&self, index: u32) -> Point {
        let (chunk, lane) = (&self.chunks[index as usize / LANES], index as usize % LANES);
        Point::new(chunk.x[lane], chunk.y[lane])
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn location(&self, index: u32) -> u32 {
        self.chunks[index as usize / LANES].location[index as usize % LANES]
    }
}

/// The square of a distance that counts as within `reach`.
#[inline(always)]
pub(crate) fn within(reach: f64) -> f64 {
    (reach + 4.0 * MARGIN) * (reach + 4.0 * MARGIN)
}

/// The square of a distance that may be as far as `least`.
#[inline(always)]
pub(crate) fn beyond(least: f64) -> f64 {
    let least = (least - MARGIN).max(0.0);
    least * least
}

/// Lanes as vectors.
#[inline(always)]
pub(crate) fn of<S: Simd>(lanes: &[f64]) -> &[S::f64s] {
    S::as_simd_f64s(lanes).0
}
