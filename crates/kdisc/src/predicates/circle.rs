//! Circles through two (diametral) or three locations, exactly.
//!
//! Relative to the first location, in grains, a circle through the origin has the centre
//! (x, y)/d with whole x, y and d > 0:
//!
//! - diametral to u: (u, 2);
//! - through u and v: `x = v.y|u|² − u.y|v|²`, `y = u.x|v|² − v.x|u|²`, `d = 2(u × v)`.
//!
//! A place z is inside when d·|z|² ≤ 2(z·(x, y)). The squared radius is (x² + y²)/d².

use std::cell::OnceCell;
use std::cmp::Ordering;

use num_bigint::BigInt;

use super::grain::Grain;
use super::whole::{Whole, decompose};
use crate::Point;

/// The locations on its circle that hold a disc in place: two, diametral, or three.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Support {
    Two(Point, Point),
    Three(Point, Point, Point),
}

impl Support {
    pub fn first(&self) -> Point {
        match *self {
            Self::Two(p, _) | Self::Three(p, _, _) => p,
        }
    }
}

/// Lengths up to this many bits of grains keep [`Circle::side`] within 128 bits.
const SIDE_BITS: u32 = 29;
/// … and comparisons of radii.
const RADIUS_BITS: u32 = 20;
/// … and comparisons of centres.
const CENTER_BITS: u32 = 23;

/// Tells on which side of one circle places are.
pub(crate) struct Sides {
    grain: Grain,
    first: Point,
    short: Option<Circle<i128>>,
    long: OnceCell<Circle<BigInt>>,
    support: Support,
}

impl Sides {
    pub fn new(grain: Grain, support: &Support) -> Self {
        Self {
            grain,
            first: support.first(),
            short: Circle::short(grain, support, SIDE_BITS),
            long: OnceCell::new(),
            support: *support,
        }
    }

    /// Whether `place` is inside (`Less`), on (`Equal`) or outside (`Greater`) the circle.
    pub fn of(&self, place: Point) -> Ordering {
        if let Some(circle) = &self.short
            && let Some(z) = self.grain.short(place, self.first, SIDE_BITS)
        {
            return circle.side(&z);
        }
        let circle = self
            .long
            .get_or_init(|| Circle::long(self.grain, &self.support));
        circle.side(&self.grain.long(place, self.first))
    }
}

/// Compares two radii.
pub(crate) fn compare_radii(grain: Grain, a: &Support, b: &Support) -> Ordering {
    if let Some(a) = Circle::<i128>::short(grain, a, RADIUS_BITS)
        && let Some(b) = Circle::<i128>::short(grain, b, RADIUS_BITS)
    {
        return a.compare_radius(&b);
    }
    Circle::<BigInt>::long(grain, a).compare_radius(&Circle::long(grain, b))
}

/// Whether the radius is larger than a length, given that it rounds to it.
pub(crate) fn exceeds(grain: Grain, support: &Support, length: f64) -> bool {
    let circle = Circle::<BigInt>::long(grain, support);
    let (mantissa, exponent) = decompose(length);
    let length = circle.d.times(&BigInt::from(mantissa));
    let (radius, length) = (circle.squared(), length.times(&length));
    let shift = 2 * (exponent - grain.exponent());
    (radius << (-shift).max(0)) > (length << shift.max(0))
}

/// Compares two centres by x, then y.
pub(crate) fn compare_centers(grain: Grain, a: &Support, b: &Support) -> Ordering {
    let (from, to) = (a.first(), b.first());
    if let Some(a) = Circle::<i128>::short(grain, a, CENTER_BITS)
        && let Some(b) = Circle::<i128>::short(grain, b, CENTER_BITS)
        && let Some(shift) = grain.short(to, from, CENTER_BITS)
    {
        return a.compare_center(&b, &shift);
    }
    Circle::<BigInt>::long(grain, a).compare_center(&Circle::long(grain, b), &grain.long(to, from))
}

pub(crate) struct Circle<T> {
    pub x: T,
    pub y: T,
    pub d: T,
}

impl Circle<i128> {
    fn short(grain: Grain, support: &Support, bits: u32) -> Option<Self> {
        Some(match *support {
            Support::Two(p, q) => Self::diametral(&grain.short(q, p, bits)?),
            Support::Three(p, q, r) => {
                Self::through(&grain.short(q, p, bits)?, &grain.short(r, p, bits)?)
            }
        })
    }
}

impl Circle<BigInt> {
    pub fn long(grain: Grain, support: &Support) -> Self {
        match *support {
            Support::Two(p, q) => Self::diametral(&grain.long(q, p)),
            Support::Three(p, q, r) => Self::through(&grain.long(q, p), &grain.long(r, p)),
        }
    }
}

impl<T: Whole> Circle<T> {
    fn diametral(u: &[T; 2]) -> Self {
        Self {
            x: u[0].clone(),
            y: u[1].clone(),
            d: T::two(),
        }
    }

    fn through(u: &[T; 2], v: &[T; 2]) -> Self {
        let (uu, vv) = (square(u), square(v));
        let x = v[1].times(&uu).minus(&u[1].times(&vv));
        let y = u[0].times(&vv).minus(&v[0].times(&uu));
        let d = u[0].times(&v[1]).minus(&u[1].times(&v[0])).doubled();
        if d < T::zero() {
            let zero = T::zero();
            Self {
                x: zero.minus(&x),
                y: zero.minus(&y),
                d: zero.minus(&d),
            }
        } else {
            Self { x, y, d }
        }
    }

    fn side(&self, z: &[T; 2]) -> Ordering {
        let inner = z[0].times(&self.x).plus(&z[1].times(&self.y));
        self.d.times(&square(z)).cmp(&inner.doubled())
    }

    /// The numerator of the squared radius; the denominator is d².
    pub fn squared(&self) -> T {
        self.x.times(&self.x).plus(&self.y.times(&self.y))
    }

    fn compare_radius(&self, other: &Self) -> Ordering {
        T::compare_products(
            &self.squared(),
            &other.d.times(&other.d),
            &other.squared(),
            &self.d.times(&self.d),
        )
    }

    /// `shift` leads from the first location of this circle to that of the other.
    fn compare_center(&self, other: &Self, shift: &[T; 2]) -> Ordering {
        let along = |a: &T, b: &T, shift: &T| {
            let b = shift.times(&other.d).plus(b);
            a.times(&other.d).cmp(&b.times(&self.d))
        };
        along(&self.x, &other.x, &shift[0]).then_with(|| along(&self.y, &other.y, &shift[1]))
    }
}

fn square<T: Whole>(v: &[T; 2]) -> T {
    v[0].times(&v[0]).plus(&v[1].times(&v[1]))
}
