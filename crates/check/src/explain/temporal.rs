//! Why a formula is false on a run, in words: which part fails, where, and what is missing.
//!
//! Only values are looked up that the replay has found; nothing here decides anything.

use crate::replay::lasso::Positions;
use lineal_model::process::formula::{Connective, Fairness, Formula, Ltl};

/// Lines beyond which nobody reads on.
const LINES: usize = 6;

/// A line for each step of the argument.
pub fn reasons(ltl: &Ltl, positions: &Positions) -> Vec<String> {
    let mut told = Telling { ltl, positions, lines: Vec::new() };
    told.fails(&ltl.formula, 0);
    told.lines.truncate(LINES);
    told.lines
}

/// What to say of a run that some fairness rules out.
pub fn unfair(kind: Fairness) -> &'static str {
    match kind {
        Fairness::WeakProcess => {
            "On this run some process could move all along and never does: with weak fairness of processes it \
             would not count."
        }
        Fairness::WeakEvent => {
            "On this run some event could happen all along and never does: with weak fairness of events it \
             would not count."
        }
        Fairness::StrongProcess => {
            "On this run some process could move again and again and never does: with strong fairness of \
             processes it would not count."
        }
        Fairness::StrongEvent => {
            "On this run some event could happen again and again and never does: with strong fairness of events \
             it would not count."
        }
        Fairness::Global => {
            "On this run some step could be taken again and again and never is: with global fairness it would \
             not count."
        }
        Fairness::None => "",
    }
}

struct Telling<'t> {
    ltl: &'t Ltl,
    positions: &'t Positions,
    lines: Vec<String>,
}

impl Telling<'_> {
    fn value(&self, f: &Formula, at: usize) -> Option<bool> {
        self.positions.values(f)[at]
    }

    /// The positions from here on, each once.
    fn from(&self, at: usize) -> Vec<usize> {
        let all = self.positions.holds.len();
        let back = self.positions.back.filter(|b| *b < at);
        (at..all).chain(back.into_iter().flat_map(|b| b..at)).collect()
    }

    fn first(&self, f: &Formula, at: usize, value: bool) -> Option<usize> {
        let values = self.positions.values(f);
        self.from(at).into_iter().find(|i| values[*i] == Some(value))
    }

    fn place(&self, at: usize) -> String {
        let last = self.positions.holds.len() - 1;
        match at {
            0 => "at the start".into(),
            1 if last == 1 && self.positions.still => "after the start, where nothing moves,".into(),
            _ if self.positions.back == Some(last) && at == last => "after the last step, for ever".into(),
            n => format!("after step {n}"),
        }
    }

    fn since(&self, at: usize) -> String {
        match at {
            0 => "from the start on".into(),
            _ => format!("{} and from there on", self.place(at)),
        }
    }

    fn show(&self, f: &Formula) -> String {
        format!("`{}`", self.ltl.show(f))
    }

    fn say(&mut self, line: String) {
        let mut chars = line.chars();
        let capital: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
        self.lines.push(format!("  {capital}{}.", chars.as_str()));
    }

    fn fails(&mut self, f: &Formula, at: usize) {
        if self.lines.len() >= LINES {
            return;
        }
        match f {
            Formula::True | Formula::False => {}
            Formula::Atom(_) => self.say(format!("{} {} is false", self.place(at), self.show(f))),
            Formula::Not(g) => self.holds(g, at),
            Formula::Next(g) => {
                if let Some(next) = self.from(at).get(1).copied().or(self.positions.back) {
                    self.fails(g, next);
                }
            }
            Formula::Always(g) => {
                if let Some(first) = self.first(g, at, false) {
                    self.fails(g, first);
                }
            }
            Formula::Eventually(g) => {
                self.say(format!("{} is never true {}", self.show(g), self.since(at)));
                if let Formula::Always(h) = &**g
                    && let Some(back) = self.positions.back
                    && let Some(again) = self.first(h, back.max(at), false)
                {
                    self.say(format!("{} is false {}, again and again", self.show(h), self.place(again)));
                }
            }
            Formula::Both(op, pair) => self.both_fail(*op, &pair.0, &pair.1, at),
        }
    }

    fn both_fail(&mut self, op: Connective, a: &Formula, b: &Formula, at: usize) {
        let (left, right) = (self.show(a), self.show(b));
        match op {
            Connective::And => {
                let wrong = if self.value(a, at) == Some(false) { a } else { b };
                self.fails(wrong, at);
            }
            Connective::Or => {
                self.fails(a, at);
                self.fails(b, at);
            }
            Connective::Implies => {
                self.say(format!("{} {left} is true, and {right} is not", self.place(at)));
                if !matches!(b, Formula::Atom(_)) {
                    self.fails(b, at);
                }
            }
            Connective::Iff => self.say(format!("{} only one of {left} and {right} is true", self.place(at))),
            Connective::Xor => self.say(format!("{} {left} and {right} are alike", self.place(at))),
            Connective::Until => {
                let (holds, comes) = (self.positions.values(a), self.positions.values(b));
                let way = self.from(at);
                let stop = way.iter().find(|i| comes[**i] == Some(true) || holds[**i] == Some(false));
                match stop {
                    Some(i) if comes[*i] != Some(true) => {
                        let place = self.place(*i);
                        self.say(format!("{place} {left} is false, and {right} has not come by then"));
                    }
                    _ => self.say(format!("{right} is never true {}", self.since(at))),
                }
            }
            Connective::Release => {
                if let Some(i) = self.first(b, at, false) {
                    let place = self.place(i);
                    self.say(format!("{place} {right} is false, and {left} has not come before"));
                }
            }
        }
    }

    fn holds(&mut self, f: &Formula, at: usize) {
        match f {
            Formula::Not(g) => self.fails(g, at),
            Formula::Eventually(g) => {
                if let Some(first) = self.first(g, at, true) {
                    self.holds(g, first);
                }
            }
            Formula::Always(g) => self.say(format!("{} is always true {}", self.show(g), self.since(at))),
            _ => self.say(format!("{} {} is true", self.place(at), self.show(f))),
        }
    }
}
