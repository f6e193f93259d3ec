//! The data set of the paper with its exact answers. It is not part of the product: tests that
//! want it say so loudly when it is not there.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kdisc::{Point, Population};

/// How many of its locations have each multiplicity; the built-in example has the same.
pub const MULTIPLICITIES: [(u64, usize); 11] = [
    (1, 7945),
    (2, 80),
    (3, 9),
    (4, 10),
    (5, 3),
    (8, 1),
    (9, 3),
    (10, 1),
    (23, 1),
    (25, 1),
    (68, 1),
];

/// One location with its exact answers at k = 10.
pub struct Exact {
    pub point: Point,
    pub multiplicity: u64,
    pub radius_zero: f64,
    pub units_zero: u64,
    pub radius_infinite: f64,
    pub units_infinite: u64,
}

/// The rows of `enterprises.csv` and the answers for its locations; `None`, after saying so, when
/// the files are absent. With `KDISC_REQUIRE_SHARED=1` their absence is a failure.
pub fn load() -> Option<(Vec<Point>, Vec<Exact>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let read = |name: &str| std::fs::read_to_string(folder.join(name));
    let (Ok(rows), Ok(answers)) = (read("enterprises.csv"), read("enterprises_exact_k10.csv"))
    else {
        let required = std::env::var("KDISC_REQUIRE_SHARED").is_ok_and(|v| v == "1");
        assert!(!required, "../shared/data/enterprises.csv is absent");
        shout("NOT CHECKED: ../shared/data/enterprises.csv is absent");
        return None;
    };
    let points = rows.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        Point::new(number(fields[0]), number(fields[1]))
    });
    let answers = answers.lines().skip(1).map(|line| {
        let fields: Vec<f64> = line.split(',').map(number).collect();
        Exact {
            point: Point::new(fields[0], fields[1]),
            multiplicity: fields[2] as u64,
            radius_zero: fields[3],
            units_zero: fields[4] as u64,
            radius_infinite: fields[5],
            units_infinite: fields[6] as u64,
        }
    });
    Some((points.collect(), answers.collect()))
}

/// The values of the rows of `enterprises.csv`, which must be there.
pub fn production() -> Vec<f64> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let rows = std::fs::read_to_string(folder.join("enterprises.csv")).expect("the rows");
    let values = rows.lines().skip(1);
    let values = values.map(|line| number(line.split(',').nth(2).expect("three fields")));
    values.collect()
}

/// Past the test harness, which keeps the output of passing tests to itself.
#[allow(clippy::explicit_write, reason = "eprintln! would be captured")]
fn shout(line: &str) {
    use std::io::Write;
    writeln!(std::io::stderr(), "\n{line}\n").expect("standard error");
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

/// How many locations there are of each multiplicity.
pub fn multiplicities(population: &Population) -> BTreeMap<u64, usize> {
    let mut table = BTreeMap::new();
    for &multiplicity in population.multiplicities() {
        *table.entry(multiplicity).or_insert(0) += 1;
    }
    table
}
