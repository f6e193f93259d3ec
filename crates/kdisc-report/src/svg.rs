//! Writing SVG.
//!
//! Text is either outlines, which look the same everywhere, with the words as a label for those who
//! do not see them; or text in the font of the program, for a PDF that can be searched.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::colour::Colour;
use crate::font::{FAMILY, Weight};

/// How text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lettering {
    /// As outlines.
    Outlines,
    /// As text, for readers who have the font.
    Text,
}

/// Where a text is in respect of its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Begins there.
    Start,
    /// Around it.
    Middle,
    /// Ends there.
    End,
}

/// What a text looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// The size of letters.
    pub size: f64,
    /// Their weight.
    pub weight: Weight,
    /// Their colour.
    pub colour: Colour,
    /// The colour of a border around them, where they lie on a map.
    pub halo: Option<Colour>,
}

/// A picture in the making.
#[derive(Debug)]
pub struct Svg {
    body: String,
    lettering: Lettering,
    /// The outlines in use.
    outlines: BTreeMap<(Weight, u16), String>,
}

impl Svg {
    /// Without anything in it.
    #[must_use]
    pub fn new(lettering: Lettering) -> Self {
        Self {
            body: String::new(),
            lettering,
            outlines: BTreeMap::new(),
        }
    }

    /// An element without content. Attributes are written as given: texts must be
    /// [`escaped`](escape).
    pub fn element(&mut self, name: &str, attributes: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "<{name} {attributes}/>");
    }

    /// Begins an element, to be ended by [`Svg::close`].
    pub fn open(&mut self, name: &str, attributes: &str) {
        let _ = writeln!(self.body, "<{name} {attributes}>");
    }

    /// Ends an element.
    pub fn close(&mut self, name: &str) {
        let _ = writeln!(self.body, "</{name}>");
    }

    /// A text with its base line at (x, y).
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, style: Style, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.lettering {
            Lettering::Text => self.as_text((x, y), anchor, style, text),
            Lettering::Outlines => self.as_outlines((x, y), anchor, style, text),
        }
    }

    fn as_text(&mut self, (x, y): (f64, f64), anchor: Anchor, style: Style, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = match style.weight {
            Weight::Regular => "",
            Weight::Bold => " font-weight=\"bold\"",
        };
        let halo = style.halo.map_or(String::new(), |halo| {
            format!(" stroke=\"{halo}\" stroke-width=\"3\" paint-order=\"stroke\"")
        });
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-family=\"{FAMILY}\" font-size=\"{}\" font-kerning=\"none\" \
             fill=\"{}\"{weight}{anchor}{halo}>{}</text>",
            number(x),
            number(y),
            number(style.size),
            style.colour,
            escape(text)
        );
    }

    fn as_outlines(&mut self, (x, y): (f64, f64), anchor: Anchor, style: Style, text: &str) {
        let width = style.weight.width(text, style.size);
        let x = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        let prefix = match style.weight {
            Weight::Regular => 'r',
            Weight::Bold => 'b',
        };
        let (mut letters, mut at, mut em) = (String::new(), 0.0, 1.0);
        for (glyph, width) in style.weight.letters(text) {
            let (outline, units) = style.weight.outline(glyph);
            em = units;
            if !outline.is_empty() {
                let id = format!("{prefix}{glyph}");
                let _ = write!(letters, "<use href=\"#{id}\" x=\"{}\"/>", number(at * em));
                self.outlines.insert((style.weight, glyph), outline);
            }
            at += width;
        }
        let scale = style.size / em;
        let transform = format!(
            "translate({} {}) scale({scale:.6} {:.6})",
            number(x),
            number(y),
            -scale
        );
        if let Some(halo) = style.halo {
            let _ = writeln!(
                self.body,
                "<g transform=\"{transform}\" fill=\"none\" stroke=\"{halo}\" \
                 stroke-width=\"{}\" stroke-linejoin=\"round\">{letters}</g>",
                number(3.0 / scale)
            );
        }
        let _ = writeln!(
            self.body,
            "<g role=\"img\" aria-label=\"{}\" transform=\"{transform}\" fill=\"{}\">{letters}</g>",
            escape(text),
            style.colour
        );
    }

    /// The whole file: a page of this size, its title, a description and what machines read of it.
    #[must_use]
    pub fn finish(self, page: &Page) -> String {
        let (width, height) = (number(page.width), number(page.height));
        let unit = if page.in_mm { "mm" } else { "" };
        let per = if page.in_mm { 25.4 / 96.0 } else { 1.0 };
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}{unit}\" height=\"{}{unit}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n\
             <metadata>{}</metadata>\n",
            number(page.width * per),
            number(page.height * per),
            escape(&page.title),
            escape(&page.description),
            escape(&page.metadata),
        );
        if !self.outlines.is_empty() {
            out.push_str("<defs>\n");
            for ((weight, glyph), outline) in &self.outlines {
                let prefix = match weight {
                    Weight::Regular => 'r',
                    Weight::Bold => 'b',
                };
                let _ = writeln!(out, "<path id=\"{prefix}{glyph}\" d=\"{outline}\"/>");
            }
            out.push_str("</defs>\n");
        }
        out.push_str(&self.body);
        out.push_str("</svg>\n");
        out
    }
}

/// What a file says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// In pixels of 1/96 inch.
    pub width: f64,
    /// In pixels of 1/96 inch.
    pub height: f64,
    /// Whether programs shall call its size in millimetres.
    pub in_mm: bool,
    /// A name.
    pub title: String,
    /// What there is to see, for those who do not.
    pub description: String,
    /// What it was made of and by, and how to keep it.
    pub metadata: String,
}

/// A number with at most two decimals, as short as it gets.
#[must_use]
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A text as XML has it. What XML cannot have becomes a mark for that.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(1.0, "1"), (-0.001, "0"), (2.346, "2.35"), (-10.5, "-10.5")] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let told = escape("</title><script>\"&\u{0}\u{1b}");
        assert_eq!(
            told,
            "&lt;/title&gt;&lt;script&gt;&quot;&amp;\u{fffd}\u{fffd}"
        );
    }
}
