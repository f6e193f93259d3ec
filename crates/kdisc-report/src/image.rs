//! Parts of a map as images: what there is too much of for shapes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kdisc::Point;
use resvg::tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Transform};

use crate::dots::{self, Image, Ink};
use crate::frame::{Area, Frame};
use crate::map::{MapError, Surface};

/// The most pixels of an image: a quarter of a gigabyte.
pub const MOST_PIXELS: u64 = 64_000_000;
/// The most pixels along a side.
const LONGEST: u32 = 60_000;

/// An image on a page.
pub(crate) struct Placed {
    pub area: Area,
    /// The image itself, as the address of a picture in SVG.
    pub href: String,
}

/// Whether an image of this size can be held.
pub(crate) fn check(width: f64, height: f64) -> Result<(), MapError> {
    // Also where a side is not a number.
    if width * height <= MOST_PIXELS as f64 && width.max(height) <= f64::from(LONGEST) {
        return Ok(());
    }
    Err(MapError::TooLarge {
        width: width.round(),
        height: height.round(),
        most: MOST_PIXELS,
        longest: LONGEST,
    })
}

/// Dots on a frame.
pub(crate) fn dots(
    frame: &Frame,
    ratio: f64,
    places: &[Point],
    classes: &[u8],
    inks: &[Ink],
) -> Result<Placed, MapError> {
    let (width, height) = pixels(frame, ratio);
    let on_image = |place: &Point| {
        let (x, y) = frame.place(*place);
        ((x - frame.area.x) * ratio, (y - frame.area.y) * ratio)
    };
    let dots = places.iter().zip(classes).map(|(place, class)| {
        let (x, y) = on_image(place);
        (x, y, *class)
    });
    let inks: Vec<Ink> = inks
        .iter()
        .map(|ink| Ink {
            radius: ink.radius * ratio,
            ..*ink
        })
        .collect();
    let image = dots::draw(width, height, &dots.collect::<Vec<_>>(), &inks);
    placed(frame.area, &image)
}

/// Cells on a frame, risky ones over safe ones.
pub(crate) fn cells(
    frame: &Frame,
    ratio: f64,
    outlines: &[Vec<Point>],
    classes: &[u8],
    inks: &[Ink],
) -> Result<Placed, MapError> {
    let (width, height) = pixels(frame, ratio);
    let mut pixmap = Pixmap::new(width, height)
        .ok_or_else(|| MapError::Library("there is no memory for an image".to_owned()))?;
    for (class, ink) in inks.iter().enumerate() {
        let mut path = PathBuilder::new();
        let of_class = classes
            .iter()
            .zip(outlines)
            .filter(|(of, _)| usize::from(**of) == class);
        for (_, outline) in
            of_class.filter(|(_, outline)| outline.iter().any(|at| frame.extent.holds(*at)))
        {
            for (i, corner) in outline.iter().enumerate() {
                let (x, y) = frame.place(*corner);
                let (x, y) = (
                    ((x - frame.area.x) * ratio) as f32,
                    ((y - frame.area.y) * ratio) as f32,
                );
                if i == 0 {
                    path.move_to(x, y);
                } else {
                    path.line_to(x, y);
                }
            }
            path.close();
        }
        let Some(path) = path.finish() else {
            continue;
        };
        // Soft edges would show as seams between neighbours.
        let mut paint = Paint {
            anti_alias: false,
            ..Paint::default()
        };
        paint.set_color_rgba8(ink.colour.r, ink.colour.g, ink.colour.b, 255);
        pixmap.fill_path(
            &path,
            &paint,
            FillRule::Winding,
            Transform::identity(),
            None,
        );
    }
    let straight = pixmap.pixels().iter().flat_map(|pixel| {
        let colour = pixel.demultiply();
        [colour.red(), colour.green(), colour.blue(), colour.alpha()]
    });
    let image = Image {
        width,
        height,
        pixels: straight.collect(),
    };
    placed(frame.area, &image)
}

/// A surface, one pixel per square.
pub(crate) fn surface(frame: &Frame, surface: &Surface, inks: &[Ink]) -> Result<Placed, MapError> {
    let colours = surface.classes.iter().flat_map(|class| {
        let ink = inks.get(usize::from(*class));
        ink.map_or([0; 4], |ink| {
            [ink.colour.r, ink.colour.g, ink.colour.b, 255]
        })
    });
    let image = Image {
        width: surface.columns,
        height: surface
            .classes
            .len()
            .checked_div(surface.columns as usize)
            .unwrap_or(0) as u32,
        pixels: colours.collect(),
    };
    let (left, top) = frame.place(Point::new(surface.extent.min.x, surface.extent.max.y));
    let (right, bottom) = frame.place(Point::new(surface.extent.max.x, surface.extent.min.y));
    let area = Area {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
    };
    placed(area, &image)
}

fn pixels(frame: &Frame, ratio: f64) -> (u32, u32) {
    let side = |length: f64| (length * ratio).round().max(1.0) as u32;
    (side(frame.area.width), side(frame.area.height))
}

fn placed(area: Area, image: &Image) -> Result<Placed, MapError> {
    let png = encode(image, &[], None)?;
    Ok(Placed {
        area,
        href: format!("data:image/png;base64,{}", STANDARD.encode(png)),
    })
}

/// An image as PNG, with texts that programs can read and the size of its pixels.
pub(crate) fn encode(
    image: &Image,
    texts: &[(&str, &str)],
    dpi: Option<f64>,
) -> Result<Vec<u8>, MapError> {
    let failed = |error: png::EncodingError| MapError::Library(error.to_string());
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    for (key, text) in texts {
        encoder
            .add_itxt_chunk((*key).to_owned(), (*text).to_owned())
            .map_err(failed)?;
    }
    if let Some(dpi) = dpi {
        let per_metre = (dpi / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions {
            xppu: per_metre,
            yppu: per_metre,
            unit: png::Unit::Meter,
        }));
    }
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&image.pixels).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
