//! A run of `kdisc risk`, checked as far as it can be before any file is read.

use kdisc::Anonymity;

use crate::args::RiskArgs;
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
    pub anonymity: Anonymity,
    pub added: [String; 7],
    pub run: Run,
    /// Where the discs go.
    pub discs: Option<Output>,
    pub show_locations: bool,
}

impl Plan {
    /// Checks the arguments and the targets.
    pub fn new(args: RiskArgs) -> anyhow::Result<Self> {
        let run = Run::new(args.run)?;
        let source = args.input.map_or(Source::Example, Source::File);
        let mut units = Intake::new(source, args.units, run.quiet)?;
        let places = args.at.map(Source::File);
        let at = places.map(|places| units.of_places(places, args.at_layer));
        let both = at.iter().chain([&units]);
        if both.filter(|intake| intake.source.is_stdin()).count() > 1 {
            return Err(Refusal::new(
                "both the units and the places are to come from standard input",
                "read one of them from a file",
            )
            .into());
        }
        units.only = args.only.as_deref().map(split_only).transpose()?;
        let discs = args.discs.as_deref();
        let plan = Self {
            anonymity: Anonymity::new(args.k)?
                .with_delta(args.delta)
                .with_metric(args.metric),
            added: ADDED.map(|name| format!("{}{name}", args.prefix)),
            discs: discs.map(|path| run.beside("discs", path)).transpose()?,
            show_locations: args.show_locations,
            units,
            at,
            run,
        };
        let sources: Vec<_> = [Some(&plan.units), plan.at.as_ref()]
            .into_iter()
            .flatten()
            .map(|intake| &intake.source)
            .collect();
        let beside: Vec<_> = plan.discs.iter().collect();
        plan.run.refuse_clashes(&sources, &beside)?;
        Ok(plan)
    }
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
