//! Rules against plain loops over all rows: on lattices and random points, with duplicates,
//! weights, ties, missing values, owners and categories.

use crate::oracle;

use std::collections::BTreeMap;

use kdisc::areal::{Edges, Grid, Tally};
use kdisc::rules::{
    Assess, Assessment, Finding, Holdings, HoldingsError, Rows, Rule, RuleError, Rules,
};
use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};
use oracle::cases::Random;
use oracle::distance;

/// Rows with all that can be known of them. Values are whole, so that sums are exact.
struct Table {
    points: Vec<Point>,
    weights: Vec<u64>,
    values: Vec<Option<f64>>,
    owners: Vec<Option<u32>>,
    categories: Vec<Option<u32>>,
}

impl Table {
    fn new(random: &mut Random, n: usize, size: i64, owners: u32) -> Self {
        let mut made = Self {
            points: Vec::new(),
            weights: Vec::new(),
            values: Vec::new(),
            owners: Vec::new(),
            categories: Vec::new(),
        };
        for _ in 0..n {
            let place = Point::new(random.within(0, size) as f64, random.within(0, size) as f64);
            made.points.push(place);
            made.weights.push(random.pick(&[1, 1, 1, 2, 5, 0]));
            let value = random.pick(&[
                0.0, 1.0, 1.0, 2.0, 10.0, 10.0, 100.0, 1000.0, -7.0, 12_345.0,
            ]);
            made.values.push((!random.chance(0.1)).then_some(value));
            let owner = random.below(owners as usize + 1) as u32;
            made.owners.push((owner < owners).then_some(owner));
            let category = random.pick(&[Some(0), Some(0), Some(0), Some(1), Some(2), None]);
            made.categories.push(category);
        }
        made.weights[0] = 1;
        made
    }

    fn rows(&self, owned: bool) -> Rows<'_> {
        Rows {
            values: Some(&self.values),
            weights: Some(&self.weights),
            owners: owned.then_some(&self.owners[..]),
            categories: Some(&self.categories),
            asked: Some(1),
        }
    }

    /// What the rows of a set come down to, one after another.
    fn expected(
        &self,
        rules: &Rules,
        owned: bool,
        set: &[usize],
    ) -> (Finding, [u64; 3], Vec<bool>) {
        let mut contributions = Vec::new();
        let mut by_owner = BTreeMap::new();
        let (mut units, mut contributors, mut counts) = (0, 0, [0; 3]);
        for &row in set.iter().filter(|&&row| self.weights[row] > 0) {
            units += self.weights[row];
            if let Some(category) = self.categories[row] {
                counts[category as usize] += self.weights[row];
            }
            let Some(value) = self.values[row] else {
                continue;
            };
            if let Some(owner) = self.owners[row].filter(|_| owned) {
                *by_owner.entry(owner).or_insert(0.0) += value.abs();
            } else {
                contributors += self.weights[row];
                contributions.push(value.abs());
            }
        }
        contributors += by_owner.len() as u64;
        contributions.extend(by_owner.into_values());
        contributions.sort_by(|a, b| b.total_cmp(a));
        let x = |i: usize| contributions.get(i).copied().unwrap_or(0.0);
        let total: f64 = contributions.iter().sum();
        let categorised: u64 = counts.iter().sum();
        let most = counts.iter().max().copied().filter(|&most| most > 0);
        let commonest = most.map(|most| {
            let category = counts.iter().position(|&units| units == most).unwrap();
            (category as u32, most)
        });
        let broken = rules.all().iter().map(|rule| match *rule {
            Rule::P(p) => x(0) > 0.0 && total - x(0) - x(1) < p / 100.0 * x(0),
            Rule::Dominance { n, percent } => {
                x(0) > 0.0 && (0..n).map(x).sum::<f64>() > percent / 100.0 * total
            }
            Rule::MinCount(least) => units > 0 && contributors < least,
            Rule::Share(limit) => commonest.is_some_and(|(_, most)| {
                most == categorised || most as f64 / categorised as f64 > limit
            }),
            Rule::External(limit) => x(0) > 0.0 && x(0) / total > limit,
            Rule::Internal(limit) => x(0) > 0.0 && x(0) / (total - x(1)) > limit,
            Rule::Discrete(limit) => {
                categorised > 0 && counts[1] as f64 / categorised as f64 > limit
            }
        });
        let finding = Finding {
            contributors,
            total,
            largest: x(0),
            second: x(1),
            p_margin: (x(0) > 0.0).then(|| 100.0 * ((total - x(0) - x(1)) / x(0))),
            risk: (x(0) > 0.0).then(|| x(0) / total),
            categorised,
            commonest,
            ..Finding::default()
        };
        (finding, counts, broken.collect())
    }
}

fn rules() -> Rules {
    // Percentages whose products with whole numbers are exact, so that ties stay ties.
    let rules = vec![
        Rule::P(25.0),
        Rule::Dominance {
            n: 1,
            percent: 75.0,
        },
        Rule::Dominance {
            n: 3,
            percent: 87.5,
        },
        Rule::MinCount(6),
        Rule::Share(0.75),
        Rule::External(0.75),
        Rule::Internal(0.875),
        Rule::Discrete(0.5),
    ];
    Rules::new(rules).unwrap()
}

fn compare(got: &Assessment, i: usize, want: (Finding, [u64; 3], Vec<bool>), what: &str) {
    let (mut finding, counts, broken) = want;
    let found = got.findings[i];
    for (rule, broken) in broken.into_iter().enumerate() {
        assert_eq!(
            found.broken.has(rule),
            broken,
            "{what}: rule {rule}, {found:?}"
        );
    }
    finding.broken = found.broken;
    // The first of the risks that applies.
    finding.risk = finding.risk.or(found.risk);
    assert_eq!(found, finding, "{what}");
    assert_eq!(got.counts[3 * i..3 * i + 3], counts, "{what}");
}

fn check_discs(table: &Table, asked: Anonymity, owned: bool) {
    let population = Population::with_weights(&table.points, &table.weights).unwrap();
    let places: Vec<_> = population
        .location_of_row()
        .iter()
        .copied()
        .map(Some)
        .collect();
    let count = population.locations().len();
    let holdings = Holdings::new(&table.rows(owned), &places, count).unwrap();
    let discs = Measure::new(&population, asked).all().unwrap();
    let all: Vec<u32> = (0..count as u32).collect();
    let rules = rules();
    let assess = Assess::new(&holdings, &rules).categories(3);
    let got = assess.discs(&population, asked, &all, &discs).unwrap();
    for (i, disc) in discs.iter().enumerate() {
        let what = format!(
            "{asked:?}, owned {owned}, {:?}, {disc:?}",
            population.locations()[i]
        );
        let Some(disc) = disc else {
            assert!(got.findings[i].broken.has_no_disc() && !got.findings[i].broken.is_safe());
            continue;
        };
        let set = rows_in(table, asked.metric(), disc);
        let units: u64 = set.iter().map(|&row| table.weights[row]).sum();
        assert_eq!(
            units, disc.units,
            "{what}: the loop counts what the measure counts"
        );
        compare(&got, i, table.expected(&rules, owned, &set), &what);
    }
}

/// On a lattice of small whole numbers nothing is nearer to the circle than this, but on it.
fn rows_in(table: &Table, metric: Metric, disc: &Disc) -> Vec<usize> {
    let is_in = |p: Point| distance(metric, p, disc.center) <= disc.radius * (1.0 + 1e-9);
    let rows = 0..table.points.len();
    rows.filter(|&row| is_in(table.points[row])).collect()
}

#[test]
fn discs_of_every_kind() {
    let mut random = Random(5);
    for (n, size) in [(1, 3), (12, 3), (40, 6), (90, 100), (60, 20)] {
        for owners in [0, 1, 7, 40] {
            let table = Table::new(&mut random, n, size, owners);
            for k in [1, 2, 5, 11] {
                for delta in [0.0, 2.5, f64::INFINITY] {
                    for metric in [Metric::L2, Metric::L1, Metric::Linf] {
                        let asked = Anonymity::new(k).unwrap().with_metric(metric);
                        let asked = asked.with_delta(Delta::new(delta).unwrap());
                        check_discs(&table, asked, owners > 0);
                    }
                }
            }
        }
    }
}

#[test]
fn cells_are_sets_too() {
    let mut random = Random(6);
    for owners in [0, 5] {
        let table = Table::new(&mut random, 300, 100, owners);
        let grid = Grid::square(20.0).unwrap();
        let tally = Tally::new(&table.points, Some(&table.weights), &grid).unwrap();
        let cells: Vec<_> = tally.of_unit().iter().copied().map(Some).collect();
        let count = tally.cells().len();
        let holdings = Holdings::new(&table.rows(owners > 0), &cells, count).unwrap();
        let rules = rules();
        let got = Assess::new(&holdings, &rules).categories(3).places();
        assert_eq!(got.findings.len(), count);
        for cell in 0..count {
            let rows = (0..table.points.len()).filter(|&row| cells[row] == Some(cell as u32));
            let set: Vec<usize> = rows.collect();
            compare(&got, cell, table.expected(&rules, owners > 0, &set), "cell");
        }
    }
}

#[test]
fn neither_the_order_of_the_rows_nor_the_threads_show() {
    let mut random = Random(7);
    let mut table = Table::new(&mut random, 3000, 200, 40);
    for value in table.values.iter_mut().flatten() {
        *value = random.real() * 10f64.powi(random.within(-8, 8) as i32);
    }
    let asked = Anonymity::new(7).unwrap();
    let mut first: Option<[Assessment; 2]> = None;
    for threads in [1, 3, 2] {
        let population = Population::with_weights(&table.points, &table.weights).unwrap();
        let places: Vec<_> = population
            .location_of_row()
            .iter()
            .copied()
            .map(Some)
            .collect();
        let count = population.locations().len();
        let discs = Measure::new(&population, asked).all().unwrap();
        let all: Vec<u32> = (0..count as u32).collect();
        let got = [false, true].map(|owned| {
            let holdings = Holdings::new(&table.rows(owned), &places, count).unwrap();
            let rules = rules();
            let assess = Assess::new(&holdings, &rules)
                .categories(3)
                .threads(threads);
            assess.discs(&population, asked, &all, &discs).unwrap()
        });
        match &first {
            None => first = Some(got),
            Some(first) => assert!(*first == got, "{threads} threads"),
        }
        for i in (1..table.points.len()).rev() {
            let j = random.below(i + 1);
            table.points.swap(i, j);
            table.weights.swap(i, j);
            table.values.swap(i, j);
            table.owners.swap(i, j);
            table.categories.swap(i, j);
        }
    }
}

/// What is left beside a giant is not lost in rounding.
#[test]
fn small_rests_are_right() {
    let values = [1e15, 1e15, 0.1, 0.1, 0.1].map(Some);
    let rows = Rows {
        values: Some(&values),
        ..Rows::default()
    };
    let holdings = Holdings::new(&rows, &[Some(0); 5], 1).unwrap();
    let rules = Rules::new(vec![Rule::P(1.0)]).unwrap();
    let found = Assess::new(&holdings, &rules).places().findings[0];
    let margin = found.p_margin.unwrap();
    assert!((margin - 3e-14).abs() < 1e-28, "{margin}");
}

#[test]
fn rules_out_of_range_are_refused() {
    let refused = |rule| Rules::new(vec![rule]).unwrap_err();
    assert_eq!(refused(Rule::P(0.0)), RuleError::P(0.0));
    assert_eq!(refused(Rule::P(100.5)), RuleError::P(100.5));
    assert!(matches!(refused(Rule::P(f64::NAN)), RuleError::P(_)));
    let dominance = |n, percent| refused(Rule::Dominance { n, percent });
    assert_eq!(dominance(0, 75.0), RuleError::DominanceCount(0));
    assert_eq!(dominance(101, 75.0), RuleError::DominanceCount(101));
    assert_eq!(dominance(1, 100.0), RuleError::DominancePercent(100.0));
    assert_eq!(refused(Rule::MinCount(0)), RuleError::MinCount);
    assert_eq!(refused(Rule::Share(0.0)), RuleError::Share(0.0));
    assert_eq!(refused(Rule::External(1.5)), RuleError::Risk(1.5));
    assert_eq!(
        Rules::new(vec![Rule::P(1.0); 32]),
        Err(RuleError::TooMany(32))
    );
}

#[test]
fn values_that_cannot_be_added_are_refused() {
    let holdings = |values: &[Option<f64>]| {
        let rows = Rows {
            values: Some(values),
            ..Rows::default()
        };
        Holdings::new(&rows, &[Some(0), Some(0)], 1).err()
    };
    assert_eq!(
        holdings(&[Some(1e300), Some(1e299)]),
        Some(HoldingsError::TooLarge)
    );
    assert_eq!(
        holdings(&[Some(f64::MAX); 2]),
        Some(HoldingsError::TooLarge)
    );
    assert!(matches!(
        holdings(&[Some(f64::NAN), None]),
        Some(HoldingsError::NotFinite { row: 0, .. })
    ));
    assert_eq!(holdings(&[None]), Some(HoldingsError::Lengths));
    assert_eq!(holdings(&[Some(1e299), Some(-1e299)]), None);
}

/// Those who say something are counted when nobody has a value.
#[test]
fn categories_alone_have_contributors() {
    let categories = [Some(0), Some(1), None, Some(0)];
    let rows = Rows {
        weights: Some(&[1, 2, 5, 0]),
        categories: Some(&categories),
        ..Rows::default()
    };
    let holdings = Holdings::new(&rows, &[Some(0); 4], 1).unwrap();
    for (least, is_broken) in [(3, false), (4, true)] {
        let rules = Rules::new(vec![Rule::MinCount(least)]).unwrap();
        let found = Assess::new(&holdings, &rules).places().findings[0];
        assert_eq!((found.contributors, found.broken.has(0)), (3, is_broken));
    }
}

/// The cells that sdcSpatial calls sensitive, with its own defaults.
#[test]
fn enterprises_as_a_raster() {
    let Some((points, _)) = oracle::enterprises::load() else {
        return;
    };
    let values: Vec<_> = oracle::enterprises::production()
        .into_iter()
        .map(Some)
        .collect();
    let grid = Grid::square(200.0).unwrap().with_edges(Edges::NorthWest);
    let tally = Tally::new(&points, None, &grid).unwrap();
    let cells: Vec<_> = tally.of_unit().iter().copied().map(Some).collect();
    let rows = Rows {
        values: Some(&values),
        ..Rows::default()
    };
    let holdings = Holdings::new(&rows, &cells, tally.cells().len()).unwrap();
    let rules = Rules::new(vec![Rule::External(0.95), Rule::MinCount(10)]).unwrap();
    let found = Assess::new(&holdings, &rules).places().findings;
    let sensitive = found.iter().filter(|found| !found.broken.is_safe());
    assert_eq!((sensitive.count(), found.len()), (1234, 1438));
}
