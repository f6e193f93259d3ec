//! Colours, and scales of them.
//!
//! The scales are those of matplotlib: their lightness changes evenly, so that they read the same
//! with any kind of colour vision and on a grey printer. What matters must stand out from the
//! ground: on a light map the dark end is the riskiest, on a dark map the light end.

use std::fmt;

/// A colour, as on screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Colour {
    /// From 0xRRGGBB.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        Self {
            r: (rgb >> 16) as u8,
            g: (rgb >> 8) as u8,
            b: rgb as u8,
        }
    }

    /// Relative luminance, 0 for black to 1 for white, as the guidelines for accessibility have it.
    #[must_use]
    pub fn luminance(self) -> f64 {
        let part = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(self.r) + 0.7152 * part(self.g) + 0.0722 * part(self.b)
    }

    /// The ratio of contrast with another colour: 1 for none to 21.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

/// A scale of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ramp {
    /// Pale yellow, red, violet, black.
    #[default]
    Magma,
    /// Yellow, green, blue, violet.
    Viridis,
    /// Yellow, orange, red, black.
    Inferno,
    /// Yellow, grey, blue: the most even for red-green blindness.
    Cividis,
}

impl Ramp {
    /// So many colours from safe to risky, on a ground that is light or dark. The end next to the
    /// ground is left out, as it could not be seen there.
    #[must_use]
    pub fn colours(self, count: usize, on_dark: bool) -> Vec<Colour> {
        let gradient = match self {
            Self::Magma => colorous::MAGMA,
            Self::Viridis => colorous::VIRIDIS,
            Self::Inferno => colorous::INFERNO,
            Self::Cividis => colorous::CIVIDIS,
        };
        // The scales run from dark to light.
        let (safe, risky) = if on_dark { (0.28, 1.0) } else { (0.93, 0.06) };
        let at = |class: usize| {
            let part = match count {
                0 | 1 => 0.5,
                _ => class as f64 / (count - 1) as f64,
            };
            let colour = gradient.eval_continuous(safe + (risky - safe) * part);
            Colour {
                r: colour.r,
                g: colour.g,
                b: colour.b,
            }
        };
        (0..count).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::Theme;

    #[test]
    fn risk_only_gains_contrast() {
        for ramp in [Ramp::Magma, Ramp::Viridis, Ramp::Inferno, Ramp::Cividis] {
            for theme in [Theme::light(), Theme::dark()] {
                let colours = ramp.colours(7, theme.is_dark);
                let contrasts: Vec<_> = colours.iter().map(|c| c.contrast(theme.map)).collect();
                assert!(
                    contrasts.is_sorted_by(|a, b| a < b),
                    "{ramp:?} {contrasts:?}"
                );
                assert!(contrasts[6] > 7.0, "{ramp:?} {contrasts:?}");
            }
        }
    }

    #[test]
    fn colours_are_written_as_on_the_web() {
        assert_eq!(Colour::hex(0x0a_80ff).to_string(), "#0a80ff");
        assert_eq!(Colour::hex(0x0).contrast(Colour::hex(0xff_ffff)), 21.0);
    }
}
