//! Rasters out, as `GeoTIFF`.
//!
//! One file holds several bands of doubles, one after another, each in strips of rows that are packed
//! by Deflate. What is not a number is no data. Names and units of bands, and notes, go where GDAL
//! looks for them (`GDAL_METADATA`); the place and the coordinate system are tags of `GeoTIFF` 1.1
//! (`keys`). Files beyond four gigabytes are `BigTIFF`.
//!
//! The directory comes first, and bytes are written from the first to the last, so that a pipe will do.
//! Hence all strips are packed before the first is written. The bytes depend on nothing but the raster.

mod directory;
mod keys;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use kdisc::Point;
use rayon::prelude::*;

use crate::WriteError;
use crate::crs::Crs;
use crate::output::Sink;
use directory::{Directory, Value};

/// Cells in a strip, about.
const STRIP: usize = 1 << 16;

/// A raster with square cells, in rows from north to south.
#[derive(Debug, Clone)]
pub struct GeoTiff<'a> {
    /// Cells from west to east.
    pub columns: usize,
    /// The corner in the north-west, in units of the coordinate system.
    pub corner: Point,
    /// The side of a cell, in units of the coordinate system.
    pub side: f64,
    /// The coordinate system, if it is known.
    pub crs: Option<&'a Crs>,
    /// At least one, all of the same length.
    pub bands: Vec<Band<'a>>,
    /// Names and texts: what was done, and what to mind.
    pub notes: Vec<(&'a str, String)>,
}

/// One number for each cell, row by row.
#[derive(Debug, Clone)]
pub struct Band<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The unit of its numbers.
    pub unit: String,
    /// The numbers.
    pub cells: &'a [f64],
}

impl GeoTiff<'_> {
    /// Whether the file can say what its coordinate system is, so that other programs know it; else
    /// it holds no more than its name.
    #[must_use]
    pub fn can_describe(crs: &Crs) -> bool {
        keys::Keys::new(crs).is_complete
    }

    /// Writes the file; `go_on` is told now and then how many parts of how many are done, and says
    /// whether to go on.
    ///
    /// # Errors
    /// The raster is empty or too large, the system refuses, or `go_on` says no.
    pub fn write(
        &self,
        mut sink: Sink,
        go_on: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Result<Sink, WriteError> {
        let cannot = |what: String| WriteError::CannotHold {
            format: "GeoTIFF",
            what,
        };
        let cells = self.bands.first().map_or(0, |band| band.cells.len());
        let rows = cells.checked_div(self.columns).unwrap_or(0);
        let is_whole = |band: &Band| band.cells.len() == rows * self.columns;
        if cells == 0 || !self.bands.iter().all(is_whole) {
            return Err(cannot(
                "bands that are empty or of different sizes".to_owned(),
            ));
        }
        let size = [self.columns, rows].map(u32::try_from);
        let ([Ok(columns), Ok(rows)], Ok(bands)) = (size, u16::try_from(self.bands.len())) else {
            return Err(cannot(format!("{} by {rows} cells", self.columns)));
        };
        let strip_rows = (STRIP / self.columns).max(1);
        let strips: Vec<&[f64]> = self
            .bands
            .iter()
            .flat_map(|band| band.cells.chunks(strip_rows * self.columns))
            .collect();
        // Packing takes all the time.
        let (total, done) = (strips.len(), AtomicUsize::new(0));
        let packed: Vec<Vec<u8>> = strips
            .into_par_iter()
            .map(|strip| {
                if go_on(done.fetch_add(1, Ordering::Relaxed), total) {
                    pack(strip)
                } else {
                    Err(io::ErrorKind::Interrupted.into())
                }
            })
            .collect::<Result<_, _>>()?;
        let sizes: Vec<u64> = packed.iter().map(|strip| strip.len() as u64).collect();

        let mut tags = Directory::default();
        let every = usize::from(bands);
        tags.set(256, Value::Long(vec![columns]));
        tags.set(257, Value::Long(vec![rows]));
        tags.set(258, Value::Short(vec![64; every]));
        // Deflate; black is the least; bands apart; numbers with a point.
        tags.set(259, Value::Short(vec![8]));
        tags.set(262, Value::Short(vec![1]));
        tags.set(277, Value::Short(vec![bands]));
        tags.set(278, Value::Long(vec![strip_rows.min(rows as usize) as u32]));
        tags.set(284, Value::Short(vec![2]));
        let software = concat!("kdisc ", env!("CARGO_PKG_VERSION"));
        tags.set(305, Value::Ascii(software.to_owned()));
        if bands > 1 {
            tags.set(338, Value::Short(vec![0; every - 1]));
        }
        tags.set(339, Value::Short(vec![3; every]));
        tags.set(33550, Value::Double(vec![self.side, self.side, 0.0]));
        let Point { x, y } = self.corner;
        tags.set(33922, Value::Double(vec![0.0, 0.0, 0.0, x, y, 0.0]));
        if let Some(crs) = self.crs {
            keys::Keys::new(crs).enter(&mut tags);
        }
        tags.set(42112, Value::Ascii(self.metadata()));
        tags.set(42113, Value::Ascii("nan".to_owned()));
        let head = tags
            .bytes(&sizes)
            .ok_or_else(|| cannot("that much".to_owned()))?;
        sink.write_all(&head)?;
        for strip in packed {
            sink.write_all(&strip)?;
        }
        Ok(sink)
    }

    /// What GDAL knows of bands, and the notes.
    fn metadata(&self) -> String {
        let mut text = "<GDALMetadata>\n".to_owned();
        for (name, note) in &self.notes {
            let _ = writeln!(text, "  <Item name=\"{}\">{}</Item>", xml(name), xml(note));
        }
        for (i, band) in self.bands.iter().enumerate() {
            let items = [
                ("DESCRIPTION", "description", band.name),
                ("UNITTYPE", "unittype", band.unit.as_str()),
            ];
            for (name, role, value) in items {
                let value = xml(value);
                let _ = writeln!(
                    text,
                    "  <Item name=\"{name}\" sample=\"{i}\" role=\"{role}\">{value}</Item>"
                );
            }
        }
        text.push_str("</GDALMetadata>\n");
        text
    }
}

fn pack(cells: &[f64]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let mut bytes = Vec::with_capacity(size_of_val(cells));
    for cell in cells {
        // One and the same not-a-number, whatever made it.
        let cell = if cell.is_nan() { f64::NAN } else { *cell };
        bytes.extend_from_slice(&cell.to_le_bytes());
    }
    encoder.write_all(&bytes)?;
    encoder.finish()
}

/// Text within XML. What XML cannot hold, and what would end a text in TIFF, becomes a mark.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
