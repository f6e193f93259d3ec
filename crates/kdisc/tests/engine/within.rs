//! Units among those of their own group: the plain measure on each group.

use crate::oracle;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use kdisc::within::{Groups, Within};
use kdisc::{Anonymity, Delta, Disc, Measure, MeasureError, Metric, Point, Population};
use oracle::cases::Random;
use oracle::points;

fn questions() -> Vec<Anonymity> {
    let mut all = Vec::new();
    for k in [1, 2, 5] {
        for metric in [Metric::L2, Metric::L1, Metric::Linf] {
            for delta in [0.0, 1.5, f64::INFINITY] {
                let asked = Anonymity::new(k).unwrap().with_metric(metric);
                all.push(asked.with_delta(Delta::new(delta).unwrap()));
            }
        }
    }
    all
}

/// Rows on a small lattice, so that groups share places, with weights and groups; some in none.
fn rows(seed: u64, n: usize) -> (Vec<Point>, Vec<u64>, Vec<Option<u32>>) {
    let mut random = Random(seed);
    let points = (0..n).map(|_| {
        let mut coordinate = || random.within(0, 12) as f64;
        Point::new(coordinate(), coordinate())
    });
    let points = points.collect();
    let weights = (0..n).map(|_| random.below(3) as u64).collect();
    let group = |random: &mut Random| random.pick(&[None, Some(0), Some(3), Some(4), Some(700)]);
    let groups = (0..n).map(|_| group(&mut random)).collect();
    (points, weights, groups)
}

/// Each row's answer from the population of its group.
fn expected(
    points: &[Point],
    weights: &[u64],
    groups: &[Option<u32>],
    asked: Anonymity,
) -> Vec<Option<Disc>> {
    let mut answers = vec![None; points.len()];
    for group in [0, 3, 4, 700] {
        let own: Vec<usize> = (0..points.len())
            .filter(|&row| groups[row] == Some(group))
            .collect();
        let own_points: Vec<Point> = own.iter().map(|&row| points[row]).collect();
        let own_weights: Vec<u64> = own.iter().map(|&row| weights[row]).collect();
        let Ok(population) = Population::with_weights(&own_points, &own_weights) else {
            continue;
        };
        let discs = Measure::new(&population, asked).all().unwrap();
        for (&row, &location) in own.iter().zip(population.location_of_row()) {
            answers[row] = discs[location as usize];
        }
    }
    answers
}

fn by_row(groups: &Groups, discs: &[Option<Disc>], rows: usize) -> Vec<Option<Disc>> {
    (0..rows)
        .map(|row| discs[groups.location_of_row(row)?])
        .collect()
}

#[test]
fn each_group_is_a_population_of_its_own() {
    for seed in 0..12 {
        let (points, weights, group_of_row) = rows(seed, 60);
        let groups = Groups::new(&points, Some(&weights), &group_of_row).unwrap();
        for asked in questions() {
            let discs = Within::new(&groups, asked).all().unwrap();
            assert_eq!(
                by_row(&groups, &discs, points.len()),
                expected(&points, &weights, &group_of_row, asked),
                "{asked:?}, seed {seed}"
            );
        }
    }
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_do_not_matter() {
    let (points, weights, group_of_row) = rows(99, 400);
    let turned = |by: usize| {
        let (mut p, mut w, mut g) = (points.clone(), weights.clone(), group_of_row.clone());
        p.rotate_left(by);
        w.rotate_left(by);
        g.rotate_left(by);
        (p, w, g)
    };
    for asked in questions() {
        let mut first = None;
        for (by, threads) in [(0, 1), (150, 2), (377, 4)] {
            let (p, w, g) = turned(by);
            let groups = Groups::new(&p, Some(&w), &g).unwrap();
            let discs = Within::new(&groups, asked).threads(threads).all().unwrap();
            let mut discs = by_row(&groups, &discs, p.len());
            discs.rotate_right(by);
            assert_eq!(*first.get_or_insert_with(|| discs.clone()), discs);
        }
    }
}

#[test]
fn one_place_in_two_groups_has_two_answers() {
    let rows = points(&[(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (5.0, 0.0)]);
    let numbers = [Some(0), Some(1), Some(0), Some(1)];
    let groups = Groups::new(&rows, None, &numbers).unwrap();
    assert_eq!(groups.len(), 4);
    let asked = Anonymity::new(2).unwrap().with_delta(Delta::ZERO);
    let discs = Within::new(&groups, asked).all().unwrap();
    let radii: Vec<f64> = by_row(&groups, &discs, 4)
        .iter()
        .map(|disc| disc.unwrap().radius)
        .collect();
    assert_eq!(radii, [1.0, 5.0, 1.0, 5.0]);
    let places: Vec<_> = groups.locations().collect();
    for (i, &place) in places.iter().enumerate() {
        assert_eq!(groups.location(i), place);
    }
    assert_eq!([0, 1, 2].map(|group| groups.units_of(group)), [2, 2, 0]);
    assert_eq!(groups.units().collect::<Vec<_>>(), [(0, 2), (1, 2)]);
}

#[test]
fn some_locations_and_places_have_the_answers_of_all() {
    let (points, weights, group_of_row) = rows(7, 80);
    let groups = Groups::new(&points, Some(&weights), &group_of_row).unwrap();
    for asked in questions() {
        let all = Within::new(&groups, asked).all().unwrap();
        let some: Vec<u32> = (0..groups.len() as u32).step_by(3).collect();
        let discs = Within::new(&groups, asked).locations(&some).unwrap();
        let same = some.iter().map(|&location| all[location as usize]);
        assert_eq!(discs, same.collect::<Vec<_>>());
        let discs = Within::new(&groups, asked).places(&points, &group_of_row);
        assert_eq!(discs.unwrap(), by_row(&groups, &all, points.len()));
    }
}

#[test]
fn a_group_without_units_has_no_discs_and_a_row_in_none_no_location() {
    let rows = points(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]);
    let groups = Groups::new(&rows, Some(&[0, 0, 1]), &[Some(0), Some(0), None]).unwrap();
    for asked in questions() {
        assert_eq!(Within::new(&groups, asked).all().unwrap(), [None, None]);
    }
    assert_eq!(groups.location_of_row(2), None);
    let nobody = Groups::new(&rows, None, &[None; 3]).unwrap();
    assert!(nobody.is_empty());
    let asked = Anonymity::new(1).unwrap();
    assert_eq!(Within::new(&nobody, asked).all().unwrap(), []);
}

#[test]
fn bad_rows_are_refused() {
    let rows = points(&[(0.0, 0.0), (f64::NAN, 0.0)]);
    let refused = |rows: &[Point], weights: Option<&[u64]>, groups: &[Option<u32>]| {
        Groups::new(rows, weights, groups).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&rows, None, &[None, None]),
        "row 1: the coordinate NaN is not a finite number"
    );
    assert_eq!(
        refused(&rows[..1], None, &[None, None]),
        "1 points but 2 groups for them"
    );
    assert_eq!(
        refused(&rows[..1], Some(&[1, 2]), &[None]),
        "1 points but 2 weights"
    );
}

#[test]
fn many_small_groups_share_the_threads_and_tell_how_far_they_are() {
    let mut random = Random(3);
    let n = 60_000;
    let rows: Vec<Point> = (0..n)
        .map(|_| Point::new(1000.0 * random.real(), 1000.0 * random.real()))
        .collect();
    let numbers: Vec<Option<u32>> = (0..n).map(|_| Some(random.below(20_000) as u32)).collect();
    let groups = Groups::new(&rows, None, &numbers).unwrap();
    let most = AtomicUsize::new(0);
    let progress = |done: usize, of: usize| {
        assert!(done <= of);
        most.fetch_max(1000 * done / of, Ordering::Relaxed);
    };
    let stop = AtomicBool::new(false);
    let measure = Within::new(&groups, Anonymity::new(2).unwrap())
        .progress(&progress)
        .cancel(&stop);
    let discs = measure.all().unwrap();
    assert_eq!(discs.len(), n);
    assert!(discs.iter().flatten().count() > n / 2);
    assert_eq!(most.load(Ordering::Relaxed), 1000);
    stop.store(true, Ordering::Relaxed);
    assert_eq!(measure.all(), Err(MeasureError::Cancelled));
}
