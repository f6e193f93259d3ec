//! From what was measured to a map.

use kdisc::Point;
use kdisc_report::classes::Classes;
use kdisc_report::frame::Extent;
use kdisc_report::map::{Entry, Layer, Legend, Map, Mark, Panel, Surface};
use kdisc_report::round;

use super::look::{Seen, Shown, Verdict};
use super::panels::Subject;
use super::plan::Plan;
use super::prepare::Prepared;
use super::{Looked, extent, words};
use crate::failure::Refusal;

/// The class of each thing that is drawn, and how many units it stands for.
struct Scale {
    labels: Vec<String>,
    /// Whether the last class is of those without a disc.
    has_none: bool,
    kind: ScaleKind,
}

enum ScaleKind {
    Values(Classes),
    /// Ends of classes, few units being the riskiest.
    Counts(Vec<u64>),
    Verdicts,
}

/// A map of all panels.
pub fn map<'a>(
    plan: &Plan,
    prepared: &'a Prepared,
    looked: &'a Looked,
) -> Result<Map<'a>, Refusal> {
    let extent = extent::of_map(plan, prepared, &looked.seen, &looked.marks)?;
    let scale = Scale::new(plan, &looked.seen);
    let panels = plan
        .panels
        .iter()
        .zip(looked.seen.iter().zip(&looked.marks));
    let panels: Vec<Panel> = panels
        .map(|(panel, (seen, marks))| Panel {
            title: words::panel_title(plan, panel, seen),
            layers: layers(prepared, seen, marks, &scale),
        })
        .collect();
    let legend = legend(plan, prepared, looked, &scale);
    let title = words::title(plan);
    let classes = legend.entries.iter().rev().map(|entry| match entry.units {
        Some(units) => format!("{}: {}", entry.label, round::counted(units, "unit")),
        None => entry.label.clone(),
    });
    let description = format!(
        "Map of {}. {}, from risky to safe: {}.",
        words::how_many(plan, prepared),
        legend.title,
        classes.collect::<Vec<_>>().join("; ")
    );
    Ok(Map {
        title,
        notice: plan
            .public
            .is_none()
            .then(|| words::confidential(plan).to_owned()),
        panels,
        extent,
        is_cut: plan.looks.extent.is_some(),
        notes: words::notes(plan, prepared, looked),
        description,
        legend,
        axes: plan.looks.axes,
        theme: plan.looks.theme,
    })
}

fn layers<'a>(
    prepared: &'a Prepared,
    seen: &'a Seen,
    marks: &[Mark],
    scale: &Scale,
) -> Vec<Layer<'a>> {
    let mut layers = Vec::new();
    if let Shown::Verdicts { cells, .. } = &seen.shown {
        layers.push(Layer::Under(cells));
    }
    layers.extend(
        prepared
            .under
            .as_ref()
            .map(|layer| Layer::Under(&layer.shapes)),
    );
    layers.push(match &seen.shown {
        Shown::Locations(values) => Layer::Dots {
            places: prepared.population.locations(),
            classes: values.iter().map(|value| scale.of_value(*value)).collect(),
        },
        Shown::Areas {
            outlines, values, ..
        } => Layer::Cells {
            outlines: outlines.clone(),
            classes: values.iter().map(|value| scale.of_value(*value)).collect(),
        },
        Shown::Counts { outlines, counts } => Layer::Cells {
            outlines: outlines.clone(),
            classes: counts.iter().map(|count| scale.of_count(*count)).collect(),
        },
        Shown::Verdicts { of_row, .. } => Layer::Dots {
            places: &prepared.register.units.points,
            classes: of_row.iter().map(|verdict| *verdict as u8).collect(),
        },
        Shown::Surface {
            extent,
            columns,
            values,
        } => Layer::Surface(Surface {
            extent: *extent,
            columns: *columns,
            classes: values.iter().map(|value| scale.of_value(*value)).collect(),
        }),
    });
    layers.extend(
        prepared
            .over
            .as_ref()
            .map(|layer| Layer::Over(&layer.shapes)),
    );
    if !marks.is_empty() {
        layers.push(Layer::Marks(marks.to_vec()));
    }
    layers
}

fn legend(plan: &Plan, prepared: &Prepared, looked: &Looked, scale: &Scale) -> Legend {
    let mut units = None;
    if let ([seen], None) = (&looked.seen[..], plan.public) {
        units = scale.units(prepared, seen, plan.looks.extent);
    }
    let classes = scale.labels.len();
    let ramp = plan.looks.ramp.colours(
        classes - usize::from(scale.has_none),
        plan.looks.theme.is_dark,
    );
    // Those without a disc exceed every limit: the strongest colour there is.
    let colours = ramp
        .into_iter()
        .chain(scale.has_none.then_some(plan.looks.theme.ink));
    let entries = scale
        .labels
        .iter()
        .zip(colours)
        .enumerate()
        .map(|(class, (label, colour))| Entry {
            label: label.clone(),
            colour,
            units: units.as_ref().map(|units| units[class]),
        });
    let first = &looked.seen[0].shown;
    Legend {
        title: words::legend_title(plan),
        entries: entries.collect(),
        dots: matches!(first, Shown::Locations(_) | Shown::Verdicts { .. }),
        marks: looked
            .marks
            .iter()
            .any(|marks| !marks.is_empty())
            .then(|| "marked, with its smallest disc and the radius".to_owned()),
        blank: plan
            .public
            .map(|public| format!("nobody, or fewer than {} units", public.least)),
    }
}

impl Scale {
    fn new(plan: &Plan, seen: &[Seen]) -> Self {
        match &plan.panels[0].subject {
            Subject::Cells(_) => {
                Self::of_counts(plan.panels[0].anonymity.k(), plan.public.is_some())
            }
            Subject::Flips { least, .. } => Self {
                labels: vec![
                    format!("{least} or more in every grid"),
                    "depends on the grid".to_owned(),
                    format!("fewer than {least} in every grid"),
                ],
                has_none: false,
                kind: ScaleKind::Verdicts,
            },
            _ => Self::of_values(plan, seen),
        }
    }

    fn of_values(plan: &Plan, seen: &[Seen]) -> Self {
        let values = || {
            seen.iter().flat_map(|seen| match &seen.shown {
                Shown::Locations(values)
                | Shown::Areas { values, .. }
                | Shown::Surface { values, .. } => &values[..],
                _ => &[],
            })
        };
        let has_none = values().any(Option::is_none);
        let classes = match &plan.breaks {
            Some(breaks) => Classes::with_breaks(breaks.clone()),
            None => Classes::fit(values().filter_map(|value| *value)),
        };
        let mut labels = Vec::new();
        // Where nobody has a disc there are no values to speak of.
        if values().any(Option::is_some) {
            labels = classes.labels();
        }
        if has_none {
            labels.push("no disc: fewer than k units in all".to_owned());
        }
        Self {
            labels,
            has_none,
            kind: ScaleKind::Values(classes),
        }
    }

    /// Classes that k divides into too few and enough, each once more.
    fn of_counts(k: u64, is_public: bool) -> Self {
        let times = |many: u64| k.saturating_mul(many) - 1;
        let mut ends = vec![1, k / 2, times(1), times(2), times(5)];
        ends.retain(|end| *end > 0 && !(is_public && *end < k));
        ends.sort_unstable();
        ends.dedup();
        let mut from = if is_public { k } else { 1 };
        let mut labels = Vec::new();
        for end in &ends {
            labels.push(if from == *end {
                round::count(from)
            } else {
                format!("{} to {}", round::count(from), round::count(*end))
            });
            from = end.saturating_add(1);
        }
        labels.push(format!("{} or more", round::count(from)));
        labels.reverse();
        Self {
            labels,
            has_none: false,
            kind: ScaleKind::Counts(ends),
        }
    }

    fn of_value(&self, value: Option<f64>) -> u8 {
        match (&self.kind, value) {
            (ScaleKind::Values(classes), Some(value)) => classes.of(value),
            _ => (self.labels.len() - 1) as u8,
        }
    }

    fn of_count(&self, count: u64) -> u8 {
        match &self.kind {
            ScaleKind::Counts(ends) => {
                (ends.len() - ends.partition_point(|end| *end < count)) as u8
            }
            _ => 0,
        }
    }

    /// The units of each class, of what is drawn: a cell on the border of a part is, with all of its
    /// units.
    fn units(&self, prepared: &Prepared, seen: &Seen, part: Option<Extent>) -> Option<Vec<u64>> {
        let holds = |at: &Point| part.is_none_or(|part| part.holds(*at));
        let meets = |outline: &[Point]| {
            let around = Extent::of(outline.iter().copied());
            part.is_none_or(|part| around.is_some_and(|around| part.meets(&around)))
        };
        let mut units = vec![0u64; self.labels.len()];
        let mut add = |is_drawn: bool, class: u8, count: u64| {
            units[usize::from(class)] += if is_drawn { count } else { 0 };
        };
        match &seen.shown {
            Shown::Locations(values) => {
                let population = &prepared.population;
                let all = population
                    .locations()
                    .iter()
                    .zip(population.multiplicities());
                for (value, (at, count)) in values.iter().zip(all) {
                    add(holds(at), self.of_value(*value), *count);
                }
            }
            Shown::Areas {
                outlines,
                values,
                units,
            } => {
                for (outline, (value, count)) in outlines.iter().zip(values.iter().zip(units)) {
                    add(meets(outline), self.of_value(*value), *count);
                }
            }
            Shown::Counts { outlines, counts } => {
                for (outline, count) in outlines.iter().zip(counts) {
                    add(meets(outline), self.of_count(*count), *count);
                }
            }
            Shown::Verdicts { of_row, .. } => {
                let rows = &prepared.register.units;
                let weights = rows.weights.as_deref();
                for (row, verdict) in of_row.iter().enumerate() {
                    let count = weights.map_or(1, |weights| weights[row]);
                    add(holds(&rows.points[row]), *verdict as u8, count);
                }
            }
            Shown::Surface { .. } => return None,
        }
        Some(units)
    }
}

// Verdicts are classes by their order.
const _: () = assert!(Verdict::Enough as u8 == 0 && Verdict::TooFew as u8 == 2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_classed_by_k_with_few_as_the_riskiest() {
        let scale = Scale::of_counts(10, false);
        let labels = [
            "50 or more",
            "20 to 49",
            "10 to 19",
            "6 to 9",
            "2 to 5",
            "1",
        ];
        assert_eq!(scale.labels, labels);
        for (count, class) in [
            (1, 5),
            (2, 4),
            (9, 3),
            (10, 2),
            (49, 1),
            (50, 0),
            (u64::MAX, 0),
        ] {
            assert_eq!(scale.of_count(count), class, "{count}");
        }
        assert_eq!(
            Scale::of_counts(1, false).labels,
            ["5 or more", "2 to 4", "1"]
        );
        assert_eq!(Scale::of_counts(u64::MAX, false).of_count(1), 3);
        let public = Scale::of_counts(10, true);
        assert_eq!(public.labels, ["50 or more", "20 to 49", "10 to 19"]);
    }
}
