//! A run of `kdisc density`, checked as far as it can be before any file is read.

use kdisc::Anonymity;
use kdisc::Delta;
use kdisc::density::{Kernel, Rule};

use crate::args::DensityArgs;
use crate::districts::Atlas;
use crate::failure::Refusal;
use crate::outputs::Run;
use crate::raster::Raster;
use crate::register::Intake;

#[derive(Debug)]
pub struct Plan {
    pub intake: Intake,
    pub raster: Raster,
    pub width: Width,
    pub kernel: Kernel,
    pub value: Option<String>,
    pub exact: bool,
    /// The study region.
    pub atlas: Option<Atlas>,
    pub rule: Rule,
    /// Whether cells that break the rule are left out.
    pub masked: bool,
    pub run: Run,
}

/// How far units are spread.
#[derive(Debug, Clone, Copy)]
pub enum Width {
    Fixed(f64),
    /// By the discs round them, and at least so far.
    Adaptive {
        asked: Anonymity,
        least: f64,
    },
}

impl Plan {
    pub fn new(args: DensityArgs) -> anyhow::Result<Self> {
        let run = Run::raster(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let raster = Raster::new(&args.raster, &run);
        let width = match args.bandwidth {
            Some(bandwidth) => Width::Fixed(bandwidth),
            None => Width::Adaptive {
                asked: Anonymity::new(args.k)?.with_delta(Delta::ZERO),
                least: args.min_bandwidth.unwrap_or(raster.cell),
            },
        };
        let plan = Self {
            intake: Intake::new(source, args.units, run.audience.clone())?,
            raster,
            width,
            kernel: args.kernel,
            value: args.value,
            exact: args.exact,
            atlas: args
                .regions
                .map(|file| Atlas::new(run.audience.source(file), args.regions_layer, None)),
            rule: Rule {
                min_contributors: args.min_contributors,
                max_share: args.max_share,
            },
            masked: args.mask_unsafe,
            run,
        };
        let atlas = plan.atlas.iter().map(|atlas| &atlas.source);
        let sources: Vec<_> = std::iter::once(&plan.intake.source).chain(atlas).collect();
        if sources.len() > 1 && sources.iter().all(|source| source.is_stdin()) {
            return Err(Refusal::new(
                "both the units and the region are to come from standard input",
                "read one of them from a file",
            )
            .into());
        }
        plan.run.refuse_clashes(&sources, &[])?;
        Ok(plan)
    }

    /// What is done to the units, in words.
    pub fn method(&self) -> String {
        let width = match self.width {
            Width::Fixed(bandwidth) => format!("bandwidth {bandwidth} m"),
            Width::Adaptive { asked, least } => format!(
                "adaptive bandwidth of {} units, at least {least} m",
                asked.k()
            ),
        };
        let from = if self.exact {
            "units where they are"
        } else {
            "units at the centres of their cells"
        };
        let cut = match self.kernel {
            Kernel::Gaussian => format!(", cut at {} deviations", Kernel::CUT),
            _ => String::new(),
        };
        let cell = self.raster.cell;
        format!(
            "{} kernel{cut}, {width}, cells of {cell} m, {from}",
            self.kernel
        )
    }

    /// What a safe cell must satisfy, in words.
    pub fn rule(&self) -> String {
        let Rule {
            min_contributors,
            max_share,
        } = self.rule;
        format!(
            "at least {min_contributors} effective contributors, and no share above {max_share}"
        )
    }
}
