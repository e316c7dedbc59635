//! Where an axis has its ticks and how their numbers are written.

/// A tick: its place on the axis and its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub at: f64,
    pub label: String,
}

/// Round steps: 1, 2 or 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&step| step >= rough * (1.0 - 1e-9));
    step.filter(|step| step.is_finite()).unwrap_or(power)
}

/// At most about `most` round numbers from `low` to `high`; one tick where the two are equal.
pub(super) fn linear(low: f64, high: f64, most: usize) -> Vec<Tick> {
    // Halved first, so that a span of nearly every double does not overflow.
    let rough = (high / 2.0 - low / 2.0) / (most.max(2) as f64 / 2.0);
    let step = round_step(rough);
    if rough <= 0.0 || !step.is_normal() || low + step == low {
        return vec![Tick { at: low, label: number(low) }];
    }
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let most_digits = low.abs().max(high.abs()).log10().floor().max(0.0) + 1.0;
    let plain = decimals <= 5 && (most_digits <= 5.0 || decimals > 0 && most_digits + decimals as f64 <= 8.0);
    // As many digits as tell neighbouring ticks apart.
    let digits = (low.abs().max(high.abs()).log10().floor() - step.log10().floor()).clamp(0.0, 16.0) as usize;
    (0..=((last - first) as usize).min(2 * most))
        .map(|i| {
            let at = (first + i as f64) * step;
            let label = if plain { signed(format!("{at:.decimals$}")) } else { scientific(at, digits) };
            Tick { at, label }
        })
        .collect()
}

/// Powers of ten from `low` to `high` (both positive), thinned to about `most`; with 2 and 5 between where there are few.
pub(super) fn logarithmic(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let (first, last) = ((low.log10() - 1e-9).ceil() as i32, (high.log10() + 1e-9).floor() as i32);
    let decades = (last - first + 1).max(0) as usize;
    let every = decades.div_ceil(most.max(2)).max(1);
    let mantissas: &[f64] = if decades >= 3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let powers = decades >= 3 && (first < -2 || last > 4);
    let mut ticks = Vec::new();
    for power in first - 1..=last {
        if (power - first).rem_euclid(every as i32) != 0 && mantissas.len() == 1 {
            continue;
        }
        for at in mantissas.iter().map(|m| m * 10f64.powi(power)) {
            if at.is_finite() && at >= low * (1.0 - 1e-9) && at <= high * (1.0 + 1e-9) {
                ticks.push(Tick { at, label: if powers { power_of_ten(at) } else { number(at) } });
            }
        }
    }
    if ticks.len() < 2 { linear(low, high, most) } else { ticks }
}

/// 10⁻³ for 0.001.
fn power_of_ten(value: f64) -> String {
    let mut text = "10".to_owned();
    for c in (value.log10().round() as i32).to_string().chars() {
        let digit = c.to_digit(10).map(|digit| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize]);
        text.push(digit.unwrap_or('⁻'));
    }
    text
}

/// Ticks of `count` places 0, 1, 2 ... so that labels `room` pixels long do not meet, `pitch` pixels being one place.
pub(super) fn places(count: usize, pitch: f64, room: f64) -> impl Iterator<Item = usize> {
    let mut step = 1usize;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if step as f64 * pitch >= room || step >= count {
            break;
        }
        step = (step as f64 * factor) as usize;
    }
    (0..count).step_by(step)
}

/// A number in at most six digits, with a true minus.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.is_nan() => "NaN".to_owned(),
        f64::INFINITY => if value > 0.0 { "+∞" } else { "−∞" }.to_owned(),
        0.0 => "0".to_owned(),
        _ if (1e-4..1e5).contains(&size) => {
            let decimals = (5.0 - size.log10().floor()).max(0.0) as usize;
            let text = format!("{value:.decimals$}");
            signed(text.trim_end_matches('0').trim_end_matches('.').to_owned())
        }
        _ => scientific(value, 5),
    }
}

/// A number rounded to `decimals`, with a power of ten where it is large.
pub(super) fn rounded(value: f64, decimals: usize) -> String {
    match value.abs() {
        size if size < 1e6 => signed(format!("{value:.decimals$}")),
        size if size.is_finite() => scientific(value, decimals),
        _ => number(value),
    }
}

/// A number as short as two decimals allow.
pub(super) fn short(value: f64) -> String {
    number(if value.abs() < 1e6 { (value * 100.0).round() / 100.0 } else { value })
}

/// The fewest decimals, up to two, that show every one of `values` as two decimals would.
pub(super) fn decimals_for<'a>(values: impl IntoIterator<Item = &'a f64>) -> usize {
    let mut most = 0;
    // A plain loop: adapters would be compiled for every kind of iterator that comes here.
    for value in values {
        most = most.max(decimals_of(*value));
    }
    most
}

fn decimals_of(value: f64) -> usize {
    match (value * 100.0).round() as i64 {
        _ if value.is_nan() || value.abs() >= 1e6 => 0,
        hundredths if hundredths % 100 == 0 => 0,
        hundredths => 2 - usize::from(hundredths % 10 == 0),
    }
}

/// Every digit of a number, in the form that Rust reads back as the same number.
pub(super) fn exact(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && size.is_finite() && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    match power {
        "0" => signed(mantissa.to_owned()),
        _ => signed(format!("{mantissa}e{power}")),
    }
}

fn signed(text: String) -> String {
    let zero = text.starts_with('-') && text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.'));
    if zero { text.trim_start_matches('-').to_owned() } else { text.replace('-', "−") }
}

/// Where `value` lies between `low` (0) and `high` (1), also when their distance is beyond a double.
pub(super) fn fraction(value: f64, low: f64, high: f64) -> f64 {
    let span = high - low;
    if span.is_finite() && (value - low).is_finite() {
        (value - low) / span
    } else {
        (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn round_numbers_inside_the_range() {
        assert_eq!(labels(&linear(0.0, 1.0, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&linear(-0.31, 0.52, 5)), ["−0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(labels(&linear(0.0, 10.0, 5)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&linear(0.0, 3e-7, 4)), ["0", "1e−7", "2e−7", "3e−7"]);
        assert_eq!(labels(&linear(0.0, 250_000.0, 4)), ["0", "1e5", "2e5"]);
        assert_eq!(labels(&linear(0.3, 0.3, 5)), ["0.3"]);
        assert_eq!(labels(&linear(-f64::MAX, f64::MAX, 3)), ["−1e308", "0", "1e308"]);
    }

    #[test]
    fn neighbouring_ticks_have_different_labels() {
        for (low, high) in
            [(1e5, 1e5 + 1.0), (1.0, 1.0 + 1e-7), (123_456.0, 123_460.0), (-1e-9, 1e-9), (1e9, 1e9 + 5.0)]
        {
            let ticks = linear(low, high, 5);
            let mut labels = labels(&ticks);
            let count = labels.len();
            labels.dedup();
            assert!(count > 2 && labels.len() == count, "{low} to {high}: {ticks:?}");
        }
        assert_eq!(labels(&linear(1e5, 1e5 + 1.0, 4))[1], "100000.5");
    }

    #[test]
    fn numbers_of_every_size_stay_short_or_exact() {
        assert_eq!(
            [0.1 + 0.2, -1e5, 12345.67, 1e-4, f64::MAX].map(number),
            ["0.3", "−1e5", "12345.7", "0.0001", "1.79769e308"]
        );
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0].map(number), ["NaN", "+∞", "−∞", "0"]);
        assert_eq!([-0.004, 0.125, 1e300].map(|v| rounded(v, 2)), ["0.00", "0.12", "1e300"]);
        for value in [0.1 + 0.2, -1.0, 5e-324, f64::MAX, 1e-300, 123_456_789.123] {
            assert_eq!(exact(value).parse::<f64>(), Ok(value));
            assert!(exact(value).len() < 26);
        }
    }

    #[test]
    fn fractions_at_the_ends_of_the_doubles() {
        assert_eq!(fraction(0.0, -f64::MAX, f64::MAX), 0.5);
        assert_eq!(fraction(5e-324, 0.0, 5e-324), 1.0);
    }

    #[test]
    fn extreme_ranges_end() {
        for (low, high) in [(-f64::MAX, f64::MAX), (0.0, f64::MIN_POSITIVE), (1.0, 1.0 + f64::EPSILON), (0.0, 5e-324)] {
            let ticks = linear(low, high, 5);
            assert!((1..=11).contains(&ticks.len()), "{low} to {high}: {ticks:?}");
            assert!(ticks.iter().all(|tick| tick.at.is_finite()));
        }
    }

    #[test]
    fn decades_on_a_logarithmic_axis() {
        assert_eq!(labels(&logarithmic(1.0, 1000.0, 5)), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&logarithmic(1.0, 10.0, 5)), ["1", "2", "5", "10"]);
        assert_eq!(labels(&logarithmic(1e-4, 1.0, 5)), ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"]);
        assert!(logarithmic(1e-300, 1e300, 6).len() <= 8);
        assert!(logarithmic(3.0, 4.0, 5).len() >= 2);
        assert!(logarithmic(1e307, f64::MAX, 3).iter().all(|tick| tick.at.is_finite()));
    }

    #[test]
    fn places_leave_room() {
        assert_eq!(places(10, 17.0, 14.0).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        assert_eq!(places(100, 2.0, 20.0).collect::<Vec<_>>(), (0..100).step_by(10).collect::<Vec<_>>());
        assert_eq!(places(5000, 0.04, 30.0).count(), 5);
        assert_eq!(places(1, 0.0, 30.0).collect::<Vec<_>>(), [0]);
    }
}
