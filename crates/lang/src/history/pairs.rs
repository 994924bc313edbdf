//! Answers of a priority queue that are pairs: a value and its priority, or a value that is a pair.
//!
//! Which is meant can be told once every put is known: a pair that was put is a value. If the value in
//! it was put with that priority as well, nobody can tell.

use lineal_model::history::{History, Method, Op, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The history with each such answer as what it is, or the line of one that may be both.
pub fn resolve(
    history: History,
    pairs: &FxHashMap<ValueId, (ValueId, ValueId)>,
) -> Result<History, (u32, String)> {
    if pairs.is_empty() {
        return Ok(history);
    }
    let put: FxHashSet<(ValueId, ValueId)> =
        history.ops().filter(|op| op.method == Method::Insert).map(|op| (op.arg, op.extra)).collect();
    let values: FxHashSet<ValueId> = put.iter().map(|p| p.0).collect();
    let mut ops = Vec::with_capacity(history.len());
    for op in history.ops() {
        let pair = match op.method == Method::Remove && op.extra == ValueId::NONE {
            true => pairs.get(&op.result),
            false => None,
        };
        ops.push(match pair {
            Some(pair) if values.contains(&op.result) && put.contains(pair) => {
                let answer = history.values.show(op.result);
                let message = format!("{answer} was put, and its first half with that priority");
                return Err((op.line, format!("{message}: give the priority apart (prio)")));
            }
            Some(&(value, priority)) if !values.contains(&op.result) => {
                Op { result: value, extra: priority, ..op }
            }
            _ => op,
        });
    }
    Ok(history.with_ops(ops))
}
