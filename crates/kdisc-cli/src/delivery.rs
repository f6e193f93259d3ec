//! The files of a run, to where they should go: all or none.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use kdisc_io::OutputError;
use kdisc_io::format::Format;
use kdisc_io::memory::MemoryTable;
use kdisc_io::output::Sink;
use kdisc_io::sha256::Hashing;

use crate::audience::Program;
use crate::failure::{to_stdout, with_target};
use crate::interrupt::Interrupt;
use crate::outputs::{Output, Run, SummaryTo};
use crate::progress::{Phase, waiting};

/// Is told how many rows of how many are written, and says whether to go on.
pub type GoOn<'a> = &'a dyn Fn(usize, usize) -> bool;

/// What can be written in any format.
pub trait Content {
    /// As text; with this separator, if it matters.
    fn text(&self, separator: Option<u8>, out: &mut dyn Write, go_on: GoOn) -> anyhow::Result<()>;
    fn typed(&self, format: Format, sink: Sink, go_on: GoOn) -> anyhow::Result<Sink>;
    /// What a program gets of it: of its own rows, only what was added.
    fn table(&self) -> anyhow::Result<MemoryTable>;
}

/// Files on their way: complete, but not yet in their places.
pub struct Delivery<'a> {
    run: &'a Run,
    interrupt: &'a Interrupt,
    sinks: Vec<Sink>,
    hashes: Vec<Fingerprint>,
}

/// The SHA-256 of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    pub role: &'static str,
    pub sha256: String,
}

impl<'a> Delivery<'a> {
    pub fn new(run: &'a Run, interrupt: &'a Interrupt) -> Self {
        Self {
            run,
            interrupt,
            sinks: Vec::new(),
            hashes: Vec::new(),
        }
    }

    /// Writes a file. A run that is only rehearsed keeps nothing of it but its fingerprint.
    pub fn write(&mut self, output: &Output, content: &dyn Content) -> anyhow::Result<()> {
        if let Some(program) = self.run.audience.program()
            && output.target.is_none()
        {
            let table = content.table();
            self.interrupt.check()?;
            program.outcome().tables.insert(output.role, table?);
            return Ok(());
        }
        let interrupt = self.interrupt;
        let phase = Phase::new("writing", &self.run.followers(output));
        let go_on = |done, total| {
            phase.report(done, total);
            interrupt.check().is_ok()
        };
        let hash = match output.format {
            Some(Format::Csv) => self.as_text(output, content, &go_on),
            Some(format) => self.as_bytes(output, |sink| content.typed(format, sink, &go_on)),
            None => return Err(anyhow::anyhow!("a table needs a format")),
        };
        self.note(output, hash)
    }

    /// Writes a file that is no table, in the same way.
    pub fn write_file(
        &mut self,
        output: &Output,
        put: impl FnOnce(Sink) -> anyhow::Result<Sink>,
    ) -> anyhow::Result<()> {
        let hash = match self.run.audience.program() {
            Some(program) if output.target.is_none() => self.to_program(program, output.role, put),
            _ => self.as_bytes(output, put),
        };
        self.note(output, hash)
    }

    fn to_program(
        &self,
        program: &Program,
        role: &'static str,
        put: impl FnOnce(Sink) -> anyhow::Result<Sink>,
    ) -> anyhow::Result<Option<String>> {
        let sink = put(Sink::memory())?;
        let hash = self.run.is_hashed().then(|| sink.sha256()).transpose()?;
        let bytes = sink.into_bytes().unwrap_or_default();
        program.outcome().files.insert(role, bytes);
        Ok(hash)
    }

    fn note(
        &mut self,
        output: &Output,
        hash: anyhow::Result<Option<String>>,
    ) -> anyhow::Result<()> {
        self.interrupt.check()?;
        if let Some(sha256) = hash? {
            let role = output.role;
            self.hashes.push(Fingerprint { role, sha256 });
        }
        Ok(())
    }

    fn as_text(
        &mut self,
        output: &Output,
        content: &dyn Content,
        go_on: GoOn,
    ) -> anyhow::Result<Option<String>> {
        let is_hashed = self.run.is_hashed();
        let put = |out: &mut dyn Write| -> anyhow::Result<Option<String>> {
            if !is_hashed {
                content.text(output.separator, out, go_on)?;
                return Ok(None);
            }
            let mut hashing = Hashing::new(out);
            content.text(output.separator, &mut hashing, go_on)?;
            Ok(Some(hashing.finish().1))
        };
        match &output.target {
            _ if self.run.rehearsal => put(&mut io::sink()),
            None => {
                let mut out = BufWriter::new(io::stdout().lock());
                let hash = put(&mut out).map_err(|error| with_target(error, to_stdout))?;
                out.flush().map_err(to_stdout)?;
                Ok(hash)
            }
            Some(target) => {
                let mut sink = target.open()?;
                let hash = put(&mut sink).map_err(|error| about(error, target.path()))?;
                self.sinks.push(sink);
                Ok(hash)
            }
        }
    }

    fn as_bytes(
        &mut self,
        output: &Output,
        put: impl FnOnce(Sink) -> anyhow::Result<Sink>,
    ) -> anyhow::Result<Option<String>> {
        let sink = match &output.target {
            Some(target) => target.open()?,
            None => Sink::scratch()?,
        };
        let written = put(sink);
        let sink = match &output.target {
            Some(target) => written.map_err(|error| about(error, target.path()))?,
            None => written?,
        };
        let mut hash = None;
        if self.run.is_hashed() {
            hash = Some(sink.sha256()?);
        }
        self.sinks.push(sink);
        Ok(hash)
    }

    pub fn hashes(&self) -> &[Fingerprint] {
        &self.hashes
    }

    /// All files are complete before the first takes its name; the summary is the last of them.
    pub fn commit(mut self, summary: impl FnOnce() -> String) -> anyhow::Result<()> {
        match &self.run.summary {
            None => {}
            Some(SummaryTo::Program) => {
                if let Some(program) = self.run.audience.program() {
                    program.outcome().summary = Some(summary());
                }
            }
            Some(SummaryTo::Auditor(auditor)) => auditor.put(summary()),
            Some(SummaryTo::File(target)) => {
                let mut out = target.open()?;
                out.write_all(summary().as_bytes())
                    .map_err(|error| in_writing(error, target.path()))?;
                self.sinks.push(out);
            }
        }
        self.interrupt.check()?;
        let sinks = self.sinks;
        if sinks.is_empty() || self.run.rehearsal {
            return Ok(());
        }
        // Disks may take long to take in what was written.
        waiting("finishing", &self.run.audience, || {
            sinks.into_iter().try_for_each(Sink::commit)
        })?;
        Ok(())
    }
}

impl Run {
    /// Writes the files of a run, its summary last: all or none. `summary` is told their
    /// fingerprints, and how many seconds they took.
    pub fn complete<'a, S>(
        &'a self,
        beside: &[&Output],
        interrupt: &'a Interrupt,
        write: impl FnOnce() -> anyhow::Result<Delivery<'a>>,
        summary: impl FnOnce(Vec<Fingerprint>, f64) -> S,
        json: impl FnOnce(&S) -> String,
    ) -> anyhow::Result<S> {
        self.deliver(beside, interrupt, || {
            let clock = Instant::now();
            let delivery = write()?;
            let seconds = clock.elapsed().as_secs_f64();
            let summary = summary(delivery.hashes().to_vec(), seconds);
            interrupt.cooperate(|| delivery.commit(|| json(&summary)))?;
            Ok(summary)
        })
    }

    /// Runs `work`, which writes these files, so that an interrupt leaves none of them behind. To
    /// a pipe there is nothing to tidy up, and it may keep us waiting for ever.
    pub fn deliver<T>(
        &self,
        beside: &[&Output],
        interrupt: &Interrupt,
        work: impl FnOnce() -> T,
    ) -> T {
        if self.output.replaces() || beside.iter().any(|output| output.replaces()) {
            interrupt.cooperate(work)
        } else {
            work()
        }
    }
}

fn about(error: anyhow::Error, path: &Path) -> anyhow::Error {
    with_target(error, |source| in_writing(source, path).into())
}

fn in_writing(source: io::Error, path: &Path) -> OutputError {
    OutputError::Write {
        path: path.to_owned(),
        source,
    }
}
