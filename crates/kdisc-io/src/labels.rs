//! A column as groups: rows that say the same belong together.
//!
//! Values are compared as text. An empty one is missing, and so is one in a row without that
//! column. Groups are numbered in the order of their texts, not of the rows.

use std::collections::HashMap;

use crate::InputError;
use crate::csv::{OpenQuote, Table};
use crate::layer::Reader;
use crate::values::Texts;

/// Which rows say the same in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    /// The texts of the groups, in order.
    pub names: Vec<String>,
    /// The group of each row; `None` where the value is missing.
    pub of_row: Vec<Option<u32>>,
}

impl Labels {
    pub(crate) fn of_text(table: &Table, column: usize) -> Result<Self, OpenQuote> {
        let mut found = Found::default();
        let mut records = table.records();
        while let Some(record) = records.advance()? {
            let text = (column < record.fields()).then(|| record.field(column));
            found.push(text.as_deref());
        }
        Ok(found.sorted())
    }

    pub(crate) fn of_layer(reader: &dyn Reader, column: usize) -> Result<Self, InputError> {
        let mut found = Found::default();
        for batch in reader.batches(&[column])? {
            let batch = batch?;
            let texts = Texts::new(batch.column(0));
            for row in 0..batch.num_rows() {
                found.push(texts.get(row).as_deref());
            }
        }
        Ok(found.sorted())
    }
}

#[derive(Default)]
struct Found {
    numbers: HashMap<String, u32>,
    of_row: Vec<Option<u32>>,
}

impl Found {
    fn push(&mut self, text: Option<&str>) {
        let text = text.filter(|text| !text.trim().is_empty());
        let number = text.map(|text| {
            self.numbers.get(text).copied().unwrap_or_else(|| {
                let next = self.numbers.len() as u32;
                self.numbers.insert(text.to_owned(), next);
                next
            })
        });
        self.of_row.push(number);
    }

    fn sorted(mut self) -> Labels {
        let mut names: Vec<(String, u32)> = self.numbers.into_iter().collect();
        names.sort_unstable();
        let mut place = vec![0; names.len()];
        for (new, (_, old)) in names.iter().enumerate() {
            place[*old as usize] = new as u32;
        }
        for number in self.of_row.iter_mut().flatten() {
            *number = place[*number as usize];
        }
        Labels {
            names: names.into_iter().map(|(name, _)| name).collect(),
            of_row: self.of_row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Input, Options};

    fn labels(text: &str) -> Labels {
        let input = Input::from_bytes("t.csv", text.into(), &Options::default());
        input.unwrap().labels(1).unwrap()
    }

    #[test]
    fn groups_are_numbered_by_their_texts() {
        let found = labels("id,g\n1,b\n2,a\n3,\n4,b\n5,\"b\"\n6,\" \"\n7\n8,01\n9,1\n");
        assert_eq!(found.names, ["01", "1", "a", "b"]);
        let expected = [3, 2, 9, 3, 3, 9, 9, 0, 1].map(|group| (group < 9).then_some(group));
        assert_eq!(found.of_row, expected);
    }

    #[test]
    fn values_with_types_are_texts_too() {
        let json = br#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"id":1,"g":7},"geometry":{"type":"Point","coordinates":[0,0]}},
            {"type":"Feature","properties":{"id":2,"g":null},"geometry":{"type":"Point","coordinates":[0,0]}},
            {"type":"Feature","properties":{"id":3,"g":12},"geometry":{"type":"Point","coordinates":[0,0]}}]}"#;
        let input = Input::from_bytes("t.geojson", json.to_vec(), &Options::default()).unwrap();
        let column = input.columns().iter().position(|name| name == "g").unwrap();
        let found = input.labels(column).unwrap();
        assert_eq!(found.names, ["12", "7"]);
        assert_eq!(found.of_row, [Some(1), None, Some(0)]);
    }
}
