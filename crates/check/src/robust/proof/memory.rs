//! Memory during symbolic execution: what is private to a call, what others can see, and what there is
//! before the first call.

use super::paths::{Executor, Run, State, decided, learn};
use super::term::{Size, Term, ZERO};
use super::tree::{Act, Node, Target};
use lineal_model::program::Global;
use lineal_model::run::{Loc, Mode};

/// Where an address leads.
enum Where {
    Local(usize, u16, i64),
    Shared(Target),
    Own(usize, i64),
    Mark,
    Constant(Term),
}

impl Executor<'_> {
    fn place(&mut self, s: &mut State, address: &Term, bytes: u8) -> Run<Where> {
        let (parts, constant) = address.linear();
        let loc = Loc(constant as u64);
        if loc.block().is_global() {
            let number = loc.block().number();
            let Some(global) = self.program.globals.get(number as usize) else {
                return self.refuse(s, "an address that is not followed");
            };
            if global.name.starts_with("__lineal_") {
                return Ok(Where::Mark);
            }
            let index = match parts.as_slice() {
                [] => None,
                [(stride, term)] if *stride > 0 && !term.is_address() => Some((*stride, term.clone())),
                _ => return self.refuse(s, "an address that is not followed: more than one index"),
            };
            let offset = i64::from(loc.offset());
            if global.constant && index.is_none() {
                return Ok(Where::Constant(Term::Const(initial(global, offset, bytes))));
            }
            return Ok(Where::Shared(Target::Global { number, offset, index }));
        }
        let [(1, root)] = parts.as_slice() else {
            return self.refuse(s, "an address that is not followed");
        };
        if !(0..1 << 20).contains(&constant) {
            return self.refuse(s, "an address that is not followed");
        }
        match root {
            Term::Local(depth, object) => Ok(Where::Local(*depth, *object, constant)),
            Term::Alloc(k) if !s.shared.contains(k) => Ok(Where::Own(*k, constant)),
            Term::Read(..) | Term::Alloc(_) | Term::Initial(_) => {
                if matches!(root, Term::Read(..)) {
                    let null = (Term::equal(root.clone(), ZERO), true);
                    if decided(s, &null) != Some(false) {
                        self.may_fail(s, Some(null.clone()));
                        learn(s, (null.0, false));
                    }
                }
                Ok(Where::Shared(Target::Heap { block: root.clone(), offset: constant }))
            }
            Term::Arg(_) => self.refuse(s, "an argument is used as an address"),
            Term::Free(_) => self.refuse(s, "an address is carried from one round of a loop to the next"),
            _ => self.refuse(s, "an address that is computed"),
        }
    }

    /// A value that others get to see.
    pub(super) fn publish(&mut self, s: &mut State, value: &Term) -> Run<()> {
        if value.mentions(&|t| matches!(t, Term::Local(..))) {
            return self.refuse(s, "the address of a local variable is published");
        }
        match value {
            Term::Alloc(k) => {
                let mut open = vec![*k];
                while let Some(k) = open.pop() {
                    if !s.shared.insert(k) {
                        continue;
                    }
                    let cells: Vec<Term> =
                        s.own.range((k, i64::MIN)..=(k, i64::MAX)).map(|(_, v)| v.clone()).collect();
                    for cell in cells {
                        self.touch(&cell);
                        if let Term::Alloc(j) = cell {
                            open.push(j);
                        }
                    }
                }
                Ok(())
            }
            value
                if value.mentions(&|t| matches!(t, Term::Alloc(_) | Term::Initial(_)))
                    && !value.is_address() =>
            {
                self.refuse(s, "a pointer is computed with, and published")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn load(&mut self, s: &mut State, address: &Term, size: Size, mode: Mode) -> Run<Term> {
        match self.place(s, address, size.bytes)? {
            Where::Local(depth, object, offset) => match s.locals.get(&(depth, object, offset)) {
                Some(value) => Ok(value.clone().cut(size)),
                None => Ok(self.free()),
            },
            Where::Own(k, offset) => match (s.own.get(&(k, offset)), &self.alone) {
                (Some(value), _) => Ok(value.clone().cut(size)),
                (None, Some(memory)) => Ok(memory.blocks.get(&(k, offset)).cloned().unwrap_or(ZERO)),
                (None, None) => Ok(self.free()),
            },
            Where::Mark => self.refuse(s, "what a call answered is read again"),
            Where::Constant(value) => Ok(value.cut(size)),
            Where::Shared(target) => {
                if let Some(memory) = &self.alone {
                    return match alone(&target) {
                        Some(Ok(at)) => Ok(memory.globals.get(&at).cloned().unwrap_or_else(|| {
                            Term::Const(initial(&self.program.globals[at.0 as usize], at.1, size.bytes))
                        })),
                        Some(Err(at)) => Ok(memory.blocks.get(&at).cloned().unwrap_or(ZERO)),
                        None => self.refuse(s, "the setup is not followed"),
                    };
                }
                let node = self.access(s, Act::Read, target, size.bytes, mode);
                let number = self.add(s, node);
                Ok(Term::Read(number, size))
            }
        }
    }

    pub(super) fn store(
        &mut self,
        s: &mut State,
        address: &Term,
        size: Size,
        mode: Mode,
        value: Term,
    ) -> Run<()> {
        match self.place(s, address, size.bytes)? {
            Where::Local(depth, object, offset) => {
                s.locals.insert((depth, object, offset), value);
            }
            Where::Own(k, offset) if self.alone.is_none() => {
                if value.mentions(&|t| matches!(t, Term::Local(..))) {
                    return self.refuse(s, "the address of a local variable is published");
                }
                s.own.insert((k, offset), value.clone());
                let target = Target::Heap { block: Term::Alloc(k), offset };
                let node = self.access(s, Act::Write, target, size.bytes, mode);
                self.add(s, Node { value: Some(value), own: true, ..node });
            }
            Where::Own(k, offset) => {
                if let Some(memory) = &mut self.alone {
                    memory.blocks.insert((k, offset), value);
                }
            }
            Where::Mark => self.touch(&value),
            Where::Constant(_) => return self.refuse(s, "a constant is written"),
            Where::Shared(target) => {
                if let Some(memory) = &mut self.alone {
                    match alone(&target) {
                        Some(Ok(at)) => memory.globals.insert(at, value),
                        Some(Err(at)) => memory.blocks.insert(at, value),
                        None => return self.refuse(s, "the setup is not followed"),
                    };
                    return Ok(());
                }
                self.publish(s, &value)?;
                let node = self.access(s, Act::Write, target, size.bytes, mode);
                self.add(s, Node { value: Some(value), ..node });
            }
        }
        Ok(())
    }

    /// Where a read-modify-write goes.
    pub(super) fn cell(&mut self, s: &mut State, address: &Term, bytes: u8) -> Run<Target> {
        if self.alone.is_some() {
            return self.refuse(s, "the setup is not followed: it has a read-modify-write");
        }
        match self.place(s, address, bytes)? {
            Where::Shared(target) => Ok(target),
            _ => self.refuse(s, "a read-modify-write of memory that nobody shares"),
        }
    }

    pub(super) fn is_address_like(&self, a: &Term) -> bool {
        match a {
            Term::Const(c) => Loc(*c as u64).block().is_global(),
            a => a.is_address(),
        }
    }
}

/// The cell of memory that nobody else uses: of a global, or of a block.
fn alone(target: &Target) -> Option<Result<(u32, i64), (usize, i64)>> {
    match target {
        Target::Global { number, offset, index: None } => Some(Ok((*number, *offset))),
        Target::Heap { block: Term::Initial(k), offset } => Some(Err((*k, *offset))),
        _ => None,
    }
}

/// What a global holds before `main`.
pub fn initial(global: &Global, offset: i64, bytes: u8) -> i64 {
    let mut value = 0u64;
    for i in 0..i64::from(bytes.min(8)) {
        let byte = global.bytes.get((offset + i) as usize).copied().unwrap_or(0);
        value |= u64::from(byte) << (8 * i);
    }
    value as i64
}
