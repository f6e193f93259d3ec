//! Very many dots as an image.
//!
//! A million dots on a page cover each other, and a map that shows whichever came last shows
//! nothing. So dots are drawn class by class, from safe to risky: where dots overlap, the riskiest
//! is what is seen. Within a class a pixel takes the largest share that any dot covers of it, so
//! neither the order of the dots nor their number matters: the map tells where there is risk, and
//! density does not turn into a blot that hides it.
//!
//! O(dots × pixels of a dot + classes × pixels of the image).

use crate::colour::Colour;

/// Pixels with their colours: red, green, blue and opacity, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes per pixel; colours are not multiplied by opacity.
    pub pixels: Vec<u8>,
}

/// How dots of a class are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink {
    /// Their colour.
    pub colour: Colour,
    /// Their radius, in pixels.
    pub radius: f64,
}

/// One dot: its place in pixels from the top left, and its class.
pub type Dot = (f64, f64, u8);

/// Draws dots of the classes of `inks`, which go from safe to risky.
#[must_use]
pub fn draw(width: u32, height: u32, dots: &[Dot], inks: &[Ink]) -> Image {
    let size = width as usize * height as usize;
    let mut colours = vec![[0.0f32; 4]; size];
    let mut cover = vec![0.0f32; size];
    for (class, ink) in inks.iter().enumerate() {
        cover.fill(0.0);
        let mut used = false;
        for &(x, y, _) in dots.iter().filter(|dot| usize::from(dot.2) == class) {
            stamp(&mut cover, (width, height), (x, y), ink.radius);
            used = true;
        }
        if used {
            paint(&mut colours, &cover, ink.colour);
        }
    }
    let byte = |part: f32| (part * 255.0).round() as u8;
    let pixels = colours.iter().flat_map(|&[r, g, b, a]| {
        let whole = if a > 0.0 { 1.0 / a } else { 0.0 };
        [byte(r * whole), byte(g * whole), byte(b * whole), byte(a)]
    });
    Image {
        width,
        height,
        pixels: pixels.collect(),
    }
}

/// Marks how much of each pixel a dot covers.
fn stamp(cover: &mut [f32], (width, height): (u32, u32), (x, y): (f64, f64), radius: f64) {
    let reach = radius + 0.5;
    let near = |at: f64, size: u32| {
        let first = (at - reach - 0.5).ceil().max(0.0);
        let last = (at + reach - 0.5).floor().min(f64::from(size) - 1.0);
        (first <= last).then_some((first as usize, last as usize))
    };
    let (Some((left, right)), Some((top, bottom))) = (near(x, width), near(y, height)) else {
        return;
    };
    for row in top..=bottom {
        let dy = row as f64 + 0.5 - y;
        for column in left..=right {
            let dx = column as f64 + 0.5 - x;
            let part = (reach - dx.hypot(dy)).clamp(0.0, 1.0) as f32;
            let pixel = &mut cover[row * width as usize + column];
            *pixel = pixel.max(part);
        }
    }
}

/// Lays a colour over others, as far as it covers.
fn paint(under: &mut [[f32; 4]], cover: &[f32], colour: Colour) {
    let colour = [colour.r, colour.g, colour.b].map(|part| f32::from(part) / 255.0);
    let colour = [colour[0], colour[1], colour[2], 1.0];
    for (pixel, &part) in under.iter_mut().zip(cover).filter(|(_, part)| **part > 0.0) {
        for (below, above) in pixel.iter_mut().zip(colour) {
            *below = above * part + *below * (1.0 - part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const INKS: [Ink; 3] = [
        Ink {
            colour: Colour::hex(0xff_ff00),
            radius: 1.2,
        },
        Ink {
            colour: Colour::hex(0xff_0000),
            radius: 1.5,
        },
        Ink {
            colour: Colour::hex(0x20_0020),
            radius: 1.9,
        },
    ];

    fn pixel(image: &Image, column: u32, row: u32) -> [u8; 4] {
        let at = 4 * (row * image.width + column) as usize;
        [0, 1, 2, 3].map(|part| image.pixels[at + part])
    }

    #[test]
    fn one_isolated_dot_shows_among_a_million_safe_ones() {
        let safe = (0..1_000_000).map(|i| (f64::from(i % 100) + 0.5, f64::from(i % 97) + 0.5, 0));
        let dots: Vec<Dot> = safe.chain([(50.5, 40.5, 2)]).collect();
        let image = draw(100, 100, &dots, &INKS);
        assert_eq!(pixel(&image, 50, 40), [0x20, 0, 0x20, 255]);
        assert_eq!(pixel(&image, 20, 20), [0xff, 0xff, 0, 255]);
    }

    #[test]
    fn dots_beyond_the_image_are_not_drawn() {
        let far = [(-50.0, 5.0, 0), (5.0, 1e300, 1), (f64::NAN, 5.0, 2)];
        let image = draw(10, 10, &far, &INKS);
        assert!(image.pixels.iter().all(|byte| *byte == 0));
    }

    proptest! {
        /// The obvious way: for each pixel look at every dot.
        #[test]
        fn every_pixel_shows_the_riskiest_dot_that_covers_it(
            dots in prop::collection::vec((0.0f64..30.0, 0.0f64..20.0, 0u8..3), 0..60),
            turn in 0usize..60,
        ) {
            let image = draw(30, 20, &dots, &INKS);
            for row in 0..20 {
                for column in 0..30 {
                    let (x, y) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
                    let gap = |dot: &Dot| {
                        (dot.0 - x).hypot(dot.1 - y) - INKS[usize::from(dot.2)].radius
                    };
                    let full = dots.iter().filter(|dot| gap(dot) <= -0.5).map(|dot| dot.2).max();
                    let touched = dots.iter().filter(|dot| gap(dot) < 0.5).map(|dot| dot.2).max();
                    let seen = pixel(&image, column, row);
                    if touched.is_none() {
                        prop_assert_eq!(seen[3], 0);
                    }
                    // Less than half of a 255th cannot be told from nothing.
                    if dots.iter().any(|dot| gap(dot) < 0.498) {
                        prop_assert!(seen[3] > 0);
                    }
                    if let Some(class) = full.filter(|_| full == touched) {
                        let Colour { r, g, b } = INKS[usize::from(class)].colour;
                        prop_assert_eq!(seen, [r, g, b, 255]);
                    }
                }
            }
            let mut turned = dots.clone();
            turned.rotate_left(turn.min(dots.len()));
            prop_assert_eq!(draw(30, 20, &turned, &INKS), image);
        }
    }
}
