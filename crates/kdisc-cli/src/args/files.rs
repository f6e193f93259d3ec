//! The arguments of the commands that only pass files on: convert, info, example.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kdisc::example;
use kdisc_io::format::Format;
use kdisc_io::units::OnInvalid;

use super::ReadingArgs;

const CONVERT_HELP: &str = "\
Examples:
  kdisc convert towns.csv towns.gpkg --crs EPSG:28992
  kdisc convert towns.gpkg towns.parquet --layer enterprises
  kdisc convert towns.shp towns.fgb

Columns keep their names, order, types and missing values, and coordinates stay
as they are. A CSV file gets types from its values: whole numbers, numbers, TRUE
and FALSE, dates, times; whatever could be a code, such as 0031, stays text.
Formats of geometries get points from its coordinates.";

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
    /// of fields than the header has
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    pub on_invalid: Incomplete,

    /// No progress and no last word on standard error
    #[arg(short, long)]
    pub quiet: bool,
}

/// What becomes of a row that lacks something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Incomplete {
    /// Stop at the first, without output
    Error,
    /// Keep it, without what it lacks
    Skip,
}

impl From<Incomplete> for OnInvalid {
    fn from(incomplete: Incomplete) -> Self {
        match incomplete {
            Incomplete::Error => Self::Error,
            Incomplete::Skip => Self::Skip,
        }
    }
}

const INFO_HELP: &str = "\
Examples:
  kdisc info towns.gpkg
  kdisc info towns.gpkg --layer enterprises
  kdisc info towns.csv --x col --y row

It shows layers, columns with their types, rows, extent, coordinate system, how
many rows share a location, and which columns kdisc would use as x and y.";

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
  kdisc example --units 1000000 -o country.csv
      More towns, at the same densities.

Columns: x, y (whole metres, EPSG:28992), production (skewed), fined (rare; TRUE
or FALSE). Everything in it is made up. The same units and seed give the same
bytes.";

/// More would not fit into the memory of most machines.
const MOST_UNITS: u32 = 100_000_000;

fn parse_units(text: &str) -> Result<u32, String> {
    let units = text.parse().ok();
    let units = units.filter(|units| (1..=MOST_UNITS).contains(units));
    units.ok_or_else(|| format!("give a whole number from 1 to {MOST_UNITS}"))
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE_HELP)]
pub struct ExampleArgs {
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Number of enterprises
    #[arg(long, value_name = "N", default_value_t = example::UNITS as u32,
          value_parser = parse_units, allow_negative_numbers = true)]
    pub units: u32,

    /// Seed of the generator
    #[arg(long, value_name = "S", default_value_t = example::SEED, allow_negative_numbers = true)]
    pub seed: u64,
}
