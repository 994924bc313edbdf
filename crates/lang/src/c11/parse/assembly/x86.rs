//! The instructions of x86 that headers write atomic operations with, as what they are.
//!
//! | template | becomes |
//! | --- | --- |
//! | `lock; cmpxchg %src, %mem`, perhaps with `setz %out` or `sete %out` | a compare-and-swap |
//! | `xchg %reg, %mem` | an exchange |
//! | `lock; xadd %reg, %mem` | fetch-and-add |
//! | `lock; add`, `sub`, `and`, `or`, `xor`, `inc`, `dec` on memory | the same, without a result |
//! | `mov %reg, %mem`, `mov %mem, %reg` | a release store, an acquire load |
//! | `mfence`, `lock; orl $0, (%rsp)` and kin beside one of these | a full barrier |
//! | `syscall` with its registers as Linux wants them | a system call |
//!
//! What is locked is a full barrier as well, like GCC's `__sync_*`; a plain `mov` is stronger on x86
//! than a release or an acquire, so more may happen here than on the processor, never less. A template
//! with anything else in it, an output that no instruction writes, an operand that is evaluated for
//! nothing: `None`, and the whole is refused where it is reached. So is an instruction whose suffix says
//! another size than its memory has.

use super::super::*;

/// How an operand of an instruction is written.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// `%2`: the operand itself.
    Operand(usize),
    /// `(%2)`: what it points to.
    Through(usize),
    /// `$1`.
    Number(u64),
}

struct Instruction<'t> {
    locked: bool,
    name: &'t str,
    places: Vec<Place>,
    /// Bytes, by a modifier of an operand.
    size: Option<u64>,
}

struct Reader<'p, 'a> {
    parser: &'p mut Parser<'a>,
    assembly: &'p Assembly,
    pos: Pos,
    /// Which operands were used, and which outputs written.
    used: Vec<bool>,
    written: Vec<bool>,
    /// That operands have the sizes which instructions say.
    fits: Option<Expr>,
}

impl Parser<'_> {
    /// The template as a statement, if all of it is modelled.
    pub(super) fn x86(&mut self, assembly: &Assembly, pos: Pos) -> Option<StmtKind> {
        let template = assembly.template.to_ascii_lowercase();
        let count = assembly.outputs.len() + assembly.inputs.len();
        let mut reader = Reader {
            parser: self,
            assembly,
            pos,
            used: vec![false; count],
            written: vec![false; assembly.outputs.len()],
            fits: None,
        };
        let whole = StmtKind::Expr(reader.whole(&template)?);
        let Some(fits) = reader.fits else { return Some(whole) };
        let refused = "inline assembly with an operand of another size than the instruction says";
        let statement = |kind: StmtKind| Box::new(Stmt { kind, pos });
        Some(StmtKind::If(fits, statement(whole), Some(statement(StmtKind::Refused(refused)))))
    }
}

impl Reader<'_, '_> {
    fn whole(&mut self, template: &str) -> Option<Expr> {
        let mut pieces: Vec<(bool, &str)> = Vec::new();
        let mut locked = false;
        for piece in template.split([';', '\n']).map(str::trim).filter(|p| !p.is_empty()) {
            let rest = piece.strip_prefix("lock").filter(|r| r.is_empty() || r.starts_with([' ', '\t']));
            locked |= rest.is_some();
            let piece = rest.unwrap_or(piece).trim();
            if !piece.is_empty() {
                pieces.push((std::mem::take(&mut locked), piece));
            }
        }
        let mut accesses = 0;
        let mut all: Option<Expr> = None;
        let mut next = 0;
        while let Some(&(locked, piece)) = pieces.get(next) {
            next += 1;
            let step = if (locked, piece) == (false, "syscall") {
                accesses += 1;
                self.system_call()?
            } else if is_barrier(locked, piece) {
                self.call("__sync_synchronize", vec![])?
            } else {
                let instruction = self.instruction(locked, piece)?;
                accesses += 1;
                let told =
                    pieces.get(next).and_then(|&(l, p)| if l { None } else { p.split_once([' ', '\t']) });
                match told.filter(|(name, _)| matches!(*name, "setz" | "sete")) {
                    Some((_, place)) if instruction.name.starts_with("cmpxchg") => {
                        next += 1;
                        let (place, _) = self.place(place.trim())?;
                        self.compare_and_swap(&instruction, Some(place))?
                    }
                    _ => self.step(&instruction)?,
                }
            };
            all = Some(match all {
                None => step,
                Some(before) => self.make(ExprKind::Comma(Box::new(before), Box::new(step)))?,
            });
        }
        let written = self.written.iter().all(|&w| w);
        let operands = self.assembly.outputs.iter().chain(&self.assembly.inputs);
        let idle = operands.zip(&self.used).filter(|(_, used)| !**used).map(|(o, _)| o);
        // What stands there only to say that memory changes is not evaluated.
        let silent = idle.into_iter().all(|o| is_memory(&o.constraint) && is_pure(&o.value));
        (accesses > 0 && written && silent).then_some(all?)
    }

    fn instruction<'t>(&mut self, locked: bool, piece: &'t str) -> Option<Instruction<'t>> {
        let (name, rest) = piece.split_once([' ', '\t'])?;
        let mut size = None;
        let mut places = Vec::new();
        for text in rest.split(',') {
            let (place, bytes) = self.place(text.trim())?;
            places.push(place);
            size = size.or(bytes);
        }
        Some(Instruction { locked, name, places, size })
    }

    /// `%0`, `%b0`, `%[name]`, `(%0)`, `$1`, and the size that a modifier tells.
    fn place(&self, text: &str) -> Option<(Place, Option<u64>)> {
        if let Some(number) = text.strip_prefix('$') {
            let value = match number.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => number.parse(),
            };
            return Some((Place::Number(value.ok()?), None));
        }
        let through = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let operand = through.unwrap_or(text).strip_prefix('%')?;
        let size = operand.chars().next().and_then(|c| suffix(&c.to_string()));
        let operand = if size.is_some() { &operand[1..] } else { operand };
        let names = self.assembly.outputs.iter().chain(&self.assembly.inputs);
        let number = match operand.strip_prefix('[').and_then(|o| o.strip_suffix(']')) {
            Some(name) => names.map(|o| o.name.as_deref()).position(|n| n == Some(name))?,
            None => operand.parse().ok().filter(|&n: &usize| n < self.used.len())?,
        };
        Some((if through.is_some() { Place::Through(number) } else { Place::Operand(number) }, size))
    }

    fn step(&mut self, i: &Instruction<'_>) -> Option<Expr> {
        let (name, size) = known(i.name)?;
        let size = size.or(i.size);
        match (name, i.locked) {
            ("cmpxchg", true) => self.compare_and_swap(i, None),
            ("xadd", true) => {
                let [reg, memory] = i.places[..] else { return None };
                let (value, out) = (self.value(reg)?, self.target(reg)?);
                let address = self.address(memory)?;
                let old = self.call("__sync_fetch_and_add", vec![address, value])?;
                let whole = self.assign(out, old)?;
                self.sized(whole, memory, size)
            }
            ("xchg", _) => {
                let [first, second] = i.places[..] else { return None };
                let (reg, memory) = if self.in_memory(second) { (first, second) } else { (second, first) };
                let (value, out) = (self.value(reg)?, self.target(reg)?);
                let address = self.address(memory)?;
                let strong = self.number(5);
                let old = self.call("__atomic_exchange_n", vec![address, value, strong])?;
                let whole = self.assign(out, old)?;
                let whole = self.fenced(whole)?;
                self.sized(whole, memory, size)
            }
            ("add" | "sub" | "and" | "or" | "xor", true) => {
                let [source, memory] = i.places[..] else { return None };
                let value = self.value(source)?;
                let address = self.address(memory)?;
                let whole = self.call(&format!("__sync_fetch_and_{name}"), vec![address, value])?;
                self.sized(whole, memory, size)
            }
            ("inc" | "dec", true) => {
                let [memory] = i.places[..] else { return None };
                let (address, one) = (self.address(memory)?, self.number(1));
                let function = if name == "inc" { "__sync_fetch_and_add" } else { "__sync_fetch_and_sub" };
                let whole = self.call(function, vec![address, one])?;
                self.sized(whole, memory, size)
            }
            ("mov", false) => {
                let [from, to] = i.places[..] else { return None };
                let (memory, whole) = match (self.in_memory(from), self.in_memory(to)) {
                    (false, true) => {
                        let value = self.value(from)?;
                        let (address, release) = (self.address(to)?, self.number(3));
                        (to, self.call("__atomic_store_n", vec![address, value, release])?)
                    }
                    (true, false) => {
                        let (address, acquire) = (self.address(from)?, self.number(2));
                        let loaded = self.call("__atomic_load_n", vec![address, acquire])?;
                        let out = self.target(to)?;
                        (from, self.assign(out, loaded)?)
                    }
                    _ => return None,
                };
                self.sized(whole, memory, size)
            }
            _ => None,
        }
    }

    /// `cmpxchg %src, %mem`: the value to be found is in the accumulator, where the one that was
    /// found comes to stand.
    fn compare_and_swap(&mut self, i: &Instruction<'_>, told: Option<Place>) -> Option<Expr> {
        let ("cmpxchg", size) = known(i.name)? else { return None };
        let ([source, memory], true) = (&i.places[..], i.locked) else { return None };
        let (source, memory) = (*source, *memory);
        let wanted = self.accumulator()?;
        let new = self.value(source)?;
        let address = self.address(memory)?;
        let old = self.assembly.outputs.iter().position(|o| bare(&o.constraint) == "a");
        let whole = match (told, old) {
            (None, None) => self.call("__sync_val_compare_and_swap", vec![address, wanted, new])?,
            (None, Some(old)) => {
                let found = self.call("__sync_val_compare_and_swap", vec![address, wanted, new])?;
                let out = self.target(Place::Operand(old))?;
                self.assign(out, found)?
            }
            (Some(told), None) => {
                let done = self.call("__sync_bool_compare_and_swap", vec![address, wanted, new])?;
                let out = self.target(told)?;
                self.assign(out, done)?
            }
            (Some(told), Some(old)) => {
                let out = self.target(Place::Operand(old))?;
                let before = self.assign(out.clone(), wanted)?;
                let expected = self.make(ExprKind::Unary(Unary::AddressOf, Box::new(out)))?;
                let (weak, strong) = (self.number(0), self.number(5));
                let arguments = vec![address, expected, new, weak, strong.clone(), strong];
                let done = self.call("__atomic_compare_exchange_n", arguments)?;
                let out = self.target(told)?;
                let done = self.assign(out, done)?;
                let whole = self.make(ExprKind::Comma(Box::new(before), Box::new(done)))?;
                self.fenced(whole)?
            }
        };
        self.sized(whole, memory, size.or(i.size))
    }

    /// The number is in `rax`, where the result comes to stand, the arguments in `rdi`, `rsi`, `rdx`, and
    /// then in variables that are bound to `r10`, `r8` and `r9`.
    fn system_call(&mut self) -> Option<Expr> {
        let mut arguments = vec![self.accumulator()?];
        let outputs = self.assembly.outputs.len();
        for (i, register) in ["D", "S", "d", "r", "r", "r"].into_iter().enumerate() {
            let rest = (outputs..self.used.len()).filter(|&n| !self.used[n]);
            let mut fitting = rest.filter(|&n| self.operand(n).constraint == register);
            let Some(n) = fitting.next() else { break };
            debug_assert_eq!(arguments.len(), i + 1);
            arguments.push(self.use_up(n));
        }
        let old = self.assembly.outputs.iter().position(|o| bare(&o.constraint) == "a")?;
        let result = self.call("__lineal_system_call", arguments)?;
        let out = self.target(Place::Operand(old))?;
        self.assign(out, result)
    }

    fn operand(&self, number: usize) -> &Operand {
        let outputs = &self.assembly.outputs;
        outputs.get(number).unwrap_or_else(|| &self.assembly.inputs[number - outputs.len()])
    }

    fn in_memory(&self, place: Place) -> bool {
        match place {
            Place::Operand(n) => is_memory(&self.operand(n).constraint),
            Place::Through(_) => true,
            Place::Number(_) => false,
        }
    }

    /// The output that shares its place with input `number`.
    fn tied(&self, number: usize) -> Option<usize> {
        let constraint = self.operand(number).constraint.as_str();
        if let Some(name) = constraint.strip_prefix('[').and_then(|c| c.strip_suffix(']')) {
            return self.assembly.outputs.iter().position(|o| o.name.as_deref() == Some(name));
        }
        constraint.parse().ok().filter(|&n| n < self.assembly.outputs.len())
    }

    fn use_up(&mut self, number: usize) -> Expr {
        self.used[number] = true;
        self.operand(number).value.clone()
    }

    /// What an operand in a register, or a number, is worth.
    fn value(&mut self, place: Place) -> Option<Expr> {
        let number = match place {
            Place::Number(n) => return Some(self.number(n)),
            Place::Operand(number) if !self.in_memory(place) => number,
            _ => return None,
        };
        let outputs = self.assembly.outputs.len();
        if number >= outputs || self.operand(number).constraint.starts_with('+') {
            return Some(self.use_up(number));
        }
        let input = (outputs..self.used.len()).find(|&i| self.tied(i) == Some(number))?;
        Some(self.use_up(input))
    }

    /// Where a result goes that an instruction leaves in a register.
    fn target(&mut self, place: Place) -> Option<Expr> {
        let Place::Operand(number) = place else { return None };
        let number = if number < self.assembly.outputs.len() { number } else { self.tied(number)? };
        if is_memory(&self.operand(number).constraint) {
            return None;
        }
        self.written[number] = true;
        Some(self.use_up(number))
    }

    /// What is in the accumulator at first.
    fn accumulator(&mut self) -> Option<Expr> {
        let outputs = &self.assembly.outputs;
        if let Some(n) =
            outputs.iter().position(|o| o.constraint.starts_with('+') && bare(&o.constraint) == "a")
        {
            return Some(self.use_up(n));
        }
        let output = outputs.iter().position(|o| bare(&o.constraint) == "a");
        let inputs = outputs.len()..self.used.len();
        let holds = |&i: &usize| {
            bare(&self.operand(i).constraint) == "a" || output.is_some() && self.tied(i) == output
        };
        let input = inputs.into_iter().find(holds)?;
        Some(self.use_up(input))
    }

    fn address(&mut self, place: Place) -> Option<Expr> {
        match place {
            Place::Operand(n) if is_memory(&self.operand(n).constraint) => {
                if let Some(written) = self.written.get_mut(n) {
                    *written = true;
                }
                let memory = self.use_up(n);
                // The same memory is often listed among outputs and inputs.
                for (other, output) in self.assembly.outputs.iter().enumerate() {
                    self.written[other] |= is_memory(&output.constraint) && is_pure(&output.value);
                }
                self.make(ExprKind::Unary(Unary::AddressOf, Box::new(memory)))
            }
            Place::Through(n) => {
                for (other, output) in self.assembly.outputs.iter().enumerate() {
                    self.written[other] |= is_memory(&output.constraint) && is_pure(&output.value);
                }
                match n < self.assembly.outputs.len() {
                    true => None,
                    false => Some(self.use_up(n)),
                }
            }
            _ => None,
        }
    }

    /// Notes the size that the instruction says its memory has.
    fn sized(&mut self, whole: Expr, memory: Place, size: Option<u64>) -> Option<Expr> {
        let Some(size) = size else { return Some(whole) };
        let (Place::Operand(n) | Place::Through(n)) = memory else { return None };
        let mut at = self.operand(n).value.clone();
        if let Place::Through(_) = memory {
            at = self.make(ExprKind::Unary(Unary::Deref, Box::new(at)))?;
        }
        let has = self.make(ExprKind::SizeofExpr(Box::new(at)))?;
        let says = self.number(size);
        let fits = self.make(ExprKind::Binary(Binary::Eq, Box::new(has), Box::new(says)))?;
        self.fits = Some(match self.fits.take() {
            None => fits,
            Some(before) => self.make(ExprKind::And(Box::new(before), Box::new(fits)))?,
        });
        Some(whole)
    }

    fn fenced(&mut self, whole: Expr) -> Option<Expr> {
        let (before, after) =
            (self.call("__sync_synchronize", vec![])?, self.call("__sync_synchronize", vec![])?);
        let whole = self.make(ExprKind::Comma(Box::new(before), Box::new(whole)))?;
        self.make(ExprKind::Comma(Box::new(whole), Box::new(after)))
    }

    fn assign(&mut self, to: Expr, value: Expr) -> Option<Expr> {
        self.make(ExprKind::Assign(None, Box::new(to), Box::new(value)))
    }

    fn number(&mut self, value: u64) -> Expr {
        Expr { kind: ExprKind::Int { value, ty: IntTy::Int }, pos: self.pos, depth: 1 }
    }

    fn call(&mut self, function: &str, arguments: Vec<Expr>) -> Option<Expr> {
        let callee = self.make(ExprKind::Ident(function.into()))?;
        self.make(ExprKind::Call(Box::new(callee), arguments))
    }

    fn make(&mut self, kind: ExprKind) -> Option<Expr> {
        let depth = |e: &Expr| e.depth;
        let height = match &kind {
            ExprKind::Unary(_, e) | ExprKind::SizeofExpr(e) => e.depth,
            ExprKind::Comma(a, b)
            | ExprKind::And(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Assign(_, a, b) => a.depth.max(b.depth),
            ExprKind::Call(_, arguments) => arguments.iter().map(depth).max().unwrap_or(1),
            _ => 0,
        };
        self.parser.make(kind, self.pos, height).ok()
    }
}

/// Bytes of an operand, by a suffix of an instruction or a modifier.
fn suffix(letter: &str) -> Option<u64> {
    match letter {
        "b" => Some(1),
        "w" => Some(2),
        "l" | "k" => Some(4),
        "q" => Some(8),
        _ => None,
    }
}

/// The instruction without its suffix, and the size that tells.
fn known(name: &str) -> Option<(&str, Option<u64>)> {
    const NAMES: [&str; 11] =
        ["cmpxchg", "xchg", "xadd", "add", "sub", "and", "or", "xor", "inc", "dec", "mov"];
    if NAMES.contains(&name) {
        return Some((name, None));
    }
    let (base, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
    (NAMES.contains(&base) && letter != "k").then_some(())?;
    Some((base, Some(suffix(letter)?)))
}

fn is_barrier(locked: bool, piece: &str) -> bool {
    let text: String = piece.replace("%%", "%").split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.replace(", ", ",");
    let nothing = |t: &str| {
        let rest = t.strip_prefix("add").or(t.strip_prefix("or"));
        let rest = rest.and_then(|r| r.strip_prefix(['l', 'q'])).map(str::trim_start);
        let rest = rest.and_then(|r| r.strip_prefix("$0,").or(r.strip_prefix("$0x0,")));
        rest.is_some_and(|r| r.ends_with("(%rsp)") || r.ends_with("(%esp)"))
    };
    text == "mfence" || locked && nothing(&text)
}

/// A constraint without what it says about use.
fn bare(constraint: &str) -> &str {
    constraint.trim_start_matches(['+', '=', '&'])
}

fn is_memory(constraint: &str) -> bool {
    bare(constraint) == "m"
}

/// Whether evaluating it does nothing but to name something.
fn is_pure(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Int { .. } => true,
        ExprKind::Unary(Unary::Deref | Unary::AddressOf | Unary::Plus | Unary::Minus, e)
        | ExprKind::Cast(_, e)
        | ExprKind::Member { base: e, .. } => is_pure(e),
        ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => is_pure(a) && is_pure(b),
        _ => false,
    }
}
