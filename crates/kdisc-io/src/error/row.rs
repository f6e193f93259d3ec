//! What can be wrong with a row.

use std::fmt;

use thiserror::Error;

/// What is wrong with one row of an input.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}, {at}{problem}")]
pub struct RowError {
    /// Name of the input.
    pub file: String,
    /// Where the row is.
    pub at: At,
    /// What is wrong with it.
    pub problem: RowProblem,
}

/// Where a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// The line of a text on which it begins, from 1.
    Line(usize),
    /// Its number, from 1.
    Row(usize),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowProblem {
    /// It has fewer or more fields than the header.
    Ragged {
        /// Fields in the header.
        expected: usize,
        /// Fields in the row.
        found: usize,
    },
    /// One of its values cannot be used.
    Value {
        /// Name of the column.
        column: String,
        /// The value, shortened if it is long.
        value: String,
        /// What is wrong with it.
        problem: ValueProblem,
    },
    /// Its geometry cannot be used.
    Geometry {
        /// Name of the column.
        column: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for RowProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { expected, found } => write!(
                f,
                ": {found} field{}, where the header has {expected}",
                if *found == 1 { "" } else { "s" }
            ),
            Self::Geometry { column, problem } => write!(f, ", column {column:?}: {problem}"),
            Self::Value {
                column,
                problem: ValueProblem::Missing,
                ..
            } => write!(f, ", column {column:?}: the value is missing"),
            Self::Value {
                column,
                value,
                problem,
            } => write!(f, ", column {column:?}: {value:?} {problem}"),
        }
    }
}

/// What is wrong with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ValueProblem {
    /// It is empty.
    #[error("is empty")]
    Missing,
    /// It cannot be read as a number.
    #[error("is not a number")]
    NotANumber,
    /// One of its marks separates thousands, and there is no telling which.
    #[error("has both a comma and a point")]
    BothMarks,
    /// NaN or infinite.
    #[error("is not a finite number")]
    NotFinite,
    /// A coordinate beyond 1e150.
    #[error("is too large for a coordinate: its square would not fit a double (at most 1e150)")]
    TooLarge,
    /// A coordinate so near to 0 that its square vanishes.
    #[error("is too close to 0 for a coordinate: its square would vanish (0, or at least 1e-130)")]
    TooSmall,
    /// A weight below 0.
    #[error("is negative; a weight counts units")]
    NegativeWeight,
    /// A weight that is no whole number.
    #[error("is not a whole number; a weight counts units")]
    FractionalWeight,
    /// A weight of 2^53 or more.
    #[error("is too large for a weight (at most 9007199254740991)")]
    LargeWeight,
}
