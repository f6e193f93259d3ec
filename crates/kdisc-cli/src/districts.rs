//! The regions of a run: polygons out of a file, and in which of them rows lie.
//!
//! Borders are straight in the system of their file, so that is where points are looked up.

use kdisc::Point;
use kdisc::region::{Overlap, Region, Regions};
use kdisc_io::InputError;
use kdisc_io::crs::{Ground, Transformation};
use kdisc_io::input::Options;
use kdisc_io::regions::RegionTable;

use crate::audience::Audience;
use crate::failure::Refusal;
use crate::progress::{self, Phase};
use crate::reading::Known;
use crate::register::{InputFacts, Register};
use crate::source::Source;

/// Where the regions are to be read.
#[derive(Debug, Clone)]
pub struct Atlas {
    pub source: Source,
    pub options: Options,
    /// The column with their names.
    pub id: Option<String>,
}

impl Atlas {
    pub fn new(source: Source, layer: Option<String>, id: Option<String>) -> Self {
        Self {
            source,
            options: Options {
                format: None,
                layer,
            },
            id,
        }
    }
}

/// Regions, read.
pub struct Districts {
    pub table: RegionTable,
    pub facts: InputFacts,
}

impl Districts {
    /// Reads them; `hashed` if somebody will be told what they were.
    pub fn read(atlas: &Atlas, hashed: bool, audience: &Audience) -> anyhow::Result<Self> {
        let source = &atlas.source;
        let phase = Phase::new(format!("reading {source}"), audience);
        let progress = |done, total| phase.report_bytes(done, total);
        let input = source.open(&atlas.options, &progress);
        let input = input.map_err(of_regions)?;
        let table = RegionTable::read(&input, atlas.id.as_deref(), &progress);
        let table = table.map_err(of_regions)?;
        let layer = input.layer();
        let geometry = layer.and_then(|layer| layer.geometry);
        let place = geometry.map(|geometry| input.columns()[geometry.column].clone());
        let facts = InputFacts {
            source: source.clone(),
            sha256: if hashed { Some(input.sha256()?) } else { None },
            rows: table.regions.len(),
            bad_rows: 0,
            first_bad: None,
            place: place.into_iter().collect(),
            layer: layer.map(|layer| layer.name.clone()),
            crs: table.crs.as_ref().map(ToString::to_string),
            known: Known::ByFile,
            compute: table
                .crs
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            scale_error: None,
        };
        Ok(Self { table, facts })
    }

    /// Where nothing says in which system units or regions are, they are in the same.
    pub fn share_system(&mut self, register: &mut Register) {
        match (&register.table.crs, &self.table.crs) {
            (None, Some(crs)) => {
                register.table.crs = Some(crs.clone());
                register.table.known = Known::LikeTheOther;
            }
            (Some(crs), None) => {
                self.facts.crs = Some(crs.to_string());
                self.facts.compute = crs.to_string();
                self.facts.known = Known::LikeTheOther;
                self.table.crs = Some(crs.clone());
            }
            _ => {}
        }
    }

    /// The usable rows of a register in the system of the regions, before they are taken to the
    /// ground.
    pub fn drawn(&self, register: &Register) -> anyhow::Result<Vec<Point>> {
        let mut points = register.units.points.clone();
        if let (Some(units), Some(regions)) = (&register.table.crs, &self.table.crs)
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

    /// The region of each row, drawn as in [`Districts::drawn`].
    pub fn locate(
        &self,
        rows: &[(&Register, Vec<Point>)],
        audience: &Audience,
    ) -> anyhow::Result<Vec<Vec<Option<u32>>>> {
        progress::waiting("locating", audience, || {
            let regions = Regions::new(self.table.regions.clone())?;
            let rows = rows.iter();
            rows.map(|(register, drawn)| {
                let found = regions.locate_all(drawn);
                found.map_err(|overlap| self.two_regions(register, &overlap).into())
            })
            .collect()
        })
    }

    fn two_regions(&self, register: &Register, overlap: &Overlap) -> Refusal {
        let [one, other] = overlap.regions.map(|region| &self.table.ids[region]);
        Refusal::new(
            format!(
                "{}, {}: it lies in two regions of {}, {one:?} and {other:?}",
                register.table.input.name(),
                register.at_usable(overlap.point),
                self.table.file
            ),
            "regions must not overlap where units are; correct one of them",
        )
    }

    /// The regions in metres, on the ground of the units.
    pub fn on_ground(&self, ground: &Ground) -> anyhow::Result<Vec<Region>> {
        let (Some(crs), Some(extent)) = (&self.table.crs, self.table.extent()) else {
            return Ok(self.table.regions.clone());
        };
        let ground = ground.of_other(crs, &extent);
        let ground = ground.map_err(|source| InputError::Crs {
            file: self.table.file.clone(),
            source,
        })?;
        Ok(self.table.on_ground(&ground)?)
    }
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
