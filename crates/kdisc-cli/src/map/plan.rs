//! A run of `kdisc map`, checked as far as it can be before any file is read.

use std::path::Path;

use kdisc::areal::{Grid, Shape};
use kdisc::{Anonymity, Delta, Metric, Point};
use kdisc_report::Kind;
use kdisc_report::colour::Ramp;
use kdisc_report::frame::Extent;
use kdisc_report::map::Sheet;
use kdisc_report::theme::Theme;

use crate::args::{Colouring, Highlight, Levels, MapArgs, MapTheme, PageSize, ZoomDelta};
use crate::failure::Refusal;
use crate::outputs::{Run, extension};
use crate::register::Intake;
use crate::source::Source;
use crate::zoom::plan::Map as Levelled;

/// More maps on a page cannot be told apart.
const MOST_PANELS: usize = 12;
/// The least k of a map for publication.
const FEWEST: u64 = 3;
/// In how many steps the grid moves along each side.
pub const SHIFTS: u32 = 16;
/// Pixels per inch of screens, and of paper.
const SCREEN: f64 = 96.0;
const PAPER: u16 = 300;
/// How sharp images within vector files are, in pixels for each of a screen.
const SHARP: f64 = 2.0;
/// Pixels of the world of a web map at level 0.
const WORLD: f64 = 256.0;

#[derive(Debug)]
pub struct Plan {
    pub intake: Intake,
    /// A file of places to be marked.
    pub places: Option<Intake>,
    pub highlight: Option<Highlight>,
    pub under: Option<Context>,
    pub over: Option<Context>,
    pub panels: Vec<PanelPlan>,
    /// Whether the panels are of several k, or δ.
    pub varied: Varied,
    pub colouring: Colouring,
    pub public: Option<Public>,
    pub breaks: Option<Vec<f64>>,
    pub looks: Looks,
    pub kind: Kind,
    pub run: Run,
}

/// What the map looks like beyond its data.
#[derive(Debug)]
pub struct Looks {
    pub sheet: Sheet,
    pub theme: Theme,
    pub ramp: Ramp,
    pub extent: Option<Extent>,
    pub axes: bool,
    pub title: Option<String>,
    pub source: Option<String>,
}

/// A layer of the user's own.
#[derive(Debug)]
pub struct Context {
    pub source: Source,
    pub layer: Option<String>,
    /// The option that names its layer.
    pub option: &'static str,
}

/// What sets panels apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Varied {
    pub k: bool,
    pub delta: bool,
    pub subject: bool,
}

/// One map.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelPlan {
    pub subject: Subject,
    /// Without δ where that depends on the level.
    pub anonymity: Anonymity,
    pub delta: ZoomDelta,
}

impl PanelPlan {
    /// Whether it counts units in the cells of a grid.
    pub fn is_of_grid(&self) -> bool {
        matches!(self.subject, Subject::Cells(_) | Subject::Flips { .. })
    }
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Subject {
    /// The locations.
    Units,
    /// The dots of a level.
    Level { map: Levelled, marker: f64 },
    /// The cells of a grid.
    Cells(Grid),
    /// The units, by what grids say of them.
    Flips { grid: Grid, least: u64 },
    /// Squares of this side.
    Surface(f64),
}

/// How a map is made fit for publication.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Public {
    /// The side of the cells that stand for locations; one that suits the map when absent.
    pub cell: Option<f64>,
    /// Cells with fewer units are not drawn.
    pub least: u64,
}

impl Plan {
    pub fn new(args: MapArgs) -> anyhow::Result<Self> {
        let kind = kind(&args.run.output)?;
        let run = Run::of_file(&args.run.output, args.run.conduct.clone())?;
        let intake = Intake::new(
            run.audience.source_or_example(args.input.clone()),
            args.units.clone(),
            run.audience.clone(),
        )?;
        let places = match &args.highlight {
            Some(Highlight::File(path)) => {
                Some(intake.of_places(run.audience.source(path.clone()), None))
            }
            _ => None,
        };
        let context = |path: &Option<_>, layer: &Option<String>, option| {
            path.clone().map(|path| Context {
                source: run.audience.source(path),
                layer: layer.clone(),
                option,
            })
        };
        let under = context(&args.under, &args.under_layer, "--under-layer");
        let over = context(&args.over, &args.over_layer, "--over-layer");
        let (panels, varied) = panels(&args)?;
        let public = public(&args)?;
        let breaks = Some(args.breaks.clone()).filter(|breaks| !breaks.is_empty());
        if let Some(breaks) = &breaks {
            check_breaks(breaks)?;
        }
        let several = if varied.k {
            Colouring::Radius
        } else {
            Colouring::Risk
        };
        let plan = Self {
            colouring: args.color.unwrap_or(several),
            highlight: args.highlight,
            looks: Looks {
                sheet: sheet(args.size, args.dpi, kind),
                theme: match args.theme {
                    MapTheme::Light => Theme::light(),
                    MapTheme::Dark => Theme::dark(),
                },
                ramp: args.palette.into(),
                extent: args.extent.map(|extent| {
                    let [west, south, east, north] = extent.0;
                    Extent {
                        min: Point::new(west, south),
                        max: Point::new(east, north),
                    }
                }),
                axes: args.axes,
                title: args.title,
                source: args.source,
            },
            intake,
            places,
            under,
            over,
            panels,
            varied,
            public,
            breaks,
            kind,
            run,
        };
        plan.refuse_clashes()?;
        Ok(plan)
    }

    fn refuse_clashes(&self) -> Result<(), Refusal> {
        let places = self.places.iter().map(|places| &places.source);
        let contexts = [&self.under, &self.over].into_iter().flatten();
        let contexts = contexts.map(|context| &context.source);
        let sources: Vec<_> = std::iter::once(&self.intake.source)
            .chain(places)
            .chain(contexts)
            .collect();
        if sources.iter().filter(|source| source.is_stdin()).count() > 1 {
            return Err(Refusal::new(
                "more than one input is to come from standard input",
                "read all but one of them from files",
            ));
        }
        self.run.refuse_clashes(&sources, &[])
    }
}

/// How the map is made fit for publication, if it is to be.
fn public(args: &MapArgs) -> Result<Option<Public>, Refusal> {
    if !args.public {
        return Ok(None);
    }
    if let Some(k) = args.k.iter().find(|k| **k < FEWEST) {
        return Err(Refusal::new(
            format!("k = {k} hides nobody: in a cell of two, each knows the other"),
            format!("give a k of at least {FEWEST} for --public"),
        ));
    }
    Ok(Some(Public {
        cell: args.cell,
        least: args.k.iter().copied().max().unwrap_or(FEWEST),
    }))
}

/// By the name of the output.
fn kind(path: &Path) -> Result<Kind, Refusal> {
    match extension(path).as_str() {
        "png" => Ok(Kind::Png),
        "svg" => Ok(Kind::Svg),
        "pdf" => Ok(Kind::Pdf),
        _ => Err(Refusal::new(
            format!(
                "the name {} does not say what kind of picture to make",
                path.display()
            ),
            "name a file that ends in .png, .svg or .pdf: -o map.png",
        )),
    }
}

/// A page of a size in pixels has just these; one in millimetres as many as its size needs.
fn sheet(size: PageSize, dpi: Option<u16>, kind: Kind) -> Sheet {
    let dpi = f64::from(dpi.unwrap_or(if size.in_mm { PAPER } else { SCREEN as u16 }));
    let per = if size.in_mm {
        SCREEN / 25.4
    } else {
        SCREEN / dpi
    };
    let ratio = dpi / SCREEN;
    Sheet {
        width: size.width * per,
        height: size.height.map(|height| height * per),
        in_mm: size.in_mm,
        ratio: if kind == Kind::Png {
            ratio
        } else {
            ratio.max(SHARP)
        },
    }
}

fn check_breaks(breaks: &[f64]) -> Result<(), Refusal> {
    if let Some([one, next]) = breaks.array_windows().find(|[one, next]| one >= next) {
        return Err(Refusal::new(
            format!("--breaks: {one} does not come before {next}"),
            "give breaks in increasing order, such as 5,10,20",
        ));
    }
    if breaks.len() > 11 {
        return Err(Refusal::new(
            format!(
                "--breaks: {} colours cannot be told apart",
                breaks.len() + 1
            ),
            "give at most 11 breaks",
        ));
    }
    Ok(())
}

/// The maps side by side: all k with all δ with all levels or grids.
fn panels(args: &MapArgs) -> anyhow::Result<(Vec<PanelPlan>, Varied)> {
    let subjects = subjects(args)?;
    let is_level = matches!(subjects[0], Subject::Level { .. });
    let is_measured = !matches!(subjects[0], Subject::Cells(_) | Subject::Flips { .. });
    let usual = if is_level {
        ZoomDelta::Pixel
    } else {
        ZoomDelta::Pixels(Delta::INFINITE)
    };
    let deltas = if args.delta.is_empty() {
        vec![usual]
    } else {
        args.delta.clone()
    };
    if !is_measured && (args.k.len() > 1 || !args.delta.is_empty() || args.metric != Metric::L2) {
        return Err(Refusal::new(
            "cells of a grid count units: there are no discs to ask several k, a delta or a metric of",
            "leave out --delta and --metric, and give one k",
        )
        .into());
    }
    let mut panels = Vec::new();
    for subject in &subjects {
        for &k in &args.k {
            for &delta in &deltas {
                let anonymity = Anonymity::new(k)?.with_metric(args.metric);
                panels.push(PanelPlan {
                    subject: subject.clone(),
                    anonymity: match delta {
                        ZoomDelta::Pixels(delta) => anonymity.with_delta(delta),
                        _ if is_level => anonymity,
                        _ => {
                            return Err(Refusal::new(
                                "pixel and overlap are about the pixels of a zoom level",
                                "give a delta in metres, or inf; or a level: --zoom 12",
                            )
                            .into());
                        }
                    },
                    delta,
                });
            }
        }
    }
    if panels.len() > MOST_PANELS {
        return Err(Refusal::new(
            format!("{} maps side by side are too many to read", panels.len()),
            format!("ask for at most {MOST_PANELS}: fewer of --k, --delta, or levels"),
        )
        .into());
    }
    if let Some(twice) = (1..panels.len()).find(|&i| panels[..i].contains(&panels[i])) {
        return Err(Refusal::new(
            format!(
                "the maps side by side have one twice (number {})",
                twice + 1
            ),
            "name each k, delta, level or size once",
        )
        .into());
    }
    let varied = Varied {
        k: args.k.len() > 1,
        delta: deltas.len() > 1,
        subject: subjects.len() > 1,
    };
    Ok((panels, varied))
}

fn subjects(args: &MapArgs) -> anyhow::Result<Vec<Subject>> {
    let marker = args.marker;
    let grid = |shape: Shape| move |size: &f64| Grid::new(shape, *size);
    let grids: Result<Vec<Grid>, _> = args
        .grid
        .iter()
        .map(grid(Shape::Square))
        .chain(args.hex.iter().map(grid(Shape::Hexagon)))
        .collect();
    let grids = grids.map_err(|error| {
        Refusal::new(
            error.to_string(),
            "give a size in metres, such as --grid 200",
        )
    })?;
    if args.maup && grids.is_empty() {
        return Err(Refusal::new(
            "--maup moves a grid, and there is none",
            "say which: --grid M or --hex M",
        )
        .into());
    }
    if args.public && grids.len() > 1 {
        return Err(Refusal::new(
            "several grids over one another tell more than each of them",
            "publish one: give a single --grid or --hex",
        )
        .into());
    }
    let least = args.min_count.unwrap_or(args.k[0]);
    Ok(if let Some(side) = args.surface {
        Grid::square(side)?;
        vec![Subject::Surface(side)]
    } else if !args.zoom.is_empty() {
        let level = |&level: &u8| Subject::Level {
            map: Levelled::Web {
                levels: Levels {
                    first: level,
                    last: level,
                },
                world: WORLD,
            },
            marker,
        };
        args.zoom.iter().map(level).collect()
    } else if !args.pixel.is_empty() {
        let level = |&size: &f64| Subject::Level {
            map: Levelled::Metres(vec![size]),
            marker,
        };
        args.pixel.iter().map(level).collect()
    } else if args.maup {
        grids
            .into_iter()
            .map(|grid| Subject::Flips { grid, least })
            .collect()
    } else if !grids.is_empty() {
        grids.into_iter().map(Subject::Cells).collect()
    } else {
        vec![Subject::Units]
    })
}
