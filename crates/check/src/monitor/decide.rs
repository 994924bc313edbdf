//! One object's history: fast decider first, search where that declines.

use super::answer::Answer;
use super::fast::{self, Conflict, Fast};
use super::search::{self, Explored};
use super::{Algorithm, Consistency, Partition, Problem};
use lineal_model::adt::{Adt, Kind, Visit};
use lineal_model::history::{History, ValueId};
use lineal_model::{Effort, Observer};

#[derive(Clone, Debug)]
pub struct Decision {
    pub answer: Answer<Conflict>,
    pub method: Method,
    /// Configurations the search entered.
    pub configurations: u64,
    pub bytes: u64,
    /// From the search: the longest legal order it found, with the state after each operation.
    pub trail: Vec<(u32, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    Fast,
    /// With the reason why the fast decider was not used.
    Search(String),
}

impl Decision {
    fn new(answer: Answer<Conflict>, method: Method) -> Self {
        Decision { answer, method, configurations: 0, bytes: 0, trail: Vec::new() }
    }
}

/// Decides the history as that of a single object. Keys are not looked at, except by maps.
pub fn decide(problem: &Problem, effort: &Effort, watch: &dyn Observer) -> Decision {
    let why = match (problem.consistency, problem.algorithm) {
        (Consistency::Sequential, _) => "sequential consistency".into(),
        (_, Algorithm::Search) => "as asked".into(),
        (Consistency::Linearizable, Algorithm::Auto) => match fast::decide(problem.history, problem.object) {
            Fast::Holds => return Decision::new(Answer::Holds, Method::Fast),
            Fast::Violated(conflict) => return Decision::new(Answer::Violated(conflict), Method::Fast),
            Fast::Declined(why) => why,
        },
    };
    // Elements of a set are as independent as keys of a map. Classes of a relaxed one are not: how far
    // an operation is out of order counts operations on all of them.
    let apart = problem.object.kind == Kind::Set
        && problem.object.quasi.is_none()
        && problem.consistency == Consistency::Linearizable
        && problem.partition == Partition::ByKey;
    match apart {
        true => by_element(problem, why, effort, watch),
        false => search_whole(problem, why, effort, watch),
    }
}

fn by_element(problem: &Problem, why: String, effort: &Effort, watch: &dyn Observer) -> Decision {
    let mut elements: indexmap::IndexMap<ValueId, Vec<u32>> = Default::default();
    for (i, op) in problem.history.ops().enumerate() {
        elements.entry(op.arg).or_default().push(i as u32);
    }
    let mut sum = Decision::new(Answer::Holds, Method::Search(why.clone()));
    for ops in elements.values() {
        let element = problem.history.restrict(ops);
        let decision = search_whole(&Problem { history: &element, ..*problem }, why.clone(), effort, watch);
        sum.configurations += decision.configurations;
        sum.bytes = sum.bytes.max(decision.bytes);
        match decision.answer {
            Answer::Holds => {}
            Answer::Unknown(_) => sum.answer = decision.answer,
            Answer::Violated(mut conflict) => {
                conflict.ops.iter_mut().for_each(|op| *op = ops[*op as usize]);
                sum.answer = Answer::Violated(conflict);
                break;
            }
        }
    }
    sum
}

fn search_whole(problem: &Problem, why: String, effort: &Effort, watch: &dyn Observer) -> Decision {
    let Problem { history, object, consistency, .. } = *problem;
    let explored = object.visit(history, Run { history, consistency, effort, watch });
    let answer = match explored.answer {
        Answer::Holds => Answer::Holds,
        Answer::Violated(()) => Answer::Violated(Conflict {
            ops: (0..history.len() as u32).collect(),
            why: format!("no order of the {} operations explains all answers", history.len()),
        }),
        Answer::Unknown(mut limit) => {
            if limit.covered.is_empty() {
                limit.covered = format!(
                    "{} configurations were entered; the longest legal order has {} of {} operations",
                    explored.configurations,
                    explored.trail.len(),
                    history.len()
                );
            }
            Answer::Unknown(limit)
        }
    };
    Decision {
        answer,
        method: Method::Search(why),
        configurations: explored.configurations,
        bytes: explored.bytes,
        trail: explored.trail,
    }
}

struct Run<'a> {
    history: &'a History,
    consistency: Consistency,
    effort: &'a Effort,
    watch: &'a dyn Observer,
}

impl Visit for Run<'_> {
    type Out = Explored;
    fn visit<A: Adt>(self, adt: &A) -> Explored {
        search::search(adt, self.history, self.consistency, self.effort, self.watch)
    }
}
