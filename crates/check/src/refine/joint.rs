//! Process symmetry together with a generated specification.
//!
//! A permutation of names acts on the implementation as [`Renaming`] says, on events, and on the
//! specification by moving what each process is at to the process it becomes. The abstract object
//! stays as it is, so this is sound only if names are nothing to it: every event keeps its method,
//! arguments and answer, only its process changes, and the type does not care who calls. Otherwise
//! there is no joint symmetry, and none is used.

use super::object::{Reading, Vocabulary};
use super::renaming::Renaming;
use super::symmetry::{Perm, Symmetry};
use rustc_hash::FxHashMap;
use std::sync::{Arc, RwLock};

pub struct Joint<'r, 'a, 'u, 'm> {
    renaming: &'r Renaming<'a, 'u, 'm>,
    vocabulary: &'r Vocabulary,
    /// By permutation: which process each becomes, as places in the specification's states.
    places: RwLock<FxHashMap<Perm, Arc<[usize]>>>,
}

impl<'r, 'a, 'u, 'm> Joint<'r, 'a, 'u, 'm> {
    pub(super) fn find(renaming: &'r Renaming<'a, 'u, 'm>, vocabulary: &'r Vocabulary) -> Option<Self> {
        // What is true of these is true of whatever is made of them.
        let fits = |p: &Perm| places(renaming, *p, vocabulary).is_some();
        let joint = Joint { renaming, vocabulary, places: RwLock::default() };
        renaming.generators().iter().all(fits).then_some(joint)
    }

    fn places(&self, perm: Perm) -> Arc<[usize]> {
        if let Some(known) = self.places.read().expect("no panic while locked").get(&perm) {
            return known.clone();
        }
        let found: Arc<[usize]> =
            places(self.renaming, perm, self.vocabulary).expect("made of those that fit").into();
        self.places.write().expect("no panic while locked").insert(perm, found.clone());
        found
    }
}

/// Where each process goes, if the permutation changes nothing else.
fn places(renaming: &Renaming, p: Perm, vocabulary: &Vocabulary) -> Option<Vec<usize>> {
    let place = |process: i32| vocabulary.processes.iter().position(|q| *q == process);
    let mut places = vec![None; vocabulary.processes.len()];
    for (&event, reading) in &vocabulary.readings {
        let image = vocabulary.readings.get(&renaming.event(p, event))?;
        let rest = |r: &Reading| (r.method, r.answer, r.arg, r.extra, r.result);
        if rest(reading) != rest(image) {
            return None;
        }
        let (from, to) = (place(reading.process)?, place(image.process)?);
        if *places[from].get_or_insert(to) != to {
            return None;
        }
    }
    let places: Vec<usize> = places.into_iter().collect::<Option<_>>()?;
    let mut reached = places.clone();
    reached.sort_unstable();
    reached.dedup();
    (reached.len() == places.len()).then_some(places)
}

impl Symmetry for Joint<'_, '_, '_, '_> {
    fn canonical(&self, state: &[u8], out: &mut Vec<u8>) -> (Perm, usize) {
        self.renaming.canonical(state, out)
    }

    fn spec_state(&self, perm: Perm, state: &[u8], out: &mut Vec<u8>) -> usize {
        out.clear();
        out.extend_from_slice(state);
        let word = |i: usize| u32::from_le_bytes(state[4 * i..4 * i + 4].try_into().expect("four bytes"));
        for (from, &to) in self.places(perm).iter().enumerate() {
            let at = word(1 + from);
            // An event and what became of it; idle processes have none.
            let image = if at == 0 { 0 } else { self.renaming.event(perm, at >> 2) << 2 | at & 3 };
            out[4 * (1 + to)..4 * (2 + to)].copy_from_slice(&image.to_le_bytes());
        }
        out.len()
    }

    fn event(&self, perm: Perm, event: u32) -> u32 {
        self.renaming.event(perm, event)
    }

    fn inverse(&self, perm: Perm) -> Perm {
        self.renaming.inverse(perm)
    }

    fn compose(&self, a: Perm, b: Perm) -> Perm {
        self.renaming.compose(a, b)
    }

    fn size(&self) -> u64 {
        self.renaming.size()
    }
}
