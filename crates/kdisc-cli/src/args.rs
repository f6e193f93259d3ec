//! The arguments as typed. Their help teaches by example.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kdisc::{Anonymity, AnonymityError, Delta, Metric, example};
use kdisc_io::crs::Crs;
use kdisc_io::format::Format;

/// How easily could each point on a map be picked out?
///
/// For every unit (a person, an enterprise, a patient) kdisc draws the smallest disc that holds it
/// and at least k units. A large disc means an isolated unit, and so a high risk of disclosure when
/// the map is published.
#[derive(Debug, Parser)]
#[command(version, after_help = OVERVIEW, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const OVERVIEW: &str = "\
Examples:
  kdisc risk > out.csv                          measure the built-in example
  kdisc risk towns.csv --k 10 -o out.csv        measure your own points
  kdisc risk towns.csv -o out.csv --summary run.json
  kdisc verify run.json                         repeat that run: same to the byte?
  kdisc risk towns.gpkg -o out.gpkg --discs discs.gpkg
  kdisc info towns.gpkg                         what is in it?
  kdisc convert towns.csv towns.gpkg --crs EPSG:28992
  kdisc example -o town.csv                     the built-in example as a file

'kdisc risk --help' tells more.";

/// More would only take long to start.
const MOST_THREADS: i64 = 1024;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure every unit: its smallest disc of at least k units, and its risk
    Risk(Box<RiskArgs>),
    /// Repeat a run from its summary and say whether inputs and output are the same
    Verify(VerifyArgs),
    /// Write a table in another format: CSV, Parquet, GeoPackage, GeoJSON, FlatGeobuf, Arrow
    Convert(ConvertArgs),
    /// Show what is in a file, and what kdisc would make of it
    Info(InfoArgs),
    /// Write the built-in example: a made-up town of enterprises
    Example(ExampleArgs),
}

/// How an input is to be read, where it does not say itself.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading")]
pub struct ReadingArgs {
    /// Format of the input [default: by its name and content]
    ///
    /// csv, parquet, geoparquet, gpkg, geojson, geojsonl, fgb, shp or arrow.
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,

    /// Layer of the input, if it has several
    #[arg(long, value_name = "NAME")]
    pub layer: Option<String>,

    /// Coordinate system of the input, when the file does not say (or says it wrong)
    ///
    /// A code such as EPSG:28992, a PROJ string, or WKT. x is always east or longitude. Places that
    /// say themselves what they are in are left alone.
    #[arg(long, value_name = "EPSG:n", value_parser = parse_crs)]
    pub crs: Option<Crs>,

    /// Column of the x coordinate (east), when its name is not a usual one
    #[arg(long, value_name = "COL", requires = "y")]
    pub x: Option<String>,

    /// Column of the y coordinate (north)
    #[arg(long, value_name = "COL", requires = "x")]
    pub y: Option<String>,
}

fn parse_crs(text: &str) -> Result<Crs, String> {
    Crs::parse(text).map_err(|error| error.to_string())
}

const RISK_HELP: &str = "\
Examples:
  kdisc risk towns.csv -o out.csv
      k = 10 and delta = inf; columns x and y (or easting and northing, ...) are found by name.
  kdisc risk towns.gpkg --layer enterprises -o out.gpkg --discs discs.gpkg
      Points and answers for QGIS, and the discs themselves.
  kdisc risk towns.csv --crs EPSG:28992 -o out.parquet
  kdisc risk towns.csv --k 5 --delta 0 -o out.csv
      Discs centred on each unit: the attacker knows its exact location.
  kdisc risk towns.csv --only fined=TRUE -o out.csv
      Measure the rows that say TRUE under 'fined'. All rows count towards k.
  kdisc risk cells.csv --x col --y row --weight persons -o out.csv
      Each row stands for that many units, as in a table of grid cells.
  kdisc risk towns.csv --at places.csv -o out.csv
      One answer for each place in places.csv, among the units in towns.csv.
  kdisc risk buildings.gpkg --centroid -o out.gpkg
      Polygons stand for their centroids.

Formats, by name and content: CSV and TSV (also .gz, .zst), Parquet, GeoParquet, GeoPackage, GeoJSON
(also one feature per line), FlatGeobuf, Arrow; Shapefile (also zipped) is read only. In CSV the
separator is found from the header; decimal commas are read, and written, where the comma does not
separate. What is called .tsv is written with tabs. GeoPackage has times to the millisecond only.

Places: the geometries of the layer, or two columns. Without --x and --y the first of these pairs is
taken, whatever the case and punctuation: x y, x_coord y_coord, x_coordinate y_coordinate, coord_x
coord_y, point_x point_y, easting northing, east north, e n, rd_x rd_y, x_rd y_rd, utm_x utm_y,
x_utm y_utm, utm_e utm_n; then lon lat, longitude latitude and their kin, which are degrees (WGS 84).

Coordinate system: from the file, or --crs. Distances are metres on the ground: degrees and Web
Mercator are projected to a system fitted to the data, feet are converted. The summary names the
system and how far lengths are off at worst. Centres are in the input's system, longitudes counted
as the input counts them (to 180 or 360). Where nothing says what the numbers are, they are taken as
metres.

Output: every input row as it stood, then
  multiplicity        units at its location
  radius              of its disc, 0 when k units share the location
  units               all units in the disc, at least k
  risk                radius / units: a length per unit, not a probability
  center_x, center_y  the centre of the disc
  status              ok, no_disc (fewer than k units in all), not_measured, invalid
Radius and risk are in metres (per unit). The output holds exact locations: keep it as safe as the input.

Errors and the summary say on which line of the input (of PLACES.csv with --at) something stands:
line 1 is the first of the file, as in an editor. The summary adds the row: row 1 is the first below
the header, as in R and QGIS.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = RISK_HELP)]
pub struct RiskArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Units that a disc must hold
    #[arg(long, default_value = "10", value_parser = parse_k, allow_negative_numbers = true)]
    pub k: u64,

    /// How far the centre may lie from the unit: 0, a distance, or inf
    ///
    /// What an attacker knows: at 0 the exact location of the unit, at inf nothing of its
    /// surroundings. inf gives the smallest radius; the summary shows 0 beside it.
    #[arg(
        long,
        default_value = "inf",
        value_name = "METRES",
        allow_negative_numbers = true
    )]
    pub delta: Delta,

    /// l2: discs; linf: squares; l1: squares on a corner
    #[arg(long, default_value = "l2")]
    pub metric: Metric,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Coordinate system in which distances are taken [default: the input's, if it is metric]
    ///
    /// Degrees and Web Mercator are otherwise projected to a system fitted to the data.
    #[arg(long, value_name = "EPSG:n", value_parser = parse_crs)]
    pub compute_crs: Option<Crs>,

    /// Column that says how many units a row stands for (0: measured, never counted)
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,

    /// Measure only the rows with this value in this column (the same number, TRUE or FALSE in any
    /// case, or exactly this text); all rows count towards k
    #[arg(long, value_name = "COL=VALUE", conflicts_with = "at")]
    pub only: Option<String>,

    /// Measure these places instead of the units: one output row per place
    #[arg(long, value_name = "PLACES")]
    pub at: Option<PathBuf>,

    /// Layer of the places, if there are several
    #[arg(long, value_name = "NAME", requires = "at")]
    pub at_layer: Option<String>,

    /// Let lines and polygons stand for their centroids
    #[arg(long)]
    pub centroid: bool,

    /// What to do with rows that cannot be used
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    pub on_invalid: Invalid,

    /// Put this before the names of the added columns
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub prefix: String,

    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,

    /// Write the table here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Format of the output [default: by its name]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,

    /// Write the discs too: each distinct one as a polygon round it, with the units it serves
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    pub discs: Option<PathBuf>,

    /// Write a summary as JSON, which 'kdisc verify' can repeat
    #[arg(long, value_name = "FILE.json")]
    pub summary: Option<PathBuf>,

    /// Name the coordinates of the most isolated rows in the summary on standard error
    #[arg(long)]
    pub show_locations: bool,

    /// No summary, no warnings and no progress on standard error
    #[arg(short, long)]
    pub quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Invalid {
    /// Stop at the first, without output
    Error,
    /// Leave them out; they stay in the output (of risk with status invalid)
    Skip,
}

fn parse_k(text: &str) -> Result<u64, String> {
    let k: u64 = text
        .parse()
        .map_err(|_| "give a whole number of units, 1 or more".to_owned())?;
    let asked = Anonymity::new(k).map_err(|error: AnonymityError| error.to_string())?;
    Ok(asked.k())
}

const VERIFY_HELP: &str = "\
Example:
  kdisc risk towns.csv -o out.csv --summary run.json
  kdisc verify run.json

Files are looked for where the summary says, then beside the summary. They are compared with
the recorded SHA-256 first; then the run is repeated and its output compared. Nothing is written.

Exit code: 0 the same, 1 something differs, 2 the run cannot be repeated.";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub struct VerifyArgs {
    /// Summary written by 'kdisc risk --summary'
    pub summary: PathBuf,

    /// Threads to use [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    pub threads: Option<u16>,
}

const CONVERT_HELP: &str = "\
Examples:
  kdisc convert towns.csv towns.gpkg --crs EPSG:28992
  kdisc convert towns.gpkg towns.parquet --layer enterprises
  kdisc convert towns.shp towns.fgb

Columns keep their names, order, types and missing values, and coordinates stay as they are. A CSV
file gets types from its values: whole numbers, numbers, TRUE and FALSE, dates, times; whatever
could be a code, such as 0031, stays text. Formats of geometries get points from its coordinates.";

#[derive(Debug, Args)]
#[command(after_help = CONVERT_HELP)]
pub struct ConvertArgs {
    /// File to read; '-' is standard input
    pub input: PathBuf,

    /// File to write
    pub output: PathBuf,

    #[command(flatten)]
    pub reading: ReadingArgs,

    /// Format of the output [default: by its name]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,

    /// What to do with rows that cannot be used: coordinates that are none, or in CSV another number
    /// of fields than the header has; skip keeps such a row, without what it lacks
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    pub on_invalid: Invalid,

    /// No progress on standard error
    #[arg(short, long)]
    pub quiet: bool,
}

const INFO_HELP: &str = "\
Examples:
  kdisc info towns.gpkg
  kdisc info towns.gpkg --layer enterprises
  kdisc info towns.csv --x col --y row

It shows layers, columns with their types, rows, extent, coordinate system, how many rows share a
location, and which columns kdisc would use as x and y.";

#[derive(Debug, Args)]
#[command(after_help = INFO_HELP)]
pub struct InfoArgs {
    /// File to look into; '-' is standard input
    pub input: PathBuf,

    #[command(flatten)]
    pub reading: ReadingArgs,
}

const EXAMPLE_HELP: &str = "\
Examples:
  kdisc example -o town.csv
  kdisc example --units 1000000 -o country.csv     more towns, at the same densities

Columns: x, y (whole metres, EPSG:28992), production (skewed), fined (rare; TRUE or FALSE).
Everything in it is made up. The same units and seed give the same bytes.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE_HELP)]
pub struct ExampleArgs {
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Number of enterprises
    #[arg(long, value_name = "N", default_value_t = example::UNITS as u32,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub units: u32,

    /// Seed of the generator
    #[arg(long, value_name = "S", default_value_t = example::SEED)]
    pub seed: u64,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        super::Cli::command().debug_assert();
    }
}
