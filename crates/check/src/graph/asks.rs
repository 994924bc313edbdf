//! What threads asked for, kept apart from the events so that these stay small.
//!
//! A question is put on top when a thread asks it, and taken off when the event is that led to
//! it: the search undoes things in the reverse order. Graphs that wait to be gone on with know
//! only questions that were there before, so one list serves them all.

use lineal_model::run::{Op, Site};

/// The number of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked(u32);

#[derive(Clone, Debug, Default)]
pub struct Asks(Vec<(Op, Site)>);

impl Asks {
    pub fn put(&mut self, op: Op, site: Site) -> Asked {
        self.0.push((op, site));
        Asked(self.0.len() as u32 - 1)
    }
    #[inline]
    pub fn op(&self, asked: Asked) -> &Op {
        &self.0[asked.0 as usize].0
    }
    #[inline]
    pub fn site(&self, asked: Asked) -> Site {
        self.0[asked.0 as usize].1
    }
    /// The next one.
    pub fn next(&self) -> Asked {
        Asked(self.0.len() as u32)
    }
    /// Takes off this question and all on top of it.
    pub fn cut(&mut self, from: Asked) {
        self.0.truncate(from.0 as usize);
    }
}
