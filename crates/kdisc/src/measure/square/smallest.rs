//! The smallest side of a square for one anchor.
//!
//! The anchor is the origin and lengths are whole numbers. A square [a, a+w] × [b, b+w] with
//! centre c is allowed when |c| ≤ min(w/2, δ) on both axes. On one axis, a set of locations and
//! the origin with lowest coordinate `low` ≤ 0 and highest `high` ≥ 0 fits in an allowed side w
//! exactly when w ≥ high − low, w ≥ 2·high − 2δ and w ≥ −2·low − 2δ. So for thresholds a, b ≤ 0,
//! each location beyond both has a cost, the smallest side that reaches it, and the side needed
//! for (a, b) is the k-th smallest cost. It is enough to try the coordinates of locations (and of
//! the anchor) as thresholds: raising a threshold to the next coordinate loses nothing.
//!
//! Not all pairs need their k-th cost. With the best side so far, one sweep over a strip
//! [a, a+w] × ℝ, sorted by v, tells whether any b improves it *strictly* (w − 1: whole numbers
//! again). Thresholds a are tried in a scattered order, so improvements are few, O(log m) of m
//! when the order is random (Chan 1999), and the cost is O(m²) for m locations in reach.

use super::whole::Whole;

/// A location as its anchor sees it: turned by 45° for L1, so that balls are squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<T> {
    pub u: T,
    pub v: T,
    pub units: u64,
    /// A lower bound on its own smallest side; 0 if nothing is known.
    pub known: T,
}

impl<T: Whole> Spot<T> {
    pub fn distance(&self) -> T {
        self.u.max(-self.u).max(self.v.max(-self.v))
    }

    /// Whether the box of the anchor and this spot holds the other one.
    pub fn is_beyond(&self, other: &Self) -> bool {
        let between = |c: T, end: T| T::ZERO.min(end) <= c && c <= T::ZERO.max(end);
        between(other.u, self.u)
            && between(other.v, self.v)
            && (self.u, self.v) != (other.u, other.v)
    }
}

/// What is asked of the square.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<T> {
    pub k: u64,
    /// Twice δ, in the units of the spots; any number ≥ the side when δ does not matter.
    pub twice_delta: T,
}

impl<T: Whole> Wanted<T> {
    /// How far from the anchor an allowed square with this side reaches.
    pub fn reach(&self, side: T) -> T {
        side.min((side + self.twice_delta).half())
    }

    /// The smallest side that reaches a coordinate from a threshold.
    fn cost(&self, coordinate: T, threshold: T) -> T {
        (coordinate - threshold).max(coordinate.twice() - self.twice_delta)
    }

    /// The smallest side that reaches from a threshold to the anchor.
    fn base(&self, threshold: T) -> T {
        (-threshold).max(-threshold.twice() - self.twice_delta)
    }

    /// For each spot beyond (a, b): the smallest side from there that holds it and the anchor.
    fn costs(&self, a: T, b: T, spots: &[Spot<T>]) -> impl Iterator<Item = (T, u64)> {
        let base = self.base(a).max(self.base(b));
        let beyond = spots.iter().filter(move |s| s.u >= a && s.v >= b);
        beyond.map(move |s| {
            let cost = self.cost(s.u, a).max(self.cost(s.v, b));
            (cost.max(base), s.units)
        })
    }

    /// The side that reaches k units.
    fn kth(&self, costs: &mut [(T, u64)]) -> Option<T> {
        costs.sort_unstable_by_key(|&(cost, _)| cost);
        let mut units = 0;
        let kth = costs.iter().find(|&&(_, more)| {
            units += more;
            units >= self.k
        });
        kth.map(|&(cost, _)| cost)
    }
}

/// Work space, kept from anchor to anchor.
#[derive(Debug, Default)]
pub(super) struct Smallest<T> {
    thresholds: Vec<T>,
    /// The spots of the strip, as many as `in_strip`; the rest is left from earlier.
    strip: Vec<Spot<T>>,
    in_strip: usize,
    costs: Vec<(T, u64)>,
}

impl<T: Whole> Smallest<T> {
    /// The smallest side if it is less than `above`, else `above`. The spots are sorted by v and
    /// include the anchor, at the origin, even when it has no units.
    pub fn side(&mut self, spots: &[Spot<T>], wanted: &Wanted<T>, above: T) -> T {
        self.thresholds.clear();
        let left = spots.iter().map(|s| s.u).filter(|&u| u <= T::ZERO);
        self.thresholds.extend(left);
        self.thresholds.sort_unstable();
        self.thresholds.dedup();
        if self.strip.len() < spots.len() {
            self.strip.resize(spots.len(), spots[0]);
        }

        let mut best = above;
        if spots.iter().map(|s| s.units).sum::<u64>() < wanted.k {
            return best;
        }
        // Start in the middle, where good squares are, and scatter: a step that shares no factor
        // with the count visits all.
        let count = self.thresholds.len();
        let step = [5, 7, 11, 13, 17]
            .into_iter()
            .find(|step| !count.is_multiple_of(*step))
            .unwrap_or(1);
        let mut next = count / 2;
        for _ in 0..count {
            let a = self.thresholds[next];
            next = (next + step) % count;
            while let Some(b) = self.improvable(a, spots, wanted, best - T::ONE) {
                best = self.needed(a, b, wanted);
            }
        }
        best
    }

    /// The first threshold b such that (a, b) needs at most this side; `strip` has its locations.
    fn improvable(&mut self, a: T, spots: &[Spot<T>], wanted: &Wanted<T>, side: T) -> Option<T> {
        let reach = wanted.reach(side);
        if -a > reach {
            return None;
        }
        let right = reach.min(a + side);
        let mut count = 0;
        let mut units = 0;
        for spot in spots {
            // Written always, kept only if inside: no branch to guess wrong.
            let inside = spot.u == spot.u.clamp(a, right) && spot.v == spot.v.clamp(-reach, reach);
            self.strip[count] = *spot;
            count += usize::from(inside);
            units += spot.units * u64::from(inside);
        }
        self.in_strip = count;
        if units < wanted.k {
            return None;
        }
        let strip = &self.strip[..count];
        let mut top = 0;
        let mut units = 0;
        for bottom in strip {
            if bottom.v > T::ZERO {
                break;
            }
            while let Some(next) = strip.get(top).filter(|s| s.v <= bottom.v + side) {
                units += next.units;
                top += 1;
            }
            if units >= wanted.k {
                return Some(bottom.v);
            }
            units -= bottom.units;
        }
        None
    }

    /// The side that the thresholds (a, b) need, given that the strip is enough to find it.
    fn needed(&mut self, a: T, b: T, wanted: &Wanted<T>) -> T {
        let strip = &self.strip[..self.in_strip];
        self.costs.clear();
        self.costs.extend(wanted.costs(a, b, strip));
        wanted.kth(&mut self.costs).unwrap_or(T::ZERO)
    }

    /// The side that a first pair of thresholds needs, the lowest coordinates from `low` on, if
    /// it is less than `above`; else `above`. The spots are in any order.
    pub fn first(&mut self, low: [T; 2], spots: &[Spot<T>], wanted: &Wanted<T>, above: T) -> T {
        let [mut a, mut b] = [T::ZERO; 2];
        for spot in spots {
            if spot.u >= low[0] {
                a = a.min(spot.u);
            }
            if spot.v >= low[1] {
                b = b.min(spot.v);
            }
        }
        self.costs.clear();
        let costs = wanted.costs(a, b, spots);
        self.costs.extend(costs.filter(|&(cost, _)| cost < above));
        wanted.kth(&mut self.costs).unwrap_or(above)
    }
}
