//! From numbers to places along an axis, and the round numbers that are written there.

use crate::round;

/// How numbers are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Even,
    /// Evenly, with nothing between whole numbers.
    Whole,
    /// By their ratios; 0 is at the beginning, infinity at the end, each a step beyond the others.
    Ratios,
}

/// Numbers along a line of some length.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    /// Whether there is a 0 before the ratios, or an infinity behind them.
    zero: bool,
    infinite: bool,
}

/// The part of an axis that 0 or infinity takes beside ratios.
const BESIDE: f64 = 0.1;

impl Axis {
    /// For these numbers, the ends of which it encloses.
    pub fn new(scale: Scale, values: impl Iterator<Item = f64> + Clone) -> Self {
        let zero = scale == Scale::Ratios && values.clone().any(|value| value <= 0.0);
        let infinite = values.clone().any(|value| value == f64::INFINITY);
        let usable =
            values.filter(|value| value.is_finite() && (scale != Scale::Ratios || *value > 0.0));
        let (low, high) = usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low > high { (1.0, 1.0) } else { (low, high) };
        let (low, high) = match scale {
            _ if low < high => (low, high),
            Scale::Even | Scale::Whole => (low - 1.0, high + 1.0),
            Scale::Ratios => (low / 2.0, high * 2.0),
        };
        Self {
            scale,
            low,
            high,
            zero,
            infinite,
        }
    }

    /// Begins at 0, where that is a number like others, and ends at a round one.
    pub fn rounded(mut self) -> Self {
        match self.scale {
            Scale::Even | Scale::Whole => {
                self.low = self.low.min(0.0);
                let step = self.step();
                self.high = (self.high / step).ceil() * step;
            }
            Scale::Ratios => {
                self.low = round::at_most(self.low);
                self.high = round::at_least(self.high);
            }
        }
        self
    }

    fn step(&self) -> f64 {
        let step = round::at_least((self.high - self.low).max(f64::MIN_POSITIVE) / 6.0);
        if self.scale == Scale::Whole {
            step.max(1.0)
        } else {
            step
        }
    }

    /// Where a number is, from 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        let start = if self.zero { BESIDE } else { 0.0 };
        let end = if self.infinite { 1.0 - BESIDE } else { 1.0 };
        if value == f64::INFINITY {
            return 1.0;
        }
        let part = match self.scale {
            Scale::Even | Scale::Whole => (value - self.low) / (self.high - self.low),
            Scale::Ratios if value <= 0.0 => return 0.0,
            Scale::Ratios => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        start + part.clamp(0.0, 1.0) * (end - start)
    }

    /// Round numbers along it, with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        if self.zero {
            ticks.push((0.0, "0".to_owned()));
        }
        let named = |value: f64| (value, short(value));
        match self.scale {
            Scale::Even | Scale::Whole => {
                let step = self.step();
                let room = step * 1e-6;
                let inside = round::multiples(step, self.low - room, self.high + room);
                ticks.extend(inside.into_iter().map(named));
            }
            Scale::Ratios => ticks.extend(self.ratios().into_iter().map(named)),
        }
        if self.infinite {
            ticks.push((f64::INFINITY, "∞".to_owned()));
        }
        ticks
    }

    /// As many of 1, 2 and 5 times powers of ten as have room.
    fn ratios(&self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let digits: &[f64] = if decades < 2.2 {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let every = if decades > 7.0 {
            (decades / 5.0).ceil() as i32
        } else {
            1
        };
        let (first, last) = (
            self.low.log10().floor() as i32,
            self.high.log10().ceil() as i32,
        );
        let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
        let all = powers.flat_map(|power| {
            digits
                .iter()
                .filter_map(move |digit| format!("{digit}e{power}").parse().ok())
        });
        let room = 1.0 + 1e-9;
        all.filter(|value: &f64| *value >= self.low / room && *value <= self.high * room)
            .collect()
    }
}

/// A number in few letters.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1e9 || (size > 0.0 && size < 1e-4) => format!("{value:e}"),
        size if size >= 1e6 => format!("{}M", round::text(value / 1e6)),
        size if size >= 1e5 => format!("{}k", round::text(value / 1e3)),
        _ => round::text(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale, values: &[f64]) -> Axis {
        Axis::new(scale, values.iter().copied())
    }

    #[test]
    fn ratios_have_room_for_zero_and_infinity() {
        let axis = axis(Scale::Ratios, &[0.0, 10.0, 1000.0, f64::INFINITY]);
        assert_eq!(axis.place(0.0), 0.0);
        assert_eq!(axis.place(f64::INFINITY), 1.0);
        assert!((axis.place(100.0) - 0.5).abs() < 1e-12);
        let texts: Vec<_> = axis.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts.first().map(String::as_str), Some("0"));
        assert_eq!(texts.last().map(String::as_str), Some("∞"));
    }

    #[test]
    fn even_ticks_include_the_ends() {
        let axis = axis(Scale::Even, &[3.0, 97.0]).rounded();
        let places: Vec<_> = axis.ticks().into_iter().map(|(value, _)| value).collect();
        assert_eq!(places, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
    }

    #[test]
    fn nothing_is_written_between_whole_numbers() {
        let texts = |values: &[f64]| -> Vec<String> {
            let ticks = axis(Scale::Whole, values).ticks().into_iter();
            ticks.map(|(_, text)| text).collect()
        };
        assert_eq!(texts(&[2.0, 4.0]), ["2", "3", "4"]);
        assert_eq!(texts(&[2.0, 20.0]), ["5", "10", "15", "20"]);
    }

    #[test]
    fn little_to_show_is_still_an_axis() {
        for scale in [Scale::Even, Scale::Whole, Scale::Ratios] {
            for values in [&[][..], &[5.0], &[0.0], &[f64::INFINITY]] {
                let axis = axis(scale, values).rounded();
                for value in values {
                    assert!(
                        (0.0..=1.0).contains(&axis.place(*value)),
                        "{scale:?} {values:?}"
                    );
                }
                assert!(axis.ticks().len() < 20);
            }
        }
    }
}
