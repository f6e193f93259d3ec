//! Drawing the units that are pointed out: crosses, discs, and labels that hide none of them.

use crate::draw::{Pen, style};
use crate::font::Weight;
use crate::frame::{Area, Frame};
use crate::layout;
use crate::map::{Mark, Ring};
use crate::shapes;
use crate::svg::{Anchor, Style, number};

impl Pen<'_> {
    /// Crosses and discs first, so that no label is under one.
    pub fn marks(&mut self, frame: &Frame, marks: &[Mark]) {
        let theme = self.map.theme;
        let mut taken = Vec::new();
        let mut boxes = Vec::new();
        for mark in marks {
            let (x, y) = frame.place(mark.place);
            let mut around = square((x, y), 6.0);
            if let Some(ring) = &mark.ring {
                around = self.ring(frame, ring);
            }
            let cross = format!("M{} {}l9 9m-9 0l9 -9", number(x - 4.5), number(y - 4.5));
            for (colour, width) in [(theme.map, 4.5), (theme.accent, 2.0)] {
                self.path(&cross, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\""));
            }
            taken.push(square((x, y), 6.0));
            boxes.push(around);
        }
        for (number, mark) in marks.iter().enumerate() {
            let width = Weight::Bold.width(&mark.label, layout::TEXT);
            let place = free_place(
                &frame.area,
                &boxes,
                number,
                square(frame.place(mark.place), 6.0),
                width,
                &taken,
            );
            taken.push(place);
            let style = Style {
                halo: Some(theme.map),
                ..style(layout::TEXT, Weight::Bold, theme.accent)
            };
            let at = (place.x, place.y + layout::TEXT);
            self.svg.text(at, Anchor::Start, style, &mark.label);
        }
    }

    /// Draws the border of a disc; where it is. A thin line and no more: those who hold the disc in
    /// place lie under it.
    fn ring(&mut self, frame: &Frame, ring: &Ring) -> Area {
        let colour = self.map.theme.accent;
        let look = format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"");
        match ring {
            Ring::Circle { center, radius } => {
                let (x, y) = frame.place(*center);
                let r = radius * frame.scale;
                let shape = format!(
                    "cx=\"{}\" cy=\"{}\" r=\"{}\"",
                    number(x),
                    number(y),
                    number(r)
                );
                self.svg.element("circle", &format!("{shape} {look}"));
                square((x, y), r.max(6.0))
            }
            Ring::Corners(corners) => {
                let path = shapes::polygons(frame, &[vec![corners.to_vec()]]);
                self.path(&path, &look);
                let places = corners.map(|corner| frame.place(corner));
                let ends = |of: fn(&(f64, f64)) -> f64| {
                    let all = places.iter().map(of);
                    let (low, high) = (
                        all.clone().fold(f64::INFINITY, f64::min),
                        all.fold(f64::NEG_INFINITY, f64::max),
                    );
                    (low, high - low)
                };
                let ((x, width), (y, height)) = (ends(|p| p.0), ends(|p| p.1));
                Area {
                    x,
                    y,
                    width,
                    height,
                }
            }
        }
    }
}

fn square((x, y): (f64, f64), half: f64) -> Area {
    Area {
        x: x - half,
        y: y - half,
        width: 2.0 * half,
        height: 2.0 * half,
    }
}

/// A place for a label next to a disc (of `discs`, by its number), or to its cross, where it is in
/// sight and hides nothing: no other disc if that can be had, and no cross or label; next to the disc
/// if there is none.
fn free_place(
    page: &Area,
    discs: &[Area],
    number: usize,
    cross: Area,
    width: f64,
    taken: &[Area],
) -> Area {
    let height = layout::TEXT * 1.2;
    let beside = |around: Area| {
        let (right, left) = (around.x + around.width + 3.0, around.x - width - 3.0);
        let middle = around.y + (around.height - height) / 2.0;
        let (above, below) = (around.y - height - 1.0, around.y + around.height + 1.0);
        let centre = around.x + (around.width - width) / 2.0;
        [
            (right, middle),
            (left, middle),
            (centre, above),
            (centre, below),
            (right, above),
            (left, above),
            (right, below),
            (left, below),
        ]
    };
    let places = beside(discs[number]).into_iter().chain(beside(cross));
    let places = places.map(|(x, y)| Area {
        x,
        y,
        width,
        height,
    });
    let first = places.clone().next().unwrap_or_default();
    let mut free: Vec<Area> = places
        .filter(|place| page.encloses(place) && !taken.iter().any(|other| other.meets(place)))
        .collect();
    let hides = |place: &Area| {
        let mut others = discs.iter().enumerate().filter(|(i, _)| *i != number);
        others.any(|(_, disc)| disc.meets(place))
    };
    free.sort_by_key(hides);
    free.first().copied().unwrap_or(first)
}
