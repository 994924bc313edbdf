//! A formula as SMT-LIB text, for other solvers.

use super::formula::{Formula, Lit};
use std::fmt::Write;

/// With a title; the answer to expect is `unsat` if the obligation is met.
pub fn text(formula: &Formula, title: &str) -> String {
    let mut out = format!("; {title}\n(set-logic QF_UF)\n");
    for v in 1..=formula.variables {
        let _ = writeln!(out, "(declare-const v{v} Bool)");
    }
    let word = |l: Lit| if l > 0 { format!("v{l}") } else { format!("(not v{})", -l) };
    let mut clause = Vec::new();
    for &l in &formula.clauses {
        if l != 0 {
            clause.push(word(l));
            continue;
        }
        let _ = match clause.as_slice() {
            [] => writeln!(out, "(assert false)"),
            [one] => writeln!(out, "(assert {one})"),
            some => writeln!(out, "(assert (or {}))", some.join(" ")),
        };
        clause.clear();
    }
    for (name, switch) in &formula.groups {
        let _ = writeln!(out, "(assert (! v{switch} :named f{switch})) ; {name}");
    }
    out.push_str("(check-sat)\n");
    out
}
