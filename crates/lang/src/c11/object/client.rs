//! A client of an object as C text, to be run; [`super::listing`] is for people to read.
//!
//! Each operation becomes a function that notes in globals of its own when the call
//! begins and ends and what it answers; placeholders are the parameters and locals of that
//! function, so nothing is substituted in the author's expressions. The text of an operation
//! carries the line of its pragma, so whatever does not compile is reported there.

use super::super::{Options, SourceUnit, Unit, machine, sources};
use super::Loaded;
use super::signature::without_main;
use crate::c11::pragma::{call, parts};
use lineal_model::history::Method;
use lineal_model::object::{Call, Client, Code, Marks, Object, Operation, Type};
use lineal_model::program::Machine;
use lineal_model::run::Entry;
use lineal_model::{Diagnostic, Place};
use std::fmt::Write;

/// The program that runs `client`, and where its calls leave their marks.
pub fn program(
    units: &[Unit],
    loaded: &Loaded,
    client: &Client,
    options: &Options,
) -> Result<(Machine, Vec<Marks>), Vec<Diagnostic>> {
    let mut units = units.to_vec();
    if let Some(unit) = units.get_mut(loaded.unit) {
        unit.text.push_str(&text(loaded, client));
    }
    let tidy =
        |found: Vec<Diagnostic>| found.into_iter().map(|d| tidy(d, &loaded.object)).collect::<Vec<_>>();
    let (mut parsed, files) = sources(&units).map_err(tidy)?;
    own_mains(&mut parsed, loaded.unit);
    let (machine, _) = machine(&units, &parsed, &files, options).map_err(tidy)?;
    let find = |name: &str, i: usize| machine.global(&format!("{name}[{i}]")).map(|g| g.0);
    let marks: Option<Vec<Marks>> = (0..client.calls.len())
        .map(|i| {
            Some(Marks {
                begun: find("__lineal_begun", i)?,
                ended: find("__lineal_ended", i)?,
                result: find("__lineal_result", i)?,
            })
        })
        .collect();
    Ok((machine, marks.expect("the client's own globals exist")))
}

/// The specification of an `object spec` as a program: what sets it up, and what each call of the
/// client runs.
#[allow(clippy::type_complexity)]
pub fn reference(
    units: &[Unit],
    loaded: &Loaded,
    client: &Client,
    options: &Options,
) -> Result<(Machine, Entry, Vec<(Entry, Marks)>), Vec<Diagnostic>> {
    let mut spec = loaded.clone();
    for operation in &mut spec.object.operations {
        let Some(code) = operation.spec.clone() else { continue };
        if let Some((function, args, _)) = call(&code.text) {
            operation.function = function.to_string();
            operation.arguments = parts(args).into_iter().map(str::to_string).collect();
        }
        operation.call = code;
    }
    spec.object.init.clone_from(&loaded.object.spec_init);
    let (mut machine, marks) = program(units, &spec, client, options)?;
    machine.program.specifies = true;
    let entry = |name: &str| {
        let found = machine.program.functions.iter().position(|f| f.name == name);
        Entry { function: found.unwrap_or(0) as u32, argument: 0 }
    };
    let calls = (0..client.calls.len()).map(|c| (entry(&format!("__lineal_alone_{c}")), marks[c])).collect();
    let setup = entry("__lineal_setup");
    Ok((machine, setup, calls))
}

/// Leaves out every `main` but the client's, the last function of its unit.
fn own_mains(parsed: &mut [SourceUnit], unit: usize) {
    let client = parsed.get_mut(unit).and_then(|u| u.externals.pop());
    without_main(parsed);
    if let Some(u) = parsed.get_mut(unit) {
        u.externals.extend(client);
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

fn text(loaded: &Loaded, client: &Client) -> String {
    let object = &loaded.object;
    let n = client.calls.len().max(1);
    let mut out = String::new();
    let home = |out: &mut String| out.push_str("# 1 \"<client>\"\n");
    out.push('\n');
    home(&mut out);
    let _ = writeln!(
        out,
        "static char __lineal_begun[{n}]; static char __lineal_ended[{n}]; static long __lineal_result[{n}];"
    );
    if !client.waits.is_empty() {
        let _ = writeln!(out, "static int __lineal_done[{n}];");
    }
    for (k, operation) in object.operations.iter().enumerate() {
        if client.calls.iter().any(|c| c.operation == k) {
            marker(&mut out, &operation.call.at);
            out.push_str(&wrapper(loaded, k, operation));
        }
    }
    home(&mut out);
    for (t, calls) in client.threads.iter().enumerate() {
        let _ = writeln!(
            out,
            "static void *__lineal_thread_{t}(void *__lineal_unused) {{ const int thread = {t};"
        );
        statements(&mut out, &object.thread_init);
        home(&mut out);
        // Whether the thread holds a try-lock.
        let locks = object.kind == Type::TryLock;
        if locks {
            out.push_str("int __lineal_held = 0;\n");
        }
        for &c in calls {
            for (i, _) in client.waits.iter().filter(|w| w.1 == c) {
                let _ = writeln!(out, "__lineal_await_equal(&__lineal_done[{i}], 1, 1);");
            }
            let method = object.operations[client.calls[c].operation].method;
            match method {
                // Executions in which the lock is not held are those of a smaller client.
                Method::Release if locks => {
                    let _ = writeln!(out, "if (__lineal_held > 0) {{ __lineal_held = __lineal_held - 1;");
                }
                _ => out.push_str("{ "),
            }
            let _ = writeln!(out, "{} }}", made(loaded, c, &client.calls[c], "thread"));
            if locks && method == Method::Acquire {
                let _ = writeln!(
                    out,
                    "if (__lineal_ended[{c}] == 1 && __lineal_result[{c}]) __lineal_held = __lineal_held + 1;"
                );
            }
            if client.waits.iter().any(|w| w.0 == c) {
                let _ = writeln!(out, "__atomic_store_n(&__lineal_done[{c}], 1, 3);");
            }
        }
        out.push_str("return 0; }\n");
    }
    // Each call by itself, and what comes before them, for those who run them one at a time.
    for (c, call) in client.calls.iter().enumerate() {
        let _ = writeln!(
            out,
            "static void *__lineal_alone_{c}(void *__lineal_unused) {{ {} return 0; }}",
            made(loaded, c, call, "0")
        );
    }
    out.push_str("static void *__lineal_setup(void *__lineal_unused) {\n");
    statements(&mut out, &object.init);
    home(&mut out);
    out.push_str("return 0; }\nint main(void) {\n__lineal_setup((void *)0);\n");
    for t in 0..client.threads.len() {
        let _ =
            writeln!(out, "unsigned long __lineal_t{t} = __lineal_create(__lineal_thread_{t}, (void *)0);");
    }
    for t in 0..client.threads.len() {
        let _ = writeln!(out, "__lineal_join(__lineal_t{t});");
    }
    statements(&mut out, &object.fini);
    out.push_str("return 0; }\n");
    out
}

/// The call of an operation's function.
fn made(loaded: &Loaded, c: usize, call: &Call, thread: &str) -> String {
    let argument = |name: &str, n: Option<i64>| cast(loaded, call.operation, name, n.unwrap_or(0));
    format!(
        "__lineal_op_{}({c}, {thread}, {}, {}, {});",
        call.operation,
        argument("value", call.value),
        argument("key", call.key),
        argument("prio", call.prio),
    )
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
pub(super) fn type_of(loaded: &Loaded, operation: usize, placeholder: &str) -> &'static str {
    let operation = &loaded.object.operations[operation];
    let place = operation.arguments.iter().position(|a| a == placeholder);
    let signature = loaded.signatures.functions.get(&operation.function);
    match place.and_then(|i| signature?.params.get(i)) {
        Some(param) if param.is_pointer => "void *",
        _ => "long",
    }
}

pub(super) fn cast(loaded: &Loaded, operation: usize, placeholder: &str, number: i64) -> String {
    match type_of(loaded, operation, placeholder) {
        "long" => number.to_string(),
        ty => format!("({ty}){number}L"),
    }
}

/// One line of C, so that everything in it has the place of the pragma.
fn wrapper(loaded: &Loaded, k: usize, operation: &Operation) -> String {
    let ty = |placeholder: &str| type_of(loaded, k, placeholder);
    let mut out = format!(
        "static void __lineal_op_{k}(int __lineal_call, int thread, {} value, {} key, {} prio) {{ ",
        ty("value"),
        ty("key"),
        ty("prio")
    );
    if operation.takes.out {
        let _ = write!(
            out,
            "{} __lineal_out = 0; {} *out = &__lineal_out; ",
            out_type(loaded, operation),
            out_type(loaded, operation)
        );
    }
    out.push_str("__lineal_begun[__lineal_call] = 1; ");
    let call = &operation.call.text;
    let returns = loaded.signatures.functions.get(&operation.function).is_some_and(|s| s.result.is_some());
    if returns {
        let _ = write!(out, "__typeof__({call}) result = {call}; ");
    } else {
        let _ = write!(out, "{call}; ");
    }
    let value = |text: &str| if text == "out" { "__lineal_out".to_string() } else { text.to_string() };
    let empty = operation.empty_if.as_deref().unwrap_or("0");
    let _ = write!(out, "int __lineal_empty = ({empty}) ? 1 : 0; ");
    if let Some(answer) = &operation.answer {
        let _ =
            write!(out, "if (!__lineal_empty) __lineal_result[__lineal_call] = (long)({}); ", value(answer));
    }
    out.push_str("__lineal_ended[__lineal_call] = __lineal_empty ? 2 : 1; }\n");
    out
}

/// What the function stores through `out`.
pub(super) fn out_type(loaded: &Loaded, operation: &Operation) -> String {
    let place = operation.arguments.iter().position(|a| a == "out");
    let signature = loaded.signatures.functions.get(&operation.function);
    let target = place.and_then(|i| signature?.params.get(i)).and_then(|p| p.target.clone());
    match target {
        Some(text) if !text.contains('…') => text,
        _ => "void *".into(),
    }
}
