//! From files to units with values and bandwidths, and the cells to spread them over.

use std::time::Instant;

use kdisc::density::{Area, Bandwidth, Frame, Smoothing, Units};
use kdisc::region::Region;
use kdisc::{Disc, Measure, Population};
use kdisc_io::crs::Ground;
use rayon::ThreadPool;

use super::Timings;
use super::plan::{Plan, Width};
use crate::districts::Districts;
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::raster;
use crate::register::{InputFacts, Register};
use crate::summary::text::short;

/// Units, and the cells to spread them over.
pub struct Prepared {
    pub register: Register,
    pub ground: Ground,
    /// How many units there are.
    pub units: u64,
    /// Of each usable row, where they are not one each.
    weights: Option<Vec<u64>>,
    values: Option<Vec<f64>>,
    /// Units without a value, which are left out.
    pub without_value: u64,
    /// Of each usable row, where it has its own.
    pub bandwidths: Option<Vec<f64>>,
    pub frame: Frame,
    pub area: Option<Area>,
    pub regions: Option<InputFacts>,
    pub warnings: Vec<String>,
}

impl Prepared {
    pub fn read(
        plan: &Plan,
        pool: &ThreadPool,
        interrupt: &Interrupt,
        timings: &mut Timings,
    ) -> anyhow::Result<Self> {
        let clock = Instant::now();
        let mut warnings = Vec::new();
        let mut register = pool.install(|| Register::read(&plan.intake))?;
        let values = match &plan.value {
            None => None,
            Some(name) => Some(pool.install(|| register.values(name, plan.intake.on_invalid))?),
        };
        let mut regions = None;
        let mut drawn = Vec::new();
        let mut districts = None;
        if let Some(atlas) = &plan.atlas {
            let hashed = plan.run.summary.is_some();
            let mut read = Districts::read(atlas, hashed, &plan.run.audience)?;
            read.share_system(&mut register);
            districts = Some(read);
        }
        let compute = plan.intake.compute_crs.as_ref();
        let ground = pool.install(|| register.project(compute, &mut warnings))?;
        if let Some(districts) = districts {
            drawn = districts.on_ground(&ground)?;
            regions = Some(districts.facts);
        }
        let units = register.count(&plan.intake)?;
        let mut weights = register.units.weights.clone();
        let mut without_value = 0;
        let values = match (values, &plan.value) {
            (Some(values), Some(name)) => {
                let values = register.of_usable(&values);
                let weights = weights.get_or_insert_with(|| vec![1; values.len()]);
                for (weight, _) in weights.iter_mut().zip(&values).filter(|(_, v)| v.is_none()) {
                    without_value += *weight;
                    *weight = 0;
                }
                let values: Vec<f64> = values.into_iter().map(Option::unwrap_or_default).collect();
                refuse_nothing(&register, name, &values, weights)?;
                Some(values)
            }
            _ => None,
        };
        if plan.run.summary.is_some() {
            register.hash()?;
        }
        timings.read = clock.elapsed().as_secs_f64();

        let bounds = bounds(&drawn);
        let margin = match plan.width {
            Width::Fixed(bandwidth) => plan.kernel.support(bandwidth),
            Width::Adaptive { .. } => 0.0,
        };
        let frame = plan.raster.frame(&register.units.points, margin, bounds)?;
        let given = view(&register, weights.as_deref(), values.as_deref());
        let bands = if plan.value.is_some() { 5 } else { 3 };
        let bytes = Smoothing::bytes(&frame, &given);
        plan.raster.check_memory(&frame, bytes, bands)?;
        raster::warn_of_system(&ground, &mut warnings);
        let least = match plan.width {
            Width::Fixed(bandwidth) => bandwidth,
            Width::Adaptive { least, .. } => least,
        };
        if least < frame.side() {
            warnings.push(format!(
                "the bandwidth ({} m) is smaller than a cell ({} m): hardly anything is smoothed, \
                 and cells show who is in them",
                short(least),
                short(frame.side())
            ));
        }
        let mut area = None;
        if plan.atlas.is_some() {
            area = Some(pool.install(|| Area::new(&frame, drawn))?);
        }
        let mut bandwidths = None;
        if let Width::Adaptive { least, .. } = plan.width {
            let clock = Instant::now();
            let population = pool.install(|| register.population(&plan.intake))?;
            let discs = measure(plan, &population, interrupt)?;
            bandwidths = Some(of_rows(&population, &discs, least, plan)?);
            timings.measure = clock.elapsed().as_secs_f64();
        }
        Ok(Self {
            register,
            ground,
            units,
            weights,
            values,
            without_value,
            bandwidths,
            frame,
            area,
            regions,
            warnings,
        })
    }

    /// What is spread.
    pub fn given(&self) -> Units<'_> {
        view(
            &self.register,
            self.weights.as_deref(),
            self.values.as_deref(),
        )
    }

    pub fn bandwidth(&self, plan: &Plan) -> Bandwidth<'_> {
        match (&self.bandwidths, plan.width) {
            (Some(each), _) => Bandwidth::Each(each),
            (
                None,
                Width::Fixed(bandwidth)
                | Width::Adaptive {
                    least: bandwidth, ..
                },
            ) => Bandwidth::Fixed(bandwidth),
        }
    }

    pub fn inputs(&self) -> Vec<&InputFacts> {
        let inputs = [Some(&self.register.facts), self.regions.as_ref()];
        inputs.into_iter().flatten().collect()
    }
}

fn view<'a>(
    register: &'a Register,
    weights: Option<&'a [u64]>,
    values: Option<&'a [f64]>,
) -> Units<'a> {
    let mut units = Units::new(&register.units.points);
    if let Some(weights) = weights {
        units = units.weighted(weights);
    }
    if let Some(values) = values {
        units = units.valued(values);
    }
    units
}

/// A column from which no map can be made.
fn refuse_nothing(
    register: &Register,
    name: &str,
    values: &[f64],
    weights: &[u64],
) -> Result<(), Refusal> {
    let file = register.table.input.name();
    let help = "name a column of numbers: --value COL; or leave it out for a map of the units";
    if weights.iter().all(|&weight| weight == 0) {
        let message = format!("{file}, column {name:?}: no unit has a value");
        return Err(Refusal::new(message, help));
    }
    let mut counted = values
        .iter()
        .zip(weights)
        .filter(|(_, weight)| **weight > 0);
    if counted.all(|(value, _)| *value == 0.0) {
        let message =
            format!("{file}, column {name:?}: every value is 0, so there is nothing to map");
        return Err(Refusal::new(message, help));
    }
    Ok(())
}

/// How far all regions go.
fn bounds(regions: &[Region]) -> Option<[f64; 4]> {
    let all = regions.iter().map(Region::bounds);
    let all = all.map(|[min_x, max_x, min_y, max_y]| [min_x, min_y, max_x, max_y]);
    all.reduce(|a, b| {
        [
            a[0].min(b[0]),
            a[1].min(b[1]),
            a[2].max(b[2]),
            a[3].max(b[3]),
        ]
    })
}

fn measure(
    plan: &Plan,
    population: &Population,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Option<Disc>>> {
    let Width::Adaptive { asked, .. } = plan.width else {
        return Ok(Vec::new());
    };
    let run = &plan.run;
    run.measure(
        "measuring",
        population,
        asked,
        interrupt,
        |measure: Measure| measure.all(),
    )
}

/// The bandwidth of each usable row.
fn of_rows(
    population: &Population,
    discs: &[Option<Disc>],
    least: f64,
    plan: &Plan,
) -> Result<Vec<f64>, Refusal> {
    let rows = population.location_of_row().iter();
    let radii = rows.map(|&location| Some(discs[location as usize]?.radius.max(least)));
    radii.collect::<Option<Vec<_>>>().ok_or_else(|| {
        Refusal::new(
            format!(
                "{}: {} units in all, fewer than --k, so that no unit has a bandwidth",
                plan.intake.source,
                population.units()
            ),
            "ask for fewer: --k N; or give one bandwidth: --bandwidth M",
        )
    })
}
