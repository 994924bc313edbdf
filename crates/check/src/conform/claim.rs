//! What is claimed of an object, and what is wrong with it.

use lineal_model::Memory;
use lineal_model::adt::Kind;
use lineal_model::object::{Level, Object, Shows};

/// `queue`, `queue inbox`.
fn word(object: &Object) -> String {
    let word = match object.kind {
        Kind::User => "object",
        _ => &object.word,
    };
    match &object.name {
        None => word.into(),
        Some(name) => format!("{word} {name}"),
    }
}

/// `linearizable`, or `quasi-linearizable (dequeue=2)`.
fn linearizable(object: &Object) -> String {
    match &object.quasi {
        None => "linearizable".into(),
        Some(relaxation) => format!("quasi-linearizable ({})", relaxation.shown()),
    }
}

/// What `holds` says, a sentence.
pub fn property(object: &Object, level: &Level) -> String {
    let (word, linearizable) = (word(object), linearizable(object));
    match level {
        Level::None => format!("the {word} is {linearizable}"),
        Level::Specified => {
            format!("the {word} is {linearizable} and synchronises as its specification does")
        }
        level => format!("the {word} is {linearizable} and synchronises at level {level}"),
    }
}

/// What `holds` says when several levels do that cannot be compared.
pub fn property_at(object: &Object, levels: &[Level]) -> String {
    let named: Vec<String> = levels.iter().filter(|l| **l != Level::None).map(Level::to_string).collect();
    match levels {
        [level] => property(object, level),
        _ => format!(
            "the {} is {} and synchronises at levels {}",
            word(object),
            linearizable(object),
            named.join(" and at ")
        ),
    }
}

/// What `holds` says when robustness is asked about.
pub fn robust(object: &Object, memory: Memory) -> String {
    format!("the {} is robust against {memory}", word(object))
}

/// What a violation says then.
pub fn not_robust(object: &Object, memory: Memory) -> String {
    format!("the {} is not robust against {memory}", word(object))
}

/// What `holds` says of an object that is held against another.
pub fn property_against(object: &Object, other: &str) -> String {
    format!("the {} refines {other}", word(object))
}

/// What a violation says then.
pub fn wrong_against(object: &Object, other: &str, shows: &Shows) -> String {
    let word = word(object);
    match shows {
        Shows::Error(_) => format!("a client of the {word} goes wrong"),
        Shows::Answers(_) | Shows::Order => format!("the {word} does not refine {other}"),
        Shows::Unseen(..) => format!("the {word} does not synchronise as {other} does"),
    }
}

/// What a violation says.
pub fn wrong(object: &Object, level: &Level, shows: &Shows) -> String {
    let word = word(object);
    match (shows, level) {
        (Shows::Error(_), _) => format!("a client of the {word} goes wrong"),
        (Shows::Answers(_) | Shows::Order, _) => format!("the {word} is not {}", linearizable(object)),
        (Shows::Unseen(..), Level::Specified) => {
            format!("the {word} does not synchronise as its specification does")
        }
        (Shows::Unseen(..), level) => format!("the {word} does not synchronise at level {level}"),
    }
}
