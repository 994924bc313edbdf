//! The form of an operation:
//!
//! ```text
//! NAME = CALL [-> ANSWER] [, empty if CONDITION] [, full if CONDITION] [, may fail]
//! ```
//!
//! C expressions are cut out of it at commas and arrows that are in no parentheses.

/// An operation as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    pub name: String,
    pub call: String,
    pub answer: Option<String>,
    pub empty_if: Option<String>,
    /// Of what adds: when it found no room.
    pub full_if: Option<String>,
    /// It may fail for no reason.
    pub may_fail: bool,
}

/// Takes an operation apart; an error says what is wrong with the line.
pub fn form(text: &str) -> Result<Form, String> {
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
    let mut form = Form {
        name: name.into(),
        call: call.into(),
        answer: None,
        empty_if: None,
        full_if: None,
        may_fail: false,
    };
    if arrow.is_some() {
        if clauses.first().is_none_or(|a| a.is_empty()) {
            return Err("`->` must be followed by what the operation answers".into());
        }
        form.answer = Some(clauses.remove(0).into());
    }
    for clause in clauses.into_iter().filter(|c| !c.is_empty()) {
        let condition =
            |word: &str| clause.strip_prefix(word).map(str::trim).filter(|c| !c.is_empty()).map(String::from);
        let (empty, full) = (condition("empty if"), condition("full if"));
        let fail = clause.split_whitespace().eq(["may", "fail"]);
        if (empty.is_some() && form.empty_if.is_some())
            || (full.is_some() && form.full_if.is_some())
            || (fail && form.may_fail)
        {
            return Err(format!("`{clause}`: this is said twice"));
        }
        if empty.is_none() && full.is_none() && !fail {
            return Err(format!(
                "`{clause}`: only `empty if CONDITION`, `full if CONDITION` and `may fail` come after the answer"
            ));
        }
        form.empty_if = form.empty_if.or(empty);
        form.full_if = form.full_if.or(full);
        form.may_fail |= fail;
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
        assert_eq!((&*f.name, &*f.call), ("dequeue", "q_deq(&s->q)"));
        assert_eq!((f.answer.as_deref(), f.empty_if.as_deref()), (Some("value"), Some("result == -1")));
        let answer = |text: &str| form(text).unwrap().answer;
        assert_eq!(answer("f = h->x"), None);
        assert_eq!(answer("f = h->x -> value").as_deref(), Some("value"));
        assert_eq!(answer("f = g(out, 1)-> out").as_deref(), Some("out"));
        let empty = form("f = g(), empty if result > 1").unwrap().empty_if;
        assert_eq!(empty.as_deref(), Some("result > 1"));
        let full = form("f = g(value), full if !result, may  fail").unwrap();
        assert_eq!((full.full_if.as_deref(), full.may_fail), (Some("!result"), true));
        assert!(form("f = g(value), may fail, may fail").is_err());
        for text in
            ["enqueue", "= f()", "f =", "f = g() ->", "f = g() -> value, fuller if 1", "f = g(), empty if"]
        {
            assert!(form(text).is_err(), "{text}");
        }
    }
}
