//! `kdisc map`: read, measure, compose, draw, write, tell.

mod compose;
mod context;
pub mod extent;
mod json;
mod look;
mod marks;
mod panels;
mod plan;
mod prepare;
mod public;
mod text;
mod words;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use kdisc_report::map::{Map, MapError, Mark};
use kdisc_report::theme::Theme;
use serde_json::Value;

use crate::args::MapArgs;
use crate::delivery::{Delivery, Fingerprint};
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::progress;
use crate::source::Source;
pub use look::Known;
use look::{LeftOut, Looking, Seen};
use plan::{Picture, Plan};
use prepare::Prepared;

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
struct Timings {
    read: f64,
    measure: f64,
    draw: f64,
    write: f64,
}

/// What there is to draw.
struct Looked {
    seen: Vec<Seen>,
    /// The marks of each panel.
    marks: Vec<Vec<Mark>>,
    left_out: Option<LeftOut>,
}

/// What a run comes down to.
struct Summary<'a> {
    command: Vec<String>,
    plan: &'a Plan,
    prepared: &'a Prepared,
    map: &'a Map<'a>,
    left_out: Option<LeftOut>,
    bytes: usize,
    hashes: Vec<Fingerprint>,
    timings: Timings,
}

pub fn run(args: MapArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let (prepared, looked) = look(&plan, None, &interrupt, &mut timings)?;
    let clock = Instant::now();
    let map = compose::map(&plan, &prepared, &looked)?;
    let drawn = draw(&plan, &map)?;
    timings.draw = clock.elapsed().as_secs_f64();
    let summary = plan.run.complete(
        &[],
        &interrupt,
        || write(&plan, &drawn, &interrupt),
        |hashes, seconds| {
            timings.write = seconds;
            Summary {
                command,
                plan: &plan,
                prepared: &prepared,
                map: &map,
                left_out: looked.left_out,
                bytes: drawn.iter().map(Vec::len).sum(),
                hashes,
                timings,
            }
        },
        json::render,
    )?;
    plan.run
        .audience
        .tell(&prepared.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

/// A map as it is shown elsewhere.
pub struct Shown {
    /// As SVG, in each of the looks.
    pub pictures: Vec<String>,
    /// For those who do not see it.
    pub description: String,
    /// The figures on it.
    pub figures: Value,
}

/// One map of this source in several looks; nothing is written, and what is known is not measured
/// again.
pub fn pictures(
    args: MapArgs,
    source: &Source,
    known: &Known,
    looks: &[(Theme, f64)],
    interrupt: &Interrupt,
) -> anyhow::Result<Shown> {
    let mut plan = Plan::new(args)?;
    plan.intake.source = source.clone();
    let (prepared, looked) = look(&plan, Some(known), interrupt, &mut Timings::default())?;
    let mut pictures = Vec::new();
    let mut description = String::new();
    let mut figures = Value::Null;
    for (theme, width) in looks {
        plan.looks.theme = *theme;
        for picture in &mut plan.pictures {
            picture.sheet.width = *width;
        }
        let map = compose::map(&plan, &prepared, &looked)?;
        for drawn in draw(&plan, &map)? {
            pictures.push(String::from_utf8(drawn)?);
        }
        figures = json::figures(&map, looked.left_out);
        description = map.description;
    }
    Ok(Shown {
        pictures,
        description,
        figures,
    })
}

fn write<'a>(
    plan: &'a Plan,
    drawn: &[Vec<u8>],
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    for (picture, bytes) in plan.pictures.iter().zip(drawn) {
        delivery.write_file(&picture.output, |mut sink| {
            sink.write_all(bytes)?;
            Ok(sink)
        })?;
    }
    Ok(delivery)
}

/// Reads the units and measures what the panels show.
fn look(
    plan: &Plan,
    known: Option<&Known>,
    interrupt: &Interrupt,
    timings: &mut Timings,
) -> anyhow::Result<(Prepared, Looked)> {
    let clock = Instant::now();
    let pool = plan.run.pool()?;
    let prepared = pool.install(|| Prepared::read(plan))?;
    timings.read = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let looking = Looking {
        plan,
        prepared: &prepared,
        known,
        pool: &pool,
        interrupt,
    };
    let (seen, left_out) = looking.all()?;
    let marks = looking.marks(&seen)?;
    timings.measure = clock.elapsed().as_secs_f64();
    let looked = Looked {
        seen,
        marks,
        left_out,
    };
    Ok((prepared, looked))
}

/// The map as each of the pictures.
fn draw(plan: &Plan, map: &Map) -> Result<Vec<Vec<u8>>, Refusal> {
    let creator = format!("kdisc {}", env!("CARGO_PKG_VERSION"));
    let keep = match &map.notice {
        Some(notice) => format!("{notice}; keep it as safe as the input."),
        None => "Prepared for publication.".to_owned(),
    };
    let metadata = format!("{keep} {}", map.notes.join(" "));
    let draw = |picture: &Picture| map.picture(&picture.sheet, picture.kind, &creator, &metadata);
    let drawn = progress::waiting("drawing", &plan.run.audience, || {
        plan.pictures
            .iter()
            .map(draw)
            .collect::<Result<Vec<_>, _>>()
    });
    drawn.map_err(|error| {
        let help = match &error {
            MapError::NoRoom { .. } => {
                "give a larger page (--size 1000x800), a width alone, or fewer maps side by side"
            }
            MapError::TooLarge { .. } => {
                "give a smaller --size, or fewer pixels per inch: --dpi 150"
            }
            MapError::Nothing => "give a file with at least one row",
            MapError::Library(_) => "make another kind of picture: .png, .svg or .pdf",
        };
        Refusal::new(error.to_string(), help)
    })
}
