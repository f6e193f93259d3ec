//! Convex shapes of the computation, such as discs, as polygons in the input's system that lose
//! nothing of them.
//!
//! *Straight sides bend.* A side that is straight on the plane of the computation is none in the
//! input's system, but the file joins its ends by a straight line. Over a length s the two part by
//! at most s²κ/8, where κ is the curvature of the one on the map of the other: about 1/R on a globe
//! of radius R, and 1/d at a distance d from a pole, where meridians meet. So the shape is drawn a
//! little larger, by a thousandth at most, and long sides are divided until half of that is enough.
//!
//! *Longitudes end.* At the antimeridian, or wherever the count of the data ends, the polygon is cut
//! in two, as RFC 7946 asks. A polygon round a pole goes along the cut to the pole and back. A pole
//! just beyond or within the sides would bend them without limit, so that such a shape is drawn three
//! hundredths larger and holds it.

use kdisc::Point;

use super::extent::Count;
use super::ground::{Ground, Projection, Way};

/// Metres; the radius of the globe, roughly.
const EARTH: f64 = 6.4e6;
/// Metres; what a projection there and back may miss by, and more.
const MICROMETRE: f64 = 1e-6;
/// In what part of its own size a shape may be drawn larger because its sides bend.
const ROOM: f64 = 1e-3;
/// The nearest to the sides that a pole may be, in the size of the shape.
const NEAREST_POLE: f64 = 0.01;
/// How much larger a shape is drawn that a pole is nearer to.
const TO_HOLD_POLE: f64 = 1.03;

impl Ground {
    /// Rings in the input's system that hold a convex shape with these corners, counter-clockwise in
    /// metres round `center`. Where the input's system is cut open along a meridian there can be
    /// more than one. They are counter-clockwise, and not closed.
    #[must_use]
    pub fn outline(&self, center: Point, corners: &[Point]) -> Vec<Vec<Point>> {
        match &self.way {
            Way::Projected(projection) => projection.outline(center, corners),
            _ => vec![corners.iter().map(|&c| self.from_metres(c)).collect()],
        }
    }
}

impl Projection {
    fn outline(&self, center: Point, corners: &[Point]) -> Vec<Vec<Point>> {
        let size = -outside(corners, center);
        let mut larger = 1.0;
        let mut pole = f64::INFINITY;
        for &place in &self.poles {
            let mut distance = outside(corners, place);
            if distance.abs() < NEAREST_POLE * size {
                larger = TO_HOLD_POLE;
                distance -= (TO_HOLD_POLE - 1.0) * size;
            }
            pole = pole.min(distance.abs());
        }
        let curvature = 1.0 / EARTH + 1.0 / pole;
        let room = ROOM.min(0.01 * size * curvature);
        larger *= 1.0 + room + MICROMETRE / size;
        let mut ring = Vec::with_capacity(corners.len());
        for (from, to) in sides(corners) {
            let length = (to.x - from.x).hypot(to.y - from.y);
            let pieces = (length * (curvature / (4.0 * room * size)).sqrt()).ceil();
            let pieces = (pieces as usize).clamp(1, 1024);
            ring.extend((0..pieces).map(|i| {
                let t = i as f64 / pieces as f64;
                let x = from.x + t * (to.x - from.x) - center.x;
                let y = from.y + t * (to.y - from.y) - center.y;
                self.back(Point::new(center.x + larger * x, center.y + larger * y))
            }));
        }
        let finite = ring.iter().all(|p| p.x.is_finite() && p.y.is_finite());
        match self.count() {
            Some(count) if finite => counted(ring, count, self.pole()),
            _ => vec![ring],
        }
    }
}

fn sides(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    let next = ring.iter().cycle().skip(1);
    ring.iter().copied().zip(next.copied())
}

/// How far a place is outside of a convex shape; negative if inside.
fn outside(corners: &[Point], place: Point) -> f64 {
    let beyond = sides(corners).map(|(a, b)| {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        ((place.x - a.x) * dy - (place.y - a.y) * dx) / dx.hypot(dy)
    });
    beyond.fold(f64::NEG_INFINITY, f64::max)
}

/// A ring whose longitudes may be whole turns off, as rings within the count. `pole` is the latitude
/// of the pole.
fn counted(mut ring: Vec<Point>, count: Count, pole: f64) -> Vec<Vec<Point>> {
    let Count { start, turn } = count;
    let near = |x: f64, before: f64| x + turn * ((before - x) / turn).round();
    for i in 1..ring.len() {
        ring[i].x = near(ring[i].x, ring[i - 1].x);
    }
    let (Some(first), Some(last)) = (ring.first(), ring.last()) else {
        return Vec::new();
    };
    let turns = ((near(first.x, last.x) - first.x) / turn).round();
    if turns != 0.0 {
        return vec![round_pole(&ring, count, turns, pole)];
    }
    let west = ring.iter().map(|p| p.x).fold(f64::INFINITY, f64::min);
    let shift = turn * ((west - start) / turn).floor();
    for corner in &mut ring {
        corner.x -= shift;
    }
    let end = start + turn;
    if ring.iter().all(|corner| corner.x <= end) {
        return vec![ring];
    }
    let [here, mut beyond] = split(&ring, end);
    for corner in beyond.iter_mut().flatten() {
        corner.x -= turn;
    }
    here.into_iter().chain(beyond).collect()
}

/// A ring that goes once round a pole, opened where the count ends and closed along it and the pole.
fn round_pole(ring: &[Point], count: Count, turns: f64, pole: f64) -> Vec<Point> {
    let Count { start, turn } = count;
    let onward = turns.signum();
    let (enter, leave) = if onward > 0.0 {
        (start, start + turn)
    } else {
        (start + turn, start)
    };
    let after = |i: usize| {
        let whole = if i + 1 == ring.len() {
            onward * turn
        } else {
            0.0
        };
        let next = ring[(i + 1) % ring.len()];
        Point::new(next.x + whole, next.y)
    };
    // In whole turns from where the count begins.
    let lap = |x: f64| ((x - enter) * onward / turn).floor();
    let crossing = (0..ring.len()).find(|&i| lap(ring[i].x) < lap(after(i).x));
    let at = crossing.unwrap_or(ring.len() - 1);
    let cut = enter + onward * turn * lap(after(at).x);
    let y = between(ring[at], after(at), cut).y;
    let mut opened = vec![Point::new(enter, y)];
    opened.extend((1..=ring.len()).map(|i| {
        let corner = ring[(at + i) % ring.len()];
        let whole = if at + i < ring.len() {
            0.0
        } else {
            onward * turn
        };
        let x = corner.x + whole - cut + enter;
        Point::new(x.clamp(start, start + turn), corner.y)
    }));
    let highest = ring
        .iter()
        .map(|corner| corner.y.abs())
        .fold(pole, f64::max);
    opened.push(Point::new(leave, y));
    opened.push(Point::new(leave, onward * highest));
    opened.push(Point::new(enter, onward * highest));
    opened
}

/// The place at this longitude on a straight line.
fn between(a: Point, b: Point, x: f64) -> Point {
    let t = (x - a.x) / (b.x - a.x);
    let y = a.y + t * (b.y - a.y);
    Point::new(x, if y.is_finite() { y } else { a.y })
}

/// The parts of a ring on this side of a meridian and those beyond. The ring crosses it an even
/// number of times; in the order of latitudes, it is within the ring from every other crossing to the
/// next, and there the parts are closed.
fn split(ring: &[Point], meridian: f64) -> [Vec<Vec<Point>>; 2] {
    let beyond = |p: &Point| p.x > meridian;
    let sides: Vec<_> = sides(ring).collect();
    let crosses = |(a, b): &(Point, Point)| beyond(a) != beyond(b);
    let Some(begin) = sides.iter().position(crosses) else {
        return [vec![ring.to_vec()], Vec::new()];
    };
    // Each run starts at the crossing of the same number and ends at the next.
    let mut runs: Vec<Vec<Point>> = Vec::new();
    for side in sides[begin..].iter().chain(&sides[..begin]) {
        let (from, to) = *side;
        if crosses(side) {
            let crossing = between(from, to, meridian);
            if let Some(run) = runs.last_mut() {
                run.push(crossing);
            }
            runs.push(vec![crossing]);
        }
        if let Some(run) = runs.last_mut() {
            run.push(to);
        }
    }
    let first = runs[0][0];
    if let Some(run) = runs.last_mut() {
        run.push(first);
    }
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|&a, &b| runs[a][0].y.total_cmp(&runs[b][0].y));
    let mut partner = vec![0; runs.len()];
    for pair in order.chunks_exact(2) {
        (partner[pair[0]], partner[pair[1]]) = (pair[1], pair[0]);
    }
    let first_is_beyond = beyond(&sides[begin].1);
    let mut parts = [Vec::new(), Vec::new()];
    let mut taken = vec![false; runs.len()];
    for start in 0..runs.len() {
        let mut part: Vec<Point> = Vec::new();
        let mut run = start;
        while !taken[run] {
            taken[run] = true;
            part.extend_from_slice(&runs[run]);
            let next = partner[(run + 1) % runs.len()];
            // Of the other side only if crossings tie.
            if next % 2 != start % 2 {
                break;
            }
            run = next;
        }
        part.dedup();
        while part.len() > 1 && part.first() == part.last() {
            part.pop();
        }
        if part.len() > 2 {
            let is_beyond = first_is_beyond == (start % 2 == 0);
            parts[usize::from(is_beyond)].push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::{Crs, Extent};
    use super::*;

    fn ground(system: &str, points: &[Point]) -> Ground {
        let crs = Crs::parse(system).unwrap();
        let extent = Extent::new(Some(&crs), points).unwrap();
        Ground::new(Some(&crs), None, &extent).unwrap()
    }

    /// `sides` touching a circle from outside.
    fn corners(center: Point, radius: f64, sides: usize) -> Vec<Point> {
        let reach = radius / (std::f64::consts::PI / sides as f64).cos();
        let corner = |i| {
            let turn = (i as f64 + 0.5) * std::f64::consts::TAU / sides as f64;
            Point::new(center.x + reach * turn.cos(), center.y + reach * turn.sin())
        };
        (0..sides).map(corner).collect()
    }

    fn area(ring: &[Point]) -> f64 {
        let o = ring[0];
        sides(ring)
            .map(|(a, b)| ((a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y)) / 2.0)
            .sum()
    }

    /// Whether a place is in a ring or on it.
    fn holds(ring: &[Point], place: Point) -> bool {
        let mut inside = false;
        for (a, b) in sides(ring) {
            if (a.y > place.y) != (b.y > place.y) {
                let x = a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x);
                if x == place.x {
                    return true;
                }
                inside ^= x > place.x;
            }
            let between = |p: f64, q: f64, v: f64| (p.min(q)..=p.max(q)).contains(&v);
            if a.x == b.x && a.x == place.x && between(a.y, b.y, place.y)
                || a.y == b.y && a.y == place.y && between(a.x, b.x, place.x)
            {
                return true;
            }
        }
        inside
    }

    fn at(x: f64, y: f64) -> Point {
        Point::new(x, y)
    }

    #[test]
    fn nothing_is_lost_anywhere() {
        let mut cut = 0;
        for (system, x, y) in [
            ("EPSG:4326", 5.0, 52.0),
            ("EPSG:4326", 179.9995, -17.0),
            ("EPSG:4326", -180.0, 0.0),
            ("EPSG:4326", 0.001, 89.999),
            ("EPSG:4326", 90.0, 90.0),
            ("EPSG:4326", -90.0, -89.9),
            ("EPSG:4807", 200.0, 40.0),
            ("EPSG:3857", 20_037_000.0, 2e6),
            ("EPSG:3857", -20_037_000.0, -1e7),
        ] {
            let ground = ground(system, &[at(x, y)]);
            let mut center = [at(x, y)];
            ground.to_metres(&mut center).unwrap();
            let [center] = center;
            for radius in [0.001, 1.0, 111.7, 1e3, 1e4, 112_345.0, 4e5] {
                for sides in [4, 64] {
                    let rings = ground.outline(center, &corners(center, radius, sides));
                    cut += usize::from(rings.len() > 1);
                    for ring in &rings {
                        assert!(area(ring) > 0.0, "{system} {x} {y} {radius}: {ring:?}");
                    }
                    let within = |p: &Point| rings.iter().any(|ring| holds(ring, *p));
                    for i in 0..2000 {
                        let turn = f64::from(i) * std::f64::consts::TAU / 2000.0;
                        let reach = radius
                            * if i % 2 == 0 {
                                1.0
                            } else {
                                f64::from(i) / 2000.0
                            };
                        let place =
                            at(center.x + reach * turn.cos(), center.y + reach * turn.sin());
                        let place = ground.from_metres(place);
                        assert!(
                            within(&place),
                            "{system} {x} {y} {radius} {sides}: {place:?}"
                        );
                    }
                }
            }
        }
        assert!(cut > 40, "{cut}");
    }

    #[test]
    fn a_pole_near_the_sides_is_held_or_kept_away_from() {
        let ground = ground("EPSG:4326", &[at(30.0, 89.9)]);
        let mut center = [at(30.0, 89.9), at(0.0, 90.0)];
        ground.to_metres(&mut center).unwrap();
        let [center, pole] = center;
        let distance = (center.x - pole.x).hypot(center.y - pole.y);
        for part in [
            0.5, 0.9, 0.985, 0.99, 0.999, 1.0, 1.001, 1.01, 1.015, 1.1, 2.0,
        ] {
            for sides in [4, 64] {
                let rings = ground.outline(center, &corners(center, distance * part, sides));
                assert!(
                    rings
                        .iter()
                        .all(|ring| ring.len() < 5000 && area(ring) > 0.0)
                );
                for i in 0..2000 {
                    let turn = f64::from(i) * std::f64::consts::TAU / 2000.0;
                    let reach = distance * part;
                    let place = at(center.x + reach * turn.cos(), center.y + reach * turn.sin());
                    let place = ground.from_metres(place);
                    let within = rings.iter().any(|ring| holds(ring, place));
                    assert!(within, "{part} {sides} {place:?}");
                }
            }
        }
    }

    #[test]
    fn round_a_pole_the_ring_goes_along_the_cut() {
        for (latitude, pole) in [(89.9, 90.0), (-89.9, -90.0)] {
            let ground = ground("EPSG:4326", &[at(10.0, latitude)]);
            let mut center = [at(10.0, latitude)];
            ground.to_metres(&mut center).unwrap();
            let rings = ground.outline(center[0], &corners(center[0], 2e4, 64));
            let [ring] = rings.as_slice() else {
                panic!("{rings:?}")
            };
            for end in [-180.0, 180.0] {
                assert!(ring.contains(&at(end, pole)), "{ring:?}");
                let along = ring.iter().filter(|corner| corner.x == end).count();
                assert!(along >= 2);
            }
            assert!(ring.iter().all(|corner| corner.x.abs() <= 180.0));
        }
    }

    #[test]
    fn a_ring_that_crosses_often_falls_into_as_many_parts() {
        // A comb whose back is on this side and whose three teeth reach beyond.
        let comb = [
            (0.0, 0.0),
            (3.0, 0.0),
            (3.0, 1.0),
            (1.0, 1.0),
            (1.0, 2.0),
            (3.0, 2.0),
            (3.0, 3.0),
            (1.0, 3.0),
            (1.0, 4.0),
            (2.0, 4.0),
            (3.0, 5.0),
            (0.0, 5.0),
        ]
        .map(|(x, y)| at(x, y));
        for shift in 0..comb.len() {
            let mut ring = comb.to_vec();
            ring.rotate_left(shift);
            let [here, beyond] = split(&ring, 2.0);
            let areas = |parts: &[Vec<Point>]| -> Vec<f64> {
                let mut areas: Vec<f64> = parts.iter().map(|part| area(part)).collect();
                areas.sort_by(f64::total_cmp);
                areas
            };
            assert_eq!(areas(&here), [8.0]);
            assert_eq!(areas(&beyond), [0.5, 1.0, 1.0]);
        }
        let [here, beyond] = split(&comb, 5.0);
        assert_eq!((here, beyond), (vec![comb.to_vec()], vec![]));
    }
}
