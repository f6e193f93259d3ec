//! The arguments of `kdisc report`.

use std::path::PathBuf;

use clap::Args;
use kdisc::{Delta, Metric};

use super::rules::parse_dominance;
use super::zoom::{parse_limit, parse_share};
use super::{ConductArgs, Levels, UnitsArgs, parse_k, parse_length};

const REPORT_HELP: &str = "\
Examples:
  kdisc report towns.gpkg -o report.html
      Everything there is to say, but no verdict: nobody said what is safe.
  kdisc report towns.gpkg -o report.html --max-radius 500 --allow 1%
      Safe when at most 1 % of the units need a disc of more than 500 m for 10
      units.
  kdisc report towns.gpkg -o report.html --max-radius 500 --min-count 10 \\
      --grid 500 --fail-on-unsafe
      In a pipeline: exit code 3 when it is not safe.
  kdisc report towns.gpkg -o report.html --value turnover --p 10 \\
      --max-radius-px 20
      With the p%-rule on values, and how far a web map may be zoomed in.
  kdisc report towns.gpkg -o public.html --max-radius 500 --public
      To go with a release: nothing in it points at a unit.
  kdisc verify report.json
      Repeat the report: the same to the byte?

The report is one HTML file that needs no network, and a JSON file of the same
name beside it (.json) with every figure shown. It holds what these commands
say, each of which it names so that it can be repeated:
  risk     the smallest disc of every unit, as asked and at delta = 0; how many
           exceed the limits
  map      point- and cluster-oriented, with the most isolated units
  risk     at other k and delta: of all units, or of a random sample of 20,000
           if there are more
  zoom     what a web map shows at its levels, and the most detailed that is
           safe
  areal    units in the cells of a grid, and what moving, reshaping and resizing
           it does
  rules    with --value or --category

Limits: a unit exceeds one when its disc is larger (--max-radius) or its risk
higher (--max-risk), or when its cell of the grid has too few units (--min-
count); the report names the cells, also where kdisc chose them. Rules given by
--p or --dominance are limits as well, together with that on --category: a unit
exceeds them when its disc breaks one. A unit without a disc exceeds every
limit. The data are safe when at most --allow of the units exceed any limit,
each unit counted once. The limits in pixels are for zoom levels alone. Without
limits there is no verdict.

--public leaves out whatever points at a unit: rows, locations, the exact
extent, maxima, percentiles beyond which there are fewer than k units, and
counts below k or of all but a few; counts from which one below k could be
worked out within the report; folders and the fingerprint of the input, too. It
cannot protect against what is published elsewhere: another report on the same
or nearly the same units may differ by a few. Any other report is as
confidential as the input.

Exit code: 0 done, 2 the input or the question cannot be used, 3 not safe (with
--fail-on-unsafe), 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = REPORT_HELP)]
pub struct ReportArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Units that a disc must hold
    #[arg(long, default_value = "10", value_parser = parse_k, allow_negative_numbers = true)]
    pub k: u64,

    /// How far the centre may lie from the unit: 0, a distance, or inf
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

    /// Largest radius that is safe, in metres
    #[arg(long, value_name = "METRES", value_parser = parse_limit, allow_negative_numbers = true,
          help_heading = "Limits")]
    pub max_radius: Option<f64>,

    /// Highest risk that is safe, in metres per unit
    #[arg(long, value_name = "METRES", value_parser = parse_limit, allow_negative_numbers = true,
          help_heading = "Limits")]
    pub max_risk: Option<f64>,

    /// Fewest units that a cell of the grid must have to be safe
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Limits")]
    pub min_count: Option<u64>,

    /// Share of the units that may exceed any limit, such as 0.01 or 1%
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = parse_share,
          allow_negative_numbers = true, help_heading = "Limits")]
    pub allow: f64,

    /// Largest radius that is safe at a zoom level, in pixels
    #[arg(long, value_name = "PX", value_parser = parse_limit, allow_negative_numbers = true,
          help_heading = "Limits")]
    pub max_radius_px: Option<f64>,

    /// Highest risk that is safe at a zoom level, in pixels per unit
    #[arg(long, value_name = "PX", value_parser = parse_limit, allow_negative_numbers = true,
          help_heading = "Limits")]
    pub max_risk_px: Option<f64>,

    /// End with exit code 3 when it is not safe
    #[arg(long, help_heading = "Limits")]
    pub fail_on_unsafe: bool,

    /// Side of the cells of a grid, in metres [default: about forty along the longer side]
    #[arg(long, value_name = "M", value_parser = parse_length, allow_negative_numbers = true)]
    pub grid: Option<f64>,

    /// Levels of a web map: one, or a range [default: 6-18]
    #[arg(long, value_name = "A-B")]
    pub levels: Option<Levels>,

    /// Column of values, for the rules of table disclosure
    #[arg(long, value_name = "COL")]
    pub value: Option<String>,

    /// Column of the owners, whose units add up first
    #[arg(long, value_name = "COL", requires = "value")]
    pub group: Option<String>,

    /// Column of a category, or of yes and no
    #[arg(long, value_name = "COL")]
    pub category: Option<String>,

    /// The p%-rule, in percent [default: 10, if no rule on values is named]
    #[arg(
        long,
        value_name = "P",
        requires = "value",
        allow_negative_numbers = true
    )]
    pub p: Option<f64>,

    /// Dominance: the N largest may have K percent of the total; may be repeated
    #[arg(long, value_name = "N,K", requires = "value", value_parser = parse_dominance, allow_hyphen_values = true)]
    pub dominance: Vec<(usize, f64)>,

    /// Seed of the random sample
    #[arg(long, value_name = "N", default_value = "1")]
    pub seed: u64,

    /// Title [default: Disclosure risk of the input]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Leave out whatever points at a unit
    #[arg(long)]
    pub public: bool,

    #[command(flatten)]
    pub units: UnitsArgs,

    #[command(flatten)]
    pub run: ReportRunArgs,
}

/// Where a report goes, and how the run behaves.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Writing")]
pub struct ReportRunArgs {
    /// Write the report here, and its figures beside it as JSON
    #[arg(short, long, value_name = "REPORT.html")]
    pub output: PathBuf,

    #[command(flatten)]
    pub conduct: ConductArgs,
}
