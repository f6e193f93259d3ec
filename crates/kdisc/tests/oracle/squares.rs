//! L∞ and L1 by enumeration, for every δ, exactly.
//!
//! L1 becomes L∞ in the frame u = x + y, v = x − y. There, with the radius r given, a location q
//! is in the square round c when q − r ≤ c ≤ q + r on both axes, and c is allowed when
//! s − min(r, δ) ≤ c ≤ s + min(r, δ). So these numbers, the *critical* ones, cut each axis into
//! points and open intervals on which nothing changes, and the plane into cells: it is enough to
//! look at one centre per cell.
//!
//! The least radius leaves no room on one of the axes: a critical number from below (q − r, s − r
//! or s − δ) meets one from above (q + r, s + r or s + δ). That gives the possible radii. It also
//! makes the allowed centres points and segments: the sliding families.

use kdisc::{Delta, Metric, Point};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::exact::{Number, power_of_two, scaled};
use super::{Answer, Locations};

/// Four halvings: of x + y and x − y, of widths, of intervals, and one to spare.
const FINE: i32 = 4;

pub struct Squares {
    pub locations: Locations,
    metric: Metric,
}

impl Squares {
    /// `places` are anchors outside the population.
    pub fn new(points: &[Point], weights: &[u64], places: &[Point], metric: Metric) -> Self {
        assert_ne!(metric, Metric::L2);
        let locations = Locations::new(points, weights, places);
        assert!(locations.points.len() <= 64, "members are bits of a word");
        Self { locations, metric }
    }

    pub fn answer(&self, anchor: Point, k: u64, delta: Delta) -> Option<Answer> {
        let finite = delta.distance().is_finite();
        let mut values = vec![
            if finite { delta.distance() } else { 0.0 },
            anchor.x,
            anchor.y,
        ];
        values.extend(self.locations.points.iter().flat_map(|p| [p.x, p.y]));
        let (whole, exponent) = scaled(&values);
        let mut whole: Vec<BigInt> = whole.into_iter().map(|v| v << FINE).collect();
        if self.metric == Metric::L1 {
            for pair in whole[1..].chunks_exact_mut(2) {
                (pair[0], pair[1]) = (&pair[0] + &pair[1], &pair[0] - &pair[1]);
            }
        }
        let weights = &self.locations.weights;
        let (radius, units, u, v) = if whole.iter().all(|v| v.bits() < 100) {
            let narrow = |v: &BigInt| i128::try_from(v).expect("few bits");
            let whole: Vec<i128> = whole.iter().map(narrow).collect();
            Frame::new(&whole, finite, weights, self.metric).solve(k)?
        } else {
            Frame::new(&whole, finite, weights, self.metric).solve(k)?
        };
        let unit = power_of_two(exponent - FINE);
        let [radius, u, v] = [radius, u, v].map(|whole| BigRational::from(whole) * &unit);
        let two = BigRational::from(BigInt::from(2));
        let center = match self.metric {
            Metric::L1 => ((&u + &v) / &two, (u - v) / two),
            _ => (u, v),
        };
        Some(Answer {
            squared_radius: &radius * &radius,
            units,
            center,
        })
    }
}

/// Everything about one anchor, in the frame where discs are squares along the axes.
struct Frame<'a, T> {
    /// `None` is infinite.
    delta: Option<T>,
    /// By axis: the anchor and the locations.
    anchor: [T; 2],
    points: [Vec<T>; 2],
    weights: &'a [u64],
    metric: Metric,
}

/// One axis with the radius given: numbers at even positions are critical, those at odd positions
/// stand for the open interval between; and the locations within r of each.
struct Axis<T> {
    at: Vec<T>,
    members: Vec<u64>,
}

impl<'a, T: Number> Frame<'a, T> {
    fn new(whole: &[T], finite: bool, weights: &'a [u64], metric: Metric) -> Self {
        let axis = |offset: usize| whole.iter().skip(3 + offset).step_by(2).cloned().collect();
        Self {
            delta: finite.then(|| whole[0].clone()),
            anchor: [whole[1].clone(), whole[2].clone()],
            points: [axis(0), axis(1)],
            weights,
            metric,
        }
    }

    /// Radius, units and centre.
    fn solve(&self, k: u64) -> Option<(BigInt, u64, BigInt, BigInt)> {
        let radii = self.possible_radii();
        // A larger square round the same centre holds no less.
        let least = radii.partition_point(|r| {
            let (us, vs) = (self.axis(0, r), self.axis(1, r));
            let mut centres = us
                .members
                .iter()
                .flat_map(|u| vs.members.iter().map(move |v| u & v));
            !centres.any(|members| self.units(members) >= k)
        });
        let radius = radii.get(least)?;
        let (units, u, v) = self.best_center(&self.axis(0, radius), &self.axis(1, radius), k);
        Some((radius.clone().into(), units, u.into(), v.into()))
    }

    fn possible_radii(&self) -> Vec<T> {
        let zero = T::from(0);
        let mut radii = vec![zero.clone()];
        for axis in 0..2 {
            let anchor = &self.anchor[axis];
            let mut all = self.points[axis].clone();
            all.push(anchor.clone());
            for a in &all {
                radii.extend(all.iter().map(|b| (a.clone() - b).half()));
                if let Some(delta) = &self.delta {
                    radii.push(a.clone() - anchor - delta);
                    radii.push(anchor.clone() - a - delta);
                }
            }
        }
        radii.retain(|r| *r >= zero);
        radii.sort();
        radii.dedup();
        radii
    }

    fn axis(&self, axis: usize, radius: &T) -> Axis<T> {
        let reach = match &self.delta {
            Some(delta) => delta.min(radius),
            None => radius,
        };
        let low = self.anchor[axis].clone() - reach;
        let high = self.anchor[axis].clone() + reach;
        let points = &self.points[axis];
        let mut critical = vec![low.clone(), high.clone()];
        critical.extend(points.iter().map(|q| q.clone() - radius));
        critical.extend(points.iter().map(|q| q.clone() + radius));
        critical.retain(|c| low <= *c && *c <= high);
        critical.sort();
        critical.dedup();
        let mut at = vec![critical[0].clone()];
        for pair in critical.windows(2) {
            at.push((pair[0].clone() + &pair[1]).half());
            at.push(pair[1].clone());
        }
        let within = |c: &T| {
            let inside = points
                .iter()
                .map(|q| q.clone() - radius <= *c && *c <= q.clone() + radius);
            let bits = inside.enumerate().map(|(i, inside)| u64::from(inside) << i);
            bits.sum()
        };
        let members = at.iter().map(within).collect();
        Axis { at, members }
    }

    fn units(&self, members: u64) -> u64 {
        let weights = self.weights.iter().enumerate();
        weights
            .filter(|(i, _)| members >> i & 1 == 1)
            .map(|(_, w)| w)
            .sum()
    }

    /// The locations with units.
    fn counted(&self) -> u64 {
        let weights = self.weights.iter().enumerate();
        weights.map(|(i, w)| u64::from(*w > 0) << i).sum()
    }

    /// The fewest units over all families, and the smallest x, then y, of their centres.
    fn best_center(&self, us: &Axis<T>, vs: &Axis<T>, k: u64) -> (u64, T, T) {
        let (width, height) = (us.at.len(), vs.at.len());
        let allowed = |i: usize, j: usize| self.units(us.members[i] & vs.members[j]) >= k;
        let mut centers = Vec::new();
        for i in 0..width {
            for j in 0..height {
                if !allowed(i, j) {
                    continue;
                }
                assert!(
                    i % 2 == 0 || j % 2 == 0,
                    "room on both axes: a smaller square exists"
                );
                let left = i > 0 && allowed(i - 1, j);
                let right = i + 1 < width && allowed(i + 1, j);
                let below = j > 0 && allowed(i, j - 1);
                let above = j + 1 < height && allowed(i, j + 1);
                if !left && right {
                    let end = (i..width).find(|&i| !allowed(i, j)).unwrap_or(width);
                    let (units, u) = self.slide(us, i..end, vs.members[j]);
                    centers.push((units, u, vs.at[j].clone()));
                }
                if !below && above {
                    let end = (j..height).find(|&j| !allowed(i, j)).unwrap_or(height);
                    let (units, v) = self.slide(vs, j..end, us.members[i]);
                    centers.push((units, us.at[i].clone(), v));
                }
                if !(left || right || below || above) {
                    let units = self.units(us.members[i] & vs.members[j]);
                    centers.push((units, us.at[i].clone(), vs.at[j].clone()));
                }
            }
        }
        let order = |(units, u, v): &(u64, T, T)| match self.metric {
            Metric::L1 => (*units, u.clone() + v, u.clone() - v),
            _ => (*units, u.clone(), v.clone()),
        };
        centers
            .into_iter()
            .min_by_key(order)
            .expect("the radius is possible")
    }

    /// Along one family: the fewest units, and the middle of the first interval that has them.
    fn slide(&self, axis: &Axis<T>, cells: std::ops::Range<usize>, across: u64) -> (u64, T) {
        // Locations without units come and go unnoticed.
        let members = |i: usize| axis.members[i] & across & self.counted();
        let fewest = cells
            .clone()
            .map(|i| self.units(members(i)))
            .min()
            .expect("cells");
        let mut first = cells.clone();
        let first = first
            .find(|&i| self.units(members(i)) == fewest)
            .expect("the minimum");
        let same = (first..cells.end).take_while(|&i| members(i) == members(first));
        let last = same.last().expect("the first itself");
        // An open interval reaches to the critical numbers beside it.
        let start = &axis.at[first - first % 2];
        let end = &axis.at[last + last % 2];
        (fewest, (start.clone() + end).half())
    }
}
