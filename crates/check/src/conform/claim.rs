//! What is claimed of an object, and what is wrong with it.

use lineal_model::adt::Kind;
use lineal_model::object::{Level, Object, Shows};

fn word(object: &Object) -> &str {
    match object.kind {
        Kind::User => "object",
        _ => &object.word,
    }
}

/// What `holds` says, a sentence.
pub fn property(object: &Object, level: &Level) -> String {
    let word = word(object);
    match level {
        Level::None => format!("the {word} is linearizable"),
        Level::Specified => format!("the {word} is linearizable and synchronises as its specification does"),
        level => format!("the {word} is linearizable and synchronises at level {level}"),
    }
}

/// What a violation says.
pub fn wrong(object: &Object, level: &Level, shows: &Shows) -> String {
    let word = word(object);
    match (shows, level) {
        (Shows::Error(_), _) => format!("a client of the {word} goes wrong"),
        (Shows::Answers(_), _) => format!("the {word} is not linearizable"),
        (Shows::Unseen(..), Level::Specified) => {
            format!("the {word} does not synchronise as its specification does")
        }
        (Shows::Unseen(..), level) => format!("the {word} does not synchronise at level {level}"),
    }
}
