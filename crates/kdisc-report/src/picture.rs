//! A drawing as a file: SVG, PNG or PDF.
//!
//! All three come from one drawing. SVG is that drawing with letters as outlines; PNG is what resvg
//! makes of it; PDF has the letters as text in an embedded font. None holds a date, so that the
//! same map is the same file, to the byte.

use std::sync::Arc;

use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Tree, fontdb};

use crate::dots::Image;
use crate::draw::Drawing;
use crate::font::FILES;
use crate::image::{self, encode};
use crate::map::{Map, MapError, Sheet};
use crate::svg::Lettering;

/// Points of a PDF per pixel of 1/96 inch.
const POINTS: f64 = 0.75;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Pixels.
    Png,
    /// Shapes, for the web and for drawing programs.
    Svg,
    /// Shapes, for paper.
    Pdf,
}

impl Map<'_> {
    /// The map as a file, made by `creator`; its metadata are `metadata`.
    ///
    /// # Errors
    /// There is no room for it, or an image would be too large.
    pub fn picture(
        &self,
        sheet: &Sheet,
        kind: Kind,
        creator: &str,
        metadata: &str,
    ) -> Result<Vec<u8>, MapError> {
        let lettering = match kind {
            Kind::Pdf => Lettering::Text,
            Kind::Png | Kind::Svg => Lettering::Outlines,
        };
        let drawing = self.draw(sheet, lettering, metadata)?;
        match kind {
            Kind::Svg => Ok(drawing.svg.into_bytes()),
            Kind::Png => png(&drawing, sheet.ratio, creator),
            Kind::Pdf => pdf(&drawing, creator),
        }
    }
}

fn tree(drawing: &Drawing) -> Result<Tree, MapError> {
    let mut fonts = fontdb::Database::new();
    for file in FILES {
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(file)));
    }
    let options = usvg::Options {
        fontdb: Arc::new(fonts),
        ..usvg::Options::default()
    };
    Tree::from_str(&drawing.svg, &options).map_err(|error| library(&error))
}

fn png(drawing: &Drawing, ratio: f64, creator: &str) -> Result<Vec<u8>, MapError> {
    let page = &drawing.page;
    let (width, height) = ((page.width * ratio).round(), (page.height * ratio).round());
    image::check(width, height)?;
    let mut pixmap = Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| library(&"there is no memory for the image"))?;
    let tree = tree(drawing)?;
    // The tree is as large as its page in pixels, or in millimetres made into pixels.
    let scale = (width / f64::from(tree.size().width())) as f32;
    resvg::render(
        &tree,
        Transform::from_scale(scale, scale),
        &mut pixmap.as_mut(),
    );
    let image = Image {
        width: pixmap.width(),
        height: pixmap.height(),
        // The paper covers everything.
        pixels: pixmap.take(),
    };
    let texts = [
        ("Title", page.title.as_str()),
        ("Description", &page.description),
        ("Comment", &page.metadata),
        ("Software", creator),
    ];
    encode(&image, &texts, Some(96.0 * ratio))
}

fn pdf(drawing: &Drawing, creator: &str) -> Result<Vec<u8>, MapError> {
    let page = &drawing.page;
    let size = Size::from_wh((page.width * POINTS) as f32, (page.height * POINTS) as f32);
    let size = size.ok_or_else(|| library(&"a page has no size"))?;
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new()
            .title(page.title.clone())
            .description(format!("{} {}", page.description, page.metadata))
            .keywords(vec![page.metadata.clone()])
            .creator(creator.to_owned())
            .language("en".to_owned()),
    );
    let mut sheet = document.start_page_with(PageSettings::new(size));
    let mut surface = sheet.surface();
    let drawn = surface.draw_svg(&tree(drawing)?, size, SvgSettings::default());
    surface.finish();
    sheet.finish();
    drawn.ok_or_else(|| library(&"the map cannot be drawn as PDF"))?;
    document
        .finish()
        .map_err(|error| library(&format!("{error:?}")))
}

fn library(error: &dyn ToString) -> MapError {
    MapError::Library(error.to_string())
}
