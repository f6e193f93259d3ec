//! What the cells of a raster have to spread, where all spread alike.

use rayon::prelude::*;

use super::Frame;
use super::load::{Load, Units};

/// What the cells have to spread. Those that follow from others are absent.
pub(super) struct Fields {
    pub units: Vec<f64>,
    pub value: Option<Vec<f64>>,
    /// Contributions without signs, where these make a difference.
    pub size: Option<Vec<f64>>,
    pub square: Option<Vec<f64>>,
    pub peak: Option<Vec<f64>>,
}

impl Fields {
    pub fn new(frame: &Frame, units: &Units, cells: &[Option<u32>], all: bool) -> Self {
        let mut field = vec![0.0; frame.cells()];
        if !units.has_values() {
            for (row, cell) in cells.iter().enumerate() {
                if let Some(cell) = cell {
                    // Whole numbers below 2^53: in any order the same.
                    field[*cell as usize] += units.weight(row) as f64;
                }
            }
            return Self {
                units: field,
                value: None,
                size: None,
                square: None,
                peak: None,
            };
        }
        let rows = cells.par_iter().enumerate();
        let mut rows: Vec<(u32, u32)> = rows
            .filter_map(|(row, cell)| Some(((*cell)?, row as u32)))
            .collect();
        let value = |row: u32| units.value(row as usize);
        // Sums depend on their order, and that must not depend on the order of the rows.
        rows.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then(value(a.1).total_cmp(&value(b.1))));
        let band = |wanted: bool| wanted.then(|| vec![0.0; frame.cells()]);
        let mut fields = Self {
            units: field,
            value: band(true),
            size: band(all && units.are_signed()),
            square: band(all),
            peak: band(all),
        };
        let largest = units.largest();
        for group in rows.chunk_by(|a, b| a.0 == b.0) {
            let mut sum = Load::default();
            for &(_, row) in group {
                sum.add(&units.load(row as usize, largest));
            }
            let cell = group[0].0 as usize;
            fields.units[cell] = sum.units;
            let others = [
                (&mut fields.value, sum.value),
                (&mut fields.size, sum.size),
                (&mut fields.square, sum.square),
                (&mut fields.peak, sum.peak),
            ];
            for (band, sum) in others {
                if let Some(band) = band {
                    band[cell] = sum;
                }
            }
        }
        fields
    }
}
