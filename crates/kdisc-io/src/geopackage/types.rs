//! Types of columns: those of the standard, those of `SQLite` at large, and those of Arrow.

use arrow_schema::{DataType, TimeUnit};

use crate::values::plain_type;

/// The Arrow type of a declared type. `None`: it says nothing, and the values must.
pub(super) fn declared(kind: &str) -> Option<DataType> {
    let kind = kind.trim().to_ascii_uppercase();
    let (plain, _) = kind.split_once('(').unwrap_or((&kind, ""));
    Some(match plain.trim() {
        "BOOLEAN" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "MEDIUMINT" => DataType::Int32,
        "FLOAT" => DataType::Float32,
        "BLOB" => DataType::Binary,
        "DATE" => DataType::Date32,
        "DATETIME" => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        // What remains of the standard is as in the rules of SQLite for any declared type.
        other if other.contains("INT") => DataType::Int64,
        other
            if ["CHAR", "CLOB", "TEXT"]
                .iter()
                .any(|part| other.contains(part)) =>
        {
            DataType::Utf8
        }
        other
            if ["REAL", "FLOA", "DOUB"]
                .iter()
                .any(|part| other.contains(part)) =>
        {
            DataType::Float64
        }
        _ => return None,
    })
}

/// The type of a column that holds values of these kinds, as `typeof` calls them.
pub(super) fn of_values(kinds: &[String]) -> DataType {
    let has = |kind: &str| kinds.iter().any(|found| found == kind);
    if has("blob") {
        DataType::Binary
    } else if has("text") {
        DataType::Utf8
    } else if has("real") {
        DataType::Float64
    } else if has("integer") {
        DataType::Int64
    } else {
        DataType::Utf8
    }
}

/// The declared type of a column that takes values of an Arrow type. `None`: as text.
///
/// Decimals become whole numbers or doubles where these hold all their digits, else text.
pub(super) fn sql(kind: &DataType) -> Option<&'static str> {
    Some(match plain_type(kind) {
        DataType::Boolean => "BOOLEAN",
        DataType::Int8 => "TINYINT",
        DataType::Int16 | DataType::UInt8 => "SMALLINT",
        DataType::Int32 | DataType::UInt16 => "MEDIUMINT",
        DataType::Int64 | DataType::UInt32 | DataType::UInt64 => "INTEGER",
        DataType::Float16 | DataType::Float32 => "FLOAT",
        DataType::Float64 => "DOUBLE",
        DataType::Date32 | DataType::Date64 => "DATE",
        DataType::Timestamp(..) => "DATETIME",
        kind if kind.is_binary() => "BLOB",
        DataType::Decimal32(digits, scale)
        | DataType::Decimal64(digits, scale)
        | DataType::Decimal128(digits, scale)
        | DataType::Decimal256(digits, scale) => match (digits, scale) {
            (..=18, 0) => "INTEGER",
            (..=15, _) => "DOUBLE",
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types() {
        for (text, kind) in [
            ("TEXT(20)", Some(DataType::Utf8)),
            ("varchar(20)", Some(DataType::Utf8)),
            ("BLOB(5)", Some(DataType::Binary)),
            ("INT", Some(DataType::Int64)),
            ("integer", Some(DataType::Int64)),
            ("BIGINT", Some(DataType::Int64)),
            ("double precision", Some(DataType::Float64)),
            ("REAL", Some(DataType::Float64)),
            ("float", Some(DataType::Float32)),
            ("NUMERIC(10,2)", None),
            ("", None),
        ] {
            assert_eq!(declared(text), kind, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same_type() {
        for kind in [
            DataType::Boolean,
            DataType::Int8,
            DataType::Int16,
            DataType::Int32,
            DataType::Int64,
            DataType::Float32,
            DataType::Float64,
            DataType::Date32,
            DataType::Binary,
            DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        ] {
            assert_eq!(declared(sql(&kind).unwrap()), Some(kind));
        }
    }
}
