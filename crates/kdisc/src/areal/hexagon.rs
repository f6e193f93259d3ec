//! Hexagons of the area of a square, with level top and bottom.
//!
//! The lines through the sides of all hexagons run in three directions and cut the plane into
//! triangles, six of which make a hexagon. With s the side of a hexagon and coordinates relative to
//! the origin,
//!
//! ```text
//! u = (x + y/√3) / s,    v = (x − y/√3) / s,    w = u − v = 2y / (√3 s)
//! ```
//!
//! the lines are where u, v or w are whole numbers, and centres are where u + v is a multiple of 3
//! besides. The floors of u, v and w name a triangle; of its corners exactly one is a centre.
//!
//! A point of rational coordinates lies on a line only where y is that of the origin (the level
//! sides of every other column) or at the origin itself, since s is no root of a rational
//! quadratic: s⁴ = 4/27 M⁴. So only there do edges need an owner.

use super::grid::{Cell, Edges, Grid, floor};
use crate::Point;
use crate::predicates::compare_slanted;

/// The side of a hexagon of area 1: √(2/(3√3)).
const SIDE: f64 = 0.620_403_239_401_399_7;
const ROOT_3: f64 = 1.732_050_807_568_877_2;

/// The floors of u, v and w in triangles of a fraction of the side.
pub(super) fn fine_triangle(grid: &Grid, at: Point, parts: u32) -> [i64; 3] {
    let (x, y) = (at.x - grid.origin.x, at.y - grid.origin.y);
    let side = SIDE * grid.size / f64::from(parts);
    let (across, up) = (x / side, y / (ROOT_3 * side));
    let count = |quotient: f64, direction: [i32; 2], size: f64| {
        // Terms that cancel leave the rounding of the larger ones.
        let level = direction[0] == 0;
        let belongs_below = level && grid.edges == Edges::NorthWest;
        let exact = |n| compare_slanted(at, grid.origin, direction, grid.size, parts, n);
        let doubt = 1e-15 * (size + 1.0) * 4.0;
        if (quotient - quotient.round()).abs() > doubt {
            quotient.floor() as i64
        } else {
            floor(quotient.round(), belongs_below, exact)
        }
    };
    let size = across.abs() + up.abs();
    [
        count(across + up, [1, 1], size),
        count(across - up, [1, -1], size),
        count(2.0 * up, [0, 2], size),
    ]
}

/// The hexagon of a triangle, where a side is so many sides of triangles.
pub(super) fn cell([u, v, w]: [i64; 3], parts: i64) -> Cell {
    let [u, v, w] = [u, v, w].map(|fine| fine.div_euclid(parts));
    // Two corners are (u, v) and (u + 1, v + 1), on one level; the third is above or below.
    let third = if w == u - v { (u + 1, v) } else { (u, v + 1) };
    let (u, v) = match (u + v).rem_euclid(3) {
        0 => (u, v),
        1 => (u + 1, v + 1),
        _ => third,
    };
    Cell {
        column: (u + v) / 3,
        row: (u - 2 * v) / 3,
    }
}

/// How far the triangle numbers of a point fall when the grid moves by so many fractions of the
/// steps to the next column and to the next row.
pub(super) fn shift([u, v, w]: [i64; 3], columns: i64, rows: i64) -> [i64; 3] {
    [
        u - 2 * columns - rows,
        v - columns + rows,
        w - columns - 2 * rows,
    ]
}

pub(super) fn centre(grid: &Grid, cell: Cell) -> Point {
    let (u, v) = numbers(cell);
    lattice_point(grid, u, v)
}

pub(super) fn corners(grid: &Grid, cell: Cell) -> [Point; 6] {
    let (u, v) = numbers(cell);
    let around = [(1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0), (0, 1)];
    around.map(|(i, j)| lattice_point(grid, u + i, v + j))
}

/// u and v of the centre.
fn numbers(Cell { column, row }: Cell) -> (i64, i64) {
    (2 * column + row, column - row)
}

fn lattice_point(grid: &Grid, u: i64, v: i64) -> Point {
    let side = SIDE * grid.size;
    Point::new(
        grid.origin.x + (u + v) as f64 * (side / 2.0),
        grid.origin.y + (u - v) as f64 * (ROOT_3 / 2.0 * side),
    )
}
