//! The operations of an object as C text around the author's expressions, compiled once; clients
//! are data that call them ([`lineal_model::program::client`]).
//!
//! Each operation becomes a function that notes in globals of its own when the call
//! begins and ends and what it answers; placeholders are the parameters and locals of that
//! function, so nothing is substituted in the author's expressions. The text of an operation
//! carries the line of its pragma, so whatever does not compile is reported there.

use super::super::{Options, SourceUnit, Unit, machine, sources};
use super::Signatures;
use super::signature::without_main;
use crate::c11::mailbox;
use crate::c11::pragma::{call, parts};
use lineal_model::adt::user::{Mailbox, Specification};
use lineal_model::object::{Code, Object, Operation};
use lineal_model::program::Machine;
use lineal_model::program::client::{CLIENT, Guards, MAX_CALLS, Operations};
use lineal_model::{Diagnostic, Place};
use std::fmt::Write;
use std::rc::Rc;

/// The operations of the object as functions of one program.
pub fn operations(
    units: &[Unit],
    object: &Object,
    signatures: &Signatures,
    home: usize,
    options: &Options,
) -> Result<Operations, Vec<Diagnostic>> {
    let machine = compiled(units, text(object, signatures), object, home, options)?;
    let function = |name: &str| function(&machine, name);
    let array = |name: &str| machine.global(&format!("{name}[0]")).expect("what was generated is there").0;
    Ok(Operations {
        setup: function("__lineal_setup"),
        finish: function("__lineal_finish"),
        thread_init: (!object.thread_init.is_empty()).then(|| function("__lineal_thread_init")),
        calls: (0..object.operations.len()).map(|k| function(&format!("__lineal_op_{k}"))).collect(),
        begun: array("__lineal_begun"),
        ended: array("__lineal_ended"),
        result: array("__lineal_result"),
        done: array("__lineal_done"),
        guards: Guards::of(object),
        machine,
    })
}

/// The program with generated text behind the unit that declares the object.
fn compiled(
    units: &[Unit],
    text: String,
    object: &Object,
    home: usize,
    options: &Options,
) -> Result<Machine, Vec<Diagnostic>> {
    let mut units = units.to_vec();
    if let Some(unit) = units.get_mut(home) {
        unit.append(&text);
    }
    let tidy = |found: Vec<Diagnostic>| found.into_iter().map(|d| tidy(d, object)).collect::<Vec<_>>();
    let (mut parsed, files) = sources(&units).map_err(tidy)?;
    own_mains(&mut parsed, home);
    machine(&units, &parsed, &files, options).map_err(tidy).map(|(machine, _)| machine)
}

fn function(machine: &Machine, name: &str) -> u32 {
    let found = machine.program.functions.iter().position(|f| f.name == name);
    found.expect("what was generated is there") as u32
}

/// The specification of an `object spec`: functions that are called one at a time, through a
/// mailbox.
pub fn specification(
    units: &[Unit],
    object: &Object,
    signatures: &Signatures,
    home: usize,
    options: &Options,
) -> Result<Specification, Vec<Diagnostic>> {
    let mut spec = object.clone();
    for operation in &mut spec.operations {
        let Some(code) = operation.spec.clone() else { continue };
        if let Some((function, args, _)) = call(&code.text) {
            operation.function = function.to_string();
            operation.arguments = parts(args).into_iter().map(str::to_string).collect();
        }
        operation.call = code;
    }
    spec.init.clone_from(&object.spec_init);
    let mut machine = compiled(units, sequential_text(&spec, signatures), &spec, home, options)?;
    machine.program.specifies = true;
    let operations: Vec<u32> =
        (0..spec.operations.len()).map(|k| function(&machine, &format!("__lineal_op_{k}"))).collect();
    let init = function(&machine, "__lineal_init");
    let mailbox = mailbox::bound(&machine, INPUTS);
    Ok(Specification::new(machine, init, operations, mailbox))
}

/// What an operation of a specification takes: a key, its thread, a value, a priority.
const INPUTS: usize = Mailbox::VALUES + 2;

/// Leaves out every `main` but the client's, the last function of its unit.
fn own_mains(parsed: &mut [SourceUnit], unit: usize) {
    let client = parsed.get_mut(unit).and_then(|u| Rc::make_mut(&mut u.externals).pop());
    without_main(parsed);
    if let Some(u) = parsed.get_mut(unit) {
        Rc::make_mut(&mut u.externals).extend(client);
    }
}

/// A diagnostic in generated text is about the line it was generated from.
fn tidy(mut d: Diagnostic, object: &Object) -> Diagnostic {
    let declared = |at: &Place| {
        let same = |p: &Place| p.file == at.file && p.line == at.line;
        let all = object.init.iter().chain(&object.fini).chain(&object.thread_init);
        object
            .operations
            .iter()
            .find(|o| same(&o.call.at))
            .map(|o| format!("in the declaration of `{}`", o.name))
            .or_else(|| all.into_iter().any(|c| same(&c.at)).then(|| "in this declaration".to_string()))
    };
    if let Some(at) = &mut d.at
        && let Some(note) = declared(at)
    {
        (at.column, at.width) = (0, 0);
        d = d.note(note, None);
    }
    d
}

fn home(out: &mut String) {
    let _ = writeln!(out, "# 1 \"{CLIENT}\"");
}

/// Functions that run alone, and a program in outline that runs them.
fn sequential_text(spec: &Object, signatures: &Signatures) -> String {
    let mut out = String::from("\n");
    home(&mut out);
    out.push_str(&mailbox::globals(INPUTS));
    for (k, operation) in spec.operations.iter().enumerate() {
        marker(&mut out, &operation.call.at);
        out.push_str(&alone(signatures, k, operation));
    }
    home(&mut out);
    out.push_str("static void *__lineal_init(void *__lineal_unused) {\n");
    statements(&mut out, &spec.init);
    home(&mut out);
    out.push_str("return 0; }\nstatic void *__lineal_thread(void *__lineal_unused) {\n");
    for k in 0..spec.operations.len() {
        let _ = writeln!(out, "__lineal_op_{k}(0);");
    }
    out.push_str("return 0; }\nint main(void) {\n__lineal_init(0);\n");
    out.push_str("__lineal_join(__lineal_create(__lineal_thread, (void *)0));\nreturn 0; }\n");
    out
}

fn text(object: &Object, signatures: &Signatures) -> String {
    let n = MAX_CALLS;
    let mut out = String::new();
    out.push('\n');
    home(&mut out);
    let _ = writeln!(
        out,
        "static long __lineal_begun[{n}]; static long __lineal_ended[{n}]; \
         static long __lineal_result[{n}]; static int __lineal_done[{n}];"
    );
    for (k, operation) in object.operations.iter().enumerate() {
        marker(&mut out, &operation.call.at);
        out.push_str(&wrapper(signatures, k, operation));
    }
    let parts = [
        ("__lineal_setup(void)", &object.init),
        ("__lineal_finish(void)", &object.fini),
        ("__lineal_thread_init(const int thread)", &object.thread_init),
    ];
    for (head, codes) in parts {
        home(&mut out);
        let begin = if head.starts_with("__lineal_setup") { " __lineal_begin();" } else { "" };
        let _ = writeln!(out, "static void {head} {{{begin}");
        statements(&mut out, codes);
        home(&mut out);
        out.push_str("}\n");
    }
    // A client in outline, so that what the walk over the program learns about locals and threads
    // is true of every client. It is never run.
    out.push_str("static void *__lineal_thread(void *__lineal_unused) { __lineal_thread_init(0);\n");
    for k in 0..object.operations.len() {
        let _ = writeln!(out, "__lineal_op_{k}(0, 0, 0, 0, 0);");
    }
    out.push_str("__lineal_done[0] = 1; return 0; }\nint main(void) {\n__lineal_setup();\n");
    out.push_str("unsigned long __lineal_t = __lineal_create(__lineal_thread, (void *)0);\n");
    out.push_str("__lineal_join(__lineal_t);\n__lineal_finish();\nreturn 0; }\n");
    out
}

fn marker(out: &mut String, at: &Place) {
    let _ = writeln!(out, "# {} \"{}\"", at.line, at.file);
}

fn statements(out: &mut String, codes: &[Code]) {
    for code in codes {
        marker(out, &code.at);
        let _ = writeln!(out, "{};", code.text);
    }
}

/// What a placeholder is in C: an address if the function wants one, else a number.
pub(super) fn type_of(signatures: &Signatures, operation: &Operation, placeholder: &str) -> &'static str {
    let place = operation.arguments.iter().position(|a| a == placeholder);
    let signature = signatures.functions.get(&operation.function);
    match place.and_then(|i| signature?.params.get(i)) {
        Some(param) if param.is_pointer => "void *",
        _ => "long",
    }
}

pub(super) fn cast(signatures: &Signatures, operation: &Operation, placeholder: &str, number: i64) -> String {
    match type_of(signatures, operation, placeholder) {
        "long" => number.to_string(),
        ty => format!("({ty}){number}L"),
    }
}

/// A call made by a thread of a client: one line of C, so that everything in it has the place of
/// the pragma.
fn wrapper(signatures: &Signatures, k: usize, operation: &Operation) -> String {
    let ty = |placeholder: &str| type_of(signatures, operation, placeholder);
    let mut out = format!(
        "static int __lineal_op_{k}(int __lineal_call, int thread, {} value, {} key, {} prio) {{ ",
        ty("value"),
        ty("key"),
        ty("prio")
    );
    out_variable(&mut out, signatures, operation);
    out.push_str("__lineal_begun[__lineal_call] = 1; ");
    called(&mut out, signatures, operation);
    let answer = match answer(operation) {
        Some(answer) => {
            let _ = write!(
                out,
                "long __lineal_answer = 0; if (!__lineal_empty) \
                 {{ __lineal_answer = (long)({answer}); __lineal_result[__lineal_call] = __lineal_answer; }} ",
            );
            "!__lineal_empty && __lineal_answer != 0"
        }
        None => "0",
    };
    let _ = writeln!(out, "__lineal_ended[__lineal_call] = __lineal_empty ? 2 : 1; return {answer}; }}");
    out
}

/// A call made while nobody else runs, with a mailbox: one line of C.
fn alone(signatures: &Signatures, k: usize, operation: &Operation) -> String {
    let mut out = format!("static void *__lineal_op_{k}(void *__lineal_unused) {{ ");
    let slots = [
        ("thread", "int", Mailbox::THREAD),
        ("value", type_of(signatures, operation, "value"), Mailbox::VALUES),
        ("key", type_of(signatures, operation, "key"), Mailbox::KEY),
        ("prio", type_of(signatures, operation, "prio"), Mailbox::VALUES + 1),
    ];
    for (name, ty, slot) in slots {
        let _ = write!(out, "{ty} {name} = ({ty})__lineal_in[{slot}]; ");
    }
    out_variable(&mut out, signatures, operation);
    called(&mut out, signatures, operation);
    if let Some(answer) = answer(operation) {
        let _ = write!(out, "if (!__lineal_empty) __lineal_said = (long)({answer}); ");
    }
    out.push_str("__lineal_none = __lineal_empty; return 0; }\n");
    out
}

fn out_variable(out: &mut String, signatures: &Signatures, operation: &Operation) {
    if operation.takes.out {
        let ty = out_type(signatures, operation);
        let _ = write!(out, "{ty} __lineal_out = {{0}}; {ty} *out = &__lineal_out; ");
    }
}

/// The call itself, what it returns, and whether it found nothing.
fn called(out: &mut String, signatures: &Signatures, operation: &Operation) {
    let call = &operation.call.text;
    let returns = signatures.functions.get(&operation.function).is_some_and(|s| s.result.is_some());
    let _ = match returns {
        true => write!(out, "__typeof__({call}) result = {call}; "),
        false => write!(out, "{call}; "),
    };
    let empty = operation.empty_if.as_deref().unwrap_or("0");
    let _ = write!(out, "int __lineal_empty = ({empty}) ? 1 : 0; ");
}

fn answer(operation: &Operation) -> Option<&str> {
    operation.answer.as_deref().map(|answer| if answer == "out" { "__lineal_out" } else { answer })
}

/// What the function stores through `out`.
pub(super) fn out_type(signatures: &Signatures, operation: &Operation) -> String {
    let place = operation.arguments.iter().position(|a| a == "out");
    let signature = signatures.functions.get(&operation.function);
    let target = place.and_then(|i| signature?.params.get(i)).and_then(|p| p.target.clone());
    match target {
        Some(target) if !target.text.contains('…') => target.text,
        _ => "void *".into(),
    }
}
