//! Who follows a run: people at a terminal, or a program that runs a command within itself.
//!
//! A program hands over tables by name and looks now and then how far the run is. What would have
//! gone to standard output and standard error waits for it when the run has ended.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kdisc_io::memory::MemoryTable;

use crate::source::Source;

/// Who follows a run.
#[derive(Debug, Clone, Default)]
pub struct Audience {
    quiet: bool,
    /// Whether it is told what a run came to.
    told: bool,
    program: Option<Arc<Program>>,
}

/// A program that runs a command within itself.
#[derive(Debug, Default)]
pub struct Program {
    tables: BTreeMap<String, Arc<MemoryTable>>,
    /// True once the run should stop.
    pub stop: Arc<AtomicBool>,
    progress: Mutex<Option<Progress>>,
    outcome: Mutex<Outcome>,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: String,
    /// Steps that are done.
    pub done: usize,
    /// Steps in all; the same as those done where that is not known.
    pub total: usize,
}

/// What a run came to, besides the files that it wrote.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Tables by what they are: `output`, `units`, `discs`.
    pub tables: BTreeMap<&'static str, MemoryTable>,
    /// Files that are no tables, by what they are.
    pub files: BTreeMap<&'static str, Vec<u8>>,
    /// Where the rows of the output lie, if they are the cells of a map.
    pub cells: Option<Cells>,
    /// The summary as JSON, if asked for.
    pub summary: Option<String>,
    /// The summary as text, unless the run was quiet.
    pub text: String,
    /// What people should know before they trust the figures.
    pub warnings: Vec<String>,
}

/// The cells of a map: rows from north to south, in each from west to east.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// How many there are from west to east.
    pub columns: usize,
    /// The western end of the map, in units of the coordinate system.
    pub west: f64,
    /// Its northern end.
    pub north: f64,
    /// The side of a cell.
    pub side: f64,
    /// The coordinate system: its code, or else WKT.
    pub crs: Option<String>,
}

impl Audience {
    pub fn new(quiet: bool, told: bool, program: Option<Arc<Program>>) -> Self {
        Self {
            quiet,
            told,
            program,
        }
    }

    /// At a terminal.
    pub fn terminal(quiet: bool) -> Self {
        Self::new(quiet, !quiet, None)
    }

    /// Whether it wants no summary.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether there is a bar to be looked at.
    pub fn sees_bars(&self) -> bool {
        !self.quiet && self.program.is_none() && io::stderr().is_terminal()
    }

    pub fn program(&self) -> Option<&Arc<Program>> {
        self.program.as_ref()
    }

    /// The table or the file of this name.
    pub fn source(&self, path: PathBuf) -> Source {
        let tables = self.program.as_ref().map(|program| &program.tables);
        let name = path.to_str();
        match tables.zip(name).and_then(|(tables, name)| tables.get(name)) {
            Some(table) => Source::Table(Arc::clone(table)),
            None => Source::File(path),
        }
    }

    /// The units of a run; the built-in example when nothing is named.
    pub fn source_or_example(&self, path: Option<PathBuf>) -> Source {
        path.map_or(Source::Example, |path| self.source(path))
    }

    /// Whether a result that is to go to this place is for the program.
    pub fn takes(&self, path: Option<&Path>) -> bool {
        self.program.is_some() && path.is_none_or(|path| path == Path::new("-"))
    }

    /// Tells what the run came to. People at a terminal find the warnings in the summary.
    pub fn tell(&self, warnings: &[String], summary: impl FnOnce() -> String) {
        if let Some(program) = &self.program {
            warnings.clone_into(&mut program.outcome().warnings);
        }
        if !self.told {
            return;
        }
        match &self.program {
            Some(program) => program.outcome().text = summary(),
            // Nobody reading the summary is no reason to fail.
            None => drop(io::stderr().lock().write_all(summary().as_bytes())),
        }
    }
}

impl Program {
    /// A program with these tables, which a command may name instead of files.
    #[must_use]
    pub fn new(tables: impl IntoIterator<Item = MemoryTable>) -> Self {
        let tables = tables.into_iter();
        Self {
            tables: tables
                .map(|table| (table.name().to_owned(), Arc::new(table)))
                .collect(),
            ..Self::default()
        }
    }

    /// How far the run is.
    pub fn progress(&self) -> Option<Progress> {
        lock(&self.progress).clone()
    }

    pub(crate) fn report(&self, phase: &str, done: usize, total: usize) {
        *lock(&self.progress) = Some(Progress {
            phase: phase.to_owned(),
            done,
            total,
        });
    }

    /// What the run came to so far.
    pub fn outcome(&self) -> MutexGuard<'_, Outcome> {
        lock(&self.outcome)
    }
}

/// Nothing is left half done by a thread that panics here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
