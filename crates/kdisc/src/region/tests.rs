//! Polygons that are regions, and polygons that are none.

use super::*;
use crate::example::random::Random;

fn ring(corners: &[(f64, f64)]) -> Vec<Point> {
    corners.iter().map(|&(x, y)| Point::new(x, y)).collect()
}

fn square(x: f64, y: f64, side: f64) -> Vec<Point> {
    ring(&[(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
}

fn part(outer: Vec<Point>, holes: Vec<Vec<Point>>) -> Part {
    Part { outer, holes }
}

fn region(outer: Vec<Point>, holes: Vec<Vec<Point>>) -> Result<Region, RegionError> {
    Region::new(vec![part(outer, holes)])
}

#[test]
fn area_and_centroid_without_the_hole() {
    let mut hole = square(1.0, 1.0, 2.0);
    for backwards in [false, true] {
        if backwards {
            hole.reverse();
        }
        let found = region(square(0.0, 0.0, 4.0), vec![hole.clone()]).unwrap();
        assert_eq!(found.area(), 12.0);
        assert_eq!(found.centroid(), Point::new(2.0, 2.0));
        assert_eq!(found.bounds(), [0.0, 4.0, 0.0, 4.0]);
    }
}

#[test]
fn national_coordinates_do_not_swallow_small_shapes() {
    let found = region(square(4e6, 3e6, 0.125), vec![]).unwrap();
    assert_eq!(found.area(), 0.015_625);
    assert_eq!(found.centroid(), Point::new(4e6 + 0.0625, 3e6 + 0.0625));
}

#[test]
fn closing_and_repeated_corners_are_dropped() {
    let mut closed = square(0.0, 0.0, 1.0);
    closed.insert(1, closed[0]);
    closed.push(closed[0]);
    let found = region(closed, vec![]).unwrap();
    assert_eq!(found.parts()[0].outer, square(0.0, 0.0, 1.0));
}

#[test]
fn what_is_no_polygon_is_refused() {
    assert_eq!(Region::new(vec![]), Err(RegionError::NoParts));
    let few = |corners: &[(f64, f64)]| match region(ring(corners), vec![]) {
        Err(RegionError::FewCorners { corners, .. }) => corners,
        other => panic!("{other:?}"),
    };
    assert_eq!(few(&[]), 0);
    assert_eq!(few(&[(1.0, 1.0), (1.0, 1.0), (1.0, 1.0)]), 1);
    assert_eq!(few(&[(1.0, 1.0), (2.0, 1.0), (1.0, 1.0)]), 2);
    for bad in [f64::NAN, f64::INFINITY, 1e200, 1e-200] {
        let found = region(ring(&[(0.0, 0.0), (1.0, 0.0), (1.0, bad)]), vec![]);
        assert!(matches!(found, Err(RegionError::Coordinate(_))));
    }
    // On one line, out and back.
    let flat = region(ring(&[(0.0, 0.0), (2.0, 0.0), (1.0, 0.0)]), vec![]);
    assert!(matches!(flat, Err(RegionError::Doubled { .. })));
}

#[test]
fn a_bow_tie_crosses_itself_with_and_without_a_corner_there() {
    let without = ring(&[(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)]);
    let with = ring(&[
        (0.0, 0.0),
        (1.0, 1.0),
        (2.0, 2.0),
        (2.0, 0.0),
        (1.0, 1.0),
        (0.0, 2.0),
    ]);
    for tie in [without, with] {
        let found = region(tie, vec![]);
        assert!(
            matches!(found, Err(RegionError::Crossing { .. })),
            "{found:?}"
        );
    }
}

#[test]
fn a_border_may_touch_itself_in_a_point() {
    // Two triangles that meet in a corner, gone round without crossing.
    let wings = ring(&[
        (0.0, 0.0),
        (1.0, 1.0),
        (2.0, 0.0),
        (2.0, 2.0),
        (1.0, 1.0),
        (0.0, 2.0),
    ]);
    assert_eq!(region(wings, vec![]).unwrap().area(), 2.0);
    // A corner on the middle of an edge: a hole that is not written as one.
    let pinched = ring(&[
        (0.0, 0.0),
        (4.0, 0.0),
        (4.0, 4.0),
        (0.0, 4.0),
        (0.0, 2.0),
        (3.0, 3.0),
        (3.0, 1.0),
        (0.0, 2.0),
    ]);
    assert_eq!(region(pinched, vec![]).unwrap().area(), 13.0);
    // Holes that touch the outer ring, and one another, in points.
    let holes = vec![
        ring(&[(0.0, 2.0), (2.0, 1.0), (2.0, 3.0)]),
        ring(&[(2.0, 3.0), (3.0, 3.0), (2.0, 4.0)]),
    ];
    assert!(region(square(0.0, 0.0, 4.0), holes).is_ok());
}

#[test]
fn a_spike_runs_along_itself() {
    let spike = ring(&[
        (0.0, 0.0),
        (4.0, 0.0),
        (4.0, 4.0),
        (4.0, 6.0),
        (4.0, 4.0),
        (0.0, 4.0),
    ]);
    let found = region(spike, vec![]);
    assert!(
        matches!(found, Err(RegionError::Doubled { .. })),
        "{found:?}"
    );
}

#[test]
fn holes_lie_in_their_part() {
    let outside = vec![square(5.0, 5.0, 1.0)];
    let crossing = vec![square(3.0, 3.0, 2.0)];
    let nested = vec![square(1.0, 1.0, 2.0), square(1.5, 1.5, 1.0)];
    let along = vec![square(0.0, 1.0, 1.0)];
    // All corners of the hole are on the outer ring, from without.
    let notch = ring(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)]);
    let in_notch = vec![ring(&[(4.0, 4.0), (2.0, 1.0), (0.0, 4.0)])];
    let touching = vec![ring(&[(4.0, 4.0), (2.0, 2.0), (0.0, 4.0), (2.0, 3.0)])];
    let big = || square(0.0, 0.0, 4.0);
    let is_hole = |found| matches!(found, Err(RegionError::Hole { .. }));
    assert!(is_hole(region(big(), outside)));
    assert!(is_hole(region(big(), nested)));
    assert!(is_hole(region(notch.clone(), touching)));
    assert!(matches!(
        region(big(), crossing),
        Err(RegionError::Crossing { .. })
    ));
    assert!(matches!(
        region(big(), along),
        Err(RegionError::Doubled { .. })
    ));
    assert!(matches!(
        region(notch, in_notch),
        Err(RegionError::Doubled { .. })
    ));
    let diamond = vec![ring(&[(2.0, 0.0), (4.0, 2.0), (2.0, 4.0), (0.0, 2.0)])];
    assert_eq!(region(big(), diamond).unwrap().area(), 8.0);
}

#[test]
fn parts_lie_outside_one_another() {
    let ring_shaped = part(square(0.0, 0.0, 9.0), vec![square(1.0, 1.0, 7.0)]);
    let island = part(square(2.0, 2.0, 3.0), vec![square(3.0, 3.0, 1.0)]);
    let both = Region::new(vec![island.clone(), ring_shaped]).unwrap();
    assert_eq!(both.area(), 81.0 - 49.0 + 9.0 - 1.0);
    let full = part(square(0.0, 0.0, 9.0), vec![]);
    let found = Region::new(vec![full.clone(), island]);
    assert!(matches!(found, Err(RegionError::Parts { .. })));
    let corner = part(square(9.0, 9.0, 1.0), vec![]);
    assert!(Region::new(vec![full.clone(), corner]).is_ok());
    let beside = part(square(9.0, 0.0, 1.0), vec![]);
    let found = Region::new(vec![full, beside]);
    assert!(matches!(found, Err(RegionError::Doubled { .. })));
}

/// How often a ring goes round a point that is not on it.
fn winding(ring: &[Point], at: Point) -> i32 {
    let step = |[a, b]: [Point; 2]| {
        let cross = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
        match (a.y <= at.y, b.y <= at.y) {
            (true, false) if cross > 0.0 => 1,
            (false, true) if cross < 0.0 => -1,
            _ => 0,
        }
    };
    edges(ring).map(step).sum()
}

/// Whether two edges have more than a point in common.
fn run_along([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let along = |p: Point| (b.x - a.x) * (p.x - a.x) + (b.y - a.y) * (p.y - a.y);
    let off = |p: Point| (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
    let (from, to) = (along(c).min(along(d)), along(c).max(along(d)));
    off(c) == 0.0 && off(d) == 0.0 && from.max(0.0) < to.min(along(b))
}

/// Whether a border passes through a place three times or more.
fn threefold(all: &[[Point; 2]], at: Point) -> bool {
    let passes = all.iter().map(|&[a, b]| {
        let near = |p: Point| (p.x - at.x).hypot(p.y - at.y);
        let detour = near(a) + near(b) - (a.x - b.x).hypot(a.y - b.y);
        match (detour < 1e-9, near(a).min(near(b)) < 1e-9) {
            (false, _) => 0.0,
            (true, false) => 1.0,
            (true, true) => 0.5,
        }
    });
    passes.sum::<f64>() >= 3.0
}

/// A ring that nowhere crosses itself winds round points not at all or once, always the same way;
/// where it does cross itself, three different numbers meet.
#[test]
fn random_rings_on_a_lattice_cross_where_their_windings_say() {
    let mut random = Random::new(7);
    let (mut fine, mut crossed, mut doubled) = (0, 0, 0);
    for _ in 0..12_000 {
        let corners = 3 + random.below(6);
        let mut coordinate = || random.below(5) as f64;
        let corners: Vec<_> = (0..corners)
            .map(|_| Point::new(coordinate(), coordinate()))
            .collect();
        let found = region(corners.clone(), vec![]);
        if let Err(RegionError::FewCorners { .. }) = found {
            continue;
        }
        let mut corners = corners;
        tidy(&mut corners).unwrap();
        let all: Vec<_> = edges(&corners).collect();
        if (1..all.len()).any(|i| all[..i].iter().any(|&edge| run_along(edge, all[i]))) {
            doubled += 1;
            assert!(found.is_err(), "{corners:?}");
            continue;
        }
        // Every place where edges could meet: corners, and crossings of two edges.
        let mut places = corners.clone();
        for [a, b] in &all {
            for [c, d] in &all {
                let cross = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
                let t = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / cross;
                if cross != 0.0 && (0.0..=1.0).contains(&t) {
                    places.push(Point::new(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)));
                }
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        for place in &places {
            for step in 0..240 {
                let angle = 0.013 + f64::from(step) * std::f64::consts::TAU / 240.0;
                let (sin, cos) = angle.sin_cos();
                let at = Point::new(place.x + cos / 512.0, place.y + sin / 512.0);
                seen.insert(winding(&corners, at));
            }
        }
        // Three passes that all cross in one point may wind as if none did.
        let simple =
            seen.len() == 2 && (found.is_ok() || !places.iter().any(|p| threefold(&all, *p)));
        assert_eq!(found.is_ok(), simple, "{corners:?} {seen:?} {found:?}");
        if simple {
            fine += 1;
        } else {
            crossed += 1;
        }
    }
    assert!(
        fine > 500 && crossed > 500 && doubled > 500,
        "{fine} {crossed} {doubled}"
    );
}

#[test]
fn long_borders_are_quick() {
    let mut random = Random::new(3);
    let corners = 200_000;
    let star = (0..corners).map(|i| {
        let angle = f64::from(i) * std::f64::consts::TAU / f64::from(corners);
        let radius = random.between(9e4, 1e5);
        Point::new(4e6 + radius * angle.cos(), 3e6 + radius * angle.sin())
    });
    let star: Vec<_> = star.collect();
    let started = std::time::Instant::now();
    assert!(region(star.clone(), vec![]).is_ok());
    let mut wrong = star;
    wrong.swap(70_000, 70_010);
    assert!(matches!(
        region(wrong, vec![]),
        Err(RegionError::Crossing { .. })
    ));
    assert!(started.elapsed().as_secs() < 10);
}
