//! Charts of a few lines, as SVG within the page: it takes the page's colours, and a script finds
//! its points to tell what they are.

use std::fmt::Write;

use super::axis::Axis;
pub use super::axis::Scale;
use super::text::{marked, quoted};
use crate::svg::number;

/// Size of the drawing, in pixels of a page on which two charts are side by side.
const SIZE: (f64, f64) = (460.0, 300.0);
/// Room for numbers and labels: left, top, right, bottom.
const ROOM: [f64; 4] = [56.0, 14.0, 14.0, 46.0];

/// Lines over one axis.
#[derive(Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What there is to see, for those who do not.
    pub description: String,
    /// What is along the bottom, and how it is spread.
    pub x: (String, Scale),
    /// What is along the side, and how it is spread.
    pub y: (String, Scale),
    /// The lines.
    pub series: Vec<Series>,
    /// What lies across them.
    pub limits: Vec<Limit>,
    /// Whether points are marked one by one; a dense line is only a line.
    pub dotted: bool,
}

/// A line.
#[derive(Debug)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// Its points, and what to say at each.
    pub points: Vec<(f64, f64, String)>,
}

/// A line across a chart.
#[derive(Debug)]
pub enum Limit {
    /// Upwards from the bottom.
    X(f64, String),
    /// From the side.
    Y(f64, String),
}

impl Chart {
    pub(super) fn write(&self, out: &mut String) -> std::fmt::Result {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across = |of_x: bool| {
            self.limits.iter().filter_map(move |limit| match limit {
                Limit::X(at, _) if of_x => Some(*at),
                Limit::Y(at, _) if !of_x => Some(*at),
                _ => None,
            })
        };
        let x = Axis::new(self.x.1, points().map(|point| point.0).chain(across(true)));
        let y = Axis::new(self.y.1, points().map(|point| point.1).chain(across(false))).rounded();
        let [left, top, right, bottom] = ROOM;
        let (width, height) = (SIZE.0 - left - right, SIZE.1 - top - bottom);
        let at_x = |value: f64| left + x.place(value) * width;
        let at_y = |value: f64| top + (1.0 - y.place(value)) * height;

        writeln!(
            out,
            "<figure class=\"chart\">\n<figcaption>{}</figcaption>",
            marked(&self.title)
        )?;
        if self.series.len() > 1 {
            writeln!(out, "<ul class=\"legend\">")?;
            for (line, series) in self.series.iter().enumerate() {
                writeln!(
                    out,
                    "<li><svg width=\"28\" height=\"12\" aria-hidden=\"true\"><line class=\"line line-{line}\" x1=\"0\" y1=\"6\" x2=\"28\" y2=\"6\"/></svg>{}</li>",
                    marked(&series.name)
                )?;
            }
            writeln!(out, "</ul>")?;
        }
        writeln!(
            out,
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" tabindex=\"0\">",
            SIZE.0,
            SIZE.1,
            quoted(&self.description)
        )?;
        for (value, text) in y.ticks() {
            let at = number(at_y(value));
            writeln!(
                out,
                "<line class=\"grid\" x1=\"{left}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\"/><text class=\"tick\" x=\"{}\" y=\"{at}\" dy=\"0.35em\" text-anchor=\"end\">{text}</text>",
                number(left + width),
                number(left - 6.0)
            )?;
        }
        let foot = top + height;
        for (value, text) in x.ticks() {
            let at = number(at_x(value));
            writeln!(
                out,
                "<line class=\"axis\" x1=\"{at}\" x2=\"{at}\" y1=\"{}\" y2=\"{}\"/><text class=\"tick\" x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                number(foot),
                number(foot + 4.0),
                number(foot + 18.0)
            )?;
        }
        writeln!(
            out,
            "<line class=\"axis\" x1=\"{left}\" x2=\"{}\" y1=\"{}\" y2=\"{1}\"/>",
            number(left + width),
            number(foot)
        )?;
        writeln!(
            out,
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            number(left + width / 2.0),
            number(SIZE.1 - 8.0),
            quoted(&self.x.0)
        )?;
        writeln!(
            out,
            "<text class=\"label\" transform=\"translate(13 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            number(top + height / 2.0),
            quoted(&self.y.0)
        )?;
        for limit in &self.limits {
            match limit {
                Limit::X(at, text) => {
                    let at = at_x(*at);
                    let (anchor, beside) = if at > left + width / 2.0 {
                        ("end", -5.0)
                    } else {
                        ("start", 5.0)
                    };
                    writeln!(
                        out,
                        "<line class=\"limit\" x1=\"{0}\" x2=\"{0}\" y1=\"{top}\" y2=\"{1}\"/><text class=\"limit-label\" x=\"{2}\" y=\"{3}\" text-anchor=\"{anchor}\">{4}</text>",
                        number(at),
                        number(foot),
                        number(at + beside),
                        number(top + 10.0),
                        quoted(text)
                    )?;
                }
                Limit::Y(at, text) => {
                    let at = at_y(*at);
                    let above = if at - top < 18.0 { 14.0 } else { -5.0 };
                    writeln!(
                        out,
                        "<line class=\"limit\" x1=\"{left}\" x2=\"{0}\" y1=\"{1}\" y2=\"{1}\"/><text class=\"limit-label\" x=\"{2}\" y=\"{3}\">{4}</text>",
                        number(left + width),
                        number(at),
                        number(left + 6.0),
                        number(at + above),
                        quoted(text)
                    )?;
                }
            }
        }
        for (line, series) in self.series.iter().enumerate() {
            let mut path = String::new();
            for (i, (px, py, _)) in series.points.iter().enumerate() {
                let step = if i == 0 { 'M' } else { 'L' };
                write!(path, "{step}{} {}", number(at_x(*px)), number(at_y(*py)))?;
            }
            writeln!(out, "<path class=\"line line-{line}\" d=\"{path}\"/>")?;
            let class = if self.dotted { "point" } else { "point quiet" };
            for (px, py, text) in &series.points {
                writeln!(
                    out,
                    "<circle class=\"{class} point-{line}\" cx=\"{}\" cy=\"{}\" r=\"3.5\" data-tip=\"{}\"/>",
                    number(at_x(*px)),
                    number(at_y(*py)),
                    quoted(text)
                )?;
            }
        }
        writeln!(out, "</svg>")?;
        self.values(out)?;
        writeln!(out, "</figure>")
    }

    /// The same in words, which need no eyes and no script.
    fn values(&self, out: &mut String) -> std::fmt::Result {
        if !self.dotted {
            return Ok(());
        }
        writeln!(out, "<details><summary>Figures</summary><ul>")?;
        for series in &self.series {
            for (_, _, text) in &series.points {
                writeln!(out, "<li>{}</li>", quoted(text))?;
            }
        }
        writeln!(out, "</ul></details>")
    }
}
