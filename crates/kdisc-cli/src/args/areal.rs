//! The arguments of `kdisc areal`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use kdisc::areal::Edges;
use kdisc::{Delta, Point};

use super::{RunArgs, UnitsArgs, parse_k};

const AREAL_HELP: &str = "\
Examples:
  kdisc areal towns.csv --grid 200 -o cells.csv
      Squares of 200 m: how many units share one.
  kdisc areal towns.gpkg --grid 200 --min-count 5 -o cells.gpkg \\
      --units units.gpkg
      Are there at least 5 in each? The cells as polygons, and every unit with
      its cell.
  kdisc areal towns.gpkg --regions districts.gpkg --region-id code \\
      -o districts.csv
      Polygons from a file, all of them, also where nobody is.
  kdisc areal towns.gpkg --regions districts.gpkg --k 10 --max-radius 500 \\
      -o choropleth.gpkg
      With the radius of the units' own discs in each district.
  kdisc areal towns.csv --grid 200 --min-count 5 --maup -o cells.csv
      Move the grid in 16 x 16 steps, make its cells hexagons, halve and double
      them: how many units pass only because of where the lines are?

The areal risk of a region is 1 / (units in it), 0 where nobody is. It belongs
to the region: move its border and it changes, though nobody has moved (the
modifiable areal unit problem). The radius that 'kdisc risk' measures belongs to
the unit and stays put.

Regions:
  --grid M   squares with this side in metres; the origin is a corner
  --hex M    hexagons of the area of such a square, with level top and bottom;
             the origin is a centre
  --regions  polygons, which may have holes and several parts. They must not
             cross themselves, and no unit may lie in two. If they are in
             another coordinate system, the units are taken there: borders are
             straight between their corners in the system of their own file.
A cell owns its west and south edges (--edges north-west: west and north, as
rasters of R), and a polygon its west and south borders, so that everybody is
counted once; a unit on a border that has no region on its other side is counted
too.

Grids are laid in the system of the input, or that of --compute-crs, in metres;
degrees need one. In EPSG:3035, from origin 0,0 and in the usual sizes, cells
are named as INSPIRE does: 1kmN2599E4695; other cells by column and row.

Output, one row per cell with units, or per polygon:
  region              its name
  x, y                south-west corner of a square, centre of a hexagon,
                      centroid of a polygon
  count               units in it
  area, density       square metres, and units per square metre
  areal_risk          1 / count
  enough              whether count is at least --min-count, or 0
  radius_max, radius_mean, units_above
                      of the discs of its units, with --k, --delta, --max-radius
                      or --maup; units_above counts those above --max-radius, or
                      without a disc, and is empty without --max-radius
Formats of geometries get the polygons. With --units, every input row, then
region, count, area, density, areal_risk, and where asked enough, radius, and
with --maup count_min, count_max, areal_risk_min, areal_risk_max, flips.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = AREAL_HELP)]
#[command(group = ArgGroup::new("division").args(["grid", "hex", "regions"]).required(true))]
pub struct ArealArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    #[command(flatten)]
    pub division: DivisionArgs,

    /// Units that a region must have to be safe [default with --maup: k]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_count: Option<u64>,

    /// Move, reshape and resize the grid, and see how areal risk changes
    #[arg(long, conflicts_with = "regions")]
    pub maup: bool,

    /// Steps in which the grid moves along each side
    #[arg(long, value_name = "S", default_value = "16", requires = "maup",
          value_parser = clap::value_parser!(u32).range(1..=256))]
    pub shifts: u32,

    /// Measure the units too: their smallest discs with this many [default: 10]
    #[arg(long, value_parser = parse_k, allow_negative_numbers = true)]
    pub k: Option<u64>,

    /// How far the centre of a disc may lie from the unit: 0, a distance, or inf [default: inf]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    pub delta: Option<Delta>,

    /// Radius, in metres, above which units count as too isolated
    #[arg(long, value_name = "METRES", value_parser = parse_radius, allow_negative_numbers = true)]
    pub max_radius: Option<f64>,

    /// Write every unit too, with its region
    #[arg(long, value_name = "FILE")]
    pub units: Option<PathBuf>,

    /// Put this before the names of the columns that are added to units
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub prefix: String,

    #[command(flatten)]
    pub reading: UnitsArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

/// What the plane is divided into.
#[derive(Debug, Clone, Args)]
pub struct DivisionArgs {
    /// Squares with this side, in metres
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub grid: Option<f64>,

    /// Hexagons of the area of a square with this side, in metres
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub hex: Option<f64>,

    /// Polygons from this file
    #[arg(long, value_name = "FILE")]
    pub regions: Option<PathBuf>,

    /// Column with the names of the polygons [default: the numbers of their rows]
    #[arg(long, value_name = "COL", requires = "regions")]
    pub region_id: Option<String>,

    /// Layer of the polygons, if there are several
    #[arg(long, value_name = "NAME", requires = "regions")]
    pub regions_layer: Option<String>,

    /// Where the grid begins [default: 0,0]
    #[arg(long, value_name = "X,Y", value_parser = parse_origin, conflicts_with = "regions",
          allow_hyphen_values = true)]
    pub origin: Option<Point>,

    /// Which edges belong to a cell
    #[arg(long, value_enum, value_name = "WHICH", conflicts_with = "regions")]
    pub edges: Option<CellEdges>,
}

/// Which edges belong to a cell, of those that it shares.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum CellEdges {
    /// West and south, as in INSPIRE's grids
    SouthWest,
    /// West and north, as in rasters of R
    NorthWest,
}

impl From<CellEdges> for Edges {
    fn from(edges: CellEdges) -> Self {
        match edges {
            CellEdges::SouthWest => Self::SouthWest,
            CellEdges::NorthWest => Self::NorthWest,
        }
    }
}

fn parse_origin(text: &str) -> Result<Point, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    let found = text.split_once(',');
    let found = found.and_then(|(x, y)| Some(Point::new(number(x)?, number(y)?)));
    found.ok_or_else(|| "give two numbers with a comma between them, such as 0,0".to_owned())
}

fn parse_radius(text: &str) -> Result<f64, String> {
    let radius = text.parse::<f64>().ok();
    let radius = radius.filter(|radius| *radius >= 0.0 && radius.is_finite());
    radius.ok_or_else(|| "give a distance in metres, 0 or more".to_owned())
}
