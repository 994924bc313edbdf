//! Process symmetry of CSP# models.
//!
//! [`sorts`](super::sorts) finds the numbers that are only names. A permutation of them acts on
//! arrays they index, variables that hold them, terms, labels, and the order of components. The
//! same permutation is applied to the implementation state and to every specification state of
//! its pair; renaming the two apart would be unsound. As a last check both initial states must be
//! their own images, with all that is hidden above components (`arrangement`); it is enough to
//! look at neighbours that are exchanged, since every permutation is made of those. Channels and
//! `hvar` are not covered.
//!
//! The representative of a state is one of its images, chosen by the state alone: with few names the
//! least of all, by the numbers of this process; with more, names are in order of what the state says of
//! each (`roles`), and it is the least of the images that this leaves. Whoever shares an exploration
//! between processes has to choose it by portable states instead. With many names not all orders of those
//! with the same role are tried, so that states which are the same may keep different representatives:
//! that costs states, not truth.

use super::arrangement::Tree;
use super::images::Images;
use super::reduce::Reduced;
use super::reduce::reach::Code;
use super::roles::{self, Roles};
use super::sorts::{self, Slot, Sort};
use super::symmetry::{IDENTITY, Perm, Symmetry};
use lineal_model::process::arena::Arena;
use lineal_model::process::events::TICK;
use lineal_model::process::expr::Expr;
use lineal_model::process::state::ShapeKind;
use lineal_model::process::term::{SetId, Term, TermId, Universe};
use lineal_model::process::{Choice, EventId, Node, Operator, Parallel, SiteId, State};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, RwLock};

/// Names beyond which there are too many permutations for a table each.
const FEW: u32 = 5;
/// Names that are tried in every order sooner than told apart. Where assertions are on, random models
/// have to take both ways.
const TRIED: u32 = if cfg!(debug_assertions) { 2 } else { 4 };
/// Names beyond which nothing is tried.
const MOST: u32 = 20;
/// Orders of names with the same role that are tried: with few names all of them.
const ALL: usize = 120;
const SOME: usize = 6;

pub struct Renaming<'a, 'u, 'm> {
    universe: &'u Universe<'m>,
    sort: Sort,
    /// Permutations that came up, the identity first.
    actions: Arena<Action>,
    numbers: Mutex<FxHashMap<Box<[i32]>, Perm>>,
    generators: Vec<Perm>,
    imp: &'a Reduced<'u, 'm>,
    spec: Option<&'a Reduced<'u, 'm>>,
    /// Cells that hold names.
    names: Vec<bool>,
    roles: Roles<'u, 'm>,
    sets: RwLock<FxHashMap<(Perm, SetId), SetId>>,
    /// Images of terms and events, where there are too many permutations for a table each; by the last
    /// bits of what is renamed, so that workers seldom meet.
    many: [RwLock<FxHashMap<(Perm, u32), u32>>; SHARDS],
    /// Bytes that remembered images take.
    held: AtomicU64,
}

/// A permutation, and what it does.
struct Action {
    map: Box<[i32]>,
    /// Where each cell goes.
    cells: Vec<u32>,
    /// Where each component of either side goes.
    imp: OnceLock<Vec<u32>>,
    spec: OnceLock<Vec<u32>>,
    terms: Images,
    events: Images,
}

const SHARDS: usize = 16;
/// Images remembered in each, where there are many permutations.
const KEPT: usize = (1 << 21) / SHARDS;

impl<'a, 'u, 'm> Renaming<'a, 'u, 'm> {
    pub fn find(
        roots: &[SiteId],
        imp: &'a Reduced<'u, 'm>,
        spec: Option<&'a Reduced<'u, 'm>>,
        watched: &[&Expr],
    ) -> Option<Self> {
        let universe = imp.system.universe;
        let model = universe.model;
        let settled = spec.into_iter().chain([imp]).all(is_settled);
        // What a state carries along without being told apart by it has no representative.
        let hidden = model.cells.iter().any(|c| c.hidden);
        if !model.channels.is_empty() || hidden || !settled {
            return None;
        }
        let sort = sorts::find(model, roots, watched)?;
        let n = sort.size as usize;
        if sort.size > MOST {
            return None;
        }
        let names: Vec<bool> = model.cells.iter().map(|c| sort.has(Slot::Value(c.global))).collect();
        let roles = Roles::new(universe, &sort, &names);
        let mut renaming = Renaming {
            universe,
            sort,
            actions: Arena::default(),
            numbers: Mutex::default(),
            generators: Vec::new(),
            imp,
            spec,
            names,
            roles,
            sets: RwLock::default(),
            many: Default::default(),
            held: AtomicU64::new(0),
        };
        renaming.number(&(0..n as i32).collect::<Vec<_>>());
        for i in 1..n {
            let mut swap: Vec<i32> = (0..n as i32).collect();
            swap.swap(i - 1, i);
            let p = renaming.number(&swap);
            renaming.generators.push(p);
        }
        let fixed = |p: &Perm| {
            let start = imp.start();
            let mut cells = start.cells.clone();
            renaming.move_cells(*p, &start.cells, &mut cells);
            cells == start.cells
                && renaming.components(*p, imp).is_some()
                && spec.is_none_or(|spec| renaming.components(*p, spec).is_some())
        };
        if !renaming.generators.iter().all(fixed) {
            return None;
        }
        let mut counted = Vec::new();
        for e in watched {
            e.walk(&mut |e| counted.extend(if let Expr::Alike(term) = e { Some(*term) } else { None }));
        }
        let moves = |p: &Perm| counted.iter().any(|t| renaming.term(*p, *t) != *t);
        if renaming.generators.iter().any(moves) {
            return None;
        }
        if renaming.sort.size <= TRIED {
            let names: Vec<i32> = (0..n as i32).collect();
            for order in roles::arrangements(&names) {
                renaming.number(&order);
            }
        }
        Some(renaming)
    }

    /// Permutations that all others are made of.
    pub fn generators(&self) -> &[Perm] {
        &self.generators
    }

    fn is_small(&self) -> bool {
        self.sort.size <= FEW
    }

    fn action(&self, p: Perm) -> &Action {
        self.actions.get(p)
    }

    /// The number of a permutation.
    fn number(&self, map: &[i32]) -> Perm {
        let mut numbers = self.numbers.lock().expect("no panic while locked");
        if let Some(known) = numbers.get(map) {
            return *known;
        }
        let p = self.actions.push(Action {
            map: map.into(),
            cells: cell_map(self.universe, &self.sort, map),
            imp: OnceLock::new(),
            spec: OnceLock::new(),
            terms: Images::default(),
            events: Images::default(),
        });
        numbers.insert(map.into(), p);
        p
    }

    /// Where a permutation sends each component, if the initial state is its own image.
    fn components(&self, p: Perm, system: &Reduced) -> Option<Vec<u32>> {
        let start = system.start();
        let nodes = &self.universe.shape(start.shape).nodes;
        let tree = Tree::of(nodes);
        let images: Vec<TermId> = start.leaves.iter().map(|t| self.term(p, *t)).collect();
        let mut map = vec![0; images.len()];
        let same = |a: &ShapeKind, b: &ShapeKind| match (a, b) {
            (ShapeKind::Hide(a), ShapeKind::Hide(b)) => self.set(p, *a) == *b,
            (a, b) => a == b,
        };
        let leaf = |a: u32, b: u32| images[a as usize] == start.leaves[b as usize];
        tree.matches(&tree, &same, &leaf, &mut map).then_some(map)
    }

    fn components_of(&self, p: Perm, system: &Reduced) -> &[u32] {
        let action = self.action(p);
        let known = if std::ptr::eq(system, self.imp) { &action.imp } else { &action.spec };
        known.get_or_init(|| self.components(p, system).expect("made of those that keep the initial state"))
    }

    fn name(&self, p: Perm, n: i32) -> i32 {
        self.action(p).map.get(n as usize).copied().filter(|_| n >= 0).unwrap_or(n)
    }

    fn move_cells(&self, p: Perm, from: &[i32], to: &mut [i32]) {
        let Action { cells, map, .. } = self.action(p);
        for (i, value) in from.iter().enumerate() {
            let named = self.names[i] && *value >= 0;
            let renamed = if named { map.get(*value as usize) } else { None };
            to[cells[i] as usize] = renamed.copied().unwrap_or(*value);
        }
    }

    /// What is known about the image of a term (even) or an event (odd).
    fn known(&self, p: Perm, table: &Images, key: u32) -> Option<u32> {
        match self.is_small() {
            true => table.get(key >> 1),
            false => self.shard(key).read().expect("no panic while locked").get(&(p, key)).copied(),
        }
    }

    fn remember(&self, p: Perm, table: &Images, key: u32, value: u32) {
        let more = if self.is_small() {
            table.set(key >> 1, value)
        } else {
            let mut many = self.shard(key).write().expect("no panic while locked");
            if many.len() >= KEPT {
                many.clear();
            }
            let before = many.capacity();
            many.insert((p, key), value);
            ((many.capacity() - before) * (size_of::<((Perm, u32), u32)>() + 1)) as u64
        };
        if more > 0 {
            self.held.fetch_add(more, Ordering::Relaxed);
        }
    }

    fn shard(&self, key: u32) -> &RwLock<FxHashMap<(Perm, u32), u32>> {
        &self.many[(key >> 1) as usize % SHARDS]
    }

    fn term(&self, p: Perm, id: TermId) -> TermId {
        let table = &self.action(p).terms;
        if let Some(known) = self.known(p, table, id.0 << 1) {
            return TermId(known);
        }
        let many = |kids: &[TermId]| -> Vec<TermId> { kids.iter().map(|k| self.term(p, *k)).collect() };
        let image = match self.universe.term(id) {
            Term::Stop | Term::Skip | Term::Done => id,
            Term::At(site, values) => {
                let info = self.universe.model.site(*site);
                let values = info
                    .free
                    .iter()
                    .zip(values)
                    .map(|(slot, v)| match self.sort.has(Slot::Param(info.def, *slot)) {
                        true => self.name(p, *v),
                        false => *v,
                    })
                    .collect();
                self.universe.intern(Term::At(*site, values))
            }
            Term::Seq(a, b) => {
                let term = Term::Seq(self.term(p, *a), self.term(p, *b));
                self.universe.intern(term)
            }
            Term::Interrupt(a, b) => {
                let term = Term::Interrupt(self.term(p, *a), self.term(p, *b));
                self.universe.intern(term)
            }
            Term::Choice(choice, kids) => {
                let mut kids = many(kids);
                if *choice != Choice::General {
                    self.universe.sort(&mut kids);
                }
                self.universe.intern(Term::Choice(*choice, kids.into()))
            }
            Term::Hide(t, set) => {
                let term = Term::Hide(self.term(p, *t), self.set(p, *set));
                self.universe.intern(term)
            }
            Term::Atomic(t) => {
                let term = Term::Atomic(self.term(p, *t));
                self.universe.intern(term)
            }
            Term::Parallel(kind, alphabets, kids) => {
                debug_assert_eq!(*kind, Parallel::Interleave);
                self.universe.intern(Term::Parallel(*kind, *alphabets, many(kids).into()))
            }
        };
        self.remember(p, table, id.0 << 1, image.0);
        image
    }

    fn set(&self, p: Perm, set: SetId) -> SetId {
        if let Some(known) = self.sets.read().expect("no panic while locked").get(&(p, set)) {
            return *known;
        }
        let events = self.universe.set_events(set).map(|e| self.event(p, e)).collect();
        let image = self.universe.intern_set(events);
        self.sets.write().expect("no panic while locked").insert((p, set), image);
        image
    }

    /// Whether components can be renamed one by one: the shape is the one they started in, or
    /// nothing but a single term.
    fn is_renamable(&self, system: &Reduced, state: &State) -> bool {
        state.shape == system.start().shape || state.leaves.len() == 1
    }

    fn leaf_images(&self, system: &Reduced, p: Perm, state: &State) -> Vec<TermId> {
        let mut leaves = state.leaves.clone();
        let same = state.shape == system.start().shape;
        let places = self.components_of(p, system);
        for (i, leaf) in state.leaves.iter().enumerate() {
            let to = if same { places[i] as usize } else { i };
            leaves[to] = self.term(p, *leaf);
        }
        system.arrange(state.shape, &mut leaves);
        leaves
    }

    /// Permutations of which one leads to the representative.
    fn candidates(&self, state: &State) -> Vec<Perm> {
        if self.sort.size <= TRIED {
            return (0..self.actions.len()).collect();
        }
        let tried = if self.is_small() { ALL } else { SOME };
        self.roles.orders(state, tried).iter().map(|order| self.number(order)).collect()
    }
}

impl Symmetry for Renaming<'_, '_, '_> {
    fn canonical(&self, bytes: &[u8], out: &mut Vec<u8>) -> (Perm, usize) {
        out.clear();
        let mut state = self.imp.unpack(bytes);
        let mut best = IDENTITY;
        if self.is_renamable(self.imp, &state) {
            let mut chosen: Option<(Vec<TermId>, Vec<i32>)> = None;
            let mut other = state.cells.clone();
            for p in self.candidates(&state) {
                // A state that was packed is arranged already.
                let image = match p {
                    IDENTITY => state.leaves.clone(),
                    _ => self.leaf_images(self.imp, p, &state),
                };
                if chosen.as_ref().is_some_and(|(leaves, _)| image > *leaves) {
                    continue;
                }
                match p {
                    IDENTITY => other.copy_from_slice(&state.cells),
                    _ => self.move_cells(p, &state.cells, &mut other),
                }
                let less = |(leaves, cells): &(Vec<TermId>, Vec<i32>)| image < *leaves || other < *cells;
                if chosen.as_ref().is_none_or(less) {
                    best = p;
                    chosen = Some((image, other.clone()));
                }
            }
            let chosen = chosen.expect("there is always one");
            // Of several that lead there the one that changes nothing costs nothing.
            if (&state.leaves, &state.cells) == (&chosen.0, &chosen.1) {
                best = IDENTITY;
            }
            (state.leaves, state.cells) = chosen;
        }
        let key = self.imp.pack(&state, out);
        (best, key)
    }

    fn spec_state(&self, perm: Perm, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let system = self.spec.expect("asked for with a specification only");
        let mut state = system.unpack(bytes);
        assert!(self.is_renamable(system, &state), "no parallel structure comes up later");
        let mut cells = state.cells.clone();
        self.move_cells(perm, &state.cells, &mut cells);
        state.leaves = self.leaf_images(system, perm, &state);
        state.cells = cells;
        system.pack(&state, out)
    }

    fn event(&self, p: Perm, event: EventId) -> EventId {
        if event == TICK {
            return event;
        }
        let table = &self.action(p).events;
        if let Some(known) = self.known(p, table, event << 1 | 1) {
            return known;
        }
        let e = self.universe.events.event(event);
        let args: Vec<i32> = e
            .args
            .iter()
            .enumerate()
            .map(|(i, v)| if self.sort.has(Slot::Event(e.name, i as u16)) { self.name(p, *v) } else { *v })
            .collect();
        let image = self.universe.events.id(e.name, &args);
        self.remember(p, table, event << 1 | 1, image);
        image
    }

    fn inverse(&self, p: Perm) -> Perm {
        let perm = &self.action(p).map;
        let mut inverse = perm.clone();
        perm.iter().enumerate().for_each(|(i, to)| inverse[*to as usize] = i as i32);
        self.number(&inverse)
    }

    fn compose(&self, a: Perm, b: Perm) -> Perm {
        let (a, b) = (&self.action(a).map, &self.action(b).map);
        let both: Vec<i32> = b.iter().map(|i| a[*i as usize]).collect();
        self.number(&both)
    }

    fn size(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }
}

/// Whether the components stay the same until the whole terminates: nothing follows them, and
/// none of them splits.
fn is_settled(system: &Reduced) -> bool {
    let universe = system.system.universe;
    let start = system.start();
    let follows = universe.shape(start.shape).nodes.iter().any(|n| matches!(n, ShapeKind::Seq(_)));
    let splits = start.leaves.iter().flat_map(|t| Code::of(universe, *t).sites).any(|s| {
        matches!(
            universe.model.site(s).node,
            Node::Parallel(..)
                | Node::Indexed(Operator::Parallel(_), ..)
                | Node::Copies(Operator::Parallel(_), ..)
        )
    });
    !follows && !splits
}

fn cell_map(universe: &Universe, sort: &Sort, perm: &[i32]) -> Vec<u32> {
    let model = universe.model;
    let mut map: Vec<u32> = (0..model.cells.len() as u32).collect();
    for (g, global) in model.globals.iter().enumerate() {
        for at in 0..global.len {
            let (mut rest, mut to, mut scale) = (at, 0, 1);
            for (d, n) in global.dims.iter().enumerate().rev() {
                let mut index = rest % n;
                rest /= n;
                if sort.has(Slot::Index(g as u32, d as u16)) {
                    index = perm[index as usize] as u32;
                }
                to += index * scale;
                scale *= n;
            }
            map[(global.first + at) as usize] = global.first + to;
        }
    }
    map
}
