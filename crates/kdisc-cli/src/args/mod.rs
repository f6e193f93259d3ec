//! The arguments as typed. Their help teaches by example.
//!
//! What is said of an argument is broken into lines by clap, to the width of the terminal. What stands
//! after the arguments has lists, tables and commands to be copied: it has lines of at most 80 columns,
//! which clap leaves alone.

mod areal;
mod bandwidth;
mod density;
mod files;
mod map;
mod raster;
mod report;
mod risk;
mod rules;
mod surface;
mod unknown;
mod zoom;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand, ValueEnum};
use kdisc::{Anonymity, AnonymityError};
use kdisc_io::crs::Crs;
use kdisc_io::format::Format;

use crate::audience::{Audience, Program};
use crate::outputs::Auditor;

pub use areal::{ArealArgs, DivisionArgs};
pub use bandwidth::BandwidthArgs;
pub use density::DensityArgs;
pub use files::{ConvertArgs, ExampleArgs, Incomplete, InfoArgs};
pub use map::{Colouring, Highlight, MapArgs, MapRunArgs, MapTheme, PageSize};
pub use raster::{RasterArgs, RasterRunArgs, human_bytes};
pub use report::ReportArgs;
pub use risk::{RiskArgs, VerifyArgs};
pub use rules::{RasterRisk, RulesArgs};
pub use surface::SurfaceArgs;
pub use zoom::{Levels, Screen, ZoomArgs, ZoomDelta};

/// How easily could each point on a map be picked out?
///
/// For every unit (a person, an enterprise, a patient) kdisc draws the smallest disc that holds it
/// and at least k units. A large disc means an isolated unit, and so a high risk of disclosure when
/// the map is published.
#[derive(Debug, Parser)]
#[command(name = "kdisc", version, after_help = OVERVIEW, arg_required_else_help = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const OVERVIEW: &str = "\
Examples:
  kdisc risk > out.csv                          measure the built-in example
  kdisc risk towns.csv --k 10 -o out.csv        measure your own points
  kdisc risk towns.csv -o out.csv --summary run.json
  kdisc verify run.json                         repeat that run: the same bytes?
  kdisc risk towns.gpkg -o out.gpkg --discs discs.gpkg
  kdisc zoom towns.gpkg --max-radius 20         how far may a map be zoomed in?
  kdisc areal towns.gpkg --grid 200 --maup      and if the grid were moved?
  kdisc bandwidth towns.gpkg --k 10             how far must a map be smoothed?
  kdisc density towns.gpkg --cell 100 --bandwidth 500 -o map.tif
  kdisc surface towns.gpkg --cell 100 -o risk.tif  how isolated is any place?
  kdisc rules towns.gpkg --value turnover --p 10  do values give one away?
  kdisc map towns.gpkg -o map.png --highlight top:6  a picture of it
  kdisc report towns.gpkg -o report.html --max-radius 500  to go with a release
  kdisc info towns.gpkg                         what is in it?
  kdisc convert towns.csv towns.gpkg --crs EPSG:28992
  kdisc example -o town.csv                     the built-in example as a file

'kdisc risk --help' tells more.";

/// More would only take long to start.
const MOST_THREADS: u16 = 1024;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure every unit: its smallest disc of at least k units, and its risk
    Risk(Box<RiskArgs>),
    /// Look at the map: what is perceived at each zoom level, and which is still safe
    Zoom(Box<ZoomArgs>),
    /// Count units in grid cells or regions, and see what their borders do to the counts
    Areal(Box<ArealArgs>),
    /// Find the bandwidth at which a density map hides everybody among k units
    Bandwidth(Box<BandwidthArgs>),
    /// Draw a density map, and see which of its cells rest on too few units
    Density(Box<DensityArgs>),
    /// Measure every cell of a map, inhabited or not
    Surface(Box<SurfaceArgs>),
    /// Apply the rules of table disclosure to the values in every unit's disc, or in regions
    Rules(Box<RulesArgs>),
    /// Draw a map of the risk: points, cells or a surface, as PNG, SVG or PDF
    Map(Box<MapArgs>),
    /// Make a report to file with a release: verdict, maps, charts and figures in one page
    Report(Box<ReportArgs>),
    /// Repeat a run from its summary and say whether inputs and output are the same
    Verify(VerifyArgs),
    /// Write a table in another format: CSV, Parquet, GeoPackage, GeoJSON, FlatGeobuf, Arrow
    Convert(ConvertArgs),
    /// Show what is in a file, and what kdisc would make of it
    Info(InfoArgs),
    /// Write the built-in example: a made-up town of enterprises
    Example(ExampleArgs),
}

impl Command {
    /// How its run behaves, if it is one that measures.
    pub fn conduct(&mut self) -> Option<&mut ConductArgs> {
        match self {
            Self::Risk(args) => Some(&mut args.run.conduct),
            Self::Zoom(args) => Some(&mut args.run.conduct),
            Self::Areal(args) => Some(&mut args.run.conduct),
            Self::Rules(args) => Some(&mut args.run.conduct),
            Self::Bandwidth(args) => Some(&mut args.run.conduct),
            Self::Density(args) => Some(&mut args.run.conduct),
            Self::Surface(args) => Some(&mut args.run.conduct),
            Self::Map(args) => Some(&mut args.run.conduct),
            Self::Report(args) => Some(&mut args.run.conduct),
            Self::Verify(_) | Self::Convert(_) | Self::Info(_) | Self::Example(_) => None,
        }
    }
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

/// Whose risk is measured, and how they are read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reading")]
pub struct UnitsArgs {
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

    /// Let lines and polygons stand for their centroids
    #[arg(long)]
    pub centroid: bool,

    /// What to do with rows that cannot be used
    #[arg(long, value_enum, default_value = "error", value_name = "WHAT")]
    pub on_invalid: Invalid,
}

/// Where the results go, and how the run behaves.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Writing")]
pub struct RunArgs {
    /// Write the table here instead of to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Format of the output [default: by its name]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<Format>,

    #[command(flatten)]
    pub conduct: ConductArgs,
}

/// How a run behaves.
#[derive(Debug, Clone, Args)]
pub struct ConductArgs {
    /// Write a summary as JSON, which 'kdisc verify' can repeat
    #[arg(long, value_name = "FILE.json")]
    pub summary: Option<PathBuf>,

    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_threads, allow_negative_numbers = true)]
    pub threads: Option<u16>,

    /// No summary, no warnings and no progress on standard error
    #[arg(short, long)]
    pub quiet: bool,

    /// Whether the run leaves nothing behind.
    #[arg(skip)]
    pub rehearsal: bool,

    /// Who gets the summary of a run that is only repeated.
    #[arg(skip)]
    pub auditor: Option<Auditor>,

    /// The program that runs the command, if it is one.
    #[arg(skip)]
    pub program: Option<Arc<Program>>,
}

impl ConductArgs {
    /// Who follows the run.
    pub fn audience(&self) -> Audience {
        let told = !self.quiet && self.auditor.is_none();
        Audience::new(self.quiet, told, self.program.clone())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Invalid {
    /// Stop at the first, without output
    Error,
    /// Go on without them; in a table of the units they stay (in that of risk with status invalid)
    Skip,
}

/// A length in metres, above 0.
fn parse_length(text: &str) -> Result<f64, String> {
    let length = text.parse::<f64>().ok();
    let length = length.filter(|length| *length > 0.0 && length.is_finite());
    length.ok_or_else(|| "give a length in metres, above 0".to_owned())
}

fn parse_threads(text: &str) -> Result<u16, String> {
    let threads = text.parse().ok();
    let threads = threads.filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("give a whole number from 1 to {MOST_THREADS}"))
}

fn parse_k(text: &str) -> Result<u64, String> {
    let k: u64 = text
        .parse()
        .map_err(|_| "give a whole number of units, 1 or more".to_owned())?;
    let asked = Anonymity::new(k).map_err(|error: AnonymityError| error.to_string())?;
    Ok(asked.k())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::Cli;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    /// Examples are there to be copied, also those of more than one line.
    #[test]
    fn examples_can_be_run() {
        let cli = Cli::command();
        let all = std::iter::once(&cli).chain(cli.get_subcommands());
        for help in all.filter_map(clap::Command::get_after_help) {
            let whole = help.to_string().replace(" \\\n      ", " ");
            let examples = whole.lines().filter(|line| line.starts_with("  kdisc "));
            let mut found = 0;
            for example in examples {
                // What it does stands apart; where streams come from and go to is for the shell.
                let typed = example.trim().split("  ").next().unwrap_or_default();
                let typed = typed.split(['<', '>']).next().unwrap_or_default();
                let parsed = Cli::try_parse_from(typed.split_whitespace());
                assert!(parsed.is_ok(), "{typed}: {:?}", parsed.err());
                found += 1;
            }
            assert!(found > 0);
        }
    }
}
