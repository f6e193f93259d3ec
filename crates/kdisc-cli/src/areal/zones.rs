//! The cells or polygons in which units are counted.

use kdisc::Point;
use kdisc::areal::{Cell, Grid, Tally, areal_risk};
use kdisc::region::Region;
use kdisc_io::crs::Crs;
use kdisc_io::geometry;
use kdisc_io::layer::Shape;
use kdisc_io::regions::RegionTable;

use super::inspire::Names;

/// Cells with units, or all polygons, and how many units each has.
pub struct Zones {
    pub counts: Vec<u64>,
    /// In which zone each usable row is.
    pub of_unit: Vec<Option<u32>>,
    /// The system in which they are drawn.
    pub crs: Option<Crs>,
    kind: Kind,
}

enum Kind {
    Cells {
        grid: Grid,
        cells: Vec<Cell>,
        names: Option<Names>,
        /// Metres per unit of the system in which they are drawn.
        metres: f64,
    },
    Regions {
        ids: Vec<String>,
        /// In the system of their file.
        regions: Vec<Region>,
        /// Square metres.
        areas: Vec<f64>,
    },
}

impl Zones {
    pub fn cells(grid: Grid, tally: &Tally, crs: Option<Crs>, metres: f64) -> Self {
        let names = Names::new(&grid, crs.as_ref().and_then(Crs::epsg));
        Self {
            counts: tally.counts().to_vec(),
            of_unit: tally.of_unit().iter().copied().map(Some).collect(),
            kind: Kind::Cells {
                grid,
                cells: tally.cells().to_vec(),
                names,
                metres,
            },
            crs,
        }
    }

    /// `areas` are in square metres.
    pub fn regions(
        table: RegionTable,
        areas: Vec<f64>,
        of_unit: Vec<Option<u32>>,
        weights: Option<&[u64]>,
    ) -> Self {
        let mut counts = vec![0; areas.len()];
        for (row, region) in of_unit.iter().enumerate() {
            if let Some(region) = region {
                counts[*region as usize] += weights.map_or(1, |weights| weights[row]);
            }
        }
        Self {
            counts,
            of_unit,
            crs: table.crs,
            kind: Kind::Regions {
                ids: table.ids,
                regions: table.regions,
                areas,
            },
        }
    }

    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// What they are called when there are several.
    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::Cells { .. } => "cell",
            Kind::Regions { .. } => "region",
        }
    }

    pub fn name(&self, zone: usize) -> String {
        match &self.kind {
            Kind::Cells { cells, names, .. } => {
                let cell = cells[zone];
                let name = names.and_then(|names| names.name(cell));
                name.unwrap_or_else(|| format!("{}_{}", cell.column, cell.row))
            }
            Kind::Regions { ids, .. } => ids[zone].clone(),
        }
    }

    /// The corner, centre or centroid, in the system in which it is drawn.
    pub fn place(&self, zone: usize) -> Point {
        match &self.kind {
            Kind::Cells {
                grid,
                cells,
                metres,
                ..
            } => scaled(grid.corner(cells[zone]), *metres),
            Kind::Regions { regions, .. } => regions[zone].centroid(),
        }
    }

    pub fn area(&self, zone: usize) -> f64 {
        match &self.kind {
            Kind::Cells { grid, .. } => grid.area(),
            Kind::Regions { areas, .. } => areas[zone],
        }
    }

    pub fn density(&self, zone: usize) -> f64 {
        self.counts[zone] as f64 / self.area(zone)
    }

    pub fn risk(&self, zone: usize) -> f64 {
        areal_risk(self.counts[zone])
    }

    /// The zone as WKB.
    pub fn outline(&self, zone: usize) -> Vec<u8> {
        match &self.kind {
            Kind::Cells {
                grid,
                cells,
                metres,
                ..
            } => {
                let corners = grid.corners(cells[zone]);
                let corners: Vec<_> = corners.into_iter().map(|c| scaled(c, *metres)).collect();
                geometry::polygons(&[corners])
            }
            Kind::Regions { regions, .. } => geometry::region(&regions[zone]),
        }
    }

    pub fn shape(&self) -> Shape {
        match &self.kind {
            Kind::Regions { regions, .. } if regions.iter().any(|r| r.parts().len() > 1) => {
                Shape::Any
            }
            _ => Shape::Polygon,
        }
    }
}

fn scaled(at: Point, metres: f64) -> Point {
    Point::new(at.x / metres, at.y / metres)
}
