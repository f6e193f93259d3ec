//! A column of quantities: one number per row, or none where it is missing.
//!
//! What is empty, null or `NA` is missing, which is no fault of the row: what that means is for the
//! caller to say. What is there but is no finite number makes the row unusable, as a coordinate
//! would. Rows that cannot be used anyway are not looked at.

use crate::layer::Reader;
use crate::units::RowState;
use crate::values::Numbers;
use crate::{At, InputError, RowError, RowProblem, ValueProblem};

/// The numbers of a column.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Column {
    /// That of each row; `None` where it is missing, and in rows that cannot be used.
    pub of_row: Vec<Option<f64>>,
    /// Rows (from 0) with something else, in rising order.
    pub bad_rows: Vec<usize>,
    /// What is wrong with the first of those.
    pub first_bad: Option<RowError>,
}

impl Column {
    pub(crate) fn of_layer(
        reader: &dyn Reader,
        file: &str,
        column: usize,
        rows: &[RowState],
    ) -> Result<Self, InputError> {
        let mut found = Self::default();
        for batch in reader.batches(&[column])? {
            let batch = batch?;
            let numbers = Numbers::new(batch.column(0));
            for row in 0..numbers.len() {
                let at = found.of_row.len();
                if rows.get(at).is_none_or(|state| *state == RowState::Invalid) {
                    found.of_row.push(None);
                    continue;
                }
                let read = match numbers.read(row) {
                    Err(ValueProblem::NotANumber) if numbers.shown(row).trim() == "NA" => Ok(None),
                    Err(ValueProblem::Missing) => Ok(None),
                    other => other.map(Some),
                };
                let Err(problem) = read else {
                    found.of_row.extend(read.ok());
                    continue;
                };
                found.of_row.push(None);
                found.bad_rows.push(at);
                found.first_bad.get_or_insert_with(|| RowError {
                    file: file.to_owned(),
                    at: At::Row(at + 1),
                    problem: RowProblem::Value {
                        column: batch.schema_ref().field(0).name().clone(),
                        value: numbers.shown(row),
                        problem,
                    },
                });
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::Decimal;
    use crate::input::{Input, Options};
    use RowState::{Invalid, Measured};

    fn read(name: &str, text: &str, rows: &[RowState]) -> Column {
        let input = Input::from_bytes(name, text.into(), &Options::default()).unwrap();
        let column = input.columns().iter().position(|name| name == "v").unwrap();
        input.numbers(column, rows, Decimal::Point).unwrap()
    }

    fn feature(value: &str) -> String {
        format!(
            r#"{{"type":"Feature","properties":{{"v":{value}}},"geometry":{{"type":"Point","coordinates":[0,0]}}}}"#
        )
    }

    #[test]
    fn every_format_tells_the_same() {
        let json: Vec<_> = ["1.5", "null", "-7", "2e3"].map(feature).to_vec();
        let json = format!(
            r#"{{"type":"FeatureCollection","features":[{}]}}"#,
            json.join(",")
        );
        let layer = read("t.geojson", &json, &[Measured; 4]);
        let text = read("t.csv", "id,v\na,1.5\nb,\nc,-7\nd,2e3\n", &[Measured; 4]);
        assert_eq!(layer.of_row, [Some(1.5), None, Some(-7.0), Some(2000.0)]);
        assert_eq!((&layer.bad_rows[..], &layer.first_bad), (&[][..], &None));
        assert_eq!(text, layer);
    }

    #[test]
    fn what_is_no_number_is_named() {
        let json: Vec<_> = ["\"1\"", "\"NA\"", "\" \"", "\"12 m\"", "\"NaN\""]
            .map(feature)
            .to_vec();
        let json = format!(
            r#"{{"type":"FeatureCollection","features":[{}]}}"#,
            json.join(",")
        );
        let layer = read("t.geojson", &json, &[Measured; 5]);
        assert_eq!(layer.of_row, [Some(1.0), None, None, None, None]);
        assert_eq!(layer.bad_rows, [3, 4]);
        let first = layer.first_bad.unwrap();
        let expected = "t.geojson, row 4, column \"v\": \"12 m\" is not a number";
        assert_eq!(first.to_string(), expected);
    }

    #[test]
    fn rows_that_cannot_be_used_are_not_looked_at() {
        let json = ["\"x\"", "1"].map(feature).join(",");
        let json = format!(r#"{{"type":"FeatureCollection","features":[{json}]}}"#);
        let found = read("t.geojson", &json, &[Invalid, Measured]);
        assert_eq!(
            (&found.of_row[..], found.bad_rows.len()),
            (&[None, Some(1.0)][..], 0)
        );
        let found = read("t.csv", "v,w\nx,1\n1,2\n", &[Invalid, Measured]);
        assert_eq!(
            (&found.of_row[..], found.bad_rows.len()),
            (&[None, Some(1.0)][..], 0)
        );
    }
}
