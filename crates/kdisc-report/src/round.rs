//! Round numbers: 1, 2 and 5 times powers of ten, and numbers as people write them.

/// First digits of round numbers.
const DIGITS: [f64; 3] = [1.0, 2.0, 5.0];

/// The greatest round number that is not above a positive one.
#[must_use]
pub fn at_most(value: f64) -> f64 {
    candidates(value)
        .into_iter()
        .rev()
        .find(|round| *round <= value)
        .unwrap_or(value)
}

/// The smallest round number that is not below a positive one.
#[must_use]
pub fn at_least(value: f64) -> f64 {
    let found = candidates(value).into_iter().find(|round| *round >= value);
    found.unwrap_or(value)
}

/// The round number nearest to a positive one, by their ratio.
#[must_use]
pub fn nearest(value: f64) -> f64 {
    let (below, above) = (at_most(value), at_least(value));
    if value / below <= above / value {
        below
    } else {
        above
    }
}

/// The multiples of a step strictly between two numbers, at most a thousand.
#[must_use]
pub fn multiples(step: f64, low: f64, high: f64) -> Vec<f64> {
    let first = (low / step).floor() + 1.0;
    let all = (0..1000).map(|i| (first + f64::from(i)) * step);
    // A product of a step such as 0.1 may miss its decimal by a rounding.
    let tidy = all.map(|value| (value / step).round() * step);
    tidy.take_while(|value| *value < high)
        .filter(|value| *value > low)
        .collect()
}

/// Round numbers about a positive one, in order.
fn candidates(value: f64) -> Vec<f64> {
    let power = value.log10().floor().clamp(-300.0, 300.0) as i32;
    let powers = power - 1..=power + 1;
    powers
        .flat_map(|power| DIGITS.map(|digit| scaled(digit, power)))
        .collect()
}

/// A digit times a power of ten, rounded once.
fn scaled(digit: f64, power: i32) -> f64 {
    format!("{digit}e{power}").parse().unwrap_or(digit)
}

/// A number with three digits, the rest being zeros.
#[must_use]
pub fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// A number in few digits: thousands apart, no zeros at the end, powers of ten when very long.
#[must_use]
pub fn text(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        return format!("{value:e}");
    }
    let decimals = if size >= 1000.0 || size == 0.0 {
        0
    } else {
        (3.0 - size.log10().floor()).clamp(0.0, 7.0) as usize
    };
    let plain = format!("{value:.decimals$}");
    let plain = match plain.split_once('.') {
        Some(_) => plain.trim_end_matches('0').trim_end_matches('.'),
        None => &plain,
    };
    match plain.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", apart(whole)),
        None => apart(plain),
    }
}

/// A whole number, thousands apart.
#[must_use]
pub fn count(number: u64) -> String {
    apart(&number.to_string())
}

/// So many of something.
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", count(number))
}

/// Thousands apart, from five digits on.
fn apart(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    if digits.len() < 5 {
        return format!("{sign}{digits}");
    }
    let mut out = sign.to_owned();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A coordinate, as precisely as the step to the next one.
#[must_use]
pub fn coordinate(value: f64, step: f64) -> String {
    if value.abs() >= 1e9 || step < 1e-6 {
        return format!("{value:e}");
    }
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.decimals$}")
}

/// A length in metres, in the unit that suits it.
#[must_use]
pub fn metres(length: f64) -> String {
    if length >= 1000.0 {
        format!("{} km", text(length / 1000.0))
    } else {
        format!("{} m", text(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_enclose() {
        for (value, below, above, near) in [
            (3.0, 2.0, 5.0, 2.0),
            (7.7, 5.0, 10.0, 10.0),
            (1.0, 1.0, 1.0, 1.0),
            (0.03, 0.02, 0.05, 0.02),
            (999.0, 500.0, 1000.0, 1000.0),
            (1e149, 1e149, 1e149, 1e149),
            (4e-150, 2e-150, 5e-150, 5e-150),
        ] {
            assert_eq!(at_most(value), below, "{value}");
            assert_eq!(at_least(value), above, "{value}");
            assert_eq!(nearest(value), near, "{value}");
        }
    }

    #[test]
    fn multiples_lie_strictly_between() {
        assert_eq!(multiples(2.0, 4.0, 10.0), [6.0, 8.0]);
        assert_eq!(multiples(0.5, -0.7, 0.6), [-0.5, 0.0, 0.5]);
        assert_eq!(multiples(10.0, 1.0, 2.0), []);
    }

    #[test]
    fn numbers_are_written_as_people_do() {
        for (value, written) in [
            (0.0, "0"),
            (0.05, "0.05"),
            (0.1 + 0.2, "0.3"),
            (12.5, "12.5"),
            (1000.0, "1000"),
            (-12_345.6, "-12,346"),
            (2_000_000.0, "2,000,000"),
            (1e150, "1e150"),
        ] {
            assert_eq!(text(value), written);
        }
        assert_eq!(metres(500.0), "500 m");
        assert_eq!(metres(2000.0), "2 km");
        assert_eq!(count(1_048_576), "1,048,576");
    }
}
