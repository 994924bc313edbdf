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
use super::super::lex::Tok;
use super::super::pragma::{Domain, Form, Line, Pragma, mentions, occurrences, pragmas};
use crate::quasi::Stated;
use lineal_model::{Diagnostic, Place};

#[derive(Clone, Debug, Default)]
pub struct Declared {
    pub(super) init: Option<Setup>,
    pub(super) operations: Vec<Operation>,
    pub(super) read_only: Vec<String>,
    pub(super) independent_keys: bool,
    pub(super) wide: bool,
    /// By how much operations may be out of order, and where that is said.
    pub(super) quasi: Option<(Stated, Place)>,
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
pub(super) struct Operation {
    pub(super) form: Form,
    pub(super) place: Place,
}

impl Declared {
    pub(super) fn places(&self) -> impl Iterator<Item = &Place> {
        self.operations.iter().map(|o| &o.place).chain(self.init.iter().map(|i| &i.place))
    }

    /// A line that is for others.
    fn unread(&mut self, word: &str, place: &Place) -> Result<(), String> {
        let message = format!("`{word}` says nothing about a type for logs, and is not read");
        self.unread.push(
            Diagnostic::warning("L0160", message)
                .at(place.clone())
                .help("it is for `lineal check`: where the file is for both, an object line says so"),
        );
        Ok(())
    }
}

/// What only an object that is checked has.
fn of_objects(form: &Form) -> Result<(), String> {
    let word = match (&form.full_if, form.may_fail) {
        (Some(_), _) => "full if",
        (None, true) => "may fail",
        (None, false) => return Ok(()),
    };
    Err(format!("`{word}` is for objects that are checked; a type in C says itself what it answers"))
}

impl Operation {
    /// Whether a placeholder occurs in one of the expressions.
    pub(super) fn uses(&self, name: &str) -> bool {
        let Form { call, answer, empty_if, .. } = &self.form;
        let texts = [Some(call), answer.as_ref().filter(|a| *a != "value"), empty_if.as_ref()];
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
        let call = &*self.form.call;
        occurrences(call, "value").filter_map(move |at| {
            let index = call[at + "value".len()..].trim_start().strip_prefix('[')?;
            index.split_once(']')?.0.trim().parse().ok().filter(|&n| n < MOST_VALUES)
        })
    }
}

const MOST_VALUES: usize = 16;

/// What the pragmas of a preprocessed file declare.
pub fn declared(unit: &Unit) -> Result<Declared, Vec<Diagnostic>> {
    let (tokens, files) = (unit.tokens(), unit.files());
    let mut problems = Vec::new();
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
    let mut spec_init = None;
    for Pragma { line, at: place } in pragmas(tokens, files) {
        let setup = |call: String| Some(Setup { call, place: place.clone() });
        let read = match line {
            Line::Op(form) => {
                let form = form.and_then(|form| of_objects(&form).map(|()| form));
                form.map(|form| found.operations.push(Operation { form, place: place.clone() }))
            }
            Line::Spec(form) => {
                let form = form.and_then(|form| of_objects(&form).map(|()| form));
                form.map(|form| specified.push(Operation { form, place: place.clone() }))
            }
            Line::Init(_) if found.init.is_some() => Err("the object is set up by two `init` pragmas".into()),
            Line::Init(call) if call.is_empty() => Err("`init` takes a call: init f()".into()),
            Line::Init(call) => {
                found.init = setup(call);
                Ok(())
            }
            Line::SpecInit(_) if spec_init.is_some() => {
                Err("the specification is set up by two `spec_init` pragmas".into())
            }
            Line::SpecInit(call) if call.is_empty() => Err("`spec_init` takes a call: spec_init f()".into()),
            Line::SpecInit(call) => {
                spec_init = setup(call);
                Ok(())
            }
            Line::ReadOnly(names) => {
                found.read_only.extend(names);
                Ok(())
            }
            Line::Keys(word) if word == "independent" => {
                found.independent_keys = true;
                Ok(())
            }
            Line::Keys(_) => Err("`keys` takes the word independent".into()),
            Line::Values(Domain::Wide) => {
                found.wide = true;
                Ok(())
            }
            Line::ThreadInit(_) => {
                Err("`thread_init` has no place in a type for logs: set up everything in `init`".into())
            }
            Line::Object(name, _) => {
                checked |= name != "spec";
                Ok(())
            }
            Line::Quasi(_) if found.quasi.is_some() => {
                Err("`quasi` is declared twice: name all classes on one line".into())
            }
            Line::Quasi(stated) => stated.map(|stated| found.quasi = Some((stated, place.clone()))),
            // About concurrent calls, or about a checker that draws values.
            Line::Role(_) => found.unread("role", &place),
            Line::Threads(_) => found.unread("threads", &place),
            Line::Fini(_) => found.unread("fini", &place),
            Line::Values(Domain::Range(..)) => found.unread("values", &place),
            Line::Point => found.unread("point", &place),
            Line::Race(_) => found.unread("race", &place),
            Line::Fact(granted, _) => found.unread(if granted { "axiom" } else { "lemma" }, &place),
            Line::Level => found.unread("level", &place),
            Line::Unknown(other) => Err(format!("`{other}` is no pragma of lineal")),
        };
        if let Err(message) = read {
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
        for Operation { form, .. } in &mut specified {
            let silent = form.answer.is_none() && form.empty_if.is_none();
            let op = found.operations.iter().find(|op| op.form.name == form.name).filter(|_| silent);
            if let Some(op) = op {
                (form.answer, form.empty_if) = (op.form.answer.clone(), op.form.empty_if.clone());
            }
        }
        found.operations = specified;
        found.init = spec_init.or(found.init);
    } else if let Some(Setup { place, .. }) = spec_init {
        let message = "`spec_init` sets up a specification, and there is no `spec` line";
        problems.push(Diagnostic::error("L0160", message).at(place).help("set the type up by `init`"));
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
        if let Some(other) = found.operations[..i].iter().find(|o| o.form.name == op.form.name) {
            problems.push(
                Diagnostic::error("L0160", format!("the operation `{}` is declared twice", op.form.name))
                    .at(op.place.clone())
                    .note("first here", Some(other.place.clone())),
            );
        }
    }
    let unknown = found.read_only.iter().filter(|n| !found.operations.iter().any(|o| o.form.name == **n));
    problems.extend(unknown.map(|n| {
        Diagnostic::error("L0160", format!("read_only names `{n}`, which is no operation"))
            .at(Place::line(file, 1))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Operation {
        let Line::Op(Ok(form)) = Line::read("op", text) else { panic!("{text}") };
        Operation { form, place: Place::line("t.c", 1) }
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
