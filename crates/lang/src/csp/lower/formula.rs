//! Temporal formulas: what their atoms mean.
//!
//! A name is the proposition that `#define` makes of it, otherwise an event, as in PAT; in quotation marks
//! it is an event in any case. Where both exist, the answer says which was taken. An event is
//! meant with all its arguments: `get` is not `get.0`. One that no process has is never there, which
//! is said, since it is most often a slip.

use super::*;
use lineal_model::process::formula::{Atom, Meaning as Sense};

/// Atoms are bits of one word, and engines may want one for themselves.
const MOST: usize = 63;

/// Termination, as traces show it.
const TERMINATE: &str = "terminate";

impl<'a> Lower<'a> {
    pub(super) fn temporal(&mut self, temporal: &'a ast::Temporal) -> Option<Claim> {
        let mut atoms: Vec<Atom> = Vec::new();
        let mut numbers = Vec::new();
        let mut notes = Vec::new();
        let mut good = true;
        for atom in &temporal.atoms {
            let Some(lowered) = self.atom(atom) else {
                good = false;
                continue;
            };
            let known = atoms.iter().position(|a| a.shown == lowered.shown);
            numbers.push(known.unwrap_or(atoms.len()) as u32);
            if known.is_none() {
                notes.extend(self.never(&lowered));
                notes.extend(self.either(atom, &lowered));
                atoms.push(lowered);
            }
        }
        if atoms.len() > MOST {
            let at = &temporal.atoms[0].at;
            self.error("L0236", format!("a formula may have at most {MOST} different atoms"), at);
            return None;
        }
        if !good {
            return None;
        }
        let formula = renumbered(&temporal.formula, &numbers);
        let mut ltl = Ltl { formula, atoms, notes };
        if let Some(chained) = &temporal.chained {
            let read = ltl.show(&renumbered(chained, &numbers));
            ltl.notes.push(format!(
                "read as {read}, as PAT does: `U`, `V` and `R` are read from left to right; parentheses would settle it"
            ));
        }
        if let Some(unusual) = &temporal.unusual {
            let read = ltl.show(&renumbered(unusual, &numbers));
            ltl.notes.push(format!(
                "read as {read}, as PAT does: `&&`, `||`, `->`, `<->` and `xor` bind alike, from left to right; \
                 parentheses would settle it"
            ));
        }
        Some(Claim::Ltl { formula: ltl.into(), fairness: Fairness::None })
    }

    fn atom(&mut self, atom: &'a ast::Atom) -> Option<Atom> {
        let index = match &atom.index {
            Some(e) => format!("[{}]", self.constant(e)?),
            None => String::new(),
        };
        let mut args = Vec::new();
        for arg in &atom.args {
            args.push(self.constant(arg)?);
        }
        let plain = atom.index.is_none() && atom.message.is_none() && args.is_empty();
        let meaning = self.names.get(&atom.name).map(|(m, _)| m.clone());
        let defined = plain && matches!(meaning, Some(Meaning::Constant(_) | Meaning::Macro(..)));
        if !atom.quoted
            && plain
            && let Some(Meaning::Constant(_) | Meaning::Macro(..)) = meaning
        {
            let e = ast::Expr { kind: ast::ExprKind::Name(atom.name.clone()), at: atom.at.clone() };
            let condition = self.condition(&e)?;
            return Some(Atom { shown: atom.name.to_string(), meaning: Sense::Condition(condition) });
        }
        let name = match atom.message {
            Some(mark) => format!("{}{index}{mark}", atom.name),
            None => format!("{}{index}", atom.name),
        };
        let separator = |i: usize| if i == 0 && atom.message.is_some() { "" } else { "." };
        let shown: String =
            args.iter().enumerate().fold(name.clone(), |s, (i, a)| format!("{s}{}{a}", separator(i)));
        let shown = if defined { format!("\"{shown}\"") } else { shown };
        if name == "tau" {
            self.problems.push(
                Diagnostic::error("L0236", "`tau` cannot be seen, so no formula can speak of it")
                    .at(atom.at.clone())
                    .help("give the step a name"),
            );
            return None;
        }
        if !self.events.contains_key(&*name) {
            if name == TERMINATE && args.is_empty() {
                return Some(Atom { shown, meaning: Sense::Event(u32::MAX, args) });
            }
            let variable = matches!(meaning, Some(Meaning::Global(_))) && atom.message.is_none();
            if !variable && (atom.message.is_some() || atom.index.is_some()) {
                self.error("L0236", format!("there is no channel `{}{index}`", atom.name), &atom.at);
                return None;
            }
            if let Some(meaning) = meaning.filter(|_| !defined) {
                let is = match meaning {
                    Meaning::Global(_) => "a variable",
                    Meaning::Process(_) => "a process",
                    _ => "no event",
                };
                self.problems.push(
                    Diagnostic::error(
                        "L0236",
                        format!("`{name}` is {is}, but an event or a proposition is needed"),
                    )
                    .at(atom.at.clone())
                    .help("name what is to hold: `#define full x == N;`, then `[] full`"),
                );
                return None;
            }
        }
        Some(Atom { shown, meaning: Sense::Event(self.event(&name), args) })
    }

    /// What to say about a name that is both a proposition and an event.
    fn either(&self, written: &ast::Atom, atom: &Atom) -> Option<String> {
        let name = &written.name;
        let is_event = || {
            self.model.sites.iter().any(|site| match &site.node {
                Node::Prefix { event: EventExpr::Named(n, args), .. } => {
                    args.is_empty() && self.events.get(name) == Some(n)
                }
                _ => false,
            })
        };
        (matches!(atom.meaning, Sense::Condition(_)) && is_event()).then(|| {
            format!("`{name}` is taken for what #define makes of it, not for the event: that is \"{name}\" in quotation marks")
        })
    }

    /// What to say about an event that no process has.
    fn never(&self, atom: &Atom) -> Option<String> {
        let Sense::Event(name, args) = &atom.meaning else { return None };
        if *name == u32::MAX || self.model.channels.iter().any(|c| [c.send, c.receive, c.meet].contains(name))
        {
            return None;
        }
        let mut others = Vec::new();
        for site in &self.model.sites {
            if let Node::Prefix { event: EventExpr::Named(n, a), .. } = &site.node
                && n == name
            {
                if a.len() == args.len() {
                    return None;
                }
                others.push(a.len());
            }
        }
        let shown = &atom.shown;
        Some(match others.iter().min() {
            None => format!("no process has an event `{shown}`: it is never true"),
            Some(n) => {
                let n = match n {
                    0 => "none".to_string(),
                    n => n.to_string(),
                };
                format!(
                    "no event `{shown}` has this number of arguments (others of this name have {n}): it is never true"
                )
            }
        })
    }
}

fn renumbered(formula: &Formula, numbers: &[u32]) -> Formula {
    let inner = |f: &Formula| Box::new(renumbered(f, numbers));
    match formula {
        Formula::True => Formula::True,
        Formula::False => Formula::False,
        Formula::Atom(i) => Formula::Atom(numbers[*i as usize]),
        Formula::Not(f) => Formula::Not(inner(f)),
        Formula::Next(f) => Formula::Next(inner(f)),
        Formula::Always(f) => Formula::Always(inner(f)),
        Formula::Eventually(f) => Formula::Eventually(inner(f)),
        Formula::Both(op, pair) => {
            Formula::both(*op, renumbered(&pair.0, numbers), renumbered(&pair.1, numbers))
        }
    }
}
