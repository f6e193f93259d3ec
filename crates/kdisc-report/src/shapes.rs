//! Layers of the user's own: points, lines and polygons, cut to what is on the page.
//!
//! A layer may be a whole country with corners every metre. What lies off the page is cut away and
//! corners that nobody could tell apart are left out, so that a file stays as small as its picture.

use std::fmt::Write;

use kdisc::Point;

use crate::frame::Frame;
use crate::svg::number;

/// Corners nearer to each other on the page are one.
const TELLABLE: f64 = 0.3;
/// So far off the page borders may run, out of sight.
const BEYOND: f64 = 20.0;

/// Shapes on the ground.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shapes {
    /// Points.
    pub points: Vec<Point>,
    /// Lines.
    pub lines: Vec<Vec<Point>>,
    /// The rings of polygons, of borders and holes alike.
    pub polygons: Vec<Vec<Vec<Point>>>,
}

impl Shapes {
    /// All corners and points.
    pub fn corners(&mut self) -> impl Iterator<Item = &mut Point> {
        let lines = self.lines.iter_mut().flatten();
        let rings = self.polygons.iter_mut().flatten().flatten();
        self.points.iter_mut().chain(lines).chain(rings)
    }
}

type Place = (f64, f64);

/// The sides of a window on the page.
#[derive(Debug, Clone, Copy)]
struct Window {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Window {
    fn of(frame: &Frame) -> Self {
        let area = frame.area;
        Self {
            left: area.x - BEYOND,
            top: area.y - BEYOND,
            right: area.x + area.width + BEYOND,
            bottom: area.y + area.height + BEYOND,
        }
    }

    /// How far inside of each of the four sides a place is.
    fn depths(&self, (x, y): Place) -> [f64; 4] {
        [x - self.left, self.right - x, y - self.top, self.bottom - y]
    }
}

/// The path of polygons on the page, as SVG has it.
#[must_use]
pub fn polygons(frame: &Frame, polygons: &[Vec<Vec<Point>>]) -> String {
    let window = Window::of(frame);
    let mut path = String::new();
    for ring in polygons.iter().flatten() {
        let mut places = thinned(ring.iter().map(|at| frame.place(*at)));
        if places.len() > 1 && places.first() == places.last() {
            places.pop();
        }
        for side in 0..4 {
            places = cut_ring(&places, &window, side);
        }
        if places.len() > 2 {
            put(&mut path, &places);
            path.push('Z');
        }
    }
    path
}

/// The path of lines on the page, as SVG has it.
#[must_use]
pub fn lines(frame: &Frame, lines: &[Vec<Point>]) -> String {
    let window = Window::of(frame);
    let mut path = String::new();
    for line in lines {
        let places = thinned(line.iter().map(|at| frame.place(*at)));
        let mut piece: Vec<Place> = Vec::new();
        for ends in places.windows(2) {
            let Some((a, b)) = cut_segment(ends[0], ends[1], &window) else {
                continue;
            };
            if piece.last() != Some(&a) {
                put(&mut path, &piece);
                piece = vec![a];
            }
            piece.push(b);
        }
        put(&mut path, &piece);
    }
    path
}

/// The path of points on the page, each a line of next to no length. Those that nobody could tell
/// apart are one.
#[must_use]
pub fn points(frame: &Frame, points: &[Point]) -> String {
    let shown = points.iter().filter(|at| frame.extent.holds(**at));
    let mut places: Vec<(i64, i64)> = shown
        .map(|at| {
            let (x, y) = frame.place(*at);
            ((x * 2.0).round() as i64, (y * 2.0).round() as i64)
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    let mut path = String::new();
    for (x, y) in places {
        let _ = write!(
            path,
            "M{} {}h.01",
            number(x as f64 / 2.0),
            number(y as f64 / 2.0)
        );
    }
    path
}

fn put(path: &mut String, places: &[Place]) {
    if places.len() < 2 {
        return;
    }
    for (i, (x, y)) in places.iter().enumerate() {
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{} {}", number(*x), number(*y));
    }
}

/// Without places that are not to be told from the one before; the last stays.
fn thinned(places: impl Iterator<Item = Place>) -> Vec<Place> {
    let mut kept: Vec<Place> = Vec::new();
    let mut last = None;
    for place in places.filter(|(x, y)| x.is_finite() && y.is_finite()) {
        let told = kept.last().is_none_or(|before| {
            (place.0 - before.0).abs() > TELLABLE || (place.1 - before.1).abs() > TELLABLE
        });
        last = (!told).then_some(place);
        if told {
            kept.push(place);
        }
    }
    kept.extend(last);
    kept
}

/// Sutherland and Hodgman: what of a ring is on the inner side of one side of the window.
fn cut_ring(ring: &[Place], window: &Window, side: usize) -> Vec<Place> {
    let mut kept = Vec::with_capacity(ring.len());
    let Some(&last) = ring.last() else {
        return kept;
    };
    let mut before = last;
    for &at in ring {
        let depths = [before, at].map(|place| window.depths(place)[side]);
        if (depths[0] >= 0.0) != (depths[1] >= 0.0) {
            kept.push(between(before, at, depths[0] / (depths[0] - depths[1])));
        }
        if depths[1] >= 0.0 {
            kept.push(at);
        }
        before = at;
    }
    kept
}

/// Liang and Barsky: what of a segment is in the window.
fn cut_segment(a: Place, b: Place, window: &Window) -> Option<(Place, Place)> {
    let (from, to) = (window.depths(a), window.depths(b));
    let (mut enters, mut leaves) = (0.0f64, 1.0f64);
    for (from, to) in from.into_iter().zip(to) {
        match (from >= 0.0, to >= 0.0) {
            (false, false) => return None,
            (false, true) => enters = enters.max(from / (from - to)),
            (true, false) => leaves = leaves.min(from / (from - to)),
            (true, true) => {}
        }
    }
    let start = if enters > 0.0 {
        between(a, b, enters)
    } else {
        a
    };
    let end = if leaves < 1.0 {
        between(a, b, leaves)
    } else {
        b
    };
    (enters < leaves).then_some((start, end))
}

fn between(a: Place, b: Place, part: f64) -> Place {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::{Area, Extent};

    fn frame() -> Frame {
        let area = Area {
            x: 0.0,
            y: 0.0,
            width: 100.0,
            height: 100.0,
        };
        let (min, max) = (Point::new(0.0, 0.0), Point::new(100.0, 100.0));
        Frame::new(area, Extent { min, max })
    }

    fn line(places: &[(f64, f64)]) -> Vec<Point> {
        places.iter().map(|(x, y)| Point::new(*x, *y)).collect()
    }

    #[test]
    fn what_is_on_the_page_stays() {
        let ring = line(&[(10.0, 10.0), (90.0, 10.0), (50.0, 80.0), (10.0, 10.0)]);
        assert_eq!(polygons(&frame(), &[vec![ring]]), "M10 90L90 90L50 20Z");
        let way = line(&[(0.0, 0.0), (0.1, 0.1), (50.0, 50.0), (60.0, 50.0)]);
        assert_eq!(lines(&frame(), &[way]), "M0 100L50 50L60 50");
    }

    #[test]
    fn what_is_off_the_page_is_cut() {
        let country = line(&[(-1e9, -1e9), (1e9, -1e9), (1e9, 1e9), (-1e9, 1e9)]);
        let path = polygons(&frame(), &[vec![country]]);
        assert_eq!(path, "M-20 -20L-20 120L120 120L120 -20Z");
        let elsewhere = line(&[(500.0, 0.0), (600.0, 0.0), (600.0, 80.0)]);
        assert_eq!(polygons(&frame(), &[vec![elsewhere.clone()]]), "");
        assert_eq!(lines(&frame(), &[elsewhere]), "");
        let through = line(&[(-1e6, 50.0), (1e6, 50.0), (1e6, 60.0), (-1e6, 60.0)]);
        assert_eq!(lines(&frame(), &[through]), "M-20 50L120 50M120 40L-20 40");
    }

    #[test]
    fn broken_numbers_are_left_out() {
        let way = line(&[(0.0, 0.0), (f64::NAN, 4.0), (50.0, 50.0)]);
        assert_eq!(lines(&frame(), &[way]), "M0 100L50 50");
    }
}
