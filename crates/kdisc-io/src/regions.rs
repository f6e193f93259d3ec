//! Regions out of a layer of polygons, and on the ground on which units are.
//!
//! Edges are straight in the system of the file. In another system they would be curves; there the
//! corners are what counts, and edges are straight between them. For borders with a corner every
//! few kilometres the difference is centimetres; long straight borders need corners in between.

use std::collections::HashMap;

use arrow_array::Array;
use kdisc::Point;
use kdisc::region::{Part, Region};
use rayon::prelude::*;

use crate::InputError;
use crate::columns;
use crate::crs::{Crs, Extent, Ground};
use crate::csv::Progress;
use crate::geometry::{self, Kind, Parts};
use crate::input::Input;
use crate::layer::Encoding;
use crate::values::Texts;

/// The regions of a file, in its own system.
#[derive(Debug, Clone)]
pub struct RegionTable {
    /// What the file is called in messages.
    pub file: String,
    /// What the regions are called, each differently: by a column, or by the number of their row.
    pub ids: Vec<String>,
    /// The regions, one per row.
    pub regions: Vec<Region>,
    /// Their coordinate system, if the file says.
    pub crs: Option<Crs>,
}

impl RegionTable {
    /// Reads every row of an input as a region. `id` is the column with their names; row numbers
    /// are their names without.
    ///
    /// # Errors
    /// It cannot be read, has no polygons or no such column; a row is no polygon, or one that is no
    /// region; two rows have one name.
    pub fn read(input: &Input, id: Option<&str>, progress: Progress) -> Result<Self, InputError> {
        let file = input.name().to_owned();
        let reader = input.reader()?;
        let layer = reader.layer();
        let no_polygons = || InputError::NoPolygons { file: file.clone() };
        let geometry = layer.geometry.ok_or_else(no_polygons)?;
        if geometry.encoding != Encoding::Wkb {
            return Err(no_polygons());
        }
        let mut wanted = vec![geometry.column];
        if let Some(id) = id {
            let column = columns::named(&file, &layer.columns(), id)?;
            if column == geometry.column {
                let what = format!("column {id:?} is geometry, and names no regions");
                return Err(InputError::unsupported(&file, what));
            }
            wanted.push(column);
        }
        let (mut ids, mut regions) = (Vec::new(), Vec::new());
        for batch in reader.batches(&wanted)? {
            let batch = batch?;
            let wkb = geometry::wkb_column(batch.column(0), geometry.encoding)
                .map_err(|error| InputError::unsupported(&file, error.to_string()))?;
            let texts = id.map(|_| Texts::new(batch.column(1)));
            let before = regions.len();
            let rows: Vec<_> = (0..batch.num_rows())
                .into_par_iter()
                .map(|row| wkb.is_valid(row).then(|| region(wkb.value(row))))
                .collect();
            for (row, found) in rows.into_iter().enumerate() {
                let number = before + row + 1;
                let name = texts.as_ref().map(|texts| texts.get(row));
                let refused = |problem: String| InputError::Region {
                    file: file.clone(),
                    row: number,
                    region: name.clone().flatten(),
                    problem,
                };
                let found = found.ok_or_else(|| refused("there is no geometry".to_owned()))?;
                regions.push(found.map_err(|problem| match problem {
                    Problem::Other(kind) => InputError::NotPolygons {
                        file: file.clone(),
                        row: number,
                        found: kind.name(),
                    },
                    Problem::Wrong(problem) => refused(problem),
                })?);
                ids.push(match name {
                    None => number.to_string(),
                    Some(Some(ref name)) if !name.is_empty() => name.clone(),
                    Some(_) => return Err(refused("it has no name".to_owned())),
                });
            }
            if layer.rows.is_some() {
                progress(regions.len(), layer.rows);
            }
        }
        if regions.is_empty() {
            return Err(InputError::unsupported(&file, "it has no regions"));
        }
        refuse_twins(&file, &ids)?;
        let crs = layer.crs.clone();
        Ok(Self {
            file,
            ids,
            regions,
            crs,
        })
    }

    /// How far the regions reach.
    #[must_use]
    pub fn extent(&self) -> Option<Extent> {
        let parts = self.regions.iter().flat_map(Region::parts);
        let corners = parts.flat_map(|part| &part.outer).copied();
        Extent::new(self.crs.as_ref(), &corners.collect::<Vec<_>>())
    }

    /// The regions in metres, as `ground` takes coordinates of their system there.
    ///
    /// # Errors
    /// A corner has no place there, or the border crosses itself there.
    pub fn on_ground(&self, ground: &Ground) -> Result<Vec<Region>, InputError> {
        if ground.is_identity() {
            return Ok(self.regions.clone());
        }
        let moved: Vec<_> = self
            .regions
            .par_iter()
            .map(|region| moved(region, ground))
            .collect();
        let mut found = Vec::with_capacity(moved.len());
        for (row, region) in moved.into_iter().enumerate() {
            found.push(region.map_err(|problem| InputError::Region {
                file: self.file.clone(),
                row: row + 1,
                region: Some(self.ids[row].clone()),
                problem: format!("{problem}, in {}", ground.system()),
            })?);
        }
        Ok(found)
    }
}

enum Problem {
    /// It is something other than a polygon.
    Other(Kind),
    Wrong(String),
}

fn region(wkb: &[u8]) -> Result<Region, Problem> {
    let wrong = |problem: String| Problem::Wrong(problem);
    let mut found = Parts::default();
    found.read(wkb).map_err(|error| wrong(error.to_string()))?;
    match found.kind {
        Kind::Polygon => found.end_polygon(),
        Kind::MultiPolygon => {}
        other => return Err(Problem::Other(other)),
    }
    let lines: Vec<_> = Parts::ranges(&found.lines).collect();
    let parts = Parts::ranges(&found.polygons).filter_map(|rings| {
        let corners = |line: &std::ops::Range<usize>| {
            let at = found.positions[line.clone()].iter();
            at.map(|at| Point::new(at[0], at[1])).collect()
        };
        let mut rings = lines[rings].iter().map(corners);
        // A polygon without rings is empty.
        let outer = rings.next()?;
        Some(Part {
            outer,
            holes: rings.collect(),
        })
    });
    Region::new(parts.collect()).map_err(|error| wrong(error.to_string()))
}

fn moved(region: &Region, ground: &Ground) -> Result<Region, String> {
    let mut parts = region.parts().to_vec();
    for part in &mut parts {
        for ring in std::iter::once(&mut part.outer).chain(&mut part.holes) {
            let moved = ground.to_metres(ring);
            moved.map_err(|wrong| format!("a corner has no place: {}", wrong.problem))?;
        }
    }
    Region::new(parts).map_err(|error| error.to_string())
}

fn refuse_twins(file: &str, ids: &[String]) -> Result<(), InputError> {
    let mut seen = HashMap::new();
    for (row, id) in ids.iter().enumerate() {
        if let Some(first) = seen.insert(id, row) {
            return Err(InputError::SameRegion {
                file: file.to_owned(),
                rows: [first + 1, row + 1],
                region: id.clone(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
