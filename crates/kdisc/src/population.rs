//! The population: a validated multiset of locations.
//!
//! Rows with equal coordinates (as numbers: −0 equals 0) are one location, and their weights add
//! up to its multiplicity. Locations stand in an order that depends on the set alone, never on
//! the order of the rows, and that keeps neighbours together in memory.
//!
//! Cost: O(n log n) time; 28 bytes per row kept, and about 60 while it is made.

use thiserror::Error;

use crate::Point;
use crate::index::Tree;

/// Coordinates beyond this are refused: their squares would leave the range of a double.
pub const LARGEST_COORDINATE: f64 = 1e150;
/// Coordinates nearer to 0 than this (and not 0) are refused: squares of their differences would
/// vanish.
pub const SMALLEST_COORDINATE: f64 = 1e-130;

/// Where the units are: distinct locations, each with the number of units there.
#[derive(Debug, Clone)]
pub struct Population {
    tree: Tree,
    location_of_row: Vec<u32>,
}

impl Population {
    /// One unit per point.
    ///
    /// # Errors
    /// See [`PopulationError`].
    pub fn new(points: &[Point]) -> Result<Self, PopulationError> {
        Self::build(points, |_| 1)
    }

    /// `weights[i]` units at `points[i]`. A location of weight 0 is measured but never counted.
    ///
    /// # Errors
    /// See [`PopulationError`].
    pub fn with_weights(points: &[Point], weights: &[u64]) -> Result<Self, PopulationError> {
        if points.len() != weights.len() {
            return Err(PopulationError::Lengths {
                points: points.len(),
                weights: weights.len(),
            });
        }
        Self::build(points, |row| weights[row])
    }

    fn build(points: &[Point], weight: impl Fn(usize) -> u64) -> Result<Self, PopulationError> {
        if check(points, &weight)? == 0 {
            return Err(PopulationError::NoUnits);
        }
        let (tree, location_of_row) = Tree::coalesced(points, weight);
        Ok(Self {
            tree,
            location_of_row,
        })
    }

    /// The distinct locations.
    #[must_use]
    pub fn locations(&self) -> &[Point] {
        self.tree.points()
    }

    /// The number of units at each location, in the order of [`Population::locations`].
    #[must_use]
    pub fn multiplicities(&self) -> &[u64] {
        self.tree.weights()
    }

    /// Which location each row of the input became.
    #[must_use]
    pub fn location_of_row(&self) -> &[u32] {
        &self.location_of_row
    }

    /// The number of units in all.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.tree.units()
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }
}

/// Whether `weights[i]` units at `points[i]`, or one each, could be a population; if so, how many
/// units it has. For those who only count, and need no index.
///
/// # Errors
/// See [`PopulationError`].
pub fn count_units(points: &[Point], weights: Option<&[u64]>) -> Result<u64, PopulationError> {
    let units = match weights {
        None => check(points, |_| 1)?,
        Some(weights) if weights.len() == points.len() => check(points, |row| weights[row])?,
        Some(weights) => {
            return Err(PopulationError::Lengths {
                points: points.len(),
                weights: weights.len(),
            });
        }
    };
    if units == 0 {
        return Err(PopulationError::NoUnits);
    }
    Ok(units)
}

/// Whether these rows can be counted, and how many units they are.
pub(crate) fn check(
    points: &[Point],
    weight: impl Fn(usize) -> u64,
) -> Result<u64, PopulationError> {
    if u32::try_from(points.len()).is_err() {
        return Err(PopulationError::TooManyRows(points.len()));
    }
    let mut units = 0u64;
    for (row, point) in points.iter().enumerate() {
        check_coordinate(row, point.x)?;
        check_coordinate(row, point.y)?;
        units = units
            .checked_add(weight(row))
            .filter(|&sum| sum <= MOST_UNITS)
            .ok_or(PopulationError::TooManyUnits)?;
    }
    Ok(units)
}

/// Sums of weights stay exact as doubles.
const MOST_UNITS: u64 = 1 << 53;

/// Whether a number can be a coordinate: finite, and its square in the range of a double.
///
/// # Errors
/// Says what is wrong with it; `row` is only repeated in the error.
pub fn check_coordinate(row: usize, value: f64) -> Result<(), PopulationError> {
    if !value.is_finite() {
        Err(PopulationError::NotFinite { row, value })
    } else if value.abs() > LARGEST_COORDINATE {
        Err(PopulationError::TooLarge { row, value })
    } else if value != 0.0 && value.abs() < SMALLEST_COORDINATE {
        Err(PopulationError::TooSmall { row, value })
    } else {
        Ok(())
    }
}

/// Why points are not a population.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PopulationError {
    /// A coordinate is NaN or infinite.
    #[error("row {row}: the coordinate {value} is not a finite number")]
    NotFinite {
        /// Index of the row.
        row: usize,
        /// The coordinate.
        value: f64,
    },
    /// A coordinate is too large to square.
    #[error("row {row}: the coordinate {value:e} is too large (at most 1e150)")]
    TooLarge {
        /// Index of the row.
        row: usize,
        /// The coordinate.
        value: f64,
    },
    /// A coordinate is too close to 0 to square.
    #[error("row {row}: the coordinate {value:e} is too close to 0 (0 itself, or at least 1e-130)")]
    TooSmall {
        /// Index of the row.
        row: usize,
        /// The coordinate.
        value: f64,
    },
    /// There are not as many weights as points.
    #[error("{points} points but {weights} weights")]
    Lengths {
        /// Number of points.
        points: usize,
        /// Number of weights.
        weights: usize,
    },
    /// There are not as many groups as points.
    #[error("{points} points but {groups} groups for them")]
    Groups {
        /// Number of points.
        points: usize,
        /// Number of groups that were given, one for each.
        groups: usize,
    },
    /// There are no points, or all weights are 0.
    #[error("there are no units: every weight is 0 or there are no points")]
    NoUnits,
    /// The weights add up to more than 2^53.
    #[error("the weights add up to more than 9007199254740992 (2^53) units")]
    TooManyUnits,
    /// More rows than fit in 32 bits.
    #[error("{0} rows: at most 4294967295 are possible")]
    TooManyRows(usize),
}
