//! Drawing a map as SVG.

use std::fmt::Write;

use kdisc::Point;

use crate::colour::Colour;
use crate::dots::Ink;
use crate::font::Weight;
use crate::frame::{Area, Extent, Frame};
use crate::image::{self, Placed};
use crate::layout::{self, Layout};
use crate::map::{Layer, Map, MapError, Sheet, Surface};
use crate::round;
use crate::shapes::{self, Shapes};
use crate::svg::{Anchor, Lettering, Page, Style, Svg, number};

/// More dots or cells than this are drawn as an image, which then takes less space.
pub const MOST_SHAPES: usize = 20_000;
/// The least side of a cell that is drawn as one, in pixels.
const SEEN: f64 = 1.6;

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
pub(crate) struct Pen<'a> {
    pub map: &'a Map<'a>,
    sheet: &'a Sheet,
    pub svg: Svg,
    pub inks: Vec<Ink>,
    as_images: bool,
}

impl Pen<'_> {
    pub fn rectangle(&mut self, area: Area, more: &str) {
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
                Layer::Dots { places, classes } => {
                    let inks = self.inks.clone();
                    self.dots(&frame, places, classes, &inks)?;
                }
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

    pub fn path(&mut self, path: &str, style: &str) {
        if !path.is_empty() {
            self.svg.element("path", &format!("d=\"{path}\" {style}"));
        }
    }

    fn dots(
        &mut self,
        frame: &Frame,
        places: &[Point],
        classes: &[u8],
        inks: &[Ink],
    ) -> Result<(), MapError> {
        if self.as_images {
            let image = image::dots(frame, self.sheet.ratio, places, classes, inks)?;
            self.image(&image);
            return Ok(());
        }
        for (class, Ink { colour, radius }) in inks.iter().enumerate() {
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
            let style = format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                number(2.0 * radius)
            );
            self.path(&path, &style);
        }
        Ok(())
    }

    /// Cells that are too small to be seen are dots in their places.
    fn cells(
        &mut self,
        frame: &Frame,
        outlines: &[Vec<Point>],
        classes: &[u8],
    ) -> Result<(), MapError> {
        let first = outlines.first().map(|outline| outline.iter().copied());
        let extent = first.and_then(Extent::of);
        if extent.is_none_or(|extent| extent.width() * frame.scale < SEEN) {
            let middles: Vec<Point> = outlines.iter().map(|outline| middle(outline)).collect();
            let dot = |ink: &Ink| Ink {
                radius: SEEN / 2.0,
                ..*ink
            };
            let inks: Vec<Ink> = self.inks.iter().map(dot).collect();
            return self.dots(frame, &middles, classes, &inks);
        }
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
}

/// Letters without anything about them.
pub(crate) fn style(size: f64, weight: Weight, colour: Colour) -> Style {
    Style {
        size,
        weight,
        colour,
        halo: None,
    }
}

fn middle(outline: &[Point]) -> Point {
    let count = outline.len().max(1) as f64;
    let sum = |of: fn(&Point) -> f64| outline.iter().map(of).sum::<f64>() / count;
    Point::new(sum(|at| at.x), sum(|at| at.y))
}
