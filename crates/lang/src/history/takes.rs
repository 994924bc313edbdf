//! What operations take.

use super::record::Datum;
use lineal_model::adt::Kind;
use lineal_model::history::Method;

/// How many values an operation takes, and how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    One,
    /// `[from to]`.
    Pair,
    /// A value, and a priority beside it or apart.
    Ranked,
    /// A number, or nothing.
    Number,
}

pub(super) fn takes(kind: Kind, method: Method) -> Takes {
    match method {
        Method::Read | Method::FetchIncrement | Method::Acquire | Method::Release | Method::Delete => {
            Takes::Nothing
        }
        Method::AcquireShared | Method::ReleaseShared | Method::Meet => Takes::Nothing,
        Method::PopFront | Method::PopBack => Takes::Nothing,
        Method::Remove if kind != Kind::Set => Takes::Nothing,
        Method::Cas => Takes::Pair,
        Method::Insert if kind == Kind::PriorityQueue => Takes::Ranked,
        Method::Add | Method::Subtract => Takes::Number,
        _ => Takes::One,
    }
}

/// What a remove answers that found nothing.
pub(super) fn is_empty_word(datum: &Datum) -> bool {
    datum.word() == Some("empty")
}
