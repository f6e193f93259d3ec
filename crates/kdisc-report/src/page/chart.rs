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
const ROOM: [f64; 4] = [66.0, 14.0, 14.0, 46.0];

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
    /// Why there is not more to see, as [`marked`] text.
    pub note: Option<String>,
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

/// Where the numbers of a chart are on its drawing.
struct Frame {
    x: Axis,
    y: Axis,
}

const LEFT: f64 = ROOM[0];
const TOP: f64 = ROOM[1];
const WIDTH: f64 = SIZE.0 - ROOM[0] - ROOM[2];
const HEIGHT: f64 = SIZE.1 - ROOM[1] - ROOM[3];
const FOOT: f64 = TOP + HEIGHT;

impl Frame {
    fn at_x(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * WIDTH
    }

    fn at_y(&self, value: f64) -> f64 {
        TOP + (1.0 - self.y.place(value)) * HEIGHT
    }
}

impl Chart {
    pub(super) fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "<figure class=\"chart\">\n<figcaption>{}</figcaption>",
            marked(&self.title)
        )?;
        self.legend(out)?;
        writeln!(
            out,
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" tabindex=\"0\">",
            SIZE.0,
            SIZE.1,
            quoted(&self.description)
        )?;
        let frame = self.frame();
        self.axes(&frame, out)?;
        for limit in &self.limits {
            self.limit(limit, &frame, out)?;
        }
        self.lines(&frame, out)?;
        writeln!(out, "</svg>")?;
        if let Some(note) = &self.note {
            writeln!(out, "<p class=\"note\">{}</p>", marked(note))?;
        }
        self.values(out)?;
        writeln!(out, "</figure>")
    }

    fn frame(&self) -> Frame {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across = |of_x: bool| {
            self.limits.iter().filter_map(move |limit| match limit {
                Limit::X(at, _) if of_x => Some(*at),
                Limit::Y(at, _) if !of_x => Some(*at),
                _ => None,
            })
        };
        let x = points().map(|point| point.0).chain(across(true));
        let y = points().map(|point| point.1).chain(across(false));
        Frame {
            x: Axis::new(self.x.1, x),
            y: Axis::new(self.y.1, y).rounded(),
        }
    }

    fn legend(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "<ul class=\"legend\">")?;
        for (line, series) in self.series.iter().enumerate() {
            writeln!(
                out,
                "<li><svg width=\"28\" height=\"12\" aria-hidden=\"true\"><line class=\"line line-{line}\" x1=\"0\" y1=\"6\" x2=\"28\" y2=\"6\"/></svg>{}</li>",
                marked(&series.name)
            )?;
        }
        writeln!(out, "</ul>")
    }

    fn axes(&self, frame: &Frame, out: &mut String) -> std::fmt::Result {
        for (value, text) in frame.y.ticks() {
            let at = number(frame.at_y(value));
            writeln!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\"/><text class=\"tick\" x=\"{}\" y=\"{at}\" dy=\"0.35em\" text-anchor=\"end\">{text}</text>",
                number(LEFT + WIDTH),
                number(LEFT - 6.0)
            )?;
        }
        for (value, text) in frame.x.ticks() {
            let at = number(frame.at_x(value));
            writeln!(
                out,
                "<line class=\"axis\" x1=\"{at}\" x2=\"{at}\" y1=\"{FOOT}\" y2=\"{}\"/><text class=\"tick\" x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
                number(FOOT + 4.0),
                number(FOOT + 18.0)
            )?;
        }
        writeln!(
            out,
            "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{FOOT}\" y2=\"{FOOT}\"/>",
            number(LEFT + WIDTH)
        )?;
        writeln!(
            out,
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            number(LEFT + WIDTH / 2.0),
            number(SIZE.1 - 8.0),
            quoted(&self.x.0)
        )?;
        writeln!(
            out,
            "<text class=\"label\" transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            number(TOP + HEIGHT / 2.0),
            quoted(&self.y.0)
        )
    }

    fn limit(&self, limit: &Limit, frame: &Frame, out: &mut String) -> std::fmt::Result {
        match limit {
            Limit::X(at, text) => {
                let at = frame.at_x(*at);
                // A curve that rises leaves room at the foot, where it has come from.
                let label = if self.dotted { TOP + 10.0 } else { FOOT - 8.0 };
                let (anchor, beside) = if at > LEFT + WIDTH / 2.0 {
                    ("end", -5.0)
                } else {
                    ("start", 5.0)
                };
                writeln!(
                    out,
                    "<line class=\"limit\" x1=\"{0}\" x2=\"{0}\" y1=\"{TOP}\" y2=\"{FOOT}\"/><text class=\"limit-label\" x=\"{1}\" y=\"{2}\" text-anchor=\"{anchor}\">{3}</text>",
                    number(at),
                    number(at + beside),
                    number(label),
                    quoted(text)
                )
            }
            Limit::Y(at, text) => {
                let at = frame.at_y(*at);
                // Below the line, at the end where the curves are above it.
                let below = if FOOT - at < 18.0 { -5.0 } else { 15.0 };
                let (anchor, x) = if self.rises() {
                    ("end", LEFT + WIDTH - 6.0)
                } else {
                    ("start", LEFT + 6.0)
                };
                writeln!(
                    out,
                    "<line class=\"limit\" x1=\"{LEFT}\" x2=\"{0}\" y1=\"{1}\" y2=\"{1}\"/><text class=\"limit-label\" x=\"{2}\" y=\"{3}\" text-anchor=\"{anchor}\">{4}</text>",
                    number(LEFT + WIDTH),
                    number(at),
                    number(x),
                    number(at + below),
                    quoted(text)
                )
            }
        }
    }

    /// Whether the curves go upwards.
    fn rises(&self) -> bool {
        let points = self.series.first().map(|series| &series.points[..]);
        matches!(points, Some([first, .., last]) if first.1 <= last.1)
    }

    fn lines(&self, frame: &Frame, out: &mut String) -> std::fmt::Result {
        let class = if self.dotted { "point" } else { "point quiet" };
        for (line, series) in self.series.iter().enumerate() {
            let places = series.points.iter().map(|(x, y, text)| {
                let (x, y) = (frame.at_x(*x), frame.at_y(*y));
                (number(x), number(y), text)
            });
            let places: Vec<_> = places.collect();
            let path: Vec<_> = places.iter().map(|(x, y, _)| format!("{x} {y}")).collect();
            writeln!(
                out,
                "<path class=\"line line-{line}\" d=\"M{}\"/>",
                path.join("L")
            )?;
            for (x, y, text) in places {
                writeln!(
                    out,
                    "<circle class=\"{class} point-{line}\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\" data-tip=\"{}\"/>",
                    quoted(text)
                )?;
            }
        }
        Ok(())
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
