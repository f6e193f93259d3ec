//! The arguments of `kdisc bandwidth`.

use std::path::PathBuf;

use clap::Args;
use kdisc::density::Kernel;

use super::{RunArgs, UnitsArgs, parse_k, parse_length};

const BANDWIDTH_HELP: &str = "\
Examples:
  kdisc bandwidth towns.csv --k 10
      How far must a map be smoothed for 50%, 90%, ... 100% of the units to be
      among 10?
  kdisc bandwidth towns.csv --k 10 --shares 0.95,1 --kernel quartic -o curve.csv
  kdisc bandwidth towns.gpkg --k 10 --cell 100 --units units.gpkg
      The adaptive bandwidth of every unit, at least one cell of 100 m.

A unit has k units within reach of a bandwidth when the disc of that radius
round it holds k. Reach is the radius of a kernel; for the Gaussian it is the
standard deviation, within which most of a unit goes.

Output, one row per share:
  share      of the units
  bandwidth  the smallest at which at least that share has k units within reach,
             in metres; empty if none does, as there are fewer than k units in
             all
  units      that have, at that bandwidth
Beside it the summary shows Scott's rule of thumb, the usual choice: the
standard deviation of the units times n^(-1/6), for each axis, and how many
units have fewer than k within that ellipse. For other kernels than the Gaussian
it is the radius at which the kernel is as wide.

With --units, every input row, then
  bandwidth  the radius of the disc round it that holds k, but at least
             --min-bandwidth; empty if there is none

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = BANDWIDTH_HELP)]
pub struct BandwidthArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Units that are to be within reach
    #[arg(long, default_value = "10", value_parser = parse_k, allow_negative_numbers = true)]
    pub k: u64,

    /// Shares of the units, separated by commas
    #[arg(long, value_name = "SHARES", value_delimiter = ',', value_parser = parse_share,
          default_value = "0.5,0.75,0.9,0.95,0.99,0.999,1", allow_negative_numbers = true)]
    pub shares: Vec<f64>,

    /// For which Scott's rule is taken: gaussian, uniform, quartic or epanechnikov
    #[arg(long, default_value = "gaussian")]
    pub kernel: Kernel,

    /// Side of the cells that the map will have, in metres
    #[arg(long, value_name = "M", value_parser = parse_length, allow_negative_numbers = true)]
    pub cell: Option<f64>,

    /// The least adaptive bandwidth, in metres [default: one cell]
    #[arg(long, value_name = "M", value_parser = parse_length, allow_negative_numbers = true)]
    pub min_bandwidth: Option<f64>,

    /// Write every unit too, with its adaptive bandwidth
    #[arg(long, value_name = "FILE")]
    pub units: Option<PathBuf>,

    /// Put this before the name of the column that is added to units
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

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.trim().parse::<f64>().ok();
    let share = share.filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "give shares above 0 and up to 1, such as 0.9,0.99,1".to_owned())
}
