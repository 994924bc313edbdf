//! Expressions that are pure, and defined for all values of the variables they read.
//!
//! Each expression carries its C type and a range that holds its value. Where the range says that
//! a signed operation might overflow, the operands are narrowed first or the operation is made
//! unsigned; divisors and shift counts are built so that they cannot be out of range.

use super::decl::Names;
use super::integer::{ALL, Integer, Range};
use lineal_sweep::Choices;

#[derive(Clone, Debug)]
pub struct Expr {
    /// Needs no parentheses around it.
    pub text: String,
    pub ty: Integer,
    pub range: Range,
}

impl Expr {
    pub fn new(text: impl Into<String>, ty: Integer, range: Range) -> Self {
        Expr { text: text.into(), ty, range }
    }

    fn full(text: String, ty: Integer) -> Self {
        Expr { text, ty, range: ty.range() }
    }
}

pub struct Exprs<'a> {
    pub random: &'a mut Choices,
    pub names: &'a Names,
}

impl Exprs<'_> {
    pub fn any(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(24) {
            0..4 => self.leaf(),
            4..8 => self.arithmetic(depth),
            8..11 => self.bitwise(depth),
            11..13 => self.shift(depth),
            13..15 => self.division(depth),
            15..17 => self.truth(depth),
            17 => self.unary(depth),
            18 | 19 => self.cast(depth),
            20 => self.conditional(depth),
            21 => self.comma(depth),
            22 => self.measure(depth),
            _ => self.literal_object(depth),
        }
    }

    /// Something for an `if`.
    pub fn condition(&mut self) -> String {
        if self.random.chance(70) { self.truth(2).text } else { self.any(2).text }
    }

    fn leaf(&mut self) -> Expr {
        if self.random.chance(35) {
            return self.constant();
        }
        self.read()
    }

    pub fn constant(&mut self) -> Expr {
        const SMALL: [(&str, i128); 15] = [
            ("0", 0),
            ("1", 1),
            ("2", 2),
            ("3", 3),
            ("7", 7),
            ("10", 10),
            ("0x7f", 127),
            ("128", 128),
            ("255", 255),
            ("0400", 256),
            ("32767", 32767),
            ("0xffff", 65535),
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\377'", -1),
        ];
        const LARGE: [(&str, Integer, i128); 13] = [
            ("(-1)", Integer::Int, -1),
            ("2147483647", Integer::Int, i32::MAX as i128),
            ("(-2147483647 - 1)", Integer::Int, i32::MIN as i128),
            ("0x80000000", Integer::UInt, 1 << 31),
            ("4294967295u", Integer::UInt, u32::MAX as i128),
            ("4294967296", Integer::Long, 1 << 32),
            ("(-5L)", Integer::Long, -5),
            ("9223372036854775807L", Integer::Long, i64::MAX as i128),
            ("0x8000000000000000", Integer::ULong, 1 << 63),
            ("3UL", Integer::ULong, 3),
            ("(-9LL)", Integer::LLong, -9),
            ("0xdeadbeefcafeULL", Integer::ULLong, 0xdead_beef_cafe),
            ("18446744073709551615ULL", Integer::ULLong, u64::MAX as i128),
        ];
        match self.random.below(10) {
            0..5 => {
                let (text, v) = *self.random.pick_ref(&SMALL);
                Expr::new(text, Integer::Int, Range::only(v))
            }
            5 | 6 => {
                let (text, ty, v) = *self.random.pick_ref(&LARGE);
                Expr::new(text, ty, Range::only(v))
            }
            7 if !self.names.constants.is_empty() => {
                let (name, v) = self.random.pick_ref(&self.names.constants).clone();
                Expr::new(name, Integer::Int, Range::only(v))
            }
            _ => {
                let v = self.random.range(0, 99);
                Expr::new(v.to_string(), Integer::Int, Range::only(v.into()))
            }
        }
    }

    /// Reads some variable, element, member or target.
    fn read(&mut self) -> Expr {
        if self.random.chance(4) {
            let i = self.any(1).text;
            return Expr::new(format!("\"sample\"[{i} & 3]"), Integer::Char, Range::new(0, 127));
        }
        match self.place(false) {
            Some(place) => match place.bits {
                // Widths beyond int: gcc computes in a type of exactly that width, others do not.
                Some(_) if place.ty.bits() == 64 => {
                    Expr::new(format!("(({}){})", place.ty.name(), place.text), place.ty, place.range())
                }
                Some(_) => Expr::new(format!("(+{})", place.text), place.operand(), place.range()),
                None => Expr::full(place.text, place.ty),
            },
            None => self.constant(),
        }
    }

    /// An index below `len`.
    pub fn index(&mut self, len: usize) -> String {
        if self.random.chance(30) {
            return self.random.below(len).to_string();
        }
        let e = self.any(1).text;
        if len.is_power_of_two() {
            format!("({e} & {})", len - 1)
        } else {
            format!("((unsigned){e} % {len})")
        }
    }

    fn arithmetic(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let op = *self.random.pick_ref(&['+', '-', '*']);
        self.safe(op, a, b)
    }

    /// `a op b` for `+ - *`, with narrowed or unsigned operands where it could overflow.
    fn safe(&mut self, op: char, a: Expr, b: Expr) -> Expr {
        if let Some(e) = combine(op, &a, &b) {
            return e;
        }
        let (a, b) = (self.narrow(a), self.narrow(b));
        if let Some(e) = combine(op, &a, &b) {
            return e;
        }
        let ty = a.ty.promoted().unsigned();
        let a = Expr::new(format!("({}){}", ty.name(), a.text), ty, a.range.converted(ty));
        let a = Expr { text: format!("({})", a.text), ..a };
        combine(op, &a, &b).unwrap_or(a)
    }

    /// The same kind of number, but smaller.
    pub fn narrow(&mut self, e: Expr) -> Expr {
        match self.random.below(4) {
            0 => {
                let ty =
                    *self.random.pick_ref(&[Integer::SChar, Integer::UChar, Integer::Short, Integer::Char]);
                Expr::new(format!("(({}){})", ty.name(), e.text), ty, e.range.converted(ty))
            }
            1 | 2 => {
                let mask = *self.random.pick_ref(&[0xf, 0xff, 0x3ff, 0x7fff]);
                Expr::new(format!("({} & {mask})", e.text), e.ty.common(Integer::Int), Range::new(0, mask))
            }
            _ => {
                let m = *self.random.pick_ref(&[7, 100, 1000]);
                let ty = e.ty.common(Integer::Int);
                let low = if ty.signed() { -(m - 1) } else { 0 };
                Expr::new(format!("({} % {m})", e.text), ty, Range::new(low, m - 1))
            }
        }
    }

    fn bitwise(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let ty = a.ty.common(b.ty);
        let (x, y) = (a.range.converted(ty), b.range.converted(ty));
        let op = *self.random.pick_ref(&['&', '|', '^']);
        let range = match op {
            '&' if x.low >= 0 && y.low >= 0 => Range::new(0, x.high.min(y.high)),
            '&' if x.low >= 0 => Range::new(0, x.high),
            '&' if y.low >= 0 => Range::new(0, y.high),
            '|' | '^' if x.low >= 0 && y.low >= 0 => {
                let top = x.high.max(y.high) as u128;
                Range::new(0, (top + 1).next_power_of_two() as i128 - 1)
            }
            _ => ty.range(),
        };
        Expr::new(format!("({} {op} {})", a.text, b.text), ty, range)
    }

    fn shift(&mut self, depth: u32) -> Expr {
        let (mut a, b) = (self.any(depth - 1), self.any(depth - 1));
        let mut ty = a.ty.promoted();
        let fixed = self.random.chance(50).then(|| self.random.below(ty.bits() as usize) as u32);
        let count = match fixed {
            Some(k) => k.to_string(),
            None => format!("({} & {})", b.text, ty.bits() - 1),
        };
        if self.random.chance(50) {
            let range = match fixed {
                Some(k) => Range::new(a.range.low >> k, a.range.high >> k),
                None => Range::new(a.range.low.min(0), a.range.high.max(0)),
            };
            let text = format!("({} >> {count})", a.text);
            return Expr::new(text, ty, range);
        }
        let most = fixed.unwrap_or(ty.bits() - 1);
        let exact = a.range.low >= 0 && Range::new(0, a.range.high << most).within(ty.range());
        if ty.signed() && !exact {
            ty = ty.unsigned();
            a = Expr::new(format!("(({}){})", ty.name(), a.text), ty, a.range.converted(ty));
        }
        let range = if exact { Range::new(0, a.range.high << most) } else { ty.range() };
        Expr::new(format!("({} << {count})", a.text), ty, range)
    }

    fn division(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let (divisor, range, ty) = match self.random.below(4) {
            0 => {
                let (text, ty, v) =
                    *self.random.pick_ref(&[("7u", Integer::UInt, 7), ("1000UL", Integer::ULong, 1000)]);
                (text.to_string(), Range::only(v), ty)
            }
            1 => {
                let v = *self.random.pick_ref(&[2, 3, 10, 255, -3, -7]);
                (format!("({v})"), Range::only(v), Integer::Int)
            }
            _ => (format!("(({} & 15) + 1)", b.text), Range::new(1, 16), b.ty.common(Integer::Int)),
        };
        let common = a.ty.common(ty);
        let (x, y) = (a.range.converted(common), range.converted(common));
        let most = x.low.abs().max(x.high.abs());
        let low = if x.low < 0 || y.low < 0 { -most } else { 0 };
        if self.random.chance(50) {
            let out = Range::new(low, most).converted(common);
            return Expr::new(format!("({} / {divisor})", a.text), common, out);
        }
        let rest = most.min(y.low.abs().max(y.high.abs()) - 1);
        let out = Range::new(if x.low < 0 { -rest } else { 0 }, rest);
        Expr::new(format!("({} % {divisor})", a.text), common, out)
    }

    fn truth(&mut self, depth: u32) -> Expr {
        let d = depth - 1;
        let (a, b) = (self.any(d).text, self.any(d).text);
        let text = match self.random.below(9) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            2 => format!("(!{a})"),
            3 if !self.names.pointers.is_empty() => {
                let p = self.random.pick_ref(&self.names.pointers);
                let same: Vec<_> = self.names.pointers.iter().filter(|q| q.ty == p.ty).collect();
                let q = same[self.random.below(same.len())];
                format!("({} == {})", p.text, q.text)
            }
            _ => format!("({a} {} {b})", self.random.pick_ref(&["<", "<=", ">", ">=", "==", "!="])),
        };
        Expr::new(text, Integer::Int, Range::new(0, 1))
    }

    fn unary(&mut self, depth: u32) -> Expr {
        let e = self.any(depth - 1);
        let ty = e.ty.promoted();
        match self.random.below(3) {
            0 => {
                let range =
                    if ty.signed() { Range::new(-e.range.high - 1, -e.range.low - 1) } else { ty.range() };
                Expr::new(format!("(~{})", e.text), ty, range)
            }
            1 => {
                let e = if ty.signed() && e.range.low == ty.range().low { self.narrow(e) } else { e };
                let ty = e.ty.promoted();
                let range = Range::new(-e.range.high, -e.range.low).converted(ty);
                if ty.signed() && !Range::new(-e.range.high, -e.range.low).within(ty.range()) {
                    return e;
                }
                Expr::new(format!("(- {})", e.text), ty, range)
            }
            _ => Expr::new(format!("(+{})", e.text), ty, e.range),
        }
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let e = self.any(depth - 1);
        let ty = *self.random.pick_ref(&ALL);
        Expr::new(format!("(({}){})", ty.name(), e.text), ty, e.range.converted(ty))
    }

    fn conditional(&mut self, depth: u32) -> Expr {
        let c = self.condition();
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        let ty = a.ty.common(b.ty);
        let range = a.range.converted(ty).join(b.range.converted(ty));
        Expr::new(format!("({c} ? {} : {})", a.text, b.text), ty, range)
    }

    fn comma(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.any(depth - 1), self.any(depth - 1));
        Expr { text: format!("((void){}, {})", a.text, b.text), ..b }
    }

    /// The size or the type of an expression, which must not be evaluated.
    fn measure(&mut self, depth: u32) -> Expr {
        let e = self.any(depth);
        match self.random.below(3) {
            0 => Expr::new(format!("sizeof({})", e.text), Integer::ULong, Range::only(e.ty.bytes())),
            1 => Expr::new(format!("{}KIND({})", self.names.prefix, e.text), Integer::Int, Range::new(1, 12)),
            _ if !self.names.objects.is_empty() => {
                let o = self.random.pick_ref(&self.names.objects);
                Expr::new(format!("sizeof({})", o.text), Integer::ULong, Range::new(1, 4096))
            }
            _ => Expr::new(format!("sizeof({})", e.ty.name()), Integer::ULong, Range::only(e.ty.bytes())),
        }
    }

    /// A compound literal, or a statement expression.
    fn literal_object(&mut self, depth: u32) -> Expr {
        let e = self.any(depth - 1);
        let ty = *self.random.pick_ref(&ALL);
        match self.random.below(4) {
            0 => Expr::new(format!("({}){{ {} }}", ty.name(), e.text), ty, e.range.converted(ty)).wrapped(),
            1 => {
                let other = self.constant();
                let i = self.index(2);
                let text = format!("({}[]){{ {}, {} }}[{i}]", ty.name(), e.text, other.text);
                Expr::full(text, ty).wrapped()
            }
            2 => {
                let ty = e.ty.promoted();
                let text = format!("({{ {} t_ = {}; t_; }})", ty.name(), e.text);
                Expr::new(text, ty, e.range)
            }
            _ => {
                let i = self.index(4);
                let k = self.random.below(9);
                let text = format!("({}[4]){{ [2] = {}, [0] = {k} }}[{i}]", ty.name(), e.text);
                Expr::full(text, ty).wrapped()
            }
        }
    }
}

impl Expr {
    fn wrapped(self) -> Self {
        Expr { text: format!("({})", self.text), ..self }
    }
}

/// `a op b`, unless a signed result may not fit.
pub fn combine(op: char, a: &Expr, b: &Expr) -> Option<Expr> {
    let ty = a.ty.common(b.ty);
    let (x, y) = (a.range.converted(ty), b.range.converted(ty));
    let range = match op {
        '+' => Range::new(x.low + y.low, x.high + y.high),
        '-' => Range::new(x.low - y.high, x.high - y.low),
        _ => {
            let corners = [(x.low, y.low), (x.low, y.high), (x.high, y.low), (x.high, y.high)];
            let products = corners.map(|(p, q)| p.checked_mul(q).unwrap_or(i128::MAX));
            Range::new(*products.iter().min()?, *products.iter().max()?)
        }
    };
    if ty.signed() && !range.within(ty.range()) {
        return None;
    }
    Some(Expr::new(format!("({} {op} {})", a.text, b.text), ty, range.converted(ty)))
}
