//! Maps: which cells they have, whether they fit into memory, and how they are written.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use kdisc::Point;
use kdisc::density::{Frame, FrameError};
use kdisc_io::crs::{Crs, Ground};
use kdisc_io::geotiff::{Band, GeoTiff};
use kdisc_io::memory::MemoryTable;
use serde_json::{Value, json};

use crate::args::{RasterArgs, human_bytes};
use crate::audience::Cells;
use crate::delivery::Delivery;
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::outputs::Run;
use crate::progress::Phase;
use crate::summary::json::number;
use crate::summary::text::short;

/// What is needed to write a cell of a band: itself again, packed.
const PACKED: usize = size_of::<f64>();
/// A program gets it as it is, too.
const KEPT: usize = size_of::<f64>();

/// The cells of a map, as asked for.
#[derive(Debug, Clone, Copy)]
pub struct Raster {
    pub cell: f64,
    pub extent: Option<[f64; 4]>,
    pub max_memory: u64,
    /// Bytes to hand over a cell of a band.
    written: usize,
}

impl Raster {
    pub fn new(args: &RasterArgs, run: &Run) -> Self {
        let is_kept = run.audience.program().is_some() && run.output.target.is_none();
        Self {
            cell: args.cell,
            extent: args.extent.map(|extent| extent.0),
            max_memory: args.max_memory,
            written: if is_kept { PACKED + KEPT } else { PACKED },
        }
    }

    /// The cells: those asked for, or else those of `usual`, or else those that hold the points and
    /// what is within `margin` of them.
    pub fn frame(
        &self,
        points: &[Point],
        margin: f64,
        usual: Option<[f64; 4]>,
    ) -> Result<Frame, Refusal> {
        let frame = match self.extent.or(usual) {
            Some(extent) => Frame::within(self.cell, extent).map(Some),
            None => Frame::around(self.cell, points, margin),
        };
        let frame = frame.map_err(|error| self.no_frame(&error))?;
        // A population has points.
        frame.ok_or_else(|| Refusal::new("there is nothing to map", "give at least one row"))
    }

    fn no_frame(&self, error: &FrameError) -> Refusal {
        Refusal::new(
            format!("no map has cells of {} m there: {error}", short(self.cell)),
            "use larger cells: --cell M; or a smaller map: --extent XMIN,YMIN,XMAX,YMAX",
        )
    }

    /// Refuses a map that would need more memory than is allowed: so many bytes to compute it, and
    /// more to write its bands.
    pub fn check_memory(&self, frame: &Frame, computed: u128, bands: usize) -> Result<(), Refusal> {
        let needed = computed + frame.cells() as u128 * (bands * self.written) as u128;
        if needed <= u128::from(self.max_memory) {
            return Ok(());
        }
        let factor = (needed as f64 / self.max_memory as f64).sqrt();
        let larger = (self.cell * factor * 1.05).ceil();
        Err(Refusal::new(
            format!(
                "a map of {} by {} cells needs about {} of memory, more than --max-memory {}",
                frame.columns(),
                frame.rows(),
                human_bytes(needed),
                human_bytes(self.max_memory.into())
            ),
            format!(
                "use larger cells (--cell {larger} would do), a smaller map (--extent), or allow \
                 more (--max-memory {}G)",
                (needed >> 30) + 1
            ),
        ))
    }
}

/// A warning where a `GeoTIFF` has no words for the coordinate system.
pub fn warn_of_system(ground: &Ground, warnings: &mut Vec<String>) {
    if let Some(crs) = ground
        .compute_crs()
        .filter(|crs| !GeoTiff::can_describe(crs))
    {
        warnings.push(format!(
            "a GeoTIFF can hold no more of the coordinate system than its name: {crs}"
        ));
    }
}

/// Delivers bands of a map: as a file, or to a program as a file and as a table of its cells.
pub fn deliver<'a>(
    run: &'a Run,
    frame: &Frame,
    ground: &Ground,
    bands: Vec<Band<'_>>,
    notes: Vec<(&str, String)>,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let phase = Phase::new("writing", &run.audience);
    let metres = ground.metres_per_unit();
    let Point { x, y } = frame.corner();
    let raster = GeoTiff {
        columns: frame.columns(),
        corner: Point::new(x / metres, y / metres),
        side: frame.side() / metres,
        crs: ground.compute_crs(),
        bands,
        notes,
    };
    let go_on = |done, total| {
        phase.report(done, total);
        interrupt.check().is_ok()
    };
    let mut delivery = Delivery::new(run, interrupt);
    delivery.write_file(&run.output, |sink| Ok(raster.write(sink, &go_on)?))?;
    if let Some(program) = run.audience.program()
        && run.output.target.is_none()
    {
        let table = table(&raster)?;
        let mut outcome = program.outcome();
        outcome.tables.insert(run.output.role, table);
        outcome.cells = Some(cells(&raster));
    }
    Ok(delivery)
}

/// The cells as rows, a column for each band.
fn table(raster: &GeoTiff) -> anyhow::Result<MemoryTable> {
    let fields = raster.bands.iter().map(|band| {
        let unit = HashMap::from([("unit".to_owned(), band.unit.clone())]);
        Field::new(band.name, DataType::Float64, false).with_metadata(unit)
    });
    let columns = raster.bands.iter().map(|band| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(band.cells.iter().copied()))
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let rows = RecordBatch::try_new(Arc::clone(&schema), columns.collect())?;
    Ok(MemoryTable::new("map", schema, vec![rows])?)
}

fn cells(raster: &GeoTiff) -> Cells {
    let code = |crs: &Crs| crs.epsg().map(|code| format!("EPSG:{code}"));
    let text = |crs: &Crs| {
        let described = code(crs).or_else(|| crs.wkt());
        described.unwrap_or_else(|| crs.proj_string().to_owned())
    };
    Cells {
        columns: raster.columns,
        west: raster.corner.x,
        north: raster.corner.y,
        side: raster.side,
        crs: raster.crs.map(text),
    }
}

/// The cells in words.
pub fn describe(frame: &Frame) -> String {
    format!(
        "{} by {} cells of {} m",
        frame.columns(),
        frame.rows(),
        short(frame.side())
    )
}

/// The cells for machines.
pub fn value(frame: &Frame) -> Value {
    let corner = frame.corner();
    json!({
        "cell": number(frame.side()),
        "columns": frame.columns(),
        "rows": frame.rows(),
        "west": number(corner.x),
        "north": number(corner.y),
    })
}
