//! Facts about objects that take an induction of their own.
//!
//! Each is found by its shape in the trees, which is checked here, asserted about every pair of calls,
//! and believed only after an induction over executions ([`super::induct`]): in an execution that is
//! shortest among those in which it fails, it fails at the last step, and holds before that.
//!
//! - **grows**: every write of a counter writes more than the one before.
//! - **lock**: what is taken by a read-modify-write is given back by a store of the same call, and in
//!   between nobody else writes there. If takers acquire and givers release, then whoever takes it later
//!   has seen what holders did before.
//! - **turn**: calls draw numbers from counters and wait until a location shows the one they need; then
//!   they show another. No two calls wait for the same one at the same place, so the turn is handed from
//!   call to call: what was shown to one is overwritten by that one.
//! - **ring**: of two counters, each written by one session, the one is never behind the other, nor ahead
//!   of it by more than the number of slots.

use super::encode::{Instance, Switches};
use super::formula::{Lit, TRUE, constant};
use super::library::{Library, Sort};
use super::term::{Binary, Term};
use super::tree::Act;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Lemmas {
    pub all: Vec<Lemma>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lemma {
    Grows { class: usize },
    Lock { class: usize, synchronises: bool },
    Turn { shown: usize, synchronises: bool },
    Ring { ahead: usize, behind: usize, slots: i64 },
}

impl Lemma {
    pub fn name(&self, library: &Library) -> String {
        let name = |c: &usize| library.classes[*c].name.clone();
        match self {
            Lemma::Grows { class } => format!("{}: grows", name(class)),
            Lemma::Lock { class, .. } => format!("{}: held by one call at a time", name(class)),
            Lemma::Turn { shown, .. } => format!("{}: handed from call to call", name(shown)),
            Lemma::Ring { ahead, behind, slots } => {
                format!("{}: from {} to {slots} more than that", name(ahead), name(behind))
            }
        }
    }
}

/// Nodes of a class in a tree.
pub fn of_class(library: &Library, operation: usize, class: usize) -> Vec<usize> {
    let nodes = 0..library.operations[operation].tree.nodes.len();
    nodes.filter(|&n| library.class_of(operation, n) == Some(class)).collect()
}

/// The last write of the class before a node.
pub fn write_before(library: &Library, operation: usize, class: usize, node: usize) -> Option<usize> {
    let tree = &library.operations[operation].tree;
    let path = tree.path(node);
    let before = path[..path.len() - 1].iter().rev();
    before.copied().find(|&n| library.class_of(operation, n) == Some(class) && tree.nodes[n].writes())
}

fn is_scalar(library: &Library, class: usize) -> bool {
    let all = (0..library.operations.len()).flat_map(|o| library.operations[o].access.iter().flatten());
    let indices: BTreeSet<&Term> = all.filter(|a| a.0 == class).map(|a| &a.1).collect();
    !library.classes[class].heap && indices.len() == 1 && matches!(indices.first(), Some(Term::Const(_)))
}

/// What to try: the shapes that are there.
pub fn candidates(library: &Library, switches: Switches) -> Vec<Lemma> {
    let classes = 0..library.classes.len();
    let scalar: Vec<usize> = classes.filter(|&c| is_scalar(library, c)).collect();
    let mut all = Vec::new();
    let growing: Vec<usize> = scalar.iter().copied().filter(|&c| grows(library, c)).collect();
    all.extend(growing.iter().map(|&class| Lemma::Grows { class }));
    all.extend(scalar.iter().filter_map(|&class| lock(library, class)));
    all.extend((0..library.classes.len()).filter_map(|shown| turn(library, &growing, shown)));
    for &ahead in &growing {
        for &behind in &growing {
            all.extend(ring(library, ahead, behind));
        }
    }
    all.retain(|lemma| match lemma {
        Lemma::Grows { .. } => switches.grows,
        Lemma::Lock { .. } => switches.lock,
        Lemma::Turn { .. } => switches.turn,
        Lemma::Ring { .. } => switches.ring,
    });
    all
}

fn writes(library: &Library, class: usize) -> Vec<(usize, usize)> {
    let operations = 0..library.operations.len();
    let nodes = operations.flat_map(|o| of_class(library, o, class).into_iter().map(move |n| (o, n)));
    nodes.filter(|&(o, n)| library.node(o, n).writes()).collect()
}

fn grows(library: &Library, class: usize) -> bool {
    let c = &library.classes[class];
    let grown = |&(o, n): &(usize, usize)| {
        let node = library.node(o, n);
        match node.value.as_ref().and_then(|v| library.number(o, v)) {
            Some((Some(read), add)) => {
                let own = if node.act == Act::Update { read == n } else { c.owner.is_some() };
                own && add >= 1 && library.class_of(o, read) == Some(class)
            }
            _ => false,
        }
    };
    let all = writes(library, class);
    c.sort == Sort::Number && !all.is_empty() && all.iter().all(grown)
}

fn lock(library: &Library, class: usize) -> Option<Lemma> {
    let Some((_, Term::Const(free))) = library.classes[class].initial.first() else { return None };
    let all = writes(library, class);
    let (mut acquires, mut releases, mut taken) = (true, true, false);
    for &(o, n) in &all {
        let node = library.node(o, n);
        let before = write_before(library, o, class, n).map(|w| library.node(o, w).act);
        match node.act {
            Act::Update => {
                let wanted = node.conditions.iter().any(|(c, is)| {
                    *is && matches!(c, Term::Bin(Binary::Eq, _, a, b)
                        if matches!(**a, Term::Read(r, _) if r == n) && **b == Term::Const(*free))
                });
                let other = matches!(&node.value, Some(Term::Const(v)) if v != free);
                if !wanted || !other || before == Some(Act::Update) {
                    return None;
                }
                (acquires, taken) = (acquires && node.acquires, true);
            }
            _ => {
                if node.value != Some(Term::Const(*free)) || before != Some(Act::Update) {
                    return None;
                }
                releases &= node.releases;
            }
        }
    }
    taken.then_some(Lemma::Lock { class, synchronises: acquires && releases })
}

/// In one operation: where a number is drawn, where what it needs is waited for, where another is shown.
#[derive(Clone, Debug)]
pub struct Stage {
    pub draw: usize,
    pub wait: usize,
    pub show: usize,
    pub needs: Term,
}

/// The stages on each path of an operation that shows something; `None`: it has another shape.
pub fn stages(library: &Library, operation: usize, shown: usize) -> Option<Vec<Stage>> {
    let tree = &library.operations[operation].tree;
    let access = |n: usize| library.operations[operation].access[n].as_ref();
    let mut found = Vec::new();
    for show in of_class(library, operation, shown) {
        if !tree.nodes[show].writes() {
            continue;
        }
        let path = tree.path(show);
        let on = || path.iter().copied().filter(|&n| library.class_of(operation, n) == Some(shown));
        let wait = on().next()?;
        let met = path.iter().flat_map(|&n| &tree.nodes[n].conditions).find_map(|(c, is)| match c {
            Term::Bin(Binary::Eq, _, a, b) if *is => match (&**a, &**b) {
                (Term::Read(r, _), other) | (other, Term::Read(r, _)) if *r == wait => Some(other.clone()),
                _ => None,
            },
            _ => None,
        });
        let needs = met?;
        let (draw, _) = library.number(operation, &needs)?;
        let draw = draw?;
        let once = on().filter(|&n| tree.nodes[n].writes()).count() == 1;
        let fits = tree.nodes[draw].act == Act::Update
            && tree.is_before(draw, wait)
            && tree.nodes[wait].act == Act::Read
            && tree.nodes[show].act == Act::Write
            && access(wait) == access(show)
            && once;
        if !fits {
            return None;
        }
        found.push(Stage { draw, wait, show, needs });
    }
    Some(found)
}

fn turn(library: &Library, growing: &[usize], shown: usize) -> Option<Lemma> {
    let s = &library.classes[shown];
    if s.sort != Sort::Number || s.heap || writes(library, shown).is_empty() {
        return None;
    }
    let mut synchronises = true;
    for o in 0..library.operations.len() {
        for stage in stages(library, o, shown)? {
            let drawn = library.class_of(o, stage.draw)?;
            if !growing.contains(&drawn) || !library.classes[drawn].updates {
                return None;
            }
            synchronises &= library.node(o, stage.wait).acquires && library.node(o, stage.show).releases;
        }
    }
    Some(Lemma::Turn { shown, synchronises })
}

fn ring(library: &Library, ahead: usize, behind: usize) -> Option<Lemma> {
    let (a, b) = (&library.classes[ahead], &library.classes[behind]);
    if ahead == behind
        || a.owner.is_none()
        || b.owner.is_none()
        || a.owner == b.owner
        || a.initial != b.initial
    {
        return None;
    }
    let mut slots = None;
    for operation in &library.operations {
        for (term, is) in operation.tree.nodes.iter().flat_map(|n| &n.conditions) {
            if let (Term::Bin(Binary::Eq, _, gap, n), false) = (term, is)
                && let (Term::Bin(Binary::Sub, _, x, y), Term::Const(n)) = (&**gap, &**n)
                && let (Term::Read(x, _), Term::Read(y, _)) = (&**x, &**y)
                && (operation.access[*x].as_ref()?.0, operation.access[*y].as_ref()?.0) == (ahead, behind)
            {
                slots = Some(*n);
            }
        }
    }
    let slots = slots.filter(|n| (1..=32).contains(n))?;
    Some(Lemma::Ring { ahead, behind, slots })
}

/// In one operation: reads of the own counter and then of the other one.
pub fn looks(library: &Library, operation: usize, own: usize, other: usize) -> Vec<(usize, usize)> {
    let role = library.operations[operation].session;
    if role.is_none() || library.classes[own].owner != role {
        return Vec::new();
    }
    let tree = &library.operations[operation].tree;
    let mut found = Vec::new();
    for r in of_class(library, operation, other) {
        if !tree.nodes[r].reads() {
            continue;
        }
        let path = tree.path(r);
        let first = path.iter().copied().find(|&n| library.class_of(operation, n) == Some(own));
        if let Some(e) = first
            && e != r
            && tree.nodes[e].reads()
            && write_before(library, operation, own, r).is_none()
        {
            found.push((e, r));
        }
    }
    found
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
            lemma.synchronise(x, covered);
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
            Lemma::Lock { class, .. } => assert_lock(x, *class, before),
            Lemma::Turn { shown, .. } => assert_turn(x, *shown, before),
            Lemma::Ring { ahead, behind, slots } => assert_ring(x, *ahead, *behind, *slots, before),
        }
        x.f.end();
    }

    fn synchronise(&self, x: &mut Instance<'_>, covered: &[Lit]) {
        let name = self.name(x.library);
        x.f.begin(&name);
        match self {
            Lemma::Lock { class, synchronises: true } => {
                // Each taker reads from the giver before it, and so on.
                for give in x.writes_of(*class) {
                    if x.node(give).act != Act::Write {
                        continue;
                    }
                    for take in x.indices() {
                        let is = x.node(take).act == Act::Update && x.events[take].class == Some(*class);
                        if is && Some(take) != x.stale_event() {
                            let reached = x.le(x.point(give), x.source(take));
                            let (a, b) = (x.events[give].on, x.events[take].on);
                            x.f.implies(&[covered[give], a, b, reached], &[covered[take]]);
                        }
                    }
                }
            }
            Lemma::Turn { shown, synchronises: true } => {
                // Each reads from whoever had the turn before, and so on.
                for give in turns(x, *shown) {
                    let Some(show) = give.show.filter(|&s| x.is_sequential(s)) else { continue };
                    for take in turns(x, *shown) {
                        let Some(wait) = take.wait.filter(|&w| Some(w) != x.stale_event()) else { continue };
                        let (reached, same) = (x.le(x.point(show), x.source(wait)), x.same(show, wait));
                        let passed = passed(x, &take);
                        let (a, b) = (x.events[show].on, x.events[wait].on);
                        x.f.implies(&[covered[show], a, b, reached, same, passed], &[covered[wait]]);
                    }
                }
            }
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

fn assert_lock(x: &mut Instance<'_>, class: usize, before: Option<usize>) {
    let all = takers(x, class);
    for (take, gives) in &all {
        let on = x.events[*take].on;
        // The next to take it does so after it was given back.
        for (other, _) in &all {
            if x.events[*other].call == x.events[*take].call {
                continue;
            }
            let (precedes, early, there) =
                (x.precedes(*take, *other), early(x, *other, before), x.events[*other].on);
            let mut ways = Vec::new();
            for give in gives {
                let (g, first) = (x.events[*give].on, x.precedes(*give, *other));
                ways.push(x.f.and2(g, first));
            }
            x.f.implies(&[on, there, precedes, early], &ways);
        }
        // Nothing else is written there until then.
        for r in x.reads_of(class) {
            let (source, there) = (x.source(r), x.events[r].on);
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
}

/// One way through a call that takes a turn; what of it is there.
#[derive(Clone, Debug)]
pub struct Turn {
    pub call: usize,
    pub draw: usize,
    pub wait: Option<usize>,
    pub show: Option<usize>,
    pub needs: Term,
}

pub fn turns(x: &Instance<'_>, shown: usize) -> Vec<Turn> {
    let mut all = Vec::new();
    for call in 0..x.calls.len() {
        for stage in stages(x.library, x.calls[call], shown).unwrap_or_default() {
            if let Some(&draw) = x.at[call].get(&stage.draw) {
                let at = |n: usize| x.at[call].get(&n).copied();
                let (wait, show) = (at(stage.wait), at(stage.show));
                all.push(Turn { call, draw, wait, show, needs: stage.needs });
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
    match turn.show.filter(|&s| x.is_sequential(s)) {
        Some(show) => {
            let (on, reached) = (x.events[show].on, x.le(x.point(show), by));
            x.f.and2(on, reached)
        }
        None => super::formula::FALSE,
    }
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
