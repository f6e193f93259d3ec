//! A layer in memory, for tests.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};

use crate::layer::{Batches, Encoding, Geometry, Layer, Reader, Shape, Writer};
use crate::{InputError, WriteError};

/// Rows that need no file.
pub(crate) struct Held {
    pub layer: Layer,
    pub rows: Vec<RecordBatch>,
    /// Whether an error comes after the rows.
    pub breaks: bool,
}

impl Held {
    /// One batch of these columns.
    pub fn new(columns: Vec<(&str, ArrayRef)>) -> Self {
        let fields = columns
            .iter()
            .map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        Self {
            rows: vec![RecordBatch::try_new(Arc::clone(&schema), arrays).unwrap()],
            layer: Layer {
                name: "held".to_owned(),
                schema,
                geometry: None,
                crs: None,
                rows: None,
            },
            breaks: false,
        }
    }

    /// The same, with geometries in this column.
    pub fn with_geometry(mut self, column: usize, encoding: Encoding, shape: Shape) -> Self {
        self.layer.geometry = Some(Geometry {
            column,
            encoding,
            shape,
        });
        self
    }

    /// The same rows in batches of so many, which are slices.
    pub fn sliced(mut self, size: usize) -> Self {
        let whole = self.rows.remove(0);
        let starts = (0..whole.num_rows()).step_by(size);
        self.rows = starts
            .map(|start| whole.slice(start, size.min(whole.num_rows() - start)))
            .collect();
        self
    }
}

impl Reader for Held {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let columns = columns.to_vec();
        let rows = self.rows.iter();
        let rows = rows.map(move |batch| Ok(batch.project(&columns).unwrap()));
        let error = self.breaks.then(|| {
            Err(InputError::Broken {
                file: "held".to_owned(),
                format: "a test",
                problem: "its rows end here".to_owned(),
            })
        });
        Ok(Box::new(rows.chain(error)))
    }
}

/// What a writer makes of these rows.
pub(crate) fn written(
    mut writer: Box<dyn Writer>,
    rows: &[RecordBatch],
) -> Result<Vec<u8>, WriteError> {
    for batch in rows {
        writer.write(batch)?;
    }
    let sink = writer.finish()?;
    Ok(std::fs::read(sink.path().unwrap()).unwrap())
}

/// All rows of a reader.
pub(crate) fn batches(reader: &dyn Reader, columns: &[usize]) -> Vec<RecordBatch> {
    let batches = reader.batches(columns).unwrap();
    batches.collect::<Result<_, _>>().unwrap()
}
