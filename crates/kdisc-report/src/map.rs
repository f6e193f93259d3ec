//! What a map is made of: panels of layers, and a legend.

use kdisc::{Metric, Point};
use thiserror::Error;

use crate::colour::Colour;
use crate::frame::Extent;
use crate::shapes::Shapes;
use crate::theme::Theme;

/// A map, or several side by side on one scale.
#[derive(Debug)]
pub struct Map<'a> {
    /// What is shown.
    pub title: String,
    /// What nobody may overlook, such as how to keep the map.
    pub notice: Option<String>,
    /// Panels, which all show the same extent.
    pub panels: Vec<Panel<'a>>,
    /// What is to be seen at least; of some width or height.
    pub extent: Extent,
    /// Whether nothing beyond it is to be seen.
    pub is_cut: bool,
    /// What colours and marks mean.
    pub legend: Legend,
    /// Where it comes from and how it was made.
    pub notes: Vec<String>,
    /// What there is to see, for those who do not.
    pub description: String,
    /// Whether coordinates are written along the frames.
    pub axes: bool,
    /// What it looks like.
    pub theme: Theme,
}

/// One of the maps side by side.
#[derive(Debug)]
pub struct Panel<'a> {
    /// What sets it apart from the others.
    pub title: String,
    /// What is drawn, from the ground up.
    pub layers: Vec<Layer<'a>>,
}

/// A layer of a map. Classes are entries of the legend.
#[derive(Debug)]
pub enum Layer<'a> {
    /// A layer of the user's own below the data.
    Under(&'a Shapes),
    /// A layer of the user's own above the data.
    Over(&'a Shapes),
    /// A dot at each place.
    Dots {
        /// Where.
        places: &'a [Point],
        /// Of which class each is.
        classes: Vec<u8>,
    },
    /// Cells of a grid.
    Cells {
        /// The corners of each.
        outlines: Vec<Vec<Point>>,
        /// Of which class each is.
        classes: Vec<u8>,
    },
    /// A value everywhere.
    Surface(Surface),
    /// Units that are pointed out.
    Marks(Vec<Mark>),
}

/// Classes of squares that fill an extent.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// What they fill.
    pub extent: Extent,
    /// Squares from west to east.
    pub columns: u32,
    /// The class of each, row by row from the north.
    pub classes: Vec<u8>,
}

/// A unit that is pointed out, with its disc.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where it is.
    pub place: Point,
    /// Its disc, if it has one.
    pub ring: Option<Ring>,
    /// What is written beside it.
    pub label: String,
}

/// The border of a disc: round, or a square in the metrics in which discs are squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ring {
    /// Its centre.
    pub center: Point,
    /// Its radius in metres.
    pub radius: f64,
    /// What distances are.
    pub metric: Metric,
}

/// What colours and marks mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Legend {
    /// What is measured, and in which unit.
    pub title: String,
    /// Classes from safe to risky.
    pub entries: Vec<Entry>,
    /// Whether they are drawn as dots, or fill areas.
    pub dots: bool,
    /// What a mark means, if there are any.
    pub marks: Option<String>,
    /// What the bare ground means, if that is not plain.
    pub blank: Option<String>,
}

/// One class.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it is called.
    pub label: String,
    /// How it is drawn.
    pub colour: Colour,
    /// How many units it has, if that is told.
    pub units: Option<u64>,
}

/// The paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sheet {
    /// In pixels of 1/96 inch.
    pub width: f64,
    /// In pixels of 1/96 inch; as high as the map wants to be when absent.
    pub height: Option<f64>,
    /// Whether programs shall call its size in millimetres.
    pub in_mm: bool,
    /// Pixels of the device for each of these, for what is drawn as an image.
    pub ratio: f64,
}

/// Why there is no map.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MapError {
    /// Nothing could be seen.
    #[error("there is nothing to draw")]
    Nothing,
    /// Title, legend and notes leave too little of the page.
    #[error(
        "a page of {width} by {height} has no room for {panels}: each needs at least {least} by {least}"
    )]
    NoRoom {
        /// Of the page.
        width: f64,
        /// Of the page.
        height: f64,
        /// How many maps, in words.
        panels: String,
        /// The least side of one.
        least: f64,
    },
    /// An image would not fit into memory.
    #[error(
        "an image of {width} by {height} pixels is too large: the most is {longest} along a side, and {most} in all"
    )]
    TooLarge {
        /// Of the image.
        width: f64,
        /// Of the image.
        height: f64,
        /// The most pixels.
        most: u64,
        /// The most along a side.
        longest: u32,
    },
    /// A library refused what we wrote.
    #[error("the picture cannot be made: {0}")]
    Library(String),
}
