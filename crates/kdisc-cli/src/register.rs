//! One input, read: the places of its rows, on the ground, and what a summary says of it.

use kdisc::{Population, PopulationError, count_units};
use kdisc_io::columns;
use kdisc_io::crs::{Crs, Ground};
use kdisc_io::labels::Labels;
use kdisc_io::points::{Place, Wanted};
use kdisc_io::units::{OnInvalid, Only, RowState, Units};
use kdisc_io::{At, InputError, RowError, RowProblem, ValueProblem};

use crate::args::{Invalid, UnitsArgs};
use crate::audience::Audience;
use crate::failure::Refusal;
use crate::progress::{self, Phase};
use crate::reading::{Known, Opened, Reading};
use crate::source::Source;

/// What to know about GeoJSON.
pub const JSON_WITHOUT_SYSTEM: &str =
    "GeoJSON that names no coordinate system is taken for WGS 84 by its readers; say --crs EPSG:n";

/// What is to be read of an input.
#[derive(Debug, Clone)]
pub struct Intake {
    pub source: Source,
    pub reading: Reading,
    /// Whether its rows are units, which must have the columns that the arguments name.
    pub units: bool,
    /// The system in which distances are taken, if asked for.
    pub compute_crs: Option<Crs>,
    pub weight: Option<String>,
    /// Column and value of the rows to be measured.
    pub only: Option<(String, String)>,
    /// Whether lines and polygons stand for their centroids.
    pub centroid: bool,
    pub on_invalid: OnInvalid,
    pub audience: Audience,
}

impl Intake {
    pub fn new(source: Source, args: UnitsArgs, audience: Audience) -> Result<Self, Refusal> {
        Ok(Self {
            source,
            reading: Reading::new(args.reading)?,
            units: true,
            compute_crs: args.compute_crs,
            weight: args.weight,
            only: None,
            centroid: args.centroid,
            on_invalid: args.on_invalid.into(),
            audience,
        })
    }

    /// For places of their own, read as these units are where they do not say otherwise.
    pub fn of_places(&self, source: Source, layer: Option<String>) -> Self {
        Self {
            source,
            reading: self.reading.of_places(layer),
            units: false,
            weight: None,
            only: None,
            ..self.clone()
        }
    }
}

impl From<Invalid> for OnInvalid {
    fn from(invalid: Invalid) -> Self {
        match invalid {
            Invalid::Error => Self::Error,
            Invalid::Skip => Self::Skip,
        }
    }
}

/// One input, read.
pub struct Register {
    pub table: Opened,
    pub units: Units,
    pub facts: InputFacts,
    /// The column of weights.
    weight: Option<usize>,
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

impl Register {
    pub fn read(intake: &Intake) -> anyhow::Result<Self> {
        let Intake {
            source, audience, ..
        } = intake;
        let loading = Phase::new(format!("loading {source}"), audience);
        let progress = |done, total| loading.report_bytes(done, total);
        let table = Opened::new(source, &intake.reading, intake.units, &progress)?;
        drop(loading);
        let weight = intake.weight.as_ref();
        let weight = weight.map(|name| table.column(name)).transpose()?;
        let mut only = None;
        if let Some((column, value)) = &intake.only {
            only = Some(Only {
                column: table.column(column)?,
                value: value.clone(),
            });
        }
        let wanted = Wanted {
            place: table.place,
            weight,
            only: only.as_ref(),
            on_invalid: intake.on_invalid,
            centroid: intake.centroid,
        };
        let phase = Phase::new(format!("reading {source}"), audience);
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
            weight,
        })
    }

    /// The group of each usable row: those with the same text in a column. Rows without a value
    /// cannot be used.
    pub fn labels(
        &mut self,
        name: &str,
        on_invalid: OnInvalid,
    ) -> anyhow::Result<Vec<Option<u32>>> {
        let labels = self.texts(name)?;
        let is_missing = |row: usize| labels.of_row.get(row).copied().flatten().is_none();
        let first = self.units.usable().find(|&row| is_missing(row));
        if let Some(row) = first {
            let missing = RowError {
                file: self.table.input.name().to_owned(),
                at: self.table.at(row),
                problem: RowProblem::Value {
                    column: name.to_owned(),
                    value: String::new(),
                    problem: ValueProblem::Missing,
                },
            };
            self.leave_out(is_missing, missing, on_invalid)?;
        }
        Ok(self.of_usable(&labels.of_row))
    }

    /// The number of each row in a column, none where it is missing. Rows with something else
    /// cannot be used. Once all columns are read, [`Register::of_usable`] takes what is needed.
    pub fn values(
        &mut self,
        name: &str,
        on_invalid: OnInvalid,
    ) -> anyhow::Result<Vec<Option<f64>>> {
        let column = self.table.column(name)?;
        let Units { rows, decimal, .. } = &self.units;
        let found = self.table.input.numbers(column, rows, *decimal)?;
        if let Some(first) = found.first_bad {
            let is_bad = |row: usize| found.bad_rows.binary_search(&row).is_ok();
            self.leave_out(is_bad, first, on_invalid)?;
        }
        Ok(found.of_row)
    }

    /// Which rows say the same in a column, where nothing may be said.
    pub fn texts(&self, name: &str) -> anyhow::Result<Labels> {
        let column = self.table.column(name)?;
        Ok(self.table.input.labels(column)?)
    }

    /// Of something for each row, that of the usable ones.
    pub fn of_usable<T: Copy>(&self, of_row: &[T]) -> Vec<T> {
        self.units.usable().map(|row| of_row[row]).collect()
    }

    /// Takes rows out that cannot be used; `first` says what is wrong with the first of them.
    fn leave_out(
        &mut self,
        is_bad: impl Fn(usize) -> bool,
        first: RowError,
        on_invalid: OnInvalid,
    ) -> Result<(), InputError> {
        if on_invalid == OnInvalid::Error {
            return Err(first.into());
        }
        let units = &mut self.units;
        let kept: Vec<bool> = units.usable().map(|row| !is_bad(row)).collect();
        let mut keep = kept.iter();
        units.points.retain(|_| keep.next() == Some(&true));
        let mut keep = kept.iter();
        if let Some(weights) = &mut units.weights {
            weights.retain(|_| keep.next() == Some(&true));
        }
        for (row, state) in units.rows.iter_mut().enumerate() {
            if *state != RowState::Invalid && is_bad(row) {
                *state = RowState::Invalid;
                units.bad_rows += 1;
            }
        }
        units.first_bad.get_or_insert(first);
        self.facts.bad_rows = units.bad_rows;
        self.facts.first_bad.clone_from(&units.first_bad);
        Ok(())
    }

    /// Fingerprints the input, for the summary.
    pub fn hash(&mut self) -> anyhow::Result<()> {
        self.facts.sha256 = self.facts.source.sha256(&self.table.input)?;
        Ok(())
    }

    /// The units as a population.
    pub fn population(&self, intake: &Intake) -> Result<Population, Refusal> {
        let found = &self.units;
        let population = progress::waiting("indexing", &intake.audience, || match &found.weights {
            None => Population::new(&found.points),
            Some(weights) => Population::with_weights(&found.points, weights),
        });
        let weight = intake.weight.as_deref();
        population.map_err(|error| not_a_population(&error, &self.facts, weight))
    }

    /// The number of units, where no population is needed.
    pub fn count(&self, intake: &Intake) -> Result<u64, Refusal> {
        let units = count_units(&self.units.points, self.units.weights.as_deref());
        let weight = intake.weight.as_deref();
        units.map_err(|error| not_a_population(&error, &self.facts, weight))
    }

    /// Where a row is, by its number among the usable ones.
    pub fn at_usable(&self, usable: usize) -> At {
        at_usable(&self.table, &self.units.rows, usable)
    }

    /// Takes the points to metres on the ground.
    pub fn project(
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
            let at = at_usable(&self.table, &self.units.rows, wrong.index);
            Refusal::new(
                format!("{name}, {at}: {}", wrong.problem),
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
        if !crs.is_some_and(Crs::is_geographic)
            && let Some(value) = self.table.may_be_thousands(self.weight)
        {
            warnings.push(format!(
                "{name}: {value:?} and its like are read with a decimal point; if the point \
                 separates thousands, take it out"
            ));
        }
        self.facts.crs = crs.map(ToString::to_string);
        self.facts.known = self.table.known;
        ground.system().clone_into(&mut self.facts.compute);
        self.facts.scale_error = ground.scale_error();
        Ok(ground)
    }
}

/// Where a row is, by its number among the usable ones.
pub fn at_usable(table: &Opened, rows: &[RowState], usable: usize) -> At {
    let all = rows.iter().enumerate();
    let mut found = all.filter(|(_, state)| **state != RowState::Invalid);
    table.at(found.nth(usable).map_or(0, |(row, _)| row))
}

/// Where nothing says in which system places or units are, they are in the same. But what may be
/// metres does not become degrees because the other is.
pub fn same_system(units: &mut Register, places: &mut Register) -> Result<(), Refusal> {
    let of_units = units.table.crs.is_some();
    let (known, unknown) = match (of_units, places.table.crs.is_some()) {
        (true, false) => (units, places),
        (false, true) => (places, units),
        _ => return Ok(()),
    };
    if !of_units && known.table.crs.as_ref().is_some_and(Crs::is_geographic) {
        let [own, other] = [&*unknown, &*known].map(|register| register.table.input.name());
        return Err(Refusal::new(
            format!(
                "{own} does not say in which coordinate system it is, and {other} is in degrees"
            ),
            format!("say what {own} is in: --crs EPSG:n"),
        ));
    }
    unknown.table.crs.clone_from(&known.table.crs);
    unknown.table.known = Known::LikeTheOther;
    Ok(())
}

impl Opened {
    /// A coordinate or weight that may have a point between its thousands, if all with a point may.
    fn may_be_thousands(&self, weight: Option<usize>) -> Option<String> {
        let Place::Columns { x, y } = self.place else {
            return None;
        };
        let table = self.input.csv()?;
        let thousands = |columns: &[usize]| table.may_be_thousands(columns);
        thousands(&[x, y]).or_else(|| thousands(weight.as_slice()))
    }

    /// The index of a column of values.
    pub fn column(&self, name: &str) -> anyhow::Result<usize> {
        let input = &self.input;
        let index = columns::named(input.name(), &input.columns(), name)?;
        if input.layer().is_some_and(|layer| layer.is_geometry(index)) {
            let message = format!("{}: column {name:?} is geometry", input.name());
            return Err(Refusal::new(message, "name a column of values").into());
        }
        Ok(index)
    }

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

fn not_a_population(error: &PopulationError, facts: &InputFacts, weight: Option<&str>) -> Refusal {
    let file = &facts.source;
    match (error, weight) {
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
