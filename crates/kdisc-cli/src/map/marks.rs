//! Units that are pointed out, with their discs.

use kdisc::{Disc, Metric, Point};
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
            let found = most_isolated(population.locations(), discs, asked.metric(), *count);
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

/// The locations with the largest discs, none in the disc of another: neighbours often share one,
/// and marks on top of each other tell no more than one. Units without a disc come first.
fn most_isolated(
    locations: &[Point],
    discs: &[Option<Disc>],
    metric: Metric,
    count: usize,
) -> Vec<usize> {
    let radius = |location: usize| discs[location].map_or(f64::INFINITY, |disc| disc.radius);
    let mut order: Vec<usize> = (0..locations.len()).collect();
    order.sort_by(|&a, &b| radius(b).total_cmp(&radius(a)));
    let mut chosen: Vec<usize> = Vec::new();
    for location in order {
        if chosen.len() == count {
            break;
        }
        let at = locations[location];
        let mut discs = chosen.iter().filter_map(|&other| discs[other]);
        let shared = discs.any(|disc| is_in(metric, at, &disc));
        if !shared {
            chosen.push(location);
        }
    }
    chosen
}

fn is_in(metric: Metric, at: Point, disc: &Disc) -> bool {
    let (dx, dy) = ((at.x - disc.center.x).abs(), (at.y - disc.center.y).abs());
    let distance = match metric {
        Metric::L2 => dx.hypot(dy),
        Metric::L1 => dx + dy,
        Metric::Linf => dx.max(dy),
    };
    distance <= disc.radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_marks_share_a_disc() {
        let locations = [0.0, 8.0, 50.0, 100.0].map(|x| Point::new(x, 0.0));
        let disc = |x: f64, radius: f64| {
            Some(Disc {
                center: Point::new(x, 0.0),
                radius,
                units: 2,
            })
        };
        let discs = [disc(4.0, 9.0), disc(4.0, 9.0), disc(52.0, 3.0), None];
        let top = |count| most_isolated(&locations, &discs, Metric::L2, count);
        assert_eq!(top(2), [3, 0]);
        assert_eq!(top(9), [3, 0, 2]);
    }

    #[test]
    fn radii_are_short() {
        assert_eq!(round::metres(round::three_digits(718.234)), "718 m");
        assert_eq!(round::metres(round::three_digits(1413.4)), "1.41 km");
        assert_eq!(round::metres(round::three_digits(0.0)), "0 m");
    }
}
