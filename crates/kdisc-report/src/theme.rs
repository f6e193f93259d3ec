//! What a picture looks like beyond its data.

use crate::colour::Colour;

/// The colours of paper, ink and what lies between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The page.
    pub paper: Colour,
    /// The ground of a map.
    pub map: Colour,
    /// Text.
    pub ink: Colour,
    /// Text of less weight.
    pub faint: Colour,
    /// Frames and ticks.
    pub line: Colour,
    /// Areas of a layer under the data, and their borders.
    pub land: Colour,
    /// Borders of areas, and lines, of a layer under the data.
    pub border: Colour,
    /// Marks and their discs: a hue that no scale has at its risky end.
    pub accent: Colour,
    /// What nobody may overlook.
    pub warning: Colour,
}

impl Theme {
    /// Dark ink on light paper.
    #[must_use]
    pub const fn light() -> Self {
        Self {
            is_dark: false,
            paper: Colour::hex(0xff_ffff),
            map: Colour::hex(0xf4_f4f1),
            ink: Colour::hex(0x1c_1c1c),
            faint: Colour::hex(0x5a_5a5a),
            line: Colour::hex(0xb4_b4b0),
            land: Colour::hex(0xe6_e6e0),
            border: Colour::hex(0xa8_a8a0),
            accent: Colour::hex(0x00_62a8),
            warning: Colour::hex(0xb3_0f1e),
        }
    }

    /// Light ink on a dark page.
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            is_dark: true,
            paper: Colour::hex(0x16_1618),
            map: Colour::hex(0x0d_0d10),
            ink: Colour::hex(0xf0_f0ee),
            faint: Colour::hex(0xaa_aaaa),
            line: Colour::hex(0x55_5558),
            land: Colour::hex(0x1e_1e22),
            border: Colour::hex(0x5c_5c62),
            accent: Colour::hex(0x6f_d3ff),
            warning: Colour::hex(0xff_8a80),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read() {
        for theme in [Theme::light(), Theme::dark()] {
            for text in [theme.ink, theme.faint, theme.warning, theme.accent] {
                assert!(text.contrast(theme.paper) >= 4.5, "{text}");
                assert!(text.contrast(theme.map) >= 4.5, "{text}");
            }
        }
    }
}
