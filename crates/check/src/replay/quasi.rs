//! A relaxed type once more, looked at from the end: a whole word is given, and an order in which its
//! operations are executed is made place by place, with operations of a continuation in between.
//!
//! Nothing is shared with the automaton ([`lineal_model::adt::quasi`]) but the type itself: there is no
//! book of what is owed. Every operation knows its place in its class; it may be executed at places
//! that are no farther than the factor. Operations that a continuation adds are read behind the word,
//! in the order in which they are executed, and may be executed as early as the factor allows.
//!
//! Used to confirm what was found, and to say how far each operation is displaced.

use lineal_model::adt::quasi::{Relaxation, Semantics};
use lineal_model::adt::{Adt, Kind, Object, Visit};
use lineal_model::history::{History, Method, Op, ValueId, Values};
use rustc_hash::FxHashSet;

/// Orders of execution are at most so long.
const DEEPEST: usize = 2_000;

/// One place of the order in which operations are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// This operation of the word.
    Own(usize),
    /// One that a continuation adds.
    New(Op),
}

/// What a word is held against.
pub struct Asked<'a> {
    pub object: &'a Object,
    pub relaxation: &'a Relaxation,
    /// Has the calls that continuations may make, and the values.
    pub history: &'a History,
}

/// How far one operation of a word is from where it is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displaced {
    pub op: usize,
    /// Places within its class: how much later it comes than it should; negative: sooner.
    pub by: i64,
    /// Operations of its class that it comes before, or after, though they are executed the other way
    /// round.
    pub past: Vec<usize>,
}

impl Displaced {
    /// `2 places too soon`.
    pub fn brief(&self) -> String {
        let far = self.by.unsigned_abs();
        let places = if far == 1 { "place" } else { "places" };
        let way = if self.by < 0 { "soon" } else { "late" };
        format!("{far} {places} too {way}")
    }

    /// `2 places too soon, before dequeue() → 1 and dequeue() → 3`.
    pub fn words(&self, past: &[String]) -> String {
        let way = if self.by < 0 { "before" } else { "after" };
        let mut past = past.to_vec();
        // The rest of them a continuation brings.
        if (past.len() as u64) < self.by.unsigned_abs() {
            past.push("what is still to come".into());
        }
        format!("{}, {way} {}", self.brief(), past.join(" and "))
    }
}

impl Asked<'_> {
    /// An order that explains the word, in so many steps. `Err`: they are not enough, or the type
    /// gave up.
    pub fn explain(&self, word: &[Op], steps: &mut u64) -> Result<Option<Vec<Place>>, OutOfSteps> {
        self.object.visit_exact(self.history, Run { asked: self, word, steps })
    }

    /// The same of a type that is none of the built-in ones.
    pub fn explain_by<A: Adt>(
        &self,
        adt: &A,
        word: &[Op],
        steps: &mut u64,
    ) -> Result<Option<Vec<Place>>, OutOfSteps> {
        Run { asked: self, word, steps }.visit(adt)
    }

    /// How far the operations of a word are displaced in an order that explains it.
    pub fn displaced(&self, word: &[Op], order: &[Place]) -> Vec<Displaced> {
        let values = &self.history.values;
        let class = |op: &Op| self.relaxation.class(op, values);
        // Where each operation of a class is executed, and read.
        let mut out = Vec::new();
        for (i, op) in word.iter().enumerate() {
            let own = |j: &usize| class(&word[*j]) == class(op);
            let at = |i: usize| order.iter().position(|p| *p == Place::Own(i));
            let Some(mine) = at(i) else { continue };
            let here = (0..i).filter(own).count() as i64;
            let there = order[..mine]
                .iter()
                .filter(|p| match p {
                    Place::Own(j) => own(j),
                    Place::New(op) => class(op) == class(&word[i]),
                })
                .count() as i64;
            if here == there {
                continue;
            }
            let crossed = |j: &usize| own(j) && at(*j).is_some_and(|theirs| (*j < i) != (theirs < mine));
            let past = (0..word.len()).filter(|j| *j != i).filter(crossed).collect();
            out.push(Displaced { op: i, by: here - there, past });
        }
        out
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfSteps;

struct Run<'a, 's> {
    asked: &'a Asked<'a>,
    word: &'a [Op],
    steps: &'s mut u64,
}

impl Visit for Run<'_, '_> {
    type Out = Result<Option<Vec<Place>>, OutOfSteps>;

    fn visit<A: Adt>(self, adt: &A) -> Self::Out {
        let Run { asked, word, steps } = self;
        let values = &*asked.history.values;
        let relaxation = asked.relaxation;
        match relaxation.semantics {
            Semantics::Classes if !is_caused(asked.object, word, values) => return Ok(None),
            Semantics::Classes | Semantics::Literal => {}
            // Rows have no displacement.
            Semantics::Windows => return Err(OutOfSteps),
        }
        let classes: Vec<usize> =
            word.iter().map(|op| relaxation.class(op, values).unwrap_or(relaxation.classes.len())).collect();
        let mut calls: Vec<Op> = Vec::new();
        let known: Vec<Op> = match &relaxation.known {
            Some(known) => known.calls.clone(),
            None => asked.history.ops().collect(),
        };
        for op in known {
            let call = Op { result: ValueId::NONE, call: 0, ret: 1, line: 0, process: ValueId::NONE, ..op };
            let call = if adt.knows_caller(&op) { Op { process: op.process, ..call } } else { call };
            // Whatever its priority is, something may be removed.
            let any = (call.method == Method::Remove).then_some(Op { extra: ValueId::NONE, ..call });
            for call in any.into_iter().chain([call]) {
                if !calls.contains(&call) {
                    calls.push(call);
                }
            }
        }
        let read = |class: usize| classes.iter().filter(|c| **c == class).count();
        let read = (0..=relaxation.classes.len()).map(read).collect();
        let mut search = Search {
            adt,
            asked,
            word,
            classes,
            calls,
            read,
            seen: FxHashSet::default(),
            order: Vec::new(),
            steps,
        };
        let start = Node {
            now: adt.initial(),
            done: vec![false; word.len()],
            place: 0,
            added: vec![0; relaxation.classes.len() + 1],
            inserted: Vec::new(),
            further: 0,
        };
        Ok(search.extend(start)?.then_some(search.order))
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Node<S> {
    now: S,
    done: Vec<bool>,
    /// How many places are taken, as far as they are in the word.
    place: usize,
    /// By class, how many were executed that are not in the word, while some in it were not.
    added: Vec<usize>,
    /// What they put into a container, where nothing asked for an insertion.
    inserted: Vec<ValueId>,
    /// Of a type of the user's own: how many came after all of their class in the word.
    further: usize,
}

struct Search<'a, A: Adt> {
    adt: &'a A,
    asked: &'a Asked<'a>,
    word: &'a [Op],
    classes: Vec<usize>,
    calls: Vec<Op>,
    /// How many of each class are in the word.
    read: Vec<usize>,
    seen: FxHashSet<Node<A::State>>,
    order: Vec<Place>,
    steps: &'a mut u64,
}

impl<A: Adt> Search<'_, A> {
    fn factor(&self, class: usize) -> usize {
        self.asked.relaxation.classes.get(class).map_or(0, |c| c.factor as usize)
    }

    fn extend(&mut self, node: Node<A::State>) -> Result<bool, OutOfSteps> {
        let by_place = self.asked.relaxation.semantics == Semantics::Classes;
        let at = self.order.len();
        if node.done.iter().all(|d| *d) && (!by_place || at >= self.word.len()) {
            return Ok(true);
        }
        if !self.seen.insert(node.clone()) {
            return Ok(false);
        }
        *self.steps = self.steps.checked_sub(1).ok_or(OutOfSteps)?;
        if at > DEEPEST {
            return Err(OutOfSteps);
        }
        let forced = self.classes.get(at).copied().filter(|_| by_place);
        let executed: Vec<usize> = (0..self.read.len())
            .map(|class| {
                let own = (0..self.word.len()).filter(|&i| node.done[i] && self.classes[i] == class).count();
                own + node.added[class]
            })
            .collect();
        let late = |i: usize| {
            let class = self.classes[i];
            let own = self.classes[..i].iter().filter(|c| **c == class).count();
            !node.done[i] && own + self.factor(class) < executed[class]
        };
        let wanted: Vec<Op> = (0..self.word.len()).filter(|&i| !node.done[i]).map(|i| self.word[i]).collect();
        if (0..self.word.len()).any(late) || self.adt.is_beyond(&node.now, &wanted, &self.calls) {
            return Ok(false);
        }
        for i in 0..self.word.len() {
            let class = self.classes[i];
            let own = self.classes[..i].iter().filter(|c| **c == class).count();
            let fits =
                forced.is_none_or(|f| f == class) && own.abs_diff(executed[class]) <= self.factor(class);
            if node.done[i] || !fits {
                continue;
            }
            let mut after = Vec::new();
            self.adt.step(&node.now, &self.word[i], &mut after).map_err(|_| OutOfSteps)?;
            for now in after {
                let mut next = Node { now, ..node.clone() };
                next.done[i] = true;
                if self.with(Place::Own(i), next)? {
                    return Ok(true);
                }
            }
        }
        self.add(&node, forced, &executed, &wanted)
    }

    /// Goes on with an operation that is not in the word.
    fn add(
        &mut self,
        node: &Node<A::State>,
        forced: Option<usize>,
        executed: &[usize],
        wanted: &[Op],
    ) -> Result<bool, OutOfSteps> {
        let kind = self.asked.object.kind;
        for call in self.calls.clone() {
            let mut found = Vec::new();
            let each = |result, now| found.push((Op { result, ..call }, now));
            self.adt.outcomes(&node.now, &call, each).map_err(|_| OutOfSteps)?;
            for (op, now) in found {
                let class = self.asked.relaxation.class(&op, &self.asked.history.values);
                let class = class.unwrap_or(self.read.len() - 1);
                let slot = self.read[class] + node.added[class];
                if forced.is_some_and(|f| f != class) || slot.abs_diff(executed[class]) > self.factor(class) {
                    continue;
                }
                let mut next = Node { now, ..node.clone() };
                // Behind all of its class, reading and executing go together.
                let done = (0..self.word.len()).all(|i| node.done[i] || self.classes[i] != class);
                if !done {
                    next.added[class] += 1;
                }
                // Behind the word, and where classes are free: only what somebody waits for.
                let inserts = matches!(op.method, Method::Insert | Method::PushFront | Method::PushBack);
                if kind.is_container() && inserts && forced.is_none() {
                    let removes =
                        |w: &&Op| !matches!(w.method, Method::Insert | Method::PushFront | Method::PushBack);
                    let waiting = self.word.iter().filter(removes).filter(|w| w.result == op.arg).count();
                    if next.inserted.iter().filter(|v| **v == op.arg).count() >= waiting {
                        continue;
                    }
                    next.inserted.push(op.arg);
                    next.inserted.sort_unstable();
                }
                // Of other types nobody knows what helps whom: one more call for each that waits.
                if kind == Kind::User && forced.is_none() && done {
                    next.further += 1;
                    if next.further > self.waiting() {
                        continue;
                    }
                }
                let concerns = |w: &Op| match kind {
                    Kind::Set => w.arg == op.arg,
                    Kind::Map | Kind::Dictionary => w.key == op.key,
                    _ => true,
                };
                if forced.is_none() && !wanted.iter().any(concerns) {
                    continue;
                }
                if self.with(Place::New(op), next)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// How many operations of the word are to be executed behind it.
    fn waiting(&self) -> usize {
        match self.asked.relaxation.semantics {
            Semantics::Classes => {
                self.order.iter().take(self.word.len()).filter(|p| matches!(p, Place::New(_))).count()
            }
            _ => self.word.len(),
        }
    }

    fn with(&mut self, place: Place, mut next: Node<A::State>) -> Result<bool, OutOfSteps> {
        self.order.push(place);
        next.place = self.order.len().min(self.word.len());
        let found = self.extend(next)?;
        if !found {
            self.order.pop();
        }
        Ok(found)
    }
}

/// Whether nothing is answered before it was put there.
fn is_caused(object: &Object, word: &[Op], values: &Values) -> bool {
    let inserts = |o: &Op| matches!(o.method, Method::Insert | Method::PushFront | Method::PushBack);
    let start = values.find(&object.init);
    word.iter().enumerate().all(|(n, op)| {
        let before = &word[..n];
        let written = |v: ValueId| {
            Some(v) == start
                || before.iter().any(|o| match o.method {
                    Method::Write => o.arg == v,
                    Method::Cas => o.result == ValueId::TRUE && o.extra == v,
                    _ => false,
                })
        };
        match (object.kind, op.method) {
            (kind, _) if kind.is_container() => {
                let put = before.iter().filter(|o| inserts(o) && o.arg == op.result).count();
                let gone = before.iter().filter(|o| !inserts(o) && o.result == op.result).count();
                inserts(op) || op.result == ValueId::EMPTY || put > gone
            }
            (Kind::Register | Kind::CasRegister, Method::Read) => written(op.result),
            (Kind::Register | Kind::CasRegister, Method::Cas) => {
                op.result != ValueId::TRUE || written(op.arg)
            }
            (Kind::Set, _) => {
                let finds = if op.method == Method::Insert { ValueId::FALSE } else { ValueId::TRUE };
                op.result != finds || before.iter().any(|o| o.method == Method::Insert && o.arg == op.arg)
            }
            (Kind::Map, Method::Read) => {
                let put = |o: &Op| match o.method {
                    Method::Put => o.arg == op.result,
                    method => method == Method::Append,
                };
                Some(op.result) == start || before.iter().any(|o| o.key == op.key && put(o))
            }
            (Kind::Dictionary, Method::Read) => {
                let put = |o: &Op| o.method == Method::Put && (o.key, o.arg) == (op.key, op.result);
                op.result == ValueId::EMPTY || before.iter().any(put)
            }
            (Kind::Dictionary, Method::Remove | Method::Contains) => {
                let put = |o: &Op| o.method == Method::Put && o.key == op.key;
                op.result != ValueId::TRUE || before.iter().any(put)
            }
            (Kind::Counter, Method::Read) => {
                let first = match object.init {
                    lineal_model::history::Value::Int(n) => n,
                    _ => 0,
                };
                let adds = || {
                    let adds = before.iter().filter(|o| o.method == Method::Add);
                    adds.map(|o| values.as_int(o.arg).unwrap_or(1))
                };
                let low = adds().filter(|n| *n < 0).fold(first, i64::saturating_add);
                let high = adds().filter(|n| *n > 0).fold(first, i64::saturating_add);
                values.as_int(op.result).is_none_or(|n| (low..=high).contains(&n))
            }
            _ => true,
        }
    })
}
