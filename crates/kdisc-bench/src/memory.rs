//! The memory of the `kdisc` process: the command itself, on a file of its own example.
//!
//! Linux keeps the high-water mark of a process in `/proc/PID/status`. (The `maxrss` of finished
//! children will not do: it begins at what the parent used when it started them.)

use std::fs;
use std::io;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::command::Bench;
use crate::table::{Required, Row, thousands};

/// The row of the table, or a note on standard error why it cannot be measured.
pub fn row(units: usize) -> Option<Row> {
    eprintln!("memory of the process ...");
    match measure(units) {
        Ok(row) => Some(row),
        Err(error) => {
            eprintln!("NOTE: memory is not measured: {error}");
            None
        }
    }
}

fn measure(units: usize) -> io::Result<Row> {
    let bench = Bench::new(units)?;
    let bytes = fs::metadata(&bench.input)?.len();
    let peak = peak(bench.command("risk"))?;
    let mebibytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    Ok(Row {
        what: format!(
            "bytes per unit beyond the input, {} units",
            thousands(units)
        ),
        kdisc: format!("{:.0} MiB at its peak", mebibytes(peak)),
        peer: format!("the input file: {:.0} MiB", mebibytes(bytes)),
        ratio: (peak as f64 - bytes as f64) / units as f64,
        required: Required::AtMost(150.0),
    })
}

/// Runs `kdisc risk` and returns the most memory that it had resident, in bytes.
fn peak(mut command: Command) -> io::Result<u64> {
    let mut child = command.spawn()?;
    let mut peak = 0;
    loop {
        // The mark only rises, so that a look every few milliseconds misses next to nothing.
        peak = high_water_mark(&child).unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait()? {
            return match (status.success(), peak) {
                (true, 1..) => Ok(peak),
                (true, 0) => Err(io::Error::other("there is no /proc/PID/status")),
                (false, _) => Err(io::Error::other(format!("kdisc risk ended with {status}"))),
            };
        }
        sleep(Duration::from_millis(5));
    }
}

fn high_water_mark(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
