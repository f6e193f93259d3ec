//! From files to units in their cells or regions.

use std::time::Instant;

use kdisc::Point;
use kdisc::areal::{Grid, GridError, Tally};
use kdisc::region::{Overlap, Region, Regions};
use kdisc_io::InputError;
use kdisc_io::crs::{Ground, Transformation};
use kdisc_io::input::Options;
use kdisc_io::regions::RegionTable;

use super::Timings;
use super::columns::added;
use super::plan::{Division, Plan};
use super::zones::{Kind, Zones};
use crate::failure::Refusal;
use crate::joined::refuse_same_columns;
use crate::progress::{self, Phase};
use crate::reading::Known;
use crate::register::{InputFacts, JSON_WITHOUT_SYSTEM, Register};
use crate::source::Source;

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
        let mut regions = None;
        let zones = match &plan.division {
            Division::Grid(grid) => {
                refuse_degrees(plan, &register)?;
                let compute = plan.intake.compute_crs.as_ref();
                let ground = register.project(compute, &mut warnings)?;
                register.count(&plan.intake)?;
                timings.read = clock.elapsed().as_secs_f64();
                let clock = Instant::now();
                let zones = cells(*grid, &register, &ground)?;
                timings.assign = clock.elapsed().as_secs_f64();
                zones
            }
            Division::Regions {
                source,
                options,
                id,
            } => {
                let quiet = plan.run.quiet;
                let (mut table, facts) = read_regions(source, options, id.as_deref(), quiet)?;
                same_system(&mut register, &mut table);
                let drawn = in_system_of(&table, &register)?;
                let compute = plan.intake.compute_crs.as_ref();
                let ground = register.project(compute, &mut warnings)?;
                register.count(&plan.intake)?;
                timings.read = clock.elapsed().as_secs_f64();
                let clock = Instant::now();
                let crs = table.crs.as_ref().map(ToString::to_string);
                regions = Some(InputFacts {
                    known: if crs.is_some() {
                        facts.known
                    } else {
                        Known::Not
                    },
                    compute: crs.clone().unwrap_or_default(),
                    crs,
                    ..facts
                });
                let zones = progress::waiting("counting", quiet, || {
                    assign(table, &drawn, &register, &ground)
                })?;
                timings.assign = clock.elapsed().as_secs_f64();
                zones
            }
        };
        let weights = register.units.weights.as_deref();
        let units = register.count(&plan.intake)?;
        let mut outside = (0, None);
        for (row, _) in zones
            .of_unit
            .iter()
            .enumerate()
            .filter(|(_, z)| z.is_none())
        {
            outside.0 += weights.map_or(1, |weights| weights[row]);
            outside.1.get_or_insert(row);
        }
        if zones.crs.is_none() && plan.run.output.format.is_json() {
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

/// A plane that is fitted to the data has no origin that means anything.
fn refuse_degrees(plan: &Plan, register: &Register) -> Result<(), Refusal> {
    let crs = register.table.crs.as_ref();
    match crs {
        Some(crs) if plan.intake.compute_crs.is_none() => {
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

fn read_regions(
    source: &Source,
    options: &Options,
    id: Option<&str>,
    quiet: bool,
) -> anyhow::Result<(RegionTable, InputFacts)> {
    let phase = Phase::new(format!("reading {source}"), quiet);
    let progress = |done, total| phase.report_bytes(done, total);
    let input = source.open(options, &progress).map_err(of_regions)?;
    let table = RegionTable::read(&input, id, &progress).map_err(of_regions)?;
    let layer = input.layer();
    let geometry = layer.and_then(|layer| layer.geometry);
    let place = geometry.map(|geometry| input.columns()[geometry.column].clone());
    let facts = InputFacts {
        source: source.clone(),
        sha256: Some(input.sha256()?),
        rows: table.regions.len(),
        bad_rows: 0,
        first_bad: None,
        place: place.into_iter().collect(),
        layer: layer.map(|layer| layer.name.clone()),
        crs: None,
        known: match table.crs {
            Some(_) => Known::ByFile,
            None => Known::LikeTheOther,
        },
        compute: String::new(),
        scale_error: None,
    };
    Ok((table, facts))
}

/// Layers of the regions have an option of their own.
fn of_regions(error: InputError) -> anyhow::Error {
    match error {
        InputError::SeveralLayers { .. } | InputError::MissingLayer { .. } => {
            let help = "say which layer holds the regions: --regions-layer NAME";
            Refusal::new(error.to_string(), help).into()
        }
        error => error.into(),
    }
}

/// Where nothing says in which system units or regions are, they are in the same.
fn same_system(register: &mut Register, table: &mut RegionTable) {
    match (&register.table.crs, &table.crs) {
        (None, Some(crs)) => {
            register.table.crs = Some(crs.clone());
            register.table.known = Known::LikeTheOther;
        }
        (Some(crs), None) => table.crs = Some(crs.clone()),
        _ => {}
    }
}

/// The units in the system of the regions, where their borders are straight.
fn in_system_of(table: &RegionTable, register: &Register) -> anyhow::Result<Vec<Point>> {
    let mut points = register.units.points.clone();
    if let (Some(units), Some(regions)) = (&register.table.crs, &table.crs)
        && units.proj_string() != regions.proj_string()
    {
        let there = Transformation::new(units, regions)?;
        there.apply_all(&mut points, 1.0).map_err(|wrong| {
            let name = register.table.input.name();
            let at = register.at_usable(wrong.index);
            Refusal::new(
                format!(
                    "{name}, {at}: in {regions}, the system of the regions, {}",
                    wrong.problem
                ),
                "check the coordinate systems: --crs EPSG:n",
            )
        })?;
    }
    Ok(points)
}

fn assign(
    table: RegionTable,
    drawn: &[Point],
    register: &Register,
    ground: &Ground,
) -> anyhow::Result<Zones> {
    let areas = areas(&table, ground)?;
    let regions = Regions::new(table.regions)?;
    let of_unit = regions.locate_all(drawn).map_err(|overlap| {
        let Overlap { point, regions } = overlap;
        let [one, other] = regions.map(|region| &table.ids[region]);
        let name = register.table.input.name();
        Refusal::new(
            format!(
                "{name}, {}: the unit lies in two regions of {}, {one:?} and {other:?}",
                register.at_usable(point),
                table.file
            ),
            "regions must not overlap where units are; correct one of them",
        )
    })?;
    let mut counts = vec![0; areas.len()];
    let weights = register.units.weights.as_deref();
    for (row, region) in of_unit.iter().enumerate() {
        if let Some(region) = region {
            counts[*region as usize] += weights.map_or(1, |weights| weights[row]);
        }
    }
    Ok(Zones {
        counts,
        of_unit,
        crs: table.crs,
        kind: Kind::Regions {
            ids: table.ids,
            regions: regions.into_all(),
            areas,
        },
    })
}

/// Square metres of the regions, where distances are taken.
fn areas(table: &RegionTable, ground: &Ground) -> anyhow::Result<Vec<f64>> {
    let own = |regions: &[Region]| regions.iter().map(Region::area).collect();
    let (Some(crs), Some([west, east, south, north])) = (&table.crs, table.bounds()) else {
        return Ok(own(&table.regions));
    };
    let failed = |source| InputError::Crs {
        file: table.file.clone(),
        source,
    };
    let ground = ground
        .of_other(crs, [west, south, east, north])
        .map_err(failed)?;
    if ground.is_identity() {
        return Ok(own(&table.regions));
    }
    Ok(own(&table.on_ground(&ground)?))
}
