//! What is asked: how many units, how far the centre may lie, and in which metric.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How far the centre of a disc may lie from the unit that it protects.
///
/// This is what an attacker knows: at [`Delta::ZERO`] the exact location of the unit, at
/// [`Delta::INFINITE`] nothing of its surroundings.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Delta(f64);

impl Delta {
    /// Point-oriented: the disc is centred on the unit.
    pub const ZERO: Self = Self(0.0);
    /// Cluster-oriented: the disc only has to hold the unit.
    pub const INFINITE: Self = Self(f64::INFINITY);

    /// The centre lies at most `distance` from the unit.
    ///
    /// # Errors
    /// When `distance` is negative or not a number.
    pub fn new(distance: f64) -> Result<Self, AnonymityError> {
        if distance >= 0.0 {
            Ok(Self(distance + 0.0))
        } else {
            Err(AnonymityError::Delta(distance))
        }
    }

    /// The distance; infinite for [`Delta::INFINITE`].
    #[must_use]
    pub const fn distance(self) -> f64 {
        self.0
    }
}

impl FromStr for Delta {
    type Err = AnonymityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text
            .trim()
            .parse()
            .map_err(|_| AnonymityError::DeltaText(text.to_owned()))?;
        Self::new(number)
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// Which points are within a distance of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Metric {
    /// Straight-line distance: discs.
    #[default]
    L2,
    /// |dx| + |dy|: squares standing on a corner.
    L1,
    /// max(|dx|, |dy|): squares with sides along the axes.
    Linf,
}

impl Metric {
    /// How far a step leads.
    pub(crate) fn length(self, dx: f64, dy: f64) -> f64 {
        match self {
            Self::L2 => dx.hypot(dy),
            Self::L1 => dx.abs() + dy.abs(),
            Self::Linf => dx.abs().max(dy.abs()),
        }
    }
}

impl FromStr for Metric {
    type Err = AnonymityError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "l2" => Ok(Self::L2),
            "l1" => Ok(Self::L1),
            "linf" => Ok(Self::Linf),
            _ => Err(AnonymityError::Metric(text.to_owned())),
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::L2 => "l2",
            Self::L1 => "l1",
            Self::Linf => "linf",
        })
    }
}

/// The question put to every unit: the smallest disc with at least `k` units, and where its
/// centre may lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anonymity {
    pub(crate) k: u64,
    pub(crate) delta: Delta,
    pub(crate) metric: Metric,
}

impl Anonymity {
    /// Discs of at least `k` units, cluster-oriented, straight-line distance.
    ///
    /// # Errors
    /// When `k` is 0.
    pub const fn new(k: u64) -> Result<Self, AnonymityError> {
        if k == 0 {
            return Err(AnonymityError::ZeroK);
        }
        Ok(Self {
            k,
            delta: Delta::INFINITE,
            metric: Metric::L2,
        })
    }

    /// The same question with the centre at most `delta` from the unit.
    #[must_use]
    pub const fn with_delta(self, delta: Delta) -> Self {
        Self { delta, ..self }
    }

    /// The same question in another metric.
    #[must_use]
    pub const fn with_metric(self, metric: Metric) -> Self {
        Self { metric, ..self }
    }

    /// The number of units that a disc must hold.
    #[must_use]
    pub const fn k(self) -> u64 {
        self.k
    }

    /// How far the centre may lie from the unit.
    #[must_use]
    pub const fn delta(self) -> Delta {
        self.delta
    }

    /// The metric of the discs.
    #[must_use]
    pub const fn metric(self) -> Metric {
        self.metric
    }
}

/// Why a question makes no sense.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum AnonymityError {
    /// `k` is 0.
    #[error("k is 0: a disc must hold at least 1 unit; give k = 1 or more")]
    ZeroK,
    /// δ is negative or not a number.
    #[error("delta is {0}: give 0, a positive distance, or inf")]
    Delta(f64),
    /// δ cannot be read.
    #[error("delta is {0:?}: give 0, a positive distance, or inf")]
    DeltaText(String),
    /// The metric is unknown.
    #[error("metric is {0:?}: give l2, l1 or linf")]
    Metric(String),
}
