//! Drawing a map as SVG.

use std::fmt::Write;

use kdisc::Point;

use crate::colour::Colour;
use crate::dots::Ink;
use crate::font::Weight;
use crate::frame::{Area, Frame};
use crate::image::{self, Placed};
use crate::layout::{self, Layout};
use crate::map::{Layer, Map, MapError, Mark, Ring, Sheet, Surface};
use crate::round;
use crate::shapes::{self, Shapes};
use crate::svg::{Anchor, Lettering, Page, Style, Svg, number};

/// More dots or cells than this are drawn as an image, which then takes less space.
pub const MOST_SHAPES: usize = 20_000;

/// A map on its page.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The picture.
    pub svg: String,
    /// The page.
    pub page: Page,
}

impl Map<'_> {
    /// Draws the map on a sheet. `metadata` is what machines read of it.
    ///
    /// # Errors
    /// There is no room for it, or an image would be too large.
    pub fn draw(
        &self,
        sheet: &Sheet,
        lettering: Lettering,
        metadata: &str,
    ) -> Result<Drawing, MapError> {
        if self.panels.is_empty() {
            return Err(MapError::Nothing);
        }
        image::check(
            sheet.width * sheet.ratio,
            sheet.height.unwrap_or(1.0) * sheet.ratio,
        )?;
        let layout = Layout::new(self, sheet)?;
        image::check(layout.width * sheet.ratio, layout.height * sheet.ratio)?;
        let mut pen = Pen {
            map: self,
            sheet,
            svg: Svg::new(lettering),
            inks: self.inks(&layout),
            as_images: self.shapes() > MOST_SHAPES,
        };
        pen.page(&layout)?;
        let page = Page {
            width: layout.width,
            height: layout.height,
            in_mm: sheet.in_mm,
            title: self.title.clone(),
            description: self.description.clone(),
            metadata: metadata.to_owned(),
        };
        Ok(Drawing {
            svg: pen.svg.finish(&page),
            page,
        })
    }

    /// How many dots and cells there are to draw.
    fn shapes(&self) -> usize {
        let layers = self.panels.iter().flat_map(|panel| &panel.layers);
        layers
            .map(|layer| match layer {
                Layer::Dots { classes, .. } | Layer::Cells { classes, .. } => classes.len(),
                _ => 0,
            })
            .sum()
    }

    /// How dots are drawn: smaller when there are many, larger when they are risky, so that the
    /// few are found among the many by whoever does not see colours.
    fn inks(&self, layout: &Layout) -> Vec<Ink> {
        let area = layout
            .panels
            .first()
            .map_or(0.0, |area| area.width * area.height);
        let dots = self.panels.iter().map(|panel| {
            let dots = panel.layers.iter().map(|layer| match layer {
                Layer::Dots { classes, .. } => classes.len(),
                _ => 0,
            });
            dots.sum::<usize>()
        });
        let most = dots.max().unwrap_or(0).max(1) as f64;
        let radius = (0.1 * area / most / std::f64::consts::PI)
            .sqrt()
            .clamp(0.75, 3.2);
        let classes = self.legend.entries.len();
        let growth = |class: usize| match classes {
            0 | 1 => 1.3,
            _ => 1.0 + 0.7 * class as f64 / (classes - 1) as f64,
        };
        let entries = self.legend.entries.iter().enumerate();
        entries
            .map(|(class, entry)| Ink {
                colour: entry.colour,
                radius: radius * growth(class),
            })
            .collect()
    }
}

/// A map being drawn.
struct Pen<'a> {
    map: &'a Map<'a>,
    sheet: &'a Sheet,
    svg: Svg,
    inks: Vec<Ink>,
    as_images: bool,
}

impl Pen<'_> {
    fn rectangle(&mut self, area: Area, more: &str) {
        let Area {
            x,
            y,
            width,
            height,
        } = area;
        let [x, y, width, height] = [x, y, width, height].map(number);
        let shape = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {more}");
        self.svg.element("rect", &shape);
    }

    fn page(&mut self, layout: &Layout) -> Result<(), MapError> {
        let theme = self.map.theme;
        let whole = Area {
            width: layout.width,
            height: layout.height,
            ..Area::default()
        };
        self.rectangle(whole, &format!("fill=\"{}\"", theme.paper));
        let mut y = layout.margin;
        let heads = [
            (&layout.title, layout::TITLE, theme.ink),
            (&layout.notice, layout::TEXT, theme.warning),
        ];
        for (lines, size, colour) in heads {
            for line in lines {
                let at = (layout.margin, y + size);
                let style = style(size, Weight::Bold, colour);
                self.svg.text(at, Anchor::Start, style, line);
                y += size * layout::LEADING;
            }
        }
        for (panel, area) in self.map.panels.iter().zip(&layout.panels) {
            if layout.titled {
                let at = (area.x, area.y - 6.0);
                let style = style(layout::TEXT, Weight::Bold, theme.ink);
                self.svg.text(at, Anchor::Start, style, &panel.title);
            }
            self.panel(&panel.layers, *area)?;
        }
        let frame = layout
            .panels
            .first()
            .map(|area| Frame::new(*area, self.map.extent));
        self.legend(layout, frame);
        let mut y = layout.foot;
        for line in &layout.notes {
            let style = style(layout::NOTE, Weight::Regular, theme.faint);
            self.svg
                .text((layout.margin, y), Anchor::Start, style, line);
            y += layout::NOTE * layout::LEADING;
        }
        Ok(())
    }

    fn panel(&mut self, layers: &[Layer], area: Area) -> Result<(), MapError> {
        let theme = self.map.theme;
        let frame = Frame::new(area, self.map.extent);
        // An inner picture cuts what is beyond its borders, and needs no name for that.
        let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(number);
        self.svg.open(
            "svg",
            &format!(
                "x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                 viewBox=\"{x} {y} {width} {height}\" overflow=\"hidden\""
            ),
        );
        self.rectangle(area, &format!("fill=\"{}\"", theme.map));
        for layer in layers {
            match layer {
                Layer::Under(shapes) => self.under(&frame, shapes),
                Layer::Over(shapes) => self.over(&frame, shapes),
                Layer::Dots { places, classes } => self.dots(&frame, places, classes)?,
                Layer::Cells { outlines, classes } => self.cells(&frame, outlines, classes)?,
                Layer::Surface(surface) => self.surface(&frame, surface)?,
                Layer::Marks(marks) => self.marks(&frame, marks),
            }
        }
        self.svg.close("svg");
        self.rectangle(area, &format!("fill=\"none\" stroke=\"{}\"", theme.line));
        if self.map.axes {
            self.axes(&frame);
        }
        Ok(())
    }

    fn under(&mut self, frame: &Frame, shapes: &Shapes) {
        let theme = self.map.theme;
        let path = shapes::polygons(frame, &shapes.polygons);
        let style = format!(
            "fill=\"{}\" fill-rule=\"evenodd\" stroke=\"{}\" stroke-width=\"0.8\"",
            theme.land, theme.border
        );
        self.path(&path, &style);
        let path = shapes::lines(frame, &shapes.lines);
        self.path(&path, &format!("fill=\"none\" stroke=\"{}\"", theme.border));
        let path = shapes::points(frame, &shapes.points);
        self.path(
            &path,
            &format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"3\" stroke-linecap=\"round\"",
                theme.border
            ),
        );
    }

    fn over(&mut self, frame: &Frame, shapes: &Shapes) {
        let ink = self.map.theme.ink;
        let mut path = shapes::polygons(frame, &shapes.polygons);
        path.push_str(&shapes::lines(frame, &shapes.lines));
        self.path(
            &path,
            &format!("fill=\"none\" stroke=\"{ink}\" stroke-opacity=\"0.7\""),
        );
        let path = shapes::points(frame, &shapes.points);
        self.path(
            &path,
            &format!(
                "fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.5\" stroke-linecap=\"round\""
            ),
        );
    }

    fn path(&mut self, path: &str, style: &str) {
        if !path.is_empty() {
            self.svg.element("path", &format!("d=\"{path}\" {style}"));
        }
    }

    fn dots(&mut self, frame: &Frame, places: &[Point], classes: &[u8]) -> Result<(), MapError> {
        if self.as_images {
            let image = image::dots(frame, self.sheet.ratio, places, classes, &self.inks)?;
            self.image(&image);
            return Ok(());
        }
        for class in 0..self.inks.len() {
            let mut path = String::new();
            let of_class = classes
                .iter()
                .zip(places)
                .filter(|(of, _)| usize::from(**of) == class);
            for (_, place) in of_class.filter(|(_, place)| frame.extent.holds(**place)) {
                let (x, y) = frame.place(*place);
                // A line of next to no length with round ends.
                let _ = write!(path, "M{} {}h.01", number(x), number(y));
            }
            let Ink { colour, radius } = self.inks[class];
            let style = format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                number(2.0 * radius)
            );
            self.path(&path, &style);
        }
        Ok(())
    }

    fn cells(
        &mut self,
        frame: &Frame,
        outlines: &[Vec<Point>],
        classes: &[u8],
    ) -> Result<(), MapError> {
        if self.as_images {
            let image = image::cells(frame, self.sheet.ratio, outlines, classes, &self.inks)?;
            self.image(&image);
            return Ok(());
        }
        for class in 0..self.inks.len() {
            let of_class = classes
                .iter()
                .zip(outlines)
                .filter(|(of, _)| usize::from(**of) == class);
            let rings: Vec<_> = of_class.map(|(_, outline)| vec![outline.clone()]).collect();
            let path = shapes::polygons(frame, &rings);
            // The thin border closes the seams that screens show between neighbours.
            let colour = self.inks[class].colour;
            self.path(
                &path,
                &format!("fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.3\""),
            );
        }
        Ok(())
    }

    fn surface(&mut self, frame: &Frame, surface: &Surface) -> Result<(), MapError> {
        let image = image::surface(frame, surface, &self.inks)?;
        self.image(&image);
        Ok(())
    }

    fn image(&mut self, placed: &Placed) {
        let Area {
            x,
            y,
            width,
            height,
        } = placed.area;
        let [x, y, width, height] = [x, y, width, height].map(number);
        self.svg.element(
            "image",
            &format!(
                "x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                 preserveAspectRatio=\"none\" image-rendering=\"pixelated\" href=\"{}\"",
                placed.href
            ),
        );
    }

    /// Crosses and discs first, so that no label is under one.
    fn marks(&mut self, frame: &Frame, marks: &[Mark]) {
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
        for (mark, around) in marks.iter().zip(boxes) {
            let width = Weight::Bold.width(&mark.label, layout::TEXT);
            let place = free_place(
                &frame.area,
                around,
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

    /// Draws the border of a disc; where it is.
    fn ring(&mut self, frame: &Frame, ring: &Ring) -> Area {
        let look = |halo: bool| {
            let (colour, width) = if halo {
                (self.map.theme.map, 3.5)
            } else {
                (self.map.theme.accent, 1.5)
            };
            format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"")
        };
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
                for halo in [true, false] {
                    let look = look(halo);
                    self.svg.element("circle", &format!("{shape} {look}"));
                }
                square((x, y), r.max(6.0))
            }
            Ring::Corners(corners) => {
                let path = shapes::polygons(frame, &[vec![corners.to_vec()]]);
                for halo in [true, false] {
                    let look = look(halo);
                    self.path(&path, &look);
                }
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

    fn axes(&mut self, frame: &Frame) {
        let theme = self.map.theme;
        let Area {
            x,
            y,
            width,
            height,
        } = frame.area;
        let extent = frame.extent;
        let (right, bottom) = (x + width, y + height);
        let style = style(layout::NOTE, Weight::Regular, theme.faint);
        let mut ticks = String::new();
        let step = round::at_least(extent.width() / (width / 90.0).max(1.0));
        for value in round::multiples(step, extent.min.x, extent.max.x) {
            let at = frame.place(Point::new(value, extent.min.y)).0;
            let text = round::coordinate(value, step);
            let half = Weight::Regular.width(&text, layout::NOTE) / 2.0;
            let _ = write!(ticks, "M{} {}v4", number(at), number(bottom));
            if at - half >= x - layout::AXES.0 && at + half <= right + 6.0 {
                self.svg.text(
                    (at, bottom + 5.0 + layout::NOTE),
                    Anchor::Middle,
                    style,
                    &text,
                );
            }
        }
        let step = round::at_least(extent.height() / (height / 60.0).max(1.0));
        for value in round::multiples(step, extent.min.y, extent.max.y) {
            let at = frame.place(Point::new(extent.min.x, value)).1;
            let _ = write!(ticks, "M{} {}h-4", number(x), number(at));
            let text = round::coordinate(value, step);
            self.svg
                .text((x - 6.0, at + 3.5), Anchor::End, style, &text);
        }
        self.path(&ticks, &format!("fill=\"none\" stroke=\"{}\"", theme.line));
    }

    fn legend(&mut self, layout: &Layout, frame: Option<Frame>) {
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

    fn sign(&mut self, class: Option<usize>, (x, y): (f64, f64)) {
        let theme = self.map.theme;
        match class.and_then(|class| self.inks.get(class)).copied() {
            None => {
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
            Some(ink) if self.map.legend.dots => {
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
            Some(ink) => {
                let area = Area {
                    x: x - 8.0,
                    y: y - 6.0,
                    width: 16.0,
                    height: 12.0,
                };
                self.rectangle(
                    area,
                    &format!(
                        "fill=\"{}\" stroke=\"{}\" stroke-width=\"0.5\"",
                        ink.colour, theme.line
                    ),
                );
            }
        }
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

fn style(size: f64, weight: Weight, colour: Colour) -> Style {
    Style {
        size,
        weight,
        colour,
        halo: None,
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

/// A place for a label next to a disc, or to its cross, where it is in sight and hides nothing; next
/// to the disc if there is none.
fn free_place(page: &Area, disc: Area, cross: Area, width: f64, taken: &[Area]) -> Area {
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
    let places = beside(disc).into_iter().chain(beside(cross));
    let mut places = places.map(|(x, y)| Area {
        x,
        y,
        width,
        height,
    });
    let first = places.clone().next().unwrap_or_default();
    let found =
        places.find(|place| page.encloses(place) && !taken.iter().any(|other| other.meets(place)));
    found.unwrap_or(first)
}
