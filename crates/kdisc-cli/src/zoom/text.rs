//! The summary for people, on standard error.

use std::fmt::Write;

use super::Summary;
use super::levels::Label;
use super::plan::{Map, Plan};
use super::table::{Figures, Row};
use super::verdict::{Breaking, Verdict};
use crate::args::ZoomDelta;
use crate::summary::text::{LOCATIONS, confidential, count, input, question_in, short};

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let plan = summary.plan;
    let prepared = summary.prepared;
    writeln!(out, "asked      {}", asked(plan))?;
    input(out, "input", &prepared.register.facts)?;
    let population = &prepared.population;
    let units = count(population.units(), "unit");
    let locations = count(population.locations().len() as u64, "location");
    writeln!(out, "population {units} at {locations}")?;
    writeln!(out, "pixels     {}\n", pixels(plan))?;
    table(out, summary)?;
    writeln!(out)?;
    verdict(out, summary)?;
    writeln!(
        out,
        "intrinsic  zooming out hides units behind each other but protects none: whoever has the \
         data\n           behind the map finds the radii on the right"
    )?;
    let t = summary.timings;
    let threads = count(plan.run.threads as u64, "thread");
    writeln!(
        out,
        "time       read {:.2} s, levels {:.2} s, write {:.2} s; {threads}",
        t.read, t.look, t.write
    )?;
    for warning in &prepared.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let files: Vec<_> = plan.units.iter().map(|units| (units, LOCATIONS)).collect();
    confidential(out, &files)
}

fn asked(plan: &Plan) -> String {
    let anonymity = match plan.delta {
        ZoomDelta::Pixels(delta) => plan.anonymity.with_delta(delta),
        _ => plan.anonymity,
    };
    let question = question_in("px", anonymity);
    match plan.delta {
        ZoomDelta::Pixels(_) => format!("{question}, in pixels"),
        delta => {
            let (head, _) = question.split_once(", ").unwrap_or((&question, ""));
            let far = match delta {
                ZoomDelta::Overlap => "as far as locations in one pixel are apart",
                _ => "one dot",
            };
            format!("{head}, with its centre within {far}, in pixels")
        }
    }
}

fn pixels(plan: &Plan) -> String {
    let map = match &plan.map {
        Map::Web { world, .. } => format!("of a web map, {world} to the tile"),
        Map::Metres(_) => "floor(coordinate / size), sizes in metres".to_owned(),
        Map::Screen(_) => "of a screen that shows all units".to_owned(),
    };
    if plan.marker == 1.0 {
        map
    } else {
        format!("{map}; dots of {} pixels", plan.marker)
    }
}

fn table(out: &mut String, summary: &Summary) -> std::fmt::Result {
    writeln!(
        out,
        "{:>26} {:^41}  {:^31}",
        "", "perceived, in pixels", "intrinsic, in metres"
    )?;
    let heads = [
        "level", "m/pixel", "dots", "median", "99%", "max", "above", "median", "99%",
    ];
    for (head, width) in heads.iter().zip(WIDTHS) {
        write!(out, " {head:>width$}")?;
    }
    writeln!(out, " {:>9}", "max")?;
    for row in &summary.seen.rows {
        for (cell, width) in cells(row).iter().zip(WIDTHS.into_iter().chain([9])) {
            write!(out, " {cell:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

const WIDTHS: [usize; 9] = [9, 9, 9, 9, 9, 9, 9, 10, 9];

fn cells(row: &Row) -> [String; 10] {
    let none = || "-".to_owned();
    let figure = |figures: Option<&Figures>, of: fn(&Figures) -> f64| {
        figures.map_or_else(none, |figures| short(of(figures)))
    };
    let (seen, exact) = (row.perceived.as_ref(), row.intrinsic.as_ref());
    [
        row.label.to_string(),
        short(row.metres_per_pixel),
        row.locations.to_string(),
        figure(seen, |f| f.median),
        figure(seen, |f| f.p99),
        figure(seen, |f| f.max),
        row.units_above.map_or_else(none, |above| above.to_string()),
        figure(exact, |f| f.median),
        figure(exact, |f| f.p99),
        figure(exact, |f| f.max),
    ]
}

fn verdict(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let plan = summary.plan;
    let called = |label: Label| match label {
        Label::Web(level) => format!("level {level}"),
        Label::Metres(size) => format!("pixels of {size} m"),
        Label::Screen(_) => format!("the screen of {label}"),
    };
    match summary.verdict {
        Verdict::NoLimit => {
            return writeln!(
                out,
                "verdict    none: nobody said what is too much; --max-radius PX or --max-risk-px PX \
                 do"
            );
        }
        Verdict::Safe(label) => writeln!(
            out,
            "verdict    SAFE up to {}: {}, and none of the coarser levels asked for has more",
            called(label),
            allowance(plan)
        )?,
        Verdict::NoneSafe => writeln!(
            out,
            "verdict    NONE of the levels is safe: not even the coarsest has {}",
            allowance(plan)
        )?,
    }
    if let Some(Breaking { label, units, rows }) = &summary.seen.breaking {
        let units = count(*units, "unit");
        writeln!(out, "broken     {} by {units}; among them", called(*label))?;
        for row in rows {
            write!(out, "           {}", row.name)?;
            match row.disc {
                Some(disc) => write!(out, ": {} pixels", short(disc.radius))?,
                None if summary.seen.rows.iter().all(|row| row.perceived.is_none()) => {
                    write!(out, ": no disc, fewer than k units in all")?;
                }
                None => {}
            }
            if plan.show_locations {
                let place = summary.prepared.ground.from_metres(row.place);
                write!(out, ", at {} {}", place.x, place.y)?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn allowance(plan: &Plan) -> String {
    let who = if plan.allow == 0.0 {
        "no unit".to_owned()
    } else {
        format!("at most {}% of the units", short(plan.allow * 100.0))
    };
    let radius = plan.limits.radius.map(|limit| format!("{limit} pixels"));
    let risk = plan.limits.risk;
    let risk = risk.map(|limit| format!("a risk of {limit} pixels per unit"));
    let limits: Vec<_> = radius.into_iter().chain(risk).collect();
    format!("{who} above {}", limits.join(" or "))
}
