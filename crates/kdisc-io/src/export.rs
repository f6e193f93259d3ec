//! Writing the rows of a layer again, in any format, with columns added.

use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::{Field, FieldRef, Schema};

use crate::crs::Crs;
use crate::csv::Decimal;
use crate::format::Format;
use crate::geometry;
use crate::layer::{
    Encoding, GEOMETRY, Geometry, Layer, Reader, Shape, Writer, free_name, wkb_field,
};
use crate::output::Sink;
use crate::points::Place;
use crate::values::Numbers;
use crate::{InputError, WriteError, arrow_file, csv, flatgeobuf, geojson, geopackage, geoparquet};

/// What every output that holds exact locations says of itself.
pub const CONFIDENTIAL: &str =
    "CONFIDENTIAL: holds exact locations; keep it as safe as the input (written by kdisc)";

/// Batches that are read ahead while others are written.
const AHEAD: usize = 2;

/// Rows on their way from a layer to a file.
pub struct Export<'a> {
    reader: &'a dyn Reader,
    format: Format,
    layer: Layer,
    /// The columns of which points are made, if the format wants points and the rows have none.
    made_of: Option<[usize; 2]>,
    decimal: Decimal,
    heights: bool,
}

/// What can go wrong on the way.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// In reading.
    #[error(transparent)]
    Input(#[from] InputError),
    /// In writing.
    #[error(transparent)]
    Output(#[from] WriteError),
    /// Somebody wanted it to stop.
    #[error("stopped")]
    Stopped,
}

impl<'a> Export<'a> {
    /// All rows of `reader`, in `format`, with the columns `added`. If the format is one of
    /// geometries and the rows have none, they get points from the columns of `place`; where these
    /// are text, their numbers have this decimal mark.
    ///
    /// # Errors
    /// When the rows cannot be read.
    pub fn new(
        reader: &'a dyn Reader,
        format: Format,
        place: Place,
        decimal: Decimal,
        crs: Option<&Crs>,
        added: Vec<Field>,
    ) -> Result<Self, InputError> {
        let mut layer = reader.layer().clone();
        layer.crs = crs.cloned().or(layer.crs);
        let mut fields: Vec<FieldRef> = layer.schema.fields().iter().cloned().collect();
        let mut made_of = None;
        if let Place::Columns { x, y } = place
            && layer.geometry.is_none()
            && format.wants_geometry()
        {
            made_of = Some([x, y]);
            layer.geometry = Some(Geometry {
                column: fields.len(),
                encoding: Encoding::Wkb,
                shape: Shape::Point,
            });
            let taken = layer
                .schema
                .fields()
                .iter()
                .map(|field| field.name().as_str());
            let added_names = added.iter().map(|field| field.name().as_str());
            let name = free_name(GEOMETRY, taken.chain(added_names));
            fields.push(Arc::new(wkb_field(&name)));
        }
        fields.extend(added.into_iter().map(Arc::new));
        let mut metadata = layer.schema.metadata().clone();
        let description = match metadata.get("description") {
            Some(known) if known.starts_with(CONFIDENTIAL) => known.clone(),
            Some(known) => format!("{CONFIDENTIAL}\n{known}"),
            None => CONFIDENTIAL.to_owned(),
        };
        metadata.insert("description".to_owned(), description);
        layer.schema = Arc::new(Schema::new_with_metadata(fields, metadata));
        let mut heights = false;
        if let Some(geometry) = &mut layer.geometry
            && made_of.is_none()
            && format == Format::Csv
        {
            (geometry.shape, heights) = shape_of(reader, *geometry)?;
        }
        Ok(Self {
            reader,
            format,
            layer,
            made_of,
            decimal,
            heights,
        })
    }

    /// The shape of the output.
    #[must_use]
    pub fn layer(&self) -> &Layer {
        &self.layer
    }

    /// Whether points are written as three columns, where points are written as columns.
    #[must_use]
    pub fn has_heights(&self) -> bool {
        self.heights
    }

    /// Begins a file of that shape and format.
    ///
    /// # Errors
    /// When the system refuses, or the format cannot hold a column.
    pub fn create(&self, sink: Sink) -> Result<Box<dyn Writer>, WriteError> {
        create(self.format, sink, &self.layer, self.heights)
    }

    /// Reads all rows, adds the columns that `added` gives for the next so many of them, and
    /// passes them to `put`. Reading goes on while `put` is at work. `go_on` is told how many rows
    /// are done, and says whether to go on.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub fn run(
        &self,
        added: &mut dyn FnMut(usize) -> Vec<ArrayRef>,
        put: &mut dyn FnMut(&RecordBatch) -> Result<(), WriteError>,
        go_on: &dyn Fn(usize) -> bool,
    ) -> Result<(), ExportError> {
        let all: Vec<usize> = (0..self.reader.layer().schema.fields().len()).collect();
        let batches = self.reader.batches(&all)?;
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || {
                for batch in batches {
                    if sender.send(batch).is_err() {
                        break;
                    }
                }
            });
            let mut done = 0;
            for batch in receiver {
                if !go_on(done) {
                    return Err(ExportError::Stopped);
                }
                let batch = batch?;
                done += batch.num_rows();
                put(&self.extended(&batch, added(batch.num_rows()))?)?;
            }
            Ok(())
        })
    }

    fn extended(
        &self,
        batch: &RecordBatch,
        added: Vec<ArrayRef>,
    ) -> Result<RecordBatch, WriteError> {
        let mut columns = batch.columns().to_vec();
        if let Some([x, y]) = self.made_of {
            columns.push(points(batch.column(x), batch.column(y), self.decimal));
        }
        columns.extend(added);
        RecordBatch::try_new(Arc::clone(&self.layer.schema), columns).map_err(|error| {
            WriteError::Failed {
                format: "the rows",
                problem: error.to_string(),
            }
        })
    }
}

/// Begins a file of this format and shape; `heights` if its points have some.
///
/// # Errors
/// When the system refuses, or the format cannot hold a column.
pub fn create(
    format: Format,
    sink: Sink,
    layer: &Layer,
    heights: bool,
) -> Result<Box<dyn Writer>, WriteError> {
    match format {
        Format::Csv => csv::create(sink, layer, heights),
        Format::Parquet | Format::GeoParquet => geoparquet::create(sink, layer),
        Format::GeoPackage => geopackage::create(sink, layer),
        Format::GeoJson => geojson::create(sink, layer, false),
        Format::GeoJsonLines => geojson::create(sink, layer, true),
        Format::FlatGeobuf => flatgeobuf::create(sink, layer),
        Format::Arrow => arrow_file::create(sink, layer),
        Format::Shapefile => Err(WriteError::CannotHold {
            format: "a Shapefile",
            what: "names of more than ten letters".to_owned(),
        }),
    }
}

fn points(x: &ArrayRef, y: &ArrayRef, decimal: Decimal) -> ArrayRef {
    let numbers = |array| Numbers::new(array).with_decimal(decimal);
    let (x, y) = (numbers(x), numbers(y));
    let place = |row| Some(kdisc::Point::new(x.read(row).ok()?, y.read(row).ok()?));
    let points = (0..x.len()).map(|row| place(row).map(geometry::point));
    Arc::new(points.collect::<BinaryArray>())
}

/// Whether all geometries are points, and whether some have heights.
fn shape_of(reader: &dyn Reader, geometry: Geometry) -> Result<(Shape, bool), InputError> {
    let mut heights = false;
    for batch in reader.batches(&[geometry.column])? {
        let batch = batch?;
        let Ok(wkb) = geometry::wkb_column(batch.column(0), geometry.encoding) else {
            return Ok((Shape::Any, false));
        };
        for wkb in wkb.iter().flatten() {
            match geometry::coordinates(wkb) {
                Ok(Some(place)) => heights |= !place[2].is_nan(),
                Ok(None) => {}
                Err(_) => return Ok((Shape::Any, false)),
            }
        }
    }
    Ok((Shape::Point, heights))
}

#[cfg(test)]
mod tests;
