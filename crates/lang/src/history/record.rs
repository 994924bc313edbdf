//! What every format says about an event or an operation, before it is interpreted.

use lineal_model::history::Value;
use std::borrow::Cow;

/// A value as written.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum<'a> {
    Absent,
    Nil,
    Bool(bool),
    Int(i64),
    /// A number that is no 64-bit integer.
    Decimal(&'a str),
    Text(Cow<'a, str>),
    /// A keyword without its colon, or a symbol.
    Word(&'a str),
    Sequence(Vec<Datum<'a>>),
    /// A map or a set, of which the order in the log means nothing.
    Made(Value),
}

impl Datum<'_> {
    /// Absent, or nil.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Datum::Absent | Datum::Nil)
    }

    pub fn is_absent(&self) -> bool {
        matches!(self, Datum::Absent)
    }

    /// The word, whether written as a keyword, a symbol or a text.
    pub fn word(&self) -> Option<&str> {
        match self {
            Datum::Word(w) => Some(w),
            Datum::Text(t) => Some(t),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Record<'a> {
    pub line: u32,
    pub process: Datum<'a>,
    pub kind: Datum<'a>,
    pub f: Datum<'a>,
    pub key: Datum<'a>,
    pub value: Datum<'a>,
    pub priority: Datum<'a>,
    pub result: Datum<'a>,
    pub time: Datum<'a>,
    pub call: Datum<'a>,
    pub ret: Datum<'a>,
    /// Where the object starts: in a record that is about no operation.
    pub init: Datum<'a>,
}

impl<'a> Record<'a> {
    pub fn new(line: u32) -> Self {
        Record {
            line,
            process: Datum::Absent,
            kind: Datum::Absent,
            f: Datum::Absent,
            key: Datum::Absent,
            value: Datum::Absent,
            priority: Datum::Absent,
            result: Datum::Absent,
            time: Datum::Absent,
            call: Datum::Absent,
            ret: Datum::Absent,
            init: Datum::Absent,
        }
    }

    /// Where the field of this name goes. Fields without a place are not looked at.
    pub fn field(&mut self, name: &[u8]) -> Option<&mut Datum<'a>> {
        Some(match name {
            b"process" => &mut self.process,
            b"type" => &mut self.kind,
            b"f" => &mut self.f,
            b"key" => &mut self.key,
            b"value" => &mut self.value,
            b"prio" | b"priority" => &mut self.priority,
            b"result" => &mut self.result,
            b"time" => &mut self.time,
            b"call" => &mut self.call,
            b"return" => &mut self.ret,
            b"init" => &mut self.init,
            _ => return None,
        })
    }
}
