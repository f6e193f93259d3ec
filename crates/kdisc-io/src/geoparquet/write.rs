//! Writing Parquet, and `GeoParquet` if there are geometries.

use std::io::BufWriter;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::metadata;
use crate::WriteError;
use crate::layer::{Layer, Writer};
use crate::output::Sink;

/// Begins a file of this shape.
///
/// # Errors
/// When the system refuses, or a type has no counterpart in Parquet.
pub fn create(sink: Sink, layer: &Layer) -> Result<Box<dyn Writer>, WriteError> {
    let mut pairs = Vec::new();
    if let Some(geometry) = layer.geometry {
        let geo = metadata::write(layer, geometry);
        pairs.push(KeyValue::new(metadata::KEY.to_owned(), geo));
    }
    let mut known: Vec<_> = layer.schema.metadata().iter().collect();
    known.sort();
    for (key, value) in known {
        if key != metadata::KEY {
            pairs.push(KeyValue::new(key.clone(), value.clone()));
        }
    }
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(pairs))
        .build();
    // Pandas looks for its own in the schema, others in the file.
    let mut known = layer.schema.metadata().clone();
    known.remove(metadata::KEY);
    let schema = Arc::new(Schema::new_with_metadata(
        layer.schema.fields().clone(),
        known,
    ));
    let writer = ArrowWriter::try_new(BufWriter::new(sink), Arc::clone(&schema), Some(properties));
    Ok(Box::new(Parquet {
        writer: writer.map_err(failed)?,
        schema,
    }))
}

struct Parquet {
    writer: ArrowWriter<BufWriter<Sink>>,
    schema: SchemaRef,
}

impl Writer for Parquet {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let columns = batch.columns().to_vec();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        let batch = batch.map_err(|error| failed(error.into()))?;
        self.writer.write(&batch).map_err(failed)
    }

    fn finish(self: Box<Self>) -> Result<Sink, WriteError> {
        let buffer = self.writer.into_inner().map_err(failed)?;
        buffer
            .into_inner()
            .map_err(|error| error.into_error().into())
    }
}

/// A refusal of the system stays one: a full disk is told apart from a wrong type.
fn failed(error: ParquetError) -> WriteError {
    match error {
        ParquetError::External(source) => match source.downcast() {
            Ok(source) => WriteError::Io(*source),
            Err(source) => WriteError::Failed {
                format: "Parquet",
                problem: source.to_string(),
            },
        },
        ParquetError::NYI(what) => WriteError::CannotHold {
            format: "Parquet",
            what,
        },
        other => WriteError::Failed {
            format: "Parquet",
            problem: other.to_string(),
        },
    }
}
