//! From files to units in their cells or regions.

use std::time::Instant;

use kdisc::areal::{Grid, GridError, Tally};
use kdisc::region::Region;
use kdisc_io::crs::Ground;

use super::Timings;
use super::columns::added;
use super::plan::{Division, Plan};
use super::zones::Zones;
use crate::districts::Districts;
use crate::failure::Refusal;
use crate::joined::refuse_same_columns;
use crate::outputs::Run;
use crate::register::{InputFacts, Intake, JSON_WITHOUT_SYSTEM, Register};

/// Units in their zones.
pub struct Prepared {
    /// The units, in metres.
    pub register: Register,
    pub zones: Zones,
    /// How many units there are.
    pub units: u64,
    /// Those in no zone, and the first row of them among the usable ones.
    pub outside: (u64, Option<usize>),
    /// The file of the regions.
    pub regions: Option<InputFacts>,
    pub warnings: Vec<String>,
}

impl Prepared {
    pub fn read(plan: &Plan, timings: &mut Timings) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let mut register = Register::read(&plan.intake)?;
        if plan.units.is_some() {
            let names: Vec<_> = added(plan)
                .iter()
                .map(|field| field.name().clone())
                .collect();
            refuse_same_columns(&register.table, &names)?;
        }
        let mut warnings = Vec::new();
        let (divided, _) = divide(
            &plan.division,
            &plan.intake,
            &plan.run,
            &mut register,
            &mut warnings,
        )?;
        timings.assign = divided.seconds;
        timings.read = clock.elapsed().as_secs_f64() - divided.seconds;
        let Divided {
            zones,
            outside,
            regions,
            ..
        } = divided;
        let units = register.count(&plan.intake)?;
        if zones.crs.is_none() && plan.run.output.is_json() {
            warnings.push(JSON_WITHOUT_SYSTEM.to_owned());
        }
        if plan.run.summary.is_some() {
            let clock = Instant::now();
            register.hash()?;
            timings.hash = clock.elapsed().as_secs_f64();
        }
        Ok(Self {
            register,
            zones,
            units,
            outside,
            regions,
            warnings,
        })
    }
}

/// Units taken to the ground and put in zones.
pub struct Divided {
    pub zones: Zones,
    /// Units in no zone, and the first row of them among the usable ones.
    pub outside: (u64, Option<usize>),
    /// The file of the regions.
    pub regions: Option<InputFacts>,
    /// What it took to find the zones.
    pub seconds: f64,
}

/// Takes the units to the ground and puts them in zones.
pub fn divide(
    division: &Division,
    intake: &Intake,
    run: &Run,
    register: &mut Register,
    warnings: &mut Vec<String>,
) -> anyhow::Result<(Divided, Ground)> {
    let compute = intake.compute_crs.as_ref();
    let clock;
    let (zones, ground, regions) = match division {
        Division::Grid(grid) => {
            refuse_degrees(intake, register)?;
            let ground = register.project(compute, warnings)?;
            register.count(intake)?;
            clock = Instant::now();
            (cells(*grid, register, &ground)?, ground, None)
        }
        Division::Regions(atlas) => {
            let mut districts = Districts::read(atlas, run.summary.is_some(), &run.audience)?;
            districts.share_system(register);
            let drawn = districts.drawn(register)?;
            let ground = register.project(compute, warnings)?;
            register.count(intake)?;
            clock = Instant::now();
            let found = districts.locate(&[(register, drawn)], &run.audience)?;
            let of_unit = found.into_iter().flatten().collect();
            let areas = districts.on_ground(&ground)?;
            let areas = areas.iter().map(Region::area).collect();
            let weights = register.units.weights.as_deref();
            let zones = Zones::regions(districts.table, areas, of_unit, weights);
            (zones, ground, Some(districts.facts))
        }
    };
    let weights = register.units.weights.as_deref();
    let mut outside = (0, None);
    let all = zones.of_unit.iter().enumerate();
    for (row, _) in all.filter(|(_, zone)| zone.is_none()) {
        outside.0 += weights.map_or(1, |weights| weights[row]);
        outside.1.get_or_insert(row);
    }
    let divided = Divided {
        zones,
        outside,
        regions,
        seconds: clock.elapsed().as_secs_f64(),
    };
    Ok((divided, ground))
}

/// A plane that is fitted to the data has no origin that means anything.
pub fn refuse_degrees(intake: &Intake, register: &Register) -> Result<(), Refusal> {
    let crs = register.table.crs.as_ref();
    match crs {
        Some(crs) if intake.compute_crs.is_none() => {
            if !crs.is_geographic() && !crs.is_web_mercator() {
                return Ok(());
            }
            Err(Refusal::new(
                format!("a grid is laid in metres, and the units are in {crs}"),
                "name a metric system: --compute-crs EPSG:n (in Europe 3035, the system of \
                 INSPIRE's grid)",
            ))
        }
        _ => Ok(()),
    }
}

fn cells(grid: Grid, register: &Register, ground: &Ground) -> Result<Zones, Refusal> {
    let units = &register.units;
    let tally = Tally::new(&units.points, units.weights.as_deref(), &grid);
    let tally = tally.map_err(|error| too_fine(&error))?;
    let crs = ground.compute_crs().cloned();
    Ok(Zones::cells(grid, &tally, crs, ground.metres_per_unit()))
}

/// What is wrong with a grid for these units.
pub fn too_fine(error: &GridError) -> Refusal {
    Refusal::new(error.to_string(), "use larger cells, or another origin")
}
