//! From locations to pixels.

use crate::areal::{Grid, GridError};
use crate::{Metric, Point};

/// A raster of square pixels over a plane.
///
/// The pixel of a coordinate is ⌊coordinate / size⌋, decided exactly. With dots larger than a
/// pixel the raster is as much coarser: dots within one such square are taken to cover each other.
/// Positions stay in pixels, so that they are multiples of the size of a dot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Raster {
    /// The squares that a dot covers.
    squares: Grid,
    /// The size of a dot, in pixels.
    dot: f64,
}

impl Raster {
    /// Pixels of this size, in lengths of the plane, and dots of one pixel.
    ///
    /// # Errors
    /// When it is not a positive number of usable size.
    pub fn new(pixel: f64) -> Result<Self, GridError> {
        Ok(Self {
            squares: Grid::square(pixel)?,
            dot: 1.0,
        })
    }

    /// The same pixels, and dots of this many pixels.
    ///
    /// # Errors
    /// When it is not a positive number of usable size.
    pub fn with_dot(self, pixels: f64) -> Result<Self, GridError> {
        Ok(Self {
            squares: Grid::square(self.pixel() * pixels)?,
            dot: pixels,
        })
    }

    /// The size of a dot, in pixels.
    #[must_use]
    pub fn dot(self) -> f64 {
        self.dot
    }

    /// The size of a pixel, in lengths of the plane.
    #[must_use]
    pub fn pixel(self) -> f64 {
        self.squares.size() / self.dot
    }

    /// The pixel of each point, on all threads of the current pool.
    ///
    /// # Errors
    /// When the pixels are too small to be counted.
    pub fn pixels(self, points: &[Point]) -> Result<Vec<Point>, GridError> {
        let cells = self.squares.cells(points)?.into_iter();
        let pixel = |number: i64| number as f64 * self.dot;
        Ok(cells
            .map(|cell| Point::new(pixel(cell.column), pixel(cell.row)))
            .collect())
    }

    /// How far the distance of two locations, in pixels, may be from that of their pixels.
    #[must_use]
    pub fn blur(self, metric: Metric) -> f64 {
        // Within a square a place has a side of room each way.
        self.dot * metric.length(1.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_belong_to_the_pixel_to_their_right() {
        let pixel = |value, size| {
            let pixels = Raster::new(size).unwrap().pixels(&[Point::new(value, 0.0)]);
            pixels.unwrap()[0].x
        };
        assert_eq!(pixel(200.0, 200.0), 1.0);
        assert_eq!(pixel(199.999, 200.0), 0.0);
        assert_eq!(pixel(-0.5, 1.0), -1.0);
        assert_eq!(pixel(-200.0, 200.0), -1.0);
        // 0.3 is a little less than three times 0.1 as doubles are; their quotient rounds to 3.
        assert_eq!(pixel(0.3, 0.1), 2.0);
        assert_eq!(pixel(0.6, 0.2), 2.0);
    }

    #[test]
    fn large_dots_make_a_coarser_raster_in_the_same_pixels() {
        let raster = Raster::new(10.0).unwrap().with_dot(4.0).unwrap();
        let pixels = raster.pixels(&[Point::new(119.0, -1.0), Point::new(120.0, 40.0)]);
        let expected = [Point::new(8.0, -4.0), Point::new(12.0, 4.0)];
        assert_eq!(pixels.unwrap(), expected);
        assert_eq!((raster.pixel(), raster.dot()), (10.0, 4.0));
    }
}
