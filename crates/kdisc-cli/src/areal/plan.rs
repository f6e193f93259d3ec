//! A run of `kdisc areal`, checked as far as it can be before any file is read.

use kdisc::areal::{Grid, Shape};
use kdisc::{Anonymity, Delta};

use crate::args::{ArealArgs, DivisionArgs};
use crate::audience::Audience;
use crate::districts::Atlas;
use crate::failure::Refusal;
use crate::outputs::{Output, Run};
use crate::register::Intake;
use crate::source::Source;

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

impl Division {
    /// The one that is asked for, if any is.
    pub fn new(args: DivisionArgs, audience: &Audience) -> Result<Option<Self>, Refusal> {
        let grid = |shape, size| {
            let grid = Grid::new(shape, size);
            let grid = grid.and_then(|grid| grid.with_origin(args.origin.unwrap_or_default()));
            let grid = grid.map_err(|error| {
                Refusal::new(
                    error.to_string(),
                    "give a size in metres, such as --grid 200",
                )
            })?;
            let edges = args.edges.map(Into::into).unwrap_or_default();
            Ok::<_, Refusal>(Self::Grid(grid.with_edges(edges)))
        };
        Ok(match (args.grid, args.hex, args.regions) {
            (Some(size), ..) => Some(grid(Shape::Square, size)?),
            (_, Some(size), _) => Some(grid(Shape::Hexagon, size)?),
            (.., Some(path)) => {
                let atlas = Atlas::new(audience.source(path), args.regions_layer, args.region_id);
                Some(Self::Regions(atlas))
            }
            _ => None,
        })
    }

    /// All inputs of a run that divides what comes from `units`.
    pub fn sources<'a>(&'a self, units: &'a Source) -> Result<Vec<&'a Source>, Refusal> {
        let Self::Regions(atlas) = self else {
            return Ok(vec![units]);
        };
        if units.is_stdin() && atlas.source.is_stdin() {
            return Err(Refusal::new(
                "both the units and the regions are to come from standard input",
                "read one of them from a file",
            ));
        }
        Ok(vec![units, &atlas.source])
    }
}

impl Plan {
    pub fn new(args: ArealArgs) -> anyhow::Result<Self> {
        let run = Run::new(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let division = Division::new(args.division, &run.audience)?.ok_or_else(|| {
            let help = "say which: --grid M, --hex M or --regions FILE";
            Refusal::new("there are no regions to count in", help)
        })?;
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
        let sources = self.division.sources(&self.intake.source)?;
        let beside: Vec<_> = self.units.iter().collect();
        self.run.refuse_clashes(&sources, &beside)
    }
}
