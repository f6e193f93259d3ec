//! Letters: the fonts that come with the program, so that a picture is the same on every machine.
//!
//! Letters are set one after the other by their widths, without kerning. That is what the layout
//! measures, what outlines are drawn by and what PDF is told to do.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The name by which the fonts are known.
pub const FAMILY: &str = "DejaVu Sans";
/// The files, as they came.
pub static FILES: [&[u8]; 2] = [
    include_bytes!("../font/DejaVuSans.ttf"),
    include_bytes!("../font/DejaVuSans-Bold.ttf"),
];

static FACES: LazyLock<[Option<Face<'static>>; 2]> =
    LazyLock::new(|| FILES.map(|file| Face::parse(file, 0).ok()));

/// The weight of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// For most.
    Regular,
    /// For headings.
    Bold,
}

impl Weight {
    fn face(self) -> Option<&'static Face<'static>> {
        FACES[self as usize].as_ref()
    }

    /// Letters of a text, each with its width in parts of the font's size.
    pub(crate) fn letters(self, text: &str) -> Vec<(u16, f64)> {
        let Some(face) = self.face() else {
            return Vec::new();
        };
        let em = f64::from(face.units_per_em());
        let letters = text.chars().map(|letter| {
            // What the font lacks is drawn as its box for that.
            let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
            let width = face.glyph_hor_advance(glyph).unwrap_or(0);
            (glyph.0, f64::from(width) / em)
        });
        letters.collect()
    }

    /// The width of a text in letters of this size.
    #[must_use]
    pub fn width(self, text: &str, size: f64) -> f64 {
        let widths = self.letters(text).into_iter().map(|(_, width)| width);
        widths.sum::<f64>() * size
    }

    /// The outline of a letter as SVG has it, in units of the font with y up, and units per size.
    pub(crate) fn outline(self, glyph: u16) -> (String, f64) {
        let Some(face) = self.face() else {
            return (String::new(), 1.0);
        };
        let mut path = Path(String::new());
        face.outline_glyph(GlyphId(glyph), &mut path);
        (path.0, f64::from(face.units_per_em()))
    }

    /// Breaks a text into lines no wider than this, between words, or within those that are
    /// wider by themselves.
    #[must_use]
    pub fn wrap(self, text: &str, size: f64, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split_whitespace() {
            let longer = if line.is_empty() {
                word.to_owned()
            } else {
                format!("{line} {word}")
            };
            if self.width(&longer, size) <= width {
                line = longer;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            for letter in word.chars() {
                line.push(letter);
                if self.width(&line, size) > width && line.chars().count() > 1 {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, letter.to_string()));
                }
            }
        }
        if !line.is_empty() {
            lines.push(line);
        }
        lines
    }
}

struct Path(String);

impl Path {
    fn put(&mut self, command: char, numbers: &[f32]) {
        self.0.push(command);
        for (i, number) in numbers.iter().enumerate() {
            if i > 0 {
                self.0.push(' ');
            }
            self.0.push_str(&super::svg::number(f64::from(*number)));
        }
    }
}

impl OutlineBuilder for Path {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put('M', &[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put('L', &[x, y]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put('Q', &[x1, y1, x, y]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put('C', &[x1, y1, x2, y2, x, y]);
    }

    fn close(&mut self) {
        self.0.push('Z');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_what_maps_say() {
        for weight in [Weight::Regular, Weight::Bold] {
            for letter in "kdisc 0123 δ∞×·≥–ÄéßŁΩЖ".chars() {
                let letters = weight.letters(&letter.to_string());
                assert!(letters[0].0 != 0 && letters[0].1 > 0.0, "{letter}");
            }
        }
    }

    #[test]
    fn lines_fit_and_lose_nothing() {
        let text = "the quick brown fox jumps over averyveryverylongwordindeed and on";
        let lines = Weight::Regular.wrap(text, 10.0, 70.0);
        for line in &lines {
            assert!(Weight::Regular.width(line, 10.0) <= 70.0, "{line}");
        }
        let squeezed = |text: &str| text.replace(' ', "");
        assert_eq!(squeezed(&lines.concat()), squeezed(text));
    }

    #[test]
    fn bold_is_wider() {
        assert!(Weight::Bold.width("risk", 10.0) > Weight::Regular.width("risk", 10.0));
    }
}
