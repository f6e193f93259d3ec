//! What there is to see at each level, and what lies behind it.
//!
//! Every level wants the figures of two measures: of its pixels, and of the exact locations at the
//! same δ in metres. Both are surveyed from bounds (see [`kdisc::zoom`]):
//!
//! - The exact locations are measured once at δ = 0 and once at δ = ∞, which bounds what is between.
//! - The distance between two pixels is that of their locations in the plane of the pixels, give or
//!   take a blur. So the radius of a location there, measured once, bounds that of its pixel at
//!   every level.

use kdisc::areal::GridError;
use kdisc::zoom::{Known, Survey, overlap, survey};
use kdisc::{Delta, Disc, Measure, Point, Population};

use super::levels::{Level, Plane};
use super::plan::Plan;
use crate::args::ZoomDelta;
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::progress::Phase;

/// The rows of the input: on the ground, and in the plane of the pixels.
pub struct Rows<'a> {
    pub ground: &'a [Point],
    pub plane: &'a Plane,
    pub weights: Option<&'a [u64]>,
}

/// What is known of all levels alike.
pub struct Looking<'a> {
    plan: &'a Plan,
    rows: Rows<'a>,
    interrupt: &'a Interrupt,
    ground: &'a Population,
    exact: Exact,
    /// The radius of each row in the plane of the pixels: at δ = ∞ if that is asked, or else at 0.
    in_plane: Vec<f64>,
}

/// The discs of the exact locations; none that are not needed.
#[derive(Default)]
struct Exact {
    at_zero: Vec<Option<Disc>>,
    at_infinity: Vec<Option<Disc>>,
}

/// What there is to see at a level.
pub struct Sight {
    pub level: Level,
    pub pixels: Population,
    pub delta_px: f64,
    /// Absent when there are fewer than k units.
    pub perceived: Option<Survey>,
    /// The discs of the pixels, if every unit is to be told.
    pub discs: Option<Vec<Option<Disc>>>,
    pub intrinsic: Option<Survey>,
}

impl Rows<'_> {
    fn in_plane(&self) -> &[Point] {
        match self.plane {
            Plane::Ground => self.ground,
            Plane::Own(points) => points,
        }
    }

    fn population(&self, points: &[Point]) -> Result<Population, kdisc::PopulationError> {
        match self.weights {
            None => Population::new(points),
            Some(weights) => Population::with_weights(points, weights),
        }
    }
}

impl<'a> Looking<'a> {
    pub fn new(
        plan: &'a Plan,
        rows: Rows<'a>,
        ground: &'a Population,
        interrupt: &'a Interrupt,
    ) -> anyhow::Result<Self> {
        let mut looking = Self {
            plan,
            rows,
            interrupt,
            ground,
            exact: Exact::default(),
            in_plane: Vec::new(),
        };
        let fixed = plan.fixed_delta();
        if fixed != Some(Delta::INFINITE) {
            looking.exact.at_zero = looking.measured(ground, Delta::ZERO)?;
        }
        if fixed != Some(Delta::ZERO) {
            looking.exact.at_infinity = looking.measured(ground, Delta::INFINITE)?;
        }
        looking.in_plane = looking.radii_in_plane(fixed.unwrap_or(Delta::ZERO))?;
        Ok(looking)
    }

    fn radii_in_plane(&self, delta: Delta) -> anyhow::Result<Vec<f64>> {
        let radii = |population: &Population, discs: &[Option<Disc>]| {
            let locations = population.location_of_row().iter();
            let discs = locations.map(|&location| discs[location as usize]);
            let radii = discs.map(|disc| disc.map_or(f64::INFINITY, |disc| disc.radius));
            radii.collect()
        };
        if let Plane::Own(points) = self.rows.plane {
            let population = self.rows.population(points)?;
            return Ok(radii(&population, &self.measured(&population, delta)?));
        }
        let exact = if delta == Delta::INFINITE {
            &self.exact.at_infinity
        } else {
            &self.exact.at_zero
        };
        Ok(radii(self.ground, exact))
    }

    /// The discs of all locations.
    fn measured(&self, population: &Population, delta: Delta) -> anyhow::Result<Vec<Option<Disc>>> {
        let phase = Phase::new(
            format!("measuring, delta = {delta}"),
            &self.plan.run.audience,
        );
        let progress = |done, total| phase.report(done, total);
        let measure = self.measure(population, delta).progress(&progress);
        self.interrupt.measured(|| measure.all())
    }

    fn measure<'p>(&'p self, population: &'p Population, delta: Delta) -> Measure<'p> {
        Measure::new(population, self.plan.anonymity.with_delta(delta))
            .threads(self.plan.run.threads)
            .cancel(self.interrupt.flag())
    }

    /// What there is to see at a level.
    pub fn at(&self, level: Level) -> anyhow::Result<Sight> {
        let points = level.raster.pixels(self.rows.in_plane());
        let too_fine = |error: GridError| {
            Refusal::new(
                error.to_string(),
                "ask for larger pixels, or a coarser level",
            )
        };
        let points = points.map_err(too_fine)?;
        let pixels = self.rows.population(&points)?;
        drop(points);
        let delta_px = match self.plan.delta {
            ZoomDelta::Pixel => level.raster.dot(),
            ZoomDelta::Overlap => {
                let count = pixels.locations().len();
                overlap(self.rows.ground, pixels.location_of_row(), count) / level.metres_per_pixel
            }
            ZoomDelta::Pixels(delta) => delta.distance(),
        };
        let delta = Delta::new(delta_px)?;
        let mut discs = None;
        if self.plan.units.is_some() {
            discs = Some(self.measured(&pixels, delta)?);
        }
        let known = match &discs {
            Some(discs) => Known::All(discs),
            None => Known::Bounds(self.bounds(&level, &pixels, delta_px)),
        };
        let measure = self.measure(&pixels, delta);
        let perceived = self
            .interrupt
            .measured(|| survey(measure, known, self.plan.limits))?;
        let delta = Delta::new(delta_px * level.metres_per_pixel)?;
        let known = Known::Discs {
            at_zero: &self.exact.at_zero,
            at_infinity: &self.exact.at_infinity,
        };
        let measure = self.measure(self.ground, delta);
        let none = kdisc::zoom::Limits::default();
        let intrinsic = self.interrupt.measured(|| survey(measure, known, none))?;
        Ok(Sight {
            level,
            pixels,
            delta_px,
            perceived,
            discs,
            intrinsic,
        })
    }

    /// Bounds of the radii of the pixels.
    fn bounds(&self, level: &Level, pixels: &Population, delta_px: f64) -> Vec<(f64, f64)> {
        let blur = level.raster.blur(self.plan.anonymity.metric());
        let below = if delta_px == f64::INFINITY {
            blur
        } else {
            blur + delta_px
        };
        let mut bounds = vec![(0.0f64, f64::INFINITY); pixels.locations().len()];
        for (&pixel, radius) in pixels.location_of_row().iter().zip(&self.in_plane) {
            let radius = radius / level.raster.pixel();
            let (low, high) = &mut bounds[pixel as usize];
            *low = low.max(radius - below);
            *high = high.min(radius + blur);
        }
        bounds
    }
}

impl Sight {
    /// Units that exceed a limit; all of them when there are no discs.
    pub fn units_above(&self) -> u64 {
        let units = self.pixels.multiplicities();
        match &self.perceived {
            None => self.pixels.units(),
            Some(survey) => survey.above.iter().map(|&p| units[p as usize]).sum(),
        }
    }

    /// δ in metres.
    pub fn delta(&self) -> f64 {
        self.delta_px * self.level.metres_per_pixel
    }
}
