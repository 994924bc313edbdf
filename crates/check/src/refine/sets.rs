//! The determinised specification: sets of its states, closed under internal steps, built as they
//! are needed, each stored once; successors by event and comparisons are remembered.

use super::symmetry::{Perm, Symmetry};
use super::table::{self, Table};
use crate::seeded::{self, Bug};
use lineal_model::lts::{Label, Lts, Steps};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::ops::ControlFlow::{self, Continue};
use std::sync::Arc;

pub type SetId = u32;
pub type StateId = u32;
pub type EventId = u32;

/// Images of single states that are remembered.
const MOVED: usize = 1 << 22;

/// Bytes that a table takes.
fn held<K, V>(map: &FxHashMap<K, V>) -> u64 {
    (map.capacity() * 8 / 7 * (size_of::<(K, V)>() + 1)) as u64
}

/// What a block of memory takes beside its content: what the allocator keeps of it and rounds up to, and
/// what counts who shares it.
const BLOCK: u64 = 24;

/// Bytes that a list takes that grew one by one.
fn block<T>(list: &Vec<T>) -> u64 {
    if list.capacity() == 0 { 0 } else { BLOCK / 2 + (list.capacity() * size_of::<T>()) as u64 }
}

pub struct SpecSets<'s, S: Lts> {
    space: &'s S,
    pub states: Table,
    known: Vec<Option<Arc<Outgoing>>>,
    sets: Vec<Set>,
    ids: FxHashMap<Arc<[StateId]>, SetId>,
    after: FxHashMap<(SetId, EventId), Option<SetId>>,
    /// Of a specification that takes steps event by event: where they lead.
    by: FxHashMap<(StateId, EventId), Arc<[StateId]>>,
    compared: FxHashMap<(SetId, SetId), bool>,
    /// Images under permutations, for symmetry.
    permuted: FxHashMap<(Perm, SetId), SetId>,
    /// The same of single states.
    moved: FxHashMap<(Perm, StateId), StateId>,
    diverging: Vec<Option<bool>>,
    bytes: u64,
    buffer: Steps<S::Fault>,
    /// The first step of the specification that cannot be taken.
    pub fault: Option<S::Fault>,
}

/// The members of greater sets are not compared with each other.
const MOST_COMPARED: usize = 24;

struct Set {
    members: Arc<[StateId]>,
    /// One bit per member: if a bit is missing elsewhere, so is a member.
    signature: u64,
    refusals: Option<Arc<[Box<[EventId]>]>>,
}

#[derive(Default)]
pub struct Outgoing {
    pub internal: Vec<StateId>,
    /// Sorted.
    pub events: Vec<(EventId, StateId)>,
}

impl<'s, S: Lts> SpecSets<'s, S> {
    pub fn new(space: &'s S) -> Self {
        SpecSets {
            space,
            states: Table::default(),
            known: Vec::new(),
            sets: Vec::new(),
            ids: FxHashMap::default(),
            after: FxHashMap::default(),
            by: FxHashMap::default(),
            compared: FxHashMap::default(),
            permuted: FxHashMap::default(),
            moved: FxHashMap::default(),
            diverging: Vec::new(),
            bytes: 0,
            buffer: Steps::default(),
            fault: None,
        }
    }

    pub fn initial(&mut self) -> SetId {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.space.initial(&mut buffer);
        let start = (0..buffer.len()).map(|i| self.intern(buffer.state(i))).collect();
        self.buffer = buffer;
        self.closed(start)
    }

    pub fn len(&self) -> usize {
        self.sets.len()
    }
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }
    pub fn size(&self) -> u64 {
        let maps = held(&self.after) + held(&self.compared) + held(&self.permuted) + held(&self.moved);
        let lists = table::held(&self.known) + table::held(&self.diverging) + table::held(&self.sets);
        table::with_gaps(self.bytes + self.states.size() + maps + held(&self.ids) + held(&self.by) + lists)
    }
    pub fn members(&self, set: SetId) -> &Arc<[StateId]> {
        &self.sets[set as usize].members
    }

    pub fn intern(&mut self, state: (&[u8], &[u8])) -> StateId {
        let (id, new) = self.states.insert(state.0, state.1);
        if new {
            self.known.push(None);
            self.diverging.push(None);
        }
        id
    }

    /// Every step out of one specification state.
    pub fn outgoing(&mut self, state: StateId) -> Arc<Outgoing> {
        if let Some(known) = &self.known[state as usize] {
            return known.clone();
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        self.space.steps(self.states.get(state), &mut buffer);
        if self.fault.is_none() {
            self.fault = buffer.all().fault().cloned();
        }
        let mut out = Outgoing::default();
        for i in 0..buffer.len() {
            let to = self.intern(buffer.state(i));
            match buffer.label(i) {
                Label::Internal => out.internal.push(to),
                Label::Event(e) => out.events.push((e, to)),
            }
        }
        out.internal.sort_unstable();
        out.internal.dedup();
        out.events.sort_unstable();
        out.events.dedup();
        out.internal.shrink_to_fit();
        out.events.shrink_to_fit();
        self.buffer = buffer;
        self.bytes += BLOCK + size_of::<Outgoing>() as u64 + block(&out.internal) + block(&out.events);
        let out = Arc::new(out);
        self.known[state as usize] = Some(out.clone());
        out
    }

    /// Where an event leads from one state, if the specification can tell without taking all steps.
    fn by(&mut self, state: StateId, event: EventId) -> Option<Arc<[StateId]>> {
        if let Some(known) = self.by.get(&(state, event)) {
            return Some(known.clone());
        }
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        let told = self.space.steps_by(self.states.get(state), event, &mut buffer);
        let to: Arc<[StateId]> = (0..buffer.len()).map(|i| self.intern(buffer.state(i))).collect();
        self.buffer = buffer;
        if !told {
            return None;
        }
        self.bytes += 2 * BLOCK + 4 * to.len() as u64;
        self.by.insert((state, event), to.clone());
        Some(to)
    }

    /// The set of everything reachable from `members` by internal steps.
    pub fn closed(&mut self, mut members: Vec<StateId>) -> SetId {
        members.sort_unstable();
        members.dedup();
        let mut seen: rustc_hash::FxHashSet<StateId> = members.iter().copied().collect();
        let mut at = if self.by.is_empty() { 0 } else { members.len() };
        while at < members.len() && !seeded::active(Bug::ForgottenClosure) {
            let out = self.outgoing(members[at]);
            at += 1;
            members.extend(out.internal.iter().filter(|s| seen.insert(**s)));
        }
        members.sort_unstable();
        self.store(members)
    }

    /// A set that is closed already; sorted.
    pub fn store(&mut self, members: Vec<StateId>) -> SetId {
        let members: Arc<[StateId]> = members.into();
        if let Some(id) = self.ids.get(&members) {
            return *id;
        }
        let id = self.sets.len() as SetId;
        let signature = members.iter().fold(0, |s, m| s | 1u64 << (m.wrapping_mul(0x9e37_79b1) >> 26));
        self.bytes += 2 * BLOCK + 4 * members.len() as u64;
        self.ids.insert(members.clone(), id);
        self.sets.push(Set { members, signature, refusals: None });
        id
    }

    /// The image of a set.
    pub fn image(&mut self, symmetry: &dyn Symmetry, perm: Perm, set: SetId) -> SetId {
        if let Some(known) = self.permuted.get(&(perm, set)) {
            return *known;
        }
        let mut image = Vec::with_capacity(self.members(set).len());
        for member in self.members(set).clone().iter() {
            if let Some(known) = self.moved.get(&(perm, *member)) {
                image.push(*known);
                continue;
            }
            let mut bytes = Vec::new();
            let key = symmetry.spec_state(perm, self.states.get(*member), &mut bytes);
            let to = self.intern((&bytes[..key], &bytes[key..]));
            if self.moved.len() >= MOVED {
                self.moved.clear();
            }
            self.moved.insert((perm, *member), to);
            image.push(to);
        }
        image.sort_unstable();
        let id = self.store(image);
        self.permuted.insert((perm, set), id);
        id
    }

    /// Where `event` leads; `None` if no member allows it.
    pub fn after(&mut self, set: SetId, event: EventId) -> Option<SetId> {
        if let Some(known) = self.after.get(&(set, event)) {
            return *known;
        }
        let mut next = Vec::new();
        let mut by_event = false;
        for state in self.sets[set as usize].members.clone().iter() {
            if let Some(to) = self.by(*state, event) {
                next.extend_from_slice(&to);
                by_event = true;
                continue;
            }
            let out = self.outgoing(*state);
            let from = out.events.partition_point(|(e, _)| *e < event);
            next.extend(out.events[from..].iter().take_while(|(e, _)| *e == event).map(|(_, s)| *s));
        }
        if by_event {
            self.uncover(&mut next);
        }
        let answer = if next.is_empty() { None } else { Some(self.closed(next)) };
        self.after.insert((set, event), answer);
        answer
    }

    /// Leaves out what others cover. States that cover each other would be left out both; a system in
    /// which there are such has no business to say so.
    fn uncover(&self, members: &mut Vec<StateId>) {
        members.sort_unstable();
        members.dedup();
        if members.len() > MOST_COMPARED {
            return;
        }
        let all = members.clone();
        let covers = |one: StateId, other: StateId| {
            one != other && self.space.covers(self.states.get(one), self.states.get(other))
        };
        members.retain(|&other| !all.iter().any(|&one| covers(one, other)));
    }

    /// Every event some member allows, ascending.
    pub fn allowed(&mut self, set: SetId) -> Vec<EventId> {
        let mut all = Vec::new();
        for state in self.sets[set as usize].members.clone().iter() {
            all.extend(self.outgoing(*state).events.iter().map(|(e, _)| *e));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    pub fn is_subset(&mut self, a: SetId, b: SetId) -> bool {
        if a == b {
            return true;
        }
        let (x, y) = (&self.sets[a as usize], &self.sets[b as usize]);
        if x.members.len() > y.members.len() || x.signature & !y.signature != 0 {
            return false;
        }
        if x.members.len() < 16 {
            return subset(&x.members, &y.members);
        }
        if let Some(known) = self.compared.get(&(a, b)) {
            return *known;
        }
        let answer = subset(&x.members, &y.members);
        self.compared.insert((a, b), answer);
        answer
    }

    /// What the stable members offer: the least such sets of events.
    pub fn acceptances(&mut self, set: SetId) -> Arc<[Box<[EventId]>]> {
        if let Some(known) = &self.sets[set as usize].refusals {
            return known.clone();
        }
        let mut all: Vec<Box<[EventId]>> = Vec::new();
        for state in self.sets[set as usize].members.clone().iter() {
            let out = self.outgoing(*state);
            if out.internal.is_empty() {
                let mut events: Vec<EventId> = out.events.iter().map(|(e, _)| *e).collect();
                events.dedup();
                all.push(events.into());
            }
        }
        all.sort_by_key(|a| a.len());
        let mut least: Vec<Box<[EventId]>> = Vec::new();
        for events in all {
            if !least.iter().any(|l| subset(l, &events)) {
                least.push(events);
            }
        }
        let answer: Arc<[Box<[EventId]>]> = least.into();
        self.sets[set as usize].refusals = Some(answer.clone());
        answer
    }

    /// Whether some member can take internal steps for ever.
    pub fn diverges(&mut self, set: SetId) -> bool {
        let members = self.sets[set as usize].members.clone();
        members.iter().any(|s| self.state_diverges(*s))
    }

    fn state_diverges(&mut self, state: StateId) -> bool {
        if let Some(known) = self.diverging[state as usize] {
            return known;
        }
        let mut found = super::divergence::Divergence::default();
        std::mem::swap(&mut found.known, &mut self.diverging);
        let answer: ControlFlow<Infallible, bool> =
            found.diverges(state, &mut |s| Continue(self.outgoing(s).internal.clone()));
        let Continue(answer) = answer;
        // States met on the way have been given numbers meanwhile.
        found.known.resize(self.states.len(), None);
        self.diverging = found.known;
        answer
    }
}

/// Both sorted.
pub fn subset(a: &[u32], b: &[u32]) -> bool {
    let mut rest = b.iter();
    a.iter().all(|x| rest.by_ref().find(|y| *y >= x) == Some(x))
}
