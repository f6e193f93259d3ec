//! Arrow IPC files (Feather) and streams, both ways.

mod claims;

use std::io::{BufWriter, Read};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::{FileWriter, IpcWriteOptions};
use arrow_schema::{ArrowError, SchemaRef};

use crate::contained::contained;
use crate::content::{Content, ReadSeek};
use crate::layer::{Batches, Layer, Reader, Writer};
use crate::output::Sink;
use crate::{InputError, WriteError, geoarrow, geoparquet};

/// How a file begins; a stream does not.
pub const MAGIC: &[u8] = b"ARROW1";

const FORMAT: &str = "Arrow";

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
    let size = file.content.len().map_err(InputError::read(name))?;
    let checked = if is_file {
        claims::check_file(&mut content, size)
    } else {
        claims::check_stream(&mut content, size)
    };
    checked.map_err(|problem| InputError::broken(name, FORMAT, problem))?;
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
        contained(&self.name, FORMAT, || {
            let decoder = if self.is_stream {
                StreamReader::try_new(reader, columns).map(Decoder::Stream)
            } else {
                FileReader::try_new(reader, columns).map(Decoder::File)
            };
            decoder.map_err(|error| self.broken(&error))
        })
    }

    fn broken(&self, error: &ArrowError) -> InputError {
        InputError::broken(&self.name, FORMAT, error.to_string())
    }
}

impl Reader for ArrowFile {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let mut decoder = self.decoder(Some(columns.to_vec()))?;
        let mut failed = false;
        Ok(Box::new(std::iter::from_fn(move || {
            if failed {
                return None;
            }
            let next = contained(&self.name, FORMAT, || {
                let next = decoder.next().transpose();
                next.map_err(|error| self.broken(&error))
            });
            failed = next.is_err();
            next.transpose()
        })))
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
    // Beside the mark of GeoArrow, what GeoPandas looks for in Feather files.
    let schema = match layer.geometry {
        None => schema,
        Some(geometry) => {
            let mut metadata = schema.metadata().clone();
            metadata.insert("geo".to_owned(), geoparquet::metadata(layer, geometry));
            Arc::new(schema.as_ref().clone().with_metadata(metadata))
        }
    };
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

#[cfg(test)]
mod tests {
    use arrow_array::{Array, ArrayRef, BinaryArray, Float64Array, Int64Array};
    use arrow_ipc::writer::StreamWriter;
    use arrow_schema::{DataType, Field, Schema};

    use super::*;
    use crate::crs::Crs;
    use crate::geoparquet::samples::{layer, nested, refused};
    use crate::held::{self, Held, batches};
    use crate::layer::{EXTENSION_METADATA, EXTENSION_NAME, Encoding, Shape};

    fn written(layer: &Layer, rows: &[RecordBatch]) -> Vec<u8> {
        let writer = create(Sink::scratch().unwrap(), layer).unwrap();
        held::written(writer, rows).unwrap()
    }

    fn opened(bytes: &[u8]) -> Result<impl Reader + use<>, InputError> {
        open(Content::Memory(bytes.into()), "in.arrow", "in")
    }

    #[test]
    fn every_type_and_the_metadata_come_back() {
        let held = nested().sliced(2);
        let bytes = written(&held.layer, &held.rows);
        let reader = opened(&bytes).unwrap();
        assert_eq!(reader.layer().schema, held.layer.schema);
        let all: Vec<usize> = (0..held.layer.schema.fields().len()).collect();
        assert_eq!(batches(&reader, &all), held.rows);
        // A file on disk and a stream are read alike.
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.arrow");
        std::fs::write(&path, &bytes).unwrap();
        let file = open(Content::File(path), "a", "a").unwrap();
        assert_eq!(batches(&file, &all), held.rows);
        let mut stream = StreamWriter::try_new(Vec::new(), &held.layer.schema).unwrap();
        for batch in &held.rows {
            stream.write(batch).unwrap();
        }
        let stream = opened(&stream.into_inner().unwrap()).unwrap();
        assert_eq!(batches(&stream, &all), held.rows);
    }

    #[test]
    fn whatever_byte_is_wrong_it_ends_in_good_order() {
        let held = nested();
        let mut bytes = written(&held.layer, &held.rows);
        let all: Vec<usize> = (0..held.layer.schema.fields().len()).collect();
        let mut damaged = 0;
        // Every third byte; the others are no different.
        for at in (0..bytes.len()).step_by(3) {
            for flip in [1, 0x80, 0xff] {
                bytes[at] ^= flip;
                let read = opened(&bytes).and_then(|reader| {
                    let batches = reader.batches(&all)?;
                    batches.collect::<Result<Vec<_>, _>>().map(|_| ())
                });
                damaged += usize::from(read.is_err());
                bytes[at] ^= flip;
            }
        }
        assert!(damaged > bytes.len() / 20, "{damaged} of {}", bytes.len());
    }

    #[test]
    fn columns_come_in_the_order_asked_for() {
        let held = nested();
        let reader = opened(&written(&held.layer, &held.rows)).unwrap();
        for columns in [&[2, 0][..], &[0, 0], &[1, 2, 1], &[3]] {
            let found = batches(&reader, columns);
            assert_eq!(found[0], held.rows[0].project(columns).unwrap());
        }
        let rows = held.rows[0].num_rows();
        assert_eq!(batches(&reader, &[])[0].num_rows(), rows);
        let none = reader
            .batches(&[99])
            .and_then(|mut rows| rows.next().transpose());
        assert!(none.is_err());
    }

    #[test]
    fn the_same_rows_give_the_same_bytes() {
        let bytes = || {
            let held = nested();
            written(&held.layer, &held.rows)
        };
        let first = bytes();
        for _ in 0..8 {
            assert!(bytes() == first);
        }
    }

    #[test]
    fn geometries_are_marked_with_their_system() {
        let mut held = layer();
        for crs in [None, Some(Crs::from_epsg(28992).unwrap())] {
            held.layer.crs.clone_from(&crs);
            let bytes = written(&held.layer, &held.rows);
            let reader = opened(&bytes).unwrap();
            assert_eq!(reader.layer().geometry, held.layer.geometry);
            let found = reader.layer().crs.as_ref().and_then(Crs::epsg);
            assert_eq!(found, crs.as_ref().and_then(Crs::epsg));
            // What is read is written alike.
            let again = written(reader.layer(), &batches(&reader, &[0, 1]));
            assert!(again == bytes);
        }
    }

    #[test]
    fn another_system_takes_the_place_of_the_one_it_came_with() {
        let mut held = layer();
        held.layer.crs = Some(Crs::wgs84());
        let reader = opened(&written(&held.layer, &held.rows)).unwrap();
        let mut changed = reader.layer().clone();
        changed.crs = Some(Crs::from_epsg(28992).unwrap());
        let reader = opened(&written(&changed, &held.rows)).unwrap();
        let found = reader.layer().crs.as_ref().and_then(Crs::epsg);
        assert_eq!(found, Some(28992));
    }

    /// A file whose only column is marked like this.
    fn marked(array: ArrayRef, name: &str, about: Option<&str>) -> Vec<u8> {
        let mut metadata = vec![(EXTENSION_NAME.to_owned(), name.to_owned())];
        metadata.extend(about.map(|about| (EXTENSION_METADATA.to_owned(), about.to_owned())));
        let field = Field::new("g", array.data_type().clone(), true);
        let field = field.with_metadata(metadata.into_iter().collect());
        let schema = Arc::new(Schema::new(vec![field]));
        let mut layer = Held::new(vec![("g", ArrayRef::clone(&array))]).layer;
        layer.schema = Arc::clone(&schema);
        written(
            &layer,
            &[RecordBatch::try_new(schema, vec![array]).unwrap()],
        )
    }

    #[test]
    fn what_geoarrow_says_is_checked() {
        let wkb = || -> ArrayRef { Arc::new(BinaryArray::from(vec![&b"x"[..]])) };
        let whole = || -> ArrayRef { Arc::new(Int64Array::from(vec![1])) };
        for name in ["geoarrow.wkb", "ogc.wkb"] {
            let reader = opened(&marked(wkb(), name, Some("not JSON"))).unwrap();
            let found = reader.layer().geometry.unwrap();
            assert_eq!((found.encoding, found.shape), (Encoding::Wkb, Shape::Any));
            assert!(reader.layer().crs.is_none());
            let problem = refused(opened(&marked(whole(), name, None)));
            assert_eq!(
                problem,
                "in.arrow is Arrow, but broken: column \"g\" is marked as geometries, but is Int64"
            );
        }
        let problem = refused(opened(&marked(wkb(), "geoarrow.point", None)));
        assert!(problem.ends_with("but is Binary"), "{problem}");
        let reader = opened(&marked(wkb(), "geoarrow.polygon", None)).unwrap();
        assert!(reader.layer().geometry.is_none());
        let code = Some(r#"{"crs":"EPSG:28992"}"#);
        let reader = opened(&marked(wkb(), "geoarrow.wkb", code)).unwrap();
        let found = reader.layer().crs.as_ref().and_then(Crs::epsg);
        assert_eq!(found, Some(28992));
        for wrong in [
            r#"{"crs":"nonsense"}"#,
            r#"{"crs":{"a":1}}"#,
            r#"{"crs":7}"#,
        ] {
            let error = opened(&marked(wkb(), "geoarrow.wkb", Some(wrong))).err();
            assert!(matches!(error, Some(InputError::Crs { .. })), "{wrong}");
        }
    }

    #[test]
    fn a_broken_file_is_an_error_wherever_it_ends() {
        let held = layer();
        let bytes = written(&held.layer, &held.rows);
        for end in 0..bytes.len() {
            let read = opened(&bytes[..end]).and_then(|reader| {
                let batches: Result<Vec<_>, _> = reader.batches(&[0, 1])?.collect();
                batches
            });
            assert!(read.is_err(), "{end} of {}", bytes.len());
        }
    }

    #[test]
    fn rows_of_another_shape_are_refused() {
        let held = layer();
        let mut writer = create(Sink::scratch().unwrap(), &held.layer).unwrap();
        let other = Held::new(vec![("a", Arc::new(Float64Array::from(vec![1.0])))]);
        let error = writer.write(&other.rows[0]).unwrap_err();
        assert!(matches!(error, WriteError::Failed { .. }));
        assert_eq!(held.layer.schema.field(0).data_type(), &DataType::Int64);
    }
}
