//! A region: one town on a river, business parks at its edge, villages along the roads out of
//! it, and farms strewn between.

use std::f64::consts::{PI, TAU};

use super::random::Random;
use super::settlement::{Spot, park, town, village};
use super::site::{Setting, Site};

/// Shares of the addresses; the countryside gets the rest.
const IN_TOWN: f64 = 0.43;
const IN_PARKS: f64 = 0.1;
const IN_VILLAGES: f64 = 0.27;
/// Share of the farms that stand along a road.
const ALONG_ROADS: f64 = 0.6;

/// A country road, bent sideways by `bow` halfway.
struct Road {
    from: Spot,
    to: Spot,
    bow: f64,
}

impl Road {
    /// The point at the fraction `t` of the way, and `aside` metres off to the left.
    fn at(&self, t: f64, aside: f64) -> Spot {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = dx.hypot(dy).max(1.0);
        let left = aside + self.bow * 4.0 * t * (1.0 - t);
        (
            self.from.0 + t * dx - left * dy / length,
            self.from.1 + t * dy + left * dx / length,
        )
    }
}

/// Places `count` addresses on an empty site.
pub(super) fn settle(site: &mut Site, count: usize, random: &mut Random) {
    let share = |of: f64| (of * count as f64) as usize;
    let half = site.side / 2.0;
    let x = site.west + half * random.between(0.6, 1.4);
    let center = (x, site.river.y_at(x) + random.between(150.0, 500.0));

    let in_town = share(IN_TOWN * random.between(0.75, 1.25));
    let edge = 500.0 + 30.0 * (in_town as f64).sqrt();
    for size in sizes(share(IN_PARKS), 200, random) {
        let (sin, cos) = random.between(0.0, TAU).sin_cos();
        let beside = (center.0 + edge * cos, center.1 + edge * sin);
        park(site, beside, size, random);
    }
    town(site, center, in_town, random);

    let mut roads = polder_roads(site, random);
    let mut settled = vec![center];
    for size in sizes(share(IN_VILLAGES), 150, random) {
        let spot = open_spot(site, &settled, random);
        let nearest = nearest(spot, &settled);
        let heading = (nearest.1 - spot.1).atan2(nearest.0 - spot.0);
        village(site, spot, heading, size, random);
        let length = (nearest.0 - spot.0).hypot(nearest.1 - spot.1);
        roads.push(Road {
            from: spot,
            to: nearest,
            bow: length * random.between(-0.12, 0.12),
        });
        settled.push(spot);
    }
    while site.locations.len() < count {
        let (x, y) = if random.chance(ALONG_ROADS) {
            let aside = random.between(15.0, 60.0) * if random.chance(0.5) { 1.0 } else { -1.0 };
            roads[random.below(roads.len())].at(random.unit(), aside)
        } else {
            anywhere(site, 0.0, random)
        };
        site.place(x, y, Setting::Farm);
    }
}

/// Splits `total` into parts of about `typical`, between a third and three times that.
fn sizes(mut total: usize, typical: usize, random: &mut Random) -> Vec<usize> {
    let mut parts = Vec::new();
    while total > 0 {
        let part = (typical as f64 * 3f64.powf(random.between(-1.0, 1.0))) as usize;
        parts.push(part.min(total));
        total -= part.min(total);
    }
    parts
}

/// Straight parallel roads across the site, one in about 1.3 km.
fn polder_roads(site: &Site, random: &mut Random) -> Vec<Road> {
    let count = (site.side / 1300.0).ceil();
    let heading = random.between(0.0, PI);
    let (sin, cos) = heading.sin_cos();
    let middle = (site.west + site.side / 2.0, site.south + site.side / 2.0);
    (0..count as usize)
        .map(|i| {
            let across = site.side * ((i as f64 + random.between(0.2, 0.8)) / count - 0.5);
            let (start, end) = (
                site.side * random.between(-0.55, -0.05),
                site.side * random.between(0.05, 0.55),
            );
            let on_line = |along: f64| {
                (
                    middle.0 + along * cos - across * sin,
                    middle.1 + along * sin + across * cos,
                )
            };
            Road {
                from: on_line(start),
                to: on_line(end),
                bow: 0.0,
            }
        })
        .collect()
}

/// A spot for a village, away from the town and from other villages where there is room.
fn open_spot(site: &Site, settled: &[Spot], random: &mut Random) -> Spot {
    let mut best = (0.0, anywhere(site, 0.04, random));
    for _ in 0..6 {
        let spot = anywhere(site, 0.04, random);
        let other = nearest(spot, settled);
        let distance = (spot.0 - other.0).hypot(spot.1 - other.1);
        if distance > best.0 {
            best = (distance, spot);
        }
    }
    best.1
}

fn nearest(spot: Spot, settled: &[Spot]) -> Spot {
    let distance = |other: &Spot| (spot.0 - other.0).hypot(spot.1 - other.1);
    settled
        .iter()
        .copied()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .unwrap_or(spot)
}

/// Uniform on the site, at least `margin` (a share of its side) from its edges.
fn anywhere(site: &Site, margin: f64, random: &mut Random) -> Spot {
    let mut within = |from: f64| from + site.side * random.between(margin, 1.0 - margin);
    (within(site.west), within(site.south))
}
