//! From locations to pixels.

use thiserror::Error;

use crate::{Metric, Point};

/// Pixels beyond this are not told apart by doubles.
const LAST: f64 = (1u64 << 53) as f64;

/// A raster of square pixels over a plane.
///
/// The pixel of a coordinate is ⌊coordinate / pitch⌋, decided exactly. With dots larger than a
/// pixel the raster is as much coarser: dots within one such square are taken to cover each other.
/// Positions stay in pixels, so that they are multiples of the size of a dot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Raster {
    /// Size of a dot, in lengths of the plane.
    pitch: f64,
    /// Size of a dot, in pixels.
    dot: f64,
}

/// Why there is no such raster.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RasterError {
    /// A size is not a positive number.
    #[error("{0} is not the size of a pixel: it must be a positive number")]
    Size(f64),
    /// The pixels are too small for these coordinates.
    #[error("point {index}: a pixel of {pitch:e} is too small for the coordinate {value:e}")]
    TooFine {
        /// Index of the point.
        index: usize,
        /// The coordinate.
        value: f64,
        /// The size of a pixel.
        pitch: f64,
    },
}

impl Raster {
    /// Pixels of this size, in lengths of the plane, and dots of one pixel.
    ///
    /// # Errors
    /// When it is not a positive number.
    pub fn new(pixel: f64) -> Result<Self, RasterError> {
        Self {
            pitch: pixel,
            dot: 1.0,
        }
        .checked(pixel)
    }

    /// The same pixels, and dots of this many pixels.
    ///
    /// # Errors
    /// When it is not a positive number.
    pub fn with_dot(self, pixels: f64) -> Result<Self, RasterError> {
        Self {
            pitch: self.pitch / self.dot * pixels,
            dot: pixels,
        }
        .checked(pixels)
    }

    fn checked(self, size: f64) -> Result<Self, RasterError> {
        let is_size = |size: f64| size > 0.0 && size.is_finite();
        if is_size(size) && self.pitch.is_normal() {
            Ok(self)
        } else {
            Err(RasterError::Size(size))
        }
    }

    /// The size of a dot, in pixels.
    #[must_use]
    pub fn dot(self) -> f64 {
        self.dot
    }

    /// The size of a pixel, in lengths of the plane.
    #[must_use]
    pub fn pixel(self) -> f64 {
        self.pitch / self.dot
    }

    /// The pixel of each point.
    ///
    /// # Errors
    /// When the pixels are too small to be counted.
    pub fn pixels(self, points: &[Point]) -> Result<Vec<Point>, RasterError> {
        let Self { pitch, dot } = self;
        let mut pixels = Vec::with_capacity(points.len());
        for (index, point) in points.iter().enumerate() {
            let axis = |value: f64| match floor_of_quotient(value, pitch) {
                Some(pixel) => Ok(pixel * dot),
                None => Err(RasterError::TooFine {
                    index,
                    value,
                    pitch,
                }),
            };
            pixels.push(Point::new(axis(point.x)?, axis(point.y)?));
        }
        Ok(pixels)
    }

    /// How far the distance of two locations, in pixels, may be from that of their pixels.
    #[must_use]
    pub fn blur(self, metric: Metric) -> f64 {
        // Within a square a place has a side of room each way.
        self.dot
            * match metric {
                Metric::L2 => std::f64::consts::SQRT_2,
                Metric::L1 => 2.0,
                Metric::Linf => 1.0,
            }
    }
}

/// ⌊value / step⌋ of the numbers as they are, not of their rounded quotient.
fn floor_of_quotient(value: f64, step: f64) -> Option<f64> {
    let guess = (value / step).floor();
    if guess.abs() >= LAST {
        return None;
    }
    // A fused remainder is rounded once, so its sign is right.
    let remainder = |multiple: f64| multiple.mul_add(-step, value);
    Some(if remainder(guess) < 0.0 {
        guess - 1.0
    } else if remainder(guess + 1.0) >= 0.0 {
        guess + 1.0
    } else {
        // No pixel is −0.
        guess + 0.0
    })
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    use super::*;

    fn exact(value: f64, step: f64) -> BigInt {
        let rational = |number| BigRational::from_float(number).unwrap();
        (rational(value) / rational(step)).floor().to_integer()
    }

    #[test]
    fn borders_belong_to_the_pixel_to_their_right() {
        let pixel = |value, step| floor_of_quotient(value, step).unwrap();
        assert_eq!(pixel(200.0, 200.0), 1.0);
        assert_eq!(pixel(199.999, 200.0), 0.0);
        assert_eq!(pixel(-0.5, 1.0), -1.0);
        assert_eq!(pixel(-200.0, 200.0), -1.0);
        assert!(pixel(-0.0, 1.0).is_sign_positive());
        // 0.3 is a little less than three times 0.1 as doubles are; their quotient rounds to 3.
        assert_eq!(pixel(0.3, 0.1), 2.0);
        assert_eq!(pixel(0.6, 0.2), 2.0);
    }

    proptest! {
        #[test]
        fn the_floor_is_that_of_the_exact_quotient(
            multiple in -1_000_000i64..1_000_000,
            step in prop_oneof![1e-3..10.0, Just(0.1), Just(0.3), Just(1e-9), Just(200.0)],
            ulps in -2i64..=2,
        ) {
            let mut value: f64 = multiple as f64 * step;
            for _ in 0..ulps.abs() {
                value = if ulps < 0 { value.next_down() } else { value.next_up() };
            }
            prop_assume!(value == 0.0 || value.abs() > 1e-290);
            let found = floor_of_quotient(value, step).unwrap();
            prop_assert_eq!(BigInt::from(found as i64), exact(value, step));
        }
    }

    #[test]
    fn large_dots_make_a_coarser_raster_in_the_same_pixels() {
        let raster = Raster::new(10.0).unwrap().with_dot(4.0).unwrap();
        let pixels = raster.pixels(&[Point::new(119.0, -1.0), Point::new(120.0, 40.0)]);
        let expected = [Point::new(8.0, -4.0), Point::new(12.0, 4.0)];
        assert_eq!(pixels.unwrap(), expected);
        assert_eq!((raster.pixel(), raster.dot()), (10.0, 4.0));
    }

    #[test]
    fn sizes_that_are_none_are_refused() {
        for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
            assert!(Raster::new(size).is_err(), "{size}");
        }
        let raster = Raster::new(1e-12).unwrap();
        let error = raster.pixels(&[Point::new(0.0, 0.0), Point::new(0.0, 450_000.0)]);
        assert!(matches!(error, Err(RasterError::TooFine { index: 1, .. })));
    }
}
