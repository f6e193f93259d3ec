//! Opening inputs as the arguments say, and finding out where their places are and in which
//! coordinate system.

use std::fmt;

use kdisc_io::InputError;
use kdisc_io::columns;
use kdisc_io::crs::Crs;
use kdisc_io::csv::Progress;
use kdisc_io::input::{Input, Options};
use kdisc_io::points::Place;

use crate::args::ReadingArgs;
use crate::failure::Refusal;
use crate::source::Source;

/// How inputs are read.
#[derive(Debug, Clone)]
pub struct Reading {
    pub options: Options,
    pub crs: Option<Crs>,
    /// Names of the coordinate columns, if given.
    pub coordinates: Option<(String, String)>,
}

impl Reading {
    pub fn new(args: ReadingArgs) -> Result<Self, Refusal> {
        let coordinates = args.x.zip(args.y);
        if let Some((x, y)) = &coordinates
            && x == y
        {
            return Err(Refusal::new(
                format!("both coordinates are to come from column {x:?}"),
                "name two columns: --x COL --y COL",
            ));
        }
        Ok(Self {
            options: Options {
                format: args.format,
                layer: args.layer,
            },
            crs: args.crs,
            coordinates,
        })
    }

    /// For the places of a run, which need not be like its units.
    pub fn of_places(&self, layer: Option<String>) -> Self {
        Self {
            options: Options {
                format: None,
                layer,
            },
            ..self.clone()
        }
    }
}

/// An input, and where its places are.
pub struct Opened {
    pub input: Input,
    pub place: Place,
    pub crs: Option<Crs>,
    pub known: Known,
}

/// From what a coordinate system is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    ByOption,
    ByFile,
    /// It is built in.
    OfExample,
    ByNames,
    /// Units and places are taken to be in the same.
    LikeTheOther,
    Not,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ByOption => "by --crs",
            Self::ByFile => "as the file says",
            Self::OfExample => "that of the example",
            Self::ByNames => "by the names of the columns",
            Self::LikeTheOther => "taken to be that of the other input",
            Self::Not => "unknown",
        })
    }
}

impl Opened {
    /// Opens a source. Only the `population` must have the named coordinate columns: places may
    /// have others.
    pub fn new(
        source: &Source,
        reading: &Reading,
        population: bool,
        progress: Progress,
    ) -> anyhow::Result<Self> {
        let input = source.open(&reading.options, progress)?;
        let found = find(&input, reading, population)?;
        let asked = reading.crs.as_ref();
        // The option is about the units; what places say of themselves is more to the point.
        let asked = asked.filter(|_| population || found.1.is_none());
        Ok(Self::found(source, input, asked, found))
    }

    /// Opens a source whose rows need no places.
    pub fn with_or_without_place(
        source: &Source,
        reading: &Reading,
        progress: Progress,
    ) -> anyhow::Result<Self> {
        let input = source.open(&reading.options, progress)?;
        let found = match find(&input, reading, true) {
            Err(InputError::NoCoordinates { .. } | InputError::AmbiguousCoordinates { .. }) => {
                (Place::Geometry, None, Known::Not)
            }
            found => found?,
        };
        Ok(Self::found(source, input, reading.crs.as_ref(), found))
    }

    fn found(
        source: &Source,
        input: Input,
        asked: Option<&Crs>,
        (place, mut crs, mut known): (Place, Option<Crs>, Known),
    ) -> Self {
        if matches!(source, Source::Example) {
            (crs, known) = (Crs::from_epsg(kdisc::example::EPSG).ok(), Known::OfExample);
        }
        if let Some(asked) = asked {
            (crs, known) = (Some(asked.clone()), Known::ByOption);
        }
        Self {
            input,
            place,
            crs,
            known,
        }
    }

    /// Whether its rows have places.
    pub fn has_place(&self) -> bool {
        let geometry = self.input.layer().and_then(|layer| layer.geometry);
        self.place != Place::Geometry || geometry.is_some()
    }

    /// The names of the columns in which the coordinates are: one of geometries, or two.
    pub fn place_names(&self) -> Vec<String> {
        let names = self.input.columns();
        let geometry = self.input.layer().and_then(|layer| layer.geometry);
        match (self.place, geometry) {
            (Place::Columns { x, y }, _) => vec![names[x].clone(), names[y].clone()],
            (Place::Geometry, Some(geometry)) => vec![names[geometry.column].clone()],
            (Place::Geometry, None) => Vec::new(),
        }
    }
}

/// Where the places are, and in which system if that is known.
fn find(
    input: &Input,
    reading: &Reading,
    population: bool,
) -> Result<(Place, Option<Crs>, Known), InputError> {
    let names = input.columns();
    let has = |name: &String| names.contains(name);
    let named = reading.coordinates.as_ref();
    let named = named.filter(|(x, y)| population || (has(x) && has(y)));
    let found = match (named, input.layer()) {
        (Some((x, y)), _) => columns::named_coordinates(input.name(), &names, x, y)?,
        (None, Some(layer)) if layer.geometry.is_some() => {
            let known = if layer.crs.is_some() {
                Known::ByFile
            } else {
                Known::Not
            };
            return Ok((Place::Geometry, layer.crs.clone(), known));
        }
        (None, _) => columns::coordinates(input.name(), &names)?,
    };
    let place = Place::Columns {
        x: found.x,
        y: found.y,
    };
    Ok(if found.degrees {
        (place, Some(Crs::wgs84()), Known::ByNames)
    } else {
        (place, None, Known::Not)
    })
}
