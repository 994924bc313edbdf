//! A run as steps in words.

use super::{show, stale};
use crate::replay::Replayed;
use lineal_model::Memory;
use lineal_model::run::Runnable;
use lineal_model::verdict::Step;

/// The names of the threads of a run, by number.
pub fn names<R: Runnable>(program: &R, replayed: &Replayed) -> Vec<String> {
    let mut names = vec![String::new(); replayed.statuses.len()];
    for (&t, &entry) in &replayed.execution.threads {
        names[t] = program.entry_name(entry);
    }
    names
}

/// The thread, if none of the steps is its own.
pub fn without_step(steps: &[Step], thread: usize) -> Option<u32> {
    let thread = thread as u32;
    (!steps.iter().any(|s| s.thread == thread)).then_some(thread)
}

/// The steps of a run in words.
pub fn steps<R: Runnable>(program: &R, memory: Memory, replayed: &Replayed) -> Vec<Step> {
    let steps = replayed.taken.iter().map(|t| Step {
        thread: t.thread as u32,
        what: show::step(program, &replayed.execution, memory, t),
        at: program.place(t.site),
        reads_from: t.from.map(|f| f as u32),
        remark: match t.overwritten {
            Some(w) => {
                let value = replayed.taken[w].wrote.unwrap_or_default();
                format!(
                    "stale: step {} had written {}",
                    w + 1,
                    show::of(program, &replayed.execution, &replayed.taken[w], value)
                )
            }
            None => String::new(),
        },
        ..Step::default()
    });
    let mut steps: Vec<Step> = steps.collect();
    stale::explain(memory, replayed, &mut steps);
    steps
}
