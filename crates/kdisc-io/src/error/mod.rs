//! What can be wrong with a file, told so that its owner finds the place.

mod output;
mod row;

use std::fmt;
use std::io;

use thiserror::Error;

pub use self::output::{OutputError, WriteError};
pub use self::row::{At, RowError, RowProblem, ValueProblem};
use crate::crs::CrsError;

/// Why an input cannot be used.
#[derive(Debug, Error)]
pub enum InputError {
    /// There is no such file.
    #[error("cannot read {file}: there is no such file{}", DidYouMean(nearest))]
    Missing {
        /// Name of the input.
        file: String,
        /// Files in the same directory with a similar name, most similar first.
        nearest: Vec<String>,
    },
    /// The file cannot be opened or read.
    #[error("cannot read {file}: {source}")]
    Read {
        /// Name of the input.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// A packed file ends too early.
    #[error(
        "{file} is cut off: the {packing} data do not end where the file does, after {size} bytes \
         ({unpacked} bytes unpacked)"
    )]
    PackedTruncated {
        /// Name of the input.
        file: String,
        /// How it is packed.
        packing: &'static str,
        /// Bytes of the file.
        size: u64,
        /// Bytes that could be unpacked.
        unpacked: usize,
    },
    /// A packed file is damaged.
    #[error(
        "{file} is damaged: it begins as {packing} data, but cannot be unpacked beyond byte \
         {unpacked} of the content: {source}"
    )]
    PackedCorrupt {
        /// Name of the input.
        file: String,
        /// How it is packed.
        packing: &'static str,
        /// Bytes that could be unpacked.
        unpacked: usize,
        /// What the unpacker says.
        source: io::Error,
    },
    /// A packed file unpacks to far more than a table would.
    #[error(
        "{file} is refused: {packed} bytes of {packing} data unpack to {unpacked} bytes or more, \
         beyond the limit of {floor} bytes or {ratio} times the packed size, whichever is larger"
    )]
    Bomb {
        /// Name of the input.
        file: String,
        /// How it is packed.
        packing: &'static str,
        /// Bytes of the file that were read.
        packed: u64,
        /// Bytes that they unpack to.
        unpacked: u64,
        /// So many bytes are always accepted.
        floor: u64,
        /// And so many times the packed size.
        ratio: u64,
    },
    /// There is nothing in it.
    #[error("{file} is empty")]
    Empty {
        /// Name of the input.
        file: String,
    },
    /// The text is in another encoding.
    #[error("{file}, line {line}, byte {byte} of the file: not UTF-8 text")]
    NotUtf8 {
        /// Name of the input.
        file: String,
        /// Line of the first wrong byte, from 1.
        line: usize,
        /// Position of the first wrong byte, from 1.
        byte: usize,
    },
    /// A quote is opened and the file ends before it closes.
    #[error("{file}, line {line}: a quoted field begins here and never ends")]
    OpenQuote {
        /// Name of the input.
        file: String,
        /// Line of the opening quote, from 1.
        line: usize,
    },
    /// A column that was asked for is not there.
    #[error(
        "{file} has no column {column:?}{}; its columns are {}",
        DidYouMean(nearest),
        Names(columns)
    )]
    MissingColumn {
        /// Name of the input.
        file: String,
        /// The column asked for.
        column: String,
        /// Columns with a similar name, most similar first.
        nearest: Vec<String>,
        /// All columns.
        columns: Vec<String>,
    },
    /// A column that is needed occurs more than once.
    #[error("{file} has {count} columns named {column:?}")]
    DuplicateColumn {
        /// Name of the input.
        file: String,
        /// The name.
        column: String,
        /// How often it occurs.
        count: usize,
    },
    /// No two columns look like coordinates.
    #[error(
        "{file} has no columns that look like coordinates; its columns are {}",
        Names(columns)
    )]
    NoCoordinates {
        /// Name of the input.
        file: String,
        /// All columns.
        columns: Vec<String>,
    },
    /// More than one pair of columns could be the coordinates.
    #[error("{file}: more than one column could be {axis}: {}", Names(candidates))]
    AmbiguousCoordinates {
        /// Name of the input.
        file: String,
        /// `x` or `y`.
        axis: char,
        /// The columns in question.
        candidates: Vec<String>,
    },
    /// By their names, only one coordinate is degrees, or they are the wrong way round.
    #[error(
        "{file}: by their names, {x:?} and {y:?} are not a longitude and a latitude, nor both metres"
    )]
    Degrees {
        /// Name of the input.
        file: String,
        /// The column to be x.
        x: String,
        /// The column to be y.
        y: String,
    },
    /// Some coordinates have a decimal point, others a decimal comma.
    #[error(
        "{file}: line {} has a decimal point ({:?}), line {} a decimal comma ({:?}); one of them \
         may separate thousands",
        point.0, point.1, comma.0, comma.1
    )]
    MixedDecimals {
        /// Name of the input.
        file: String,
        /// First line with a decimal point, and the value.
        point: (usize, String),
        /// First line with a decimal comma, and the value.
        comma: (usize, String),
    },
    /// A number has another decimal mark than the rest of the file.
    #[error(
        "{file}, line {line}, column {column:?}: {value:?} has another decimal mark than the rest of \
         the file; it may separate thousands"
    )]
    OtherDecimal {
        /// Name of the input.
        file: String,
        /// The line of the first such number.
        line: usize,
        /// Name of its column.
        column: String,
        /// The number as it is written.
        value: String,
    },
    /// The content is not what it should be by its name, or by what was asked.
    #[error("{file} is not {expected}: {found}")]
    NotThat {
        /// Name of the input.
        file: String,
        /// The format, with its article.
        expected: &'static str,
        /// What there is instead.
        found: String,
    },
    /// It is of that format, but broken.
    #[error("{file} is {format}, but broken: {problem}")]
    Broken {
        /// Name of the input.
        file: String,
        /// The format, with its article.
        format: &'static str,
        /// What was expected and found, and where.
        problem: String,
    },
    /// One of the files that go with a Shapefile.
    #[error("{file} is only a part of a Shapefile; its shapes are in {shapes}")]
    PartOfShapefile {
        /// Name of the input.
        file: String,
        /// Name of the file with the shapes.
        shapes: String,
    },
    /// It is of that format, but has something that kdisc does not read.
    #[error("{file}: {what}")]
    Unsupported {
        /// Name of the input.
        file: String,
        /// What it has.
        what: String,
    },
    /// Neither name nor content say what it is.
    #[error("{file}: neither its name nor its content says which format it is")]
    UnknownFormat {
        /// Name of the input.
        file: String,
    },
    /// A file that belongs to it is not there.
    #[error("{file} needs {part}, which is not there")]
    MissingPart {
        /// Name of the input.
        file: String,
        /// The file that should be beside it.
        part: String,
    },
    /// There is no such layer.
    #[error(
        "{file} has no layer {layer:?}{}; its layers are {}",
        DidYouMean(nearest),
        Names(layers)
    )]
    MissingLayer {
        /// Name of the input.
        file: String,
        /// The layer asked for.
        layer: String,
        /// Layers with a similar name, most similar first.
        nearest: Vec<String>,
        /// All layers.
        layers: Vec<String>,
    },
    /// There are several layers, and none was asked for.
    #[error("{file} has {} layers: {}", layers.len(), Names(layers))]
    SeveralLayers {
        /// Name of the input.
        file: String,
        /// All layers.
        layers: Vec<String>,
    },
    /// The geometries are not points.
    #[error("{file}: kdisc measures points, and row {row} is a {found}")]
    NotPoints {
        /// Name of the input.
        file: String,
        /// The first row that is no point, from 1.
        row: usize,
        /// What it is.
        found: &'static str,
    },
    /// Regions were asked for, and there are no geometries, or only points.
    #[error("{file} has no column of polygons")]
    NoPolygons {
        /// Name of the input.
        file: String,
    },
    /// A region is not a polygon.
    #[error("{file}: regions are polygons, and row {row} is a {found}")]
    NotPolygons {
        /// Name of the input.
        file: String,
        /// The first row that is no polygon, from 1.
        row: usize,
        /// What it is.
        found: &'static str,
    },
    /// A polygon cannot be a region.
    #[error("{file}, row {row}{}: {problem}", Region(region.as_deref()))]
    Region {
        /// Name of the input.
        file: String,
        /// The row, from 1.
        row: usize,
        /// What the region is called.
        region: Option<String>,
        /// What is wrong with it.
        problem: String,
    },
    /// Two regions have one name.
    #[error("{file}: rows {} and {} are both called {region:?}", rows[0], rows[1])]
    SameRegion {
        /// Name of the input.
        file: String,
        /// The rows, from 1.
        rows: [usize; 2],
        /// The name.
        region: String,
    },
    /// The coordinate system cannot be used.
    #[error("{file}: {source}")]
    Crs {
        /// Name of the input.
        file: String,
        /// What is wrong with it.
        source: CrsError,
    },
    /// One row is wrong.
    #[error(transparent)]
    Row(#[from] RowError),
}

impl InputError {
    /// The system refuses to read it.
    pub(crate) fn read(file: &str) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Read {
            file: file.to_owned(),
            source,
        }
    }

    /// Its coordinate system cannot be used.
    pub(crate) fn crs(file: &str) -> impl Fn(CrsError) -> Self + Copy {
        move |source| Self::Crs {
            file: file.to_owned(),
            source,
        }
    }

    /// It is damaged.
    pub(crate) fn broken(file: &str, format: &'static str, problem: impl Into<String>) -> Self {
        Self::Broken {
            file: file.to_owned(),
            format,
            problem: problem.into(),
        }
    }

    /// It asks for too much.
    pub(crate) fn unsupported(file: &str, what: impl Into<String>) -> Self {
        Self::Unsupported {
            file: file.to_owned(),
            what: what.into(),
        }
    }
}

/// The name of a region in a message, if it has one.
struct Region<'a>(Option<&'a str>);

impl fmt::Display for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, ", region {name:?}"))
    }
}

struct DidYouMean<'a>(&'a [String]);

impl fmt::Display for DidYouMean<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        write!(f, " (nearest: {})", Names(self.0))
    }
}

/// Names in quotes, the first dozen of them.
struct Names<'a>(&'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 12;
        for (i, name) in self.0.iter().take(SHOWN).enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{name:?}")?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}
