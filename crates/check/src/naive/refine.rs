//! Refinement, twice more: by plain subset construction, and by listing behaviours up to some
//! length. Nothing here is shared with the engine but the meaning of processes: states are not packed,
//! and nothing is skipped.

use lineal_model::lts::Label;
use lineal_model::process::{Semantics, State, System};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// A system written out in full.
pub struct Graph {
    pub start: Vec<usize>,
    pub steps: Vec<Vec<(Label, usize)>>,
    divergent: Vec<std::cell::OnceCell<bool>>,
}

impl Graph {
    /// `None` if there are more than `max` states. Steps that fault are left out.
    pub fn of(system: &System, max: usize) -> Option<Graph> {
        let mut ids: HashMap<State, usize> = HashMap::new();
        let mut all = Vec::new();
        let mut number = |s: State, all: &mut Vec<State>| {
            *ids.entry(s).or_insert_with_key(|s| {
                all.push(s.clone());
                all.len() - 1
            })
        };
        let start = vec![number(system.start().clone(), &mut all)];
        let mut steps = Vec::new();
        while steps.len() < all.len() {
            if all.len() > max {
                return None;
            }
            let mut out = Vec::new();
            system.moves(&all[steps.len()].clone(), &mut out);
            let good = out.into_iter().filter_map(|m| Some((m.label, m.to.ok()?)));
            steps.push(good.map(|(l, s)| (l, number(s, &mut all))).collect());
        }
        let divergent = vec![std::cell::OnceCell::new(); steps.len()];
        Some(Graph { start, steps, divergent })
    }

    fn internal(&self, s: usize) -> impl Iterator<Item = usize> + '_ {
        self.steps[s].iter().filter(|(l, _)| *l == Label::Internal).map(|(_, t)| *t)
    }

    fn is_stable(&self, s: usize) -> bool {
        self.internal(s).next().is_none()
    }

    fn offers(&self, s: usize) -> BTreeSet<u32> {
        self.steps[s].iter().filter_map(|(l, _)| event(*l)).collect()
    }

    fn closure(&self, set: BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = set;
        loop {
            let more: BTreeSet<usize> = all.iter().flat_map(|s| self.internal(*s)).collect();
            if more.is_subset(&all) {
                return all;
            }
            all.extend(more);
        }
    }

    fn after(&self, set: &BTreeSet<usize>, e: u32) -> BTreeSet<usize> {
        let next = set.iter().flat_map(|s| &self.steps[*s]).filter(|(l, _)| *l == Label::Event(e));
        self.closure(next.map(|(_, t)| *t).collect())
    }

    /// Internal steps for ever: some state that can be reached by them can be reached from itself.
    fn diverges(&self, s: usize) -> bool {
        *self.divergent[s].get_or_init(|| {
            self.closure([s].into()).into_iter().any(|t| {
                let next: BTreeSet<usize> = self.internal(t).collect();
                self.closure(next).contains(&t)
            })
        })
    }
}

fn event(label: Label) -> Option<u32> {
    match label {
        Label::Internal => None,
        Label::Event(e) => Some(e),
    }
}

/// The length of the shortest trace after which refinement fails (the failing event included),
/// or `Some(None)` if it holds. Every pair of a state and a set is looked at; `None`: there are more
/// than `most` of them.
pub fn by_subsets(imp: &Graph, spec: &Graph, semantics: Semantics, most: usize) -> Option<Option<usize>> {
    let mut seen = HashSet::new();
    let mut queue = VecDeque::new();
    let first = spec.closure(spec.start.iter().copied().collect());
    for s in &imp.start {
        queue.push_back((*s, first.clone(), 0));
    }
    let mut worst = None;
    while let Some((i, set, depth)) = queue.pop_front() {
        if worst.is_some_and(|w| depth >= w) || !seen.insert((i, set.clone())) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        if semantics == Semantics::FailuresDivergences {
            if set.iter().any(|s| spec.diverges(*s)) {
                continue;
            }
            if imp.diverges(i) {
                worst = Some(depth);
                continue;
            }
        }
        if semantics != Semantics::Traces && imp.is_stable(i) {
            let offered = imp.offers(i);
            if !set.iter().any(|s| spec.is_stable(*s) && spec.offers(*s).is_subset(&offered)) {
                worst = Some(depth);
                continue;
            }
        }
        for (label, j) in &imp.steps[i] {
            match event(*label) {
                None => queue.push_front((*j, set.clone(), depth)),
                Some(e) => {
                    let next = spec.after(&set, e);
                    if next.is_empty() {
                        worst = Some(worst.map_or(depth + 1, |w: usize| w.min(depth + 1)));
                    } else {
                        queue.push_back((*j, next, depth + 1));
                    }
                }
            }
        }
    }
    Some(worst)
}

/// What a system can do within a number of visible events.
#[derive(Default)]
struct Behaviour {
    /// Each trace, with what the stable states after it offer, and whether it can diverge.
    after: BTreeMap<Vec<u32>, (BTreeSet<BTreeSet<u32>>, bool)>,
}

fn behaviour(graph: &Graph, length: usize) -> Behaviour {
    let mut all = Behaviour::default();
    let mut work = vec![(Vec::new(), graph.closure(graph.start.iter().copied().collect()))];
    while let Some((trace, states)) = work.pop() {
        let offers: BTreeSet<_> =
            states.iter().filter(|s| graph.is_stable(**s)).map(|s| graph.offers(*s)).collect();
        let diverges = states.iter().any(|s| graph.diverges(*s));
        if trace.len() < length {
            let events: BTreeSet<u32> = states.iter().flat_map(|s| graph.offers(*s)).collect();
            for e in events {
                let mut longer: Vec<u32> = trace.clone();
                longer.push(e);
                work.push((longer, graph.after(&states, e)));
            }
        }
        all.after.insert(trace, (offers, diverges));
    }
    all
}

/// As [`by_subsets`], among traces of at most `length` events, by comparing the lists.
pub fn by_listing(imp: &Graph, spec: &Graph, semantics: Semantics, length: usize) -> Option<usize> {
    let (left, right) = (behaviour(imp, length), behaviour(spec, length));
    let excused = |trace: &[u32]| {
        semantics == Semantics::FailuresDivergences
            && (0..=trace.len()).any(|n| right.after.get(&trace[..n]).is_some_and(|(_, d)| *d))
    };
    let fails = |trace: &Vec<u32>, offers: &BTreeSet<BTreeSet<u32>>, diverges: bool| {
        let Some((allowed, _)) = right.after.get(trace) else { return true };
        match semantics {
            Semantics::Traces => false,
            Semantics::FailuresDivergences if diverges => true,
            _ => !offers.iter().all(|o| allowed.iter().any(|a| a.is_subset(o))),
        }
    };
    left.after
        .iter()
        .filter(|(trace, (offers, diverges))| !excused(trace) && fails(trace, offers, *diverges))
        .map(|(trace, _)| trace.len())
        .min()
}
