//! Where the labels of discs go: each where nobody takes it for that of another.
//!
//! A label is tried all around its disc, beside the rim, then beside a cross, then further away with
//! a line that leads to the rim. Of all these places the one with the least against it is taken: to
//! hide a label or a cross is worst, then to lie on a rim, then to be as near to another disc as to
//! its own. Labels are placed one after the other, in the order of the marks.
//!
//! Cost: O(places × labels²), in practice O(labels²), as the first place with nothing against it
//! will do. Square roots are all that is rounded, so the same marks have the same labels everywhere.

use kdisc::Metric;

use crate::frame::Area;

/// Directions in which labels are tried, the better ones first; y is down.
#[rustfmt::skip]
const DIRECTIONS: [(f64, f64); 16] = [
    (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0),
    (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0),
    (2.0, -1.0), (-2.0, -1.0), (2.0, 1.0), (-2.0, 1.0),
    (1.0, -2.0), (-1.0, -2.0), (1.0, 2.0), (-1.0, 2.0),
];
/// From a rim to its label, and further away with a line between them.
const BESIDE: f64 = 3.0;
const AWAY: [f64; 4] = [16.0, 30.0, 48.0, 72.0];
/// A label that is further away than this needs a line.
const FAR: f64 = 8.0;
/// Without a line, a label is more than twice as far from others, and by so much.
const CLEARLY: f64 = 6.0;
/// From a label to the frame.
const MARGIN: f64 = 4.0;
/// Between labels in a row, and between rows.
const BETWEEN: (f64, f64) = (8.0, 1.0);
/// Half the size of a cross, with some room.
const CROSS: f64 = 6.0;

/// What counts against a place, in pixels that a label would rather be away from its disc.
mod against {
    pub const HIDING: f64 = 1000.0;
    pub const ON_A_RIM: f64 = 100.0;
    pub const DOUBTFUL: f64 = 60.0;
    pub const INSIDE: f64 = 20.0;
}

/// A disc on the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rim {
    pub center: (f64, f64),
    pub radius: f64,
    pub metric: Metric,
}

/// What is labelled: a disc, and the crosses of all who share it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spot {
    pub rim: Rim,
    pub crosses: Vec<Rim>,
    /// Of the label.
    pub size: (f64, f64),
}

/// A label in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Label {
    pub area: Area,
    /// The line that leads from it to its disc.
    pub leader: Option<[(f64, f64); 2]>,
}

/// The labels of these spots; none where nothing is to be seen of one.
pub(crate) fn labels(page: &Area, spots: &[Spot]) -> Vec<Option<Label>> {
    let mut placed: Vec<Option<Label>> = Vec::new();
    for (number, spot) in spots.iter().enumerate() {
        let crosses = || spot.crosses.iter();
        let is_seen = spot.rim.distance(page) == 0.0 || crosses().any(|cross| cross.meets(page));
        if !is_seen {
            placed.push(None);
            continue;
        }
        let mut best: Option<(f64, Label)> = None;
        let beside = std::iter::once(&spot.rim).chain(crosses());
        let away = AWAY.map(|gap| (&spot.rim, gap));
        let tried = beside.map(|rim| (rim, BESIDE)).chain(away);
        let places = tried.flat_map(|(rim, gap)| {
            let place = move |direction| rim.beside(gap, direction, spot.size);
            DIRECTIONS.into_iter().map(place)
        });
        for place in places {
            let label = spot.label(within(place, page));
            let distance = spot.distance(&label.area);
            // In whole pixels, so that equals are equals and the better direction decides.
            let cost = (distance + objections(&label, number, spots, &placed)).round();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, label));
            }
            // Nothing is against it, and nothing will be nearer.
            if cost <= BESIDE {
                break;
            }
        }
        placed.push(best.map(|(_, label)| label));
    }
    placed
}

/// What is to be said against a label, but for its distance.
fn objections(label: &Label, number: usize, spots: &[Spot], placed: &[Option<Label>]) -> f64 {
    let area = &label.area;
    // A line leaves no doubt, but beside another disc it would be overlooked.
    let clear = match label.leader {
        None => 2.0 * spots[number].distance(area) + CLEARLY,
        Some(_) => CLEARLY,
    };
    let mut cost = 0.0;
    let mut is_doubtful = false;
    for other in placed.iter().flatten() {
        let hides = area.widened(BETWEEN).meets(&other.area);
        let crosses = label.leads_over(&other.area) || other.leads_over(area);
        cost += against::HIDING * f64::from(u8::from(hides) + u8::from(crosses));
    }
    for (i, spot) in spots.iter().enumerate() {
        for cross in &spot.crosses {
            let hides = cross.meets(area) || label.leads_over(&cross.area());
            cost += against::HIDING * f64::from(u8::from(hides));
        }
        if spot.rim.distance(area) < 1.0 {
            cost += against::ON_A_RIM;
        } else if spot.rim.meets(area) {
            cost += against::INSIDE;
        }
        is_doubtful |= i != number && spot.distance(area) < clear;
    }
    cost + against::DOUBTFUL * f64::from(u8::from(is_doubtful))
}

/// Moved to where the page shows all of it.
fn within(place: Area, page: &Area) -> Area {
    let far = |start: f64, long: f64, of: f64| start + long - of - MARGIN;
    let (right, bottom) = (
        far(page.x, page.width, place.width),
        far(page.y, page.height, place.height),
    );
    Area {
        x: place.x.min(right).max(page.x + MARGIN),
        y: place.y.min(bottom).max(page.y + MARGIN),
        ..place
    }
}

impl Spot {
    /// How far a label is from what it belongs to.
    fn distance(&self, area: &Area) -> f64 {
        let crosses = self.crosses.iter().map(|cross| cross.distance(area));
        crosses.fold(self.rim.distance(area), f64::min)
    }

    fn label(&self, area: Area) -> Label {
        let is_far = self.distance(&area) > FAR;
        Label {
            area,
            leader: is_far.then(|| self.rim.line_from(&area)),
        }
    }
}

impl Label {
    /// Whether the line to its disc runs over something.
    fn leads_over(&self, area: &Area) -> bool {
        let Some([from, to]) = self.leader else {
            return false;
        };
        // Most are nowhere near.
        let ends = |a: f64, b: f64| (a.min(b) - 0.5, (a - b).abs() + 1.0);
        let ((x, width), (y, height)) = (ends(from.0, to.0), ends(from.1, to.1));
        let whole = Area {
            x,
            y,
            width,
            height,
        };
        if !whole.meets(area) {
            return false;
        }
        let steps = (0..=20).map(|step| f64::from(step) / 20.0);
        let on = |a: f64, b: f64, part: f64| a + (b - a) * part;
        let mut places = steps.map(|part| (on(from.0, to.0, part), on(from.1, to.1, part)));
        places.any(|(x, y)| area.meets(&around((x, y), 0.5)))
    }
}

impl Rim {
    pub fn of_cross(center: (f64, f64)) -> Self {
        Self {
            center,
            radius: CROSS,
            metric: Metric::Linf,
        }
    }

    /// The square around it.
    pub fn area(&self) -> Area {
        around(self.center, self.radius)
    }

    fn length(&self, dx: f64, dy: f64) -> f64 {
        match self.metric {
            // Every machine rounds a root in the same way; there is no such promise for `hypot`.
            Metric::L2 => (dx * dx + dy * dy).sqrt(),
            Metric::L1 => dx.abs() + dy.abs(),
            Metric::Linf => dx.abs().max(dy.abs()),
        }
    }

    /// How far the nearest and the farthest of an area are from the centre.
    fn reach(&self, area: &Area) -> (f64, f64) {
        let (half_x, half_y) = (area.width / 2.0, area.height / 2.0);
        let dx = (area.x + half_x - self.center.0).abs();
        let dy = (area.y + half_y - self.center.1).abs();
        (
            self.length((dx - half_x).max(0.0), (dy - half_y).max(0.0)),
            self.length(dx + half_x, dy + half_y),
        )
    }

    /// How far an area is from the line of the rim; 0 if it is on it.
    fn distance(&self, area: &Area) -> f64 {
        let (nearest, farthest) = self.reach(area);
        (nearest - self.radius).max(self.radius - farthest).max(0.0)
    }

    /// Whether an area has something within the disc.
    fn meets(&self, area: &Area) -> bool {
        self.reach(area).0 < self.radius
    }

    /// The place for a label of this size in a direction, so far from the rim.
    fn beside(&self, gap: f64, direction: (f64, f64), (width, height): (f64, f64)) -> Area {
        let moved = |by: f64| Area {
            x: self.center.0 + by * direction.0 - width / 2.0,
            y: self.center.1 + by * direction.1 - height / 2.0,
            width,
            height,
        };
        let (mut near, mut far) = (0.0, self.radius + gap + width + height);
        for _ in 0..40 {
            let middle = f64::midpoint(near, far);
            if self.reach(&moved(middle)).0 < self.radius + gap {
                near = middle;
            } else {
                far = middle;
            }
        }
        moved(far)
    }

    /// A line from the border of an area towards the centre, as far as the rim.
    fn line_from(&self, area: &Area) -> [(f64, f64); 2] {
        let (x, y) = self.center;
        let from = (
            x.min(area.x + area.width).max(area.x),
            y.min(area.y + area.height).max(area.y),
        );
        let (dx, dy) = (from.0 - x, from.1 - y);
        let part = self.radius / self.length(dx, dy).max(f64::MIN_POSITIVE);
        [from, (x + part * dx, y + part * dy)]
    }
}

/// The square around a place.
fn around((x, y): (f64, f64), half: f64) -> Area {
    Area {
        x: x - half,
        y: y - half,
        width: 2.0 * half,
        height: 2.0 * half,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Area = Area {
        x: 10.0,
        y: 20.0,
        width: 400.0,
        height: 300.0,
    };

    /// A disc with a cross in its middle, as at δ = 0.
    fn spot(center: (f64, f64), radius: f64, metric: Metric) -> Spot {
        let rim = Rim {
            center,
            radius,
            metric,
        };
        Spot {
            rim,
            crosses: vec![Rim::of_cross(center)],
            size: (50.0, 14.0),
        }
    }

    fn circles(all: &[(f64, f64, f64)]) -> Vec<Spot> {
        let spots = all.iter().map(|&(x, y, r)| spot((x, y), r, Metric::L2));
        spots.collect()
    }

    /// What is wanted of labels, wherever there is room.
    fn check(spots: &[Spot]) -> Vec<Label> {
        let found: Vec<Label> = labels(&PAGE, spots)
            .into_iter()
            .map(Option::unwrap)
            .collect();
        for (i, label) in found.iter().enumerate() {
            let area = &label.area;
            assert!(PAGE.encloses(&area.widened((3.9, 3.9))), "{label:?}");
            let own = spots[i].distance(area);
            assert_eq!(label.leader.is_some(), own > FAR, "{label:?}");
            for (j, other) in spots.iter().enumerate() {
                assert!(!other.crosses[0].meets(area), "{label:?}");
                if i != j {
                    let is_near = label.leader.is_none() && other.distance(area) <= own;
                    assert!(!is_near, "{label:?} is near to {other:?}");
                    assert!(!found[j].area.meets(area), "{label:?}");
                }
            }
        }
        found
    }

    #[test]
    fn a_disc_alone_has_its_label_to_the_right() {
        for metric in [Metric::L2, Metric::L1, Metric::Linf] {
            let found = check(&[spot((200.0, 150.0), 40.0, metric)]);
            let Area { x, y, .. } = found[0].area;
            assert!((x - 243.0).abs() < 1e-6 && (y - 143.0).abs() < 1e-6);
        }
    }

    #[test]
    fn labels_are_nearest_to_their_own_discs() {
        check(&circles(&[(60.0, 60.0, 35.0), (200.0, 60.0, 35.0)]));
        check(&circles(&[(150.0, 150.0, 40.0), (200.0, 155.0, 45.0)]));
        check(&circles(&[(52.0, 62.0, 40.0), (366.0, 276.0, 40.0)]));
        let row = (0..9).map(|i| (40.0 + 40.0 * f64::from(i), 100.0, 22.0));
        check(&circles(&row.collect::<Vec<_>>()));
    }

    #[test]
    fn a_label_without_room_beside_its_disc_has_a_line_to_it() {
        // The small one is shut in by others.
        let ring = DIRECTIONS.map(|(x, y)| {
            let far = 34.0 / (x * x + y * y).sqrt();
            (200.0 + far * x, 150.0 + far * y, 12.0)
        });
        let mut all = vec![(200.0, 150.0, 8.0)];
        all.extend(ring);
        let found = labels(&PAGE, &circles(&all));
        let [from, to] = found[0].unwrap().leader.unwrap();
        let far = |(x, y): (f64, f64)| (x - 200.0).hypot(y - 150.0);
        assert!(far(from) > 16.0 && (far(to) - 8.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_not_on_the_page_has_no_label() {
        let spots = circles(&[
            (-300.0, 0.0, 50.0),
            (200.0, 150.0, 9000.0),
            (5000.0, 0.0, 9.0),
        ]);
        let found = labels(&PAGE, &spots);
        // Of the largest only the cross is seen.
        assert_eq!(
            found.iter().map(Option::is_some).collect::<Vec<_>>(),
            [false, true, false]
        );
    }

    #[test]
    fn a_disc_at_the_edge_has_its_label_on_the_page() {
        check(&circles(&[(12.0, 22.0, 30.0)]));
        check(&circles(&[(410.0, 320.0, 3.0)]));
        check(&circles(&[(200.0, 500.0, 250.0)]));
    }
}
