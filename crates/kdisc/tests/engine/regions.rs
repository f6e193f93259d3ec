//! Points in many regions, against a walk along all edges of each.

#![allow(clippy::cast_possible_wrap, reason = "lattices of a few dozen points")]

use kdisc::Point;
use kdisc::region::{Overlap, Part, Region, Regions, edges};

/// A small generator, so that cases stay the same.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % count
    }
}

/// Corners that quadrangles share, on a lattice, so that signs can be worked out in whole numbers.
fn quadrangles(random: &mut Random, across: usize, up: usize) -> Vec<Vec<[i64; 2]>> {
    let corners: Vec<Vec<[i64; 2]>> = (0..=up as i64)
        .map(|row| {
            let corner = |column| {
                let mut around = |middle: i64| 10 * middle - 4 + random.below(9) as i64;
                [around(column), around(row)]
            };
            (0..=across as i64).map(corner).collect()
        })
        .collect();
    let mut found = Vec::new();
    for row in 0..up {
        for column in 0..across {
            let mut ring = vec![
                corners[row][column],
                corners[row][column + 1],
                corners[row + 1][column + 1],
                corners[row + 1][column],
            ];
            if random.below(2) == 0 {
                ring.reverse();
            }
            found.push(ring);
        }
    }
    found
}

fn cross(a: [i64; 2], b: [i64; 2], p: [i64; 2]) -> i64 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Whether a ring holds the point just east and a bit north of this one.
fn owns(ring: &[[i64; 2]], at: [i64; 2]) -> bool {
    let mut inside = false;
    for (i, &a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        let (low, high) = if a[1] < b[1] { (a, b) } else { (b, a) };
        if low[1] <= at[1] && at[1] < high[1] && cross(low, high, at) > 0 {
            inside = !inside;
        }
    }
    inside
}

fn touches(ring: &[[i64; 2]], at: [i64; 2]) -> bool {
    (0..ring.len()).any(|i| {
        let (a, b) = (ring[i], ring[(i + 1) % ring.len()]);
        cross(a, b, at) == 0
            && (0..2)
                .all(|axis| a[axis].min(b[axis]) <= at[axis] && at[axis] <= a[axis].max(b[axis]))
    })
}

/// A lattice of tiles at any scale and place that doubles hold exactly.
fn check_tiles(seed: u64, across: usize, up: usize, scale: f64, offset: [f64; 2]) {
    let mut random = Random(seed);
    let rings = quadrangles(&mut random, across, up);
    let place = |at: [i64; 2]| {
        Point::new(
            offset[0] + at[0] as f64 * scale,
            offset[1] + at[1] as f64 * scale,
        )
    };
    let region = |ring: &Vec<[i64; 2]>| {
        let outer = ring.iter().map(|&corner| place(corner)).collect();
        let holes = Vec::new();
        Region::new(vec![Part { outer, holes }]).unwrap()
    };
    let regions = Regions::new(rings.iter().map(region).collect()).unwrap();
    let (mut on_borders, mut outside) = (0, 0);
    let mut points = Vec::new();
    let mut expected = Vec::new();
    for x in -6..=10 * across as i64 + 6 {
        for y in -6..=10 * up as i64 + 6 {
            let at = [x, y];
            let owners: Vec<usize> = (0..rings.len()).filter(|&i| owns(&rings[i], at)).collect();
            let touching = (0..rings.len()).find(|&i| touches(&rings[i], at));
            assert!(owners.len() <= 1, "the oracle: {at:?} is in {owners:?}");
            let owner = owners.first().copied().or(touching);
            on_borders += usize::from(touching.is_some());
            outside += usize::from(owner.is_none());
            points.push(place(at));
            expected.push(owner.map(|i| i as u32));
            let found = regions.locate(place(at)).unwrap();
            assert_eq!(
                found,
                owner.map(|i| i as u32),
                "{at:?} at {scale} {offset:?}"
            );
        }
    }
    assert_eq!(regions.locate_all(&points).unwrap(), expected);
    assert!(on_borders > across * up && outside > across);
}

#[test]
fn points_on_and_off_the_borders_of_tiles() {
    for seed in 1..20 {
        check_tiles(seed, 7, 5, 1.0, [0.0, 0.0]);
        check_tiles(seed, 1, 9, 0.25, [4_321_000.0, 3_210_000.5]);
        check_tiles(seed, 12, 2, 2f64.powi(-420), [0.0, 0.0]);
        check_tiles(seed, 3, 3, 2f64.powi(400), [0.0, 0.0]);
        check_tiles(seed, 4, 4, 1.0, [2f64.powi(51), -(2f64.powi(51))]);
    }
}

fn square(x: f64, y: f64, side: f64) -> Vec<Point> {
    [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
        .map(|(i, j)| Point::new(x + i * side, y + j * side))
        .into()
}

fn region(outer: Vec<Point>, holes: Vec<Vec<Point>>) -> Region {
    Region::new(vec![Part { outer, holes }]).unwrap()
}

#[test]
fn west_and_south_borders_are_owned_and_nothing_is_lost() {
    let west = region(square(0.0, 0.0, 1.0), vec![]);
    let east = region(square(1.0, 0.0, 1.0), vec![]);
    let regions = Regions::new(vec![west, east]).unwrap();
    let at = |x, y| regions.locate(Point::new(x, y)).unwrap();
    assert_eq!(at(0.0, 0.0), Some(0));
    assert_eq!(at(1.0, 0.0), Some(1));
    assert_eq!(at(1.0, 0.5), Some(1));
    // On the far borders of all: not owned, but not lost.
    assert_eq!(at(2.0, 0.5), Some(1));
    assert_eq!(at(0.5, 1.0), Some(0));
    assert_eq!(at(1.0, 1.0), Some(0));
    assert_eq!(at(2.0, 1.0), Some(1));
    assert_eq!(at(2.0_f64.next_up(), 0.5), None);
    assert_eq!(at(0.0_f64.next_down(), 0.5), None);
    assert_eq!(at(f64::NAN, 0.5), None);
}

#[test]
fn holes_islands_and_parts() {
    let frame = region(square(0.0, 0.0, 9.0), vec![square(1.0, 1.0, 7.0)]);
    let island = region(square(2.0, 2.0, 2.0), vec![]);
    let two = Region::new(vec![
        Part {
            outer: square(20.0, 0.0, 1.0),
            holes: vec![],
        },
        Part {
            outer: square(30.0, 0.0, 1.0),
            holes: vec![],
        },
    ]);
    let regions = Regions::new(vec![frame, island, two.unwrap()]).unwrap();
    let at = |x, y| regions.locate(Point::new(x, y)).unwrap();
    assert_eq!(at(0.5, 5.0), Some(0));
    assert_eq!(at(1.5, 5.0), None);
    assert_eq!(at(3.0, 3.0), Some(1));
    assert_eq!(at(20.5, 0.5), Some(2));
    assert_eq!(at(30.5, 0.5), Some(2));
    assert_eq!(at(25.0, 0.5), None);
    // The hole's west side is the frame's east border, which the rule gives to nobody.
    assert_eq!(at(1.0, 5.0), Some(0));
    assert_eq!(at(8.0, 5.0), Some(0));
}

#[test]
fn a_point_in_two_regions_is_named() {
    let one = region(square(0.0, 0.0, 4.0), vec![]);
    let other = region(square(3.0, 3.0, 4.0), vec![]);
    let regions = Regions::new(vec![one.clone(), other]).unwrap();
    let points = [(1.0, 1.0), (6.0, 6.0), (3.5, 3.5), (3.6, 3.6)].map(|(x, y)| Point::new(x, y));
    let expected = Overlap {
        point: 2,
        regions: [0, 1],
    };
    assert_eq!(regions.locate_all(&points), Err(expected));
    assert!(regions.locate_all(&points[..2]).is_ok());
    // Regions that are equal, where whole cells lie in both.
    let twice = Regions::new(vec![one.clone(), one]).unwrap();
    for (x, y) in [(2.0, 2.0), (0.0, 0.0), (3.9, 0.1)] {
        let found = twice.locate(Point::new(x, y));
        assert_eq!(found.map_err(|overlap| overlap.regions), Err([0, 1]));
    }
}

#[test]
fn no_regions_hold_nothing() {
    let regions = Regions::new(vec![]).unwrap();
    assert_eq!(regions.locate(Point::new(0.0, 0.0)), Ok(None));
}

/// Stars with many corners of very different sizes: long and short edges in one raster.
#[test]
fn stars_of_all_sizes() {
    let mut random = Random(99);
    let mut stars = Vec::new();
    for i in 0..40 {
        let corners = 3 + random.below(200);
        let size = 2f64.powi(random.below(20) as i32 - 10);
        let ring = (0..corners).map(|corner| {
            let angle = corner as f64 / corners as f64 * std::f64::consts::TAU;
            let radius = size * (1.0 + random.below(1000) as f64 / 200.0);
            let x = 20_000.0 * f64::from(i) + radius * angle.cos();
            Point::new(x, radius * angle.sin())
        });
        stars.push(ring.collect::<Vec<_>>());
    }
    let all = stars.iter().map(|star| region(star.clone(), vec![]));
    let regions = Regions::new(all.collect()).unwrap();
    let inside = |ring: &[Point], at: Point| {
        let crossed = edges(ring).filter(|[a, b]| {
            (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
        });
        crossed.count() % 2 == 1
    };
    let mut found_inside = 0;
    for _ in 0..20_000 {
        let star = random.below(40) as usize;
        let size = 2f64.powi(random.below(24) as i32 - 12);
        let mut shift = || size * (random.below(2001) as f64 / 1000.0 - 1.0 + 1e-7);
        let at = Point::new(20_000.0 * star as f64 + shift(), shift());
        let expected = (0..stars.len()).find(|&i| inside(&stars[i], at));
        found_inside += usize::from(expected.is_some());
        assert_eq!(regions.locate(at), Ok(expected.map(|i| i as u32)), "{at:?}");
    }
    assert!(found_inside > 2000);
}
