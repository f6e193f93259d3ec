//! Against all circles through two or three places, one by one, in doubles; with vectors of all
//! sizes, as the machine of a test has only some of them.

use proptest::prelude::*;
#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};
use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b, Simd};

use super::super::cell::Cell;
use super::super::circle::{squared, through};
use super::super::list::{Entry, List};
use super::super::supports::{Range, Supports};
use super::Quick;
use crate::Point;

/// Coordinates, weight and bound.
type Row = (f64, f64, u8, f64);

struct Case {
    places: Vec<Row>,
    cell: Cell,
    k: u8,
}

impl Case {
    /// What the vectors find: places in order, the last one twice in a circle across two.
    fn found<S: Simd>(&self, simd: S) -> Option<Vec<[u32; 3]>> {
        let mut list = List::default();
        list.clear(1.0);
        for (i, &(x, y, weight, bound)) in self.places.iter().enumerate() {
            let place = Entry {
                x,
                y,
                bound,
                weight: f64::from(weight),
                location: i as u32,
            };
            list.push(&place, true);
        }
        list.vacate();
        let (reach, k) = (self.reach(), f64::from(self.k));
        let rim = list.count_supports(simd, &self.cell, reach, 0.0);
        let mut supports = Supports::default();
        supports.collect(&list, &self.cell);
        let range = Range {
            reach,
            least: 0.0,
            k,
            inside: rim.inside,
        };
        let mut quick = Quick::default();
        let found = quick.search(simd, &supports, &self.cell, &range)?;
        let named = |places: &[u32; 3]| sorted(places.map(|p| supports.index[p as usize]));
        Some(found.iter().map(named).collect())
    }

    fn reach(&self) -> f64 {
        self.places.iter().map(|p| p.3).fold(0.0, f64::max)
    }

    /// The circles that matter beyond doubt.
    fn wanted(&self) -> Vec<[u32; 3]> {
        let count = self.places.len() as u32;
        let mut wanted = Vec::new();
        for i in 0..count {
            for j in 0..i {
                let [p, q] = [i, j].map(|i| self.at(i));
                let middle = Point::new(f64::midpoint(p.x, q.x), f64::midpoint(p.y, q.y));
                if self.matters(middle, squared(middle, p).sqrt(), &[i, j]) {
                    wanted.push(sorted([i, j, j]));
                }
                for l in 0..j {
                    let r = self.at(l);
                    let corners = [(p, q, r), (q, r, p), (r, p, q)];
                    let is_obtuse = |&(p, q, r): &(Point, Point, Point)| {
                        (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y) < 0.0
                    };
                    let Some((first, x, y, _)) = through(p, q, r) else {
                        continue;
                    };
                    let center = Point::new(first.x + x, first.y + y);
                    if !corners.iter().any(is_obtuse)
                        && self.matters(center, (x * x + y * y).sqrt(), &[i, j, l])
                    {
                        wanted.push(sorted([i, j, l]));
                    }
                }
            }
        }
        wanted
    }

    fn at(&self, i: u32) -> Point {
        let (x, y, ..) = self.places[i as usize];
        Point::new(x, y)
    }

    /// Whether a circle has its centre in the cell, holds k units, not k inside, and serves.
    fn matters(&self, center: Point, radius: f64, on: &[u32]) -> bool {
        let off = (center.x - self.cell.x)
            .abs()
            .max((center.y - self.cell.y).abs());
        let (mut units, mut inside, mut bound) = (0, 0, 0.0f64);
        for (i, &(_, _, weight, limit)) in self.places.iter().enumerate() {
            let is_on = on.contains(&(i as u32));
            let distance = squared(center, self.at(i as u32)).sqrt();
            if is_on || distance <= radius {
                units += u64::from(weight);
                bound = bound.max(limit);
            }
            if !is_on && distance < radius {
                inside += u64::from(weight);
            }
        }
        let k = u64::from(self.k);
        off <= self.cell.half && units >= k && inside < k && radius <= bound
    }
}

fn sorted(mut places: [u32; 3]) -> [u32; 3] {
    places.sort_unstable();
    // A circle across two has one of them twice.
    if places[0] == places[1] {
        places[1] = places[2];
    }
    places
}

fn places() -> impl Strategy<Value = Vec<Row>> {
    let scattered = || (-1.0..1.0, -1.0..1.0, 0..3u8, 0.5..1.5).boxed();
    // Ties: few places, few distances.
    let lattice = (-4..5i8, -4..5i8, 0..3u8, 0.5..1.5);
    let lattice = lattice.prop_map(|(x, y, w, b)| (f64::from(x) / 4.0, f64::from(y) / 4.0, w, b));
    let near = (0..4u8, -1.0..1.0, 0..3u8, 0.5..1.5);
    let near = near.prop_map(|(c, off, w, b)| {
        let (x, y) = [(-0.7, -0.6), (0.8, -0.5), (0.1, 0.7), (-0.2, 0.3)][c as usize];
        (x + off * 1e-3, y - off * 7e-4, w, b)
    });
    let of = |place: BoxedStrategy<Row>| prop::collection::vec(place, 2..24);
    prop_oneof![of(scattered()), of(lattice.boxed()), of(near.boxed())]
}

proptest! {
    #[test]
    fn no_circle_is_left_out(
        places in places(),
        (x, y, half) in (-0.5..0.5, -0.5..0.5, 0.01..0.6),
        k in 1..12u8,
    ) {
        let cell = Cell { x, y, half, most: 2.0 };
        let case = Case { places, cell, k };
        let wanted = case.wanted();
        let mut all = vec![
            case.found(Scalar),
            case.found(Scalar128b),
            case.found(Scalar256b),
            case.found(Scalar512b),
        ];
        #[cfg(target_arch = "x86_64")]
        all.extend([
            V3::try_new().and_then(|simd| case.found(simd)),
            V4::try_new().and_then(|simd| case.found(simd)),
        ]);
        for found in all.into_iter().flatten() {
            for circle in &wanted {
                prop_assert!(found.contains(circle), "{circle:?} is not in {found:?}");
            }
        }
    }
}
