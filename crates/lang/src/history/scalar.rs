//! Numbers and texts of EDN and JSON.

use super::record::Datum;

/// Why no value could be read.
#[derive(Debug)]
pub(super) enum Stop {
    /// The window ends first.
    Incomplete,
    Bad(String),
}

pub fn decimal(token: &str) -> Result<Datum<'_>, Stop> {
    // 5N and 1.5M are EDN's exact numbers.
    let plain = token.strip_suffix(['N', 'M']).unwrap_or(token);
    match plain.parse::<f64>() {
        Ok(n) if n.is_finite() => Ok(match canonical(plain).parse() {
            Ok(n) => Datum::Int(n),
            Err(_) => Datum::Decimal(plain),
        }),
        _ => Err(Stop::Bad(format!("`{token}` is no number"))),
    }
}

/// A number in its one spelling: `1.50`, `15e-1` and `1.5` are the same, and so are `2.0` and `2`.
pub fn canonical(token: &str) -> String {
    let (sign, rest) = match token.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", token.strip_prefix('+').unwrap_or(token)),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    let kept = digits.trim_end_matches('0');
    let zeros = (digits.len() - kept.len()) as i64;
    let power = exponent.parse::<i64>().unwrap_or(0) - part.len() as i64 + zeros;
    let kept = kept.trim_start_matches('0');
    match power {
        _ if kept.is_empty() => "0".into(),
        0..=40 => format!("{sign}{kept}{}", "0".repeat(power as usize)),
        -40..0 => {
            let part = -power as usize;
            let padded = format!("{kept:0>width$}", width = part + 1);
            let (whole, part) = padded.split_at(padded.len() - part);
            format!("{sign}{whole}.{part}")
        }
        _ => format!("{sign}{kept}e{power}"),
    }
}

pub fn unescape(inside: &str) -> Result<String, Stop> {
    let mut out = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some(c @ ('"' | '\\' | '/')) => out.push(c),
            Some('u') => {
                let mut unit = || {
                    let hex: String = chars.by_ref().take(4).collect();
                    (hex.len() == 4).then(|| u32::from_str_radix(&hex, 16).ok()).flatten()
                };
                let code = match unit() {
                    // A pair of surrogates is one character.
                    Some(high @ 0xd800..=0xdbff) => match (chars.next(), chars.next()) {
                        (Some('\\'), Some('u')) => {
                            let hex: String = chars.by_ref().take(4).collect();
                            u32::from_str_radix(&hex, 16)
                                .ok()
                                .filter(|low| (0xdc00..0xe000).contains(low))
                                .map(|low| 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                        }
                        _ => None,
                    },
                    other => other,
                };
                out.push(code.and_then(char::from_u32).ok_or_else(|| Stop::Bad("a bad \\u escape".into()))?);
            }
            _ => return Err(Stop::Bad("an unknown escape in a string".into())),
        }
    }
    Ok(out)
}
