//! L2 at finite δ.
//!
//! Where F at δ=∞ is at most δ, that is the answer, exactly. Otherwise the answer exceeds δ, the
//! anchor s is inside by itself, and F is the minimum of f(x), the distance from x to its k-th
//! nearest unit, over |x − s| ≤ δ. A minimum inside is the centre of a pair or a triple of
//! locations. On the circle |x − s| = δ it is the point nearest to some location, or equally far
//! from two. All these are tried, and f is evaluated at each by sorting.
//!
//! In plain doubles with s as the origin. An error in a trial centre only makes its f a little
//! larger, and where the centre is ill-conditioned (a bisector that touches the circle, a flat
//! triangle) f has its minimum there only when it is flat, so that the error counts squared. So
//! radii are good to a few 1e-16 of the radius.

use kdisc::{Disc, Metric, Point};

use super::discs::Discs;
use super::exact::rational;
use super::{Answer, Locations, distance};

/// An answer at finite δ.
#[derive(Debug)]
pub enum Finite {
    /// The answer at δ=∞, which must be met to the bit.
    Exact(Answer),
    /// A larger disc, known to rounding errors.
    Rounded(Rounded),
}

/// A radius, the units in the disc (a range where the definition's tolerances, 1e-12 for tied
/// radii and 1e-9 for members, are so nearly met that rounding decides), and the centre.
#[derive(Debug)]
pub struct Rounded {
    pub radius: f64,
    pub fewest: u64,
    pub most: u64,
    /// `None` where rounding decides.
    pub center: Option<Point>,
}

/// The smallest disc with `k` units and its centre within `delta` of `anchor`.
pub fn answer(discs: &Discs, anchor: Point, k: u64, delta: f64) -> Option<Finite> {
    let cluster = discs.cluster(anchor, k)?;
    if cluster.squared_radius <= rational(delta) * rational(delta) {
        return Some(Finite::Exact(cluster));
    }
    let near = Near::new(&discs.locations, anchor, k);
    let trials: Vec<Trial> = near
        .inner_centers(delta)
        .into_iter()
        .chain(near.circle_centers(delta))
        .map(|(center, held)| Trial {
            center,
            held,
            radius: near.radius(center),
        })
        // A centre is a minimum only if what holds it there is as far as the k-th unit.
        .filter(|t| {
            t.held
                .is_none_or(|held| (held - t.radius).abs() <= 1e-11 * t.radius)
        })
        .collect();
    let radius = trials
        .iter()
        .map(|t| t.radius)
        .fold(f64::INFINITY, f64::min);
    // Surely tied, and perhaps tied.
    let tied = |gap: f64| {
        trials
            .iter()
            .filter(move |t| t.radius <= radius * (1.0 + gap))
    };
    let most = tied(1e-13).map(|t| near.units(t, 1e-9 + 1e-11)).min()?;
    let fewest = tied(1e-11).map(|t| near.units(t, 1e-9 - 1e-11)).min()?;
    let first = |gap: f64| {
        let best = tied(gap).filter(|t| near.units(t, 1e-9) == fewest);
        best.map(|t| t.center).reduce(|a, b| {
            let left = b.x < a.x - 1e-9 * radius;
            let level = (b.x - a.x).abs() <= 1e-9 * radius;
            if left || (level && b.y < a.y) { b } else { a }
        })
    };
    let sure = |c: &Point| {
        let perhaps = first(1e-11).unwrap_or(*c);
        fewest == most && distance(Metric::L2, perhaps, *c) <= 1e-7 * radius
    };
    Some(Finite::Rounded(Rounded {
        radius,
        fewest,
        most,
        center: first(1e-13)
            .filter(sure)
            .map(|c| Point::new(c.x + anchor.x, c.y + anchor.y)),
    }))
}

struct Trial {
    center: Point,
    /// How far the locations are that hold the centre in place.
    held: Option<f64>,
    radius: f64,
}

/// The locations as the anchor sees them.
struct Near<'a> {
    /// Seen from the anchor.
    points: Vec<Point>,
    locations: &'a Locations,
    k: u64,
}

fn minus(a: Point, b: Point) -> Point {
    Point::new(a.x - b.x, a.y - b.y)
}

/// The centre (x, y) and its distance from a location.
fn held_by(p: Point, x: f64, y: f64) -> (Point, Option<f64>) {
    let center = Point::new(x, y);
    (center, Some(distance(Metric::L2, p, center)))
}

fn over(a: Point, unit: f64) -> Point {
    Point::new(a.x / unit, a.y / unit)
}

impl<'a> Near<'a> {
    fn new(locations: &'a Locations, anchor: Point, k: u64) -> Self {
        Self {
            points: locations.points.iter().map(|&p| minus(p, anchor)).collect(),
            locations,
            k,
        }
    }

    fn distances(&self, from: Point) -> impl Iterator<Item = (f64, u64)> {
        let points = self.points.iter().zip(&self.locations.weights);
        points.map(move |(p, &w)| (distance(Metric::L2, *p, from), w))
    }

    /// The distance to the k-th nearest unit.
    fn radius(&self, center: Point) -> f64 {
        let mut all: Vec<(f64, u64)> = self.distances(center).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut units = 0;
        let reached = all.iter().find(|(_, weight)| {
            units += weight;
            units >= self.k
        });
        reached.expect("at least k units").0
    }

    fn units(&self, disc: &Trial, tolerance: f64) -> u64 {
        let reach = disc.radius * (1.0 + tolerance);
        let inside = self.distances(disc.center).filter(|(d, _)| *d <= reach);
        inside.map(|(_, weight)| weight).sum()
    }

    /// The anchor, and the centres of pairs and triples that are near enough.
    fn inner_centers(&self, delta: f64) -> Vec<(Point, Option<f64>)> {
        // Differences of the coordinates as they came, which is more exact than as seen.
        let given = &self.locations.points;
        let n = given.len();
        let mut centers = vec![(Point::new(0.0, 0.0), None)];
        for i in 0..n {
            for j in i + 1..n {
                let a = minus(given[j], given[i]);
                centers.push(self.from(i, a.x / 2.0, a.y / 2.0));
                for s in &given[j + 1..] {
                    let b = minus(*s, given[i]);
                    let size = [a.x, a.y, b.x, b.y]
                        .map(f64::abs)
                        .into_iter()
                        .fold(0.0, f64::max);
                    // A power of two near it: dividing by it is exact, and no product overflows.
                    let unit = f64::from_bits(size.to_bits() & (0x7ff << 52));
                    let (a, b) = (over(a, unit), over(b, unit));
                    let d = 2.0 * (a.x * b.y - a.y * b.x);
                    if d != 0.0 {
                        let (aa, bb) = (a.x * a.x + a.y * a.y, b.x * b.x + b.y * b.y);
                        let x = (aa * b.y - bb * a.y) / d;
                        let y = (bb * a.x - aa * b.x) / d;
                        centers.push(self.from(i, x * unit, y * unit));
                    }
                }
            }
        }
        centers.retain(|(c, _)| c.x.hypot(c.y) <= delta * (1.0 + 1e-14));
        centers
    }

    fn from(&self, point: usize, x: f64, y: f64) -> (Point, Option<f64>) {
        let center = Point::new(self.points[point].x + x, self.points[point].y + y);
        (center, Some(x.hypot(y)))
    }

    /// On the circle: in line with each location, and equally far from each two.
    fn circle_centers(&self, delta: f64) -> Vec<(Point, Option<f64>)> {
        let n = self.points.len();
        let mut centers = Vec::new();
        for (i, p) in self.points.iter().enumerate() {
            let distance = p.x.hypot(p.y);
            if distance > 0.0 {
                let scale = delta / distance;
                centers.push(held_by(*p, p.x * scale, p.y * scale));
                centers.push(held_by(*p, -p.x * scale, -p.y * scale));
            }
            for j in i + 1..n {
                // The bisector: normal · x = height, with normal of length 1.
                let q = self.points[j];
                let difference = minus(self.locations.points[j], self.locations.points[i]);
                let length = difference.x.hypot(difference.y);
                let normal = Point::new(difference.x / length, difference.y / length);
                let height =
                    normal.x * (p.x / 2.0 + q.x / 2.0) + normal.y * (p.y / 2.0 + q.y / 2.0);
                if height.abs() <= delta * (1.0 + 1e-12) {
                    let half = ((delta - height) * (delta + height)).max(0.0).sqrt();
                    for along in [half, -half] {
                        let x = normal.x * height - normal.y * along;
                        let y = normal.y * height + normal.x * along;
                        centers.push(held_by(*p, x, y));
                    }
                }
            }
        }
        centers
    }
}

impl Finite {
    /// What is wrong with an answer, if anything.
    pub fn refutes(&self, got: Disc) -> Option<String> {
        match self {
            Self::Exact(answer) => {
                let want = answer.rounded();
                let same = super::same(Some(got), Some(want));
                (!same).then(|| format!("not the answer at infinite delta, {want:?}"))
            }
            Self::Rounded(want) => {
                let error = (got.radius - want.radius).abs();
                let far = want.center.is_some_and(|c| {
                    let rounding = 4.0 * f64::EPSILON * c.x.abs().max(c.y.abs());
                    let miss = distance(Metric::L2, got.center, c);
                    miss > 1e-6 * want.radius + rounding
                });
                let wrong = if error > 1e-12 * want.radius {
                    "the radius"
                } else if !(want.fewest..=want.most).contains(&got.units) {
                    "the units"
                } else if far {
                    "the centre"
                } else {
                    return None;
                };
                Some(format!("{wrong} should be as in {want:?}"))
            }
        }
    }
}
