//! C types, their sizes, and where the parts of a struct lie (x86-64, System V).
//!
//! Adjacent bit-fields are one memory location in C, so they share one cell, their *run*.

use super::ast::{IntTy, Name, Opaque, Quals};
use lineal_model::program::float::{FloatKind, NumberKind};
use lineal_model::program::{Cell, IntKind, Layout, Shape};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Void,
    Int(IntTy),
    Float(FloatKind),
    Opaque(Opaque),
    Pointer(Rc<QTy>),
    /// `None`: of unknown size.
    Array(Rc<QTy>, Option<u64>),
    Function(Rc<FnTy>),
    Record(usize),
}

/// A type with its qualifiers.
#[derive(Clone, Debug, PartialEq)]
pub struct QTy {
    pub ty: Ty,
    pub quals: Quals,
}

#[derive(Clone, Debug, PartialEq)]
pub struct FnTy {
    pub ret: QTy,
    pub params: Vec<QTy>,
    pub variadic: bool,
    pub unspecified: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub tag: Option<Name>,
    pub union: bool,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    pub complete: bool,
    /// A parameter of this type takes an argument of any member's type.
    pub transparent: bool,
    /// Members lie where they happen to: those that are not scalars are not accessed.
    pub packed: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: an anonymous struct or union.
    pub name: Option<Name>,
    pub ty: QTy,
    pub offset: u64,
    pub bits: Option<Bits>,
}

/// A bit-field, or a scalar in a packed struct: which bits of its run (`offset`, `size` in bytes) it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub offset: u64,
    pub size: u8,
    pub shift: u8,
    pub width: u8,
    /// A member of a packed struct: at any address, so it is moved byte by byte.
    pub unaligned: bool,
}

impl IntTy {
    pub fn size(self) -> u64 {
        match self {
            IntTy::Bool | IntTy::Char | IntTy::SChar | IntTy::UChar => 1,
            IntTy::Short | IntTy::UShort => 2,
            IntTy::Int | IntTy::UInt => 4,
            _ => 8,
        }
    }

    pub fn signed(self) -> bool {
        matches!(self, IntTy::Char | IntTy::SChar | IntTy::Short | IntTy::Int | IntTy::Long | IntTy::LongLong)
    }

    pub fn kind(self) -> IntKind {
        IntKind::new(self.size(), self.signed()).expect("an integer has a kind")
    }

    /// Conversion rank, for the usual arithmetic conversions.
    fn rank(self) -> u8 {
        match self {
            IntTy::Bool => 0,
            IntTy::Char | IntTy::SChar | IntTy::UChar => 1,
            IntTy::Short | IntTy::UShort => 2,
            IntTy::Int | IntTy::UInt => 3,
            IntTy::Long | IntTy::ULong => 4,
            IntTy::LongLong | IntTy::ULongLong => 5,
        }
    }

    fn to_unsigned(self) -> IntTy {
        match self {
            IntTy::Int => IntTy::UInt,
            IntTy::Long => IntTy::ULong,
            IntTy::LongLong => IntTy::ULongLong,
            other => other,
        }
    }

    pub fn promote(self) -> IntTy {
        if self.rank() < 3 { IntTy::Int } else { self }
    }

    /// The usual arithmetic conversions.
    pub fn common(a: IntTy, b: IntTy) -> IntTy {
        let (a, b) = (a.promote(), b.promote());
        if a == b {
            return a;
        }
        if a.signed() == b.signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.size() > unsigned.size() {
            signed
        } else {
            signed.to_unsigned()
        }
    }
}

impl Ty {
    pub const INT: Ty = Ty::Int(IntTy::Int);
    pub const SIZE: Ty = Ty::Int(IntTy::ULong);

    pub fn plain(self) -> QTy {
        QTy { ty: self, quals: Quals::default() }
    }

    pub fn pointer_to(target: QTy) -> Ty {
        Ty::Pointer(Rc::new(target))
    }

    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_))
    }

    pub fn int(&self) -> Option<IntTy> {
        match self {
            Ty::Int(i) => Some(*i),
            _ => None,
        }
    }

    pub fn float(&self) -> Option<FloatKind> {
        match self {
            Ty::Float(f) => Some(*f),
            _ => None,
        }
    }

    /// What kind of number it is, if it is one.
    pub fn number(&self) -> Option<NumberKind> {
        match self {
            Ty::Int(i) => Some(NumberKind::Int(i.kind())),
            Ty::Float(f) => Some(NumberKind::Float(*f)),
            _ => None,
        }
    }

    /// How a scalar sits in a register.
    pub fn kind(&self) -> IntKind {
        match self {
            Ty::Int(i) => i.kind(),
            Ty::Float(FloatKind::Single) => IntKind::U32,
            _ => IntKind::U64,
        }
    }
}

/// All records of a program; sizes need it.
#[derive(Clone, Debug, Default)]
pub struct Records(pub Vec<Record>);

impl Records {
    /// Whether two structs or unions are compatible, as those of different files are that were read
    /// from the same header: the same tag, and the same members at the same places.
    pub fn alike(&self, a: usize, b: usize) -> bool {
        a == b || self.alike_within(a, b, 8)
    }

    fn alike_within(&self, a: usize, b: usize, depth: usize) -> bool {
        let (x, y) = (&self.0[a], &self.0[b]);
        let shape = |r: &Record| (r.union, r.size, r.align, r.packed, r.complete, r.fields.len());
        let same = |(f, g): (&Field, &Field)| {
            (&f.name, f.offset, f.bits) == (&g.name, g.offset, g.bits)
                && f.ty.quals == g.ty.quals
                && self.alike_types(&f.ty.ty, &g.ty.ty, depth)
        };
        x.tag == y.tag && shape(x) == shape(y) && x.fields.iter().zip(&y.fields).all(same)
    }

    fn alike_types(&self, a: &Ty, b: &Ty, depth: usize) -> bool {
        match (a, b) {
            (Ty::Record(a), Ty::Record(b)) if depth > 0 => a == b || self.alike_within(*a, *b, depth - 1),
            // Whatever they point to, they are pointers.
            (Ty::Pointer(_), Ty::Pointer(_)) => true,
            (Ty::Array(a, n), Ty::Array(b, m)) => n == m && self.alike_types(&a.ty, &b.ty, depth),
            (a, b) => a == b,
        }
    }

    /// `None` for incomplete types, functions and sizes beyond all measure.
    pub fn size(&self, ty: &Ty) -> Option<u64> {
        match ty {
            Ty::Void => Some(1),
            Ty::Int(i) => Some(i.size()),
            Ty::Float(f) => Some(u64::from(f.size())),
            Ty::Opaque(o) => Some(o.size()),
            Ty::Pointer(_) => Some(8),
            Ty::Array(e, n) => self.size(&e.ty)?.checked_mul((*n)?),
            Ty::Function(_) => Some(1),
            Ty::Record(r) => self.0[*r].complete.then_some(self.0[*r].size),
        }
    }

    pub fn align(&self, ty: &QTy) -> u64 {
        match &ty.ty {
            Ty::Void | Ty::Function(_) => 1,
            Ty::Int(i) => i.size(),
            Ty::Float(f) => u64::from(f.size()),
            Ty::Opaque(o) => o.align(),
            Ty::Pointer(_) => 8,
            Ty::Array(e, _) => self.align(e),
            Ty::Record(r) if ty.quals.atomic && matches!(self.0[*r].size, 1 | 2 | 4 | 8 | 16) => {
                self.0[*r].size.max(self.0[*r].align)
            }
            Ty::Record(r) => self.0[*r].align.max(1),
        }
    }

    /// The field of that name, looking into anonymous members: its path of offsets summed up.
    pub fn field(&self, record: usize, name: &str) -> Option<Field> {
        for field in &self.0[record].fields {
            match (&field.name, &field.ty.ty) {
                (Some(n), _) if **n == *name => return Some(field.clone()),
                (None, Ty::Record(inner)) => {
                    if let Some(mut found) = self.field(*inner, name) {
                        found.offset += field.offset;
                        if let Some(bits) = &mut found.bits {
                            bits.offset += field.offset;
                        }
                        found.ty.quals.konst |= field.ty.quals.konst;
                        return Some(found);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The names of all members, those of anonymous members included.
    pub fn names(&self, record: usize, out: &mut Vec<Name>) {
        for field in &self.0[record].fields {
            match (&field.name, &field.ty.ty) {
                (Some(name), _) => out.push(name.clone()),
                (None, Ty::Record(inner)) => self.names(*inner, out),
                _ => {}
            }
        }
    }

    /// The cells of an object of this type.
    pub fn layout(&self, ty: &QTy) -> Layout {
        let mut element = ty;
        let mut stride = 0;
        while let Ty::Array(inner, _) = &element.ty {
            element = inner;
            stride = self.size(&element.ty).unwrap_or(0);
        }
        let mut cells = Vec::new();
        self.cells(element, 0, &mut cells);
        Layout::new(stride as u32, cells)
    }

    /// Cells of a heap block: the type, repeated; of a struct with a flexible array, its elements.
    pub fn repeated(&self, ty: &QTy) -> Layout {
        let mut cells = Vec::new();
        self.cells(ty, 0, &mut cells);
        if let Ty::Record(r) = &ty.ty
            && let Some(last) = self.0[*r].fields.last()
            && let Ty::Array(element, None) = &last.ty.ty
        {
            self.cells(element, last.offset, &mut cells);
            let stride = self.size(&element.ty).unwrap_or(0) as u32;
            return Layout::with_tail(last.offset as u32, stride, cells);
        }
        Layout::new(self.size(&ty.ty).unwrap_or(0) as u32, cells)
    }

    fn cells(&self, ty: &QTy, base: u64, out: &mut Vec<Cell>) {
        if out.len() > 4096 {
            return;
        }
        let mut push = |offset: u64, size: u64, atomic: bool| {
            out.push(Cell::of(offset as u32, size as u8, atomic));
        };
        match &ty.ty {
            Ty::Int(_) | Ty::Float(_) | Ty::Pointer(_) => {
                push(base, self.size(&ty.ty).unwrap_or(1), ty.quals.atomic)
            }
            Ty::Record(r) if ty.quals.atomic && self.0[*r].size <= 16 => push(base, self.0[*r].size, true),
            Ty::Record(r) => {
                for field in &self.0[*r].fields {
                    match field.bits {
                        Some(bits) => out.push(Cell::of((base + bits.offset) as u32, bits.size, false)),
                        None => self.cells(&field.ty, base + field.offset, out),
                    }
                }
            }
            Ty::Array(element, count) => {
                let size = self.size(&element.ty).unwrap_or(0);
                for i in 0..count.unwrap_or(0) {
                    if out.len() > 4096 {
                        return;
                    }
                    self.cells(element, base + i * size, out);
                }
            }
            Ty::Opaque(_) | Ty::Void | Ty::Function(_) => {}
        }
    }

    /// What the parts are called.
    pub fn shape(&self, ty: &QTy) -> Shape {
        match &ty.ty {
            Ty::Int(i) => Shape::Scalar { size: i.size() as u8, signed: i.signed(), pointer: false },
            Ty::Float(f) => Shape::Scalar { size: f.size(), signed: false, pointer: false },
            Ty::Pointer(_) => Shape::Scalar { size: 8, signed: false, pointer: true },
            Ty::Array(element, count) => Shape::Array {
                element: Box::new(self.shape(element)),
                count: count.unwrap_or(0) as u32,
                stride: self.size(&element.ty).unwrap_or(0) as u32,
            },
            Ty::Record(r) => Shape::Struct {
                tag: self.0[*r].tag.as_deref().unwrap_or("").into(),
                fields: self.0[*r]
                    .fields
                    .iter()
                    .map(|f| {
                        let name = f.name.as_deref().unwrap_or("").to_string();
                        match f.bits {
                            Some(b) => (
                                name,
                                b.offset as u32,
                                Shape::Scalar { size: b.size, signed: false, pointer: false },
                            ),
                            None => (name, f.offset as u32, self.shape(&f.ty)),
                        }
                    })
                    .collect(),
            },
            Ty::Opaque(_) | Ty::Void | Ty::Function(_) => Shape::Bytes,
        }
    }

    /// The type as C writes it, roughly.
    pub fn show(&self, ty: &QTy) -> String {
        let atomic = if ty.quals.atomic { "_Atomic " } else { "" };
        let konst = if ty.quals.konst { "const " } else { "" };
        let body = match &ty.ty {
            Ty::Void => "void".into(),
            Ty::Int(i) => match i {
                IntTy::Bool => "_Bool",
                IntTy::Char => "char",
                IntTy::SChar => "signed char",
                IntTy::UChar => "unsigned char",
                IntTy::Short => "short",
                IntTy::UShort => "unsigned short",
                IntTy::Int => "int",
                IntTy::UInt => "unsigned int",
                IntTy::Long => "long",
                IntTy::ULong => "unsigned long",
                IntTy::LongLong => "long long",
                IntTy::ULongLong => "unsigned long long",
            }
            .to_string(),
            Ty::Float(FloatKind::Single) => "float".into(),
            Ty::Float(FloatKind::Double) => "double".into(),
            Ty::Opaque(o) => o.spelling().into(),
            Ty::Pointer(t) => format!("{} *", self.show(t)),
            Ty::Array(t, Some(n)) => format!("{}[{n}]", self.show(t)),
            Ty::Array(t, None) => format!("{}[]", self.show(t)),
            Ty::Function(f) => format!("{}()", self.show(&f.ret)),
            Ty::Record(r) => {
                let word = if self.0[*r].union { "union" } else { "struct" };
                format!("{word} {}", self.0[*r].tag.as_deref().unwrap_or("{…}"))
            }
        };
        format!("{atomic}{konst}{body}")
    }
}

/// Places the members of a record one after another.
pub struct Packer {
    union: bool,
    /// The next free bit.
    at: u64,
    end: u64,
    pub align: u64,
    pub fields: Vec<Field>,
    /// Fields of the run of bit-fields that is open, and its first bit.
    run: Vec<usize>,
    run_start: u64,
    packed: bool,
}

impl Packer {
    pub fn new(union: bool, packed: bool) -> Self {
        Packer { packed, union, at: 0, end: 0, align: 1, fields: Vec::new(), run: Vec::new(), run_start: 0 }
    }

    pub fn field(&mut self, name: Option<Name>, ty: QTy, size: u64, align: u64) {
        self.close_run();
        let align = if self.packed { 1 } else { align };
        let offset = if self.union { 0 } else { self.at.div_ceil(8).next_multiple_of(align) };
        self.align = self.align.max(align);
        let unaligned = self.packed && ty.ty.is_scalar() && size > 1;
        let bits = unaligned.then(|| {
            let (size, width) = (size as u8, 8 * size as u8);
            Bits { offset, size, shift: 0, width, unaligned: true }
        });
        self.fields.push(Field { name, ty, offset, bits });
        self.at = 8 * (offset + size);
        self.end = self.end.max(self.at);
    }

    pub fn bits(&mut self, name: Option<Name>, ty: QTy, unit: u64, width: u64) {
        if self.union {
            self.close_run();
            self.at = 0;
        }
        let unit_bits = 8 * unit;
        if width == 0 {
            self.close_run();
            self.at = self.at.next_multiple_of(unit_bits);
            return;
        }
        if self.at / unit_bits != (self.at + width - 1) / unit_bits {
            self.at = self.at.next_multiple_of(unit_bits);
        }
        // A run is accessed in one word: it must not outgrow eight aligned bytes.
        if !self.run.is_empty() && self.run_start / 64 != (self.at + width - 1) / 64 {
            self.close_run();
        }
        if self.run.is_empty() {
            self.run_start = self.at / 8 * 8;
        }
        if name.is_some() {
            self.align = self.align.max(unit);
            self.run.push(self.fields.len());
            let bits = Bits {
                offset: self.run_start / 8,
                size: 0,
                shift: (self.at - self.run_start) as u8,
                width: width as u8,
                unaligned: self.packed,
            };
            self.fields.push(Field { name, ty, offset: self.run_start / 8, bits: Some(bits) });
        }
        self.at += width;
        self.end = self.end.max(self.at);
    }

    /// Now the size of the run is known.
    fn close_run(&mut self) {
        let last = self.run.last().and_then(|&i| self.fields[i].bits);
        if let Some(last) = last {
            let size = (u64::from(last.shift) + u64::from(last.width)).div_ceil(8) as u8;
            for i in self.run.drain(..) {
                if let Some(bits) = &mut self.fields[i].bits {
                    bits.size = size;
                }
            }
        }
        self.run.clear();
    }

    /// The size, rounded up to the alignment.
    pub fn finish(&mut self) -> u64 {
        self.close_run();
        self.end.div_ceil(8).next_multiple_of(self.align)
    }
}
