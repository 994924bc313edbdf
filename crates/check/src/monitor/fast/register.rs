//! Registers whose writes are distinct (Gibbons and Korach, SIAM J. Comput. 1997).
//!
//! For each value let `f` be the first return and `s` the last call among its write and its
//! reads. If `f < s` the register surely holds the value throughout the *forward* zone `(f, s)`;
//! otherwise all its operations share the *backward* zone `[s, f]` and fit into one moment of it.
//! The history holds iff every read has its write in time, no two forward zones overlap, and no
//! backward zone lies inside a forward one. The initial value is written before everything.
//! A pending write that nobody read is left out; one that was read never returns.

use super::{Bug, Conflict, Dense, Fast, seeded};
use lineal_model::adt::Object;
use lineal_model::history::{History, Method, Op, ValueId};

/// Positions are shifted by one, so that the initial write has a place before the first event.
#[derive(Clone, Copy, Debug)]
struct Zone {
    f: u32,
    s: u32,
    write: u32,
    /// The operation that returns first, and the one called last.
    first: u32,
    last: u32,
    read: bool,
    pending_write: bool,
}

const INITIAL: u32 = u32::MAX;

pub fn decide(history: &History, object: &Object) -> Fast {
    let writes = |m: Method| matches!(m, Method::Write | Method::Put);
    let show = |op: u32| object.show(&history.op(op as usize), &history.values);
    let mut dense = Dense::sized_for(history.ops().filter(|op| writes(op.method)).map(|op| op.arg));
    let mut zones: Vec<Zone> = Vec::with_capacity(history.len() / 2);
    // An initial value that the history does not mention needs no zone.
    if let Some(init) = history.values.find(&object.init) {
        dense.insert(init);
        let zone = Zone {
            f: 0,
            s: 0,
            write: INITIAL,
            first: INITIAL,
            last: INITIAL,
            read: false,
            pending_write: false,
        };
        zones.push(zone);
    }
    for (i, op) in history.ops().enumerate() {
        if op.method != Method::Read && !writes(op.method) {
            return Fast::Declined(format!("{} has no fast decider", object.kind.name(op.method)));
        }
        if !writes(op.method) {
            continue;
        }
        let (n, new) = dense.insert(op.arg);
        if !new {
            let first = zones[n as usize].write;
            return Fast::Declined(match first {
                INITIAL => {
                    format!("line {} writes the initial value {}", op.line, history.values.show(op.arg))
                }
                first => format!(
                    "{} is written more than once: first on line {}, again on line {}",
                    history.values.show(op.arg),
                    history.op(first as usize).line,
                    op.line
                ),
            });
        }
        let i = i as u32;
        let f = op.ret.saturating_add(1);
        let pending_write = op.is_pending();
        zones.push(Zone { f, s: op.call + 1, write: i, first: i, last: i, read: false, pending_write });
    }
    for (i, op) in history.ops().enumerate() {
        if op.method != Method::Read || op.is_pending() || op.result == ValueId::NONE {
            continue;
        }
        let i = i as u32;
        let Some(n) = dense.find(op.result) else {
            return Fast::Violated(Conflict::new([i], format!("{} answers a value nobody wrote", show(i))));
        };
        let zone = &mut zones[n as usize];
        if zone.write != INITIAL && op.ret < history.op(zone.write as usize).call {
            let why = format!("{} ended before {} began", show(i), show(zone.write));
            return Fast::Violated(Conflict::new([zone.write, i], why));
        }
        zone.read = true;
        if op.ret + 1 < zone.f {
            (zone.f, zone.first) = (op.ret + 1, i);
        }
        if op.call + 1 > zone.s {
            (zone.s, zone.last) = (op.call + 1, i);
        }
    }
    zones.retain(|z| z.read || !z.pending_write);
    zones_conflict(zones, history, object).map_or(Fast::Holds, Fast::Violated)
}

fn zones_conflict(mut zones: Vec<Zone>, history: &History, object: &Object) -> Option<Conflict> {
    zones.sort_unstable_by_key(|z| z.f.min(z.s));
    // The forward zone that reaches furthest among those that started.
    let mut forward: Option<Zone> = None;
    for zone in zones {
        if zone.f < zone.s {
            if let Some(other) = forward.filter(|o| zone.f < o.s) {
                return Some(conflict(history, object, other, zone));
            }
            forward = Some(zone);
        } else if let Some(other) = forward.filter(|o| zone.f < o.s && o.f < zone.s)
            && !seeded::active(Bug::RegisterForgetsBackward)
        {
            return Some(conflict(history, object, other, zone));
        }
    }
    None
}

/// `outer` is a forward zone; `inner` overlaps it or lies inside.
fn conflict(history: &History, object: &Object, outer: Zone, inner: Zone) -> Conflict {
    let show = |op: u32| match op {
        INITIAL => "the start".to_string(),
        op => object.show(&history.op(op as usize), &history.values),
    };
    let value = |z: &Zone| match z.write {
        INITIAL => object.init.to_string(),
        op => history.values.show(history.op(op as usize).arg),
    };
    let why = format!(
        "from the end of {} to the beginning of {} the register holds {}, which leaves no room for {}",
        show(outer.first),
        show(outer.last),
        value(&outer),
        match inner.first == inner.last {
            true => show(inner.first),
            false => format!("{} and {}", show(inner.first), show(inner.last)),
        }
    );
    let ops = [outer, inner].iter().flat_map(|z| [z.write, z.first, z.last]).collect::<Vec<_>>();
    Conflict::new(ops.into_iter().filter(|&op| op != Op::PENDING), why)
}
