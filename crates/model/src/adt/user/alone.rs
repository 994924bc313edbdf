//! One call of a function, alone, to all of its ends.

use super::memory::Memory;
use super::partial::{Partial, Section};
use crate::program::Machine;
use crate::program::store::{HEAP, Wrong};
use crate::run::*;

/// Questions one call may ask, over all its choices; a loop asks at least one an iteration.
const MOST_QUESTIONS: u32 = 1_000_000;
const MOST_CHOICES: i128 = 10_000;

/// A function to be run while nobody else runs.
pub struct Alone<'a> {
    pub machine: &'a Machine,
    pub function: u32,
    /// Whether blocks may get other names afterwards.
    pub rename: bool,
    /// Where calls synchronise by accesses of their own, under a partial lock.
    pub partial: Option<Partial<'a>>,
    /// Whether synchronisation of its own is refused rather than without effect: someone who
    /// writes a lock there means that calls synchronise.
    pub strict: bool,
}

pub enum End<T> {
    Outcomes(Vec<Ended<T>>),
    Relayout(Relayout),
    Failed(Failure),
    /// Something that cannot be modelled, or does not end: `f` *did such a thing*.
    GaveUp(String),
}

/// One way in which a call ends.
pub struct Ended<T> {
    pub memory: Memory,
    /// What was found in memory at the end.
    pub taken: T,
    /// Under a partial lock: the calls whose beginnings happen before this end, lock aside.
    pub sees: u32,
    /// The partial lock that was taken.
    pub lock: Option<Loc>,
}

const IN_VAIN: &str = "synchronises by a mutex, an atomic access or a fence outside a partial lock: the calls \
of a specification run one at a time, so nothing would be checked of it. Use plain variables and say which \
calls synchronise with `level=(write->read)`, or with nothing `level=none`; or put the body between \
`lineal_plock(&lock)` and `lineal_punlock(&lock)`, and the memory orders inside count";

fn synchronises(op: Op) -> bool {
    match op {
        Op::Read { mode, wait, .. } => mode.is_atomic() || wait.is_some(),
        Op::Write { mode, .. } => mode.is_atomic(),
        Op::Rmw { .. } | Op::Fence { .. } => true,
        _ => false,
    }
}

impl Alone<'_> {
    /// Runs the function from `memory`; `take` looks at memory when it has returned, and may
    /// empty what is no part of the state.
    pub fn run<T>(&self, memory: Memory, take: &dyn Fn(&mut Memory, &Machine) -> T) -> End<T> {
        let entry = Entry { function: self.function, argument: 0 };
        let thread = self.machine.start_after(HEAP, entry, memory.store.spent());
        let mut questions = 0;
        let mut outcomes = Vec::new();
        let mut todo = vec![(thread, memory, Section::default(), Answer::default())];
        while let Some((mut thread, mut memory, mut section, mut answer)) = todo.pop() {
            loop {
                questions += 1;
                if questions > MOST_QUESTIONS {
                    return End::GaveUp(format!("did not return within {MOST_QUESTIONS} steps"));
                }
                let (op, site) = match self.machine.resume(&mut thread, answer, &memory) {
                    Step::Ask(op, site) => (op, site),
                    Step::Finished(_) => {
                        memory.store.spend(thread.spent());
                        let taken = take(&mut memory, self.machine);
                        if let Err((kind, message)) = section.end().and_then(|()| self.leave(&mut memory)) {
                            return End::Failed(Failure { kind, message, site: self.entry() });
                        }
                        outcomes.push(Ended { memory, taken, sees: section.sees(), lock: section.lock });
                        break;
                    }
                    Step::Stopped(Cause::Exit, site) => {
                        let message = "ends the process: an operation has to return".into();
                        return End::Failed(Failure { kind: FailureKind::Abort, message, site });
                    }
                    Step::Stopped(..) => break,
                    Step::Failed(f) if f.kind == FailureKind::Unsupported => {
                        return End::GaveUp(match self.machine.place(f.site) {
                            Some(place) => format!("({place}) {}", f.message),
                            None => f.message,
                        });
                    }
                    Step::Failed(failure) => return End::Failed(failure),
                    Step::Relayout(change) => return End::Relayout(change),
                };
                if let Op::Choose { low, high } = op {
                    if i128::from(high) - i128::from(low) >= MOST_CHOICES {
                        return End::GaveUp(format!("chooses among more than {MOST_CHOICES} values"));
                    }
                    // The first alternative is followed first.
                    for n in (low..=high).rev() {
                        let next = Value::word(n as u64).into();
                        todo.push((thread.clone(), memory.clone(), section.clone(), next));
                    }
                    break;
                }
                match self.answer(&mut memory, &mut section, op) {
                    Ok(Some(said)) => answer = said,
                    // It waits, and nobody will come.
                    Ok(None) => break,
                    Err((kind, message)) => return End::Failed(Failure { kind, message, site }),
                }
            }
        }
        End::Outcomes(outcomes)
    }

    /// Where the function begins, for failures that no line of it is to blame for.
    fn entry(&self) -> Site {
        Site(self.machine.program.functions[self.function as usize].entry)
    }

    fn leave(&self, memory: &mut Memory) -> Result<(), Wrong> {
        if let Some(loc) = memory.store.keeps_local() {
            let name = self.machine.name(loc, memory);
            let message = format!("leaves the address of a local variable in `{name}`");
            return Err((FailureKind::UseAfterFree, message));
        }
        if self.rename {
            memory.settle(&self.machine.program);
        }
        Ok(())
    }

    /// `None`: the thread has to wait for another one, and there is none.
    fn answer(&self, memory: &mut Memory, section: &mut Section, op: Op) -> Result<Option<Answer>, Wrong> {
        if let Op::Rmw { loc, rmw: Rmw::Cas { desired, .. }, wait: Some(wait), size, .. } = op
            && wait.cause == Cause::PartialLock
        {
            memory.store.usable(self.machine, loc)?;
            let held = memory.store.read(self.machine, loc, size);
            section.turn(loc, held.lo != 0, desired.lo != 0)?;
            memory.store.write(self.machine, loc, size, desired);
            return Ok(Some(held.into()));
        }
        if self.strict && self.partial.is_none() && synchronises(op) {
            return Err((FailureKind::Unsupported, IN_VAIN.into()));
        }
        if matches!(op, Op::Create { .. } | Op::Join { .. }) {
            return Err((FailureKind::Abort, "starts threads: an operation runs alone".into()));
        }
        let Some(value) = memory.perform(self.machine, op)? else { return Ok(None) };
        if let Some(partial) = &self.partial {
            partial.access(self.machine, memory, section, op, value)?;
        }
        Ok(Some(value.into()))
    }
}
