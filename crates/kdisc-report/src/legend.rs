//! Drawing what colours and marks mean, and how long a kilometre is.

use crate::colour::Colour;
use crate::draw::{Pen, style};
use crate::font::Weight;
use crate::frame::{Area, Frame};
use crate::layout::{self, Layout, Sign};
use crate::round;
use crate::svg::{Anchor, number};

impl Pen<'_> {
    pub fn legend(&mut self, layout: &Layout, frame: Option<Frame>) {
        let theme = self.map.theme;
        let (x, mut y, width) = layout.legend;
        for line in &layout.legend_title {
            let style = style(layout::TEXT, Weight::Bold, theme.ink);
            self.svg
                .text((x, y + layout::TEXT), Anchor::Start, style, line);
            y += layout::TEXT * layout::LEADING;
        }
        y += 4.0;
        let flow = layout::flow(&self.map.legend, width);
        let mut rows = 0.0;
        for ((sign, text), place) in layout::entries(&self.map.legend).zip(flow) {
            let lines = layout::entry_lines(&text, width);
            let (dx, row) = if layout.below { place } else { (0.0, rows) };
            let at = (x + dx, y + row * layout::ENTRY);
            self.sign(sign, (at.0 + 8.0, at.1 + layout::ENTRY / 2.0));
            for (i, line) in lines.iter().enumerate() {
                let at = (at.0 + layout::SIGN, at.1 + 13.0 + i as f64 * layout::ENTRY);
                let style = style(layout::TEXT, Weight::Regular, theme.ink);
                self.svg.text(at, Anchor::Start, style, line);
            }
            rows = row + lines.len() as f64;
        }
        if let Some(frame) = frame {
            self.scale_bar(&frame, (x, y + rows * layout::ENTRY + 8.0), width);
        }
    }

    fn sign(&mut self, sign: Sign, (x, y): (f64, f64)) {
        let theme = self.map.theme;
        match sign {
            Sign::Mark => {
                let cross = format!("M{} {}l8 8m-8 0l8 -8", number(x - 4.0), number(y - 4.0));
                self.path(
                    &cross,
                    &format!(
                        "fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\"",
                        theme.accent
                    ),
                );
                let shape = format!(
                    "cx=\"{}\" cy=\"{}\" r=\"7\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.2\"",
                    number(x),
                    number(y),
                    theme.accent
                );
                self.svg.element("circle", &shape);
            }
            Sign::Class(class) if self.map.legend.dots => {
                let ink = self.inks[class];
                // Large enough to tell its colour, and in the order of the sizes on the map.
                let radius = (3.4 + ink.radius).min(7.0);
                let shape = format!(
                    "cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"",
                    number(x),
                    number(y),
                    number(radius),
                    ink.colour
                );
                self.svg.element("circle", &shape);
            }
            Sign::Class(class) => self.patch(self.inks[class].colour, (x, y)),
            Sign::Blank => self.patch(theme.map, (x, y)),
        }
    }

    fn patch(&mut self, colour: Colour, (x, y): (f64, f64)) {
        let area = Area {
            x: x - 8.0,
            y: y - 6.0,
            width: 16.0,
            height: 12.0,
        };
        let line = self.map.theme.line;
        self.rectangle(
            area,
            &format!("fill=\"{colour}\" stroke=\"{line}\" stroke-width=\"0.5\""),
        );
    }

    fn scale_bar(&mut self, frame: &Frame, (x, y): (f64, f64), width: f64) {
        let theme = self.map.theme;
        let length = frame.scale_bar(layout::BAR.min(width - 60.0));
        let long = length * frame.scale;
        let bar = format!("M{} {}v6h{}v-6", number(x + 0.5), number(y), number(long));
        self.path(
            &bar,
            &format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\"",
                theme.ink
            ),
        );
        let style = style(layout::TEXT, Weight::Regular, theme.ink);
        let at = (x + long + 8.0, y + 8.0);
        self.svg
            .text(at, Anchor::Start, style, &round::metres(length));
    }
}
