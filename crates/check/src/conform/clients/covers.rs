//! The clients that are listed stand for all: whatever sequence of calls some client makes, a
//! listed one makes the same, up to what its object cannot tell apart.
//!
//! A sequence is a list of (operation, arguments, thread). All of them are listed here from a
//! domain that is large enough, and written down as the declared class sees them.

use super::{Bound, Threads, clients, multisets};
use lineal_model::Place;
use lineal_model::adt::Kind;
use lineal_model::history::Method;
use lineal_model::object::*;
use std::collections::BTreeSet;

/// One call of a sequence: operation, arguments, thread.
type Made = (usize, Vec<i64>, usize);

/// What an object can tell of a thread.
#[derive(Clone, Copy, PartialEq)]
enum Sees {
    Nothing,
    Same,
    Number,
}

struct Case {
    object: Object,
    /// Per operation, the arguments that the class is about.
    places: Vec<Vec<Slot>>,
    sees: Sees,
    /// The object starts with a 0 that arguments may equal.
    zero: bool,
}

fn case(kind: Kind, args: Option<ArgClass>, operations: &[(&str, Method, &[Slot], usize)]) -> Case {
    let at = Place::line("object.c", 1);
    let code = Code { text: String::new(), at: at.clone() };
    let operation = |&(name, method, slots, _): &(&str, Method, &[Slot], usize)| Operation {
        name: name.into(),
        method,
        call: code.clone(),
        function: name.into(),
        arguments: Vec::new(),
        takes: Takes {
            value: slots.contains(&Slot::Value),
            key: slots.contains(&Slot::Key),
            prio: slots.contains(&Slot::Prio),
            ..Takes::default()
        },
        ranges: Vec::new(),
        answer: None,
        empty_if: None,
        may_fail: false,
        spec: None,
    };
    let object = Object {
        kind,
        word: String::new(),
        name: None,
        level: None,
        args,
        ties: lineal_model::adt::Ties::Fifo,
        first: lineal_model::adt::First::Min,
        order: None,
        size: None,
        values: None,
        init: Vec::new(),
        thread_init: Vec::new(),
        fini: Vec::new(),
        operations: operations.iter().map(operation).collect(),
        roles: Vec::new(),
        numbered: false,
        threads_alike: false,
        spec_init: Vec::new(),
        partial_lock: false,
        quasi: None,
        facts: Vec::new(),
        at,
    };
    let places = operations.iter().map(|&(_, _, slots, n)| slots[..n].to_vec()).collect();
    let zero = matches!(kind, Kind::Register | Kind::CasRegister);
    Case { object, places, sees: Sees::Nothing, zero }
}

impl Case {
    fn sees(mut self, sees: Sees) -> Self {
        self.sees = sees;
        self.object.numbered = sees == Sees::Number;
        self
    }

    fn values(mut self, low: i64, high: i64) -> Self {
        self.object.values = Some((low, high));
        self
    }

    fn role(mut self, operations: &[usize], max: usize) -> Self {
        let at = self.object.at.clone();
        self.object.roles.push(Role { name: "r".into(), operations: operations.to_vec(), max, at });
        self
    }

    /// As the object sees it.
    fn seen(&self, made: &[Made]) -> Vec<Made> {
        let numbers: Vec<i64> = made.iter().flat_map(|m| m.1.iter().copied()).collect();
        let number = |n: i64| match (self.object.values, self.object.args) {
            (Some(_), _) => n,
            (_, Some(ArgClass::Independent)) => 1,
            (_, Some(ArgClass::Order)) => {
                let mut all: Vec<i64> = numbers.iter().copied().chain(self.zero.then_some(0)).collect();
                all.sort_unstable();
                all.dedup();
                let rank = |n: i64| all.iter().position(|&m| m == n).unwrap() as i64;
                rank(n) - if self.zero { rank(0) } else { 0 }
            }
            _ if self.zero && n == 0 => 0,
            _ => {
                let mut met: Vec<i64> = Vec::new();
                numbers.iter().filter(|&&m| !(self.zero && m == 0)).for_each(|&m| {
                    if !met.contains(&m) {
                        met.push(m);
                    }
                });
                1 + met.iter().position(|&m| m == n).unwrap() as i64
            }
        };
        let mut threads: Vec<usize> = Vec::new();
        let mut out = Vec::new();
        for (operation, arguments, thread) in made {
            if !threads.contains(thread) {
                threads.push(*thread);
            }
            let thread = match self.sees {
                Sees::Nothing => 0,
                Sees::Same => threads.iter().position(|t| t == thread).unwrap(),
                Sees::Number => *thread,
            };
            out.push((*operation, arguments.iter().map(|&n| number(n)).collect(), thread));
        }
        out
    }

    /// Whether some client may make these calls.
    fn may_be(&self, made: &[Made]) -> bool {
        let used: BTreeSet<usize> = made.iter().map(|m| m.2).collect();
        let dense = used.iter().copied().eq(0..used.len());
        let roles = self.object.roles.iter().all(|r| {
            let of: BTreeSet<usize> =
                made.iter().filter(|m| r.operations.contains(&m.0)).map(|m| m.2).collect();
            of.len() <= r.max
        });
        let held = used.iter().all(|&t| {
            let (mut own, mut shared) = (0, 0);
            made.iter().filter(|m| m.2 == t).all(|m| {
                match self.object.operations[m.0].method {
                    Method::Acquire => own += 1,
                    Method::Release => own -= 1,
                    Method::AcquireShared => shared += 1,
                    Method::ReleaseShared => shared -= 1,
                    _ => {}
                }
                own >= 0 && shared >= 0
            })
        });
        let different = self.object.args != Some(ArgClass::Independent) || self.object.values.is_some() || {
            let all: Vec<i64> = made.iter().flat_map(|m| m.1.iter().copied()).collect();
            all.iter().collect::<BTreeSet<_>>().len() == all.len()
        };
        dense && roles && held && different
    }

    fn all(&self, size: usize) -> BTreeSet<Vec<Made>> {
        let widest = self.places.iter().map(Vec::len).max().unwrap_or(0) as i64;
        let domain = match (self.object.values, self.object.args) {
            (Some((low, high)), _) => (low, high),
            (_, Some(ArgClass::Order)) if self.zero => (-widest * size as i64, widest * size as i64),
            _ => (0, widest * size as i64),
        };
        let mut calls: Vec<Made> = Vec::new();
        for (operation, places) in self.places.iter().enumerate() {
            let mut lists = vec![Vec::new()];
            for _ in places {
                lists = lists
                    .into_iter()
                    .flat_map(|l: Vec<i64>| (domain.0..=domain.1).map(move |n| [&l[..], &[n]].concat()))
                    .collect();
            }
            calls.extend(lists.into_iter().flat_map(|l| (0..size).map(move |t| (operation, l.clone(), t))));
        }
        let mut sequences: Vec<Vec<Made>> = vec![Vec::new()];
        for _ in 0..size {
            sequences = sequences
                .into_iter()
                .flat_map(|s| calls.iter().map(move |c| [&s[..], std::slice::from_ref(c)].concat()))
                .collect();
        }
        sequences.into_iter().filter(|s| self.may_be(s)).map(|s| self.seen(&s)).collect()
    }

    fn listed(&self, size: usize) -> BTreeSet<Vec<Made>> {
        let threads = if self.sees == Sees::Nothing { Threads::Parallel } else { Threads::Any };
        let mut out = BTreeSet::new();
        for counts in multisets(self.object.operations.len(), &Bound::Total(size), size) {
            for client in clients(&self.object, &counts, threads) {
                self.interleave(&client, &mut vec![0; client.threads.len()], &mut Vec::new(), &mut out);
            }
        }
        out
    }

    fn interleave(
        &self,
        client: &Client,
        at: &mut Vec<usize>,
        made: &mut Vec<Made>,
        out: &mut BTreeSet<Vec<Made>>,
    ) {
        if made.len() == client.calls.len() {
            out.insert(self.seen(made));
        }
        for (t, calls) in client.threads.iter().enumerate() {
            let Some(&c) = calls.get(at[t]) else { continue };
            let mut call = client.calls[c];
            let arguments = self.places[call.operation].iter().map(|&s| call.slot(s).unwrap()).collect();
            made.push((call.operation, arguments, t));
            at[t] += 1;
            self.interleave(client, at, made, out);
            at[t] -= 1;
            made.pop();
        }
    }
}

#[test]
fn listed_clients_stand_for_all() {
    use ArgClass::{Equality, Independent, Order};
    use Method::*;
    use Slot::{Key, Value};
    let queue = [("enqueue", Insert, &[Value][..], 1), ("dequeue", Remove, &[][..], 0)];
    let register = [("write", Write, &[Value][..], 1), ("read", Read, &[][..], 0)];
    let swap = [("write", Write, &[Value][..], 1), ("cas", Cas, &[Key, Value][..], 2)];
    let map = [("put", Put, &[Key, Value][..], 1), ("get", Read, &[Key][..], 1)];
    let both = [("put", Put, &[Key, Value][..], 2), ("get", Read, &[Key][..], 1)];
    let own = [("f", Custom, &[Key, Value][..], 2), ("g", Custom, &[][..], 0)];
    let lock = [("acquire", Acquire, &[][..], 0), ("release", Release, &[][..], 0)];
    let two = [
        ("acquire", Acquire, &[][..], 0),
        ("try_lock", Acquire, &[][..], 0),
        ("release", Release, &[][..], 0),
    ];
    let rw = [
        ("write_lock", Acquire, &[][..], 0),
        ("write_unlock", Release, &[][..], 0),
        ("read_lock", AcquireShared, &[][..], 0),
        ("read_unlock", ReleaseShared, &[][..], 0),
    ];
    let cases = vec![
        (case(Kind::Queue, Some(Independent), &queue), 4),
        (case(Kind::Queue, Some(Independent), &queue).sees(Sees::Same), 4),
        (case(Kind::Queue, Some(Independent), &queue).sees(Sees::Number), 3),
        (case(Kind::Queue, Some(Independent), &queue).role(&[0], 1).sees(Sees::Same), 4),
        (case(Kind::Queue, Some(Independent), &queue).role(&[0, 1], 2).sees(Sees::Number), 3),
        (case(Kind::Queue, None, &queue).values(0, 1), 4),
        (case(Kind::Queue, Some(Independent), &queue).values(0, 1).sees(Sees::Same), 3),
        (case(Kind::Queue, Some(Independent), &queue).values(0, 1).role(&[0], 1).sees(Sees::Same), 3),
        (case(Kind::Queue, Some(Independent), &queue).values(0, 1).role(&[0], 1), 3),
        (case(Kind::Queue, Some(Independent), &queue).role(&[0], 1).role(&[1], 1), 4),
        (case(Kind::Register, Some(Equality), &register), 3),
        (case(Kind::Register, Some(Order), &register).sees(Sees::Same), 3),
        (case(Kind::CasRegister, Some(Equality), &swap), 2),
        (case(Kind::CasRegister, Some(Order), &swap), 2),
        (case(Kind::CasRegister, None, &swap).values(0, 1).sees(Sees::Number), 3),
        (case(Kind::Dictionary, Some(Equality), &map).sees(Sees::Same), 3),
        (case(Kind::Dictionary, Some(Order), &map), 3),
        (case(Kind::Dictionary, None, &both).values(0, 1), 3),
        (case(Kind::User, Some(Equality), &own).sees(Sees::Same), 2),
        (case(Kind::User, Some(Order), &own).sees(Sees::Number), 2),
        (case(Kind::TryLock, None, &lock), 4),
        (case(Kind::TryLock, None, &two), 4),
        (case(Kind::TryLock, None, &two).sees(Sees::Same), 4),
        (case(Kind::RwLock, None, &rw), 4),
        (case(Kind::RwLock, None, &rw).sees(Sees::Same), 4),
        (case(Kind::TryLock, None, &lock).sees(Sees::Same), 4),
        (case(Kind::TryLock, None, &lock).sees(Sees::Number), 4),
        (case(Kind::TryLock, None, &lock).role(&[0, 1], 1).sees(Sees::Same), 4),
    ];
    for (k, (case, most)) in cases.iter().enumerate() {
        for size in 1..=*most {
            let (all, listed) = (case.all(size), case.listed(size));
            let left_out: Vec<_> = all.difference(&listed).take(3).collect();
            let extra: Vec<_> = listed.difference(&all).take(3).collect();
            assert!(
                left_out.is_empty() && extra.is_empty(),
                "case {k}, {size} calls: {left_out:?}, {extra:?}"
            );
        }
    }
}
