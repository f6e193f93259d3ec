//! The rows of a table, each with what there is to say of it: text as it stood with cells appended,
//! other formats with columns added.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use kdisc_io::csv::{self, Appender, CsvWriter, Decimal};
use kdisc_io::export::Export;
use kdisc_io::format::Format;
use kdisc_io::layer::{BATCH, Reader};
use kdisc_io::memory::MemoryTable;
use kdisc_io::output::Sink;
use kdisc_io::{InputError, WriteError};

use crate::delivery::{Content, GoOn};
use crate::failure::Refusal;
use crate::reading::Opened;
use crate::register::Register;

/// Rows of text that are looked up before they are written.
const BLOCK: usize = 512;

/// Gives the columns that are added, for the next so many rows at a time.
pub type Added<'a> = Box<dyn FnMut(usize) -> Vec<ArrayRef> + 'a>;

/// A table, and the columns to be added to it.
pub struct Joined<'a> {
    pub table: &'a Opened,
    /// The decimal mark of its numbers.
    pub decimal: Decimal,
    pub rows: usize,
    pub fields: Vec<Field>,
    /// Begins anew at the first row.
    pub added: &'a (dyn Fn() -> Added<'a> + 'a),
}

impl<'a> Joined<'a> {
    /// The rows of a register, for a file beside the table of a run.
    pub fn beside(
        register: &'a Register,
        fields: Vec<Field>,
        added: &'a (dyn Fn() -> Added<'a> + 'a),
    ) -> Self {
        Self {
            table: &register.table,
            decimal: register.units.decimal,
            rows: register.units.rows.len(),
            fields,
            added,
        }
    }

    fn append(
        &self,
        table: &csv::Table,
        separator: Option<u8>,
        out: &mut dyn Write,
        go_on: GoOn,
    ) -> anyhow::Result<()> {
        let names: Vec<_> = self.fields.iter().map(Field::name).collect();
        let mut out = Appender::new(table, &names, self.decimal, separator, out)?;
        let mut added = (self.added)();
        let mut done = 0;
        while done < self.rows {
            if !go_on(done, self.rows) {
                return Err(io::Error::from(io::ErrorKind::Interrupted).into());
            }
            let rows = BLOCK.min(self.rows - done);
            out.rows(&added(rows))?;
            done += rows;
        }
        out.finish()?;
        Ok(())
    }

    fn export<'r>(&self, reader: &'r dyn Reader, format: Format) -> Result<Export<'r>, InputError> {
        let Opened { place, crs, .. } = self.table;
        let fields = self.fields.clone();
        Export::new(reader, format, *place, self.decimal, crs.as_ref(), fields)
    }

    fn run(
        &self,
        export: &Export,
        put: &mut dyn FnMut(&RecordBatch) -> Result<(), WriteError>,
        go_on: GoOn,
    ) -> anyhow::Result<()> {
        let mut added = (self.added)();
        Ok(export.run(&mut *added, put, &|done| go_on(done, self.rows))?)
    }
}

impl Content for Joined<'_> {
    fn text(&self, separator: Option<u8>, out: &mut dyn Write, go_on: GoOn) -> anyhow::Result<()> {
        if let Some(table) = self.table.input.csv() {
            return self.append(table, separator, out, go_on);
        }
        let reader = self.table.input.reader()?;
        let export = self.export(&*reader, Format::Csv)?;
        let separator = separator.unwrap_or(b',');
        let mut writer = CsvWriter::new(out, export.layer(), export.has_heights(), separator)?;
        self.run(&export, &mut |batch| writer.put(batch), go_on)?;
        writer.end()?;
        Ok(())
    }

    fn typed(&self, format: Format, sink: Sink, go_on: GoOn) -> anyhow::Result<Sink> {
        let reader = self.table.input.reader()?;
        let export = self.export(&*reader, format)?;
        let mut writer = export.create(sink)?;
        self.run(&export, &mut |batch| writer.write(batch), go_on)?;
        Ok(writer.finish()?)
    }

    fn table(&self) -> anyhow::Result<MemoryTable> {
        let schema = Arc::new(Schema::new(self.fields.clone()));
        let mut added = (self.added)();
        let mut batches = Vec::new();
        for start in (0..self.rows).step_by(BATCH) {
            let rows = BATCH.min(self.rows - start);
            batches.push(RecordBatch::try_new(Arc::clone(&schema), added(rows))?);
        }
        Ok(MemoryTable::new("output", schema, batches)?)
    }
}

/// A column of ours that the table has already would be there twice.
pub fn refuse_same_columns(table: &Opened, added: &[String]) -> Result<(), Refusal> {
    let columns = table.input.columns();
    match added.iter().find(|name| columns.contains(name)) {
        None => Ok(()),
        Some(name) => Err(Refusal::new(
            format!("{} already has a column {name:?}", table.input.name()),
            "give the added columns other names, such as new_radius: --prefix new_",
        )),
    }
}
