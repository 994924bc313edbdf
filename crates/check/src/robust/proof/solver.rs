//! Who decides a formula: a trait, and the solver that is built in.

use super::formula::{Formula, Lit};
use batsat::{BasicSolver, SolverInterface, lbool};

#[derive(Clone, Debug)]
pub enum Outcome {
    /// No assignment; the groups that this takes.
    Unsat(Vec<usize>),
    /// By variable.
    Sat(Vec<bool>),
    Unknown(String),
}

pub trait Solver {
    /// Decides the formula with all its groups.
    fn solve(&mut self, formula: &Formula) -> Outcome;
}

/// BatSat: conflict-driven clause learning, in Rust.
#[derive(Debug, Default)]
pub struct BuiltIn;

impl Solver for BuiltIn {
    fn solve(&mut self, formula: &Formula) -> Outcome {
        let mut solver = BasicSolver::default();
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
