//! `GeoJSON` (RFC 7946), whole or one feature a line (also RFC 8142, with record separators).
//!
//! **Read** as a stream, twice: once for the names and types of all properties and the number of
//! rows, then for the rows. Columns come in the order in which their names first appear, the
//! geometry last. A property that a feature lacks is null.
//!
//! | values of a property, nulls aside | column |
//! |---|---|
//! | `true`, `false` | boolean |
//! | whole numbers | 64 bits, signed if they fit, else unsigned |
//! | other numbers | double |
//! | text | text; a date or timestamp if all are ISO 8601 (`2020-01-02T03:04:05Z`) |
//! | objects, arrays, several of these, numbers that a double would change | JSON as text |
//!
//! A column of JSON holds the text of each value as it stands in the file, so that it is written
//! back as it was. The `id` of features is a column `id` (`feature_id` if there is a property
//! `id`), marked so that it becomes the features' `id` again. Other members of features are
//! ignored, as are numbers of a position after the third.
//!
//! Coordinates are WGS 84, unless a `crs` member of the older standard says otherwise; GDAL still
//! writes these, and so do we, for a system that is not WGS 84.
//!
//! **Written** with one feature a line. Binary values become hexadecimal digits; what is not a
//! finite number becomes null; measures (M) of coordinates are left out.

mod decode;
mod geometry;
mod kinds;
mod object;
mod open;
mod rows;
mod scan;
#[cfg(test)]
mod tests;
mod write;

pub use open::{GeoJson, open};
pub use write::create;

/// Marks the column that holds the `id` of features.
const FEATURE_ID: &str = "kdisc:feature_id";
/// In messages.
const FORMAT: &str = "GeoJSON";
