//! Levels of synchronisation, as written in a pragma or after `--level`.

use crate::c11::pragma::cut;
use lineal_model::adt::Kind;
use lineal_model::object::*;

/// Reads a level as written in a pragma or after `--level`.
pub fn level(text: &str) -> Result<Level, String> {
    match text {
        "none" | "None" => return Ok(Level::None),
        "R" | "r" => return Ok(Level::R),
        "RI" | "ri" => return Ok(Level::Ri),
        "RD" | "rd" => return Ok(Level::Rd),
        "RID" | "rid" => return Ok(Level::Rid),
        "total" | "Total" => return Ok(Level::Total),
        _ => {}
    }
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let Some(inner) = inner else { return Err(format!("`{text}` is no level of synchronisation")) };
    let mut pairs = Vec::new();
    for part in inner.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (names, via) = part.split_once(':').unwrap_or((part, ""));
        let via = match via.trim() {
            "" => Via::Last,
            "value" => Via::Element,
            "key" => Via::Key,
            other => return Err(format!("`:{other}` is not understood: it is `:value` or `:key`")),
        };
        let Some((from, to)) = cut(names, "->").filter(|(a, b)| !a.is_empty() && !b.is_empty()) else {
            return Err(format!("`{part}` is no pair of operations"));
        };
        pairs.push(Pair { from: from.into(), to: to.into(), via, text: part.into() });
    }
    if pairs.is_empty() {
        return Err("there is no pair of operations between the brackets".into());
    }
    Ok(Level::Pairs(pairs))
}

/// Why the pairs of a level mean nothing for this object.
pub fn misfit(level: &Level, object: &Object) -> Option<String> {
    let Level::Pairs(pairs) = level else { return None };
    for pair in pairs {
        let find = |name: &str| object.operations.iter().find(|o| o.name == name);
        let (from, to) = match (find(&pair.from), find(&pair.to)) {
            (Some(from), Some(to)) => (from, to),
            (None, _) => return Some(format!("the object has no operation `{}`", pair.from)),
            (_, None) => return Some(format!("the object has no operation `{}`", pair.to)),
        };
        let keyed = |o: &Operation| o.takes.key || object.kind == Kind::Set;
        match pair.via {
            Via::Key if !keyed(from) || !keyed(to) => {
                return Some(format!("`{}` goes by key, but not both operations have one", pair.text));
            }
            Via::Element if to.answer.is_none() => {
                return Some(format!(
                    "`{}` goes by the value answered, but `{}` answers none",
                    pair.text, to.name
                ));
            }
            Via::Element
                if object.kind == Kind::User
                    && (object.args != Some(ArgClass::Independent) || object.values.is_some()) =>
            {
                return Some(format!(
                    "`{}` goes by the value, which only tells calls apart if all are different (args=independent)",
                    pair.text
                ));
            }
            Via::Element if !from.takes.anything() => {
                return Some(format!(
                    "`{}` goes by the value taken, but `{}` takes none",
                    pair.text, from.name
                ));
            }
            _ => {}
        }
    }
    None
}
