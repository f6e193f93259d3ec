//! Where tables come from.

use std::path::{Path, PathBuf};

use kdisc::example;
use kdisc_io::InputError;
use kdisc_io::csv::Progress;
use kdisc_io::input::{Input, Options};

/// Where a table comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Example,
    /// A file; `-` is standard input.
    File(PathBuf),
}

impl Source {
    pub fn open(&self, options: &Options, progress: Progress) -> Result<Input, InputError> {
        match self {
            Self::File(path) => Input::open(path, options, progress),
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

    /// The path as given; the example has none.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Example => None,
            Self::File(path) => Some(path),
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
        }
    }
}
