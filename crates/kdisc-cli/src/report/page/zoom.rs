//! What a map shows at each zoom level.

use kdisc_report::page::{Block, Cell, Chart, Limit, Scale, Section, Series, Table};
use kdisc_report::round;
use serde_json::Value;

use super::figures::{cell, count_cell, list, number, percent, short};
use super::{left_out, repeat};
use crate::report::plan::Plan;

const TITLE: &str = "What a map shows";
const RADII: [(&str, &str); 3] = [
    ("radius_median", "median"),
    ("radius_p99", "99 %"),
    ("radius_max", "most"),
];
const RISKS: [(&str, &str); 1] = [("risk_max", "highest")];

pub fn section(plan: &Plan, facts: &Value) -> Section {
    let seen = &facts["zoom"];
    if let Some(section) = left_out("zoom", TITLE, seen) {
        return section;
    }
    let web = list(seen, "/command").iter().any(|word| word == "--levels");
    let levels = if web {
        "the levels of a web map, from a continent to a street"
    } else {
        "pixels of several sizes"
    };
    let mut blocks = vec![
        Block::Text(format!(
            "On a screen, units in one [[pixel]] are one dot. The table looks at {levels}, and measures the dots: \
             how many pixels is one away from its company? Zooming out hides, it does not protect: the data behind \
             the map are what they are."
        )),
        Block::Text(told(plan, seen, web)),
    ];
    let charts = [radii(plan, seen, web), risks(plan, seen, web)];
    let charts: Vec<_> = charts.into_iter().flatten().collect();
    if !charts.is_empty() {
        blocks.push(Block::Charts(charts));
    }
    blocks.push(Block::Table(table(seen, web)));
    blocks.extend(repeat(seen));
    Section {
        id: "zoom",
        title: TITLE.to_owned(),
        blocks,
    }
}

fn told(plan: &Plan, seen: &Value, web: bool) -> String {
    let Some(found) = seen["verdict"].as_object() else {
        return "No limit in pixels was given (`--max-radius-px` or `--max-risk-px`), so no level is called safe."
            .to_owned();
    };
    let limits = [
        plan.limits
            .radius_px
            .map(|limit| format!("discs of at most {} pixels", round::text(limit))),
        plan.limits
            .risk_px
            .map(|limit| format!("a risk of at most {} pixels per unit", round::text(limit))),
    ];
    let limits: Vec<_> = limits.into_iter().flatten().collect();
    let mut limits = limits.join(" and ");
    if plan.limits.allow > 0.0 {
        limits += ", for all but ";
        limits += &percent(plan.limits.allow);
        limits += " of the units";
    }
    match found.get("most_detailed_safe") {
        Some(Value::Null) | None => format!("*No level is safe* by {limits}."),
        Some(level) if web => {
            format!("*Level {level} is the most detailed that is safe*, by {limits}.")
        }
        Some(level) => {
            format!("*Pixels of {level} m are the smallest that are safe*, by {limits}.")
        }
    }
}

fn radii(plan: &Plan, seen: &Value, web: bool) -> Option<Chart> {
    let limit = plan.limits.radius_px;
    let limit = limit.map(|limit| (limit, format!("limit: {} pixels", round::text(limit))));
    let chart = Chart {
        title: "Perceived [[radius]] by [[zoom level]]".to_owned(),
        description: "Lines of the median, 99 % and largest perceived radius in pixels against the zoom level."
            .to_owned(),
        y: ("Radius, pixels".to_owned(), Scale::Ratios),
        ..along(seen, web, limit)
    };
    with_lines(chart, &RADII, "pixels", seen, web)
}

fn risks(plan: &Plan, seen: &Value, web: bool) -> Option<Chart> {
    let limit = plan.limits.risk_px;
    let limit = limit.map(|limit| {
        let text = format!("limit: {} pixels per unit", round::text(limit));
        (limit, text)
    });
    let chart = Chart {
        title: "Highest perceived [[risk]] by [[zoom level]]".to_owned(),
        description:
            "Line of the highest perceived risk in pixels per unit against the zoom level."
                .to_owned(),
        y: ("Risk, pixels per unit".to_owned(), Scale::Ratios),
        ..along(seen, web, limit)
    };
    with_lines(chart, &RISKS, "pixels per unit", seen, web)
}

/// The chart with its lines, if there are any.
fn with_lines(
    chart: Chart,
    lines: &[(&str, &str)],
    unit: &str,
    seen: &Value,
    web: bool,
) -> Option<Chart> {
    let levels = list(seen, "/levels");
    let series = lines.iter().map(|(key, shown)| Series {
        name: (*shown).to_owned(),
        points: levels
            .iter()
            .filter_map(|level| {
                let value = level["perceived"][*key].as_f64()?;
                let at = level["level"].as_f64()?;
                let named = if web {
                    format!("level {at}")
                } else {
                    format!("pixels of {at} m")
                };
                Some((
                    at,
                    value,
                    format!("{named}: {shown} {} {unit}", short(value)),
                ))
            })
            .collect(),
    });
    let series: Vec<_> = series.filter(|line| !line.points.is_empty()).collect();
    (!series.is_empty()).then_some(Chart { series, ..chart })
}

/// A chart over the levels, with the limit and the level that is safe by it.
fn along(seen: &Value, web: bool, limit: Option<(f64, String)>) -> Chart {
    let mut limits: Vec<Limit> = Vec::new();
    limits.extend(limit.map(|(limit, text)| Limit::Y(limit, text)));
    if let Some(level) = number(seen, "/verdict/most_detailed_safe") {
        let name = if web {
            format!("safe up to {level}")
        } else {
            format!("safe from {level} m")
        };
        limits.push(Limit::X(level, name));
    }
    Chart {
        title: String::new(),
        description: String::new(),
        x: if web {
            ("Zoom level, coarse to detailed".to_owned(), Scale::Even)
        } else {
            ("Size of a pixel, m".to_owned(), Scale::Ratios)
        },
        y: (String::new(), Scale::Ratios),
        series: Vec::new(),
        limits,
        dotted: true,
    }
}

fn table(seen: &Value, web: bool) -> Table {
    let levels = list(seen, "/levels");
    let columns = [
        ("/perceived/radius_median", "Radius, px: median"),
        ("/perceived/radius_p99", "99 %"),
        ("/perceived/radius_max", "most"),
        ("/perceived/risk_max", "Highest risk, px per unit"),
    ];
    let has = |path: &str| levels.iter().any(|level| number(level, path).is_some());
    let columns: Vec<_> = columns.into_iter().filter(|(path, _)| has(path)).collect();
    let judged = levels.iter().any(|level| !level["units_above"].is_null());
    let first = if web { "Level" } else { "Pixel, m" };
    let metres = has("/metres_per_pixel");
    let mut head = vec![first.to_owned()];
    head.extend(metres.then(|| "Metres per pixel".to_owned()));
    head.push("Dots".to_owned());
    head.extend(columns.iter().map(|(_, name)| (*name).to_owned()));
    head.extend(judged.then(|| "Units beyond a limit".to_owned()));
    let rows = levels.iter().map(|level| {
        let name = level["level"].as_f64().unwrap_or(0.0);
        let mut row = vec![Cell::Number(round::text(name), name)];
        row.extend(metres.then(|| cell(number(level, "/metres_per_pixel"))));
        row.push(count_cell(&level["locations"]));
        row.extend(columns.iter().map(|(path, _)| cell(number(level, path))));
        row.extend(judged.then(|| count_cell(&level["units_above"])));
        row
    });
    Table {
        caption: "What is perceived at each [[zoom level]]".to_owned(),
        head,
        rows: rows.collect(),
    }
}
