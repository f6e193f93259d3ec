//! From files to a population and the question put to it.

use std::time::Instant;

use kdisc::Population;
use kdisc_io::crs::Ground;
use kdisc_io::csv::Decimal;
use kdisc_io::units::RowState;

use rayon::ThreadPoolBuilder;

use super::Timings;
use super::plan::Plan;
use super::subjects::Subjects;
use crate::joined::refuse_same_columns;
use crate::reading::Opened;
use crate::register::{InputFacts, JSON_WITHOUT_SYSTEM, Register, same_system};

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

impl Prepared {
    pub fn new(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(plan.run.threads)
            .build()?;
        pool.install(|| Self::read(plan, timings))
    }

    fn read(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let mut units = Register::read(&plan.units)?;
        let mut places = plan.at.as_ref().map(Register::read).transpose()?;
        let repeated = places.as_ref().unwrap_or(&units);
        refuse_same_columns(&repeated.table, &plan.added)?;
        let mut warnings = Vec::new();
        if let Some(places) = &mut places {
            same_system(&mut units, places);
        }
        let ground = units.project(plan.units.compute_crs.as_ref(), &mut warnings)?;
        let places_ground = match &mut places {
            None => None,
            Some(places) => Some(places.project(ground.compute_crs(), &mut warnings)?),
        };
        timings.read = clock.elapsed().as_secs_f64();
        let repeated = places.as_ref().unwrap_or(&units);
        if repeated.table.crs.is_none() && plan.run.output.format.is_json() {
            warnings.push(JSON_WITHOUT_SYSTEM.to_owned());
        }

        if plan.run.summary.is_some() {
            let clock = Instant::now();
            for register in [Some(&mut units), places.as_mut()].into_iter().flatten() {
                register.hash()?;
            }
            timings.hash = clock.elapsed().as_secs_f64();
        }
        let clock = Instant::now();
        let population = units.population(&plan.units)?;
        let subjects = match &mut places {
            Some(places) => {
                let points = std::mem::take(&mut places.units.points);
                Subjects::places(points, &population)
            }
            None if plan.units.only.is_some() => Subjects::some(&units.units, &population),
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
