//! The summary as JSON, for machines and for `kdisc verify`. It names no coordinates.

use kdisc_report::map::{Layer, Map, Mark};
use serde_json::{Value, json};

use super::Summary;
use super::extent::units_shown;
use super::look::LeftOut;
use super::panels::{PanelPlan, Subject};
use crate::args::{Colouring, ZoomDelta};
use crate::summary::json::{delta, fingerprint, input, number};
use crate::zoom::plan::Map as Levelled;

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

fn value(summary: &Summary) -> Value {
    let (plan, prepared, map) = (summary.plan, summary.prepared, summary.map);
    let population = &prepared.population;
    let timings = summary.timings;
    let classes = map.legend.entries.iter().map(|entry| {
        json!({ "label": entry.label, "color": entry.colour.to_string(), "units": entry.units })
    });
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": prepared.inputs().into_iter().map(input).collect::<Vec<_>>(),
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "output_bytes": summary.bytes,
        "warnings": prepared.warnings,
        "title": map.title,
        "color": match plan.colouring {
            Colouring::Risk => "risk",
            Colouring::Radius => "radius",
        },
        "maps": plan.panels.iter().map(panel).collect::<Vec<_>>(),
        "classes": classes.collect::<Vec<_>>(),
        "public": plan.public.is_some(),
        "left_out": summary.left_out.map(|left| json!({
            "cell_size": number(left.size),
            "cells": left.cells,
            "units": left.units,
        })),
        "units": population.units(),
        "units_shown": units_shown(plan, prepared).unwrap_or(population.units()),
        "locations": population.locations().len(),
        "threads": plan.run.threads,
        "timings_s": {
            "read": timings.read,
            "measure": timings.measure,
            "draw": timings.draw,
            "write": timings.write,
        },
    })
}

/// The figures that a reader of the map sees, besides those of its parameters.
pub fn figures(map: &Map, left_out: Option<LeftOut>) -> Value {
    let radius = |mark: &Mark| mark.ring.as_ref().map(|ring| ring.radius);
    let panels = map.panels.iter().map(|panel| {
        let marks = panel.layers.iter().filter_map(|layer| match layer {
            Layer::Marks(marks) => Some(marks.iter().map(radius).collect::<Vec<_>>()),
            _ => None,
        });
        json!({ "title": panel.title, "marked_radii": marks.flatten().collect::<Vec<_>>() })
    });
    let classes = map.legend.entries.iter();
    json!({
        "panels": panels.collect::<Vec<_>>(),
        "classes": classes.map(|entry| entry.label.clone()).collect::<Vec<_>>(),
        "left_out": left_out.map(|left| json!({
            "cell_size": number(left.size),
            "cells": left.cells,
            "units": left.units,
        })),
    })
}

fn panel(panel: &PanelPlan) -> Value {
    let subject = match &panel.subject {
        Subject::Units => json!("units"),
        Subject::Level {
            map: Levelled::Web { levels, .. },
            ..
        } => json!({ "zoom": levels.first }),
        Subject::Level {
            map: Levelled::Metres(sizes),
            ..
        } => json!({ "pixel": sizes.first().map(|size| number(*size)) }),
        Subject::Level {
            map: Levelled::Screen(_),
            ..
        } => json!("screen"),
        Subject::Cells(grid) => json!({ "cells": number(grid.size()) }),
        Subject::Flips { grid, least } => {
            json!({ "flips": number(grid.size()), "min_count": least })
        }
        Subject::Surface(side) => json!({ "surface": number(*side) }),
    };
    json!({
        "subject": subject,
        "k": panel.anonymity.k(),
        "delta": match panel.delta {
            ZoomDelta::Pixel => json!("pixel"),
            ZoomDelta::Overlap => json!("overlap"),
            ZoomDelta::Pixels(value) => delta(value),
        },
        "metric": panel.anonymity.metric().to_string(),
    })
}
