//! A run of `kdisc rules`, checked as far as it can be before any file is read.

use kdisc::Anonymity;
use kdisc::rules::{Rule, RuleError, Rules};

use crate::areal::plan::Division;
use crate::args::{RasterRisk, RulesArgs};
use crate::failure::Refusal;
use crate::outputs::{Output, Run};
use crate::register::Intake;
use crate::risk::plan::split_only;

/// The p%-rule when no rule on values is named.
const USUAL_P: f64 = 10.0;
/// sdcSpatial's.
const USUAL_MIN_COUNT: u64 = 10;
/// Every k up to this one is tried when nobody says which.
const USUAL_MAX_K: u64 = 50;

#[derive(Debug)]
pub struct Plan {
    pub intake: Intake,
    pub value: Option<String>,
    pub group: Option<String>,
    pub category: Option<String>,
    /// The category that the discrete risk is about.
    pub sensitive: Option<String>,
    pub rules: Rules,
    pub anonymity: Anonymity,
    /// Up to which k every one is tried.
    pub max_k: u64,
    /// Whether also where that takes long.
    pub every_k: bool,
    pub division: Option<Division>,
    /// Where the units go when the table is one of regions.
    pub units: Option<Output>,
    pub prefix: String,
    pub run: Run,
}

impl Plan {
    pub fn new(args: RulesArgs) -> anyhow::Result<Self> {
        let rules = rules(&args)?;
        let run = Run::new(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let mut intake = Intake::new(source, args.reading, run.audience.clone())?;
        intake.only = args.only.as_deref().map(split_only).transpose()?;
        let division = Division::new(args.division, &run.audience)?;
        if args.units.is_some() && division.is_none() {
            return Err(Refusal::new(
                "--units goes with a table of regions, and there are none",
                "the table itself is one of units; or add --grid M",
            )
            .into());
        }
        let units = args.units.as_deref();
        let plan = Self {
            value: args.value,
            group: args.group,
            category: args.category,
            sensitive: args.sensitive,
            rules,
            anonymity: Anonymity::new(args.k)?
                .with_delta(args.delta)
                .with_metric(args.metric),
            max_k: args.max_k.unwrap_or(USUAL_MAX_K),
            every_k: args.max_k.is_some(),
            division,
            units: units.map(|path| run.beside("units", path)).transpose()?,
            prefix: args.prefix,
            intake,
            run,
        };
        let source = &plan.intake.source;
        let sources = match &plan.division {
            None => vec![source],
            Some(division) => division.sources(source)?,
        };
        let beside: Vec<_> = plan.units.iter().collect();
        plan.run.refuse_clashes(&sources, &beside)?;
        Ok(plan)
    }

    /// Whether one of the rules is a risk of rasters.
    pub fn has_raster_risk(&self) -> bool {
        self.rules.all().iter().any(|rule| is_raster(*rule))
    }
}

pub fn is_raster(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::External(_) | Rule::Internal(_) | Rule::Discrete(_)
    )
}

/// What a rule is called in a table.
pub fn token(rule: Rule) -> String {
    match rule {
        Rule::P(_) => "p".to_owned(),
        Rule::Dominance { n, percent } => format!("dominance_{n}_{percent}"),
        Rule::MinCount(_) => "min_count".to_owned(),
        Rule::Share(_) => "share".to_owned(),
        Rule::External(_) => "external".to_owned(),
        Rule::Internal(_) => "internal".to_owned(),
        Rule::Discrete(_) => "discrete".to_owned(),
    }
}

fn rules(args: &RulesArgs) -> Result<Rules, Refusal> {
    let missing = |column: &str, why: &str| {
        Refusal::new(
            format!("--raster-risk {why} is about {column}s, and no column of these is named"),
            format!("name it: --{column} COL"),
        )
    };
    let risk = match args.raster_risk {
        None => None,
        Some(RasterRisk::Discrete) if args.category.is_none() => {
            return Err(missing("category", "discrete"));
        }
        Some(RasterRisk::External) if args.value.is_none() => {
            return Err(missing("value", "external"));
        }
        Some(RasterRisk::Internal) if args.value.is_none() => {
            return Err(missing("value", "internal"));
        }
        Some(RasterRisk::External) => Some(Rule::External(args.max_risk)),
        Some(RasterRisk::Internal) => Some(Rule::Internal(args.max_risk)),
        Some(RasterRisk::Discrete) => Some(Rule::Discrete(args.max_risk)),
    };
    let usual_count = risk.map(|_| USUAL_MIN_COUNT);
    let min_count = args.min_count.or(usual_count);
    let is_named = args.p.is_some() || !args.dominance.is_empty() || min_count.is_some();
    let usual_p = (args.value.is_some() && !is_named).then_some(USUAL_P);
    let mut all = Vec::new();
    all.extend(args.p.or(usual_p).map(Rule::P));
    let dominance = args.dominance.iter();
    all.extend(dominance.map(|&(n, percent)| Rule::Dominance { n, percent }));
    all.extend(min_count.map(Rule::MinCount));
    // A risk of rasters takes the place of the limit to shares.
    let shares = args.category.is_some() && !matches!(risk, Some(Rule::Discrete(_)));
    all.extend(shares.then_some(Rule::Share(args.max_share)));
    all.extend(risk);
    Rules::new(all).map_err(|error| out_of_range(&error))
}

fn out_of_range(error: &RuleError) -> Refusal {
    let help = match error {
        RuleError::P(_) => "give a percentage: --p 10",
        RuleError::DominanceCount(_) | RuleError::DominancePercent(_) => {
            "give a number and a percentage: --dominance 1,75"
        }
        RuleError::MinCount => "give a number of contributors: --min-count 10",
        RuleError::Share(_) => "give a share: --max-share 0.9",
        RuleError::Risk(_) => "give a share: --max-risk 0.95",
        RuleError::TooMany(_) => "leave some of them out",
    };
    Refusal::new(error.to_string(), help)
}
