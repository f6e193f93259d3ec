//! What a map shows at each zoom level.

use kdisc_report::page::{Block, Cell, Chart, Limit, Scale, Section, Series, Table};
use kdisc_report::round;
use serde_json::Value;

use super::figures::{cells, count_cell, list, number, percent, short};
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
        let what = if web { "level" } else { "pixel" };
        return format!(
            "No limit in pixels was given (`--max-radius-px` or `--max-risk-px`), so no {what} is called safe."
        );
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
        Some(Value::Null) | None if web => format!("*No level is safe* by {limits}."),
        Some(Value::Null) | None => format!("*None of these pixels is safe* by {limits}."),
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
        title: format!("Perceived [[radius]] {}", by(web)),
        description: format!(
            "Lines of the median, 99 % and largest perceived radius in pixels against {}.",
            against(web)
        ),
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
        title: format!("Highest perceived [[risk]] {}", by(web)),
        description: format!(
            "Line of the highest perceived risk in pixels per unit against {}.",
            against(web)
        ),
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
            ("Zoom level, coarse to detailed".to_owned(), Scale::Whole)
        } else {
            ("Size of a pixel, m".to_owned(), Scale::Ratios)
        },
        y: (String::new(), Scale::Ratios),
        series: Vec::new(),
        limits,
        dotted: true,
        note: None,
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
    let metres = web && has("/metres_per_pixel");
    let measured = |path: &str| {
        let values = levels.iter().map(|level| number(level, path));
        cells(&values.collect::<Vec<_>>())
    };
    let counted = |name: &str| {
        levels
            .iter()
            .map(|level| count_cell(&level[name]))
            .collect()
    };
    let names = levels.iter().map(|level| {
        let name = level["level"].as_f64().unwrap_or(0.0);
        Cell::Number(round::text(name), name)
    });
    let mut all = vec![(first, names.collect())];
    all.extend(metres.then(|| ("Metres per pixel", measured("/metres_per_pixel"))));
    all.push(("Dots", counted("locations")));
    all.extend(columns.iter().map(|(path, name)| (*name, measured(path))));
    all.extend(judged.then(|| ("Units beyond a limit", counted("units_above"))));
    Table::of_columns(
        format!("What is perceived {}", by(web)),
        all.into_iter()
            .map(|(head, cells)| (head.to_owned(), cells)),
    )
}

/// What sets one picture apart from the next.
fn by(web: bool) -> &'static str {
    if web {
        "by [[zoom level]]"
    } else {
        "by size of the [[pixel]]"
    }
}

/// The same without marks.
fn against(web: bool) -> &'static str {
    if web {
        "the zoom level"
    } else {
        "the size of a pixel"
    }
}
