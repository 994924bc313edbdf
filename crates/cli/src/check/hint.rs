//! Would a stronger memory order at one place help? Each is tried on the client that fails.

use super::drive::Drive;
use crate::limits::Watch;
use lineal_check::conform::Answer;
use lineal_model::object::Client;
use lineal_model::program::{Instr, Machine};
use lineal_model::run::{Mode, Runnable, Site};
use lineal_model::{Counts, Effort, Limit, LimitKind, Observer};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long all attempts may take together.
const PATIENCE: Duration = Duration::from_secs(2);

/// Says stop when the attempts have taken long enough.
struct Patience<'a> {
    watch: &'a Watch,
    started: Instant,
}

impl Observer for Patience<'_> {
    fn progress(&self, _: Counts) -> ControlFlow<Limit> {
        if self.started.elapsed() > PATIENCE {
            return ControlFlow::Break(Limit::new(LimitKind::Time, "no hint was found in time"));
        }
        self.watch.progress(self.watch.counts())
    }
}

/// A sentence for the weakest single change that makes this client right, if there is one; with
/// `extend`, also those that order its calls.
pub fn strengthen(drive: &Drive<'_>, client: &Client, extend: bool) -> Option<String> {
    if drive.memory == lineal_model::Memory::Sc {
        return None;
    }
    let started = Instant::now();
    let (original, marks) = drive.program(client);
    let patience = Patience { watch: &drive.desk.watch, started };
    for stronger in [synchronising as fn(Instr) -> Option<Instr>, sequential] {
        for pc in 0..original.program.code.len() {
            let Some(instr) = stronger(original.program.code[pc]).filter(|_| is_own(&original, pc)) else {
                continue;
            };
            if started.elapsed() > PATIENCE {
                return None;
            }
            let mut machine = original.clone();
            machine.program.code[pc] = instr;
            let checked = drive.ask(&mut machine, &marks, client, extend, &Effort::default(), &patience);
            if matches!(&checked.answer, Answer::Holds(scope) if scope.vacuous.is_empty()) {
                let place = original.place(Site(pc as u32))?;
                return Some(format!(
                    "try {} at {place}: with that, this client is right (others were not tried)",
                    words(original.program.code[pc], instr)
                ));
            }
        }
    }
    None
}

/// Whether the instruction is the author's.
fn is_own(machine: &Machine, pc: usize) -> bool {
    let own = |f: &&lineal_model::program::Function| (f.entry as usize..f.end as usize).contains(&pc);
    machine.program.functions.iter().find(own).is_some_and(|f| !f.runtime)
        && machine.place(Site(pc as u32)).is_some()
}

/// The access with release and acquire where it can have them; `None` if it has them already.
fn synchronising(instr: Instr) -> Option<Instr> {
    let mut next = instr;
    match &mut next {
        Instr::Load { mode: mode @ Mode::Relaxed, .. } => *mode = Mode::Acquire,
        Instr::Store { mode: mode @ Mode::Relaxed, .. } => *mode = Mode::Release,
        Instr::Fetch { mode: mode @ (Mode::Relaxed | Mode::Acquire | Mode::Release), .. } => {
            *mode = Mode::AcqRel
        }
        Instr::Cas { mode, fail, .. } if mode.is_atomic() => {
            if !mode.is_sc() {
                *mode = Mode::AcqRel;
            }
            if *fail == Mode::Relaxed {
                *fail = Mode::Acquire;
            }
        }
        _ => return None,
    }
    (next != instr).then_some(next)
}

fn sequential(instr: Instr) -> Option<Instr> {
    let mut next = instr;
    match &mut next {
        Instr::Load { mode, .. }
        | Instr::Store { mode, .. }
        | Instr::Fetch { mode, .. }
        | Instr::Fence { mode }
            if mode.is_atomic() =>
        {
            *mode = Mode::SeqCst;
        }
        Instr::Cas { mode, fail, .. } if mode.is_atomic() => (*mode, *fail) = (Mode::SeqCst, Mode::SeqCst),
        _ => return None,
    }
    (next != instr).then_some(next)
}

/// `acq_rel instead of release for the compare-and-swap`.
fn words(old: Instr, new: Instr) -> String {
    let (a, b, what) = match (old, new) {
        (Instr::Load { mode: a, .. }, Instr::Load { mode: b, .. }) => (a, b, "load"),
        (Instr::Store { mode: a, .. }, Instr::Store { mode: b, .. }) => (a, b, "store"),
        (Instr::Fence { mode: a }, Instr::Fence { mode: b }) => (a, b, "fence"),
        (Instr::Fetch { mode: a, .. }, Instr::Fetch { mode: b, .. }) => (a, b, "read-modify-write"),
        (Instr::Cas { mode: a, fail: c, .. }, Instr::Cas { mode: b, fail: d, .. }) if a == b => {
            return format!("{} instead of {} for when the compare-and-swap fails", d.word(), c.word());
        }
        (Instr::Cas { mode: a, fail: c, .. }, Instr::Cas { mode: b, fail: d, .. }) if c != d => {
            return format!(
                "{} ({} when it fails) instead of {} ({}) for the compare-and-swap",
                b.word(),
                d.word(),
                a.word(),
                c.word()
            );
        }
        (Instr::Cas { mode: a, .. }, Instr::Cas { mode: b, .. }) => (a, b, "compare-and-swap"),
        _ => return "a stronger access".into(),
    };
    format!("{} instead of {} for the {what}", b.word(), a.word())
}
