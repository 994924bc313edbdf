//! The pragmas that make C functions the operations of a type.
//!
//! ```c
//! #pragma lineal object spec
//! #pragma lineal init       bank_init()
//! #pragma lineal op         deposit = bank_deposit(key, value)
//! #pragma lineal op         take = bank_take(key, value) -> value, empty if result < 0
//! #pragma lineal read_only  balance, total
//! #pragma lineal keys       independent
//! #pragma lineal values     long long
//! ```
//!
//! Lines that begin with `spec` are the type where there are any (the file's `op` lines are then a
//! concurrent object to be held against it), otherwise those that begin with `op`. What only
//! concerns concurrent calls (`role`, `level`, `point`, …) says nothing here.

use super::super::Unit;
use super::super::lex::{Files, Tok, lex};
use lineal_model::{Diagnostic, Place};

#[derive(Clone, Debug, Default)]
pub struct Declared {
    pub(super) init: Option<Setup>,
    pub(super) operations: Vec<Line>,
    pub(super) read_only: Vec<String>,
    pub(super) independent_keys: bool,
    pub(super) wide: bool,
    pub(super) has_main: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Setup {
    pub(super) call: String,
    pub(super) place: Place,
}

/// One operation, as C expressions.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) call: String,
    pub(super) answer: Option<String>,
    pub(super) empty: Option<String>,
    pub(super) place: Place,
}

impl Declared {
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.operations.iter().map(|o| &o.place).chain(self.init.iter().map(|i| &i.place))
    }
}

impl Line {
    /// Whether a placeholder occurs in one of the expressions.
    pub(super) fn uses(&self, name: &str) -> bool {
        let texts = [Some(&self.call), self.answer.as_ref().filter(|a| *a != "value"), self.empty.as_ref()];
        texts.into_iter().flatten().any(|text| occurrences(text, name).next().is_some())
    }

    /// The value is a list: `value[0]`, `value[1]`.
    pub(super) fn indexed(&self) -> bool {
        self.indices().next().is_some()
    }

    /// How many values the operation takes.
    pub(super) fn values(&self) -> usize {
        match self.indices().max() {
            Some(last) => last + 1,
            None => usize::from(self.uses("value")) + usize::from(self.uses("prio")),
        }
    }

    fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        occurrences(&self.call, "value").filter_map(|at| {
            let index = self.call[at + "value".len()..].trim_start().strip_prefix('[')?;
            index.split_once(']')?.0.trim().parse().ok().filter(|&n| n < MOST_VALUES)
        })
    }
}

const MOST_VALUES: usize = 16;

/// Where `name` stands as an identifier of its own.
fn occurrences<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).map(|(at, _)| at).filter(move |&at| {
        let after = text[at + name.len()..].chars().next();
        !text[..at].ends_with(part)
            && !after.is_some_and(part)
            && !text[..at].trim_end().ends_with(['.', '>'])
    })
}

/// What the pragmas of a preprocessed file declare.
pub fn declared(unit: &Unit) -> Result<Declared, Vec<Diagnostic>> {
    let mut files = Files::default();
    let mut problems = Vec::new();
    let tokens = lex(&unit.name, &unit.text, &mut files, &mut problems);
    // The front-end will say these again, with more beside them.
    problems.clear();
    let mut found = Declared::default();
    let mut specified = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Tok::Pragma(text) = &token.tok else {
            let ident = |at: usize, word: &str| matches!(&tokens[at].tok, Tok::Ident(n) if **n == *word);
            let opens = |t: &Tok| matches!(t, Tok::Punct("("));
            found.has_main |= ident(i, "main") && tokens.get(i + 1).is_some_and(|t| opens(&t.tok));
            if ["_Thread_local", "__thread"].into_iter().any(|w| ident(i, w)) {
                let d = Diagnostic::error("L0160", "a type for logs has no thread-local variables");
                problems.push(d.at(files.place(token.pos)).help("keep what an operation changes in globals"));
            }
            continue;
        };
        let Some(rest) = text.strip_prefix("lineal").filter(|r| r.starts_with([' ', '\t'])) else { continue };
        let place = files.place(token.pos);
        let (word, rest) = split_word(rest.trim());
        let line = match word {
            "op" | "spec" => operation(rest, &place).map(|line| match word {
                "spec" => specified.push(line),
                _ => found.operations.push(line),
            }),
            "init" if found.init.is_some() => Err("the object is set up by two `init` pragmas".into()),
            "init" if rest.is_empty() => Err("`init` takes a call: init f()".into()),
            "init" => {
                found.init = Some(Setup { call: rest.trim_end_matches(';').into(), place: place.clone() });
                Ok(())
            }
            "read_only" => {
                found.read_only.extend(rest.split(',').map(|n| n.trim().to_string()));
                Ok(())
            }
            "keys" if rest == "independent" => {
                found.independent_keys = true;
                Ok(())
            }
            "keys" => Err("`keys` takes the word independent".into()),
            "values" if ["long long", "long"].contains(&rest) => {
                found.wide = true;
                Ok(())
            }
            "thread_init" => {
                Err("`thread_init` has no place in a type for logs: set up everything in `init`".into())
            }
            // About concurrent calls, or about a checker that draws values.
            "object" | "role" | "fini" | "values" | "point" | "level" => Ok(()),
            other => Err(format!("`{other}` is no pragma of lineal")),
        };
        if let Err(message) = line {
            problems.push(
                Diagnostic::error("L0160", message)
                    .at(place)
                    .help("a type has lines such as: #pragma lineal op push = f(value), #pragma lineal op pop = g() -> value, empty if result == -1"),
            );
        }
    }
    if !specified.is_empty() {
        found.operations = specified;
    }
    check(&found, &unit.name, &mut problems);
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

fn check(found: &Declared, file: &str, problems: &mut Vec<Diagnostic>) {
    if found.operations.is_empty() && problems.is_empty() {
        problems.push(
            Diagnostic::error("L0160", format!("{file} declares no operation"))
                .at(Place::line(file, 1))
                .help("say which functions are the type's operations: #pragma lineal op NAME = f(value) -> value"),
        );
    }
    for (i, op) in found.operations.iter().enumerate() {
        if let Some(other) = found.operations[..i].iter().find(|o| o.name == op.name) {
            problems.push(
                Diagnostic::error("L0160", format!("the operation `{}` is declared twice", op.name))
                    .at(op.place.clone())
                    .note("first here", Some(other.place.clone())),
            );
        }
    }
    let unknown = found.read_only.iter().filter(|n| !found.operations.iter().any(|o| o.name == **n));
    problems.extend(unknown.map(|n| {
        Diagnostic::error("L0160", format!("read_only names `{n}`, which is no operation"))
            .at(Place::line(file, 1))
    }));
}

/// `NAME = CALL [-> ANSWER[, empty if CONDITION]]`.
fn operation(text: &str, place: &Place) -> Result<Line, String> {
    let (name, rest) = text.split_once('=').ok_or("an operation is NAME = f(…)")?;
    let name = name.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("`{name}` is no name of an operation"));
    }
    let (call, answer) = match at_top(rest, "->").last() {
        // Ours has a space before it; C's, which leads to a field, has none.
        Some(at) if rest[..at].ends_with([' ', '\t']) => (&rest[..at], Some(&rest[at + 2..])),
        _ => (rest, None),
    };
    let call = call.trim().trim_end_matches(';');
    if call.is_empty() {
        return Err(format!("`{name}` has no call: {name} = f(…)"));
    }
    let (answer, empty) = match answer {
        None => (None, None),
        Some(answer) => match at_top(answer, ",").last() {
            None => (Some(answer.trim()), None),
            Some(at) => {
                let condition = answer[at + 1..].trim();
                let condition = condition
                    .strip_prefix("empty if ")
                    .ok_or(format!("`{condition}`: only `empty if CONDITION` comes after the answer"))?;
                (Some(answer[..at].trim()), Some(condition.trim()))
            }
        },
    };
    if answer == Some("") || empty == Some("") {
        return Err(format!("`{name}`: something is missing after the arrow"));
    }
    Ok(Line {
        name: name.into(),
        call: call.into(),
        answer: answer.map(Into::into),
        empty: empty.map(Into::into),
        place: place.clone(),
    })
}

/// Where `what` stands outside all parentheses.
fn at_top<'a>(text: &'a str, what: &'a str) -> impl Iterator<Item = usize> + 'a {
    let mut depth = 0;
    text.char_indices().filter_map(move |(at, c)| {
        depth += match c {
            '(' | '[' => 1,
            ')' | ']' => -1,
            _ => 0,
        };
        (depth == 0 && text[at..].starts_with(what)).then_some(at)
    })
}

fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        operation(text, &Place::line("t.c", 1)).unwrap()
    }

    #[test]
    fn parts_of_an_operation() {
        let l = line("dequeue = q_deq(&s->q) -> value, empty if result == -1");
        assert_eq!((&*l.name, &*l.call), ("dequeue", "q_deq(&s->q)"));
        assert_eq!((l.answer.as_deref(), l.empty.as_deref()), (Some("value"), Some("result == -1")));
        assert_eq!(l.values(), 0, "the answer's value is no argument");
        assert_eq!(line("f = h->x").answer, None);
        assert_eq!(line("f = h->x -> value").answer.as_deref(), Some("value"));
        assert_eq!(line("f = g(out, 1) -> out").answer.as_deref(), Some("out"));
    }

    #[test]
    fn what_an_operation_takes() {
        assert_eq!(line("t = f(value[0], value[1], value[2])").values(), 3);
        assert_eq!(line("put = f(&q, value, prio)").values(), 2);
        assert_eq!(line("f = g(my_value, s.value)").values(), 0);
        assert!(line("f = g(key)").uses("key"));
        assert!(!line("f = g(monkey)").uses("key"));
    }

    #[test]
    fn what_is_no_operation() {
        for text in ["enqueue", "= f()", "f =", "f = g() ->", "f = g() -> value, full if 1"] {
            assert!(operation(text, &Place::line("t.c", 1)).is_err(), "{text}");
        }
    }
}
