//! Reading a layer: shapes and rows side by side.
//!
//! A row that is marked as deleted is none, and neither is its shape.

use std::io::{self, Read, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::BinaryBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Schema, SchemaRef};

use super::dbf::{self, Column, Field, TableError};
use super::parts::{self, Parts};
use super::shapes::{HEAD, Shapes};
use super::text::Text;
use super::{FORMAT, broken, shp};
use crate::InputError;
use crate::content::{Content, ReadSeek};
use crate::crs::Crs;
use crate::layer::{
    self, BATCH, Batches, Encoding, GEOMETRY, Geometry, Layer, Reader, Shape, free_name, wkb_field,
};

/// A batch ends early when its geometries take so many bytes.
const BATCH_BYTES: usize = 1 << 26;

struct Shapefile {
    file: String,
    shp: Content,
    shx: Option<Content>,
    dbf: Content,
    table: dbf::Table,
    text: Text,
    layer: Layer,
}

/// Opens a Shapefile: a `.shp` with its `.dbf` beside it, or a zip file that holds such, of which
/// `layer` is one. `name` is for messages.
///
/// # Errors
/// When it cannot be read, is no Shapefile, or a part is missing.
pub fn open(
    path: &Path,
    name: &str,
    layer: Option<&str>,
) -> Result<impl Reader + use<>, InputError> {
    Shapefile::new(parts::find(path, name, layer)?, name)
}

/// Opens a Shapefile whose parts are in memory.
///
/// # Errors
/// When it is no Shapefile.
pub fn open_bytes(
    name: &str,
    shp: Vec<u8>,
    dbf: Vec<u8>,
    shx: Option<Vec<u8>>,
) -> Result<impl Reader + use<>, InputError> {
    let part = |bytes: Vec<u8>| Content::Memory(bytes.into());
    let parts = Parts {
        name: name.to_owned(),
        shp: part(shp),
        dbf: part(dbf),
        shx: shx.map(part),
        prj: None,
        cpg: None,
    };
    Shapefile::new(parts, name)
}

impl Shapefile {
    fn new(parts: Parts, file: &str) -> Result<Self, InputError> {
        let text = match &parts.cpg {
            None => None,
            Some(part) => {
                let name = self::text(part).map_err(InputError::read(file))?;
                let text = Text::named(&name);
                Some(text.ok_or_else(|| {
                    InputError::unsupported(
                        file,
                        format!("its .cpg names an unknown encoding, {:?}", name.trim()),
                    )
                })?)
            }
        };
        let crs = match &parts.prj {
            None => None,
            Some(part) => {
                let wkt = self::text(part).map_err(InputError::read(file))?;
                system(
                    wkt.trim_matches(['\0', '\u{feff}', ' ', '\n', '\r', '\t']),
                    file,
                )?
            }
        };
        let size = parts.dbf.len().map_err(InputError::read(file))?;
        let mut from = parts.dbf.reader().map_err(InputError::read(file))?;
        let (table, text) =
            dbf::Table::read(&mut from, size, text).map_err(|error| match error {
                TableError::Io(source) => InputError::read(file)(source),
                TableError::Wrong(problem) => broken(file, problem),
            })?;
        let kind = check_shp(&parts.shp, file)?;
        if let Some(index) = &parts.shx {
            let size = index.len().map_err(InputError::read(file))?;
            let shapes = size.saturating_sub(HEAD) / 8;
            if shapes != table.records {
                return Err(counts(file, shapes, table.records));
            }
        }
        let mut fields: Vec<_> = table.fields.iter().map(Field::to_arrow).collect();
        let taken = table.fields.iter().map(|field| field.name.as_str());
        let name = free_name(GEOMETRY, taken);
        fields.push(wkb_field(&name));
        let layer = Layer {
            name: parts.name,
            geometry: Some(Geometry {
                column: fields.len() - 1,
                encoding: Encoding::Wkb,
                shape: match kind {
                    1 | 11 | 21 => Shape::Point,
                    // Those of several parts are among the polygons of a Shapefile.
                    _ => Shape::Any,
                },
            }),
            schema: Arc::new(Schema::new(fields)),
            crs,
            // Some may be deleted.
            rows: None,
        };
        Ok(Self {
            file: file.to_owned(),
            shp: parts.shp,
            shx: parts.shx,
            dbf: parts.dbf,
            table,
            text,
            layer,
        })
    }
}

impl Field {
    fn to_arrow(&self) -> arrow_schema::Field {
        arrow_schema::Field::new(&self.name, self.kind.clone(), true)
    }
}

/// The beginning of a file, as text.
fn text(part: &Content) -> io::Result<String> {
    const ENOUGH: u64 = 1 << 16;
    let mut bytes = Vec::new();
    part.reader()?.take(ENOUGH).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn counts(file: &str, shapes: u64, rows: u64) -> InputError {
    broken(
        file,
        format!("it has {shapes} shapes, and {rows} rows in its .dbf"),
    )
}

fn system(wkt: &str, file: &str) -> Result<Option<Crs>, InputError> {
    if wkt.is_empty() {
        return Ok(None);
    }
    Crs::from_wkt(wkt).map(Some).map_err(InputError::crs(file))
}

/// Checks the header, and tells the kind of shapes.
fn check_shp(part: &Content, file: &str) -> Result<u32, InputError> {
    const MAGIC: [u8; 4] = [0, 0, 0x27, 0x0a];
    let size = part.len().map_err(InputError::read(file))?;
    let from = part.reader().map_err(InputError::read(file))?;
    let mut head = Vec::new();
    let taken = from.take(HEAD).read_to_end(&mut head);
    taken.map_err(InputError::read(file))?;
    if !head.starts_with(&MAGIC) {
        return Err(InputError::NotThat {
            file: file.to_owned(),
            expected: FORMAT,
            found: "its .shp does not begin with 9994".to_owned(),
        });
    }
    let Some(head) = head.first_chunk::<{ HEAD as usize }>() else {
        return Err(broken(file, format!("its .shp has only {size} bytes")));
    };
    let told = 2 * u64::from(u32::from_be_bytes([head[24], head[25], head[26], head[27]]));
    if told > size {
        return Err(broken(
            file,
            format!("its .shp has {size} bytes, where it should have {told}"),
        ));
    }
    Ok(u32::from_le_bytes([head[32], head[33], head[34], head[35]]))
}

impl Reader for Shapefile {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let failed = InputError::read(&self.file);
        let schema = self.layer.project(&self.file, columns)?;
        let mut records = self.dbf.reader().map_err(failed)?;
        records
            .seek(SeekFrom::Start(self.table.start))
            .map_err(failed)?;
        let wanted = columns.iter().any(|&column| self.layer.is_geometry(column));
        let shapes = if wanted {
            Some(Shapes::new(&self.shp, self.shx.as_ref()).map_err(failed)?)
        } else {
            None
        };
        let mut rows = Rows {
            of: self,
            columns: columns.to_vec(),
            schema,
            records,
            shapes,
            record: vec![0; self.table.size],
            done: 0,
        };
        Ok(layer::in_turn(move || rows.batch()))
    }
}

struct Rows<'a> {
    of: &'a Shapefile,
    columns: Vec<usize>,
    schema: SchemaRef,
    records: Box<dyn ReadSeek>,
    shapes: Option<Shapes>,
    record: Vec<u8>,
    /// Records read.
    done: u64,
}

impl Rows<'_> {
    fn batch(&mut self) -> Result<Option<RecordBatch>, InputError> {
        let file = &self.of.file;
        let fields = self.schema.fields().iter();
        let mut columns: Vec<_> = fields
            .map(|f| Column::new(f.data_type(), self.of.text))
            .collect();
        let mut geometries = BinaryBuilder::new();
        let (mut rows, mut bytes) = (0, 0);
        while rows < BATCH && bytes < BATCH_BYTES && self.done < self.of.table.records {
            let taken = self.records.read_exact(&mut self.record);
            taken.map_err(InputError::read(file))?;
            self.done += 1;
            if let Some(shapes) = &mut self.shapes {
                let found = shapes.advance().map_err(InputError::read(file))?;
                found.map_err(|problem| self.wrong_shape(&problem))?;
            }
            if self.record.first() == Some(&b'*') {
                continue;
            }
            if let Some(shapes) = &self.shapes {
                let wkb =
                    shp::wkb(shapes.content()).map_err(|problem| self.wrong_shape(&problem))?;
                bytes += wkb.as_ref().map_or(0, Vec::len);
                geometries.append_option(wkb);
            }
            for (i, column) in columns.iter_mut().enumerate() {
                if let Some(field) = self.of.table.fields.get(self.columns[i]) {
                    let value = field.of(&self.record);
                    let added = column.add(value);
                    added.map_err(|expected| self.wrong_value(field, value, expected))?;
                }
            }
            rows += 1;
        }
        if let (true, Some(shapes)) = (self.done == self.of.table.records, &self.shapes)
            && !shapes.is_over()
        {
            let problem = format!(
                "its .shp has more shapes than the {} rows of its .dbf",
                self.done
            );
            return Err(broken(file, problem));
        }
        if rows == 0 {
            return Ok(None);
        }
        let geometries: ArrayRef = Arc::new(geometries.finish());
        let arrays = columns.iter_mut().zip(&self.columns).map(|(column, &i)| {
            if self.of.layer.is_geometry(i) {
                geometries.clone()
            } else {
                column.finish()
            }
        });
        let arrays = arrays.collect();
        let batch = layer::batch_of(&self.schema, arrays, rows);
        batch
            .map(Some)
            .map_err(|error| broken(file, error.to_string()))
    }

    fn wrong_shape(&self, problem: &str) -> InputError {
        broken(
            &self.of.file,
            format!("the shape of row {}: {problem}", self.done),
        )
    }

    fn wrong_value(&self, field: &Field, value: &[u8], expected: &str) -> InputError {
        let value = String::from_utf8_lossy(value);
        let (row, name) = (self.done, &field.name);
        let problem = format!("row {row}, column {name:?}: expected {expected}, found {value:?}");
        broken(&self.of.file, problem)
    }
}
