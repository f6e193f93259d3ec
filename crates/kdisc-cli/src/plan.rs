//! What to do, checked as far as it can be before any file is read.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use kdisc::{Anonymity, example};
use kdisc_io::InputError;
use kdisc_io::csv::{OnInvalid, Progress, Table};
use kdisc_io::output::Target;

use crate::args::{Invalid, RiskArgs};
use crate::failure::Refusal;

/// Names of the columns that an answer adds.
pub const ADDED: [&str; 7] = [
    "multiplicity",
    "radius",
    "units",
    "risk",
    "center_x",
    "center_y",
    "status",
];

/// A run of `kdisc risk`.
#[derive(Debug)]
pub struct Plan {
    pub input: Source,
    pub at: Option<Source>,
    /// Names of the coordinate columns, if given.
    pub coordinates: Option<(String, String)>,
    pub weight: Option<String>,
    /// Column and value of the rows to be measured.
    pub only: Option<(String, String)>,
    pub on_invalid: OnInvalid,
    pub added: [String; 7],
    pub anonymity: Anonymity,
    pub threads: usize,
    /// Standard output when absent.
    pub output: Option<Target>,
    pub summary: Option<Target>,
    pub show_locations: bool,
    pub quiet: bool,
}

/// Where a table comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Example,
    /// A file; `-` is standard input.
    File(PathBuf),
}

impl Source {
    pub fn read(&self, progress: Progress) -> Result<Table, InputError> {
        match self {
            Self::File(path) => Table::read(path, progress),
            Self::Example => {
                let mut bytes = Vec::new();
                crate::example::write(example::UNITS, example::SEED, &mut bytes).map_err(
                    |source| InputError::Read {
                        file: self.to_string(),
                        source,
                    },
                )?;
                Table::from_bytes(&self.to_string(), bytes)
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

    fn is_stdin(&self) -> bool {
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

impl Plan {
    /// Checks the arguments and the targets.
    pub fn new(args: RiskArgs) -> anyhow::Result<Self> {
        let input = args.input.map_or(Source::Example, Source::File);
        let at = args.at.map(Source::File);
        if input.is_stdin() && at.as_ref().is_some_and(Source::is_stdin) {
            return Err(Refusal::new(
                "both the units and the places are to come from standard input",
                "read one of them from a file",
            )
            .into());
        }
        let coordinates = args.x.zip(args.y);
        if let Some((x, y)) = &coordinates
            && x == y
        {
            return Err(Refusal::new(
                format!("both coordinates are to come from column {x:?}"),
                "name two columns: --x COL --y COL",
            )
            .into());
        }
        if args.summary.as_deref().is_some_and(is_stdout) {
            return Err(Refusal::new(
                "the summary cannot go to standard output, which is for the table",
                "name a file: --summary run.json",
            )
            .into());
        }
        let only = args.only.as_deref().map(split_only).transpose()?;
        let output = args.output.filter(|path| !is_stdout(path));
        let plan = Self {
            input,
            at,
            coordinates,
            weight: args.weight,
            only,
            on_invalid: match args.on_invalid {
                Invalid::Error => OnInvalid::Error,
                Invalid::Skip => OnInvalid::Skip,
            },
            added: ADDED.map(|name| format!("{}{name}", args.prefix)),
            anonymity: Anonymity::new(args.k)?
                .with_delta(args.delta)
                .with_metric(args.metric),
            threads: args.threads.map_or_else(all_cores, usize::from),
            output: output.as_deref().map(Target::check).transpose()?,
            summary: args.summary.as_deref().map(Target::check).transpose()?,
            show_locations: args.show_locations,
            quiet: args.quiet,
        };
        plan.refuse_to_replace_inputs()?;
        Ok(plan)
    }

    /// Whether anybody will be told what the run came to.
    pub fn is_summarised(&self) -> bool {
        !self.quiet || self.summary.is_some()
    }

    /// The file that was measured must stay what it was: `kdisc verify` reads it again.
    fn refuse_to_replace_inputs(&self) -> Result<(), Refusal> {
        let mut taken = Vec::new();
        for source in [Some(&self.input), self.at.as_ref()].into_iter().flatten() {
            if let Some(path) = source.path() {
                taken.push((identity(path), "an input"));
            }
        }
        for target in [&self.output, &self.summary].into_iter().flatten() {
            if !target.replaces() {
                continue;
            }
            let own = identity(target.path());
            if let Some((_, what)) = taken.iter().find(|(path, _)| *path == own) {
                return Err(Refusal::new(
                    format!(
                        "cannot write {}: it is also {what} of this run",
                        target.path().display()
                    ),
                    "write to another file",
                ));
            }
            taken.push((own, "the output"));
        }
        Ok(())
    }
}

/// Standard output under its name as a file is not a file to be replaced.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

fn split_only(text: &str) -> Result<(String, String), Refusal> {
    let (column, value) = text.split_once('=').ok_or_else(|| {
        Refusal::new(
            format!("--only {text:?} does not say which value"),
            "give a column and a value: --only COL=VALUE",
        )
    })?;
    Ok((column.to_owned(), value.to_owned()))
}

/// A path that is the same for all names of a file, which may not exist yet.
fn identity(path: &Path) -> PathBuf {
    let absolute = fs::canonicalize(path).ok().or_else(|| {
        let directory = path.parent().filter(|p| !p.as_os_str().is_empty());
        let directory = fs::canonicalize(directory.unwrap_or(Path::new("."))).ok()?;
        Some(directory.join(path.file_name()?))
    });
    absolute.unwrap_or_else(|| path.to_owned())
}
