//! A violation in words, where the specification is another object: what the one does, and that the
//! other never does it. Nothing here decides anything.

use super::violation::{Explained, Join, chains, draw, hitting};
use crate::replay::calls::{Seen, Violation, pairs};
use lineal_model::WitnessKind;
use lineal_model::object::{Client, Object, Outcome};

/// So many other answers are mentioned.
const OTHERS: usize = 4;

/// What there is to tell about.
pub struct Told<'a> {
    pub object: &'a Object,
    pub client: &'a Client,
    /// What the specification is called.
    pub other: &'a str,
    pub violation: &'a Violation,
    pub seen: &'a Seen,
    /// For each execution of the specification with these answers, in this client: the pairs of calls
    /// that synchronise there and not here.
    pub lacking: &'a [Vec<(usize, usize)>],
    /// What the specification may answer, if the client orders nothing.
    pub others: &'a [Vec<Outcome>],
}

pub fn explain(told: &Told<'_>, join: Join) -> Explained {
    let edges = match told.violation {
        Violation::Client(edges) => pairs(edges),
        _ => Vec::new(),
    };
    let own = told.client.threads.iter().flat_map(|t| t.windows(2).map(|w| (w[0], w[1])));
    let ordered: Vec<(usize, usize)> = edges.iter().copied().chain(own).collect();
    let (threads, waits) = chains(told.client, &edges, join);
    let missing = hitting(told.lacking.to_vec());
    let kind = match told.violation {
        Violation::Result => WitnessKind::Result,
        Violation::Sync => WitnessKind::Sync,
        Violation::Client(_) => WitnessKind::Client,
    };
    let n = told.client.calls.len();
    let guilty: Vec<usize> = match (missing.is_empty(), ordered.is_empty()) {
        (false, _) => missing.iter().flat_map(|p| [p.0, p.1]).collect(),
        (true, false) => ordered.iter().flat_map(|p| [p.0, p.1]).collect(),
        (true, true) => (0..n).collect(),
    };
    let (why, reasons) = match missing.is_empty() {
        true => answers(told, &edges),
        false => synchronisation(told, &edges, &missing),
    };
    let (client, history) = (Vec::new(), Vec::new());
    let mut out = Explained { kind, why, reasons, client, threads, waits, history, guilty, missing };
    draw(&mut out, n, &|c| show(told, c));
    out
}

fn show(told: &Told<'_>, c: usize) -> String {
    told.object.show_answer(&told.client.calls[c], told.seen.outcomes[c])
}

fn call(told: &Told<'_>, c: usize) -> String {
    told.object.show_call(&told.client.calls[c])
}

/// The answers of all calls that answer something.
fn list(told: &Told<'_>, outcomes: &[Outcome]) -> String {
    let answering = |c: &usize| outcomes[*c] != Outcome::Nothing;
    let shown = |c: usize| told.object.show_answer(&told.client.calls[c], outcomes[c]);
    (0..outcomes.len()).filter(answering).map(shown).collect::<Vec<_>>().join(", ")
}

/// `push(1) returns before pop() is made`, of all that the client orders.
fn order(told: &Told<'_>, edges: &[(usize, usize)]) -> String {
    let one =
        |&(i, j): &(usize, usize)| format!("{} returns before {} is made", show(told, i), call(told, j));
    edges.iter().map(one).collect::<Vec<_>>().join(", and ")
}

/// The specification never answers like this.
fn answers(told: &Told<'_>, edges: &[(usize, usize)]) -> (String, Vec<String>) {
    let (other, list_here) = (told.other, list(told, &told.seen.outcomes));
    let mut reasons = Vec::new();
    if !edges.is_empty() {
        let why = match list_here.is_empty() {
            true => format!("{other} never does this in a client that orders its calls so."),
            false => format!("{other} never answers this in a client that orders its calls so: {list_here}."),
        };
        reasons.push(format!("The client sees to it that {}.", order(told, edges)));
        reasons.push(format!("If any of that were left open, {other} could answer the same."));
        return (why, reasons);
    }
    if told.others.is_empty() {
        let why = format!("{other} never completes these calls: some of them wait for ever.");
        return (why, reasons);
    }
    let mut all: Vec<String> = told.others.iter().map(|o| list(told, o)).collect();
    all.sort();
    all.dedup();
    let more = if all.len() > OTHERS { "; …" } else { "" };
    all.truncate(OTHERS);
    reasons.push(format!("What it may answer: {}{more}.", all.join("; ")));
    (format!("{other} never answers this: {list_here}."), reasons)
}

/// The specification answers like this, but its calls see more.
fn synchronisation(
    told: &Told<'_>,
    edges: &[(usize, usize)],
    missing: &[(usize, usize)],
) -> (String, Vec<String>) {
    let (i, j) = missing[0];
    let why = format!(
        "{} does not synchronise with {}: what a thread wrote before {} may be invisible after {}.",
        show(told, i),
        show(told, j),
        show(told, i),
        show(told, j)
    );
    let mut reasons = Vec::new();
    if !edges.is_empty() {
        reasons.push(format!("The client sees to it that {}.", order(told, edges)));
    }
    let pairs: Vec<String> =
        missing.iter().map(|&(i, j)| format!("{} is visible to {}", show(told, i), show(told, j))).collect();
    reasons.push(match &pairs[..] {
        [pair] => format!("In {}, {pair} whenever the calls answer this.", told.other),
        _ => format!(
            "In {}, at least one of these is so whenever the calls answer this, and here none is: {}.",
            told.other,
            pairs.join("; ")
        ),
    });
    (why, reasons)
}
