//! Which of several smallest discs is reported: the one with the fewest units, then the smallest
//! centre x, then y.
//!
//! Radii are doubles with an error below [`TIED`], and those within it of the smallest tie. One
//! disc is often found more than once, held by different locations; then the support that allows
//! its figures to be rounded correctly is preferred.

use super::circles::Circle;
use super::frame::Frame;
use crate::predicates::{Grain, Support, rounded};
use crate::{Disc, Point};

/// Radii that differ by less than this, relatively, are equal.
pub(super) const TIED: f64 = 1e-12;
/// Centres that differ by less than this, relative to the radius, belong to one disc.
const SAME: f64 = 1e-9;

#[derive(Default)]
pub(super) struct Choice {
    offers: Vec<(Circle, u64)>,
    smallest: Option<f64>,
}

impl Choice {
    pub fn is_empty(&self) -> bool {
        self.offers.is_empty()
    }

    /// The largest radius that is still of use.
    pub fn limit(&self) -> f64 {
        self.smallest.map_or(f64::INFINITY, |s| s * (1.0 + TIED))
    }

    pub fn offer(&mut self, circle: Circle, units: u64) {
        if circle.radius > self.limit() {
            return;
        }
        if self.smallest.is_none_or(|s| circle.radius < s) {
            self.smallest = Some(circle.radius);
            let limit = self.limit();
            self.offers.retain(|(other, _)| other.radius <= limit);
        }
        self.offers.push((circle, units));
    }

    pub fn disc(mut self, frame: &Frame) -> Option<Disc> {
        let same = SAME * self.smallest?;
        let units = self.offers.iter().map(|(_, units)| *units).min()?;
        self.offers.retain(|offer| offer.1 == units);
        self.keep_least(same, |center| center.x);
        self.keep_least(same, |center| center.y);
        let rank = |circle: &Circle| match circle.support {
            Some(Support::Two(..)) => 0,
            Some(Support::Three(..)) => 1,
            None => 2,
        };
        let (circle, _) = self.offers.iter().min_by_key(|(circle, _)| rank(circle))?;
        let (center, radius) = match &circle.support {
            Some(support) => {
                let places: &[Point] = match *support {
                    Support::Two(p, q) => &[p, q],
                    Support::Three(p, q, r) => &[p, q, r],
                };
                let (center, radius) = rounded(Grain::of(places), support);
                (Point::new(center.x + 0.0, center.y + 0.0), radius)
            }
            None => (frame.place(circle.center), frame.unscaled(circle.radius)),
        };
        Some(Disc {
            center,
            radius,
            units,
        })
    }

    fn keep_least(&mut self, same: f64, of: fn(Point) -> f64) {
        let values = self.offers.iter().map(|(circle, _)| of(circle.center));
        let least = values.fold(f64::INFINITY, f64::min);
        self.offers
            .retain(|(circle, _)| of(circle.center) <= least + same);
    }
}
