//! Outputs against expectations with gaps, and what is never compared.

use libtest_mimic::{Failed, Trial};

/// Replaces times (`0.02 s`, `, 12 s`), sizes (`, 5.0 MiB`) and replay tokens by `…`: the first two
/// differ between machines, tokens whenever a bundled header changes.
pub fn normalise(output: &str) -> String {
    output.lines().map(|line| format!("{}\n", line_without_times(line).trim_end())).collect()
}

fn line_without_times(line: &str) -> String {
    let token = [" --replay 1.", " --replay check."].iter().find_map(|lead| line.find(lead));
    if let Some(start) = token {
        return format!("{} --replay …", &line[..start]);
    }
    for key in ["\"seconds\": ", "\"peak_bytes\": ", "\"replay\": "] {
        if let Some(start) = line.find(key) {
            let end = if line.ends_with(',') { "," } else { "" };
            return format!("{}{key}…{end}", &line[..start]);
        }
    }
    let mut parts: Vec<String> = line.split(", ").map(String::from).collect();
    let several = parts.len() > 1;
    for (i, part) in parts.iter_mut().enumerate() {
        let lead = part.len() - part.trim_start().len();
        let Some((number, unit)) = part[lead..].split_once(' ') else { continue };
        let numeric = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.');
        let time = unit == "s" && (number.contains('.') || several);
        let size = matches!(unit, "KiB" | "MiB" | "GiB") && several && i > 0;
        if numeric && (time || size) {
            *part = format!("{}… {unit}", &part[..lead]);
        }
    }
    // The unit of a size depends on the machine, too.
    parts.join(", ").replace("… KiB", "… MiB")
}

/// `[..]` fits anything within a line; a line `...` fits any lines.
pub fn fits(expected: &str, found: &str) -> bool {
    let expected: Vec<&str> = expected.lines().collect();
    let found: Vec<&str> = found.lines().collect();
    lines(&expected, &found)
}

fn lines(expected: &[&str], found: &[&str]) -> bool {
    match (expected, found) {
        ([], []) => true,
        (["...", rest @ ..], _) => (0..=found.len()).any(|skip| lines(rest, &found[skip..])),
        ([e, rest @ ..], [f, others @ ..]) => line(e, f) && lines(rest, others),
        _ => false,
    }
}

fn line(expected: &str, found: &str) -> bool {
    let pieces: Vec<&str> = expected.split("[..]").collect();
    let [first, middle @ .., last] = &pieces[..] else { return expected == found };
    let Some(mut rest) = found.strip_prefix(first) else { return false };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

pub fn trials() -> Vec<Trial> {
    let cases = [
        ("a\nb\n", "a\nb\n", true),
        ("a\nb\n", "a\nc\n", false),
        ("a\n", "a\nb\n", false),
        ("a\n...\nd\n", "a\nb\nc\nd\n", true),
        ("a\n...\ne\n", "a\nb\nc\nd\n", false),
        ("a [..] c [..]!\n", "a b c d!\n", true),
        ("a [..] c [..]!\n", "a b c d\n", false),
        ("", "a\n", false),
    ];
    let mut trials: Vec<Trial> = cases
        .into_iter()
        .enumerate()
        .map(|(i, (expected, found, due))| {
            Trial::test(format!("pattern::{i}"), move || match fits(expected, found) == due {
                true => Ok(()),
                false => Err(Failed::from(format!("{expected:?} against {found:?}"))),
            })
        })
        .collect();
    let normal = [
        ("  3 complete executions, 0.02 s, 5.0 MiB", "  3 complete executions, … s, … MiB"),
        ("  3 states, 12 s, 900 KiB", "  3 states, … s, … MiB"),
        ("  0.00 s, 4.1 MiB", "  … s, … MiB"),
        ("  10 s, 4.1 MiB", "  … s, … MiB"),
        ("  The time limit of 1 s was reached.", "  The time limit of 1 s was reached."),
        (
            "see it again: lineal verify a.c --replay 1.sc.0a.race.00",
            "see it again: lineal verify a.c --replay …",
        ),
        ("      \"seconds\": 0.0012,", "      \"seconds\": …,"),
    ];
    trials.extend(normal.into_iter().enumerate().map(|(i, (found, due))| {
        Trial::test(format!("normalise::{i}"), move || match line_without_times(found) {
            text if text == due => Ok(()),
            text => Err(Failed::from(text)),
        })
    }));
    trials
}
