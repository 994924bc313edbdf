//! Declarations and directives.

use super::super::lexer;
use super::*;
use lineal_model::adt::quasi::{self, Named};
use lineal_model::history::Value;
use lineal_model::process::{Extreme, Semantics};
use std::sync::Arc;

/// Files included, directly or not.
const INCLUDES: u32 = 64;

impl Parser<'_> {
    pub(super) fn declaration(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        if self.eat("#") {
            return self.directive(items);
        }
        let at = self.place();
        if self.eat_word("enum") {
            return self.enumeration(items);
        }
        let hidden = self.is_word("hvar");
        if hidden || self.is_word("var") {
            self.at += 1;
            return self.variable(items, hidden, at);
        }
        if self.eat_word("channel") {
            return self.channel(items, at);
        }
        if !matches!(self.peek(), Tok::Ident(_)) {
            return self.wrong("expected a declaration");
        }
        let name = self.name("the name of a process")?;
        let mut params = Vec::new();
        if self.eat("(") {
            while !self.eat(")") {
                let at = self.place();
                params.push((self.name("a parameter")?, at));
                if !self.eat(",") && !self.is(")") {
                    return self.wrong("expected `,` or `)` after a parameter");
                }
            }
        }
        self.expect("=", &format!("after the name of process `{name}`"))?;
        let body = self.process()?;
        self.expect(";", "after the definition")?;
        items.push(Item::Process { name, params, body, at });
        Ok(())
    }

    fn enumeration(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        self.expect("{", "after `enum`")?;
        let mut names = Vec::new();
        while !self.eat("}") {
            let at = self.place();
            names.push((self.name("a constant")?, at));
            if !self.eat(",") && !self.is("}") {
                return self.wrong("expected `,` or `}` in the enumeration");
            }
        }
        self.eat(";");
        items.push(Item::Enum(names));
        Ok(())
    }

    fn variable(&mut self, items: &mut Vec<Item>, hidden: bool, at: Place) -> Parsed<()> {
        if self.is("<") {
            return self.fail(
                Diagnostic::error("L0211", "variables of C# types are not part of what Lineal reads")
                    .at(at)
                    .help("model the data with integer variables and arrays"),
            );
        }
        let name = self.name("the name of a variable")?;
        let mut dims = self.indices()?;
        let mut range = None;
        if self.eat(":") {
            self.expect("{", "before the range")?;
            let low = if self.is("..") { None } else { Some(self.expr()?) };
            self.expect("..", "between the bounds of the range")?;
            let high = if self.is("}") { None } else { Some(self.expr()?) };
            self.expect("}", "after the range")?;
            range = Some((low, high));
        }
        if dims.is_empty() {
            dims = self.indices()?;
        }
        let mut init = None;
        if self.eat("=") {
            init = Some(match self.eat("[") {
                false => Init::One(self.expr()?),
                true => Init::Many(self.elements()?),
            });
        }
        self.expect(";", "after the variable")?;
        items.push(Item::Var { name, dims, range, init, hidden, at });
        Ok(())
    }

    pub(super) fn elements(&mut self) -> Parsed<Vec<InitItem>> {
        let mut all = Vec::new();
        while !self.eat("]") {
            let at = self.place();
            let value = self.expr()?;
            all.push(if self.eat("..") {
                InitItem::Span(value, self.expr()?)
            } else if self.eat("(") {
                let count = self.expr()?;
                self.expect(")", "after the number of repetitions")?;
                InitItem::Repeat(value, count)
            } else {
                InitItem::Repeat(value, Expr { kind: ExprKind::Int(1), at })
            });
            if !self.eat(",") && !self.is("]") {
                return self.wrong("expected `,` or `]` in the initial values");
            }
        }
        Ok(all)
    }

    fn channel(&mut self, items: &mut Vec<Item>, at: Place) -> Parsed<()> {
        let name = self.name("the name of a channel")?;
        let mut len = self.indices()?;
        if len.len() > 1 {
            return self.wrong("a channel array has one dimension: expected its capacity");
        }
        let capacity = self.expr()?;
        self.expect(";", "after the channel")?;
        items.push(Item::Channel { name, len: len.pop(), capacity, at });
        Ok(())
    }

    fn directive(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let at = self.place();
        let word = self.name("a directive after `#`")?;
        match &*word {
            "define" => self.define(items, at),
            "alphabet" => {
                let name = self.name("the name of a process")?;
                let events = self.event_sets()?;
                self.expect(";", "after the alphabet")?;
                items.push(Item::Alphabet { name, events, at });
                Ok(())
            }
            "assert" => self.assertion(items, at),
            "include" => self.include_file(at),
            "import" => {
                let library = match self.peek().clone() {
                    // Its functions are known here.
                    Tok::Text(text) if &*text == "PAT.Math" => {
                        self.at += 1;
                        return self.expect(";", "after the library");
                    }
                    Tok::Text(text) => format!("`{text}`"),
                    _ => "a library".into(),
                };
                self.fail(
                    Diagnostic::error(
                        "L0210",
                        format!("#import of {library}: C# code cannot be part of a model here"),
                    )
                    .at(at)
                    .help("write the data structure with variables, arrays and statement blocks"),
                )
            }
            _ => self.fail(
                Diagnostic::error("L0202", format!("`#{word}` is no directive"))
                    .at(at)
                    .help("directives are #define, #alphabet, #assert and #include"),
            ),
        }
    }

    fn define(&mut self, items: &mut Vec<Item>, at: Place) -> Parsed<()> {
        let name = self.name("the name of a constant or macro")?;
        let mut params = Vec::new();
        // `#define f(x) …` has its parenthesis right behind the name.
        let here = self.place();
        let before = &self.tokens[self.at - 1].at;
        if self.is("(")
            && here.line == before.line
            && here.column == before.column + before.width
            && self.starts_params()
        {
            self.at += 1;
            while !self.eat(")") {
                params.push(self.name("a parameter")?);
                if !self.eat(",") && !self.is(")") {
                    return self.wrong("expected `,` or `)` after a parameter");
                }
            }
        }
        let body = match self.is("{") {
            true => Body::Block(self.block()?),
            false => Body::Expr(self.expr()?),
        };
        if !self.eat(";") && !matches!(body, Body::Block(_)) {
            return self.wrong("expected `;` after the definition");
        }
        items.push(Item::Define { name, params, body, at });
        Ok(())
    }

    /// `(a, b)` rather than a parenthesised value.
    fn starts_params(&self) -> bool {
        let mut i = self.at + 1;
        loop {
            match (self.tok(i), self.tok(i + 1)) {
                (Tok::Mark(")"), _) => return i == self.at + 1,
                (Tok::Ident(_), Tok::Mark(")")) => return self.tok(i + 2) != &Tok::Mark(";"),
                (Tok::Ident(_), Tok::Mark(",")) => i += 2,
                _ => return false,
            }
        }
    }

    fn include_file(&mut self, at: Place) -> Parsed<()> {
        let Tok::Text(name) = self.peek().clone() else {
            return self.wrong("expected a file name in quotes");
        };
        self.at += 1;
        self.eat(";");
        self.included += 1;
        if self.included > INCLUDES {
            return self.fail(
                Diagnostic::error(
                    "L0213",
                    format!("more than {INCLUDES} files are included: do they include each other?"),
                )
                .at(at),
            );
        }
        match (self.include)(&name) {
            Ok(text) => {
                let file: Arc<str> = name;
                let mut tokens = lexer::lex(&file, &text, self.problems);
                tokens.pop();
                self.tokens.splice(self.at..self.at, tokens);
                Ok(())
            }
            Err(why) => {
                self.fail(Diagnostic::error("L0213", format!("cannot include `{name}`: {why}")).at(at))
            }
        }
    }

    fn assertion(&mut self, items: &mut Vec<Item>, at: Place) -> Parsed<()> {
        let from = self.at;
        let process = self.single_process()?;
        let claim = if self.eat("|=") {
            Claim::Ltl(self.temporal()?)
        } else {
            let word = self.name("what is asserted")?;
            match &*word {
                "deadlockfree" => Claim::DeadlockFree,
                "divergencefree" => Claim::DivergenceFree,
                "deterministic" => Claim::Deterministic,
                "nonterminating" => Claim::Nonterminating,
                "linearizable" => {
                    let object = self.hyphenated("an abstract type")?;
                    let mut init = None;
                    if self.eat("(") {
                        init = Some(self.expr()?);
                        self.expect(")", "after the initial value")?;
                    }
                    let quasi = if self.eat_word("quasi") { Some(self.quasi()?) } else { None };
                    Claim::Linearizable(object, init, quasi)
                }
                "reaches" => self.reaches()?,
                "refines" => {
                    let semantics = match self.eat("<") {
                        false => Semantics::Traces,
                        true => {
                            let which = self.name("`F` or `FD`")?;
                            let semantics = match &*which {
                                "F" => Semantics::Failures,
                                "FD" => Semantics::FailuresDivergences,
                                "T" => Semantics::Traces,
                                _ => {
                                    self.at -= 1;
                                    return self.wrong("expected `F` or `FD`");
                                }
                            };
                            self.expect(">", "after the kind of refinement")?;
                            semantics
                        }
                    };
                    Claim::Refines(self.single_process()?, semantics)
                }
                _ => {
                    self.at -= 1;
                    return self.wrong(
                        "expected deadlockfree, divergencefree, deterministic, nonterminating, reaches, \
                         refines, linearizable or |=",
                    );
                }
            }
        };
        let text = self.text(from, self.at);
        self.expect(";", "after the assertion")?;
        items.push(Item::Assert { text, process, claim, at });
        Ok(())
    }

    /// `dequeue=2, {push, pop->empty}=1`, and how that is read.
    fn quasi(&mut self) -> Parsed<Quasi> {
        let mut classes = Vec::new();
        loop {
            let mut members = Vec::new();
            if self.eat("{") {
                loop {
                    members.push(self.member()?);
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("}", "after the operations of a class")?;
            } else {
                members.push(self.member()?);
            }
            self.expect("=", "and a factor after a class")?;
            classes.push((members, self.expr()?));
            if !self.eat(",") {
                break;
            }
        }
        let semantics = quasi::Semantics::ALL.into_iter().find(|s| self.eat_word(s.word()));
        Ok(Quasi { classes, semantics: semantics.unwrap_or_default() })
    }

    /// `pop`, `pop->empty`, `read->5`.
    fn member(&mut self) -> Parsed<Named> {
        let operation = self.hyphenated("an operation")?.to_string();
        if !self.eat("->") {
            return Ok(Named { operation, answer: None });
        }
        let answer = match self.peek().clone() {
            Tok::Int(n) => Value::Int(n.into()),
            Tok::Ident(word) => crate::quasi::answer(&word),
            _ => return self.wrong("expected an answer"),
        };
        self.at += 1;
        Ok(Named { operation, answer: Some(answer) })
    }

    /// Words joined by hyphens, as in `cas-register`.
    fn hyphenated(&mut self, what: &str) -> Parsed<Name> {
        let mut word = self.name(what)?;
        while self.eat("-") {
            let rest = self.name("the rest of the word after `-`")?;
            word = format!("{word}-{rest}").into();
        }
        Ok(word)
    }

    fn single_process(&mut self) -> Parsed<Process> {
        let at = self.place();
        let name = self.name("a process")?;
        let mut args = Vec::new();
        if self.eat("(") {
            while !self.eat(")") {
                args.push(self.expr()?);
                if !self.eat(",") && !self.is(")") {
                    return self.wrong("expected `,` or `)` after an argument");
                }
            }
        }
        Ok(Process { kind: ProcessKind::Call(name, args), at })
    }

    fn reaches(&mut self) -> Parsed<Claim> {
        let goal = self.expr()?;
        if !self.eat_word("with") {
            return Ok(Claim::Reaches(goal, None));
        }
        let which = self.name("`min` or `max`")?;
        let extreme = match &*which {
            "min" => Extreme::Min,
            "max" => Extreme::Max,
            _ => {
                self.at -= 1;
                return self.wrong("expected `min` or `max`");
            }
        };
        self.expect("(", "after `min` or `max`")?;
        let value = self.expr()?;
        self.expect(")", "after the expression")?;
        Ok(Claim::Reaches(goal, Some((extreme, value))))
    }

    /// Tokens as text, for headings.
    fn text(&self, from: usize, to: usize) -> String {
        let mut text = String::new();
        let mut end: Option<(u32, u32)> = None;
        for token in &self.tokens[from..to] {
            let here = (token.at.line, token.at.column);
            if end.is_some_and(|e| e != here) {
                text.push(' ');
            }
            text.push_str(&match &token.tok {
                Tok::Ident(w) => w.to_string(),
                Tok::Int(n) => n.to_string(),
                Tok::Text(t) => format!("\"{t}\""),
                Tok::Mark(m) => m.to_string(),
                Tok::End => String::new(),
            });
            end = Some((token.at.line, token.at.column + token.at.width));
        }
        text
    }
}
