//! Temporal formulas, with the precedences of PAT.
//!
//! Tightest: `!`, `[]` or `G`, `<>` or `F`, `X`. Then `U`, `V` or `R`. Then `&&` or `/\`, `||` or `\/`,
//! `->`, `<->` and `xor`, all alike. All binary operators are left-associative. This is what PAT's manual
//! says of associativity, and what PAT does where the manual is silent: `a -> b && c` is `(a -> b) && c`.
//! Elsewhere `&&` binds tighter than `||`, which binds tighter than `->`, which binds tighter than `<->`;
//! where that would be another formula, the answer says how it was read, and so it does of `a U b U c`.

use super::super::lexer;
use super::*;
use lineal_model::process::formula::{Connective, Formula};

/// Operands in a row: formulas are walked by recursion.
const MANY: usize = 200;

/// Operands that are tried with all values.
const FEW: usize = 12;

struct Read {
    atoms: Vec<Atom>,
    unusual: Option<Formula>,
    chained: Option<Formula>,
}

impl Parser<'_> {
    pub(super) fn temporal(&mut self) -> Parsed<Temporal> {
        let mut read = Read { atoms: Vec::new(), unusual: None, chained: None };
        let formula = self.formula(&mut read)?;
        if !self.is(";") && *self.peek() != Tok::End {
            let comparison = matches!(
                self.peek(),
                Tok::Mark("==" | "!=" | "<" | ">" | "<=" | ">=" | "+" | "-" | "*" | "/" | "%" | "=")
            );
            if comparison {
                let message = format!("expected a temporal operator, found {}", self.found());
                let help = "give the condition a name: `#define full x == N;`, then `[] full`";
                return self.fail(Diagnostic::error("L0202", message).at(self.place()).help(help));
            }
            return self.wrong("expected an operator, or `;` after the formula");
        }
        Ok(Temporal { formula, atoms: read.atoms, unusual: read.unusual, chained: read.chained })
    }

    fn formula(&mut self, read: &mut Read) -> Parsed<Formula> {
        self.nested(|p| {
            let mut operands = vec![p.temporal_level(read)?];
            let mut between = Vec::new();
            while let Some(op) = p.connective() {
                p.at += 1;
                between.push(op);
                operands.push(p.temporal_level(read)?);
                if operands.len() > MANY {
                    return p.wrong(format!("expected at most {MANY} operands in a row"));
                }
            }
            let formula = left(&operands, &between);
            if read.unusual.is_none() && differ(&between) {
                read.unusual = Some(formula.clone());
            }
            Ok(formula)
        })
    }

    fn connective(&self) -> Option<Connective> {
        Some(match self.peek() {
            Tok::Mark("&&" | "/\\") => Connective::And,
            Tok::Mark("||" | "\\/") => Connective::Or,
            Tok::Mark("->") => Connective::Implies,
            Tok::Mark("<->") => Connective::Iff,
            Tok::Ident(w) if &**w == "xor" => Connective::Xor,
            _ => return None,
        })
    }

    fn temporal_level(&mut self, read: &mut Read) -> Parsed<Formula> {
        let mut left = self.temporal_factor(read)?;
        for count in 0..MANY {
            let op = match self.peek() {
                Tok::Ident(w) if &**w == "U" => Connective::Until,
                Tok::Ident(w) if matches!(&**w, "V" | "R") => Connective::Release,
                _ => {
                    if count > 1 {
                        read.chained.get_or_insert(left.clone());
                    }
                    return Ok(left);
                }
            };
            self.at += 1;
            let right = self.temporal_factor(read)?;
            left = Formula::both(op, left, right);
        }
        self.wrong(format!("expected at most {MANY} operands in a row"))
    }

    fn temporal_factor(&mut self, read: &mut Read) -> Parsed<Formula> {
        type Unary = fn(Box<Formula>) -> Formula;
        let unary: Option<Unary> = match self.peek() {
            Tok::Mark("!") => Some(Formula::Not),
            Tok::Mark("[]") => Some(Formula::Always),
            Tok::Mark("<>") => Some(Formula::Eventually),
            Tok::Ident(w) if &**w == "G" => Some(Formula::Always),
            Tok::Ident(w) if &**w == "F" => Some(Formula::Eventually),
            Tok::Ident(w) if &**w == "X" => Some(Formula::Next),
            _ => None,
        };
        if let Some(unary) = unary {
            self.at += 1;
            let inner = self.nested(|p| p.temporal_factor(read))?;
            return Ok(unary(Box::new(inner)));
        }
        if self.eat("(") {
            let inner = self.formula(read)?;
            self.expect(")", "to close the parenthesis")?;
            return Ok(inner);
        }
        if self.eat_word("true") {
            return Ok(Formula::True);
        }
        if self.eat_word("false") {
            return Ok(Formula::False);
        }
        let atom = match self.peek().clone() {
            Tok::Text(text) => self.quoted(&text)?,
            Tok::Ident(w) if matches!(&*w, "U" | "V" | "R" | "xor") => {
                return self.wrong("expected a formula");
            }
            Tok::Ident(_) => self.atom()?,
            _ => return self.wrong("expected a formula"),
        };
        read.atoms.push(atom);
        Ok(Formula::Atom(read.atoms.len() as u32 - 1))
    }

    /// `"c!3"`: an event as it is shown.
    fn quoted(&mut self, text: &str) -> Parsed<Atom> {
        let at = self.place();
        let mut tokens = lexer::lex(&at.file, text, self.problems);
        tokens.iter_mut().for_each(|t| t.at = at.clone());
        let outside = (std::mem::replace(&mut self.tokens, tokens), self.at + 1);
        self.at = 0;
        let empty = *self.peek() == Tok::End;
        let atom = if empty { Err(Reported) } else { self.atom() };
        let whole = *self.peek() == Tok::End;
        (self.tokens, self.at) = outside;
        match whole && !empty {
            true => Ok(Atom { quoted: true, ..atom? }),
            false => {
                let problem = Diagnostic::error("L0202", format!("\"{text}\" is no event"));
                self.fail(problem.at(at).help("write it as traces show it: \"c!3\", \"get.0.1\""))
            }
        }
    }

    fn atom(&mut self) -> Parsed<Atom> {
        let at = self.place();
        let name = self.name("an event or a proposition")?;
        let mut indices = self.indices()?;
        if indices.len() > 1 {
            return self.wrong("expected one index for a channel");
        }
        let message = match self.peek() {
            Tok::Mark("!") => Some('!'),
            Tok::Mark("?") => Some('?'),
            _ => None,
        };
        let mut args = Vec::new();
        if message.is_some() {
            self.at += 1;
            args.push(self.field()?);
        }
        while self.eat(".") {
            args.push(self.field()?);
        }
        Ok(Atom { name, index: indices.pop(), message, quoted: false, args, at })
    }
}

fn left(operands: &[Formula], between: &[Connective]) -> Formula {
    let mut formula = operands[0].clone();
    for (op, right) in between.iter().zip(&operands[1..]) {
        formula = Formula::both(*op, formula, right.clone());
    }
    formula
}

/// Whether the usual precedences would make another formula of operands joined like this.
fn differ(between: &[Connective]) -> bool {
    if between.iter().all(|op| *op == between[0]) && between.first() != Some(&Connective::Implies) {
        return false;
    }
    let operands = between.len() + 1;
    if operands > FEW {
        return true;
    }
    (0..1u32 << operands).any(|values| {
        let values: Vec<bool> = (0..operands).map(|i| values & 1 << i != 0).collect();
        let as_read = between.iter().zip(&values[1..]).fold(values[0], |a, (op, b)| apply(*op, a, *b));
        as_read != usual(&values, between)
    })
}

fn apply(op: Connective, a: bool, b: bool) -> bool {
    match op {
        Connective::And => a && b,
        Connective::Or => a || b,
        Connective::Implies => !a || b,
        Connective::Iff => a == b,
        Connective::Xor => a != b,
        Connective::Until | Connective::Release => unreachable!("these bind tighter"),
    }
}

/// The value by the usual precedences, `->` to the right: split at the loosest operator.
fn usual(values: &[bool], between: &[Connective]) -> bool {
    for op in [Connective::Iff, Connective::Implies, Connective::Or, Connective::Xor, Connective::And] {
        let at = match op {
            Connective::Implies => between.iter().position(|b| *b == op),
            _ => between.iter().rposition(|b| *b == op),
        };
        if let Some(at) = at {
            return apply(
                op,
                usual(&values[..=at], &between[..at]),
                usual(&values[at + 1..], &between[at + 1..]),
            );
        }
    }
    values[0]
}
