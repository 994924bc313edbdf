//! How a client is shown.

use lineal_model::run::Site;

/// What a step is to the client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Begin(usize),
    End(usize),
    /// Bookkeeping of the client itself.
    Hidden,
    Step,
}

/// How the client is shown.
pub struct View<'a> {
    /// Calls by thread; steps are numbered by these, from 1 (0 is what sets the object up).
    pub threads: &'a [Vec<usize>],
    pub waits: &'a [(usize, usize)],
    /// Calls that take part in the violation.
    pub guilty: &'a [usize],
    /// Decisions that take part in it, where the program itself went wrong; the order of the run
    /// is kept then.
    pub clash: Option<&'a [usize]>,
    /// Pairs of calls that do not synchronise.
    pub missing: &'a [(usize, usize)],
    /// `enqueue(1)`.
    pub call: &'a dyn Fn(usize) -> String,
    /// `dequeue() → 1`.
    pub answered: &'a dyn Fn(usize) -> String,
    /// Whether the author wrote what stands there, rather than the library of locks.
    pub own: &'a dyn Fn(Site) -> bool,
}

impl<'a> View<'a> {
    /// A client as it is, where some decisions of the run take part in what is wrong.
    pub fn of_clash(
        threads: &'a [Vec<usize>],
        clash: &'a [usize],
        call: &'a dyn Fn(usize) -> String,
        answered: &'a dyn Fn(usize) -> String,
        own: &'a dyn Fn(Site) -> bool,
    ) -> Self {
        View { threads, waits: &[], guilty: &[], clash: Some(clash), missing: &[], call, answered, own }
    }
}

/// Threads are known by their numbers, and what sets the object up is nobody's.
pub fn titles(threads: usize) -> Vec<String> {
    std::iter::once("set-up".to_string()).chain((0..threads).map(|_| String::new())).collect()
}
