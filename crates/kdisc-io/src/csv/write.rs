//! A layer as separated text.
//!
//! Points are written as two columns, or three if they have heights; other geometries as
//! well-known text. A missing value is an empty field, an empty text a pair of quotes.

use std::io::{BufWriter, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::NullBuffer;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use super::append::Cells;
use super::number::Decimal;
use crate::WriteError;
use crate::crs::Crs;
use crate::format;
use crate::geometry::{self, wkb_column};
use crate::layer::{Geometry, Layer, Shape, Writer};
use crate::output::Sink;
use crate::values::spelled;

/// Writes batches as rows of text.
pub struct CsvWriter<W> {
    out: W,
    cells: Cells,
    geometry: Option<Geometry>,
    heights: bool,
}

/// Begins a file of this shape; `heights` if its points have some. Its name says what separates
/// the columns: commas, unless it ends in `.tsv` or `.tab`.
///
/// # Errors
/// When the system refuses.
pub fn create(sink: Sink, layer: &Layer, heights: bool) -> Result<Box<dyn Writer>, WriteError> {
    let separator = format::separator(sink.target()).unwrap_or(b',');
    let out = BufWriter::new(sink);
    Ok(Box::new(CsvWriter::new(out, layer, heights, separator)?))
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn new(out: W, layer: &Layer, heights: bool, separator: u8) -> Result<Self, WriteError> {
        let mut writer = Self {
            out,
            cells: Cells::new(separator, Decimal::Point),
            geometry: layer.geometry,
            heights,
        };
        let columns = layer.columns();
        for (i, name) in columns.iter().enumerate() {
            if writer.is_points(i) {
                // As they are read again: degrees by their names.
                let is_degrees = layer.crs.as_ref().is_some_and(Crs::is_geographic);
                let axes = if is_degrees {
                    ["lon", "lat", "z"]
                } else {
                    ["x", "y", "z"]
                };
                for axis in axes.into_iter().take(2 + usize::from(heights)) {
                    writer.cells.text(&axis_name(axis, name, &columns));
                }
            } else {
                writer.cells.text(name);
            }
        }
        writer.end_row()?;
        Ok(writer)
    }

    fn is_points(&self, column: usize) -> bool {
        self.geometry
            .is_some_and(|found| found.column == column && found.shape == Shape::Point)
    }

    /// Writes rows.
    ///
    /// # Errors
    /// When the output cannot be written, or a geometry cannot be read.
    pub fn put(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let options = FormatOptions::default();
        let spelled: Vec<_> = batch.columns().iter().map(spelled).collect();
        let mut columns = Vec::with_capacity(batch.num_columns());
        for (i, array) in spelled.iter().enumerate() {
            columns.push(match self.geometry {
                Some(found) if found.column == i => {
                    let wkb = wkb_column(array, found.encoding).map_err(|e| failed(&e))?;
                    if found.shape == Shape::Point {
                        Column::Points(wkb)
                    } else {
                        Column::Geometries(wkb)
                    }
                }
                _ => Column::new(array, &options)?,
            });
        }
        for row in 0..batch.num_rows() {
            for column in &columns {
                column.write(row, &mut self.cells, self.heights)?;
            }
            self.end_row()?;
        }
        Ok(())
    }

    fn end_row(&mut self) -> Result<(), WriteError> {
        // An empty line would be no row.
        let row = match self.cells.row() {
            b"" => b"\"\"",
            row => row,
        };
        self.out.write_all(row)?;
        self.out.write_all(b"\n")?;
        self.cells.clear();
        Ok(())
    }

    /// Writes what is left and gives the output back.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn end(mut self) -> Result<W, WriteError> {
        self.out.flush()?;
        Ok(self.out)
    }
}

impl Writer for CsvWriter<BufWriter<Sink>> {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.put(batch)
    }

    fn finish(self: Box<Self>) -> Result<Sink, WriteError> {
        let buffer = self.end()?;
        buffer
            .into_inner()
            .map_err(|error| error.into_error().into())
    }
}

/// A column, ready to be written value by value.
pub(super) enum Column<'a> {
    Wholes(&'a ArrayRef),
    Texts(&'a ArrayRef),
    Floats(&'a ArrayRef),
    Singles(&'a ArrayRef),
    Truths(&'a ArrayRef),
    Bytes(&'a ArrayRef),
    /// Its nulls, which may be in the values of a dictionary.
    Others(Option<NullBuffer>, ArrayFormatter<'a>, bool),
    Points(arrow_array::BinaryArray),
    Geometries(arrow_array::BinaryArray),
}

impl<'a> Column<'a> {
    pub(super) fn new(
        array: &'a ArrayRef,
        options: &'a FormatOptions<'a>,
    ) -> Result<Self, WriteError> {
        Ok(match array.data_type() {
            DataType::Int64 => Self::Wholes(array),
            DataType::Utf8 => Self::Texts(array),
            DataType::Float64 => Self::Floats(array),
            DataType::Float32 => Self::Singles(array),
            DataType::Boolean => Self::Truths(array),
            DataType::Binary => Self::Bytes(array),
            kind => {
                let formatter =
                    ArrayFormatter::try_new(array, options).map_err(|error| failed(&error))?;
                let is_text = !kind.is_numeric() && !kind.is_temporal();
                Self::Others(array.logical_nulls(), formatter, is_text)
            }
        })
    }

    pub(super) fn write(
        &self,
        row: usize,
        cells: &mut Cells,
        heights: bool,
    ) -> Result<(), WriteError> {
        match self {
            Self::Wholes(array) if array.is_valid(row) => {
                cells.whole(array.as_primitive::<Int64Type>().value(row));
            }
            Self::Texts(array) if array.is_valid(row) => {
                cells.text_or_quotes(array.as_string::<i32>().value(row));
            }
            Self::Floats(array) if array.is_valid(row) => {
                write_float(array.as_primitive::<Float64Type>().value(row), cells);
            }
            Self::Singles(array) if array.is_valid(row) => {
                let value = array.as_primitive::<Float32Type>().value(row);
                // As short as a single is written: 0.1, not 0.10000000149011612.
                if value.is_finite() {
                    cells.text(&value.to_string());
                } else {
                    write_float(value.into(), cells);
                }
            }
            Self::Truths(array) if array.is_valid(row) => {
                let value = array.as_boolean().value(row);
                cells.text(if value { "TRUE" } else { "FALSE" });
            }
            Self::Bytes(array) if array.is_valid(row) => {
                use std::fmt::Write;
                let bytes = array.as_binary::<i32>().value(row);
                let hex = bytes.iter().fold(String::new(), |mut text, byte| {
                    let _ = write!(text, "{byte:02x}");
                    text
                });
                cells.text(&hex);
            }
            Self::Others(nulls, formatter, is_text)
                if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) =>
            {
                let text = formatter.value(row).to_string();
                if *is_text {
                    cells.text_or_quotes(&text);
                } else {
                    cells.text(&text);
                }
            }
            Self::Points(points) => {
                let place = points
                    .is_valid(row)
                    .then(|| geometry::coordinates(points.value(row)));
                let place = place.and_then(Result::ok).flatten();
                for axis in 0..2 + usize::from(heights) {
                    match place.map(|place| place[axis]) {
                        Some(number) if number.is_finite() => cells.number(number),
                        _ => cells.empty(),
                    }
                }
            }
            Self::Geometries(geometries) if geometries.is_valid(row) => {
                cells.text(&geometry::text(geometries.value(row)).map_err(|error| failed(&error))?);
            }
            _ => cells.empty(),
        }
        Ok(())
    }
}

/// What the column of an axis is called: by the geometry's name if the axis' own is taken.
fn axis_name(axis: &str, geometry: &str, columns: &[String]) -> String {
    let longer = (1..).map(|i| format!("{geometry}{}{axis}", "_".repeat(i)));
    let mut names = std::iter::once(axis.to_owned()).chain(longer);
    let is_free = |name: &String| !columns.iter().any(|known| known.eq_ignore_ascii_case(name));
    names.find(is_free).unwrap_or_default()
}

fn write_float(value: f64, cells: &mut Cells) {
    if value.is_finite() {
        cells.number(value);
    } else {
        cells.text(&value.to_string());
    }
}

fn failed(error: &dyn std::error::Error) -> WriteError {
    WriteError::Failed {
        format: "CSV",
        problem: error.to_string(),
    }
}

#[cfg(test)]
mod tests;
