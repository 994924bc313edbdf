//! What was read as a value of a history.

use super::record::Datum;
use super::scalar::canonical;
use lineal_model::history::Value;

pub fn value_of(datum: &Datum) -> Value {
    match datum {
        Datum::Absent => Value::None,
        Datum::Nil => Value::Nil,
        Datum::Bool(b) => Value::Bool(*b),
        Datum::Int(n) => Value::Int(*n),
        Datum::Decimal(t) => Value::Other(canonical(t).into()),
        Datum::Text(t) => Value::Text((**t).into()),
        Datum::Word(w) => Value::Other(format!(":{w}").into()),
        Datum::Sequence(items) => Value::List(items.iter().map(value_of).collect()),
        Datum::Made(value) => value.clone(),
    }
}

/// For people.
pub fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Absent => "nothing".into(),
        other => value_of(other).to_string(),
    }
}

/// A record with the wrapping taken off.
pub(super) struct Given<'d, 'a> {
    pub(super) key: Option<&'d Datum<'a>>,
    pub(super) value: &'d Datum<'a>,
    /// Which operation of a user's type is meant.
    pub(super) operation: u32,
    /// An operation of a transaction: what it appends are elements of a list.
    pub(super) listed: bool,
}
