//! A run of `kdisc zoom`, checked as far as it can be before any file is read.

use kdisc::zoom::Limits;
use kdisc::{Anonymity, Delta};

use crate::args::{Levels, Screen, ZoomArgs, ZoomDelta};
use crate::failure::Refusal;
use crate::outputs::{Output, Run};
use crate::register::Intake;

/// Names of the columns that are added to units.
pub const ADDED: [&str; 8] = [
    "pixel_x",
    "pixel_y",
    "multiplicity",
    "radius_px",
    "radius",
    "units",
    "risk_px",
    "status",
];

/// Levels that are looked at when nobody says which.
const USUAL: Levels = Levels { first: 6, last: 18 };

#[derive(Debug)]
pub struct Plan {
    pub intake: Intake,
    pub map: Map,
    /// Size of a dot, in pixels.
    pub marker: f64,
    pub delta: ZoomDelta,
    /// Without δ, which depends on the level.
    pub anonymity: Anonymity,
    pub limits: Limits,
    /// Share of the units that may exceed a limit.
    pub allow: f64,
    pub added: [String; 8],
    /// Where the units go.
    pub units: Option<Output>,
    pub show_locations: bool,
    pub run: Run,
}

/// Of what map the levels are.
#[derive(Debug, Clone, PartialEq)]
pub enum Map {
    /// A web map, whose world is so many pixels wide at level 0.
    Web { levels: Levels, world: f64 },
    /// Pixels of these sizes in metres, coarse to detailed.
    Metres(Vec<f64>),
    /// The extent of the units.
    Screen(Screen),
}

impl Plan {
    pub fn new(args: ZoomArgs) -> anyhow::Result<Self> {
        let run = Run::new(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let map = match args.screen {
            Some(screen) => Map::Screen(screen),
            None if args.pixel.is_empty() => Map::Web {
                levels: args.levels.unwrap_or(USUAL),
                world: if args.tile == "512" { 512.0 } else { 256.0 } * args.dpr,
            },
            None => Map::Metres(coarse_first(args.pixel)?),
        };
        if args.units.is_some() && map.levels() != 1 {
            return Err(Refusal::new(
                format!(
                    "--units is about one level, but {} are asked for",
                    map.levels()
                ),
                "name one, such as --levels 14, --pixel 100 or --screen 1200x800",
            )
            .into());
        }
        let units = args.units.as_deref();
        let units = units.map(|path| run.beside("units", path)).transpose()?;
        let plan = Self {
            intake: Intake::new(source, args.reading, run.audience.clone())?,
            map,
            marker: args.marker,
            delta: args.delta,
            anonymity: Anonymity::new(args.k)?.with_metric(args.metric),
            limits: Limits {
                radius: args.max_radius,
                risk: args.max_risk_px,
            },
            allow: args.allow,
            added: ADDED.map(|name| format!("{}{name}", args.prefix)),
            units,
            show_locations: args.show_locations,
            run,
        };
        let beside: Vec<_> = plan.units.iter().collect();
        plan.run.refuse_clashes(&[&plan.intake.source], &beside)?;
        Ok(plan)
    }

    pub fn has_limit(&self) -> bool {
        self.limits != Limits::default()
    }

    /// Whether δ is the same, and not a finite distance, at all levels.
    pub fn fixed_delta(&self) -> Option<Delta> {
        match self.delta {
            ZoomDelta::Pixels(delta) if delta == Delta::ZERO || delta == Delta::INFINITE => {
                Some(delta)
            }
            _ => None,
        }
    }
}

impl Map {
    fn levels(&self) -> usize {
        match self {
            Self::Web { levels, .. } => usize::from(levels.last - levels.first) + 1,
            Self::Metres(sizes) => sizes.len(),
            Self::Screen(_) => 1,
        }
    }
}

fn coarse_first(mut sizes: Vec<f64>) -> Result<Vec<f64>, Refusal> {
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    if let Some([size, _]) = sizes.array_windows().find(|[a, b]| a == b) {
        return Err(Refusal::new(
            format!("--pixel has {size} twice"),
            "name each size once",
        ));
    }
    Ok(sizes)
}
