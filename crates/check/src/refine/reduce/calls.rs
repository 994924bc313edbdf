//! Calls that begin as late and end as early as they can: the reduction of visible events of FM'09.
//!
//! Theorem. Let a run have a history that is not linearizable. Move each call (`…_inv`) forward to the
//! first step that its process takes afterwards, and each answer (`…_res`) back to the last step before
//! it; leave out calls whose process takes no further step. This is again a run, since calls and answers
//! touch nothing that others touch, and in its history operations span less time. An order that explains
//! it respects whatever the first history orders, and calls that were left out had no effect: so it would
//! explain that one, too. Hence it is enough to look at runs of this kind. Their traces may be longer by
//! answers that others need not have seen: a violation is looked for once more without this.
//! Requires: linearizability with the order of operations as it is (no other claim: this leaves out
//! traces); a flat interleaving. What is left out depends on the state alone.
//!
//! So a call is taken together with its process's next step, if that is internal and can be taken now;
//! and while some process has nothing to do but answer, nobody else moves. An answer is followed by no
//! other of the same process before a call, which is not preferred: nobody is kept waiting for ever.

use super::by_term::ByTerm;
use super::cells::{Cells, reads, touches};
use super::reach::Reach;
use lineal_model::lts::Label;
use lineal_model::process::expr::Expr;
use lineal_model::process::state::ShapeId;
use lineal_model::process::steps::{Act, Step};
use lineal_model::process::system::Move;
use lineal_model::process::term::{SetId, TermId, Universe};
use lineal_model::process::{State, System, events};

/// What is needed to know calls and answers.
pub struct Calls {
    shape: ShapeId,
    hidings: Vec<SetId>,
    constant: Cells,
    components: Vec<Component>,
}

struct Component {
    private: Cells,
    /// By the term it is at: whether all it can do is call, and whether all it can do is answer.
    calls: ByTerm<bool>,
    answers: ByTerm<bool>,
}

impl Calls {
    /// `None` if components are not side by side.
    pub fn of(universe: &Universe, initial: &State, reach: &Reach) -> Option<Self> {
        let hidings = universe.shape(initial.shape).flat.clone()?;
        if reach.atomic {
            return None;
        }
        let component = |private: &Cells| Component {
            private: private.clone(),
            calls: ByTerm::default(),
            answers: ByTerm::default(),
        };
        Some(Calls {
            shape: initial.shape,
            hidings,
            constant: reach.constant.clone(),
            components: reach.private.iter().map(component).collect(),
        })
    }

    /// A component that has nothing to do but answer.
    pub fn answering(&self, system: &System, state: &State) -> Option<usize> {
        if state.shape != self.shape {
            return None;
        }
        let answers = |leaf: &usize| {
            let term = state.leaves[*leaf];
            let component = &self.components[*leaf];
            *component.answers.get_or(term, || self.only(system.universe, *leaf, term, "_res"))
        };
        (0..state.leaves.len()).find(answers)
    }

    /// A call together with the step that follows it; any other step as it is.
    pub fn begin(
        &self,
        system: &System,
        component: &dyn Fn(&State, usize, &mut Vec<Move>),
        from: &State,
        step: Move,
        out: &mut Vec<Move>,
    ) {
        let (Label::Event(_), Ok(to), leaf) = (step.label, &step.to, step.who) else {
            return out.push(step);
        };
        let calls = || {
            let term = from.leaves[leaf];
            self.components[leaf].calls.get_or(term, || self.only(system.universe, leaf, term, "_inv"))
        };
        if from.shape != self.shape || to.shape != self.shape || !step.with.is_empty() || !calls() {
            return out.push(step);
        }
        let mut next = Vec::new();
        component(to, leaf, &mut next);
        let internal = |m: &Move| m.label == Label::Internal && m.to.is_ok() && !m.reshaped;
        if next.is_empty() || !next.iter().all(internal) {
            return out.push(step);
        }
        out.extend(next.into_iter().map(|m| Move { label: step.label, site: step.site, ..m }));
    }

    /// Whether a component can, whatever others do, take only steps with visible events of this kind.
    fn only(&self, universe: &Universe, leaf: usize, term: TermId, kind: &str) -> bool {
        let seen = |name: u32| {
            let hides =
                |set: &SetId| universe.set_events(*set).any(|e| universe.events.event(e).name == name);
            universe.model.names[name as usize].ends_with(kind) && !self.hidings.iter().any(hides)
        };
        let fits = |s: &Step| match &s.act {
            Act::Event(events::TICK) => false,
            Act::Event(e) => seen(universe.events.event(*e).name) && self.is_private(leaf, s, &[]),
            Act::Computed(name, args, sets) => {
                sets.is_empty() && seen(*name) && self.is_private(leaf, s, args)
            }
            _ => false,
        };
        universe
            .symbolic(term)
            .is_some_and(|steps| !steps.is_empty() && steps.iter().all(|s| s.guard.is_empty() && fits(s)))
    }

    /// Whether a step touches nothing that another component may touch, and its label reads nothing such.
    fn is_private(&self, leaf: usize, step: &Step, label: &[Expr]) -> bool {
        let (mut read, mut written) = (Cells::default(), Cells::default());
        step.code.iter().for_each(|c| touches(&c.block.stmts, &[], &mut read, &mut written));
        step.guard.iter().chain(label).for_each(|g| reads(g, &[], &mut read));
        let mut queues = false;
        step.guard.iter().chain(label).for_each(|g| g.walk(&mut |e| queues |= matches!(e, Expr::Queue(..))));
        let private = &self.components[leaf].private;
        read.remove_all(private);
        read.remove_all(&self.constant);
        written.remove_all(private);
        let untouched = read.iter().next().is_none() && written.iter().next().is_none();
        let plain = step.code.iter().all(|c| !super::fusion::mentions_queue(&c.block.stmts));
        untouched && plain && !queues && step.queue.is_none() && !step.atomic
    }
}
