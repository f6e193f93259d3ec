//! Where tables come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kdisc::example;
use kdisc_io::InputError;
use kdisc_io::csv::Progress;
use kdisc_io::input::{Input, Options};
use kdisc_io::memory::MemoryTable;

/// Where a table comes from.
#[derive(Debug, Clone)]
pub enum Source {
    Example,
    /// A file; `-` is standard input.
    File(PathBuf),
    /// A table of the program that runs the command.
    Table(Arc<MemoryTable>),
}

impl Source {
    pub fn open(&self, options: &Options, progress: Progress) -> Result<Input, InputError> {
        match self {
            Self::File(path) => Input::open(path, options, progress),
            Self::Table(table) => Ok(Input::from_table(Arc::clone(table))),
            Self::Example => {
                let mut bytes = Vec::new();
                crate::example::write(example::UNITS, example::SEED, &mut bytes).map_err(
                    |source| InputError::Read {
                        file: self.to_string(),
                        source,
                    },
                )?;
                Input::from_bytes(&self.to_string(), bytes, options)
            }
        }
    }

    /// The path as given; only files have one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Example | Self::Table(_) => None,
        }
    }

    pub fn is_stdin(&self) -> bool {
        self.path() == Some(Path::new("-"))
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Example => f.write_str("the built-in example"),
            Self::File(_) if self.is_stdin() => f.write_str("standard input"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Table(table) => f.write_str(table.name()),
        }
    }
}
