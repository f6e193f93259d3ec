//! Units that are pointed out, with their discs.

use kdisc::{Anonymity, Disc, Members, Metric, Point, Population};
use kdisc_report::map::{Mark, Ring};
use kdisc_report::round;

use super::look::{Looking, Seen};
use crate::args::Highlight;

impl Looking<'_> {
    /// The marks of each panel: the same places in all, each with its disc there.
    pub fn marks(&self, seen: &[Seen]) -> anyhow::Result<Vec<Vec<Mark>>> {
        let population = &self.prepared.population;
        let mut top = None;
        let mut places = self.prepared.marked.clone();
        if let (Some(Highlight::Top(count)), Some(first)) = (&self.plan.highlight, seen.first()) {
            let asked = self.plan.panels[0].anonymity;
            let measured;
            let discs = if let Some(discs) = &first.discs {
                discs
            } else {
                measured = self.measured(population, asked)?;
                &measured
            };
            let found = most_isolated(population, discs, asked, *count);
            places = found
                .iter()
                .map(|&location| population.locations()[location])
                .collect();
            top = Some(found);
        }
        if places.is_empty() {
            return Ok(vec![Vec::new(); seen.len()]);
        }
        let panels = self.plan.panels.iter().zip(seen);
        panels
            .map(|(panel, seen)| {
                let discs = if let (Some(top), Some(discs)) = (&top, &seen.discs) {
                    top.iter().map(|&location| discs[location]).collect()
                } else {
                    self.measured_at(&places, panel.anonymity)?
                };
                let marks = places.iter().zip(discs);
                Ok(marks
                    .map(|(place, disc)| mark(*place, disc, panel.anonymity.metric()))
                    .collect())
            })
            .collect()
    }
}

fn mark(place: Point, disc: Option<Disc>, metric: Metric) -> Mark {
    let Some(Disc { center, radius, .. }) = disc else {
        return Mark {
            place,
            ring: None,
            label: "no disc".to_owned(),
        };
    };
    Mark {
        place,
        ring: Some(Ring {
            center,
            radius,
            metric,
        }),
        // Enough beside a disc that can be seen.
        label: round::metres(round::three_digits(radius)),
    }
}

/// The locations of the units with the largest discs, none in the disc of another: neighbours often
/// share one, and marks on top of each other tell no more than one. Units without a disc come first.
///
/// Those who share a disc mostly hold it in place: they are on its circle, where the measure has to
/// say who is inside. Places without units are in nobody's disc, and isolated from nobody.
fn most_isolated(
    population: &Population,
    discs: &[Option<Disc>],
    asked: Anonymity,
    count: usize,
) -> Vec<usize> {
    let radius = |location: usize| discs[location].map_or(f64::INFINITY, |disc| disc.radius);
    let units = population.multiplicities();
    let mut order: Vec<usize> = (0..units.len()).filter(|&at| units[at] > 0).collect();
    order.sort_by(|&a, &b| radius(b).total_cmp(&radius(a)));
    let mut members = Members::new(population, asked);
    let mut is_held = vec![false; units.len()];
    let mut chosen: Vec<usize> = Vec::new();
    for location in order {
        if chosen.len() == count {
            break;
        }
        if is_held[location] {
            continue;
        }
        if let Some(disc) = discs[location] {
            // Where coordinates are coarse beside discs, different ones are rounded to the same.
            let is_same = |other: Disc| (other.center, other.radius) == (disc.center, disc.radius);
            let held = members.of(location, &disc);
            let is_shared = |&other: &usize| {
                held.binary_search(&(other as u32)).is_ok() || discs[other].is_some_and(is_same)
            };
            if chosen.iter().any(is_shared) {
                continue;
            }
            for &other in held {
                is_held[other as usize] = true;
            }
        }
        chosen.push(location);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use kdisc::{Delta, Measure};

    use super::*;

    /// The units that are marked when all are measured, k = 2.
    fn top(places: &[(f64, f64)], weights: &[u64], delta: Delta, count: usize) -> Vec<Point> {
        let places: Vec<Point> = places.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let population = Population::with_weights(&places, weights).unwrap();
        let asked = Anonymity::new(2).unwrap().with_delta(delta);
        let discs = Measure::new(&population, asked).all().unwrap();
        let found = most_isolated(&population, &discs, asked, count);
        let places = found.iter().map(|&at| population.locations()[at]);
        places.collect()
    }

    #[test]
    fn no_two_marks_share_a_disc() {
        let places = [(0.0, 0.0), (8.0, 0.0), (50.0, 0.0), (53.0, 0.0)];
        for delta in [Delta::ZERO, Delta::INFINITE] {
            let found = top(&places, &[1; 4], delta, 9);
            assert_eq!(found, [Point::new(0.0, 0.0), Point::new(50.0, 0.0)]);
            assert_eq!(top(&places, &[1; 4], delta, 1), found[..1]);
        }
    }

    #[test]
    fn units_on_the_circle_share_the_disc_whatever_rounding_says_of_their_distance() {
        let far = |i: u32| (600_000.0 + f64::from(i) * 1e4, 5_700_000.0);
        for i in 0..200 {
            let (x, y) = far(i);
            let pair = [(x + 0.1, y), (x + f64::from(i).sqrt() + 3.3, y + 7.7)];
            assert_eq!(top(&pair, &[1; 2], Delta::INFINITE, 2).len(), 1, "{pair:?}");
        }
    }

    #[test]
    fn places_without_units_are_not_marked() {
        let places = [(0.0, 0.0), (8.0, 0.0), (100.0, 0.0)];
        let found = top(&places, &[1, 1, 0], Delta::INFINITE, 9);
        assert_eq!(found, [Point::new(0.0, 0.0)]);
    }

    #[test]
    fn a_unit_without_a_disc_is_marked() {
        let found = top(&[(0.0, 0.0), (8.0, 0.0)], &[1, 0], Delta::INFINITE, 9);
        assert_eq!(found, [Point::new(0.0, 0.0)]);
    }

    #[test]
    fn radii_are_short() {
        assert_eq!(round::metres(round::three_digits(718.234)), "718 m");
        assert_eq!(round::metres(round::three_digits(1413.4)), "1.41 km");
        assert_eq!(round::metres(round::three_digits(0.0)), "0 m");
    }
}
