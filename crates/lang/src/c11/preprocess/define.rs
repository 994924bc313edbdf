//! What a macro is: `#define` and `#undef`.

use super::predefined::predefined;
use super::token::{Kind, Sym, Token, known};
use super::{Preprocessor, Stop};
use crate::c11::lex::Pos;
use std::rc::Rc;

/// What is known about a name.
#[derive(Clone)]
pub enum Slot {
    /// Nobody asked yet: it may be predefined.
    Unasked,
    Absent,
    /// One whose text depends on where it stands, as `__LINE__`.
    Builtin,
    Defined(Rc<Macro>),
}

pub struct Macro {
    /// `None`: it takes no parentheses.
    pub params: Option<Vec<Sym>>,
    /// The last parameter takes what is left.
    pub variadic: bool,
    pub body: Vec<Item>,
    /// Which arguments are replaced before they are put in, in this order: not those of `#` and `##`
    /// alone.
    pub expands: Vec<usize>,
    /// The body as written, to compare.
    written: Vec<Token>,
    pos: Pos,
}

/// A part of a body.
pub enum Item {
    Token(Token),
    /// A parameter; white space before it.
    Param(usize, bool),
    /// `#x`
    Quote(usize, bool),
    /// `##`, between two others.
    Paste,
    /// `__VA_OPT__(…)`: there if something was left for the last parameter.
    Opt(Vec<Item>, bool),
    /// `#__VA_OPT__(…)`
    QuoteOpt(Vec<Item>, bool),
}

impl Macro {
    /// Reads what follows `#define NAME`. An error has a place and words.
    fn new(tokens: &[Token], pos: Pos) -> Result<Macro, (Pos, &'static str)> {
        let mut m = Macro {
            params: None,
            variadic: false,
            body: Vec::new(),
            expands: Vec::new(),
            written: Vec::new(),
            pos,
        };
        let mut body = tokens;
        if let Some(open) = tokens.first().filter(|t| t.is(known::OPEN) && !t.space) {
            let close = tokens.iter().position(|t| t.is(known::CLOSE));
            let close = close.ok_or((open.pos, "the list of parameters is not closed"))?;
            m.parameters(&tokens[1..close], tokens[close].pos)?;
            body = &tokens[close + 1..];
        }
        m.written = body.to_vec();
        if let Some(first) = m.written.first_mut() {
            first.space = false;
        }
        let written = std::mem::take(&mut m.written);
        m.body = m.items(&written)?;
        // Whether anything is left for `__VA_OPT__` is seen after replacement.
        if m.body.iter().any(|item| matches!(item, Item::Opt(..) | Item::QuoteOpt(..))) {
            m.expand(m.params.as_ref().map_or(0, |all| all.len() - 1));
        }
        m.written = written;
        Ok(m)
    }

    fn parameters(&mut self, tokens: &[Token], end: Pos) -> Result<(), (Pos, &'static str)> {
        let mut params: Vec<Sym> = Vec::new();
        let mut rest = tokens.iter().peekable();
        while let Some(token) = rest.next() {
            let pos = token.pos;
            if self.variadic {
                return Err((pos, "nothing may come behind the `...` of a macro"));
            }
            if token.is(known::ELLIPSIS) {
                self.variadic = true;
                params.push(known::VA_ARGS);
                continue;
            }
            if token.kind != Kind::Name || token.text == known::VA_ARGS {
                return Err((pos, "this is no name for a parameter"));
            }
            if params.contains(&token.text) {
                return Err((pos, "two parameters have the same name"));
            }
            params.push(token.text);
            // GNU: `args...` is a name for what is left.
            if rest.peek().is_some_and(|t| t.is(known::ELLIPSIS)) {
                rest.next();
                self.variadic = true;
                continue;
            }
            match rest.next() {
                None => break,
                Some(comma) if comma.is(known::COMMA) && rest.peek().is_some() => {}
                Some(comma) if comma.is(known::COMMA) => return Err((end, "a parameter is missing")),
                Some(other) => return Err((other.pos, "parameters are separated by commas")),
            }
        }
        self.params = Some(params);
        Ok(())
    }

    fn items(&mut self, tokens: &[Token]) -> Result<Vec<Item>, (Pos, &'static str)> {
        let mut items: Vec<Item> = Vec::new();
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            at += 1;
            if token.is(known::PASTE) {
                if items.is_empty() || at == tokens.len() {
                    return Err((token.pos, "`##` stands between two tokens"));
                }
                // One is as good as two.
                if !matches!(items.last(), Some(Item::Paste)) {
                    items.push(Item::Paste);
                }
                continue;
            }
            if self.params.is_none() {
                items.push(Item::Token(token));
                continue;
            }
            if token.is(known::HASH) {
                let next = tokens.get(at).copied();
                at += 1;
                if let Some(index) = next.and_then(|t| self.param(&t)) {
                    items.push(Item::Quote(index, token.space));
                } else if let Some(end) = next.and_then(|t| self.optional(&t, tokens, at)) {
                    let inner = self.items(&tokens[at + 1..end])?;
                    items.push(Item::QuoteOpt(inner, token.space));
                    at = end + 1;
                } else {
                    return Err((token.pos, "`#` is not followed by a parameter of the macro"));
                }
                continue;
            }
            if let Some(end) = self.optional(&token, tokens, at) {
                let inner = self.items(&tokens[at + 1..end])?;
                items.push(Item::Opt(inner, token.space));
                at = end + 1;
                continue;
            }
            items.push(match self.param(&token) {
                Some(index) => {
                    let pasted = matches!(items.last(), Some(Item::Paste));
                    if !pasted && !tokens.get(at).is_some_and(|t| t.is(known::PASTE)) {
                        self.expand(index);
                    }
                    Item::Param(index, token.space)
                }
                None => Item::Token(token),
            });
        }
        Ok(items)
    }

    fn param(&self, token: &Token) -> Option<usize> {
        let params = self.params.as_ref()?;
        params.iter().position(|p| token.kind == Kind::Name && *p == token.text)
    }

    /// Where the parenthesis of `__VA_OPT__` at `at` closes.
    fn optional(&self, token: &Token, tokens: &[Token], at: usize) -> Option<usize> {
        let is_name = token.kind == Kind::Name && token.text == known::VA_OPT;
        if !self.variadic || !is_name || !tokens.get(at)?.is(known::OPEN) {
            return None;
        }
        let mut depth = 0;
        for (i, t) in tokens.iter().enumerate().skip(at) {
            depth += i32::from(t.is(known::OPEN)) - i32::from(t.is(known::CLOSE));
            if depth == 0 {
                return Some(i);
            }
        }
        None
    }

    fn expand(&mut self, index: usize) {
        if !self.expands.contains(&index) {
            self.expands.push(index);
        }
    }

    /// Whether a second definition says the same.
    fn same(&self, other: &Macro) -> bool {
        let like = |(a, b): (&Token, &Token)| a.text == b.text && a.kind == b.kind && a.space == b.space;
        self.params == other.params
            && self.variadic == other.variadic
            && self.written.len() == other.written.len()
            && self.written.iter().zip(&other.written).all(like)
    }
}

impl Preprocessor<'_> {
    pub fn define(&mut self, at: Pos, tokens: &[Token]) -> Result<(), Stop> {
        let Some((name, rest)) = self.macro_name(at, tokens)? else { return Ok(()) };
        let made = match Macro::new(rest, name.pos) {
            Ok(made) => made,
            Err((pos, words)) => return self.error(pos, words),
        };
        let before = match self.slot(name.text) {
            Slot::Defined(before) if !before.same(&made) => Some(before.pos),
            Slot::Builtin => Some(Pos::default()),
            _ => None,
        };
        if let Some(before) = before {
            self.warning(name.pos, format!("`{}` is defined a second time", self.text(&name)));
            if let Some(d) = self.diagnostics.last_mut().filter(|_| before.line > 0) {
                let first = self.files.place(before);
                *d = d.clone().note("first here", Some(first));
            }
        }
        self.set(name.text, Slot::Defined(Rc::new(made)));
        Ok(())
    }

    pub fn undefine(&mut self, at: Pos, tokens: &[Token]) -> Result<(), Stop> {
        if let Some((name, _)) = self.macro_name(at, tokens)? {
            self.set(name.text, Slot::Absent);
        }
        Ok(())
    }

    /// The name of a macro, and what is behind it.
    pub fn macro_name<'t>(
        &mut self,
        at: Pos,
        tokens: &'t [Token],
    ) -> Result<Option<(Token, &'t [Token])>, Stop> {
        let wrong = match tokens.split_first() {
            None => (at, "the name of a macro is missing".to_string()),
            Some((name, _)) if name.kind != Kind::Name || name.text == known::DEFINED => {
                (name.pos, format!("`{}` is no name for a macro", self.text(name)))
            }
            Some((name, rest)) => return Ok(Some((*name, rest))),
        };
        self.error(wrong.0, wrong.1)?;
        Ok(None)
    }

    pub fn set(&mut self, name: Sym, slot: Slot) {
        self.reserve(name);
        self.macros[name.index()] = slot;
    }

    fn reserve(&mut self, name: Sym) {
        if name.index() >= self.macros.len() {
            self.macros.resize(name.index() + 64, Slot::Unasked);
        }
    }

    /// What is known about a name now.
    pub fn slot(&mut self, name: Sym) -> &Slot {
        self.reserve(name);
        if matches!(self.macros[name.index()], Slot::Unasked) {
            self.macros[name.index()] = self.predefined_slot(name);
        }
        &self.macros[name.index()]
    }

    fn predefined_slot(&mut self, name: Sym) -> Slot {
        if !self.predefined {
            return Slot::Absent;
        }
        if (known::LINE..=known::BASE_FILE).contains(&name) {
            return Slot::Builtin;
        }
        let Some(text) = predefined(self.names.text(name)) else { return Slot::Absent };
        let tokens = self.scan_text(text.as_bytes(), Pos::default());
        match Macro::new(&tokens, Pos::default()) {
            Ok(made) => Slot::Defined(Rc::new(made)),
            Err(_) => Slot::Absent,
        }
    }

    pub fn is_defined(&mut self, name: Sym) -> bool {
        let asks = (known::HAS_INCLUDE..=known::HAS_BUILTIN).contains(&name) && self.predefined;
        asks || matches!(self.slot(name), Slot::Defined(_) | Slot::Builtin)
    }
}
