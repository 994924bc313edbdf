//! Why no order of the steps explains an execution: a shortest circle of steps each of which has to
//! come before the next.

use crate::explain::step_of_event;
use crate::replay::{Event, Execution, Kind, Replayed, axioms};
use lineal_model::run::Runnable;
use std::collections::VecDeque;

/// Events that go round in a circle, each before the next, the last before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(Vec<usize>);

/// Why one step comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// Of one thread, or by creating or joining one.
    Thread,
    ReadsFrom,
    Overwrites,
    /// The second overwrites what the first reads.
    ReadsBefore,
}

impl Cycle {
    /// A shortest one, if there is any.
    pub fn of(x: &Execution) -> Option<Cycle> {
        let before = axioms::sequential_order(x);
        let n = x.events.len();
        let mut best: Option<Vec<usize>> = None;
        for start in 0..n {
            let mut from = vec![usize::MAX; n];
            let mut open = VecDeque::from([start]);
            'search: while let Some(a) = open.pop_front() {
                for b in (0..n).filter(|&b| before.has(a, b)) {
                    if b == start {
                        let mut path = vec![a];
                        while path[path.len() - 1] != start {
                            path.push(from[path[path.len() - 1]]);
                        }
                        path.reverse();
                        if best.as_ref().is_none_or(|best| path.len() < best.len()) {
                            best = Some(path);
                        }
                        break 'search;
                    }
                    if from[b] == usize::MAX {
                        from[b] = a;
                        open.push_back(b);
                    }
                }
            }
        }
        best.map(Cycle)
    }

    /// The decisions that these events belong to, in the order of the run.
    pub fn decisions(&self, replayed: &Replayed) -> Vec<usize> {
        let steps = step_of_event(replayed);
        let mut all: Vec<usize> = self.0.iter().map(|&e| steps[e]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// A line for each reason. `number` is what a decision is called: one of the steps shown.
    pub fn words<R: Runnable>(
        &self,
        program: &R,
        replayed: &Replayed,
        number: &dyn Fn(usize) -> Option<usize>,
    ) -> Vec<String> {
        let (x, steps) = (&replayed.execution, step_of_event(replayed));
        let step = |e: usize| number(steps[e]).map_or("a step".to_string(), |n| format!("step {n}"));
        let edges = self.0.iter().zip(self.0.iter().cycle().skip(1));
        let line = |(&a, &b): (&usize, &usize)| {
            // A read-modify-write is one step.
            if steps[a] == steps[b] {
                return None;
            }
            let name = x.events[a].loc.map(|loc| program.name(loc, x)).unwrap_or_default();
            let (a, b, edge) = (step(a), step(b), edge(x, a, b));
            Some(match edge {
                Edge::Thread => format!("{a} comes before {b} in the program"),
                Edge::ReadsFrom => format!("{a} comes before {b}, which reads what it writes to {name}"),
                Edge::Overwrites => {
                    format!("{a} comes before {b}, which overwrites what it writes to {name}")
                }
                Edge::ReadsBefore => {
                    format!("{a} comes before {b}, which overwrites what it reads from {name}")
                }
            })
        };
        let mut lines: Vec<String> = edges.filter_map(line).collect();
        if let Some(last) = lines.last_mut() {
            last.push_str(": a circle");
        }
        lines
    }
}

fn edge(x: &Execution, a: usize, b: usize) -> Edge {
    let (p, q): (&Event, &Event) = (&x.events[a], &x.events[b]);
    if p.loc.is_none() || p.loc != q.loc || p.thread == q.thread {
        return Edge::Thread;
    }
    match (p.kind, q.kind) {
        (Kind::Write, Kind::Read) if q.rf == Some(a) => Edge::ReadsFrom,
        (Kind::Write, Kind::Write) => Edge::Overwrites,
        (Kind::Read, Kind::Write) => Edge::ReadsBefore,
        _ => Edge::Thread,
    }
}
