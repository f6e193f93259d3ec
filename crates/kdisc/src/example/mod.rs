//! The built-in example: the enterprises of a made-up town, or of a made-up country.
//!
//! It has the multiplicities of the data set in the paper and about its densities, but no row of
//! it: a dense centre, streets, villages, business parks and strewn farms come out of a seeded
//! generator. Larger examples have more towns over a larger area, at the same densities, so that
//! time per unit can be compared across sizes.
//!
//! Coordinates are whole metres in the Dutch national system (EPSG:28992; very large countries
//! reach beyond the Netherlands). Rows come in random order, as in a register. The same size and
//! seed give the same rows on every platform: sines and logarithms may differ in their last digit,
//! but everything is rounded to whole metres and cents.

pub(crate) mod random;
mod region;
mod settlement;
mod sharing;
mod site;

use random::Random;
use site::{River, Setting, Site};

/// Enterprises in the default example.
pub const UNITS: usize = 8348;
/// The seed of the default example.
pub const SEED: u64 = 2026;

/// The code of its coordinate system, that of the Netherlands.
pub const EPSG: u32 = 28992;

/// Side of the square of land for [`UNITS`] enterprises, in metres.
const SIDE: f64 = 12_000.0;
/// No example is squeezed into less.
const LEAST_SIDE: f64 = 2000.0;
/// The middle of the example: by the great rivers, in the middle of the Netherlands.
const MIDDLE: (f64, f64) = (148_000.0, 441_000.0);

/// One unit of the example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Enterprise {
    /// East, in whole metres.
    pub x: f64,
    /// North, in whole metres.
    pub y: f64,
    /// Yearly production, in thousands of euros: positive and skewed.
    pub production: f64,
    /// Whether it was fined: rare, and nobody else's business.
    pub fined: bool,
}

/// The example with this many enterprises.
///
/// ```
/// use kdisc::example::{SEED, UNITS, town};
///
/// assert_eq!(town(UNITS, SEED).len(), 8348);
/// ```
#[must_use]
pub fn town(units: usize, seed: u64) -> Vec<Enterprise> {
    let regions = ((units + UNITS / 2) / UNITS).max(1);
    let columns = (regions as f64).sqrt().ceil() as usize;
    let density = units as f64 / (regions * UNITS) as f64;
    let side = (SIDE * density.sqrt()).max(LEAST_SIDE).round();
    let corner = |middle: f64| (middle - side * columns as f64 / 2.0).round().max(0.0);

    let mut random = Random::new(seed);
    let mut enterprises = Vec::with_capacity(units);
    for region in 0..regions {
        let (row, column) = (region / columns, region % columns);
        let west = corner(MIDDLE.0) + column as f64 * side;
        let south = corner(MIDDLE.1) + row as f64 * side;
        let river = River::new(south + side / 2.0, seed ^ row as u64);
        let mut site = Site::new(west, south, side, river);
        let share = units * (region + 1) / regions - units * region / regions;
        populate(
            &mut site,
            share,
            &mut Random::new(random.next()),
            &mut enterprises,
        );
    }
    random.shuffle(&mut enterprises);
    enterprises
}

/// Settles a site, and adds its `units` enterprises to `enterprises`.
fn populate(site: &mut Site, units: usize, random: &mut Random, enterprises: &mut Vec<Enterprise>) {
    let shared = sharing::shared(units);
    let locations = units + shared.len() - shared.iter().sum::<usize>();
    region::settle(site, locations, random);
    let multiplicities = sharing::assign(&shared, &site.locations, random);
    for (location, &multiplicity) in site.locations.iter().zip(&multiplicities) {
        for _ in 0..multiplicity {
            let (typical, fined) = match location.setting {
                Setting::Park => (4200.0, 0.07),
                Setting::Town => (1900.0, 0.03),
                Setting::Village => (1500.0, 0.03),
                Setting::Farm => (1700.0, 0.04),
            };
            let production: f64 = typical * random.normal().exp();
            enterprises.push(Enterprise {
                x: location.x,
                y: location.y,
                production: (production * 100.0).round().max(1.0) / 100.0,
                fined: random.chance(fined),
            });
        }
    }
}
