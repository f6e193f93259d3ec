//! The maps side by side, and what each of them draws.

use kdisc::areal::{Grid, Shape};
use kdisc::{Anonymity, Delta, Metric};

use crate::args::{Levels, MapArgs, ZoomDelta};
use crate::failure::Refusal;
use crate::zoom::plan::Map as Levelled;

/// More maps on a page cannot be told apart.
const MOST_PANELS: usize = 12;
/// Pixels of the world of a web map at level 0.
const WORLD: f64 = 256.0;

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

/// The maps side by side: all k with all δ with all levels or grids.
pub fn panels(args: &MapArgs) -> anyhow::Result<(Vec<PanelPlan>, Varied)> {
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
