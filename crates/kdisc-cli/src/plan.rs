//! What to do, checked as far as it can be before any file is read.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use kdisc::{Anonymity, example};
use kdisc_io::InputError;
use kdisc_io::crs::Crs;
use kdisc_io::csv::Progress;
use kdisc_io::format::{Format, separator};
use kdisc_io::geopackage;
use kdisc_io::input::{Input, Options};
use kdisc_io::output::Target;
use kdisc_io::units::OnInvalid;

use crate::args::{Invalid, RiskArgs};
use crate::failure::Refusal;
use crate::reading::Reading;

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
    pub reading: Reading,
    pub at_layer: Option<String>,
    /// Whether lines and polygons stand for their centroids.
    pub centroid: bool,
    /// The system in which distances are taken, if asked for.
    pub compute_crs: Option<Crs>,
    pub weight: Option<String>,
    /// Column and value of the rows to be measured.
    pub only: Option<(String, String)>,
    pub on_invalid: OnInvalid,
    pub added: [String; 7],
    pub anonymity: Anonymity,
    pub threads: usize,
    /// Standard output when absent.
    pub output: Option<Target>,
    pub format: Format,
    /// What separates the columns of text, where its name says so.
    pub separator: Option<u8>,
    /// Where the discs go, and in which format.
    pub discs: Option<(Target, Format)>,
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
            reading: Reading::new(args.reading)?,
            at_layer: args.at_layer,
            centroid: args.centroid,
            compute_crs: args.compute_crs,
            weight: args.weight,
            only,
            on_invalid: args.on_invalid.into(),
            added: ADDED.map(|name| format!("{}{name}", args.prefix)),
            anonymity: Anonymity::new(args.k)?
                .with_delta(args.delta)
                .with_metric(args.metric),
            threads: args.threads.map_or_else(all_cores, usize::from),
            format: format_of(output.as_deref(), args.to)?,
            separator: output.as_deref().and_then(separator),
            output: output.as_deref().map(Target::check).transpose()?,
            discs: match args.discs {
                None => None,
                Some(path) if is_stdout(&path) => {
                    return Err(Refusal::new(
                        "the discs cannot go to standard output, which is for the table",
                        "name a file: --discs discs.gpkg",
                    )
                    .into());
                }
                Some(path) => Some((Target::check(&path)?, format_of(Some(&path), None)?)),
            },
            summary: args.summary.as_deref().map(Target::check).transpose()?,
            show_locations: args.show_locations,
            quiet: args.quiet,
        };
        plan.refuse_to_replace_inputs()?;
        let discs = plan.discs.as_ref().map(|(target, _)| target);
        for target in [plan.output.as_ref(), discs].into_iter().flatten() {
            refuse_to_lose_layers(target)?;
        }
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
        let discs = self.discs.as_ref().map(|(target, _)| target);
        let targets = [self.output.as_ref(), discs, self.summary.as_ref()];
        for target in targets.into_iter().flatten() {
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
            taken.push((own, "an output"));
        }
        Ok(())
    }
}

/// A new GeoPackage takes the place of the old one, with all its layers.
pub fn refuse_to_lose_layers(target: &Target) -> Result<(), Refusal> {
    let path = target.path();
    if Format::of_name(path) != Some(Format::GeoPackage) || !path.is_file() {
        return Ok(());
    }
    match geopackage::layers(path) {
        Ok(layers) if layers.len() > 1 => Err(Refusal::new(
            format!(
                "cannot write {}: it has {} layers, which would be lost",
                path.display(),
                layers.len()
            ),
            "write to another file, or remove this one first",
        )),
        // A file that is no GeoPackage has no layers to lose.
        _ => Ok(()),
    }
}

impl From<Invalid> for OnInvalid {
    fn from(invalid: Invalid) -> Self {
        match invalid {
            Invalid::Error => Self::Error,
            Invalid::Skip => Self::Skip,
        }
    }
}

/// Standard output under its name as a file is not a file to be replaced.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// The format in which to write a file: as asked, or by its name. Standard output gets CSV.
pub fn format_of(path: Option<&Path>, asked: Option<Format>) -> Result<Format, Refusal> {
    let unpacked = |path: &&Path| {
        !matches!(
            extension(path).as_str(),
            "gz" | "gzip" | "zst" | "zstd" | "zip"
        )
    };
    let format =
        match (asked, path) {
            (Some(Format::Csv), _) | (None, None) => Format::Csv,
            // A device, or a name that makes no promise.
            (None, Some(path)) if path.extension().is_none() => Format::Csv,
            (Some(format), Some(_)) => format,
            (Some(format), None) => {
                return Err(Refusal::new(
                    format!("{} cannot go to standard output", format.with_article()),
                    "name a file: -o OUT",
                ));
            }
            (None, Some(path)) => {
                let named = Some(path).filter(unpacked).and_then(Format::of_name);
                named.ok_or_else(|| {
                Refusal::new(
                    format!("the name {} does not say in which format to write", path.display()),
                    "end it in .csv, .parquet, .geoparquet, .gpkg, .geojson, .geojsonl, .fgb or \
                     .arrow, or say --to FORMAT",
                )
            })?
            }
        };
    if format == Format::Shapefile {
        return Err(Refusal::new(
            "kdisc reads Shapefiles but does not write them: they cut names to ten letters",
            "write a GeoPackage: -o out.gpkg",
        ));
    }
    Ok(format)
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
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

/// Whether two names are of one file.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    identity(a) == identity(b)
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
