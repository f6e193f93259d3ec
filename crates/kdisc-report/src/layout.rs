//! Where everything goes on a page: title on top, maps below, the legend beside them or, on a
//! narrow page, under them, notes at the foot. All texts are measured, so nothing overlaps.

use crate::font::Weight;
use crate::frame::Area;
use crate::map::{Legend, Map, MapError, Sheet};

/// The least side of a map.
pub(crate) const LEAST: f64 = 60.0;
/// The most panels in a row when the page may be as high as it likes.
const ROW: usize = 3;
/// Below this width the legend goes under the maps.
const NARROW: f64 = 600.0;
/// Space between things.
pub(crate) const GAP: f64 = 12.0;
pub(crate) const TITLE: f64 = 16.0;
pub(crate) const TEXT: f64 = 11.5;
pub(crate) const NOTE: f64 = 9.5;
/// From one line to the next, for each size of letters.
pub(crate) const LEADING: f64 = 1.35;
/// The height of an entry of the legend.
pub(crate) const ENTRY: f64 = 18.0;
/// The width of a sign in the legend.
pub(crate) const SIGN: f64 = 22.0;
/// The widest legend beside maps.
const WIDEST: f64 = 190.0;
/// The longest scale bar.
pub(crate) const BAR: f64 = 110.0;
/// What coordinates along the frames need to the left and below.
pub(crate) const AXES: (f64, f64) = (54.0, 16.0);

/// Where everything goes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    pub width: f64,
    pub height: f64,
    pub margin: f64,
    pub title: Vec<String>,
    pub notice: Vec<String>,
    pub notes: Vec<String>,
    /// Whether panels have titles.
    pub titled: bool,
    /// The frames of the panels.
    pub panels: Vec<Area>,
    /// The top left of the legend, and how wide it may be.
    pub legend: (f64, f64, f64),
    pub legend_title: Vec<String>,
    /// Whether it is under the maps.
    pub below: bool,
    /// The base line of the first note.
    pub foot: f64,
}

impl Layout {
    pub fn new(map: &Map, sheet: &Sheet) -> Result<Self, MapError> {
        let width = sheet.width;
        let margin = if width < 480.0 { 10.0 } else { 16.0 };
        let inner = width - 2.0 * margin;
        let title = Weight::Bold.wrap(&map.title, TITLE, inner);
        let notice = map.notice.as_deref().unwrap_or_default();
        let notice = Weight::Bold.wrap(notice, TEXT, inner);
        let notes: Vec<String> = map
            .notes
            .iter()
            .flat_map(|note| Weight::Regular.wrap(note, NOTE, inner))
            .collect();
        let head = margin
            + title.len() as f64 * TITLE * LEADING
            + notice.len() as f64 * TEXT * LEADING
            + 8.0;
        let foot = notes.len() as f64 * NOTE * LEADING + 6.0 + margin;
        let below = width < NARROW;
        let legend_width = if below { inner } else { beside(&map.legend) };
        let legend_title = Weight::Bold.wrap(&map.legend.title, TEXT, legend_width);
        let legend_height = legend_height(&map.legend, &legend_title, below, legend_width);
        let (right, under) = if below {
            (0.0, legend_height + GAP)
        } else {
            (legend_width + GAP, 0.0)
        };
        let titled = map.panels.iter().any(|panel| !panel.title.is_empty());
        let over = if titled { TEXT * LEADING + 4.0 } else { 0.0 };
        let axes = if map.axes { AXES } else { (0.0, 0.0) };
        let count = map.panels.len();
        let room = Room {
            width: inner - right,
            height: sheet.height.map(|height| height - head - foot - under),
            around: (axes.0, over + axes.1),
            count,
            aspect: map.extent.height() / map.extent.width(),
        };
        let (columns, mut panel_width, mut panel_height) = room.divided();
        let has_room = panel_width.min(panel_height) >= LEAST;
        if map.is_cut && has_room {
            (panel_width, panel_height) = room.cut(panel_width, panel_height);
        }
        let rows = count.div_ceil(columns) as f64;
        let maps = rows * (panel_height + over + axes.1 + GAP) - GAP;
        // Beside a low map the legend may be what is highest.
        let high = if below { maps } else { maps.max(legend_height) };
        let height = sheet.height.unwrap_or(head + high + under + foot);
        if !has_room || head + high + under + foot > height + 1e-6 {
            return Err(MapError::NoRoom {
                width: sheet.width.round(),
                height: height.round(),
                panels: if count == 1 {
                    "a map".to_owned()
                } else {
                    format!("{count} maps")
                },
                least: LEAST,
            });
        }
        // On whole pixels, images are not blurred and lines are sharp.
        let snap = |value: f64| (value * sheet.ratio).round() / sheet.ratio;
        let panels = (0..count).map(|i| {
            let (row, column) = ((i / columns) as f64, (i % columns) as f64);
            Area {
                x: snap(margin + axes.0 + column * (panel_width + axes.0 + GAP)),
                y: snap(head + over + row * (panel_height + over + axes.1 + GAP)),
                width: snap(panel_width),
                height: snap(panel_height),
            }
        });
        let legend = if below {
            (margin, height - foot - legend_height, inner)
        } else {
            (width - margin - legend_width, head + over, legend_width)
        };
        Ok(Self {
            width: snap(width),
            height: (height * sheet.ratio).ceil() / sheet.ratio,
            margin,
            panels: panels.collect(),
            foot: height - foot + 6.0 + NOTE,
            title,
            notice,
            notes,
            titled,
            legend,
            legend_title,
            below,
        })
    }
}

/// The room for panels.
struct Room {
    width: f64,
    /// As much as they like when absent.
    height: Option<f64>,
    /// What each needs beside its frame.
    around: (f64, f64),
    count: usize,
    /// The height of the extent for its width.
    aspect: f64,
}

impl Room {
    /// How many panels side by side show the extent largest, and how wide and high each is.
    fn divided(&self) -> (usize, f64, f64) {
        let wide = |columns: usize| {
            (self.width - (columns - 1) as f64 * GAP) / columns as f64 - self.around.0
        };
        let Some(height) = self.height else {
            let mut most = (1..=self.count.min(ROW)).rev();
            let columns = most.find(|columns| wide(*columns) >= 200.0).unwrap_or(1);
            let wide = wide(columns);
            return (columns, wide, wide * self.aspect.clamp(0.5, 1.3));
        };
        let sizes = (1..=self.count.max(1)).map(|columns| {
            let rows = self.count.div_ceil(columns).max(1);
            let high = (height - (rows - 1) as f64 * GAP) / rows as f64 - self.around.1;
            (columns, wide(columns), high)
        });
        let scale = |size: &(usize, f64, f64)| size.1.min(size.2 / self.aspect);
        let best = sizes.reduce(|best, next| {
            if scale(&next) > scale(&best) {
                next
            } else {
                best
            }
        });
        best.unwrap_or((1, 0.0, 0.0))
    }

    /// No wider or higher than the extent is, unless that would be too thin to be seen.
    fn cut(&self, width: f64, height: f64) -> (f64, f64) {
        (
            width.min(height / self.aspect).max(LEAST),
            height.min(width * self.aspect).max(LEAST),
        )
    }
}

/// What a text of the legend explains.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sign {
    Class(usize),
    Mark,
    Blank,
}

/// The texts of the legend with their signs: classes from risky to safe, then the others.
pub(crate) fn entries(legend: &Legend) -> impl Iterator<Item = (Sign, String)> {
    let classes = legend
        .entries
        .iter()
        .enumerate()
        .rev()
        .map(|(class, entry)| {
            let units = entry
                .units
                .map(|units| format!("  ({})", crate::round::counted(units, "unit")));
            (
                Sign::Class(class),
                format!("{}{}", entry.label, units.unwrap_or_default()),
            )
        });
    let marks = legend.marks.iter().map(|text| (Sign::Mark, text.clone()));
    let blank = legend.blank.iter().map(|text| (Sign::Blank, text.clone()));
    classes.chain(marks).chain(blank)
}

/// The lines of an entry.
pub(crate) fn entry_lines(text: &str, width: f64) -> Vec<String> {
    Weight::Regular.wrap(text, TEXT, width - SIGN)
}

/// The width that a legend wants beside maps.
fn beside(legend: &Legend) -> f64 {
    let widths = entries(legend).map(|(_, text)| SIGN + Weight::Regular.width(&text, TEXT) + 1.0);
    let title = Weight::Bold.width(&legend.title, TEXT) + 1.0;
    widths.fold(title.max(BAR + 20.0), f64::max).min(WIDEST)
}

fn legend_height(legend: &Legend, title: &[String], below: bool, width: f64) -> f64 {
    let title = title.len() as f64 * TEXT * LEADING + 4.0;
    let rows = if below {
        flow(legend, width).last().map_or(0.0, |last| last.1 + 1.0)
    } else {
        entries(legend)
            .map(|(_, text)| entry_lines(&text, width).len() as f64)
            .sum()
    };
    title + rows * ENTRY + 30.0
}

/// The place of each entry of a legend under maps: how far to the right, and in which row. Several
/// rows have columns if they can.
pub(crate) fn flow(legend: &Legend, width: f64) -> Vec<(f64, f64)> {
    let widths = entries(legend).map(|(_, text)| SIGN + Weight::Regular.width(&text, TEXT) + GAP);
    let widths: Vec<f64> = widths.collect();
    let widest = widths.iter().copied().fold(0.0, f64::max);
    let columns = (width / widest).floor();
    if widths.iter().sum::<f64>() > width && columns >= 2.0 {
        let places = (0..widths.len()).map(|i| {
            let row = (i as f64 / columns).floor();
            ((i as f64 - row * columns) * widest, row)
        });
        return places.collect();
    }
    let (mut x, mut row) = (0.0, 0.0);
    let places = entries(legend).zip(widths).map(|((_, text), wide)| {
        if x > 0.0 && x + wide > width {
            (x, row) = (0.0, row + 1.0);
        }
        let place = (x, row);
        x += wide;
        // What is too long for a row goes on in the next.
        let lines = entry_lines(&text, width).len() as f64;
        if lines > 1.0 {
            (x, row) = (width, row + lines - 1.0);
        }
        place
    });
    places.collect()
}
