//! Small sets of points, random and degenerate, each made from a seed; and a shrinker.

use std::fmt;

use kdisc::Point;

/// Splitmix64: the same numbers on every machine, for ever.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to `n` − 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// From `low` to `high`, both included.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1).cast_unsigned()).cast_signed()
    }

    /// From 0 to below 1.
    pub fn real(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.real() < probability
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A number with a bell-shaped distribution, mean 0, about 1 wide.
    pub fn bell(&mut self) -> f64 {
        (0..12).map(|_| self.real()).sum::<f64>() - 6.0
    }

    /// The number, or one of the two doubles beside it.
    pub fn nudged(&mut self, x: f64) -> f64 {
        match self.below(3) {
            _ if x == 0.0 => x,
            0 => x.next_down(),
            1 => x,
            _ => x.next_up(),
        }
    }
}

/// Rows of a population, and places to measure beside its locations.
#[derive(Clone)]
pub struct Case {
    pub points: Vec<Point>,
    pub weights: Vec<u64>,
    pub places: Vec<Point>,
}

impl Case {
    pub fn units(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Weights, repeated rows and places for bare points.
    pub fn dressed(random: &mut Random, mut points: Vec<Point>) -> Self {
        if random.chance(0.2) {
            for _ in 0..random.below(3) {
                points.push(random.pick(&points.clone()));
            }
        }
        let weights = weights(random, points.len());
        let places = (0..random.below(3))
            .map(|_| place(random, &points))
            .collect();
        Self {
            points,
            weights,
            places,
        }
    }

    /// The smallest part of this case that still fails: rows and places left out one by one, and
    /// weights lowered.
    #[must_use]
    pub fn shrunk(mut self, fails: impl Fn(&Self) -> bool) -> Self {
        loop {
            let smaller = self.smaller();
            let Some(next) = smaller.into_iter().find(|c| c.units() > 0 && fails(c)) else {
                return self;
            };
            self = next;
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for row in 0..self.points.len() {
            let mut less = self.clone();
            less.points.remove(row);
            less.weights.remove(row);
            all.push(less);
        }
        for place in 0..self.places.len() {
            let mut less = self.clone();
            less.places.remove(place);
            all.push(less);
        }
        for row in 0..self.points.len() {
            for weight in [self.weights[row] / 2, self.weights[row].saturating_sub(1)] {
                if weight < self.weights[row] {
                    let mut less = self.clone();
                    less.weights[row] = weight;
                    all.push(less);
                }
            }
        }
        all
    }
}

/// As Rust, to be pasted into a test.
impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.points.iter().zip(&self.weights);
        let rows: Vec<_> = rows.map(|(p, w)| (p.x, p.y, *w)).collect();
        let places: Vec<_> = self.places.iter().map(|p| (p.x, p.y)).collect();
        write!(f, "rows: {rows:?}, places: {places:?}")
    }
}

fn weights(random: &mut Random, n: usize) -> Vec<u64> {
    let choices: &[u64] = random.pick(&[
        &[1],
        &[1],
        &[1, 2],
        &[0, 1],
        &[1, 2, 3, 5],
        &[0, 1, 1, 4],
        &[1, 1, 1, 1, 40],
        &[1000],
    ]);
    let mut weights: Vec<u64> = (0..n).map(|_| random.pick(choices)).collect();
    weights[0] = weights[0].max(1);
    weights
}

/// A place near the points, among them, or far away.
fn place(random: &mut Random, points: &[Point]) -> Point {
    let (p, q, r) = (
        random.pick(points),
        random.pick(points),
        random.pick(points),
    );
    let place = match random.below(5) {
        0 => p,
        1 => Point::new(p.x / 2.0 + q.x / 2.0, p.y / 2.0 + q.y / 2.0),
        2 => Point::new(p.x + q.x - r.x, p.y + q.y - r.y),
        3 => Point::new(p.x, q.y),
        _ => Point::new(3.0 * p.x - 2.0 * q.x, 3.0 * p.y - 2.0 * q.y),
    };
    let valid =
        kdisc::check_coordinate(0, place.x).is_ok() && kdisc::check_coordinate(0, place.y).is_ok();
    if valid { place } else { p }
}

/// Makes bare points.
pub type Maker = fn(&mut Random) -> Vec<Point>;

fn many(
    random: &mut Random,
    least: usize,
    most: usize,
    mut one: impl FnMut(&mut Random) -> Point,
) -> Vec<Point> {
    let n = least + random.below(most - least + 1);
    (0..n).map(|_| one(random)).collect()
}

pub fn small_integers(random: &mut Random) -> Vec<Point> {
    let size = random.pick(&[3, 6, 12, 100, 1000]);
    many(random, 1, 16, |r| {
        Point::new(r.within(0, size) as f64, r.within(0, size) as f64)
    })
}

pub fn lattice(random: &mut Random) -> Vec<Point> {
    lattice_of(random, 0.0, 0.0, 1.0)
}

pub fn decimal_lattice(random: &mut Random) -> Vec<Point> {
    let x = random.pick(&[0.0, -0.3, 1.7, 5_912_345.6]);
    let y = random.pick(&[0.0, 0.2, -12.9, 447_123.4]);
    let step = random.pick(&[0.1, 0.01, 0.3]);
    lattice_of(random, x, y, step)
}

/// A lattice with holes.
fn lattice_of(random: &mut Random, x: f64, y: f64, step: f64) -> Vec<Point> {
    let (width, height) = (random.within(2, 5), random.within(2, 4));
    let kept = random.pick(&[0.4, 0.7, 0.9]);
    let mut points = vec![Point::new(x, y)];
    for column in 0..width {
        for row in 0..height {
            if random.chance(kept) {
                points.push(Point::new(x + step * column as f64, y + step * row as f64));
            }
        }
    }
    points.truncate(12);
    points
}

pub fn collinear(random: &mut Random) -> Vec<Point> {
    let (dx, dy) = random.pick(&[
        (1.0, 0.0),
        (0.0, 1.0),
        (1.0, 1.0),
        (3.0, -2.0),
        (0.1, 0.3),
        (1e6, 1.0),
    ]);
    many(random, 2, 12, |r| {
        let t = r.within(-20, 20) as f64;
        Point::new(dx * t, dy * t)
    })
}

/// Whole-number points on circles, some inside.
pub fn cocircular(random: &mut Random) -> Vec<Point> {
    let circle: &[(i64, i64)] = random.pick(&[
        &[(5, 0), (4, 3), (3, 4), (0, 5)],
        &[(25, 0), (24, 7), (20, 15), (15, 20), (7, 24), (0, 25)],
        &[
            (65, 0),
            (63, 16),
            (60, 25),
            (56, 33),
            (52, 39),
            (39, 52),
            (33, 56),
            (25, 60),
            (16, 63),
            (0, 65),
        ],
    ]);
    let (cx, cy) = (random.within(-9, 9), random.within(-9, 9));
    many(random, 3, 16, |r| {
        let (mut x, mut y) = r.pick(circle);
        if r.chance(0.5) {
            x = -x;
        }
        if r.chance(0.5) {
            y = -y;
        }
        if r.chance(0.15) {
            (x, y) = (r.within(-3, 3), r.within(-3, 3));
        }
        Point::new((x + cx) as f64, (y + cy) as f64)
    })
}

/// Points that are on one circle but for rounding.
pub fn nearly_cocircular(random: &mut Random) -> Vec<Point> {
    let radius = random.pick(&[1.0, 100.0, 1e-3]);
    let (cx, cy) = random.pick(&[(0.0, 0.0), (155_000.0, 463_000.5)]);
    many(random, 3, 9, |r| {
        let angle = r.within(0, 23) as f64 * std::f64::consts::PI / 12.0;
        Point::new(cx + radius * angle.cos(), cy + radius * angle.sin())
    })
    .into_iter()
    // The cosine of a right angle is a rounding error, and too small to be a coordinate squared.
    .map(|p| Point::new(clean(p.x), clean(p.y)))
    .collect()
}

fn clean(x: f64) -> f64 {
    if x.abs() < 1e-12 { 0.0 } else { x }
}

/// Lattices and circles with every coordinate moved by at most one unit in the last place.
pub fn nearly_tied(random: &mut Random) -> Vec<Point> {
    let maker: Maker = random.pick(&[lattice as Maker, decimal_lattice, cocircular, collinear]);
    let mut points = maker(random);
    points.truncate(9);
    let shift = random.pick(&[0.0, 1.0, 6e6]);
    points
        .iter()
        .map(|p| Point::new(random.nudged(p.x + shift), random.nudged(p.y + shift)))
        .collect()
}

pub fn all_equal(random: &mut Random) -> Vec<Point> {
    let point = Point::new(random.real() * 100.0, -random.real());
    let n = random.within(1, 6) as usize;
    vec![point; n]
}

pub fn uniform(random: &mut Random) -> Vec<Point> {
    many(random, 1, 10, |r| Point::new(r.real(), r.real()))
}

pub fn near_1e_7(random: &mut Random) -> Vec<Point> {
    many(random, 1, 9, |r| {
        Point::new(1e-7 * r.real(), -1e-7 * r.real())
    })
}

pub fn near_6e6(random: &mut Random) -> Vec<Point> {
    let spread = random.pick(&[1e-3, 1.0, 1000.0]);
    many(random, 1, 9, |r| {
        Point::new(6e6 + spread * r.real(), 4.5e5 + spread * r.real())
    })
}

/// Two tight clusters far apart, and strays.
pub fn clusters(random: &mut Random) -> Vec<Point> {
    let tight = random.pick(&[1e-9, 1e-3, 1.0]);
    many(random, 2, 9, |r| {
        let (x, y, spread) = r.pick(&[(0.0, 0.0, tight), (100.0, 40.0, tight), (50.0, 0.0, 100.0)]);
        Point::new(x + spread * r.bell(), y + spread * r.bell())
    })
}

/// A few sites of several locations each, which are nearly the same: more on one circle than rounding
/// can tell apart.
pub fn near_duplicates(random: &mut Random) -> Vec<Point> {
    let jitter = random.pick(&[1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3]);
    let (sites, size) = random.pick(&[(2, 6), (3, 4), (4, 3), (3, 5)]);
    let far = random.pick(&[0.0, 1e3]);
    let mut points = Vec::new();
    for _ in 0..sites {
        let (x, y) = (far + random.real(), far + random.real());
        for _ in 0..size {
            points.push(Point::new(
                x + jitter * random.bell(),
                y + jitter * random.bell(),
            ));
        }
    }
    points
}

pub fn extreme_scales(random: &mut Random) -> Vec<Point> {
    let scale = random.pick(&[1e140, 1e150 / 8.0, 1e-120, 1e-100]);
    let points = match random.below(3) {
        0 => small_integers(random),
        1 => lattice(random),
        _ => uniform(random),
    };
    let largest = points.iter().flat_map(|p| [p.x, p.y]).fold(1.0, f64::max);
    let mut points: Vec<_> = points
        .iter()
        .map(|p| Point::new(p.x / largest * scale, p.y / largest * scale))
        .collect();
    points.truncate(7);
    points
}

/// All magnitudes in one set.
pub fn mixed_scales(random: &mut Random) -> Vec<Point> {
    many(random, 2, 6, |r| {
        let mut coordinate = || {
            let scale = r.pick(&[0.0, 1.0, 1e140, 1e-120, 1e-7, 6e6]);
            scale * r.within(-3, 3) as f64
        };
        Point::new(coordinate(), coordinate())
    })
}
