//! The arguments of `kdisc map`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{ArgGroup, Args, ValueEnum};
use kdisc::{Metric, Point};
use kdisc_report::colour::Ramp;

use super::raster::{Extent, parse_extent};
use super::zoom::parse_size;
use super::{ConductArgs, UnitsArgs, ZoomDelta, parse_k, parse_length};

const MAP_HELP: &str = "\
Examples:
  kdisc map towns.gpkg -o map.png
      Every location coloured by the risk of its units: k = 10, delta = inf.
  kdisc map towns.gpkg -o map.pdf --size 180mm --delta 0,inf --highlight top:6
      Point- and cluster-oriented side by side on one scale, with the six most
      isolated units.
  kdisc map towns.csv -o map.svg --k 5,10,50 --color radius \\
      --under districts.gpkg
  kdisc map towns.gpkg -o seen.png --zoom 12
      What is perceived at level 12 of a web map: every dot of its pixels, where
      it is seen.
  kdisc map towns.csv -o cells.png --grid 200 --maup
      Units that share their cell with enough others, or only because of where
      the grid lies.
  kdisc map towns.csv -o surface.png --surface 100
      The risk of anybody who would be at the middle of each square of 100 m.
  kdisc map towns.gpkg -o public.png --public
      For publication: no locations, but cells of at least k units.

What is drawn, one of:
  (nothing)          the locations of the units
  --zoom, --pixel    the dots that a reader sees at a zoom level, by their
                     perceived risk in pixels
  --grid, --hex      the cells of a grid, by the number of units in them; with
                     --maup the units, by whether their cell has --min-count
                     units in every grid, in none, or in some
  --surface          the measure at the middle of squares, everywhere
Several values of --k, --delta, --zoom, --pixel, --grid or --hex make maps side
by side, on one scale and with one legend. Risk does not compare across k, so
several k are coloured by radius.

Colours run from safe to risky, away from the ground: light to dark on a light
map, dark to light on a dark one; riskier dots are larger, too. Breaks are round
numbers, closer together towards the few that stand out. Where dots overlap the
riskiest is on top. Above 20,000 dots or cells these are an image within the
map, so that vector files stay small.

--highlight marks units with a cross and draws their smallest discs: top:N the N
most isolated in the first map, none within the disc of another; a file of
places; or coordinates in the system of the input, X,Y;X,Y.

--public leaves out what points at somebody: locations become cells (of --cell
metres, or of a round size that suits the map) with the median of their units;
cells with fewer than k units are not drawn, in a --grid either; and the extent
is widened to round coordinates. What was left out is written on the map.
Degrees need a system in metres that does not depend on the data
(--compute-crs). Any other map says what it gives away, exact locations mostly:
keep it as safe as the input.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = MAP_HELP)]
#[command(group = ArgGroup::new("subject").args(["zoom", "pixel", "grid", "hex", "surface"]))]
pub struct MapArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Units that a disc must hold; several for several maps
    #[arg(long, value_name = "K,K,...", default_value = "10", value_delimiter = ',', value_parser = parse_k,
          allow_negative_numbers = true)]
    pub k: Vec<u64>,

    /// How far the centre may lie from the unit: 0, a distance, or inf; several for several maps
    ///
    /// With --zoom and --pixel: pixel, overlap, or a number of pixels, as in 'kdisc zoom' [default: pixel].
    #[arg(
        long,
        value_name = "M,M,...",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub delta: Vec<ZoomDelta>,

    /// l2: discs; linf: squares; l1: squares on a corner
    #[arg(long, default_value = "l2")]
    pub metric: Metric,

    /// Colour by risk or by radius [default: risk, or radius with several k]
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["grid", "hex"])]
    pub color: Option<Colouring>,

    /// Levels of a web map: what is perceived there
    #[arg(long, value_name = "LEVEL,...", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..=30))]
    pub zoom: Vec<u8>,

    /// Sizes of pixels in metres: what is perceived there
    #[arg(long, value_name = "M,...", value_delimiter = ',', value_parser = parse_length)]
    pub pixel: Vec<f64>,

    /// Size of a dot at a zoom level, in pixels
    #[arg(long, value_name = "PX", default_value = "1", value_parser = parse_size)]
    pub marker: f64,

    /// Squares with this side, in metres
    #[arg(long, value_name = "M,...", value_delimiter = ',', value_parser = parse_length)]
    pub grid: Vec<f64>,

    /// Hexagons of the area of a square with this side, in metres
    #[arg(long, value_name = "M,...", value_delimiter = ',', value_parser = parse_length)]
    pub hex: Vec<f64>,

    /// Whose verdict depends on where the grid lies
    #[arg(long, conflicts_with_all = ["zoom", "pixel", "surface", "public"])]
    pub maup: bool,

    /// Units that a cell must have to be safe [default: k]
    #[arg(long, value_name = "N", requires = "maup", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_count: Option<u64>,

    /// The measure everywhere, at the middle of squares of this side in metres
    #[arg(long, value_name = "M", value_parser = parse_length)]
    pub surface: Option<f64>,

    /// Mark units and draw their discs: top:N, a file of places, or X,Y;X,Y
    #[arg(long, value_name = "WHICH", allow_hyphen_values = true,
          conflicts_with_all = ["zoom", "pixel", "grid", "hex", "public"])]
    pub highlight: Option<Highlight>,

    /// A layer to draw under the data: regions, coasts, roads
    #[arg(long, value_name = "FILE")]
    pub under: Option<PathBuf>,

    /// Layer of that file, if it has several
    #[arg(long, value_name = "NAME", requires = "under")]
    pub under_layer: Option<String>,

    /// A layer to draw over the data
    #[arg(long, value_name = "FILE")]
    pub over: Option<PathBuf>,

    /// Layer of that file, if it has several
    #[arg(long, value_name = "NAME", requires = "over")]
    pub over_layer: Option<String>,

    /// For publication: no exact locations, no cell with fewer than k units
    #[arg(long, conflicts_with_all = ["zoom", "pixel", "surface"])]
    pub public: bool,

    /// Side of the cells that stand for locations, in metres [default: a round size that suits]
    #[arg(long, value_name = "M", requires = "public", conflicts_with_all = ["grid", "hex"],
          value_parser = parse_length)]
    pub cell: Option<f64>,

    /// Size of the page, in pixels or mm: 1200, 1200x900, 180mm, 180x120mm
    #[arg(
        long,
        value_name = "W[xH][mm]",
        default_value = "1000",
        help_heading = "Looks"
    )]
    pub size: PageSize,

    /// Pixels per inch [default: 96, or 300 for a size in mm]
    #[arg(long, value_name = "DPI", value_parser = clap::value_parser!(u16).range(30..=1200), help_heading = "Looks")]
    pub dpi: Option<u16>,

    /// Light or dark
    #[arg(
        long,
        value_enum,
        default_value = "light",
        value_name = "WHICH",
        help_heading = "Looks"
    )]
    pub theme: MapTheme,

    /// Scale of colours, even to the eye and safe for colour-blind readers
    #[arg(
        long,
        value_enum,
        default_value = "magma",
        value_name = "SCALE",
        help_heading = "Looks"
    )]
    pub palette: Palette,

    /// Where classes of colour end, such as 5,10,20 [default: round numbers that suit the data]
    #[arg(long, value_name = "B,B,...", value_delimiter = ',', value_parser = parse_break, allow_negative_numbers = true,
          conflicts_with_all = ["grid", "hex"], help_heading = "Looks")]
    pub breaks: Vec<f64>,

    /// Show only this part, in the system in which distances are taken
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", value_parser = parse_extent, allow_hyphen_values = true, help_heading = "Looks")]
    pub extent: Option<Extent>,

    /// Write coordinates along the frame
    #[arg(long, help_heading = "Looks")]
    pub axes: bool,

    /// Title [default: what is shown]
    #[arg(long, value_name = "TEXT", help_heading = "Looks")]
    pub title: Option<String>,

    /// Where the data come from [default: the name of the file]
    #[arg(long, value_name = "TEXT", help_heading = "Looks")]
    pub source: Option<String>,

    #[command(flatten)]
    pub units: UnitsArgs,

    #[command(flatten)]
    pub run: MapRunArgs,
}

/// Where a picture goes, and how the run behaves.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Writing")]
pub struct MapRunArgs {
    /// Write the map here: .png, .svg or .pdf
    #[arg(short, long, value_name = "MAP")]
    pub output: PathBuf,

    #[command(flatten)]
    pub conduct: ConductArgs,
}

/// What colours tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colouring {
    /// Radius per unit in the disc
    Risk,
    /// Radius of the disc
    Radius,
}

/// The ground of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MapTheme {
    /// Dark on light
    Light,
    /// Light on dark
    Dark,
}

/// Scales of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Palette {
    /// Pale yellow, red, violet, black
    Magma,
    /// Yellow, green, blue, violet
    Viridis,
    /// Yellow, orange, red, black
    Inferno,
    /// Yellow, grey, blue
    Cividis,
}

impl From<Palette> for Ramp {
    fn from(palette: Palette) -> Self {
        match palette {
            Palette::Magma => Self::Magma,
            Palette::Viridis => Self::Viridis,
            Palette::Inferno => Self::Inferno,
            Palette::Cividis => Self::Cividis,
        }
    }
}

/// The most units that can be marked at once.
const MOST_MARKS: usize = 1000;

/// Which units are marked.
#[derive(Debug, Clone, PartialEq)]
pub enum Highlight {
    /// So many of the most isolated.
    Top(usize),
    /// Those at these coordinates of the input's system.
    At(Vec<Point>),
    /// Those at the places in a file.
    File(PathBuf),
}

impl Highlight {
    /// The file of places, if there is one.
    pub fn file(&mut self) -> Option<&mut PathBuf> {
        match self {
            Self::File(path) => Some(path),
            Self::Top(_) | Self::At(_) => None,
        }
    }
}

impl FromStr for Highlight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("give top:N with N from 1 to {MOST_MARKS}");
        if let Some(number) = text.strip_prefix("top:") {
            let number = number.parse().ok().filter(|n| (1..=MOST_MARKS).contains(n));
            return number.map(Self::Top).ok_or_else(wrong);
        }
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
        let places = text.split(';').map(|pair| {
            let (x, y) = pair.split_once(',')?;
            Some(Point::new(number(x)?, number(y)?))
        });
        let places: Option<Vec<Point>> = places.collect();
        match places {
            Some(places) if places.len() > MOST_MARKS => {
                Err(format!("these are more than {MOST_MARKS} places"))
            }
            Some(places) => Ok(Self::At(places)),
            None if text.is_empty() => Err("give top:N, a file, or X,Y;X,Y".to_owned()),
            None => Ok(Self::File(text.into())),
        }
    }
}

/// Millimetres or pixels of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageSize {
    pub width: f64,
    pub height: Option<f64>,
    pub in_mm: bool,
}

impl FromStr for PageSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let in_mm = text.ends_with("mm");
        let numbers = text.trim_end_matches("mm").trim_end_matches("px");
        let side = |text: &str| parse_size(text.trim_end_matches("mm").trim_end_matches("px")).ok();
        let found = match numbers.split_once(['x', 'X', '×']) {
            None => side(numbers).map(|width| (width, None)),
            Some((width, height)) => side(width).zip(side(height).map(Some)),
        };
        let (width, height) = found.ok_or(
            "give a width, or width and height, in pixels or mm, such as 1200x900 or 180x120mm",
        )?;
        Ok(Self {
            width,
            height,
            in_mm,
        })
    }
}

fn parse_break(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    number
        .filter(|number| *number > 0.0 && number.is_finite())
        .ok_or_else(|| "give numbers above 0, in increasing order, such as 5,10,20".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_pixels_and_millimetres() {
        let size = |text: &str| {
            let size = text.parse::<PageSize>();
            size.map(|size| (size.width, size.height, size.in_mm))
        };
        assert_eq!(size("1200"), Ok((1200.0, None, false)));
        assert_eq!(size("1200x900px"), Ok((1200.0, Some(900.0), false)));
        assert_eq!(size("180x120mm"), Ok((180.0, Some(120.0), true)));
        assert_eq!(size("180mmx120mm"), Ok((180.0, Some(120.0), true)));
        for wrong in ["", "0", "-5", "1200x", "axb", "inf", "nan", "10x10x10"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_highlighted() {
        assert_eq!("top:6".parse(), Ok(Highlight::Top(6)));
        let two = vec![Point::new(1.5, -2.0), Point::new(3.0, 4.0)];
        assert_eq!("1.5,-2; 3,4".parse(), Ok(Highlight::At(two)));
        assert_eq!("a,b.csv".parse(), Ok(Highlight::File("a,b.csv".into())));
        for wrong in ["", "top:", "top:0", "top:1000000"] {
            assert!(wrong.parse::<Highlight>().is_err(), "{wrong}");
        }
    }
}
