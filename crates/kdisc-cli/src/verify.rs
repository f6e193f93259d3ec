//! `kdisc verify`: the auditor's command. Are these the inputs, and do they give this output and
//! these figures?
//!
//! The run is repeated whole, its summary included, but nothing is written: the new summary is
//! compared with the recorded one.

mod figures;
mod repeat;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use kdisc_io::input::{Options, cannot_read};
use kdisc_io::sha256;
use serde_json::Value;
use serde_json::error::Category;

use crate::args::{Cli, VerifyArgs};
use crate::failure::{Refusal, to_stdout};
use crate::source::Source;
use figures::differing;
use repeat::Repeatable;

/// Something is not as recorded.
const DIFFERENT: u8 = 1;

/// More names are not listed.
const NAMED: usize = 5;

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
    let inputs = record.inputs()?;
    record.refuse_other_inputs(&inputs, &run.inputs())?;
    let mut same_inputs = true;
    for (input, argument) in inputs.iter().zip(run.inputs()) {
        same_inputs &= input.compare(argument, &args.summary)?;
    }
    let recorded = fingerprints(&record.json);
    let mut same_files = true;
    for (role, path) in run.outputs() {
        if let Some(sha256) = recorded.get(role) {
            same_files &= compare_output_file(role, &path, &args.summary, sha256)?;
        }
    }
    if !same_inputs {
        return conclude(Err(
            "an input is not the one that was recorded, so the run was not repeated",
        ));
    }
    let repeated = run.rehearse(args.threads)?;
    let mut same_run = true;
    for (role, hash) in fingerprints(&repeated) {
        let as_recorded = recorded.get(&role) == Some(&hash);
        tell(&role, "of the repeated run", as_recorded, &hash)?;
        same_run &= as_recorded;
    }
    let other = differing(&record.json, &repeated);
    if !other.is_empty() {
        say(&format!(
            "figures of the repeated run: DIFFERENT in {}",
            listed(&other)
        ))?;
    }
    conclude(match (same_run && other.is_empty(), same_files) {
        (true, true) => Ok("the run gives the same output, to the byte"),
        (true, false) => Err("the run gives what was recorded, but that file is another"),
        (false, _) => Err("this is not the run that was recorded"),
    })
}

fn conclude(verdict: Result<&str, &str>) -> anyhow::Result<ExitCode> {
    match verdict {
        Ok(why) => say(&format!("verified: {why}")).map(|()| ExitCode::SUCCESS),
        Err(why) => say(&format!("DIFFERENT: {why}")).map(|()| ExitCode::from(DIFFERENT)),
    }
}

/// A few of many names.
fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(NAMED)].join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The SHA-256 of every file that a run wrote, by what its summary calls them.
fn fingerprints(summary: &Value) -> BTreeMap<String, String> {
    let fields = summary.as_object().into_iter().flatten();
    let hashes = fields.filter_map(|(name, value)| {
        let role = name.strip_suffix("_sha256")?;
        Some((role.to_owned(), value.as_str()?.to_owned()))
    });
    hashes.collect()
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

    /// Each input of the command must be there, and no other.
    fn refuse_other_inputs(
        &self,
        recorded: &[RecordedInput],
        typed: &[Option<&mut PathBuf>],
    ) -> Result<(), Refusal> {
        let named = |input: &RecordedInput, typed: &Option<&mut PathBuf>| {
            input.path.as_deref() == typed.as_deref().map(PathBuf::as_path)
        };
        let mut pairs = recorded.iter().zip(typed);
        if recorded.len() == typed.len() && pairs.all(|(input, typed)| named(input, typed)) {
            return Ok(());
        }
        let why = "its \"inputs\" are not those of its \"command\"";
        Err(no_summary(&self.file, why))
    }
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
            return expect_on_stdin(summary);
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

/// The repeated run will read standard input, and tell what it found there.
fn expect_on_stdin(summary: &Path) -> anyhow::Result<bool> {
    if io::stdin().is_terminal() {
        let again = format!("give it again: kdisc verify {} < FILE", summary.display());
        return Err(Refusal::new("the run read standard input", again).into());
    }
    say("input   standard input: compared when it has been read")?;
    Ok(true)
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
    let folder = summary.parent().unwrap_or(Path::new(""));
    let name = path.file_name().map(Path::new);
    let beside = [Some(path), name].into_iter().flatten();
    let beside = beside.map(|name| folder.join(name));
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
