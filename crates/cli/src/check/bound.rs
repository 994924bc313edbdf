//! How much to check, as typed: `--calls` and `--client`.

use lineal_check::conform::clients::{Bound, broken_role};
use lineal_model::Diagnostic;
use lineal_model::object::{Call, Client, Object};
use lineal_model::program::client::MAX_CALLS;
use std::collections::BTreeSet;

fn refuse(message: String) -> Diagnostic {
    Diagnostic::error("L0017", message)
}

fn names(object: &Object) -> String {
    object.operations.iter().map(|o| o.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// `4`, or `enqueue=5,dequeue=4`.
pub fn calls(text: &str, object: &Object) -> Result<Bound, Diagnostic> {
    let form = "--calls takes a number of calls in all, or of each operation: --calls enqueue=2,dequeue=2";
    let bound = if let Ok(total) = text.trim().parse::<usize>() {
        Bound::Total(total)
    } else {
        let mut counts = vec![0; object.operations.len()];
        let mut named = BTreeSet::new();
        for part in text.split(',') {
            let Some((name, count)) = part.split_once('=') else {
                return Err(refuse(format!("--calls: `{part}` is not understood")).help(form));
            };
            let Some(op) = object.operations.iter().position(|o| o.name == name.trim()) else {
                return Err(refuse(format!("--calls: the object has no operation `{}`", name.trim()))
                    .help(format!("it has {}", names(object))));
            };
            if !named.insert(op) {
                return Err(refuse(format!("--calls: `{}` is said twice", name.trim())).help(form));
            }
            counts[op] = count
                .trim()
                .parse()
                .map_err(|_| refuse(format!("--calls: `{count}` is no number of calls")).help(form))?;
        }
        Bound::Each(counts)
    };
    match bound.total() {
        0 => Err(refuse("--calls: without a call there is nothing to check".into())
            .help("ask for at least 1; most mistakes need 2 to 5 calls")),
        n if n > MAX_CALLS => {
            Err(refuse(format!("--calls: {n} calls are more than Lineal can look at at once"))
                .help(format!("ask for at most {MAX_CALLS}; most mistakes need 2 to 5 calls")))
        }
        _ => Ok(bound),
    }
}

/// `enqueue(1); enqueue(2) || dequeue()`.
pub fn client(text: &str, object: &Object) -> Result<Client, Diagnostic> {
    let mut client = Client::default();
    for thread in text.split("||") {
        let mut calls = Vec::new();
        for call in thread.split(';').map(str::trim).filter(|c| !c.is_empty()) {
            calls.push(client.calls.len());
            client.calls.push(one(call, object)?);
        }
        if !calls.is_empty() {
            client.threads.push(calls);
        }
    }
    if let Some(role) = broken_role(object, &client) {
        return Err(refuse(format!(
            "--client: more than {} of its threads take the role `{}`",
            role.max, role.name
        ))
        .at(role.at.clone())
        .help("let one thread make these calls, one after another: \"a(1); a(2) || b()\""));
    }
    match client.calls.len() {
        0 => Err(refuse("--client: there is no call in it".into())
            .help("threads are separated by ||, calls by ;, as in \"enqueue(1); enqueue(2) || dequeue()\"")),
        n if n > MAX_CALLS => Err(refuse(format!(
            "--client: {n} calls are more than the {MAX_CALLS} Lineal can look at at once"
        ))),
        _ => Ok(client),
    }
}

fn one(text: &str, object: &Object) -> Result<Call, Diagnostic> {
    let form = "a call is an operation and its arguments: enqueue(1)";
    let Some((name, args)) = text.split_once('(').and_then(|(n, a)| Some((n.trim(), a.strip_suffix(')')?)))
    else {
        return Err(refuse(format!("--client: `{text}` is no call")).help(form));
    };
    let Some(operation) = object.operations.iter().position(|o| o.name == name) else {
        return Err(refuse(format!("--client: the object has no operation `{name}`"))
            .help(format!("it has {}", names(object))));
    };
    let mut numbers = Vec::new();
    for arg in args.split(',').map(str::trim).filter(|a| !a.is_empty()) {
        let number = arg
            .parse::<i64>()
            .map_err(|_| refuse(format!("--client: the argument `{arg}` is no number")).help(form))?;
        numbers.push(number);
    }
    let takes = object.operations[operation].takes;
    let wanted = usize::from(takes.key) + usize::from(takes.prio) + usize::from(takes.value);
    if numbers.len() != wanted {
        let s = if wanted == 1 { "" } else { "s" };
        return Err(refuse(format!("--client: {name} takes {wanted} argument{s}, not {}", numbers.len()))
            .help("its key, its priority and its value, as far as it has them, in this order"));
    }
    let mut next = numbers.into_iter();
    let mut take = |wanted: bool| if wanted { next.next() } else { None };
    let (key, prio, value) = (take(takes.key), take(takes.prio), take(takes.value));
    Ok(Call { operation, value, key, prio })
}
