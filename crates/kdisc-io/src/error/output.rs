//! What can be wrong with an output.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why an output cannot be written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The target is a directory.
    #[error("cannot write {}: it is a directory", .0.display())]
    Directory(PathBuf),
    /// The directory of the target does not exist.
    #[error("cannot write {}: the directory {} does not exist", path.display(), directory.display())]
    NoDirectory {
        /// The target.
        path: PathBuf,
        /// Its directory.
        directory: PathBuf,
    },
    /// The system refuses.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The target.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Why rows cannot be written in some format.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format cannot hold what is to be written.
    #[error("{format} cannot hold {what}")]
    CannotHold {
        /// The format.
        format: &'static str,
        /// What it cannot hold: a type, a name, a value; with its column.
        what: String,
    },
    /// The library that writes the format fails for a reason of its own.
    #[error("writing {format} failed: {problem}")]
    Failed {
        /// The format.
        format: &'static str,
        /// What the library says.
        problem: String,
    },
}
