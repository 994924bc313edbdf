//! Initialisers: C's rules for braces and designators, flattened to a list of stores.

use super::place::Spot;
use super::*;
use lineal_model::run::Mode;

/// One part of an object and what goes there.
struct Item<'e> {
    offset: u64,
    ty: QTy,
    bits: Option<Bits>,
    value: &'e Expr,
}

/// Where the elements of a brace-enclosed list are taken from.
struct Cursor<'e> {
    list: &'e [(Vec<Designator>, Initializer)],
    at: usize,
}

const MAX_ITEMS: usize = 1 << 20;

impl Lower<'_> {
    /// The type with its array size filled in from the initialiser.
    pub(super) fn complete(&mut self, ty: &QTy, init: &Initializer) -> Lowered<QTy> {
        let Ty::Array(element, None) = &ty.ty else { return Ok(ty.clone()) };
        let mut items = Vec::new();
        let count = self.flatten(ty, 0, init, &mut items)?;
        Ok(QTy { ty: Ty::Array(element.clone(), Some(count)), quals: ty.quals })
    }

    /// The bytes of an object that exists before `main`.
    pub(super) fn static_init(&mut self, ty: &QTy, init: &Initializer) -> Lowered<(QTy, Vec<u8>)> {
        let pos = self.pos;
        let ty = self.complete(ty, init)?;
        self.pos = pos;
        let size = self.size_of(&ty)?;
        if size >= lineal_model::run::Loc::MAX_BLOCK {
            return self.refuse(&format!("an object of {size} bytes"));
        }
        let mut bytes = vec![0u8; size as usize];
        let mut items = Vec::new();
        self.flatten(&ty, 0, init, &mut items)?;
        for item in items {
            self.pos = item.value.pos;
            if let (Ty::Array(_, n), ExprKind::Str(s)) = (&item.ty.ty, &item.value.kind) {
                let room = n.unwrap_or(0) as usize;
                for (i, b) in s.iter().take(room).enumerate() {
                    bytes[item.offset as usize + i] = *b;
                }
                continue;
            }
            if let (Ty::Record(_), ExprKind::CompoundLiteral(t, inner)) = (&item.ty.ty, &item.value.kind) {
                let t = self.type_name(t)?;
                let (_, part) = self.static_init(&t, inner)?;
                bytes[item.offset as usize..][..part.len()].copy_from_slice(&part);
                continue;
            }
            let Some(value) = self.try_const(item.value) else {
                self.type_of(item.value)?;
                return Err(self.error_at(
                    item.value.pos,
                    "L0106",
                    "the initialiser of a static object must be a constant",
                ));
            };
            // What does not convert is left to the width of the object, as compilers do.
            let raw = value.cast(&item.ty.ty).map_or(value.bits, |v| v.bits);
            match item.bits {
                None => {
                    let size = self.size_of(&item.ty)? as usize;
                    if raw == 0 && matches!(item.ty.ty, Ty::Opaque(_)) {
                        continue;
                    }
                    if let Ty::Opaque(what) = item.ty.ty {
                        return self.refuse(what.what());
                    }
                    if size > 8 {
                        return Err(self.error_at(item.value.pos, "L0103", "this initialiser does not fit"));
                    }
                    bytes[item.offset as usize..][..size].copy_from_slice(&raw.to_le_bytes()[..size]);
                }
                Some(bits) => {
                    let at = bits.offset as usize;
                    for i in 0..u32::from(bits.width) {
                        let bit = u32::from(bits.shift) + i;
                        let byte = &mut bytes[at + bit as usize / 8];
                        *byte = *byte & !(1 << (bit % 8)) | (((raw >> i) & 1) as u8) << (bit % 8);
                    }
                }
            }
        }
        Ok((ty, bytes))
    }

    /// Code that initialises a local.
    pub(super) fn local_init(&mut self, index: usize, ty: &QTy, init: &Initializer) -> Lowered<()> {
        let mut plain = ty.clone();
        plain.quals.atomic = false;
        plain.quals.konst = false;
        if let (true, Initializer::Expr(e)) = (ty.ty.is_scalar() || matches!(ty.ty, Ty::Record(_)), init) {
            let v = self.value_for(e, &plain)?;
            self.pos = e.pos;
            let v = self.convert(v, &plain)?;
            let spot = self.init_spot(index, 0, &plain, None);
            self.store(&spot, &v)?;
            return Ok(());
        }
        let size = self.size_of(ty)?;
        let mut items = Vec::new();
        self.flatten(ty, 0, init, &mut items)?;
        if !ty.ty.is_scalar() {
            let to = self.local_address(index);
            let (byte, n) = (self.constant(0), self.constant(size));
            self.emit(Instr::Fill { to, byte, size: n });
        } else if items.is_empty() {
            // `int x = {};`
            let zero = self.int(0, IntTy::Int);
            let zero = self.convert(zero, &plain)?;
            let spot = self.init_spot(index, 0, &plain, None);
            self.store(&spot, &zero)?;
        }
        for item in items {
            let mark = self.frame.next;
            if let (Ty::Array(..), ExprKind::Str(s)) = (&item.ty.ty, &item.value.kind) {
                let room = self.size_of(&item.ty)?;
                let count = (s.len() as u64 + 1).min(room) as u32;
                let source = self.string(s);
                let from = self.constant(self.global_address(source));
                let base = self.local_address(index);
                let to = self.offset(base, item.offset);
                self.emit(Instr::Copy { to, from, size: count });
            } else {
                let mut ty = item.ty.clone();
                ty.quals.atomic = false;
                ty.quals.konst = false;
                let v = self.value_for(item.value, &ty)?;
                self.pos = item.value.pos;
                let v = self.convert(v, &ty)?;
                let spot = self.init_spot(index, item.offset, &ty, item.bits);
                self.store(&spot, &v)?;
            }
            self.frame.next = mark;
        }
        Ok(())
    }

    fn init_spot(&mut self, index: usize, offset: u64, ty: &QTy, bits: Option<Bits>) -> Spot {
        if matches!(self.frame.locals[index].home, Home::Register { .. }) {
            return Spot::Register(index);
        }
        let base = self.local_address(index);
        match bits {
            Some(bits) => {
                let addr = self.offset(base, bits.offset);
                Spot::Bits { addr, bits, ty: ty.clone() }
            }
            None => {
                let addr = self.offset(base, offset);
                Spot::Memory { addr, ty: ty.clone(), origin: None }
            }
        }
    }

    /// Fills `out`; returns how many elements an array of unknown size gets.
    fn flatten<'e>(
        &mut self,
        ty: &QTy,
        offset: u64,
        init: &'e Initializer,
        out: &mut Vec<Item<'e>>,
    ) -> Lowered<u64> {
        match init {
            Initializer::Expr(e) => {
                if let (Ty::Array(element, n), ExprKind::Str(s)) = (&ty.ty, &e.kind) {
                    if !is_char(&element.ty) {
                        return Err(self.error_at(
                            e.pos,
                            "L0103",
                            "a string initialises an array of char only",
                        ));
                    }
                    let count = n.unwrap_or(s.len() as u64 + 1);
                    let ty = QTy { ty: Ty::Array(element.clone(), Some(count)), quals: ty.quals };
                    out.push(Item { offset, ty, bits: None, value: e });
                    return Ok(count);
                }
                if matches!(ty.ty, Ty::Array(..)) {
                    return Err(self.error_at(e.pos, "L0103", "an array needs a list in braces"));
                }
                out.push(Item { offset, ty: ty.clone(), bits: None, value: e });
                Ok(1)
            }
            Initializer::List(list, pos) => {
                if let Ty::Opaque(what) = ty.ty {
                    self.pos = *pos;
                    return self.refuse(what.what());
                }
                if let (Ty::Array(element, _), [(path, inner @ Initializer::Expr(e))]) =
                    (&ty.ty, list.as_slice())
                    && path.is_empty()
                    && is_char(&element.ty)
                    && matches!(e.kind, ExprKind::Str(_))
                {
                    return self.flatten(ty, offset, inner, out);
                }
                if ty.ty.is_scalar() {
                    return match list.first() {
                        Some((_, inner)) => self.flatten(ty, offset, inner, out),
                        None => Ok(0),
                    };
                }
                let mut cursor = Cursor { list, at: 0 };
                let count = self.fill(ty, offset, &mut cursor, true, out)?;
                if cursor.at < list.len() {
                    return Err(self.error_at(*pos, "L0103", "more initialisers than the object has parts"));
                }
                Ok(count)
            }
        }
    }

    /// Fills one aggregate from the cursor. Without braces of its own (`explicit` false) it stops
    /// when it is full or a designator comes up.
    fn fill<'e>(
        &mut self,
        ty: &QTy,
        offset: u64,
        cursor: &mut Cursor<'e>,
        explicit: bool,
        out: &mut Vec<Item<'e>>,
    ) -> Lowered<u64> {
        if out.len() > MAX_ITEMS {
            return Err(self.error("L0108", "an initialiser with too many parts"));
        }
        match &ty.ty {
            Ty::Array(element, count) => {
                let element = (**element).clone();
                let size = self.size_of(&element)?;
                let limit = count.unwrap_or(u64::MAX);
                let (mut next, mut reached) = (0u64, 0u64);
                while let Some((path, init)) = cursor.list.get(cursor.at) {
                    let (from, to, rest) = match path.split_first() {
                        None => (next, next, &[][..]),
                        Some(_) if !explicit => break,
                        Some((Designator::Index(e), rest)) => {
                            let i = self.const_int(e, "a designator")? as u64;
                            (i, i, rest)
                        }
                        Some((Designator::Range(a, b), rest)) => {
                            let (a, b) = (
                                self.const_int(a, "a designator")? as u64,
                                self.const_int(b, "a designator")? as u64,
                            );
                            (a, b, rest)
                        }
                        Some((Designator::Field(name), _)) => {
                            return Err(self.error("L0103", format!("an array has no member `{name}`")));
                        }
                    };
                    if to >= limit || from > to {
                        if path.is_empty() {
                            break;
                        }
                        return Err(self.error("L0103", "a designator outside of the array"));
                    }
                    if to - from > MAX_ITEMS as u64 || to > 1 << 24 {
                        return Err(self.error("L0108", "an initialiser with too many parts"));
                    }
                    let back = cursor.at;
                    for i in from..=to {
                        cursor.at = back;
                        self.part(&element, offset + i * size, None, rest, init, cursor, out)?;
                    }
                    next = to + 1;
                    reached = reached.max(next);
                }
                Ok(reached)
            }
            Ty::Record(r) => {
                let record = self.records.0[*r].clone();
                if !record.complete {
                    let shown = self.show(ty);
                    return Err(self.error("L0103", format!("`{shown}` is not defined here")));
                }
                let mut next = 0usize;
                while let Some((path, init)) = cursor.list.get(cursor.at) {
                    let (field, rest) = match path.split_first() {
                        None => {
                            let Some(field) = record.fields.get(next) else { break };
                            next = if record.union { record.fields.len() } else { next + 1 };
                            (field.clone(), &[][..])
                        }
                        Some(_) if !explicit => break,
                        Some((Designator::Field(name), rest)) => {
                            let Some(field) = self.records.field(*r, name) else {
                                return Err(self.error("L0102", format!("there is no member `{name}`")));
                            };
                            // Go on behind the member that contains it.
                            let holder = record.fields.iter().rposition(|f| {
                                f.name.as_ref() == Some(name)
                                    || f.name.is_none() && matches!(f.ty.ty, Ty::Record(inner) if self.records.field(inner, name).is_some())
                            });
                            next = if record.union {
                                record.fields.len()
                            } else {
                                holder.map_or(next, |h| h + 1)
                            };
                            (field, rest)
                        }
                        Some(_) => return Err(self.error("L0103", "a struct has no elements")),
                    };
                    if matches!(field.ty.ty, Ty::Array(_, None)) {
                        return self.refuse("the initialisation of a flexible array member");
                    }
                    if self.in_function {
                        self.check_packed(*r, &field)?;
                    }
                    let bits = field.bits.map(|b| Bits { offset: b.offset + offset, ..b });
                    self.part(&field.ty, offset + field.offset, bits, rest, init, cursor, out)?;
                }
                Ok(1)
            }
            _ => Ok(0),
        }
    }

    /// One element or member takes the initialiser at the cursor.
    #[allow(clippy::too_many_arguments)]
    fn part<'e>(
        &mut self,
        ty: &QTy,
        offset: u64,
        bits: Option<Bits>,
        rest: &'e [Designator],
        init: &'e Initializer,
        cursor: &mut Cursor<'e>,
        out: &mut Vec<Item<'e>>,
    ) -> Lowered<()> {
        if let Some((step, deeper)) = rest.split_first() {
            // `.a[3] = …`: walk down.
            return match (step, &ty.ty) {
                (Designator::Field(name), Ty::Record(r)) => match self.records.field(*r, name) {
                    Some(f) => {
                        let bits = f.bits.map(|b| Bits { offset: b.offset + offset, ..b });
                        self.part(&f.ty, offset + f.offset, bits, deeper, init, cursor, out)
                    }
                    None => Err(self.error("L0102", format!("there is no member `{name}`"))),
                },
                (Designator::Index(e), Ty::Array(element, count)) => {
                    let element = (**element).clone();
                    let limit = count.unwrap_or(u64::MAX);
                    let i = self.const_int(e, "a designator")? as u64;
                    if i >= limit {
                        return Err(self.error("L0103", "a designator outside of the array"));
                    }
                    let size = self.size_of(&element)?;
                    self.part(&element, offset + i * size, None, deeper, init, cursor, out)
                }
                _ => Err(self.error("L0103", "this designator does not lead to a part of the object")),
            };
        }
        if let (Initializer::Expr(e), true) = (init, matches!(ty.ty, Ty::Record(_) | Ty::Array(..))) {
            let whole = match &ty.ty {
                Ty::Array(element, _) => matches!(e.kind, ExprKind::Str(_)) && is_char(&element.ty),
                _ => {
                    !matches!(e.kind, ExprKind::Int { .. } | ExprKind::Str(_))
                        && matches!(self.type_of(e)?.ty, Ty::Record(_))
                }
            };
            if !whole {
                // Braces were left out: the parts come from the same list.
                let before = cursor.at;
                let mut sub = Cursor { list: cursor.list, at: cursor.at };
                if !cursor.list[cursor.at].0.is_empty() {
                    // The designator was used up on the way here.
                    return self.elided(ty, offset, cursor, out);
                }
                self.fill(ty, offset, &mut sub, false, out)?;
                cursor.at = sub.at.max(before + usize::from(sub.at == before));
                return Ok(());
            }
        }
        if let (Some(bits), Initializer::Expr(e)) = (bits, init) {
            out.push(Item { offset, ty: ty.clone(), bits: Some(bits), value: e });
        } else {
            self.flatten(ty, offset, init, out)?;
        }
        cursor.at += 1;
        Ok(())
    }

    /// `.inner = 1, 2` for an aggregate: the first value was designated, the next follow.
    fn elided<'e>(
        &mut self,
        ty: &QTy,
        offset: u64,
        cursor: &mut Cursor<'e>,
        out: &mut Vec<Item<'e>>,
    ) -> Lowered<()> {
        let first = match &ty.ty {
            Ty::Array(element, _) => (**element).clone(),
            Ty::Record(r) => match self.records.0[*r].fields.first() {
                Some(f) => f.ty.clone(),
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let (_, init) = &cursor.list[cursor.at];
        let mut inner = Vec::new();
        self.flatten(&first, offset, init, &mut inner)?;
        out.extend(inner);
        cursor.at += 1;
        if cursor.list.get(cursor.at).is_some_and(|(path, _)| path.is_empty()) {
            return self.refuse("a list that goes on inside a designated member without braces");
        }
        Ok(())
    }

    /// A record in memory as one or two registers, for atomic operations on structs.
    pub(super) fn pack(&mut self, addr: Reg, size: u64) -> Reg {
        let object = self.object(16, 8);
        let room = self.temp();
        self.emit(Instr::FrameAddr { dst: room, object });
        self.emit(Instr::Copy { to: room, from: addr, size: size as u32 });
        let dst = self.temps(2);
        let kind = self.wide_or(size, false).expect("atomic sizes are powers of two");
        self.emit(Instr::Load { kind, mode: Mode::NonAtomic, dst, addr: room, lenient: true });
        dst
    }

    /// The inverse of [`Lower::pack`]: the value in registers, as a record in memory.
    pub(super) fn unpack(&mut self, reg: Reg, size: u64) -> Reg {
        let object = self.object(16, 8);
        let room = self.temp();
        self.emit(Instr::FrameAddr { dst: room, object });
        let kind = self.wide_or(size, false).expect("atomic sizes are powers of two");
        self.emit(Instr::Store { kind, mode: Mode::NonAtomic, addr: room, src: reg });
        room
    }
}

fn is_char(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(IntTy::Char | IntTy::SChar | IntTy::UChar))
}
