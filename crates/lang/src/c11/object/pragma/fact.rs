//! `lemma NAME: …` and `axiom NAME: …`: what is said about the steps of an object, for proofs.
//!
//! ```text
//! fact        := NAME ":" part ("," part)* "=>" conclusion
//! part        := step | atom
//! step        := ["acquire" | "release"] ("read" | "write" | "store" | "update") NAME
//!                "of" LOCATION ["in" OPERATION] ["by" STEP]
//! atom        := ["not"] (STEP ("<" | "<=" | ">" | ">=") STEP | value COMPARE value
//!                | STEP "at" STEP | STEP "reads" STEP | STEP "with" STEP)
//! value       := (STEP "." ("old" | "new") | NUMBER) ["+" NUMBER] ["%" NUMBER]
//! conclusion  := alternative ("or" alternative)*
//!                | STEP "tells" STEP | STEP "->" STEP | STEP "then" "update"
//! alternative := ["some" step ("and" atom)* | atom ("and" atom)*]
//! ```

use super::Reader;
use lineal_model::fact::{Alternative, Atom, Compare, Conclusion, Does, Fact, Step, Value, Which};
use lineal_model::object::Object;

const FORM: &str = "a lemma is: lemma NAME: STEP, …, CONDITION, … => CONCLUSION, as in\n\
lemma grows: write a of count, write b of count, a < b => a.new < b.new";
/// More steps at once would make inductions too large.
const MOST_STEPS: usize = 3;
/// Numbers that proofs compute with.
const LARGEST: i64 = 32;

impl Reader<'_> {
    /// A line of its own.
    pub(super) fn fact(&mut self, granted: bool, text: &str, object: &mut Object) {
        let word = if granted { "axiom" } else { "lemma" };
        match fact(granted, text, object) {
            Ok(mut fact) => {
                fact.at = self.at.clone();
                object.facts.push(fact);
            }
            Err(why) => {
                self.error("L0136", format!("this {word} is not understood: {why}")).help = Some(FORM.into());
            }
        }
    }
}

fn fact(granted: bool, text: &str, object: &Object) -> Result<Fact, String> {
    let Some((name, rest)) = text.split_once(':') else {
        return Err("it has no name with a `:` behind it".into());
    };
    let name = name.trim();
    if name.is_empty() || !name.chars().all(is_part) {
        return Err(format!("`{name}` is no name"));
    }
    if object.facts.iter().any(|f| f.name == name) {
        return Err(format!("there is another one called `{name}`"));
    }
    let mut words = Words { all: words(rest)?, next: 0, steps: Vec::new(), object };
    let mut given = Vec::new();
    loop {
        if words.starts_step() {
            let step = words.step()?;
            words.steps.push(step);
        } else {
            given.push(words.atom()?);
        }
        if words.take("=>") {
            break;
        }
        if words.peek().is_none() {
            return Err("`=>` and what follows is missing at the end".into());
        }
        words.expect(",")?;
    }
    if words.steps.is_empty() || words.steps.len() > MOST_STEPS {
        return Err(format!("it is about one to {MOST_STEPS} steps"));
    }
    let steps = words.steps.clone();
    let conclusion = words.conclusion()?;
    if let Some(more) = words.peek() {
        return Err(format!("nothing is expected where `{more}` stands"));
    }
    let text = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Fact { name: name.into(), granted, text, steps, given, conclusion, at: object.at.clone() })
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn words(text: &str) -> Result<Vec<&str>, String> {
    let mut all = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if is_part(first) {
            rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())
        } else {
            let signs = ["=>", "->", "==", "!=", "<=", ">=", "<", ">", ",", ".", "+", "-", "%", "[", "]"];
            match signs.iter().find(|s| rest.starts_with(**s)) {
                Some(sign) => sign.len(),
                None => return Err(format!("`{first}` means nothing here")),
            }
        };
        all.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    Ok(all)
}

struct Words<'a> {
    all: Vec<&'a str>,
    next: usize,
    steps: Vec<Step>,
    object: &'a Object,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.all.get(self.next).copied()
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) {
            return Ok(());
        }
        Err(match self.peek() {
            Some(other) => format!("`{word}` is expected where `{other}` stands"),
            None => format!("`{word}` is expected at the end"),
        })
    }

    fn word(&mut self, what: &str) -> Result<&'a str, String> {
        match self.peek() {
            Some(word) if word.starts_with(is_part) => {
                self.next += 1;
                Ok(word)
            }
            Some(other) => Err(format!("{what} is expected where `{other}` stands")),
            None => Err(format!("{what} is expected at the end")),
        }
    }

    fn starts_step(&self) -> bool {
        let second = self.all.get(self.next + 1).copied().unwrap_or("");
        self.peek().is_some_and(|w| ["acquire", "release", "read", "write", "store", "update"].contains(&w))
            && second.starts_with(is_part)
            && !["at", "reads", "with", "tells", "then"].contains(&second)
    }

    fn step(&mut self) -> Result<Step, String> {
        let (mut acquires, mut releases) = (false, false);
        let does = loop {
            match self.word("read, write, store or update")? {
                "acquire" => acquires = true,
                "release" => releases = true,
                "read" => break Does::Read,
                "write" => break Does::Write,
                "store" => break Does::Store,
                "update" => break Does::Update,
                other => return Err(format!("`{other}` is none of read, write, store and update")),
            }
        };
        let name = self.word("a name for the step")?.to_string();
        if self.steps.iter().any(|s| s.name == name) {
            return Err(format!("two steps are called `{name}`"));
        }
        self.expect("of")?;
        let mut location = self.word("a location")?.to_string();
        while self.peek().is_some_and(|w| [".", "["].contains(&w)) {
            if self.take(".") {
                location += &format!(".{}", self.word("a field")?);
            } else {
                self.expect("[")?;
                self.expect("]")?;
                location += "[]";
            }
        }
        let mut step = Step { name, does, acquires, releases, location, operation: None, by: None };
        if self.take("in") {
            let mut name = self.word("an operation")?.to_string();
            while self.take("-") {
                name += &format!("-{}", self.word("an operation")?);
            }
            if !self.object.operations.iter().any(|o| o.name == name) {
                let all: Vec<&str> = self.object.operations.iter().map(|o| o.name.as_str()).collect();
                return Err(format!("there is no operation `{name}`, but {}", all.join(", ")));
            }
            step.operation = Some(name);
        }
        if self.take("by") {
            let of = self.named()?;
            if self.steps[of].does == Does::Write {
                let name = &self.steps[of].name;
                return Err(format!(
                    "`{name}` may be the value before the first call, which no call makes: say `store` or `update`"
                ));
            }
            step.by = Some(of);
        }
        Ok(step)
    }

    /// A step that was said before.
    fn named(&mut self) -> Result<usize, String> {
        let name = self.word("a step")?;
        let found = self.steps.iter().position(|s| s.name == name);
        found.ok_or_else(|| format!("there is no step `{name}`"))
    }

    fn number(&mut self) -> Result<i64, String> {
        let word = self.word("a number")?;
        match word.parse() {
            Ok(n) if (0..=LARGEST).contains(&n) => Ok(n),
            _ => Err(format!("`{word}` is no number from 0 to {LARGEST}")),
        }
    }

    fn value(&mut self) -> Result<Value, String> {
        let is_number = self.peek().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
        let mut value = if is_number {
            Value { of: None, add: self.number()?, modulo: None }
        } else {
            let step = self.named()?;
            self.expect(".")?;
            let (does, name) = (self.steps[step].does, self.steps[step].name.clone());
            let which = match (self.word("old or new")?, does) {
                ("old", Does::Read | Does::Update) => Which::Old,
                ("new", Does::Write | Does::Store | Does::Update) => Which::New,
                ("old", _) => return Err(format!("`{name}` need not read: there is `{name}.new`")),
                ("new", _) => return Err(format!("`{name}` need not write: there is `{name}.old`")),
                (other, _) => return Err(format!("a step has `old` and `new`, and no `{other}`")),
            };
            Value { of: Some((step, which)), add: 0, modulo: None }
        };
        if self.take("+") {
            value.add += self.number()?;
        }
        if self.take("%") {
            let n = self.number()?;
            if n < 2 || n.count_ones() != 1 {
                return Err(format!("`% {n}`: proofs know remainders of 2, 4, 8, 16 and 32"));
            }
            value.modulo = Some(n);
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<Atom, String> {
        if self.take("not") {
            return Ok(Atom::Not(Box::new(self.atom()?)));
        }
        let follows = self.all.get(self.next + 1).copied().unwrap_or("");
        let is_number = self.peek().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
        if !is_number && follows != "." {
            let a = self.named()?;
            let sign = self.peek().unwrap_or("");
            self.next += 1;
            let atom = match sign {
                "<" => Atom::Order(a, Compare::Less, self.named()?),
                "<=" => Atom::Order(a, Compare::AtMost, self.named()?),
                ">" => Atom::Order(self.named()?, Compare::Less, a),
                ">=" => Atom::Order(self.named()?, Compare::AtMost, a),
                "at" => Atom::Together(a, self.named()?),
                "with" => Atom::Session(a, self.named()?),
                "reads" if matches!(self.steps[a].does, Does::Read | Does::Update) => {
                    Atom::Reads(a, self.named()?)
                }
                "reads" => return Err(format!("`{}` need not read", self.steps[a].name)),
                "tells" | "->" | "then" => return Err(format!("`{sign}` is for conclusions, by itself")),
                "" => return Err("a condition is cut off".into()),
                other => {
                    return Err(format!(
                        "`{other}` is none of <, <=, >, >=, at, with, reads; values are `{}.old` and `.new`",
                        self.steps[a].name
                    ));
                }
            };
            return Ok(atom);
        }
        let a = self.value()?;
        let sign = self.peek().unwrap_or("");
        self.next += 1;
        let b = self.value()?;
        Ok(match sign {
            "==" => Atom::Values(a, Compare::Equal, b),
            "!=" => Atom::Values(a, Compare::Differ, b),
            "<" => Atom::Values(a, Compare::Less, b),
            "<=" => Atom::Values(a, Compare::AtMost, b),
            ">" => Atom::Values(b, Compare::Less, a),
            ">=" => Atom::Values(b, Compare::AtMost, a),
            other => return Err(format!("`{other}` compares no values: ==, !=, <, <=, >, >=")),
        })
    }

    fn conclusion(&mut self) -> Result<Conclusion, String> {
        let sign = self.all.get(self.next + 1).copied().unwrap_or("");
        if ["tells", "->", "then"].contains(&sign) {
            let a = self.named()?;
            self.next += 1;
            let (does, name) = (self.steps[a].does, &self.steps[a].name);
            let writes = does != Does::Read;
            if sign != "->" && !writes {
                return Err(format!("`{name}` need not write"));
            }
            if sign == "then" {
                self.expect("update")?;
                return Ok(Conclusion::ThenUpdate(a));
            }
            let name = name.clone();
            let b = self.named()?;
            let other = &self.steps[b];
            if other.does == Does::Write || (sign == "->" && does == Does::Write) {
                let which = if other.does == Does::Write { &other.name } else { &name };
                return Err(format!(
                    "`{which}` may be the value before the first call, which no call makes: say `store` or `update`"
                ));
            }
            return Ok(if sign == "->" {
                Conclusion::Before(a, b)
            } else {
                Conclusion::Tells { write: a, step: b }
            });
        }
        let mut all = Vec::new();
        loop {
            let known = self.steps.len();
            let (mut some, mut atoms) = (None, Vec::new());
            if self.take("some") {
                let step = self.step()?;
                if step.by.is_none() {
                    return Err(format!("of which call is `{}`? `by` names a step of it", step.name));
                }
                self.steps.push(step.clone());
                some = Some(step);
            } else {
                atoms.push(self.atom()?);
            }
            while self.take("and") {
                atoms.push(self.atom()?);
            }
            self.steps.truncate(known);
            all.push(Alternative { some, atoms });
            if !self.take("or") {
                return Ok(Conclusion::Either(all));
            }
        }
    }
}
