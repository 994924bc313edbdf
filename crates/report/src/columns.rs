//! Measuring and breaking text to fit a width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// `text` and as many spaces as fill `to` columns.
pub(crate) fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

/// Control characters would let an input redraw the terminal; they are shown as spaces (tabs,
/// line breaks) or as a replacement mark.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}

/// Cuts to at most `to` columns, with `…` where something is missing.
pub(crate) fn cut(text: &str, to: usize) -> String {
    if width(text) <= to {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.width().unwrap_or(0);
        if used + w + 1 > to {
            break;
        }
        used += w;
        kept.push(c);
    }
    if to > 0 {
        kept.push('…');
    }
    kept
}

/// A space at which no line is broken; shown as an ordinary one.
pub(crate) const TIE: char = '\u{a0}';

/// Breaks at spaces into lines of at most `to` columns; a word longer than that is broken where
/// the line ends. Never empty.
pub(crate) fn wrap(text: &str, to: usize) -> Vec<String> {
    let to = to.max(8);
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut word = word.to_string();
        loop {
            let line = lines.last_mut().expect("never empty");
            let gap = usize::from(!line.is_empty());
            if width(line) + gap + width(&word) <= to {
                if gap == 1 {
                    line.push(' ');
                }
                line.push_str(&word);
                break;
            }
            if !line.is_empty() {
                lines.push(String::new());
                continue;
            }
            let rest = split_off(&mut word, to);
            line.push_str(&word);
            lines.push(String::new());
            word = rest;
        }
    }
    if lines.len() > 1 && lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.iter().map(|line| line.replace(TIE, " ")).collect()
}

fn split_off(word: &mut String, to: usize) -> String {
    let mut used = 0;
    let at = word
        .char_indices()
        .find(|(_, c)| {
            used += c.width().unwrap_or(0);
            used > to
        })
        .map_or(word.len(), |(i, _)| i);
    word.split_off(at)
}

/// Wraps a paragraph under an indentation; the first line gets `first` in its place.
pub(crate) fn paragraph(first: &str, indent: usize, text: &str, to: usize) -> String {
    let mut out = String::new();
    for (i, line) in wrap(text, to.saturating_sub(indent)).iter().enumerate() {
        let lead = if i == 0 { pad(first, indent) } else { " ".repeat(indent) };
        out.push_str(lead.as_str());
        out.push_str(line);
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_spaces_and_breaks_long_words() {
        assert_eq!(wrap("a bb ccc dddd eeee", 8), ["a bb ccc", "dddd", "eeee"]);
        assert_eq!(wrap("abcdefghijkl mn", 8), ["abcdefgh", "ijkl mn"]);
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(wrap("aaaa (b\u{a0}c)", 8), ["aaaa", "(b c)"]);
    }

    #[test]
    fn cuts_with_an_ellipsis() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdefg", 6), "abcde…");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(clean("a\tb\x1b[2J"), "a b\u{fffd}[2J");
    }
}
