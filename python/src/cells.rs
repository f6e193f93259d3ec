//! A picture of the cells of a map, for notebooks.
//!
//! The command writes a file for programs that know maps; somebody who looks at a result wants to see
//! it at once. One band is drawn as `kdisc map` draws a surface: classes with round breaks, a legend
//! and a scale. Cells without a value are left as the ground.

use kdisc::Point;
use kdisc_report::Kind;
use kdisc_report::classes::Classes;
use kdisc_report::colour::Ramp;
use kdisc_report::frame::Extent;
use kdisc_report::map::{Entry, Layer, Legend, Map, MapError, Panel, Sheet, Surface};
use kdisc_report::theme::Theme;

/// Pixels of a screen from left to right.
const WIDTH: f64 = 800.0;
/// Pixels of the image for each of these, so that letters are sharp.
const RATIO: f64 = 2.0;

/// Where the cells of a map lie, in metres.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    pub columns: usize,
    pub west: f64,
    pub north: f64,
    pub side: f64,
}

impl Grid {
    fn extent(&self, rows: usize) -> Extent {
        let south = self.north - rows as f64 * self.side;
        let east = self.west + self.columns as f64 * self.side;
        Extent {
            min: Point::new(self.west, south),
            max: Point::new(east, self.north),
        }
    }
}

/// What is written on a picture.
#[derive(Debug, Clone)]
pub struct Words {
    pub title: String,
    /// What the numbers are, and in which unit.
    pub legend: String,
    /// How to keep it, if that matters.
    pub notice: Option<String>,
    /// What cells without a value are.
    pub without: String,
}

/// The values of cells as PNG.
pub fn png(values: &[f64], grid: Grid, words: Words) -> Result<Vec<u8>, MapError> {
    let columns = u32::try_from(grid.columns).map_err(|_| MapError::Nothing)?;
    if columns == 0 || values.is_empty() {
        return Err(MapError::Nothing);
    }
    let theme = Theme::light();
    let classes = Classes::fit(values.iter().copied());
    let mut labels = Vec::new();
    if values.iter().any(|value| !value.is_nan()) {
        labels = classes.labels();
    }
    let colours = Ramp::default().colours(labels.len(), theme.is_dark);
    let entry = |(label, colour)| Entry {
        label,
        colour,
        units: None,
    };
    let mut entries: Vec<_> = labels.into_iter().zip(colours).map(entry).collect();
    let none = entries.len() as u8;
    if values.iter().any(|value| value.is_nan()) {
        entries.push(entry((words.without, theme.map)));
    }
    let class = |value: &f64| {
        if value.is_nan() {
            none
        } else {
            classes.of(*value)
        }
    };
    let extent = grid.extent(values.len() / grid.columns);
    let map = Map {
        description: format!("Map of {}.", words.legend),
        title: words.title,
        notice: words.notice,
        panels: vec![Panel {
            title: String::new(),
            layers: vec![Layer::Surface(Surface {
                extent,
                columns,
                classes: values.iter().map(class).collect(),
            })],
        }],
        extent,
        is_cut: false,
        legend: Legend {
            title: words.legend,
            entries,
            ..Legend::default()
        },
        notes: Vec::new(),
        axes: false,
        theme,
    };
    let sheet = Sheet {
        width: WIDTH,
        height: None,
        in_mm: false,
        ratio: RATIO,
    };
    let creator = concat!("kdisc ", env!("CARGO_PKG_VERSION"));
    let keep = map.notice.clone().unwrap_or_default();
    map.picture(&sheet, Kind::Png, creator, &keep)
}
