//! Taking places and weights out of a layer, batch by batch.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch};
use arrow_schema::DataType;
use kdisc::Point;

use crate::geometry::{self, NoPlace};
use crate::layer::{Encoding, Reader};
use crate::units::{OnInvalid, Only, Sought, Units, usable, whole};
use crate::values::{Numbers, Texts};
use crate::{At, InputError, RowError, RowProblem, ValueProblem};

/// Where the places of a layer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In its geometries.
    Geometry,
    /// In two columns.
    Columns {
        /// East.
        x: usize,
        /// North.
        y: usize,
    },
}

/// What is to be taken out of a layer.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Where the places are.
    pub place: Place,
    /// The column that says how many units a row stands for; 1 each when absent.
    pub weight: Option<usize>,
    /// The rows to be measured; all when absent.
    pub only: Option<&'a Only>,
    /// What to do with rows that cannot be used.
    pub on_invalid: OnInvalid,
    /// Whether lines and polygons stand for their centroids.
    pub centroid: bool,
}

/// Reads all rows, telling `progress` how many are done.
///
/// # Errors
/// When the file cannot be read, or at the first row that cannot be used unless those are skipped.
pub fn read(
    reader: &dyn Reader,
    file: &str,
    wanted: &Wanted,
    progress: &dyn Fn(usize),
) -> Result<Units, InputError> {
    let layer = reader.layer();
    let mut columns = match (wanted.place, layer.geometry) {
        (Place::Columns { x, y }, _) => vec![x, y],
        (Place::Geometry, Some(geometry)) => vec![geometry.column],
        (Place::Geometry, None) => Vec::new(),
    };
    let places = columns.len();
    // A column may be asked for more than one thing, but is read once.
    let mut slot = |column: usize| {
        let found = columns.iter().position(|&known| known == column);
        found.unwrap_or_else(|| {
            columns.push(column);
            columns.len() - 1
        })
    };
    let weight = wanted.weight.map(&mut slot);
    let only = wanted.only.map(|only| (slot(only.column), only));
    let mut units = Units::with_capacity(layer.rows.unwrap_or(0), wanted.weight.is_some());
    for batch in reader.batches(&columns)? {
        let batch = batch?;
        let encoding = layer.geometry.map(|geometry| geometry.encoding);
        let from = Columns::new(&batch, encoding, places, weight, only, wanted.centroid);
        for row in 0..batch.num_rows() {
            let problem = match from.row(row) {
                Ok((point, weight)) => {
                    units.push(point, weight, from.is_wanted(row));
                    continue;
                }
                Err(problem) => problem,
            };
            let number = units.rows.len() + 1;
            let problem = match problem {
                Problem::Row(problem) => problem,
                // A table of polygons is not a table with some bad rows.
                Problem::NotPoint(found) => {
                    return Err(InputError::NotPoints {
                        file: file.to_owned(),
                        row: number,
                        found,
                    });
                }
            };
            let error = RowError {
                file: file.to_owned(),
                at: At::Row(number),
                problem,
            };
            if wanted.on_invalid == OnInvalid::Error {
                return Err(error.into());
            }
            units.first_bad.get_or_insert(error);
            units.push_invalid();
        }
        progress(units.rows.len());
    }
    Ok(units)
}

enum Problem {
    Row(RowProblem),
    NotPoint(&'static str),
}

/// The columns of one batch that are needed.
struct Columns<'a> {
    places: Places<'a>,
    weight: Option<(Numbers, &'a str)>,
    only: Option<(Texts, Sought<'a>)>,
    centroid: bool,
    /// The name of the geometry column.
    geometry: &'a str,
}

enum Places<'a> {
    Pairs([(Numbers, &'a str); 2]),
    Wkb(&'a ArrayRef),
    Points(&'a ArrayRef, Float64Array, Float64Array, usize),
    None,
}

impl<'a> Columns<'a> {
    fn new(
        batch: &'a RecordBatch,
        encoding: Option<Encoding>,
        places: usize,
        weight: Option<usize>,
        only: Option<(usize, &'a Only)>,
        centroid: bool,
    ) -> Self {
        let schema = batch.schema_ref();
        let name = |i: usize| schema.field(i).name().as_str();
        let numbers = |i: usize| (Numbers::new(batch.column(i)), name(i));
        let found = match (places, encoding) {
            (2, _) => Places::Pairs([numbers(0), numbers(1)]),
            (1, Some(Encoding::Wkb)) => Places::Wkb(batch.column(0)),
            (1, Some(Encoding::Separated)) => {
                let points = batch.column(0).as_struct();
                let part = |i: usize| points.column(i).as_primitive::<Float64Type>().clone();
                Places::Points(batch.column(0), part(0), part(1), 1)
            }
            (1, Some(Encoding::Interleaved)) => {
                let points = batch.column(0).as_fixed_size_list();
                let values = points.values().as_primitive::<Float64Type>();
                let y = values.slice(1.min(values.len()), values.len().saturating_sub(1));
                let step = points.value_length() as usize;
                Places::Points(batch.column(0), values.clone(), y, step)
            }
            _ => Places::None,
        };
        Self {
            places: found,
            weight: weight.map(numbers),
            only: only.map(|(i, only)| (Texts::new(batch.column(i)), Sought::new(&only.value))),
            centroid,
            geometry: if places == 1 { name(0) } else { "" },
        }
    }

    fn row(&self, row: usize) -> Result<(Point, u64), Problem> {
        let point = match &self.places {
            Places::Pairs([x, y]) => Point::new(coordinate(x, row)?, coordinate(y, row)?),
            Places::Wkb(array) => self.point(wkb(array, row))?,
            Places::Points(array, x, y, step) => {
                let at = row * step;
                let number = |axis: &Float64Array| {
                    let there = axis.is_valid(at);
                    if there { axis.value(at) } else { f64::NAN }
                };
                let point = Point::new(number(x), number(y));
                // An empty point has no coordinates.
                let is_there = array.is_valid(row) && !(point.x.is_nan() && point.y.is_nan());
                self.usable(is_there.then_some(point))?
            }
            Places::None => self.usable(None)?,
        };
        let weight = match &self.weight {
            None => 1,
            Some((numbers, name)) => numbers
                .read(row)
                .and_then(whole)
                .map_err(|problem| value(name, numbers.shown(row), problem))?,
        };
        Ok((point, weight))
    }

    fn point(&self, wkb: Option<&[u8]>) -> Result<Point, Problem> {
        let Some(wkb) = wkb else {
            return self.usable(None);
        };
        let found = match geometry::place(wkb) {
            Ok(found) => Ok(found),
            Err(NoPlace::Other(_)) if self.centroid => geometry::centroid(wkb),
            Err(NoPlace::Other(kind)) => return Err(Problem::NotPoint(kind.name())),
            Err(NoPlace::Wrong(error)) => Err(error),
        };
        match found {
            Ok(found) => self.usable(found),
            Err(error) => Err(Problem::Row(RowProblem::Geometry {
                column: self.geometry.to_owned(),
                problem: error.to_string(),
            })),
        }
    }

    fn usable(&self, point: Option<Point>) -> Result<Point, Problem> {
        let problem = |problem: &str| {
            Problem::Row(RowProblem::Geometry {
                column: self.geometry.to_owned(),
                problem: problem.to_owned(),
            })
        };
        let point = point.ok_or_else(|| problem("there is no geometry"))?;
        for number in [point.x, point.y] {
            if let Err(wrong) = usable(number) {
                return Err(value(self.geometry, number.to_string(), wrong));
            }
        }
        Ok(point)
    }

    fn is_wanted(&self, row: usize) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|(texts, wanted)| texts.says(row, wanted))
    }
}

/// The bytes of a geometry, in any of the ways in which Arrow holds bytes.
fn wkb(array: &ArrayRef, row: usize) -> Option<&[u8]> {
    if array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Binary => Some(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Some(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => Some(array.as_binary_view().value(row)),
        _ => None,
    }
}

fn coordinate((numbers, name): &(Numbers, &str), row: usize) -> Result<f64, Problem> {
    let found = numbers.read(row).and_then(usable);
    found.map_err(|problem| value(name, numbers.shown(row), problem))
}

fn value(column: &str, value: String, problem: ValueProblem) -> Problem {
    Problem::Row(RowProblem::Value {
        column: column.to_owned(),
        value,
        problem,
    })
}

#[cfg(test)]
mod tests;
