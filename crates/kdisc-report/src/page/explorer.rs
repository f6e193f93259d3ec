//! A map that can be moved and looked into, drawn by the script of the page.
//!
//! Places are written as single-precision offsets from their middle, which is finer than a
//! millimetre over ten kilometres: enough to look at, and half as long.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kdisc::{Disc, Point};

use super::text::{marked, quoted};
use crate::map::Legend;

/// What there is to explore.
#[derive(Debug)]
pub struct Explorer {
    /// What it shows, as [`marked`] text.
    pub caption: String,
    /// Where units are.
    pub places: Vec<Point>,
    /// How many at each.
    pub units: Vec<u64>,
    /// The disc of each, if it has one.
    pub discs: Vec<Option<Disc>>,
    /// Of which class each is.
    pub classes: Vec<u8>,
    /// Whether each is beyond a limit, if there is one.
    pub exceeding: Option<Vec<bool>>,
    /// What the classes mean.
    pub legend: Legend,
    /// Their colours on a dark page.
    pub dark: Vec<String>,
    /// How discs look: `l2`, `l1` or `linf`.
    pub metric: String,
}

impl Explorer {
    pub(super) fn write(&self, out: &mut String) -> std::fmt::Result {
        let ends = |of: fn(&Point) -> f64| {
            let all = self.places.iter().map(of);
            all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let middle = |(low, high): (f64, f64)| {
            if low > high {
                0.0
            } else {
                f64::midpoint(low, high)
            }
        };
        let (x, y) = (middle(ends(|p| p.x)), middle(ends(|p| p.y)));
        let floats = |values: &mut dyn Iterator<Item = f64>| {
            let bytes: Vec<u8> = values
                .flat_map(|value| (value as f32).to_le_bytes())
                .collect();
            STANDARD.encode(bytes)
        };
        let disc = |of: fn(&Disc) -> f64, from: f64| {
            self.discs
                .iter()
                .map(move |disc| disc.as_ref().map_or(f64::NAN, |disc| of(disc) - from))
        };
        let columns = [
            ("x", floats(&mut self.places.iter().map(|p| p.x - x))),
            ("y", floats(&mut self.places.iter().map(|p| p.y - y))),
            (
                "n",
                floats(&mut self.units.iter().map(|units| *units as f64)),
            ),
            ("r", floats(&mut disc(|disc| disc.radius, 0.0))),
            ("u", floats(&mut disc(|disc| disc.units as f64, 0.0))),
            ("cx", floats(&mut disc(|disc| disc.center.x, x))),
            ("cy", floats(&mut disc(|disc| disc.center.y, y))),
            ("c", STANDARD.encode(&self.classes)),
            ("e", STANDARD.encode(self.beyond())),
        ];
        writeln!(
            out,
            "<figure class=\"explorer\" data-x=\"{x}\" data-y=\"{y}\" data-metric=\"{}\" hidden>\n<figcaption>{}</figcaption>",
            quoted(&self.metric),
            marked(&self.caption)
        )?;
        writeln!(
            out,
            "<div class=\"tools\" role=\"group\" aria-label=\"Map\"><button type=\"button\" data-do=\"in\" aria-label=\"Zoom in\">+</button>\
             <button type=\"button\" data-do=\"out\" aria-label=\"Zoom out\">−</button>\
             <button type=\"button\" data-do=\"all\">Whole map</button>\
             <button type=\"button\" data-do=\"next\">Next most isolated</button>{}</div>",
            self.filter()
        )?;
        writeln!(
            out,
            "<canvas tabindex=\"0\" role=\"img\" aria-label=\"{}\"></canvas>\n<p class=\"told\" role=\"status\" aria-live=\"polite\"></p>",
            quoted(
                "Map of all locations. Arrow keys move it, plus and minus zoom, N goes to the next most isolated unit."
            )
        )?;
        writeln!(
            out,
            "<p class=\"legend-title\">{}</p>\n<ul class=\"classes\">",
            quoted(&self.legend.title)
        )?;
        // From risky to safe, as on maps that do not move.
        for (entry, dark) in self.legend.entries.iter().zip(&self.dark).rev() {
            writeln!(
                out,
                "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><circle class=\"class-dot\" cx=\"7\" cy=\"7\" r=\"6\" style=\"--light:{};--dark:{}\"/></svg>{}</li>",
                entry.colour,
                quoted(dark),
                quoted(&entry.label)
            )?;
        }
        writeln!(out, "</ul>")?;
        for (name, data) in columns {
            writeln!(
                out,
                "<script type=\"application/octet-stream\" data-column=\"{name}\">{data}</script>"
            )?;
        }
        writeln!(out, "</figure>")?;
        writeln!(
            out,
            "<noscript><p>The map that can be moved needs scripts; the maps above show the same units.</p></noscript>"
        )
    }

    /// Which locations are beyond a limit; nothing when nobody is.
    fn beyond(&self) -> Vec<u8> {
        let all = self.exceeding.as_deref().unwrap_or_default();
        if all.iter().any(|exceeds| *exceeds) {
            all.iter().map(|exceeds| u8::from(*exceeds)).collect()
        } else {
            Vec::new()
        }
    }

    /// The button that leaves only these.
    fn filter(&self) -> &'static str {
        if self.beyond().is_empty() {
            ""
        } else {
            "<button type=\"button\" data-do=\"only\" aria-pressed=\"false\">Only units beyond a limit</button>"
        }
    }
}
