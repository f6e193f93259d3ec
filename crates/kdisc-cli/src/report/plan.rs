//! A run of `kdisc report`, checked as far as it can be before any file is read.

use std::path::Path;

use clap::Parser;
use kdisc::Anonymity;

use crate::args::{Cli, Command, ConductArgs, ReportArgs};
use crate::failure::Refusal;
use crate::outputs::{Run, extension, is_stdout};
use crate::source::Source;

/// The least k of a report for publication.
const FEWEST: u64 = 3;

#[derive(Debug)]
pub struct Plan {
    pub source: Source,
    pub asked: Anonymity,
    pub limits: Limits,
    pub fail_on_unsafe: bool,
    /// The side of the cells; one that suits the units when absent.
    pub grid: Option<f64>,
    /// Levels of a web map, as typed.
    pub levels: String,
    /// What is typed after `kdisc rules`, if there are columns for it.
    pub rules: Option<Vec<String>>,
    pub seed: u64,
    pub title: Option<String>,
    pub public: bool,
    /// As it was typed, and the input in it.
    pub command: Vec<String>,
    pub typed_input: Option<String>,
    pub conduct: ConductArgs,
    pub run: Run,
}

/// What is safe, as far as anybody said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    pub radius: Option<f64>,
    pub risk: Option<f64>,
    /// Fewest units in a cell.
    pub count: Option<u64>,
    /// Whether rules on values were given.
    pub rules: bool,
    /// The share of the units that may exceed them.
    pub allow: f64,
    /// At zoom levels, in pixels.
    pub radius_px: Option<f64>,
    pub risk_px: Option<f64>,
}

impl Limits {
    /// Whether there is anything to judge by.
    pub fn any(&self) -> bool {
        self.radius.is_some() || self.risk.is_some() || self.count.is_some() || self.rules
    }
}

impl Plan {
    pub fn new(args: ReportArgs, command: Vec<String>) -> anyhow::Result<Self> {
        let limits = limits(&args)?;
        let path = args.run.output.as_path();
        let kept = args.run.conduct.audience().takes(Some(path));
        if !kept && (is_stdout(path) || !["html", "htm"].contains(&&*extension(path))) {
            return Err(Refusal::new(
                format!("the report is HTML, and cannot be {}", path.display()),
                "name a file that ends in .html: -o report.html",
            )
            .into());
        }
        let mut conduct = args.run.conduct.clone();
        let beside = || path.with_extension("json");
        conduct.summary.get_or_insert_with(beside);
        let run = Run::of_file(path, conduct)?;
        let command = if args.public {
            without_folders(command)
        } else {
            command
        };
        let plan = Self {
            source: run.audience.source_or_example(args.input.clone()),
            asked: Anonymity::new(args.k)?
                .with_delta(args.delta)
                .with_metric(args.metric),
            limits,
            fail_on_unsafe: args.fail_on_unsafe,
            grid: args.grid,
            levels: args.levels.map_or_else(
                || "6-18".to_owned(),
                |levels| format!("{}-{}", levels.first, levels.last),
            ),
            rules: rules(&args),
            seed: args.seed,
            title: args.title,
            public: args.public,
            typed_input: typed_input(&command),
            command,
            conduct: args.run.conduct,
            run,
        };
        plan.run.refuse_clashes(&[&plan.source], &[])?;
        Ok(plan)
    }

    /// The name of the input, without the folders that it is in.
    pub fn name(&self) -> String {
        let typed = self.typed_input.as_deref().filter(|typed| *typed != "-");
        let name = typed.and_then(|typed| Path::new(typed).file_name());
        match name {
            Some(name) => name.to_string_lossy().into_owned(),
            None => self.source.to_string(),
        }
    }
}

/// The command with the names of its files, but not their folders: these are nobody's business.
fn without_folders(command: Vec<String>) -> Vec<String> {
    let Ok(Cli {
        command: Command::Report(args),
        ..
    }) = Cli::try_parse_from(&command)
    else {
        return command;
    };
    let files = [args.input, Some(args.run.output), args.run.conduct.summary];
    let files = files.into_iter().flatten();
    let files: Vec<(String, String)> = files
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((path.to_string_lossy().into_owned(), name))
        })
        .collect();
    let named = |word: String| {
        let found = files.iter().find_map(|(path, name)| {
            let option = word.strip_suffix(path.as_str())?;
            let is_file = ["", "-o", "-o=", "--output=", "--summary="].contains(&option);
            is_file.then(|| format!("{option}{name}"))
        });
        found.unwrap_or(word)
    };
    command.into_iter().map(named).collect()
}

/// The input as it was typed: where a run is repeated, the file may be elsewhere.
fn typed_input(command: &[String]) -> Option<String> {
    match Cli::try_parse_from(command).ok()?.command {
        Command::Report(args) => args.input.map(|path| path.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn limits(args: &ReportArgs) -> Result<Limits, Refusal> {
    let limits = Limits {
        radius: args.max_radius,
        risk: args.max_risk,
        count: args.min_count,
        rules: args.p.is_some() || !args.dominance.is_empty(),
        allow: args.allow,
        radius_px: args.max_radius_px,
        risk_px: args.max_risk_px,
    };
    let in_pixels = limits.radius_px.is_some() || limits.risk_px.is_some();
    let name = "say what is safe: --max-radius, --max-risk or --min-count";
    if args.fail_on_unsafe && !limits.any() {
        return Err(Refusal::new("--fail-on-unsafe has no limit to go by", name));
    }
    if args.allow > 0.0 && !limits.any() && !in_pixels {
        return Err(Refusal::new(
            format!(
                "--allow {} is a share of units that exceed a limit, and there is none",
                args.allow
            ),
            name,
        ));
    }
    if args.allow >= 1.0 {
        return Err(Refusal::new(
            "--allow of all units makes anything safe",
            "give a smaller share, such as 1%, or leave out the limits",
        ));
    }
    if let Some(few) = args.min_count.filter(|few| *few == 1) {
        return Err(Refusal::new(
            format!("--min-count {few} is met by everybody: a unit is always in its own cell"),
            "give at least 2",
        ));
    }
    if args.public && args.k < FEWEST {
        return Err(Refusal::new(
            format!("k = {} hides nobody: of two, each knows the other", args.k),
            format!("give a k of at least {FEWEST} for --public"),
        ));
    }
    Ok(limits)
}

/// What is typed after `kdisc rules`.
fn rules(args: &ReportArgs) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut named = |option: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([option.to_owned(), value]);
        }
    };
    named("--value", args.value.clone());
    named("--group", args.group.clone());
    named("--category", args.category.clone());
    named("--p", args.p.map(|p| p.to_string()));
    for (n, percent) in &args.dominance {
        named("--dominance", Some(format!("{n},{percent}")));
    }
    Some(words).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_left_out_wherever_a_file_is_named() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (typed, told) in [
            (
                "kdisc report /secret/a.csv -o /secret/r.html --public",
                "kdisc report a.csv -o r.html --public",
            ),
            (
                "kdisc report ../x/a.csv -ox/r.html --summary=x/r.json --title x/y",
                "kdisc report a.csv -or.html --summary=r.json --title x/y",
            ),
            (
                "kdisc report - --output=/x/r.html --public",
                "kdisc report - --output=r.html --public",
            ),
        ] {
            assert_eq!(without_folders(words(typed)), words(told));
        }
    }
}
