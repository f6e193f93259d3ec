//! `kdisc info`: what is in a file, and what kdisc would make of it.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use arrow_schema::DataType;
use kdisc::Population;
use kdisc_io::InputError;
use kdisc_io::format::Format;
use kdisc_io::geopackage;
use kdisc_io::layer::{Layer, Shape, extension};
use kdisc_io::points::{Place, Wanted};
use kdisc_io::shapefile;
use kdisc_io::units::{OnInvalid, Units};

use crate::args::InfoArgs;
use crate::audience::Audience;
use crate::failure::to_stdout;
use crate::progress::Phase;
use crate::reading::{Known, Opened, Reading};
use crate::source::Source;

pub fn run(args: InfoArgs) -> anyhow::Result<ExitCode> {
    let reading = Reading::new(args.reading)?;
    let source = Source::File(args.input);
    let mut text = String::new();
    let phase = Phase::new(format!("reading {source}"), &Audience::default());
    let progress = |done, total| phase.report_bytes(done, total);
    let opened = match Opened::with_or_without_place(&source, &reading, &progress) {
        Ok(opened) => Ok(opened),
        Err(error) => match error.downcast::<InputError>() {
            // Several layers are no reason not to tell of them.
            Ok(InputError::SeveralLayers { file, layers }) => {
                let _ = writeln!(text, "file       {file}");
                tell_layers(&mut text, &layers);
                let _ = writeln!(text, "\nsay which one to look into: --layer NAME");
                Err(None)
            }
            Ok(error) => Err(Some(error.into())),
            Err(error) => Err(Some(error)),
        },
    };
    match opened {
        Ok(opened) => tell(&mut text, &source, &opened)?,
        Err(None) => {}
        Err(Some(error)) => return Err(error),
    }
    drop(phase);
    io::stdout().write_all(text.as_bytes()).map_err(to_stdout)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(out: &mut String, source: &Source, opened: &Opened) -> anyhow::Result<()> {
    let input = &opened.input;
    writeln!(out, "file       {}", input.name())?;
    writeln!(out, "format     {}", input.format().with_article())?;
    if let Some(path) = source.path() {
        tell_layers(out, &layers(path, input.format())?);
    }
    let reader = input.reader()?;
    let layer = reader.layer();
    if input.csv().is_none() {
        writeln!(out, "layer      {}", layer.name)?;
    }
    let units = if opened.has_place() {
        Some(input.units(
            &Wanted {
                place: opened.place,
                weight: None,
                only: None,
                on_invalid: OnInvalid::Skip,
                centroid: true,
            },
            &|_, _| {},
        )?)
    } else {
        None
    };
    let rows = units.as_ref().map(|units| units.rows.len()).or(layer.rows);
    if let Some(rows) = rows {
        writeln!(out, "rows       {rows}")?;
    }
    match &opened.crs {
        Some(crs) => writeln!(out, "system     {crs}, {}", opened.known)?,
        None => writeln!(
            out,
            "system     unknown: coordinates are taken as metres unless --crs says otherwise"
        )?,
    }
    places(out, opened, layer, units.as_ref())?;
    writeln!(out, "\ncolumns")?;
    for (i, field) in layer.schema.fields().iter().enumerate() {
        let what = match extension(field) {
            _ if layer.is_geometry(i) => "geometry".to_owned(),
            Some("arrow.json") => "JSON".to_owned(),
            _ => in_words(field.data_type()),
        };
        writeln!(out, "  {:<24} {what}", field.name())?;
    }
    Ok(())
}

fn places(
    out: &mut String,
    opened: &Opened,
    layer: &Layer,
    units: Option<&Units>,
) -> anyhow::Result<()> {
    let Some(units) = units else {
        writeln!(
            out,
            "places     none: no column looks like coordinates (--x COL --y COL)"
        )?;
        return Ok(());
    };
    let names: Vec<_> = opened.place_names();
    let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
    match opened.place {
        Place::Geometry => {
            let shape = match layer.geometry.map(|geometry| geometry.shape) {
                Some(Shape::Point) => "points",
                Some(Shape::Polygon) => "polygons",
                _ => "geometries",
            };
            writeln!(out, "places     {shape} in {}", names.join(", "))?;
            if shape == "polygons" {
                writeln!(out, "           kdisc risk needs --centroid for them")?;
            }
        }
        Place::Columns { .. } => {
            writeln!(out, "places     x in {}, y in {}", names[0], names[1])?;
        }
    }
    if opened.known == Known::ByNames {
        writeln!(out, "           degrees by their names, so WGS 84")?;
    }
    if let Some(extent) = units.extent(opened.crs.as_ref()) {
        let [west, south, east, north] = extent.ends();
        writeln!(out, "extent     x {west} to {east}, y {south} to {north}")?;
        let population = Population::new(&units.points)?;
        let distinct = population.locations().len();
        let most = population
            .multiplicities()
            .iter()
            .max()
            .copied()
            .unwrap_or(0);
        writeln!(
            out,
            "locations  {distinct} distinct; {} rows share one with another; at most {most} at one",
            shared(population.multiplicities())
        )?;
    }
    if let Some(bad) = &units.first_bad {
        writeln!(out, "unusable   {} rows, the first: {bad}", units.bad_rows)?;
    }
    Ok(())
}

/// A type as people call it.
fn in_words(kind: &DataType) -> String {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text".to_owned(),
        DataType::Boolean => "true/false".to_owned(),
        DataType::Date32 | DataType::Date64 => "date".to_owned(),
        DataType::Time32(_) | DataType::Time64(_) => "time of day".to_owned(),
        DataType::Timestamp(_, None) => "time".to_owned(),
        DataType::Timestamp(_, Some(zone)) => format!("time ({zone})"),
        DataType::Dictionary(_, values) => in_words(values),
        DataType::List(items) | DataType::LargeList(items) => {
            format!("list of {}", in_words(items.data_type()))
        }
        kind if kind.is_integer() => "whole number".to_owned(),
        kind if kind.is_numeric() => "number".to_owned(),
        kind if kind.is_binary() => "bytes".to_owned(),
        // Rare enough to be called what they are.
        kind => kind.to_string(),
    }
}

fn shared(multiplicities: &[u64]) -> u64 {
    multiplicities.iter().filter(|&&m| m > 1).sum()
}

fn layers(path: &Path, format: Format) -> Result<Vec<String>, InputError> {
    match format {
        Format::GeoPackage => geopackage::layers(path),
        Format::Shapefile => shapefile::layers(path),
        _ => Ok(Vec::new()),
    }
}

fn tell_layers(out: &mut String, layers: &[String]) {
    if !layers.is_empty() {
        let names: Vec<_> = layers.iter().map(|name| format!("{name:?}")).collect();
        let _ = writeln!(out, "layers     {}", names.join(", "));
    }
}
