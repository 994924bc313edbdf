//! Statements.

use super::*;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.is("}") {
            if *self.peek() == Tok::End {
                return Err(self.unexpected("`}`"));
            }
            let start = self.at;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(Reported) if self.errors < MAX_ERRORS => self.recover_statement(start),
                Err(Reported) => return Err(Reported),
            }
        }
        let end = self.pos();
        self.bump();
        Ok(Block { items, end })
    }

    /// Skips to behind the next `;` of this block, or to its end.
    fn recover_statement(&mut self, start: usize) {
        if self.at == start {
            self.bump();
        }
        let mut open = 0;
        loop {
            match self.peek() {
                Tok::End => return,
                Tok::Punct("{") => open += 1,
                Tok::Punct("}") if open == 0 => return,
                Tok::Punct("}") => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        return;
                    }
                }
                Tok::Punct(";") if open == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    fn block_item(&mut self) -> Parsed<Stmt> {
        let pos = self.pos();
        let is_label = matches!(self.peek_at(1), Tok::Punct(":"));
        if self.word() == Some("_Static_assert") || self.word() == Some("static_assert") {
            let (cond, text) = self.static_assert()?;
            return Ok(Stmt { kind: StmtKind::StaticAssert(cond, text), pos });
        }
        if self.word() == Some("__label__") {
            while !self.eat(";") {
                if *self.peek() == Tok::End {
                    return Err(self.unexpected("`;`"));
                }
                self.bump();
            }
            return Ok(Stmt { kind: StmtKind::Empty, pos });
        }
        if !is_label && self.starts_declaration() {
            return Ok(Stmt { kind: StmtKind::Declaration(self.declaration()?), pos });
        }
        self.statement()
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|p| {
            let pos = p.pos();
            Ok(Stmt { kind: p.statement_kind()?, pos })
        })
    }

    fn boxed(&mut self) -> Parsed<Box<Stmt>> {
        Ok(Box::new(self.statement()?))
    }

    fn parenthesised(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let e = self.expression()?;
        self.expect(")")?;
        Ok(e)
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        if let Tok::Pragma(_) = self.peek() {
            self.bump();
            return Ok(StmtKind::Pragma);
        }
        if self.is("{") {
            return Ok(StmtKind::Block(self.scoped(|p| p.block())?));
        }
        if self.eat(";") {
            return Ok(StmtKind::Empty);
        }
        let word = self.word().unwrap_or_default().to_owned();
        if !word.is_empty() && !is_keyword(&word) && matches!(self.peek_at(1), Tok::Punct(":")) {
            let name = self.ident()?;
            self.bump();
            self.attributes_if_any(&mut Attributes::default())?;
            // C23 and common practice: a label at the end of a block, or before a declaration.
            let body = if self.is("}") {
                Box::new(Stmt { kind: StmtKind::Empty, pos: self.pos() })
            } else {
                Box::new(self.nested(|p| p.block_item())?)
            };
            return Ok(StmtKind::Label(name, body));
        }
        match word.as_str() {
            "if" => {
                // A chain of `else if` is a list, however it nests.
                let mut arms = Vec::new();
                let mut last = None;
                loop {
                    let pos = self.pos();
                    self.bump();
                    let cond = self.parenthesised()?;
                    arms.push((pos, cond, self.boxed()?));
                    self.check_chain(arms.len())?;
                    if !self.eat_word(&["else"]) {
                        break;
                    }
                    if self.word() != Some("if") {
                        last = Some(self.boxed()?);
                        break;
                    }
                }
                let mut chain = last;
                for (pos, cond, then) in arms.into_iter().rev() {
                    let kind = StmtKind::If(cond, then, chain);
                    chain = Some(Box::new(Stmt { kind, pos }));
                }
                Ok(chain.expect("at least one arm").kind)
            }
            "while" => {
                self.bump();
                let cond = self.parenthesised()?;
                Ok(StmtKind::While(cond, self.boxed()?))
            }
            "do" => {
                self.bump();
                let body = self.boxed()?;
                if !self.eat_word(&["while"]) {
                    return Err(self.unexpected("`while`"));
                }
                let cond = self.parenthesised()?;
                self.expect(";")?;
                Ok(StmtKind::DoWhile(body, cond))
            }
            "for" => {
                self.bump();
                self.scoped(|p| {
                    p.expect("(")?;
                    let pos = p.pos();
                    let init = if p.eat(";") {
                        None
                    } else if p.starts_declaration() {
                        Some(Box::new(Stmt { kind: StmtKind::Declaration(p.declaration()?), pos }))
                    } else {
                        let e = p.expression()?;
                        p.expect(";")?;
                        Some(Box::new(Stmt { kind: StmtKind::Expr(e), pos }))
                    };
                    let cond = if p.is(";") { None } else { Some(p.expression()?) };
                    p.expect(";")?;
                    let step = if p.is(")") { None } else { Some(p.expression()?) };
                    p.expect(")")?;
                    Ok(StmtKind::For(init, cond, step, p.boxed()?))
                })
            }
            "switch" => {
                self.bump();
                let value = self.parenthesised()?;
                Ok(StmtKind::Switch(value, self.boxed()?))
            }
            "case" | "default" => self.labels(),
            "goto" => {
                self.bump();
                if self.eat("*") {
                    self.expression()?;
                    self.expect(";")?;
                    return Ok(StmtKind::Refused("computed goto"));
                }
                let label = self.ident()?;
                self.expect(";")?;
                Ok(StmtKind::Goto(label))
            }
            "break" => {
                self.bump();
                self.expect(";")?;
                Ok(StmtKind::Break)
            }
            "continue" => {
                self.bump();
                self.expect(";")?;
                Ok(StmtKind::Continue)
            }
            "return" => {
                self.bump();
                let value = if self.is(";") { None } else { Some(self.expression()?) };
                self.expect(";")?;
                Ok(StmtKind::Return(value))
            }
            "asm" | "__asm__" | "__asm" => self.assembly(),
            "__attribute__" => {
                self.attributes_if_any(&mut Attributes::default())?;
                self.statement_kind()
            }
            w if !w.is_empty()
                && !is_keyword(w)
                && matches!(self.peek_at(1), Tok::Ident(next) if !is_keyword(next)) =>
            {
                Err(self.error("L0102", format!("unknown type `{w}`")))
            }
            _ => {
                let e = self.expression()?;
                self.expect(";")?;
                Ok(StmtKind::Expr(e))
            }
        }
    }

    fn check_chain(&mut self, length: usize) -> Parsed<()> {
        const LONGEST: usize = 4000;
        if length > LONGEST {
            return Err(self.error("L0108", format!("a chain of more than {LONGEST} branches or labels")));
        }
        Ok(())
    }

    /// `case 1: case 2: default:` and the statement (or, as in C23, declaration) they label.
    fn labels(&mut self) -> Parsed<StmtKind> {
        let mut labels = Vec::new();
        loop {
            let pos = self.pos();
            if self.eat_word(&["case"]) {
                let low = self.conditional()?;
                let high = if self.eat("...") { Some(self.conditional()?) } else { None };
                labels.push((pos, Some((low, high))));
            } else if self.eat_word(&["default"]) {
                labels.push((pos, None));
            } else {
                break;
            }
            self.expect(":")?;
            self.check_chain(labels.len())?;
        }
        let mut body = if self.is("}") {
            Stmt { kind: StmtKind::Empty, pos: self.pos() }
        } else {
            self.nested(|p| p.block_item())?
        };
        for (pos, label) in labels.into_iter().rev() {
            let kind = match label {
                Some((low, high)) => StmtKind::Case(low, high, Box::new(body)),
                None => StmtKind::Default(Box::new(body)),
            };
            body = Stmt { kind, pos };
        }
        Ok(body.kind)
    }
}
