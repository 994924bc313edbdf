//! The steps of a violating execution in an order that its client could make them in: the calls
//! of one thread one after another, values read after they were written. What the driver itself
//! does is left out; only the author's code, and calls that begin and return, are steps.

use super::schedule::{order, step_of_event};
use super::view::Role;
pub use super::view::{View, titles};
use super::{show, stale, steps};
use crate::replay::{Replayed, Taken};
use lineal_model::object::{Marks, Outcome};
use lineal_model::run::{Loc, Op, Runnable};
use lineal_model::verdict::Step;
use lineal_model::{Memory, Place};

/// The steps, and what is odd about them.
#[derive(Default)]
pub struct Trace {
    pub steps: Vec<Step>,
    /// Reads that take an old value, in words.
    pub stale: Vec<String>,
    /// No read does, and writes happen in the order in which they overwrite each other.
    pub sequential: bool,
}

pub fn trace<R: Runnable>(
    program: &R,
    memory: Memory,
    replayed: &Replayed,
    marks: &[Marks],
    view: &View<'_>,
) -> Trace {
    let taken = &replayed.taken;
    let mut roles: Vec<Role> = taken.iter().map(|t| role(t, marks)).collect();
    let clash = view.clash.unwrap_or_default();
    // What a lock keeps in itself is nobody's business.
    for (k, t) in taken.iter().enumerate().filter(|(k, t)| !clash.contains(k) && !(view.own)(t.site)) {
        let plain = match t.op {
            Op::Read { wait, .. } => wait.is_none(),
            Op::Write { mode, .. } => !mode.is_atomic(),
            _ => false,
        };
        if plain && roles[k] == Role::Step {
            roles[k] = Role::Hidden;
        }
    }
    // Of what came before the calls, only what they read is of interest.
    let created = |t: &Taken| matches!(t.op, Op::Create { .. });
    let setup = match view.clash {
        Some(_) => taken.iter().position(created).unwrap_or(0),
        None => taken.len(),
    };
    for k in (0..setup).rev() {
        let shown = |u: usize| roles[u] != Role::Hidden && taken[u].from == Some(k);
        if taken[k].thread == 0 && !clash.contains(&k) && !(0..taken.len()).any(shown) {
            roles[k] = Role::Hidden;
        }
    }
    let (order, sequential) = match view.clash {
        Some(_) => ((0..taken.len()).collect(), false),
        None => order(replayed, &roles, view),
    };
    let call_of = calls_of_threads(taken, &roles);
    let kept: Vec<usize> = order.into_iter().filter(|&k| roles[k] != Role::Hidden).collect();
    let mut place = vec![None; taken.len()];
    kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
    // Threads of the object's own come after those of the client.
    let calling: usize =
        marks.iter().enumerate().map(|(c, _)| c).filter_map(|c| thread(view, c)).max().unwrap_or(0);
    let thread_of = |k: usize| match (call_of(k).and_then(|c| thread(view, c)), taken[k].thread) {
        (Some(t), _) => t,
        (None, 0) => 0,
        (None, t) if view.clash.is_some() => t,
        (None, t) => calling + t,
    };
    let renamed: Vec<Taken> = kept
        .iter()
        .map(|&old| Taken {
            thread: thread_of(old),
            from: taken[old].from.and_then(|f| place[f]),
            ..taken[old].clone()
        })
        .collect();
    let memory_order = memory_order(replayed, &place);
    let said = steps::steps(program, memory, replayed);
    let mut out = Trace { sequential, ..Trace::default() };
    let index = |k: Option<u32>| k.and_then(|k| place[k as usize]).map(|k| k as u32);
    for (new, &old) in kept.iter().enumerate() {
        let mut step = said[old].clone();
        step.thread = renamed[new].thread as u32;
        step.reads_from = index(step.reads_from);
        step.overwrites = index(step.overwrites);
        step.starts = index(step.starts);
        (step.missed, step.remark) = (None, String::new());
        step.guilty = clash.contains(&old);
        match roles[old] {
            Role::Begin(c) => (step.what, step.at) = (format!("call {}", (view.call)(c)), None),
            Role::End(c) => {
                let text = (view.answered)(c);
                step.what = match text.split_once(" → ") {
                    Some((_, answer)) => format!("return {answer}"),
                    None => "return".into(),
                };
                step.at = None;
                step.guilty |= view.guilty.contains(&c);
            }
            _ => {}
        }
        out.steps.push(step);
    }
    for new in 0..kept.len() {
        let Some((first, last)) = missed(&renamed, &memory_order, new) else { continue };
        let value =
            show::of(program, &replayed.execution, &renamed[last], renamed[last].wrote.unwrap_or_default());
        let why = stale::absent(memory, &renamed, last, new);
        out.steps[new].missed = Some(first as u32);
        out.steps[new].remark = format!("stale: step {} had written {value}; {why}", last + 1);
        if let (Some(loc), Some(at)) = (location(&renamed[new]), out.steps[new].at.clone()) {
            let old =
                show::of(program, &replayed.execution, &renamed[new], renamed[new].read.unwrap_or_default());
            let whose = |k: usize| call_of(kept[k]).map(view.call);
            out.stale.push(format!(
                "{} reads {old} from {} ({}), though {} had written {value} there before{}.",
                whose(new).unwrap_or("the object".into()),
                program.name(loc, &replayed.execution),
                short(&at),
                whose(last).unwrap_or("the object".into()),
                out.steps[last].at.as_ref().map_or(String::new(), |at| format!(" ({})", short(at))),
            ));
        }
    }
    for &(i, j) in view.missing {
        let at = |role: Role| kept.iter().position(|&k| roles[k] == role);
        if let (Some(begin), Some(end)) = (at(Role::Begin(i)), at(Role::End(j))) {
            out.steps[end].unseen = Some(begin as u32);
        }
    }
    let minor =
        minor(&renamed, &out.steps, |k| (view.own)(renamed[k].site), |k| roles[kept[k]] == Role::Step);
    out.steps.iter_mut().zip(minor).for_each(|(step, minor)| step.minor = minor);
    out
}

/// The thread that makes a call.
fn thread(view: &View<'_>, call: usize) -> Option<usize> {
    view.threads.iter().position(|t| t.contains(&call)).map(|t| t + 1)
}

/// `queue.c:57`.
pub fn short(at: &Place) -> String {
    format!("{}:{}", at.file.rsplit('/').next().unwrap_or(&at.file), at.line)
}

/// Which calls had returned, and what.
pub fn answers(replayed: &Replayed, marks: &[Marks]) -> Vec<Option<Outcome>> {
    let last = |loc: Loc| {
        let written = |t: &Taken| location(t) == Some(loc) && t.wrote.is_some();
        replayed.taken.iter().rfind(|t| written(t)).and_then(|t| t.wrote)
    };
    let answer = |m: &Marks| match (last(m.ended)?.lo, last(m.result)) {
        (2, _) => Some(Outcome::Empty),
        (_, Some(value)) => Some(Outcome::Value(value.signed(8))),
        (_, None) => Some(Outcome::Nothing),
    };
    marks.iter().map(answer).collect()
}

/// The call that each decision is part of.
pub fn calls(replayed: &Replayed, marks: &[Marks]) -> Vec<Option<usize>> {
    let roles: Vec<Role> = replayed.taken.iter().map(|t| role(t, marks)).collect();
    let call_of = calls_of_threads(&replayed.taken, &roles);
    (0..replayed.taken.len()).map(|k| call_of(k).filter(|_| replayed.taken[k].thread != 0)).collect()
}

fn location(t: &Taken) -> Option<Loc> {
    match t.op {
        Op::Read { loc, .. } | Op::Write { loc, .. } | Op::Rmw { loc, .. } => Some(loc),
        _ => None,
    }
}

/// The writes of each location, in their order, as new steps; those that are not shown are left
/// out.
fn memory_order(replayed: &Replayed, place: &[Option<usize>]) -> Vec<Vec<usize>> {
    let step_of = step_of_event(replayed);
    let row = |order: &Vec<usize>| order.iter().filter_map(|&e| place[step_of[e]]).collect();
    replayed.execution.mo.values().map(row).collect()
}

/// If step `read` takes an old value: the write that followed the one it takes, and the newest
/// one that had been made by then.
fn missed(taken: &[Taken], memory_order: &[Vec<usize>], read: usize) -> Option<(usize, usize)> {
    let t = &taken[read];
    t.read?;
    let order = memory_order.iter().find(|o| o.iter().any(|&w| location(&taken[w]) == location(t)))?;
    let from = t.from.and_then(|f| order.iter().position(|&w| w == f)).map_or(0, |p| p + 1);
    let mut newer = order[from..].iter().copied().filter(|&w| w < read);
    let last = newer.next_back()?;
    Some((order[from], last)).filter(|_| t.wrote.is_none())
}

fn role(t: &Taken, marks: &[Marks]) -> Role {
    let find = |of: &dyn Fn(&Marks) -> Loc| marks.iter().position(|m| Some(of(m)) == location(t));
    // The driver also looks at its marks: a release is not called if the lock was refused.
    let marks = [find(&|m| m.begun), find(&|m| m.ended), find(&|m| m.result)];
    if let (Some(c), true) = (marks[0], t.wrote.is_some()) {
        Role::Begin(c)
    } else if let (Some(c), true) = (marks[1], t.wrote.is_some()) {
        Role::End(c)
    } else if marks.iter().any(Option::is_some)
        || matches!(t.op, Op::Create { .. } | Op::Join { .. } | Op::Loop { .. })
    {
        Role::Hidden
    } else {
        Role::Step
    }
}

/// The call that a step belongs to: the one under way in its thread, or the next to begin.
fn calls_of_threads<'a>(taken: &'a [Taken], roles: &'a [Role]) -> impl Fn(usize) -> Option<usize> + 'a {
    move |k| {
        let thread = taken[k].thread;
        let own = |i: &usize| taken[*i].thread == thread;
        let begun = |i: usize| match roles[i] {
            Role::Begin(c) => Some(c),
            _ => None,
        };
        (0..=k).rev().filter(own).find_map(begun).or_else(|| (k..taken.len()).filter(own).find_map(begun))
    }
}

/// Steps that can be left out at first reading: they neither take a value from another thread
/// nor write one that another thread takes, overwrites or misses.
fn minor(
    taken: &[Taken],
    steps: &[Step],
    own: impl Fn(usize) -> bool,
    is_step: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut major: Vec<bool> = steps.iter().enumerate().map(|(k, s)| s.guilty || !is_step(k)).collect();
    let apart = |a: usize, b: usize| taken[a].thread != taken[b].thread && taken[a].thread != 0;
    for (k, step) in steps.iter().enumerate() {
        if !own(k) && matches!(taken[k].op, Op::Read { .. }) && !step.guilty {
            continue;
        }
        if let Some(from) = step.reads_from.map(|f| f as usize)
            && (apart(from, k) || step.missed.is_some() || step.guilty)
        {
            (major[from], major[k]) = (true, true);
        }
        if let Some(missed) = step.missed {
            (major[missed as usize], major[k]) = (true, true);
        }
        if let Some(before) = step.overwrites.map(|b| b as usize)
            && apart(before, k)
        {
            (major[before], major[k]) = (true, true);
        }
        major[k] |= matches!(taken[k].op, Op::Fence { .. } | Op::Free { .. } | Op::Choose { .. });
    }
    major.iter().map(|m| !m).collect()
}
