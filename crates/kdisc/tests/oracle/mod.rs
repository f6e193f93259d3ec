//! Brute force answers, to test the engine against: every support set, exact arithmetic, no index.
//!
//! Nothing here is fast or clever, and nothing is shared with the engine but its public types.
//!
//! - [`exact`]: doubles as rationals and whole numbers, and the double nearest to a rational or
//!   to a square root.
//! - [`discs`]: L2 at δ=0 and δ=∞.
//! - [`finite`]: L2 at 0 < δ < ∞.
//! - [`squares`]: L∞ and L1 at every δ.
//! - [`enclosed`]: L2 at δ=0 and δ=∞, in polygons.
//! - [`kernels`]: density maps.
//! - [`maps`]: larger sets.
//! - [`cases`], [`compare`]: what to ask, and how to report a difference.

#![allow(dead_code, reason = "each test file uses its own part of this module")]

pub mod cases;
pub mod compare;
pub mod discs;
pub mod enclosed;
pub mod enterprises;
pub mod exact;
pub mod finite;
pub mod kernels;
pub mod maps;
pub mod shapes;
pub mod squares;

use kdisc::{Disc, Metric, Point};
use num_rational::BigRational;

pub fn points(coordinates: &[(f64, f64)]) -> Vec<Point> {
    let pairs = coordinates.iter();
    pairs.map(|&(x, y)| Point::new(x, y)).collect()
}

pub fn disc(x: f64, y: f64, radius: f64, units: u64) -> Disc {
    Disc {
        center: Point::new(x, y),
        radius,
        units,
    }
}

pub fn distance(metric: Metric, a: Point, b: Point) -> f64 {
    let (x, y) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    match metric {
        Metric::L2 => x.hypot(y),
        Metric::L1 => x + y,
        Metric::Linf => x.max(y),
    }
}

/// Distinct locations with their multiplicities: what a population is made of.
#[derive(Debug, Clone, Default)]
pub struct Locations {
    pub points: Vec<Point>,
    pub weights: Vec<u64>,
}

impl Locations {
    /// Coalesces the rows, and adds the places as locations without units: a place must be in its
    /// own disc, so it can support it.
    pub fn new(points: &[Point], weights: &[u64], places: &[Point]) -> Self {
        let mut all = Self::default();
        let rows = points.iter().copied().zip(weights.iter().copied());
        for (point, weight) in rows.chain(places.iter().map(|&place| (place, 0))) {
            if let Some(known) = all.find(point) {
                all.weights[known] += weight;
            } else {
                all.points.push(point);
                all.weights.push(weight);
            }
        }
        all
    }

    pub fn find(&self, point: Point) -> Option<usize> {
        self.points.iter().position(|&p| p == point)
    }
}

/// An exact answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub squared_radius: BigRational,
    pub units: u64,
    pub center: (BigRational, BigRational),
}

impl Answer {
    /// The correctly rounded answer.
    pub fn rounded(&self) -> Disc {
        Disc {
            center: Point::new(
                exact::nearest(&self.center.0),
                exact::nearest(&self.center.1),
            ),
            radius: exact::nearest_sqrt(&self.squared_radius),
            units: self.units,
        }
    }
}

/// Whether two answers are the same to the bit. Zeros must be positive.
pub fn same(a: Option<Disc>, b: Option<Disc>) -> bool {
    let bits = |d: Disc| {
        [d.center.x, d.center.y, d.radius]
            .map(f64::to_bits)
            .into_iter()
            .chain([d.units])
            .collect::<Vec<_>>()
    };
    a.map(bits) == b.map(bits)
}
