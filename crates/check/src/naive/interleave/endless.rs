//! Loops that no fair scheduler ends, read off all states: a trap is a state from which memory
//! never changes again, no thread ends, and some thread can still move.
//!
//! There is no rule about loops here and nothing about who reads what. What is told apart from
//! the engine's own notion is only this: a thread that *may* choose to go on for ever is no trap.

use super::{Asks, Sc, State};
use indexmap::IndexSet;
use lineal_model::run::{Cause, Loc, Runnable, Value};

/// Whether some trap can be reached, by a program whose cells all have `size` bytes; `None`: there
/// are more than `cap` states.
pub fn traps<R: Runnable>(program: &R, size: u8, cap: usize) -> Option<bool> {
    let sc = Sc::new(program);
    let mut states: IndexSet<State<R::Thread>> = [sc.initial()].into_iter().collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    // Whether something may still happen.
    let mut alive: Vec<bool> = Vec::new();
    let mut i = 0;
    while i < states.len() {
        let state = states[i].clone();
        if state.crowded || states.len() > cap {
            return None;
        }
        let next = if sc.failure(&state).is_none() { sc.successors(&state) } else { Vec::new() };
        let over =
            state.threads.values().any(|t| matches!(t.asks, Asks::Stopped(Cause::Exit | Cause::Assume)));
        let mut happens = next.is_empty() || over || !is_awaited(&state);
        for s in next {
            happens |= differ(program, size, &state, &s);
            let (number, is_new) = states.insert_full(s);
            if is_new {
                before.push(Vec::new());
            }
            before[number].push(i);
        }
        alive.push(happens);
        i += 1;
    }
    let mut todo: Vec<usize> = (0..alive.len()).filter(|&i| alive[i]).collect();
    while let Some(i) = todo.pop() {
        for &p in &before[i] {
            if !std::mem::replace(&mut alive[p], true) {
                todo.push(p);
            }
        }
    }
    Some(alive.contains(&false))
}

/// Whether the end of the process is still to come.
fn is_awaited<T>(state: &State<T>) -> bool {
    !matches!(state.threads[&0].asks, Asks::Finished(value) if !value.undefined)
}

/// Whether a step changed memory or ended a thread.
fn differ<R: Runnable>(program: &R, size: u8, a: &State<R::Thread>, b: &State<R::Thread>) -> bool {
    let finished = |s: &State<R::Thread>| {
        s.threads.values().filter(|t| matches!(t.asks, Asks::Finished(_) | Asks::Stopped(_))).count()
    };
    let same = |(loc, value): (&Loc, &Value)| a.read(program, *loc, size) == *value;
    a.threads.len() != b.threads.len()
        || finished(a) != finished(b)
        || a.joined != b.joined
        || a.blocks.len() != b.blocks.len()
        || a.blocks.iter().zip(&b.blocks).any(|(x, y)| x.1.freed != y.1.freed)
        || b.failed.is_some()
        || !b.store.iter().all(same)
}
