//! Structs, unions and enums: from their declarations to types.

use super::*;

impl Lower<'_> {
    pub(super) fn record(&mut self, spec: &RecordSpec) -> Lowered<usize> {
        let existing = match &spec.tag {
            Some(tag) if spec.fields.is_some() => self.scope().tags.get(tag).cloned(),
            Some(tag) => self.lookup_tag(tag),
            None => None,
        };
        let index = match existing {
            Some(Tag::Record(i)) => i,
            Some(Tag::Enum(_)) => return Err(self.error_at(spec.pos, "L0107", "this tag names an enum")),
            None => {
                let i = self.records.0.len();
                self.records.0.push(Record {
                    tag: spec.tag.clone(),
                    union: spec.union,
                    fields: Vec::new(),
                    size: 0,
                    align: 1,
                    complete: false,
                    transparent: false,
                    packed: false,
                });
                if let Some(tag) = &spec.tag {
                    let tag = tag.clone();
                    self.scope().tags.insert(tag, Tag::Record(i));
                }
                i
            }
        };
        let Some(fields) = &spec.fields else { return Ok(index) };
        if self.records.0[index].complete {
            return Err(self.error_at(spec.pos, "L0107", "this struct or union is defined already"));
        }
        let packed = spec.attributes.packed;
        let mut packer = Packer::new(spec.union, packed);
        for field in fields {
            self.field(field, &mut packer)?;
        }
        for align in &spec.attributes.aligned {
            let n = match align {
                Some(e) => self.const_int(e, "an alignment")?.clamp(1, 1 << 20) as u64,
                None => 16,
            };
            packer.align = packer.align.max(n.next_power_of_two());
        }
        let size = packer.finish();
        let record = &mut self.records.0[index];
        record.size = size;
        record.align = packer.align;
        record.fields = packer.fields;
        record.complete = true;
        record.packed = packed;
        record.transparent = spec.attributes.transparent_union && spec.union;
        Ok(index)
    }

    pub(super) fn field(&mut self, field: &FieldDecl, packer: &mut Packer) -> Lowered<()> {
        let (specs, declarator, bits) = match field {
            FieldDecl::StaticAssert(cond, pos) => {
                self.pos = *pos;
                return self.static_assert(cond, None);
            }
            FieldDecl::Field(field) => (&field.specs, &field.declarator, &field.bits),
        };
        let base = self.base(specs)?;
        let ty = self.declarator(base, declarator)?.ty;
        let mut names = Vec::new();
        match (&declarator.name, &ty.ty) {
            (Some(name), _) => names.push(name.clone()),
            (None, Ty::Record(r)) => self.records.names(*r, &mut names),
            _ => {}
        }
        let mut known = Vec::new();
        for field in &packer.fields {
            match (&field.name, &field.ty.ty) {
                (Some(name), _) => known.push(name.clone()),
                (None, Ty::Record(r)) => self.records.names(*r, &mut known),
                _ => {}
            }
        }
        if let Some(name) = names.iter().find(|n| known.contains(n)) {
            return Err(self.error("L0107", format!("two members are called `{name}`")));
        }
        if let Some(width) = bits {
            let width = self.const_int(width, "the width of a bit-field")?;
            let Some(int) = ty.ty.int() else {
                return Err(self.error("L0103", "a bit-field must have an integer type"));
            };
            if ty.quals.atomic {
                return self.refuse("an atomic bit-field");
            }
            let max = if int == IntTy::Bool { 1 } else { 8 * int.size() as i64 };
            if width < 0 || width > max || width == 0 && declarator.name.is_some() {
                return Err(self.error("L0103", format!("a bit-field of this type has 1 to {max} bits")));
            }
            packer.bits(declarator.name.clone(), ty, int.size(), width as u64);
            return Ok(());
        }
        if declarator.name.is_none() && !matches!(ty.ty, Ty::Record(_)) {
            return Ok(());
        }
        if matches!(ty.ty, Ty::Function(_)) {
            return Err(self.error("L0103", "a member cannot be a function"));
        }
        // A flexible array member takes no room.
        let size = match &ty.ty {
            Ty::Array(_, None) => 0,
            _ => self.size_of(&ty)?,
        };
        let mut align = self.records.align(&ty);
        for a in &specs.align {
            align = align.max(self.alignas(a)?);
        }
        for a in specs.attributes.aligned.iter().chain(&declarator.attributes.aligned) {
            let n = match a {
                Some(e) => self.const_int(e, "an alignment")?.clamp(1, 1 << 20) as u64,
                None => 16,
            };
            align = align.max(n.next_power_of_two());
        }
        if size > 1 << 40 {
            return Err(self.error("L0103", "this member is too large"));
        }
        packer.field(declarator.name.clone(), ty, size, align);
        Ok(())
    }

    pub(super) fn alignas(&mut self, align: &Align) -> Lowered<u64> {
        Ok(match align {
            Align::Type(t) => {
                let ty = self.type_name(t)?;
                self.records.align(&ty)
            }
            Align::Expr(e) => {
                (self.const_int(e, "an alignment")?.clamp(1, 1 << 20) as u64).next_power_of_two()
            }
        })
    }

    pub(super) fn enumeration(&mut self, spec: &EnumSpec) -> Lowered<IntTy> {
        let Some(members) = &spec.members else {
            return match spec.tag.as_ref().and_then(|t| self.lookup_tag(t)) {
                Some(Tag::Enum(ty)) => Ok(ty),
                Some(Tag::Record(_)) => {
                    Err(self.error_at(spec.pos, "L0107", "this tag names a struct or union"))
                }
                None => Err(self.error_at(spec.pos, "L0102", "this enum is not defined")),
            };
        };
        let mut next: i128 = 0;
        let (mut low, mut high) = (0i128, 0i128);
        for (name, value, pos) in members {
            self.pos = *pos;
            if let Some(e) = value {
                next = i128::from(self.const_int(e, "an enumerator")?);
            }
            if value.is_none() && next > i128::from(i64::MAX) {
                return Err(self.error_at(
                    *pos,
                    "L0103",
                    "this enumerator is larger than the largest integer",
                ));
            }
            low = low.min(next);
            high = high.max(next);
            let ty = match next {
                n if i32::try_from(n).is_ok() => IntTy::Int,
                n if u32::try_from(n).is_ok() => IntTy::UInt,
                _ => IntTy::Long,
            };
            let symbol = Symbol::Constant(next as u64, ty);
            self.pos = *pos;
            self.declare_name(name, symbol)?;
            next += 1;
        }
        let ty = match (low < 0, low >= i128::from(i32::MIN) && high <= i128::from(u32::MAX)) {
            (false, true) => IntTy::UInt,
            (true, true) if high <= i128::from(i32::MAX) => IntTy::Int,
            (false, _) => IntTy::ULong,
            _ => IntTy::Long,
        };
        if let Some(tag) = &spec.tag {
            let tag = tag.clone();
            self.scope().tags.insert(tag, Tag::Enum(ty));
        }
        Ok(ty)
    }
}
