//! One call of a function, alone, to all of its ends.

use super::Mailbox;
use super::memory::Memory;
use crate::program::Machine;
use crate::run::*;

/// Owner of the blocks that functions allocate: such an address is no number a log would have.
pub const CALLER: ThreadId = ThreadId(63);
/// Questions one call may ask, over all its choices; a loop asks at least one an iteration.
const MOST_QUESTIONS: u32 = 1_000_000;
const MOST_CHOICES: i128 = 10_000;

pub struct Call<'a> {
    pub machine: &'a Machine,
    pub mailbox: &'a Mailbox,
    pub function: u32,
    /// Whether blocks may get other names afterwards.
    pub rename: bool,
}

pub struct Outcome {
    pub memory: Memory,
    pub answer: i64,
    pub empty: bool,
}

pub enum End {
    Outcomes(Vec<Outcome>),
    Relayout(Relayout),
    Failed(Failure),
    /// Something that cannot be modelled, or does not end: `f` *did such a thing*.
    GaveUp(String),
}

/// Memory as `init` leaves it, or the division of memory that it needs.
pub fn initial(
    machine: &Machine,
    init: Option<u32>,
    mailbox: &Mailbox,
    rename: bool,
) -> Result<Result<Memory, Relayout>, Failure> {
    let Some(function) = init else { return Ok(Ok(Memory::default())) };
    let call = Call { machine, mailbox, function, rename };
    let fail = |message: String| {
        let site = Site(machine.program.functions[function as usize].entry);
        Err(Failure { kind: FailureKind::Unsupported, message, site })
    };
    match call.run(&Memory::default(), &vec![0; mailbox.count as usize]) {
        End::Relayout(change) => Ok(Err(change)),
        End::Failed(failure) => Err(failure),
        End::GaveUp(why) => fail(format!("the object cannot be set up: `init` {why}")),
        End::Outcomes(mut outcomes) => match (outcomes.len(), outcomes.pop()) {
            (1, Some(only)) => Ok(Ok(only.memory)),
            (0, _) => fail("the object cannot be set up: `init` does not return".into()),
            (n, _) => fail(format!("`init` has {n} outcomes; an object starts in one state")),
        },
    }
}

impl Call<'_> {
    pub fn run(&self, before: &Memory, inputs: &[i64]) -> End {
        let mut memory = before.clone();
        for (i, &n) in inputs.iter().enumerate() {
            let loc = Loc(self.mailbox.inputs.0 + 8 * i as u64);
            memory.write(self.machine, loc, 8, Value::word(n as u64));
        }
        let entry = Entry { function: self.function, argument: 0 };
        let thread = self.machine.start_after(CALLER, entry, memory.spent());
        let mut questions = 0;
        let mut outcomes = Vec::new();
        let mut todo = vec![(thread, memory, Answer::default())];
        while let Some((mut thread, mut memory, mut answer)) = todo.pop() {
            loop {
                questions += 1;
                if questions > MOST_QUESTIONS {
                    return End::GaveUp(format!("did not return within {MOST_QUESTIONS} steps"));
                }
                let (op, site) = match self.machine.resume(&mut thread, answer, &memory) {
                    Step::Ask(op, site) => (op, site),
                    Step::Finished(_) => {
                        memory.spend(thread.spent());
                        match self.finish(memory) {
                            Ok(outcome) => outcomes.push(outcome),
                            Err(failure) => return End::Failed(failure),
                        }
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
                        todo.push((thread.clone(), memory.clone(), next));
                    }
                    break;
                }
                match self.answer(&mut memory, op) {
                    Ok(Some(said)) => answer = said,
                    // It waits, and nobody will come.
                    Ok(None) => break,
                    Err((kind, message)) => return End::Failed(Failure { kind, message, site }),
                }
            }
        }
        End::Outcomes(outcomes)
    }

    /// A failure to report when a function that was said to read has written.
    pub fn wrote(&self, function: u32) -> Failure {
        let site = Site(self.machine.program.functions[function as usize].entry);
        Failure {
            kind: FailureKind::Assertion,
            message: "is declared read_only, and changes memory".into(),
            site,
        }
    }

    fn finish(&self, mut memory: Memory) -> Result<Outcome, Failure> {
        let word = |memory: &Memory, loc| memory.read(self.machine, loc, 8).lo as i64;
        let (answer, empty) = (word(&memory, self.mailbox.answer), word(&memory, self.mailbox.empty) != 0);
        memory.forget(self.mailbox.inputs, self.mailbox.count);
        memory.forget(self.mailbox.answer, 1);
        memory.forget(self.mailbox.empty, 1);
        if let Some(loc) = memory.keeps_local() {
            let site = Site(self.machine.program.functions[self.function as usize].entry);
            let message =
                format!("leaves the address of a local variable in `{}`", self.machine.name(loc, &memory));
            return Err(Failure { kind: FailureKind::UseAfterFree, message, site });
        }
        if self.rename {
            memory.settle(&self.machine.program);
        }
        Ok(Outcome { memory, answer, empty })
    }

    /// `None`: the thread has to wait for another one, and there is none.
    fn answer(&self, memory: &mut Memory, op: Op) -> Result<Option<Answer>, (FailureKind, String)> {
        let value = match op {
            Op::Read { loc, size, copy, wait, .. } => {
                self.usable(memory, loc)?;
                let value = memory.read(self.machine, loc, size);
                if value.undefined && !copy {
                    return Err(self.uninitialised(memory, loc));
                }
                if !wait.is_none_or(|w| w.until.holds(value, size)) {
                    return Ok(None);
                }
                value
            }
            Op::Write { loc, size, value, .. } => {
                self.usable(memory, loc)?;
                memory.write(self.machine, loc, size, value.truncate(size));
                Value::ZERO
            }
            Op::Rmw { loc, size, rmw, wait, .. } => {
                self.usable(memory, loc)?;
                let value = memory.read(self.machine, loc, size);
                if value.undefined {
                    return Err(self.uninitialised(memory, loc));
                }
                if !wait.is_none_or(|w| w.until.holds(value, size)) {
                    return Ok(None);
                }
                if let Some(new) = rmw.apply(value, size) {
                    memory.write(self.machine, loc, size, new);
                }
                value
            }
            Op::Alloc { block, size, zeroed, kind, layout } => {
                memory.allocate(block, size, zeroed, kind, layout);
                Value::ZERO
            }
            Op::Free { loc, kind } => {
                let name = self.machine.block_name(loc.block(), memory);
                memory.free(loc, kind).map_err(|kind| {
                    let what = match kind {
                        FailureKind::DoubleFree => "twice",
                        _ => "which `malloc` did not return",
                    };
                    (kind, format!("frees `{name}`, {what}"))
                })?;
                Value::ZERO
            }
            Op::Create { .. } | Op::Join { .. } => {
                return Err((FailureKind::Abort, "starts threads: an operation runs alone".into()));
            }
            Op::Fence { .. } | Op::Choose { .. } | Op::Loop { .. } => Value::ZERO,
        };
        Ok(Some(value.into()))
    }

    fn usable(&self, memory: &Memory, loc: Loc) -> Result<(), (FailureKind, String)> {
        match memory.is_freed(loc.block()) {
            true => {
                let name = self.machine.block_name(loc.block(), memory);
                Err((FailureKind::UseAfterFree, format!("uses `{name}`, which was freed")))
            }
            false => Ok(()),
        }
    }

    fn uninitialised(&self, memory: &Memory, loc: Loc) -> (FailureKind, String) {
        let name = self.machine.name(loc, memory);
        (FailureKind::Uninitialised, format!("reads `{name}`, which was never written"))
    }
}
