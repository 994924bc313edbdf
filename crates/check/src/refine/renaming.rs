//! Process symmetry of CSP# models.
//!
//! [`sorts`](super::sorts) finds the numbers that are only names. A permutation of them acts on
//! arrays they index, variables that hold them, terms, labels, and the order of components. The
//! same permutation is applied to the implementation state and to every specification state of
//! its pair; renaming the two apart would be unsound. The representative of a state is the least
//! of its images, by the numbers of this process: whoever shares an exploration between processes has to
//! choose it by portable states instead. As a last check both initial states must be their own images, with all that is
//! hidden above components (`arrangement`). Channels and `hvar` are not covered.

use super::arrangement::Tree;
use super::reduce::Reduced;
use super::reduce::reach::Code;
use super::sorts::{self, Slot, Sort};
use super::symmetry::{IDENTITY, Perm, Symmetry};
use lineal_model::process::events::TICK;
use lineal_model::process::expr::Expr;
use lineal_model::process::state::ShapeKind;
use lineal_model::process::term::{SetId, Term, TermId, Universe};
use lineal_model::process::{Choice, EventId, Node, Operator, Parallel, SiteId, State};
use rustc_hash::FxHashMap;
use std::sync::RwLock;

/// Names beyond which trying every permutation costs more than it saves.
const MOST: u32 = 5;

pub struct Renaming<'a, 'u, 'm> {
    universe: &'u Universe<'m>,
    sort: Sort,
    perms: Vec<Vec<i32>>,
    imp: Side<'a, 'u, 'm>,
    spec: Option<Side<'a, 'u, 'm>>,
    /// By permutation: where each cell goes.
    cells: Vec<Vec<u32>>,
    /// Cells that hold names.
    names: Vec<bool>,
    terms: Vec<RwLock<Vec<u32>>>,
    events: Vec<RwLock<Vec<u32>>>,
    sets: RwLock<FxHashMap<(Perm, SetId), SetId>>,
}

struct Side<'a, 'u, 'm> {
    system: &'a Reduced<'u, 'm>,
    /// By permutation: where each component goes.
    components: Vec<Vec<u32>>,
}

const UNKNOWN: u32 = u32::MAX;

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
        if sort.size > MOST {
            return None;
        }
        let perms = permutations(sort.size as usize);
        let names: Vec<bool> = model.cells.iter().map(|c| sort.has(Slot::Value(c.global))).collect();
        let cells = perms.iter().map(|p| cell_map(universe, &sort, p)).collect();
        let tables = || (0..perms.len()).map(|_| RwLock::default()).collect();
        let (terms, events) = (tables(), tables());
        let mut renaming = Renaming {
            universe,
            sort,
            perms,
            imp: Side { system: imp, components: Vec::new() },
            spec: spec.map(|system| Side { system, components: Vec::new() }),
            cells,
            names,
            terms,
            events,
            sets: RwLock::default(),
        };
        renaming.imp.components = renaming.components(imp)?;
        if let Some(spec) = spec {
            renaming.spec.as_mut()?.components = renaming.components(spec)?;
        }
        let mut counted = Vec::new();
        for e in watched {
            e.walk(&mut |e| counted.extend(if let Expr::Alike(term) = e { Some(*term) } else { None }));
        }
        let moves = |p: Perm| counted.iter().any(|t| renaming.term(p, *t) != *t);
        if (0..renaming.count()).any(moves) {
            return None;
        }
        Some(renaming)
    }

    /// Where each permutation sends each component, if every initial state is its own image.
    fn components(&self, system: &Reduced) -> Option<Vec<Vec<u32>>> {
        let start = system.start();
        let nodes = &self.universe.shape(start.shape).nodes;
        let tree = Tree::of(nodes);
        (0..self.perms.len() as Perm)
            .map(|p| {
                let images: Vec<TermId> = start.leaves.iter().map(|t| self.term(p, *t)).collect();
                let mut map = vec![0; images.len()];
                let same = |a: &ShapeKind, b: &ShapeKind| match (a, b) {
                    (ShapeKind::Hide(a), ShapeKind::Hide(b)) => self.set(p, *a) == *b,
                    (a, b) => a == b,
                };
                let leaf = |a: u32, b: u32| images[a as usize] == start.leaves[b as usize];
                tree.matches(&tree, &same, &leaf, &mut map).then_some(())?;
                let mut cells = start.cells.clone();
                self.move_cells(p, &start.cells, &mut cells);
                (cells == start.cells).then_some(map)
            })
            .collect()
    }

    /// Permutations are numbered below this.
    pub fn count(&self) -> Perm {
        self.perms.len() as Perm
    }

    fn name(&self, p: Perm, n: i32) -> i32 {
        self.perms[p as usize].get(n as usize).copied().filter(|_| n >= 0).unwrap_or(n)
    }

    fn move_cells(&self, p: Perm, from: &[i32], to: &mut [i32]) {
        for (i, value) in from.iter().enumerate() {
            let value = if self.names[i] { self.name(p, *value) } else { *value };
            to[self.cells[p as usize][i] as usize] = value;
        }
    }

    fn term(&self, p: Perm, id: TermId) -> TermId {
        let known = self.terms[p as usize].read().expect("no panic while locked").get(id.0 as usize).copied();
        if let Some(known) = known.filter(|k| *k != UNKNOWN) {
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
        remember(&self.terms[p as usize], id.0, image.0);
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
    fn is_renamable(&self, side: &Side, state: &State) -> bool {
        state.shape == side.system.start().shape || state.leaves.len() == 1
    }

    fn leaf_images(&self, side: &Side, p: Perm, state: &State) -> Vec<TermId> {
        let mut leaves = state.leaves.clone();
        let same = state.shape == side.system.start().shape;
        for (i, leaf) in state.leaves.iter().enumerate() {
            let to = if same { side.components[p as usize][i] as usize } else { i };
            leaves[to] = self.term(p, *leaf);
        }
        leaves
    }
}

impl Symmetry for Renaming<'_, '_, '_> {
    fn canonical(&self, bytes: &[u8], out: &mut Vec<u8>) -> (Perm, usize) {
        out.clear();
        let mut state = self.imp.system.unpack(bytes);
        let mut best = IDENTITY;
        if self.is_renamable(&self.imp, &state) {
            let mut leaves = state.leaves.clone();
            let mut cells = state.cells.clone();
            let mut other = state.cells.clone();
            for p in 1..self.perms.len() as Perm {
                let image = self.leaf_images(&self.imp, p, &state);
                if image > leaves {
                    continue;
                }
                self.move_cells(p, &state.cells, &mut other);
                if image < leaves || other < cells {
                    best = p;
                    leaves = image;
                    std::mem::swap(&mut cells, &mut other);
                }
            }
            (state.leaves, state.cells) = (leaves, cells);
        }
        let key = self.imp.system.pack(&state, out);
        (best, key)
    }

    fn spec_state(&self, perm: Perm, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let side = self.spec.as_ref().expect("asked for with a specification only");
        let mut state = side.system.unpack(bytes);
        assert!(self.is_renamable(side, &state), "no parallel structure comes up later");
        let mut cells = state.cells.clone();
        self.move_cells(perm, &state.cells, &mut cells);
        state.leaves = self.leaf_images(side, perm, &state);
        state.cells = cells;
        side.system.pack(&state, out)
    }

    fn event(&self, p: Perm, event: EventId) -> EventId {
        if event == TICK {
            return event;
        }
        let known =
            self.events[p as usize].read().expect("no panic while locked").get(event as usize).copied();
        if let Some(known) = known.filter(|k| *k != UNKNOWN) {
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
        remember(&self.events[p as usize], event, image);
        image
    }

    fn inverse(&self, p: Perm) -> Perm {
        let perm = &self.perms[p as usize];
        let mut inverse = perm.clone();
        perm.iter().enumerate().for_each(|(i, to)| inverse[*to as usize] = i as i32);
        self.number(&inverse)
    }

    fn compose(&self, a: Perm, b: Perm) -> Perm {
        let (a, b) = (&self.perms[a as usize], &self.perms[b as usize]);
        let both: Vec<i32> = b.iter().map(|i| a[*i as usize]).collect();
        self.number(&both)
    }
}

impl Renaming<'_, '_, '_> {
    fn number(&self, perm: &[i32]) -> Perm {
        self.perms.iter().position(|p| p == perm).expect("a permutation") as Perm
    }
}

fn remember(table: &RwLock<Vec<u32>>, at: u32, value: u32) {
    let mut table = table.write().expect("no panic while locked");
    if table.len() <= at as usize {
        table.resize(at as usize + 1, UNKNOWN);
    }
    table[at as usize] = value;
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

/// All permutations of `0..n`, the identity first.
fn permutations(n: usize) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|p: Vec<i32>| {
                (0..n as i32)
                    .filter(|i| !p.contains(i))
                    .map(|i| [p.clone(), vec![i]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
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
