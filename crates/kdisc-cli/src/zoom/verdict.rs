//! The most detailed level that is still safe, and who breaks the next.

use kdisc::{Disc, Point};

use super::levels::Label;
use super::look::Sight;
use super::plan::Plan;
use super::table::Row;
use crate::register::Register;
use crate::summary::rows::RowName;

/// How many rows are named.
const NAMED: usize = 5;

/// What people came for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Nobody said what is too much.
    NoLimit,
    /// The most detailed level that is safe, all coarser ones being safe too.
    Safe(Label),
    /// Not even the coarsest level is.
    NoneSafe,
}

impl Verdict {
    /// Of the levels, coarse to detailed.
    pub fn new(plan: &Plan, rows: &[Row]) -> Self {
        if !plan.has_limit() {
            return Self::NoLimit;
        }
        let safe = rows.iter().take_while(|row| row.is_safe(plan));
        safe.last()
            .map_or(Self::NoneSafe, |row| Self::Safe(row.label))
    }
}

/// Who breaks a level.
pub struct Breaking {
    pub label: Label,
    pub units: u64,
    /// Some of them, the most isolated first.
    pub rows: Vec<Breaker>,
}

/// A row that breaks a level.
pub struct Breaker {
    pub name: RowName,
    /// On the ground.
    pub place: Point,
    /// In pixels; absent when it has none, or when it was enough to know that it is too large.
    pub disc: Option<Disc>,
}

impl Breaking {
    pub fn new(sight: &Sight, register: &Register) -> Self {
        let pixels = sight.pixels.locations().len();
        let mut rank = vec![usize::MAX; pixels];
        let mut discs = vec![None; pixels];
        match &sight.perceived {
            None => rank.fill(0),
            Some(survey) => {
                for &pixel in &survey.above {
                    rank[pixel as usize] = NAMED;
                }
                for (place, (pixel, disc)) in survey.largest.iter().enumerate() {
                    let pixel = *pixel as usize;
                    if rank[pixel] == NAMED {
                        rank[pixel] = place;
                        discs[pixel] = Some(*disc);
                    }
                }
            }
        }
        Self {
            label: sight.level.label,
            units: sight.units_above(),
            rows: named(sight, register, &rank, &discs),
        }
    }
}

/// The first rows by the rank of their pixels, then in their order.
fn named(
    sight: &Sight,
    register: &Register,
    rank: &[usize],
    discs: &[Option<Disc>],
) -> Vec<Breaker> {
    let pixels = sight.pixels.location_of_row();
    let mut found: Vec<(usize, usize, usize)> = Vec::with_capacity(NAMED + 1);
    for (i, row) in register.units.usable().enumerate() {
        let rank = rank[pixels[i] as usize];
        if rank == usize::MAX {
            continue;
        }
        let at = found.partition_point(|&(other, ..)| other <= rank);
        if at < NAMED {
            found.insert(at, (rank, row, i));
            found.truncate(NAMED);
        }
    }
    let rows: Vec<usize> = found.iter().map(|&(_, row, _)| row).collect();
    let names = register.table.names(&rows).into_iter();
    let breakers = found.iter().zip(names).map(|(&(_, _, i), name)| Breaker {
        name,
        place: register.units.points[i],
        disc: discs[pixels[i] as usize],
    });
    breakers.collect()
}
