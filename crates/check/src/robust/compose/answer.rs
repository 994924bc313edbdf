//! What is said about a client of libraries.
//!
//! | explored | well-fenced, and each library robust | answer |
//! | --- | --- | --- |
//! | not robust | | violated; the fences that help, tried |
//! | robust, all of it | | holds; which fences composition would ask for |
//! | robust, loops cut | yes | holds, by composition |
//! | cut off by a limit | yes | holds, by composition |
//! | cut off by a limit | no | unknown; what is missing |
//!
//! A library that is robust for clients with at most N calls is so for executions of the client that call
//! it no more often. If all executions do no more, nothing is left out; if some may do more, the scope says
//! that they are not covered; if all do, there is nothing to claim.

use super::value::Known;
use super::{Beyond, Client, Fencing, Standing};
use crate::graph::Problem;
use crate::programs;
use lineal_model::diagnostic::Place;
use lineal_model::{Assumption, Effort, Finding, LimitKind, Memory, Observer, Scope, Verdict};
use std::collections::BTreeSet;

/// More fences than these are dropped one by one, and not in every choice.
const FEW: usize = 5;

const ALWAYS: &str = "Composition would settle it, were the libraries known to be robust for as many calls as this client always makes.";
const APART: &str =
    "So libraries share memory by pointers, or plain accesses race; if not, please report the input.";
const TOO_FEW: &str = "So some library is not robust for as many calls as this client makes, though it is for as many as were asked about.";

/// Walks and explores the client.
pub fn compose(client: &Client<'_>, fencing: &Fencing, effort: &Effort, watch: &dyn Observer) -> Finding {
    let mut machine = client.machine.clone();
    let options = client.options.clone();
    let mut problem = Problem { program: &mut machine, memory: client.memory, options };
    watch.stage("exploring the client", "");
    let mut finding = programs::robust(&mut problem, effort, watch);
    let doubts = doubts(client, fencing);
    let composed = doubts.is_empty() && fencing.is_enough();
    let beyond = if composed { client.beyond() } else { Beyond::Always };
    let mut remarks = paths(client, fencing);
    match &mut finding.verdict {
        Verdict::Violated(_) => {
            if composed {
                remarks.push(enough(fencing).into());
                remarks.push(if beyond == Beyond::Never { APART } else { TOO_FEW }.into());
            }
            remarks.extend(needed(client, fencing, effort, watch));
        }
        Verdict::Holds(scope) if scope.bounds.iter().all(|b| b.cut == 0) => match fencing.is_enough() {
            true => remarks.push(enough(fencing).into()),
            false => remarks.push("This client does without: all its executions were explored. Another one that uses these libraries as it does may not.".into()),
        },
        Verdict::Holds(scope) if beyond != Beyond::Always => {
            *scope = composition(client, fencing, beyond);
            remarks.push(enough(fencing).into());
            remarks.push("The claim is by composition: exploring the client cut loops short.".into());
        }
        Verdict::Unknown(limit) if composed && beyond == Beyond::Always && ran_out(limit.kind) => {
            limit.covered = ALWAYS.into();
            remarks.push(enough(fencing).into());
        }
        Verdict::Unknown(limit) if composed && ran_out(limit.kind) => {
            remarks.push(enough(fencing).into());
            let why = limit.message.trim_end_matches('.');
            let why = if why.is_empty() { "a limit was reached" } else { why };
            remarks.push(format!("The claim is by composition: not all of the client was explored ({why})."));
            finding.verdict = Verdict::Holds(composition(client, fencing, beyond));
        }
        Verdict::Holds(_) | Verdict::Unknown(_) => {}
    }
    remarks.extend(doubts);
    finding.remarks.extend(remarks);
    finding
}

/// Exploring was cut off; nothing was found to be wrong with the question.
fn ran_out(kind: LimitKind) -> bool {
    matches!(kind, LimitKind::Time | LimitKind::Memory | LimitKind::States | LimitKind::Loop)
}

fn enough(fencing: &Fencing) -> &'static str {
    match (fencing.locks, fencing.walked.used.len()) {
        (true, _) => "No fence is needed: threads communicate by locks only.",
        (false, 0 | 1) => "No fence is needed: there is only one library.",
        (false, _) => "On every path a seq_cst fence separates the libraries.",
    }
}

/// What keeps composition from saying anything, a sentence each.
fn doubts(client: &Client<'_>, fencing: &Fencing) -> Vec<String> {
    let mut all = Vec::new();
    if client.memory == Memory::Ra {
        all.push("Composition says nothing under ra, whose seq_cst fences are acq_rel ones.".into());
    }
    for library in client.libraries {
        if let Standing::Open(why) = &library.standing {
            all.push(format!("Composition cannot count on {}: {why}.", library.name));
        }
    }
    for (n, library) in client.libraries.iter().enumerate() {
        let walked = &fencing.walked;
        if walked.late.contains(&n) {
            all.push(format!(
                "Composition cannot count on {}: it is set up or taken down while several threads run.",
                library.name
            ));
        } else if library.entries.iter().any(|e| e.setup) && !walked.set_up.contains(&n) {
            all.push(format!("Composition cannot count on {}: it is never set up.", library.name));
        }
    }
    for (&address, labels) in fencing.walked.shared.iter().take(3) {
        let functions = client.functions();
        let who: Vec<String> = labels.iter().take(2).map(|l| functions.words(l)).collect();
        let what = functions.name(Known::Number(address), false);
        all.push(format!("Composition does not apply: {} use the same memory, {what}.", who.join(" and ")));
    }
    if let Some((why, at)) = &fencing.walked.lost {
        let at = at.as_ref().map_or(String::new(), |at| format!(" ({at})"));
        all.push(format!("Whether fences separate the libraries was not settled: {why}{at}."));
    }
    all
}

/// What a claim by composition covers.
fn composition(client: &Client<'_>, fencing: &Fencing, beyond: Beyond) -> Scope {
    let mut assumptions: BTreeSet<Assumption> = client.machine.program.assumptions.iter().cloned().collect();
    for library in client.libraries {
        let name = library.name.clone();
        match &library.standing {
            Standing::Robust { calls, assumptions: own, .. } => {
                // That some of its clients never return says nothing about this one.
                let own = own.iter().filter(|a| !matches!(a, Assumption::Stuck(_)));
                assumptions.extend(own.cloned());
                if beyond != Beyond::Never {
                    assumptions.insert(Assumption::LibraryRobust { library: name, calls: *calls });
                }
            }
            _ => {
                assumptions.insert(Assumption::LibraryGranted(name));
            }
        }
    }
    if !fencing.walked.system.is_empty() {
        let names: Vec<&str> = fencing.walked.system.iter().map(String::as_str).collect();
        assumptions
            .insert(Assumption::LibraryGranted(format!("the system's library ({})", names.join(", "))));
    }
    assumptions.extend([Assumption::MemoryApart, Assumption::FruitlessIterations]);
    if fencing.walked.plain {
        assumptions.insert(Assumption::ClientRaceFree);
    }
    let mut scope = Scope::program(client.memory, 0);
    scope.threads = None;
    scope.assumptions = assumptions.into_iter().collect();
    scope
}

/// Where nothing separates two libraries, and where the fewest fences would.
fn paths(client: &Client<'_>, fencing: &Fencing) -> Vec<String> {
    let crossings = &fencing.walked.crossings;
    if fencing.locks || crossings.is_empty() {
        return Vec::new();
    }
    const SHOWN: usize = 6;
    let mut all: Vec<String> = Vec::new();
    for (from, to) in crossings.keys() {
        let line = format!(
            "No fence separates {}{} from {}{}.",
            client.words(from),
            at(client.place(from.site)),
            client.words(to),
            at(client.place(to.site))
        );
        if !all.contains(&line) {
            all.push(line);
        }
    }
    let more = all.len().saturating_sub(SHOWN);
    all.truncate(SHOWN);
    if more > 0 {
        all.push(format!("There are {more} more such pairs."));
    }
    all.push(match &fencing.fences {
        Some(fences) if fencing.fewest => format!("Composition asks for {}.", listed(client, fences)),
        Some(fences) => {
            format!("Composition is content with {} (perhaps with fewer).", listed(client, fences))
        }
        None => "No fence in the client can separate what a single call does.".into(),
    });
    all
}

fn at(place: Option<Place>) -> String {
    place.map_or(String::new(), |p| format!(" ({p})"))
}

/// `2 seq_cst fences: before client.c:12:5 and before client.c:20:5`.
fn listed(client: &Client<'_>, fences: &BTreeSet<u32>) -> String {
    let places: Vec<String> = fences
        .iter()
        .map(|&pc| client.place(pc).map_or("somewhere".into(), |p| format!("before {p}")))
        .collect();
    let places = match places.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => places.concat(),
    };
    match fences.len() {
        1 => format!("a seq_cst fence {places}"),
        n => format!("{n} seq_cst fences: {places}"),
    }
}

/// Which of the fences make this client robust, found by trying.
fn needed(client: &Client<'_>, fencing: &Fencing, effort: &Effort, watch: &dyn Observer) -> Vec<String> {
    let Some(fences) = fencing.fences.as_ref().filter(|f| !f.is_empty()) else { return Vec::new() };
    watch.stage("trying fences", "");
    let tries = |some: &BTreeSet<u32>| client.explored(some, effort, watch);
    match tries(fences) {
        Verdict::Holds(_) => {}
        Verdict::Violated(_) => {
            return vec![
                "With all of them this client is still not robust: some library is not by itself.".into(),
            ];
        }
        Verdict::Unknown(_) => return vec!["Whether they help was not settled within the limits.".into()],
    }
    let holds = |some: &BTreeSet<u32>| matches!(tries(some), Verdict::Holds(_));
    let kept = match fences.len() <= FEW {
        true => smaller(fences).into_iter().find(|some| holds(some)).unwrap_or_else(|| fences.clone()),
        false => {
            let mut kept = fences.clone();
            for fence in fences {
                let without: BTreeSet<u32> = kept.iter().copied().filter(|f| f != fence).collect();
                if holds(&without) {
                    kept = without;
                }
            }
            kept
        }
    };
    let all = kept.len() == fences.len();
    vec![match (all, fences.len()) {
        (true, 1) => "With it this client is robust (tried), and without it it is not.".into(),
        (true, _) => "With them this client is robust (tried), and it needs all of them.".into(),
        (false, _) => format!("Of these, this client needs only {} (tried).", listed(client, &kept)),
    }]
}

/// Its subsets but itself and none, smallest first.
fn smaller(all: &BTreeSet<u32>) -> Vec<BTreeSet<u32>> {
    let items: Vec<u32> = all.iter().copied().collect();
    let pick = |mask: u32| {
        items.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1).map(|(_, &x)| x).collect()
    };
    let mut subsets: Vec<BTreeSet<u32>> = (1..(1u32 << items.len()) - 1).map(pick).collect();
    subsets.sort_by_key(BTreeSet::len);
    subsets
}
