//! Who decides a formula: a trait, and the solver that is built in.

use super::formula::{Formula, Lit};
use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;

#[derive(Clone, Debug)]
pub enum Outcome {
    /// No assignment; the groups that this takes.
    Unsat(Vec<usize>),
    /// By variable.
    Sat(Vec<bool>),
    Unknown(String),
}

pub trait Solver {
    /// Decides the formula with all its groups. `stop` is asked now and then; if it says so, the outcome is unknown.
    fn solve_until(&mut self, formula: &Formula, stop: &dyn Fn() -> bool) -> Outcome;

    /// The same, however long it takes.
    fn solve(&mut self, formula: &Formula) -> Outcome {
        self.solve_until(formula, &|| false)
    }
}

/// Asks whether to go on, every so many times that the solver would.
struct Patience<'s> {
    stop: &'s dyn Fn() -> bool,
    asked: Cell<u32>,
    stopped: Cell<bool>,
}

const EVERY: u32 = 256;

impl Callbacks for Patience<'_> {
    fn stop(&self) -> bool {
        let asked = self.asked.get().wrapping_add(1);
        self.asked.set(asked);
        if asked.is_multiple_of(EVERY) && !self.stopped.get() {
            self.stopped.set((self.stop)());
        }
        self.stopped.get()
    }
}

/// BatSat: conflict-driven clause learning, in Rust.
#[derive(Debug, Default)]
pub struct BuiltIn;

impl Solver for BuiltIn {
    fn solve_until(&mut self, formula: &Formula, stop: &dyn Fn() -> bool) -> Outcome {
        let patience = Patience { stop, asked: Cell::new(0), stopped: Cell::new(false) };
        let mut solver = batsat::Solver::new(SolverOpts::default(), patience);
        let variables: Vec<batsat::Var> = (0..=formula.variables).map(|_| solver.new_var_default()).collect();
        let literal = |l: Lit| batsat::Lit::new(variables[l.unsigned_abs() as usize], l > 0);
        let mut clause = Vec::new();
        for &l in &formula.clauses {
            if l != 0 {
                clause.push(literal(l));
                continue;
            }
            solver.add_clause_reuse(&mut clause);
            clause.clear();
        }
        let switches: Vec<batsat::Lit> = formula.groups.iter().map(|g| literal(g.1)).collect();
        match solver.solve_limited(&switches) {
            answer if answer == lbool::TRUE => {
                let value = |v: &batsat::Var| solver.value_var(*v) == lbool::TRUE;
                Outcome::Sat(variables.iter().map(value).collect())
            }
            answer if answer == lbool::FALSE => {
                let core = solver.unsat_core();
                let used = |&i: &usize| core.iter().any(|l| l.var() == switches[i].var());
                Outcome::Unsat((0..switches.len()).filter(used).collect())
            }
            _ => Outcome::Unknown("the solver gave up".into()),
        }
    }
}
