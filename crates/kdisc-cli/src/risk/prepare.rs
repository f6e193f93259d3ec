//! From files to a population and the question put to it.

use std::time::Instant;

use kdisc::{Population, PopulationError};
use kdisc_io::csv::{Columns, Decimal, Only, RowState, Table, Units};
use kdisc_io::{RowError, columns};
use rayon::ThreadPoolBuilder;

use super::Timings;
use super::subjects::Subjects;
use crate::failure::Refusal;
use crate::plan::{Plan, Source};
use crate::progress::{self, Phase};

/// Everything that the measure and the output need.
pub struct Prepared {
    pub population: Population,
    pub subjects: Subjects,
    /// The table that the output repeats, and what became of its rows.
    pub table: Table,
    pub rows: Vec<RowState>,
    pub decimal: Decimal,
    pub inputs: Vec<InputFacts>,
}

/// What a summary says of an input.
#[derive(Debug)]
pub struct InputFacts {
    pub source: Source,
    /// Only when there is somebody to be told.
    pub sha256: Option<String>,
    pub rows: usize,
    pub bad_rows: usize,
    pub first_bad: Option<RowError>,
    pub x: String,
    pub y: String,
}

impl Prepared {
    pub fn new(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
        let (table, units, facts) = pool.install(|| read(plan, &plan.input, true))?;
        let places = plan.at.as_ref();
        let places = places.map(|at| pool.install(|| read(plan, at, false)));
        let places = places.transpose()?;
        drop(pool);
        timings.read = clock.elapsed().as_secs_f64();
        let repeated = places.as_ref().map_or(&table, |(table, ..)| table);
        refuse_same_columns(repeated, plan)?;

        let clock = Instant::now();
        let population = progress::waiting("indexing", plan.quiet, || match &units.weights {
            None => Population::new(&units.points),
            Some(weights) => Population::with_weights(&units.points, weights),
        });
        let population = population.map_err(|error| not_a_population(&error, &facts, plan))?;
        let mut inputs = vec![facts];
        let prepared = if let Some((table, places, facts)) = places {
            inputs.push(facts);
            drop(units);
            Self {
                subjects: Subjects::places(places.points, &population),
                population,
                table,
                rows: places.rows,
                decimal: places.decimal,
                inputs,
            }
        } else {
            let subjects = if plan.only.is_some() {
                Subjects::some(&units, &population)
            } else {
                Subjects::Locations
            };
            Self {
                subjects,
                population,
                table,
                rows: units.rows,
                decimal: units.decimal,
                inputs,
            }
        };
        timings.index = clock.elapsed().as_secs_f64();
        Ok(prepared)
    }

    /// How many units each answer stands for; places are no units.
    pub fn weights(&self) -> Option<&[u64]> {
        match &self.subjects {
            Subjects::Locations => Some(self.population.multiplicities()),
            Subjects::Some { units, .. } => Some(units),
            Subjects::Places { .. } => None,
        }
    }
}

fn refuse_same_columns(table: &Table, plan: &Plan) -> Result<(), Refusal> {
    let mut added = plan.added.iter();
    match added.find(|name| table.columns().contains(name)) {
        None => Ok(()),
        Some(name) => Err(Refusal::new(
            format!("{} already has a column {name:?}", table.name()),
            "give the added columns other names, such as new_radius: --prefix new_",
        )),
    }
}

fn read(
    plan: &Plan,
    source: &Source,
    population: bool,
) -> anyhow::Result<(Table, Units, InputFacts)> {
    let loading = Phase::new(format!("loading {source}"), plan.quiet);
    let table = source.read(&|done, total| loading.report_bytes(done, total))?;
    drop(loading);
    let (x, y) = match &plan.coordinates {
        Some((x, y)) if population || has_both(&table, x, y) => {
            columns::named_coordinates(&table, x, y)?
        }
        _ => columns::coordinates(&table)?,
    };
    let mut weight = None;
    let mut only = None;
    if population {
        let index = |name: &String| columns::named(&table, name);
        weight = plan.weight.as_ref().map(index).transpose()?;
        if let Some((column, value)) = &plan.only {
            only = Some(Only {
                column: index(column)?,
                value: value.clone(),
            });
        }
    }
    let columns = Columns { x, y, weight };
    let reading = Phase::new(format!("reading {source}"), plan.quiet);
    let progress = |done, total| reading.report_bytes(done, total);
    let units = Units::read(&table, columns, only.as_ref(), plan.on_invalid, &progress)?;
    drop(reading);
    if let Some(only) = &only
        && !units.rows.contains(&RowState::Measured)
    {
        return Err(nothing_matches(&table, only).into());
    }
    let facts = InputFacts {
        source: source.clone(),
        sha256: plan.summary.is_some().then(|| table.sha256()),
        rows: units.rows.len(),
        bad_rows: units.bad_rows,
        first_bad: units.first_bad.clone(),
        x: table.columns()[x].clone(),
        y: table.columns()[y].clone(),
    };
    Ok((table, units, facts))
}

fn has_both(table: &Table, x: &str, y: &str) -> bool {
    let has = |name: &str| table.columns().iter().any(|column| column == name);
    has(x) && has(y)
}

/// Says so, and whether the value is there in another case.
fn nothing_matches(table: &Table, only: &Only) -> Refusal {
    let column = &table.columns()[only.column];
    let mut help =
        "values are compared as text, exactly: TRUE, true and 1 are different".to_owned();
    let mut records = table.records();
    while let Ok(Some(record)) = records.advance() {
        if record.fields() <= only.column {
            continue;
        }
        let value = record.field(only.column);
        if value.trim().to_lowercase() == only.value.trim().to_lowercase() {
            help = format!("{help}; the column has {value:?}");
            break;
        }
    }
    Refusal::new(
        format!(
            "{}: no usable row has {:?} in column {column:?}",
            table.name(),
            only.value
        ),
        help,
    )
}

fn not_a_population(error: &PopulationError, facts: &InputFacts, plan: &Plan) -> Refusal {
    let file = &facts.source;
    match (error, &plan.weight) {
        (PopulationError::NoUnits, Some(weight)) if facts.rows > facts.bad_rows => Refusal::new(
            format!("{file}, column {weight:?}: every weight is 0, so there are no units"),
            "a weight says how many units a row stands for; name another column, or leave out --weight",
        ),
        (PopulationError::NoUnits, _) => Refusal::new(
            match &facts.first_bad {
                Some(bad) => format!("{file}: no row can be used; the first problem: {bad}"),
                None => format!("{file}: there are no units"),
            },
            "check the columns that hold the coordinates: --x COL --y COL",
        ),
        (PopulationError::TooManyUnits, Some(weight)) => Refusal::new(
            format!("{file}, column {weight:?}: {error}"),
            "is it a count of units?",
        ),
        _ => Refusal::new(format!("{file}: {error}"), "use a part of the file"),
    }
}
