//! Towns, villages and business parks: neighbourhoods of parallel streets, with house numbers on
//! both sides of each.
//!
//! A settlement grows outwards from its centre, neighbourhood by neighbourhood, each with streets
//! in its own direction, until it has its number of addresses. In the centre nearly every house
//! holds an enterprise; further out, fewer and fewer.

use std::f64::consts::{PI, TAU};

use super::random::Random;
use super::site::{Setting, Site};

/// A place in the making of a region.
pub(super) type Spot = (f64, f64);

/// The turn between successive neighbourhoods: the golden angle, which spreads them evenly.
const GOLDEN_ANGLE: f64 = 2.399_963;
/// No settlement has more; what does not fit is left for the countryside.
const MOST_NEIGHBOURHOODS: usize = 400;

/// Parallel streets.
struct Neighbourhood {
    middle: Spot,
    heading: f64,
    streets: usize,
    /// Half the length of a street.
    half_length: f64,
    /// Between one street and the next.
    gap: f64,
    /// Width of a lot: between one house number and the next on the same side.
    lot: f64,
    /// From the middle of the street to the house.
    setback: f64,
    /// Share of the lots with an enterprise.
    occupancy: f64,
    setting: Setting,
}

impl Neighbourhood {
    /// Places its addresses until the site holds `limit`.
    fn build(&self, site: &mut Site, limit: usize, random: &mut Random) {
        let (sin, cos) = self.heading.sin_cos();
        let bend = random.between(-3e-4, 3e-4);
        for street in 0..self.streets {
            let axis = (street as f64 - (self.streets - 1) as f64 / 2.0) * self.gap;
            let end = self.half_length * random.between(0.8, 1.2);
            let mut along = -self.half_length * random.between(0.8, 1.2);
            while along < end {
                along += self.lot * random.between(0.85, 1.15);
                for side in [-1.0, 1.0] {
                    if site.locations.len() == limit {
                        return;
                    }
                    if random.chance(self.occupancy) {
                        let setback = self.setback * random.between(0.9, 1.2);
                        let across = axis + side * setback + bend * along * along;
                        let x = self.middle.0 + along * cos - across * sin;
                        let y = self.middle.1 + along * sin + across * cos;
                        site.place(x, y, self.setting);
                    }
                }
            }
        }
    }
}

/// A town of `size` addresses: a core of shopping streets, then residential neighbourhoods.
pub(super) fn town(site: &mut Site, center: Spot, size: usize, random: &mut Random) {
    let limit = site.locations.len() + size;
    for i in 0..MOST_NEIGHBOURHOODS {
        let (middle, distance) = sunflower(center, i, 205.0, random);
        let core = i < 6;
        let neighbourhood = Neighbourhood {
            middle,
            heading: random.between(0.0, PI),
            streets: 4 + random.below(4),
            half_length: random.between(90.0, 160.0),
            gap: random.between(45.0, 65.0),
            lot: if core { 7.0 } else { random.between(7.0, 14.0) },
            setback: if core { 7.0 } else { 11.0 },
            occupancy: if core {
                random.between(0.45, 0.75)
            } else {
                (0.09 + 0.4 * (-distance / 800.0).exp()) * random.between(0.3, 1.7)
            },
            setting: Setting::Town,
        };
        neighbourhood.build(site, limit, random);
        if site.locations.len() == limit {
            break;
        }
    }
}

/// A village of `size` addresses: one main street with the given heading, and a few short
/// streets around it.
pub(super) fn village(
    site: &mut Site,
    center: Spot,
    heading: f64,
    size: usize,
    random: &mut Random,
) {
    let limit = site.locations.len() + size;
    let main_street = Neighbourhood {
        middle: center,
        heading,
        streets: 1,
        half_length: 60.0 + 2.0 * size as f64,
        gap: 0.0,
        lot: 13.0,
        setback: 10.0,
        occupancy: 0.3,
        setting: Setting::Village,
    };
    main_street.build(site, limit, random);
    for i in 0..MOST_NEIGHBOURHOODS {
        let (middle, _) = sunflower(center, i, 150.0, random);
        let side_streets = Neighbourhood {
            middle,
            heading: heading + random.between(-0.5, 0.5),
            streets: 2 + random.below(3),
            half_length: random.between(50.0, 110.0),
            gap: random.between(50.0, 75.0),
            lot: random.between(9.0, 15.0),
            occupancy: random.between(0.15, 0.5),
            ..main_street
        };
        side_streets.build(site, limit, random);
        if site.locations.len() == limit {
            break;
        }
    }
}

/// A business park of `size` addresses: wide lots on broad straight roads.
pub(super) fn park(site: &mut Site, center: Spot, size: usize, random: &mut Random) {
    let limit = site.locations.len() + size;
    let heading = random.between(0.0, PI);
    for i in 0..MOST_NEIGHBOURHOODS {
        let (middle, _) = sunflower(center, i, 240.0, random);
        let estate = Neighbourhood {
            middle,
            heading,
            streets: 3,
            half_length: random.between(150.0, 210.0),
            gap: 120.0,
            lot: random.between(22.0, 40.0),
            setback: 28.0,
            occupancy: random.between(0.5, 0.9),
            setting: Setting::Park,
        };
        estate.build(site, limit, random);
        if site.locations.len() == limit {
            break;
        }
    }
}

/// The middle of the `i`-th neighbourhood, where each covers about π·spacing², and its distance
/// from the centre.
fn sunflower(center: Spot, i: usize, spacing: f64, random: &mut Random) -> (Spot, f64) {
    let angle = i as f64 * GOLDEN_ANGLE + random.between(0.0, TAU / 12.0);
    let distance = spacing * (i as f64).sqrt() * random.between(0.9, 1.1);
    let (sin, cos) = angle.sin_cos();
    (
        (center.0 + distance * cos, center.1 + distance * sin),
        distance,
    )
}
