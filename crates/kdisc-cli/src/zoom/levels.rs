//! The levels of a map, and the plane in which their pixels lie.

use std::f64::consts::TAU;
use std::fmt;

use kdisc::Point;
use kdisc::zoom::Raster;
use kdisc_io::crs::{Crs, Transformation};

use super::plan::Map;
use crate::args::Screen;
use crate::failure::Refusal;
use crate::register::Register;

/// The radius of the sphere of web maps, in metres.
const EARTH: f64 = 6_378_137.0;
/// The coordinate system of web maps.
pub const WEB: u32 = 3857;

/// A level of a map.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    pub label: Label,
    pub raster: Raster,
    /// On the ground.
    pub metres_per_pixel: f64,
}

/// What a level is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Label {
    Web(u8),
    Metres(f64),
    Screen(Screen),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Web(level) => write!(f, "{level}"),
            Self::Metres(size) => write!(f, "{size}"),
            Self::Screen(Screen { width, height }) => write!(f, "{width}x{height}"),
        }
    }
}

/// The rows in the plane of the pixels.
pub enum Plane {
    /// That in which distances are taken.
    Ground,
    Own(Vec<Point>),
}

/// Where the rows are on a web map, as parts of the world from its top left. Rows are still in the
/// coordinates of the input.
pub fn world(register: &Register) -> anyhow::Result<Vec<Point>> {
    let name = register.table.input.name();
    let Some(crs) = &register.table.crs else {
        return Err(Refusal::new(
            format!("{name}: levels of a web map need a known coordinate system"),
            "say what the coordinates are: --crs EPSG:n; or name sizes in metres: --pixel 100,50,20",
        )
        .into());
    };
    let mut points = register.units.points.clone();
    let web = Transformation::new(crs, &Crs::from_epsg(WEB)?)?;
    let off = |index: usize, problem: &str| {
        Refusal::new(
            format!("{name}, {}: {problem}", register.at_usable(index)),
            "check the coordinate system: --crs EPSG:n; or leave out what is too near to a pole",
        )
    };
    web.apply_all(&mut points, 1.0 / (TAU * EARTH))
        .map_err(|wrong| off(wrong.index, &wrong.problem))?;
    for (index, point) in points.iter_mut().enumerate() {
        let place = Point::new(0.5 + point.x, 0.5 - point.y);
        if !(0.0..1.0).contains(&place.y) {
            let problem = "its latitude is beyond 85.05°, where web maps end";
            return Err(off(index, problem).into());
        }
        // The antimeridian is the left edge of the world.
        *point = Point::new(place.x.rem_euclid(1.0), place.y);
    }
    Ok(points)
}

/// A place that is given as parts of the world from its top left, in the system of web maps.
pub fn from_world(place: Point) -> Point {
    let around = TAU * EARTH;
    Point::new((place.x - 0.5) * around, (0.5 - place.y) * around)
}

/// The levels of a web map with dots of `marker` pixels, on which the rows are `world`.
pub fn of_web(map: &Map, marker: f64, world: &[Point]) -> anyhow::Result<Vec<Level>> {
    let Map::Web {
        levels,
        world: wide,
    } = map
    else {
        return Ok(Vec::new());
    };
    let latitude = |y: f64| (TAU * (0.5 - y)).sinh().atan();
    let (top, bottom) = ends(world.iter().map(|place| place.y));
    let middle = f64::midpoint(latitude(top), latitude(bottom));
    (levels.first..=levels.last)
        .map(|level| {
            let pixels = wide * f64::from(level).exp2();
            Ok(Level {
                label: Label::Web(level),
                raster: Raster::new(1.0 / pixels)?.with_dot(marker)?,
                metres_per_pixel: TAU * EARTH * middle.cos() / pixels,
            })
        })
        .collect()
}

/// The levels of other maps, and their plane. The rows are on the ground.
pub fn on_ground(map: &Map, marker: f64, points: &[Point]) -> anyhow::Result<(Vec<Level>, Plane)> {
    let level = |label, metres: f64| -> anyhow::Result<Level> {
        Ok(Level {
            label,
            raster: Raster::new(metres)?.with_dot(marker)?,
            metres_per_pixel: metres,
        })
    };
    match map {
        Map::Web { .. } => Ok((Vec::new(), Plane::Ground)),
        Map::Metres(sizes) => {
            let levels = sizes.iter().map(|&size| level(Label::Metres(size), size));
            Ok((levels.collect::<Result<_, _>>()?, Plane::Ground))
        }
        &Map::Screen(screen) => {
            let (left, right) = ends(points.iter().map(|point| point.x));
            let (bottom, top) = ends(points.iter().map(|point| point.y));
            let (width, height) = (f64::from(screen.width), f64::from(screen.height));
            let metres = ((right - left) / width).max((top - bottom) / height);
            // All at one place: any size will do.
            let metres = if metres > 0.0 { metres } else { 1.0 };
            // What lies on the far edges is still on the screen.
            let last = |pixels: f64| (pixels * metres).next_down();
            let place = |p: &Point| {
                Point::new((p.x - left).min(last(width)), (top - p.y).min(last(height)))
            };
            let plane = points.iter().map(place).collect();
            let levels = vec![level(Label::Screen(screen), metres)?];
            Ok((levels, Plane::Own(plane)))
        }
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}
