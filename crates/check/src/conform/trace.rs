//! The steps of a violating execution in an order that its client could make them in: the calls
//! of one thread one after another, values read after they were written.

use super::explain::Explained;
use crate::graph;
use crate::naive::executions::{Kind, Replayed, Taken};
use lineal_model::Memory;
use lineal_model::object::Marks;
use lineal_model::run::{Loc, Op, Runnable};
use lineal_model::verdict::Step;

/// What a step is to the client.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Begin(usize),
    End(usize),
    /// Bookkeeping of the client itself.
    Hidden,
    Step,
}

/// The steps, with the threads of `explained` (from 1; 0 is the main one) in place of the
/// program's own.
pub fn steps<R: Runnable>(
    program: &R,
    memory: Memory,
    replayed: &Replayed,
    marks: &[Marks],
    explained: &Explained,
    shown: &dyn Fn(usize) -> String,
) -> Vec<Step> {
    let taken = &replayed.taken;
    let mut roles: Vec<Role> = taken.iter().map(|t| role(t, marks)).collect();
    // Of what came before the calls, only what they read is of interest.
    for k in (0..taken.len()).rev() {
        let shown = |u: usize| roles[u] != Role::Hidden && taken[u].from == Some(k);
        if taken[k].thread == 0 && !(0..taken.len()).any(shown) {
            roles[k] = Role::Hidden;
        }
    }
    let order = order(replayed, &roles, explained);
    // Renumbered, without what is hidden.
    let mut place = vec![None; taken.len()];
    let kept: Vec<usize> = order.into_iter().filter(|&k| roles[k] != Role::Hidden).collect();
    kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
    let thread_of = |c: usize| explained.threads.iter().position(|t| t.contains(&c)).map_or(0, |t| t + 1);
    let call_of = calls_of_threads(taken, &roles);
    let mut new_taken: Vec<Taken> = Vec::new();
    for (new, &old) in kept.iter().enumerate() {
        let mut t = taken[old].clone();
        t.from = t.from.and_then(|f| place[f]);
        let written = |u: &Taken| u.wrote.is_some() && location(u) == location(&t) && location(&t).is_some();
        let last = new_taken.iter().rposition(written);
        t.overwritten = match t.read {
            Some(_) => last.filter(|&w| w < new && t.from.is_none_or(|f| w > f)),
            None => None,
        };
        new_taken.push(t);
    }
    let quiet = Replayed {
        execution: replayed.execution.clone(),
        taken: new_taken,
        statuses: replayed.statuses.clone(),
        consistent: replayed.consistent,
        faults: replayed.faults.clone(),
        spins: replayed.spins.clone(),
    };
    let mut steps = graph::steps(program, memory, &quiet);
    for (step, &old) in steps.iter_mut().zip(&kept) {
        match roles[old] {
            Role::Begin(c) => {
                let text = shown(c);
                step.what = format!("call {}", text.split(" → ").next().unwrap_or(&text));
                step.at = None;
            }
            Role::End(c) => {
                let text = shown(c);
                step.what = match text.split_once(" → ") {
                    Some((_, answer)) => format!("return {answer}"),
                    None => "return".into(),
                };
                step.guilty = explained.guilty.contains(&c);
                step.at = None;
            }
            _ => {}
        }
        step.thread = call_of(old).map_or(0, thread_of) as u32;
    }
    steps
}

/// Where call `j` takes a value from call `i` without synchronising with it, in words.
pub fn unsynchronised<R: Runnable>(
    program: &R,
    replayed: &Replayed,
    marks: &[Marks],
    (i, j): (usize, usize),
) -> Option<String> {
    let x = &replayed.execution;
    let at = |loc: Loc| x.events.iter().rposition(|e| e.kind == Kind::Write && e.loc == Some(loc));
    let within = |c: usize| Some((at(marks[c].begun)?, at(marks[c].ended)?));
    let ((from, to), (begin, end)) = (within(i)?, within(j)?);
    let (writer, reader) = (x.events[from].thread, x.events[begin].thread);
    let direct = |r: &&crate::naive::executions::Event| {
        let inside = |w: usize| (from..to).contains(&w) && x.events[w].thread == writer;
        r.kind == Kind::Read && r.mode.is_atomic() && r.rf.is_some_and(inside)
    };
    let r = x.events[begin..end].iter().filter(|e| e.thread == reader).find(direct)?;
    let w = &x.events[r.rf?];
    if w.mode.releases() && r.mode.acquires() {
        return None;
    }
    Some(format!(
        "It takes the value of {} ({}, {}) from a write of {} order ({}): only an acquire that reads from a release synchronises.",
        program.name(r.loc?, x),
        program.place(r.site)?,
        r.mode.word(),
        w.mode.word(),
        program.place(w.site)?,
    ))
}

fn location(t: &Taken) -> Option<Loc> {
    match t.op {
        Op::Read { loc, .. } | Op::Write { loc, .. } | Op::Rmw { loc, .. } => Some(loc),
        _ => None,
    }
}

fn role(t: &Taken, marks: &[Marks]) -> Role {
    let find = |of: &dyn Fn(&Marks) -> Loc| marks.iter().position(|m| Some(of(m)) == location(t));
    if let Some(c) = find(&|m| m.begun) {
        Role::Begin(c)
    } else if let Some(c) = find(&|m| m.ended) {
        Role::End(c)
    } else if find(&|m| m.result).is_some()
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

/// An order of the steps that keeps threads, reads-from and the order of the client, and `mo` and
/// `fr` as far as that is possible, with few changes of thread.
fn order(replayed: &Replayed, roles: &[Role], explained: &Explained) -> Vec<usize> {
    let taken = &replayed.taken;
    let n = taken.len();
    // The step that an event belongs to: a read-modify-write has two events.
    let mut step_of = Vec::new();
    let mut k = 0;
    for e in &replayed.execution.events {
        step_of.push(k.min(n.saturating_sub(1)));
        if !(e.kind == Kind::Read && e.updates) {
            k += 1;
        }
    }
    let mut firm: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut soft: Vec<Vec<usize>> = vec![Vec::new(); n];
    for k in 0..n {
        firm[k].extend((0..k).rev().find(|&i| taken[i].thread == taken[k].thread));
        firm[k].extend(taken[k].from);
        match taken[k].op {
            Op::Join { thread } => {
                firm[k].extend((0..k).rev().find(|&i| taken[i].thread == thread.index()));
            }
            Op::Create { .. } => {
                let child = taken[k].child;
                if let Some(first) = (0..n).find(|&i| taken[i].thread == child) {
                    firm[first].push(k);
                }
            }
            _ => {}
        }
    }
    let mut edges: Vec<(usize, usize)> = explained.waits.clone();
    edges.extend(explained.threads.iter().flat_map(|t| t.windows(2).map(|w| (w[0], w[1]))));
    for (i, j) in edges {
        let end = roles.iter().position(|r| *r == Role::End(i));
        let begin = roles.iter().position(|r| *r == Role::Begin(j));
        if let (Some(end), Some(begin)) = (end, begin) {
            firm[begin].push(end);
        }
    }
    for order in replayed.execution.mo.values() {
        for pair in order.windows(2) {
            soft[step_of[pair[1]]].push(step_of[pair[0]]);
        }
        for (r, e) in replayed.execution.events.iter().enumerate() {
            if e.kind != Kind::Read
                || order.first().is_none_or(|&w| replayed.execution.events[w].loc != e.loc)
            {
                continue;
            }
            let after = e.rf.map_or(0, |w| order.iter().position(|&v| v == w).map_or(0, |p| p + 1));
            if let Some(&w) = order.get(after)
                && step_of[w] != step_of[r]
            {
                soft[step_of[w]].push(step_of[r]);
            }
        }
    }
    let mut done = vec![false; n];
    let mut out: Vec<usize> = Vec::new();
    while out.len() < n {
        let ready = |k: usize, strict: bool| {
            !done[k] && firm[k].iter().all(|&p| done[p]) && (!strict || soft[k].iter().all(|&p| done[p]))
        };
        let here = out.last().map(|&k| taken[k].thread);
        let stay = |k: &usize| Some(taken[*k].thread) == here;
        let pick = |strict: bool| {
            let mut all = (0..n).filter(|&k| ready(k, strict));
            (0..n).filter(|&k| ready(k, strict)).find(stay).or_else(|| all.next())
        };
        // The client's order and reads-from never form a circle; if they did, take what is left.
        let Some(next) = pick(true).or_else(|| pick(false)).or_else(|| (0..n).find(|&k| !done[k])) else {
            break;
        };
        done[next] = true;
        out.push(next);
    }
    out
}
