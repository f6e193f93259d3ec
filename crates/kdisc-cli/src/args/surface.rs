//! The arguments of `kdisc surface`.

use std::path::PathBuf;

use clap::Args;
use kdisc::{Delta, Metric};

use super::{RasterArgs, RasterRunArgs, UnitsArgs, parse_k};

const SURFACE_HELP: &str = "\
Examples:
  kdisc surface towns.csv --cell 100 -o risk.tif
      How large would the disc of a newcomer be, wherever he settles?
  kdisc surface towns.csv --cell 100 --k 5 --delta 0 \\
      --extent 120000,480000,130000,490000 -o risk.tif

The measure is that of 'kdisc risk', of a place at the centre of each cell,
which counts for no unit itself. The map, a GeoTIFF with bands of doubles, rows
from north to south:
  radius   of the smallest disc with at least k units, in metres
  risk     radius / units in the disc, in metres per unit
Both are nan when there are fewer than k units in all.

The map covers the units, or --extent. It is in the system in which distances
are taken, which the summary names: the input's if that is metric, else
--compute-crs, else one fitted to the data. Exact locations can be worked out
from it: keep it as safe as the input.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = SURFACE_HELP)]
pub struct SurfaceArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Units that a disc must hold
    #[arg(long, default_value = "10", value_parser = parse_k, allow_negative_numbers = true)]
    pub k: u64,

    /// How far the centre may lie from the place: 0, a distance, or inf
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
    pub raster: RasterArgs,

    #[command(flatten)]
    pub units: UnitsArgs,

    #[command(flatten)]
    pub run: RasterRunArgs,
}
