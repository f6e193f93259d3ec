//! Discs that lie inside a polygon, by trying every circle.
//!
//! Which parts of the polygon hold the anchor is decided in fractions. δ=∞: every circle with two locations as diameter, through three, and through two and a corner
//! of the border or touching the line of an edge. Each is checked against all units and all edges,
//! in plain doubles relative to the anchor, with a tolerance that is far above their error and far
//! below anything that random cases come near to.

use kdisc::region::{Part, Region};
use kdisc::{Disc, Point};
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::exact::rational;

const TOLERANCE: f64 = 1e-10;

/// Units of one region, and the region, relative to an anchor that is one of the locations.
pub struct Enclosed {
    units: Vec<(Point, u64)>,
    /// What can support a disc: the anchor, and where units are.
    locations: Vec<Point>,
    /// The parts that hold the anchor.
    parts: Vec<Vec<[Point; 2]>>,
    /// The locations, as they were given.
    places: Vec<Point>,
    /// The edges of these parts, as they were given, and how high each place is over them.
    edges: Vec<([Point; 2], Vec<f64>)>,
    anchor: Point,
}

impl Enclosed {
    pub fn new(points: &[Point], weights: &[u64], region: &Region, anchor: Point) -> Self {
        let local = |p: Point| Point::new(p.x - anchor.x, p.y - anchor.y);
        let rows = points.iter().copied().zip(weights.iter().copied());
        let rows: Vec<_> = rows.filter(|(_, weight)| *weight > 0).collect();
        let mut places = vec![anchor];
        for &(place, _) in &rows {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let edges = |part: &Part| -> Vec<[Point; 2]> {
            let rings = part.rings();
            let edges = rings.flat_map(|r| (0..r.len()).map(|i| [r[i], r[(i + 1) % r.len()]]));
            edges.collect()
        };
        let held = region.parts().iter().filter(|part| holds(part, anchor));
        let parts: Vec<Vec<[Point; 2]>> = held.map(edges).collect();
        let edges = parts.iter().flatten().map(|&edge| {
            let heights = places.iter().map(|&place| height(place, edge));
            (edge, heights.collect())
        });
        let edges = edges.collect();
        Self {
            units: rows.iter().map(|&(p, weight)| (local(p), weight)).collect(),
            locations: places.iter().map(|&p| local(p)).collect(),
            places,
            edges,
            parts: parts
                .iter()
                .map(|part| part.iter().map(|edge| edge.map(local)).collect())
                .collect(),
            anchor,
        }
    }

    /// δ=0.
    pub fn centred(&self, k: u64) -> Option<Disc> {
        let origin = Point::new(0.0, 0.0);
        let mut radii: Vec<f64> = self.units.iter().map(|(p, _)| away(*p, origin)).collect();
        radii.sort_by(f64::total_cmp);
        let radius = radii.into_iter().find(|&r| self.count(origin, r) >= k)?;
        self.fits(origin, radius)
            .then(|| self.disc(origin, radius, self.count(origin, radius)))
    }

    /// δ=∞.
    pub fn anywhere(&self, k: u64) -> Option<Disc> {
        let origin = Point::new(0.0, 0.0);
        let mut found = Vec::new();
        let mut offer = |center: Point, radius: f64| {
            let good = radius.is_finite()
                && away(center, origin) <= radius * (1.0 + TOLERANCE)
                && self.count(center, radius) >= k
                && self.fits(center, radius);
            if good {
                found.push((center, radius));
            }
        };
        offer(origin, 0.0);
        for (i, &p) in self.locations.iter().enumerate() {
            for (j, &q) in self.locations.iter().enumerate().skip(i + 1) {
                let middle = Point::new((p.x + q.x) / 2.0, (p.y + q.y) / 2.0);
                offer(middle, away(p, q) / 2.0);
                let corners = self.parts.iter().flatten().map(|edge| edge[0]);
                for third in self.locations[j + 1..].iter().copied().chain(corners) {
                    let center = circumcentre(p, q, third);
                    offer(center, away(center, p));
                }
                for (edge, heights) in &self.edges {
                    let spots = [i, j].map(|i| (self.places[i], heights[i]));
                    for center in touching(spots, *edge, self.anchor) {
                        offer(center, away(center, self.locations[j]));
                    }
                }
            }
        }
        let smallest = found.iter().map(|f| f.1).fold(f64::INFINITY, f64::min);
        found.retain(|f| f.1 <= smallest * (1.0 + 1e-12));
        let slack = 1e-9 * smallest;
        let least = |of: &dyn Fn(&(Point, f64)) -> f64, found: &[(Point, f64)]| {
            found.iter().map(of).fold(f64::INFINITY, f64::min)
        };
        let units = |f: &(Point, f64)| self.count(f.0, f.1);
        let fewest = found.iter().map(units).min()?;
        found.retain(|f| units(f) == fewest);
        let x = least(&|f| f.0.x, &found);
        found.retain(|f| f.0.x <= x + slack);
        let y = least(&|f| f.0.y, &found);
        found.retain(|f| f.0.y <= y + slack);
        let &(center, radius) = found.first()?;
        Some(self.disc(center, radius, fewest))
    }

    /// The least radius of a disc at this place (relative to the anchor), if one lies inside.
    pub fn at(&self, center: Point, k: u64) -> Option<f64> {
        let mut radii: Vec<f64> = self.units.iter().map(|(p, _)| away(*p, center)).collect();
        radii.push(away(center, Point::new(0.0, 0.0)));
        let held = |r: f64| away(center, Point::new(0.0, 0.0)) <= r && self.count(center, r) >= k;
        radii.sort_by(f64::total_cmp);
        let radius = radii.into_iter().find(|&r| held(r))?;
        self.fits(center, radius).then_some(radius)
    }

    fn count(&self, center: Point, radius: f64) -> u64 {
        let limit = radius * (1.0 + TOLERANCE);
        let inside = self.units.iter().filter(|(p, _)| away(*p, center) <= limit);
        inside.map(|(_, units)| units).sum()
    }

    fn fits(&self, center: Point, radius: f64) -> bool {
        self.parts.iter().any(|edges| {
            let border = edges.iter().map(|edge| to_edge(center, *edge));
            let border = border.fold(f64::INFINITY, f64::min);
            if radius == 0.0 {
                // The parts hold the anchor.
                true
            } else {
                border >= radius * (1.0 - TOLERANCE) && inside(edges, center)
            }
        })
    }

    fn disc(&self, center: Point, radius: f64, units: u64) -> Disc {
        Disc {
            center: Point::new(self.anchor.x + center.x, self.anchor.y + center.y),
            radius,
            units,
        }
    }
}

/// Whether a place is in a part or on its border.
fn holds(part: &Part, place: Point) -> bool {
    let exact = |p: Point| (rational(p.x), rational(p.y));
    let (x, y) = exact(place);
    let zero = rational(0.0);
    let mut odd = false;
    for ring in part.rings() {
        for i in 0..ring.len() {
            let (a, b) = (exact(ring[i]), exact(ring[(i + 1) % ring.len()]));
            let left = (&b.0 - &a.0) * (&y - &a.1) - (&b.1 - &a.1) * (&x - &a.0);
            let between = |a: &BigRational, v: &BigRational, b: &BigRational| {
                (a <= v && v <= b) || (b <= v && v <= a)
            };
            if left == zero && between(&a.0, &x, &b.0) && between(&a.1, &y, &b.1) {
                return true;
            }
            if (a.1 > y) != (b.1 > y) {
                odd ^= (left > zero) == (b.1 > a.1);
            }
        }
    }
    odd
}

fn away(a: Point, b: Point) -> f64 {
    (a.x - b.x).hypot(a.y - b.y)
}

fn to_edge(p: Point, [a, b]: [Point; 2]) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let along = (p.x - a.x) * dx + (p.y - a.y) * dy;
    let squared = dx * dx + dy * dy;
    if along <= 0.0 {
        away(p, a)
    } else if along >= squared {
        away(p, b)
    } else {
        (dx * (p.y - a.y) - dy * (p.x - a.x)).abs() / squared.sqrt()
    }
}

fn inside(edges: &[[Point; 2]], p: Point) -> bool {
    let crossings = edges.iter().filter(|[a, b]| {
        (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
    });
    crossings.count() % 2 == 1
}

/// How far a place is to the left of an edge, from fractions.
fn height(p: Point, [a, b]: [Point; 2]) -> f64 {
    let length = away(a, b);
    let [ax, ay, bx, by, px, py] = [a.x, a.y, b.x, b.y, p.x, p.y].map(rational);
    let cross = (bx - &ax) * (py - &ay) - (by - ay) * (px - ax);
    cross.to_f64().expect("a double") / length
}

fn circumcentre(p: Point, q: Point, r: Point) -> Point {
    // Cubes of coordinates would leave the range of a double.
    let size = away(p, q).max(away(p, r));
    let [ux, uy, vx, vy] = [q.x - p.x, q.y - p.y, r.x - p.x, r.y - p.y].map(|v| v / size);
    let d = 2.0 * (ux * vy - uy * vx);
    let (uu, vv) = (ux * ux + uy * uy, vx * vx + vy * vy);
    Point::new(
        p.x + size * ((vy * uu - uy * vv) / d),
        p.y + size * ((ux * vv - vx * uu) / d),
    )
}

/// Centres, relative to `origin`, of the circles through p and q that touch the line of an edge.
///
/// The line through p and q meets that of the edge at x, and the point where the circle touches it
/// is √(|xp||xq|) away from x (the power of x). Heights over the line come from fractions: a
/// location that is on the line but for its rounding moves that point by the root of its height.
fn touching(spots: [(Point, f64); 2], [a, b]: [Point; 2], origin: Point) -> Vec<Point> {
    let length = away(a, b);
    let along = Point::new((b.x - a.x) / length, (b.y - a.y) / length);
    let normal = Point::new(-along.y, along.x);
    let place = |p: Point| (p.x - a.x) * along.x + (p.y - a.y) * along.y;
    let [(p, low), (q, high)] = if spots[0].1.abs() <= spots[1].1.abs() {
        spots
    } else {
        [spots[1], spots[0]]
    };
    if high == 0.0 || low / high < -1e-13 {
        return Vec::new();
    }
    let ratio = (low / high).max(0.0);
    let at = |t: f64| {
        let up = ((place(q) - t).powi(2) + high * high) / (2.0 * high);
        Point::new(
            (a.x - origin.x) + t * along.x + up * normal.x,
            (a.y - origin.y) + t * along.y + up * normal.y,
        )
    };
    if 1.0 - ratio < 1e-14 {
        return vec![at(f64::midpoint(place(p), place(q)))];
    }
    let meeting = place(p) - (place(q) - place(p)) * ratio / (1.0 - ratio);
    let tangent = away(p, q) * ratio.sqrt() / (1.0 - ratio);
    vec![at(meeting - tangent), at(meeting + tangent)]
}
