//! Why polygons are not regions.

use thiserror::Error;

use crate::Point;

/// Why parts are not a region.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RegionError {
    /// There are no parts.
    #[error("it is empty")]
    NoParts,
    /// A coordinate is not finite, or out of the range of [`crate::check_coordinate`].
    #[error("its corner has the coordinate {0:e}, which is not a finite number of usable size")]
    Coordinate(f64),
    /// A ring with fewer than three corners.
    #[error("a ring{} has only {corners} distinct corners", Near(*at))]
    FewCorners {
        /// How many it has.
        corners: usize,
        /// The first of them.
        at: Option<Point>,
    },
    /// Two edges cross, or the border passes through itself at a corner.
    #[error("its border crosses itself{}", Near(Some(*at)))]
    Crossing {
        /// On or near one of the edges.
        at: Point,
    },
    /// Two edges have more than a point in common.
    #[error("its border runs along itself{}", Near(Some(*at)))]
    Doubled {
        /// On both edges.
        at: Point,
    },
    /// A hole lies outside its part, or inside another hole.
    #[error("a hole{} lies outside its outer ring or inside another hole", Near(Some(*at)))]
    Hole {
        /// A corner of the hole.
        at: Point,
    },
    /// A part lies in another.
    #[error("a part{} lies inside another part", Near(Some(*at)))]
    Parts {
        /// A corner of the inner part.
        at: Point,
    },
}

/// A point lies in two regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("point {point} lies in both region {} and region {}", regions[0], regions[1])]
pub struct Overlap {
    /// Index of the point.
    pub point: usize,
    /// Indices of the regions.
    pub regions: [usize; 2],
}

/// The regions have more corners than can be numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the regions have {0} corners: at most 500,000,000 are possible")]
pub struct TooManyCorners(pub usize);

struct Near(Option<Point>);

impl std::fmt::Display for Near {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .map_or(Ok(()), |at| write!(f, " at ({}, {})", at.x, at.y))
    }
}
