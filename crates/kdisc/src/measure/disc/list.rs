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

/// Locations as columns. Lanes without a location are infinitely far away.
#[derive(Default, Clone)]
pub(crate) struct List {
    x: Vec<f32>,
    y: Vec<f32>,
    /// No disc larger than this is of use to the location; 0 where nothing is asked.
    bound: Vec<f32>,
    weight: Vec<f32>,
    location: Vec<u32>,
    /// Squared distances between one cell and the places.
    squared: Vec<f32>,
}

/// What a list says of a cell.
pub(crate) struct Probe {
    /// No useful disc centred in the cell is larger than this.
    pub reach: f32,
    /// Units that such discs can hold.
    pub units: f32,
}

impl List {
    pub fn clear(&mut self) {
        self.x.clear();
        self.y.clear();
        self.bound.clear();
        self.weight.clear();
        self.location.clear();
    }

    pub fn len(&self) -> usize {
        self.location.len()
    }

    #[inline(always)]
    pub fn push(&mut self, x: f32, y: f32, bound: f32, weight: f32, location: u32) {
        self.x.push(x);
        self.y.push(y);
        self.bound.push(bound);
        self.weight.push(weight);
        self.location.push(location);
    }

    /// To be called after the last [`List::push`].
    #[inline(always)]
    pub fn fill_up(&mut self) {
        let lanes = self.len().next_multiple_of(LANES);
        self.x.resize(lanes, f32::INFINITY);
        self.y.resize(lanes, f32::INFINITY);
        self.bound.resize(lanes, 0.0);
        self.weight.resize(lanes, 0.0);
        self.squared.resize(lanes, 0.0);
    }

    /// Looks at a cell. Locations farther than `near` from it are not served.
    #[inline(always)]
    pub fn probe<S: Simd>(&mut self, simd: S, cell: &Cell, near: f32) -> Probe {
        let measure = Measure::new(simd, cell);
        let margin = simd.splat_f32s(MARGIN);
        let near = simd.splat_f32s(near);
        let zero = simd.splat_f32s(0.0);
        let mut caps = zero;
        let gaps = S::as_mut_simd_f32s(&mut self.squared).0;
        let columns = columns::<S>(&self.x, &self.y).zip(S::as_simd_f32s(&self.bound).0);
        for (((&x, &y), &bound), gap) in columns.zip(gaps.iter_mut()) {
            *gap = measure.gap(x, y);
            let reach = simd.add_f32s(simd.min_f32s(bound, near), margin);
            let served = simd.less_than_or_equal_f32s(*gap, simd.mul_f32s(reach, reach));
            caps = simd.max_f32s(caps, simd.select_f32s(served, bound, zero));
        }
        let reach = simd.reduce_max_f32s(caps).min(cell.limit());
        let within = simd.splat_f32s(within(reach));
        let mut units = zero;
        for (&gap, &weight) in gaps.iter().zip(S::as_simd_f32s(&self.weight).0) {
            let inside = simd.less_than_or_equal_f32s(gap, within);
            units = simd.add_f32s(units, simd.select_f32s(inside, weight, zero));
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
        for (i, &location) in other.location.iter().enumerate() {
            if other.squared[i] <= within {
                self.push(other.x[i], other.y[i], bound(location), other.weight[i], location);
            }
        }
        self.fill_up();
    }

    /// The distance of the k-th unit from the middle of the cell, where the list holds `units`
    /// ≥ k units within reach: the farthest are taken away until one is needed.
    #[inline(always)]
    pub fn kth_distance<S: Simd>(&mut self, simd: S, cell: &Cell, reach: f32, mut units: f32, k: f32) -> f32 {
        let measure = Measure::new(simd, cell);
        let (none, zero) = (simd.splat_f32s(-1.0), simd.splat_f32s(0.0));
        let within = simd.splat_f32s(within(reach));
        let mut far = none;
        let distances = S::as_mut_simd_f32s(&mut self.squared).0;
        let weights = S::as_simd_f32s(&self.weight).0;
        for (((&x, &y), &weight), distance) in columns::<S>(&self.x, &self.y).zip(weights).zip(distances.iter_mut()) {
            let near = simd.less_than_or_equal_f32s(measure.gap(x, y), within);
            let unit = simd.greater_than_f32s(weight, zero);
            *distance = simd.select_f32s(simd.and_m32s(near, unit), measure.distance(x, y), none);
            far = simd.max_f32s(far, *distance);
        }
        loop {
            let farthest = simd.reduce_max_f32s(far);
            let at = simd.splat_f32s(farthest);
            let mut leaving = zero;
            far = none;
            for (&weight, distance) in weights.iter().zip(distances.iter_mut()) {
                let leaves = simd.greater_than_or_equal_f32s(*distance, at);
                leaving = simd.add_f32s(leaving, simd.select_f32s(leaves, weight, zero));
                *distance = simd.select_f32s(leaves, none, *distance);
                far = simd.max_f32s(far, *distance);
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
        let within = simd.splat_f32s(distance * distance);
        let limit = simd.splat_f32s(bound);
        let zero = simd.splat_f32s(0.0);
        let mut excess = zero;
        let marks = S::as_mut_simd_f32s(&mut self.squared).0;
        let bounds = S::as_simd_f32s(&self.bound).0;
        for (((&x, &y), &bound), mark) in columns::<S>(&self.x, &self.y).zip(bounds).zip(marks) {
            let inside = simd.less_than_or_equal_f32s(measure.distance(x, y), within);
            *mark = simd.select_f32s(inside, simd.sub_f32s(bound, limit), zero);
            excess = simd.max_f32s(excess, *mark);
        }
        if simd.reduce_max_f32s(excess) > 0.0 {
            for (i, &location) in self.location.iter().enumerate() {
                if self.squared[i] > 0.0 {
                    self.bound[i] = bound;
                    tell(location);
                }
            }
        }
    }

    /// How many places within `reach` of the cell can lie on a circle of radius `least` or more
    /// round a centre in it.
    #[inline(always)]
    pub fn supports<S: Simd>(&self, simd: S, cell: &Cell, reach: f32, least: f32) -> f32 {
        let measure = Measure::new(simd, cell);
        let within = simd.splat_f32s(within(reach));
        let least = simd.splat_f32s(beyond(least));
        let (zero, one) = (simd.splat_f32s(0.0), simd.splat_f32s(1.0));
        let mut count = zero;
        for (&x, &y) in columns::<S>(&self.x, &self.y) {
            let near = simd.less_than_or_equal_f32s(measure.gap(x, y), within);
            let far = simd.greater_than_or_equal_f32s(measure.span(x, y), least);
            let both = simd.and_m32s(near, far);
            count = simd.add_f32s(count, simd.select_f32s(both, one, zero));
        }
        simd.reduce_sum_f32s(count)
    }

    /// Visits the places within `reach` of the cell: location, bound, and whether
    /// [`List::supports`] counts it.
    #[inline(always)]
    pub fn visit<S: Simd>(&mut self, simd: S, cell: &Cell, reach: f32, least: f32, mut visit: impl FnMut(u32, f32, bool)) {
        let measure = Measure::new(simd, cell);
        let within = simd.splat_f32s(within(reach));
        let none = simd.splat_f32s(-1.0);
        let marks = S::as_mut_simd_f32s(&mut self.squared).0;
        for ((&x, &y), mark) in columns::<S>(&self.x, &self.y).zip(marks) {
            let near = simd.less_than_or_equal_f32s(measure.gap(x, y), within);
            *mark = simd.select_f32s(near, measure.span(x, y), none);
        }
        let least = beyond(least);
        for (i, &location) in self.location.iter().enumerate() {
            if self.squared[i] >= 0.0 {
                visit(location, self.bound[i], self.squared[i] >= least);
            }
        }
    }
}

/// The square of a distance that counts as within `reach`.
fn within(reach: f32) -> f32 {
    (reach + MARGIN) * (reach + MARGIN)
}

/// The square of a distance that may be as far as `least`.
fn beyond(least: f32) -> f32 {
    let least = (least - MARGIN).max(0.0);
    least * least
}

#[inline(always)]
fn columns<'a, S: Simd>(x: &'a [f32], y: &'a [f32]) -> impl Iterator<Item = (&'a S::f32s, &'a S::f32s)> {
    S::as_simd_f32s(x).0.iter().zip(S::as_simd_f32s(y).0)
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
