//! Updates that are taken back: an addition that comes to nothing is waiting.
//!
//! A reader of Linux' reader–writer lock takes one from a counter; if that was not to be had, it
//! adds it back, waits until the counter looks better, and tries again. Event by event each attempt
//! adds two updates, which all others may read. Here a thread whose addition would be taken back
//! waits instead, until there is another value to be had.
//!
//! Why nothing is lost: erase all attempts that were taken back from an execution. The cell is
//! changed by additions only, so every update of it reads the one before: whoever read in the
//! middle of an attempt now reads the last update before it that is left, and finds the value
//! without what the attempts open at that moment had added. If it goes on in the same way, the rest
//! is an execution: it has fewer events, and no order among them that was not there before. So what
//! is needed, in every graph (the search starts over without this if it fails):
//!
//! - whoever looks at the cell goes on in the same way with and without any attempts of others, at
//!   most one of each thread, or else makes an attempt that is taken back: tried for all values
//!   that the cell was seen to have in any graph, and the same plus what attempts may add;
//! - all that an attempt does is to add, to take that back whatever is there, and to look at the
//!   cell, until it adds the same again, after which it makes no difference what it did before;
//! - nobody changes the cell in another way, or uses it plainly, once others know it.
//!
//! What the cell was seen to hold and the attempts are books ([`Undone`]); when they grow, the
//! search starts over with them, so at its end all was tried.

use super::books::{Looks, Undone};
use super::event::{Event, EventId};
use super::explore::{Halt, Search};
use super::learned::Lesson;
use crate::seeded::{self, Bug};
use lineal_model::run::{Answer, FetchOp, Loc, Op, Rmw, Runnable, Step, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many steps of an attempt are looked ahead.
const AHEAD: usize = 4096;
/// How many loop heads are passed before the next access.
const HEADS: usize = 8;
/// Updates of a cell after which nobody looks whether a new one would be taken back.
const SOON: usize = 6;
/// More values than this are not learned.
const LEARNED: usize = 128;
/// More values than this are not tried.
const MOST: usize = 600;

fn cut(word: u64, size: u8) -> u64 {
    Value::word(word).truncate(size).lo
}

/// What the attempts of up to `others` threads may add.
fn sums(known: &Undone, others: usize, size: u8) -> Option<BTreeSet<u64>> {
    let mut sums = BTreeSet::from([0]);
    for _ in 0..others {
        let more: Vec<u64> = sums
            .iter()
            .flat_map(|s: &u64| known.deltas.iter().map(move |d| cut(s.wrapping_add(*d), size)))
            .collect();
        sums.extend(more);
        if sums.len() > MOST {
            return None;
        }
    }
    Some(sums)
}

/// The place and what is added to it.
fn addition(op: &Op) -> Option<(Loc, u8, u64)> {
    match *op {
        Op::Rmw { loc, size, rmw: Rmw::Fetch { op, operand, .. }, wait: None, .. } if size <= 8 => match op {
            FetchOp::Add => Some((loc, size, cut(operand.lo, size))),
            FetchOp::Sub => Some((loc, size, cut(operand.lo.wrapping_neg(), size))),
            _ => None,
        },
        _ => None,
    }
}

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    fn undoes(&self) -> bool {
        self.grouping && !self.options.liveness && !self.options.learned.risk.undone
    }

    /// Whether the place is one whose additions may be taken back.
    pub(super) fn is_undone(&self, op: &Op) -> bool {
        let (Op::Rmw { loc, .. } | Op::Read { loc, .. }) = op else { return false };
        self.undoes() && self.options.learned.undone.contains_key(loc)
    }

    /// The place that the thread, back at a loop head, has added to and taken from in between, if
    /// that is all it did and it is news.
    pub(super) fn took_back(&self, thread: usize, op: Op) -> Option<(Loc, Undone)> {
        let Op::Loop { head } = op else { return None };
        if !self.undoes() {
            return None;
        }
        let events = &self.graph.lanes[thread].events;
        let passage =
            |e: &Event<Rc<R::Thread>, N>| matches!(*self.graph.op(e), Op::Loop { head: h } if h == head);
        let from = events.iter().rposition(passage)?;
        let mut found: Option<(Loc, u8, u64)> = None;
        for e in events[from..].iter().filter(|e| e.is_write()) {
            let (loc, size, delta) = addition(self.graph.op(e)).filter(|_| e.is_update())?;
            let sum = match found {
                Some((l, s, sum)) if (l, s) == (loc, size) => sum,
                Some(_) => return None,
                None => 0,
            };
            found = Some((loc, size, cut(sum.wrapping_add(delta), size)));
        }
        let (loc, ..) = found.filter(|f| f.2 == 0 && !self.options.learned.undone.contains_key(&f.0))?;
        let cell = self.names.find(loc)?;
        let writes = self.graph.cells[cell as usize].mo.iter().copied().chain([EventId::INIT]);
        let values = writes.map(|w| self.content(cell, w).lo).collect();
        Some((loc, Undone { values, deltas: BTreeSet::new(), threads: self.names.threads() }))
    }

    /// The place that the thread is about to add to, if it would take that back should it find what
    /// others may leave there, and that is news. (Soon, so that little is explored in vain.)
    pub(super) fn would_take_back(&mut self, thread: usize, op: Op, cell: u32) -> Option<(Loc, Undone)> {
        let added = addition(&op).filter(|_| self.undoes())?;
        let mo = &self.graph.cells[cell as usize].mo;
        let (_, site) = self.asked(thread);
        if mo.len() > SOON || self.is_undone(&op) || !self.attempted.insert((site, mo.len())) {
            return None;
        }
        let events = mo.iter().map(|&w| self.graph.event(w));
        let deltas: BTreeSet<u64> =
            events.filter_map(|e| addition(self.graph.op(e))).map(|(.., delta)| delta).chain([0]).collect();
        let writes = mo.iter().copied().chain([EventId::INIT]);
        let values: BTreeSet<u64> = writes.map(|w| self.content(cell, w).lo).collect();
        let around = |v: &u64| deltas.iter().map(|d| cut(v.wrapping_add(*d), added.1)).collect::<Vec<_>>();
        let around: BTreeSet<u64> = values.iter().flat_map(around).collect();
        let state = self.graph.lanes[thread].state.clone()?;
        let mut attempts = Attempts { search: self, first: &state, asked: op, added, values: &around };
        let mut known = Vec::new();
        let found = around.iter().any(|&v| attempts.comes_to_nothing(v, &mut known) == Some(true));
        let undone = Undone { values, deltas: BTreeSet::new(), threads: self.names.threads() };
        found.then_some((added.0, undone))
    }

    /// Whether the thread, about to read `value`, would take back what it adds to it.
    pub(super) fn takes_back(
        &mut self,
        thread: usize,
        op: Op,
        cell: u32,
        value: Value,
    ) -> Result<bool, Halt> {
        if !self.is_undone(&op) {
            return Ok(false);
        }
        if self.options.learned.risk.freed && self.is_foreign(thread, cell) {
            return Err(self.minds());
        }
        let loc = self.names.cells[cell as usize].loc;
        let Some(state) = self.graph.lanes[thread].state.clone() else { return Err(self.minds()) };
        let Some(words) = self.program.snapshot(&state) else { return Err(self.minds()) };
        let (known, threads) = (&self.options.learned.undone[&loc], self.names.threads());
        if known.threads < threads || !known.values.contains(&value.lo) {
            return Err(self.news(loc, Undone { values: [value.lo].into(), threads, ..Undone::default() }));
        }
        let others = self.at_it(thread, self.options.learned.undone[&loc].threads);
        let key = (thread, others, op, words.into_owned());
        let looks = match self.looked.get(&key) {
            Some(looks) => looks.clone(),
            None => {
                let looks = self.looks(&state, op, loc, others).map_or(Looks::Minds, Looks::TakenBack);
                let looks = Rc::new(looks);
                self.looked.insert(key, looks.clone());
                looks
            }
        };
        let Looks::TakenBack(taken) = &*looks else { return Err(self.minds()) };
        if !taken.is_empty() {
            self.unseen.followed |= self.is_foreign(thread, cell);
            let (.., delta) = addition(&op).expect("only additions are taken back");
            if !self.options.learned.undone[&loc].deltas.contains(&delta) {
                return Err(self.news(loc, Undone { deltas: [delta].into(), ..Undone::default() }));
            }
        }
        Ok(taken.contains(&value.lo))
    }

    /// Starts over at once: what is not known is explored at length.
    fn news(&self, loc: Loc, news: Undone) -> Halt {
        let mut known = self.options.learned.undone[&loc].clone();
        known.join(&news);
        if known.values.len() > LEARNED {
            return self.minds();
        }
        Halt::Learned(Lesson::Undone(loc, known))
    }

    /// The search has to do without.
    fn minds(&self) -> Halt {
        let mut risk = self.options.learned.risk;
        risk.undone = true;
        Halt::Learned(Lesson::Risk(risk))
    }

    /// How many threads other than this one, and those it knows to have ended, there may be.
    fn at_it(&self, thread: usize, threads: usize) -> usize {
        let lane = &self.graph.lanes[thread];
        let ended = |t: &usize| self.graph.joined(*t).is_some_and(|join| lane.hb().contains(join));
        let joined = (0..self.graph.lanes.len()).filter(|t| *t != thread).filter(ended).count();
        threads.saturating_sub(1 + joined)
    }

    /// Keeps book of an event, about to be added, that changes such a cell.
    pub(super) fn note_undone(&mut self, event: &Event<Rc<R::Thread>, N>, shared: bool) {
        let loc = self.names.cells[event.cell as usize].loc;
        if !self.undoes() || !self.options.learned.undone.contains_key(&loc) {
            return;
        }
        let threads = self.names.threads();
        let known = self.unseen.undone.entry(loc).or_default();
        known.threads = known.threads.max(threads);
        if event.is_write() {
            known.values.insert(event.value.lo);
        }
        let otherwise = event.is_write() && addition(self.graph.op(event)).is_none();
        self.unseen.otherwise |= shared && (otherwise || !event.mode.is_atomic());
    }

    /// Where the thread, which asks for the cell, would take back what it adds, tried with all that
    /// the cell may hold; `None`: it minds what others add.
    fn looks(&self, state: &R::Thread, op: Op, loc: Loc, others: usize) -> Option<BTreeSet<u64>> {
        // Whoever waits for a value minds.
        let (Op::Rmw { size, wait: None, .. } | Op::Read { size, wait: None, .. }) = op else { return None };
        let known = &self.options.learned.undone[&loc];
        let sums = sums(known, others, size)?;
        let mut values = BTreeSet::new();
        for v in &known.values {
            values.extend(sums.iter().map(|s| cut(v.wrapping_add(*s), size)));
            if values.len() > MOST {
                return None;
            }
        }
        let mut taken = BTreeSet::new();
        if let Some(added) = addition(&op) {
            let mut attempts = Attempts { search: self, first: state, asked: op, added, values: &values };
            let mut known = Vec::new();
            for &v in &values {
                if attempts.comes_to_nothing(v, &mut known)? {
                    taken.insert(v);
                }
            }
        }
        if seeded::active(Bug::MindsNothing) {
            return Some(taken);
        }
        for &v in &known.values {
            for s in &sums {
                let with = cut(v.wrapping_add(*s), size);
                if with == v || taken.contains(&with) {
                    continue;
                }
                if taken.contains(&v) || !self.same(&op, state, state, (v, with), size) {
                    return None;
                }
            }
        }
        Some(taken)
    }

    /// Whether threads that ask the same go on in the same way, one told the first, one the second.
    fn same(&self, op: &Op, a: &R::Thread, b: &R::Thread, told: (u64, u64), size: u8) -> bool {
        if let Op::Rmw { rmw, .. } = op
            && addition(op).is_none()
        {
            // One that is no addition must not succeed.
            let succeeds = |v: u64| rmw.apply(Value::word(v), size).is_some();
            if succeeds(told.0) || succeeds(told.1) {
                return false;
            }
        }
        let (Some(mut a), Some(mut b)) = (self.program.fork(a), self.program.fork(b)) else { return false };
        let mut steps = (
            self.go(&mut a, Answer::from(Value::word(told.0))),
            self.go(&mut b, Answer::from(Value::word(told.1))),
        );
        for _ in 0..HEADS {
            match steps {
                (Step::Ask(p, _), Step::Ask(q, _)) if p == q && self.program.alike(&a, &b) => return true,
                // What was told may decide which way the loop is left, or whether.
                (Step::Ask(Op::Loop { head: p }, _), Step::Ask(Op::Loop { head: q }, _)) if p == q => {}
                (Step::Finished(p), Step::Finished(q)) => return p == q,
                _ => return false,
            }
            steps = (self.go(&mut a, Answer::default()), self.go(&mut b, Answer::default()));
        }
        false
    }
}

/// A thread about to add, tried with all values.
struct Attempts<'a, 's, R: Runnable, const N: usize> {
    search: &'a Search<'s, R, N>,
    first: &'a R::Thread,
    asked: Op,
    added: (Loc, u8, u64),
    values: &'a BTreeSet<u64>,
}

impl<R: Runnable, const N: usize> Attempts<'_, '_, R, N> {
    /// Whether the thread, finding `value`, takes back what it adds; `None`: too much to try.
    fn comes_to_nothing(&mut self, value: u64, known: &mut Vec<(R::Thread, bool)>) -> Option<bool> {
        let search = self.search;
        let mut state = search.program.fork(self.first)?;
        let mut answer = Answer::from(Value::word(value));
        for _ in 0..AHEAD {
            let Step::Ask(op, _) = search.go(&mut state, answer) else { return Some(false) };
            answer = Answer::default();
            match op {
                Op::Loop { .. } => {}
                _ if self.takes_back(&op) => {
                    let like = known.iter().find(|(other, _)| search.program.alike(other, &state));
                    if let Some(&(_, again)) = like {
                        return Some(again);
                    }
                    let mut values = self.values.iter();
                    let first = *values.next()?;
                    let told = |v: &u64| search.same(&op, &state, &state, (first, *v), self.added.1);
                    let again = values.all(told) && self.begins_again(search.program.fork(&state)?, first)?;
                    known.push((state, again));
                    return Some(again);
                }
                _ => return Some(false),
            }
        }
        None
    }

    fn takes_back(&self, op: &Op) -> bool {
        let (loc, size, delta) = self.added;
        addition(op).is_some_and(|(l, s, d)| (l, s) == (loc, size) && cut(delta.wrapping_add(d), size) == 0)
    }

    /// Whether the thread, told `value` when it takes back, only looks at the cell until it adds the
    /// same again, as if for the first time.
    fn begins_again(&self, mut state: R::Thread, value: u64) -> Option<bool> {
        let search = self.search;
        let (loc, size, _) = self.added;
        let Step::Ask(op, _) = search.go(&mut state, Answer::from(Value::word(value))) else {
            return Some(false);
        };
        let mut open = vec![(op, state)];
        let (mut seen, mut again, mut steps) = (BTreeSet::new(), Vec::<R::Thread>::new(), 0);
        while let Some((op, mut state)) = open.pop() {
            steps += 1;
            if steps > AHEAD {
                return None;
            }
            match op {
                Op::Loop { .. } => {
                    let Step::Ask(op, _) = search.go(&mut state, Answer::default()) else {
                        return Some(false);
                    };
                    open.push((op, state));
                }
                Op::Read { loc: l, size: s, wait: None, mode, .. }
                    if (l, s) == (loc, size) && mode.is_atomic() =>
                {
                    if !seen.insert(search.program.snapshot(&state)?.into_owned()) {
                        continue;
                    }
                    for &v in self.values {
                        let mut told = search.program.fork(&state)?;
                        let step = search.go(&mut told, Answer::from(Value::word(v)));
                        let Step::Ask(op, _) = step else { return Some(false) };
                        open.push((op, told));
                    }
                }
                _ if op == self.asked => {
                    if again.iter().any(|other| search.program.alike(other, &state)) {
                        continue;
                    }
                    let mut values = self.values.iter();
                    if !values.all(|&v| search.same(&op, self.first, &state, (v, v), size)) {
                        return Some(false);
                    }
                    again.push(state);
                }
                _ => return Some(false),
            }
        }
        Some(!again.is_empty())
    }
}
