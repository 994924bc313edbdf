//! The four memory models as their papers write them, on matrices.
//!
//! Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing Sequential Consistency in C/C++11* (PLDI
//! 2017) for RC11 and its release-acquire fragment; Owens, Sarkar, Sewell, *A Better x86 Memory
//! Model* (TPHOLs 2009) for TSO. Release sequences follow C++20. The initial write of a cell is
//! no event; a read of it is `fr`-before every write of the cell.

use super::execution::{Event, Execution, Kind};
use crate::relation::Relation;
use lineal_model::Memory;
use lineal_model::run::{FailureKind, Op};
use std::collections::BTreeSet;

/// The basic relations of one execution.
struct Basic<'x> {
    x: &'x Execution,
    n: usize,
    po: Relation,
    /// Creation to every event of the child, every event of the child to its join; and what
    /// someone outside orders.
    tc: Relation,
    rf: Relation,
    mo: Relation,
    fr: Relation,
    rmw: Relation,
}

impl<'x> Basic<'x> {
    fn new(x: &'x Execution) -> Self {
        let n = x.events.len();
        let e = &x.events;
        let po = Relation::where_(n, |a, b| a < b && e[a].thread == e[b].thread);
        let mut tc = Relation::where_(n, |a, b| {
            (e[a].kind == Kind::Create && e[a].child == e[b].thread && e[b].thread != e[a].thread)
                || (e[b].kind == Kind::Join && e[b].child == e[a].thread)
        });
        x.edges.iter().for_each(|&(a, b)| tc.set(a, b));
        let mut rf = Relation::empty(n);
        let mut rmw = Relation::empty(n);
        for (i, event) in e.iter().enumerate() {
            if let (Kind::Read, Some(w)) = (event.kind, event.rf) {
                rf.set(w, i);
            }
            if let Some(read) = event.update_of {
                rmw.set(read, i);
            }
        }
        let mut mo = Relation::empty(n);
        let mut fr = Relation::empty(n);
        for (loc, order) in &x.mo {
            for (i, &a) in order.iter().enumerate() {
                for &b in &order[i + 1..] {
                    mo.set(a, b);
                }
            }
            for (r, _) in e.iter().enumerate().filter(|(_, e)| e.kind == Kind::Read && e.loc == Some(*loc)) {
                let after = e[r].rf.map_or(0, |w| order.iter().position(|&v| v == w).unwrap() + 1);
                for &w in &order[after..] {
                    fr.set(r, w);
                }
            }
        }
        Basic { x, n, po, tc, rf, mo, fr, rmw }
    }

    fn on(&self, holds: impl Fn(&Event) -> bool) -> Relation {
        Relation::on(self.n, |a| holds(&self.x.events[a]))
    }

    fn same_loc(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.x.events[a], &self.x.events[b]);
        a.loc.is_some() && a.loc == b.loc
    }

    fn only(&self, r: &Relation, holds: impl Fn(usize, usize) -> bool) -> Relation {
        Relation::where_(self.n, |a, b| r.has(a, b) && holds(a, b))
    }

    fn eco(&self) -> Relation {
        self.rf.or(&self.mo).or(&self.fr).plus()
    }

    fn one_order(&self) -> Relation {
        self.po.or(&self.tc).or(&self.rf).or(&self.mo).or(&self.fr)
    }

    fn hb(&self, memory: Memory) -> Relation {
        let e = &self.x.events;
        let base = self.po.or(&self.tc);
        match memory {
            Memory::Sc | Memory::Tso => {
                let atomic = |a: usize, b: usize| e[a].mode.is_atomic() && e[b].mode.is_atomic();
                base.or(&self.only(&self.rf, atomic)).plus()
            }
            Memory::Ra | Memory::Rc11 => base.or(&self.sw()).plus(),
        }
    }

    /// `[E⊒rel];([F];po)?;rs;rf;[R⊒rlx];(po;[F])?;[E⊒acq]` with `rs = [W⊒rlx];(rf;rmw)*`.
    fn sw(&self) -> Relation {
        let fence = self.on(|e| e.kind == Kind::Fence);
        let rs = self
            .on(|e| e.kind == Kind::Write && e.mode.is_atomic())
            .then(&self.rf.then(&self.rmw).plus().or_equal());
        let releases = self.on(|e| e.kind != Kind::Read && e.mode.releases());
        let acquires = self.on(|e| e.kind != Kind::Write && e.mode.acquires());
        let read = self.on(|e| e.kind == Kind::Read && e.mode.is_atomic());
        releases
            .then(&fence.then(&self.po).or_equal())
            .then(&rs)
            .then(&self.rf)
            .then(&read)
            .then(&self.po.then(&fence).or_equal())
            .then(&acquires)
    }
}

/// Happens-before, by rows.
pub fn happens_before(x: &Execution, memory: Memory) -> Relation {
    Basic::new(x).hb(memory)
}

/// What comes before what if all steps are in one order: there is one iff this has no cycle.
pub fn sequential_order(x: &Execution) -> Relation {
    Basic::new(x).one_order()
}

pub fn consistent(x: &Execution, memory: Memory) -> bool {
    let b = Basic::new(x);
    if !b.rmw.is_disjoint(&b.fr.then(&b.mo)) {
        return false;
    }
    // Nothing comes out of thin air: so by construction, unless someone outside adds edges.
    if !x.edges.is_empty() && !b.po.or(&b.tc).or(&b.rf).is_acyclic() {
        return false;
    }
    match memory {
        Memory::Sc => b.one_order().is_acyclic(),
        Memory::Tso => tso(&b),
        Memory::Ra => coherent(&b, &b.hb(memory)),
        Memory::Rc11 => {
            let hb = b.hb(memory);
            coherent(&b, &hb) && psc(&b, &hb).is_acyclic()
        }
    }
}

fn coherent(b: &Basic<'_>, hb: &Relation) -> bool {
    hb.then(&b.eco().or_equal()).is_irreflexive()
}

fn tso(b: &Basic<'_>) -> bool {
    let e = &b.x.events;
    let po_loc = b.only(&b.po, |a, c| b.same_loc(a, c));
    if !po_loc.or(&b.rf).or(&b.mo).or(&b.fr).is_acyclic() {
        return false;
    }
    // Creation and join are ordered like accesses, with everything.
    let counts = |e: &Event| matches!(e.kind, Kind::Read | Kind::Write | Kind::Create | Kind::Join);
    let ppo = b.only(&b.po, |a, c| {
        counts(&e[a]) && counts(&e[c]) && !(e[a].kind == Kind::Write && e[c].kind == Kind::Read)
    });
    let full = b.on(|e| e.kind == Kind::Fence && e.mode.is_sc());
    // What x86 compilers emit: `lock`ed instructions, which drain also when they compare unequal,
    // and `xchg` for a seq_cst write.
    let locked = b.on(|e| match e.op {
        Op::Rmw { .. } => true,
        Op::Write { mode, .. } => mode.is_sc(),
        _ => false,
    });
    let ord = b.po.then(&full).then(&b.po).or(&b.po.then(&locked)).or(&locked.then(&b.po));
    let rfe = b.only(&b.rf, |a, c| e[a].thread != e[c].thread);
    ppo.or(&ord).or(&b.tc).or(&rfe).or(&b.mo).or(&b.fr).is_acyclic()
}

/// `psc_base ∪ psc_F`.
fn psc(b: &Basic<'_>, hb: &Relation) -> Relation {
    let is_sc = |e: &Event| e.mode.is_sc() && matches!(e.kind, Kind::Read | Kind::Write | Kind::Fence);
    let e_sc = b.on(is_sc);
    let f_sc = b.on(|e| e.kind == Kind::Fence && e.mode.is_sc());
    let apart = b.only(&b.po, |a, c| !b.same_loc(a, c));
    let hb_loc = b.only(hb, |a, c| b.same_loc(a, c));
    // The beginning and the end of a thread are events too, on no location, though they are not
    // in the list: everything of a child follows its beginning, and its creation leads there.
    let e = &b.x.events;
    let begins = Relation::where_(b.n, |c, x| e[c].kind == Kind::Create && e[c].child == e[x].thread);
    let ends = Relation::where_(b.n, |x, j| e[j].kind == Kind::Join && e[j].child == e[x].thread);
    let out = apart.then(hb).or(&ends.then(&hb.or_equal()));
    let around = out.then(&apart).or(&apart.then(&hb.or_equal()).then(&begins)).or(&out.then(&begins));
    let scb = b.po.or(&around).or(&begins).or(&ends).or(&hb_loc).or(&b.mo).or(&b.fr);
    let from = e_sc.or(&f_sc.then(&hb.or_equal()));
    let to = e_sc.or(&hb.or_equal().then(&f_sc));
    let base = from.then(&scb).then(&to);
    let fences = f_sc.then(&hb.or(&hb.then(&b.eco()).then(hb))).then(&f_sc);
    base.or(&fences)
}

/// The errors of the program in this execution: races, and misuse of memory and of threads.
pub fn faults(x: &Execution, memory: Memory) -> BTreeSet<FailureKind> {
    let b = Basic::new(x);
    let hb = b.hb(memory);
    let e = &x.events;
    let mut found = BTreeSet::new();
    for (i, event) in e.iter().enumerate() {
        let (block, freed) = match (event.loc, event.op) {
            (Some(loc), _) => (loc.block(), None),
            (None, Op::Free { loc, kind }) => (loc.block(), Some((loc.offset(), kind))),
            _ => continue,
        };
        let alloc = e.iter().position(|a| matches!(a.op, Op::Alloc { block: b, .. } if b == block));
        let frees = |f: &Event| matches!(f.op, Op::Free { loc, .. } if loc.block() == block);
        if let Some((offset, kind)) = freed {
            let Some(a) = alloc.filter(|_| offset == 0 && !block.is_global()) else {
                found.insert(FailureKind::InvalidFree);
                continue;
            };
            if !matches!(e[a].op, Op::Alloc { kind: made, .. } if made == kind) {
                found.insert(FailureKind::InvalidFree);
            }
            if e[..i].iter().any(frees) {
                found.insert(FailureKind::DoubleFree);
            }
            if !hb.has(a, i) {
                found.insert(FailureKind::Race);
            }
        } else if !block.is_global() {
            let Some(a) = alloc else {
                found.insert(FailureKind::InvalidPointer);
                continue;
            };
            if e.iter().position(frees).is_some_and(|f| !hb.has(i, f)) {
                found.insert(FailureKind::UseAfterFree);
            }
            if !hb.has(a, i) {
                found.insert(FailureKind::Race);
            }
        }
    }
    for a in 0..b.n {
        for c in a + 1..b.n {
            let (p, q) = (&e[a], &e[c]);
            let conflict = b.same_loc(a, c)
                && p.thread != q.thread
                && (p.kind == Kind::Write || q.kind == Kind::Write)
                && !(p.mode.is_atomic() && q.mode.is_atomic());
            if conflict && !hb.has(a, c) && !hb.has(c, a) {
                found.insert(FailureKind::Race);
            }
            if p.kind == Kind::Join && q.kind == Kind::Join && p.child == q.child {
                found.insert(FailureKind::LockMisuse);
            }
        }
    }
    let undefined =
        |e: &Event| e.kind == Kind::Read && e.value.undefined && !matches!(e.op, Op::Read { copy: true, .. });
    if e.iter().any(undefined) {
        found.insert(FailureKind::Uninitialised);
    }
    found
}
