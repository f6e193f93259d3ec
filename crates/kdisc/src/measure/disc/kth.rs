//! How far the k-th unit of a list is from the middle of a cell.
//!
//! Sorting would guess at every step. In short lists every place is compared with every other, in
//! long ones the distance is narrowed down.

use pulp::Simd;

use super::cell::{Cell, MARGIN, Measure};
use super::list::{LANES, List, of, within};

/// Comparing all with all is quicker up to this many chunks.
const SHORT: usize = 1;
/// Steps in the search for the distance of the k-th unit where that need not be exact.
const STEPS: usize = 4;

impl List {
    /// No less than the distance of the k-th unit of the list from the middle of the cell, and
    /// little more, if `cell.most` is no less and the list has k units up to that. Leaves the
    /// squared distances for [`List::take_near`].
    #[inline(always)]
    pub fn rough_kth<S: Simd>(&mut self, simd: S, cell: &Cell, k: f64) -> Option<f64> {
        let measure = Measure::new(simd, cell);
        for chunk in self.chunks_mut() {
            let (x, y) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
            let squared = S::as_mut_simd_f64s(&mut chunk.scratch).0;
            for v in 0..x.len() {
                squared[v] = measure.distance(x[v], y[v]);
            }
        }
        let most = cell.most * cell.most;
        Some(self.bracket(simd, most, k)?[1] + MARGIN)
    }

    /// Limits of the distance of the k-th unit, from squared distances left in scratch, if there are
    /// k units up to `most`.
    #[inline(always)]
    fn bracket<S: Simd>(&self, simd: S, most: f64, k: f64) -> Option<[f64; 2]> {
        let (mut low, mut high) = ([0.0; 2], [most, self.units_within(simd, most)]);
        if high[1] < k {
            return None;
        }
        for _ in 0..STEPS {
            // As if units were spread evenly.
            let share = ((k - low[1]) / (high[1] - low[1])).clamp(0.1, 0.9);
            let middle = low[0] + share * (high[0] - low[0]);
            let units = self.units_within(simd, middle);
            if units >= k {
                high = [middle, units];
            } else {
                low = [middle, units];
            }
        }
        Some([low[0].sqrt(), high[0].sqrt()])
    }

    /// The units within a squared distance, as left in scratch.
    #[inline(always)]
    fn units_within<S: Simd>(&self, simd: S, limit: f64) -> f64 {
        let (limit, mut units) = (simd.splat_f64s(limit), simd.splat_f64s(0.0));
        for chunk in self.chunks() {
            let (squared, weight) = (of::<S>(&chunk.scratch), of::<S>(&chunk.weight));
            // Two sums: each waits for its last one.
            let mut sums = [simd.splat_f64s(0.0); 2];
            for v in 0..squared.len() {
                let inside = simd.less_than_or_equal_f64s(squared[v], limit);
                let more = simd.select_f64s(inside, weight[v], simd.splat_f64s(0.0));
                sums[v % 2] = simd.add_f64s(sums[v % 2], more);
            }
            units = simd.add_f64s(units, simd.add_f64s(sums[0], sums[1]));
        }
        simd.reduce_sum_f64s(units)
    }

    /// Limits of the distance of the k-th unit from the middle of the cell, where the list, just
    /// probed, holds at least k units within reach: equal for short lists. Leaves the squared
    /// distances of what is within reach.
    #[inline(always)]
    pub fn kth_distance<S: Simd>(&mut self, simd: S, cell: &Cell, reach: f64, k: f64) -> [f64; 2] {
        let measure = Measure::new(simd, cell);
        let infinite = simd.splat_f64s(f64::INFINITY);
        let within = simd.splat_f64s(within(reach));
        for chunk in self.chunks_mut() {
            let (x, y) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
            let squared = S::as_mut_simd_f64s(&mut chunk.scratch).0;
            for v in 0..x.len() {
                let near = simd.less_than_or_equal_f64s(measure.gap(x[v], y[v]), within);
                squared[v] = simd.select_f64s(near, measure.distance(x[v], y[v]), infinite);
            }
        }
        if self.chunks().len() > SHORT {
            let most = reach + 2.0 * cell.radius() + 8.0 * MARGIN;
            let all = [0.0, most + MARGIN];
            return self.bracket(simd, most * most, k).unwrap_or(all);
        }
        let k = simd.splat_f64s(k);
        let mut kth = infinite;
        for chunk in self.chunks() {
            for &squared in of::<S>(&chunk.scratch) {
                let units = self.units_up_to(simd, squared);
                let enough = simd.greater_than_or_equal_f64s(units, k);
                kth = simd.select_f64s(enough, simd.min_f64s(kth, squared), kth);
            }
        }
        [simd.reduce_min_f64s(kth).sqrt(); 2]
    }

    /// The units within each of some squared distances.
    #[inline(always)]
    fn units_up_to<S: Simd>(&self, simd: S, squared: S::f64s) -> S::f64s {
        let mut units = simd.splat_f64s(0.0);
        for chunk in self.chunks() {
            for l in 0..LANES {
                let other = simd.splat_f64s(chunk.scratch[l]);
                let nearer = simd.less_than_or_equal_f64s(other, squared);
                let more = simd.add_f64s(units, simd.splat_f64s(chunk.weight[l]));
                units = simd.select_f64s(nearer, more, units);
            }
        }
        units
    }
}
