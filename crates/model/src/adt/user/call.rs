//! One call of a function whose arguments and answer go through the mailbox.

use super::Mailbox;
use super::alone::{Alone, End};
use super::memory::Memory;
use crate::program::Machine;
use crate::run::*;

pub struct Call<'a> {
    pub machine: &'a Machine,
    pub mailbox: &'a Mailbox,
    pub function: u32,
    /// Whether blocks may get other names afterwards.
    pub rename: bool,
}

/// What a call left in the mailbox.
pub struct Outcome {
    pub answer: i64,
    pub empty: bool,
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
    pub fn run(&self, before: &Memory, inputs: &[i64]) -> End<Outcome> {
        let mut memory = before.clone();
        for (i, &n) in inputs.iter().enumerate() {
            let loc = Loc(self.mailbox.inputs.0 + 8 * i as u64);
            memory.store.write(self.machine, loc, 8, Value::word(n as u64));
        }
        let Call { machine, function, rename, .. } = *self;
        let alone = Alone { machine, function, rename, partial: None, strict: false };
        alone.run(memory, &|memory, _| self.finish(memory))
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

    /// The answer; the mailbox is empty afterwards.
    fn finish(&self, memory: &mut Memory) -> Outcome {
        let word = |loc| memory.store.read(self.machine, loc, 8).lo as i64;
        let (answer, empty) = (word(self.mailbox.answer), word(self.mailbox.empty) != 0);
        memory.store.forget(self.mailbox.inputs, self.mailbox.count);
        memory.store.forget(self.mailbox.answer, 1);
        memory.store.forget(self.mailbox.empty, 1);
        Outcome { answer, empty }
    }
}
