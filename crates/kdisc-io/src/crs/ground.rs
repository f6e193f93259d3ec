//! From the coordinates of one input to metres on the ground, and back.
//!
//! Which way is decided once, from the system and the extent: a plane that keeps lengths within
//! [`MAX_SCALE_ERROR`] is used as it is, so that its coordinates are not touched but for their unit;
//! degrees and Web Mercator go to a plane that is fitted to the extent; and a plane that the user
//! chose comes before both. Whatever the way, the worst error of lengths over the extent is known.

use std::f64::consts::{FRAC_PI_2, TAU};

use kdisc::Point;

use super::extent::Count;
use super::fit::fit;
use super::scale::{Place, Scale, grid};
use super::transform::{Transformation, geographic, project};
use super::{Crs, CrsError, Extent, Unprojectable};

/// A worst relative error of lengths that deserves a warning.
pub const WARN_SCALE_ERROR: f64 = 0.005;
/// A worst relative error of lengths that cannot be accepted.
pub const MAX_SCALE_ERROR: f64 = 0.05;

/// What coordinates of an input mean on the ground.
pub struct Ground {
    pub(super) way: Way,
    system: String,
    /// The system of the computation, if it is known.
    compute: Option<Crs>,
    scale_error: Option<f64>,
}

pub(super) enum Way {
    Same,
    /// Metres per unit.
    Scaled(f64),
    Projected(Box<Projection>),
}

pub(super) struct Projection {
    there: Transformation,
    back: Transformation,
    /// Metres per unit of the system of the computation.
    metres: f64,
    extent: Extent,
    /// Whether the input's coordinates are longitudes and latitudes.
    degrees: bool,
    /// The poles of the globe in metres, where the input's system is cut open along a meridian and
    /// the plane shows them.
    pub(super) poles: Vec<Point>,
    /// Whether there and back do not quite cancel, as between datums without heights.
    inexact: bool,
}

impl Ground {
    /// `extent` is that of the data in their own system, `crs`. Without a system coordinates are
    /// taken as metres. `compute` is the system that the user wants the
    /// computation to run in, if any.
    ///
    /// # Errors
    ///
    /// The extent cannot be in this system, or lengths are off by more than [`MAX_SCALE_ERROR`].
    pub fn new(
        crs: Option<&Crs>,
        compute: Option<&Crs>,
        extent: &Extent,
    ) -> Result<Self, CrsError> {
        let Some(crs) = crs else {
            return match compute {
                None => Ok(Self::unknown()),
                Some(compute) => Err(CrsError::ComputeFromNothing {
                    system: compute.to_string(),
                }),
            };
        };
        let places = places(crs, extent)?;
        match compute {
            Some(compute) if compute.is_geographic() => Err(CrsError::ComputeInDegrees {
                system: compute.to_string(),
            }),
            Some(compute) if compute.proj != crs.proj => {
                let error = scale_error(compute, &places)?;
                let way = Projection::way(crs, compute, extent, true)?;
                Self::accepted(way, compute.to_string(), compute, error)
            }
            None if crs.is_geographic() || crs.is_web_mercator() => {
                let ellipsoid = crs.build()?.ellipse_parameters();
                let fit = fit(&places, ellipsoid).ok_or_else(|| CrsError::NoPlane {
                    system: crs.to_string(),
                })?;
                // With the datum, or data in other systems would miss the shift to this one.
                let compute = Crs::parse(&format!("{} {}", fit.proj, datum(crs)))?;
                let way = Projection::way(crs, &compute, extent, false)?;
                let system = format!("a {} fitted to the data: {}", fit.kind, fit.proj);
                Self::accepted(way, system, &compute, fit.error)
            }
            _ => {
                let error = scale_error(crs, &places)?;
                let metres = crs.build()?.to_meter();
                if metres == 1.0 {
                    Self::accepted(Way::Same, crs.to_string(), crs, error)
                } else {
                    let system = format!("{crs}, converted to metres");
                    Self::accepted(Way::Scaled(metres), system, crs, error)
                }
            }
        }
    }

    /// Coordinates of which nothing is known, taken as metres.
    #[must_use]
    pub fn unknown() -> Self {
        Self {
            way: Way::Same,
            system: "the input's own coordinates, taken as metres".to_owned(),
            compute: None,
            scale_error: None,
        }
    }

    fn accepted(way: Way, system: String, compute: &Crs, error: f64) -> Result<Self, CrsError> {
        if error > MAX_SCALE_ERROR {
            return Err(CrsError::TooDistorted { system, error });
        }
        Ok(Self {
            way,
            system,
            compute: Some(compute.clone()),
            scale_error: Some(error),
        })
    }

    /// What coordinates in another system, `crs`, mean on the same ground: that of regions, say,
    /// which may reach far beyond the data. Where nothing says what the data are in, they are in
    /// the same. `extent` is that of the others.
    ///
    /// # Errors
    ///
    /// One of the systems cannot be computed with.
    pub fn of_other(&self, crs: &Crs, extent: &Extent) -> Result<Self, CrsError> {
        let way = match &self.compute {
            None => Way::Same,
            Some(compute) if compute.proj == crs.proj => match crs.build()?.to_meter() {
                1.0 => Way::Same,
                metres => Way::Scaled(metres),
            },
            Some(compute) => Projection::way(crs, compute, extent, true)?,
        };
        Ok(Self {
            way,
            system: self.system.clone(),
            compute: self.compute.clone(),
            scale_error: self.scale_error,
        })
    }

    /// Whether coordinates are metres already, so that they stay as they are, bit for bit.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        matches!(self.way, Way::Same)
    }

    /// Takes coordinates of the input to metres, in place, on all threads.
    ///
    /// # Errors
    ///
    /// The first location that cannot be projected. The others may or may not be in metres by then.
    pub fn to_metres(&self, points: &mut [Point]) -> Result<(), Unprojectable> {
        match &self.way {
            Way::Same => Ok(()),
            Way::Scaled(metres) => {
                for point in points {
                    *point = Point::new(point.x * metres, point.y * metres);
                }
                Ok(())
            }
            Way::Projected(projection) => projection.there.apply_all(points, projection.metres),
        }
    }

    /// Takes a place in metres, such as the centre of a disc, back to the input's system. What lies
    /// beyond the projection comes back as NaN; that cannot happen between the data.
    #[must_use]
    pub fn from_metres(&self, point: Point) -> Point {
        match &self.way {
            Way::Same => point,
            Way::Scaled(metres) => Point::new(point.x / metres, point.y / metres),
            Way::Projected(projection) => {
                let place = projection.back(point);
                Point::new(projection.extent.counted(place.x), place.y)
            }
        }
    }

    /// How many metres one unit of the system of the computation is.
    #[must_use]
    pub fn metres_per_unit(&self) -> f64 {
        match &self.way {
            Way::Same => 1.0,
            Way::Scaled(metres) => *metres,
            Way::Projected(projection) => projection.metres,
        }
    }

    /// What the computation runs in, for people.
    #[must_use]
    pub fn system(&self) -> &str {
        &self.system
    }

    /// The system of the computation, but for its unit. None when nothing says what the coordinates
    /// are.
    #[must_use]
    pub fn compute_crs(&self) -> Option<&Crs> {
        self.compute.as_ref()
    }

    /// The worst relative error of lengths over the extent. None when nothing says what the
    /// coordinates are.
    #[must_use]
    pub fn scale_error(&self) -> Option<f64> {
        self.scale_error
    }
}

/// What a PROJ string says of the shift to other datums.
fn datum(crs: &Crs) -> String {
    if crs.is_web_mercator() {
        return "+towgs84=0,0,0".to_owned();
    }
    let words = crs.proj.split_whitespace();
    let told = words.filter(|word| word.starts_with("+datum=") || word.starts_with("+towgs84="));
    told.collect::<Vec<_>>().join(" ")
}

impl Projection {
    fn way(crs: &Crs, compute: &Crs, extent: &Extent, inexact: bool) -> Result<Way, CrsError> {
        let there = Transformation::new(crs, compute)?;
        let metres = compute.build()?.to_meter();
        let poles = match extent.count() {
            None => Vec::new(),
            Some(_) => poles(compute, metres)?,
        };
        Ok(Way::Projected(Box::new(Self {
            back: there.inverse(),
            there,
            metres,
            extent: extent.clone(),
            degrees: crs.is_geographic(),
            poles,
            inexact,
        })))
    }

    /// In the input's system, but for whole turns.
    pub(super) fn back(&self, point: Point) -> Point {
        let nowhere = Point::new(f64::NAN, f64::NAN);
        let point = Point::new(point.x / self.metres, point.y / self.metres);
        let Ok(mut place) = self.back.apply(point) else {
            return nowhere;
        };
        if self.inexact {
            // What there and back misses here it misses next door too.
            let there_and_back = self.there.apply(place).and_then(|p| self.back.apply(p));
            let Ok(missed) = there_and_back else {
                return nowhere;
            };
            place = Point::new(2.0 * place.x - missed.x, 2.0 * place.y - missed.y);
        }
        place
    }

    pub(super) fn count(&self) -> Option<Count> {
        self.extent.count()
    }

    /// y at the northern pole; Web Mercator goes no further than a square.
    pub(super) fn pole(&self) -> f64 {
        let turn = self
            .extent
            .count()
            .map_or(f64::INFINITY, |count| count.turn);
        if self.degrees { turn / 4.0 } else { turn / 2.0 }
    }
}

/// The places of the poles in a plane, in metres; not those that are infinitely far.
fn poles(plane: &Crs, metres: f64) -> Result<Vec<Point>, CrsError> {
    let proj = plane.build()?;
    let Some(geographic) = geographic(&proj) else {
        return Ok(Vec::new());
    };
    let poles = [FRAC_PI_2, -FRAC_PI_2].into_iter();
    let shown = poles.filter_map(|latitude| project(&geographic, &proj, (0.0, latitude)).ok());
    Ok(shown
        .map(|(x, y)| Point::new(x * metres, y * metres))
        .collect())
}

fn scale_error(crs: &Crs, places: &[Place]) -> Result<f64, CrsError> {
    let outside = || CrsError::Outside {
        system: crs.to_string(),
    };
    let scale = Scale::new(crs.build()?).ok_or_else(outside)?;
    let error = scale.error(places).ok_or_else(outside)?;
    if scale.tears(places) {
        return Err(CrsError::Torn {
            system: crs.to_string(),
        });
    }
    Ok(error)
}

/// Longitudes and latitudes all over an extent.
fn places(crs: &Crs, extent: &Extent) -> Result<Vec<Place>, CrsError> {
    let outside = || CrsError::Outside {
        system: crs.to_string(),
    };
    if !extent.plain().iter().all(|bound| bound.is_finite()) {
        return Err(outside());
    }
    let proj = crs.build()?;
    if proj.is_latlong() {
        let unit = crs.angular_unit();
        check_degrees(crs, extent.plain(), unit)?;
        let meridian = proj.from_greenwich();
        return Ok(grid(extent.continued())
            .map(|(x, y)| (x * unit + meridian, y * unit))
            .collect());
    }
    let inverse = geographic(&proj).ok_or_else(outside)?;
    grid(extent.continued())
        .map(|(x, y)| {
            let (longitude, latitude) = project(&proj, &inverse, (x, y))?;
            // The grid goes on beyond the antimeridian, and so shall the longitudes.
            let beyond = extent
                .count()
                .map_or(0.0, |count| (x / count.turn - longitude / TAU).round());
            Ok((longitude + beyond * TAU, latitude))
        })
        .collect::<Result<_, String>>()
        .map_err(|_| outside())
}

fn check_degrees(crs: &Crs, extent: [f64; 4], unit: f64) -> Result<(), CrsError> {
    // Room for rounding in files that end at the pole.
    let limit = |degrees: f64| degrees.to_radians() / unit * (1.0 + 1e-9);
    let [min_x, min_y, max_x, max_y] = extent;
    let beyond = |min: f64, max: f64, limit: f64| min < -limit || max > limit;
    let system = crs.to_string();
    let swapped = !beyond(min_x, max_x, limit(90.0)) && !beyond(min_y, max_y, limit(360.0));
    if beyond(min_y, max_y, limit(90.0)) && swapped {
        return Err(CrsError::Swapped {
            system,
            min: min_y,
            max: max_y,
        });
    }
    for (axis, min, max, degrees) in [('x', min_x, max_x, 360.0), ('y', min_y, max_y, 90.0)] {
        if beyond(min, max, limit(degrees)) {
            let limit = (degrees.to_radians() / unit).round();
            return Err(CrsError::NotDegrees {
                system,
                axis,
                min,
                max,
                limit,
            });
        }
    }
    Ok(())
}
