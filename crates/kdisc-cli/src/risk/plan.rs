//! A run of `kdisc risk`, checked as far as it can be before any file is read.

use kdisc::Anonymity;
use kdisc::within::{EnclosedError, can_be_enclosed};

use crate::args::RiskArgs;
use crate::districts::Atlas;
use crate::failure::Refusal;
use crate::outputs::{Output, Run};
use crate::register::Intake;
use crate::source::Source;

/// Names of the columns that an answer adds.
pub const ADDED: [&str; 7] = [
    "multiplicity",
    "radius",
    "units",
    "risk",
    "center_x",
    "center_y",
    "status",
];

/// A run of `kdisc risk`.
#[derive(Debug)]
pub struct Plan {
    pub units: Intake,
    /// The places that are measured instead of the units.
    pub at: Option<Intake>,
    /// Whether only units of one's own region count.
    pub within: Option<Restriction>,
    pub anonymity: Anonymity,
    pub added: [String; 7],
    pub run: Run,
    /// Where the discs go.
    pub discs: Option<Output>,
    pub show_locations: bool,
}

impl Plan {
    /// All inputs, in the order of the summary.
    fn sources(&self) -> Vec<&Source> {
        let atlas = match &self.within {
            Some(Restriction::Regions { atlas, .. }) => Some(&atlas.source),
            _ => None,
        };
        let at = self.at.as_ref().map(|at| &at.source);
        let all = [Some(&self.units.source), at, atlas];
        all.into_iter().flatten().collect()
    }
}

/// Which units count.
#[derive(Debug)]
pub enum Restriction {
    /// Those with the same text in this column.
    Column(String),
    /// Those in the same polygon, in which discs may have to lie.
    Regions { atlas: Atlas, enclosed: bool },
}

impl Plan {
    /// Checks the arguments and the targets.
    pub fn new(args: RiskArgs) -> anyhow::Result<Self> {
        let run = Run::new(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let mut units = Intake::new(source, args.units, run.audience.clone())?;
        let places = args.at.map(|path| run.audience.source(path));
        let at = places.map(|places| units.of_places(places, args.at_layer));
        let within = match (args.regions, args.within) {
            (Some(file), _) => Some(Restriction::Regions {
                atlas: Atlas::new(
                    run.audience.source(file),
                    args.regions_layer,
                    args.region_id,
                ),
                enclosed: args.enclosed,
            }),
            (None, Some(column)) => Some(Restriction::Column(column)),
            (None, None) => None,
        };
        units.only = args.only.as_deref().map(split_only).transpose()?;
        let discs = args.discs.as_deref();
        let anonymity = Anonymity::new(args.k)?
            .with_delta(args.delta)
            .with_metric(args.metric);
        if args.enclosed {
            can_be_enclosed(anonymity).map_err(|error| not_enclosed(&error))?;
        }
        let plan = Self {
            anonymity,
            added: ADDED.map(|name| format!("{}{name}", args.prefix)),
            discs: discs.map(|path| run.beside("discs", path)).transpose()?,
            show_locations: args.show_locations,
            within,
            units,
            at,
            run,
        };
        let sources = plan.sources();
        if sources.iter().filter(|source| source.is_stdin()).count() > 1 {
            return Err(Refusal::new(
                "more than one input is to come from standard input",
                "read all but one of them from files",
            )
            .into());
        }
        let beside: Vec<_> = plan.discs.iter().collect();
        plan.run.refuse_clashes(&sources, &beside)?;
        Ok(plan)
    }
}

fn not_enclosed(error: &EnclosedError) -> Refusal {
    let help = match error {
        EnclosedError::Metric(_) => "leave out --enclosed, or say --metric l2",
        _ => "leave out --enclosed, or say --delta 0 or --delta inf",
    };
    Refusal::new(error.to_string(), help)
}

fn split_only(text: &str) -> Result<(String, String), Refusal> {
    let (column, value) = text.split_once('=').ok_or_else(|| {
        Refusal::new(
            format!("--only {text:?} does not say which value"),
            "give a column and a value: --only COL=VALUE",
        )
    })?;
    Ok((column.to_owned(), value.to_owned()))
}
