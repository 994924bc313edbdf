//! Why no order of the calls works, as a proof in a few steps.
//!
//! All orders that give the answers are listed. A set of pairs "a before b" *forces* another pair
//! if every listed order that has the set has the pair too. Starting from what the client orders
//! itself, forced pairs are added until some go round in a cycle; what that cycle rests on is
//! the proof. Each step is a fact about all orders, so nothing is said that does not hold.

use lineal_model::adt::Kind;
use lineal_model::history::Method;
use lineal_model::object::{Client, Object, Outcome};

/// Clients with more calls are not explained this way.
pub const MOST: usize = 8;

pub type Pair = (usize, usize);

/// The first comes before the second, because of `from` (numbers of other facts).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub pair: Pair,
    pub from: Vec<usize>,
    /// The client makes the calls in this order.
    pub given: bool,
}

/// Facts, and those of them that go round in a cycle.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    pub facts: Vec<Fact>,
    pub cycle: Vec<usize>,
}

impl Proof {
    /// The one forced pair, if all there is to say is that the client has it the other way round.
    pub fn reversed(&self) -> Option<&Fact> {
        let forced = self.facts.iter().find(|f| !f.given)?;
        (self.facts.len() == 2 && self.cycle.len() == 2 && forced.from.is_empty()).then_some(forced)
    }
}

/// Which call is before which, a bit for each pair.
pub type Bits = u64;

pub fn bits(order: &[usize]) -> Bits {
    let pairs = order.iter().enumerate().flat_map(|(i, &a)| order[i + 1..].iter().map(move |&b| (a, b)));
    pairs.fold(0, |all, pair| all | bit(pair))
}

fn bit((a, b): Pair) -> Bits {
    1 << (a * MOST + b)
}

/// `legal` are the orders that give the answers, `given` is what the client orders, `clear` says
/// of a pair and what forces it whether there is a short reason for it: such steps are preferred.
pub fn prove(
    n: usize,
    legal: &[Bits],
    given: &[Pair],
    clear: &dyn Fn(Pair, &[Pair]) -> bool,
) -> Option<Proof> {
    let facts = given.iter().map(|&pair| Fact { pair, from: Vec::new(), given: true }).collect();
    let mut search = Search { n, legal, facts, clear };
    search.add(&[]);
    loop {
        if let Some(cycle) = search.cycle() {
            return Some(search.proof(cycle));
        }
        let before = search.facts.len();
        (0..before).for_each(|f| search.add(&[f]));
        if search.facts.len() > before {
            continue;
        }
        let pairs = (0..before).flat_map(|f| (f + 1..before).map(move |g| [f, g]));
        pairs.collect::<Vec<_>>().iter().for_each(|two| search.add(two));
        if search.facts.len() > before {
            continue;
        }
        // All that the client orders but one leaves no choice about that one.
        let all: Vec<usize> = (0..given.len()).collect();
        (0..given.len())
            .for_each(|f| search.add(&all.iter().copied().filter(|&g| g != f).collect::<Vec<_>>()));
        return search.cycle().map(|cycle| search.proof(cycle));
    }
}

struct Search<'a> {
    n: usize,
    legal: &'a [Bits],
    facts: Vec<Fact>,
    clear: &'a dyn Fn(Pair, &[Pair]) -> bool,
}

impl Search<'_> {
    /// Adds what `from` forces and was not known.
    fn add(&mut self, from: &[usize]) {
        let needed = from.iter().fold(0, |all, &f| all | bit(self.facts[f].pair));
        let mut having = self.legal.iter().filter(|&&o| o & needed == needed).peekable();
        if having.peek().is_none() {
            return;
        }
        let forced = having.fold(Bits::MAX, |all, o| all & o);
        let premises: Vec<Pair> = from.iter().map(|&f| self.facts[f].pair).collect();
        let n = self.n;
        let mut pairs: Vec<Pair> = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).collect();
        pairs.sort_by_key(|&pair| !(self.clear)(pair, &premises));
        for pair in pairs {
            let new = forced & bit(pair) != 0 && !self.follows(pair, from);
            if new {
                self.facts.push(Fact { pair, from: from.to_vec(), given: false });
            }
        }
    }

    /// Whether a pair is known, or a chain of what rests on `from` or on nothing.
    fn follows(&self, (a, b): Pair, from: &[usize]) -> bool {
        let rests = |f: &Fact| !f.given && f.from.iter().all(|g| from.contains(g));
        let usable = |f: &Fact, k: usize| from.contains(&k) || rests(f);
        let known = self.facts.iter().any(|f| f.pair == (a, b));
        let mut reached = vec![false; self.n];
        reached[a] = true;
        for _ in 0..self.n {
            for (k, f) in self.facts.iter().enumerate() {
                reached[f.pair.1] |= reached[f.pair.0] && usable(f, k);
            }
        }
        known || (a != b && reached[b])
    }

    /// How much there is to say about a fact.
    fn cost(&self, f: usize) -> usize {
        let fact = &self.facts[f];
        if fact.given {
            return 1;
        }
        let premises: Vec<Pair> = fact.from.iter().map(|&g| self.facts[g].pair).collect();
        let words = if (self.clear)(fact.pair, &premises) { 3 } else { 6 };
        words + fact.from.iter().map(|&g| self.cost(g)).sum::<usize>()
    }

    /// The cycle of facts that takes least to explain.
    fn cycle(&self) -> Option<Vec<usize>> {
        let starts = (0..self.n).filter_map(|a| self.back_to(a));
        starts.min_by_key(|c| c.iter().map(|&f| self.cost(f)).sum::<usize>())
    }

    fn back_to(&self, start: usize) -> Option<Vec<usize>> {
        // The cheapest way from `start` to each call, as facts.
        let mut best: Vec<Option<(usize, Vec<usize>)>> = vec![None; self.n];
        for _ in 0..self.n {
            for (k, f) in self.facts.iter().enumerate() {
                let (a, b) = f.pair;
                let so_far = if a == start { Some((0, Vec::new())) } else { best[a].clone() };
                let Some((cost, mut way)) = so_far else { continue };
                let cost = cost + self.cost(k);
                if best[b].as_ref().is_none_or(|(c, _)| cost < *c) {
                    way.push(k);
                    best[b] = Some((cost, way));
                }
            }
        }
        best[start].take().map(|(_, way)| way)
    }

    /// Only what the cycle rests on.
    fn proof(&self, cycle: Vec<usize>) -> Proof {
        let mut needed: Vec<usize> = cycle.clone();
        let mut next = 0;
        while next < needed.len() {
            for &g in &self.facts[needed[next]].from {
                if !needed.contains(&g) {
                    needed.push(g);
                }
            }
            next += 1;
        }
        needed.sort_unstable();
        let place = |f: &usize| needed.iter().position(|g| g == f).expect("it is needed");
        let kept = |&f: &usize| {
            let fact = &self.facts[f];
            Fact { from: fact.from.iter().map(place).collect(), ..fact.clone() }
        };
        Proof { facts: needed.iter().map(kept).collect(), cycle: cycle.iter().map(place).collect() }
    }
}

/// The calls of a container and what they answered, to say why the type forces a pair.
pub struct Reasons<'a> {
    pub object: &'a Object,
    pub client: &'a Client,
    pub outcomes: &'a [Outcome],
}

impl Reasons<'_> {
    fn method(&self, c: usize) -> Method {
        self.object.operations[self.client.calls[c].operation].method
    }

    fn is_container(&self) -> bool {
        self.object.kind.is_container()
    }

    fn takes(&self, c: usize) -> bool {
        self.object.kind.takes(self.method(c))
    }

    fn puts(&self, c: usize) -> Option<i64> {
        let call = &self.client.calls[c];
        if self.takes(c) { None } else { call.value.or(call.prio).or(call.key) }
    }

    fn taken(&self, c: usize) -> Option<i64> {
        match self.outcomes[c] {
            Outcome::Value(v) if self.takes(c) => Some(v),
            _ => None,
        }
    }

    fn is_empty(&self, c: usize) -> bool {
        self.takes(c) && self.outcomes[c] == Outcome::Empty
    }

    fn was_taken(&self, v: i64) -> bool {
        (0..self.outcomes.len()).any(|c| self.taken(c) == Some(v))
    }

    /// Why a pair holds, given others; `None` where no short reason is known.
    pub fn reason(&self, pair: Pair, from: &[Pair]) -> Option<String> {
        // These are reasons of exact types.
        if self.object.quasi.is_some() {
            return None;
        }
        if self.is_container() { self.of_container(pair, from) } else { self.of_keys(pair, from) }
    }

    /// Elements must differ for these to be true.
    fn of_container(&self, (a, b): Pair, from: &[Pair]) -> Option<String> {
        let all: Vec<i64> = (0..self.outcomes.len()).filter_map(|c| self.puts(c)).collect();
        if all.iter().enumerate().any(|(i, v)| all[..i].contains(v)) {
            return None;
        }
        let queue = self.object.kind == Kind::Queue;
        let took = |c: usize, of: usize| self.puts(of).is_some() && self.puts(of) == self.taken(c);
        match (from, self.puts(a), self.puts(b)) {
            ([], Some(v), None) if took(b, a) => Some(format!("{v} is put there before it is taken")),
            ([], None, Some(v)) if self.is_empty(a) && !self.was_taken(v) => {
                Some(format!("{v} is never taken, so it would have been found"))
            }
            ([], Some(v), Some(w)) if queue && self.was_taken(v) && !self.was_taken(w) => {
                Some(format!("{v} is taken and {w} is still there: first in, first out"))
            }
            (&[(p, q)], None, None) if queue && took(a, p) && took(b, q) => {
                Some("first in, first out".into())
            }
            (&[(p, q)], None, None) if q == b && self.is_empty(b) && took(a, p) => {
                Some(format!("{} must be gone by then", self.taken(a)?))
            }
            _ => None,
        }
    }

    /// Sets and maps: what is added and never removed is found from then on.
    fn of_keys(&self, (a, b): Pair, from: &[Pair]) -> Option<String> {
        let set = self.object.kind == Kind::Set;
        if !from.is_empty() || !(set || self.object.kind == Kind::Dictionary) {
            return None;
        }
        let key = |c: usize| self.client.calls[c].key.or(self.client.calls[c].value);
        let said = |c: usize| matches!(self.outcomes[c], Outcome::Value(v) if v != 0);
        let adds = match self.method(b) {
            Method::Insert => set && said(b),
            method => !set && method == Method::Put,
        };
        let finds_nothing = match self.method(a) {
            Method::Remove | Method::Contains => !said(a),
            Method::Read => self.outcomes[a] == Outcome::Empty,
            _ => false,
        };
        let removed = |c: usize| self.method(c) == Method::Remove && said(c) && key(c) == key(b);
        let stays = !(0..self.outcomes.len()).any(removed);
        let same = key(a) == key(b);
        (adds && finds_nothing && stays && same)
            .then(|| format!("or it would have found {}", key(b).unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::calls::permutations;

    /// Calls 0 and 1 put, 2 and 3 take the same, in this order.
    fn queue() -> Vec<Bits> {
        let mut legal = Vec::new();
        permutations(4, &mut |o| {
            let at = |c: usize| o.iter().position(|&x| x == c);
            let fifo = (at(0) < at(1)) == (at(2) < at(3));
            if at(0) < at(2) && at(1) < at(3) && fifo {
                legal.push(bits(o));
            }
            false
        });
        legal
    }

    #[test]
    fn first_in_first_out_contradicts_the_client() {
        let legal = queue();
        let proof = prove(4, &legal, &[(0, 1), (3, 2)], &|_, _| false).expect("no order is left");
        let derived: Vec<&Fact> = proof.facts.iter().filter(|f| !f.given).collect();
        assert_eq!(derived.len(), 1);
        assert_eq!(proof.cycle.len(), 2);
        for fact in derived {
            let needed = fact.from.iter().fold(0, |all, &f| all | bit(proof.facts[f].pair));
            let holds = |o: &&Bits| **o & needed != needed || **o & bit(fact.pair) != 0;
            assert!(legal.iter().all(|o| holds(&o)));
        }
    }

    #[test]
    fn nothing_is_proved_of_a_client_that_is_right() {
        assert!(prove(4, &queue(), &[(0, 1), (2, 3)], &|_, _| false).is_none());
        assert!(prove(4, &queue(), &[], &|_, _| false).is_none());
    }
}
