//! Random inline assembly for x86: atomic instructions with operands of all kinds, most of them right.
//!
//! A program has a few global words, one `asm` statement on them, and a `result` that depends on every bit.
//! What is wrong in it (sizes, constraints, missing `lock`) is there to be refused.

use lineal_sweep::Choices;

/// Names and bytes.
const TYPES: [(&str, usize); 12] = [
    ("signed char", 1),
    ("unsigned char", 1),
    ("short", 2),
    ("unsigned short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("long", 8),
    ("unsigned long", 8),
    ("void *", 8),
    ("char", 1),
    ("_Bool", 1),
    ("float", 4),
];

struct Template<'c> {
    choose: &'c mut Choices,
    prefix: String,
    /// The type of the memory, mostly of everything.
    ty: (&'static str, usize),
    globals: Vec<((&'static str, usize), String)>,
    /// Constraint and expression.
    outputs: Vec<(String, String)>,
    inputs: Vec<(String, String)>,
    text: Vec<String>,
    /// Whether an instruction has set flags.
    flags: bool,
}

/// The function `<prefix>main`, with a global `<prefix>result`; that prints it if so asked.
pub fn assembly(choose: &mut Choices, prefix: &str, prints: bool) -> String {
    let ty = if choose.chance(90) { choose.pick(&TYPES[..8]) } else { choose.pick(&TYPES) };
    let prefix = prefix.to_string();
    let mut t = Template {
        choose,
        prefix,
        ty,
        globals: Vec::new(),
        outputs: Vec::new(),
        inputs: Vec::new(),
        text: Vec::new(),
        flags: false,
    };
    t.whole(prints)
}

impl Template<'_> {
    fn whole(&mut self, prints: bool) -> String {
        let memory = self.memory();
        for _ in 0..self.choose.pick(&[1, 1, 1, 2, 3]) {
            self.instruction(&memory);
        }
        if self.flags && self.choose.chance(20) {
            let condition = self.choose.pick(&["z", "e", "nz", "ne"]);
            let ty = self.choose.pick(&TYPES[..8]);
            self.output(&format!("=@cc{condition}"), ty);
        }
        if self.choose.one_in(10) {
            self.text.push(self.choose.pick(&["mfence", "lock; orl $0,(%%rsp)", "pause"]).into());
        }
        // Inputs were numbered from 100, since it was not known how many outputs there would be.
        let mut text = self.text.join("; ");
        for i in (0..self.inputs.len()).rev() {
            text = text.replace(&format!("{}", 100 + i), &format!("{}", self.outputs.len() + i));
        }
        let list = |all: &[(String, String)]| {
            all.iter().map(|(c, e)| format!("\"{c}\"({e})")).collect::<Vec<_>>().join(", ")
        };
        let volatile = if self.choose.chance(90) { "volatile" } else { "" };
        let clobbers = if self.choose.chance(70) { " : \"memory\", \"cc\"" } else { "" };
        let (outputs, inputs) = (list(&self.outputs), list(&self.inputs));
        let p = self.prefix.clone();
        let mut source = format!("unsigned long {p}result;\n");
        for (ty, name) in self.globals.clone() {
            source += &format!("{} {name} = {};\n", ty.0, self.constant(ty));
        }
        source += &format!("__attribute__((noinline)) int {p}main(void)\n{{\n    ");
        source += &format!("__asm__ {volatile}(\"{text}\" : {outputs} : {inputs}{clobbers});\n");
        for ((ty, size), name) in &self.globals {
            let bits = match *ty {
                "float" => format!("(unsigned long)(long){name}"),
                _ => format!("(unsigned long){name} & (~0UL >> {})", 64 - 8 * size),
            };
            source += &format!("    {p}result = {p}result * 1000003 + ({bits});\n");
        }
        if prints {
            source += &format!("    __builtin_printf(\"%lu\\n\", {p}result);\n");
        }
        source + "    return 0;\n}\n"
    }

    fn constant(&mut self, (ty, _): (&str, usize)) -> String {
        let some =
            [0, 1, 2, 3, 5, 127, 128, 255, 256, 65535, 0x7fff_ffff, 0x8000_0000, u64::MAX, u64::MAX - 127];
        let value = if self.choose.chance(80) { self.choose.pick(&some) } else { self.choose.bits() };
        match ty {
            "float" => format!("{}.0f", value % 8),
            "_Bool" => format!("{}", value % 2),
            _ => format!("({ty}){value}UL"),
        }
    }

    fn global(&mut self, ty: (&'static str, usize)) -> String {
        let name = format!("{}g{}", self.prefix, self.globals.len());
        self.globals.push((ty, name.clone()));
        name
    }

    /// Mostly one of the memory's size.
    fn near(&mut self) -> (&'static str, usize) {
        let same: Vec<_> = TYPES.iter().copied().filter(|t| t.1 == self.ty.1).collect();
        match self.choose.below(10) {
            0 => self.choose.pick(&TYPES),
            1..=4 => self.choose.pick(&same),
            _ => self.ty,
        }
    }

    fn output(&mut self, constraint: &str, ty: (&'static str, usize)) -> usize {
        let name = self.global(ty);
        let place = if self.choose.one_in(4) { format!("*(&{name})") } else { name };
        self.outputs.push((constraint.into(), place));
        self.outputs.len() - 1
    }

    fn input(&mut self, constraint: &str, e: String) -> String {
        self.inputs.push((constraint.into(), e));
        format!("{}", 99 + self.inputs.len())
    }

    /// The memory that all instructions access, as it is written.
    fn memory(&mut self) -> String {
        let name = self.global(self.ty);
        match self.choose.below(20) {
            0..=11 => {
                self.outputs.push(("+m".into(), name));
                "%0".into()
            }
            12..=15 => {
                self.outputs.push(("=m".into(), name.clone()));
                if self.choose.chance(60) {
                    self.input("m", name);
                }
                "%0".into()
            }
            16 => format!("%{}", self.input("m", name)),
            17 => {
                let record = format!("*(struct {{ char bytes[{}]; }} *)&{name}", self.ty.1);
                self.outputs.push(("+m".into(), record));
                "%0".into()
            }
            _ => format!("(%{})", self.input("r", format!("&{name}"))),
        }
    }

    fn modifier(&mut self) -> &'static str {
        match self.choose.below(20) {
            0 => self.choose.pick(&["b", "w", "k", "q"]),
            1..=3 => ["", "b", "w", "", "k", "", "", "", "q"][self.ty.1],
            _ => "",
        }
    }

    fn suffix(&mut self) -> &'static str {
        match self.choose.below(10) {
            0 => self.choose.pick(&["b", "w", "l", "q"]),
            1..=4 => ["", "b", "w", "", "l", "", "", "", "q"][self.ty.1],
            _ => "",
        }
    }

    /// A register that is read and written.
    fn both(&mut self) -> String {
        let ty = self.near();
        let n = match self.choose.below(10) {
            0..=4 => {
                let constraint = self.choose.pick(&["+r", "+q", "+&r", "+d"]);
                self.output(constraint, ty)
            }
            5..=8 => {
                let constraint = self.choose.pick(&["=r", "=q", "=&r"]);
                let n = self.output(constraint, ty);
                let other = if self.choose.chance(80) { ty } else { self.near() };
                let e = self.global(other);
                self.input(&n.to_string(), e);
                n
            }
            _ => self.output("=r", ty),
        };
        format!("%{}{n}", self.modifier())
    }

    fn source(&mut self) -> String {
        let ty = self.near();
        let n = match self.choose.below(10) {
            0..=3 => {
                let constraint = self.choose.pick(&["r", "q", "d", "c", "rm"]);
                let e = self.global(ty);
                self.input(constraint, e)
            }
            4 | 5 => {
                let constraint = self.choose.pick(&["ir", "er", "iq"]);
                let e = self.global(ty);
                let e = self.choose.pick(&[e.as_str(), "5", "-3", "100L"]).to_string();
                self.input(constraint, e)
            }
            6 => {
                let e = self.choose.pick(&["5", "-1", "100", "(char)3"]).to_string();
                return format!("%{}", self.input("i", e));
            }
            7 => return self.choose.pick(&["$0", "$1", "$-1", "$0x10", "$010", "$127", "$300"]).into(),
            _ => return self.both(),
        };
        format!("%{}{n}", self.modifier())
    }

    fn instruction(&mut self, memory: &str) {
        let lock = if self.choose.chance(95) { self.choose.pick(&["lock; ", "lock "]) } else { "" };
        let suffix = self.suffix();
        let text = match self.choose.below(20) {
            0..=5 => {
                let name = self.choose.pick(&["add", "sub", "and", "or", "xor"]);
                self.flags = true;
                format!("{lock}{name}{suffix} {}, {memory}", self.source())
            }
            6..=8 => {
                let name = self.choose.pick(&["inc", "dec", "not", "neg"]);
                self.flags = true;
                format!("{lock}{name}{suffix} {memory}")
            }
            9 | 10 => format!("{lock}xadd{suffix} {}, {memory}", self.both()),
            11 | 12 => {
                let register = self.both();
                let turned = self.choose.one_in(3);
                let (a, b) = if turned { (memory, register.as_str()) } else { (register.as_str(), memory) };
                format!("xchg{suffix} {a}, {b}")
            }
            13..=16 => match self.accumulator() {
                true => {
                    self.flags = true;
                    format!("{lock}cmpxchg{suffix} {}, {memory}", self.source())
                }
                false => return,
            },
            17 => format!("mov{suffix} {}, {memory}", self.source()),
            _ => {
                let ty = self.near();
                let constraint = self.choose.pick(&["=r", "=&r", "=q"]);
                let n = self.output(constraint, ty);
                format!("mov{suffix} {memory}, %{}{n}", self.modifier())
            }
        };
        self.text.push(text);
        if self.flags && self.choose.chance(30) {
            let ty = self.choose.pick(&[TYPES[10], TYPES[1], TYPES[4], TYPES[9]]);
            let constraint = self.choose.pick(&["=q", "=r", "+q", "=qm", "=&q"]);
            let n = self.output(constraint, ty);
            let part = self.choose.pick(&["", "", "b"]);
            let name = self.choose.pick(&["setz", "sete", "setne", "setnz"]);
            self.text.push(format!("{name} %{part}{n}"));
        }
    }

    /// What `cmpxchg` compares with; there is one only.
    fn accumulator(&mut self) -> bool {
        if self.outputs.iter().chain(&self.inputs).any(|(c, _)| c.contains('a')) {
            return false;
        }
        let ty = self.near();
        match self.choose.below(8) {
            0..=3 => {
                self.output("+a", ty);
            }
            4 | 5 => {
                self.output("=a", ty);
                let e = self.global(ty);
                self.input("a", e);
            }
            6 => {
                let n = self.output("=a", ty);
                let e = self.global(ty);
                self.input(&n.to_string(), e);
            }
            _ => {
                let e = self.global(ty);
                self.input("a", e);
            }
        }
        true
    }
}
