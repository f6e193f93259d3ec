//! Polygons, ordinary and awkward, each made from a seed, and units in and round them.

use kdisc::Point;
use kdisc::region::{Part, Region};

use super::cases::Random;
use super::points;

pub type Maker = fn(&mut Random) -> Vec<Part>;

fn part(outer: Vec<Point>, holes: Vec<Vec<Point>>) -> Part {
    Part { outer, holes }
}

/// A ring that can be seen whole from its middle: simple, concave in general.
fn star(random: &mut Random, middle: Point, corners: usize, low: f64, high: f64) -> Vec<Point> {
    let turn = std::f64::consts::TAU / corners as f64;
    (0..corners)
        .map(|i| {
            let angle = turn * (i as f64 + 0.8 * random.real());
            let away = low + (high - low) * random.real();
            Point::new(middle.x + away * angle.cos(), middle.y + away * angle.sin())
        })
        .collect()
}

pub fn convex(random: &mut Random) -> Vec<Part> {
    let corners = 3 + random.below(6);
    vec![part(
        star(random, Point::new(5.0, 5.0), corners.max(4), 5.0, 5.0),
        vec![],
    )]
}

pub fn concave(random: &mut Random) -> Vec<Part> {
    let corners = 5 + random.below(8);
    vec![part(
        star(random, Point::new(5.0, 5.0), corners, 1.5, 7.0),
        vec![],
    )]
}

pub fn holed(random: &mut Random) -> Vec<Part> {
    let middle = Point::new(5.0, 5.0);
    let (outer, inner) = (5 + random.below(5), 4 + random.below(3));
    vec![part(
        star(random, middle, outer, 5.0, 8.0),
        vec![star(random, middle, inner, 0.3, 2.0)],
    )]
}

pub fn several(random: &mut Random) -> Vec<Part> {
    [2.0, 8.0]
        .map(|x| {
            let corners = 4 + random.below(4);
            part(star(random, Point::new(x, 5.0), corners, 1.0, 2.9), vec![])
        })
        .to_vec()
}

/// Right angles on whole numbers: a block with a bite out of it and perhaps a hole.
pub fn rectilinear(random: &mut Random) -> Vec<Part> {
    let (x, y) = (random.within(3, 7) as f64, random.within(3, 7) as f64);
    let outer = points(&[
        (0.0, 0.0),
        (10.0, 0.0),
        (10.0, y),
        (x, y),
        (x, 10.0),
        (0.0, 10.0),
    ]);
    let hole = points(&[(1.0, 1.0), (1.0, 2.0), (2.0, 2.0), (2.0, 1.0)]);
    let holes = if random.chance(0.5) {
        vec![hole]
    } else {
        vec![]
    };
    vec![part(outer, holes)]
}

/// Two squares with a corner in common.
pub fn touching(_: &mut Random) -> Vec<Part> {
    vec![
        part(
            points(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0)]),
            vec![],
        ),
        part(
            points(&[(5.0, 5.0), (10.0, 5.0), (10.0, 10.0), (5.0, 10.0)]),
            vec![],
        ),
    ]
}

pub fn sliver(random: &mut Random) -> Vec<Part> {
    let thin = random.pick(&[2.0, 0.1, 1e-3, 1e-6]);
    vec![part(
        points(&[(0.0, 0.0), (10.0, 0.0), (10.0, thin)]),
        vec![],
    )]
}

/// A comb: corners that point inwards.
pub fn comb(random: &mut Random) -> Vec<Part> {
    let mut outer = points(&[(10.0, 0.0), (10.0, 10.0)]);
    for tooth in 0..4 {
        let x = 10.0 - 2.5 * f64::from(tooth);
        let depth = random.within(1, 9) as f64;
        outer.push(Point::new(x - 1.25, 10.0 - depth));
        outer.push(Point::new(x - 2.5, 10.0));
    }
    outer.push(Point::new(0.0, 0.0));
    vec![part(outer, vec![])]
}

pub const ALL: [(&str, Maker); 8] = [
    ("convex", convex),
    ("concave", concave),
    ("holed", holed),
    ("several", several),
    ("rectilinear", rectilinear),
    ("touching", touching),
    ("sliver", sliver),
    ("comb", comb),
];

/// Units in the box of the parts: anywhere, on whole numbers, or on the border itself.
pub fn units(random: &mut Random, parts: &[Part]) -> Vec<Point> {
    let corners: Vec<Point> = parts
        .iter()
        .flat_map(Part::rings)
        .flatten()
        .copied()
        .collect();
    let size = |of: fn(&Point) -> f64| {
        let values = corners.iter().map(of);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        (low, values.fold(f64::NEG_INFINITY, f64::max) - low)
    };
    let ((x, width), (y, height)) = (size(|p| p.x), size(|p| p.y));
    let on_border = random.pick(&[0.0, 0.0, 0.2, 0.5]);
    let whole = random.chance(0.4);
    let n = 3 + random.below(7);
    (0..n)
        .map(|_| {
            if random.chance(on_border) {
                let rings: Vec<&[Point]> = parts.iter().flat_map(Part::rings).collect();
                let ring = random.pick(&rings);
                let i = random.below(ring.len());
                let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
                let t = random.pick(&[0.0, 0.5, 0.25]);
                Point::new(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y))
            } else if whole {
                Point::new(random.within(0, 10) as f64, random.within(0, 10) as f64)
            } else {
                Point::new(x + width * random.real(), y + height * random.real())
            }
        })
        .collect()
}

/// The same parts and units, multiplied and moved. Powers of two and whole numbers keep ties.
pub fn moved(parts: &mut [Part], units: &mut [Point], scale: f64, x: f64, y: f64) {
    let rings = parts
        .iter_mut()
        .flat_map(|part| std::iter::once(&mut part.outer).chain(&mut part.holes));
    for p in rings.flatten().chain(units) {
        *p = Point::new(p.x * scale + x, p.y * scale + y);
    }
}

pub fn region(parts: Vec<Part>) -> Region {
    Region::new(parts).expect("the shapes are sound")
}
