//! From files to a population, what its units hold, and the zones they are in.

use std::time::Instant;

use kdisc::rules::{Holdings, HoldingsError, Rows};
use kdisc_io::units::RowState;
use rayon::ThreadPoolBuilder;

use super::Timings;
use super::columns::added;
use super::plan::Plan;
use crate::areal::prepare::{Divided, divide};
use crate::failure::Refusal;
use crate::joined::refuse_same_columns;
use crate::register::{JSON_WITHOUT_SYSTEM, Register};
use crate::risk::prepare::Prepared as Measurable;
use crate::risk::subjects::Subjects;

/// Categories that are told one by one.
const FEW_CATEGORIES: usize = 12;

pub struct Prepared {
    /// What is measured, and the table of the units.
    pub base: Measurable,
    /// By location.
    pub holdings: Holdings,
    pub divided: Option<ByZone>,
    /// What is known of each usable row.
    pub columns: Columns,
    weights: Option<Vec<u64>>,
    pub facts: ValueFacts,
}

/// The units in zones.
pub struct ByZone {
    pub divided: Divided,
    pub holdings: Holdings,
}

/// What there is to say of the values themselves. Rows that stand for no unit are left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct ValueFacts {
    pub missing: usize,
    pub negative: usize,
    pub without_owner: usize,
    pub without_category: usize,
}

impl Prepared {
    pub fn new(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(plan.run.threads)
            .build()?;
        pool.install(|| Self::read(plan, timings))
    }

    fn read(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let mut register = Register::read(&plan.intake)?;
        let columns = Columns::read(plan, &mut register)?;
        let names: Vec<_> = added(plan, columns.shown());
        let names: Vec<_> = names.iter().map(|field| field.name().clone()).collect();
        if plan.division.is_none() || plan.units.is_some() {
            refuse_same_columns(&register.table, &names)?;
        }
        let mut warnings = Vec::new();
        let (divided, ground) = match &plan.division {
            None => {
                let compute = plan.intake.compute_crs.as_ref();
                (None, register.project(compute, &mut warnings)?)
            }
            Some(division) => {
                let Plan { intake, run, .. } = plan;
                let found = divide(division, intake, run, &mut register, &mut warnings)?;
                (Some(found.0), found.1)
            }
        };
        let system = match &divided {
            None => register.table.crs.as_ref(),
            Some(divided) => divided.zones.crs.as_ref(),
        };
        if system.is_none() && plan.run.output.is_json() {
            warnings.push(JSON_WITHOUT_SYSTEM.to_owned());
        }
        timings.read = clock.elapsed().as_secs_f64();
        if plan.run.summary.is_some() {
            let clock = Instant::now();
            register.hash()?;
            timings.hash = clock.elapsed().as_secs_f64();
        }
        let clock = Instant::now();
        let columns = columns.of_usable(&register);
        let weights = register.units.weights.clone();
        let rows = columns.rows(weights.as_deref());
        let population = register.population(&plan.intake)?;
        let arranged = |places: &[Option<u32>], count| {
            let found = Holdings::new(&rows, places, count);
            found.map_err(|error| cannot_be_added(plan, &register, error))
        };
        let places = population.location_of_row().iter();
        let places: Vec<_> = places.map(|&location| Some(location)).collect();
        let holdings = arranged(&places, population.locations().len())?;
        drop(places);
        let by_zone = |divided: Divided| {
            let holdings = arranged(&divided.zones.of_unit, divided.zones.len())?;
            Ok::<_, Refusal>(ByZone { divided, holdings })
        };
        let mut divided = divided.map(by_zone).transpose()?;
        let facts = ValueFacts::new(&rows);
        warnings.extend(facts.warnings(plan, &columns));
        let subjects = match plan.intake.only {
            Some(_) => Subjects::some(&register.units, &population),
            None => Subjects::Locations,
        };
        let mut inputs = vec![register.facts];
        inputs.extend(
            divided
                .as_mut()
                .and_then(|by_zone| by_zone.divided.regions.take()),
        );
        timings.index = clock.elapsed().as_secs_f64();
        Ok(Self {
            base: Measurable {
                population,
                subjects,
                regional: None,
                decimal: register.units.decimal,
                rows: register.units.rows,
                table: register.table,
                ground,
                inputs,
                warnings,
            },
            holdings,
            divided,
            columns,
            weights,
            facts,
        })
    }

    /// How many units a usable row stands for.
    pub fn weight(&self, usable: usize) -> u64 {
        self.weights.as_ref().map_or(1, |weights| weights[usable])
    }

    /// What a usable row contributes.
    pub fn contribution(&self, usable: usize) -> Option<f64> {
        let value = self.columns.values.as_ref()?[usable]?;
        (self.weight(usable) > 0).then_some(value.abs())
    }

    /// The usable rows that are asked about.
    pub fn measured(&self) -> impl Iterator<Item = usize> {
        let states = self.base.rows.iter().copied();
        let usable = states
            .filter(|state| *state != RowState::Invalid)
            .enumerate();
        let measured = usable.filter(|(_, state)| *state == RowState::Measured);
        measured.map(|(usable, _)| usable)
    }
}

/// What is known of each row: of all of them first, then of the usable ones.
pub struct Columns {
    pub values: Option<Vec<Option<f64>>>,
    owners: Option<Vec<Option<u32>>>,
    categories: Option<Vec<Option<u32>>>,
    /// The texts of the categories.
    pub names: Vec<String>,
    asked: Option<u32>,
}

impl Columns {
    fn read(plan: &Plan, register: &mut Register) -> anyhow::Result<Self> {
        let mut values = None;
        if let Some(name) = &plan.value {
            values = Some(register.values(name, plan.intake.on_invalid)?);
        }
        let texts = |name: &Option<String>| -> anyhow::Result<_> {
            let found = name
                .as_deref()
                .map(|name| register.texts(name))
                .transpose()?;
            Ok(found.map_or((None, Vec::new()), |labels| {
                (Some(labels.of_row), labels.names)
            }))
        };
        let (owners, _) = texts(&plan.group)?;
        let (categories, names) = texts(&plan.category)?;
        let asked = plan.sensitive.as_ref().map(|wanted| {
            let found = names.iter().position(|name| name == wanted);
            found.map(|found| found as u32).ok_or_else(|| {
                let column = plan.category.as_deref().unwrap_or_default();
                let file = register.table.input.name();
                let some: Vec<_> = names.iter().take(FEW_CATEGORIES).collect();
                Refusal::new(
                    format!("{file}: no row has {wanted:?} in column {column:?}"),
                    format!("give one of its texts: {some:?}"),
                )
            })
        });
        Ok(Self {
            values,
            owners,
            categories,
            asked: asked.transpose()?,
            names,
        })
    }

    fn of_usable(self, register: &Register) -> Self {
        let labels = |of_row: Option<Vec<_>>| of_row.map(|of_row| register.of_usable(&of_row));
        Self {
            values: self.values.map(|of_row| register.of_usable(&of_row)),
            owners: labels(self.owners),
            categories: labels(self.categories),
            ..self
        }
    }

    fn rows<'a>(&'a self, weights: Option<&'a [u64]>) -> Rows<'a> {
        Rows {
            values: self.values.as_deref(),
            weights,
            owners: self.owners.as_deref(),
            categories: self.categories.as_deref(),
            asked: self.asked,
        }
    }

    /// The categories that are told one by one.
    pub fn shown(&self) -> &[String] {
        match self.names.len() {
            ..=FEW_CATEGORIES => &self.names,
            _ => &[],
        }
    }
}

impl ValueFacts {
    fn new(rows: &Rows) -> Self {
        let count = |is: &dyn Fn(usize) -> bool, of: usize| {
            let counted = |row: usize| rows.weights.is_none_or(|weights| weights[row] > 0);
            (0..of).filter(|&row| counted(row) && is(row)).count()
        };
        let values = rows.values.unwrap_or_default();
        let owners = rows.owners.unwrap_or_default();
        let categories = rows.categories.unwrap_or_default();
        Self {
            missing: count(&|row| values[row].is_none(), values.len()),
            negative: count(&|row| values[row].is_some_and(|v| v < 0.0), values.len()),
            without_owner: count(&|row| owners[row].is_none(), owners.len()),
            without_category: count(&|row| categories[row].is_none(), categories.len()),
        }
    }

    /// What makes rules say little.
    fn warnings(self, plan: &Plan, columns: &Columns) -> Vec<String> {
        let mut warnings = Vec::new();
        if let (Some(name), Some(values)) = (&plan.value, &columns.values) {
            let mut there = values.iter().flatten();
            let first = there.next().copied();
            warnings.extend(match first {
                None => Some(format!("column {name:?} has no values at all")),
                Some(first) if there.any(|&other| other != first) => None,
                Some(0.0) => Some(format!(
                    "every value in column {name:?} is 0: rules on values do not apply"
                )),
                Some(_) if values.len() == 1 => None,
                Some(first) => Some(format!(
                    "every value in column {name:?} is {first}: rules only count contributors then"
                )),
            });
            if self.negative > 0 {
                let rows = self.negative;
                warnings.push(format!("{rows} negative values count without their sign"));
            }
        }
        if let (Some(name), [only]) = (&plan.category, &columns.names[..]) {
            let told = format!("every row says {only:?} in column {name:?}");
            warnings.push(format!("{told}: there is nothing left to disclose"));
        }
        if columns.names.len() > FEW_CATEGORIES {
            let categories = columns.names.len();
            warnings.push(format!(
                "{categories} categories: the share of the commonest is told, not of each"
            ));
        }
        warnings
    }
}

fn cannot_be_added(plan: &Plan, register: &Register, error: HoldingsError) -> Refusal {
    let file = register.table.input.name();
    let column = plan.value.as_deref().unwrap_or_default();
    Refusal::new(
        format!("{file}, column {column:?}: {error}"),
        "give the values in larger units, such as thousands",
    )
}
