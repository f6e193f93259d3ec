//! What can be wrong with a coordinate system, or with coordinates that should be in it.

use thiserror::Error;

/// Why a coordinate system, or an extent in it, cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CrsError {
    /// A code that the built-in catalogue does not have.
    #[error("EPSG:{code} is not among the coordinate systems that are built in")]
    UnknownCode {
        /// The code.
        code: u32,
    },
    /// Codes of another authority.
    #[error(
        "coordinate systems of the authority {authority:?} are not built in, only those of EPSG"
    )]
    UnknownAuthority {
        /// The authority.
        authority: String,
    },
    /// Neither a code nor a description in a known language.
    #[error(
        "{text:?} names no coordinate system; expected a code such as EPSG:28992, a PROJ string, WKT or PROJJSON"
    )]
    NotUnderstood {
        /// The beginning of the text.
        text: String,
    },
    /// The description breaks the rules of its language.
    #[error("the coordinate system is not well-formed {language}: {problem}")]
    Malformed {
        /// WKT or PROJJSON.
        language: &'static str,
        /// What was expected and found.
        problem: String,
    },
    /// A system that cannot be computed with.
    #[error("the coordinate system {name:?} cannot be used: {problem}")]
    Unsupported {
        /// Its name.
        name: String,
        /// What is the matter with it.
        problem: String,
    },
    /// Degrees as large as these do not exist.
    #[error(
        "{system} has coordinates in degrees, but {axis} goes from {min} to {max}, beyond ±{limit}"
    )]
    NotDegrees {
        /// The system.
        system: String,
        /// `x` or `y`.
        axis: char,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// What could still be meant.
        limit: f64,
    },
    /// y is no latitude, but x could be.
    #[error(
        "y, the latitude in {system}, goes from {min} to {max}, beyond ±90, but x does not: \
         x and y may be swapped"
    )]
    Swapped {
        /// The system.
        system: String,
        /// Smallest value of y.
        min: f64,
        /// Largest value of y.
        max: f64,
    },
    /// The data lie where the system is not defined.
    #[error("the data reach beyond what {system} can show")]
    Outside {
        /// The system.
        system: String,
    },
    /// Lengths would be too far off.
    #[error(
        "lengths in {system} are up to {:.1}% off over the extent of the data, more than {}%",
        error * 100.0, super::MAX_SCALE_ERROR * 100.0
    )]
    TooDistorted {
        /// The system that was tried.
        system: String,
        /// Worst relative error of lengths.
        error: f64,
    },
    /// Neighbours on the ground would be far apart.
    #[error("the data lie on both sides of the meridian along which {system} is cut open")]
    Torn {
        /// The system that was tried.
        system: String,
    },
    /// The data are all over the globe.
    #[error("the data, in {system}, spread too far over the globe for any plane")]
    NoPlane {
        /// The system of the data.
        system: String,
    },
    /// Distances cannot be computed in degrees.
    #[error("{system} has coordinates in degrees, and a disc needs metres")]
    ComputeInDegrees {
        /// The system asked for.
        system: String,
    },
    /// A system to compute in, but none to come from.
    #[error(
        "nothing says which coordinate system the data are in, so they cannot be taken to {system}"
    )]
    ComputeFromNothing {
        /// The system asked for.
        system: String,
    },
}

/// A location that cannot be taken to the system of the computation.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("the location cannot be projected: {problem}")]
pub struct Unprojectable {
    /// Its place among the locations given, from 0.
    pub index: usize,
    /// What is the matter with it.
    pub problem: String,
}
