//! The arithmetic of `#if`: 64 bits, signed or not, as C has it. Names that are no macros are 0.
//!
//! What `&&`, `||` and `?:` do not evaluate may divide by zero. Nesting is bounded.

use super::Preprocessor;
use super::token::{Kind, Names, Sym, Token, known};
use crate::c11::lex::{self, Pos, Tok};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn truth(yes: bool) -> Value {
        Value { bits: yes.into(), unsigned: false }
    }
}

type Wrong = (Pos, String);

/// How deep parentheses may nest.
const DEEPEST: u32 = 200;

impl Preprocessor<'_> {
    /// Whether an expression is not 0.
    pub fn evaluate(&self, at: Pos, tokens: &[Token]) -> Result<bool, Wrong> {
        let mut e = Evaluator { tokens, at: 0, line: at, names: &self.names, depth: 0 };
        let value = e.comma(true)?;
        match e.tokens.get(e.at) {
            None => Ok(value.bits != 0),
            Some(token) => Err((token.pos, format!("`{}` is not expected here", self.text(token)))),
        }
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    at: usize,
    line: Pos,
    names: &'a Names,
    depth: u32,
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn eat(&mut self, punctuator: Sym) -> bool {
        let found = self.peek().is_some_and(|t| t.is(punctuator));
        self.at += usize::from(found);
        found
    }

    fn pos(&self) -> Pos {
        let last = self.tokens.last().map_or(self.line, |t| t.pos);
        self.peek().map_or(last, |t| t.pos)
    }

    /// `live`: its value counts.
    fn comma(&mut self, live: bool) -> Result<Value, Wrong> {
        let mut value = self.conditional(live)?;
        while self.eat(known::COMMA) {
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    fn conditional(&mut self, live: bool) -> Result<Value, Wrong> {
        let condition = self.binary(0, live)?;
        if !self.eat(known::QUESTION) {
            return Ok(condition);
        }
        let yes = condition.bits != 0;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((self.pos(), format!("this nests more than {DEEPEST} deep")));
        }
        let first = self.comma(live && yes)?;
        if !self.eat(known::COLON) {
            return Err((self.pos(), "`?` without `:`".into()));
        }
        let second = self.conditional(live && !yes)?;
        self.depth -= 1;
        let unsigned = first.unsigned || second.unsigned;
        Ok(Value { unsigned, ..if yes { first } else { second } })
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<Value, Wrong> {
        let mut left = self.unary(live)?;
        loop {
            let Some(&operator) = self.peek() else { return Ok(left) };
            let level = if operator.kind == Kind::Punct { level(operator.text) } else { None };
            let Some(level) = level.filter(|l| *l > least) else { return Ok(left) };
            self.at += 1;
            let counts = match operator.text {
                known::AND_AND => live && left.bits != 0,
                known::OR_OR => live && left.bits == 0,
                _ => live,
            };
            let right = self.binary(level, counts)?;
            left = apply(operator.text, left, right, live)
                .ok_or_else(|| (operator.pos, "division by zero".to_string()))?;
        }
    }

    fn unary(&mut self, live: bool) -> Result<Value, Wrong> {
        let mut operators = Vec::new();
        while let Some(token) = self.peek().filter(|t| t.kind == Kind::Punct) {
            match token.text {
                known::PLUS | known::MINUS | known::TILDE | known::NOT => operators.push(token.text),
                _ => break,
            }
            self.at += 1;
        }
        let mut value = self.primary(live)?;
        for operator in operators.into_iter().rev() {
            value = match operator {
                known::MINUS => Value { bits: value.bits.wrapping_neg(), ..value },
                known::TILDE => Value { bits: !value.bits, ..value },
                known::NOT => Value::truth(value.bits == 0),
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Value, Wrong> {
        let Some(&token) = self.peek() else {
            return Err((self.pos(), "a value is missing at the end of the condition".into()));
        };
        self.at += 1;
        let text = self.names.text(token.text);
        match token.kind {
            Kind::Name => Ok(Value { bits: 0, unsigned: false }),
            Kind::Number => match lex::number(text) {
                Ok(Tok::Int { value, unsigned, .. }) => {
                    Ok(Value { bits: value, unsigned: unsigned || value > i64::MAX as u64 })
                }
                Ok(_) => Err((token.pos, "a condition has no floating-point numbers".into())),
                Err(message) => Err((token.pos, message)),
            },
            Kind::Char => match lex::character(text) {
                Ok(Tok::Int { value, .. }) => Ok(Value { bits: value, unsigned: true }),
                Ok(Tok::Char(c)) => Ok(Value { bits: i64::from(c) as u64, unsigned: false }),
                Ok(_) => Err((token.pos, "this is no number".into())),
                Err(message) => Err((token.pos, message)),
            },
            Kind::Punct if token.is(known::OPEN) => {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err((token.pos, format!("this nests more than {DEEPEST} deep")));
                }
                let value = self.comma(live)?;
                if !self.eat(known::CLOSE) {
                    return Err((token.pos, "this parenthesis is not closed".into()));
                }
                self.depth -= 1;
                Ok(value)
            }
            Kind::Str => Err((token.pos, "a condition has no strings".into())),
            _ => Err((token.pos, format!("`{text}` is not expected here: a value is missing"))),
        }
    }
}

/// How tightly an operator binds.
fn level(operator: Sym) -> Option<u8> {
    Some(match operator {
        known::OR_OR => 1,
        known::AND_AND => 2,
        known::OR => 3,
        known::XOR => 4,
        known::AND => 5,
        known::EQUAL | known::UNEQUAL => 6,
        known::LESS | known::GREATER | known::AT_MOST | known::AT_LEAST => 7,
        known::SHIFT_LEFT | known::SHIFT_RIGHT => 8,
        known::PLUS | known::MINUS => 9,
        known::TIMES | known::DIVIDE | known::REMAINDER => 10,
        _ => return None,
    })
}

/// `None`: a division by zero that counts.
fn apply(operator: Sym, left: Value, right: Value, live: bool) -> Option<Value> {
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (sa, sb) = (a as i64, b as i64);
    let number = |bits: u64| Some(Value { bits, unsigned });
    let order = if unsigned { a.cmp(&b) } else { sa.cmp(&sb) };
    match operator {
        known::OR_OR => Some(Value::truth(a != 0 || b != 0)),
        known::AND_AND => Some(Value::truth(a != 0 && b != 0)),
        known::EQUAL => Some(Value::truth(a == b)),
        known::UNEQUAL => Some(Value::truth(a != b)),
        known::LESS => Some(Value::truth(order.is_lt())),
        known::GREATER => Some(Value::truth(order.is_gt())),
        known::AT_MOST => Some(Value::truth(order.is_le())),
        known::AT_LEAST => Some(Value::truth(order.is_ge())),
        known::OR => number(a | b),
        known::XOR => number(a ^ b),
        known::AND => number(a & b),
        known::PLUS => number(a.wrapping_add(b)),
        known::MINUS => number(a.wrapping_sub(b)),
        known::TIMES => number(a.wrapping_mul(b)),
        known::DIVIDE | known::REMAINDER if b == 0 => {
            if live {
                None
            } else {
                number(0)
            }
        }
        known::DIVIDE if unsigned => number(a / b),
        known::DIVIDE => number(sa.wrapping_div(sb) as u64),
        known::REMAINDER if unsigned => number(a % b),
        known::REMAINDER => number(sa.wrapping_rem(sb) as u64),
        // A negative distance shifts the other way, and the type is that of the left side.
        _ => {
            let back = !right.unsigned && sb < 0;
            let distance = if back { sb.unsigned_abs() } else { b };
            let left_wards = (operator == known::SHIFT_LEFT) != back;
            let bits = match (left_wards, distance, left.unsigned) {
                (true, 0..=63, _) => a << distance,
                (true, _, _) => 0,
                (false, 0..=63, true) => a >> distance,
                (false, _, true) => 0,
                (false, n, false) => (sa >> n.min(63)) as u64,
            };
            Some(Value { bits, unsigned: left.unsigned })
        }
    }
}
