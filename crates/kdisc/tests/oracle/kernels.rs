//! Density maps by plain loops: every unit, every cell.

use kdisc::density::{Area, Frame, Kernel};
use kdisc::{Point, check_coordinate};

/// What there is to smooth.
#[derive(Debug, Clone)]
pub struct Given {
    pub points: Vec<Point>,
    pub weights: Vec<u64>,
    pub values: Option<Vec<f64>>,
    pub bandwidths: Vec<f64>,
    pub exact: bool,
}

/// The bands of a map.
#[derive(Debug, Clone, Default)]
pub struct Bands {
    pub density: Vec<f64>,
    pub total: Vec<f64>,
    pub contributors: Vec<f64>,
    pub largest_share: Vec<f64>,
    pub spread: u64,
}

fn height(kernel: Kernel, dx: f64, dy: f64, h: f64) -> f64 {
    let squared = dx * dx + dy * dy;
    match kernel {
        Kernel::Gaussian if dx.abs() > 4.0 * h || dy.abs() > 4.0 * h => 0.0,
        Kernel::Gaussian => (-squared / (2.0 * h * h)).exp(),
        _ if squared > h * h => 0.0,
        Kernel::Uniform => 1.0,
        Kernel::Epanechnikov => 1.0 - squared / (h * h),
        Kernel::Quartic => (1.0 - squared / (h * h)).powi(2),
    }
}

pub fn smooth(frame: &Frame, kernel: Kernel, area: Option<&Area>, given: &Given) -> Bands {
    let cells = frame.cells();
    let open = |cell: usize| area.is_none_or(|area| area.cells()[cell]);
    let mut sums = vec![[0.0_f64; 5]; cells];
    let mut spread = 0;
    for row in 0..given.points.len() {
        let at = given.points[row];
        assert!(check_coordinate(row, at.x).is_ok());
        let (weight, h) = (given.weights[row], given.bandwidths[row]);
        let Some(own) = frame.index(at) else {
            continue;
        };
        if weight == 0 || !area.is_none_or(|area| area.holds(at)) {
            continue;
        }
        spread += weight;
        let from = if given.exact { at } else { frame.center(own) };
        let mut heights: Vec<f64> = (0..cells)
            .map(|cell| {
                let to = frame.center(cell);
                let height = height(kernel, to.x - from.x, to.y - from.y, h);
                if open(cell) { height } else { 0.0 }
            })
            .collect();
        let mut norm: f64 = heights.iter().sum();
        if norm == 0.0 {
            (heights[own], norm) = (1.0, 1.0);
        }
        for (sums, height) in sums.iter_mut().zip(heights) {
            let part = height / norm;
            let value = given.values.as_ref().map_or(0.0, |values| values[row]);
            sums[0] += part * weight as f64;
            sums[1] += part * value;
            if given.values.is_some() {
                let size = part * value.abs();
                sums[2] += size;
                sums[3] += size * size;
                sums[4] = sums[4].max(size);
            } else {
                for _ in 0..weight {
                    sums[2] += part;
                    sums[3] += part * part;
                    sums[4] = sums[4].max(part);
                }
            }
        }
    }
    let mut bands = Bands {
        spread,
        ..Bands::default()
    };
    let area = frame.side() * frame.side();
    for (cell, [units, value, size, square, peak]) in sums.into_iter().enumerate() {
        let shown = |number: f64| if open(cell) { number } else { f64::NAN };
        bands.density.push(shown(units / area));
        bands.total.push(shown(value / area));
        let effective = if square == 0.0 {
            0.0
        } else {
            size * size / square
        };
        bands.contributors.push(shown(effective));
        bands.largest_share.push(shown(peak / size));
    }
    bands
}
