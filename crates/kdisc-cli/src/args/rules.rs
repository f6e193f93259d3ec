//! The arguments of `kdisc rules`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use kdisc::{Delta, Metric};

use super::{DivisionArgs, RunArgs, UnitsArgs, parse_k};

const RULES_HELP: &str = "\
Examples:
  kdisc rules towns.csv --value turnover -o out.csv
      The p%-rule with p = 10 in the disc of every unit.
  kdisc rules towns.csv --value turnover --p 15 --dominance 1,75 \\
      --dominance 2,85 --min-count 10 -o out.csv
      Several rules at once.
  kdisc rules towns.csv --value turnover --group owner -o out.csv
      Units of one owner add up first (holding rule).
  kdisc rules towns.csv --category fined -o out.csv
      Does everybody in a disc say the same? Then it is known of each of them.
  kdisc rules towns.gpkg --value turnover --grid 200 -o cells.gpkg \\
      --units units.gpkg
      The same rules in the cells of a grid, beside those in the discs.
  kdisc rules towns.csv --value turnover --grid 200 --edges north-west \\
      --raster-risk external -o cells.csv
      The cells that sdcSpatial calls sensitive.

Whoever knows that a unit is among the few in its disc, and their total, may
learn its value. The rules are those for cells of a table; x1, x2, ... are the
contributions, largest first, and X is their total:
  --p P            unsafe when X - x1 - x2 < P/100 x1: the second largest learns
                   x1 to within P %
  --dominance N,K  unsafe when x1 + ... + xN > K/100 X
  --min-count N    unsafe with fewer than N contributors
  --max-share S    of --category: unsafe when one category has more than this
                   share, or all
  --raster-risk    external: x1 / X; internal: x1 / (X - x2); discrete: the
                   share of --sensitive, or of the commonest category. Unsafe
                   above --max-risk, or with fewer than --min-count (10 then)
If no rule on values is named, --p 10 is. A unit without a disc is unsafe.

Contributions:
  weights    a row that stands for several units (--weight) has their total as
             its value. It counts as so many contributors but as one
             contribution, as nothing says how it is shared out: x1 is never too
             small. A row that stands for none contributes nothing
  negative   values count without their sign, before anything is added up; the
             summary says how many
  missing    (empty, null, NA) the unit counts towards k, but contributes
             nothing; the summary says how many
  x1 = 0     rules on values do not apply
  owners     with --group, an owner is one contributor; rows without owner stand
             for themselves
  categories shares are of the units with a category; without --value these are
             the contributors

Output: the columns of 'kdisc risk', then
  contributors        units with a value in the disc; with --group, owners
  total, largest, second
                      X, x1, x2
  own_share           the unit's value / X
  p_margin            100 (X - x1 - x2) / x1; empty where x1 = 0
  raster_risk         with --raster-risk
  top_category, top_share, share_...
                      with --category: the commonest, its share, and that of
                      each if there are at most 12
  unsafe              the rules broken, with spaces between them: p,
                      dominance_1_75, min_count, share, external, internal,
                      discrete, no_disc; empty when safe
With --grid, --hex or --regions (as in 'kdisc areal') there is one row per cell
or polygon: region, x, y, count, the same columns but own_share, and
units_unsafe, the units in it whose own disc is unsafe. --units writes the table
of units then, with region and region_unsafe at its end.

The summary tells how many units are unsafe, by which rule, and what they hold;
and for k = 2 to --max-k how many are, and the first k from which none is up to
there. Safety does not always grow with k, so every k is measured; with more
than 20,000 locations only if --max-k is given.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = RULES_HELP)]
#[command(group = ArgGroup::new("told").args(["value", "category"]).required(true).multiple(true))]
pub struct RulesArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// Column of the values
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

    /// Fewest contributors [default with --raster-risk: 10]
    #[arg(long, value_name = "N")]
    pub min_count: Option<u64>,

    /// Largest share that one category may have; all is always too much
    #[arg(
        long,
        value_name = "SHARE",
        default_value = "1",
        requires = "category",
        allow_negative_numbers = true
    )]
    pub max_share: f64,

    /// A risk of rasters, as in sdcSpatial
    #[arg(long, value_enum, value_name = "WHICH")]
    pub raster_risk: Option<RasterRisk>,

    /// Largest risk that is not sensitive
    #[arg(
        long,
        value_name = "RISK",
        default_value = "0.95",
        requires = "raster_risk",
        allow_negative_numbers = true
    )]
    pub max_risk: f64,

    /// The category whose share is the discrete risk [default: the commonest]
    #[arg(long, value_name = "VALUE", requires_all = ["category", "raster_risk"])]
    pub sensitive: Option<String>,

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

    /// Try every k up to this one, for the summary [default: 50, up to 20,000 locations]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(2..=10_000))]
    pub max_k: Option<u64>,

    /// Tell only of the rows with this value in this column; all rows count
    #[arg(long, value_name = "COL=VALUE")]
    pub only: Option<String>,

    #[command(flatten)]
    pub division: DivisionArgs,

    /// Write every unit too, when the table is one of regions
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

/// How sdcSpatial calls its risks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RasterRisk {
    /// The largest contribution / total
    External,
    /// The largest / (total - second largest)
    Internal,
    /// The share of a category
    Discrete,
}

pub(super) fn parse_dominance(text: &str) -> Result<(usize, f64), String> {
    let found = text.split_once(',');
    let found = found.and_then(|(n, percent)| {
        let percent: f64 = percent.trim().parse().ok()?;
        Some((n.trim().parse().ok()?, percent))
    });
    found.ok_or_else(|| "give a number and a percentage, such as 1,75".to_owned())
}
