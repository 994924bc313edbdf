//! Counterexamples for people: what each process did, with the variables that changed, and what
//! the specification would have allowed.

use super::replay::RunStep;
use lineal_model::WitnessKind;
use lineal_model::lts::Label;
use lineal_model::process::term::{Term, TermId, Universe};
use lineal_model::process::{EventExpr, Fault, Node, SiteId, State, System};
use lineal_model::verdict::{Step, TimelineOp, Witness};

pub struct Story<'r> {
    pub kind: WitnessKind,
    pub run: &'r [RunStep],
    /// The event that was too much.
    pub event: Option<u32>,
    pub allowed: Vec<u32>,
    pub offered: Vec<u32>,
    pub fault: Option<Fault>,
}

impl<'r> Story<'r> {
    pub fn plain(kind: WitnessKind, run: &'r [RunStep]) -> Self {
        Story { kind, run, event: None, allowed: Vec::new(), offered: Vec::new(), fault: None }
    }
}

/// Events beyond which a trace is not written out in the text.
const LONG: usize = 40;

pub fn tell(universe: &Universe, plain: &System, story: &Story) -> Witness {
    let threads: Vec<String> = plain.start().leaves.iter().map(|t| component(universe, *t)).collect();
    let steps = steps(universe, plain, story);
    let trace: Vec<String> = story.run.iter().filter_map(|s| shown(universe, s.label)).collect();
    let before = match story.event {
        Some(_) => &trace[..trace.len() - 1],
        None => &trace[..],
    };
    let after = match before {
        [] => "At once".to_string(),
        all if all.len() > LONG => {
            format!("After {} events, the last of them {},", all.len(), all[all.len() - 5..].join(" "))
        }
        all => format!("After {}", all.join(" ")),
    };
    let names = |events: &[u32]| {
        let all: Vec<String> = events.iter().map(|e| universe.events.show(universe.model, *e)).collect();
        if all.is_empty() { "nothing".into() } else { all.join(", ") }
    };
    let why = match (&story.fault, story.kind) {
        (Some(fault), _) => format!("{}.", capital(&fault.message)),
        (_, WitnessKind::Trace) => format!(
            "{after} comes {}, which the specification does not allow. It allows {} there.",
            trace.last().map_or("", String::as_str),
            names(&story.allowed)
        ),
        (_, WitnessKind::Result) => format!(
            "{after} comes {}, and no order of the calls explains it. Possible there: {}.",
            trace.last().map_or("", String::as_str),
            names(&story.allowed)
        ),
        (_, WitnessKind::Refusal) => format!(
            "{after} the process offers only {}, and the specification must offer more there. It allows {}.",
            names(&story.offered),
            names(&story.allowed)
        ),
        (_, WitnessKind::Divergence) => format!("{after} internal steps can go on for ever."),
        (_, WitnessKind::Deadlock) => format!("{after} no process can move."),
        (_, WitnessKind::Termination) => format!("{after} the process has terminated."),
        (_, WitnessKind::Reached) => format!("{after} the condition holds."),
        (_, WitnessKind::Replay) => format!("The earlier run again: {}.", trace.join(" ")),
        (_, WitnessKind::Nondeterminism) => format!("{after} one label leads to different states."),
        _ => format!("{after} the property fails."),
    };
    let history = history(universe, story, &threads);
    Witness {
        at: story.fault.as_ref().and_then(|f| universe.model.place(f.spot)),
        calls: (!history.is_empty()).then_some(history.len() as u64),
        history,
        steps,
        threads,
        shortest: true,
        ..Witness::new(story.kind, why)
    }
}

/// A run that a formula rules out: it goes on for ever from `repeats` on, stays where it is, or
/// (`endless` is false) is wrong whatever follows.
pub fn lasso(
    universe: &Universe,
    plain: &System,
    run: &[RunStep],
    repeats: Option<usize>,
    endless: bool,
) -> Witness {
    let mut witness = tell(universe, plain, &Story::plain(WitnessKind::Temporal, run));
    let begin = match show_trace(universe, &run[..repeats.unwrap_or(run.len())]) {
        None if repeats == Some(0) || run.is_empty() => "From the start".to_string(),
        None => "After internal steps".into(),
        Some(text) => format!("After {text}"),
    };
    let end = run.last().and_then(|s| s.to.as_ref()).unwrap_or(plain.start());
    let goes_on = match repeats {
        Some(at) => match show_trace(universe, &run[at..]) {
            None => format!("internal steps (from step {} on) go on for ever", at + 1),
            Some(text) => format!("{text} goes on for ever (from step {} on)", at + 1),
        },
        None if !endless => "the formula is false whatever follows".into(),
        None if plain.is_done(end) => "everything has terminated".into(),
        None => "nothing can move any more".into(),
    };
    witness.why = match endless {
        true => format!("{begin} {goes_on}, and the formula is false on this run."),
        false => format!("{begin} {goes_on}."),
    };
    witness.repeats = repeats.map(|n| n as u32);
    if let Some(at) = repeats {
        witness.steps.iter_mut().enumerate().for_each(|(i, s)| s.guilty = i >= at);
    }
    witness
}

/// The visible events of a run, if it has any.
fn show_trace(universe: &Universe, run: &[RunStep]) -> Option<String> {
    let all: Vec<String> = run.iter().filter_map(|s| shown(universe, s.label)).collect();
    match all.len() {
        0 => None,
        n if n > LONG => Some(format!("{n} events, the last of them {},", all[n - 5..].join(" "))),
        _ => Some(all.join(" ")),
    }
}

pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

fn shown(universe: &Universe, label: Label) -> Option<String> {
    match label {
        Label::Internal => None,
        Label::Event(e) => Some(universe.events.show(universe.model, e)),
    }
}

/// A component by the process it began as: `Process(0)`.
pub fn component(universe: &Universe, term: TermId) -> String {
    match universe.term(term) {
        Term::At(site, values) => {
            let site = universe.model.site(*site);
            let def = universe.model.def(site.def);
            let args: Vec<String> = site
                .free
                .iter()
                .zip(values)
                .filter(|(slot, _)| **slot < def.params)
                .map(|(_, v)| v.to_string())
                .collect();
            let name = def.name.split(' ').next().unwrap_or_default();
            match name.ends_with(')') {
                true => name.to_string(),
                false => format!("{name}({})", args.join(",")),
            }
        }
        Term::Seq(_, right) => component(universe, *right),
        Term::Hide(t, _) | Term::Atomic(t) | Term::Interrupt(t, _) => component(universe, *t),
        Term::Choice(_, kids) | Term::Parallel(_, _, kids) => {
            kids.first().map_or_else(|| "Stop".into(), |k| component(universe, *k))
        }
        Term::Stop => "Stop".into(),
        Term::Skip | Term::Done => "Skip".into(),
    }
}

fn steps(universe: &Universe, plain: &System, story: &Story) -> Vec<Step> {
    let mut before = plain.start();
    let mut out = Vec::new();
    for (i, step) in story.run.iter().enumerate() {
        let last = i + 1 == story.run.len();
        let what = shown(universe, step.label).unwrap_or_else(|| internal(universe, step.site));
        let remark = step.to.as_ref().map(|to| changes(universe, before, to)).unwrap_or_default();
        out.push(Step {
            thread: step.who as u32,
            what,
            at: universe.model.place(universe.model.site(step.site).spot),
            remark,
            guilty: last && story.kind != WitnessKind::Reached,
            ..Step::default()
        });
        if let Some(to) = &step.to {
            before = to;
        }
    }
    out
}

/// An internal step by what the source says there.
fn internal(universe: &Universe, site: SiteId) -> String {
    match &universe.model.site(site).node {
        Node::Prefix { event: EventExpr::Named(name, _), .. } => {
            format!("τ ({})", universe.model.names[*name as usize])
        }
        Node::If(..) | Node::IfBlocking(..) | Node::Case(..) => "τ (test)".into(),
        _ => "τ".into(),
    }
}

/// `H: 0 → 1, B[2]: 1 → 0`
pub fn changes(universe: &Universe, before: &State, after: &State) -> String {
    let cells = before.cells.iter().zip(&after.cells).enumerate();
    let mut all: Vec<String> = cells
        .filter(|(_, (a, b))| a != b)
        .map(|(i, (a, b))| format!("{}: {a} → {b}", universe.model.cell_name(i)))
        .collect();
    for (i, (a, b)) in before.queues.iter().zip(&after.queues).enumerate() {
        if a != b {
            all.push(format!("{}: {} → {} messages", universe.model.channels[i].name, a.len(), b.len()));
        }
    }
    all.join(", ")
}

/// Whether the first argument of calls and answers is the process that makes them, so that it says
/// nothing new: each component has one number in all of them, no two have the same, and that is no
/// accident of a single one. For an abstract type that is the rule.
fn numbers_calls(universe: &Universe, story: &Story, threads: &[String]) -> bool {
    let mut numbers: Vec<Option<i32>> = vec![None; threads.len()];
    for step in story.run {
        let Label::Event(e) = step.label else { continue };
        if e == lineal_model::process::events::TICK || step.who >= threads.len() {
            continue;
        }
        let event = universe.events.event(e);
        let name = &universe.model.names[event.name as usize];
        if !name.ends_with("_inv") && !name.ends_with("_res") {
            continue;
        }
        let Some(n) = event.args.first() else { return false };
        if *numbers[step.who].get_or_insert(*n) != *n {
            return false;
        }
    }
    let known: Vec<(usize, i32)> = numbers.iter().enumerate().filter_map(|(i, n)| Some((i, (*n)?))).collect();
    let distinct = (0..known.len()).all(|i| (0..i).all(|j| known[i].1 != known[j].1));
    let first_param = |who: usize, n: i32| {
        let params = threads[who].split_once('(').map_or("", |(_, p)| p.trim_end_matches(')'));
        params.split(',').next() == Some(&n.to_string())
    };
    distinct
        && (story.kind == WitnessKind::Result
            || known.len() > 1
            || known.iter().all(|(who, n)| first_param(*who, *n)))
}

/// Calls by the names of their events: `push_inv.0` and `push_res.0.3` are a call of `push`.
fn history(universe: &Universe, story: &Story, threads: &[String]) -> Vec<TimelineOp> {
    let mut ops: Vec<TimelineOp> = Vec::new();
    let mut open: Vec<Option<usize>> = vec![None; threads.len().max(1)];
    let mut time = 0;
    let total = story.run.len();
    let own = usize::from(numbers_calls(universe, story, threads));
    for (i, step) in story.run.iter().enumerate() {
        let Label::Event(e) = step.label else { continue };
        time += 1;
        if e == lineal_model::process::events::TICK || step.who >= open.len() {
            continue;
        }
        let event = universe.events.event(e);
        let name = &universe.model.names[event.name as usize];
        let args: Vec<String> = event.args.iter().skip(own).map(i32::to_string).collect();
        if let Some(op) = name.strip_suffix("_inv") {
            open[step.who] = Some(ops.len());
            ops.push(TimelineOp {
                process: threads.get(step.who).cloned().unwrap_or_default(),
                what: format!("{op}({})", args.join(",")),
                call: time,
                at: universe.model.place(universe.model.site(step.site).spot),
                ..TimelineOp::default()
            });
        } else if name.ends_with("_res")
            && let Some(op) = open[step.who].take()
        {
            ops[op].ret = Some(time);
            if !args.is_empty() {
                ops[op].what.push_str(&format!(" → {}", args.join(",")));
            }
            ops[op].guilty = i + 1 == total && story.event.is_some();
        }
    }
    ops
}
