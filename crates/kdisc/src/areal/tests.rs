//! Cells and moving grids, against whole numbers and fractions.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;

use super::*;
use crate::Point;
use crate::example::random::Random;

fn exact(value: f64) -> BigRational {
    BigRational::from_float(value).unwrap()
}

/// Columns or rows between the origin and a coordinate, moved by a fraction of the size.
fn steps(value: f64, origin: f64, size: f64, moved: [u32; 2], below: bool) -> i64 {
    let moved = BigRational::new(BigInt::from(moved[0]), BigInt::from(moved[1]));
    let quotient = (exact(value) - exact(origin)) / exact(size) - moved;
    let floor = quotient.floor();
    let step = i64::from(below && floor == quotient);
    floor.to_integer().to_i64().unwrap() - step
}

fn slow_cell(grid: &Grid, at: Point, moved: [u32; 2], of: u32) -> Cell {
    let below = grid.edges == Edges::NorthWest;
    Cell {
        column: steps(at.x, grid.origin.x, grid.size, [moved[0], of], false),
        row: steps(at.y, grid.origin.y, grid.size, [moved[1], of], below),
    }
}

/// Points on, next to and off the lines of a grid.
fn points(random: &mut Random, grid: &Grid, count: usize) -> Vec<Point> {
    let mut coordinate = |origin: f64| {
        let near = origin + random.below(64) as f64 / 8.0 * grid.size;
        match random.below(4) {
            0 => near,
            1 => near.next_up(),
            2 => near.next_down(),
            _ => origin + random.between(-9.0, 9.0) * grid.size,
        }
    };
    let point = |_| Point::new(coordinate(grid.origin.x), coordinate(grid.origin.y));
    (0..count).map(point).collect()
}

/// Sizes and origins that doubles hold well and badly.
fn grids(shape: Shape) -> Vec<Grid> {
    let mut found = Vec::new();
    for edges in [Edges::SouthWest, Edges::NorthWest] {
        for (size, x, y) in [
            (1.0, 0.0, 0.0),
            (0.1, 0.0, 0.3),
            (200.0, 0.0, 0.0),
            (1.0 / 3.0, 4_321_000.1, -3.3),
            (1e-100, 0.0, 1e-99),
            (3.3e140, -7e140, 0.0),
        ] {
            let grid = Grid::new(shape, size).unwrap().with_edges(edges);
            found.push(grid.with_origin(Point::new(x, y)).unwrap());
        }
    }
    found
}

#[test]
fn squares_at_their_edges() {
    let mut random = Random::new(1);
    for grid in grids(Shape::Square) {
        let points = points(&mut random, &grid, 3000);
        for (at, cell) in points.iter().zip(grid.cells(&points).unwrap()) {
            assert_eq!(cell, slow_cell(&grid, *at, [0, 0], 1), "{at:?} {grid:?}");
        }
    }
}

#[test]
fn west_and_south_edges_or_north_ones() {
    let grid = Grid::square(200.0).unwrap();
    let cell = |grid: Grid, x, y| {
        let Cell { column, row } = grid.cell(Point::new(x, y)).unwrap();
        (column, row)
    };
    assert_eq!(cell(grid, 200.0, 400.0), (1, 2));
    assert_eq!(cell(grid, -0.0, 0.0), (0, 0));
    assert_eq!(cell(grid, -200.0, -1.0), (-1, -1));
    let north = grid.with_edges(Edges::NorthWest);
    assert_eq!(cell(north, 200.0, 400.0), (1, 1));
    assert_eq!(cell(north, 0.0, 0.0), (0, -1));
}

#[test]
fn no_grid_is_a_grid_of_nothing() {
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e200, 1e-200] {
        assert!(matches!(Grid::square(size), Err(GridError::Size(_))));
    }
    let grid = Grid::square(1.0).unwrap();
    let nowhere = grid.with_origin(Point::new(0.0, f64::NAN));
    assert!(matches!(nowhere, Err(GridError::Origin(_))));
    let far = Point::new(0.0, 1e13);
    assert!(matches!(grid.cell(far), Err(GridError::TooFine { .. })));
    assert!(matches!(grid.cells(&[far]), Err(GridError::TooFine { .. })));
    assert!(grid.cell(Point::new(f64::NAN, 0.0)).is_err());
}

/// The hexagon of a point is the one whose centre is nearest. Twofold distances would do, but near
/// points are told apart well enough here by asking that no centre is clearly nearer.
#[test]
fn hexagons_are_round_their_centres() {
    let mut random = Random::new(2);
    for grid in grids(Shape::Hexagon) {
        for at in points(&mut random, &grid, 2000) {
            let cell = grid.cell(at).unwrap();
            let far = |cell: Cell| {
                let centre = grid.corner(cell);
                (centre.x - at.x).hypot(centre.y - at.y) / grid.size
            };
            for (i, j) in [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)] {
                let other = Cell {
                    column: cell.column + i,
                    row: cell.row + j,
                };
                // National coordinates are multiples of some 1e-10.
                assert!(far(cell) <= far(other) + 1e-8, "{at:?} {grid:?}");
            }
        }
    }
}

#[test]
fn hexagons_at_their_edges() {
    // In every other column, a level side is on the origin's level.
    let grid = Grid::hexagon(1.0).unwrap();
    let next = grid.corner(Cell { column: 1, row: 0 });
    let on = Point::new(next.x, 0.0);
    let above = Cell { column: 1, row: 0 };
    let below = Cell { column: 1, row: -1 };
    assert_eq!(grid.cell(on).unwrap(), above);
    assert_eq!(grid.cell(Point::new(next.x, -1e-130)).unwrap(), below);
    let north = grid.with_edges(Edges::NorthWest);
    assert_eq!(north.cell(on).unwrap(), below);
    assert_eq!(north.cell(Point::new(next.x, 1e-130)).unwrap(), above);
    for grid in [grid, north] {
        let origin = Cell { column: 0, row: 0 };
        assert_eq!(grid.cell(Point::new(0.0, 0.0)).unwrap(), origin);
    }
    // The right corner of the hexagon round the origin, between doubles.
    let corner = grid.corners(Cell { column: 0, row: 0 })[0];
    let inside = grid.cell(Point::new(corner.x.next_down(), 0.0)).unwrap();
    assert_eq!(inside, Cell { column: 0, row: 0 });
    let outside = grid.cell(Point::new(corner.x.next_up(), 0.0)).unwrap();
    assert_eq!(outside.column, 1);
}

#[test]
fn cells_have_the_area_of_their_corners() {
    for shape in [Shape::Square, Shape::Hexagon] {
        let grid = Grid::new(shape, 4.0).unwrap();
        let cell = Cell { column: 3, row: -2 };
        let outer = grid.corners(cell);
        let region = crate::region::Region::new(vec![crate::region::Part {
            outer,
            holes: vec![],
        }]);
        let region = region.unwrap();
        assert!((region.area() - grid.area()).abs() < 1e-12);
        let centre = region.centroid();
        assert_eq!(grid.cell(centre).unwrap(), cell);
    }
}

/// The least and most over all variants, one grid after another.
fn slow_moved(points: &[Point], weights: &[u64], grid: &Grid, shifts: u32) -> Spread {
    let mut spread = Spread {
        least: vec![u64::MAX; points.len()],
        most: vec![0; points.len()],
    };
    for i in 0..shifts {
        for j in 0..shifts {
            let cells: Vec<_> = points
                .iter()
                .map(|&at| slow_cell(grid, at, [i, j], shifts))
                .collect();
            let mut counts: HashMap<Cell, u64> = HashMap::new();
            for (cell, weight) in cells.iter().zip(weights) {
                *counts.entry(*cell).or_default() += weight;
            }
            for (unit, cell) in cells.iter().enumerate() {
                spread.least[unit] = spread.least[unit].min(counts[cell]);
                spread.most[unit] = spread.most[unit].max(counts[cell]);
            }
        }
    }
    spread
}

#[test]
fn moving_squares_gives_what_each_grid_gives() {
    let mut random = Random::new(3);
    for (shifts, count) in [(1, 50), (2, 200), (3, 100), (16, 60)] {
        for grid in grids(Shape::Square) {
            let points = points(&mut random, &grid, count);
            let weights: Vec<u64> = (0..count).map(|_| random.below(4) as u64).collect();
            let found = Maup::new(&points, Some(&weights), &grid, shifts).unwrap();
            let expected = slow_moved(&points, &weights, &grid, shifts);
            assert_eq!(found.moved, expected, "{shifts} {grid:?}");
        }
    }
}

#[test]
fn moving_hexagons_gives_what_each_grid_gives() {
    let mut random = Random::new(4);
    let shifts = 4;
    for far in [1.0, 1e6] {
        // Far enough from the lines that a moved origin may be rounded.
        let grid = Grid::hexagon(1.0).unwrap();
        let mut coordinate = || far * random.between(-4.0, 4.0);
        let points: Vec<_> = (0..300)
            .map(|_| Point::new(coordinate(), coordinate()))
            .collect();
        let found = Maup::new(&points, None, &grid, shifts).unwrap();
        let mut least = vec![u64::MAX; points.len()];
        let mut most = vec![0; points.len()];
        let (column, row) = (Cell { column: 1, row: 0 }, Cell { column: 0, row: 1 });
        let (column, row) = (grid.corner(column), grid.corner(row));
        for step in 0..shifts * shifts {
            let parts = [step / shifts, step % shifts].map(|n| f64::from(n) / f64::from(shifts));
            let origin = Point::new(
                parts[0] * column.x + parts[1] * row.x,
                parts[0] * column.y + parts[1] * row.y,
            );
            let tally = Tally::new(&points, None, &grid.with_origin(origin).unwrap()).unwrap();
            for (unit, count) in tally.counts_of_units().enumerate() {
                least[unit] = count.min(least[unit]);
                most[unit] = count.max(most[unit]);
            }
        }
        assert_eq!(found.moved, Spread { least, most });
    }
}

#[test]
fn the_other_variants() {
    let points = [(0.1, 0.1), (0.9, 0.9), (1.1, 0.1), (0.2, 0.2)].map(|(x, y)| Point::new(x, y));
    let found = Maup::new(&points, None, &Grid::square(1.0).unwrap(), 2).unwrap();
    assert_eq!(found.base, [3, 3, 1, 3]);
    assert_eq!(found.halved, [2, 1, 1, 2]);
    assert_eq!(found.doubled, [4, 4, 4, 4]);
    let hexagons = Tally::new(&points, None, &Grid::hexagon(1.0).unwrap()).unwrap();
    assert_eq!(
        found.reshaped,
        hexagons.counts_of_units().collect::<Vec<_>>()
    );
    assert_eq!(found.range(1), [1, 4]);
    assert_eq!(found.risks(1), [0.25, 1.0]);
    let back = Maup::new(&points, None, &Grid::hexagon(1.0).unwrap(), 2).unwrap();
    assert_eq!(back.reshaped, found.base);
}

/// The figures of the paper: one square, resized, moved and reshaped.
#[test]
fn the_paper_s_figures() {
    let units = [(2.2, 0.2), (2.9, 1.7), (3.2, 1.8), (-0.2, 2.0)].map(|(x, y)| Point::new(x, y));
    let risk = |grid: Grid, inside: Point| {
        let tally = Tally::new(&units, None, &grid).unwrap();
        let cell = grid.cell(inside).unwrap();
        let found = tally.cells().iter().position(|&other| other == cell);
        areal_risk(found.map_or(0, |i| tally.counts()[i]))
    };
    let at = |x, y| Point::new(x, y);
    let square = Grid::square(4.0).unwrap();
    assert_eq!(risk(square, at(1.0, 1.0)), 1.0 / 3.0);
    let smaller = Grid::square(2.0).unwrap();
    assert_eq!(risk(smaller, at(3.0, 1.0)), 1.0 / 3.0);
    let moved = square.with_origin(at(0.3, 0.4)).unwrap();
    assert_eq!(risk(moved, at(1.0, 1.0)), 1.0 / 2.0);
    let hexagon = Grid::hexagon(4.0).unwrap();
    let hexagon = hexagon.with_origin(at(2.0, 2.0)).unwrap();
    assert_eq!(risk(hexagon, at(2.0, 2.0)), 1.0 / 4.0);
    assert_eq!(risk(square, at(100.0, 100.0)), 0.0);
}
