//! Discs that must lie inside a region, against every possible circle.

use crate::oracle;

use kdisc::region::{Part, Region};
use kdisc::within::{Groups, Within};
use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};
use oracle::cases::Random;
use oracle::enclosed::Enclosed;
use oracle::{points, shapes};

fn engine(
    rows: &[Point],
    weights: &[u64],
    region: &Region,
    k: u64,
    delta: Delta,
) -> Vec<Option<Disc>> {
    let groups = Groups::new(rows, Some(weights), &vec![Some(0); rows.len()]).unwrap();
    let asked = Anonymity::new(k).unwrap().with_delta(delta);
    let regions = std::slice::from_ref(region);
    let measure = Within::new(&groups, asked).enclosed(regions).unwrap();
    let discs = measure.threads(1).all().unwrap();
    (0..rows.len())
        .map(|row| discs[groups.location_of_row(row).unwrap()])
        .collect()
}

fn agree(found: Option<Disc>, expected: Option<Disc>) -> bool {
    match (found, expected) {
        (None, None) => true,
        (Some(a), Some(b)) => {
            let near = |a: f64, b: f64| {
                (a - b).abs() <= 1e-7 * expected.map_or(0.0, |d| d.radius) + 4e-15 * b.abs()
            };
            (a.radius - b.radius).abs() <= 1e-10 * b.radius
                && a.units == b.units
                && near(a.center.x, b.center.x)
                && near(a.center.y, b.center.y)
        }
        _ => false,
    }
}

fn compare(name: &str, rows: &[Point], weights: &[u64], region: &Region) -> [usize; 2] {
    let mut counts = [0; 2];
    let oracles = rows
        .iter()
        .map(|&anchor| Enclosed::new(rows, weights, region, anchor));
    let oracles: Vec<Enclosed> = oracles.collect();
    for k in 1..=4 {
        for delta in [Delta::ZERO, Delta::INFINITE] {
            let found = engine(rows, weights, region, k, delta);
            for (i, oracle) in oracles.iter().enumerate() {
                let expected = if delta == Delta::ZERO {
                    oracle.centred(k)
                } else {
                    oracle.anywhere(k)
                };
                counts[usize::from(expected.is_some())] += 1;
                assert!(
                    agree(found[i], expected),
                    "{name}, k = {k}, δ = {delta}, {:?}:\nfound    {:?}\nexpected {expected:?}\n\
                     rows {rows:?}\nweights {weights:?}\n{region:?}",
                    rows[i],
                    found[i]
                );
            }
        }
    }
    counts
}

/// The shape that a maker gives for a seed, and units with weights for it.
fn case(maker: shapes::Maker, seed: u64) -> (Vec<Part>, Vec<Point>, Vec<u64>) {
    let mut random = Random(seed);
    let parts = maker(&mut random);
    let units = shapes::units(&mut random, &parts);
    let choices: &[u64] = random.pick(&[&[1], &[1], &[0, 1], &[1, 2, 3]]);
    let weights = units.iter().map(|_| random.pick(choices)).collect();
    (parts, units, weights)
}

#[test]
fn every_circle_is_tried() {
    for (name, maker) in shapes::ALL {
        let mut counts = [0; 2];
        for seed in 0..150 {
            let (parts, units, weights) = case(maker, seed);
            let name = format!("{name} {seed}");
            let [none, some] = compare(&name, &units, &weights, &shapes::region(parts));
            counts = [counts[0] + none, counts[1] + some];
        }
        // Both answers must be among those that are compared.
        assert!(counts.iter().all(|&n| n > 300), "{name}: {counts:?}");
    }
}

#[test]
fn coordinates_may_be_large_and_small() {
    let mut some = 0;
    for (name, maker) in shapes::ALL {
        for seed in 1000..1020 {
            for (scale, x, y) in [
                (1.0, 6e6, -4.5e5),
                (0.125, 155_000.0, 463_000.0),
                (2f64.powi(460), 0.0, 0.0),
                (2f64.powi(-390), 0.0, 0.0),
            ] {
                let (mut parts, mut units, weights) = case(maker, seed);
                shapes::moved(&mut parts, &mut units, scale, x, y);
                let name = format!("{name} {seed} · {scale} + {x}");
                some += compare(&name, &units, &weights, &shapes::region(parts))[1];
            }
        }
    }
    assert!(some > 2000, "{some}");
}

/// Which circles suffice is proved on paper; that no disc at all is smaller is tried here.
#[test]
fn no_other_centre_has_a_smaller_disc() {
    let mut tried = 0;
    for (name, maker) in shapes::ALL {
        for seed in 2000..2030 {
            let (parts, units, weights) = case(maker, seed);
            let region = shapes::region(parts);
            let found = engine(&units, &weights, &region, 3, Delta::INFINITE);
            let mut random = Random(seed);
            for (disc, &anchor) in found.iter().zip(&units) {
                let oracle = Enclosed::new(&units, &weights, &region, anchor);
                for _ in 0..1000 {
                    let center =
                        Point::new(20.0 * random.real() - 10.0, 20.0 * random.real() - 10.0);
                    if let Some(radius) = oracle.at(center, 3) {
                        tried += 1;
                        assert!(
                            disc.is_some_and(|disc| disc.radius <= radius * (1.0 + 1e-9)),
                            "{name} {seed}, {anchor:?}: {disc:?}, but {radius} at {center:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_do_not_matter() {
    for (name, maker) in shapes::ALL {
        for seed in 3000..3010 {
            let (parts, mut units, mut weights) = case(maker, seed);
            let region = shapes::region(parts);
            let first = engine(&units, &weights, &region, 3, Delta::INFINITE);
            units.reverse();
            weights.reverse();
            let groups = Groups::new(&units, Some(&weights), &vec![Some(0); units.len()]);
            let groups = groups.unwrap();
            let regions = std::slice::from_ref(&region);
            let measure = Within::new(&groups, Anonymity::new(3).unwrap());
            let measure = measure.enclosed(regions).unwrap().threads(3);
            let all = measure.all().unwrap();
            let alone = |row: usize| {
                let location = groups.location_of_row(row).unwrap();
                let [disc] = measure.locations(&[location as u32]).unwrap()[..] else {
                    panic!("one answer for one location")
                };
                assert_eq!(disc, all[location], "{name} {seed}");
                disc
            };
            let mut again: Vec<_> = (0..units.len()).map(alone).collect();
            again.reverse();
            assert_eq!(first, again, "{name} {seed}");
        }
    }
}

fn square(low: f64, high: f64) -> Vec<Point> {
    points(&[(low, low), (high, low), (high, high), (low, high)])
}

fn one(outer: Vec<Point>, holes: Vec<Vec<Point>>) -> Region {
    shapes::region(vec![Part { outer, holes }])
}

/// Two units 2 apart along the bottom of a square of 10, one unit above it. The disc on their
/// diameter would leave by half a unit. Lifted until it touches: its centre is as far from the
/// bottom as from the units, r² = 1 + (r − 1/2)², so r = 5/4 and the centre is at 5/4.
#[test]
fn a_disc_moves_until_it_touches_the_border() {
    let region = one(square(0.0, 10.0), vec![]);
    let rows = points(&[(4.0, 0.5), (6.0, 0.5)]);
    let found = engine(&rows, &[1, 1], &region, 2, Delta::INFINITE);
    assert_eq!(found, [Some(oracle::disc(5.0, 1.25, 1.25, 2)); 2]);
    let centred = engine(&rows, &[1, 1], &region, 2, Delta::ZERO);
    assert_eq!(centred, [None; 2]);
}

/// The same over a corner that points inwards, at (5, 0): through it, r² = 1 + (h − 1/4)² = h².
#[test]
fn a_disc_moves_until_it_passes_through_a_corner() {
    let outer = points(&[
        (0.0, -9.0),
        (5.0, 0.0),
        (10.0, -9.0),
        (10.0, 9.0),
        (0.0, 9.0),
    ]);
    let rows = points(&[(4.0, 0.25), (6.0, 0.25)]);
    let found = engine(&rows, &[1, 1], &one(outer, vec![]), 2, Delta::INFINITE);
    assert_eq!(found, [Some(oracle::disc(5.0, 2.125, 2.125, 2)); 2]);
}

#[test]
fn touching_the_border_is_inside() {
    let region = one(square(0.0, 4.0), vec![]);
    let rows = points(&[(2.0, 2.0), (2.0, 4.0)]);
    let found = engine(&rows, &[1, 1], &region, 2, Delta::ZERO);
    assert_eq!(found, [Some(oracle::disc(2.0, 2.0, 2.0, 2)), None]);
    // The inscribed disc itself, from a unit on each side.
    let rows = points(&[(0.0, 2.0), (4.0, 2.0), (2.0, 4.0), (2.0, 0.0)]);
    let found = engine(&rows, &[1; 4], &region, 4, Delta::INFINITE);
    assert_eq!(found, [Some(oracle::disc(2.0, 2.0, 2.0, 4)); 4]);
}

#[test]
fn holes_and_other_parts_are_outside() {
    let hole = vec![square(4.0, 6.0)];
    let rows = points(&[(3.0, 5.0), (7.0, 5.0)]);
    // Round the hole: through both units and two of its corners, with the centre below or above
    // it. The disc may touch the corners (4, 4) and (6, 4): r² = 4 + h² = 1 + (h − 1)² has no
    // h > 0, so every disc through both units that misses the hole misses by a corner.
    let found = engine(
        &rows,
        &[1, 1],
        &one(square(0.0, 10.0), hole),
        2,
        Delta::INFINITE,
    );
    assert_eq!(found, [None; 2]);
    let halves = [square(0.0, 4.0), square(6.0, 10.0)];
    let parts = halves.map(|outer| Part {
        outer,
        holes: vec![],
    });
    let rows = points(&[(2.0, 2.0), (3.0, 2.0), (8.0, 8.0)]);
    let found = engine(
        &rows,
        &[1; 3],
        &shapes::region(parts.to_vec()),
        2,
        Delta::INFINITE,
    );
    let disc = Some(oracle::disc(2.5, 2.0, 0.5, 2));
    assert_eq!(found, [disc, disc, None]);
}

#[test]
fn units_that_share_a_location_need_no_room() {
    let region = one(square(0.0, 4.0), vec![]);
    for at in [(2.0, 2.0), (4.0, 1.0), (0.0, 0.0)] {
        for delta in [Delta::ZERO, Delta::INFINITE] {
            let rows = points(&[at, at]);
            let found = engine(&rows, &[1, 1], &region, 2, delta);
            assert_eq!(found, [Some(oracle::disc(at.0, at.1, 0.0, 2)); 2]);
        }
    }
    let rows = points(&[(4.1, 1.0), (4.1, 1.0)]);
    let found = engine(&rows, &[1, 1], &region, 2, Delta::INFINITE);
    assert_eq!(found, [None; 2]);
}

/// Of the four discs that hold three corners' worth of a lattice, the plain measure names the left
/// one; where it does not fit, another of the same size is named.
#[test]
fn a_tied_disc_that_fits_is_taken() {
    let rows = points(&[(0.0, 0.0), (-1.0, 0.0), (1.0, 0.0)]);
    let outer = points(&[(-1.0, -0.25), (3.0, -3.0), (3.0, 3.0), (-1.0, 0.25)]);
    let found = engine(&rows, &[1; 3], &one(outer, vec![]), 2, Delta::INFINITE);
    assert_eq!(found[0], Some(oracle::disc(0.5, 0.0, 0.5, 2)));
}

/// Everything ties on a lattice, and circles have many locations. Mirrored, the answers are too.
#[test]
fn a_lattice_keeps_its_symmetry() {
    let side = 24;
    let mut rows = Vec::new();
    for x in 0..side {
        for y in 0..side {
            rows.push(Point::new(f64::from(x), f64::from(y)));
        }
    }
    let region = one(square(-0.5, f64::from(side) - 0.5), vec![]);
    for k in [4, 9, 21, 60] {
        let found = engine(&rows, &vec![1; rows.len()], &region, k, Delta::INFINITE);
        let at =
            |x: i32, y: i32| found[(x * side + y) as usize].map(|disc| (disc.radius, disc.units));
        for x in 0..side {
            for y in 0..side {
                let (a, b) = (at(x, y), at(y, x));
                let near = |a: Option<(f64, u64)>, b: Option<(f64, u64)>| match (a, b) {
                    (Some(a), Some(b)) => (a.0 - b.0).abs() <= 1e-12 * a.0 && a.1 == b.1,
                    (a, b) => a == b,
                };
                assert!(near(a, b), "{k}, {x}, {y}: {a:?} {b:?}");
                let c = at(side - 1 - x, y);
                assert!(near(a, c), "{k}, {x}, {y}: {a:?} {c:?}");
            }
        }
    }
}

#[test]
fn only_what_can_be_enclosed_is_asked() {
    let rows = points(&[(1.0, 1.0)]);
    let groups = Groups::new(&rows, None, &[Some(1)]).unwrap();
    let region = one(square(0.0, 4.0), vec![]);
    let asked = Anonymity::new(1).unwrap();
    let refused = |asked: Anonymity, regions: &[Region]| {
        let measure = Within::new(&groups, asked).enclosed(regions);
        measure.err().unwrap().to_string()
    };
    let two = [region.clone(), region.clone()];
    assert_eq!(
        refused(asked.with_metric(Metric::L1), &two),
        "metric l1: only discs (l2) can be enclosed in a region"
    );
    assert_eq!(
        refused(asked.with_delta(Delta::new(2.0).unwrap()), &two),
        "delta 2: discs can be enclosed in a region for delta 0 and inf only"
    );
    assert_eq!(
        refused(asked, &two[..1]),
        "there is no region for group 1: there are 1"
    );
}

/// A border of many corners, and many units near it.
#[test]
fn many_units_near_a_long_border_have_discs_inside() {
    let corners = 20_000;
    let outer = (0..corners).map(|i| {
        let angle = f64::from(i) * std::f64::consts::TAU / f64::from(corners);
        let away = 1000.0 + 50.0 * (9.0 * angle).sin() + 0.05 * f64::from(i % 2);
        Point::new(away * angle.cos(), away * angle.sin())
    });
    let outer: Vec<Point> = outer.collect();
    let region = one(outer.clone(), vec![]);
    let mut random = Random(5);
    let mut rows = Vec::new();
    while rows.len() < 2000 {
        let mut coordinate = || 1900.0 * random.real() - 950.0;
        let p = Point::new(coordinate(), coordinate());
        if p.x.hypot(p.y) < 950.0 {
            rows.push(p);
        }
    }
    let weights = vec![1; rows.len()];
    let found = engine(&rows, &weights, &region, 10, Delta::INFINITE);
    let population = Population::new(&rows).unwrap();
    let plain = Measure::new(&population, Anonymity::new(10).unwrap());
    let plain = plain.all().unwrap();
    let mut changed = 0;
    for (row, &s) in rows.iter().enumerate() {
        let Disc {
            center,
            radius,
            units,
        } = found[row].expect("there is room for all");
        let away = |p: &Point| (p.x - center.x).hypot(p.y - center.y);
        let limit = radius * (1.0 + 1e-9);
        assert!(away(&s) <= limit);
        assert_eq!(
            rows.iter().filter(|p| away(p) <= limit).count() as u64,
            units
        );
        // The corners are much closer together than a disc is wide.
        assert!(outer.iter().all(|p| away(p) >= radius * (1.0 - 1e-9)));
        let before = plain[population.location_of_row()[row] as usize].unwrap();
        assert!(before.radius <= radius);
        changed += usize::from(before != found[row].unwrap());
    }
    assert!(changed > 20, "{changed}");
}
