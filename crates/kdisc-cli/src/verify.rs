//! `kdisc verify`: the auditor's command. Are these the inputs, and do they give this output?

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use kdisc_io::input::{Options, cannot_read};
use kdisc_io::sha256;
use serde_json::Value;
use serde_json::error::Category;

use crate::args::{Cli, Command, Highlight, VerifyArgs};
use crate::audience::Audience;
use crate::delivery::Fingerprint;
use crate::failure::{Refusal, to_stdout};
use crate::interrupt::Interrupt;
use crate::outputs::is_stdout;
use crate::source::Source;
use crate::{areal, bandwidth, density, map, report, risk, rules, surface, zoom};

/// Something is not as recorded.
const DIFFERENT: u8 = 1;

/// What to do when there is nothing to go by.
const GIVE: &str = "give what --summary wrote, or the JSON beside a report";

pub fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let record = Record::read(&args.summary)?;
    let own = env!("CARGO_PKG_VERSION");
    if record.version != own {
        let _ = writeln!(
            io::stderr(),
            "warning: the summary is by kdisc {}, this is kdisc {own}: a different output may be \
             due to that",
            record.version
        );
    }
    let mut run = record.arguments()?;
    let mut same = true;
    for (input, argument) in record.inputs()?.iter().zip(run.inputs()) {
        same &= input.compare(argument, &args.summary)?;
    }
    let recorded = record.outputs();
    for (role, path) in run.outputs() {
        if let Some(sha256) = recorded.get(role) {
            same &= compare_output_file(role, &path, &args.summary, sha256)?;
        }
    }
    if same {
        let interrupt = Interrupt::listen(&Audience::default())?;
        for hash in run.rehearse(args.threads, &interrupt)? {
            let as_recorded = recorded.get(hash.role) == Some(&hash.sha256);
            tell(hash.role, "of the repeated run", as_recorded, &hash.sha256)?;
            same &= as_recorded;
        }
    }
    let verdict = if same {
        "verified: the run gives the same output, to the byte"
    } else {
        "DIFFERENT: this is not the run that was recorded"
    };
    say(verdict)?;
    Ok(if same {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(DIFFERENT)
    })
}

/// What a summary recorded.
struct Record {
    file: PathBuf,
    json: Value,
    version: String,
}

impl Record {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let text = fs::read(file).map_err(|error| {
            let error = cannot_read(&file.display().to_string(), file, error);
            Refusal::new(error.to_string(), GIVE)
        })?;
        let json: Value = serde_json::from_slice(&text).map_err(|error| {
            let why = match error.classify() {
                Category::Eof => "it is empty or ends too early".to_owned(),
                _ => format!("line {} is not JSON", error.line()),
            };
            no_summary(file, &why)
        })?;
        let field = |name: &str| {
            let text = json[name].as_str().map(str::to_owned);
            text.ok_or_else(|| no_summary(file, &format!("it has no {name:?}")))
        };
        let version = field("version")?;
        field("output_sha256")?;
        Ok(Self {
            version,
            file: file.to_owned(),
            json,
        })
    }

    /// The arguments of the recorded run.
    fn arguments(&self) -> Result<Repeatable, Refusal> {
        let words = self.json["command"].as_array().into_iter().flatten();
        let words = words.map(|word| word.as_str().map(str::to_owned));
        let words: Option<Vec<String>> = words.collect();
        let words = words
            .ok_or_else(|| no_summary(&self.file, "its \"command\" is not a list of texts"))?;
        let command = Cli::try_parse_from(&words).map(|cli| cli.command).ok();
        command
            .and_then(|command| Repeatable::new(command, words))
            .ok_or_else(|| {
                let why = "its \"command\" is not a run of kdisc that can be repeated";
                no_summary(&self.file, why)
            })
    }

    /// The SHA-256 of every file that the run wrote, by what it was called.
    fn outputs(&self) -> BTreeMap<String, String> {
        let fields = self.json.as_object().into_iter().flatten();
        let hashes = fields.filter_map(|(name, value)| {
            let role = name.strip_suffix("_sha256")?;
            Some((role.to_owned(), value.as_str()?.to_owned()))
        });
        hashes.collect()
    }

    fn inputs(&self) -> Result<Vec<RecordedInput>, Refusal> {
        let inputs = self.json["inputs"].as_array().into_iter().flatten();
        inputs
            .map(|input| {
                let hash = input["sha256"].as_str();
                // What is published has no fingerprints of the inputs, but that of its output.
                if hash.is_none() && self.json["public"] != Value::Bool(true) {
                    return Err(no_summary(&self.file, "an input has no \"sha256\""));
                }
                Ok(RecordedInput {
                    path: input["path"].as_str().map(PathBuf::from),
                    sha256: hash.map(str::to_owned),
                })
            })
            .collect()
    }
}

/// A run that can be repeated.
struct Repeatable {
    command: Command,
    /// As it was typed.
    words: Vec<String>,
}

impl Repeatable {
    fn new(mut command: Command, words: Vec<String>) -> Option<Self> {
        let measures = command.conduct().is_some();
        measures.then_some(Self { command, words })
    }

    /// Its inputs, in the order of the summary. The built-in example has no path.
    fn inputs(&mut self) -> Vec<Option<&mut PathBuf>> {
        match &mut self.command {
            Command::Risk(args) => with(&mut args.input, [args.at.as_mut(), args.regions.as_mut()]),
            Command::Zoom(args) => with(&mut args.input, []),
            Command::Areal(args) => with(&mut args.input, [args.division.regions.as_mut()]),
            Command::Rules(args) => with(&mut args.input, [args.division.regions.as_mut()]),
            Command::Bandwidth(args) => with(&mut args.input, []),
            Command::Density(args) => with(&mut args.input, [args.regions.as_mut()]),
            Command::Surface(args) => with(&mut args.input, []),
            Command::Report(args) => with(&mut args.input, []),
            Command::Map(args) => {
                let places = args.highlight.as_mut().and_then(Highlight::file);
                let layers = [args.under.as_mut(), args.over.as_mut()];
                with(&mut args.input, [places].into_iter().chain(layers))
            }
            Command::Verify(_) | Command::Convert(_) | Command::Info(_) | Command::Example(_) => {
                Vec::new()
            }
        }
    }

    /// The files that it writes, by what the summary calls them.
    fn outputs(&self) -> Vec<(&'static str, PathBuf)> {
        let (output, beside) = match &self.command {
            Command::Risk(args) => (args.run.output.as_ref(), ("discs", args.discs.as_ref())),
            Command::Zoom(args) => (args.run.output.as_ref(), ("units", args.units.as_ref())),
            Command::Areal(args) => (args.run.output.as_ref(), ("units", args.units.as_ref())),
            Command::Rules(args) => (args.run.output.as_ref(), ("units", args.units.as_ref())),
            Command::Bandwidth(args) => (args.run.output.as_ref(), ("units", args.units.as_ref())),
            Command::Density(args) => (Some(&args.run.output), ("units", None)),
            Command::Surface(args) => (Some(&args.run.output), ("units", None)),
            Command::Map(args) => (Some(&args.run.output), ("units", None)),
            Command::Report(args) => (Some(&args.run.output), ("units", None)),
            Command::Verify(_) | Command::Convert(_) | Command::Info(_) | Command::Example(_) => {
                (None, ("units", None))
            }
        };
        let output = output.filter(|path| !is_stdout(path)).cloned();
        let files = [("output", output), (beside.0, beside.1.cloned())];
        let files = files.into_iter();
        files
            .filter_map(|(role, path)| Some((role, path?)))
            .collect()
    }

    /// Repeats the run without writing anything.
    fn rehearse(
        mut self,
        threads: Option<u16>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Vec<Fingerprint>> {
        if let Some(conduct) = self.command.conduct() {
            conduct.rehearsal = true;
            // Nothing is told but how far it is.
            conduct.quiet = false;
            conduct.threads = threads;
        }
        match self.command {
            Command::Risk(args) => risk::rehearse(*args, interrupt),
            Command::Zoom(args) => zoom::rehearse(*args, interrupt),
            Command::Areal(args) => areal::rehearse(*args, interrupt),
            Command::Rules(args) => rules::rehearse(*args, interrupt),
            Command::Bandwidth(args) => bandwidth::rehearse(*args, interrupt),
            Command::Density(args) => density::rehearse(*args, interrupt),
            Command::Surface(args) => surface::rehearse(*args, interrupt),
            Command::Map(args) => map::rehearse(*args, interrupt),
            Command::Report(args) => report::rehearse(*args, self.words, interrupt),
            Command::Verify(_) | Command::Convert(_) | Command::Info(_) | Command::Example(_) => {
                Ok(Vec::new())
            }
        }
    }
}

/// The units of a run, and the other inputs that it has.
fn with<'a>(
    units: &'a mut Option<PathBuf>,
    others: impl IntoIterator<Item = Option<&'a mut PathBuf>>,
) -> Vec<Option<&'a mut PathBuf>> {
    let others = others.into_iter().flatten().map(Some);
    std::iter::once(units.as_mut()).chain(others).collect()
}

fn no_summary(file: &Path, why: &str) -> Refusal {
    Refusal::new(
        format!("{} is not a summary of kdisc: {why}", file.display()),
        GIVE,
    )
}

struct RecordedInput {
    /// The built-in example has none.
    path: Option<PathBuf>,
    /// A report for publication has none.
    sha256: Option<String>,
}

impl RecordedInput {
    /// Whether the input is as recorded; `argument` becomes the path where it was found.
    fn compare(&self, argument: Option<&mut PathBuf>, summary: &Path) -> anyhow::Result<bool> {
        let Some(path) = &self.path else {
            let example = Source::Example.open(&Options::default(), &|_, _| {})?;
            return self.judge("the built-in example", &example.sha256()?);
        };
        if path == Path::new("-") {
            return Err(Refusal::new(
                "the run read standard input, which is gone",
                "repeat it from a file",
            )
            .into());
        }
        let recorded = self.sha256.as_deref().unwrap_or_default();
        let Some((found, hash)) = find(path, summary, recorded) else {
            return Err(Refusal::new(
                format!(
                    "cannot read {}, nor such a file beside the summary",
                    path.display()
                ),
                "put the input where it was, or beside the summary",
            )
            .into());
        };
        let same = self.judge(&found.display().to_string(), &hash)?;
        if let Some(argument) = argument {
            *argument = found;
        }
        Ok(same)
    }

    /// Whether an input with this fingerprint is the one that was recorded.
    fn judge(&self, which: &str, hash: &str) -> anyhow::Result<bool> {
        let Some(recorded) = &self.sha256 else {
            say(&format!(
                "input   {which}: what is published has no fingerprint of it; the output will tell"
            ))?;
            return Ok(true);
        };
        tell("input", which, hash == recorded, hash)?;
        Ok(hash == recorded)
    }
}

/// The file that the run wrote, if it is still there.
fn compare_output_file(
    role: &str,
    path: &Path,
    summary: &Path,
    recorded: &str,
) -> anyhow::Result<bool> {
    let Some((found, hash)) = find(path, summary, recorded) else {
        say(&format!(
            "{role:<7} {}: not here, so not compared",
            path.display()
        ))?;
        return Ok(true);
    };
    let same = hash == recorded;
    tell(role, &found.display().to_string(), same, &hash)?;
    Ok(same)
}

/// The file where the run had it, or else beside the summary, and its SHA-256. There may be others
/// of that name: the one that is as recorded wins.
fn find(path: &Path, summary: &Path, recorded: &str) -> Option<(PathBuf, String)> {
    let beside = summary.parent().map(|folder| folder.join(path));
    let beside = beside.filter(|beside| beside != path);
    let mut first = None;
    for candidate in std::iter::once(path.to_owned()).chain(beside) {
        // A pipe or a device could be read without end.
        if candidate.is_file()
            && let Ok(bytes) = fs::read(&candidate)
        {
            let hash = sha256::hex(&bytes);
            if hash == recorded {
                return Some((candidate, hash));
            }
            first.get_or_insert((candidate, hash));
        }
    }
    first
}

fn tell(what: &str, which: &str, same: bool, hash: &str) -> anyhow::Result<()> {
    let verdict = if same { "same" } else { "DIFFERENT" };
    say(&format!("{what:<7} {which}: {verdict} (sha256 {hash})"))
}

fn say(line: &str) -> anyhow::Result<()> {
    writeln!(io::stdout(), "{line}").map_err(to_stdout)
}
