//! A run of `kdisc areal`, checked as far as it can be before any file is read.

use kdisc::areal::{Grid, Shape};
use kdisc::{Anonymity, Delta};

use crate::args::ArealArgs;
use crate::districts::Atlas;
use crate::failure::Refusal;
use crate::outputs::{Output, Run};
use crate::register::Intake;

/// Units in a disc when nobody says how many.
const USUAL_K: u64 = 10;

#[derive(Debug)]
pub struct Plan {
    pub intake: Intake,
    pub division: Division,
    pub min_count: Option<u64>,
    /// In how many steps the grid moves, if at all.
    pub shifts: Option<u32>,
    /// What is asked of the units themselves, if anything.
    pub anonymity: Option<Anonymity>,
    pub max_radius: Option<f64>,
    /// Where the units go.
    pub units: Option<Output>,
    pub prefix: String,
    pub run: Run,
}

/// What the plane is divided into.
#[derive(Debug)]
pub enum Division {
    Grid(Grid),
    Regions(Atlas),
}

impl Plan {
    pub fn new(args: ArealArgs) -> anyhow::Result<Self> {
        let run = Run::new(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let grid = |shape, size| {
            let grid = Grid::new(shape, size);
            let grid = grid.and_then(|grid| grid.with_origin(args.origin.unwrap_or_default()));
            let grid = grid.map_err(|error| {
                Refusal::new(
                    error.to_string(),
                    "give a size in metres, such as --grid 200",
                )
            })?;
            Ok::<_, Refusal>(grid.with_edges(args.edges.map(Into::into).unwrap_or_default()))
        };
        let division = match (args.grid, args.hex, args.regions) {
            (Some(size), ..) => Division::Grid(grid(Shape::Square, size)?),
            (_, Some(size), _) => Division::Grid(grid(Shape::Hexagon, size)?),
            (.., Some(path)) => Division::Regions(Atlas::new(
                run.audience.source(path),
                args.regions_layer,
                args.region_id,
            )),
            _ => {
                let help = "say which: --grid M, --hex M or --regions FILE";
                return Err(Refusal::new("there are no regions to count in", help).into());
            }
        };
        let is_measured =
            args.maup || args.k.is_some() || args.delta.is_some() || args.max_radius.is_some();
        let k = args.k.unwrap_or(USUAL_K);
        let asked = Anonymity::new(k)?.with_delta(args.delta.unwrap_or(Delta::INFINITE));
        let units = args.units.as_deref();
        let plan = Self {
            intake: Intake::new(source, args.reading, run.audience.clone())?,
            division,
            min_count: args.min_count.or(args.maup.then_some(k)),
            shifts: args.maup.then_some(args.shifts),
            anonymity: is_measured.then_some(asked),
            max_radius: args.max_radius,
            units: units.map(|path| run.beside("units", path)).transpose()?,
            prefix: args.prefix,
            run,
        };
        plan.refuse_clashes()?;
        Ok(plan)
    }

    fn refuse_clashes(&self) -> Result<(), Refusal> {
        let mut sources = vec![&self.intake.source];
        if let Division::Regions(atlas) = &self.division {
            sources.push(&atlas.source);
        }
        if sources.iter().all(|source| source.is_stdin()) && sources.len() > 1 {
            return Err(Refusal::new(
                "both the units and the regions are to come from standard input",
                "read one of them from a file",
            ));
        }
        let beside: Vec<_> = self.units.iter().collect();
        self.run.refuse_clashes(&sources, &beside)
    }
}
