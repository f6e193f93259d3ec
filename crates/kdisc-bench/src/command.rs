//! The built command itself, on a file of its own example.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kdisc::example;

/// A file of so many units beside the command; it goes away in the end.
pub struct Bench {
    binary: PathBuf,
    pub input: PathBuf,
    output: PathBuf,
    map: PathBuf,
}

impl Bench {
    pub fn new(units: usize) -> io::Result<Self> {
        let binary = std::env::current_exe()?.with_file_name("kdisc");
        if !binary.exists() {
            let message = format!("{} is absent; build it first", binary.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        let bench = Self {
            input: binary.with_file_name("kdisc-bench-input.csv"),
            output: binary.with_file_name("kdisc-bench-output.csv"),
            map: binary.with_file_name("kdisc-bench-output.tif"),
            binary,
        };
        write_example(&bench.input, units)?;
        Ok(bench)
    }

    /// A command that reads the file, ready to run.
    pub fn command(&self, name: &str) -> Command {
        self.writing(name, &self.output)
    }

    /// One that writes a map.
    pub fn map(&self, name: &str) -> Command {
        self.writing(name, &self.map)
    }

    fn writing(&self, name: &str, output: &Path) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg(name).arg(&self.input);
        command.arg("-o").arg(output);
        command.stderr(Stdio::null());
        command
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        for file in [&self.input, &self.output, &self.map] {
            // Some may be missing when something went wrong, which is reported already.
            let _ = fs::remove_file(file);
        }
    }
}

fn write_example(path: &Path, units: usize) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "x,y,production,fined")?;
    for e in example::town(units, example::SEED) {
        writeln!(file, "{},{},{},{}", e.x, e.y, e.production, e.fined)?;
    }
    file.flush()
}
