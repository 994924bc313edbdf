//! Macros are replaced here.
//!
//! Tokens are read from a stack of contexts, each the replacement of a macro or an argument, below
//! which lies the file. A macro is disabled while its replacement is being read, and re-enabled when
//! the search for the parenthesis of a call leaves it (the standard leaves this open; gcc does so).
//! A name met while it is disabled is painted blue and never replaced again.
//!
//! Arguments are replaced on their own first. That is a job: its tokens are read from a context that
//! nothing looks beyond, and kept. Jobs are on a stack of their own, so nesting takes no recursion.

use super::define::{Macro, Slot};
use super::scan::What;
use super::token::{Kind, Sym, Token, known};
use super::{Preprocessor, Stop};
use std::rc::Rc;

/// Tokens to be read before those below.
pub struct Context {
    pub tokens: Vec<Token>,
    pub at: usize,
    /// Whose replacement it is.
    pub of: Option<Sym>,
    /// White space behind the last token.
    pub gap: bool,
    /// The tokens of a job: nothing looks beyond their end.
    pub closed: bool,
}

pub enum Job {
    Call(Box<Call>),
    /// The tokens of a directive.
    List(Vec<Token>, Asked),
}

/// A call whose arguments are being replaced.
pub struct Call {
    pub mac: Rc<Macro>,
    pub name: Token,
    pub args: Vec<Arg>,
    /// How many arguments were replaced.
    done: usize,
    out: Vec<Token>,
    /// Of the argument under way.
    empty_first: bool,
}

#[derive(Default)]
pub struct Arg {
    pub raw: Vec<Token>,
    pub replaced: Vec<Token>,
    /// Something before its first token was replaced by nothing: that token keeps its own white space.
    pub empty_first: bool,
    /// Something behind its last token was replaced by nothing, and white space came before that.
    pub gap: bool,
    /// Nothing was written for it, not even a comma.
    pub omitted: bool,
}

/// Which names of a list are not replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Of no interest here.
    Never,
    No,
    /// `defined` was just read.
    Name,
    /// And a parenthesis.
    Inside,
}

enum Fetched {
    Token(Token),
    /// The tokens of a job end here.
    Closed,
    /// The file ends here.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Text,
    /// The arguments of a call, which end with their file.
    Call,
}

enum Step {
    Again,
    Out(Token),
    List(Vec<Token>),
    End,
}

impl Preprocessor<'_> {
    /// The next token of the text, when all is replaced.
    pub fn next(&mut self) -> Result<Option<Token>, Stop> {
        loop {
            match self.step()? {
                Step::Out(token) => return Ok(Some(token)),
                Step::End | Step::List(_) => return Ok(None),
                Step::Again => {}
            }
        }
    }

    /// These tokens, replaced.
    pub fn replaced(&mut self, tokens: Vec<Token>, asked: Asked) -> Result<Vec<Token>, Stop> {
        self.contexts.push(Context { tokens, at: 0, of: None, gap: false, closed: true });
        self.jobs.push(Job::List(Vec::new(), asked));
        loop {
            match self.step()? {
                Step::List(out) => return Ok(out),
                Step::End => return Ok(Vec::new()),
                Step::Out(_) | Step::Again => {}
            }
        }
    }

    fn step(&mut self) -> Result<Step, Stop> {
        let mut token = match self.fetch(Reading::Text)? {
            Fetched::Token(token) => token,
            Fetched::End => return Ok(Step::End),
            Fetched::Closed => return self.end_of_job(),
        };
        if token.kind == Kind::Name && !token.blue {
            if self.is_disabled(token.text) {
                token.blue = true;
            } else if !self.is_asked() && self.enter(&token)? {
                return Ok(Step::Again);
            }
        }
        match self.jobs.last_mut() {
            None => return Ok(Step::Out(token)),
            Some(Job::Call(call)) => call.out.push(token),
            Some(Job::List(out, asked)) => {
                *asked = match *asked {
                    Asked::Never => Asked::Never,
                    Asked::Name if token.is(known::OPEN) => Asked::Inside,
                    _ if token.kind == Kind::Name && token.text == known::DEFINED => Asked::Name,
                    _ => Asked::No,
                };
                out.push(token);
            }
        }
        Ok(Step::Again)
    }

    /// Whether the next name is one that `defined` asks about.
    fn is_asked(&self) -> bool {
        matches!(self.jobs.last(), Some(Job::List(_, Asked::Name | Asked::Inside)))
    }

    fn is_disabled(&self, name: Sym) -> bool {
        self.disabled.get(name.index()).copied().unwrap_or(false)
    }

    fn disable(&mut self, name: Sym, disabled: bool) {
        if name.index() >= self.disabled.len() {
            self.disabled.resize(name.index() + 64, false);
        }
        self.disabled[name.index()] = disabled;
    }

    fn leave_context(&mut self) {
        if let Some(context) = self.contexts.pop() {
            self.gap |= context.gap;
            if let Some(name) = context.of {
                self.disable(name, false);
            }
        }
    }

    fn fetch(&mut self, reading: Reading) -> Result<Fetched, Stop> {
        loop {
            match self.contexts.last_mut() {
                None => return self.fetch_from_file(reading),
                Some(context) if context.at < context.tokens.len() => {
                    let mut token = context.tokens[context.at];
                    context.at += 1;
                    token.space |= std::mem::take(&mut self.gap);
                    self.charge(1)?;
                    return Ok(Fetched::Token(token));
                }
                Some(context) if context.closed => return Ok(Fetched::Closed),
                Some(_) => self.leave_context(),
            }
        }
    }

    fn fetch_from_file(&mut self, reading: Reading) -> Result<Fetched, Stop> {
        loop {
            let Some(open) = self.open.last_mut() else { return Ok(Fetched::End) };
            let piece = open.scan.next();
            match piece.what {
                What::Newline => self.gap = true,
                What::OpenComment => {
                    let pos = open.pos(&piece);
                    self.error(pos, "this comment is not closed")?;
                }
                What::End if reading == Reading::Call => return Ok(Fetched::End),
                What::End => {
                    self.end = open.pos(&piece);
                    self.close()?;
                }
                What::Punct(known::HASH | known::HASH_2) if piece.first => {
                    let pos = open.pos(&piece);
                    self.directive(pos)?;
                }
                _ => {
                    open.unguarded();
                    let mut token = self.token(&piece)?;
                    token.space |= std::mem::take(&mut self.gap);
                    return Ok(Fetched::Token(token));
                }
            }
        }
    }

    /// Replaces a name that is a macro, if it is; what it is replaced by comes next.
    fn enter(&mut self, name: &Token) -> Result<bool, Stop> {
        let mac = match self.slot(name.text) {
            Slot::Defined(mac) => mac.clone(),
            Slot::Builtin => {
                let token = self.builtin(name);
                self.contexts.push(Context {
                    tokens: vec![token],
                    at: 0,
                    of: None,
                    gap: false,
                    closed: false,
                });
                return Ok(true);
            }
            Slot::Absent | Slot::Unasked => return Ok(false),
        };
        let Some(params) = &mac.params else {
            let call =
                Call { mac, name: *name, args: Vec::new(), done: 0, out: Vec::new(), empty_first: false };
            self.proceed(call)?;
            return Ok(true);
        };
        if !self.opens_call() {
            return Ok(false);
        }
        let params = params.len();
        let Some(mut args) = self.arguments(name, params, mac.variadic)? else { return Ok(false) };
        if params == 0 && args.len() == 1 && args[0].raw.is_empty() {
            args.clear();
        }
        let given = args.len();
        let enough = if mac.variadic { given + 1 >= params } else { given == params };
        if !enough {
            let text = self.text(name).to_string();
            let least = if mac.variadic { "at least " } else { "" };
            let wanted = params - usize::from(mac.variadic);
            let many = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("the macro `{text}` takes {least}{wanted} {many}, and is given {given}");
            self.error(name.pos, message)?;
            return Ok(false);
        }
        // GNU: the comma of `, ## __VA_ARGS__` goes if nothing was written for the last parameter.
        if given < params {
            args.push(Arg { omitted: true, ..Arg::default() });
        } else if mac.variadic && params == 1 && args[0].raw.is_empty() {
            args[0].omitted = true;
        }
        self.proceed(Call { mac, name: *name, args, done: 0, out: Vec::new(), empty_first: false })?;
        Ok(true)
    }

    /// Whether a parenthesis comes next; takes it.
    fn opens_call(&mut self) -> bool {
        loop {
            match self.contexts.last_mut() {
                Some(context) if context.at < context.tokens.len() => {
                    let opens = context.tokens[context.at].is(known::OPEN);
                    context.at += usize::from(opens);
                    return opens;
                }
                Some(context) if context.closed => return false,
                Some(_) => self.leave_context(),
                None => break,
            }
        }
        let Some(open) = self.open.last_mut() else { return false };
        let state = open.scan.state();
        loop {
            match open.scan.next().what {
                What::Newline => {}
                What::Punct(known::OPEN) => return true,
                _ => {
                    open.scan.reset(state);
                    return false;
                }
            }
        }
    }

    /// The arguments of a call, behind its first parenthesis.
    fn arguments(&mut self, name: &Token, params: usize, variadic: bool) -> Result<Option<Vec<Arg>>, Stop> {
        let mut args = vec![Arg::default()];
        let mut depth = 0u32;
        loop {
            let Fetched::Token(mut token) = self.fetch(Reading::Call)? else {
                let message = format!("the call of the macro `{}` is not closed", self.text(name));
                self.error(name.pos, message)?;
                return Ok(None);
            };
            if token.is(known::OPEN) {
                depth += 1;
            } else if token.is(known::CLOSE) {
                if depth == 0 {
                    self.gap = false;
                    return Ok(Some(args));
                }
                depth -= 1;
            } else if token.is(known::COMMA) && depth == 0 && !(variadic && args.len() == params) {
                args.push(Arg::default());
                continue;
            } else if token.kind == Kind::Name && self.is_disabled(token.text) {
                token.blue = true;
            }
            if let Some(arg) = args.last_mut() {
                arg.raw.push(token);
            }
        }
    }

    /// Replaces the next argument, or puts all of them in.
    fn proceed(&mut self, mut call: Call) -> Result<(), Stop> {
        while let Some(&next) = call.mac.expands.get(call.done) {
            let arg = &mut call.args[next];
            let tokens = arg.raw.clone();
            self.charge(tokens.len())?;
            if self.has_macro(&tokens) {
                self.gap = false;
                self.contexts.push(Context { tokens, at: 0, of: None, gap: false, closed: true });
                self.jobs.push(Job::Call(Box::new(call)));
                return Ok(());
            }
            arg.replaced = tokens;
            call.done += 1;
        }
        let context = self.substitute(&call)?;
        if context.tokens.is_empty() {
            self.gap |= context.gap;
            if let Some(Job::Call(outer)) = self.jobs.last_mut() {
                outer.empty_first |= outer.out.is_empty();
            }
            return Ok(());
        }
        self.disable(call.name.text, true);
        self.contexts.push(context);
        Ok(())
    }

    fn has_macro(&mut self, tokens: &[Token]) -> bool {
        tokens.iter().any(|t| {
            t.kind == Kind::Name && !t.blue && matches!(self.slot(t.text), Slot::Defined(_) | Slot::Builtin)
        })
    }

    fn end_of_job(&mut self) -> Result<Step, Stop> {
        self.leave_context();
        let gap = std::mem::take(&mut self.gap);
        match self.jobs.pop() {
            None => Ok(Step::End),
            Some(Job::List(out, _)) => Ok(Step::List(out)),
            Some(Job::Call(mut call)) => {
                let done = call.mac.expands[call.done];
                call.args[done].replaced = std::mem::take(&mut call.out);
                call.args[done].gap = gap;
                call.args[done].empty_first = std::mem::take(&mut call.empty_first);
                call.done += 1;
                self.proceed(*call)?;
                Ok(Step::Again)
            }
        }
    }
}
