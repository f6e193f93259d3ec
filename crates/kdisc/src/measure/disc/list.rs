//! The locations within reach of a cell, in short lists that fill the registers of a processor.
//!
//! Everything is relative to the origin and scale of one block, where coordinates are small
//! numbers, so single precision suffices: distances are off by less than [`MARGIN`], and every
//! test has that margin on the careful side. Nothing is decided here but what may be left out.
//!
//! The loops over places work on whole vectors (crate pulp: the widest that the processor has).

use pulp::Simd;

/// Lists are filled up to whole vectors of any processor.
pub(crate) const LANES: usize = 16;
/// Room for single precision, in units of the scale.
pub(crate) const MARGIN: f32 = 2e-6;
/// Weights count up to this; enough for the lists, and their sums fit.
pub(crate) const HEAVY: u64 = 1 << 20;

/// A square, by its middle and half its side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub x: f32,
    pub y: f32,
    pub half: f32,
    /// At least the distance of the k-th unit from the middle.
    pub most: f32,
}

impl Cell {
    /// From the middle to a corner.
    #[inline(always)]
    pub fn radius(&self) -> f32 {
        self.half * std::f32::consts::SQRT_2 + MARGIN
    }

    /// At least the distance of the k-th unit from any place in the cell.
    #[inline(always)]
    pub fn limit(&self) -> f32 {
        self.most + self.radius()
    }

    #[inline(always)]
    pub fn quarters(&self) -> [Self; 4] {
        let half = self.half / 2.0;
        [(-half, -half), (half, -half), (-half, half), (half, half)].map(|(dx, dy)| {
            let quarter = Self {
                x: self.x + dx,
                y: self.y + dy,
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

/// Up to [`LANES`] places as columns. Vacant lanes are infinitely far away.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub x: Lanes,
    pub y: Lanes,
    /// No disc larger than this is of use to the location; 0 where nothing is asked.
    pub bound: Lanes,
    pub weight: Lanes,
    pub location: [u32; LANES],
}

pub(crate) type Lanes = [f32; LANES];

const VACANT: Chunk = Chunk {
    x: [f32::INFINITY; LANES],
    y: [f32::INFINITY; LANES],
    bound: [0.0; LANES],
    weight: [0.0; LANES],
    location: [u32::MAX; LANES],
};

#[derive(Default, Clone)]
pub(crate) struct List {
    chunks: Vec<Chunk>,
    len: usize,
    /// Squared distances between one cell and the places.
    squared: Vec<Lanes>,
}

/// What a list says of a cell.
pub(crate) struct Probe {
    /// No useful disc centred in the cell is larger than this.
    pub reach: f32,
    /// Units that such discs can hold.
    pub units: f32,
}

impl List {
    #[inline(always)]
    pub fn clear(&mut self) {
        self.chunks.clear();
        self.squared.clear();
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    #[inline(always)]
    pub fn push(&mut self, x: f32, y: f32, bound: f32, weight: f32, location: u32) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.chunks.push(VACANT);
            self.squared.push([0.0; LANES]);
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
    pub fn probe<S: Simd>(&mut self, simd: S, cell: &Cell, near: f32) -> Probe {
        let measure = Measure::new(simd, cell);
        let (margin, near) = (simd.splat_f32s(MARGIN), simd.splat_f32s(near));
        let zero = simd.splat_f32s(0.0);
        let mut caps = zero;
        for (chunk, gaps) in self.chunks.iter().zip(&mut self.squared) {
            let (x, y, bound) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.bound));
            let gaps = S::as_mut_simd_f32s(gaps).0;
            for v in 0..x.len() {
                gaps[v] = measure.gap(x[v], y[v]);
                let reach = simd.add_f32s(simd.min_f32s(bound[v], near), margin);
                let served = simd.less_than_or_equal_f32s(gaps[v], simd.mul_f32s(reach, reach));
                caps = simd.max_f32s(caps, simd.select_f32s(served, bound[v], zero));
            }
        }
        let reach = simd.reduce_max_f32s(caps).min(cell.limit());
        let within = simd.splat_f32s(within(reach));
        let mut units = zero;
        for (chunk, gaps) in self.chunks.iter().zip(&self.squared) {
            let (weight, gaps) = (of::<S>(&chunk.weight), of::<S>(gaps));
            for v in 0..weight.len() {
                let inside = simd.less_than_or_equal_f32s(gaps[v], within);
                units = simd.add_f32s(units, simd.select_f32s(inside, weight[v], zero));
            }
        }
        Probe {
            reach,
            units: simd.reduce_sum_f32s(units),
        }
    }

    /// Keeps the locations of `other`, just probed, within `reach` of the cell.
    #[inline(always)]
    pub fn take_near(&mut self, other: &Self, reach: f32, bound: impl Fn(u32) -> f32) {
        let within = within(reach);
        self.clear();
        for (chunk, gaps) in other.chunks.iter().zip(&other.squared) {
            for l in 0..LANES {
                if gaps[l] <= within {
                    let location = chunk.location[l];
                    self.push(chunk.x[l], chunk.y[l], bound(location), chunk.weight[l], location);
                }
            }
        }
    }

    /// The distance of the k-th unit from the middle of the cell, where the list, just probed,
    /// holds `units` ≥ k units within reach: the farthest are taken away until one is needed.
    #[inline(always)]
    pub fn kth_distance<S: Simd>(&mut self, simd: S, cell: &Cell, reach: f32, mut units: f32, k: f32) -> f32 {
        let measure = Measure::new(simd, cell);
        let (none, zero) = (simd.splat_f32s(-1.0), simd.splat_f32s(0.0));
        let within = simd.splat_f32s(within(reach));
        let mut far = none;
        for (chunk, squared) in self.chunks.iter().zip(&mut self.squared) {
            let (x, y, weight) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.weight));
            let squared = S::as_mut_simd_f32s(squared).0;
            for v in 0..x.len() {
                let near = simd.less_than_or_equal_f32s(measure.gap(x[v], y[v]), within);
                let unit = simd.greater_than_f32s(weight[v], zero);
                let distance = measure.distance(x[v], y[v]);
                squared[v] = simd.select_f32s(simd.and_m32s(near, unit), distance, none);
                far = simd.max_f32s(far, squared[v]);
            }
        }
        loop {
            let farthest = simd.reduce_max_f32s(far);
            let at = simd.splat_f32s(farthest);
            let mut leaving = zero;
            far = none;
            for (chunk, squared) in self.chunks.iter().zip(&mut self.squared) {
                let weight = of::<S>(&chunk.weight);
                let squared = S::as_mut_simd_f32s(squared).0;
                for v in 0..weight.len() {
                    let leaves = simd.greater_than_or_equal_f32s(squared[v], at);
                    leaving = simd.add_f32s(leaving, simd.select_f32s(leaves, weight[v], zero));
                    squared[v] = simd.select_f32s(leaves, none, squared[v]);
                    far = simd.max_f32s(far, squared[v]);
                }
            }
            units -= simd.reduce_sum_f32s(leaving);
            if units < k {
                return farthest.sqrt();
            }
        }
    }

    /// Lowers the bounds above `bound` of the locations within `distance` of the middle of the
    /// cell, and tells whose.
    #[inline(always)]
    pub fn lower<S: Simd>(&mut self, simd: S, cell: &Cell, distance: f32, bound: f32, mut tell: impl FnMut(u32)) {
        let measure = Measure::new(simd, cell);
        let (within, limit) = (simd.splat_f32s(distance * distance), simd.splat_f32s(bound));
        let zero = simd.splat_f32s(0.0);
        for (chunk, excess) in self.chunks.iter_mut().zip(&mut self.squared) {
            let mut most = zero;
            {
                let (x, y) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
                let bounds = of::<S>(&chunk.bound);
                let excess = S::as_mut_simd_f32s(excess).0;
                for v in 0..x.len() {
                    let inside = simd.less_than_or_equal_f32s(measure.distance(x[v], y[v]), within);
                    excess[v] = simd.select_f32s(inside, simd.sub_f32s(bounds[v], limit), zero);
                    most = simd.max_f32s(most, excess[v]);
                }
            }
            if simd.reduce_max_f32s(most) > 0.0 {
                for l in 0..LANES {
                    if excess[l] > 0.0 {
                        chunk.bound[l] = bound;
                        tell(chunk.location[l]);
                    }
                }
            }
        }
    }

    /// How many places within `reach` of the cell can lie on a circle of radius `least` or more
    /// round a centre in it; marks them for [`List::supports`].
    #[inline(always)]
    pub fn count_supports<S: Simd>(&mut self, simd: S, cell: &Cell, reach: f32, least: f32) -> f32 {
        let measure = Measure::new(simd, cell);
        let (within, least) = (simd.splat_f32s(within(reach)), simd.splat_f32s(beyond(least)));
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let mut count = zero;
        for (chunk, marks) in self.chunks.iter().zip(&mut self.squared) {
            let (x, y) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
            let marks = S::as_mut_simd_f32s(marks).0;
            for v in 0..x.len() {
                let near = simd.less_than_or_equal_f32s(measure.gap(x[v], y[v]), within);
                let far = simd.greater_than_or_equal_f32s(measure.span(x[v], y[v]), least);
                marks[v] = simd.select_f32s(simd.and_m32s(near, far), one, zero);
                count = simd.add_f32s(count, marks[v]);
            }
        }
        simd.reduce_sum_f32s(count)
    }

    /// Visits the places just marked: index and coordinates.
    #[inline(always)]
    pub fn supports(&self, mut visit: impl FnMut(u32, f32, f32)) {
        for (c, (chunk, marks)) in self.chunks.iter().zip(&self.squared).enumerate() {
            for l in 0..LANES {
                if marks[l] > 0.0 {
                    visit((c * LANES + l) as u32, chunk.x[l], chunk.y[l]);
                }
            }
        }
    }

    pub fn location(&self, index: u32) -> u32 {
        self.chunks[index as usize / LANES].location[index as usize % LANES]
    }
}

/// The square of a distance that counts as within `reach`.
#[inline(always)]
fn within(reach: f32) -> f32 {
    (reach + 4.0 * MARGIN) * (reach + 4.0 * MARGIN)
}

/// The square of a distance that may be as far as `least`.
#[inline(always)]
fn beyond(least: f32) -> f32 {
    let least = (least - MARGIN).max(0.0);
    least * least
}

/// Lanes as vectors.
#[inline(always)]
pub(crate) fn of<S: Simd>(lanes: &Lanes) -> &[S::f32s] {
    S::as_simd_f32s(lanes).0
}

/// Squared distances between places and a cell.
struct Measure<S: Simd> {
    simd: S,
    x: S::f32s,
    y: S::f32s,
    half: S::f32s,
    zero: S::f32s,
}

impl<S: Simd> Measure<S> {
    #[inline(always)]
    fn new(simd: S, cell: &Cell) -> Self {
        Self {
            simd,
            x: simd.splat_f32s(cell.x),
            y: simd.splat_f32s(cell.y),
            half: simd.splat_f32s(cell.half),
            zero: simd.splat_f32s(0.0),
        }
    }

    #[inline(always)]
    fn hypotenuse(&self, dx: S::f32s, dy: S::f32s) -> S::f32s {
        let simd = self.simd;
        simd.add_f32s(simd.mul_f32s(dx, dx), simd.mul_f32s(dy, dy))
    }

    /// From a place to the nearest point of the cell.
    #[inline(always)]
    fn gap(&self, x: S::f32s, y: S::f32s) -> S::f32s {
        let simd = self.simd;
        let along = |a, middle| {
            let outside = simd.sub_f32s(simd.abs_f32s(simd.sub_f32s(a, middle)), self.half);
            simd.max_f32s(outside, self.zero)
        };
        self.hypotenuse(along(x, self.x), along(y, self.y))
    }

    /// From a place to the middle of the cell.
    #[inline(always)]
    fn distance(&self, x: S::f32s, y: S::f32s) -> S::f32s {
        let simd = self.simd;
        self.hypotenuse(simd.sub_f32s(x, self.x), simd.sub_f32s(y, self.y))
    }

    /// From a place to the farthest corner of the cell.
    #[inline(always)]
    fn span(&self, x: S::f32s, y: S::f32s) -> S::f32s {
        let simd = self.simd;
        let along = |a, middle| simd.add_f32s(simd.abs_f32s(simd.sub_f32s(a, middle)), self.half);
        self.hypotenuse(along(x, self.x), along(y, self.y))
    }
}
