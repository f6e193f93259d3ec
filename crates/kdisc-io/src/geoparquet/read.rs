//! Reading Parquet.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::basic::LogicalType;
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;

use super::metadata;
use crate::InputError;
use crate::contained::contained;
use crate::content::Content;
use crate::crs::Crs;
use crate::geoarrow;
use crate::layer::{BATCH, Batches, Encoding, Geometry, Layer, Reader, Shape};

const FORMAT: &str = "Parquet";

/// Opens a Parquet file.
///
/// # Errors
/// When it is none, or cannot be read.
pub fn open(content: Content, name: &str, stem: &str) -> Result<impl Reader + use<>, InputError> {
    let metadata = contained(name, FORMAT, || {
        let metadata = match &content {
            Content::File(path) => {
                let file = File::open(path).map_err(InputError::read(name))?;
                ArrowReaderMetadata::load(&file, ArrowReaderOptions::new())
            }
            Content::Memory(bytes) => {
                let bytes = Bytes::from_owner(Arc::clone(bytes));
                ArrowReaderMetadata::load(&bytes, ArrowReaderOptions::new())
            }
        };
        metadata.map_err(|error| broken(name, &error))
    })?;
    let schema = with_geo(&metadata);
    let found = match metadata::read(name, &schema)? {
        None => match geoarrow::read(name, &schema)? {
            None => marked(name, &metadata)?,
            found => found,
        },
        found => found,
    };
    let (geometry, crs) = found.map_or((None, None), |(geometry, crs)| (Some(geometry), crs));
    let rows = metadata.metadata().file_metadata().num_rows();
    let layer = Layer {
        name: stem.to_owned(),
        schema,
        geometry,
        crs,
        rows: usize::try_from(rows).ok(),
    };
    Ok(Parquet {
        name: name.to_owned(),
        content,
        metadata,
        layer,
    })
}

struct Parquet {
    name: String,
    content: Content,
    metadata: ArrowReaderMetadata,
    layer: Layer,
}

impl Reader for Parquet {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        match &self.content {
            Content::File(path) => {
                let file = File::open(path).map_err(InputError::read(&self.name))?;
                self.batches_of(file, columns)
            }
            Content::Memory(bytes) => {
                self.batches_of(Bytes::from_owner(Arc::clone(bytes)), columns)
            }
        }
    }
}

impl Parquet {
    fn batches_of<R: ChunkReader + 'static>(
        &self,
        content: R,
        columns: &[usize],
    ) -> Result<Batches<'_>, InputError> {
        let schema = self.layer.schema.project(columns);
        let schema = Arc::new(schema.map_err(|error| self.arrow(&error))?);
        let mut reader = contained(&self.name, FORMAT, || {
            let builder =
                ParquetRecordBatchReaderBuilder::new_with_metadata(content, self.metadata.clone());
            let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
            let reader = builder.with_projection(mask).with_batch_size(BATCH).build();
            reader.map_err(|error| broken(&self.name, &error))
        })?;
        // The file has its columns in its own order.
        let mut rising = columns.to_vec();
        rising.sort_unstable();
        rising.dedup();
        let order: Vec<_> = columns
            .iter()
            .map(|column| rising.partition_point(|other| other < column))
            .collect();
        let arranged = move |batch: &RecordBatch| {
            let columns = order.iter().map(|&i| Arc::clone(batch.column(i)));
            // Said, as there may be no column to tell.
            let count = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
            RecordBatch::try_new_with_options(Arc::clone(&schema), columns.collect(), &count)
        };
        let mut failed = false;
        Ok(Box::new(std::iter::from_fn(move || {
            if failed {
                return None;
            }
            let next = contained(&self.name, FORMAT, || {
                let next = reader.next().transpose();
                let next = next.and_then(|batch| batch.as_ref().map(&arranged).transpose());
                next.map_err(|error| self.arrow(&error))
            });
            failed = next.is_err();
            next.transpose()
        })))
    }

    fn arrow(&self, error: &ArrowError) -> InputError {
        InputError::broken(&self.name, FORMAT, error.to_string())
    }
}

fn broken(name: &str, error: &ParquetError) -> InputError {
    let problem = error.to_string();
    // What the library says of a file that was never Parquet.
    if problem.contains("Corrupt footer") || problem.contains("smaller than footer") {
        return InputError::NotThat {
            file: name.to_owned(),
            expected: "a complete Parquet file",
            found: "it does not end as one (PAR1)".to_owned(),
        };
    }
    InputError::broken(name, FORMAT, problem)
}

/// The schema, with the metadata of the file that say where geometries are.
fn with_geo(metadata: &ArrowReaderMetadata) -> Arc<Schema> {
    let schema = metadata.schema();
    let pairs = metadata.metadata().file_metadata().key_value_metadata();
    let geo = pairs
        .into_iter()
        .flatten()
        .find(|pair| pair.key == metadata::KEY);
    let Some(geo) = geo.and_then(|pair| pair.value.clone()) else {
        return Arc::clone(schema);
    };
    let mut known = schema.metadata().clone();
    known.insert(metadata::KEY.to_owned(), geo);
    Arc::new(schema.as_ref().clone().with_metadata(known))
}

/// The first column that Parquet itself calls a geometry.
fn marked(
    name: &str,
    metadata: &ArrowReaderMetadata,
) -> Result<Option<(Geometry, Option<Crs>)>, InputError> {
    let fields = metadata.parquet_schema().root_schema().get_fields();
    for (column, field) in fields.iter().enumerate() {
        let Some(LogicalType::Geometry(geometry)) = field.get_basic_info().logical_type_ref()
        else {
            continue;
        };
        let crs = match &geometry.crs {
            None => Ok(Crs::wgs84()),
            Some(text) => Crs::parse(text),
        };
        let crs = crs.map_err(InputError::crs(name))?;
        let geometry = Geometry {
            column,
            encoding: Encoding::Wkb,
            shape: Shape::Any,
        };
        return Ok(Some((geometry, Some(crs))));
    }
    Ok(None)
}
