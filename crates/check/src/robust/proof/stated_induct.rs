//! The inductions of facts that are given ([`super::stated`]).
//!
//! Take an execution and steps of which a fact is false, such that the last of these steps, `e`, is as early as
//! can be. Whether the fact is true of some steps is settled when the last of them is made: orders, values and
//! sources are fixed then; a step that there should be must have been made by then; and what
//! overwrites a write directly counts as one of the steps. So the fact is true of all steps before `e`, and of
//! what was read from writes before `e`. Calls of all these steps are looked at; steps that stand before the
//! first call are constants, and if there is nothing else, nothing is assumed.
//!
//! - *`a` happens before `b`*: `b` is not covered from `a`, where the fact itself synchronises before `e`.
//! - *`t` tells `s`*: `t` does not release something covered from `s`, nor a fence before it, and if `t` is a
//!   read-modify-write, neither what it reads was told so before, nor written so.
//! - *then update*: a store comes right after it, as far as these calls can tell.

use super::encode::Instance;
use super::formula::Lit;
use super::induct::Induction;
use super::lemma::Lemma;
use super::stated::{Pattern, Stated};
use super::stated_use::Bound;
use super::tree::Act;
use lineal_model::fact::Conclusion;
use std::collections::BTreeSet;

impl<'l> Induction<'l> {
    /// All formulas that must have no assignment. `more`: one more call, that the last step reads from.
    pub(super) fn stated(&self, lemma: &Lemma, stated: &Stated, more: bool) -> Vec<Instance<'l>> {
        let mut all = Vec::new();
        all.extend(self.at_first(stated));
        let sources: Vec<Option<usize>> =
            if more { (0..self.library.operations.len()).map(Some).collect() } else { vec![None] };
        for source in sources {
            for mut calls in self.choices(stated) {
                calls.extend(source);
                match stated.fact.conclusion {
                    Conclusion::Before(step, _) | Conclusion::Tells { step, .. } => {
                        // The first call is that of the step.
                        let operation = calls[step];
                        calls.remove(step);
                        calls.insert(0, operation);
                        let nodes = 0..self.library.operations[operation].tree.nodes.len();
                        for n in nodes.filter(|&n| stated.steps[step].fits(self.library, operation, n)) {
                            all.extend(self.fails(lemma, stated, &calls, Some((step, n)), more));
                        }
                    }
                    _ => all.extend(self.fails(lemma, stated, &calls, None, more)),
                }
            }
        }
        all
    }

    /// Operations of the calls that the steps are of.
    fn choices(&self, stated: &Stated) -> Vec<Vec<usize>> {
        let operations = 0..self.library.operations.len();
        let nodes = |o: usize| 0..self.library.operations[o].tree.nodes.len();
        let of = |p: &Pattern| -> Vec<usize> {
            let any = |&o: &usize| nodes(o).any(|n| p.fits(self.library, o, n));
            operations.clone().filter(any).collect()
        };
        let mut steps: Vec<Vec<usize>> = stated.steps.iter().map(of).collect();
        if let Conclusion::ThenUpdate(a) = stated.fact.conclusion {
            let class = stated.steps[a].class;
            let store = |o: usize, n: usize| {
                self.library.class_of(o, n) == Some(class) && self.library.node(o, n).act == Act::Write
            };
            steps.push(operations.clone().filter(|&o| nodes(o).any(|n| store(o, n))).collect());
        }
        let mut all: BTreeSet<Vec<usize>> = BTreeSet::from([Vec::new()]);
        for (i, choices) in steps.iter().enumerate() {
            // Any operation will do where only a step before the first call is meant.
            let open = stated.steps.get(i).is_some_and(Pattern::is_open);
            let choices = if choices.is_empty() && open { &vec![0] } else { choices };
            let longer = |calls: &Vec<usize>| {
                choices
                    .iter()
                    .map(|&o| calls.iter().copied().chain([o]).collect())
                    .collect::<Vec<Vec<usize>>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        if matches!(stated.fact.conclusion, Conclusion::Either(_)) {
            // Steps are looked for in all calls, so the order is no matter.
            all = all
                .into_iter()
                .map(|mut calls| {
                    calls.sort_unstable();
                    calls
                })
                .collect();
        }
        all.into_iter().collect()
    }

    /// All steps are before the first call.
    fn at_first(&self, stated: &Stated) -> Option<Instance<'l>> {
        if !stated.steps.iter().all(Pattern::is_open)
            || !matches!(stated.fact.conclusion, Conclusion::Either(_))
        {
            return None;
        }
        let mut x = self.instance(&[0]);
        let mut cases = Vec::new();
        for tuple in stated.tuples(&x, false) {
            if tuple.iter().all(|b| b.event.is_none()) {
                let mut case = premises(stated, &mut x, &tuple);
                case.extend(otherwise(stated, &mut x, &tuple));
                cases.push(case);
            }
        }
        Self::either(x, cases)
    }

    /// The fact is false of some steps, and true before the last of them.
    fn fails(
        &self,
        lemma: &Lemma,
        stated: &Stated,
        calls: &[usize],
        from: Option<(usize, usize)>,
        more: bool,
    ) -> Option<Instance<'l>> {
        let mut x = self.instance(calls);
        let cut = x.cut;
        let covered = from.map(|(_, n)| {
            let m = x.at[0][&n];
            let covered = x.cover(m, false);
            self.known.synchronise(&mut x, &covered);
            lemma.synchronise(&mut x, &covered, Some(cut));
            covered
        });
        let first = from.map(|(step, n)| (step, x.at[0][&n]));
        let mut cases = Vec::new();
        for tuple in stated.tuples(&x, false) {
            if first.is_some_and(|(step, e)| tuple[step].event != Some(e)) {
                continue;
            }
            let mut made: Vec<(usize, usize)> =
                tuple.iter().filter_map(|b| Some((b.event?, b.point))).collect();
            let mut case = premises(stated, &mut x, &tuple);
            match stated.fact.conclusion {
                Conclusion::Either(_) => {
                    if made.is_empty() {
                        continue;
                    }
                    case.extend(otherwise(stated, &mut x, &tuple));
                    cases.extend(lasts(&mut x, &case, &made, more));
                }
                Conclusion::Before(_, b) => {
                    let (Some(covered), Some(b)) = (&covered, tuple[b].event) else { continue };
                    case.push(-covered[b]);
                    cases.extend(lasts(&mut x, &case, &made, more));
                }
                Conclusion::Tells { write, .. } => {
                    let Some(covered) = &covered else { continue };
                    if let Some(t) = tuple[write].event {
                        for told in told(stated, &mut x, covered, t) {
                            case.push(-told);
                        }
                    }
                    cases.extend(lasts(&mut x, &case, &made, more));
                }
                Conclusion::ThenUpdate(a) => {
                    let class = stated.steps[a].class;
                    let stores = x.writes_of(class).into_iter().filter(|&w| x.node(w).act == Act::Write);
                    for w in stores.collect::<Vec<_>>() {
                        let mut case = case.clone();
                        case.extend(right_after(stated, &mut x, &tuple[a], (class, w)));
                        made.push((w, x.point(w)));
                        cases.extend(lasts(&mut x, &case, &made, more));
                        made.pop();
                    }
                }
            }
        }
        lemma.assert(&mut x, Some(cut));
        x.ends = true;
        Self::either(x, cases)
    }
}

/// What is given; what is not known of may be so.
fn premises(stated: &Stated, x: &mut Instance<'_>, tuple: &[Bound]) -> Vec<Lit> {
    let steps: Vec<&Pattern> = stated.steps.iter().collect();
    let mut all: Vec<Lit> = tuple.iter().map(|b| b.on).collect();
    for atom in stated.given() {
        let lit = stated.eval(x, tuple, &steps, atom);
        all.push(lit.unwrap_or_else(|| x.f.fresh()));
    }
    all
}

/// None of the alternatives; what is not known of may be false.
fn otherwise(stated: &Stated, x: &mut Instance<'_>, tuple: &[Bound]) -> Vec<Lit> {
    let Conclusion::Either(ways) = &stated.fact.conclusion else { return Vec::new() };
    let cut = tuple.iter().any(|b| b.event.is_some()).then_some(x.cut);
    let mut none = Vec::new();
    for (way, pattern) in ways.iter().zip(&stated.some) {
        let some = stated.way(x, tuple, way, pattern.as_ref(), cut, &mut |x| Some(x.f.fresh()));
        none.extend(some.into_iter().map(|l| -l));
    }
    none
}

/// One of these steps is the last: a case for each.
fn lasts(x: &mut Instance<'_>, case: &[Lit], made: &[(usize, usize)], more: bool) -> Vec<Vec<Lit>> {
    let mut cases = Vec::new();
    for &(e, point) in made {
        let mut case = case.to_vec();
        case.extend(made.iter().filter(|o| o.0 != e).map(|o| x.le(o.1, point)));
        Induction::at(x, e, &mut case);
        if more {
            // What it reads, or what its call read there last, is of these calls.
            let chosen = case[case.len() - 1];
            let class = x.events[e].class;
            let reads = x.indices().filter(|&r| {
                let (one, other) = (&x.events[r], &x.events[e]);
                let tree = &x.library.operations[x.calls[other.call]].tree;
                let before = r == e || one.call == other.call && tree.is_before(one.node, other.node);
                one.class == class && x.node(r).reads() && before
            });
            if let Some(r) = reads.max_by_key(|&r| x.events[r].node) {
                let on = x.events[r].on;
                let chosen = x.f.and2(chosen, on);
                Induction::inside_if(x, r, chosen);
            }
        }
        cases.push(case);
    }
    cases
}

/// Reasons for which whoever acquires what `t` wrote has seen what is covered.
fn told(stated: &Stated, x: &mut Instance<'_>, covered: &[Lit], t: usize) -> Vec<Lit> {
    let mut all = Vec::new();
    let heads = |x: &mut Instance<'_>, w: usize| {
        let mut heads = Vec::new();
        if x.node(w).releases {
            heads.push(covered[w]);
        }
        for fence in x.indices() {
            if x.node(fence).act == Act::Fence && x.node(fence).releases {
                let (so, on) = (x.so(fence, w), x.events[fence].on);
                heads.push(x.f.and(&[covered[fence], so, on]));
            }
        }
        heads
    };
    all.extend(heads(x, t));
    if x.node(t).act != Act::Update {
        return all;
    }
    for w in x.writes_of(x.events[t].class.expect("a write has a class")) {
        if w != t {
            let (here, on) = (x.eq(x.source(t), x.point(w)), x.events[w].on);
            for head in heads(x, w) {
                all.push(x.f.and(&[head, here, on]));
            }
        }
    }
    // What it reads was told so, by the fact itself.
    if let Conclusion::Tells { write, step } = stated.fact.conclusion {
        for tuple in stated.tuples(x, true) {
            let (Some(s), true) = (tuple[step].event, tuple[write].witness == Some(t)) else { continue };
            let cut = x.cut;
            if let Some(mut given) = stated.premises(x, &tuple, Some(cut)) {
                given.push(covered[s]);
                all.push(x.f.and(&given));
            }
        }
    }
    all
}

/// A store comes after the write, and nothing between them, as far as these calls can tell.
fn right_after(stated: &Stated, x: &mut Instance<'_>, a: &Bound, (class, w): (usize, usize)) -> Vec<Lit> {
    let (on, point) = (x.events[w].on, x.point(w));
    let store = Bound::of(x, w);
    let at = stated.together(x, a, &store, (class, class));
    let mut all = vec![on, x.lt(a.point, point), at.unwrap_or_else(|| x.f.fresh())];
    for v in x.writes_of(class) {
        if v != w && Some(v) != a.event {
            let (same, there) = (x.same(v, w), x.events[v].on);
            let (after, before) = (x.lt(a.point, x.point(v)), x.lt(x.point(v), point));
            let between = x.f.and(&[same, there, after, before]);
            all.push(-between);
        }
    }
    for r in x.reads_of(class) {
        let (same, there, s) = (x.same(r, w), x.events[r].on, x.source(r));
        let (after, before) = (x.lt(a.point, s), x.lt(s, point));
        let between = x.f.and(&[same, there, after, before]);
        all.push(-between);
    }
    all
}
