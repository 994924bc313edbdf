//! Facts about objects that take an induction of their own.
//!
//! Each is found by its shape in the trees, which is checked here, asserted about every pair of calls,
//! and believed only after an induction over executions ([`super::induct`]): in an execution that is
//! shortest among those in which it fails, it fails at the last step, and holds before that.
//!
//! - **grows**: every write of a counter writes more than the one before.
//! - **lock**: what is taken, by a read-modify-write that finds it free, is given back by a store of the same call, and
//!   in between nobody else takes it, or makes it free. (Who does not find it free may *knock*: write that it is
//!   taken.) If takers acquire and givers release, then whoever takes it later has seen what holders did
//!   before. What is free is next written by who takes it; so a further read-modify-write that finds it
//!   free reads the last write there is.
//! - **turn**: calls draw numbers from counters and wait until a location shows the one they need; then
//!   they show another. No two calls wait for the same one at the same place, so the turn is handed from
//!   call to call: what was shown to one is overwritten by that one.
//! - **ring**: of two counters, each written by one session, the one is never behind the other, nor ahead
//!   of it by more than the number of slots.
//! - **once**: a place in an array is written by the call that drew its number, and by no other.
//! - What the author of an object says, see [`super::stated`].
//! - **chain**, **follows**, **lags**, **behind**, **told**, **passed**: about lists that grow at their end, see [`list`].

use super::encode::Instance;
use super::formula::{Lit, TRUE, constant};
use super::list;
pub use super::shape::Lemma;
use super::shape::{looks, stages, write_before};
use super::term::{Binary, Size, Term};
use super::tree::Act;

#[derive(Clone, Debug, Default)]
pub struct Lemmas {
    pub all: Vec<Lemma>,
}

impl Lemmas {
    /// What they say of these calls.
    pub fn assert(&self, x: &mut Instance<'_>) {
        for lemma in &self.all {
            lemma.assert(x, None);
        }
    }

    /// The synchronisation that they give.
    pub fn synchronise(&self, x: &mut Instance<'_>, covered: &[Lit]) {
        for lemma in &self.all {
            lemma.synchronise(x, covered, None);
        }
    }
}

impl Lemma {
    /// `before`: only of what happens before this point.
    pub fn assert(&self, x: &mut Instance<'_>, before: Option<usize>) {
        let name = self.name(x.library);
        x.f.begin(&name);
        match self {
            Lemma::Grows { class } => assert_grows(x, *class, before),
            Lemma::Lock { class, free, knocks, .. } => assert_lock(x, *class, (*free, *knocks), before),
            Lemma::Turn { shown, .. } => assert_turn(x, *shown, before),
            Lemma::Ring { ahead, behind, slots } => assert_ring(x, *ahead, *behind, *slots, before),
            Lemma::Once { class } => assert_once(x, *class, before),
            Lemma::Stated { number } => x.library.stated[*number].assert(x, before),
            _ => {
                if let Some(list) = &x.library.list {
                    match self {
                        Lemma::Chain => list::assert_chain(x, list, before),
                        Lemma::Follows { pointer } => list::assert_follows(x, list, *pointer),
                        Lemma::Lags { pointer } => list::assert_lags(x, list, *pointer),
                        Lemma::Behind { pointer, other } => {
                            list::assert_behind(x, list, (*pointer, *other), before);
                        }
                        Lemma::Told { of } => list::assert_filled(x, list, of),
                        _ => {}
                    }
                }
            }
        }
        x.f.end();
    }

    /// `before`: of lists, only of what happens before this point.
    pub fn synchronise(&self, x: &mut Instance<'_>, covered: &[Lit], before: Option<usize>) {
        let name = self.name(x.library);
        x.f.begin(&name);
        match self {
            Lemma::Lock { class, free, synchronises: true, .. } => {
                // Each taker reads from the giver before it, and so on.
                for give in x.writes_of(*class) {
                    if x.node(give).act != Act::Write {
                        continue;
                    }
                    for take in x.indices() {
                        let is = x.node(take).act == Act::Update && x.events[take].class == Some(*class);
                        if is && Some(take) != x.stale_event() {
                            let reached = x.le(x.point(give), x.source(take));
                            let (a, b) = (x.events[give].on, took(x, take, *free));
                            x.f.implies(&[covered[give], a, b, reached], &[covered[take]]);
                        }
                    }
                }
            }
            Lemma::Turn { shown, synchronises: true } => {
                // Each reads from whoever had the turn before, and so on.
                let all: Vec<usize> = turns(x, *shown).into_iter().flat_map(|turn| turn.shows).collect();
                for show in all.into_iter().filter(|&s| x.is_sequential(s)).collect::<Vec<_>>() {
                    for take in turns(x, *shown) {
                        let Some(wait) = take.wait.filter(|&w| Some(w) != x.stale_event()) else { continue };
                        let (reached, same) = (x.le(x.point(show), x.source(wait)), x.same(show, wait));
                        let passed = passed(x, &take);
                        let (a, b) = (x.events[show].on, x.events[wait].on);
                        x.f.implies(&[covered[show], a, b, reached, same, passed], &[covered[wait]]);
                    }
                }
            }
            Lemma::Stated { number } => x.library.stated[*number].synchronise(x, covered, before),
            Lemma::Told { of } => list::told(x, of, covered, before),
            Lemma::Passed { pointer, of } => list::passed(x, *pointer, of, covered, before),
            _ => {}
        }
        x.f.end();
    }
}

/// Happens before that, if anything is asked for.
fn early(x: &Instance<'_>, event: usize, before: Option<usize>) -> Lit {
    before.map_or(TRUE, |p| x.lt(x.point(event), p))
}

/// Where a counter has which value: condition, point, value.
fn values(x: &mut Instance<'_>, class: usize) -> Vec<(Lit, usize, Vec<Lit>)> {
    let mut all = Vec::new();
    for e in x.indices() {
        if x.events[e].class != Some(class) {
            continue;
        }
        let on = x.events[e].on;
        if let (Some(value), Some(source)) = (x.events[e].read.clone(), x.events[e].source) {
            all.push((on, source, value));
        }
        if let (Some(value), true, true) = (x.events[e].wrote.clone(), x.writes(e), x.is_sequential(e)) {
            all.push((on, x.point(e), value));
        }
    }
    if let Some((_, Term::Const(first))) = x.library.classes[class].initial.first() {
        all.push((TRUE, 0, constant(*first as u64, x.number_width)));
    }
    all
}

fn assert_grows(x: &mut Instance<'_>, class: usize, before: Option<usize>) {
    let all = values(x, class);
    for (i, (a, p, v)) in all.iter().enumerate() {
        for (j, (b, q, w)) in all.iter().enumerate() {
            if i == j || p == q {
                continue;
            }
            let (less, lt) = (x.f.below(v, w), x.lt(*p, *q));
            let early = before.map_or(TRUE, |limit| x.lt(*q, limit));
            x.f.implies(&[*a, *b, lt, early], &[less]);
        }
    }
}

fn assert_once(x: &mut Instance<'_>, class: usize, before: Option<usize>) {
    if before.is_some() {
        return;
    }
    let reads = x.reads_of(class);
    for &r in &reads {
        let (on, source, initial) = (x.events[r].on, x.source(r), x.le(x.source(r), 0));
        for w in x.writes_of(class) {
            let (same, there) = (x.same(r, w), x.events[w].on);
            for lit in [x.le(source, x.point(w)), x.le(x.point(w), source)] {
                x.f.implies(&[on, there, same], &[initial, lit]);
            }
        }
        for &other in &reads {
            if other != r {
                let (same, there, first) = (x.same(r, other), x.events[other].on, x.le(x.source(other), 0));
                let reached = x.le(source, x.source(other));
                x.f.implies(&[on, there, same], &[initial, first, reached]);
            }
        }
    }
}

/// Takers of a lock in these calls, each with the stores that give it back.
pub fn takers(x: &Instance<'_>, class: usize) -> Vec<(usize, Vec<usize>)> {
    let mut found = Vec::new();
    for take in x.writes_of(class) {
        if x.node(take).act != Act::Update {
            continue;
        }
        let (call, node) = (x.events[take].call, x.events[take].node);
        let gives = x.writes_of(class).into_iter().filter(|&w| {
            x.events[w].call == call
                && write_before(x.library, x.calls[call], class, x.events[w].node) == Some(node)
        });
        found.push((take, gives.collect()));
    }
    found
}

/// It happens, and finds the lock free.
pub fn took(x: &mut Instance<'_>, event: usize, free: i64) -> Lit {
    let (call, node, on) = (x.events[event].call, x.events[event].node, x.events[event].on);
    let size = Size { bytes: x.node(event).bytes, signed: false };
    let found = Term::Bin(Binary::Eq, size, Term::Read(node, size).into(), Term::Const(free).into());
    // What is not followed may be anything.
    let found = x.condition(call, &found).unwrap_or_else(|| x.f.fresh());
    x.f.and2(on, found)
}

fn assert_lock(x: &mut Instance<'_>, class: usize, (free, knocks): (i64, bool), before: Option<usize>) {
    let all = takers(x, class);
    for (take, gives) in &all {
        let on = took(x, *take, free);
        // The next to take it does so after it was given back.
        for (other, _) in &all {
            if x.events[*other].call == x.events[*take].call {
                continue;
            }
            let (precedes, early, there) =
                (x.precedes(*take, *other), early(x, *other, before), took(x, *other, free));
            let mut ways = Vec::new();
            for give in gives {
                let (g, first) = (x.events[*give].on, x.precedes(*give, *other));
                ways.push(x.f.and2(g, first));
            }
            x.f.implies(&[on, there, precedes, early], &ways);
        }
        // Nothing else is written there until then, or at least not that it is free.
        for r in x.reads_of(class) {
            let there = if knocks { took(x, r, free) } else { x.events[r].on };
            let source = x.source(r);
            let after = x.lt(x.point(*take), source);
            let early = before.map_or(TRUE, |p| x.lt(source, p));
            let mut ways = Vec::new();
            for give in gives {
                let (g, reached) = (x.events[*give].on, x.le(x.point(*give), source));
                ways.push(x.f.and2(g, reached));
            }
            x.f.implies(&[on, there, after, early], &ways);
        }
    }
    for z in x.reads_of(class) {
        if before.is_some() || x.is_sequential(z) || Some(z) == x.stale_event() || !x.writes(z) {
            continue;
        }
        let on = took(x, z, free);
        for w in x.writes_of(class) {
            let (there, reached) = (x.events[w].on, x.le(x.point(w), x.source(z)));
            x.f.implies(&[on, there], &[reached]);
        }
        for r in x.reads_of(class) {
            if r != z {
                let (there, reached) = (x.events[r].on, x.le(x.source(r), x.source(z)));
                x.f.implies(&[on, there], &[reached]);
            }
        }
    }
}

/// A call that takes a turn; what of it is there.
#[derive(Clone, Debug)]
pub struct Turn {
    pub call: usize,
    pub draw: usize,
    pub wait: Option<usize>,
    /// On each path another one.
    pub shows: Vec<usize>,
    pub needs: Term,
}

pub fn turns(x: &Instance<'_>, shown: usize) -> Vec<Turn> {
    let mut all = Vec::new();
    for call in 0..x.calls.len() {
        for stage in stages(x.library, x.calls[call], shown).unwrap_or_default() {
            if let Some(&draw) = x.at[call].get(&stage.draw) {
                let at = |n: usize| x.at[call].get(&n).copied();
                let (wait, shows) = (at(stage.wait), stage.shows.into_iter().filter_map(at).collect());
                all.push(Turn { call, draw, wait, shows, needs: stage.needs });
            }
        }
    }
    all
}

/// What was needed was read.
pub fn passed(x: &mut Instance<'_>, turn: &Turn) -> Lit {
    let read = turn.wait.and_then(|w| x.events[w].read.clone());
    match (x.number(turn.call, &turn.needs), read) {
        (Some(a), Some(b)) => x.f.equal(&a, &b),
        _ => super::formula::FALSE,
    }
}

/// The turn was given on by then: at the latest at this point.
pub fn given(x: &mut Instance<'_>, turn: &Turn, by: usize) -> Lit {
    let shows: Vec<usize> = turn.shows.iter().copied().filter(|&s| x.is_sequential(s)).collect();
    let mut ways = Vec::new();
    for show in shows {
        let (on, reached) = (x.events[show].on, x.le(x.point(show), by));
        ways.push(x.f.and2(on, reached));
    }
    x.f.or(&ways)
}

fn assert_turn(x: &mut Instance<'_>, shown: usize, before: Option<usize>) {
    let all = turns(x, shown);
    for turn in &all {
        let Some(wait) = turn.wait else { continue };
        let (draw, needs) = (x.events[turn.draw].on, x.number(turn.call, &turn.needs));
        let Some(needs) = needs else { continue };
        // Whoever waited later waited until then.
        if x.is_sequential(wait) {
            let (on, mine) = (x.events[wait].on, passed(x, turn));
            for other in &all {
                let Some(later) = other.wait.filter(|&w| x.is_sequential(w) && other.call != turn.call)
                else {
                    continue;
                };
                let (there, same, theirs) = (x.events[later].on, x.same(wait, later), passed(x, other));
                let (after, early) = (x.precedes(wait, later), early(x, later, before));
                let done = given(x, turn, x.source(later));
                x.f.implies(&[on, mine, there, theirs, same, after, early], &[done]);
            }
        }
        // What it needs is overwritten by nobody else.
        for r in x.reads_of(shown) {
            let Some(read) = x.events[r].read.clone() else { continue };
            let (there, same, equal) = (x.events[r].on, x.same(r, wait), x.f.equal(&read, &needs));
            let from = x.source(r);
            for other in x.reads_of(shown) {
                if other != r {
                    let (second, alike, source) = (x.events[other].on, x.same(other, r), x.source(other));
                    let after = x.lt(from, source);
                    let early = before.map_or(TRUE, |p| x.lt(source, p));
                    let done = given(x, turn, source);
                    x.f.implies(&[draw, there, same, equal, second, alike, after, early], &[done]);
                }
            }
            for w in x.writes_of(shown) {
                let (second, alike, place) = (x.events[w].on, x.same(w, r), x.point(w));
                let after = x.lt(from, place);
                let early = before.map_or(TRUE, |p| x.lt(place, p));
                let done = given(x, turn, place);
                x.f.implies(&[draw, there, same, equal, second, alike, after, early], &[done]);
            }
        }
    }
}

fn assert_ring(x: &mut Instance<'_>, ahead: usize, behind: usize, slots: i64, before: Option<usize>) {
    for (own, other, producer) in [(ahead, behind, true), (behind, ahead, false)] {
        for call in 0..x.calls.len() {
            for (e, r) in looks(x.library, x.calls[call], own, other) {
                let (Some(&e), Some(&r)) = (x.at[call].get(&e), x.at[call].get(&r)) else { continue };
                if !x.is_sequential(r) {
                    continue;
                }
                let Some((low, high)) = bounds(x, e, r, producer, slots) else { continue };
                let (on, early) = (x.events[r].on, early(x, r, before));
                x.f.implies(&[on, early], &[low]);
                x.f.implies(&[on, early], &[high]);
            }
        }
    }
}

/// Not behind, and not too far ahead.
pub fn bounds(x: &mut Instance<'_>, e: usize, r: usize, producer: bool, slots: i64) -> Option<(Lit, Lit)> {
    let (own, other) = (x.events[e].read.clone()?, x.events[r].read.clone()?);
    let (ahead, behind) = if producer { (own, other) } else { (other, own) };
    let slots = constant(slots as u64, x.number_width);
    let most = x.f.sum(&behind, &slots, super::formula::FALSE);
    let (less, more) = (x.f.below(&ahead, &behind), x.f.below(&most, &ahead));
    Some((-less, -more))
}
