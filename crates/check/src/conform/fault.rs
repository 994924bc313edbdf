//! The program itself goes wrong while a client runs: a race, a memory error, a deadlock.

use super::hint;
use super::object::Clients;
use super::search::Search;
use crate::explain::trace::{self, View, titles};
use crate::graph;
use crate::replay::{Replayed, Status};
use lineal_model::object::{Client, Marks};
use lineal_model::program::client::CLIENT;
use lineal_model::run::{FailureKind, Op, Runnable};
use lineal_model::{Place, Witness, WitnessKind};

/// `found` is as the exploration reports it, in terms of the program that drives the client.
pub fn witness<C: Clients>(
    search: &Search<'_, C>,
    program: &mut C::Program,
    client: &Client,
    marks: &[Marks],
    kind: FailureKind,
    mut found: Witness,
) -> Witness {
    let object = search.object();
    let call = |c: usize| object.show_call(&client.calls[c]);
    found.hints.extend(hint::strengthen(search, client, true, search.watch));
    let token = found.replay.clone().unwrap_or_default();
    if let Ok(replayed) = graph::rerun(program, &token) {
        let clash: Vec<usize> = (0..found.steps.len()).filter(|&k| found.steps[k].guilty).collect();
        let answers = trace::answers(&replayed, marks);
        let answered = |c: usize| match answers[c] {
            Some(outcome) => object.show_answer(&client.calls[c], outcome),
            None => call(c),
        };
        if found.kind == FailureKind::Deadlock.into() {
            found.why = waiting(&*program, &replayed, marks, &call).unwrap_or("No call can go on.".into());
        } else if let Some(why) = clash_in_words(&*program, &replayed, marks, &clash, &found, &call) {
            found.why = why;
        }
        let own = |site| search.problem.clients.is_own(program, site);
        let view = View::of_clash(&client.threads, &clash, &call, &answered, &own);
        found.steps = trace::trace(&*program, search.problem.memory, &replayed, marks, &view).steps;
    }
    // The driver's own text has no lines that anybody could look up.
    found.at = found.at.filter(own_text);
    Witness {
        kind: WitnessKind::Unsafe(kind),
        client: client.threads.iter().map(|t| t.iter().map(|&c| call(c)).collect()).collect(),
        threads: titles(client.threads.len()),
        ..found
    }
}

/// Who waits for what, and where.
fn waiting<R: Runnable>(
    program: &R,
    replayed: &Replayed,
    marks: &[Marks],
    call: &dyn Fn(usize) -> String,
) -> Option<String> {
    let calls = trace::calls(replayed, marks);
    let under_way = |t: usize| {
        let own = |k: &usize| replayed.taken[*k].thread == t;
        (0..calls.len()).rev().filter(own).find_map(|k| calls[k])
    };
    let mut words = Vec::new();
    for (t, status) in replayed.statuses.iter().enumerate() {
        let Status::Asks(Op::Read { loc, wait: Some(_), .. } | Op::Rmw { loc, wait: Some(_), .. }, site) =
            status
        else {
            continue;
        };
        let name = program.name(*loc, &replayed.execution);
        // A lock is known by its own name.
        let name = name.strip_suffix(".owner").unwrap_or(&name);
        let place = program.place(*site).filter(own_text).map_or(String::new(), |at| format!(" ({at})"));
        words.push(format!("{} waits for {name}{place}", call(under_way(t)?)));
    }
    (!words.is_empty()).then(|| format!("No call can go on: {}.", words.join(", ")))
}

fn own_text(at: &Place) -> bool {
    &*at.file != CLIENT
}

/// Which calls clash, and over what; `None`: nothing better to say than the exploration has.
fn clash_in_words<R: Runnable>(
    program: &R,
    replayed: &Replayed,
    marks: &[Marks],
    clash: &[usize],
    found: &Witness,
    call: &dyn Fn(usize) -> String,
) -> Option<String> {
    let calls = trace::calls(replayed, marks);
    let at = |k: usize| program.place(replayed.taken[k].site).filter(own_text);
    let place = |k: usize| at(k).map_or(String::new(), |at| format!(" ({at})"));
    let whose = |k: usize| calls[k].map_or("the set-up".to_string(), call);
    let name = |k: usize| match replayed.taken[k].op {
        Op::Read { loc, .. } | Op::Write { loc, .. } | Op::Rmw { loc, .. } => {
            Some(program.name_at(loc, None, replayed.taken[k].site, &replayed.execution))
        }
        _ => None,
    };
    let verb = |k: usize| if replayed.taken[k].wrote.is_some() { "writes" } else { "reads" };
    // The one that fails comes last in the run.
    let (&[first, last], true) = (clash, found.kind == FailureKind::Race.into()) else {
        let mine = clash.last().and_then(|&k| calls[k])?;
        return Some(format!("In {}: {}", call(mine), found.why));
    };
    let name = name(last)?;
    let said = match replayed.taken[first].op {
        Op::Alloc { .. } => format!(
            "{} {} {name}, but nothing makes its allocation by {}{} visible there.",
            whose(last),
            verb(last),
            whose(first),
            place(first)
        ),
        _ => format!(
            "Data race: {} {} {name} while {} {} it{}, and nothing orders the two.",
            whose(last),
            verb(last),
            whose(first),
            verb(first),
            place(first)
        ),
    };
    Some(said)
}
