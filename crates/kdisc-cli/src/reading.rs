//! Opening inputs as the arguments say, and finding out where their places are and in which
//! coordinate system.

use std::fmt;

use kdisc_io::columns;
use kdisc_io::crs::Crs;
use kdisc_io::csv::Progress;
use kdisc_io::input::{Input, Options};
use kdisc_io::points::Place;

use crate::args::ReadingArgs;
use crate::failure::Refusal;
use crate::plan::Source;

/// How inputs are read.
#[derive(Debug, Clone)]
pub struct Reading {
    pub options: Options,
    pub crs: Option<Crs>,
    /// Names of the coordinate columns, if given.
    pub coordinates: Option<(String, String)>,
    pub centroid: bool,
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
            centroid: args.centroid,
        })
    }

    /// For the places of a run, which need not be like its units.
    pub fn of_places(&self) -> Self {
        Self {
            options: Options::default(),
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
    ByNames,
    /// The units' system is taken for that of the places.
    LikeTheUnits,
    Not,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ByOption => "by --crs",
            Self::ByFile => "as the file says",
            Self::ByNames => "by the names of the columns",
            Self::LikeTheUnits => "taken to be that of the units",
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
        let names = input.columns();
        let has = |name: &String| names.contains(name);
        let named = reading.coordinates.as_ref();
        let named = named.filter(|(x, y)| population || (has(x) && has(y)));
        let layer = input.layer();
        let mut known = Known::Not;
        let mut crs = None;
        let place = match named {
            None if layer.is_some_and(|layer| layer.geometry.is_some()) => {
                crs = layer.and_then(|layer| layer.crs.clone());
                Place::Geometry
            }
            _ => {
                let found = match named {
                    Some((x, y)) => columns::named_coordinates(input.name(), &names, x, y),
                    None => columns::coordinates(input.name(), &names),
                }?;
                if found.degrees {
                    (crs, known) = (Some(Crs::wgs84()), Known::ByNames);
                }
                Place::Columns {
                    x: found.x,
                    y: found.y,
                }
            }
        };
        if *source == Source::Example {
            crs = Crs::from_epsg(kdisc::example::EPSG).ok();
        }
        if crs.is_some() && known == Known::Not {
            known = Known::ByFile;
        }
        if let Some(asked) = &reading.crs {
            (crs, known) = (Some(asked.clone()), Known::ByOption);
        }
        Ok(Self {
            input,
            place,
            crs,
            known,
        })
    }

    /// A table whose rows need no places.
    pub fn without_place(input: Input, crs: Option<Crs>) -> Self {
        let known = match crs {
            Some(_) => Known::ByOption,
            None => Known::ByFile,
        };
        let in_file = input.layer().and_then(|layer| layer.crs.clone());
        Self {
            input,
            place: Place::Geometry,
            crs: crs.or(in_file),
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
