//! Writing Parquet, and `GeoParquet` if there are geometries.
//!
//! Some types of Arrow have no counterpart in Parquet and would be numbers to all other programs.
//! They become the nearest that has: times of the day in seconds are told in milliseconds, dates in
//! milliseconds in days, and points whose coordinates are interleaved are WKB.

use std::io::BufWriter;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::metadata;
use crate::WriteError;
use crate::geometry::wkb_column;
use crate::layer::{Encoding, Layer, WKB, Writer, with_extension};
use crate::output::Sink;

/// Begins a file of this shape.
///
/// # Errors
/// When the system refuses, or a type has no counterpart in Parquet.
pub fn create(sink: Sink, layer: &Layer) -> Result<Box<dyn Writer>, WriteError> {
    let layer = &held_by_parquet(layer);
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

/// The same layer, in types that Parquet has.
fn held_by_parquet(layer: &Layer) -> Layer {
    let mut layer = layer.clone();
    let mut fields: Vec<_> = layer
        .schema
        .fields()
        .iter()
        .map(|field| {
            let kind = match field.data_type() {
                DataType::Time32(TimeUnit::Second) => DataType::Time32(TimeUnit::Millisecond),
                DataType::Date64 => DataType::Date32,
                _ => return Arc::clone(field),
            };
            Arc::new(field.as_ref().clone().with_data_type(kind))
        })
        .collect();
    if let Some(geometry) = &mut layer.geometry
        && geometry.encoding == Encoding::Interleaved
    {
        geometry.encoding = Encoding::Wkb;
        let field = fields[geometry.column].as_ref().clone();
        let field = with_extension(field.with_data_type(DataType::Binary), WKB);
        fields[geometry.column] = Arc::new(field);
    }
    let metadata = layer.schema.metadata().clone();
    layer.schema = Arc::new(Schema::new_with_metadata(fields, metadata));
    layer
}

struct Parquet {
    writer: ArrowWriter<BufWriter<Sink>>,
    schema: SchemaRef,
}

impl Writer for Parquet {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let columns = batch.columns().iter().zip(self.schema.fields());
        let columns = columns.map(|(array, field)| {
            Ok(match (array.data_type(), field.data_type()) {
                (DataType::FixedSizeList(..), DataType::Binary) => {
                    Arc::new(wkb_column(array, Encoding::Interleaved)?)
                }
                (DataType::Time32(_) | DataType::Date64, kind) => cast(array, kind)?,
                _ => Arc::clone(array),
            })
        });
        let columns = columns.collect::<Result<_, ArrowError>>();
        let batch = columns.and_then(|found| RecordBatch::try_new(Arc::clone(&self.schema), found));
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
