//! Commands that run within a program give what they give at a terminal.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use kdisc::example::town;
use kdisc::{Anonymity, Measure, Point, Population};
use kdisc_cli::{Failure, Outcome, Program, call};
use kdisc_io::memory::MemoryTable;

const UNITS: usize = 2000;

fn points() -> Vec<Point> {
    let town = town(UNITS, 7).into_iter();
    town.map(|unit| Point::new(unit.x, unit.y)).collect()
}

/// The units in batches of 700 rows, under this name.
fn table(name: &str) -> MemoryTable {
    let points = points();
    let column = |of: fn(&Point) -> f64| -> ArrayRef {
        Arc::new(points.iter().map(of).collect::<Float64Array>())
    };
    let owners = (0..UNITS).map(|row| format!("owner {}", row % 3));
    let owners: ArrayRef = Arc::new(StringArray::from_iter_values(owners));
    let columns = [
        ("x", column(|p| p.x)),
        ("y", column(|p| p.y)),
        ("owner", owners),
    ];
    let whole = RecordBatch::try_from_iter(columns).unwrap();
    let starts = (0..UNITS).step_by(700);
    let batches = starts.map(|start| whole.slice(start, 700.min(UNITS - start)));
    MemoryTable::new(name, whole.schema(), batches.collect()).unwrap()
}

fn run(words: &[&str]) -> Result<Outcome, Failure> {
    let program = Arc::new(Program::new([table("data")]));
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    let code = call(&words, &program)?;
    assert_eq!(code, ExitCode::SUCCESS);
    Ok(std::mem::take(&mut *program.outcome()))
}

/// A column of a table that the program got.
fn numbers(outcome: &Outcome, role: &str, name: &str) -> Vec<Option<f64>> {
    let table = &outcome.tables[role];
    let column = table.schema().index_of(name).unwrap();
    let batches = table.batches().iter();
    batches
        .flat_map(|batch| {
            let array = batch.column(column);
            if let Some(array) = array.as_primitive_opt::<Float64Type>() {
                return array.iter().collect::<Vec<_>>();
            }
            let array = array.as_primitive::<Int64Type>();
            array.iter().map(|n| n.map(|n| n as f64)).collect()
        })
        .collect()
}

#[test]
fn the_answers_are_those_of_the_measure_in_the_order_of_the_rows() {
    let outcome = run(&["risk", "data", "--k", "5", "--quiet"]).unwrap();
    let population = Population::new(&points()).unwrap();
    let measure = Measure::new(&population, Anonymity::new(5).unwrap());
    let discs = measure.all().unwrap();
    let of_row = population.location_of_row().iter();
    let discs: Vec<_> = of_row.map(|&at| discs[at as usize].unwrap()).collect();
    let radii: Vec<_> = discs.iter().map(|disc| Some(disc.radius)).collect();
    let units: Vec<_> = discs.iter().map(|disc| Some(disc.units as f64)).collect();
    assert_eq!(numbers(&outcome, "output", "radius"), radii);
    assert_eq!(numbers(&outcome, "output", "units"), units);
    // Its own columns the program has already.
    assert_eq!(outcome.tables["output"].schema().fields().len(), 7);
    assert!(outcome.text.is_empty());
    assert!(outcome.summary.is_none());
}

#[test]
fn text_summary_and_further_tables_wait_for_the_program() {
    let outcome = run(&["risk", "data", "--discs", "-", "--summary", "-"]).unwrap();
    assert!(outcome.text.contains("2000 units"), "{}", outcome.text);
    let json: serde_json::Value = serde_json::from_str(&outcome.summary.unwrap()).unwrap();
    assert_eq!(json["units"], 2000);
    assert_eq!(json["inputs"][0]["sha256"], serde_json::Value::Null);
    assert!(outcome.tables["discs"].batches()[0].num_rows() > 0);
    let words = ["zoom", "data", "--pixel", "100", "--units", "-", "--quiet"];
    let outcome = run(&words).unwrap();
    assert_eq!(
        numbers(&outcome, "output", "metres_per_pixel"),
        [Some(100.0)]
    );
    assert_eq!(numbers(&outcome, "units", "radius_px").len(), UNITS);
    let outcome = run(&["areal", "data", "--grid", "500", "--quiet"]).unwrap();
    let counted: f64 = numbers(&outcome, "output", "count").iter().flatten().sum();
    assert_eq!(counted, UNITS as f64);
}

#[test]
fn refusals_say_what_they_say_at_a_terminal() {
    let failed = run(&["risk", "data", "--weight", "ownr"]).unwrap_err();
    assert!(
        failed.message.contains("data has no column \"ownr\""),
        "{failed:?}"
    );
    assert!(failed.message.contains("owner"), "{failed:?}");
    assert!(failed.help.unwrap().starts_with("name a column"));
    let failed = run(&["risk", "data", "--k", "0"]).unwrap_err();
    assert!(
        failed.message.starts_with("invalid value '0' for '--k"),
        "{failed:?}"
    );
    assert!(!failed.message.contains("Usage"), "{failed:?}");
    let failed = run(&["risk", "nowhere"]).unwrap_err();
    assert!(failed.message.contains("nowhere"), "{failed:?}");
}

#[test]
fn the_program_can_stop_it() {
    let program = Arc::new(Program::new([table("data")]));
    program.stop.store(true, Ordering::Relaxed);
    let failed = call(&["risk".to_owned(), "data".to_owned()], &program).unwrap_err();
    assert!(failed.interrupted, "{failed:?}");
}

#[test]
fn warnings_are_kept_of_quiet_runs_too() {
    let degrees: ArrayRef = Arc::new(Float64Array::from_iter_values((0..20).map(f64::from)));
    let columns = [("x", Arc::clone(&degrees)), ("y", degrees)];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let table = MemoryTable::new("data", batch.schema(), vec![batch]).unwrap();
    let program = Arc::new(Program::new([table]));
    let words = ["risk", "data", "--quiet"].map(str::to_owned);
    call(&words, &program).unwrap();
    assert!(program.outcome().warnings[0].contains("could be degrees"));
}
