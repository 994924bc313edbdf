//! Cutting C expressions out of a line: at commas and arrows that are in no parentheses.

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

/// Whether the identifier `name` occurs in an expression.
pub fn mentions(text: &str, name: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        // `node.value` and `node->value` name a member.
        let before = rest[..at].trim_end();
        let member = before.ends_with('.') || before.ends_with("->");
        let apart = !rest[..at].ends_with(word) && !rest[at + name.len()..].starts_with(word);
        if apart && !member {
            return true;
        }
        rest = &rest[at + name.len()..];
    }
    false
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
}
