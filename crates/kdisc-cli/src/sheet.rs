//! A table of our own making, in any format.

use std::io::Write;

use arrow_array::RecordBatch;
use kdisc_io::csv::CsvWriter;
use kdisc_io::export::create;
use kdisc_io::format::Format;
use kdisc_io::layer::Layer;
use kdisc_io::memory::MemoryTable;
use kdisc_io::output::Sink;

use crate::delivery::Content;

/// A table whose rows come in batches.
pub trait Sheet {
    fn layer(&self) -> Layer;

    /// Passes all rows to `put`, batch by batch.
    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()>;
}

impl<S: Sheet> Content for S {
    fn text(&self, separator: Option<u8>, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut writer = CsvWriter::new(out, &self.layer(), false, separator.unwrap_or(b','))?;
        self.rows(&mut |batch| Ok(writer.put(batch)?))?;
        writer.end()?;
        Ok(())
    }

    fn typed(&self, format: Format, sink: Sink) -> anyhow::Result<Sink> {
        let mut writer = create(format, sink, &self.layer(), false)?;
        self.rows(&mut |batch| Ok(writer.write(batch)?))?;
        Ok(writer.finish()?)
    }

    fn table(&self) -> anyhow::Result<MemoryTable> {
        let mut batches = Vec::new();
        self.rows(&mut |batch| {
            batches.push(batch.clone());
            Ok(())
        })?;
        Ok(MemoryTable::of_layer(self.layer(), batches))
    }
}
