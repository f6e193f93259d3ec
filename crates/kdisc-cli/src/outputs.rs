//! Where results go: names and formats, checked before any work is done.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, mem, thread};

use kdisc_io::format::{Format, separator};
use kdisc_io::geopackage;
use kdisc_io::output::Target;

use crate::args::{ConductArgs, RasterRunArgs, RunArgs};
use crate::audience::Audience;
use crate::failure::Refusal;
use crate::source::Source;

/// Programs get tables as this format would have them: typed, and with geometries.
const FOR_PROGRAMS: Format = Format::GeoParquet;

/// One file of a run.
#[derive(Debug, Clone)]
pub struct Output {
    /// What the summary calls it.
    pub role: &'static str,
    /// Standard output when absent, or the program that runs the command.
    pub target: Option<Target>,
    /// The format of a table; a raster or a picture has none.
    pub format: Option<Format>,
    /// What separates the columns of text, where its name says so.
    pub separator: Option<u8>,
}

impl Output {
    pub fn is_json(&self) -> bool {
        self.format.is_some_and(Format::is_json)
    }

    /// What people call it.
    pub fn name(&self) -> String {
        match (&self.target, self.role) {
            (Some(target), _) => target.path().display().to_string(),
            (None, "output") => "the output".to_owned(),
            (None, role) => format!("the table of {role}"),
        }
    }

    pub fn wants_geometry(&self) -> bool {
        self.format.is_some_and(Format::wants_geometry)
    }

    /// Whether writing it replaces a file, so that there may be something to tidy up.
    pub fn replaces(&self) -> bool {
        self.target.as_ref().is_some_and(Target::replaces)
    }
}

/// Where a summary goes as JSON.
#[derive(Debug)]
pub enum SummaryTo {
    File(Target),
    /// To the program that runs the command.
    Program,
    Auditor(Auditor),
}

/// Where a run that is repeated leaves its summary, as it leaves no files.
#[derive(Debug, Clone, Default)]
pub struct Auditor(Arc<Mutex<String>>);

impl Auditor {
    pub fn put(&self, summary: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = summary;
    }

    pub fn take(&self) -> String {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Where the results of a run go, and how it behaves.
#[derive(Debug)]
pub struct Run {
    /// The table.
    pub output: Output,
    pub summary: Option<SummaryTo>,
    pub threads: usize,
    pub audience: Audience,
    /// Whether the run leaves nothing behind.
    pub rehearsal: bool,
}

impl Run {
    pub fn new(args: RunArgs) -> anyhow::Result<Self> {
        let path = args.output.as_deref().filter(|path| !is_stdout(path));
        let format = if args.conduct.audience().takes(path) {
            FOR_PROGRAMS
        } else {
            format_of(path, args.to)?
        };
        Self::of(path, Some(format), args.conduct)
    }

    /// A run whose output is a raster.
    pub fn raster(args: RasterRunArgs) -> anyhow::Result<Self> {
        let path = args.output.as_path();
        let extension = extension(path);
        let named = !is_stdout(path) && ["", "tif", "tiff"].contains(&&*extension);
        if !named && !args.conduct.audience().takes(Some(path)) {
            return Err(Refusal::new(
                format!("the map is a GeoTIFF, and cannot be {}", path.display()),
                "name a file that ends in .tif: -o map.tif",
            )
            .into());
        }
        Self::of_file(path, args.conduct)
    }

    /// A run whose output is no table.
    pub fn of_file(path: &Path, args: ConductArgs) -> anyhow::Result<Self> {
        let kept = args.audience().takes(Some(path));
        Self::of(Some(path).filter(|_| !kept), None, args)
    }

    fn of(path: Option<&Path>, format: Option<Format>, args: ConductArgs) -> anyhow::Result<Self> {
        let audience = args.audience();
        let check = |path: &Path| Target::check(path);
        let kept = !args.rehearsal;
        Ok(Self {
            output: Output {
                role: "output",
                format,
                separator: path.and_then(separator),
                target: path.filter(|_| kept).map(check).transpose()?,
            },
            summary: match args.summary.filter(|_| kept) {
                None => args.auditor.map(SummaryTo::Auditor),
                Some(path) if audience.takes(Some(&path)) => Some(SummaryTo::Program),
                Some(path) => {
                    refuse_stdout("summary", "run.json", &path)?;
                    Some(SummaryTo::File(check(&path)?))
                }
            },
            threads: args.threads.map_or_else(all_cores, usize::from),
            audience,
            rehearsal: args.rehearsal,
        })
    }

    /// A file beside the table, given with the option of the same name.
    pub fn beside(&self, role: &'static str, path: &Path) -> anyhow::Result<Output> {
        let kept = self.audience.takes(Some(path));
        if !kept {
            refuse_stdout(role, &format!("{role}.gpkg"), path)?;
        }
        Ok(Output {
            role,
            format: Some(if kept {
                FOR_PROGRAMS
            } else {
                format_of(Some(path), None)?
            }),
            separator: separator(path),
            target: if kept || self.rehearsal {
                None
            } else {
                Some(Target::check(path)?)
            },
        })
    }

    /// Who follows the writing of a file: a bar would get among the rows of a table that goes to the
    /// same terminal.
    pub fn followers(&self, output: &Output) -> Audience {
        if output.target.is_none() {
            Audience::terminal(true)
        } else {
            self.audience.clone()
        }
    }

    /// Whether anybody will be told what the run came to.
    pub fn is_summarised(&self) -> bool {
        !self.audience.is_quiet() || self.summary.is_some()
    }

    /// Whether the bytes of its files matter beyond the files.
    pub fn is_hashed(&self) -> bool {
        self.summary.is_some()
    }

    /// What was measured must stay what it was, as `kdisc verify` reads it again, and no output
    /// may take the place of another.
    pub fn refuse_clashes(&self, sources: &[&Source], beside: &[&Output]) -> Result<(), Refusal> {
        let inputs = sources.iter().filter_map(|source| source.path());
        let mut taken: Vec<_> = inputs.map(|path| (identity(path), "an input")).collect();
        if self.output.target.is_none()
            && let Some(path) = standard_output()
        {
            taken.push((path, "the standard output"));
        }
        let outputs = std::iter::once(&self.output).chain(beside.iter().copied());
        let targets = outputs.filter_map(|output| output.target.as_ref());
        let summary = match &self.summary {
            Some(SummaryTo::File(target)) => Some(target),
            Some(SummaryTo::Program | SummaryTo::Auditor(_)) | None => None,
        };
        for target in targets.clone().chain(summary) {
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
        targets.into_iter().try_for_each(refuse_to_lose_layers)
    }
}

fn refuse_stdout(role: &str, example: &str, path: &Path) -> Result<(), Refusal> {
    if is_stdout(path) {
        return Err(Refusal::new(
            format!("the {role} cannot go to standard output, which is for the table alone"),
            format!("name a file: --{role} {example}"),
        ));
    }
    Ok(())
}

fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
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

/// The end of a name, in small letters.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Whether two names are of one file.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    identity(a) == identity(b)
}

/// The file to which standard output goes, where the system tells its name.
fn standard_output() -> Option<PathBuf> {
    let path = fs::canonicalize("/dev/stdout").ok()?;
    path.is_file().then_some(path)
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
