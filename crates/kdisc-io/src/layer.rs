//! What all formats have in common: a layer of rows with typed columns, read and written as Arrow
//! record batches.
//!
//! Arrow is the common tongue because its types, nulls and dates are those of Parquet and of the
//! programs that people open our files with. One column may hold geometries. Within kdisc these
//! are WKB ([`Encoding::Wkb`]), except that the native points of Arrow and Parquet files stay as
//! they are, so that such a file leaves as it came.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, Field, SchemaRef};

use crate::crs::Crs;
use crate::{InputError, WriteError};

/// Rows in a batch: enough to be quick, few enough to be small.
pub const BATCH: usize = 1 << 16;

/// Bytes of features in a batch, at most: a column of text holds less than 2 GiB.
pub(crate) const BATCH_BYTES: usize = 1 << 28;

/// Rows in a batch of so many columns, at most: features need not mention their columns, so that
/// a short file could otherwise stand for endless nulls.
pub(crate) fn rows_at_most(columns: usize) -> usize {
    const CELLS: usize = 1 << 24;
    (CELLS / columns.max(1)).clamp(1, BATCH)
}

/// The name of what an Arrow column means beyond its type, and its further particulars.
pub const EXTENSION_NAME: &str = "ARROW:extension:name";
/// See [`EXTENSION_NAME`].
pub const EXTENSION_METADATA: &str = "ARROW:extension:metadata";
/// The extension of geometries as WKB.
pub const WKB: &str = "geoarrow.wkb";
/// The extension of points as coordinates.
pub const POINT: &str = "geoarrow.point";
/// The extension of text that is JSON: nested properties.
pub const JSON: &str = "arrow.json";
/// Marks the column that is the primary key of a table, if it is a whole number.
pub const PRIMARY_KEY: &str = "kdisc:primary_key";

/// The shape of a table of rows.
#[derive(Debug, Clone)]
pub struct Layer {
    /// What the layer is called; the stem of the file's name where the format has no names.
    pub name: String,
    /// All columns, in the order of the file.
    pub schema: SchemaRef,
    /// Which column holds geometries, if any.
    pub geometry: Option<Geometry>,
    /// The coordinate system, if the file says.
    pub crs: Option<Crs>,
    /// The number of rows, where it is known without reading them.
    pub rows: Option<usize>,
}

/// The column that holds geometries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Its index.
    pub column: usize,
    /// How it holds them.
    pub encoding: Encoding,
    /// What geometries it says it holds.
    pub shape: Shape,
}

/// How geometries are held in an Arrow column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Well-known binary.
    Wkb,
    /// Points as a structure of x and y (and perhaps z and m).
    Separated,
    /// Points as a list of fixed length: x, y (and perhaps z and m).
    Interleaved,
}

/// What the geometries of a column are, as far as the file promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Points only.
    Point,
    /// Polygons only.
    Polygon,
    /// Anything.
    Any,
}

/// A name for a column that no other has, whatever its case, beginning with one of these.
pub(crate) fn free_name<'a>(wanted: [&str; 2], taken: impl Iterator<Item = &'a str>) -> String {
    let taken: HashSet<String> = taken.map(str::to_ascii_lowercase).collect();
    let is_free = |name: &String| !taken.contains(name);
    let numbered = (2..).map(|i| format!("{}_{i}", wanted[0]));
    let mut names = wanted.into_iter().map(ToOwned::to_owned).chain(numbered);
    names.find(is_free).unwrap_or_default()
}

/// What columns of geometries are called.
pub(crate) const GEOMETRY: [&str; 2] = ["geometry", "geom"];

/// Batches of rows, one after another.
pub type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, InputError>> + Send + 'a>;

/// A layer that can be read, more than once.
pub trait Reader: Send + Sync {
    /// Its shape.
    fn layer(&self) -> &Layer;

    /// Its rows, with only these columns, in this order. Columns that are not asked for are not
    /// decoded. The schema of each batch is the projection of the layer's.
    ///
    /// # Errors
    /// When the file cannot be read; later ones come with the batches.
    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError>;
}

impl<R: Reader + ?Sized> Reader for &R {
    fn layer(&self) -> &Layer {
        (**self).layer()
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        (**self).batches(columns)
    }
}

impl<R: Reader + ?Sized> Reader for Arc<R> {
    fn layer(&self) -> &Layer {
        (**self).layer()
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        (**self).batches(columns)
    }
}

/// A file that takes rows.
pub trait Writer {
    /// Adds rows, whose schema is that of the layer the writer was made for.
    ///
    /// # Errors
    /// When the system refuses, or the format cannot hold a value.
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError>;

    /// Completes the file. It is not yet [committed](crate::output::Sink::commit).
    ///
    /// # Errors
    /// When the system refuses.
    fn finish(self: Box<Self>) -> Result<crate::output::Sink, WriteError>;
}

impl Layer {
    /// The names of all columns.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// Whether a column holds geometries.
    #[must_use]
    pub fn is_geometry(&self, column: usize) -> bool {
        self.geometry.is_some_and(|found| found.column == column)
    }

    /// The schema of these columns.
    pub(crate) fn project(&self, file: &str, columns: &[usize]) -> Result<SchemaRef, InputError> {
        let schema = self.schema.project(columns);
        let schema = schema.map_err(|error| InputError::unsupported(file, error.to_string()))?;
        Ok(SchemaRef::new(schema))
    }

    /// For every column of the layer, where it is among these.
    pub(crate) fn slots(
        &self,
        file: &str,
        columns: &[usize],
    ) -> Result<Vec<Option<usize>>, InputError> {
        let mut slots = vec![None; self.schema.fields().len()];
        for (slot, &column) in columns.iter().enumerate() {
            if slots[column].replace(slot).is_some() {
                let what = format!("column {column} is asked for twice");
                return Err(InputError::unsupported(file, what));
            }
        }
        Ok(slots)
    }
}

/// Batches, one after another, from what gives the next one. An error is the last.
pub(crate) fn in_turn<'a>(
    mut next: impl FnMut() -> Result<Option<RecordBatch>, InputError> + Send + 'a,
) -> Batches<'a> {
    let mut over = false;
    Box::new(std::iter::from_fn(move || {
        if over {
            return None;
        }
        let batch = next();
        over = !matches!(batch, Ok(Some(_)));
        batch.transpose()
    }))
}

/// A batch of so many rows, even if it has no columns.
pub(crate) fn batch_of(
    schema: &SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, ArrowError> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(SchemaRef::clone(schema), columns, &options)
}

/// What a column means beyond its type.
#[must_use]
pub fn extension(field: &Field) -> Option<&str> {
    field.metadata().get(EXTENSION_NAME).map(String::as_str)
}

/// The same column, with a meaning.
#[must_use]
pub fn with_extension(field: Field, name: &str) -> Field {
    let mut metadata = field.metadata().clone();
    metadata.insert(EXTENSION_NAME.to_owned(), name.to_owned());
    field.with_metadata(metadata)
}

/// A column of geometries as WKB.
#[must_use]
pub fn wkb_field(name: &str) -> Field {
    with_extension(Field::new(name, arrow_schema::DataType::Binary, true), WKB)
}
