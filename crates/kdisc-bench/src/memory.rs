//! The memory of the `kdisc` process: the command itself, on a file of its own example.
//!
//! Linux keeps the high-water mark of a process in `/proc/PID/status`. (The `maxrss` of finished
//! children will not do: it begins at what the parent used when it started them.)

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use kdisc::example;

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
    let binary = std::env::current_exe()?.with_file_name("kdisc");
    if !binary.exists() {
        let message = format!("{} is absent; build it first", binary.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    let input = binary.with_file_name("kdisc-bench-input.csv");
    let output = binary.with_file_name("kdisc-bench-output.csv");
    let result = write_example(&input, units)
        .and_then(|()| fs::metadata(&input))
        .and_then(|file| Ok((file.len(), peak(&binary, &input, &output)?)));
    for file in [&input, &output] {
        // Either may be missing when something went wrong, which is reported already.
        let _ = fs::remove_file(file);
    }
    let (bytes, peak) = result?;
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

fn write_example(path: &Path, units: usize) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "x,y,production,fined")?;
    for e in example::town(units, example::SEED) {
        writeln!(file, "{},{},{},{}", e.x, e.y, e.production, e.fined)?;
    }
    file.flush()
}

/// Runs `kdisc risk` and returns the most memory that it had resident, in bytes.
fn peak(binary: &Path, input: &Path, output: &Path) -> io::Result<u64> {
    let mut child = Command::new(binary)
        .arg("risk")
        .arg(input)
        .arg("-o")
        .arg(output)
        .stderr(Stdio::null())
        .spawn()?;
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
