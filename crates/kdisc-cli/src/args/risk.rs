//! The arguments of `kdisc risk`, and of `kdisc verify`, which repeats it.

use std::path::PathBuf;

use clap::Args;
use kdisc::{Delta, Metric};

use super::{RunArgs, UnitsArgs, parse_k, parse_threads};

const RISK_HELP: &str = "\
Examples:
  kdisc risk towns.csv -o out.csv
      k = 10 and delta = inf; columns x and y (or easting and northing, ...) are
      found by name.
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
  kdisc risk towns.csv --within district -o out.csv
      Only units with the same text under 'district' count: a table by district
      gives that away.
  kdisc risk towns.gpkg --regions districts.gpkg --enclosed -o out.gpkg
      Only units in the same polygon count, and the disc itself must lie in it.

Formats, by name and content: CSV and TSV (also .gz, .zst), Parquet, GeoParquet,
GeoPackage, GeoJSON (also one feature per line), FlatGeobuf, Arrow; Shapefile
(also zipped) is read only. In CSV the separator is found from the header;
decimal commas are read, and written, where the comma does not separate. What is
called .tsv is written with tabs. GeoPackage has times to the millisecond only.

Places: the geometries of the layer, or two columns. Without --x and --y the
first of these pairs is taken, whatever the case and punctuation: x y, x_coord
y_coord, x_coordinate y_coordinate, coord_x coord_y, point_x point_y, easting
northing, east north, e n, rd_x rd_y, x_rd y_rd, utm_x utm_y, x_utm y_utm, utm_e
utm_n, gk_x gk_y, rechtswert hochwert; then lon lat, longitude latitude and
their kin, which are degrees (WGS 84).

Coordinate system: from the file, or --crs. Distances are metres on the ground:
degrees and Web Mercator are projected to a system fitted to the data, feet are
converted. The summary names the system and how far lengths are off at worst.
Centres are in the input's system, longitudes counted as the input counts them
(to 180 or 360). Where nothing says what the numbers are, they are taken as
metres.

Output: every input row as it stood, then
  multiplicity        units at its location
  radius              of its disc, 0 when k units share the location
  units               all units in the disc, at least k
  risk                radius / units: a length per unit, not a probability
  center_x, center_y  the centre of the disc
  status              ok, no_disc (fewer than k units in all, or in the region),
                      not_enclosed (none lies inside the region), outside (of
                      all regions), not_measured, invalid
Radius and risk are in metres (per unit). The output holds exact locations: keep
it as safe as the input.

Errors and the summary say on which line of the input (of PLACES.csv with --at)
something stands: line 1 is the first of the file, as in an editor. The summary
adds the row: row 1 is the first below the header, as in R and QGIS.

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

    /// Measure only the rows with this value in this column (the same number, TRUE or FALSE in any
    /// case, or exactly this text); all rows count towards k
    #[arg(long, value_name = "COL=VALUE", conflicts_with = "at")]
    pub only: Option<String>,

    /// Measure these places instead of the units: one output row per place
    ///
    /// --x and --y are for both files, where the places have such columns; else theirs are found by
    /// their usual names.
    #[arg(long, value_name = "PLACES")]
    pub at: Option<PathBuf>,

    /// Layer of the places, if there are several
    #[arg(long, value_name = "NAME", requires = "at")]
    pub at_layer: Option<String>,

    /// Count only units with the same text in this column
    #[arg(long, value_name = "COL", conflicts_with_all = ["regions", "at"])]
    pub within: Option<String>,

    /// Count only units in the same polygon of this file
    ///
    /// A unit on a border belongs to one of its sides. Units in no polygon have no disc. Where the
    /// coordinate systems differ, units are looked up in that of the polygons.
    #[arg(long, value_name = "FILE")]
    pub regions: Option<PathBuf>,

    /// Column with the names of the polygons, for messages [default: their rows]
    #[arg(long, value_name = "COL", requires = "regions")]
    pub region_id: Option<String>,

    /// Layer of the polygons, if there are several
    #[arg(long, value_name = "NAME", requires = "regions")]
    pub regions_layer: Option<String>,

    /// The disc must lie inside the polygon, too (metric l2, delta 0 or inf)
    ///
    /// It may touch the border. A polygon of several parts: it lies in one of them.
    #[arg(long, requires = "regions")]
    pub enclosed: bool,

    /// Put this before the names of the added columns
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub prefix: String,

    /// Write the discs too: each distinct one as a polygon round it, with the units it serves
    #[arg(long, value_name = "FILE", conflicts_with = "at")]
    pub discs: Option<PathBuf>,

    /// Name the coordinates of the most isolated rows in the summary on standard error
    #[arg(long)]
    pub show_locations: bool,

    #[command(flatten)]
    pub units: UnitsArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

const VERIFY_HELP: &str = "\
Example:
  kdisc risk towns.csv -o out.csv --summary run.json
  kdisc verify run.json
  kdisc verify run.json < towns.csv     where the run read standard input

Files are looked for where the summary says, then beside the summary. They are
compared with the recorded SHA-256 first; then the run is repeated, and its
output and every figure of its summary are compared. What may differ: where the
files are, what is said in warnings, how long it takes and on how many threads.
Nothing is written.

Exit code: 0 the same, 1 something differs, 2 the run cannot be repeated.";

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
pub struct VerifyArgs {
    /// Summary of a run, as any command writes it with --summary; or the JSON beside a report
    pub summary: PathBuf,

    /// Threads to use [default: all cores]; the result does not depend on it
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,
}
