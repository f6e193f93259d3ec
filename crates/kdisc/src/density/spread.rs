//! Every unit spreads a kernel of its own: from where it exactly is, or by its own bandwidth.
//!
//! Units that spread alike are one source. First each source finds the sum of its heights over the
//! cells that may receive something; then each group of rows takes in what all sources give to it,
//! in one order, so that sums depend neither on the order of the input nor on the threads.
//!
//! Cost: the cells that all kernels cover, twice.

use rayon::prelude::*;

use super::kernel::bell;
use super::load::{Load, Units};
use super::smoothing::Sums;
use super::{Frame, Kernel};
use crate::measure::Job;
use crate::{MeasureError, Point};

/// Rows that are filled together.
const BAND: usize = 32;
/// Sources whose heights are added up together.
const TASK: usize = 1024;

/// Steps that [`Spread::run`] counts.
pub(super) fn steps(frame: &Frame, units: &Units) -> usize {
    frame.rows() + units.points().len()
}

/// A place from which something is spread.
#[derive(Clone, Copy)]
pub(super) struct Source {
    /// The cell in which it is.
    pub cell: u32,
    pub at: Point,
    pub bandwidth: f64,
    pub load: Load,
    /// The sum of its heights; 0 if it reaches no cell.
    pub norm: f64,
}

impl Source {
    fn key(&self) -> (u32, [f64; 3]) {
        // −0 is 0.
        let [x, y] = [self.at.x + 0.0, self.at.y + 0.0];
        (self.cell, [x, y, self.bandwidth])
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let ((a, own), (b, others)) = (self.key(), other.key());
        let places = own.iter().zip(&others);
        let places = places.map(|(a, b)| a.total_cmp(b));
        let order = places.fold(a.cmp(&b), std::cmp::Ordering::then);
        let value = self.load.value.total_cmp(&other.load.value);
        order
            .then(value)
            .then(self.load.units.total_cmp(&other.load.units))
    }
}

pub(super) struct Spread<'a> {
    frame: &'a Frame,
    kernel: Kernel,
    /// Whether each cell may receive something; all when absent.
    open: Option<&'a [bool]>,
}

/// What some rows receive.
struct Band<'a> {
    first: usize,
    units: &'a mut [f64],
    value: &'a mut [f64],
    size: &'a mut [f64],
    square: &'a mut [f64],
    peak: &'a mut [f64],
}

impl<'a> Spread<'a> {
    pub fn new(frame: &'a Frame, kernel: Kernel, open: Option<&'a [bool]>) -> Self {
        Self {
            frame,
            kernel,
            open,
        }
    }

    pub fn run(
        &self,
        mut sources: Vec<Source>,
        valued: bool,
        signed: bool,
        job: &Job<'_>,
    ) -> Result<Sums, MeasureError> {
        let rows = sources.len();
        sources.par_sort_unstable_by(Source::order);
        sources.dedup_by(|next, kept| {
            let same = next.key() == kept.key();
            if same {
                kept.load.add(&next.load);
            }
            same
        });
        job.advance(rows - sources.len())?;
        sources.par_chunks_mut(TASK).try_for_each(|sources| {
            let mut heights = Vec::new();
            for source in sources.iter_mut() {
                source.norm = self.norm(source, &mut heights);
            }
            job.advance(sources.len())
        })?;
        let cells = self.frame.cells();
        let band = |wanted: bool| vec![0.0; if wanted { cells } else { 0 }];
        let (mut units, mut value, mut size) = (band(true), band(valued), band(signed));
        let (mut square, mut peak) = (band(true), band(true));
        let length = BAND * self.frame.columns();
        // Bands that are not wanted are empty, and so are their parts.
        let part = |band: usize, wanted: bool| if wanted { band } else { 0 };
        let mut rest = (
            units.as_mut_slice(),
            value.as_mut_slice(),
            size.as_mut_slice(),
            square.as_mut_slice(),
            peak.as_mut_slice(),
        );
        let mut bands = Vec::new();
        for first in (0..self.frame.rows()).step_by(BAND) {
            let length = length.min(rest.0.len());
            let (a, b) = rest.0.split_at_mut(length);
            let (c, d) = rest.1.split_at_mut(part(length, valued));
            let (e, f) = rest.2.split_at_mut(part(length, signed));
            let (g, h) = rest.3.split_at_mut(length);
            let (i, j) = rest.4.split_at_mut(length);
            bands.push(Band {
                first,
                units: a,
                value: c,
                size: e,
                square: g,
                peak: i,
            });
            rest = (b, d, f, h, j);
        }
        bands.into_par_iter().try_for_each(|mut band| {
            let mut heights = Vec::new();
            for source in &sources {
                self.give(source, &mut band, &mut heights);
            }
            job.advance(band.units.len() / self.frame.columns())
        })?;
        Ok(Sums {
            units,
            value: valued.then_some(value),
            size: signed.then_some(size),
            square,
            peak,
            spread: 0,
            outside: 0,
        })
    }

    /// The sum of the heights of a source.
    fn norm(&self, source: &Source, heights: &mut Vec<f64>) -> f64 {
        let rows = 0..self.frame.rows();
        let mut norm = 0.0;
        self.visit(source, rows, heights, |first, heights| match self.open {
            None => norm += heights.iter().sum::<f64>(),
            Some(open) => {
                let cells = heights.iter().zip(&open[first..]);
                norm += cells
                    .map(|(h, &open)| if open { *h } else { 0.0 })
                    .sum::<f64>();
            }
        });
        norm
    }

    fn give(&self, source: &Source, band: &mut Band<'_>, heights: &mut Vec<f64>) {
        let columns = self.frame.columns();
        let rows = band.first..band.first + band.units.len() / columns;
        let start = band.first * columns;
        let Source { load, norm, .. } = source;
        if *norm == 0.0 {
            let own = source.cell as usize;
            if rows.contains(&(own / columns)) {
                band.take(own - start, 1.0, load);
            }
            return;
        }
        self.visit(source, rows, heights, |first, heights| {
            for (cell, height) in (first..).zip(heights) {
                let open = self.open.is_none_or(|open| open[cell]);
                if open && *height > 0.0 {
                    band.take(cell - start, height / norm, load);
                }
            }
        });
    }

    /// The heights of a source in some rows: the first cell that it may reach in each, and those
    /// from there on.
    fn visit(
        &self,
        source: &Source,
        rows: std::ops::Range<usize>,
        heights: &mut Vec<f64>,
        mut visit: impl FnMut(usize, &[f64]),
    ) {
        let (frame, side) = (self.frame, self.frame.side());
        let columns = frame.columns();
        let own = source.cell as usize;
        let (column, row) = (own % columns, own / columns);
        // From the unit to the centre of its own cell, which is exact enough at any distance.
        let center = frame.center(own);
        let (east, north) = (center.x - source.at.x, center.y - source.at.y);
        // Of cells beyond their own, sources see one more than they reach.
        let reach =
            (self.kernel.support(source.bandwidth) / side + 1.5).min(u32::MAX.into()) as usize;
        let span =
            |own: usize, cells: usize| own.saturating_sub(reach)..(own + reach + 1).min(cells);
        let across = span(column, columns);
        let down = span(row, frame.rows());
        let down = down.start.max(rows.start)..down.end.min(rows.end);
        if down.is_empty() {
            return;
        }
        let dx = |at: usize| east + (at as f64 - column as f64) * side;
        let dy = |at: usize| north + (row as f64 - at as f64) * side;
        let mut line = Vec::new();
        if self.kernel == Kernel::Gaussian {
            line.extend(across.clone().map(|at| bell(dx(at), source.bandwidth)));
        }
        for at in down {
            heights.clear();
            let dy = dy(at);
            if self.kernel == Kernel::Gaussian {
                let height = bell(dy, source.bandwidth);
                heights.extend(line.iter().map(|across| across * height));
            } else {
                let height = |at| self.kernel.height(dx(at), dy, source.bandwidth);
                heights.extend(across.clone().map(height));
            }
            visit(at * columns + across.start, heights);
        }
    }
}

impl Band<'_> {
    #[inline(always)]
    fn take(&mut self, cell: usize, part: f64, load: &Load) {
        self.units[cell] += part * load.units;
        self.square[cell] += part * part * load.square;
        let peak = part * load.peak;
        if peak > self.peak[cell] {
            self.peak[cell] = peak;
        }
        if let Some(value) = self.value.get_mut(cell) {
            *value += part * load.value;
        }
        if let Some(size) = self.size.get_mut(cell) {
            *size += part * load.size;
        }
    }
}
