//! Times and sizes as people type them: `60s`, `1.5m`, `4GiB`.

use std::time::Duration;

pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, m or h")),
    };
    if seconds <= 0.0 {
        return Err("nothing can be said in no time".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "that is no sensible time".into())
}

/// How long to wait; `None`: as long as it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience(pub Option<Duration>);

/// What is to be done about races.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaceChoice {
    Report,
    Ignore,
    OffAt(String, u32),
}

/// How often threads go round loops: all, or those that begin on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopBound {
    pub at: Option<(String, u32)>,
    pub rounds: u32,
}

impl std::fmt::Display for LoopBound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.at {
            Some((file, line)) => write!(f, "{file}:{line}={}", self.rounds),
            None => write!(f, "{}", self.rounds),
        }
    }
}

/// The bound on all loops: the last one given.
pub fn rounds(bounds: &[LoopBound]) -> Option<u32> {
    bounds.iter().rev().find_map(|b| b.at.is_none().then_some(b.rounds))
}

/// `3`, or `file.c:12=3`.
pub fn loop_bound(text: &str) -> Result<LoopBound, String> {
    let rounds =
        |n: &str| n.parse().ok().filter(|n| *n > 0).ok_or(format!("`{n}` is no number of iterations"));
    let Some((place, n)) = text.rsplit_once('=') else {
        return Ok(LoopBound { at: None, rounds: rounds(text)? });
    };
    let at = place.rsplit_once(':').and_then(|(file, line)| Some((file.to_string(), line.parse().ok()?)));
    match at {
        Some(at) if !at.0.is_empty() => Ok(LoopBound { at: Some(at), rounds: rounds(n)? }),
        _ => Err(format!("`{place}` is no line of a file; write file.c:12=3")),
    }
}

/// `report`, `ignore`, or `off-at=file.c:12`.
pub fn races(text: &str) -> Result<RaceChoice, String> {
    match text {
        "report" => return Ok(RaceChoice::Report),
        "ignore" => return Ok(RaceChoice::Ignore),
        _ => {}
    }
    let place = text.strip_prefix("off-at=").and_then(|p| p.rsplit_once(':'));
    let line =
        place.and_then(|(file, line)| Some((file, line.parse().ok()?))).filter(|(file, _)| !file.is_empty());
    let (file, line) = line.ok_or("write report, ignore or off-at=file.c:12")?;
    Ok(RaceChoice::OffAt(file.to_string(), line))
}

/// A duration, or `none`.
pub fn patience(text: &str) -> Result<Patience, String> {
    if text == "none" { Ok(Patience(None)) } else { duration(text).map(|time| Patience(Some(time))) }
}

pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor: f64 = match unit {
        "" | "B" => 1.0,
        "k" | "K" | "KiB" => 1024.0,
        "KB" | "kB" => 1e3,
        "M" | "MiB" => 1024.0 * 1024.0,
        "MB" => 1e6,
        "G" | "GiB" => 1024.0 * 1024.0 * 1024.0,
        "GB" => 1e9,
        "T" | "TiB" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is no unit of size; use KiB, MiB or GiB")),
    };
    let bytes = number * factor;
    if bytes < 1.0 || bytes > u64::MAX as f64 / 2.0 {
        return Err("that is no sensible size".into());
    }
    Ok(bytes as u64)
}

/// `a..b`, both ends included, as in `__VERIFIER_nondet_range`.
pub fn range(text: &str) -> Result<(i64, i64), String> {
    let (low, high) = text.split_once("..").ok_or("a range looks like 0..3, both ends included")?;
    let number = |s: &str| s.trim().parse::<i64>().map_err(|_| format!("`{s}` is no whole number"));
    let (low, high) = (number(low)?, number(high.trim_start_matches('='))?);
    if low > high { Err(format!("{low}..{high} is empty")) } else { Ok((low, high)) }
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse::<f64>().map_err(|_| format!("`{text}` does not start with a number"))?;
    Ok((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("fast").is_err());
        assert!(duration("3 weeks").is_err());
    }

    #[test]
    fn sizes() {
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("100"), Ok(100));
        assert!(size("0").is_err());
        assert!(size("4 elephants").is_err());
    }

    #[test]
    fn ranges() {
        assert_eq!(range("0..3"), Ok((0, 3)));
        assert_eq!(range("-2..-1"), Ok((-2, -1)));
        assert!(range("3..0").is_err());
        assert!(range("3").is_err());
    }
}
