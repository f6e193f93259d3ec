//! From one system to another, point by point or ten million at a time.
//!
//! `proj4rs` works in radians and in the unit of the target; here coordinates are in the unit of
//! their system, with x east. Heights are taken as zero, as nothing is known of them.

use kdisc::Point;
use proj4rs::Proj;
use proj4rs::errors::Error;
use proj4rs::transform::{Transform, TransformClosure, transform};
use rayon::prelude::*;

use super::{Crs, CrsError, Unprojectable};

/// Points per task: enough to make the task's own cost vanish.
const BATCH: usize = 1 << 13;

/// The way from one coordinate system to another.
#[derive(Clone)]
pub struct Transformation {
    source: End,
    target: End,
}

/// A system and what one unit of its coordinates is in the units of `proj4rs`.
#[derive(Clone)]
struct End {
    proj: Proj,
    unit: f64,
    degrees_per_unit: Option<f64>,
    /// Longitude and latitude, where the way to them is a series that is cut off too early.
    polish: Option<Proj>,
}

impl End {
    fn new(crs: &Crs) -> Result<Self, CrsError> {
        let proj = crs.build()?;
        let geographic = proj.is_latlong();
        let unit = if geographic { crs.angular_unit() } else { 1.0 };
        Ok(Self {
            unit,
            degrees_per_unit: geographic.then(|| unit.to_degrees()),
            polish: (proj.projname() == "laea")
                .then(|| self::geographic(&proj))
                .flatten(),
            proj,
        })
    }

    /// Coordinates that lead to the place where these ought to lead. The equal-area azimuthal
    /// projection is exact one way, but misses by millimetres the other way, far from its centre.
    fn polished(&self, (x, y): (f64, f64)) -> Result<(f64, f64), String> {
        let Some(geographic) = &self.polish else {
            return Ok((x, y));
        };
        let place = project(&self.proj, geographic, (x, y))?;
        let (missed_x, missed_y) = project(geographic, &self.proj, place)?;
        Ok((2.0 * x - missed_x, 2.0 * y - missed_y))
    }
}

impl Transformation {
    /// From coordinates in `source` to coordinates in `target`.
    ///
    /// # Errors
    ///
    /// One of them cannot be computed with.
    pub fn new(source: &Crs, target: &Crs) -> Result<Self, CrsError> {
        Ok(Self {
            source: End::new(source)?,
            target: End::new(target)?,
        })
    }

    /// The way back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            source: self.target.clone(),
            target: self.source.clone(),
        }
    }

    /// Takes one point.
    ///
    /// # Errors
    ///
    /// It lies where one of the projections is not defined.
    pub fn apply(&self, point: Point) -> Result<Point, Unprojectable> {
        let mut points = [point];
        self.apply_in_turn(&mut points, 1.0)?;
        Ok(points[0])
    }

    /// Takes all points in place, on all threads, and multiplies the result by `factor`.
    ///
    /// # Errors
    ///
    /// The first point that has no image; the others may or may not have been taken by then.
    pub fn apply_all(&self, points: &mut [Point], factor: f64) -> Result<(), Unprojectable> {
        let first = points
            .par_chunks_mut(BATCH)
            .enumerate()
            .filter_map(|(batch, points)| {
                let error = self.apply_in_turn(points, factor).err()?;
                Some(Unprojectable {
                    index: batch * BATCH + error.index,
                    ..error
                })
            })
            .min_by_key(|error| error.index);
        first.map_or(Ok(()), Err)
    }

    fn apply_in_turn(&self, points: &mut [Point], factor: f64) -> Result<(), Unprojectable> {
        for (index, point) in points.iter_mut().enumerate() {
            let image = self.image(*point);
            let image = image.map_err(|problem| Unprojectable { index, problem })?;
            *point = Point::new(image.x * factor, image.y * factor);
        }
        Ok(())
    }

    fn image(&self, point: Point) -> Result<Point, String> {
        let Self { source, target } = self;
        if let Some(degrees) = source.degrees_per_unit {
            if point.y.abs() * degrees > 90.0 + 1e-9 {
                return Err("its latitude is beyond ±90°".to_owned());
            }
            if point.x.abs() * degrees > 360.0 + 1e-9 {
                return Err("its longitude is beyond ±360°".to_owned());
            }
        }
        let place = source.polished((point.x * source.unit, point.y * source.unit))?;
        let (x, y) = project(&source.proj, &target.proj, place)?;
        Ok(Point::new(x / target.unit, y / target.unit))
    }
}

/// One place from one projection to another, in radians or the unit of the projection.
pub(super) fn project(from: &Proj, to: &Proj, (x, y): (f64, f64)) -> Result<(f64, f64), String> {
    let mut place = Place { x, y };
    transform(from, to, &mut place).map_err(|error| error.to_string())?;
    if place.x.is_finite() && place.y.is_finite() {
        Ok((place.x, place.y))
    } else {
        Err("the result is not finite".to_owned())
    }
}

/// Longitude from Greenwich and latitude on the ellipsoid of a projection. Without a datum, so that
/// nothing is shifted on the way from or to it.
pub(super) fn geographic(plane: &Proj) -> Option<Proj> {
    let (major, minor) = plane.ellipse_parameters();
    Proj::from_proj_string(&format!("+proj=longlat +a={major} +b={minor}")).ok()
}

struct Place {
    x: f64,
    y: f64,
}

impl Transform for Place {
    fn transform_coordinates<F: TransformClosure>(&mut self, f: &mut F) -> Result<(), Error> {
        (self.x, self.y, _) = f(self.x, self.y, 0.0)?;
        Ok(())
    }
}
