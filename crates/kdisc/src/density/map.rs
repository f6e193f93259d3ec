//! The finished map, and which of its cells may be shown.

/// Ten that contribute alike are ten, however their sums are rounded.
const ROUNDING: f64 = 1e-9;

/// What a cell must satisfy to be shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rule {
    /// Effective contributors, at least.
    pub min_contributors: f64,
    /// Share of the largest contribution, at most.
    pub max_share: f64,
}

/// A smoothed map: one number per cell in each of its bands.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    pub(super) density: Vec<f64>,
    pub(super) total: Option<Vec<f64>>,
    pub(super) contributors: Vec<f64>,
    pub(super) largest_share: Vec<f64>,
    pub(super) spread: u64,
    pub(super) outside: u64,
}

impl Map {
    /// Units per unit of area.
    #[must_use]
    pub fn density(&self) -> &[f64] {
        &self.density
    }

    /// Value per unit of area, if there are values.
    #[must_use]
    pub fn total(&self) -> Option<&[f64]> {
        self.total.as_deref()
    }

    /// The mean value of a unit: total by density. Not a number where nobody is.
    #[must_use]
    pub fn mean(&self) -> Option<Vec<f64>> {
        let total = self.total.as_ref()?;
        let cells = total.iter().zip(&self.density);
        Some(cells.map(|(total, density)| total / density).collect())
    }

    /// The effective number of contributors: (Σ c)² / Σ c² over their contributions c, without signs.
    /// 0 where there are none. Without values, contributors are units; with values, rows.
    #[must_use]
    pub fn contributors(&self) -> &[f64] {
        &self.contributors
    }

    /// The largest contribution by the sum of all, without signs. Not a number where there is none.
    #[must_use]
    pub fn largest_share(&self) -> &[f64] {
        &self.largest_share
    }

    /// The units on the map.
    #[must_use]
    pub fn spread(&self) -> u64 {
        self.spread
    }

    /// The units outside the raster or the study area, which were left out.
    #[must_use]
    pub fn outside(&self) -> u64 {
        self.outside
    }

    /// Whether a cell satisfies a rule. Where nobody contributes there is nothing to give away.
    #[must_use]
    pub fn is_safe(&self, cell: usize, rule: Rule) -> bool {
        let nobody = self.contributors[cell] == 0.0 && self.density[cell] == 0.0;
        nobody
            || (self.contributors[cell] * (1.0 + ROUNDING) >= rule.min_contributors
                && self.largest_share[cell] <= rule.max_share * (1.0 + ROUNDING))
    }

    /// Makes all bands of the cells that do not satisfy the rule not a number, and says how many
    /// they are.
    pub fn mask(&mut self, rule: Rule) -> usize {
        let mut masked = 0;
        for cell in 0..self.density.len() {
            if self.density[cell].is_nan() || self.is_safe(cell, rule) {
                continue;
            }
            masked += 1;
            self.density[cell] = f64::NAN;
            if let Some(total) = &mut self.total {
                total[cell] = f64::NAN;
            }
            self.contributors[cell] = f64::NAN;
            self.largest_share[cell] = f64::NAN;
        }
        masked
    }
}
