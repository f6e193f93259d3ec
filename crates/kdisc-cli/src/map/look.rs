//! What each of the panels shows, measured.

use kdisc::areal::{Grid, GridError, Maup, Tally};
use kdisc::zoom::overlap;
use kdisc::{Anonymity, Delta, Disc, Measure, Point, Population};
use kdisc_io::crs::{Crs, Extent as Reach};
use kdisc_report::MOST_SHAPES;
use kdisc_report::frame::Extent;
use kdisc_report::shapes::Shapes;
use rayon::ThreadPool;

use super::extent;
use super::panels::{PanelPlan, Subject};
use super::plan::{Plan, Public, SHIFTS};
use super::prepare::Prepared;
use super::public;
use crate::args::{Colouring, ZoomDelta};
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::progress;
use crate::zoom::levels::{self, Level, Plane};

/// The most squares of a surface.
const MOST_SQUARES: f64 = 1_000_000.0;

/// A panel, measured.
pub struct Seen {
    pub shown: Shown,
    /// The discs of the locations, if they were measured.
    pub discs: Option<Vec<Option<Disc>>>,
    /// The level, if it is of one, and its δ in pixels.
    pub level: Option<(Level, f64)>,
}

/// What there is to see.
pub enum Shown {
    /// Locations, by value. No value: no disc.
    Locations(Vec<Option<f64>>),
    /// Areas by value, and the units in each.
    Areas {
        outlines: Vec<Vec<Point>>,
        values: Vec<Option<f64>>,
        units: Vec<u64>,
    },
    /// Cells by the number of units in them.
    Counts {
        outlines: Vec<Vec<Point>>,
        counts: Vec<u64>,
    },
    /// Rows, by what grids say of them, and the cells of the grid as it is.
    Verdicts { of_row: Vec<Verdict>, cells: Shapes },
    /// Squares that fill an extent, row by row from the north.
    Surface {
        extent: Extent,
        columns: u32,
        values: Vec<Option<f64>>,
    },
}

/// What grids say of a unit, from safe to risky.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Enough,
    Depends,
    TooFew,
}

/// What a map for publication does not show.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LeftOut {
    pub cells: u64,
    pub units: u64,
    /// The size of the cells.
    pub size: f64,
}

/// Discs that were measured before: of whom, and what was asked.
pub struct Known<'a> {
    pub population: &'a Population,
    pub answers: [(Anonymity, &'a [Option<Disc>]); 2],
}

impl Known<'_> {
    /// The discs of these locations, if they are known.
    fn of(&self, population: &Population, asked: Anonymity) -> Option<Vec<Option<Disc>>> {
        let same = |known: &Population| {
            known.locations() == population.locations()
                && known.multiplicities() == population.multiplicities()
        };
        let (_, discs) = self.answers.iter().find(|(known, _)| *known == asked)?;
        same(self.population).then(|| discs.to_vec())
    }
}

/// Measures panels.
pub struct Looking<'a> {
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
    pub known: Option<&'a Known<'a>>,
    pub pool: &'a ThreadPool,
    pub interrupt: &'a Interrupt,
}

impl Looking<'_> {
    /// All panels, and what is not shown for publication.
    pub fn all(&self) -> anyhow::Result<(Vec<Seen>, Option<LeftOut>)> {
        let mut left_out = None;
        let mut all = Vec::new();
        for panel in &self.plan.panels {
            let mut seen = self.at(panel)?;
            if let Some(public) = self.plan.public {
                let (shown, left) = self.published(public, panel, seen.shown)?;
                seen.shown = shown;
                left_out = Some(left);
            }
            all.push(seen);
        }
        Ok((all, left_out))
    }

    fn at(&self, panel: &PanelPlan) -> anyhow::Result<Seen> {
        let plain = |shown| Seen {
            shown,
            discs: None,
            level: None,
        };
        Ok(match &panel.subject {
            Subject::Units => {
                let population = &self.prepared.population;
                let known = self.known;
                let known = known.and_then(|known| known.of(population, panel.anonymity));
                let discs = match known {
                    Some(discs) => discs,
                    None => self.measured(population, panel.anonymity)?,
                };
                let shown = Shown::Locations(self.values(&discs));
                Seen {
                    discs: Some(discs),
                    ..plain(shown)
                }
            }
            Subject::Level { .. } => self.level(panel)?,
            Subject::Cells(grid) => plain(self.cells(grid)?),
            Subject::Flips { grid, least } => plain(self.flips(grid, *least)?),
            Subject::Surface(side) => plain(self.surface(*side, panel.anonymity)?),
        })
    }

    fn values(&self, discs: &[Option<Disc>]) -> Vec<Option<f64>> {
        let value = |disc: &Disc| match self.plan.colouring {
            Colouring::Risk => disc.risk(),
            Colouring::Radius => disc.radius,
        };
        discs.iter().map(|disc| disc.as_ref().map(value)).collect()
    }

    pub fn measured(
        &self,
        population: &Population,
        asked: Anonymity,
    ) -> anyhow::Result<Vec<Option<Disc>>> {
        let what = format!("measuring, k = {}, delta = {}", asked.k(), asked.delta());
        let run = &self.plan.run;
        run.measure(
            what,
            population,
            asked,
            self.interrupt,
            |measure: Measure| measure.all(),
        )
    }

    /// The discs of whoever would be at these places.
    pub fn measured_at(
        &self,
        places: &[Point],
        asked: Anonymity,
    ) -> anyhow::Result<Vec<Option<Disc>>> {
        let population = &self.prepared.population;
        let run = &self.plan.run;
        run.measure(
            "measuring places",
            population,
            asked,
            self.interrupt,
            |measure: Measure| measure.places(places),
        )
    }

    fn level(&self, panel: &PanelPlan) -> anyhow::Result<Seen> {
        let Subject::Level { map, marker } = &panel.subject else {
            return Err(Refusal::new("this is no level", "give --zoom or --pixel").into());
        };
        let units = &self.prepared.register.units;
        let (levels, plane) = match &self.prepared.world {
            Some(world) => (
                levels::of_web(map, *marker, world)?,
                Plane::Own(world.clone()),
            ),
            None => levels::on_ground(map, *marker, &units.points)?,
        };
        let level = levels[0];
        let rows = match &plane {
            Plane::Ground => &units.points,
            Plane::Own(points) => points,
        };
        let points = level
            .raster
            .pixels(rows)
            .map_err(|error| too_fine(&error))?;
        let pixels = match &units.weights {
            None => Population::new(&points)?,
            Some(weights) => Population::with_weights(&points, weights)?,
        };
        let delta = match panel.delta {
            ZoomDelta::Pixel => level.raster.dot(),
            ZoomDelta::Overlap => {
                let count = pixels.locations().len();
                overlap(&units.points, pixels.location_of_row(), count) / level.metres_per_pixel
            }
            ZoomDelta::Pixels(delta) => delta.distance(),
        };
        let asked = panel.anonymity.with_delta(Delta::new(delta)?);
        let discs = self.measured(&pixels, asked)?;
        let shown = Shown::Areas {
            outlines: self.outlines(&level, &pixels)?,
            values: self.values(&discs),
            units: pixels.multiplicities().to_vec(),
        };
        Ok(Seen {
            shown,
            discs: None,
            level: Some((level, delta)),
        })
    }

    /// The corners of the dots of a level, on the ground.
    fn outlines(&self, level: &Level, pixels: &Population) -> anyhow::Result<Vec<Vec<Point>>> {
        let (side, dot) = (level.raster.pixel(), level.raster.dot());
        let corners = |pixel: &Point| {
            [(0.0, 0.0), (dot, 0.0), (dot, dot), (0.0, dot)]
                .map(|(x, y)| Point::new((pixel.x + x) * side, (pixel.y + y) * side))
        };
        let mut all: Vec<Point> = pixels.locations().iter().flat_map(corners).collect();
        if self.prepared.world.is_some() {
            let web = Crs::from_epsg(levels::WEB)?;
            for corner in &mut all {
                *corner = levels::from_world(*corner);
            }
            if let Some(reach) = Reach::new(Some(&web), &all) {
                let ground = self.prepared.ground.of_other(&web, &reach)?;
                ground.to_metres(&mut all).map_err(|wrong| {
                    Refusal::new(
                        format!(
                            "a pixel of the web map has no place on the ground: {}",
                            wrong.problem
                        ),
                        "leave out what is too near to a pole, or name another --compute-crs",
                    )
                })?;
            }
        }
        Ok(all.chunks(4).map(<[Point]>::to_vec).collect())
    }

    fn cells(&self, grid: &Grid) -> anyhow::Result<Shown> {
        let units = &self.prepared.register.units;
        let tally = Tally::new(&units.points, units.weights.as_deref(), grid);
        let tally = tally.map_err(|error| too_fine(&error))?;
        Ok(Shown::Counts {
            outlines: tally
                .cells()
                .iter()
                .map(|cell| grid.corners(*cell))
                .collect(),
            counts: tally.counts().to_vec(),
        })
    }

    fn flips(&self, grid: &Grid, least: u64) -> anyhow::Result<Shown> {
        let units = &self.prepared.register.units;
        let weights = units.weights.as_deref();
        let found = progress::waiting("moving the grid", &self.plan.run.audience, || {
            self.pool
                .install(|| Maup::new(&units.points, weights, grid, SHIFTS))
        });
        let maup = found.map_err(|error| too_fine(&error))?;
        let verdict = |row: usize| match maup.range(row) {
            [few, _] if few >= least => Verdict::Enough,
            [_, many] if many < least => Verdict::TooFew,
            _ => Verdict::Depends,
        };
        let tally = Tally::new(&units.points, weights, grid);
        let tally = tally.map_err(|error| too_fine(&error))?;
        let mut cells = Shapes::default();
        // More lines than that would hide the units.
        if tally.cells().len() <= MOST_SHAPES {
            let outlines = tally.cells().iter().map(|cell| vec![grid.corners(*cell)]);
            cells.polygons = outlines.collect();
        }
        Ok(Shown::Verdicts {
            of_row: (0..maup.base.len()).map(verdict).collect(),
            cells,
        })
    }

    fn surface(&self, side: f64, asked: Anonymity) -> anyhow::Result<Shown> {
        let extent = extent::of_units(self.plan, self.prepared).snapped(side);
        let columns = (extent.width() / side).round();
        let rows = (extent.height() / side).round();
        let fits = columns >= 1.0 && rows >= 1.0 && columns * rows <= MOST_SQUARES;
        if !fits {
            return Err(Refusal::new(
                format!("a surface of {columns} by {rows} squares of {side} m cannot be drawn"),
                format!("use larger squares, at most {MOST_SQUARES} of them: --surface M"),
            )
            .into());
        }
        let middle = |number: u32, start: f64| start + (f64::from(number) + 0.5) * side;
        let (columns, rows) = (columns as u32, rows as u32);
        let places = (0..rows).rev().flat_map(|row| {
            let y = middle(row, extent.min.y);
            (0..columns).map(move |column| Point::new(middle(column, extent.min.x), y))
        });
        let places: Vec<Point> = places.collect();
        let discs = self.measured_at(&places, asked)?;
        Ok(Shown::Surface {
            extent,
            columns,
            values: self.values(&discs),
        })
    }

    fn published(
        &self,
        public: Public,
        panel: &PanelPlan,
        shown: Shown,
    ) -> anyhow::Result<(Shown, LeftOut)> {
        match (shown, &panel.subject) {
            (Shown::Locations(values), _) => {
                let population = &self.prepared.population;
                let usual = || public::cell_size(population, public.least);
                let grid = Grid::square(public.cell.unwrap_or_else(usual))?;
                public::cells(population, &values, &grid, public.least)
            }
            (Shown::Counts { outlines, counts }, Subject::Cells(grid)) => {
                public::enough(outlines, counts, grid.size(), public.least)
            }
            // Nothing else is offered for publication.
            (shown, _) => Ok((shown, LeftOut::default())),
        }
    }
}

fn too_fine(error: &GridError) -> Refusal {
    Refusal::new(
        error.to_string(),
        "use larger cells or pixels, or a coarser level",
    )
}
