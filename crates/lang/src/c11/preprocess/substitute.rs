//! A macro's body with its arguments in place: `#`, `##`, `__VA_OPT__`, and white space as gcc keeps
//! it, which shows when the result is quoted.

use super::define::Item;
use super::expand::{Arg, Call, Context};
use super::scan::{Scanner, What};
use super::token::{Kind, Sym, Token, known};
use super::{Preprocessor, Stop};
use crate::c11::lex::Pos;

/// Tokens under way.
#[derive(Default)]
struct Made {
    tokens: Vec<Token>,
    /// White space that an empty argument leaves before the next token.
    gap: bool,
    /// An empty argument comes first: the first token keeps its own white space.
    empty_first: bool,
}

impl Preprocessor<'_> {
    /// What a call is replaced by.
    pub fn substitute(&mut self, call: &Call) -> Result<Context, Stop> {
        let mut made = Made::default();
        self.put_in(&call.mac.body, call, &mut made)?;
        let Made { mut tokens, mut gap, empty_first } = made;
        if tokens.iter().any(|t| t.kind == Kind::Placemarker) {
            let mut space = false;
            tokens.retain_mut(|t| {
                t.space |= std::mem::take(&mut space);
                space = t.kind == Kind::Placemarker && t.space;
                t.kind != Kind::Placemarker
            });
            gap |= space;
        }
        match tokens.first_mut() {
            Some(first) if empty_first => first.space |= call.name.space,
            Some(first) => first.space = call.name.space,
            None => gap |= call.name.space,
        }
        self.charge(tokens.len() + 1)?;
        Ok(Context { tokens, at: 0, of: Some(call.name.text), gap, closed: false })
    }

    fn put_in(&mut self, items: &[Item], call: &Call, made: &mut Made) -> Result<(), Stop> {
        let pos = call.name.pos;
        let is_paste = |i: Option<usize>| i.is_some_and(|i| matches!(items.get(i), Some(Item::Paste)));
        for (i, item) in items.iter().enumerate() {
            let pasted = is_paste(i.checked_sub(1));
            let pastes = is_paste(Some(i + 1));
            match item {
                Item::Paste => {}
                Item::Token(token) => {
                    let token = Token { pos, ..*token };
                    self.join(made, &[token], pasted, pos)?;
                }
                Item::Quote(index, space) => {
                    let token = self.quote(&call.args[*index].raw, *space, pos);
                    self.join(made, &[token], pasted, pos)?;
                }
                Item::Param(index, space) => {
                    let arg = &call.args[*index];
                    let last = call.mac.variadic && index + 1 == call.args.len();
                    let comma = made.tokens.last().is_some_and(|t| t.is(known::COMMA));
                    if pasted && last && comma {
                        swallow(made, arg);
                    } else if pasted || pastes {
                        self.charge(arg.raw.len())?;
                        self.operand(made, &arg.raw, *space, pasted, pos)?;
                    } else {
                        self.charge(arg.replaced.len())?;
                        let mut space = *space;
                        if arg.empty_first {
                            made.empty_first |= i == 0;
                            space |= arg.replaced.first().is_some_and(|t| t.space);
                        }
                        append(made, &arg.replaced, space, i == 0);
                        made.gap |= arg.gap && !arg.replaced.is_empty();
                    }
                }
                Item::Opt(inner, space) => {
                    let operand = pasted || pastes;
                    let tokens = self.optional(inner, call, operand)?;
                    if operand {
                        self.operand(made, &tokens, *space, pasted, pos)?;
                    } else {
                        append(made, &tokens, *space, i == 0);
                    }
                }
                Item::QuoteOpt(inner, space) => {
                    let tokens = self.optional(inner, call, false)?;
                    let token = self.quote(&tokens, *space, pos);
                    self.join(made, &[token], pasted, pos)?;
                }
            }
        }
        Ok(())
    }

    /// What `__VA_OPT__(…)` gives. Of an operand of `##`, what is nothing at either end counts: the
    /// token next to it is not pasted.
    fn optional(&mut self, inner: &[Item], call: &Call, operand: bool) -> Result<Vec<Token>, Stop> {
        if call.args.last().is_none_or(|arg| arg.replaced.is_empty()) {
            return Ok(Vec::new());
        }
        let mut made = Made::default();
        self.put_in(inner, call, &mut made)?;
        if !operand {
            made.tokens.retain(|t| t.kind != Kind::Placemarker);
            return Ok(made.tokens);
        }
        let nothing = |item: Option<&Item>| match item {
            Some(Item::Param(index, space)) if call.args[*index].replaced.is_empty() => {
                let pos = call.name.pos;
                Some(Token { kind: Kind::Placemarker, space: *space, blue: false, text: known::NOTHING, pos })
            }
            _ => None,
        };
        if let Some(first) = nothing(inner.first()) {
            made.tokens.insert(0, first);
        }
        if inner.len() > 1 {
            made.tokens.extend(nothing(inner.last()));
        }
        Ok(made.tokens)
    }

    /// An operand of `##`, which may be nothing.
    fn operand(
        &mut self,
        made: &mut Made,
        tokens: &[Token],
        space: bool,
        pasted: bool,
        pos: Pos,
    ) -> Result<(), Stop> {
        if tokens.is_empty() {
            let nothing = Token { kind: Kind::Placemarker, space, blue: false, text: known::NOTHING, pos };
            return self.join(made, &[nothing], pasted, pos);
        }
        let mut tokens = tokens.to_vec();
        tokens[0].space = space;
        self.join(made, &tokens, pasted, pos)
    }

    /// Puts tokens behind the others; the first may be pasted to the last.
    fn join(&mut self, made: &mut Made, tokens: &[Token], pasted: bool, pos: Pos) -> Result<(), Stop> {
        let mut rest = tokens;
        if pasted && let (Some(&left), Some(&right)) = (made.tokens.last(), tokens.first()) {
            made.tokens.pop();
            rest = &tokens[1..];
            let both = self.paste(left, right, pos)?;
            made.tokens.extend(both);
        }
        for token in rest {
            let mut token = *token;
            token.space |= std::mem::take(&mut made.gap);
            made.tokens.push(token);
        }
        Ok(())
    }

    /// Two tokens as one. If they are none, both stay.
    fn paste(&mut self, left: Token, right: Token, pos: Pos) -> Result<Vec<Token>, Stop> {
        match (left.kind, right.kind) {
            (_, Kind::Placemarker) => return Ok(vec![left]),
            (Kind::Placemarker, _) => return Ok(vec![Token { space: left.space, ..right }]),
            _ => {}
        }
        let text = format!("{}{}", self.text(&left), self.text(&right));
        match self.scan_text(text.as_bytes(), pos)[..] {
            [one] if self.text(&one).len() == text.len() => Ok(vec![Token { space: left.space, ..one }]),
            _ => {
                let (left_text, right_text) = (self.text(&left), self.text(&right));
                let message = format!("`{left_text}` and `{right_text}` make no token together");
                self.error(pos, message)?;
                Ok(vec![left, right])
            }
        }
    }

    /// A string with the spelling of these tokens.
    fn quote(&mut self, tokens: &[Token], space: bool, pos: Pos) -> Token {
        let mut text = String::from("\"");
        for (i, token) in tokens.iter().enumerate() {
            if i > 0 && token.space {
                text.push(' ');
            }
            let spelling = self.names.text(token.text);
            // An open literal counts, too: it is only quoted here.
            if spelling.contains(['"', '\'']) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
        }
        // A backslash at the end would take the quote along: gcc drops it, too.
        if (text.len() - text.trim_end_matches('\\').len()) % 2 == 1 {
            text.pop();
        }
        text.push('"');
        Token { kind: Kind::Str, space, blue: false, text: self.names.intern(&text), pos }
    }

    /// The tokens of a text that is no file.
    pub fn scan_text(&mut self, text: &[u8], pos: Pos) -> Vec<Token> {
        let mut scan = Scanner::new(text.into());
        let mut tokens = Vec::new();
        loop {
            let piece = scan.next();
            let (kind, text): (Kind, Sym) = match piece.what {
                What::End => return tokens,
                What::Newline | What::OpenComment => continue,
                What::Punct(sym) => (Kind::Punct, sym),
                What::Token(kind) => {
                    (kind, self.names.intern(&String::from_utf8_lossy(&scan.spelling(&piece))))
                }
            };
            tokens.push(Token { kind, space: piece.space, blue: false, text, pos });
        }
    }
}

/// `, ## __VA_ARGS__`: the comma goes if nothing was written, else nothing is pasted.
fn swallow(made: &mut Made, arg: &Arg) {
    if arg.omitted {
        made.tokens.pop();
    } else {
        made.tokens.extend(&arg.raw);
    }
}

/// An argument that was replaced on its own.
fn append(made: &mut Made, tokens: &[Token], space: bool, first: bool) {
    let Some((head, rest)) = tokens.split_first() else {
        made.empty_first |= first;
        made.gap |= space && !first;
        return;
    };
    let space = space | std::mem::take(&mut made.gap);
    made.tokens.push(Token { space, ..*head });
    made.tokens.extend(rest);
}
