//! A recorded history: which process called what, when, and what came back.
//!
//! Time is the position of an event in the log: event `i` lies before event `j` iff `i < j`.
//! Operations are numbered by their calls. An operation whose end is unknown is *pending*: it
//! takes effect at one point after its call, or never, and its result is not known. Operations
//! that are known not to have happened are not in the history at all.
//!
//! Stored by columns, about 25 bytes an operation: logs have tens of millions of them.

mod builder;
mod events;
mod order;
mod value;

pub use builder::{Builder, Call};
pub use events::Events;
pub use order::{Stamp, TimedBuilder};
pub use value::{Value, ValueId, Values};

use std::sync::Arc;

/// What was called. Containers share `Insert` and `Remove`: the abstract type gives them words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    Read,
    Write,
    /// `arg` is what is expected, `extra` what replaces it.
    Cas,
    /// For priority queues `extra` is the priority.
    Insert,
    /// The result is the value removed, or [`ValueId::EMPTY`]; of a priority queue, `extra` is the
    /// priority that came back with it, if one did.
    Remove,
    PushFront,
    PushBack,
    PopFront,
    PopBack,
    Contains,
    Put,
    Append,
    Delete,
    /// Adds `arg` to a counter.
    Add,
    /// Takes `arg` away from a counter.
    Subtract,
    FetchIncrement,
    Acquire,
    Release,
    /// Of a reader–writer lock: one of several holders.
    AcquireShared,
    ReleaseShared,
    /// Waits until all who are to meet have come.
    Meet,
    /// An operation of a user's own type, named by `extra`.
    Custom,
}

/// One operation. `result` is [`ValueId::NONE`] where the method has none or the log omits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub method: Method,
    pub process: ValueId,
    pub key: ValueId,
    pub arg: ValueId,
    pub extra: ValueId,
    pub result: ValueId,
    /// Position of the call event.
    pub call: u32,
    /// Position of the return event, or [`Op::PENDING`].
    pub ret: u32,
    /// Line of the call in the log, from 1; 0 where there is none.
    pub line: u32,
}

impl Op {
    pub const PENDING: u32 = u32::MAX;

    pub fn is_pending(&self) -> bool {
        self.ret == Op::PENDING
    }
}

#[derive(Clone, Debug, Default)]
pub struct History {
    pub values: Arc<Values>,
    method: Vec<Method>,
    process: Vec<ValueId>,
    arg: Vec<ValueId>,
    result: Vec<ValueId>,
    /// Empty when no operation has one.
    extra: Vec<ValueId>,
    /// Empty when no operation has one.
    key: Vec<ValueId>,
    call: Vec<u32>,
    ret: Vec<u32>,
    line: Vec<u32>,
    events: u32,
}

impl History {
    pub fn len(&self) -> usize {
        self.method.len()
    }

    pub fn is_empty(&self) -> bool {
        self.method.is_empty()
    }

    /// Events are numbered below this.
    pub fn events(&self) -> u32 {
        self.events
    }

    pub fn op(&self, i: usize) -> Op {
        Op {
            method: self.method[i],
            process: self.process[i],
            key: self.key(i),
            arg: self.arg[i],
            extra: self.extra(i),
            result: self.result[i],
            call: self.call[i],
            ret: self.ret[i],
            line: self.line[i],
        }
    }

    pub fn ops(&self) -> impl ExactSizeIterator<Item = Op> + '_ {
        (0..self.len()).map(|i| self.op(i))
    }

    pub fn methods(&self) -> &[Method] {
        &self.method
    }
    pub fn args(&self) -> &[ValueId] {
        &self.arg
    }
    pub fn results(&self) -> &[ValueId] {
        &self.result
    }
    pub fn calls(&self) -> &[u32] {
        &self.call
    }
    pub fn returns(&self) -> &[u32] {
        &self.ret
    }

    pub fn key(&self, i: usize) -> ValueId {
        self.key.get(i).copied().unwrap_or(ValueId::NONE)
    }

    pub fn extra(&self, i: usize) -> ValueId {
        self.extra.get(i).copied().unwrap_or(ValueId::NONE)
    }

    pub fn is_keyed(&self) -> bool {
        !self.key.is_empty()
    }

    pub fn pending(&self) -> usize {
        self.ret.iter().filter(|&&r| r == Op::PENDING).count()
    }

    /// Operations by event position, and whether the event is the return.
    pub fn timeline(&self) -> Vec<(u32, bool)> {
        let mut at = vec![(u32::MAX, false); self.events as usize];
        for i in 0..self.len() {
            at[self.call[i] as usize] = (i as u32, false);
            if self.ret[i] != Op::PENDING {
                at[self.ret[i] as usize] = (i as u32, true);
            }
        }
        at.retain(|e| e.0 != u32::MAX);
        at
    }

    /// The history of these operations alone, in the same real-time order, events renumbered.
    /// `keep` is ascending.
    pub fn restrict(&self, keep: &[u32]) -> History {
        let mut events: Vec<(u32, u32)> = Vec::with_capacity(2 * keep.len());
        for (new, &old) in keep.iter().enumerate() {
            events.push((self.call[old as usize], new as u32));
            let ret = self.ret[old as usize];
            if ret != Op::PENDING {
                events.push((ret, new as u32));
            }
        }
        events.sort_unstable();
        let mut sub = History { values: self.values.clone(), ..History::default() };
        for &old in keep {
            sub.push(Op { ret: Op::PENDING, ..self.op(old as usize) });
        }
        let mut called = vec![false; keep.len()];
        for (position, &(_, op)) in events.iter().enumerate() {
            let slot =
                if std::mem::replace(&mut called[op as usize], true) { &mut sub.ret } else { &mut sub.call };
            slot[op as usize] = position as u32;
        }
        sub.events = events.len() as u32;
        sub
    }

    /// What was known once `events` events had been logged: later calls are absent, and
    /// operations that had not returned are pending with their results unknown.
    pub fn prefix(&self, events: u32) -> History {
        let mut cut = History { values: self.values.clone(), events, ..History::default() };
        for op in self.ops().take_while(|op| op.call < events) {
            let open = op.ret >= events;
            cut.push(if open { Op { ret: Op::PENDING, result: ValueId::NONE, ..op } } else { op });
        }
        cut
    }

    /// The parts of the history by key, in order of first appearance.
    pub fn by_key(&self) -> Vec<(ValueId, History)> {
        let mut index = rustc_hash::FxHashMap::default();
        let mut parts: Vec<(ValueId, History)> = Vec::new();
        let mut place: Vec<(u32, u32)> = Vec::with_capacity(self.len());
        for (op, is_return) in self.timeline() {
            let i = op as usize;
            if is_return {
                let (part, local) = place[i];
                let part = &mut parts[part as usize].1;
                part.ret[local as usize] = part.events;
                part.events += 1;
            } else {
                let key = self.key(i);
                let part = *index.entry(key).or_insert_with(|| {
                    parts.push((key, History { values: self.values.clone(), ..History::default() }));
                    parts.len() - 1
                });
                let sub = &mut parts[part].1;
                place.push((part as u32, sub.len() as u32));
                sub.push(Op { call: sub.events, ret: Op::PENDING, ..self.op(i) });
                sub.events += 1;
            }
        }
        parts
    }

    /// A copy with other operations in place of its own; positions are the caller's business.
    pub fn with_ops(&self, ops: impl IntoIterator<Item = Op>) -> History {
        let mut new = History { values: self.values.clone(), events: self.events, ..History::default() };
        ops.into_iter().for_each(|op| new.push(op));
        new
    }

    /// Bytes held by the columns and the values.
    pub fn bytes(&self) -> usize {
        let columns = [&self.process, &self.arg, &self.result, &self.extra, &self.key]
            .map(|c| c.len() * 4)
            .iter()
            .sum::<usize>();
        columns
            + self.method.len()
            + (self.call.len() + self.ret.len() + self.line.len()) * 4
            + self.values.bytes()
    }

    fn push(&mut self, op: Op) {
        let before = self.len();
        self.method.push(op.method);
        self.process.push(op.process);
        self.arg.push(op.arg);
        self.result.push(op.result);
        push_sparse(&mut self.extra, before, op.extra);
        push_sparse(&mut self.key, before, op.key);
        self.call.push(op.call);
        self.ret.push(op.ret);
        self.line.push(op.line);
    }
}

fn push_sparse(column: &mut Vec<ValueId>, before: usize, value: ValueId) {
    if !column.is_empty() || value != ValueId::NONE {
        column.resize(before, ValueId::NONE);
        column.push(value);
    }
}

/// What explains a history must respect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Consistency {
    /// Real time.
    #[default]
    Linearizable,
    /// The order of each process only.
    Sequential,
}
