//! Arrow IPC files (Feather) and streams, both ways.

use std::io::{BufWriter, Read};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};

use crate::content::{Content, ReadSeek};
use crate::layer::{Batches, Layer, Reader, Writer};
use crate::output::Sink;
use crate::{InputError, WriteError, geoarrow};

/// How a file begins; a stream does not.
pub const MAGIC: &[u8] = b"ARROW1";

/// Opens a file or a stream.
///
/// # Errors
/// When it is neither, or cannot be read.
pub fn open(content: Content, name: &str, stem: &str) -> Result<impl Reader + use<>, InputError> {
    let mut file = ArrowFile {
        name: name.to_owned(),
        is_stream: false,
        content,
        layer: Layer {
            name: stem.to_owned(),
            schema: SchemaRef::new(arrow_schema::Schema::empty()),
            geometry: None,
            crs: None,
            rows: None,
        },
    };
    let mut start = [0; MAGIC.len()];
    let mut content = file.reader()?;
    let is_file = content.read_exact(&mut start).is_ok() && start == MAGIC;
    file.is_stream = !is_file;
    let schema = file.decoder(None)?.schema();
    if let Some((geometry, crs)) = geoarrow::read(name, &schema)? {
        file.layer.geometry = Some(geometry);
        file.layer.crs = crs;
    }
    file.layer.schema = schema;
    Ok(file)
}

struct ArrowFile {
    name: String,
    is_stream: bool,
    content: Content,
    layer: Layer,
}

enum Decoder {
    File(FileReader<Box<dyn ReadSeek>>),
    Stream(StreamReader<Box<dyn ReadSeek>>),
}

impl Decoder {
    fn schema(&self) -> SchemaRef {
        match self {
            Self::File(reader) => reader.schema(),
            Self::Stream(reader) => reader.schema(),
        }
    }
}

impl Iterator for Decoder {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::File(reader) => reader.next(),
            Self::Stream(reader) => reader.next(),
        }
    }
}

impl ArrowFile {
    fn reader(&self) -> Result<Box<dyn ReadSeek>, InputError> {
        self.content.reader().map_err(InputError::read(&self.name))
    }

    fn decoder(&self, columns: Option<Vec<usize>>) -> Result<Decoder, InputError> {
        let reader = self.reader()?;
        let decoder = if self.is_stream {
            StreamReader::try_new(reader, columns).map(Decoder::Stream)
        } else {
            FileReader::try_new(reader, columns).map(Decoder::File)
        };
        decoder.map_err(|error| self.broken(&error))
    }

    fn broken(&self, error: &ArrowError) -> InputError {
        InputError::broken(&self.name, "Arrow", error.to_string())
    }
}

impl Reader for ArrowFile {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let decoder = self.decoder(Some(columns.to_vec()))?;
        Ok(Box::new(
            decoder.map(|batch| batch.map_err(|error| self.broken(&error))),
        ))
    }
}

/// Begins a file of this shape.
///
/// # Errors
/// When the system refuses.
pub fn create(sink: Sink, layer: &Layer) -> Result<Box<dyn Writer>, WriteError> {
    let options = IpcWriteOptions::default()
        .try_with_compression(Some(CompressionType::LZ4_FRAME))
        .map_err(failed)?;
    let schema = geoarrow::marked(layer);
    let writer = FileWriter::try_new_with_options(BufWriter::new(sink), &schema, options);
    Ok(Box::new(ArrowWriter {
        writer: writer.map_err(failed)?,
        schema,
    }))
}

struct ArrowWriter {
    writer: FileWriter<BufWriter<Sink>>,
    schema: SchemaRef,
}

impl Writer for ArrowWriter {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let columns = batch.columns().to_vec();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns);
        self.writer.write(&batch.map_err(failed)?).map_err(failed)
    }

    fn finish(mut self: Box<Self>) -> Result<Sink, WriteError> {
        self.writer.finish().map_err(failed)?;
        let buffer = self.writer.into_inner().map_err(failed)?;
        buffer
            .into_inner()
            .map_err(|error| error.into_error().into())
    }
}

/// A refusal of the system stays one: a full disk is told apart from a wrong type.
fn failed(error: ArrowError) -> WriteError {
    match error {
        ArrowError::IoError(_, source) => WriteError::Io(source),
        other => WriteError::Failed {
            format: "Arrow",
            problem: other.to_string(),
        },
    }
}
