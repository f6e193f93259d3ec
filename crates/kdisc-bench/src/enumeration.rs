//! The published algorithm for δ=∞ (Algorithm 2 of the paper): enumerate every support set.
//!
//! A disc is fixed by one, two or three locations on its circle. From an upper bound, the smallest
//! circle around the nearest locations with k units, it follows that only locations within twice
//! that bound matter; every set of up to three of these gives a circle. With m candidates that is
//! m³ circles, and m⁴ work to count the units in each.
//!
//! It is written to be a fair peer: neighbours come from kiddo, whose building is not timed, and
//! counting stops at k. As published, a circle's units are counted before its radius is compared
//! with the best so far; the other way round ([`Order::RadiusFirst`]) the same answer costs less,
//! so that is timed as well. Only doubles are used, relative to the anchor; what lies within
//! [`SLACK`] of a circle is on it.

use std::num::NonZero;

use kdisc::{Point, Population};
use kiddo::{ImmutableKdTree, SquaredEuclidean};

/// Relative slack on squared distances.
const SLACK: f64 = 1e-12;

/// What is asked of a circle first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Whether it holds the anchor and k units, and only then whether it is smaller.
    Published,
    /// Whether it is smaller.
    RadiusFirst,
}

/// A circle around the place `(x, y)` as seen from the anchor.
#[derive(Clone, Copy)]
struct Circle {
    x: f64,
    y: f64,
    squared: f64,
}

/// A location as seen from the anchor, with its units.
#[derive(Clone, Copy)]
struct Candidate {
    x: f64,
    y: f64,
    units: u64,
}

/// The anchor itself, as a point that must be inside.
const ANCHOR: Candidate = Candidate {
    x: 0.0,
    y: 0.0,
    units: 0,
};

/// The published algorithm on a population.
pub struct Enumeration<'a> {
    population: &'a Population,
    tree: ImmutableKdTree<f64, 2>,
}

impl<'a> Enumeration<'a> {
    pub fn new(population: &'a Population) -> Self {
        let places: Vec<[f64; 2]> = population.locations().iter().map(|p| [p.x, p.y]).collect();
        let tree = ImmutableKdTree::new_from_slice(&places).expect("the places are valid");
        Self { population, tree }
    }

    /// The radius for one location; it must have k units within reach.
    pub fn radius(&self, location: usize, k: u64, order: Order) -> f64 {
        if self.population.multiplicities()[location] >= k {
            return 0.0;
        }
        let anchor = self.population.locations()[location];
        let mut best = enclosing(&self.nearest(anchor, k)).squared;
        let candidates = self.within(anchor, 4.0 * best * (1.0 + SLACK));
        let mut consider = |circle: Circle| {
            if order == Order::RadiusFirst && circle.squared >= best {
                return;
            }
            if circle.holds(&ANCHOR) && circle.counts(&candidates, k) && circle.squared < best {
                best = circle.squared;
            }
        };
        for (i, a) in candidates.iter().enumerate() {
            consider(one(a));
            for (j, b) in candidates[..i].iter().enumerate() {
                consider(two(a, b));
                for c in &candidates[..j] {
                    consider(three(a, b, c));
                }
            }
        }
        best.sqrt()
    }

    /// The nearest locations that have k units together, the anchor being one of them.
    fn nearest(&self, anchor: Point, k: u64) -> Vec<Candidate> {
        let most = NonZero::new(k as usize).expect("k is not 0");
        let nearest = self
            .tree
            .query(&[anchor.x, anchor.y])
            .nearest_n::<SquaredEuclidean<f64>>(most)
            .execute();
        let mut found = Vec::new();
        let mut units = 0;
        for neighbour in nearest {
            let candidate = self.seen_from(anchor, neighbour.item);
            units += candidate.units;
            found.push(candidate);
            if units >= k {
                break;
            }
        }
        found
    }

    /// All locations up to this squared distance.
    fn within(&self, anchor: Point, squared: f64) -> Vec<Candidate> {
        self.tree
            .query(&[anchor.x, anchor.y])
            .within::<SquaredEuclidean<f64>>(squared)
            .unsorted()
            .execute()
            .iter()
            .map(|found| self.seen_from(anchor, found.item))
            .collect()
    }

    fn seen_from(&self, anchor: Point, location: u32) -> Candidate {
        let place = self.population.locations()[location as usize];
        Candidate {
            x: place.x - anchor.x,
            y: place.y - anchor.y,
            units: self.population.multiplicities()[location as usize],
        }
    }
}

impl Circle {
    fn holds(&self, p: &Candidate) -> bool {
        let (dx, dy) = (p.x - self.x, p.y - self.y);
        dx * dx + dy * dy <= self.squared * (1.0 + SLACK)
    }

    /// Whether it holds at least `k` units.
    fn counts(&self, candidates: &[Candidate], k: u64) -> bool {
        let mut units = 0;
        candidates.iter().any(|candidate| {
            if self.holds(candidate) {
                units += candidate.units;
            }
            units >= k
        })
    }
}

fn one(a: &Candidate) -> Circle {
    Circle {
        x: a.x,
        y: a.y,
        squared: 0.0,
    }
}

/// The circle with `a` and `b` diametral.
fn two(a: &Candidate, b: &Candidate) -> Circle {
    let (dx, dy) = ((a.x - b.x) / 2.0, (a.y - b.y) / 2.0);
    Circle {
        x: b.x + dx,
        y: b.y + dy,
        squared: dx * dx + dy * dy,
    }
}

/// The circle through three places; not a number when they are on a line.
fn three(a: &Candidate, b: &Candidate, c: &Candidate) -> Circle {
    let (bx, by, cx, cy) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y);
    let (b2, c2) = (bx * bx + by * by, cx * cx + cy * cy);
    let scale = 0.5 / (bx * cy - by * cx);
    let x = (cy * b2 - by * c2) * scale;
    let y = (bx * c2 - cx * b2) * scale;
    Circle {
        x: a.x + x,
        y: a.y + y,
        squared: x * x + y * y,
    }
}

/// The smallest circle around these places: E. Welzl, "Smallest enclosing disks", 1991, in its
/// iterative form.
fn enclosing(places: &[Candidate]) -> Circle {
    let mut circle = one(&places[0]);
    for (i, a) in places.iter().enumerate() {
        if circle.holds(a) {
            continue;
        }
        circle = one(a);
        for (j, b) in places[..i].iter().enumerate() {
            if circle.holds(b) {
                continue;
            }
            circle = two(a, b);
            for c in &places[..j] {
                if !circle.holds(c) {
                    circle = three(a, b, c);
                }
            }
        }
    }
    circle
}

#[cfg(test)]
mod tests {
    use kdisc::{Point, Population};

    use super::{Enumeration, Order};

    #[test]
    fn the_counterexample_of_the_paper() {
        let points = [(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, -2.5)];
        let points = points.map(|(x, y)| Point::new(x, y));
        let population = Population::new(&points).expect("the points are valid");
        let anchor = population.location_of_row()[0] as usize;
        for order in [Order::Published, Order::RadiusFirst] {
            let radius = Enumeration::new(&population).radius(anchor, 3, order);
            assert!((radius - 10.25f64.sqrt() / 2.0).abs() < 1e-15);
        }
    }
}
