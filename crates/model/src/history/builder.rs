//! Builds a [`History`] event by event, in the order of the log.

use super::{History, Method, Op, ValueId, Values};
use std::sync::Arc;

#[derive(Debug, Default)]
pub struct Builder {
    pub values: Values,
    history: History,
    /// Calls that turned out not to have happened; taken out at the end.
    dropped: Vec<u32>,
}

/// What a call event says.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub method: Method,
    pub process: ValueId,
    pub key: ValueId,
    pub arg: ValueId,
    pub extra: ValueId,
    pub line: u32,
}

impl Call {
    pub fn new(method: Method, process: ValueId) -> Self {
        Call { method, process, key: ValueId::NONE, arg: ValueId::NONE, extra: ValueId::NONE, line: 0 }
    }
    pub fn arg(self, arg: ValueId) -> Self {
        Call { arg, ..self }
    }
    pub fn extra(self, extra: ValueId) -> Self {
        Call { extra, ..self }
    }
    pub fn key(self, key: ValueId) -> Self {
        Call { key, ..self }
    }
    pub fn line(self, line: u32) -> Self {
        Call { line, ..self }
    }
}

impl Builder {
    pub fn new() -> Self {
        Builder::default()
    }

    /// Logs a call and names it. The operation is pending until it returns.
    pub fn call(&mut self, call: Call) -> u32 {
        let index = self.history.len() as u32;
        let position = self.tick();
        self.history.push(Op {
            method: call.method,
            process: call.process,
            key: call.key,
            arg: call.arg,
            extra: call.extra,
            result: ValueId::NONE,
            call: position,
            ret: Op::PENDING,
            line: call.line,
        });
        index
    }

    /// Logs the return of an operation.
    pub fn ret(&mut self, op: u32, result: ValueId) {
        let position = self.tick();
        self.history.ret[op as usize] = position;
        self.history.result[op as usize] = result;
    }

    /// The operation did not happen.
    pub fn drop_op(&mut self, op: u32) {
        self.dropped.push(op);
    }

    pub fn op(&self, op: u32) -> Op {
        self.history.op(op as usize)
    }

    /// Learns an argument that the log gives only with the return.
    pub fn set_arg(&mut self, op: u32, arg: ValueId, extra: ValueId) {
        self.history.arg[op as usize] = arg;
        if extra != ValueId::NONE {
            self.history.extra.resize(self.history.method.len(), ValueId::NONE);
            self.history.extra[op as usize] = extra;
        }
    }

    pub fn len(&self) -> usize {
        self.history.len()
    }

    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    pub fn finish(mut self) -> History {
        let history = &mut self.history;
        if !history.extra.is_empty() {
            history.extra.resize(history.method.len(), ValueId::NONE);
        }
        if !history.key.is_empty() {
            history.key.resize(history.method.len(), ValueId::NONE);
        }
        self.history.values = Arc::new(self.values);
        if self.dropped.is_empty() {
            return self.history;
        }
        self.dropped.sort_unstable();
        let mut dropped = self.dropped.into_iter().peekable();
        let keep: Vec<u32> =
            (0..self.history.len() as u32).filter(|i| dropped.next_if_eq(i).is_none()).collect();
        self.history.restrict(&keep)
    }

    fn tick(&mut self) -> u32 {
        let position = self.history.events;
        assert!(position < Op::PENDING - 1, "a history has fewer than 2^32 - 2 events");
        self.history.events += 1;
        position
    }
}
