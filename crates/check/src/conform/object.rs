//! An object as the engine needs it: something that makes a program of a client.

use super::against::Against;
use crate::reference::{Reference, Trouble};
use lineal_model::Assumption;
use lineal_model::object::{Client, Marks, Object};
use lineal_model::program::client::Compiled;
use lineal_model::program::modes::{Modes, Spot};
use lineal_model::program::{Instr, Machine};
use lineal_model::run::{Runnable, Site};
use std::sync::Arc;

/// Clients of one object as programs. Making one must be cheap: every client is made once.
pub trait Clients {
    type Program: Runnable;

    fn object(&self) -> &Object;

    /// Whether the object keeps state per thread, so that calls of one thread are not like calls of
    /// many.
    fn thread_state(&self) -> bool;

    /// The program that runs the client, and where its calls leave their marks.
    fn program(&self, client: &Client) -> (Self::Program, Vec<Marks>);

    /// What the calls of the client do one after another, if the author says so.
    fn reference(&self, client: &Client) -> Option<Result<Arc<Reference>, Trouble>>;

    /// The object that is the specification, where it is one.
    fn against(&self) -> Option<&Against> {
        None
    }

    /// Tells the program from others, for replay tokens.
    fn identity(&self, program: &Self::Program) -> u64;

    /// What the library functions it uses take for granted, a sentence each.
    fn assumptions(&self) -> &[Assumption];

    /// Whether the author wrote what stands there, rather than the library of locks or the client.
    fn is_own(&self, program: &Self::Program, site: Site) -> bool;

    /// The author's accesses.
    fn spots(&self) -> Vec<Spot>;

    /// The same object with other modes at some of its accesses.
    fn with_modes(&self, changes: &[(&Spot, Modes)]) -> Self
    where
        Self: Sized;
}

impl Clients for Compiled {
    type Program = Machine;

    fn object(&self) -> &Object {
        &self.object
    }

    fn thread_state(&self) -> bool {
        self.thread_state
    }

    fn program(&self, client: &Client) -> (Machine, Vec<Marks>) {
        self.operations.client(client)
    }

    fn reference(&self, client: &Client) -> Option<Result<Arc<Reference>, Trouble>> {
        Some(Reference::new(self.specification.as_ref()?, &self.object, client).map(Arc::new))
    }

    fn identity(&self, program: &Machine) -> u64 {
        program.identity()
    }

    fn assumptions(&self) -> &[Assumption] {
        &self.operations.machine.program.assumptions
    }

    fn is_own(&self, machine: &Machine, site: Site) -> bool {
        // Steps inside a lock are at the call of it.
        let Some(Instr::Call { function, .. }) = machine.program.code.get(site.0 as usize) else {
            return true;
        };
        let called = machine.program.functions.get(*function as usize);
        let locks = ["pthread_", "mtx_", "cnd_", "thrd_", "sem_"];
        !called.is_some_and(|f| f.runtime && locks.iter().any(|l| f.name.starts_with(l)))
    }

    fn spots(&self) -> Vec<Spot> {
        self.operations.spots()
    }

    fn with_modes(&self, changes: &[(&Spot, Modes)]) -> Self {
        let mut changed = self.clone();
        for (spot, modes) in changes {
            let machine = &mut changed.operations.machine;
            *machine = machine.with_modes(&spot.sites, *modes);
        }
        changed
    }
}
