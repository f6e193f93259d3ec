//! The rows: records of fixed length, whose fields are text of fixed length.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int32Builder, Int64Builder, StringBuilder,
};
use arrow_schema::DataType;

use super::text::Text;

/// What a `.dbf` says of itself.
pub(super) struct Table {
    pub fields: Vec<Field>,
    /// Records, deleted ones among them.
    pub records: u64,
    /// Bytes in a record.
    pub size: usize,
    /// Bytes before the first.
    pub start: u64,
}

/// A column.
#[derive(Clone)]
pub(super) struct Field {
    pub name: String,
    pub kind: DataType,
    start: usize,
    width: usize,
}

/// Why it cannot be read.
pub(super) enum TableError {
    Io(io::Error),
    Wrong(String),
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn wrong<T>(problem: impl Into<String>) -> Result<T, TableError> {
    Err(TableError::Wrong(problem.into()))
}

impl Table {
    /// Reads the header of a file of this size. Its encoding is that of the `.cpg`, if any.
    pub fn read(
        from: &mut dyn Read,
        size: u64,
        text: Option<Text>,
    ) -> Result<(Self, Text), TableError> {
        let mut head = Vec::new();
        from.take(32).read_to_end(&mut head)?;
        let Some(head) = head.first_chunk::<32>() else {
            return wrong(format!("the .dbf has only {size} bytes"));
        };
        let records = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        let start = u16::from_le_bytes([head[8], head[9]]);
        let record = usize::from(u16::from_le_bytes([head[10], head[11]]));
        let text = text.unwrap_or_else(|| Text::of_driver(head[29]));
        let needed = u64::from(start) + u64::from(records) * record as u64;
        if needed > size {
            return wrong(format!(
                "the .dbf has {size} bytes, where its {records} rows take {needed}"
            ));
        }
        let mut described = Vec::new();
        from.take(u64::from(start.saturating_sub(32)))
            .read_to_end(&mut described)?;
        let mut fields = Vec::new();
        let mut at = 1;
        for one in described.as_chunks::<32>().0 {
            if one[0] == b'\r' {
                break;
            }
            let field = Field::new(one, at, text)?;
            at += field.width;
            fields.push(field);
        }
        if record == 0 || at > record {
            return wrong(format!(
                "the columns of the .dbf take {at} bytes, its rows {record}"
            ));
        }
        let table = Self {
            fields,
            records: u64::from(records),
            size: record,
            start: u64::from(start),
        };
        Ok((table, text))
    }
}

impl Field {
    fn new(bytes: &[u8; 32], start: usize, text: Text) -> Result<Self, TableError> {
        let name = bytes[..11]
            .split(|byte| *byte == 0)
            .next()
            .unwrap_or_default();
        let Some(name) = text.decode(name) else {
            let name = String::from_utf8_lossy(name);
            return wrong(format!(
                "the name {name:?} in the .dbf is not in its encoding"
            ));
        };
        let (width, decimals) = (bytes[16], bytes[17]);
        // As GDAL has them, so that the types are those that other programs show.
        let kind = match bytes[11] {
            b'N' if decimals == 0 && width <= 9 => DataType::Int32,
            b'N' if decimals == 0 && width <= 18 => DataType::Int64,
            b'N' | b'F' => DataType::Float64,
            b'L' => DataType::Boolean,
            b'D' => DataType::Date32,
            _ => DataType::Utf8,
        };
        Ok(Self {
            name: name.trim_end().to_owned(),
            kind,
            start,
            width: usize::from(width),
        })
    }

    /// Its bytes in a record.
    pub fn of<'a>(&self, record: &'a [u8]) -> &'a [u8] {
        record
            .get(self.start..self.start + self.width)
            .unwrap_or_default()
    }
}

/// A column being filled.
pub(super) enum Column {
    Truth(BooleanBuilder),
    Int32(Int32Builder),
    Int64(Int64Builder),
    Real(Float64Builder),
    Date(Date32Builder),
    Text(StringBuilder, Text),
}

impl Column {
    pub fn new(kind: &DataType, text: Text) -> Self {
        match kind {
            DataType::Boolean => Self::Truth(BooleanBuilder::new()),
            DataType::Int32 => Self::Int32(Int32Builder::new()),
            DataType::Int64 => Self::Int64(Int64Builder::new()),
            DataType::Float64 => Self::Real(Float64Builder::new()),
            DataType::Date32 => Self::Date(Date32Builder::new()),
            _ => Self::Text(StringBuilder::new(), text),
        }
    }

    /// Adds what a field says; or tells what it should have been.
    pub fn add(&mut self, field: &[u8]) -> Result<(), &'static str> {
        let plain = field.trim_ascii();
        // What did not fit is written as stars.
        let number =
            (!plain.is_empty() && !plain.iter().all(|byte| *byte == b'*')).then_some(plain);
        match self {
            Self::Truth(column) => column.append_option(match plain {
                b"T" | b"t" | b"Y" | b"y" => Some(true),
                b"F" | b"f" | b"N" | b"n" => Some(false),
                b"" | b"?" | b"\0" => None,
                _ => return Err("a truth value, T or F"),
            }),
            Self::Int32(column) => {
                let number = number.map(whole).transpose()?;
                let number = number.map(i32::try_from).transpose();
                column.append_option(number.map_err(|_| "a whole number of 32 bits")?);
            }
            Self::Int64(column) => column.append_option(number.map(whole).transpose()?),
            Self::Real(column) => column.append_option(number.map(real).transpose()?),
            Self::Date(column) => column.append_option(match plain {
                b"" | b"00000000" => None,
                zeros if zeros.iter().all(|byte| *byte == 0) => None,
                date => Some(days(date).ok_or("a date like 20240131")?),
            }),
            Self::Text(column, text) => {
                let field = field.split(|byte| *byte == 0).next().unwrap_or_default();
                let length = field.iter().rposition(|byte| *byte != b' ');
                let field = &field[..length.map_or(0, |last| last + 1)];
                if field.is_empty() {
                    column.append_null();
                } else {
                    let found = text.decode(field);
                    column.append_value(found.ok_or("text in the encoding of the file")?);
                }
            }
        }
        Ok(())
    }

    pub fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Truth(column) => Arc::new(column.finish()),
            Self::Int32(column) => Arc::new(column.finish()),
            Self::Int64(column) => Arc::new(column.finish()),
            Self::Real(column) => Arc::new(column.finish()),
            Self::Date(column) => Arc::new(column.finish()),
            Self::Text(column, _) => Arc::new(column.finish()),
        }
    }
}

fn real(text: &[u8]) -> Result<f64, &'static str> {
    let text = std::str::from_utf8(text).ok();
    text.and_then(|text| text.parse().ok()).ok_or("a number")
}

fn whole(text: &[u8]) -> Result<i64, &'static str> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let digits = std::str::from_utf8(text).ok();
    if let Some(number) = digits.and_then(|digits| digits.parse().ok()) {
        return Ok(number);
    }
    // Some programs write 12.000 where there are no decimals.
    let number = real(text)?;
    if number.fract() == 0.0 && number.abs() <= EXACT {
        Ok(number as i64)
    } else {
        Err("a whole number")
    }
}

fn days(text: &[u8]) -> Option<i32> {
    let text = std::str::from_utf8(text).ok()?;
    let (year, month, day) = (text.get(..4)?, text.get(4..6)?, text.get(6..)?);
    crate::moment::date(&format!("{year}-{month}-{day}"))
}
