//! What is asked about an object, and how one client of it is explored.

use super::against;
use super::client::{self, Tried};
use super::clients::Bound;
use super::object::Clients;
use super::robust;
use crate::graph::{self, Sampling};
use crate::reference::Reference;
use lineal_model::object::{Call, Client, Level, Marks, Object};
use lineal_model::program::client::Compiled;
use lineal_model::{Effort, Memory, Observer};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// An object, and what to ask about it.
pub struct Problem<'a, C = Compiled> {
    pub clients: &'a C,
    pub asked: Asked,
    pub memory: Memory,
    pub level: &'a Level,
    pub question: Question,
    /// As in [`graph::Options`].
    pub unroll: Option<u32>,
    /// As in [`graph::Options`]: heads of loops in the compiled operations.
    pub unroll_at: &'a [(u32, u32)],
    pub preemptions: Option<u8>,
    pub reductions: Reductions,
}

impl<C> Problem<'_, C> {
    /// Whether a client that no bounded execution completes leaves others to be looked at: nothing is wrong
    /// with its executions. (Of a client that is not robust it may be open whether that is wrong.)
    pub(super) fn goes_on_behind_bounds(&self) -> bool {
        self.unroll.is_some() && self.question == Question::Linearizable
    }
}

/// What every execution of every client is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Question {
    /// Does some order of the calls explain it, at the level?
    #[default]
    Linearizable,
    /// Does sequential consistency have it? See [`crate::robust`].
    Robust,
    /// Does all that threads tell each other happen before? Then sequential consistency has it, too.
    Ordered,
}

/// What need not be explored, since something else that is stands for it. None of these changes a
/// verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Iterations of retry loops as one step: [`graph::Options::iterations`].
    pub iterations: bool,
    /// Branches in which a thread waits though nothing can come of it: [`graph::Options::waits`].
    pub waits: bool,
    /// Calls that only their values tell apart: [`graph::Options::rows`].
    pub calls: bool,
    /// Steps that another thread is about to make itself: [`graph::Options::helping`].
    pub helping: bool,
    /// Updates that store what they read: [`graph::Options::idle`].
    pub idle: bool,
    /// Clients with one call more than is ever served: [`super::starving`].
    pub starving: bool,
}

impl Reductions {
    /// Nothing is left out.
    pub const NONE: Reductions = Reductions {
        iterations: false,
        waits: false,
        calls: false,
        helping: false,
        idle: false,
        starving: false,
    };
}

impl Default for Reductions {
    fn default() -> Self {
        Reductions { iterations: true, waits: true, calls: true, helping: true, idle: true, starving: true }
    }
}

#[derive(Clone, Debug)]
pub enum Asked {
    /// Every client within the bound.
    Every(Bound),
    /// Every client that makes just these calls.
    Calls(Vec<Call>),
    /// Clients with as many calls as the bound allows, at random, and of them executions.
    Sampled(Bound, Sampling),
    /// This one, as it is: more constrained ones are not asked about.
    Only(Client),
}

/// A check under way.
pub struct Search<'a, C> {
    pub problem: &'a Problem<'a, C>,
    pub effort: &'a Effort,
    pub watch: &'a dyn Observer,
    /// Look for a change that helps, should something be wrong.
    pub hints: bool,
    /// What the clients so far have shown about the code, which they share.
    pub learned: RefCell<graph::Learned>,
    /// Draw executions of the next client instead of exploring all.
    pub sample: Cell<Option<Sampling>>,
}

impl<'a, C: Clients> Search<'a, C> {
    pub fn new(
        problem: &'a Problem<'a, C>,
        effort: &'a Effort,
        watch: &'a dyn Observer,
        hints: bool,
    ) -> Self {
        Search { problem, effort, watch, hints, learned: RefCell::default(), sample: Cell::default() }
    }

    pub fn object(&self) -> &Object {
        self.problem.clients.object()
    }

    /// Explores one client.
    pub fn client(
        &self,
        program: &mut C::Program,
        marks: &[Marks],
        client: &Client,
        extend: bool,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> Tried {
        self.explore(self.problem.reductions, program, marks, client, extend, effort, watch)
    }

    /// Explores one client, and takes the class of its arguments for no more than a claim.
    pub fn client_in_full(&self, program: &mut C::Program, marks: &[Marks], client: &Client) -> Tried {
        let reductions = Reductions { calls: false, helping: false, idle: false, ..self.problem.reductions };
        self.explore(reductions, program, marks, client, true, self.effort, self.watch)
    }

    #[allow(clippy::too_many_arguments)]
    fn explore(
        &self,
        reductions: Reductions,
        program: &mut C::Program,
        marks: &[Marks],
        client: &Client,
        extend: bool,
        effort: &Effort,
        watch: &dyn Observer,
    ) -> Tried {
        if self.problem.question != Question::Linearizable {
            let mut trial = self.trial(program, marks, client, false, None);
            return match self.problem.question {
                Question::Ordered => robust::ordered(&mut trial, reductions, effort, watch),
                _ => robust::run(&mut trial, reductions, effort, watch),
            };
        }
        let reference = match self.problem.clients.reference(client) {
            Some(Err(trouble)) => return Tried::troubled(trouble),
            Some(Ok(reference)) => Some(reference),
            None => None,
        };
        let mut trial = self.trial(program, marks, client, extend, reference);
        trial.options.rows = match reductions.calls && extend {
            true => super::rows::of(self.object(), client),
            false => Vec::new(),
        };
        trial.options.sample = self.sample.get();
        (trial.options.iterations, trial.options.waits) = (reductions.iterations, reductions.waits);
        trial.options.helping = reductions.helping && extend;
        let against = self.problem.clients.against();
        let every = self.problem.preemptions.is_none() && trial.options.sample.is_none();
        trial.options.idle = reductions.idle && extend && every && against.is_none();
        if let Some(against) = against
            && super::rows::of(&against.compiled.object, client).is_empty()
        {
            trial.options.rows.clear();
        }
        let tried = match against {
            Some(against) => against::run(&mut trial, against, effort, watch),
            None => client::run(&mut trial, effort, watch),
        };
        let learned = trial.options.learned;
        self.learned.replace(learned);
        tried
    }

    pub fn trial<'t>(
        &'t self,
        program: &'t mut C::Program,
        marks: &'t [Marks],
        client: &'t Client,
        extend: bool,
        reference: Option<Arc<Reference>>,
    ) -> client::Trial<'t, C::Program> {
        let options =
            graph::Options { learned: self.learned.borrow().clone(), ..self.graph_options(program) };
        client::Trial {
            program,
            memory: self.problem.memory,
            object: self.object(),
            level: self.problem.level,
            client,
            marks,
            extend,
            reference,
            options,
        }
    }

    pub fn graph_options(&self, program: &C::Program) -> graph::Options {
        // A build for the engine's own tests has further fields.
        #[allow(clippy::needless_update)]
        graph::Options {
            unroll: self.problem.unroll,
            unroll_at: self.problem.unroll_at.to_vec(),
            preemptions: self.problem.preemptions,
            leaks: !self.object().fini.is_empty(),
            identity: self.problem.clients.identity(program),
            ..graph::Options::default()
        }
    }
}
