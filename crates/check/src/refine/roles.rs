//! What a state says of each name: names in order of their roles are a representative of a state that
//! needs no search among all permutations.
//!
//! The role of a name is a number found from the state with this name marked and all others taken for the
//! same, as a sum over components and cells, so it does not depend on the order of either: renaming a
//! state renames roles and nothing else. A second round tells names apart by the roles of those that
//! they occur with. Names with the same role are left in their old order, or tried in each order if they
//! are few; where that leaves two representatives of one state, it is stored twice.

use super::sorts::{Slot, Sort};
use lineal_model::process::term::{Term, TermId, Universe};
use lineal_model::process::{Choice, State};
use rustc_hash::FxHashMap;
use std::sync::{Arc, RwLock};

pub struct Roles<'u, 'm> {
    universe: &'u Universe<'m>,
    names: i32,
    /// By cell: the variable and its plain indices as one number, and the names among its indices.
    places: Vec<(u64, Vec<i32>)>,
    /// Cells that hold names.
    holders: Vec<bool>,
    /// By site: which of its free slots hold names.
    slots: Vec<Vec<bool>>,
    outlines: RwLock<FxHashMap<TermId, Arc<Outline>>>,
}

/// What a term says of each name, and which it mentions.
struct Outline {
    roles: Vec<u64>,
    mentioned: Vec<i32>,
}

/// Marks for this name and for any other.
const SELF: u64 = 1;
const OTHER: u64 = 2;

fn mix(a: u64, b: u64) -> u64 {
    let h = (a ^ b.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h ^ h >> 29).wrapping_mul(0xd6e8_feb8_6659_fd93) ^ h >> 32
}

impl<'u, 'm> Roles<'u, 'm> {
    pub fn new(universe: &'u Universe<'m>, sort: &Sort, holders: &[bool]) -> Self {
        let model = universe.model;
        let mut places = vec![(0, Vec::new()); model.cells.len()];
        for (g, global) in model.globals.iter().enumerate() {
            for at in 0..global.len {
                let (mut rest, mut plain, mut names) = (at, mix(g as u64, 0), Vec::new());
                for (d, n) in global.dims.iter().enumerate().rev() {
                    match sort.has(Slot::Index(g as u32, d as u16)) {
                        true => names.push((rest % n) as i32),
                        false => plain = mix(plain, mix(d as u64, (rest % n).into())),
                    }
                    rest /= n;
                }
                places[(global.first + at) as usize] = (plain, names);
            }
        }
        let slots = model
            .sites
            .iter()
            .map(|site| site.free.iter().map(|slot| sort.has(Slot::Param(site.def, *slot))).collect());
        Roles {
            universe,
            names: sort.size as i32,
            places,
            holders: holders.to_vec(),
            slots: slots.collect(),
            outlines: RwLock::default(),
        }
    }

    /// Permutations that put names in order of their roles: all of them, if they are at most `tried`.
    pub fn orders(&self, state: &State, tried: usize) -> Vec<Vec<i32>> {
        let roles = self.of(state);
        let mut order: Vec<i32> = (0..self.names).collect();
        order.sort_by_key(|i| (roles[*i as usize], *i));
        let same = |a: &i32, b: &i32| roles[*a as usize] == roles[*b as usize];
        let classes: Vec<&[i32]> = order.chunk_by(same).collect();
        let count = classes.iter().try_fold(1usize, |n, c| n.checked_mul((1..=c.len()).product::<usize>()));
        let mut all: Vec<Vec<i32>> = vec![Vec::new()];
        for class in classes {
            let ways = match count {
                Some(n) if n <= tried => arrangements(class),
                _ => vec![class.to_vec()],
            };
            all = all.iter().flat_map(|a| ways.iter().map(|w| [&a[..], w].concat())).collect();
        }
        // A name's image is its place in the order.
        let inverse = |order: Vec<i32>| {
            let mut map = order.clone();
            order.iter().enumerate().for_each(|(place, name)| map[*name as usize] = place as i32);
            map
        };
        all.into_iter().map(inverse).collect()
    }

    fn of(&self, state: &State) -> Vec<u64> {
        let is_name = |n: i32| (0..self.names).contains(&n);
        let mut first = vec![0u64; self.names as usize];
        let outlines: Vec<Arc<Outline>> = state.leaves.iter().map(|t| self.outline(*t)).collect();
        for outline in &outlines {
            first.iter_mut().zip(&outline.roles).for_each(|(r, o)| *r = r.wrapping_add(mix(*o, 3)));
        }
        // Names that occur together: where, and which.
        let mut together: Vec<(u64, i32, i32)> = Vec::new();
        for (c, (place, indices)) in self.places.iter().enumerate() {
            let value = state.cells[c];
            let held = self.holders[c] && is_name(value);
            if indices.is_empty() && !held {
                continue;
            }
            for name in indices.iter().copied().chain(held.then_some(value)) {
                let mark = |n: i32| if n == name { SELF } else { OTHER };
                let mut role = *place;
                indices.iter().for_each(|i| role = mix(role, mark(*i)));
                role = mix(role, if held { mark(value) } else { mix(4, value as u64) });
                first[name as usize] = first[name as usize].wrapping_add(mix(role, 5));
                for other in indices.iter().copied().chain(held.then_some(value)).filter(|o| *o != name) {
                    together.push((role, name, other));
                }
            }
        }
        for outline in &outlines {
            for a in &outline.mentioned {
                for b in outline.mentioned.iter().filter(|b| *b != a) {
                    let role = mix(outline.roles[*a as usize], outline.roles[*b as usize]);
                    together.push((role, *a, *b));
                }
            }
        }
        let mut second = first.clone();
        for (role, name, other) in together {
            let seen = mix(role, first[other as usize]);
            second[name as usize] = second[name as usize].wrapping_add(seen);
        }
        second
    }

    fn outline(&self, term: TermId) -> Arc<Outline> {
        if let Some(known) = self.outlines.read().expect("no panic while locked").get(&term) {
            return known.clone();
        }
        let mut mentioned = Vec::new();
        self.mentions(term, &mut mentioned);
        mentioned.sort_unstable();
        mentioned.dedup();
        let nobody = self.role(term, -1);
        let role = |n: i32| if mentioned.contains(&n) { self.role(term, n) } else { nobody };
        let outline = Arc::new(Outline { roles: (0..self.names).map(role).collect(), mentioned });
        self.outlines.write().expect("no panic while locked").insert(term, outline.clone());
        outline
    }

    fn kids(&self, term: TermId) -> Vec<TermId> {
        match self.universe.term(term) {
            Term::Stop | Term::Skip | Term::Done | Term::At(..) => Vec::new(),
            Term::Seq(a, b) | Term::Interrupt(a, b) => vec![*a, *b],
            Term::Hide(t, _) | Term::Atomic(t) => vec![*t],
            Term::Choice(_, kids) | Term::Parallel(_, _, kids) => kids.to_vec(),
        }
    }

    fn mentions(&self, term: TermId, out: &mut Vec<i32>) {
        if let Term::At(site, values) = self.universe.term(term) {
            let held = self.slots[site.0 as usize].iter().zip(values).filter(|(is, _)| **is);
            out.extend(held.map(|(_, v)| *v).filter(|v| (0..self.names).contains(v)));
        }
        self.kids(term).into_iter().for_each(|k| self.mentions(k, out));
    }

    /// A term with one name marked.
    fn role(&self, term: TermId, name: i32) -> u64 {
        let kids = self.kids(term);
        let kids = kids.iter().map(|k| self.role(*k, name));
        match self.universe.term(term) {
            Term::Stop => 11,
            Term::Skip => 12,
            Term::Done => 13,
            Term::At(site, values) => {
                let held = self.slots[site.0 as usize].iter().zip(values);
                held.fold(mix(14, site.0.into()), |h, (is, v)| match is {
                    true if *v == name => mix(h, SELF),
                    true if (0..self.names).contains(v) => mix(h, OTHER),
                    _ => mix(h, mix(6, *v as u64)),
                })
            }
            // What is hidden has names of its own, which are left out.
            Term::Seq(..) => kids.fold(15, mix),
            Term::Interrupt(..) => kids.fold(16, mix),
            Term::Hide(..) => kids.fold(17, mix),
            Term::Atomic(_) => kids.fold(18, mix),
            Term::Choice(Choice::General, _) => kids.fold(19, mix),
            // In no order.
            Term::Choice(..) => mix(20, kids.fold(0, u64::wrapping_add)),
            Term::Parallel(..) => mix(21, kids.fold(0, u64::wrapping_add)),
        }
    }
}

/// Every order of some names, the given one first.
pub fn arrangements(names: &[i32]) -> Vec<Vec<i32>> {
    if names.len() <= 1 {
        return vec![names.to_vec()];
    }
    let with = |i: usize| {
        let rest: Vec<i32> = names.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, n)| *n).collect();
        arrangements(&rest).into_iter().map(move |r| [&[names[i]], &r[..]].concat()).collect::<Vec<_>>()
    };
    (0..names.len()).flat_map(with).collect()
}
