//! Rows to features.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use arrow_array::{Array, RecordBatch};
use arrow_schema::ArrowError;

use super::build::{Build, Slot};
use super::encode::{self, Properties};
use super::geometry::{self, Axes};
use super::{FORMAT, MAGIC, Type};
use crate::WriteError;
use crate::geometry::{Parts, wkb_column};
use crate::layer::{Layer, Shape, Writer};
use crate::output::Sink;

struct Features {
    out: BufWriter<Sink>,
    layer: Layer,
    /// The columns that are properties, with their types.
    columns: Vec<(usize, Type)>,
    /// What all geometries have; known once the header is written.
    axes: Option<Axes>,
    /// Where in the file the number of features is, and the extent.
    count: u64,
    envelope: u64,
    extent: Extent,
    rows: u64,
    build: Build,
}

/// Begins a file.
///
/// # Errors
/// When the format cannot hold the layer.
pub fn create(sink: Sink, layer: &Layer) -> Result<Box<dyn Writer>, WriteError> {
    let mut columns = Vec::new();
    let mut names = HashSet::new();
    for (column, field) in layer.schema.fields().iter().enumerate() {
        if layer.is_geometry(column) {
            continue;
        }
        if !names.insert(field.name()) {
            return Err(cannot(format!("two columns named {:?}", field.name())));
        }
        let Some(kind) = encode::kind(field) else {
            let (name, kind) = (field.name(), field.data_type());
            return Err(cannot(format!("column {name:?} of type {kind}")));
        };
        columns.push((column, kind));
    }
    if columns.len() > usize::from(u16::MAX) {
        return Err(cannot(format!("{} columns", columns.len())));
    }
    Ok(Box::new(Features {
        out: BufWriter::with_capacity(1 << 17, sink),
        layer: layer.clone(),
        columns,
        axes: None,
        count: 0,
        envelope: 0,
        extent: Extent::default(),
        rows: 0,
        build: Build::default(),
    }))
}

fn cannot(what: String) -> WriteError {
    WriteError::CannotHold {
        format: FORMAT,
        what,
    }
}

fn failed(error: &ArrowError) -> WriteError {
    WriteError::Failed {
        format: FORMAT,
        problem: error.to_string(),
    }
}

/// Least x and y, greatest x and y of all positions.
#[derive(Debug, Default)]
struct Extent(Option<[f64; 4]>);

impl Extent {
    fn take(&mut self, parts: &Parts) {
        for &[x, y, ..] in &parts.positions {
            if x.is_finite() && y.is_finite() {
                let [left, low, right, high] = self.0.unwrap_or([x, y, x, y]);
                self.0 = Some([left.min(x), low.min(y), right.max(x), high.max(y)]);
            }
        }
        parts.members.iter().for_each(|member| self.take(member));
    }
}

impl Features {
    /// The number of the only kind of geometry, or 0.
    fn kind(&self) -> u8 {
        match self.layer.geometry.map(|geometry| geometry.shape) {
            Some(Shape::Point) => 1,
            Some(Shape::Polygon) => 3,
            Some(Shape::Any) | None => 0,
        }
    }

    fn header(&mut self, axes: Axes) -> Result<(), WriteError> {
        let kind = self.kind();
        let description = self.layer.schema.metadata().get("description");
        let crs = self.layer.crs.as_ref();
        let there = |there: bool| if there { Slot::Elsewhere } else { Slot::None };
        let build = &mut self.build;
        build.clear();
        let (table, places) = build.table(&[
            Slot::Elsewhere,
            Slot::Elsewhere,
            Slot::Byte(kind),
            Slot::Byte(u8::from(axes.z)),
            Slot::Byte(u8::from(axes.m)),
            Slot::None,
            Slot::None,
            Slot::Elsewhere,
            Slot::Long(0),
            Slot::Short(0),
            there(crs.is_some()),
            Slot::None,
            there(description.is_some()),
        ]);
        build.text(places[0], &self.layer.name);
        self.envelope = (MAGIC.len() + build.room(places[1])) as u64;
        let offsets = build.offsets(places[7], self.columns.len());
        for (i, (column, kind)) in self.columns.iter().enumerate() {
            let number = Type::ALL.iter().position(|known| known == kind);
            let number = number.unwrap_or_default() as u8;
            let (column_table, column_places) = build.table(&[Slot::Elsewhere, Slot::Byte(number)]);
            build.link(offsets + 4 * i, column_table);
            build.text(column_places[0], self.layer.schema.field(*column).name());
        }
        if let Some(crs) = crs {
            let (code, wkt) = (crs.epsg(), crs.wkt());
            let (crs_table, crs_places) = build.table(&[
                there(code.is_some()),
                Slot::Int(code.and_then(|code| code.try_into().ok()).unwrap_or(0)),
                Slot::Elsewhere,
                Slot::None,
                there(wkt.is_some()),
            ]);
            build.link(places[10], crs_table);
            if code.is_some() {
                build.text(crs_places[0], "EPSG");
            }
            build.text(crs_places[2], crs.name());
            if let Some(wkt) = wkt {
                build.text(crs_places[4], &wkt);
            }
        }
        if let Some(text) = description {
            build.text(places[12], text);
        }
        self.count = (MAGIC.len() + places[8]) as u64;
        self.axes = Some(axes);
        self.out.write_all(&MAGIC)?;
        self.out.write_all(build.finish(table))?;
        Ok(())
    }
}

impl Writer for Features {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let geometries = self.layer.geometry.map(|geometry| {
            let column = batch.column(geometry.column);
            wkb_column(column, geometry.encoding).map_err(|error| failed(&error))
        });
        let geometries = geometries.transpose()?;
        let mut parts = Parts::default();
        let before = self.rows;
        let wrong = |row: usize, what: &str| {
            let row = before + 1 + row as u64;
            cannot(format!("the geometry of row {row}: {what}"))
        };
        if self.axes.is_none() {
            let mut axes = Axes { z: false, m: false };
            for (row, wkb) in geometries.iter().flatten().enumerate() {
                let Some(wkb) = wkb else { continue };
                parts
                    .read(wkb)
                    .map_err(|error| wrong(row, &error.to_string()))?;
                axes.z |= parts.z;
                axes.m |= parts.m;
            }
            self.header(axes)?;
        }
        let axes = self.axes.unwrap_or(Axes { z: false, m: false });
        let mut columns = Vec::new();
        for (column, kind) in &self.columns {
            let schema = batch.schema();
            let array = batch.column(*column);
            let values = Properties::new(array, schema.field(*column), *kind);
            columns.push(values.map_err(|error| failed(&error))?);
        }
        let kind = self.kind();
        let mut properties = Vec::new();
        let mut buffer = zmij::Buffer::new();
        for row in 0..batch.num_rows() {
            properties.clear();
            for (i, column) in columns.iter().enumerate() {
                column.write(i as u16, row, &mut properties, &mut buffer);
            }
            let wkb = geometries.as_ref().filter(|found| found.is_valid(row));
            let wkb = wkb.map(|found| found.value(row));
            self.build.clear();
            let slot = wkb.map_or(Slot::None, |_| Slot::Elsewhere);
            let (table, places) = self.build.table(&[slot, Slot::Elsewhere]);
            if let Some(wkb) = wkb {
                parts
                    .read(wkb)
                    .map_err(|error| wrong(row, &error.to_string()))?;
                if (parts.z && !axes.z) || (parts.m && !axes.m) {
                    return Err(wrong(
                        row,
                        "it has a height or measure, and the first rows have none",
                    ));
                }
                if kind != 0 && parts.kind.code() != u32::from(kind) {
                    let what = format!("a {} in a layer of other geometries", parts.kind.name());
                    return Err(wrong(row, &what));
                }
                self.extent.take(&parts);
                let place = geometry::write(&parts, axes, &mut self.build);
                self.build.link(places[0], place);
            }
            self.build.octets(places[1], &properties);
            self.out.write_all(self.build.finish(table))?;
            self.rows += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Sink, WriteError> {
        if self.axes.is_none() {
            self.header(Axes { z: false, m: false })?;
        }
        let sink = self.out.into_inner();
        let mut sink = sink.map_err(io::IntoInnerError::into_error)?;
        // On a pipe the number stays 0, which means that it is not known, and the extent empty.
        sink.overwrite(self.count, &self.rows.to_le_bytes())?;
        if let Some(corners) = self.extent.0 {
            let mut bytes = 4_u32.to_le_bytes().to_vec();
            bytes.extend(corners.into_iter().flat_map(f64::to_le_bytes));
            sink.overwrite(self.envelope, &bytes)?;
        }
        Ok(sink)
    }
}
