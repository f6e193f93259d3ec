//! How a run ends when it does not end well: one message, a way out, an exit code.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use kdisc_io::crs::CrsError;
use kdisc_io::export::ExportError;
use kdisc_io::{InputError, OutputError, RowProblem, ValueProblem, WriteError};

use crate::interrupt::Interrupted;

/// The input or the question cannot be used.
pub const UNUSABLE: u8 = 2;

/// A refusal of the command itself, with what to do about it.
#[derive(Debug)]
pub struct Refusal {
    pub message: String,
    pub help: String,
}

impl Refusal {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: help.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// Whoever read standard output has stopped reading: nothing to tell, nothing to do.
#[derive(Debug)]
pub struct NobodyReads;

impl fmt::Display for NobodyReads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard output was closed")
    }
}

impl std::error::Error for NobodyReads {}

/// What an error in writing to standard output means.
pub fn to_stdout(error: io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::BrokenPipe {
        NobodyReads.into()
    } else {
        anyhow::Error::new(error).context("cannot write to standard output")
    }
}

/// What an error means, where those of the system are about one target.
pub fn with_target(
    error: anyhow::Error,
    about: impl FnOnce(io::Error) -> anyhow::Error,
) -> anyhow::Error {
    match error.downcast::<io::Error>() {
        Ok(source) => about(source),
        Err(error) => match error.downcast::<ExportError>() {
            Ok(ExportError::Input(error)) => error.into(),
            Ok(ExportError::Output(WriteError::Io(source))) => about(source),
            Ok(ExportError::Output(error)) => error.into(),
            Ok(ExportError::Stopped) => about(io::ErrorKind::Interrupted.into()),
            Err(error) => match error.downcast::<WriteError>() {
                Ok(WriteError::Io(source)) => about(source),
                Ok(error) => error.into(),
                Err(error) => error,
            },
        },
    }
}

/// How a command failed that ran within a program.
#[derive(Debug)]
pub struct Failure {
    /// What happened, and where.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Whether the program itself wanted it to stop.
    pub interrupted: bool,
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self {
            message: chain(&error),
            help: help(&error),
            interrupted: error.is::<Interrupted>(),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        anyhow::Error::from(error).into()
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        anyhow::Error::from(error).into()
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        // A program has no command line on which to try these.
        let ends = ["\n\nUsage:", "\n\nFor more information"];
        let text = ends.iter().fold(text.as_str(), |text, end| {
            text.split(end).next().unwrap_or_default()
        });
        let text = text.trim();
        Self {
            message: text.trim_start_matches("error: ").to_owned(),
            help: None,
            interrupted: false,
        }
    }
}

/// Tells the user, and gives the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if error.is::<NobodyReads>() {
        return ExitCode::SUCCESS;
    }
    let mut stderr = io::stderr().lock();
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        let _ = writeln!(stderr, "{interrupted}");
        return ExitCode::from(interrupted.exit_code);
    }
    // The parts of an error that a user can act on are all in its first message.
    let _ = writeln!(stderr, "error: {}", chain(error));
    if let Some(help) = help(error) {
        let _ = writeln!(stderr, "  help: {help}");
    }
    ExitCode::from(UNUSABLE)
}

/// The messages of an error and its causes, each once: ours mostly repeat their cause.
fn chain(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn help(error: &anyhow::Error) -> Option<String> {
    if let Some(refusal) = error.downcast_ref::<Refusal>() {
        return Some(refusal.help.clone());
    }
    if let Some(error) = error.downcast_ref::<InputError>() {
        return Some(input_help(error).to_owned());
    }
    if let Some(error) = error.downcast_ref::<WriteError>() {
        return Some(write_help(error).to_owned());
    }
    if let Some(error) = error.downcast_ref::<CrsError>() {
        return Some(crs_help(error).to_owned());
    }
    let help = match error.downcast_ref::<OutputError>()? {
        OutputError::Directory(_) => "give the name of a file in it",
        OutputError::NoDirectory { .. } => "make the directory first, or name another",
        OutputError::Write { source, .. } => match source.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                "you may not write there; name a file in a directory of your own"
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room there, or name a file on another disk"
            }
            _ => "nothing can be written there; name a file in another directory",
        },
    };
    Some(help.to_owned())
}

fn write_help(error: &WriteError) -> &'static str {
    match error {
        WriteError::CannotHold { .. } => {
            "write another format, such as Parquet (-o out.parquet), or rename the column"
        }
        WriteError::Io(_) | WriteError::Failed { .. } => "write another format, or to another disk",
    }
}

fn input_help(error: &InputError) -> &'static str {
    match error {
        InputError::Missing { .. } => {
            "check the name; 'kdisc example -o town.csv' makes a file to try"
        }
        InputError::Read { .. } => "name a file that you may read, or '-' for standard input",
        InputError::PackedTruncated { .. } => {
            "it was perhaps not copied to its end; copy or download it again"
        }
        InputError::PackedCorrupt { .. } => {
            "copy or download it again; 'gzip -t' or 'zstd -t' tell whether it is whole"
        }
        InputError::Bomb { .. } => {
            "unpack it yourself (gzip -d, zstd -d) and look whether it is what you expect; an \
             unpacked file has no such limit"
        }
        InputError::Empty { .. } => {
            "give a file with at least one row; a CSV file needs a header too"
        }
        InputError::NotUtf8 { .. } => {
            "unpack it if it is compressed; save it as 'CSV UTF-8', or convert it: iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv \
             (UTF-16 files: iconv -f UTF-16 -t UTF-8)"
        }
        InputError::OpenQuote { .. } => {
            "close the quote on that line, or double it (\"\") if it belongs to the text"
        }
        InputError::MissingColumn { .. } => "name a column as the header has it, in the same case",
        InputError::DuplicateColumn { .. } => "rename one of them in the header",
        InputError::NoCoordinates { .. } => {
            "name the columns: --x COL --y COL (the header must be the first line, separated by \
             commas, semicolons or tabs)"
        }
        InputError::AmbiguousCoordinates { .. } => "say which ones: --x COL --y COL",
        InputError::Degrees { .. } => {
            "name the longitude first: --x LON --y LAT; or two columns of metres; or say what they \
             are: --crs EPSG:n"
        }
        InputError::NotThat { .. } => {
            "if its name is wrong, say what it is: --format FORMAT; else copy or export it again"
        }
        InputError::Broken { .. } => {
            "it may have been cut short or damaged on its way; copy or export it again"
        }
        InputError::PartOfShapefile { .. } => "name the .shp, and keep its files together",
        InputError::Unsupported { .. } => {
            "'kdisc info FILE' shows what kdisc makes of it; QGIS and GeoPandas can save it as a \
             GeoPackage"
        }
        InputError::UnknownFormat { .. } => "say what it is: --format FORMAT",
        InputError::MissingPart { .. } => "keep all files of a Shapefile together, or zip them",
        InputError::MissingLayer { .. } | InputError::SeveralLayers { .. } => {
            "say which layer to read: --layer NAME"
        }
        InputError::NotPoints { .. } => {
            "let lines and polygons stand for their centroids: --centroid; or give a layer of points"
        }
        InputError::NoPolygons { .. } | InputError::NotPolygons { .. } => {
            "give a file or layer of polygons, such as a GeoPackage or GeoJSON"
        }
        InputError::Region { .. } => {
            "repair the polygon: QGIS 'Fix geometries', or make_valid() of GeoPandas"
        }
        InputError::SameRegion { .. } => {
            "name another column: --region-id COL; or make one region of them (QGIS: Dissolve)"
        }
        InputError::Crs { source, .. } => crs_help(source),
        InputError::MixedDecimals { .. } | InputError::OtherDecimal { .. } => {
            "write all numbers one way, without marks between thousands"
        }
        InputError::Row(row) => row_help(&row.problem),
    }
}

fn crs_help(error: &CrsError) -> &'static str {
    match error {
        CrsError::TooDistorted { .. } | CrsError::Torn { .. } | CrsError::NoPlane { .. } => {
            "name a metric system that suits the area: --compute-crs EPSG:n (in the Netherlands \
             28992, in Europe 3035); or measure a smaller area"
        }
        CrsError::ComputeInDegrees { .. } => "name a metric system: --compute-crs EPSG:n",
        CrsError::ComputeFromNothing { .. } => "say what the coordinates are: --crs EPSG:n",
        _ => "say what the coordinates are: --crs EPSG:n (x is east or longitude)",
    }
}

fn row_help(problem: &RowProblem) -> &'static str {
    match problem {
        RowProblem::Ragged { .. } => {
            "correct the row (a text with a separator in it needs quotes, numbers with decimal \
             commas need semicolons between them), or leave such rows out: --on-invalid skip"
        }
        RowProblem::Geometry { .. } => {
            "correct the geometry, or leave such rows out: --on-invalid skip"
        }
        RowProblem::Value { problem, value, .. } => match problem {
            ValueProblem::NotANumber if value.contains(',') => {
                "write decimals with a point, or separate fields with semicolons; or leave such \
                 rows out: --on-invalid skip"
            }
            ValueProblem::BothMarks => {
                "write numbers without marks between thousands, or leave such rows out: \
                 --on-invalid skip"
            }
            _ => "correct the value, or leave such rows out: --on-invalid skip",
        },
    }
}
