//! Steps in the words of the source.

use crate::replay::{Execution, Taken};
use lineal_model::Memory;
use lineal_model::run::{BlockId, Cause, FetchOp, Loc, Mode, Op, Rmw, Runnable, Value, World};

pub fn step<R: Runnable>(program: &R, world: &Execution, memory: Memory, t: &Taken) -> String {
    let size = match t.op {
        Op::Read { size, .. } | Op::Write { size, .. } | Op::Rmw { size, .. } => Some(size),
        _ => None,
    };
    let name = |loc: Loc| program.name_at(loc, size, t.site, world);
    let shown = |v: Option<Value>, size: u8| match v {
        Some(v) => in_its_type(program, world, t, v, size),
        None => "?".into(),
    };
    let order = |mode: Mode| match memory {
        Memory::Sc => String::new(),
        _ if mode == Mode::NonAtomic => String::new(),
        _ => format!(" ({})", mode.word()),
    };
    match t.op {
        Op::Read { loc, size, mode, wait, .. } => {
            let verb = match wait.map(|w| w.cause) {
                Some(cause) => format!("wait ({}) {}", cause.word(), name(loc)),
                None => format!("read {}", name(loc)),
            };
            format!("{verb} → {}{}", shown(t.read, size), order(mode))
        }
        Op::Write { loc, size, mode, value } => {
            format!("{} = {}{}", name(loc), shown(Some(value), size), order(mode))
        }
        Op::Rmw { loc, wait: Some(w), .. } if w.cause == Cause::Lock => format!("lock {}", name(loc)),
        Op::Rmw { loc, size, mode, rmw, .. } => {
            let (old, new) = (shown(t.read, size), shown(t.wrote, size));
            match rmw {
                Rmw::Cas { expected, desired, fail, .. } => {
                    let end = match (t.wrote, t.spurious) {
                        (Some(_), _) => format!("ok{}", order(mode)),
                        (None, true) => format!("fails spuriously{}", order(fail)),
                        (None, false) => format!("fails: {old}{}", order(fail)),
                    };
                    let (a, b) = (shown(Some(expected), size), shown(Some(desired), size));
                    format!("cas {} {a}→{b} {end}", name(loc))
                }
                Rmw::Fetch { op: FetchOp::Exchange, .. } => {
                    format!("exchange {}: {old} → {new}{}", name(loc), order(mode))
                }
                Rmw::Fetch { op, operand, .. } => {
                    let op = format!("{op:?}").to_lowercase();
                    format!(
                        "fetch_{op} {} {}: {old} → {new}{}",
                        name(loc),
                        shown(Some(operand), size),
                        order(mode)
                    )
                }
            }
        }
        Op::Fence { mode } => format!("fence ({})", mode.word()),
        Op::Alloc { block, size, .. } => {
            format!("allocate {} ({size} bytes)", program.block_name(block, world))
        }
        Op::Free { loc, .. } => format!("free {}", program.block_name(loc.block(), world)),
        Op::Create { entry } => format!("create thread {} ({})", t.child, program.entry_name(entry)),
        Op::Join { thread } => format!("join thread {}", thread.0),
        Op::Choose { .. } => format!("choose {}", shown(t.read, 8)),
        Op::Loop { .. } => "next iteration".into(),
    }
}

/// A value that this step read or wrote.
pub fn of<R: Runnable>(program: &R, world: &Execution, t: &Taken, v: Value) -> String {
    let size = match t.op {
        Op::Read { size, .. } | Op::Write { size, .. } | Op::Rmw { size, .. } => size,
        _ => 8,
    };
    in_its_type(program, world, t, v, size)
}

/// What is unsigned is never negative.
fn in_its_type<R: Runnable>(program: &R, world: &Execution, t: &Taken, v: Value, size: u8) -> String {
    let unsigned = match t.op {
        Op::Read { loc, .. } | Op::Write { loc, .. } | Op::Rmw { loc, .. } => program.is_unsigned(loc, world),
        _ => false,
    };
    match unsigned && !v.undefined && size <= 8 && v.signed(size) < 0 {
        true => v.truncate(size).lo.to_string(),
        false => value(program, world, v, size),
    }
}

/// Small numbers in decimal, addresses by name.
pub fn value<R: Runnable>(program: &R, world: &Execution, v: Value, size: u8) -> String {
    const SMALL: i64 = 1 << 24;
    if v.undefined {
        return "undefined".into();
    }
    if size > 8 && v.hi != 0 {
        let half = |lo: u64| value(program, world, Value::word(lo), 8);
        return format!("({}, {})", half(v.lo), half(v.hi));
    }
    let signed = v.signed(size.min(8));
    if (-SMALL..SMALL).contains(&signed) {
        return signed.to_string();
    }
    let loc = Loc(v.lo);
    if loc.block().owner() == BlockId::CODE_OWNER && loc.offset() == 0 && v.lo < 1 << 47 {
        return program.block_name(loc.block(), world);
    }
    if loc.block().is_global() && v.lo < 1 << 47 || world.block(loc.block()).is_some() {
        let whole = loc.offset() == 0;
        return match whole {
            true => format!("&{}", program.block_name(loc.block(), world)),
            false => format!("&{}", program.name(loc, world)),
        };
    }
    if size < 8 { signed.to_string() } else { format!("{:#x}", v.lo) }
}
