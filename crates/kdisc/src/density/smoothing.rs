//! From units to a map.

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::convolve::{Largest, PASSES, Sum, convolve, padded};
use super::fields::Fields;
use super::load::Units;
use super::spread::{self, Source, Spread};
use super::taps::Taps;
use super::{Area, DensityError, Frame, Kernel, Map};
use crate::measure::{Job, Progress, Run};

/// How far units are spread.
#[derive(Debug, Clone, Copy)]
pub enum Bandwidth<'a> {
    /// All alike.
    Fixed(f64),
    /// Each row by its own.
    Each(&'a [f64]),
}

/// A smoothing, ready to run.
#[derive(Clone, Copy)]
pub struct Smoothing<'a> {
    frame: &'a Frame,
    kernel: Kernel,
    bandwidth: Bandwidth<'a>,
    exact: bool,
    area: Option<&'a Area>,
    run: Run<'a>,
}

impl<'a> Smoothing<'a> {
    /// Spreads units over the cells of `frame`, from the centres of their own cells.
    #[must_use]
    pub fn new(frame: &'a Frame, kernel: Kernel, bandwidth: Bandwidth<'a>) -> Self {
        Self {
            frame,
            kernel,
            bandwidth,
            exact: false,
            area: None,
            run: Run::default(),
        }
    }

    /// Spreads units from where they are. A kernel that reaches no centre of a cell gives all to
    /// the cell of its unit.
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// Nothing goes to cells outside this area, and units outside it do not count.
    #[must_use]
    pub fn within(mut self, area: Option<&'a Area>) -> Self {
        self.area = area;
        self
    }

    /// Uses at most this many threads; 0, the default, means all cores.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.run.threads = threads;
        self
    }

    /// Calls `progress` now and then while it runs.
    #[must_use]
    pub fn progress(mut self, progress: &'a Progress<'a>) -> Self {
        self.run.progress = Some(progress);
        self
    }

    /// Stops early once `flag` is true.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.run.cancel = Some(flag);
        self
    }

    /// Bytes that [`Smoothing::map`] needs for cells, what it returns included.
    #[must_use]
    pub fn bytes(frame: &Frame, units: &Units) -> u128 {
        // What is spread, scaled, and done.
        let bands = if units.are_signed() {
            5 + 1 + 5
        } else if units.has_values() {
            4 + 1 + 4
        } else {
            1 + 1 + 3
        };
        // And norms, the study area, and what is halfway.
        let each = (bands + 1) * size_of::<f64>() + 1;
        let halfway = frame.rows() as u128 * padded(frame.columns()) as u128;
        frame.cells() as u128 * each as u128 + halfway * size_of::<f64>() as u128
    }

    /// The units per unit of area, of all cells: not a number outside the study area.
    ///
    /// # Errors
    /// See [`DensityError`].
    pub fn density(self, units: &Units) -> Result<Vec<f64>, DensityError> {
        let units = units.without_values();
        let sums = self.sums(&units, false)?;
        Ok(self.per_area(sums.units))
    }

    /// The map with all its bands.
    ///
    /// # Errors
    /// See [`DensityError`].
    pub fn map(self, units: &Units) -> Result<Map, DensityError> {
        let mut sums = self.sums(units, true)?;
        let size = match (sums.size.take(), &sums.value) {
            (Some(size), _) => size,
            (None, Some(value)) => {
                let largest = units.largest();
                value.iter().map(|value| value / largest).collect()
            }
            (None, None) => sums.units.clone(),
        };
        let mut contributors = sums.square;
        let mut largest_share = sums.peak;
        for cell in 0..self.frame.cells() {
            let all = size[cell];
            // Where all values are 0 there are units, but no contributions.
            let square = contributors[cell];
            contributors[cell] = if square > 0.0 {
                all * all / square
            } else {
                0.0
            };
            largest_share[cell] /= all;
        }
        if let Some(area) = self.area {
            for (cell, _) in area
                .cells()
                .iter()
                .enumerate()
                .filter(|(_, in_it)| !**in_it)
            {
                contributors[cell] = f64::NAN;
                largest_share[cell] = f64::NAN;
            }
        }
        Ok(Map {
            density: self.per_area(sums.units),
            total: sums.value.map(|value| self.per_area(value)),
            contributors,
            largest_share,
            spread: sums.spread,
            outside: sums.outside,
        })
    }

    fn per_area(&self, mut band: Vec<f64>) -> Vec<f64> {
        let area = self.frame.cell_area();
        for (cell, number) in band.iter_mut().enumerate() {
            let inside = self.area.is_none_or(|area| area.cells()[cell]);
            *number = if inside { *number / area } else { f64::NAN };
        }
        band
    }

    /// What each cell receives; without contributions unless `all` is wanted.
    fn sums(self, units: &Units, all: bool) -> Result<Sums, DensityError> {
        units.check()?;
        let usable = |h: f64| h > 0.0 && crate::check_coordinate(0, h).is_ok();
        match self.bandwidth {
            Bandwidth::Fixed(h) if !usable(h) => return Err(DensityError::Bandwidth(h)),
            Bandwidth::Each(each) => {
                if each.len() != units.points().len() {
                    return Err(DensityError::Lengths {
                        points: units.points().len(),
                        what: "bandwidths",
                        found: each.len(),
                    });
                }
                if let Some(&wrong) = each.iter().find(|h| !usable(**h)) {
                    return Err(DensityError::Bandwidth(wrong));
                }
            }
            Bandwidth::Fixed(_) => {}
        }
        let fields = 1
            + usize::from(units.has_values())
            + usize::from(units.are_signed() && all)
            + 2 * usize::from(all);
        let norms = usize::from(self.area.is_some());
        let steps = match (self.bandwidth, self.exact) {
            (Bandwidth::Fixed(_), false) => (fields + norms) * PASSES * self.frame.rows(),
            _ => spread::steps(self.frame, units),
        };
        // Its own errors pass through as results, those of the job as what they are.
        self.run.of(steps, |job| {
            Ok(match (self.bandwidth, self.exact) {
                (Bandwidth::Fixed(bandwidth), false) => self.alike(units, bandwidth, all, job),
                _ => self.each(units, job),
            })
        })?
    }

    /// One bandwidth, from the centres of cells: every cell spreads what is in it.
    fn alike(
        &self,
        units: &Units,
        bandwidth: f64,
        all: bool,
        job: &Job<'_>,
    ) -> Result<Sums, DensityError> {
        let frame = self.frame;
        let columns = frame.columns();
        let taps = Taps::new(self.kernel, bandwidth, frame);
        let cells = units.cells(frame, self.area)?;
        let (spread, outside) = count(units, &cells);
        let loads = Fields::new(frame, units, &cells, all);
        drop(cells);
        let norms = self.norms(&loads.units, &taps, job)?;
        let scaled = |field: &[f64]| -> Vec<f64> {
            let cells = field.par_iter().zip(&norms);
            cells
                .map(|(&has, &norm)| if has == 0.0 { 0.0 } else { has / norm })
                .collect()
        };
        let sum = |field: &[f64]| convolve(Sum, &scaled(field), columns, &taps, job);
        let received = sum(&loads.units)?;
        let value = loads.value.as_deref().map(sum).transpose()?;
        let size = loads.size.as_deref().map(sum).transpose()?;
        let (mut square, mut peak) = (Vec::new(), Vec::new());
        if all {
            let squares = loads.square.as_deref().unwrap_or(&loads.units);
            let squares = squares.par_iter().zip(&norms).map(|(&has, &norm)| {
                if has == 0.0 { 0.0 } else { has / norm / norm }
            });
            let squares: Vec<f64> = squares.collect();
            square = convolve(Sum, &squares, columns, &taps.squared(), job)?;
            drop(squares);
            let peaks = if let Some(peak) = &loads.peak {
                scaled(peak)
            } else {
                let present = loads.units.par_iter().map(|&has| f64::from(has > 0.0));
                scaled(&present.collect::<Vec<_>>())
            };
            peak = convolve(Largest, &peaks, columns, &taps, job)?;
        }
        Ok(Sums {
            units: received,
            value,
            size,
            square,
            peak,
            spread,
            outside,
        })
    }

    /// The sum of the heights of the kernel over all cells that may receive something, for kernels
    /// from cells with units.
    fn norms(&self, units: &[f64], taps: &Taps, job: &Job<'_>) -> Result<Vec<f64>, DensityError> {
        let columns = self.frame.columns();
        if let Some(area) = self.area {
            let open = area.cells().par_iter().map(|&open| f64::from(open));
            let open: Vec<f64> = open.collect();
            return Ok(convolve(Sum, &open, columns, taps, job)?);
        }
        let sums = taps.sums(self.frame);
        let cells = units.par_iter().enumerate();
        let norm = |(cell, &has): (usize, &f64)| {
            if has == 0.0 {
                return 1.0;
            }
            sums.at(cell % columns, cell / columns)
        };
        Ok(cells.map(norm).collect())
    }

    /// Every unit spreads its own kernel.
    fn each(&self, units: &Units, job: &Job<'_>) -> Result<Sums, DensityError> {
        let frame = self.frame;
        let cells = units.cells(frame, self.area)?;
        let (spread, outside) = count(units, &cells);
        let largest = units.largest();
        let source = |(row, cell): (usize, &Option<u32>)| {
            let cell = (*cell)?;
            Some(Source {
                cell,
                at: if self.exact {
                    units.points()[row]
                } else {
                    frame.center(cell as usize)
                },
                bandwidth: match self.bandwidth {
                    Bandwidth::Fixed(bandwidth) => bandwidth,
                    Bandwidth::Each(each) => each[row],
                },
                load: units.load(row, largest),
                norm: 0.0,
            })
        };
        let sources: Vec<_> = cells.par_iter().enumerate().filter_map(source).collect();
        drop(cells);
        let open = self.area.map(Area::cells);
        let signed = units.are_signed();
        let sums =
            Spread::new(frame, self.kernel, open).run(sources, units.has_values(), signed, job)?;
        Ok(Sums {
            spread,
            outside,
            ..sums
        })
    }
}

/// What all cells receive.
pub(super) struct Sums {
    pub units: Vec<f64>,
    pub value: Option<Vec<f64>>,
    /// Contributions without signs, where these make a difference.
    pub size: Option<Vec<f64>>,
    pub square: Vec<f64>,
    pub peak: Vec<f64>,
    pub spread: u64,
    pub outside: u64,
}

/// The units that are spread, and those that are not.
fn count(units: &Units, cells: &[Option<u32>]) -> (u64, u64) {
    let (mut spread, mut outside) = (0, 0);
    for (row, cell) in cells.iter().enumerate() {
        let to = if cell.is_some() {
            &mut spread
        } else {
            &mut outside
        };
        *to += units.weight(row);
    }
    (spread, outside)
}
