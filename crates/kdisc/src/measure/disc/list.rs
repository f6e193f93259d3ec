//! The locations within reach of a cell, in short lists that fill the registers of a processor.
//!
//! Everything is relative to the origin and scale of one block, where coordinates are small
//! numbers: distances are off by less than [`MARGIN`], and every test has that margin on the
//! careful side. Nothing is decided here but what may be left out.
//!
//! The loops over places work on whole vectors (crate pulp: the widest that the processor has).

use pulp::Simd;

use super::cell::{Cell, MARGIN, Measure};
use crate::Point;

/// Taking away one by one is quicker up to this many units.
const MANY: f64 = 24.0;
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
    /// Squared distances between a cell and the places, or marks of places.
    scratch: Lanes,
}

pub(crate) type Lanes = [f64; LANES];

const VACANT: Chunk = Chunk {
    x: [f64::INFINITY; LANES],
    y: [f64::INFINITY; LANES],
    bound: [0.0; LANES],
    weight: [0.0; LANES],
    location: [u32::MAX; LANES],
    scratch: [0.0; LANES],
};

#[derive(Default, Clone)]
pub(crate) struct List {
    chunks: Vec<Chunk>,
    len: usize,
    order: Vec<(f64, f64)>,
}

/// What a list says of a cell.
pub(crate) struct Probe {
    /// No useful disc centred in the cell is larger than this.
    pub reach: f64,
    /// Units that such discs can hold.
    pub units: f64,
    /// Places that such discs can hold.
    pub places: f64,
}

/// What a list says of the circles with their centre in a cell.
pub(crate) struct Supports {
    /// Units that they can hold.
    pub units: f64,
    /// Places that can lie on one.
    pub count: f64,
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
    pub fn clear(&mut self) {
        self.chunks.clear();
        self.len = 0;
    }

    /// Places that there is room for.
    #[inline(always)]
    pub fn lanes(&self) -> usize {
        self.chunks.len() * LANES
    }

    #[inline(always)]
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    #[inline(always)]
    pub fn push(&mut self, x: f64, y: f64, bound: f64, weight: f64, location: u32) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.chunks.push(VACANT);
        }
        self.len += 1;
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.x[lane] = x;
            chunk.y[lane] = y;
            chunk.bound[lane] = bound;
            chunk.weight[lane] = weight;
            chunk.location[lane] = location;
        }
    }

    /// The locations in the list.
    pub fn locations(&self) -> impl Iterator<Item = u32> {
        let all = self.chunks.iter().flat_map(|chunk| chunk.location);
        all.take(self.len)
    }

    /// Looks at a cell. Locations farther than `near` from it are not served.
    #[inline(always)]
    pub fn probe<S: Simd>(&mut self, simd: S, cell: &Cell, near: f64) -> Probe {
        let measure = Measure::new(simd, cell);
        let (margin, near) = (simd.splat_f64s(MARGIN), simd.splat_f64s(near));
        let zero = simd.splat_f64s(0.0);
        let mut caps = zero;
        for chunk in &mut self.chunks {
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
        let one = simd.splat_f64s(1.0);
        let (mut units, mut places) = (zero, zero);
        for chunk in &self.chunks {
            let (weight, gaps) = (of::<S>(&chunk.weight), of::<S>(&chunk.scratch));
            for v in 0..weight.len() {
                let inside = simd.less_than_or_equal_f64s(gaps[v], within);
                units = simd.add_f64s(units, simd.select_f64s(inside, weight[v], zero));
                places = simd.add_f64s(places, simd.select_f64s(inside, one, zero));
            }
        }
        Probe {
            reach,
            units: simd.reduce_sum_f64s(units),
            places: simd.reduce_sum_f64s(places),
        }
    }

    /// Keeps the locations of `other`, just probed, within `reach` of the cell.
    #[inline(always)]
    pub fn take_near(&mut self, other: &Self, reach: f64, bound: impl Fn(u32) -> f64) {
        let within = within(reach);
        self.clear();
        for chunk in &other.chunks {
            let (lanes, count) = gather::<LANES>(|l| chunk.scratch[l] <= within);
            for &l in &lanes[..count] {
                let location = chunk.location[l];
                self.push(
                    chunk.x[l],
                    chunk.y[l],
                    bound(location),
                    chunk.weight[l],
                    location,
                );
            }
        }
    }

    /// The distance of the k-th unit from the middle of the cell, where the list, just probed,
    /// holds `units` ≥ k units within reach: the farthest are taken away until one is needed.
    #[inline(always)]
    pub fn kth_distance<S: Simd>(
        &mut self,
        simd: S,
        cell: &Cell,
        reach: f64,
        mut units: f64,
        k: f64,
    ) -> f64 {
        let measure = Measure::new(simd, cell);
        let (none, zero) = (simd.splat_f64s(-1.0), simd.splat_f64s(0.0));
        let within = simd.splat_f64s(within(reach));
        let mut far = none;
        for chunk in &mut self.chunks {
            let (x, y, weight) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.weight));
            let squared = S::as_mut_simd_f64s(&mut chunk.scratch).0;
            for v in 0..x.len() {
                let near = simd.less_than_or_equal_f64s(measure.gap(x[v], y[v]), within);
                let unit = simd.greater_than_f64s(weight[v], zero);
                let distance = measure.distance(x[v], y[v]);
                squared[v] = simd.select_f64s(simd.and_m64s(near, unit), distance, none);
                far = simd.max_f64s(far, squared[v]);
            }
        }
        if units > k + MANY {
            return self.kth_of_many(k);
        }
        loop {
            let farthest = simd.reduce_max_f64s(far);
            let at = simd.splat_f64s(farthest);
            let mut leaving = zero;
            far = none;
            for chunk in &mut self.chunks {
                let weight = of::<S>(&chunk.weight);
                let squared = S::as_mut_simd_f64s(&mut chunk.scratch).0;
                for v in 0..weight.len() {
                    let leaves = simd.greater_than_or_equal_f64s(squared[v], at);
                    leaving = simd.add_f64s(leaving, simd.select_f64s(leaves, weight[v], zero));
                    squared[v] = simd.select_f64s(leaves, none, squared[v]);
                    far = simd.max_f64s(far, squared[v]);
                }
            }
            units -= simd.reduce_sum_f64s(leaving);
            if units < k {
                return farthest.sqrt();
            }
        }
    }

    /// The same, from the squared distances just made, by sorting them.
    fn kth_of_many(&mut self, k: f64) -> f64 {
        let chunks = self.chunks.iter();
        let lanes = chunks.flat_map(|chunk| chunk.scratch.iter().zip(&chunk.weight));
        self.order.clear();
        self.order.extend(
            lanes
                .filter(|(squared, _)| **squared >= 0.0)
                .map(|(s, w)| (*s, *w)),
        );
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut units = 0.0;
        let kth = self.order.iter().find(|(_, weight)| {
            units += weight;
            units >= k
        });
        kth.map_or(f64::INFINITY, |(squared, _)| squared.sqrt())
    }

    /// Lowers the bounds above `bound` of the locations within `distance` of the middle of the
    /// cell, tells whose, and says whether there were any.
    #[inline(always)]
    pub fn lower<S: Simd>(
        &mut self,
        simd: S,
        cell: &Cell,
        distance: f64,
        bound: f64,
        mut tell: impl FnMut(u32),
    ) -> bool {
        let mut any = false;
        let measure = Measure::new(simd, cell);
        let (within, limit) = (simd.splat_f64s(distance * distance), simd.splat_f64s(bound));
        let zero = simd.splat_f64s(0.0);
        for chunk in &mut self.chunks {
            let mut most = zero;
            {
                let (x, y) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
                let bounds = of::<S>(&chunk.bound);
                let excess = S::as_mut_simd_f64s(&mut chunk.scratch).0;
                for v in 0..x.len() {
                    let inside = simd.less_than_or_equal_f64s(measure.distance(x[v], y[v]), within);
                    excess[v] = simd.select_f64s(inside, simd.sub_f64s(bounds[v], limit), zero);
                    most = simd.max_f64s(most, excess[v]);
                }
            }
            if simd.reduce_max_f64s(most) > 0.0 {
                any = true;
                for l in 0..LANES {
                    if chunk.scratch[l] > 0.0 {
                        chunk.bound[l] = bound;
                        tell(chunk.location[l]);
                    }
                }
            }
        }
        any
    }

    /// How many places can lie on a circle of radius `least` to `reach` round a centre in the
    /// cell, and what is inside all of these. Marks them for [`List::supports`].
    #[inline(always)]
    pub fn count_supports<S: Simd>(
        &mut self,
        simd: S,
        cell: &Cell,
        reach: f64,
        least: f64,
    ) -> Supports {
        let measure = Measure::new(simd, cell);
        let (within, least) = (
            simd.splat_f64s(within(reach)),
            simd.splat_f64s(beyond(least)),
        );
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        let (mut units, mut inner, mut count, mut bounds) = (zero, zero, zero, zero);
        for chunk in &mut self.chunks {
            let (x, y, weight) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.weight));
            let bound = of::<S>(&chunk.bound);
            let marks = S::as_mut_simd_f64s(&mut chunk.scratch).0;
            for v in 0..x.len() {
                let near = simd.less_than_or_equal_f64s(measure.gap(x[v], y[v]), within);
                let far = simd.greater_than_or_equal_f64s(measure.span(x[v], y[v]), least);
                marks[v] = simd.select_f64s(simd.and_m64s(near, far), one, zero);
                count = simd.add_f64s(count, marks[v]);
                units = simd.add_f64s(units, simd.select_f64s(near, weight[v], zero));
                inner = simd.add_f64s(inner, simd.select_f64s(far, zero, weight[v]));
                bounds = simd.max_f64s(bounds, simd.select_f64s(far, zero, bound[v]));
            }
        }
        Supports {
            units: simd.reduce_sum_f64s(units),
            count: simd.reduce_sum_f64s(count),
            inside: Inside {
                units: simd.reduce_sum_f64s(inner),
                bound: simd.reduce_max_f64s(bounds),
            },
        }
    }

    /// Visits the places just marked: index, coordinates, bound and weight.
    #[inline(always)]
    pub fn supports(&self, mut visit: impl FnMut(u32, f64, f64, f64, f64)) {
        for (c, chunk) in self.chunks.iter().enumerate() {
            let (lanes, count) = gather::<LANES>(|l| chunk.scratch[l] > 0.0);
            for &l in &lanes[..count] {
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

    /// Takes a mark away.
    pub fn unmark(&mut self, index: u32) {
        self.chunks[index as usize / LANES].scratch[index as usize % LANES] = 0.0;
    }

    /// Takes the places within a squared distance of a point: squared distances and indices.
    #[inline(always)]
    pub fn within(&self, center: Point, limit: f64, found: &mut Vec<(f64, u32)>) {
        found.clear();
        for (c, chunk) in self.chunks.iter().enumerate() {
            let mut squared = [0.0; LANES];
            for l in 0..LANES {
                let (dx, dy) = (chunk.x[l] - center.x, chunk.y[l] - center.y);
                squared[l] = dx * dx + dy * dy;
            }
            let mut len = found.len();
            found.resize(len + LANES, (0.0, 0));
            // No branch: it would be a guess each time.
            for l in 0..LANES {
                found[len] = (squared[l], (c * LANES + l) as u32);
                len += usize::from(squared[l] <= limit);
            }
            found.truncate(len);
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

/// The lanes that are wanted, and their number.
#[inline(always)]
pub(crate) fn gather<const N: usize>(wanted: impl Fn(usize) -> bool) -> ([usize; N], usize) {
    let mut lanes = [0; N];
    let mut count = 0;
    // No branch: it would be a guess each time.
    for l in 0..N {
        lanes[count] = l;
        count += usize::from(wanted(l));
    }
    (lanes, count)
}

/// The square of a distance that counts as within `reach`.
#[inline(always)]
fn within(reach: f64) -> f64 {
    (reach + 4.0 * MARGIN) * (reach + 4.0 * MARGIN)
}

/// The square of a distance that may be as far as `least`.
#[inline(always)]
fn beyond(least: f64) -> f64 {
    let least = (least - MARGIN).max(0.0);
    least * least
}

/// Lanes as vectors.
#[inline(always)]
pub(crate) fn of<S: Simd>(lanes: &[f64]) -> &[S::f64s] {
    S::as_simd_f64s(lanes).0
}
