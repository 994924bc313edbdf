//! Statements. All loops end, all locals are initialised, and no two side effects are unsequenced:
//! expressions are pure, so only the outermost operation of a statement writes.

use super::decl::{Array, Names, Object, Place, Pointer};
use super::expr::{Exprs, combine};
use super::integer::{ALL, Integer};
use lineal_sweep::Choices;

#[derive(Clone, Debug)]
pub enum Param {
    Int(Integer),
    Pointer(Integer),
    Struct(usize),
    StructPointer(usize),
}

#[derive(Clone, Debug)]
pub enum Returned {
    Int(Integer),
    Struct(usize),
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<Param>,
    pub returned: Returned,
    /// About how many operations a call takes.
    pub cost: u64,
}

/// Writes the body of one function.
pub struct Body<'a> {
    pub random: &'a mut Choices,
    pub names: &'a mut Names,
    pub callable: &'a [Function],
    pub out: String,
    pub indent: usize,
    fresh: usize,
    /// How often the current place is run at most, and what the function costs so far.
    times: u64,
    pub cost: u64,
    /// Beyond this cost nothing is added.
    limit: u64,
}

impl<'a> Body<'a> {
    pub fn new(random: &'a mut Choices, names: &'a mut Names, callable: &'a [Function], limit: u64) -> Self {
        Body { random, names, callable, out: String::new(), indent: 1, fresh: 0, times: 1, cost: 1, limit }
    }

    pub fn exprs(&mut self) -> Exprs<'_> {
        Exprs { random: self.random, names: self.names }
    }

    pub fn line(&mut self, text: &str) {
        // Without the prefix: a program must not depend on it.
        let prefix = &self.names.prefix;
        let length = if prefix.is_empty() { text.len() } else { text.replace(prefix.as_str(), "").len() };
        self.cost += self.times * (1 + length as u64 / 16);
        self.out += &"    ".repeat(self.indent);
        self.out += text;
        self.out.push('\n');
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn value(&mut self) -> String {
        let depth = self.random.range(1, 3) as u32;
        self.exprs().any(depth).text
    }

    pub fn mix(&mut self, value: &str) {
        let line = format!("{}mix((unsigned long long)({value}));", self.names.prefix);
        self.line(&line);
    }

    pub fn statements(&mut self, count: i64, depth: u32) {
        for _ in 0..count {
            if self.cost > self.limit {
                return;
            }
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(28) {
            0..4 => self.assign(),
            4..6 => self.compound(),
            6 => self.step(),
            7 | 8 => {
                let v = self.value();
                self.mix(&v);
            }
            9 | 10 => self.declare_scalar(),
            11 => self.declare_other(),
            12..15 => self.pointer(),
            15 => self.copy_struct(),
            16 | 17 => self.call(),
            18 => self.walk(),
            _ if depth == 0 => self.assign(),
            19 | 20 => self.branch(depth),
            21 => self.for_loop(depth),
            22 => self.while_loop(depth),
            23 => self.do_loop(depth),
            24 | 25 => self.switch(depth),
            26 => self.forward(depth),
            _ => self.backward(depth),
        }
    }

    fn block(&mut self, count: i64, depth: u32) {
        let mark = self.names.mark();
        self.indent += 1;
        self.statements(count, depth - 1);
        self.indent -= 1;
        self.names.close(mark);
    }

    fn assign(&mut self) {
        let Some(p) = self.exprs().place(true) else { return };
        let v = self.value();
        let text = format!("{} = {v}", p.text);
        if !p.is_wide_bits() && self.random.chance(25) {
            self.mix(&text);
        } else {
            self.line(&format!("{text};"));
        }
    }

    fn compound(&mut self) {
        let Some(p) = self.exprs().place(true) else { return };
        if p.is_wide_bits() {
            let v = self.value();
            return self.line(&format!("{} = {v};", p.text));
        }
        let own = p.operand().promoted();
        let e = self.exprs().any(2);
        let text = match self.random.below(9) {
            0..4 => {
                let op = *self.random.pick_ref(&['+', '-', '*']);
                let small = self.exprs().narrow(e.clone());
                let fits = |v| combine(op, &p.as_expr(), v).is_some();
                match (fits(&e), fits(&small)) {
                    (true, _) => format!("{} {op}= {}", p.text, e.text),
                    (_, true) => format!("{} {op}= {}", p.text, small.text),
                    _ => format!("{} {op}= (unsigned long long){}", p.text, e.text),
                }
            }
            4 => format!("{} &= {}", p.text, e.text),
            5 => format!("{} |= {}", p.text, e.text),
            6 => format!("{} ^= {}", p.text, e.text),
            7 => format!("{} {}= {}", p.text, self.random.pick_ref(&['/', '%']), self.random.range(2, 90)),
            _ if !own.signed() && p.bits.is_none() => {
                format!("{} <<= {}", p.text, self.random.below(own.bits() as usize))
            }
            _ => format!("{} >>= {}", p.text, self.random.below(own.bits() as usize)),
        };
        if self.random.chance(30) { self.mix(&text) } else { self.line(&format!("{text};")) }
    }

    /// `++` and `--`, where the result cannot overflow.
    fn step(&mut self) {
        let Some(p) = self.exprs().place(true) else { return };
        if p.bits.is_some_and(|w| w >= 31) {
            return;
        }
        if p.bits.is_none() && p.ty.signed() && p.ty.promoted() == p.ty {
            let n = self.exprs().narrow(p.as_expr()).text;
            self.line(&format!("{} = {n};", p.text));
        }
        let op = *self.random.pick_ref(&["++", "--"]);
        let text = if self.random.chance(50) { format!("{op}{}", p.text) } else { format!("{}{op}", p.text) };
        if self.random.chance(60) { self.mix(&text) } else { self.line(&format!("{text};")) }
    }

    fn declare_scalar(&mut self) {
        let ty = *self.random.pick_ref(&ALL);
        let v = self.value();
        let name = self.name("v");
        let (storage, v) = match self.random.below(8) {
            0 => ("static ", self.exprs().constant().text),
            1 => ("volatile ", v),
            2 => ("register ", v),
            _ => ("", v),
        };
        self.line(&format!("{storage}{} {name} = {v};", ty.name()));
        // A register has no address and a volatile one another type: neither becomes a target.
        if storage.is_empty() || storage == "static " {
            self.names.targets.push(Pointer { text: name.clone(), ty });
        }
        self.names.scalars.push(Place { text: name, ty, bits: None, writable: true });
    }

    fn declare_other(&mut self) {
        match self.random.below(3) {
            0 => {
                let ty = *self.random.pick_ref(&ALL);
                let dims =
                    if self.random.chance(30) { vec![2, 3] } else { vec![*self.random.pick_ref(&[2, 4, 5])] };
                let name = self.name("arr");
                let size: String = dims.iter().map(|n| format!("[{n}]")).collect();
                let items: Vec<String> =
                    (0..self.random.range(1, dims[dims.len() - 1] as i64)).map(|_| self.value()).collect();
                let inner = items.join(", ");
                let init =
                    if dims.len() == 2 { format!("{{ {{ {inner} }} }}") } else { format!("{{ {inner} }}") };
                self.line(&format!("{} {name}{size} = {init};", ty.name()));
                self.names.arrays.push(Array { text: name, ty, dims });
            }
            1 if !self.names.structs.is_empty() => {
                let of = self.random.below(self.names.structs.len());
                let mut init = self.exprs().braces(of, false);
                let same: Vec<String> =
                    self.names.objects.iter().filter(|o| o.of == of).map(|o| o.text.clone()).collect();
                let ty = self.names.structs[of].name.clone();
                if !same.is_empty() && self.random.chance(30) {
                    init = self.random.pick_ref(&same).clone();
                } else if self.random.chance(30) {
                    init = format!("({ty}){init}");
                }
                let name = self.name("st");
                self.line(&format!("{ty} {name} = {init};"));
                self.names.objects.push(Object { text: name, of });
            }
            _ => {
                let v = self.value();
                let name = self.name("un");
                self.line(&format!("union {}U {name} = {{ .w = {v} }};", self.names.prefix));
                self.names.unions.push(name);
            }
        }
    }

    /// Declares a pointer, or lets one in scope point elsewhere.
    fn pointer(&mut self) {
        if !self.names.pointers.is_empty() && self.random.chance(25) {
            let p = self.random.pick_ref(&self.names.pointers).clone();
            let cond = self.exprs().condition();
            let anchor = self.names.anchor(p.ty);
            return self.line(&format!("{} = {cond} ? &{anchor} : {};", p.text, p.text));
        }
        if !self.names.pointers.is_empty() && self.random.chance(25) {
            let p = self.random.pick_ref(&self.names.pointers).clone();
            let name = self.name("pp");
            self.line(&format!("{} **{name} = &{};", p.ty.name(), p.text));
            return self.names.doubles.push(Pointer { text: name, ty: p.ty });
        }
        let (address, ty) = self.exprs().address(None);
        let name = self.name("p");
        self.line(&format!("{} *{name} = {address};", ty.name()));
        self.names.pointers.push(Pointer { text: name, ty });
    }

    fn copy_struct(&mut self) {
        if self.names.objects.is_empty() {
            return;
        }
        let to = self.random.pick_ref(&self.names.objects).clone();
        let same: Vec<String> =
            self.names.objects.iter().filter(|o| o.of == to.of).map(|o| o.text.clone()).collect();
        let from = self.random.pick_ref(&same).clone();
        let ty = self.names.structs[to.of].name.clone();
        let text = match self.random.below(3) {
            0 => format!("{} = {from};", to.text),
            1 => format!("memmove(&{}, &{from}, sizeof {from});", to.text),
            _ => format!("{} = ({ty}){};", to.text, self.exprs().braces(to.of, false)),
        };
        self.line(&text);
    }

    fn argument(&mut self, p: &Param) -> Option<String> {
        Some(match p {
            Param::Int(_) => self.value(),
            Param::Pointer(ty) => self.exprs().address(Some(*ty)).0,
            Param::Struct(of) | Param::StructPointer(of) => {
                let by_address = matches!(p, Param::StructPointer(_));
                let same: Vec<String> =
                    self.names.objects.iter().filter(|o| o.of == *of).map(|o| o.text.clone()).collect();
                if same.is_empty() || (!by_address && self.random.chance(30)) {
                    let init = self.exprs().braces(*of, false);
                    let literal = format!("({}){init}", self.names.structs[*of].name);
                    if by_address { format!("&{literal}") } else { literal }
                } else {
                    let o = self.random.pick_ref(&same);
                    if by_address { format!("&{o}") } else { o.clone() }
                }
            }
        })
    }

    /// Calls are never mixed with other reads: the order would be unspecified.
    pub fn call(&mut self) {
        if self.callable.is_empty() {
            return self.assign();
        }
        let f = self.random.pick_ref(self.callable).clone();
        if self.cost + self.times * f.cost > self.limit {
            return self.assign();
        }
        self.cost += self.times * f.cost;
        let args: Vec<String> = f.params.iter().filter_map(|p| self.argument(p)).collect();
        let callee = if self.random.chance(15) { format!("(*{})", f.name) } else { f.name.clone() };
        let call = format!("{callee}({})", args.join(", "));
        match f.returned {
            Returned::Int(ty) => {
                let name = self.name("r");
                self.line(&format!("{} {name} = {call};", ty.name()));
                self.names.scalars.push(Place { text: name, ty, bits: None, writable: true });
            }
            Returned::Struct(of) => {
                let name = self.name("st");
                self.line(&format!("{} {name} = {call};", self.names.structs[of].name));
                self.names.objects.push(Object { text: name, of });
            }
        }
    }

    /// Pointers that move along an array, the bytes of an array, or a string.
    fn walk(&mut self) {
        let prefix = self.names.prefix.clone();
        if self.names.arrays.is_empty() || self.random.chance(15) {
            let c = self.name("c");
            return self
                .line(&format!("for (const char *{c} = \"w\\x41lk\"; *{c}; {c}++) {prefix}mix(*{c});"));
        }
        let a = self.random.pick_ref(&self.names.arrays).clone();
        let total: usize = a.dims.iter().product();
        let first: String = a.dims.iter().map(|_| "[0]").collect();
        let (w, ty, text) = (self.name("w"), a.ty.name(), &a.text);
        self.cost += self.times * 8 * total as u64;
        match self.random.below(4) {
            0 if a.dims.len() == 1 => {
                self.line(&format!("for ({ty} *{w} = {text}; {w} != {text} + {total}; ++{w})"));
                self.indent += 1;
                self.mix(&format!("*{w}"));
                self.indent -= 1;
            }
            1 => {
                self.line(&format!("for (unsigned {w} = 0; {w} < sizeof {text}; {w}++)"));
                self.line(&format!("    {prefix}mix(((unsigned char *){text})[{w}]);"));
            }
            2 if total >= 3 && a.dims.len() == 1 => {
                let v = self.value();
                self.line("{");
                self.line(&format!("    {ty} *{w} = &{text}{first};"));
                self.line(&format!("    *{w}++ = {v};"));
                self.line(&format!("    {prefix}mix((unsigned long long)*{w}++);"));
                self.line(&format!("    {prefix}mix((unsigned long long)*--{w});"));
                self.line(&format!(
                    "    {prefix}mix((unsigned long long)(({w} + 1 - {text}) * 10 + ({w} > {text})));"
                ));
                self.line("}");
            }
            _ => {
                self.line(&format!("for (int {w} = {}; {w} >= 0; {w}--)", a.dims[0] - 1));
                self.line(&format!("    {text}[{w}]{} ^= ({ty})({w} * 3);", &first[3..]));
            }
        }
    }

    fn branch(&mut self, depth: u32) {
        let c = self.exprs().condition();
        self.line(&format!("if ({c}) {{"));
        self.block(2, depth);
        if self.random.chance(50) {
            self.line("} else {");
            self.block(2, depth);
        }
        self.line("}");
    }

    fn body_of_loop(&mut self, rounds: u64, depth: u32) {
        let before = self.times;
        self.times *= rounds;
        if self.random.chance(25) {
            let c = self.exprs().condition();
            let word = *self.random.pick_ref(&["break", "continue"]);
            self.line(&format!("    if ({c}) {word};"));
        }
        self.block(2, depth);
        self.times = before;
    }

    fn counter(&mut self, name: &str, ty: Integer) {
        self.names.scalars.push(Place { text: name.to_string(), ty, bits: None, writable: false });
    }

    fn for_loop(&mut self, depth: u32) {
        let (i, n) = (self.name("i"), self.random.range(2, 5));
        let ty = *self.random.pick_ref(&[
            Integer::Int,
            Integer::UInt,
            Integer::UChar,
            Integer::Long,
            Integer::Short,
        ]);
        self.line(&format!("for ({} {i} = 0; {i} < {n}; {i}++) {{", ty.name()));
        let mark = self.names.mark();
        self.counter(&i, ty);
        self.body_of_loop(n as u64, depth);
        self.names.close(mark);
        self.line("}");
    }

    fn while_loop(&mut self, depth: u32) {
        let (w, n) = (self.name("n"), self.random.range(1, 5));
        self.line(&format!("int {w} = {n};"));
        self.counter(&w, Integer::Int);
        self.line(&format!("while ({w}-- > 0) {{"));
        self.body_of_loop(n as u64, depth);
        self.line("}");
    }

    fn do_loop(&mut self, depth: u32) {
        let (w, n) = (self.name("n"), self.random.range(1, 4));
        self.line(&format!("unsigned {w} = 0;"));
        self.counter(&w, Integer::UInt);
        self.line("do {");
        self.body_of_loop(n as u64, depth);
        let c = self.exprs().condition();
        self.line(&format!("}} while (++{w} < {n}u && ({c} || {w} < 2u));"));
    }

    fn switch(&mut self, depth: u32) {
        let e = self.exprs().any(2);
        let m = self.random.range(3, 6);
        let subject = if self.random.chance(60) { format!("{} & {}", e.text, m + 1) } else { e.text };
        self.line(&format!("switch ({subject}) {{"));
        let default = self.random.below(m as usize + 1) as i64;
        let ranged = self.random.chance(30);
        for k in 0..m {
            if k == default {
                self.line("default: ;");
            }
            if ranged && k == m - 1 {
                self.line(&format!("case {k} ... {}: {{", k + 20));
            } else {
                self.line(&format!("case {k}: {{"));
            }
            self.block(1, depth);
            let end = if self.random.chance(70) { "    break; }" } else { "}" };
            self.line(end);
        }
        self.line("}");
    }

    fn forward(&mut self, depth: u32) {
        let l = self.name("skip");
        let c = self.exprs().condition();
        self.line(&format!("if ({c}) goto {l};"));
        self.line("{");
        self.block(2, depth);
        self.line("}");
        self.line(&format!("{l}: ;"));
    }

    fn backward(&mut self, depth: u32) {
        let (l, c, n) = (self.name("again"), self.name("k"), self.random.range(2, 4));
        self.line(&format!("int {c} = 0;"));
        self.counter(&c, Integer::Int);
        self.line(&format!("{l}: ;"));
        self.line("{");
        let before = self.times;
        self.times *= n as u64;
        self.block(2, depth);
        self.times = before;
        self.line("}");
        let cond = self.exprs().condition();
        self.line(&format!("if (++{c} < {n} && {cond}) goto {l};"));
    }
}
