//! How radii and risks are spread over the units, as curves.

use kdisc::Disc;
use serde_json::{Value, json};

/// Shares of the units at which a curve has a point: every percent, and closer at the end.
fn shares() -> Vec<f64> {
    let percents = (1..100).map(f64::from);
    let end = [99.5, 99.9, 100.0];
    percents.chain(end).map(|percent| percent / 100.0).collect()
}

/// Radii and risks that so many of the units do not exceed; null where these have no disc.
pub fn spread(discs: &[Option<Disc>], at_zero: &[Option<Disc>], units: &[u64]) -> Value {
    json!({
        "shares": shares(),
        "radius": quantiles(discs, units, |disc| disc.radius),
        "risk": quantiles(discs, units, Disc::risk),
        "radius_delta_zero": quantiles(at_zero, units, |disc| disc.radius),
        "risk_delta_zero": quantiles(at_zero, units, Disc::risk),
    })
}

fn quantiles(discs: &[Option<Disc>], units: &[u64], of: fn(&Disc) -> f64) -> Vec<Option<f64>> {
    let all = discs.iter().zip(units);
    let mut values: Vec<(f64, u64)> = all
        .map(|(disc, units)| (disc.as_ref().map_or(f64::INFINITY, of), *units))
        .collect();
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let total: u64 = units.iter().sum();
    let mut reached = 0;
    let mut sorted = values.into_iter();
    let mut last = 0.0;
    let found = shares().into_iter().map(|share| {
        let wanted = (share * total as f64).ceil() as u64;
        while reached < wanted {
            let Some((value, units)) = sorted.next() else {
                break;
            };
            last = value;
            reached += units;
        }
        Some(last).filter(|value| value.is_finite())
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kdisc::Point;

    #[test]
    fn shares_count_units_and_those_without_a_disc() {
        let disc = |radius| {
            Some(Disc {
                center: Point::new(0.0, 0.0),
                radius,
                units: 2,
            })
        };
        let discs = [disc(5.0), None, disc(1.0)];
        let found = quantiles(&discs, &[2, 1, 1], |disc| disc.radius);
        let at = |share: f64| found[shares().iter().position(|s| *s == share).unwrap()];
        assert_eq!(at(0.25), Some(1.0));
        assert_eq!(at(0.26), Some(5.0));
        assert_eq!(at(0.75), Some(5.0));
        assert_eq!(at(0.76), None);
    }
}
