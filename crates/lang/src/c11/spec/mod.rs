//! C functions as an abstract type: `#pragma lineal …` says which of them are its operations.
//!
//! The pragmas are read from preprocessed text ([`declared`]); [`driver`] then writes C around the
//! expressions in them, which is preprocessed and compiled behind the user's file, so that macros,
//! types and globals mean there what they mean to the user, and what is wrong with an expression
//! is said by the front-end, at the pragma. [`load`] binds the result.

mod pragma;

pub use pragma::{Declared, declared};

use super::pragma::Form;
use super::{Options, Unit, mailbox};
use lineal_model::adt::UserType;
use lineal_model::adt::quasi::{Operations, relax};
use lineal_model::adt::user::{Mailbox, Operation, Reads};
use lineal_model::program::{Instr, Machine, Program};
use lineal_model::run::Runnable;
use lineal_model::{Diagnostic, Place};
use std::collections::BTreeSet;
use std::fmt::Write;

/// C text that calls the operations one by one through a few globals; the front-end of a log
/// fills them and reads the answer.
pub fn driver(declared: &Declared) -> String {
    let int = if declared.wide { "long long" } else { "int" };
    let mut text = String::from("#line 1 \"<lineal>\"\n") + &mailbox::globals(inputs(declared));
    if let Some(init) = &declared.init {
        mark(&mut text, &init.place);
        let _ = writeln!(text, "void *__lineal_init(void *__lineal_unused) {{ {}; return 0; }}", init.call);
    }
    for (i, op) in declared.operations.iter().enumerate() {
        let value = if op.indexed() { "long long *value".into() } else { format!("{int} value") };
        let given = if op.indexed() { "__lineal_in + 2".into() } else { format!("({int})__lineal_in[2]") };
        let last = Mailbox::VALUES + op.values().max(1) - 1;
        let fixed = format!("{int} key, {int} thread, {value}, {int} prio");
        let actual =
            format!("({int})__lineal_in[0], ({int})__lineal_in[1], {given}, ({int})__lineal_in[{last}]");
        let Form { call, answer, empty_if, .. } = &op.form;
        mark(&mut text, &op.place);
        match answer {
            None => {
                let _ = write!(text, "void __lineal_call_{i}({fixed}, {int} *out) {{ {call}; }}");
            }
            Some(_) => {
                let _ = write!(text, "long long __lineal_call_{i}({fixed}, {int} *out) {{ return {call}; }}");
            }
        }
        let (result, seen) = match answer {
            Some(_) => ("long long result = ", "result"),
            None => ("", "0"),
        };
        let answer = match answer.as_deref() {
            None => "0",
            Some("value") => "result",
            Some(other) => other,
        };
        let none = empty_if.as_deref().unwrap_or("0");
        let also = format!("long long result, {int} out, {fixed}");
        let _ = writeln!(
            text,
            " long long __lineal_value_{i}({also}) {{ return {answer}; }} \
             int __lineal_none_{i}({also}) {{ return !!({none}); }} \
             void *__lineal_op_{i}(void *__lineal_unused) {{ {int} out = 0; \
             {result}__lineal_call_{i}({actual}, &out); \
             __lineal_said = __lineal_value_{i}({seen}, out, {actual}); \
             __lineal_none = __lineal_none_{i}({seen}, out, {actual}); return 0; }}",
        );
    }
    if !declared.has_main {
        text.push_str("#line 1 \"<lineal>\"\nint main(void) { return 0; }\n");
    }
    text
}

/// How many cells arguments take: `value` has one even where nobody looks at it.
fn inputs(declared: &Declared) -> usize {
    Mailbox::VALUES + declared.operations.iter().map(pragma::Operation::values).max().unwrap_or(0).max(1)
}

fn mark(text: &mut String, place: &Place) {
    let file = place.file.replace('\\', "\\\\").replace('"', "\\\"");
    let _ = writeln!(text, "#line {} \"{file}\"", place.line);
}

/// The type from the user's file with its [`driver`] behind it.
pub fn load(name: &str, units: &[Unit], declared: &Declared) -> Result<UserType, Vec<Diagnostic>> {
    let at_pragma = |mut d: Diagnostic| {
        let same = |p: &Place| d.at.as_ref().is_some_and(|at| at.file == p.file && at.line == p.line);
        // Columns there are those of generated text.
        if let Some(place) = declared.places().find(|p| same(p)) {
            d.at = Some(place.clone());
        }
        d
    };
    let (mut machine, _) = super::load(units, &Options { strict: true, ..Options::default() })
        .map_err(|found| found.into_iter().map(at_pragma).collect::<Vec<_>>())?;
    machine.program.specifies = true;
    let program = &machine.program;
    let function = |name: String| {
        program.functions.iter().position(|f| f.name == name).expect("a function of the driver") as u32
    };
    let mailbox = mailbox::bound(&machine, inputs(declared));
    let mut operations = Vec::new();
    for (i, op) in declared.operations.iter().enumerate() {
        let parts = ["call", "value", "none"].map(|part| function(format!("__lineal_{part}_{i}")));
        operations.push(Operation {
            name: op.form.name.clone(),
            function: function(format!("__lineal_op_{i}")),
            values: op.values(),
            priority: op.uses("prio"),
            key: op.uses("key"),
            thread: op.uses("thread"),
            answers: op.form.answer.is_some(),
            may_be_empty: op.form.empty_if.is_some(),
            reads: match (writes_nothing(program, &parts), declared.read_only.contains(&op.form.name)) {
                (true, _) => Reads::Evidently,
                (false, true) => Reads::Declared,
                (false, false) => Reads::No,
            },
            place: Some(op.place.clone()),
        });
    }
    let init = declared.init.as_ref().map(|_| function("__lineal_init".into()));
    let places = |site| Machine::place(&machine, site);
    let mut made =
        UserType::new(name.into(), machine.clone(), init, operations, mailbox).map_err(|failure| {
            let d = Diagnostic::error("L0161", format!("the type cannot be set up: {}", failure.message));
            vec![match places(failure.site) {
                Some(place) => at_pragma(d.at(place)),
                None => d,
            }]
        })?;
    made.independent_keys = declared.independent_keys;
    made.wide = declared.wide;
    if let Some((stated, place)) = &declared.quasi {
        let relaxation = relax(&stated.classes, stated.semantics, &Operations::User(&made));
        let refused = |(why, help): (String, String)| {
            vec![Diagnostic::error("L0160", why).at(place.clone()).help(help)]
        };
        made.quasi = Some(relaxation.map_err(refused)?.into());
    }
    Ok(made)
}

/// Whether no instruction that these functions can reach writes to memory.
fn writes_nothing(program: &Program, functions: &[u32]) -> bool {
    let mut todo = functions.to_vec();
    let mut seen: BTreeSet<u32> = functions.iter().copied().collect();
    while let Some(f) = todo.pop() {
        let f = &program.functions[f as usize];
        for instr in &program.code[f.entry as usize..f.end as usize] {
            match *instr {
                Instr::Call { function, .. } if seen.insert(function) => todo.push(function),
                Instr::Store { .. }
                | Instr::Copy { .. }
                | Instr::CopyMany { .. }
                | Instr::Fill { .. }
                | Instr::Fetch { .. }
                | Instr::Cas { .. }
                | Instr::AwaitAdd { .. }
                | Instr::AwaitFetch { .. }
                | Instr::AwaitCas { .. }
                | Instr::Alloc { .. }
                | Instr::Free { .. }
                | Instr::Create { .. }
                | Instr::CallPointer { .. } => return false,
                _ => {}
            }
        }
    }
    true
}
