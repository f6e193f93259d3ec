//! A run of `kdisc map`, checked as far as it can be before any file is read.

use std::path::Path;

use kdisc::Point;
use kdisc_report::Kind;
use kdisc_report::colour::Ramp;
use kdisc_report::frame::Extent;
use kdisc_report::map::Sheet;
use kdisc_report::theme::Theme;

use super::panels::{PanelPlan, Varied, panels};
use crate::args::{Colouring, Highlight, MapArgs, MapRunArgs, MapTheme, PageSize};
use crate::failure::Refusal;
use crate::outputs::{Output, Run, extension};
use crate::register::Intake;
use crate::source::Source;

/// The least k of a map for publication.
const FEWEST: u64 = 3;
/// In how many steps the grid moves along each side.
pub const SHIFTS: u32 = 16;
/// Pixels per inch of screens, and of paper.
const SCREEN: f64 = 96.0;
const PAPER: u16 = 300;
/// How sharp images within vector files are, in pixels for each of a screen.
const SHARP: f64 = 2.0;

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
    /// At least one.
    pub pictures: Vec<Picture>,
    pub run: Run,
}

/// A picture to be made of the map.
#[derive(Debug)]
pub struct Picture {
    pub kind: Kind,
    pub sheet: Sheet,
    pub output: Output,
}

/// What the map looks like beyond its data.
#[derive(Debug)]
pub struct Looks {
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
        let kinds = kinds(&args.run)?;
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
        let picture = |(role, kind)| Picture {
            kind,
            sheet: sheet(args.size, args.dpi, kind),
            output: Output {
                role,
                ..run.output.clone()
            },
        };
        let plan = Self {
            pictures: kinds.into_iter().map(picture).collect(),
            colouring: args.color.unwrap_or(several),
            highlight: args.highlight,
            looks: Looks {
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

/// What each picture is for, and of which kind it is. A program does not say yet which it will want:
/// drawing is quick beside measuring, so it gets one of each.
fn kinds(args: &MapRunArgs) -> Result<Vec<(&'static str, Kind)>, Refusal> {
    if args.conduct.audience().takes(Some(&args.output)) {
        return Ok(vec![
            ("svg", Kind::Svg),
            ("png", Kind::Png),
            ("pdf", Kind::Pdf),
        ]);
    }
    Ok(vec![("output", kind(&args.output)?)])
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
