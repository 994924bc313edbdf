//! Which slots each site may still read: the least solution of the usual equations. An argument
//! counts only if the called process uses its parameter; unused ones are passed as 0.

use super::*;
use lineal_model::process::expr::{Stmt, Target};
use std::collections::BTreeSet;

type Slots = BTreeSet<u16>;

pub fn settle(model: &mut Model) {
    let mut free: Vec<Slots> = vec![Slots::new(); model.sites.len()];
    loop {
        let mut changed = false;
        for id in 0..model.sites.len() {
            let now = equation(model, &free, &model.sites[id].node);
            changed |= now != free[id];
            free[id] = now;
        }
        if !changed {
            break;
        }
    }
    let bodies: Vec<(SiteId, bool)> = model.defs.iter().map(|d| (d.body, d.alphabet.is_some())).collect();
    for (site, slots) in model.sites.iter_mut().zip(&free) {
        site.free = slots.iter().copied().collect();
        if let Node::Call(def, args) = &mut site.node {
            let (body, alphabet) = bodies[def.0 as usize];
            for (slot, arg) in args.iter_mut().enumerate() {
                if !alphabet && !free[body.0 as usize].contains(&(slot as u16)) {
                    *arg = Expr::Int(0);
                }
            }
        }
    }
}

fn equation(model: &Model, free: &[Slots], node: &Node) -> Slots {
    let mut slots = Slots::new();
    let at = |s: &SiteId| &free[s.0 as usize];
    match node {
        Node::Stop | Node::Skip => {}
        Node::Prefix { event, block, next, .. } => {
            if let EventExpr::Named(_, args) = event {
                args.iter().for_each(|a| look(a, &mut slots));
            }
            in_block(block, &mut slots);
            slots.extend(at(next));
        }
        Node::Send { channel, values, block, next } => {
            channel.index.iter().chain(values).for_each(|e| look(e, &mut slots));
            in_block(block, &mut slots);
            slots.extend(at(next));
        }
        Node::Receive { channel, pattern, guard, block, next } => {
            slots.extend(at(next));
            in_block(block, &mut slots);
            guard.iter().for_each(|e| look(e, &mut slots));
            for p in pattern {
                if let Pattern::Match(e) = p {
                    look(e, &mut slots);
                }
            }
            for p in pattern {
                if let Pattern::Bind(slot) = p {
                    slots.remove(slot);
                }
            }
            channel.index.iter().for_each(|e| look(e, &mut slots));
        }
        Node::If(c, a, b) | Node::IfAtomic(c, a, b) => {
            look(c, &mut slots);
            slots.extend(at(a));
            slots.extend(at(b));
        }
        Node::IfBlocking(c, a) | Node::Guard(c, a) => {
            look(c, &mut slots);
            slots.extend(at(a));
        }
        Node::Case(branches, default) => {
            for (c, p) in branches {
                look(c, &mut slots);
                slots.extend(at(p));
            }
            slots.extend(at(default));
        }
        Node::Seq(a, b) | Node::Interrupt(a, b) => {
            slots.extend(at(a));
            slots.extend(at(b));
        }
        Node::Choice(_, kids) | Node::Parallel(_, kids) => kids.iter().for_each(|k| slots.extend(at(k))),
        Node::Indexed(_, ranges, body) => {
            slots.extend(at(body));
            in_ranges(ranges, &mut slots);
        }
        Node::Copies(_, count, body) => {
            slots.extend(at(body));
            look(count, &mut slots);
        }
        Node::Hide(body, sets) => {
            for set in sets {
                let mut inner = Slots::new();
                set.args.iter().for_each(|a| look(a, &mut inner));
                in_ranges(&set.ranges, &mut inner);
                slots.extend(inner);
            }
            slots.extend(at(body));
        }
        Node::Atomic(body) => slots.extend(at(body)),
        Node::Call(def, args) => {
            let def = model.def(*def);
            let used = at(&def.body);
            let alphabet = def.alphabet.is_some();
            for (slot, arg) in args.iter().enumerate() {
                if alphabet || used.contains(&(slot as u16)) {
                    look(arg, &mut slots);
                }
            }
        }
    }
    slots
}

/// Removes what the ranges bind, adds what they read; a later range may read an earlier one.
fn in_ranges(ranges: &[Range], slots: &mut Slots) {
    for range in ranges.iter().rev() {
        slots.remove(&range.slot);
        for item in &range.values {
            match item {
                RangeItem::One(e) => look(e, slots),
                RangeItem::Span(a, b) => {
                    look(a, slots);
                    look(b, slots);
                }
            }
        }
    }
}

fn look(e: &Expr, slots: &mut Slots) {
    e.walk(&mut |e| {
        if let Expr::Slot(s) = e {
            slots.insert(*s);
        }
    });
}

fn in_block(block: &Option<Block>, slots: &mut Slots) {
    fn in_stmts(stmts: &[Stmt], slots: &mut Slots) {
        for stmt in stmts {
            match stmt {
                Stmt::Assign(target, value) => {
                    look(value, slots);
                    if let Target::Element(el) = target {
                        el.dims.iter().for_each(|(_, e)| look(e, slots));
                    }
                }
                Stmt::If(c, yes, no) => {
                    look(c, slots);
                    in_stmts(yes, slots);
                    in_stmts(no, slots);
                }
                Stmt::While(c, body, _) => {
                    look(c, slots);
                    in_stmts(body, slots);
                }
            }
        }
    }
    if let Some(block) = block {
        in_stmts(&block.stmts, slots);
    }
}
