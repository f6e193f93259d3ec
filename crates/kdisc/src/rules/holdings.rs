//! Rows arranged by place, so that what a set of places holds is found quickly.
//!
//! A place is a location, or a cell of a map. At each, rows stand in falling order of their values;
//! a set needs no more of a place than its sum and the first few.

use thiserror::Error;

use super::contributions::{Contributions, Sum};

/// Sums beyond this are refused: a hundred times as much must still be a double.
const LARGEST_SUM: f64 = 1e300;
/// Of rows without owner.
const NOBODY: u32 = u32::MAX;

/// What there is to know of each row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rows<'a> {
    /// Its value, if it has one.
    pub values: Option<&'a [Option<f64>]>,
    /// How many units it stands for; 1 each when absent.
    pub weights: Option<&'a [u64]>,
    /// Whose it is; rows without owner stand for themselves.
    pub owners: Option<&'a [Option<u32>]>,
    /// Its category, if it has one.
    pub categories: Option<&'a [Option<u32>]>,
    /// The category that [`super::Rule::Discrete`] asks about; the commonest when absent.
    pub asked: Option<u32>,
}

/// What rows contribute, by place.
#[derive(Debug, Clone)]
pub struct Holdings {
    /// Where the rows of each place begin, and where the last ends.
    starts: Vec<u32>,
    /// The contributions of the rows, in falling order at each place.
    amounts: Vec<f64>,
    /// Whose they are.
    owners: Option<Vec<u32>>,
    /// What they add up to at each place.
    sums: Vec<Sum>,
    /// The units behind them, but for those of owners, who count once in a set.
    contributors: Vec<u64>,
    /// Units of each place, with or without a value.
    units: Vec<u64>,
    categories: Option<Categories>,
}

/// How many units of each category there are, by place.
#[derive(Debug, Clone)]
struct Categories {
    starts: Vec<u32>,
    counts: Vec<(u32, u64)>,
    asked: Option<u32>,
}

/// Work space, kept from set to set.
#[derive(Debug, Default)]
pub(super) struct Desk {
    owned: Vec<(u32, f64)>,
    counted: Vec<(u32, u64)>,
}

impl Holdings {
    /// Arranges rows by place, of which there are `places`; rows without one are left out.
    ///
    /// # Errors
    /// When lengths differ, a value is not finite, or the values add up to too much.
    pub fn new(
        rows: &Rows<'_>,
        place_of_row: &[Option<u32>],
        places: usize,
    ) -> Result<Self, HoldingsError> {
        check(rows, place_of_row, places)?;
        let weight = |row: usize| rows.weights.map_or(1, |weights| weights[row]);
        let mut units = vec![0; places];
        let mut contributors = vec![0; places];
        // (place, amount, owner) of every contribution, and (place, category, units).
        let mut found = Vec::new();
        let mut labelled = Vec::new();
        for (row, place) in place_of_row.iter().enumerate() {
            let (Some(place), 1..) = (*place, weight(row)) else {
                continue;
            };
            units[place as usize] += weight(row);
            if let Some(category) = rows.categories.and_then(|of| of[row]) {
                labelled.push((place, category, weight(row)));
                if rows.values.is_none() {
                    contributors[place as usize] += weight(row);
                }
            }
            let Some(value) = rows.values.and_then(|values| values[row]) else {
                continue;
            };
            let owner = rows.owners.and_then(|owners| owners[row]).unwrap_or(NOBODY);
            if owner == NOBODY {
                contributors[place as usize] += weight(row);
            }
            found.push((place, value.abs(), owner));
        }
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        let mut sums = vec![Sum::default(); places];
        for &(place, amount, _) in &found {
            sums[place as usize].add(amount);
        }
        Ok(Self {
            starts: starts(places, found.iter().map(|row| row.0)),
            amounts: found.iter().map(|row| row.1).collect(),
            owners: rows.owners.map(|_| found.iter().map(|row| row.2).collect()),
            sums,
            contributors,
            units,
            categories: rows
                .categories
                .map(|_| Categories::new(labelled, places, rows.asked)),
        })
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.units.len()
    }

    /// What a set of places holds: the sum, and the `needed` largest contributions. `counts`, if it
    /// is not empty, gets the units of each category.
    pub(super) fn collect(
        &self,
        set: &[u32],
        needed: usize,
        desk: &mut Desk,
        into: &mut Contributions,
        counts: &mut [u64],
    ) {
        into.clear(needed);
        desk.owned.clear();
        for &place in set {
            let place = place as usize;
            into.units += self.units[place];
            into.contributors += self.contributors[place];
            let run = self.starts[place] as usize..self.starts[place + 1] as usize;
            if let Some(owners) = &self.owners {
                let rows = owners[run.clone()].iter().zip(&self.amounts[run]);
                desk.owned
                    .extend(rows.map(|(&owner, &amount)| (owner, amount)));
                continue;
            }
            into.add_total(self.sums[place]);
            for &amount in &self.amounts[run] {
                if !into.offer(amount) {
                    break;
                }
            }
        }
        desk.add_owners(into);
        if let Some(categories) = &self.categories {
            categories.collect(set, &mut desk.counted, into, counts);
        }
    }
}

impl Desk {
    /// Adds up what each owner has.
    fn add_owners(&mut self, into: &mut Contributions) {
        let order = |a: &(u32, f64), b: &(u32, f64)| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1));
        self.owned.sort_unstable_by(order);
        for rows in self.owned.chunk_by(|a, b| a.0 == b.0 && a.0 != NOBODY) {
            let mut sum = Sum::default();
            for row in rows {
                sum.add(row.1);
            }
            into.contributors += u64::from(rows[0].0 != NOBODY);
            into.add_total(sum);
            into.offer(sum.value());
        }
    }
}

impl Categories {
    fn new(mut rows: Vec<(u32, u32, u64)>, places: usize, asked: Option<u32>) -> Self {
        rows.sort_unstable();
        let mut merged: Vec<(u32, u32, u64)> = Vec::with_capacity(rows.len());
        for row in rows {
            match merged.last_mut() {
                Some(last) if (last.0, last.1) == (row.0, row.1) => last.2 += row.2,
                _ => merged.push(row),
            }
        }
        Self {
            starts: starts(places, merged.iter().map(|row| row.0)),
            counts: merged.iter().map(|row| (row.1, row.2)).collect(),
            asked,
        }
    }

    fn collect(
        &self,
        set: &[u32],
        counted: &mut Vec<(u32, u64)>,
        into: &mut Contributions,
        counts: &mut [u64],
    ) {
        counted.clear();
        for &place in set {
            let place = place as usize;
            let run = self.starts[place] as usize..self.starts[place + 1] as usize;
            counted.extend_from_slice(&self.counts[run]);
        }
        counted.sort_unstable();
        counts.fill(0);
        for rows in counted.chunk_by(|a, b| a.0 == b.0) {
            let units: u64 = rows.iter().map(|row| row.1).sum();
            let category = rows[0].0;
            into.categorised += units;
            if into.commonest.is_none_or(|(_, most)| units > most) {
                into.commonest = Some((category, units));
            }
            if self.asked == Some(category) {
                into.asked = units;
            }
            if let Some(count) = counts.get_mut(category as usize) {
                *count = units;
            }
        }
        if self.asked.is_none() {
            into.asked = into.commonest.map_or(0, |(_, units)| units);
        }
    }
}

/// Where the rows of each place begin, given the places of all in rising order.
fn starts(places: usize, sorted: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut starts = vec![0; places + 1];
    for place in sorted {
        starts[place as usize + 1] += 1;
    }
    for place in 0..places {
        starts[place + 1] += starts[place];
    }
    starts
}

fn check(
    rows: &Rows<'_>,
    place_of_row: &[Option<u32>],
    places: usize,
) -> Result<(), HoldingsError> {
    let lengths = [
        rows.values.map(<[_]>::len),
        rows.weights.map(<[_]>::len),
        rows.owners.map(<[_]>::len),
        rows.categories.map(<[_]>::len),
    ];
    let is_long = u32::try_from(place_of_row.len()).is_err();
    let differs = lengths
        .into_iter()
        .flatten()
        .any(|l| l != place_of_row.len());
    let unknown = place_of_row
        .iter()
        .flatten()
        .any(|&place| place as usize >= places);
    if is_long || differs || unknown {
        return Err(HoldingsError::Lengths);
    }
    let mut sum = 0.0;
    for (row, value) in rows.values.unwrap_or_default().iter().enumerate() {
        let value = value.unwrap_or(0.0);
        if !value.is_finite() {
            return Err(HoldingsError::NotFinite { row, value });
        }
        sum += value.abs() / LARGEST_SUM;
    }
    if sum > 1.0 {
        return Err(HoldingsError::TooLarge);
    }
    Ok(())
}

/// Why rows cannot be arranged.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum HoldingsError {
    /// There is not one value, weight, owner, category and place for each row.
    #[error("the rows, their places and what is known of them do not match")]
    Lengths,
    /// A value is NaN or infinite.
    #[error("row {row}: the value {value} is not a finite number")]
    NotFinite {
        /// Index of the row.
        row: usize,
        /// The value.
        value: f64,
    },
    /// The values add up to more than 1e300.
    #[error("the values add up to more than 1e300")]
    TooLarge,
}
