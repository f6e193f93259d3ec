//! Middle-sized sets that look like maps, or like what goes wrong on maps; each from a seed.

use kdisc::Point;

use super::cases::Random;

/// Makes `n` points, about, and their weights.
pub type Map = fn(&mut Random, usize) -> (Vec<Point>, Vec<u64>);

/// By name, to be printed with a failure.
pub const MAPS: [(&str, Map); 11] = [
    ("towns", towns),
    ("contrast", contrast),
    ("lattice", lattice),
    ("coarse", coarse),
    ("streets", streets),
    ("rings", rings),
    ("halves", halves),
    ("heavy", heavy),
    ("uniform", uniform),
    ("line", line),
    ("row", row),
];

fn ones(points: Vec<Point>) -> (Vec<Point>, Vec<u64>) {
    let weights = vec![1; points.len()];
    (points, weights)
}

fn around(random: &mut Random, center: Point, spread: f64) -> Point {
    Point::new(
        center.x + spread * random.bell(),
        center.y + spread * random.bell(),
    )
}

fn anywhere(random: &mut Random, size: f64) -> Point {
    Point::new(random.real() * size, random.real() * size)
}

fn rounded(p: Point) -> Point {
    Point::new(p.x.round(), p.y.round())
}

/// Dense towns and strewn farms, whole metres, national coordinates; some addresses are shared.
pub fn towns(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let centers: Vec<Point> = (0..4).map(|_| anywhere(random, 10_000.0)).collect();
    let points: Vec<Point> = (0..n)
        .map(|_| {
            let p = if random.chance(0.85) {
                let center = random.pick(&centers);
                let spread = random.pick(&[30.0, 150.0, 600.0]);
                around(random, center, spread)
            } else {
                anywhere(random, 10_000.0)
            };
            rounded(Point::new(p.x + 80_000.0, p.y + 440_000.0))
        })
        .collect();
    let weights = points
        .iter()
        .map(|_| random.pick(&[1, 1, 1, 1, 1, 1, 1, 2, 4]))
        .collect();
    (points, weights)
}

/// Half of all within a metre, the rest over a hundred kilometres: no scale fits all.
pub fn contrast(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let dense = [anywhere(random, 1e5), anywhere(random, 1e5)];
    let one = |i: usize, random: &mut Random| {
        if i < n / 2 {
            let center = random.pick(&dense);
            around(random, center, 0.5)
        } else {
            anywhere(random, 1e5)
        }
    };
    ones((0..n).map(|i| one(i, random)).collect())
}

/// A square lattice with a third of it missing.
pub fn lattice(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let side = ((n as f64) * 1.5).sqrt().ceil() as i32;
    let mut points = vec![Point::new(0.0, 0.0)];
    for x in 0..side {
        for y in 0..side {
            if random.chance(0.66) {
                points.push(Point::new(f64::from(x), f64::from(y)));
            }
        }
    }
    ones(points)
}

/// Towns rounded to 100 metres: a lattice with weights, as gridded data are.
pub fn coarse(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let (points, weights) = towns(random, n);
    let coarse = |v: f64| (v / 100.0).round() * 100.0;
    let points = points.iter().map(|p| Point::new(coarse(p.x), coarse(p.y)));
    (points.collect(), weights)
}

/// Rows of houses at even distances, along the axes and along a diagonal.
pub fn streets(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let mut points = Vec::new();
    while points.len() < n {
        let start = rounded(anywhere(random, 1000.0));
        let (dx, dy) = random.pick(&[(8.0, 0.0), (0.0, 8.0), (6.0, 6.0), (7.0, 3.0)]);
        for house in 0..random.within(5, 40) {
            let at = house as f64;
            points.push(Point::new(start.x + dx * at, start.y + dy * at));
        }
    }
    ones(points)
}

/// Circles of points, with and without a middle.
pub fn rings(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let mut points = Vec::new();
    while points.len() < n {
        let center = anywhere(random, 1000.0);
        let radius = random.pick(&[5.0, 50.0, 200.0]);
        let count = random.within(6, 60);
        if random.chance(0.5) {
            points.push(center);
        }
        for i in 0..count {
            let angle = i as f64 / count as f64 * std::f64::consts::TAU;
            let (x, y) = (radius * angle.cos(), radius * angle.sin());
            points.push(Point::new(center.x + x, center.y + y));
        }
    }
    ones(points)
}

/// A dense half-plane, a coast, and a few boats.
pub fn halves(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let one = |i: usize, random: &mut Random| {
        let p = anywhere(random, 1000.0);
        if i.is_multiple_of(40) {
            Point::new(1000.0 + 5.0 * p.x, p.y)
        } else {
            p
        }
    };
    ones((0..n).map(|i| one(i, random)).collect())
}

/// Weights from 0 to far above any k.
pub fn heavy(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let points: Vec<Point> = (0..n).map(|_| anywhere(random, 1000.0)).collect();
    let weights = points
        .iter()
        .map(|_| random.pick(&[0, 1, 1, 2, 3, 7, 30, 400]));
    let mut weights: Vec<u64> = weights.collect();
    weights[0] = 1;
    (points, weights)
}

pub fn uniform(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    ones((0..n).map(|_| anywhere(random, 1.0)).collect())
}

/// All on one line, at uneven distances.
pub fn line(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let one = |random: &mut Random| {
        let at = random.within(0, 20_000) as f64;
        Point::new(3.0 * at, 2.0 * at)
    };
    ones((0..n).map(|_| one(random)).collect())
}

/// One row at even distances along an axis, or a little beside it: always along the edges of the
/// squares that the plane is divided into.
pub fn row(random: &mut Random, n: usize) -> (Vec<Point>, Vec<u64>) {
    let beside = random.pick(&[0.0, 1e-3, 0.5]);
    let one = |i: usize, random: &mut Random| Point::new(10.0 * i as f64, beside * random.real());
    ones((0..n).map(|i| one(i, random)).collect())
}
