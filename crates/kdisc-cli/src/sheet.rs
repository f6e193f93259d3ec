//! A table of our own making, in any format.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use kdisc_io::WriteError;
use kdisc_io::csv::CsvWriter;
use kdisc_io::export::create;
use kdisc_io::format::Format;
use kdisc_io::layer::Layer;
use kdisc_io::memory::MemoryTable;
use kdisc_io::output::Sink;

use crate::delivery::{Content, GoOn};

/// A table whose rows come in batches.
pub trait Sheet {
    fn layer(&self) -> Layer;

    /// Passes all rows to `put`, batch by batch.
    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()>;
}

impl<S: Sheet> Content for S {
    fn text(&self, separator: Option<u8>, out: &mut dyn Write, go_on: GoOn) -> anyhow::Result<()> {
        let layer = self.layer();
        let mut writer = CsvWriter::new(out, &layer, false, separator.unwrap_or(b','))?;
        watched(self, &layer, go_on, |batch| writer.put(batch))?;
        writer.end()?;
        Ok(())
    }

    fn typed(&self, format: Format, sink: Sink, go_on: GoOn) -> anyhow::Result<Sink> {
        let layer = self.layer();
        let mut writer = create(format, sink, &layer, false)?;
        watched(self, &layer, go_on, |batch| writer.write(batch))?;
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

/// Passes all rows to `put`, batch by batch, for as long as it is to go on.
fn watched(
    sheet: &impl Sheet,
    layer: &Layer,
    go_on: GoOn,
    mut put: impl FnMut(&RecordBatch) -> Result<(), WriteError>,
) -> anyhow::Result<()> {
    let mut done = 0;
    sheet.rows(&mut |batch| {
        if !go_on(done, layer.rows.unwrap_or(done)) {
            return Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        done += batch.num_rows();
        Ok(put(batch)?)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::Arc;

    use arrow_array::Int64Array;
    use arrow_schema::{DataType, Field, Schema};

    use super::*;

    /// Three batches of two rows.
    struct Six;

    impl Sheet for Six {
        fn layer(&self) -> Layer {
            let fields = vec![Field::new("n", DataType::Int64, false)];
            Layer {
                name: "six".to_owned(),
                schema: Arc::new(Schema::new(fields)),
                geometry: None,
                crs: None,
                rows: Some(6),
            }
        }

        fn rows(
            &self,
            put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>,
        ) -> anyhow::Result<()> {
            let numbers = Arc::new(Int64Array::from(vec![1, 2]));
            let batch = RecordBatch::try_new(self.layer().schema, vec![numbers])?;
            (0..3).try_for_each(|_| put(&batch))
        }
    }

    #[test]
    fn it_tells_how_far_it_is_and_stops_when_told() {
        let told = RefCell::new(Vec::new());
        let mut out = Vec::new();
        let go_on = |done, total| {
            told.borrow_mut().push((done, total));
            true
        };
        Six.text(None, &mut out, &go_on).unwrap();
        assert_eq!(told.take(), [(0, 6), (2, 6), (4, 6)]);
        assert_eq!(out, b"n\n1\n2\n1\n2\n1\n2\n");
        assert!(
            Six.text(None, &mut Vec::new(), &|done, _| done < 2)
                .is_err()
        );
    }
}
