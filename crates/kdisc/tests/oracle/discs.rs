//! L2 by enumeration: the discs of all single locations, pairs (diametral) and triples
//! (circumscribed), each with the exact set of locations in it.
//!
//! A minimal disc of s is the smallest enclosing disc of s and its units, so one, two or three of
//! these support it and it is in the list. Every disc of the list that holds s and k units is
//! allowed. So the answer is the first such disc in the order: radius, units, centre x, centre y.

use std::cmp::Ordering;

use kdisc::Point;
use num_bigint::BigInt;
use num_rational::BigRational;

use super::exact::{Number, power_of_two, scaled};
use super::{Answer, Locations};

/// Coordinates up to this leave room in `i128` for a comparison of two squared radii, which is of
/// degree 10.
const SMALL: i32 = 1024;

/// Every disc with its support among the locations, best first.
pub struct Discs {
    pub locations: Locations,
    discs: Vec<(Answer, u64)>,
}

impl Discs {
    /// `places` are anchors outside the population.
    pub fn new(points: &[Point], weights: &[u64], places: &[Point]) -> Self {
        let locations = Locations::new(points, weights, places);
        assert!(locations.points.len() <= 64, "members are bits of a word");
        let (whole, exponent) = whole_points(&locations.points);
        let small = BigInt::from(SMALL);
        let discs = if whole
            .iter()
            .all(|p| p.0.magnitude() <= small.magnitude() && p.1.magnitude() <= small.magnitude())
        {
            let narrow = |v: &BigInt| i128::try_from(v.clone()).expect("small");
            let whole: Vec<_> = whole.iter().map(|p| (narrow(&p.0), narrow(&p.1))).collect();
            enumerate(&whole, &locations.weights, exponent)
        } else {
            enumerate(&whole, &locations.weights, exponent)
        };
        Self { locations, discs }
    }

    /// δ=∞: the smallest disc that holds `anchor` and `k` units.
    pub fn cluster(&self, anchor: Point, k: u64) -> Option<Answer> {
        let anchor = self.locations.find(anchor).expect("a location or a place");
        self.discs
            .iter()
            .find(|(disc, members)| disc.units >= k && members >> anchor & 1 == 1)
            .map(|(disc, _)| reduced(disc))
    }

    /// All discs with at least `k` units, best first.
    pub fn with_units(&self, k: u64) -> impl Iterator<Item = &Answer> {
        let discs = self.discs.iter().map(|(disc, _)| disc);
        discs.filter(move |disc| disc.units >= k)
    }

    /// δ=0: the smallest disc around `anchor` with `k` units.
    pub fn centred(&self, anchor: Point, k: u64) -> Option<Answer> {
        let mut points = self.locations.points.clone();
        points.push(anchor);
        let (mut whole, exponent) = whole_points(&points);
        let (x, y) = whole.pop().expect("the anchor");
        let squared: Vec<BigInt> = whole
            .iter()
            .map(|p| (&p.0 - &x).pow(2) + (&p.1 - &y).pow(2))
            .collect();
        let units_within = |r: &BigInt| -> u64 {
            let within = squared.iter().zip(&self.locations.weights);
            within.filter(|(d, _)| *d <= r).map(|(_, w)| w).sum()
        };
        let radius = squared.iter().filter(|r| units_within(r) >= k).min()?;
        let unit = power_of_two(exponent);
        Some(Answer {
            squared_radius: BigRational::from(radius.clone()) * &unit * &unit,
            units: units_within(radius),
            center: (BigRational::from(x) * &unit, BigRational::from(y) * &unit),
        })
    }
}

/// The points in units of 2^exponent.
pub fn whole_points(points: &[Point]) -> (Vec<(BigInt, BigInt)>, i32) {
    let values: Vec<f64> = points.iter().flat_map(|p| [p.x, p.y]).collect();
    let (whole, exponent) = scaled(&values);
    let pairs = whole.chunks_exact(2);
    (
        pairs.map(|p| (p[0].clone(), p[1].clone())).collect(),
        exponent,
    )
}

fn reduced(disc: &Answer) -> Answer {
    Answer {
        squared_radius: disc.squared_radius.reduced(),
        units: disc.units,
        center: (disc.center.0.reduced(), disc.center.1.reduced()),
    }
}

/// The disc with centre (x/d, y/d), squared radius r/d², d > 0.
struct Homogeneous<T> {
    d: T,
    x: T,
    y: T,
    r: T,
    units: u64,
    members: u64,
}

fn enumerate<T: Number>(points: &[(T, T)], weights: &[u64], exponent: i32) -> Vec<(Answer, u64)> {
    let mut discs = Vec::new();
    for (i, p) in points.iter().enumerate() {
        discs.push(circle(T::from(1), p, (T::from(0), T::from(0))));
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            discs.push(diametral(p, q));
            discs.extend(
                points[j + 1..]
                    .iter()
                    .filter_map(|s| circumscribed(p, q, s)),
            );
        }
    }
    for disc in &mut discs {
        for (i, p) in points.iter().enumerate() {
            if holds(disc, p) {
                disc.members |= 1 << i;
                disc.units += weights[i];
            }
        }
    }
    discs.sort_by(best_first);
    discs.dedup_by(|a, b| best_first(a, b).is_eq());
    discs
        .into_iter()
        .map(|d| (answer(&d, exponent), d.members))
        .collect()
}

fn square<T: Number>(a: &T) -> T {
    a.clone() * a
}

/// The circle through `p` with its centre at p + (x/d, y/d).
fn circle<T: Number>(d: T, p: &(T, T), (x, y): (T, T)) -> Homogeneous<T> {
    Homogeneous {
        x: p.0.clone() * &d + &x,
        y: p.1.clone() * &d + &y,
        r: square(&x) + &square(&y),
        d,
        units: 0,
        members: 0,
    }
}

fn diametral<T: Number>(p: &(T, T), q: &(T, T)) -> Homogeneous<T> {
    let half = (q.0.clone() - &p.0, q.1.clone() - &p.1);
    circle(T::from(2), p, half)
}

/// None when the three are on a line.
fn circumscribed<T: Number>(p: &(T, T), q: &(T, T), s: &(T, T)) -> Option<Homogeneous<T>> {
    let (ax, ay) = (q.0.clone() - &p.0, q.1.clone() - &p.1);
    let (bx, by) = (s.0.clone() - &p.0, s.1.clone() - &p.1);
    let zero = T::from(0);
    let d = (ax.clone() * &by - &(ay.clone() * &bx)) * &T::from(2);
    let a = square(&ax) + &square(&ay);
    let b = square(&bx) + &square(&by);
    let x = a.clone() * &by - &(b.clone() * &ay);
    let y = b * &ax - &(a * &bx);
    match d.cmp(&zero) {
        Ordering::Less => {
            let negated = (zero.clone() - &x, zero.clone() - &y);
            Some(circle(zero - &d, p, negated))
        }
        Ordering::Equal => None,
        Ordering::Greater => Some(circle(d, p, (x, y))),
    }
}

fn holds<T: Number>(disc: &Homogeneous<T>, p: &(T, T)) -> bool {
    let x = p.0.clone() * &disc.d - &disc.x;
    let y = p.1.clone() * &disc.d - &disc.y;
    square(&x) + &square(&y) <= disc.r
}

fn best_first<T: Number>(a: &Homogeneous<T>, b: &Homogeneous<T>) -> Ordering {
    let radius = || (a.r.clone() * &square(&b.d)).cmp(&(b.r.clone() * &square(&a.d)));
    let x = || (a.x.clone() * &b.d).cmp(&(b.x.clone() * &a.d));
    let y = || (a.y.clone() * &b.d).cmp(&(b.y.clone() * &a.d));
    radius()
        .then(a.units.cmp(&b.units))
        .then_with(x)
        .then_with(y)
}

fn answer<T: Number>(disc: &Homogeneous<T>, exponent: i32) -> Answer {
    // Left unreduced: most discs are nobody's answer.
    let ratio = |a: &T, b: &T, power: i32| {
        let (up, down) = (power.max(0), (-power).max(0));
        let (a, b): (BigInt, BigInt) = (a.clone().into(), b.clone().into());
        BigRational::new_raw(a << up, b << down)
    };
    Answer {
        squared_radius: ratio(&disc.r, &square(&disc.d), 2 * exponent),
        units: disc.units,
        center: (
            ratio(&disc.x, &disc.d, exponent),
            ratio(&disc.y, &disc.d, exponent),
        ),
    }
}
