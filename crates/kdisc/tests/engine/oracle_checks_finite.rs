//! The oracles for finite δ and for squares: cases by hand, and searches of the plane that know
//! nothing of critical points. The engine takes no part here.

use crate::oracle;

use kdisc::{Delta, Metric, Point};
use oracle::cases::{self, Case, Random};
use oracle::compare::{some_delta, some_k, try_cases};
use oracle::discs::Discs;
use oracle::finite::{self, Finite};
use oracle::squares::Squares;
use oracle::{disc, distance, points};

#[test]
fn discs_by_hand() {
    let points = points(&[(0.0, 0.0), (10.0, 0.0), (0.0, -10.0)]);
    let discs = Discs::new(&points, &[1, 1, 5], &[]);
    let answer = |k, delta| finite::answer(&discs, points[0], k, delta);
    // The centre goes as far as it may towards one of the two: the one with fewer units.
    let Some(Finite::Rounded(two)) = answer(2, 2.0) else {
        panic!("larger than delta");
    };
    assert_eq!((two.radius, two.fewest, two.most), (8.0, 2, 2));
    assert_eq!(two.center, Some(Point::new(2.0, 0.0)));
    // All three: towards the middle, equally far from both.
    let Some(Finite::Rounded(three)) = answer(7, 2f64.sqrt()) else {
        panic!("larger than delta");
    };
    assert!((three.radius - 82f64.sqrt()).abs() < 1e-14);
    assert_eq!((three.fewest, three.most), (7, 7));
    // δ is exactly enough.
    let Some(Finite::Exact(exact)) = answer(2, 5.0) else {
        panic!("as at infinite delta");
    };
    assert_eq!(Some(exact.rounded()), Some(disc(5.0, 0.0, 5.0, 2)));
}

#[test]
fn squares_by_hand() {
    let infinite = Delta::INFINITE;
    let two = points(&[(0.0, 0.0), (10.0, 2.0)]);
    let linf = |points: &[Point], weights: &[u64], k, delta| {
        let oracle = Squares::new(points, weights, &[], Metric::Linf);
        oracle.answer(points[0], k, delta).map(|a| a.rounded())
    };
    let l1 = |points: &[Point], weights: &[u64], k, delta| {
        let oracle = Squares::new(points, weights, &[], Metric::L1);
        oracle.answer(points[0], k, delta).map(|a| a.rounded())
    };
    // Slides from y = −3 to 5.
    assert_eq!(
        linf(&two, &[1, 1], 2, infinite),
        Some(disc(5.0, 1.0, 5.0, 2))
    );
    // Slides from y = −2 to 2, at x = 2.
    let delta = Delta::new(2.0).unwrap();
    assert_eq!(linf(&two, &[1, 1], 2, delta), Some(disc(2.0, 0.0, 8.0, 2)));
    assert_eq!(
        linf(&two, &[1, 1], 2, Delta::ZERO),
        Some(disc(0.0, 0.0, 10.0, 2))
    );
    assert_eq!(linf(&two, &[1, 1], 3, infinite), None);
    // A third unit is inside from y = 3 on: the interval before it is [−3, 3).
    let three = points(&[(0.0, 0.0), (10.0, 2.0), (5.0, 8.0)]);
    assert_eq!(
        linf(&three, &[1, 2, 1], 3, infinite),
        Some(disc(5.0, 0.0, 5.0, 3))
    );
    // A location without units does not cut.
    assert_eq!(
        linf(&three, &[1, 2, 0], 3, infinite),
        Some(disc(5.0, 1.0, 5.0, 3))
    );
    // In L1 the two are 12 apart; u = 0..12 and v = 0..8 leave v = 2..6 at u = 6.
    assert_eq!(l1(&two, &[1, 1], 2, infinite), Some(disc(5.0, 1.0, 6.0, 2)));
    assert_eq!(
        l1(&two, &[1, 1], 2, Delta::ZERO),
        Some(disc(0.0, 0.0, 12.0, 2))
    );
    // At x + y = 2 and x − y from −2 to 2.
    assert_eq!(l1(&two, &[1, 1], 2, delta), Some(disc(1.0, 1.0, 10.0, 2)));
}

/// The least radius of a disc round `center` that holds the anchor and k units, and its units.
fn around(case: &Case, metric: Metric, center: Point, anchor: Point, k: u64) -> (f64, u64) {
    let rows = case.points.iter().zip(&case.weights);
    let mut all: Vec<(f64, u64)> = rows
        .map(|(&p, &w)| (distance(metric, p, center), w))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut units = 0;
    let reached = all.iter().find(|(_, weight)| {
        units += weight;
        units >= k
    });
    let radius = reached
        .expect("k units")
        .0
        .max(distance(metric, anchor, center));
    let inside = all.iter().filter(|(d, _)| *d <= radius);
    (radius, inside.map(|(_, weight)| weight).sum())
}

#[test]
fn squares_against_a_fine_grid_of_centers() {
    // With whole coordinates and δ a multiple of 1/2 nothing changes between multiples of 1/4 (in
    // the turned frame of L1: 1/8), and doubles are exact.
    let maker = |random: &mut Random| {
        let n = random.within(1, 6);
        let mut one = || random.within(0, 4) as f64;
        (0..n).map(|_| Point::new(one(), one())).collect()
    };
    for metric in [Metric::Linf, Metric::L1] {
        try_cases("grid", 40, maker, |case, random| {
            let mut case = case.clone();
            case.places = vec![Point::new(random.within(0, 4) as f64, 2.0)];
            let oracle = Squares::new(&case.points, &case.weights, &case.places, metric);
            let k = 1 + random.next() % case.units().min(6);
            let anchor = random.pick(&oracle.locations.points);
            let half = random.within(0, 6);
            let delta = if half == 6 {
                f64::INFINITY
            } else {
                half as f64 / 2.0
            };
            let mut best = (f64::INFINITY, 0);
            for column in -48..=80 {
                for row in -48..=80 {
                    let center = Point::new(f64::from(column) / 8.0, f64::from(row) / 8.0);
                    if distance(metric, center, anchor) <= delta {
                        let (radius, units) = around(&case, metric, center, anchor, k);
                        if radius < best.0 || (radius == best.0 && units < best.1) {
                            best = (radius, units);
                        }
                    }
                }
            }
            let got = oracle.answer(anchor, k, Delta::new(delta).unwrap());
            let got = got.unwrap().rounded();
            let at_center = around(&case, metric, got.center, anchor, k);
            let right = (got.radius, got.units) == best && at_center == best;
            (!right)
                .then(|| format!("{metric} k {k}, delta {delta}, {anchor:?}: {got:?}, {best:?}"))
        });
    }
}

#[test]
fn finite_delta_against_a_search_downhill() {
    for maker in [cases::uniform, cases::lattice, cases::cocircular] {
        try_cases("downhill", 60, maker, |case, random| {
            let discs = Discs::new(&case.points, &case.weights, &case.places);
            for k in some_k(random, case.units()) {
                let anchor = random.pick(&discs.locations.points);
                let Some(cluster) = discs.cluster(anchor, k) else {
                    continue;
                };
                let radius = cluster.rounded().radius;
                let delta = some_delta(random, &discs.locations.points, radius).distance();
                let want = match finite::answer(&discs, anchor, k, delta)? {
                    Finite::Exact(answer) => answer.rounded().radius,
                    Finite::Rounded(rounded) => rounded.radius,
                };
                let found = downhill(case, random, anchor, k, delta);
                if found < want * (1.0 - 1e-12) {
                    return Some(format!(
                        "k {k}, delta {delta}, {anchor:?}: {found} < {want}"
                    ));
                }
            }
            None
        });
    }
}

/// The best of some random walks that only take steps to smaller discs.
fn downhill(case: &Case, random: &mut Random, anchor: Point, k: u64, delta: f64) -> f64 {
    let mut least = f64::INFINITY;
    let reach = delta.min(100.0);
    for _ in 0..8 {
        let mut at = anchor;
        let mut best = around(case, Metric::L2, at, anchor, k).0;
        let mut step = reach;
        for _ in 0..300 {
            let angle = random.real() * std::f64::consts::TAU;
            let mut next = Point::new(at.x + step * angle.cos(), at.y + step * angle.sin());
            let away = distance(Metric::L2, next, anchor);
            if away > delta {
                let back = delta / away;
                next.x = anchor.x + (next.x - anchor.x) * back;
                next.y = anchor.y + (next.y - anchor.y) * back;
            }
            let radius = around(case, Metric::L2, next, anchor, k).0;
            if radius < best {
                (at, best) = (next, radius);
            } else {
                step *= 0.9;
            }
        }
        least = least.min(best);
    }
    least
}
