//! Diagnostics in rustc's look. The only file that knows `annotate-snippets`.

use crate::look::Look;
use crate::sources::Sources;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use lineal_model::{Diagnostic, Place, Severity};

/// No more than this much of a line is shown, around the place that is meant.
const WINDOW: usize = 160;

pub(crate) fn render(diagnostic: &Diagnostic, sources: &Sources, look: &Look) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(&diagnostic.message);
    let title = level.primary_title(message);
    // The headline of a violation has no code.
    let title = if diagnostic.code.is_empty() { title } else { title.id(diagnostic.code) };
    let mut first = Group::with_title(title);
    if let Some(place) = &diagnostic.at {
        first = mark(first, place, sources, AnnotationKind::Primary);
    }
    let mut groups = Vec::new();
    for note in &diagnostic.notes {
        match &note.at {
            None => first = first.element(Level::NOTE.message(printable(&note.message))),
            Some(place) => {
                let group = Group::with_title(Level::NOTE.secondary_title(printable(&note.message)));
                groups.push(mark(group, place, sources, AnnotationKind::Primary));
            }
        }
    }
    let help = diagnostic.help.as_ref().map(|help| Level::HELP.message(printable(help)));
    match (groups.pop(), help) {
        (None, Some(help)) => first = first.element(help),
        (Some(last), Some(help)) => groups.push(last.element(help)),
        (Some(last), None) => groups.push(last),
        (None, None) => {}
    }
    groups.insert(0, first);
    let renderer = if look.colour { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.term_width(look.width).render(&groups);
    // A snippet without a path of its own is announced by a line that says nothing.
    text.lines().filter(|line| !line.ends_with("::: ")).map(|line| format!("{line}\n")).collect()
}

fn mark<'a>(group: Group<'a>, place: &Place, sources: &Sources, kind: AnnotationKind) -> Group<'a> {
    let path = printable(&place.file);
    match sources.line(&place.file, place.line) {
        Some(line) if !line.trim().is_empty() => {
            let (text, span) = window(line, place.column, place.width);
            let snippet = Snippet::source(text).line_start(place.line as usize);
            let snippet = snippet.annotation(kind.span(span));
            if line.chars().count() <= WINDOW {
                group.element(snippet.path(path))
            } else {
                // The snippet would count columns from where the window starts.
                group.element(origin(path, place)).element(snippet)
            }
        }
        _ => group.element(origin(path, place)),
    }
}

fn origin(path: String, place: &Place) -> Origin<'static> {
    let mut origin = Origin::path(path);
    if place.line > 0 {
        origin = origin.line(place.line as usize);
    }
    if place.line > 0 && place.column > 0 {
        origin = origin.char_column(place.column as usize);
    }
    origin
}

/// The part of a line worth showing, and the bytes of it that are meant. Columns count characters.
fn window(line: &str, column: u32, width: u32) -> (String, std::ops::Range<usize>) {
    let chars: Vec<char> =
        line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect();
    let indent = chars.iter().take_while(|c| c.is_whitespace()).count();
    let (from, len) = match column {
        0 => (indent, chars.len() - indent),
        _ => ((column as usize - 1).min(chars.len().saturating_sub(1)), width.max(1) as usize),
    };
    let (low, high) = if chars.len() <= WINDOW {
        (0, chars.len())
    } else {
        let low = from.saturating_sub(WINDOW / 2).min(chars.len() - WINDOW);
        (low, low + WINDOW)
    };
    let to = (from + len).min(high);
    let text: String = chars[low..high].iter().collect();
    let bytes = |n: usize| chars[low..n].iter().map(|c| c.len_utf8()).sum::<usize>();
    (text, bytes(from)..bytes(to))
}

/// Line breaks stay (a compiler's output has them); other control characters must not reach the
/// terminal.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_bytes() {
        assert_eq!(window("  é = x;", 3, 1), ("  é = x;".into(), 2..4));
        assert_eq!(window("  x = 1;", 0, 0), ("  x = 1;".into(), 2..8));
        assert_eq!(window("x", 40, 3), ("x".into(), 0..1));
    }

    #[test]
    fn a_huge_line_is_shown_in_part() {
        let line = "y".repeat(1_000_000);
        let (text, span) = window(&line, 500_000, 4);
        assert_eq!(text.len(), WINDOW);
        assert_eq!(&text[span], "yyyy");
    }
}
