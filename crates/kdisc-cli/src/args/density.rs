//! The arguments of `kdisc density`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use kdisc::density::Kernel;

use super::{RasterArgs, RasterRunArgs, UnitsArgs, parse_k, parse_length};

/// In one line it would be wider than most terminals.
const DENSITY_USAGE: &str = "\
kdisc density [OPTIONS] --cell <M> --bandwidth <M> -o <OUT.tif> [INPUT]
       kdisc density [OPTIONS] --cell <M> --adaptive -o <OUT.tif> [INPUT]";

const DENSITY_HELP: &str = "\
Examples:
  kdisc density towns.csv --cell 100 --bandwidth 500 -o map.tif
      A Gaussian with a standard deviation of 500 m, on cells of 100 m.
  kdisc density towns.csv --cell 100 --adaptive --k 10 -o map.tif
      Each unit is spread as far as its tenth neighbour: fine in town, coarse in
      the country.
  kdisc density towns.gpkg --cell 100 --bandwidth 500 --value production \\
      -o map.tif
      The total and the mean of a value, smoothed, too.
  kdisc density towns.gpkg --cell 100 --bandwidth 500 --mask-unsafe \\
      -o public.tif
      Only cells that rest on at least 10 units, none of which has more than
      95%.
  kdisc density towns.gpkg --cell 100 --bandwidth 500 --regions country.gpkg \\
      -o map.tif
      Nothing is spread across the border, or into the sea.

Every unit is spread over the cells about it by a kernel: what a cell receives
is the height of the kernel at its centre, divided by the sum of all heights on
the map. So no unit is lost at the edge of the map or of the region: the map
adds up to the number of units on it. The bandwidth is the standard deviation of
the Gaussian, which is cut at 4 of them along each axis, and the radius of the
others. Units are taken to the centres of their cells first, unless --exact says
to spread them from where they are. 'kdisc bandwidth' finds a bandwidth that is
safe.

The map, a GeoTIFF with bands of doubles, rows from north to south, nan where
there is nothing to say:
  density        units per square metre
  total          value per square metre (with --value)
  mean           total / density, the value per unit (with --value)
  contributors   the effective number of contributors: (sum c)^2 / sum c^2 over
                 their contributions c
  largest_share  the largest contribution by the sum of all
Contributors are the units, or with --value the rows, whose contributions are
their values without signs. Rows without a value are left out. With
--mask-unsafe cells below --min-contributors or above --max-share are nan, and
the last two bands are left out, as they are not for publication.

The map covers the units and, with one bandwidth, all that they are spread over;
with --regions, these; or --extent. It is in the system in which distances are
taken, which the summary names: the input's if that is metric, else
--compute-crs, else one fitted to the data. Units outside are left out. Of a
region, all cells that its polygons touch receive something, and all units in it
count.

Exit code: 0 done, 2 the input or the question cannot be used, 130 interrupted.";

#[derive(Debug, Args)]
#[command(after_help = DENSITY_HELP, override_usage = DENSITY_USAGE)]
#[command(group = ArgGroup::new("width").args(["bandwidth", "adaptive"]).required(true))]
pub struct DensityArgs {
    /// File with one row per unit; '-' is standard input; the built-in example when left out
    pub input: Option<PathBuf>,

    /// One bandwidth for all units, in metres
    #[arg(long, value_name = "M", value_parser = parse_length, allow_negative_numbers = true)]
    pub bandwidth: Option<f64>,

    /// A bandwidth for each unit: the radius of the disc round it that holds k
    #[arg(long)]
    pub adaptive: bool,

    /// Units that an adaptive bandwidth reaches
    #[arg(long, default_value = "10", value_parser = parse_k, requires = "adaptive",
          allow_negative_numbers = true)]
    pub k: u64,

    /// The least adaptive bandwidth, in metres [default: one cell]
    #[arg(long, value_name = "M", value_parser = parse_length, requires = "adaptive",
          allow_negative_numbers = true)]
    pub min_bandwidth: Option<f64>,

    /// gaussian, uniform, quartic or epanechnikov
    #[arg(long, default_value = "gaussian")]
    pub kernel: Kernel,

    /// Column of a value, whose total and mean are mapped too
    #[arg(long, value_name = "COL")]
    pub value: Option<String>,

    /// Spread units from where they are, not from the centres of their cells
    #[arg(long)]
    pub exact: bool,

    /// The study region: all polygons of this file
    #[arg(long, value_name = "FILE")]
    pub regions: Option<PathBuf>,

    /// Layer of the polygons, if there are several
    #[arg(long, value_name = "NAME", requires = "regions")]
    pub regions_layer: Option<String>,

    /// Leave out cells that rest on too few
    #[arg(long)]
    pub mask_unsafe: bool,

    /// Effective contributors that a safe cell has at least
    #[arg(long, value_name = "N", default_value = "10", value_parser = parse_contributors,
          allow_negative_numbers = true)]
    pub min_contributors: f64,

    /// Share that the largest contribution to a safe cell has at most
    #[arg(long, value_name = "SHARE", default_value = "0.95", value_parser = parse_share,
          allow_negative_numbers = true)]
    pub max_share: f64,

    #[command(flatten)]
    pub raster: RasterArgs,

    #[command(flatten)]
    pub units: UnitsArgs,

    #[command(flatten)]
    pub run: RasterRunArgs,
}

fn parse_contributors(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    let number = number.filter(|number| *number >= 1.0 && number.is_finite());
    number.ok_or_else(|| "give a number of contributors, 1 or more".to_owned())
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok();
    let share = share.filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "give a share above 0 and up to 1".to_owned())
}
