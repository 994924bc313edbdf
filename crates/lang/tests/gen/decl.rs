//! What is in scope, the struct types of a program, and how objects are initialised.

use super::expr::{Expr, Exprs};
use super::integer::{ALL, Integer, Range};
use lineal_sweep::Choices;

/// An lvalue of integer type.
#[derive(Clone, Debug)]
pub struct Place {
    pub text: String,
    pub ty: Integer,
    /// The width, if it is a bit-field.
    pub bits: Option<u32>,
    pub writable: bool,
}

impl Place {
    pub fn range(&self) -> Range {
        match self.bits {
            None => self.ty.range(),
            Some(_) if self.ty == Integer::Bool => Range::new(0, 1),
            Some(w) if self.ty.signed() => Range::new(-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1),
            Some(w) => Range::new(0, (1i128 << w) - 1),
        }
    }

    /// The type in which it takes part in arithmetic, before promotion. A bit-field that fits into
    /// an int counts as int.
    pub fn operand(&self) -> Integer {
        match self.bits {
            Some(32) if !self.ty.signed() => Integer::UInt,
            Some(_) if self.ty.bits() < 64 => Integer::Int,
            _ => self.ty,
        }
    }

    /// As an operand of the compound assignments.
    pub fn as_expr(&self) -> Expr {
        Expr::new(self.text.clone(), self.operand(), self.range())
    }

    /// A bit-field of a 64-bit type, whose arithmetic compilers disagree about.
    pub fn is_wide_bits(&self) -> bool {
        self.bits.is_some() && self.ty.bits() == 64
    }
}

#[derive(Clone, Debug)]
pub struct Array {
    pub text: String,
    pub ty: Integer,
    pub dims: Vec<usize>,
}

/// An lvalue of struct type.
#[derive(Clone, Debug)]
pub struct Object {
    pub text: String,
    pub of: usize,
}

/// A pointer to an integer that exists as long as the pointer is in scope.
#[derive(Clone, Debug)]
pub struct Pointer {
    pub text: String,
    pub ty: Integer,
}

#[derive(Clone, Debug)]
pub enum Member {
    Int(Integer),
    Bits(Integer, u32),
    Array(Integer, usize),
    Struct(usize),
    Pointer(Integer),
}

#[derive(Clone, Debug)]
pub struct Struct {
    /// `struct S1`, with its prefix.
    pub name: String,
    pub members: Vec<(String, Member)>,
    pub definition: String,
}

#[derive(Default)]
pub struct Names {
    pub prefix: String,
    pub structs: Vec<Struct>,
    pub constants: Vec<(String, i128)>,
    pub scalars: Vec<Place>,
    pub arrays: Vec<Array>,
    pub objects: Vec<Object>,
    /// Lvalues of the one union type.
    pub unions: Vec<String>,
    pub pointers: Vec<Pointer>,
    /// Pointers to pointers.
    pub doubles: Vec<Pointer>,
    /// Locals whose address may be taken.
    pub targets: Vec<Pointer>,
}

/// How far each list reached when a block began.
#[derive(Clone, Copy)]
pub struct Mark([usize; 7]);

impl Names {
    pub fn mark(&self) -> Mark {
        Mark([
            self.scalars.len(),
            self.arrays.len(),
            self.objects.len(),
            self.unions.len(),
            self.pointers.len(),
            self.doubles.len(),
            self.targets.len(),
        ])
    }

    pub fn close(&mut self, mark: Mark) {
        self.scalars.truncate(mark.0[0]);
        self.arrays.truncate(mark.0[1]);
        self.objects.truncate(mark.0[2]);
        self.unions.truncate(mark.0[3]);
        self.pointers.truncate(mark.0[4]);
        self.doubles.truncate(mark.0[5]);
        self.targets.truncate(mark.0[6]);
    }

    /// The global scalar of this type: its address is always a valid target.
    pub fn anchor(&self, ty: Integer) -> String {
        let k = ALL.iter().position(|t| *t == ty).unwrap_or(0);
        format!("{}g{k}", self.prefix)
    }

    /// Invents a struct type; it may contain earlier ones.
    pub fn define_struct(&mut self, random: &mut Choices) {
        let index = self.structs.len();
        let name = format!("struct {}S{index}", self.prefix);
        let mut text = format!("{name} {{\n");
        let mut members = Vec::new();
        for k in 0..random.range(2, 6) {
            let field = format!("m{k}");
            let ty = *random.pick_ref(&ALL);
            let member = match random.below(10) {
                0..3 => Member::Int(ty),
                3..7 => {
                    if random.chance(12) {
                        text += "    unsigned : 0;\n";
                    } else if random.chance(12) {
                        text += "    int : 5;\n";
                    }
                    let most = i64::from(ty.bits());
                    Member::Bits(
                        ty,
                        random.range(1, most.min(if ty.bits() == 64 { 50 } else { most })) as u32,
                    )
                }
                7 => Member::Array(ty, *random.pick_ref(&[2, 3, 4])),
                8 if index > 0 => Member::Struct(random.below(index)),
                _ => Member::Pointer(ty),
            };
            text += &match &member {
                Member::Int(ty) => format!("    {} {field};\n", ty.name()),
                Member::Bits(ty, w) => format!("    {} {field} : {w};\n", ty.name()),
                Member::Array(ty, n) => format!("    {} {field}[{n}];\n", ty.name()),
                Member::Struct(s) => format!("    {} {field};\n", self.structs[*s].name),
                Member::Pointer(ty) => format!("    {} *{field};\n", ty.name()),
            };
            members.push((field, member));
        }
        self.structs.push(Struct { name, members, definition: text + "};\n" });
    }
}

impl Exprs<'_> {
    /// Some integer lvalue in scope.
    pub fn place(&mut self, writing: bool) -> Option<Place> {
        for _ in 0..8 {
            let found = match self.random.below(12) {
                0..4 => self.pick_scalar(writing),
                4..6 => self.pick_element(),
                6..9 => self.pick_member(),
                9 => self.pick_union(),
                10 => self.pick_target(),
                _ => self.pick_double(),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn pick_scalar(&mut self, writing: bool) -> Option<Place> {
        let usable: Vec<usize> =
            (0..self.names.scalars.len()).filter(|i| !writing || self.names.scalars[*i].writable).collect();
        if usable.is_empty() {
            return None;
        }
        // The newest names are the locals: use them more.
        let i =
            usable[usable.len() - 1 - self.random.below(usable.len()).min(self.random.below(usable.len()))];
        Some(self.names.scalars[i].clone())
    }

    fn pick_element(&mut self) -> Option<Place> {
        if self.names.arrays.is_empty() {
            return None;
        }
        let a = self.random.pick_ref(&self.names.arrays).clone();
        let mut text = a.text.clone();
        if a.dims.len() == 1 && self.random.chance(40) {
            let i = self.index(a.dims[0]);
            text = match self.random.below(3) {
                0 => format!("(*({text} + {i}))"),
                1 => format!("{i}[{text}]"),
                _ => format!("(&{text}[{}])[-1 + (int){i}]", 1),
            };
        } else {
            for n in &a.dims {
                text += &format!("[{}]", self.index(*n));
            }
        }
        Some(Place { text, ty: a.ty, bits: None, writable: true })
    }

    fn pick_member(&mut self) -> Option<Place> {
        if self.names.objects.is_empty() {
            return None;
        }
        let o = self.random.pick_ref(&self.names.objects).clone();
        Some(self.member_of(&o.text, o.of))
    }

    fn member_of(&mut self, object: &str, of: usize) -> Place {
        let (name, member) = self.random.pick_ref(&self.names.structs[of].members).clone();
        let text = match object.strip_prefix("(*").and_then(|s| s.strip_suffix(')')) {
            Some(p) if self.random.chance(70) => format!("{p}->{name}"),
            _ => format!("{object}.{name}"),
        };
        let plain = |text, ty| Place { text, ty, bits: None, writable: true };
        match member {
            Member::Int(ty) => plain(text, ty),
            Member::Bits(ty, w) => Place { text, ty, bits: Some(w), writable: true },
            Member::Array(ty, n) => {
                let i = self.index(n);
                plain(format!("{text}[{i}]"), ty)
            }
            Member::Struct(s) => self.member_of(&text, s),
            Member::Pointer(ty) => plain(format!("(*{text})"), ty),
        }
    }

    fn pick_union(&mut self) -> Option<Place> {
        if self.names.unions.is_empty() {
            return None;
        }
        let u = self.random.pick_ref(&self.names.unions).clone();
        let (text, ty, bits) = match self.random.below(9) {
            0 => (format!("{u}.w"), Integer::ULLong, None),
            1 | 2 => (format!("{u}.b[{}]", self.index(8)), Integer::UChar, None),
            3 => (format!("{u}.h[{}]", self.index(4)), Integer::UShort, None),
            4 => (format!("{u}.i[{}]", self.index(2)), Integer::Int, None),
            5 => (format!("{u}.lo"), Integer::UInt, None),
            6 => (format!("{u}.s"), Integer::Short, None),
            7 => (format!("{u}.f.a"), Integer::UInt, Some(3)),
            _ => (format!("{u}.f.b"), Integer::Int, Some(11)),
        };
        Some(Place { text, ty, bits, writable: true })
    }

    fn pick_target(&mut self) -> Option<Place> {
        if self.names.pointers.is_empty() {
            return None;
        }
        let p = self.random.pick_ref(&self.names.pointers).clone();
        let text = if self.random.chance(80) { format!("(*{})", p.text) } else { format!("{}[0]", p.text) };
        Some(Place { text, ty: p.ty, bits: None, writable: true })
    }

    fn pick_double(&mut self) -> Option<Place> {
        if self.names.doubles.is_empty() {
            return None;
        }
        let p = self.random.pick_ref(&self.names.doubles).clone();
        Some(Place { text: format!("(**{})", p.text), ty: p.ty, bits: None, writable: true })
    }

    /// The address of something that outlives the current block, and the type it points to.
    pub fn address(&mut self, wanted: Option<Integer>) -> (String, Integer) {
        let mut found: Vec<(String, Integer)> = Vec::new();
        for t in &self.names.targets {
            found.push((format!("&{}", t.text), t.ty));
        }
        let locals_only =
            found.iter().any(|(_, ty)| wanted.is_none_or(|w| w == *ty)) && self.random.chance(50);
        for a in self.names.arrays.iter().filter(|_| !locals_only) {
            let at: String = a.dims.iter().map(|n| format!("[{}]", n - 1)).collect();
            found.push((format!("&{}{at}", a.text), a.ty));
        }
        for o in self.names.objects.iter().filter(|_| !locals_only) {
            for (name, member) in &self.names.structs[o.of].members {
                match member {
                    Member::Int(ty) => found.push((format!("&{}.{name}", o.text), *ty)),
                    Member::Array(ty, _) => found.push((format!("{}.{name}", o.text), *ty)),
                    Member::Pointer(ty) => found.push((format!("{}.{name}", o.text), *ty)),
                    _ => {}
                }
            }
        }
        found.retain(|(_, ty)| wanted.is_none_or(|w| w == *ty));
        if found.is_empty() || self.random.chance(20) {
            let ty = wanted.unwrap_or_else(|| *self.random.pick_ref(&ALL));
            return (format!("&{}", self.names.anchor(ty)), ty);
        }
        self.random.pick_ref(&found).clone()
    }

    /// An initialiser for a struct, in braces. At file scope only constants are allowed.
    pub fn braces(&mut self, of: usize, constant: bool) -> String {
        let members = self.names.structs[of].members.clone();
        let designated = self.random.chance(50);
        let mut parts = Vec::new();
        for (name, member) in &members {
            // Pointers are never left out: they must not be null.
            let pointer = self.holds_pointer(member);
            if designated && !pointer && self.random.chance(25) {
                continue;
            }
            let value = match member {
                Member::Int(_) | Member::Bits(..) => self.initial(constant),
                Member::Array(_, n) => {
                    let some = self.random.below(*n) + 1;
                    let items: Vec<String> = (0..some).map(|_| self.initial(constant)).collect();
                    if self.random.chance(30) {
                        format!("{{ [{}] = {} }}", n - 1, items[0])
                    } else {
                        format!("{{ {} }}", items.join(", "))
                    }
                }
                Member::Struct(s) => self.braces(*s, constant),
                Member::Pointer(ty) => format!("&{}", self.names.anchor(*ty)),
            };
            parts.push(if designated { format!(".{name} = {value}") } else { value });
        }
        if designated {
            let by = self.random.below(parts.len().max(1));
            parts.rotate_left(by);
        }
        if parts.is_empty() { "{ 0 }".to_string() } else { format!("{{ {} }}", parts.join(", ")) }
    }

    pub fn initial(&mut self, constant: bool) -> String {
        if constant { self.constant().text } else { self.any(1).text }
    }

    fn holds_pointer(&self, member: &Member) -> bool {
        match member {
            Member::Pointer(_) => true,
            Member::Struct(s) => self.names.structs[*s].members.iter().any(|(_, m)| self.holds_pointer(m)),
            _ => false,
        }
    }
}
