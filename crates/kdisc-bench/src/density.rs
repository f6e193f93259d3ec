//! The density band of a map beside a sum over all units for each cell; a surface beside the measure.

use std::io;
use std::process::Command;
use std::time::Duration;

use kdisc::Point;
use kdisc::density::{Bandwidth, Frame, Kernel, Smoothing, Units};

use crate::Plan;
use crate::clock::{effort, in_turns, pool, wait};
use crate::command::Bench;
use crate::knn::units;
use crate::table::{Required, Row, ratio, thousands};

/// Cells along either side of the map.
const CELLS: usize = 2000;
/// The bandwidth, in cells.
const BANDWIDTH: f64 = 5.0;
/// Cells for which the plain sum is timed.
const SUMMED: usize = 1000;
/// Cells along either side of a surface of a million.
const SURFACE: f64 = 1000.0;

/// A map on which all units lie, with room for their kernels.
struct Map {
    points: Vec<Point>,
    extent: [f64; 4],
    side: f64,
}

impl Map {
    fn new(count: usize) -> Self {
        let points = units(count);
        let [min_x, min_y, max_x, max_y] = bounds(&points);
        let room = 2.0 * (Kernel::Gaussian.support(BANDWIDTH) + 2.0);
        let side = ((max_x - min_x).max(max_y - min_y) / (CELLS as f64 - room)).ceil();
        let from = |least: f64| ((least / side).floor() - room / 2.0) * side;
        let (west, south) = (from(min_x), from(min_y));
        let length = CELLS as f64 * side;
        Self {
            points,
            extent: [west, south, west + length, south + length],
            side,
        }
    }

    /// The processor time of the density band on one thread.
    fn time(&self) -> Duration {
        let frame = Frame::within(self.side, self.extent).expect("it is a raster");
        let smoothing = Smoothing::new(&frame, Kernel::Gaussian, self.bandwidth()).threads(1);
        effort(|| smoothing.density(&Units::new(&self.points)))
    }

    fn bandwidth(&self) -> Bandwidth<'static> {
        Bandwidth::Fixed(BANDWIDTH * self.side)
    }

    /// The processor time of plain sums for so many cells, all over the map.
    fn sums(&self, cells: usize) -> Duration {
        let frame = Frame::within(self.side, self.extent).expect("it is a raster");
        let step = frame.cells() / cells;
        let h = BANDWIDTH * self.side;
        let sum = |cell: usize| {
            let center = frame.center(cell * step);
            let heights = self.points.iter();
            let heights =
                heights.map(|at| Kernel::Gaussian.height(at.x - center.x, at.y - center.y, h));
            heights.sum::<f64>()
        };
        pool(1).install(|| effort(|| (0..cells).map(sum).collect::<Vec<_>>()))
    }
}

fn bounds(points: &[Point]) -> [f64; 4] {
    points.iter().fold(
        [f64::MAX, f64::MAX, f64::MIN, f64::MIN],
        |[a, b, c, d], p| [a.min(p.x), b.min(p.y), c.max(p.x), d.max(p.y)],
    )
}

/// The rows of the table for this part.
pub fn rows(plan: &Plan) -> Vec<Row> {
    eprintln!("density ...");
    let map = Map::new(plan.units);
    let [ours, sums] = in_turns(
        plan.rounds,
        [Box::new(|| map.time()), Box::new(|| map.sums(SUMMED))],
    );
    let sums = sums * (CELLS * CELLS / SUMMED) as u32;
    let mut rows = vec![Row {
        what: format!(
            "density of {} units on {CELLS} × {CELLS} cells",
            thousands(plan.units)
        ),
        kdisc: format!("{:.2} s", ours.as_secs_f64()),
        peer: format!("sums over all units: {:.0} s", sums.as_secs_f64()),
        ratio: ratio(sums, ours),
        required: Required::AtLeast(50.0),
    }];
    eprintln!("surface ...");
    match surface(plan) {
        Ok(row) => rows.push(row),
        Err(error) => eprintln!("NOTE: the surface is not measured: {error}"),
    }
    rows
}

fn surface(plan: &Plan) -> io::Result<Row> {
    let bench = Bench::new(plan.units)?;
    let [min_x, min_y, max_x, max_y] = bounds(&units(plan.units));
    let cell = (((max_x - min_x) * (max_y - min_y)).sqrt() / SURFACE)
        .floor()
        .max(1.0);
    let failed = std::cell::Cell::new(None);
    let run = |mut command: Command| {
        wait(|| match command.status() {
            Ok(status) if status.success() => {}
            Ok(status) => failed.set(Some(io::Error::other(format!("it ended with {status}")))),
            Err(error) => failed.set(Some(error)),
        })
    };
    let surface = || {
        let mut command = bench.map("surface");
        command.args(["--cell", &cell.to_string()]);
        run(command)
    };
    let risk = || run(bench.command("risk"));
    // Long enough to need no more rounds.
    let [surface, risk] = in_turns(1, [Box::new(surface), Box::new(risk)]);
    if let Some(error) = failed.take() {
        return Err(error);
    }
    Ok(Row {
        what: format!(
            "a surface of a million cells, {} units",
            thousands(plan.units)
        ),
        kdisc: format!("{:.1} s", surface.as_secs_f64()),
        peer: format!("kdisc risk, δ=∞: {:.1} s", risk.as_secs_f64()),
        ratio: ratio(surface, risk),
        required: Required::AtMost(3.0),
    })
}

/// The time of the density band and the map it is of, for a comparison outside of this program.
pub fn print_band(plan: &Plan) {
    let map = Map::new(plan.units);
    let [best] = in_turns(plan.rounds, [Box::new(|| map.time())]);
    let [west, south, east, north] = map.extent;
    println!(
        "{{\"seconds\": {}, \"extent\": [{west}, {south}, {east}, {north}], \"cell\": {}, \
         \"bandwidth\": {}}}",
        best.as_secs_f64(),
        map.side,
        BANDWIDTH * map.side
    );
}
