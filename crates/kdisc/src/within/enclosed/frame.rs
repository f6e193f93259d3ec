//! Coordinates round one location: with it as the origin, in units near the radii in question.
//!
//! The coordinates of a map are large and its discs are small, so a centre loses digits as a place
//! on the map. Relative to a location in the disc it keeps them all, and so do the places and the
//! border within reach. Where an edge is much longer than that, its distance from the origin is
//! worked out once with twice the digits.

use super::border::{Edge, left_of};
use crate::Point;
use crate::predicates::power_of_two;

#[derive(Clone, Copy)]
pub(super) struct Frame {
    origin: Point,
    scale: f64,
}

impl Frame {
    /// Round `origin`, in units of about `size`.
    pub fn new(origin: Point, size: f64) -> Self {
        let exponent = ((size.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        Self {
            origin,
            scale: power_of_two(-exponent),
        }
    }

    /// A place of the map, here.
    pub fn local(&self, place: Point) -> Point {
        self.step(self.origin, place)
    }

    /// The way from one place of the map to another, here.
    pub fn step(&self, from: Point, to: Point) -> Point {
        Point::new((to.x - from.x) * self.scale, (to.y - from.y) * self.scale)
    }

    /// A length of the map, here.
    pub fn length(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// A length here, on the map.
    pub fn unscaled(&self, length: f64) -> f64 {
        length / self.scale
    }

    /// A place here, on the map.
    pub fn place(&self, local: Point) -> Point {
        let place = |start: f64, step: f64| start + self.unscaled(step) + 0.0;
        Point::new(place(self.origin.x, local.x), place(self.origin.y, local.y))
    }

    /// How far a place of the map lies to the left of an edge, to all digits.
    fn offset(&self, edge: &Edge, length: f64, place: Point) -> f64 {
        self.length(left_of(edge, place) / length)
    }
}

/// An edge of the border, with all digits of its distance.
pub(super) struct Side {
    edge: Edge,
    length: f64,
    pub ends: [Point; 2],
    /// Its direction; 0 for an edge without length.
    pub along: Point,
    /// How far the origin lies to its left.
    pub offset: f64,
    /// Where its ends are, along it from the origin.
    reach: [f64; 2],
}

impl Side {
    pub fn new(frame: &Frame, edge: Edge) -> Self {
        let [a, b] = edge;
        let length = length(Point::new(b.x - a.x, b.y - a.y));
        let ends = edge.map(|end| frame.local(end));
        if length == 0.0 {
            return Self {
                edge,
                length,
                ends,
                along: Point::default(),
                offset: f64::INFINITY,
                reach: [f64::INFINITY, f64::NEG_INFINITY],
            };
        }
        let along = Point::new((b.x - a.x) / length, (b.y - a.y) / length);
        Self {
            edge,
            length,
            ends,
            along,
            offset: frame.offset(&edge, length, frame.origin),
            reach: ends.map(|end| dot(along, end)),
        }
    }

    pub fn distance(&self, local: Point) -> f64 {
        let at = dot(self.along, local);
        if self.reach[0] <= at && at <= self.reach[1] {
            (self.offset + cross(self.along, local)).abs()
        } else {
            let [a, b] = self.ends.map(|end| difference(end, local));
            length(a).min(length(b))
        }
    }

    /// The piece of it that lies within `window` of the origin along it, or its nearest point. A
    /// piece is short, so that plain doubles tell the distance to it.
    pub fn clipped(&self, window: f64) -> Edge {
        let foot = Point::new(self.offset * self.along.y, -self.offset * self.along.x);
        self.reach.map(|at| {
            let at = at.clamp(-window, window);
            Point::new(foot.x + at * self.along.x, foot.y + at * self.along.y)
        })
    }

    /// How far a place lies to the left of its line. A unit on the border is there to all digits.
    pub fn offset_of(&self, frame: &Frame, place: Point, local: Point) -> f64 {
        let offset = self.offset + cross(self.along, local);
        if offset.abs() < 1e-3 * length(local) {
            frame.offset(&self.edge, self.length, place)
        } else {
            offset
        }
    }
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a.x * b.x + a.y * b.y
}

pub(super) fn cross(a: Point, b: Point) -> f64 {
    a.x * b.y - a.y * b.x
}

pub(super) fn difference(a: Point, b: Point) -> Point {
    Point::new(a.x - b.x, a.y - b.y)
}

pub(super) fn length(a: Point) -> f64 {
    dot(a, a).sqrt()
}
