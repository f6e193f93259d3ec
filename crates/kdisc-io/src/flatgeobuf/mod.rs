//! `FlatGeobuf`: a header and features, each a `FlatBuffers` table with its size before it.
//!
//! The format is small, so it is read and written here, without a library: every offset of a file
//! is checked when it is followed, columns that are not asked for are stepped over, and nothing is
//! kept in a temporary file elsewhere, where the common library keeps all features until the
//! end. See <https://flatgeobuf.org> and the two schemas, `header.fbs` and `feature.fbs`.
//!
//! **Read** in the order of the file; an index is stepped over. Types are those of the file. Dates
//! and times are text there; a pass over the file tells whether a column holds dates, moments of
//! one zone, or a mix, which stays text. Curves are refused.
//!
//! **Written** without an index, because an index puts the features in an order of its own.
//! Dates and timestamps become date-times, lists and structures JSON; decimals become doubles if
//! these are exact, else text, as does any type that the format does not know. All geometries have
//! a height (or a measure) or none has: the first batch of rows decides, and a height that is not
//! known is not a number.

mod build;
mod decode;
mod encode;
mod frame;
mod geometry;
mod header;
mod open;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod write;

pub use open::{FlatGeobuf, open};
pub use write::create;

use arrow_schema::DataType;

/// In messages.
const FORMAT: &str = "FlatGeobuf";
/// How every file begins: the name, the version, the name, and a patch level that is not looked at.
const MAGIC: [u8; 8] = *b"fgb\x03fgb\x00";

/// The types of columns, by their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Byte,
    UByte,
    Bool,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Float,
    Double,
    String,
    Json,
    DateTime,
    Binary,
}

impl Type {
    const ALL: [Self; 15] = [
        Self::Byte,
        Self::UByte,
        Self::Bool,
        Self::Short,
        Self::UShort,
        Self::Int,
        Self::UInt,
        Self::Long,
        Self::ULong,
        Self::Float,
        Self::Double,
        Self::String,
        Self::Json,
        Self::DateTime,
        Self::Binary,
    ];

    /// The bytes of a value; `None` if they are told with it.
    fn size(self) -> Option<usize> {
        match self {
            Self::Byte | Self::UByte | Self::Bool => Some(1),
            Self::Short | Self::UShort => Some(2),
            Self::Int | Self::UInt | Self::Float => Some(4),
            Self::Long | Self::ULong | Self::Double => Some(8),
            Self::String | Self::Json | Self::DateTime | Self::Binary => None,
        }
    }

    /// The type of a column in Arrow; `None` for dates and times, which are told by their values.
    fn arrow(self) -> Option<DataType> {
        Some(match self {
            Self::Byte => DataType::Int8,
            Self::UByte => DataType::UInt8,
            Self::Bool => DataType::Boolean,
            Self::Short => DataType::Int16,
            Self::UShort => DataType::UInt16,
            Self::Int => DataType::Int32,
            Self::UInt => DataType::UInt32,
            Self::Long => DataType::Int64,
            Self::ULong => DataType::UInt64,
            Self::Float => DataType::Float32,
            Self::Double => DataType::Float64,
            Self::String | Self::Json => DataType::Utf8,
            Self::DateTime => return None,
            Self::Binary => DataType::Binary,
        })
    }
}
