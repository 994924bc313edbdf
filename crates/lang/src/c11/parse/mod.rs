//! Tokens → [`ast`](super::ast): recursive descent, precedence climbing for operators.
//!
//! Of names the parser knows which of them are types, by scope, and which are bound to registers. After an error it
//! goes on at the next statement or declaration, so that one run reports several. Nesting is
//! bounded, so no input can exhaust the stack.

mod assembly;
mod decl;
mod expr;
mod record;
mod stmt;

use super::ast::*;
use super::lex::{Files, Tok, Token};
use lineal_model::Diagnostic;
use std::collections::HashMap;
use std::rc::Rc;

/// How deep constructs may nest.
const MAX_DEPTH: u32 = 256;
/// How high an expression's tree may be (`1+1+1+…` grows without nesting).
const MAX_HEIGHT: u16 = 1000;
const MAX_ERRORS: usize = 20;

pub fn parse(tokens: &[Token], files: &Files, diagnostics: &mut Vec<Diagnostic>) -> Vec<External> {
    let mut parser =
        Parser { tokens, at: 0, files, diagnostics, scopes: vec![HashMap::new()], depth: 0, errors: 0 };
    parser.unit()
}

/// An error that was reported already.
pub(super) struct Reported;
type Parsed<T> = Result<T, Reported>;

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    files: &'a Files,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// What names stand for, by scope.
    scopes: Vec<HashMap<Name, Named>>,
    depth: u32,
    errors: usize,
}

/// What the parser knows of a name.
enum Named {
    Type,
    Other,
    /// A variable that is bound to a register.
    Register(Name),
}

impl Parser<'_> {
    fn unit(&mut self) -> Vec<External> {
        let mut out = Vec::new();
        while *self.peek() != Tok::End && self.errors < MAX_ERRORS {
            let start = self.at;
            self.depth = 0;
            self.scopes.truncate(1);
            if self.external(&mut out).is_err() {
                self.recover_external(start);
            }
        }
        out
    }

    /// Skips to behind the next `;` or `}` at the outermost level.
    fn recover_external(&mut self, start: usize) {
        let mut open = 0i32;
        self.at = start;
        loop {
            match self.peek() {
                Tok::End => return,
                Tok::Punct("{") => open += 1,
                Tok::Punct("}") => {
                    open -= 1;
                    if open <= 0 {
                        self.bump();
                        self.eat(";");
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

    fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    fn peek_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }

    fn pos(&self) -> Pos {
        self.tokens[self.at].pos
    }

    fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.peek(), Tok::Punct(p) if *p == punct)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        if found {
            self.bump();
        }
        found
    }

    fn word(&self) -> Option<&str> {
        match self.peek() {
            Tok::Ident(name) => Some(name),
            _ => None,
        }
    }

    fn eat_word(&mut self, words: &[&str]) -> bool {
        let found = self.word().is_some_and(|w| words.contains(&w));
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, punct: &'static str) -> Parsed<Pos> {
        let pos = self.pos();
        if self.eat(punct) {
            return Ok(pos);
        }
        Err(self.unexpected(&format!("`{punct}`")))
    }

    fn ident(&mut self) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Ident(name) if !is_keyword(&name) => {
                self.bump();
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = describe(self.peek());
        self.error("L0101", format!("expected {wanted}, found {found}"))
    }

    fn error(&mut self, code: &'static str, message: String) -> Reported {
        let pos = self.pos();
        self.error_at(code, pos, message)
    }

    fn error_at(&mut self, code: &'static str, pos: Pos, message: String) -> Reported {
        self.errors += 1;
        if self.errors <= MAX_ERRORS {
            self.diagnostics.push(Diagnostic::error(code, message).at(self.files.place(pos)));
        }
        Reported
    }

    /// Runs `f` one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("L0108", format!("nested more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    fn make(&mut self, kind: ExprKind, pos: Pos, height: u16) -> Parsed<Expr> {
        if height >= MAX_HEIGHT {
            return Err(self.error_at(
                "L0108",
                pos,
                format!("an expression with more than {MAX_HEIGHT} levels"),
            ));
        }
        Ok(Expr { kind, pos, depth: height + 1 })
    }

    fn declare(&mut self, name: &Name, is_type: bool) {
        self.name(name, if is_type { Named::Type } else { Named::Other });
    }

    fn name(&mut self, name: &Name, what: Named) {
        self.scopes.last_mut().expect("a scope is open").insert(name.clone(), what);
    }

    fn named(&self, name: &str) -> Option<&Named> {
        self.scopes.iter().rev().find_map(|s| s.get(name))
    }

    fn is_type_name(&self, name: &str) -> bool {
        matches!(self.named(name), Some(Named::Type))
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.scopes.push(HashMap::new());
        let depth = self.scopes.len();
        let result = f(self);
        self.scopes.truncate(depth - 1);
        result
    }

    fn external(&mut self, out: &mut Vec<External>) -> Parsed<()> {
        let pos = self.pos();
        if let Tok::Pragma(_) = self.peek() {
            self.bump();
            out.push(External::Pragma);
            return Ok(());
        }
        while self.eat_word(&["__extension__"]) {}
        if self.eat(";") {
            return Ok(());
        }
        if self.word() == Some("_Static_assert") || self.word() == Some("static_assert") {
            let (cond, text) = self.static_assert()?;
            out.push(External::StaticAssert(cond, text, pos));
            return Ok(());
        }
        if matches!(self.word(), Some("asm" | "__asm__" | "__asm")) {
            return self.toplevel_assembly();
        }
        let specs = self.specs()?;
        if self.eat(";") {
            out.push(External::Declaration(Declaration { specs, items: Vec::new() }));
            return Ok(());
        }
        let declarator = self.declarator(false)?;
        let is_function = matches!(declarator.derived.first(), Some(Derived::Function { .. }));
        if is_function && self.is("{") {
            if let Some(name) = &declarator.name {
                self.declare(&name.clone(), false);
            }
            let body = self.scoped(|p| {
                if let Some(Derived::Function { params, .. }) = declarator.derived.first() {
                    for (_, param) in params {
                        if let Some(name) = &param.name {
                            p.declare(&name.clone(), false);
                        }
                    }
                }
                p.block()
            })?;
            out.push(External::Function { specs, declarator, body });
            return Ok(());
        }
        if is_function && !self.is(";") && !self.is(",") && !self.is("=") && self.starts_declaration() {
            return Err(self.error(
                "L0104",
                "functions with parameter declarations before the body (K&R style) are not modelled".into(),
            ));
        }
        let items = self.init_declarators(&specs, declarator)?;
        out.push(External::Declaration(Declaration { specs, items }));
        Ok(())
    }

    fn static_assert(&mut self) -> Parsed<(Expr, Option<Rc<[u8]>>)> {
        self.bump();
        self.expect("(")?;
        let cond = self.conditional()?;
        let mut text = None;
        if self.eat(",") {
            if let Tok::Str(s) = self.peek().clone() {
                text = Some(s);
                self.bump();
            } else {
                return Err(self.unexpected("a string"));
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok((cond, text))
    }
}

fn describe(tok: &Tok) -> String {
    match tok {
        Tok::Ident(name) => format!("`{name}`"),
        Tok::Int { value, .. } => format!("`{value}`"),
        Tok::Float(..) => "a floating constant".into(),
        Tok::Char(_) => "a character constant".into(),
        Tok::Str(_) => "a string".into(),
        Tok::Punct(p) => format!("`{p}`"),
        Tok::Pragma(_) => "a #pragma".into(),
        Tok::End => "the end of the file".into(),
    }
}

pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Alignas"
            | "_Alignof"
            | "_Atomic"
            | "_Bool"
            | "_Complex"
            | "_Generic"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "__thread"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__attribute__"
            | "asm"
            | "__asm__"
    )
}
