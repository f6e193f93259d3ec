//! A layer as comma-separated text.
//!
//! Points are written as two columns, or three if they have heights; other geometries as
//! well-known text. A missing value is an empty field, an empty text a pair of quotes.

use std::io::{BufWriter, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::NullBuffer;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use super::append::Cells;
use super::number::Decimal;
use crate::WriteError;
use crate::crs::Crs;
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

/// Begins a file of this shape; `heights` if its points have some.
///
/// # Errors
/// When the system refuses.
pub fn create(sink: Sink, layer: &Layer, heights: bool) -> Result<Box<dyn Writer>, WriteError> {
    Ok(Box::new(CsvWriter::new(
        BufWriter::new(sink),
        layer,
        heights,
    )?))
}

impl<W: Write> CsvWriter<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn new(out: W, layer: &Layer, heights: bool) -> Result<Self, WriteError> {
        let mut writer = Self {
            out,
            cells: Cells::new(b',', Decimal::Point),
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
enum Column<'a> {
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
    fn new(array: &'a ArrayRef, options: &'a FormatOptions<'a>) -> Result<Self, WriteError> {
        Ok(match array.data_type() {
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

    fn write(&self, row: usize, cells: &mut Cells, heights: bool) -> Result<(), WriteError> {
        match self {
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
                if *is_text && text.is_empty() {
                    cells.empty_text();
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
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int32Type;
    use arrow_array::{
        BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
        Float64Array, Int32Array, Int64Array, LargeStringArray, NullArray, StringArray,
        StringViewArray, TimestampMicrosecondArray,
    };
    use kdisc::Point;

    use super::*;
    use crate::csv::{Table, Typed};
    use crate::held::Held;
    use crate::layer::{Encoding, Reader};

    fn written(held: &Held, heights: bool) -> String {
        let mut writer = CsvWriter::new(Vec::new(), &held.layer, heights).unwrap();
        for batch in &held.rows {
            writer.put(batch).unwrap();
        }
        String::from_utf8(writer.end().unwrap()).unwrap()
    }

    /// One column, each value beside a `-`.
    fn column(array: impl Array + 'static) -> Vec<String> {
        let rows = array.len();
        let mark: ArrayRef = Arc::new(StringArray::from(vec!["-"; rows]));
        let text = written(
            &Held::new(vec![("v", Arc::new(array)), ("mark", mark)]),
            false,
        );
        let rows = text
            .strip_prefix("v,mark\n")
            .unwrap()
            .split_terminator(",-\n");
        rows.map(ToOwned::to_owned).collect()
    }

    #[test]
    fn text_is_quoted_where_it_must_be() {
        let values = vec![
            Some("plain"),
            Some("a,b"),
            Some("say \"no\""),
            Some("two\nlines"),
            Some(" spaces; "),
            Some(""),
            None,
        ];
        let expected = [
            "plain",
            "\"a,b\"",
            "\"say \"\"no\"\"\"",
            "\"two\nlines\"",
            " spaces; ",
            "\"\"",
            "",
        ];
        assert_eq!(column(StringArray::from(values.clone())), expected);
        assert_eq!(column(LargeStringArray::from(values.clone())), expected);
        assert_eq!(column(StringViewArray::from(values.clone())), expected);
        let dictionary: DictionaryArray<Int32Type> = values.into_iter().collect();
        assert_eq!(column(dictionary), expected);
    }

    #[test]
    fn nothing_is_an_empty_field_wherever_it_is_said() {
        assert_eq!(column(NullArray::new(2)), ["", ""]);
        assert_eq!(column(Int64Array::from(vec![None, Some(-1)])), ["", "-1"]);
        assert_eq!(
            column(BooleanArray::from(vec![None, Some(true)])),
            ["", "TRUE"]
        );
        assert_eq!(
            column(Float64Array::from(vec![None, Some(0.5)])),
            ["", "0.5"]
        );
        let values: ArrayRef = Arc::new(StringArray::from(vec![None, Some("b")]));
        let keys = Int32Array::from(vec![0, 1]);
        assert_eq!(column(DictionaryArray::new(keys, values)), ["", "b"]);
    }

    #[test]
    fn a_row_of_nothing_is_still_a_row() {
        let one = Held::new(vec![("v", Arc::new(Int64Array::from(vec![None, Some(1)])))]);
        let text = written(&one, false);
        assert_eq!(text, "v\n\"\"\n1\n");
        let table = Table::from_bytes("t", text.into_bytes()).unwrap();
        let typed = Typed::new(&table, "t").unwrap();
        let rows: Vec<_> = typed.batches(&[0]).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows[0].column(0), one.rows[0].column(0));
    }

    #[test]
    fn other_types_have_one_spelling() {
        assert_eq!(column(Date32Array::from(vec![18_321])), ["2020-02-29"]);
        let times = TimestampMicrosecondArray::from(vec![0, 1_500_000]);
        let local = ["1970-01-01T00:00:00", "1970-01-01T00:00:01.500"];
        assert_eq!(column(times.clone()), local);
        let zoned = ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01.500Z"];
        for zone in ["UTC", "Europe/Amsterdam", "+00:00"] {
            assert_eq!(column(times.clone().with_timezone(zone)), zoned, "{zone}");
        }
        let east = ["1970-01-01T02:00:00+02:00", "1970-01-01T02:00:01.500+02:00"];
        assert_eq!(column(times.with_timezone("+02:00")), east);
        let decimals = Decimal128Array::from(vec![150, -5]);
        let decimals = decimals.with_precision_and_scale(9, 2).unwrap();
        assert_eq!(column(decimals), ["1.50", "-0.05"]);
        assert_eq!(column(BinaryArray::from(vec![&b"\x00\xff"[..]])), ["00ff"]);
    }

    #[test]
    fn numbers_read_back_as_they_were() {
        let values = [0.1, 1e300, 5e-324, f64::MAX, 1.0 / 3.0, 123_456_789.0];
        let text = column(Float64Array::from(values.to_vec()));
        for (text, value) in text.iter().zip(values) {
            let read: f64 = text.parse().unwrap();
            assert_eq!(read.to_bits(), value.to_bits(), "{text}");
        }
        let singles = [0.1, f32::MAX, f32::MIN_POSITIVE];
        let text = column(Float32Array::from(singles.to_vec()));
        assert_eq!(text[0], "0.1");
        for (text, value) in text.iter().zip(singles) {
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
        }
        let odd = Float64Array::from(vec![f64::NAN, f64::NEG_INFINITY]);
        assert_eq!(column(odd), ["NaN", "-inf"]);
    }

    fn points(names: &[&str], shape: Shape, wkb: BinaryArray) -> Held {
        let rows = wkb.len();
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        for name in names {
            columns.push((
                name,
                Arc::new(Int64Array::from_iter_values((0_i64..).take(rows))),
            ));
        }
        columns.push(("geom", Arc::new(wkb)));
        let at = columns.len() - 1;
        Held::new(columns).with_geometry(at, Encoding::Wkb, shape)
    }

    fn heights(z: f64) -> Vec<u8> {
        let mut wkb = vec![1, 0xe9, 3, 0, 0];
        for number in [1.0, 2.0, z] {
            wkb.extend_from_slice(&f64::to_le_bytes(number));
        }
        wkb
    }

    #[test]
    fn points_are_columns() {
        let flat = geometry::point(Point::new(1.5, -2.0));
        let nowhere = geometry::point(Point::new(f64::NAN, f64::NAN));
        let wkb = || BinaryArray::from(vec![Some(&flat[..]), None, Some(&nowhere)]);
        let plain = points(&["id"], Shape::Point, wkb());
        assert_eq!(written(&plain, false), "id,x,y\n0,1.5,-2\n1,,\n2,,\n");
        let high = heights(3.5);
        let wkb = BinaryArray::from(vec![&high[..], &flat]);
        let high = points(&["id"], Shape::Point, wkb);
        assert_eq!(written(&high, true), "id,x,y,z\n0,1,2,3.5\n1,1.5,-2,\n");
    }

    #[test]
    fn no_two_columns_get_the_same_name() {
        let flat = geometry::point(Point::new(1.0, 2.0));
        let header = |names: &[&str], heights| {
            let wkb = BinaryArray::from(vec![&flat[..]]);
            let text = written(&points(names, Shape::Point, wkb), heights);
            text.lines().next().unwrap().to_owned()
        };
        assert_eq!(header(&["X", "a"], false), "X,a,geom_x,y");
        assert_eq!(header(&["z"], false), "z,x,y");
        assert_eq!(header(&["z"], true), "z,x,y,geom_z");
        assert_eq!(header(&["x", "geom_x"], false), "x,geom_x,geom__x,y");
        let text = header(&["a,b", "y"], false);
        assert_eq!(text, "\"a,b\",y,x,geom_y");
    }

    #[test]
    fn other_geometries_are_text() {
        let corners = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)].map(|(x, y)| Point::new(x, y));
        let polygon = geometry::polygon(&corners);
        let wkb = BinaryArray::from(vec![Some(&polygon[..]), None]);
        let text = written(&points(&["id"], Shape::Any, wkb), false);
        assert_eq!(text, "id,geom\n0,\"POLYGON((0 0,3 0,0 3,0 0))\"\n1,\n");
        let broken = points(&[], Shape::Any, BinaryArray::from(vec![&b"x"[..]]));
        let mut writer = CsvWriter::new(Vec::new(), &broken.layer, false).unwrap();
        let error = writer.put(&broken.rows[0]).unwrap_err().to_string();
        assert!(
            error.starts_with("writing CSV failed: the geometry "),
            "{error}"
        );
    }
}
