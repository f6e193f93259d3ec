//! From files to a population and the question put to it.

use std::time::Instant;

use kdisc::Population;
use kdisc_io::crs::Ground;
use kdisc_io::csv::Decimal;
use kdisc_io::units::RowState;

use super::Timings;
use super::plan::{Plan, Restriction};
use super::regional::{Assignment, Regional};
use super::subjects::Subjects;
use crate::districts::Districts;
use crate::failure::Refusal;
use crate::joined::refuse_same_columns;
use crate::reading::Opened;
use crate::register::{InputFacts, JSON_WITHOUT_SYSTEM, Register, same_system};

/// Everything that the measure and the output need.
pub struct Prepared {
    pub population: Population,
    pub subjects: Subjects,
    /// Where only units of one's own region count.
    pub regional: Option<Regional>,
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
        let pool = plan.run.pool()?;
        pool.install(|| Self::read(plan, timings))
    }

    fn read(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let mut units = Register::read(&plan.units)?;
        let labels = match &plan.within {
            Some(Restriction::Column(column)) => Some(units.labels(column, plan.units.on_invalid)?),
            _ => None,
        };
        let mut districts = Self::districts(plan)?;
        let mut places = Self::places(plan)?;
        let repeated = places.as_ref().unwrap_or(&units);
        refuse_same_columns(&repeated.table, &plan.added)?;
        let mut warnings = Vec::new();
        if let Some(places) = &mut places {
            same_system(&mut units, places)?;
        }
        if let Some(districts) = &mut districts {
            districts.share_system(&mut units);
            if let Some(places) = &mut places {
                same_system(&mut units, places)?;
            }
        }
        let located = match &districts {
            None => None,
            Some(districts) => Some(locate(plan, districts, &units, places.as_ref())?),
        };
        let ground = units.project(plan.units.compute_crs.as_ref(), &mut warnings)?;
        let places_ground = match &mut places {
            None => None,
            Some(places) => Some(places.project(ground.compute_crs(), &mut warnings)?),
        };
        timings.read = clock.elapsed().as_secs_f64();
        let repeated = places.as_ref().unwrap_or(&units);
        if repeated.table.crs.is_none() && plan.run.output.is_json() {
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
        let assignment = match (&plan.within, located, &districts) {
            (
                Some(Restriction::Regions { enclosed, .. }),
                Some((of_unit, of_place)),
                Some(districts),
            ) => Some(Assignment {
                of_unit,
                of_place,
                enclosing: if *enclosed {
                    Some(districts.on_ground(&ground)?)
                } else {
                    None
                },
            }),
            _ => labels.map(|of_unit| Assignment {
                of_unit,
                of_place: None,
                enclosing: None,
            }),
        };
        let k = plan.anonymity.k();
        let regional = assignment
            .map(|assignment| Regional::new(&units.units, &population, &subjects, assignment, k));
        let regional = regional.transpose()?;
        let mut inputs = vec![units.facts];
        let (table, rows, ground) = match (places, places_ground) {
            (Some(places), Some(ground)) => {
                inputs.push(places.facts);
                (places.table, places.units, ground)
            }
            _ => (units.table, units.units, ground),
        };
        inputs.extend(districts.map(|districts| districts.facts));
        timings.index = clock.elapsed().as_secs_f64();
        Ok(Self {
            population,
            subjects,
            regional,
            table,
            decimal: rows.decimal,
            rows: rows.rows,
            ground,
            inputs,
            warnings,
        })
    }

    fn places(plan: &Plan) -> anyhow::Result<Option<Register>> {
        let places = plan.at.as_ref().map(Register::read).transpose()?;
        match &places {
            Some(none) if none.units.rows.is_empty() => {
                let message = format!("{} has no rows", none.table.input.name());
                Err(Refusal::new(message, "give a row for each place").into())
            }
            _ => Ok(places),
        }
    }

    fn districts(plan: &Plan) -> anyhow::Result<Option<Districts>> {
        let Some(Restriction::Regions { atlas, .. }) = &plan.within else {
            return Ok(None);
        };
        let hashed = plan.run.summary.is_some();
        Districts::read(atlas, hashed, &plan.run.audience).map(Some)
    }

    /// How many units each answer stands for; places are no units.
    pub fn weights(&self) -> Option<&[u64]> {
        if let Some(regional) = &self.regional {
            return regional.weights();
        }
        match &self.subjects {
            Subjects::Locations => Some(self.population.multiplicities()),
            Subjects::Some { units, .. } => Some(units),
            Subjects::Places { .. } => None,
        }
    }
}

/// The regions of units, and of places.
type Located = (Vec<Option<u32>>, Option<Vec<Option<u32>>>);

fn locate(
    plan: &Plan,
    districts: &Districts,
    units: &Register,
    places: Option<&Register>,
) -> anyhow::Result<Located> {
    let mut rows = vec![(units, districts.drawn(units)?)];
    if let Some(places) = places {
        rows.push((places, districts.drawn(places)?));
    }
    let mut found = districts.locate(&rows, &plan.run.audience)?.into_iter();
    let of_unit = found.next().unwrap_or_default();
    if !of_unit.is_empty() && of_unit.iter().all(Option::is_none) {
        let message = format!(
            "no row of {} lies in any region of {}",
            units.table.input.name(),
            districts.facts.source
        );
        let help = "check the coordinate systems; 'kdisc info FILE' shows the extent of each";
        return Err(Refusal::new(message, help).into());
    }
    Ok((of_unit, found.next()))
}
