//! Values of a log as the numbers that functions compute with.
//!
//! Numbers are themselves, true and false are 1 and 0. Everything else (texts, keywords, nil) is
//! a number from [`OPAQUE`] on, one for each: functions may keep and compare those. A log whose
//! own numbers lie there, or do not fit, is refused ([`misfit`]).

use super::UserType;
use crate::history::{History, Op, Value, ValueId, Values};

/// Where the numbers for other values begin.
const OPAQUE: i64 = 0x6000_0000;

pub fn encode(id: ValueId, values: &Values) -> i64 {
    match (id.as_small(), id.as_bool()) {
        (Some(n), _) => i64::from(n),
        (None, Some(b)) => i64::from(b),
        (None, None) => values.as_int(id).unwrap_or_else(|| OPAQUE + values.place(id) as i64),
    }
}

pub fn number(value: &Value, values: &Values) -> i64 {
    match value {
        Value::Int(n) => *n,
        other => encode(values.find(other).unwrap_or(ValueId::NONE), values),
    }
}

/// The value of the log that a number stands for. Those that no operation mentions are all one.
pub fn known(number: i64, values: &Values) -> ValueId {
    let opaque = usize::try_from(number - OPAQUE).ok().and_then(|place| values.at(place)).cloned();
    let found = match opaque {
        Some(Value::Int(_) | Value::List(_)) | None => values.find(&Value::Int(number)),
        Some(other) => values.find(&other),
    };
    found.unwrap_or(ValueId::UNHEARD)
}

/// The value a number stands for, to be shown.
pub fn decode(number: i64, values: &Values) -> String {
    match usize::try_from(number - OPAQUE).ok().and_then(|place| values.at(place)) {
        Some(Value::Int(_) | Value::List(_)) | None => number.to_string(),
        Some(other) => other.to_string(),
    }
}

/// The arguments of an operation, one by one.
pub fn flatten(op: &Op, values: &Values) -> Vec<Value> {
    match op.arg {
        ValueId::NONE => Vec::new(),
        arg => match values.value(arg) {
            Value::List(items) => items.into_vec(),
            other => vec![other],
        },
    }
}

/// A value that cannot be handed to the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A number that takes more than 32 bits, and the line it is on.
    Wide(i64, u32),
    /// A number that also stands for a value which is none.
    Taken(i64, u32),
}

/// The first value of the history that `user`'s functions cannot be given.
pub fn misfit(user: &UserType, history: &History) -> Option<Misfit> {
    let values = &*history.values;
    let opaque = OPAQUE..OPAQUE + values.table_len() as i64;
    let judge = |n: i64, line: u32| match n {
        n if !user.wide && i32::try_from(n).is_err() => Some(Misfit::Wide(n, line)),
        n if opaque.contains(&n) => Some(Misfit::Taken(n, line)),
        _ => None,
    };
    history.ops().find_map(|op| {
        let mut numbers = flatten(&op, values);
        numbers.extend([op.key, op.process, op.result].map(|id| values.value(id)));
        numbers.iter().find_map(|v| match v {
            Value::Int(n) => judge(*n, op.line),
            _ => None,
        })
    })
}
