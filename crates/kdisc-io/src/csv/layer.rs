//! A table of text as a layer: each column in the type that all its values have.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::number::Decimal;
use super::records::Records;
use super::table::Table;
use super::types::Kind;
use super::values;
use crate::InputError;
use crate::layer::{BATCH, Batches, Layer, Reader, batch_of};
use crate::moment::{self, Form};

/// A table with types.
pub struct Typed<'t> {
    table: &'t Table,
    kinds: Vec<Kind>,
    decimal: Decimal,
    layer: Layer,
}

impl<'t> Typed<'t> {
    /// Looks at all values of `table`.
    ///
    /// # Errors
    /// When a quote never closes.
    pub fn new(table: &'t Table, stem: &str) -> Result<Self, InputError> {
        let decimal = table.decimal();
        let (kinds, rows) = table.kinds(decimal)?;
        let fields = table.columns().iter().zip(&kinds);
        let fields: Vec<_> = fields
            .map(|(name, kind)| Field::new(name, arrow_type(*kind), true))
            .collect();
        Ok(Self {
            table,
            kinds,
            decimal,
            layer: Layer {
                name: stem.to_owned(),
                schema: Arc::new(Schema::new(fields)),
                geometry: None,
                crs: None,
                rows: Some(rows),
            },
        })
    }
}

fn arrow_type(kind: Kind) -> DataType {
    match kind {
        Kind::Whole => DataType::Int64,
        Kind::Number => DataType::Float64,
        Kind::Truth => DataType::Boolean,
        Kind::Date => DataType::Date32,
        Kind::LocalTime => DataType::Timestamp(TimeUnit::Microsecond, None),
        Kind::ZonedTime => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Kind::Text => DataType::Utf8,
    }
}

impl Reader for Typed<'_> {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let schema = self.layer.project(self.table.name(), columns)?;
        Ok(Box::new(Rows {
            typed: self,
            records: self.table.records(),
            columns: columns.to_vec(),
            schema,
        }))
    }
}

struct Rows<'a> {
    typed: &'a Typed<'a>,
    records: Records<'a>,
    columns: Vec<usize>,
    schema: SchemaRef,
}

impl Iterator for Rows<'_> {
    type Item = Result<RecordBatch, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let typed = self.typed;
        let mut columns: Vec<_> = self
            .columns
            .iter()
            .map(|&column| (column, Column::new(typed.kinds[column])))
            .collect();
        let mut rows = 0;
        while rows < BATCH {
            match self.records.advance() {
                Ok(Some(record)) => {
                    for (column, values) in &mut columns {
                        // A row that is too short has no values there.
                        let field = (*column < record.fields()).then(|| record.field(*column));
                        values.push(field.as_deref().unwrap_or_default(), typed.decimal);
                    }
                }
                Ok(None) => break,
                Err(quote) => return Some(Err(typed.table.open_quote(quote))),
            }
            rows += 1;
        }
        if rows == 0 {
            return None;
        }
        let columns = columns.into_iter().map(|(_, values)| values.finish());
        let batch = batch_of(&self.schema, columns.collect(), rows);
        Some(batch.map_err(|error| InputError::unsupported(typed.table.name(), error.to_string())))
    }
}

/// The values of a column so far.
enum Column {
    Whole(Int64Builder),
    Number(Float64Builder),
    Truth(BooleanBuilder),
    Date(Date32Builder),
    Time(TimestampMicrosecondBuilder, bool),
    Text(StringBuilder),
}

impl Column {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Whole => Self::Whole(Int64Builder::new()),
            Kind::Number => Self::Number(Float64Builder::new()),
            Kind::Truth => Self::Truth(BooleanBuilder::new()),
            Kind::Date => Self::Date(Date32Builder::new()),
            Kind::LocalTime => Self::Time(TimestampMicrosecondBuilder::new(), false),
            Kind::ZonedTime => Self::Time(TimestampMicrosecondBuilder::new(), true),
            Kind::Text => Self::Text(StringBuilder::new()),
        }
    }

    fn push(&mut self, field: &str, decimal: Decimal) {
        match self {
            Self::Whole(values) => values.append_option(values::whole(field)),
            Self::Number(values) => values.append_option(values::number(field, decimal)),
            Self::Truth(values) => values.append_option(values::truth(field)),
            Self::Date(values) => values.append_option(moment::date(field)),
            Self::Time(values, _) => {
                let time = moment::moment(field, Form::Exact);
                values.append_option(time.map(|time| time.micros));
            }
            Self::Text(values) => values.append_option((!field.is_empty()).then_some(field)),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Whole(mut values) => Arc::new(values.finish()),
            Self::Number(mut values) => Arc::new(values.finish()),
            Self::Truth(mut values) => Arc::new(values.finish()),
            Self::Date(mut values) => Arc::new(values.finish()),
            Self::Time(mut values, false) => Arc::new(values.finish()),
            Self::Time(mut values, true) => Arc::new(values.finish().with_timezone("UTC")),
            Self::Text(mut values) => Arc::new(values.finish()),
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::ArrowPrimitiveType;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{
        Date32Type, Float64Type, Int64Type, TimestampMicrosecondType as Micros,
    };

    use super::*;

    fn table(text: &str) -> Table {
        Table::from_bytes("t.csv", text.as_bytes().to_vec()).unwrap()
    }

    /// All rows, and the type of each column.
    fn typed(text: &str) -> (RecordBatch, Vec<String>) {
        let table = table(text);
        let typed = Typed::new(&table, "t").unwrap();
        let all: Vec<usize> = (0..table.columns().len()).collect();
        let batches: Vec<_> = typed.batches(&all).unwrap().map(Result::unwrap).collect();
        assert_eq!(batches.len(), 1);
        assert_eq!(batches[0].schema(), typed.layer().schema);
        assert_eq!(typed.layer().rows, Some(batches[0].num_rows()));
        let fields = typed.layer().schema.fields().iter();
        let kinds = fields.map(|field| field.data_type().to_string()).collect();
        (batches.into_iter().next().unwrap(), kinds)
    }

    fn values<T: ArrowPrimitiveType>(batch: &RecordBatch, column: usize) -> Vec<Option<T::Native>> {
        batch.column(column).as_primitive::<T>().iter().collect()
    }

    #[test]
    fn each_column_gets_the_type_of_its_values() {
        let (batch, kinds) = typed(
            "i,f,b,d,l,z,t,e\n\
             -3,1.5,TRUE,2020-02-29,1970-01-01 00:00:01,1970-01-01T01:00:00+01:00,a,\n\
             NA,2,NA,NA,NA,NA,NA,NA\n\
             ,,,,,,,\n",
        );
        let local = "Timestamp(µs)";
        let utc = "Timestamp(µs, \"UTC\")";
        let expected = [
            "Int64", "Float64", "Boolean", "Date32", local, utc, "Utf8", "Utf8",
        ];
        assert_eq!(kinds, expected);
        assert_eq!(values::<Int64Type>(&batch, 0), [Some(-3), None, None]);
        assert_eq!(
            values::<Float64Type>(&batch, 1),
            [Some(1.5), Some(2.0), None]
        );
        let truths: Vec<_> = batch.column(2).as_boolean().iter().collect();
        assert_eq!(truths, [Some(true), None, None]);
        assert_eq!(values::<Date32Type>(&batch, 3), [Some(18_321), None, None]);
        assert_eq!(values::<Micros>(&batch, 4), [Some(1_000_000), None, None]);
        assert_eq!(values::<Micros>(&batch, 5), [Some(0), None, None]);
        // Where there is text, NA is somebody's name.
        let texts: Vec<_> = batch.column(6).as_string::<i32>().iter().collect();
        assert_eq!(texts, [Some("a"), Some("NA"), None]);
    }

    #[test]
    fn a_short_row_lacks_values_and_a_long_one_keeps_to_the_header() {
        let (batch, _) = typed("a,b\n1\n2,3,4\n\"5\",\"6\"\n");
        assert_eq!(values::<Int64Type>(&batch, 0), [Some(1), Some(2), Some(5)]);
        assert_eq!(values::<Int64Type>(&batch, 1), [None, Some(3), Some(6)]);
    }

    #[test]
    fn decimal_commas_are_numbers_in_a_table_that_has_them() {
        let (batch, kinds) = typed("a;b\n1,5;x\n-2;y\n");
        assert_eq!(kinds, ["Float64", "Utf8"]);
        assert_eq!(values::<Float64Type>(&batch, 0), [Some(1.5), Some(-2.0)]);
    }

    #[test]
    fn columns_come_in_the_order_asked_for() {
        let table = table("a,b,c\n1,x,0.5\n");
        let typed = Typed::new(&table, "t").unwrap();
        let mut batches = typed.batches(&[2, 0, 2]).unwrap();
        let batch = batches.next().unwrap().unwrap();
        assert_eq!(batch.schema().field(0).name(), "c");
        assert_eq!(values::<Float64Type>(&batch, 2), [Some(0.5)]);
        assert_eq!(values::<Int64Type>(&batch, 1), [Some(1)]);
        assert!(batches.next().is_none());
        assert!(typed.batches(&[3]).is_err());
        let rows: usize = typed
            .batches(&[])
            .unwrap()
            .map(|b| b.unwrap().num_rows())
            .sum();
        assert_eq!(rows, 1);
    }

    #[test]
    fn many_rows_come_in_several_batches() {
        let mut text = "a\n".to_owned();
        text.push_str(&"7\n".repeat(BATCH + 1));
        let table = table(&text);
        let typed = Typed::new(&table, "t").unwrap();
        let rows = typed.batches(&[0]).unwrap().map(|b| b.unwrap().num_rows());
        assert_eq!(rows.collect::<Vec<_>>(), [BATCH, 1]);
    }
}
