//! What the engine explores: states as byte strings, so that any system can be stored compactly.

use lineal_model::Limit;
use lineal_model::lts::{Label, Lts};
use lineal_model::process::term::{Term, TermId, Universe};
use super::reduce::Reduced;
use lineal_model::process::{Fault, SiteId, events::TICK, system::Move};
use rustc_hash::FxHashMap;
use std::sync::Mutex;

pub trait Space {
    /// Appends the packed initial states.
    fn initial(&self, out: &mut Expansion);
    /// Appends every step from a packed state.
    fn expand(&self, from: &[u8], out: &mut Expansion);
    /// Whether a state without steps is a good end.
    fn is_done(&self, _: &[u8]) -> bool {
        false
    }
    /// Bytes the system itself keeps, besides states.
    fn size(&self) -> u64 {
        0
    }
    /// What grows from the early to the late states of a search that was cut short, a sentence.
    fn growth(&self, _early: &[&[u8]], _late: &[&[u8]]) -> Option<String> {
        None
    }
}

/// States looked at from either end when a search is cut short.
const SAMPLE: usize = 500;

/// Adds to a limit what seems to make the state space infinite.
pub fn explain<S: Space>(space: &S, table: &super::table::Table, mut limit: Limit) -> Limit {
    let n = table.len();
    if n >= 4 * SAMPLE {
        let early: Vec<&[u8]> =
            (0..n / 2).step_by((n / 2 / SAMPLE).max(1)).map(|i| table.get(i as u32)).collect();
        let late: Vec<&[u8]> = (n - SAMPLE..n).map(|i| table.get(i as u32)).collect();
        if let Some(what) = space.growth(&early, &late) {
            limit.message = match limit.message.trim_end_matches('.') {
                "" => what,
                message => format!("{message}. {what}"),
            };
        }
    }
    limit
}

/// Steps out of one state.
#[derive(Default)]
pub struct Expansion {
    bytes: Vec<u8>,
    steps: Vec<Packed>,
    pub fault: Option<Fault>,
}

#[derive(Clone, Copy)]
struct Packed {
    label: Label,
    start: u32,
    key: u32,
    end: u32,
}

impl Expansion {
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.steps.clear();
        self.fault = None;
    }

    /// `pack` appends a state and answers how many of its bytes identify it.
    pub fn push(&mut self, label: Label, pack: impl FnOnce(&mut Vec<u8>) -> usize) {
        let start = self.bytes.len() as u32;
        let key = pack(&mut self.bytes) as u32;
        self.steps.push(Packed { label, start, key: start + key, end: self.bytes.len() as u32 });
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    pub fn label(&self, i: usize) -> Label {
        self.steps[i].label
    }
    /// The state's identity, and the rest.
    pub fn state(&self, i: usize) -> (&[u8], &[u8]) {
        let s = self.steps[i];
        (&self.bytes[s.start as usize..s.key as usize], &self.bytes[s.key as usize..s.end as usize])
    }
    pub fn labels(&self) -> impl Iterator<Item = Label> + '_ {
        self.steps.iter().map(|s| s.label)
    }
}

impl Space for Reduced<'_, '_> {
    fn initial(&self, out: &mut Expansion) {
        out.push(Label::Internal, |bytes| self.pack(self.start(), bytes));
    }

    fn expand(&self, from: &[u8], out: &mut Expansion) {
        let state = self.unpack(from);
        let mut moves: Vec<Move> = Vec::new();
        self.moves(&state, &mut moves);
        for step in moves {
            match step.to {
                Ok(to) => out.push(step.label, |bytes| self.pack(&to, bytes)),
                // Of several, one that is the model's own.
                Err(fault) if out.fault.as_ref().is_none_or(Fault::is_gap) => out.fault = Some(fault),
                Err(_) => {}
            }
        }
    }

    fn is_done(&self, state: &[u8]) -> bool {
        self.system.is_done(&self.unpack(state))
    }

    fn size(&self) -> u64 {
        self.system.universe.size()
    }

    fn growth(&self, early: &[&[u8]], late: &[&[u8]]) -> Option<String> {
        let model = self.system.universe.model;
        let sizes = |states: &[&[u8]]| {
            let mut most = vec![0i64; model.cells.len()];
            for bytes in states {
                let state = self.unpack(bytes);
                for (m, v) in most.iter_mut().zip(&state.cells) {
                    *m = (*m).max((*v as i64).abs());
                }
            }
            most
        };
        let (before, after) = (sizes(early), sizes(late));
        let growing = (0..model.cells.len())
            .filter(|c| after[*c] >= 20 && after[*c] > before[*c])
            .max_by_key(|c| (after[*c] - before[*c], std::cmp::Reverse(*c)));
        let Some(growing) = growing else { return more_processes(self, early, late) };
        Some(format!(
            "The variable `{}` keeps growing (it has reached {}): the state space may be infinite.",
            model.cell_name(growing),
            after[growing]
        ))
    }
}

/// Whether late states have more processes side by side, or more left to do after them.
fn more_processes(system: &Reduced, early: &[&[u8]], late: &[&[u8]]) -> Option<String> {
    let universe = system.system.universe;
    // Thousandths of the average: a tree has so many shapes of one size that sizes grow slowly.
    let average = |states: &[&[u8]]| {
        let sum = states.iter().fold((0, 0), |sum, bytes| {
            let leaves = system.unpack(bytes).leaves;
            let deepest = leaves.iter().map(|t| universe.length(*t)).max().unwrap_or(0);
            (sum.0 + leaves.len(), sum.1 + deepest as usize)
        });
        (1000 * sum.0 / states.len().max(1), 1000 * sum.1 / states.len().max(1))
    };
    let (before, after) = (average(early), average(late));
    let (wide, deep) = (after.0 / 1000, after.1 / 1000);
    let last = late.last().map(|bytes| system.unpack(bytes).leaves).unwrap_or_default();
    let site = last.iter().rev().find_map(|t| begins_at(universe, *t));
    let name = site.map_or("A process".into(), |site| {
        format!("Process `{}`", universe.model.def(universe.model.site(site).def).name)
    });
    if wide >= 6 && after.0 > before.0 + 200 {
        return Some(format!(
            "{name} starts more and more processes (there are {wide} side by side): the state space may be infinite."
        ));
    }
    (deep >= 6 && after.1 > before.1 + 200).then(|| {
        format!(
            "{name} leaves more and more to do after it ({deep} levels): the state space may be infinite."
        )
    })
}

/// The place in the model that a term stands at.
fn begins_at(universe: &Universe, term: TermId) -> Option<SiteId> {
    match universe.term(term) {
        Term::At(site, _) => Some(*site),
        Term::Seq(t, _) | Term::Hide(t, _) | Term::Atomic(t) | Term::Interrupt(t, _) => {
            begins_at(universe, *t)
        }
        Term::Choice(_, kids) | Term::Parallel(_, _, kids) => {
            kids.iter().find_map(|k| begins_at(universe, *k))
        }
        Term::Stop | Term::Skip | Term::Done => None,
    }
}

/// Any other system: its states are numbered as they turn up.
pub struct Numbered<L: Lts> {
    lts: L,
    states: Mutex<Numbers<L::State>>,
}

/// States by number, and back.
type Numbers<S> = (Vec<S>, FxHashMap<S, u32>);

impl<L: Lts> Numbered<L> {
    pub fn new(lts: L) -> Self {
        Numbered { lts, states: Mutex::new((Vec::new(), FxHashMap::default())) }
    }

    fn number(&self, state: L::State) -> [u8; 4] {
        let mut states = self.states.lock().expect("no panic while locked");
        let (all, ids) = &mut *states;
        let id = *ids.entry(state).or_insert_with_key(|s| {
            all.push(s.clone());
            all.len() as u32 - 1
        });
        id.to_le_bytes()
    }

    fn state(&self, bytes: &[u8]) -> L::State {
        let id = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        self.states.lock().expect("no panic while locked").0[id as usize].clone()
    }
}

impl<L: Lts + Sync> Space for Numbered<L>
where
    L::State: Send,
{
    fn initial(&self, out: &mut Expansion) {
        for state in self.lts.initial() {
            let bytes = self.number(state);
            out.push(Label::Internal, |b| {
                b.extend(bytes);
                4
            });
        }
    }

    fn expand(&self, from: &[u8], out: &mut Expansion) {
        let mut steps = Vec::new();
        self.lts.successors(&self.state(from), &mut steps);
        for (label, to) in steps {
            let bytes = self.number(to);
            out.push(label, |b| {
                b.extend(bytes);
                4
            });
        }
    }
}

/// Whether `label` is the end of a process rather than an event of its own.
pub fn is_tick(label: Label) -> bool {
    label == Label::Event(TICK)
}
