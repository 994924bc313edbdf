//! `#pragma lineal …`: the lines, and the form of an operation.
//!
//! ```text
//! NAME = CALL [-> ANSWER] [, empty if CONDITION]
//! ```
//!
//! What the lines mean is for [`super::object`] (a concurrent object to be checked) and
//! [`super::spec`] (a type for logs) to say; here C expressions are cut out of them, at commas and
//! arrows that are in no parentheses.

use super::lex::{Files, Tok, Token};
use lineal_model::Place;

/// One line: `op`, `dequeue = q_deq(&q) -> value`.
#[derive(Clone, Debug)]
pub struct Pragma {
    pub word: String,
    pub rest: String,
    pub at: Place,
}

/// The lines of a file, in order.
pub fn pragmas(tokens: &[Token], files: &Files) -> Vec<Pragma> {
    let read = |token: &Token| {
        let Tok::Pragma(text) = &token.tok else { return None };
        let text = text.trim_start();
        let ours = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
        // However it is spelled: a line that is meant for us and not read would pass in silence.
        let line = text[ours.len()..].trim();
        let line = Some(line).filter(|_| ours.eq_ignore_ascii_case("lineal"))?;
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let (word, rest) = (line[..end].to_string(), line[end..].trim().to_string());
        Some(Pragma { word, rest, at: files.place(token.pos) })
    };
    tokens.iter().filter_map(read).collect()
}

/// An operation as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form<'t> {
    pub name: &'t str,
    pub call: &'t str,
    pub answer: Option<&'t str>,
    pub empty_if: Option<&'t str>,
}

/// Takes an operation apart; an error says what is wrong with the line.
pub fn form(text: &str) -> Result<Form<'_>, String> {
    let (name, rest) = text.split_once('=').ok_or("an operation needs a name and a call: NAME = f(…)")?;
    let name = name.trim();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
        return Err(format!("`{name}` is no name of an operation"));
    }
    // Ours has a space at one side; C's, which leads to a field, has none.
    let space = |c: char| c == ' ' || c == '\t';
    let ours = |&i: &usize| {
        rest[i..].starts_with("->") && (rest[..i].ends_with(space) || rest[i + 2..].starts_with(space))
    };
    let arrow = top_level(rest).into_iter().rev().find(|i| ours(i) || rest[*i..].trim_end() == "->");
    let (call, mut clauses) = match arrow {
        Some(at) => (&rest[..at], parts(&rest[at + 2..])),
        None => {
            let mut clauses = parts(rest);
            let call = if clauses.is_empty() { "" } else { clauses.remove(0) };
            (call, clauses)
        }
    };
    let call = call.trim().trim_end_matches(';').trim_end();
    if call.is_empty() {
        return Err(format!("`{name}` has no call: {name} = f(…)"));
    }
    let mut form = Form { name, call, answer: None, empty_if: None };
    if arrow.is_some() {
        if clauses.first().is_none_or(|a| a.is_empty()) {
            return Err("`->` must be followed by what the operation answers".into());
        }
        form.answer = Some(clauses.remove(0));
    }
    for clause in clauses.into_iter().filter(|c| !c.is_empty()) {
        let condition = clause.strip_prefix("empty if").map(str::trim).filter(|c| !c.is_empty());
        let again = form.empty_if.is_some();
        form.empty_if = match condition {
            Some(condition) if !again => Some(condition),
            _ => return Err(format!("`{clause}`: only `empty if CONDITION` comes after the answer")),
        };
    }
    Ok(form)
}

/// Positions of `text` that are outside parentheses, brackets, braces and quotes.
fn top_level(text: &str) -> Vec<usize> {
    let mut depth = 0i32;
    let mut quote = None;
    let mut positions = Vec::new();
    let mut escaped = false;
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, _) if depth == 0 => positions.push(i),
            _ => {}
        }
    }
    positions
}

/// Cuts at the first `mark` outside parentheses.
pub fn cut<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let at = top_level(text).into_iter().find(|&i| text[i..].starts_with(mark))?;
    Some((text[..at].trim(), text[at + mark.len()..].trim()))
}

/// The parts between commas outside parentheses; none for a blank text.
pub fn parts(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((first, more)) = cut(rest, ",") {
        out.push(first);
        rest = more;
    }
    if !rest.trim().is_empty() || !out.is_empty() {
        out.push(rest.trim());
    }
    out
}

/// `f(a, b) rest` → `f`, `a, b`, `rest`.
pub fn call(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim();
    let open = text.find('(')?;
    let name = text[..open].trim();
    if !is_name(name) {
        return None;
    }
    let mut depth = 0;
    for (i, c) in text.char_indices().skip_while(|(i, _)| *i < open) {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((name, text[open + 1..i].trim(), text[i + 1..].trim()));
                }
            }
            _ => {}
        }
    }
    None
}

pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Where the identifier `name` stands in an expression: `node.value` and `node->value` name a
/// member.
pub fn occurrences<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].trim_end();
        let apart = !text[..at].ends_with(part) && !text[at + name.len()..].starts_with(part);
        apart && !before.ends_with('.') && !before.ends_with("->")
    })
}

/// Whether the identifier `name` occurs in an expression.
pub fn mentions(text: &str, name: &str) -> bool {
    occurrences(text, name).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_outside_parentheses() {
        assert_eq!(parts("&q, f(a, b), ','"), ["&q", "f(a, b)", "','"]);
        assert!(parts("  ").is_empty());
        assert_eq!(call("q_deq(&q->x) -> value"), Some(("q_deq", "&q->x", "-> value")));
        assert_eq!(cut("(a->b) -> c", "->"), Some(("(a->b)", "c")));
    }

    #[test]
    fn names_are_whole_words() {
        assert!(mentions("&q, value", "value"));
        assert!(!mentions("&q, my_value", "value"));
        assert!(!mentions("n->value", "value"));
        assert!(mentions("value + n->value", "value"));
    }

    #[test]
    fn parts_of_an_operation() {
        let f = form("dequeue = q_deq(&s->q) -> value, empty if result == -1").unwrap();
        assert_eq!((f.name, f.call), ("dequeue", "q_deq(&s->q)"));
        assert_eq!((f.answer, f.empty_if), (Some("value"), Some("result == -1")));
        assert_eq!(form("f = h->x").unwrap().answer, None);
        assert_eq!(form("f = h->x -> value").unwrap().answer, Some("value"));
        assert_eq!(form("f = g(out, 1)-> out").unwrap().answer, Some("out"));
        assert_eq!(form("f = g(), empty if result > 1").unwrap().empty_if, Some("result > 1"));
        for text in
            ["enqueue", "= f()", "f =", "f = g() ->", "f = g() -> value, full if 1", "f = g(), empty if"]
        {
            assert!(form(text).is_err(), "{text}");
        }
    }
}
