//! Classes of operations and their factors, as typed: `dequeue=2`, `{push, pop->empty}=1,add=0`.

use lineal_model::adt::quasi::{Listed, Named, Relaxation, Semantics};
use lineal_model::history::Value;

/// What a file says: classes, and how their factors are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    pub classes: Vec<Listed>,
    pub semantics: Semantics,
}

/// `dequeue=2, {push, pop}=1 literal`.
pub fn stated(text: &str) -> Result<Stated, String> {
    let text = text.trim();
    let last = text.rsplit_once(char::is_whitespace).map_or(("", text), |(rest, word)| (rest, word));
    let (rest, semantics) = match Semantics::ALL.into_iter().find(|s| s.word() == last.1) {
        Some(semantics) => (last.0, semantics),
        None => (text, Semantics::default()),
    };
    Ok(Stated { classes: classes(rest)?, semantics })
}

impl Stated {
    /// The same of a relaxation that was understood.
    pub fn of(relaxation: &Relaxation) -> Self {
        let listed = |c: &lineal_model::adt::quasi::Class| Listed {
            members: class(&c.name).expect("a class that was read before"),
            factor: c.factor.into(),
        };
        let classes = relaxation.classes.iter().map(listed).collect();
        Stated { classes, semantics: relaxation.semantics }
    }
}

/// The classes in a text. An error is a message.
pub fn classes(text: &str) -> Result<Vec<Listed>, String> {
    let mut all = Vec::new();
    for part in split(text)? {
        let Some((members, factor)) = part.rsplit_once('=') else {
            return Err(format!("`{part}` has no factor"));
        };
        let factor = factor.trim();
        let factor = match factor.parse::<i64>() {
            Ok(factor) => factor,
            // A number all the same.
            Err(_) if is_number(factor) => {
                if factor.starts_with('-') {
                    i64::MIN
                } else {
                    i64::MAX
                }
            }
            Err(_) => return Err(format!("`{factor}` is no number of places")),
        };
        all.push(Listed { members: class(members)?, factor });
    }
    Ok(all)
}

/// The members of a class without its factor: `dequeue`, `{push, pop}`.
pub fn class(text: &str) -> Result<Vec<Named>, String> {
    let text = text.trim();
    let members = match text.strip_prefix('{') {
        None => text,
        Some(rest) => rest
            .strip_suffix('}')
            .ok_or_else(|| format!("`{text}` begins with a brace and does not end so"))?,
    };
    let members: Vec<Named> = members.split(',').map(member).collect::<Result<_, _>>()?;
    if members.len() > 1 && !text.starts_with('{') {
        return Err(format!("`{text}`: a class of several operations is written {{{text}}}"));
    }
    Ok(members)
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

/// The parts between commas outside of braces.
fn split(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let (mut start, mut open) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '{' if open => return Err("a class does not contain another one".into()),
            '{' => open = true,
            '}' => open = false,
            ',' if !open => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    match parts.iter().any(|p| p.is_empty()) {
        true => Err("a class is missing".into()),
        false => Ok(parts),
    }
}

fn member(text: &str) -> Result<Named, String> {
    let (name, answer) = match text.split_once("->") {
        None => (text.trim(), None),
        Some((name, answer)) => (name.trim(), Some(answer.trim())),
    };
    if name.is_empty() {
        return Err(format!("`{}` does not name an operation", text.trim()));
    }
    let answer = match answer {
        None => None,
        Some("") => return Err(format!("`{}` does not say which answer", text.trim())),
        Some(answer) => Some(self::answer(answer)),
    };
    Ok(Named { operation: name.into(), answer })
}

/// An answer as it is written.
pub fn answer(text: &str) -> Value {
    match text {
        "empty" => Value::Empty,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "nil" => Value::Nil,
        text => text.parse().map_or_else(|_| Value::Text(text.into()), Value::Int),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        match classes(text) {
            Err(why) => why,
            Ok(all) => {
                let class = |l: &Listed| {
                    let members: Vec<String> = l.members.iter().map(Named::to_string).collect();
                    format!("{}={}", members.join("+"), l.factor)
                };
                all.iter().map(class).collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn classes_as_typed() {
        assert_eq!(show("dequeue=2"), "dequeue=2");
        assert_eq!(show("{push, pop} = 1, add=0"), "push+pop=1 add=0");
        assert_eq!(show("dequeue->empty=0,read->5=1"), "dequeue->empty=0 read->5=1");
        assert_eq!(show("dequeue=-1"), "dequeue=-1");
        assert_eq!(show("dequeue=99999999999999999999"), format!("dequeue={}", i64::MAX));
    }

    #[test]
    fn classes_and_their_semantics() {
        let show = |text: &str| stated(text).map(|s| (s.classes.len(), s.semantics.word()));
        assert_eq!(show("dequeue=2"), Ok((1, "classes")));
        assert_eq!(show("dequeue=2, {push, pop} = 1 literal"), Ok((2, "literal")));
        assert_eq!(show("dequeue=2 twice"), Err("`2 twice` is no number of places".into()));
        assert_eq!(show("windows"), Err("a class is missing".into()));
    }

    #[test]
    fn what_is_not_understood() {
        assert_eq!(show("dequeue"), "`dequeue` has no factor");
        assert_eq!(show("dequeue=two"), "`two` is no number of places");
        assert_eq!(show("=2"), "`` does not name an operation");
        assert_eq!(show("{push,pop=2"), "`{push,pop` begins with a brace and does not end so");
        assert_eq!(show("{a,{b}}=2"), "a class does not contain another one");
        assert_eq!(show("a=1,"), "a class is missing");
        assert_eq!(show("a->=1"), "`a->` does not say which answer");
    }
}
