//! Processes. Operators, loosest first: `|||`, `||`, `[]`, `<>`, `[*]`, `interrupt`, hiding, `;`,
//! guard, prefix.

use super::*;
use lineal_model::process::{Annotation, Choice, Operator, Parallel};

const LEVELS: &[(&str, Operator)] = &[
    ("|||", Operator::Parallel(Parallel::Interleave)),
    ("||", Operator::Parallel(Parallel::Synchronise)),
    ("[]", Operator::Choice(Choice::External)),
    ("<>", Operator::Choice(Choice::Internal)),
    ("[*]", Operator::Choice(Choice::General)),
];

impl Parser<'_> {
    pub(super) fn process(&mut self) -> Parsed<Process> {
        self.nested(|p| p.operator(0))
    }

    fn operator(&mut self, level: usize) -> Parsed<Process> {
        let Some((mark, operator)) = LEVELS.get(level) else { return self.interrupted() };
        let at = self.place();
        let mut operands = vec![self.operator(level + 1)?];
        while self.eat(mark) {
            operands.push(self.operator(level + 1)?);
        }
        if operands.len() == 1 {
            return Ok(operands.remove(0));
        }
        let kind = match operator {
            Operator::Choice(c) => ProcessKind::Choice(*c, operands),
            Operator::Parallel(p) => ProcessKind::Parallel(*p, operands),
        };
        Ok(Process { kind, at })
    }

    fn interrupted(&mut self) -> Parsed<Process> {
        let at = self.place();
        let mut left = self.hidden()?;
        let mut count = 0;
        while self.eat_word("interrupt") {
            count += 1;
            if count > 50 {
                return self.wrong("more than 50 interrupts in a row");
            }
            let right = self.hidden()?;
            left = Process { kind: ProcessKind::Interrupt(Box::new(left), Box::new(right)), at: at.clone() };
        }
        Ok(left)
    }

    fn hidden(&mut self) -> Parsed<Process> {
        let at = self.place();
        let mut process = self.sequence()?;
        let mut count = 0;
        while self.eat("\\") {
            count += 1;
            if count > 50 {
                return self.wrong("more than 50 hidings in a row");
            }
            let sets = self.event_sets()?;
            process = Process { kind: ProcessKind::Hide(Box::new(process), sets), at: at.clone() };
        }
        Ok(process)
    }

    /// `{a, x:{0..2}@e.x}`
    pub(super) fn event_sets(&mut self) -> Parsed<Vec<EventSet>> {
        self.expect("{", "before a set of events")?;
        let mut sets = Vec::new();
        while !self.eat("}") {
            let ranges = if self.starts_ranges() { self.ranges()? } else { Vec::new() };
            let event = self.event()?;
            if event.annotation.is_some() {
                return self.wrong("an event in a set has no annotation: expected `,` or `}`");
            }
            sets.push(EventSet { ranges, event });
            if !self.eat(",") && !self.is("}") {
                return self.wrong("expected `,` or `}` in a set of events");
            }
        }
        Ok(sets)
    }

    fn sequence(&mut self) -> Parsed<Process> {
        let at = self.place();
        let mut parts = vec![self.guarded()?];
        loop {
            // A `;` that ends the definition is left for the caller.
            if !self.is(";") {
                break;
            }
            self.at += 1;
            let ends = self.starts_declaration() || !self.starts_process();
            self.at -= 1;
            if ends {
                break;
            }
            self.at += 1;
            parts.push(self.guarded()?);
        }
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => Ok(Process { kind: ProcessKind::Seq(parts), at }),
        }
    }

    fn starts_process(&self) -> bool {
        match self.peek() {
            Tok::Ident(_) => true,
            Tok::Mark(m) => matches!(*m, "(" | "[" | "{" | "|||" | "||" | "[]" | "<>" | "[*]"),
            _ => false,
        }
    }

    fn guarded(&mut self) -> Parsed<Process> {
        let at = self.place();
        if !self.eat("[") {
            return self.prefixed();
        }
        let condition = self.expr()?;
        self.expect("]", "after the guard")?;
        let body = self.nested(|p| p.guarded())?;
        Ok(Process { kind: ProcessKind::Guard(condition, Box::new(body)), at })
    }

    fn prefixed(&mut self) -> Parsed<Process> {
        let at = self.place();
        let mut prefixes = Vec::new();
        while self.starts_prefix() {
            let at = self.place();
            let action = self.action()?;
            let block = if self.is("{") { Some(self.block()?) } else { None };
            prefixes.push(Prefix { action, block, at });
            self.expect("->", "after the event")?;
        }
        if prefixes.is_empty() {
            return self.single();
        }
        // What follows the arrow may be guarded again: `a -> [b] c -> P`.
        let rest = self.nested(|p| if p.is("[") { p.guarded() } else { p.single() })?;
        Ok(Process { kind: ProcessKind::Prefixes(prefixes, Box::new(rest)), at })
    }

    fn starts_prefix(&self) -> bool {
        match self.peek() {
            Tok::Ident(word) => {
                !matches!(&**word, "if" | "ifa" | "ifb" | "case" | "atomic" | "Stop" | "Skip")
                    && match self.tok(self.at + 1) {
                        Tok::Mark("(") => Annotation::from_word(word).is_some() && self.annotates(),
                        Tok::Mark(m) => matches!(*m, "->" | "." | "{" | "!" | "?" | "["),
                        _ => false,
                    }
            }
            Tok::Mark("{") => true,
            Tok::Mark("(") => self.starts_event_list(),
            _ => false,
        }
    }

    /// `wf(e.(i+1)) ->` or `wf(e) {`: what would be a process is not followed by these.
    fn annotates(&self) -> bool {
        let (mut i, mut depth) = (self.at + 1, 0u32);
        loop {
            match self.tok(i) {
                Tok::Mark("(") => depth += 1,
                Tok::Mark(")") if depth == 1 => break,
                Tok::Mark(")") => depth -= 1,
                Tok::Mark(";") | Tok::End => return false,
                _ => {}
            }
            i += 1;
        }
        matches!(self.tok(i + 1), Tok::Mark("->" | "{"))
    }

    /// `(a, b.1) ->`
    fn starts_event_list(&self) -> bool {
        let (mut i, mut depth, mut comma) = (self.at, 0u32, false);
        loop {
            match self.tok(i) {
                Tok::Mark("(") => depth += 1,
                Tok::Mark(")") if depth == 1 => break,
                Tok::Mark(")") => depth -= 1,
                Tok::Mark(",") if depth == 1 => comma = true,
                Tok::Mark(";" | "->" | "{" | "}") | Tok::End => return false,
                _ => {}
            }
            i += 1;
        }
        comma && self.tok(i + 1) == &Tok::Mark("->")
    }

    fn action(&mut self) -> Parsed<Action> {
        let at = self.place();
        if self.is("{") {
            return Ok(Action::Events(vec![None]));
        }
        if self.eat("(") {
            let mut events = Vec::new();
            loop {
                events.push(self.event_or_tau()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")", "after the list of events")?;
            return Ok(Action::Events(events));
        }
        let channel = |i: usize| matches!(self.tok(i), Tok::Mark("!" | "?"));
        let indexed = self.tok(self.at + 1) == &Tok::Mark("[");
        if channel(self.at + 1) || indexed {
            let name = self.name("a channel")?;
            let mut indices = self.indices()?;
            if indices.len() > 1 {
                return self.wrong("expected one index for a channel");
            }
            let channel = Channel { name, index: indices.pop(), at };
            if self.eat("!") {
                return Ok(Action::Send(channel, self.fields()?));
            }
            self.expect("?", "or `!` after the channel")?;
            let guard = match self.eat("[") {
                true => {
                    let guard = self.expr()?;
                    self.expect("]", "after the condition of the input")?;
                    Some(guard)
                }
                false => None,
            };
            return Ok(Action::Receive(channel, guard, self.fields()?));
        }
        Ok(Action::Events(vec![self.event_or_tau()?]))
    }

    fn fields(&mut self) -> Parsed<Vec<Expr>> {
        let mut fields = vec![self.field()?];
        while self.eat(".") {
            fields.push(self.field()?);
        }
        Ok(fields)
    }

    /// What may follow the dot of an event, or be sent: `get.i.(i+1)%N` has the fields `i` and
    /// `(i+1)%N`.
    pub(super) fn field(&mut self) -> Parsed<Expr> {
        self.nested(|p| p.arithmetic())
    }

    fn event_or_tau(&mut self) -> Parsed<Option<Event>> {
        if self.is_word("tau") && self.tok(self.at + 1) != &Tok::Mark(".") {
            self.at += 1;
            return Ok(None);
        }
        Ok(Some(self.event()?))
    }

    fn event(&mut self) -> Parsed<Event> {
        let mut at = self.place();
        let mut name = self.name("an event")?;
        let annotation = Annotation::from_word(&name).filter(|_| self.eat("("));
        if let Some(annotation) = annotation {
            at = self.place();
            name = self.name("an event")?;
            if &*name == "tau" || matches!(self.peek(), Tok::Mark("!" | "?" | "[")) {
                let what = if &*name == "tau" { "an internal step" } else { "a channel" };
                let message = format!("`{}(…)` is about events, and this is {what}", annotation.word());
                let help = "annotate an event beside it, or ask for fairness of whole processes";
                return self.fail(Diagnostic::error("L0212", message).at(at).help(help));
            }
        }
        let mut args = Vec::new();
        while self.eat(".") {
            args.push(self.field()?);
        }
        if annotation.is_some() {
            self.expect(")", "after the annotated event")?;
        }
        Ok(Event { annotation, name, args, at })
    }

    fn single(&mut self) -> Parsed<Process> {
        let at = self.place();
        let operator = LEVELS.iter().find(|(m, _)| self.is(m)).map(|(_, o)| *o);
        let kind = match self.peek().clone() {
            Tok::Mark("(") => {
                self.at += 1;
                let inner = self.process()?;
                self.expect(")", "to close the parenthesis")?;
                return Ok(inner);
            }
            Tok::Mark(_) if operator.is_some() => self.indexed(operator.expect("just tested"))?,
            Tok::Ident(word) => {
                self.at += 1;
                match &*word {
                    "Stop" | "STOP" => self.bare(ProcessKind::Stop)?,
                    "Skip" | "SKIP" => self.bare(ProcessKind::Skip)?,
                    "if" => self.test(Test::Plain)?,
                    "ifa" => self.test(Test::Atomic)?,
                    "ifb" => self.test(Test::Blocking)?,
                    "case" => self.case()?,
                    "atomic" => ProcessKind::Atomic(Box::new(self.braced("`atomic`")?)),
                    _ => ProcessKind::Call(word, if self.is("(") { self.arguments()? } else { Vec::new() }),
                }
            }
            _ => return self.wrong("expected a process"),
        };
        Ok(Process { kind, at })
    }

    /// `Stop()` is accepted for `Stop`.
    fn bare(&mut self, kind: ProcessKind) -> Parsed<ProcessKind> {
        // Behind it there may be the next condition of a `case`.
        if self.is("(") && self.tok(self.at + 1) == &Tok::Mark(")") {
            self.at += 2;
        }
        Ok(kind)
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(", "before the arguments")?;
        let mut args = Vec::new();
        while !self.eat(")") {
            args.push(self.expr()?);
            if !self.eat(",") && !self.is(")") {
                return self.wrong("expected `,` or `)` after an argument");
            }
        }
        Ok(args)
    }

    fn braced(&mut self, after: &str) -> Parsed<Process> {
        self.expect("{", &format!("after {after}"))?;
        let body = self.process()?;
        // A stray `;` before the brace is harmless.
        while self.eat(";") {}
        self.expect("}", "after the process")?;
        Ok(body)
    }

    fn test(&mut self, test: Test) -> Parsed<ProcessKind> {
        self.expect("(", "before the condition")?;
        let condition = self.expr()?;
        self.expect(")", "after the condition")?;
        let yes = self.braced("the condition")?;
        let mut no = None;
        if self.is_word("else") {
            if test == Test::Blocking {
                return self.wrong("`ifb` has no `else`: expected the end of the process");
            }
            self.at += 1;
            let again = self.is_word("if") || self.is_word("ifa") || self.is_word("ifb");
            no = Some(Box::new(if again { self.nested(|p| p.single())? } else { self.braced("`else`")? }));
        }
        Ok(ProcessKind::If(test, condition, Box::new(yes), no))
    }

    fn case(&mut self) -> Parsed<ProcessKind> {
        self.expect("{", "after `case`")?;
        let mut branches = Vec::new();
        let mut default = None;
        while !self.eat("}") {
            if self.eat(";") {
                continue;
            }
            if self.eat_word("default") {
                self.expect(":", "after `default`")?;
                default = Some(Box::new(self.process()?));
                continue;
            }
            let condition = self.expr()?;
            self.expect(":", "after the condition of a case")?;
            branches.push((condition, self.process()?));
        }
        Ok(ProcessKind::Case(branches, default))
    }

    /// Takes everything to its right.
    fn indexed(&mut self, operator: Operator) -> Parsed<ProcessKind> {
        self.at += 1;
        if self.eat("{") {
            if self.is("..") {
                return self.fail(
                    Diagnostic::error("L0212", "any number of copies, `{..}`, is not supported yet")
                        .at(self.place())
                        .help("give a number: `|||{3}@P()`"),
                );
            }
            let count = self.expr()?;
            self.expect("}", "after the number of copies")?;
            self.expect("@", "after the number of copies")?;
            return Ok(ProcessKind::Copies(operator, count, Box::new(self.process()?)));
        }
        let ranges = self.ranges()?;
        Ok(ProcessKind::Indexed(operator, ranges, Box::new(self.process()?)))
    }
}
