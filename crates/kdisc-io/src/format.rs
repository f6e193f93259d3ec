//! Which format a file is in: by its name, checked against how it begins; or by how it begins.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::InputError;

/// A format of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Separated text: comma, semicolon or tab.
    Csv,
    /// Parquet; with geometries if the rows have any.
    Parquet,
    /// Parquet with geometries, made from the coordinates if need be.
    GeoParquet,
    /// A file of `SQLite` with layers.
    GeoPackage,
    /// One JSON object with features.
    GeoJson,
    /// One JSON feature per line.
    GeoJsonLines,
    /// Binary features one after another.
    FlatGeobuf,
    /// A .shp with its companions, perhaps zipped. Read, not written.
    Shapefile,
    /// Arrow IPC, also called Feather.
    Arrow,
}

/// Formats, the names by which they are asked for, and the extensions of their files.
const KNOWN: [(Format, &str, &[&str]); 9] = [
    (Format::Csv, "csv", &["csv", "tsv", "txt", "tab"]),
    (Format::Parquet, "parquet", &["parquet", "pq"]),
    (Format::GeoParquet, "geoparquet", &["geoparquet"]),
    (Format::GeoPackage, "gpkg", &["gpkg"]),
    (Format::GeoJson, "geojson", &["geojson", "json"]),
    (
        Format::GeoJsonLines,
        "geojsonl",
        &["geojsonl", "geojsons", "ndjson", "jsonl", "ndgeojson"],
    ),
    (Format::FlatGeobuf, "fgb", &["fgb"]),
    (Format::Shapefile, "shp", &["shp", "zip", "shz"]),
    (
        Format::Arrow,
        "arrow",
        &["arrow", "feather", "arrows", "ipc"],
    ),
];

/// The names of all formats, for messages.
pub const NAMES: &str = "csv, parquet, geoparquet, gpkg, geojson, geojsonl, fgb, shp, arrow";

/// What the name of a file of text says of its separator: that of `.tsv` and `.tab` is a tab.
#[must_use]
pub fn separator(path: &Path) -> Option<u8> {
    let extension = path.extension()?.to_str()?.to_lowercase();
    matches!(extension.as_str(), "tsv" | "tab").then_some(b'\t')
}

/// Text may be compressed.
const COMPRESSED: [&str; 4] = ["gz", "gzip", "zst", "zstd"];

impl Format {
    /// By the extension of a file's name, in any case; `.gz` and `.zst` are looked behind.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = |path: &Path| Some(path.extension()?.to_str()?.to_lowercase());
        let mut found = extension(path)?;
        if COMPRESSED.contains(&found.as_str()) {
            // What is compressed and called nothing else is a table of text.
            found = extension(Path::new(path.file_stem()?)).unwrap_or_else(|| "csv".to_owned());
        }
        let known = KNOWN
            .iter()
            .find(|(.., names)| names.contains(&found.as_str()));
        known.map(|(format, ..)| *format)
    }

    /// By the first bytes of a file, if these tell.
    #[must_use]
    pub fn of_content(start: &[u8]) -> Option<Self> {
        const SHAPES: [u8; 4] = 9994u32.to_be_bytes();
        let text = start
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(start)
            .trim_ascii_start();
        match start {
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] | [0xff, 0xff, 0xff, 0xff, ..] => {
                Some(Self::Arrow)
            }
            [b'f', b'g', b'b', 3, b'f', b'g', b'b', ..] => Some(Self::FlatGeobuf),
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Self::Shapefile),
            _ if start.starts_with(b"SQLite format 3\0") => Some(Self::GeoPackage),
            _ if start.starts_with(&SHAPES) => Some(Self::Shapefile),
            [0x1e, ..] => Some(Self::GeoJsonLines),
            _ if text.starts_with(b"{") => Some(Self::GeoJson),
            _ => None,
        }
    }

    /// The format of a file that is called `path` and begins with `start`.
    ///
    /// # Errors
    /// When name and content contradict each other.
    pub fn of(path: &Path, start: &[u8]) -> Result<Self, InputError> {
        let by_content = Self::of_content(start);
        let Some(by_name) = Self::of_name(path) else {
            return Ok(by_content.unwrap_or(Self::Csv));
        };
        match by_content {
            _ if by_name.is_json() && by_content.is_some_and(Self::is_json) => Ok(by_name),
            Some(found) if found.reader() == by_name.reader() => Ok(by_name),
            // How text begins says nothing.
            None if by_name == Self::Csv || by_name.is_json() => Ok(by_name),
            found => Err(InputError::NotThat {
                file: path.display().to_string(),
                expected: by_name.with_article(),
                found: match found {
                    Some(found) => format!("it begins like {}", found.with_article()),
                    None => "it does not begin as one".to_owned(),
                },
            }),
        }
    }

    /// Whether it is GeoJSON, in one piece or in lines.
    #[must_use]
    pub fn is_json(self) -> bool {
        matches!(self, Self::GeoJson | Self::GeoJsonLines)
    }

    /// Formats that are read in the same way.
    fn reader(self) -> Self {
        match self {
            Self::GeoParquet => Self::Parquet,
            Self::GeoJsonLines => Self::GeoJson,
            other => other,
        }
    }

    /// Whether it is a format of geometries, so that coordinates become some.
    #[must_use]
    pub fn wants_geometry(self) -> bool {
        !matches!(self, Self::Csv | Self::Parquet | Self::Arrow)
    }

    /// Its name in a sentence.
    #[must_use]
    pub fn with_article(self) -> &'static str {
        match self {
            Self::Csv => "a CSV file",
            Self::Parquet => "a Parquet file",
            Self::GeoParquet => "a GeoParquet file",
            Self::GeoPackage => "a GeoPackage",
            Self::GeoJson => "a GeoJSON file",
            Self::GeoJsonLines => "a newline-delimited GeoJSON file",
            Self::FlatGeobuf => "a FlatGeobuf file",
            Self::Shapefile => "a Shapefile",
            Self::Arrow => "an Arrow file",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = KNOWN.iter().find(|(format, ..)| format == self);
        f.write_str(name.map_or("", |(_, name, _)| name))
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = text.to_lowercase();
        let known = KNOWN
            .iter()
            .find(|(_, name, extensions)| *name == wanted || extensions.contains(&wanted.as_str()));
        known
            .map(|(format, ..)| *format)
            .ok_or_else(|| format!("give one of {NAMES}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_case_and_compressed_text() {
        for (name, format) in [
            ("a.CSV", Some(Format::Csv)),
            ("a.tsv.gz", Some(Format::Csv)),
            ("a.csv.ZST", Some(Format::Csv)),
            ("a.GeoJson", Some(Format::GeoJson)),
            ("a.b.gpkg", Some(Format::GeoPackage)),
            ("a.SHP", Some(Format::Shapefile)),
            ("a.gz", Some(Format::Csv)),
            ("a", None),
            ("a.dat", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn a_name_that_contradicts_the_content_is_told() {
        let error = Format::of(Path::new("a.gpkg"), b"PAR1....").unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.gpkg is not a GeoPackage: it begins like a Parquet file"
        );
        let error = Format::of(Path::new("a.parquet"), b"x,y\n1,2\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.parquet is not a Parquet file: it does not begin as one"
        );
        assert_eq!(
            Format::of(Path::new("a"), b"PAR1").unwrap(),
            Format::Parquet
        );
        assert_eq!(Format::of(Path::new("a"), b"x,y\n").unwrap(), Format::Csv);
        assert_eq!(
            Format::of(Path::new("a.ndjson"), b" {").unwrap(),
            Format::GeoJsonLines
        );
    }

    #[test]
    fn formats_are_asked_for_by_name_or_extension() {
        for (text, format) in [
            ("gpkg", Format::GeoPackage),
            ("GeoJSON", Format::GeoJson),
            ("feather", Format::Arrow),
        ] {
            assert_eq!(text.parse(), Ok(format));
        }
        assert!("docx".parse::<Format>().is_err());
        assert_eq!(Format::FlatGeobuf.to_string(), "fgb");
    }
}
