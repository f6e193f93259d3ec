//! The units' own discs, zone by zone: what a choropleth of the measure itself shows.

use kdisc::{Disc, Population};

use super::zones::Zones;

/// The discs of the units in a zone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Radii {
    /// The largest; absent without units or discs.
    pub max: Option<f64>,
    pub mean: Option<f64>,
    /// Units above the limit, or without a disc, if there is a limit.
    pub above: Option<u64>,
}

/// Sums go over locations, whose order does not depend on that of the rows.
pub fn per_zone(
    population: &Population,
    discs: &[Option<Disc>],
    zones: &Zones,
    limit: Option<f64>,
) -> Vec<Radii> {
    let mut zone_of = vec![None; population.locations().len()];
    for (&location, zone) in population.location_of_row().iter().zip(&zones.of_unit) {
        zone_of[location as usize] = *zone;
    }
    let none = Radii {
        above: limit.map(|_| 0),
        ..Radii::default()
    };
    let mut found = vec![none; zones.len()];
    let mut sums = vec![0.0; zones.len()];
    let units = population.multiplicities();
    for (location, zone) in zone_of.into_iter().enumerate() {
        let Some(zone) = zone.map(|zone| zone as usize) else {
            continue;
        };
        let radius = discs[location].map(|disc| disc.radius);
        let (radii, units) = (&mut found[zone], units[location]);
        if units == 0 {
            continue;
        }
        if let (Some(above), Some(limit)) = (&mut radii.above, limit)
            && exceeds(radius, limit)
        {
            *above += units;
        }
        if let Some(radius) = radius {
            radii.max = Some(radii.max.map_or(radius, |max| max.max(radius)));
            sums[zone] += radius * units as f64;
        }
    }
    for (zone, radii) in found.iter_mut().enumerate() {
        if radii.max.is_some() {
            radii.mean = Some(sums[zone] / zones.counts[zone] as f64);
        }
    }
    found
}

/// A unit without a disc exceeds every limit.
pub fn exceeds(radius: Option<f64>, limit: f64) -> bool {
    radius.is_none_or(|radius| radius > limit)
}
