//! How a run ends when it does not end well: one message, a way out, an exit code.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use kdisc_io::{InputError, OutputError, RowProblem, ValueProblem};

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

fn input_help(error: &InputError) -> &'static str {
    match error {
        InputError::Missing { .. } => {
            "check the name; 'kdisc example -o town.csv' makes a file to try"
        }
        InputError::Read { .. } => "name a CSV file that you may read, or '-' for standard input",
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
        InputError::Empty { .. } => "give a CSV file with a header and at least one row",
        InputError::NoRows { .. } => "there is nothing to measure; give at least one row",
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
            "project them first, to metres (in the Netherlands EPSG:28992, elsewhere the national \
             or UTM system); or name other columns: --x COL --y COL"
        }
        InputError::MixedDecimals { .. } => {
            "write all coordinates one way, without marks between thousands"
        }
        InputError::Row(row) => row_help(&row.problem),
    }
}

fn row_help(problem: &RowProblem) -> &'static str {
    match problem {
        RowProblem::Ragged { .. } => {
            "correct the row (a text with a separator in it needs quotes, numbers with decimal \
             commas need semicolons between them), or leave such rows out: --on-invalid skip"
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
