//! A recorded command, to be run again.

use std::path::PathBuf;

use serde_json::Value;

use crate::args::{Command, Highlight};
use crate::outputs::{Auditor, is_stdout};

/// A run that can be repeated.
pub struct Repeatable {
    command: Command,
    /// As it was typed.
    words: Vec<String>,
}

impl Repeatable {
    pub fn new(mut command: Command, words: Vec<String>) -> Option<Self> {
        let measures = command.conduct().is_some();
        measures.then_some(Self { command, words })
    }

    /// Its inputs, in the order of the summary. The built-in example has no path.
    pub fn inputs(&mut self) -> Vec<Option<&mut PathBuf>> {
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
    pub fn outputs(&self) -> Vec<(&'static str, PathBuf)> {
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

    /// Repeats the run without writing anything: the summary that it would have written.
    pub fn rehearse(mut self, threads: Option<u16>) -> anyhow::Result<Value> {
        let auditor = Auditor::default();
        if let Some(conduct) = self.command.conduct() {
            conduct.rehearsal = true;
            conduct.auditor = Some(auditor.clone());
            // It is not told what it comes to, but how far it is.
            conduct.quiet = false;
            conduct.threads = threads;
        }
        crate::run(self.command, self.words)?;
        Ok(serde_json::from_str(&auditor.take())?)
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
