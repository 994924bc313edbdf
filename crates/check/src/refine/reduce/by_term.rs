//! Answers about terms, remembered. Many may ask at once; whoever finds an answer first leaves it.

use lineal_model::process::term::TermId;
use std::sync::RwLock;

pub struct ByTerm<T>(RwLock<Vec<Option<T>>>);

impl<T> Default for ByTerm<T> {
    fn default() -> Self {
        ByTerm(RwLock::default())
    }
}

impl<T: Clone> ByTerm<T> {
    pub fn get_or(&self, term: TermId, find: impl FnOnce() -> T) -> T {
        let at = term.0 as usize;
        if let Some(Some(known)) = self.0.read().expect("no panic while locked").get(at) {
            return known.clone();
        }
        let found = find();
        let mut table = self.0.write().expect("no panic while locked");
        if table.len() <= at {
            table.resize(at + 1, None);
        }
        table[at] = Some(found.clone());
        found
    }
}
