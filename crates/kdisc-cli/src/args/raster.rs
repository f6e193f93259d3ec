//! The arguments of maps: their cells, how much memory they may take, and where they go.

use std::path::PathBuf;

use clap::Args;
use kdisc::LARGEST_COORDINATE;

use super::{ConductArgs, parse_length};

/// The cells of a map.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Map")]
pub struct RasterArgs {
    /// Side of a cell, in metres; cells begin at whole multiples of it
    #[arg(long, value_name = "M", value_parser = parse_length, allow_negative_numbers = true)]
    pub cell: f64,

    /// How far the map goes, in metres, in the system in which distances are taken
    #[arg(long, value_name = "XMIN,YMIN,XMAX,YMAX", value_parser = parse_extent,
          allow_hyphen_values = true)]
    pub extent: Option<Extent>,

    /// Memory that the map may take, such as 500M or 16G
    #[arg(long, value_name = "BYTES", default_value = "4G", value_parser = parse_bytes)]
    pub max_memory: u64,
}

/// Where a map goes, and how the run behaves.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Writing")]
pub struct RasterRunArgs {
    /// Write the map here
    #[arg(short, long, value_name = "OUT.tif")]
    pub output: PathBuf,

    #[command(flatten)]
    pub conduct: ConductArgs,
}

/// Least x and y, greatest x and y. (A type of its own, as clap makes lists of arrays.)
#[derive(Debug, Clone, Copy)]
pub struct Extent(pub [f64; 4]);

pub(super) fn parse_extent(text: &str) -> Result<Extent, String> {
    let numbers = text.split(',').map(|number| number.trim().parse::<f64>());
    let numbers: Vec<f64> = numbers.filter_map(Result::ok).collect();
    match <[f64; 4]>::try_from(numbers) {
        Ok(extent @ [min_x, min_y, max_x, max_y])
            if text.split(',').count() == 4
                && extent
                    .iter()
                    .all(|number| number.abs() <= LARGEST_COORDINATE)
                && min_x < max_x
                && min_y < max_y =>
        {
            Ok(Extent(extent))
        }
        _ => Err(
            "give least x and y, then greatest x and y, such as 120000,480000,130000,490000"
                .to_owned(),
        ),
    }
}

const UNITS: [&str; 5] = ["", "K", "M", "G", "T"];

/// Whole numbers with K, M, G or T, which are powers of 1024.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.trim_end_matches('B').trim_end_matches('I');
    let digits = upper.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = UNITS
        .iter()
        .position(|unit| *unit == &upper[digits.len()..]);
    let bytes = digits.trim().parse::<u64>().ok().zip(unit);
    let bytes = bytes.and_then(|(number, unit)| number.checked_mul(1 << (10 * unit)));
    bytes
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "give a number of bytes, such as 500M or 16G".to_owned())
}

/// So many bytes, in words.
pub fn human_bytes(bytes: u128) -> String {
    let unit = (0..UNITS.len() - 1).find(|unit| bytes < 1 << (10 * (unit + 1)));
    let unit = unit.unwrap_or(UNITS.len() - 1);
    let number = bytes as f64 / (1u64 << (10 * unit)) as f64;
    let digits = usize::from(number < 9.95 && unit > 0);
    match unit {
        0 => format!("{bytes} bytes"),
        unit => format!("{number:.digits$} {}iB", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_and_out() {
        for (text, bytes) in [
            ("4G", 4 << 30),
            ("500m", 500 << 20),
            ("1 KiB", 1024),
            ("77", 77),
        ] {
            assert_eq!(parse_bytes(text), Ok(bytes));
        }
        for wrong in ["", "G", "-1G", "1.5G", "4X", "0", "99999999999T"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(human_bytes(4 << 30), "4.0 GiB");
        assert_eq!(human_bytes(77), "77 bytes");
        assert_eq!(human_bytes(500 << 20), "500 MiB");
    }

    #[test]
    fn extents_have_four_numbers_in_order() {
        assert!(parse_extent("0,0,10,20").is_ok());
        for wrong in [
            "0,0,10",
            "0,0,10,x,20",
            "5,0,5,9",
            "0,9,5,8",
            "0,0,inf,1",
            "0,0,nan,1",
        ] {
            assert!(parse_extent(wrong).is_err(), "{wrong}");
        }
    }
}
