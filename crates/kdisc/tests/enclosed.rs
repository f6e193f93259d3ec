//! Discs that must lie inside a region, against every possible circle.

mod oracle;

use kdisc::region::{Part, Region};
use kdisc::within::{Groups, Within};
use kdisc::{Anonymity, Delta, Disc, Point};
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

#[test]
fn every_circle_is_tried() {
    for (name, maker) in shapes::ALL {
        let mut counts = [0; 2];
        for seed in 0..150 {
            let mut random = Random(seed);
            let parts = maker(&mut random);
            let units = shapes::units(&mut random, &parts);
            let choices: &[u64] = random.pick(&[&[1], &[1], &[0, 1], &[1, 2, 3]]);
            let weights: Vec<u64> = units.iter().map(|_| random.pick(choices)).collect();
            let clock = std::time::Instant::now();
            let [none, some] = compare(
                &format!("{name} {seed}"),
                &units,
                &weights,
                &shapes::region(parts),
            );
            if clock.elapsed().as_secs_f64() > 0.3 {
                eprintln!("{name} {seed} {:?} {}", clock.elapsed(), units.len());
            }
            counts = [counts[0] + none, counts[1] + some];
        }
        eprintln!("{name} {counts:?}");
        // Both answers must be among those that are compared.
        assert!(counts.iter().all(|&n| n > 300), "{name}: {counts:?}");
    }
}
