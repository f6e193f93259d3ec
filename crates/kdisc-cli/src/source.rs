//! Where tables come from.

use std::fs::File;
use std::io::{self, Read};
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
    /// Standard input or a pipe, kept because it can be read only once.
    Held(PathBuf, Arc<Vec<u8>>),
    /// A table of the program that runs the command.
    Table(Arc<MemoryTable>),
}

impl Source {
    pub fn open(&self, options: &Options, progress: Progress) -> Result<Input, InputError> {
        match self {
            Self::File(path) => Input::open(path, options, progress),
            Self::Table(table) => Ok(Input::from_table(Arc::clone(table))),
            Self::Held(_, bytes) => Input::from_bytes(&self.to_string(), bytes.to_vec(), options),
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

    /// The same, so that it can be opened more than once.
    pub fn held(self) -> Result<Self, InputError> {
        let Self::File(path) = &self else {
            return Ok(self);
        };
        let failed = |source| InputError::Read {
            file: self.to_string(),
            source,
        };
        let mut bytes = Vec::new();
        if self.is_stdin() {
            io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        } else if path.exists() && !path.is_file() {
            let mut file = File::open(path).map_err(failed)?;
            file.read_to_end(&mut bytes).map_err(failed)?;
        } else {
            return Ok(self);
        }
        Ok(Self::Held(path.clone(), Arc::new(bytes)))
    }

    /// The SHA-256 of what was read. The tables of a program are no files that could be compared.
    pub fn sha256(&self, input: &Input) -> Result<Option<String>, InputError> {
        match self {
            Self::Table(_) => Ok(None),
            Self::File(_) | Self::Held(..) | Self::Example => input.sha256().map(Some),
        }
    }

    /// The path as given; only files have one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) | Self::Held(path, _) => Some(path),
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
            Self::File(_) | Self::Held(..) if self.is_stdin() => f.write_str("standard input"),
            Self::File(path) | Self::Held(path, _) => write!(f, "{}", path.display()),
            Self::Table(table) => f.write_str(table.name()),
        }
    }
}
