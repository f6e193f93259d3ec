//! From files to a population and the question put to it.

use std::time::Instant;

use kdisc::{Population, PopulationError};
use kdisc_io::columns;
use kdisc_io::crs::{Crs, Ground};
use kdisc_io::csv::Decimal;
use kdisc_io::points::Wanted;
use kdisc_io::units::{Only, RowState, Units};
use kdisc_io::{At, RowError};

use rayon::ThreadPoolBuilder;

use super::Timings;
use super::subjects::Subjects;
use crate::failure::Refusal;
use crate::plan::{Plan, Source};
use crate::progress::{self, Phase};
use crate::reading::{Known, Opened};

/// What to know about GeoJSON.
pub const JSON_WITHOUT_SYSTEM: &str =
    "GeoJSON that names no coordinate system is taken for WGS 84 by its readers; say --crs EPSG:n";

/// Everything that the measure and the output need.
pub struct Prepared {
    pub population: Population,
    pub subjects: Subjects,
    /// The table that the output repeats, and what became of its rows.
    pub table: Opened,
    pub rows: Vec<RowState>,
    pub decimal: Decimal,
    /// What the coordinates of that table are on the ground.
    pub ground: Ground,
    pub inputs: Vec<InputFacts>,
    /// What people should know before they trust the figures.
    pub warnings: Vec<String>,
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
    /// The columns that hold the coordinates: one of geometries, or two.
    pub place: Vec<String>,
    pub layer: Option<String>,
    pub crs: Option<String>,
    pub known: Known,
    /// The system in which distances were taken.
    pub compute: String,
    pub scale_error: Option<f64>,
}

impl Prepared {
    pub fn new(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
        pool.install(|| Self::read(plan, timings))
    }

    fn read(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let mut units = Part::read(plan, &plan.input, true)?;
        let mut places = match &plan.at {
            None => None,
            Some(at) => Some(Part::read(plan, at, false)?),
        };
        let repeated = places.as_ref().unwrap_or(&units);
        refuse_same_columns(repeated, plan)?;
        let mut warnings = Vec::new();
        if let Some(places) = &mut places {
            same_system(&mut units, places);
        }
        let ground = units.project(plan.compute_crs.as_ref(), &mut warnings)?;
        let places_ground = match &mut places {
            None => None,
            Some(places) => Some(places.project(ground.compute_crs(), &mut warnings)?),
        };
        timings.read = clock.elapsed().as_secs_f64();
        let repeated = places.as_ref().unwrap_or(&units);
        if repeated.table.crs.is_none() && plan.format.is_json() {
            warnings.push(JSON_WITHOUT_SYSTEM.to_owned());
        }

        if plan.summary.is_some() {
            let clock = Instant::now();
            for part in [Some(&mut units), places.as_mut()].into_iter().flatten() {
                part.facts.sha256 = Some(part.table.input.sha256()?);
            }
            timings.hash = clock.elapsed().as_secs_f64();
        }
        let clock = Instant::now();
        let found = &units.units;
        let population = progress::waiting("indexing", plan.quiet, || match &found.weights {
            None => Population::new(&found.points),
            Some(weights) => Population::with_weights(&found.points, weights),
        });
        let population =
            population.map_err(|error| not_a_population(&error, &units.facts, plan))?;
        let subjects = match &mut places {
            Some(places) => {
                let points = std::mem::take(&mut places.units.points);
                Subjects::places(points, &population)
            }
            None if plan.only.is_some() => Subjects::some(&units.units, &population),
            None => Subjects::Locations,
        };
        let mut inputs = vec![units.facts];
        let (table, rows, ground) = match (places, places_ground) {
            (Some(places), Some(ground)) => {
                inputs.push(places.facts);
                (places.table, places.units, ground)
            }
            _ => (units.table, units.units, ground),
        };
        timings.index = clock.elapsed().as_secs_f64();
        Ok(Self {
            population,
            subjects,
            table,
            decimal: rows.decimal,
            rows: rows.rows,
            ground,
            inputs,
            warnings,
        })
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

/// Where nothing says in which system places or units are, they are in the same.
fn same_system(units: &mut Part, places: &mut Part) {
    let (known, unknown) = match (units.table.crs.is_some(), places.table.crs.is_some()) {
        (true, false) => (units, places),
        (false, true) => (places, units),
        _ => return,
    };
    unknown.table.crs.clone_from(&known.table.crs);
    unknown.table.known = Known::LikeTheOther;
}

fn refuse_same_columns(part: &Part, plan: &Plan) -> Result<(), Refusal> {
    let columns = part.table.input.columns();
    let mut added = plan.added.iter();
    match added.find(|name| columns.contains(name)) {
        None => Ok(()),
        Some(name) => Err(Refusal::new(
            format!("{} already has a column {name:?}", part.table.input.name()),
            "give the added columns other names, such as new_radius: --prefix new_",
        )),
    }
}

/// One input, read.
struct Part {
    table: Opened,
    units: Units,
    facts: InputFacts,
}

impl Part {
    fn read(plan: &Plan, source: &Source, population: bool) -> anyhow::Result<Self> {
        let loading = Phase::new(format!("loading {source}"), plan.quiet);
        let progress = |done, total| loading.report_bytes(done, total);
        let reading = if population {
            plan.reading.clone()
        } else {
            plan.reading.of_places(plan.at_layer.clone())
        };
        let table = Opened::new(source, &reading, population, &progress)?;
        drop(loading);
        let columns = table.input.columns();
        let mut weight = None;
        let mut only = None;
        if population {
            let index = |name: &String| -> anyhow::Result<usize> {
                let index = columns::named(table.input.name(), &columns, name)?;
                let layer = table.input.layer();
                if layer.is_some_and(|layer| layer.is_geometry(index)) {
                    let message = format!("{}: column {name:?} is geometry", table.input.name());
                    return Err(Refusal::new(message, "name a column of values").into());
                }
                Ok(index)
            };
            weight = plan.weight.as_ref().map(index).transpose()?;
            if let Some((column, value)) = &plan.only {
                only = Some(Only {
                    column: index(column)?,
                    value: value.clone(),
                });
            }
        }
        let wanted = Wanted {
            place: table.place,
            weight,
            only: only.as_ref(),
            on_invalid: plan.on_invalid,
            centroid: plan.centroid,
        };
        let phase = Phase::new(format!("reading {source}"), plan.quiet);
        let progress = |done, total| phase.report_bytes(done, total);
        let units = table.input.units(&wanted, &progress)?;
        drop(phase);
        if let Some(only) = &only
            && !units.rows.contains(&RowState::Measured)
        {
            return Err(nothing_matches(&table, only).into());
        }
        let facts = InputFacts {
            source: source.clone(),
            sha256: None,
            rows: units.rows.len(),
            bad_rows: units.bad_rows,
            first_bad: units.first_bad.clone(),
            place: table.place_names(),
            layer: table.input.layer().map(|layer| layer.name.clone()),
            crs: None,
            known: Known::Not,
            compute: String::new(),
            scale_error: None,
        };
        Ok(Self {
            table,
            units,
            facts,
        })
    }

    /// Takes the points to metres on the ground.
    fn project(
        &mut self,
        compute: Option<&Crs>,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<Ground> {
        let name = self.table.input.name();
        let crs = self.table.crs.as_ref();
        let Some(extent) = self.units.extent(crs) else {
            return Ok(Ground::unknown());
        };
        let failed = |source| kdisc_io::InputError::Crs {
            file: name.to_owned(),
            source,
        };
        let ground = Ground::new(crs, compute, &extent).map_err(failed)?;
        ground.to_metres(&mut self.units.points).map_err(|wrong| {
            let usable = self.units.rows.iter().enumerate();
            let mut usable = usable.filter(|(_, state)| **state != RowState::Invalid);
            let row = usable.nth(wrong.index).map_or(0, |(row, _)| row);
            Refusal::new(
                format!("{name}, {}: {}", self.table.at(row), wrong.problem),
                "check the coordinate system: --crs EPSG:n",
            )
        })?;
        if let Some(error) = ground.scale_error()
            && error > kdisc_io::crs::WARN_SCALE_ERROR
        {
            warnings.push(format!(
                "lengths in {} are up to {:.1}% off over the extent of {name}; \
                 --compute-crs names a better system",
                ground.system(),
                error * 100.0
            ));
        }
        if could_be_degrees(extent.plain()) {
            match crs {
                None => warnings.push(format!(
                    "{name}: nothing says what the coordinates are, so they are taken as metres; \
                     but all of them could be degrees: then say --crs EPSG:4326"
                )),
                Some(crs) if !crs.is_geographic() => warnings.push(format!(
                    "{name}: all coordinates could be degrees, but they are taken to be in {crs}; \
                     if they are degrees, say --crs EPSG:4326"
                )),
                Some(_) => {}
            }
        }
        self.facts.crs = crs.map(ToString::to_string);
        self.facts.known = self.table.known;
        ground.system().clone_into(&mut self.facts.compute);
        self.facts.scale_error = ground.scale_error();
        Ok(ground)
    }
}

impl Opened {
    /// Where a row (from 0) is.
    pub fn at(&self, row: usize) -> At {
        match self.input.csv() {
            Some(table) => At::Line(table.lines_of_rows(&[row])[0]),
            None => At::Row(row + 1),
        }
    }
}

fn could_be_degrees([min_x, min_y, max_x, max_y]: [f64; 4]) -> bool {
    min_x >= -180.0 && max_x <= 180.0 && min_y >= -90.0 && max_y <= 90.0
}

/// Says so, and whether the value is there in another case.
fn nothing_matches(table: &Opened, only: &Only) -> Refusal {
    let column = &table.input.columns()[only.column];
    let mut help =
        "a value is the same number, the same truth, or exactly the same text".to_owned();
    if let Some(value) = table.input.similar_value(only.column, &only.value) {
        help = format!("{help}; the column has {value:?}");
    }
    Refusal::new(
        format!(
            "{}: no usable row has {:?} in column {column:?}",
            table.input.name(),
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
                None => format!("{file} has no rows"),
            },
            if facts.rows == 0 {
                "there is nothing to measure; give at least one row"
            } else {
                "check where the coordinates are; 'kdisc info FILE' shows what kdisc finds"
            },
        ),
        (PopulationError::TooManyUnits, Some(weight)) => Refusal::new(
            format!("{file}, column {weight:?}: {error}"),
            "is it a count of units?",
        ),
        _ => Refusal::new(format!("{file}: {error}"), "use a part of the file"),
    }
}
