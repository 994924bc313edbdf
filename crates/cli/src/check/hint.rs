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

/// A sentence for the weakest single change that makes this client right, if there is one.
pub fn strengthen(drive: &Drive<'_>, client: &Client, kind: &str) -> Option<String> {
    if drive.memory == lineal_model::Memory::Sc || kind == "unsafe" {
        return None;
    }
    let started = Instant::now();
    let (original, marks) = drive.program(client).ok()?;
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
            let checked = drive.ask(&mut machine, &marks, client, true, &Effort::default(), &patience);
            if matches!(checked.answer, Answer::Holds(_)) {
                let place = original.place(Site(pc as u32))?;
                return Some(format!(
                    "with {} in place of {} at {place}, this client is as it should be",
                    words(instr),
                    words(original.program.code[pc])
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

fn words(instr: Instr) -> String {
    match instr {
        Instr::Load { mode, .. } => format!("a load ({})", mode.word()),
        Instr::Store { mode, .. } => format!("a store ({})", mode.word()),
        Instr::Cas { mode, fail, .. } => {
            format!("a compare-and-swap ({}, {} when it fails)", mode.word(), fail.word())
        }
        Instr::Fence { mode } => format!("a fence ({})", mode.word()),
        Instr::Fetch { mode, .. } => format!("a read-modify-write ({})", mode.word()),
        _ => "an access".into(),
    }
}
