//! How fast kdisc is beside its peers: a table of ratios, all measured in one run.
//!
//! A time alone says as much of the machine as of the program, so every figure is a ratio to a
//! named peer that was measured in turns with it, best of a few rounds (see [`clock`]). Run it with `make bench`.
//!
//! - `--quick`: a tenth of the units and fewer anchors, to see that it works.
//! - `--density-band`: only how long the density band of a map takes, for `density.py`.
//! - `--engine`: only how long the measure takes, for `python.py`.
//! - `--large`: also ten million units, and the memory of the `kdisc` process on them.

mod areal;
mod clock;
mod command;
mod density;
mod enumeration;
mod knn;
mod memory;
mod paper;
mod rules;
mod scaling;
mod table;
mod zoom;

use std::process::ExitCode;

/// What to measure.
struct Plan {
    units: usize,
    rounds: usize,
    /// Anchors for which the published algorithm runs, at k=10 and at k=50.
    anchors: [usize; 2],
    large: bool,
}

fn main() -> ExitCode {
    let mut plan = Plan {
        units: 1_000_000,
        rounds: 3,
        anchors: [500, 20],
        large: false,
    };
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quick" => (plan.units, plan.anchors) = (100_000, [50, 2]),
            "--large" => plan.large = true,
            "--density-band" => {
                density::print_band(&plan);
                return ExitCode::SUCCESS;
            }
            "--engine" => {
                knn::print_engine(&plan);
                return ExitCode::SUCCESS;
            }
            other => {
                eprintln!(
                    "kdisc-bench: {other:?} is no option; there are --quick, --large, \
                     --density-band and --engine"
                );
                return ExitCode::from(2);
            }
        }
    }
    println!("{}", table::HEADER);
    table::print(&knn::rows(&plan));
    table::print(&scaling::rows(&plan));
    table::print(&areal::rows(&plan));
    table::print(&density::rows(&plan));
    table::print(&[rules::row(&plan)]);
    table::print(zoom::row(&plan).as_slice());
    if plan.large {
        table::print(memory::row(10 * plan.units).as_slice());
    }
    table::print(&paper::rows(&plan));
    ExitCode::SUCCESS
}
