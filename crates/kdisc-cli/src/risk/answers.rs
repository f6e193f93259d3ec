//! The answers in the order of the rows.

use kdisc::{Disc, Point};
use kdisc_io::units::RowState;

use super::prepare::Prepared;

/// What there is to say of a row.
#[derive(Debug, Clone, Copy)]
pub enum Answer {
    Invalid,
    /// The number of units at its place.
    NotMeasured(u64),
    /// The number of units at its place, and its disc in the coordinates of the input.
    Measured(u64, Result<Disc, NoDisc>),
}

/// Why there is no disc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoDisc {
    /// Fewer than k units count.
    TooFew,
    /// None lies inside the region.
    NotEnclosed,
    /// It lies in no region.
    Outside,
}

impl Answer {
    pub fn status(&self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotMeasured(_) => "not_measured",
            Self::Measured(_, Err(NoDisc::TooFew)) => "no_disc",
            Self::Measured(_, Err(NoDisc::NotEnclosed)) => "not_enclosed",
            Self::Measured(_, Err(NoDisc::Outside)) => "outside",
            Self::Measured(_, Ok(_)) => "ok",
        }
    }

    pub fn multiplicity(&self) -> Option<u64> {
        match self {
            Self::Invalid => None,
            Self::NotMeasured(here) | Self::Measured(here, _) => Some(*here),
        }
    }

    pub fn disc(&self) -> Option<&Disc> {
        match self {
            Self::Measured(_, disc) => disc.as_ref().ok(),
            _ => None,
        }
    }
}

/// Answers, row by row.
pub struct Sequence<'a> {
    prepared: &'a Prepared,
    discs: &'a [Option<Disc>],
    row: usize,
    usable: usize,
}

impl<'a> Sequence<'a> {
    pub fn new(prepared: &'a Prepared, discs: &'a [Option<Disc>]) -> Self {
        Self {
            prepared,
            discs,
            row: 0,
            usable: 0,
        }
    }

    /// Those of the next rows, at most so many. Rows are in no spatial order, so that almost every
    /// look-up waits for memory; looked up together, they wait together.
    pub fn take(&mut self, rows: usize, into: &mut Vec<Answer>) {
        into.clear();
        let prepared = self.prepared;
        let states = prepared.rows[self.row..].iter().take(rows);
        for &state in states {
            let this = self.usable;
            self.usable += usize::from(state != RowState::Invalid);
            self.row += 1;
            into.push(match state {
                RowState::Invalid => Answer::Invalid,
                RowState::NotMeasured => Answer::NotMeasured(prepared.multiplicity(this)),
                RowState::Measured => {
                    let disc = self.discs[prepared.answer(this)];
                    let disc = disc.ok_or_else(|| prepared.why_none(this));
                    Answer::Measured(prepared.multiplicity(this), disc)
                }
            });
        }
        if !prepared.ground.is_identity() {
            for answer in into {
                if let Answer::Measured(_, Ok(disc)) = answer {
                    disc.center = prepared.ground.from_metres(disc.center);
                }
            }
        }
    }
}

impl Prepared {
    /// A place of the computation, in the coordinates of the input.
    pub fn in_input(&self, place: Point) -> Point {
        self.ground.from_metres(place)
    }
}
