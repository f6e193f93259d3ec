//! The arguments of `kdisc zoom`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, Args};
use kdisc::{Delta, Metric};

use super::{RunArgs, UnitsArgs, parse_k};

const ZOOM_HELP: &str = "\
Examples:
  kdisc zoom towns.gpkg --max-radius 20
      Levels 6 to 18 of a web map: which is the most detailed at which every
      unit has k units within a disc of 20 pixels?
  kdisc zoom towns.gpkg --levels 10-16 --max-radius 20 --allow 1% -o levels.csv
  kdisc zoom towns.csv --crs EPSG:28992 --pixel 500,200,100,50 --max-risk-px 2
  kdisc zoom towns.gpkg --levels 14 --units seen.gpkg
      One level: what each unit looks like there.
  kdisc zoom towns.gpkg --screen 1200x800 --marker 6
      All of it on one screen, drawn as dots of six pixels.

A map has pixels. Locations in one pixel are one dot, and their units add up;
the measure is taken on these dots, in pixels. A dot counts when its point lies
in the closed disc. (The paper's formula, taken literally, counts every pixel
that the disc touches, which gives smaller radii: this is the cautious reading.)
Zooming out hides, it does not protect: the intrinsic columns, of the exact
locations, are what somebody finds who has the data behind the map.

Levels, coarse to detailed:
  --levels   of a web map (XYZ). The coordinate system must be known. A pixel is
             counted from the top left of the world; metres per pixel are those
             at the middle latitude of the units.
  --pixel    sizes in metres, in the system in which distances are taken: pixel
             = floor(coordinate / size).
  --screen   the extent of the units, fitted to this many pixels, counted from
             the top left.
With --marker PX dots cover PX pixels: the raster is as much coarser, and two
dots in one of its squares are one. Positions and radii stay in pixels of the
screen.

--delta says how far a disc's centre may lie from the dot: 'pixel' (one dot),
'overlap' (the largest distance between two exact locations that share a pixel;
0 if none do), 0, inf, or a number of pixels.

Output, one row per level:
  level, metres_per_pixel
  locations, max_multiplicity      dots, and the most units in one
  radius_px_median, _p99, _max     over the units, in pixels
  risk_px_max                      pixels per unit
  units_above                      units that exceed a limit; empty without one
  intrinsic_radius_median, _p99, _max, intrinsic_risk_max
                                   of the exact locations, in metres, at the
                                   same k and delta
  delta_px, delta                  the delta of this level, in pixels and in
                                   metres
With --units, every input row, then pixel_x, pixel_y, multiplicity, radius_px,
radius, units, risk_px, status.

Verdict: with --max-radius or --max-risk-px, the most detailed level at which at
most --allow of the units exceed a limit, all coarser ones asked for being safe
too.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = ZOOM_HELP)]
#[command(group = ArgGroup::new("map").args(["levels", "pixel", "screen"]))]
pub struct ZoomArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Levels of a web map: one, or a range [default: 6-18]
    #[arg(long, value_name = "A-B")]
    pub levels: Option<Levels>,

    /// Sizes of pixels, in metres
    #[arg(long, value_name = "M,M,...", value_delimiter = ',', value_parser = parse_size)]
    pub pixel: Vec<f64>,

    /// The extent of the units on a screen of this many pixels
    #[arg(long, value_name = "WxH")]
    pub screen: Option<Screen>,

    /// Pixels of a tile of the web map
    #[arg(long, value_name = "PX", default_value = "256", value_parser = ["256", "512"])]
    pub tile: String,

    /// Pixels of the device for each of the web map, as on sharp screens
    #[arg(long, value_name = "RATIO", default_value = "1", value_parser = parse_size)]
    pub dpr: f64,

    /// Size of a dot on the map, in pixels
    #[arg(long, value_name = "PX", default_value = "1", value_parser = parse_size)]
    pub marker: f64,

    /// Units that a disc must hold
    #[arg(long, default_value = "10", value_parser = parse_k, allow_negative_numbers = true)]
    pub k: u64,

    /// How far the centre may lie from the dot: pixel, overlap, 0, inf, or a number of pixels
    #[arg(
        long,
        default_value = "pixel",
        value_name = "WHAT",
        allow_negative_numbers = true
    )]
    pub delta: ZoomDelta,

    /// l2: discs; linf: squares; l1: squares on a corner
    #[arg(long, default_value = "l2")]
    pub metric: Metric,

    /// A level is safe when no unit needs more than this many pixels
    #[arg(long, value_name = "PX", value_parser = parse_limit, allow_negative_numbers = true)]
    pub max_radius: Option<f64>,

    /// A level is safe when no unit has a higher risk, in pixels per unit
    #[arg(long, value_name = "PX", value_parser = parse_limit, allow_negative_numbers = true)]
    pub max_risk_px: Option<f64>,

    /// Share of the units that may exceed a limit, such as 0.01 or 1%
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share,
          allow_negative_numbers = true)]
    pub allow: f64,

    /// Write every unit with what it looks like, at the one level asked for
    #[arg(long, value_name = "FILE")]
    pub units: Option<PathBuf>,

    /// Put this before the names of the columns that --units adds
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub prefix: String,

    /// Name the coordinates of the units that break a level in the summary on standard error
    #[arg(long)]
    pub show_locations: bool,

    #[command(flatten)]
    pub reading: UnitsArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

/// The most detailed level: beyond it a pixel is a fraction of a millimetre.
const MOST_DETAILED: u8 = 30;

/// Levels of a web map, first to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    pub first: u8,
    pub last: u8,
}

impl FromStr for Levels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let level = |text: &str| -> Result<u8, String> {
            let level = text.trim().parse().ok();
            level
                .filter(|&level| level <= MOST_DETAILED)
                .ok_or_else(|| format!("{text:?} is not a level: give 0 to {MOST_DETAILED}"))
        };
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let levels = Self {
            first: level(first)?,
            last: level(last)?,
        };
        if levels.first > levels.last {
            return Err("give the coarser level first, as in 6-18".to_owned());
        }
        Ok(levels)
    }
}

/// Pixels of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
}

impl FromStr for Screen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.trim().parse().ok().filter(|&side| side > 0);
        let sides = text.split_once(['x', 'X', '×']);
        let sides = sides.and_then(|(w, h)| side(w).zip(side(h)));
        let (width, height) = sides.ok_or("give width and height, as in 1200x800")?;
        Ok(Self { width, height })
    }
}

/// How far a centre may lie from a dot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ZoomDelta {
    /// One dot.
    Pixel,
    /// As far as two locations are apart that share a pixel.
    Overlap,
    /// A number of pixels.
    Pixels(Delta),
}

impl FromStr for ZoomDelta {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "pixel" => Ok(Self::Pixel),
            "overlap" => Ok(Self::Overlap),
            number => number.parse().map(Self::Pixels).map_err(|_| {
                "give pixel, overlap, 0, inf, or a number of pixels, 0 or more".to_owned()
            }),
        }
    }
}

pub(super) fn parse_size(text: &str) -> Result<f64, String> {
    let size = text.trim().parse::<f64>().ok();
    size.filter(|size| *size > 0.0 && size.is_finite())
        .ok_or_else(|| "give a number above 0".to_owned())
}

pub(super) fn parse_limit(text: &str) -> Result<f64, String> {
    let limit = text.trim().parse::<f64>().ok();
    limit
        .filter(|limit| *limit >= 0.0 && limit.is_finite())
        .ok_or_else(|| "give a number, 0 or more".to_owned())
}

pub(super) fn parse_share(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let (number, whole) = match text.strip_suffix('%') {
        Some(percents) => (percents, 100.0),
        None => (text, 1.0),
    };
    let share = number.trim().parse::<f64>().ok();
    share
        .map(|share| share / whole)
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "give a share of the units, such as 0.01 or 1%".to_owned())
}
