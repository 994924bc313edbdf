//! The inductions of lemmas, as formulas. In an execution that is shortest among those in which a lemma
//! fails, it fails at the last step `e`; so the lemma is assumed of all that happens before `e`, the
//! calls that `e`'s reads get their values from are among those looked at, and there must be no
//! assignment in which it fails at `e`.

use super::encode::{Instance, Partial, Switches};
use super::formula::{Lit, constant};
use super::lemma::{Lemma, Lemmas, bounds, given, passed, takers, took, turns};
use super::library::Library;
use super::shape::looks;
use super::term::Term;
use crate::seeded::{self, Bug};

pub struct Induction<'l> {
    pub library: &'l Library,
    pub switches: Switches,
    /// Shown before.
    pub known: &'l Lemmas,
}

impl<'l> Induction<'l> {
    pub(super) fn instance(&self, calls: &[usize]) -> Instance<'l> {
        let mut x = Instance::new(self.library, self.switches, calls, None, Partial::Everyone);
        self.known.assert(&mut x);
        x
    }

    /// All formulas that must have no assignment.
    pub fn obligations(&self, lemma: &Lemma) -> Vec<Instance<'l>> {
        let operations: Vec<usize> = (0..self.library.operations.len()).collect();
        let mut all = Vec::new();
        if let Lemma::Stated { number } = lemma {
            return self.stated(lemma, &self.library.stated[*number], false);
        }
        for &i in &operations {
            for &j in &operations {
                match lemma {
                    Lemma::Grows { class } => all.extend(self.grows(*class, i, j)),
                    Lemma::Lock { class, free, knocks, .. } => {
                        let lock = |k| self.lock(lemma, (*class, *free, *knocks), i, j, k);
                        all.extend(operations.iter().filter_map(|&k| lock(Some(k))));
                        all.extend(lock(None));
                    }
                    Lemma::Turn { shown, .. } => {
                        all.extend(self.waits(lemma, *shown, [i, j]));
                        all.extend(operations.iter().filter_map(|&k| self.shows(lemma, *shown, [i, j, k])));
                    }
                    Lemma::Ring { ahead, behind, slots } => {
                        for &k in &operations {
                            all.extend(self.ring(lemma, (*ahead, *behind, true), *slots, [i, j, k]));
                            all.extend(self.ring(lemma, (*behind, *ahead, false), *slots, [i, j, k]));
                        }
                    }
                    Lemma::Once { class } => all.extend(self.once(*class, [i, j])),
                    Lemma::Chain => all.extend(self.chain(lemma, [i, j])),
                    Lemma::Follows { pointer } => {
                        all.extend((i == j).then(|| self.follows(*pointer, i)).flatten());
                    }
                    Lemma::Lags { pointer } => all.extend(self.lags(*pointer, [i, j])),
                    Lemma::Behind { pointer, other } => {
                        all.extend((i == j).then(|| self.behind(lemma, (*pointer, *other), i)).flatten());
                    }
                    Lemma::Told { of } => all.extend(self.told(lemma, None, of, [i, j])),
                    Lemma::Passed { pointer, of } => {
                        all.extend(self.told(lemma, Some(*pointer), of, [i, j]));
                    }
                    Lemma::Stated { .. } => {}
                }
            }
        }
        all
    }

    /// The same, where the call that the last step reads from is looked at as well; empty if that is no way
    /// to show it.
    pub fn with_sources(&self, lemma: &Lemma) -> Vec<Instance<'l>> {
        match lemma {
            Lemma::Stated { number } => self.stated(lemma, &self.library.stated[*number], true),
            _ => Vec::new(),
        }
    }

    /// One of these cases.
    pub(super) fn either(mut x: Instance<'l>, cases: Vec<Vec<Lit>>) -> Option<Instance<'l>> {
        let mut any = Vec::new();
        for case in cases {
            let lit = x.f.and(&case);
            any.push(lit);
        }
        x.f.clause(&any);
        (!any.is_empty()).then_some(x)
    }

    /// A write that does not write more than the one right before it.
    fn grows(&self, class: usize, i: usize, j: usize) -> Option<Instance<'l>> {
        let x = self.instance(&[i, j]);
        Self::neighbours(x, class)
    }

    fn neighbours(mut x: Instance<'l>, class: usize) -> Option<Instance<'l>> {
        let mut cases = Vec::new();
        let writes = x.writes_of(class);
        for &w in &writes {
            if x.events[w].call != 0 {
                continue;
            }
            let Some(value) = x.events[w].wrote.clone() else {
                cases.push(vec![x.events[w].on]);
                continue;
            };
            let gap = |x: &mut Instance<'_>, from: usize| {
                let mut all = Vec::new();
                for v in x.writes_of(class) {
                    if v != w && x.point(v) != from {
                        let (on, after, before) = (x.events[v].on, x.lt(from, x.point(v)), x.precedes(v, w));
                        let between = x.f.and(&[on, after, before]);
                        all.push(-between);
                    }
                }
                for r in x.reads_of(class) {
                    let (on, s) = (x.events[r].on, x.source(r));
                    let (after, before) = (x.lt(from, s), x.lt(s, x.point(w)));
                    let between = x.f.and(&[on, after, before]);
                    all.push(-between);
                }
                all
            };
            for &v in &writes {
                if v == w {
                    continue;
                }
                let Some(earlier) = x.events[v].wrote.clone() else { continue };
                let mut case = vec![x.events[w].on, x.events[v].on, x.precedes(v, w)];
                let from = x.point(v);
                case.extend(gap(&mut x, from));
                let less = x.f.below(&earlier, &value);
                case.push(-less);
                cases.push(case);
            }
            if let Some((_, Term::Const(first))) = x.library.classes[class].initial.first() {
                let first = constant(*first as u64, x.number_width);
                let mut case = vec![x.events[w].on];
                case.extend(gap(&mut x, 0));
                let less = x.f.below(&first, &value);
                case.push(-less);
                cases.push(case);
            }
        }
        Self::either(x, cases)
    }

    /// Two calls write to one place.
    fn once(&self, class: usize, calls: [usize; 2]) -> Option<Instance<'l>> {
        let mut x = self.instance(&calls);
        let mut cases = Vec::new();
        for v in x.writes_of(class) {
            for w in x.writes_of(class) {
                if x.events[v].call == 0 && x.events[w].call == 1 {
                    let same = x.same(v, w);
                    cases.push(vec![x.events[v].on, x.events[w].on, same]);
                }
            }
        }
        Self::either(x, cases)
    }

    /// Somebody takes a lock that is held (`k`: whoever wrote what it read), or gives it back.
    fn lock(
        &self,
        lemma: &Lemma,
        (class, free, knocks): (usize, i64, bool),
        i: usize,
        j: usize,
        k: Option<usize>,
    ) -> Option<Instance<'l>> {
        let mut calls = vec![i, j];
        calls.extend(k);
        let mut made = Vec::new();
        let x = self.instance(&calls);
        for (take, gives) in takers(&x, class) {
            for w in x.writes_of(class) {
                let taking = takers(&x, class).iter().any(|t| t.0 == w);
                if x.events[take].call == 0 && x.events[w].call == 1 && taking == k.is_some() {
                    made.push((take, gives.clone(), w));
                }
            }
        }
        let mut x = x;
        let mut cases = Vec::new();
        for (take, gives, w) in made {
            let mut case = vec![took(&mut x, take, free), x.precedes(take, w)];
            case.push(if knocks && x.node(w).reads() { took(&mut x, w, free) } else { x.events[w].on });
            for give in gives {
                let (on, first) = (x.events[give].on, x.precedes(give, w));
                let done = x.f.and2(on, first);
                case.push(-done);
            }
            Self::at(&mut x, w, &mut case);
            if x.node(w).reads() {
                let chosen = case[case.len() - 1];
                Self::inside_if(&mut x, w, chosen);
            }
            cases.push(case);
        }
        let cut = x.cut;
        lemma.assert(&mut x, Some(cut));
        Self::either(x, cases)
    }

    /// Somebody gets a turn that another one has.
    fn waits(&self, lemma: &Lemma, shown: usize, calls: [usize; 2]) -> Option<Instance<'l>> {
        let mut x = self.instance(&calls);
        let all = turns(&x, shown);
        let mut cases = Vec::new();
        for turn in all.iter().filter(|t| t.call == 0) {
            for other in all.iter().filter(|t| t.call == 1) {
                let (Some(wait), Some(later)) = (turn.wait, other.wait) else { continue };
                let (mine, theirs) = (passed(&mut x, turn), passed(&mut x, other));
                let (same, by) = (x.same(wait, later), x.source(later));
                let done = given(&mut x, turn, by);
                let mut case = vec![x.events[wait].on, x.events[later].on, mine, theirs, same, -done];
                case.push(x.precedes(wait, later));
                Self::at(&mut x, later, &mut case);
                cases.push(case);
            }
        }
        let cut = x.cut;
        lemma.assert(&mut x, Some(cut));
        Self::either(x, cases)
    }

    /// Chooses this event as the last.
    pub(super) fn at(x: &mut Instance<'_>, event: usize, case: &mut Vec<Lit>) {
        let chosen = x.f.fresh();
        let same = x.eq(x.cut, x.point(event));
        x.f.implies(&[chosen], &[same]);
        case.push(chosen);
    }

    pub(super) fn inside_if(x: &mut Instance<'_>, r: usize, chosen: Lit) {
        let class = x.events[r].class.expect("a read has a class");
        let mut ways = vec![-chosen, x.le(x.source(r), 0)];
        for w in x.writes_of(class) {
            if w != r {
                let (here, on) = (x.eq(x.source(r), x.point(w)), x.events[w].on);
                ways.push(x.f.and2(here, on));
            }
        }
        x.f.clause(&ways);
    }

    /// Somebody overwrites what another one needs, or a call what it needs itself, at another place than
    /// where it gives the turn on. The third call read it there.
    fn shows(&self, lemma: &Lemma, shown: usize, calls: [usize; 3]) -> Option<Instance<'l>> {
        let mut x = self.instance(&calls);
        let all = turns(&x, shown);
        let mut cases = Vec::new();
        for turn in all.iter().filter(|t| t.call == 0) {
            let Some(wait) = turn.wait else { continue };
            let Some(needs) = x.number(0, &turn.needs) else {
                cases.push(vec![x.events[turn.draw].on]);
                continue;
            };
            for r in x.reads_of(shown) {
                let Some(read) = x.events[r].read.clone() else { continue };
                let (equal, from) = (x.f.equal(&read, &needs), x.source(r));
                for w in x.writes_of(shown) {
                    let own = x.events[w].call == 0 && seeded::active(Bug::OneShow);
                    if x.events[w].call == 2 || own {
                        continue;
                    }
                    let (same, alike, place) = (x.same(r, wait), x.same(w, r), x.point(w));
                    let done = given(&mut x, turn, place);
                    let mut case = vec![x.events[turn.draw].on, x.events[r].on, x.events[w].on];
                    case.extend([equal, same, alike, x.lt(from, place), -done]);
                    Self::at(&mut x, w, &mut case);
                    cases.push(case);
                }
            }
        }
        let cut = x.cut;
        lemma.assert(&mut x, Some(cut));
        Self::either(x, cases)
    }

    /// A call finds the other counter out of bounds. The second call wrote what it found there, the third
    /// what it found in its own.
    fn ring(
        &self,
        lemma: &Lemma,
        (own, other, producer): (usize, usize, bool),
        slots: i64,
        calls: [usize; 3],
    ) -> Option<Instance<'l>> {
        let mut x = self.instance(&calls);
        let mut cases = Vec::new();
        for (e, r) in looks(x.library, calls[0], own, other) {
            let (e, r) = (x.at[0][&e], x.at[0][&r]);
            let Some((low, high)) = bounds(&mut x, e, r, producer, slots) else { continue };
            let fine = x.f.and2(low, high);
            let mut case = vec![x.events[r].on, -fine];
            Self::at(&mut x, r, &mut case);
            let chosen = case[case.len() - 1];
            Self::inside_if(&mut x, r, chosen);
            Self::inside_if(&mut x, e, chosen);
            cases.push(case);
        }
        let cut = x.cut;
        lemma.assert(&mut x, Some(cut));
        Self::either(x, cases)
    }
}
