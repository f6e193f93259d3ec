//! The names of cells in INSPIRE's grid of Europe.
//!
//! A cell is called by its size and the northing and easting of its south-west corner, without as
//! many zeros as the size ends in: `1kmN2599E4695`, `250mN314225E403425`. INSPIRE itself has sizes of
//! 1 m to 100 km by powers of ten; those in between are named likewise in practice.

use kdisc::Point;
use kdisc::areal::{Cell, Edges, Grid, Shape};

/// The system of the grid.
const EPSG: u32 = 3035;
/// First digits of sizes in use.
const DIGITS: [u32; 4] = [1, 2, 5, 25];
/// Metres.
const LARGEST: f64 = 100_000.0;

/// How cells of one size are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    size: u32,
    /// Ten to the number of zeros at its end.
    zeros: u32,
}

impl Names {
    /// Names for a grid in a system, if it is part of INSPIRE's.
    pub fn new(grid: &Grid, epsg: Option<u32>) -> Option<Self> {
        let fits = epsg == Some(EPSG)
            && grid.shape() == Shape::Square
            && grid.origin() == Point::new(0.0, 0.0)
            && grid.edges() == Edges::SouthWest
            && grid.size().fract() == 0.0
            && (1.0..=LARGEST).contains(&grid.size());
        if !fits {
            return None;
        }
        let size = grid.size() as u32;
        let mut zeros = 1;
        while size.is_multiple_of(zeros * 10) {
            zeros *= 10;
        }
        DIGITS
            .contains(&(size / zeros))
            .then_some(Self { size, zeros })
    }

    /// The name of a cell; those beyond the false origin have none.
    pub fn name(self, cell: Cell) -> Option<String> {
        let corner = |steps: i64| {
            let metres = i128::from(steps) * i128::from(self.size);
            (steps >= 0).then_some(metres / i128::from(self.zeros))
        };
        let (north, east) = (corner(cell.row)?, corner(cell.column)?);
        Some(match self.size {
            1000.. if self.size.is_multiple_of(1000) => {
                format!("{}kmN{north}E{east}", self.size / 1000)
            }
            _ => format!("{}mN{north}E{east}", self.size),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(size: f64, x: f64, y: f64) -> Option<String> {
        let grid = Grid::square(size).unwrap();
        let names = Names::new(&grid, Some(EPSG))?;
        names.name(grid.cell(Point::new(x, y)).unwrap())
    }

    #[test]
    fn as_the_specification_has_them() {
        let told = |size| name(size, 4_695_000.5, 2_599_999.0).unwrap();
        assert_eq!(told(1000.0), "1kmN2599E4695");
        assert_eq!(told(100_000.0), "100kmN25E46");
        assert_eq!(told(10.0), "10mN259999E469500");
        assert_eq!(told(1.0), "1mN2599999E4695000");
        assert_eq!(told(250.0), "250mN259975E469500");
        assert_eq!(told(2500.0), "2500mN25975E46950");
        assert_eq!(told(5000.0), "5kmN2595E4695");
    }

    #[test]
    fn other_grids_have_none() {
        assert_eq!(name(300.0, 1.0, 1.0), None);
        assert_eq!(name(0.5, 1.0, 1.0), None);
        assert_eq!(name(1000.0, -1.0, 1.0), None);
        let grid = Grid::square(1000.0).unwrap();
        assert_eq!(Names::new(&grid, Some(28992)), None);
        let moved = grid.with_origin(Point::new(500.0, 0.0)).unwrap();
        assert_eq!(Names::new(&moved, Some(EPSG)), None);
        let hexagons = Grid::hexagon(1000.0).unwrap();
        assert_eq!(Names::new(&hexagons, Some(EPSG)), None);
    }
}
