//! Operands as instructions use them: registers, memory, and what the compiler was told of them.

use super::*;

impl Reader<'_, '_> {
    /// The register of an operand, by the output that has the same one.
    pub(super) fn register(&self, n: usize) -> usize {
        let c = &self.constraints[n];
        let outputs = self.assembly.outputs.len();
        let same = |o: &usize| c.fixed.is_some() && self.constraints[*o].fixed == c.fixed;
        match n < outputs {
            true => n,
            false => c.tied.or((0..outputs).find(same)).unwrap_or(n),
        }
    }

    /// The register that instructions use without naming it.
    pub(super) fn accumulator(&self) -> Read<usize> {
        let n = self.constraints.iter().position(|c| c.fixed == Some('a')).ok_or(Why::Unknown)?;
        Ok(self.register(n))
    }

    /// How many bytes a value has, 0 if it is neither an integer nor a pointer.
    pub(super) fn word(&mut self, width: Width) -> Read<Expr> {
        let (function, n) = match width {
            Width::Own(n) | Width::Memory(Place::Operand(n, _)) => ("__lineal_word", n),
            Width::Memory(Place::Through(n)) => ("__lineal_word_behind", n),
            Width::Bytes(bytes) => return Ok(self.number(bytes as i64)),
            Width::Memory(Place::Number(_)) | Width::Byte => return Err(Why::Unknown),
        };
        let value = self.operand(n).value.clone();
        self.call(function, vec![value])
    }

    pub(super) fn operand(&self, n: usize) -> &Operand {
        let outputs = &self.assembly.outputs;
        outputs.get(n).unwrap_or_else(|| &self.assembly.inputs[n - outputs.len()])
    }

    pub(super) fn in_memory(&self, place: Place) -> bool {
        match place {
            Place::Operand(n, _) => self.constraints[n].in_memory(),
            Place::Through(_) => true,
            Place::Number(_) => false,
        }
    }

    /// The value that an instruction finds in a register, or its number, in the type of its memory.
    pub(super) fn value(&mut self, place: Place) -> Read<Expr> {
        let value = match place {
            Place::Number(n) => self.number(n),
            Place::Operand(n, _) if !self.constraints[n].in_memory() => {
                let c = &self.constraints[n];
                // A number of the text needs no register.
                let constant = c.immediate && is_number(&self.operand(n).value);
                let register = self.register(n);
                let held = self.registers[register].clone().ok_or(Why::Unknown)?;
                if !constant {
                    self.undisturbed(n)?;
                    self.same_size(held.width, matches!(place, Place::Operand(_, Some(_))))?;
                }
                self.name(&held.name)?
            }
            _ => return Err(Why::Unknown),
        };
        self.in_its_type(value)
    }

    /// A value in the type of the instruction's memory.
    pub(super) fn in_its_type(&mut self, value: Expr) -> Read<Expr> {
        let (pointer, _) = self.memory.clone().ok_or(Why::Unknown)?;
        let object = self.unary(Unary::Deref, pointer)?;
        self.cast_like(&object, value)
    }

    /// What a register holds has as many bytes as the memory, or, if a modifier takes a part of it, more.
    pub(super) fn same_size(&mut self, held: Width, part: bool) -> Read<()> {
        let (_, all) = self.memory.clone().ok_or(Why::Unknown)?;
        let (held, all) = (self.word(held)?, self.word(all)?);
        let op = if part { Binary::Ge } else { Binary::Eq };
        let fits = self.binary(op, held, all)?;
        self.require(fits)
    }

    /// Nothing was written yet that may be in the same register.
    pub(super) fn undisturbed(&self, n: usize) -> Read<()> {
        // Two outputs are never in one register, and letters name different ones.
        let mine = self.constraints[n].fixed;
        let apart = |o: &Constraint| mine.is_some() && o.fixed.is_some() && o.fixed != mine;
        let late = |o: &usize| !self.constraints[*o].early && !apart(&self.constraints[*o]);
        if self.register(n) < self.assembly.outputs.len() || !self.written.iter().any(late) {
            return Ok(());
        }
        Err(Why::Named("inline assembly that reads an input when it has written an output without `&`"))
    }

    /// Leaves a result in the register of an output.
    pub(super) fn leave(&mut self, register: usize, held: Held) -> Read<()> {
        if register >= self.assembly.outputs.len() {
            return Err(Why::Named("inline assembly that changes an operand which it says it only reads"));
        }
        self.registers[register] = Some(held);
        if !self.written.contains(&register) {
            self.written.push(register);
        }
        Ok(())
    }

    /// Leaves what memory held in the register that an instruction names.
    pub(super) fn leave_all(&mut self, place: Place, name: Name) -> Read<()> {
        let Place::Operand(n, part) = place else { return Err(Why::Unknown) };
        if self.constraints[n].in_memory() {
            return Err(Why::Unknown);
        }
        if part.is_some() {
            // The rest of the register would stay what it was.
            self.same_size(Width::Own(n), false)?;
        }
        let (_, width) = self.memory.clone().ok_or(Why::Unknown)?;
        self.leave(self.register(n), Held { name, width })
    }

    /// The address of the instruction's memory, which it reads, writes, or both.
    pub(super) fn address(&mut self, place: Place, reads: bool, writes: bool) -> Read<Expr> {
        self.may_access(place, reads, writes)?;
        let (pointer, _) = self.memory.clone().ok_or(Why::Unknown)?;
        Ok(pointer)
    }

    fn may_access(&mut self, place: Place, reads: bool, writes: bool) -> Read<()> {
        let told = self.assembly.memory;
        match place {
            Place::Operand(n, _) if self.constraints[n].in_memory() => {
                self.unmoved()?;
                let output = n < self.assembly.outputs.len();
                if writes && !output && !told {
                    return Err(Why::Named(
                        "inline assembly that changes an operand which it says it only reads",
                    ));
                }
                if reads && !told && !self.constraints[n].reads && !self.also_read(n) {
                    return Err(Why::Named("inline assembly that reads what it says it only writes"));
                }
                self.accessed[n] = true;
                Ok(())
            }
            Place::Through(n) if !self.constraints[n].in_memory() => {
                if !told {
                    return Err(Why::Named(
                        "inline assembly that accesses memory without saying so (`\"memory\"`)",
                    ));
                }
                self.undisturbed(n)?;
                self.unmoved()
            }
            _ => Err(Why::Unknown),
        }
    }

    /// The registers that addresses are made of are still what they were.
    fn unmoved(&self) -> Read<()> {
        match self.written.iter().all(|&o| self.constraints[o].early) {
            true => Ok(()),
            false => Err(Why::Named(
                "inline assembly that accesses memory when it has written an output without `&`",
            )),
        }
    }

    /// Whether an input says that the memory of this output is read, too.
    fn also_read(&self, n: usize) -> bool {
        let here = &self.operand(n).value;
        self.assembly.inputs.iter().enumerate().any(|(i, o)| {
            self.constraints[self.assembly.outputs.len() + i].in_memory() && same(here, &o.value)
        })
    }

    /// Where memory is, in the type that the program gives it.
    fn pointer(&mut self, memory: Place) -> Read<Expr> {
        match memory {
            Place::Operand(n, None) if self.constraints[n].in_memory() => {
                self.places[n].clone().ok_or(Why::Unknown)
            }
            Place::Through(n) if !self.constraints[n].in_memory() => {
                let held = self.registers[self.register(n)].clone().ok_or(Why::Unknown)?;
                match held.width {
                    Width::Own(m) if m == n => self.name(&held.name),
                    _ => Err(Why::Unknown),
                }
            }
            _ => Err(Why::Unknown),
        }
    }

    /// The memory of an instruction, of the size that is said: by a suffix, a modifier, or a register.
    pub(super) fn sized(&mut self, i: &template::Instruction, memory: Place) -> Read<()> {
        let pointer = self.pointer(memory)?;
        let mut says = i.size;
        let mut by_register = false;
        let operands = i.places.iter().filter(|p| **p != memory).filter_map(|p| match *p {
            Place::Operand(n, size) => Some((n, size)),
            _ => None,
        });
        for (n, size) in operands.clone() {
            // What may be a number of the text leaves the size open, whatever its modifier.
            if !self.constraints[n].in_memory() && !self.constraints[n].immediate {
                (says, by_register) = (says.or(size), true);
            }
        }
        if says.is_none() && by_register {
            // Two things that are no words are not of one size.
            let word = self.word(Width::Memory(memory))?;
            self.require(word)?;
            self.memory = Some((pointer, Width::Memory(memory)));
            return Ok(());
        }
        let size = says.unwrap_or(4);
        if operands.clone().any(|(_, modifier)| modifier.is_some_and(|m| m != size)) {
            return Err(Why::Unknown);
        }
        // A word of that size, or a record or an array that stands for the memory there.
        let (word, bytes) = (self.word(Width::Memory(memory))?, self.number(size as i64));
        let word = self.binary(Binary::Eq, word, bytes.clone())?;
        let (Place::Operand(n, _) | Place::Through(n)) = memory else { return Err(Why::Unknown) };
        let room = if let Place::Through(_) = memory { "__lineal_room_behind" } else { "__lineal_room" };
        let value = self.operand(n).value.clone();
        let room = self.call(room, vec![value])?;
        let room = self.binary(Binary::Ge, room, bytes)?;
        let fits = self.make(ExprKind::Or(Box::new(word.clone()), Box::new(room)))?;
        self.require(fits)?;
        let raw = self.cast_to_pointer(size, pointer.clone())?;
        let pointer = self.make(ExprKind::ChooseExpr(Box::new(word), Box::new(pointer), Box::new(raw)))?;
        let pointer = self.hold(pointer);
        let pointer = self.name(&pointer)?;
        self.memory = Some((pointer, Width::Bytes(size)));
        Ok(())
    }
}

/// A number, as it is written.
fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int { .. } => true,
        ExprKind::Unary(Unary::Minus | Unary::Plus | Unary::BitNot, e) | ExprKind::Cast(_, e) => is_number(e),
        _ => false,
    }
}

/// Whether both name the same object, as far as can be seen.
fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Ident(a), ExprKind::Ident(b)) => a == b,
        (ExprKind::Int { value: a, .. }, ExprKind::Int { value: b, .. }) => a == b,
        (ExprKind::Unary(f, a), ExprKind::Unary(g, b)) => {
            f == g && matches!(f, Unary::Deref | Unary::AddressOf) && same(a, b)
        }
        (
            ExprKind::Member { base: a, name: f, arrow: x },
            ExprKind::Member { base: b, name: g, arrow: y },
        ) => f == g && x == y && same(a, b),
        (ExprKind::Index(a, i), ExprKind::Index(b, j)) => same(a, b) && same(i, j),
        _ => false,
    }
}
