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
//! concurrent object to be held against it, and say what is answered), otherwise those that begin with `op`. What only
//! concerns concurrent calls (`role`, `level`, `point`, …) says nothing here: in a file that is for
//! logs alone it gets a warning.

use super::super::Unit;
use super::super::lex::{Files, Tok, lex};
use super::super::pragma::{Pragma, form, mentions, occurrences, pragmas};
use lineal_model::{Diagnostic, Place};

#[derive(Clone, Debug, Default)]
pub struct Declared {
    pub(super) init: Option<Setup>,
    pub(super) operations: Vec<Line>,
    pub(super) read_only: Vec<String>,
    pub(super) independent_keys: bool,
    pub(super) wide: bool,
    pub(super) has_main: bool,
    /// Warnings about lines that nothing reads.
    pub unread: Vec<Diagnostic>,
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
        texts.into_iter().flatten().any(|text| mentions(text, name))
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

/// What the pragmas of a preprocessed file declare.
pub fn declared(unit: &Unit) -> Result<Declared, Vec<Diagnostic>> {
    let mut files = Files::default();
    let mut problems = Vec::new();
    let tokens = lex(&unit.name, &unit.text, &mut files, &mut problems);
    // The front-end will say these again, with more beside them.
    problems.clear();
    let mut found = Declared::default();
    let mut specified = Vec::new();
    // Whether the file is for `lineal check`, too, which reads what is not read here.
    let mut checked = false;
    for (i, token) in tokens.iter().enumerate() {
        let ident = |word: &str| matches!(&token.tok, Tok::Ident(n) if **n == *word);
        let opens = |t: &Tok| matches!(t, Tok::Punct("("));
        found.has_main |= ident("main") && tokens.get(i + 1).is_some_and(|t| opens(&t.tok));
        if ident("_Thread_local") || ident("__thread") {
            let d = Diagnostic::error("L0160", "a type for logs has no thread-local variables");
            problems.push(d.at(files.place(token.pos)).help("keep what an operation changes in globals"));
        }
    }
    for Pragma { word, rest, at: place } in pragmas(&tokens, &files) {
        let (word, rest) = (&*word, &*rest);
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
            "object" => {
                checked |= rest.split_whitespace().next() != Some("spec");
                Ok(())
            }
            // About concurrent calls, or about a checker that draws values.
            "role" | "threads" | "fini" | "values" | "point" | "level" => {
                let message = format!("`{word}` says nothing about a type for logs, and is not read");
                found.unread.push(
                    Diagnostic::warning("L0160", message)
                        .at(place.clone())
                        .help("it is for `lineal check`: where the file is for both, an object line says so"),
                );
                Ok(())
            }
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
    if checked || !specified.is_empty() {
        found.unread.clear();
    }
    if !specified.is_empty() {
        // A specification answers as its operation does, unless it says otherwise.
        for line in specified.iter_mut().filter(|l| l.answer.is_none() && l.empty.is_none()) {
            if let Some(op) = found.operations.iter().find(|op| op.name == line.name) {
                (line.answer, line.empty) = (op.answer.clone(), op.empty.clone());
            }
        }
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

fn operation(text: &str, place: &Place) -> Result<Line, String> {
    let form = form(text)?;
    Ok(Line {
        name: form.name.into(),
        call: form.call.into(),
        answer: form.answer.map(Into::into),
        empty: form.empty_if.map(Into::into),
        place: place.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        operation(text, &Place::line("t.c", 1)).unwrap()
    }

    #[test]
    fn what_an_operation_takes() {
        assert_eq!(line("t = f(value[0], value[1], value[2])").values(), 3);
        assert_eq!(line("put = f(&q, value, prio)").values(), 2);
        assert_eq!(line("f = g(my_value, s.value)").values(), 0);
        assert!(line("f = g(key)").uses("key"));
        assert!(!line("f = g(monkey)").uses("key"));
    }
}
