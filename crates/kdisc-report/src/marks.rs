//! Drawing the units that are pointed out: crosses, discs, and labels.

use kdisc::Metric;

use crate::draw::{Pen, style};
use crate::font::Weight;
use crate::frame::Frame;
use crate::labels::{Rim, Spot, labels};
use crate::layout;
use crate::map::{Mark, Ring};
use crate::svg::{Anchor, Style, number};

impl Pen<'_> {
    /// Crosses and discs first, so that no label is under one. Who share a disc share its label.
    pub fn marks(&mut self, frame: &Frame, marks: &[Mark]) {
        let theme = self.map.theme;
        let mut spots: Vec<Spot> = Vec::new();
        let mut labelled: Vec<&Mark> = Vec::new();
        for mark in marks {
            let cross = Rim::of_cross(frame.place(mark.place));
            let shared = |other: &&Mark| mark.ring.is_some() && other.ring == mark.ring;
            if let Some(known) = labelled.iter().position(shared) {
                spots[known].crosses.push(cross);
            } else {
                let rim = mark.ring.map(|ring| rim(frame, ring));
                if let Some(rim) = rim {
                    self.ring(&rim);
                }
                let width = Weight::Bold.width(&mark.label, layout::TEXT);
                spots.push(Spot {
                    rim: rim.unwrap_or(cross),
                    crosses: vec![cross],
                    size: (width, layout::TEXT * 1.2),
                });
                labelled.push(mark);
            }
            let (x, y) = cross.center;
            let cross = format!("M{} {}l9 9m-9 0l9 -9", number(x - 4.5), number(y - 4.5));
            for (colour, width) in [(theme.map, 4.5), (theme.accent, 2.0)] {
                self.path(&cross, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\""));
            }
        }
        for (label, mark) in labels(&frame.area, &spots).into_iter().zip(labelled) {
            let Some(label) = label else {
                continue;
            };
            if let Some([from, to]) = label.leader {
                let [x, y, to_x, to_y] = [from.0, from.1, to.0, to.1].map(number);
                let line = format!("M{x} {y}L{to_x} {to_y}");
                let colour = theme.accent;
                self.path(&line, &format!("fill=\"none\" stroke=\"{colour}\""));
            }
            let style = Style {
                halo: Some(theme.map),
                ..style(layout::TEXT, Weight::Bold, theme.accent)
            };
            let at = (label.area.x, label.area.y + layout::TEXT);
            self.svg.text(at, Anchor::Start, style, &mark.label);
        }
    }

    /// A thin line and no more: those who hold the disc in place lie under it.
    fn ring(&mut self, rim: &Rim) {
        let colour = self.map.theme.accent;
        let look = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"");
        let (x, y) = rim.center;
        match rim.metric {
            Metric::L2 => {
                let [x, y, r] = [x, y, rim.radius].map(number);
                let shape = format!("cx=\"{x}\" cy=\"{y}\" r=\"{r}\"");
                self.svg.element("circle", &format!("{shape} {look}"));
            }
            Metric::Linf => self.rectangle(rim.area(), &look),
            Metric::L1 => {
                let [left, top] = [x - rim.radius, y - rim.radius].map(number);
                let [right, bottom] = [x + rim.radius, y + rim.radius].map(number);
                let [x, y] = [x, y].map(number);
                let path = format!("M{x} {top}L{right} {y}L{x} {bottom}L{left} {y}Z");
                self.path(&path, &look);
            }
        }
    }
}

fn rim(frame: &Frame, ring: Ring) -> Rim {
    Rim {
        center: frame.place(ring.center),
        radius: ring.radius * frame.scale,
        metric: ring.metric,
    }
}
