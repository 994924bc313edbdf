//! The sentences about a violation: what goes wrong, and why no order of the calls works.

use super::cycle::{self, Fact, Proof, Reasons};
use super::promise;
use crate::replay::calls::{Seen, Wanted, explanation, permutations, readings};
use lineal_model::adt::Kind;
use lineal_model::object::Outcome;

/// What there is to tell about.
pub struct Sentences<'a> {
    pub wanted: Wanted<'a>,
    pub seen: &'a Seen,
    /// The calls of each thread, as the client is shown.
    pub threads: &'a [Vec<usize>],
    /// What the client orders itself.
    pub ordered: &'a [(usize, usize)],
}

impl Sentences<'_> {
    /// A call with its answer, and with its thread if others look the same.
    fn show(&self, c: usize) -> String {
        let text =
            |c: usize| self.wanted.object.show_answer(&self.wanted.client.calls[c], self.seen.outcomes[c]);
        let twice = (0..self.seen.outcomes.len()).any(|d| d != c && text(d) == text(c));
        match self.threads.iter().position(|t| t.contains(&c)) {
            Some(t) if twice => format!("{} in thread {}", text(c), t + 1),
            _ => text(c),
        }
    }

    /// `a queue`.
    fn word(&self) -> String {
        let a = match self.wanted.object.kind {
            Kind::User => "an object".into(),
            _ => format!("a {}", self.wanted.object.word),
        };
        match &self.wanted.object.quasi {
            None => a,
            Some(relaxation) => format!("{a} with {}", relaxation.shown()),
        }
    }

    pub fn result(&self, guilty: &mut Vec<usize>) -> String {
        let (wanted, seen) = (self.wanted, self.seen);
        let n = seen.outcomes.len();
        let kind = wanted.object.kind;
        let removes =
            |c: usize| kind.takes(wanted.object.operations[wanted.client.calls[c].operation].method);
        let answered = |c: usize| match seen.outcomes[c] {
            Outcome::Value(v) if removes(c) => Some(v),
            _ => None,
        };
        let element = |c: usize| {
            let call = &wanted.client.calls[c];
            let put = !removes(c) && seen.outcomes[c] != Outcome::Empty;
            put.then(|| call.value.or(call.prio).or(call.key)).flatten()
        };
        let keyed = kind.is_keyed() || kind == Kind::User;
        for c in (0..n).filter(|_| !keyed) {
            let Some(v) = answered(c) else { continue };
            let put = (0..n).filter(|&i| element(i) == Some(v)).count();
            let taken: Vec<usize> = (0..n).filter(|&i| answered(i) == Some(v)).collect();
            if put == 0 {
                guilty.push(c);
                return format!("{} answers {v}, which nobody put there.", self.show(c));
            }
            if taken.len() > put {
                guilty.extend(&taken);
                let words: Vec<String> = taken.iter().map(|&t| self.show(t)).collect();
                let times = if put == 1 { "once".into() } else { format!("{put} times") };
                return format!("{v} is put there {times}, but taken by {}.", words.join(" and by "));
            }
        }
        guilty.extend(0..n);
        if kind.is_lock() {
            use lineal_model::adt::Hold;
            let method = |c: usize| wanted.object.operations[wanted.client.calls[c].operation].method;
            let told = |c: usize| {
                matches!(seen.outcomes[c], Outcome::Value(1..) | Outcome::Value(..=-1) | Outcome::Nothing)
            };
            let got = |c: &usize| kind.acquires(method(*c)).is_some() && told(*c);
            let mut holding: Vec<usize> = (0..n).filter(got).collect();
            // Who has it alone is named first.
            holding.sort_by_key(|&c| kind.acquires(method(c)) != Some(Hold::Exclusive));
            let alone = holding.first().is_some_and(|&c| kind.acquires(method(c)) == Some(Hold::Exclusive));
            let holders: Vec<String> = holding.into_iter().map(|c| self.show(c)).collect();
            if alone && holders.len() > 1 && !(0..n).any(|c| kind.releases(method(c)).is_some()) {
                return format!("{} both get the lock, and nobody releases it.", holders[..2].join(" and "));
            }
        }
        format!(
            "No order of the calls explains their answers: {} that is used by one thread at a time never answers like this.",
            self.word()
        )
    }

    pub fn sync(&self, missing: &[(usize, usize)]) -> (String, Vec<String>) {
        let Some(&(i, j)) = missing.first() else {
            let why = format!(
                "The answers can be explained, but not with the synchronisation that {} promises here.",
                self.word()
            );
            return (why, promise::line(self.wanted).into_iter().collect());
        };
        let why = format!(
            "{} does not synchronise with {}: what a thread wrote before {} may be invisible after {}.",
            self.show(i),
            self.show(j),
            self.show(i),
            self.show(j)
        );
        let mut reasons: Vec<String> = promise::line(self.wanted).into_iter().collect();
        let pairs: Vec<String> =
            missing.iter().map(|&(i, j)| format!("{} visible to {}", self.show(i), self.show(j))).collect();
        reasons.push(format!("Every order that gives these answers needs {}.", pairs.join(", or ")));
        (why, reasons)
    }

    pub fn client(&self) -> (String, Vec<String>) {
        let n = self.seen.outcomes.len();
        let mut legal = Vec::new();
        let mut all_known = n <= cycle::MOST;
        if all_known {
            permutations(n, &mut |order| {
                match readings(self.wanted, &self.seen.outcomes, order) {
                    Ok(ways) if ways.is_empty() => {}
                    Ok(_) => legal.push(cycle::bits(order)),
                    Err(_) => all_known = false,
                }
                !all_known
            });
        }
        let known = self.reasons();
        let clear = |pair, from: &[(usize, usize)]| known.reason(pair, from).is_some();
        let proof = match all_known {
            true => cycle::prove(n, &legal, self.ordered, &clear),
            false => None,
        };
        // One pair says it all: the client makes it, and every order has it the other way round.
        if let Some(&Fact { pair: (j, i), .. }) = proof.as_ref().and_then(Proof::reversed) {
            let why = format!(
                "{} answers as if it came before {}, which had returned before it began.",
                self.show(j),
                self.show(i)
            );
            let reason = known.reason((j, i), &[]).map_or(String::new(), |r| format!(" ({r})"));
            let line = format!(
                "Every order that gives these answers has {} before {}{reason}.",
                self.show(j),
                self.show(i)
            );
            return (why, vec![line]);
        }
        let why = format!(
            "No order of the calls explains their answers: {} that is used by one thread at a time never answers like this.",
            self.word()
        );
        (why, proof.map_or_else(|| self.without_one(), |proof| self.proof(&proof)))
    }

    /// Who makes the calls in this order.
    fn whose(&self, (i, j): (usize, usize)) -> String {
        let thread = |c: usize| self.threads.iter().position(|t| t.contains(&c)).unwrap_or(0) + 1;
        match (thread(i), thread(j)) {
            (a, b) if a == b => format!("thread {a}"),
            (a, b) => format!("thread {b} waits for thread {a}"),
        }
    }

    fn reasons(&self) -> Reasons<'_> {
        Reasons { object: self.wanted.object, client: self.wanted.client, outcomes: &self.seen.outcomes }
    }

    fn proof(&self, proof: &Proof) -> Vec<String> {
        let before = |(a, b): (usize, usize)| format!("{} before {}", self.show(a), self.show(b));
        let reasons = self.reasons();
        let derived: Vec<usize> = (0..proof.facts.len()).filter(|&f| !proof.facts[f].given).collect();
        let number = |f: usize| derived.iter().position(|&d| d == f).map(|d| d + 1);
        let source = |f: usize| match number(f) {
            Some(k) => format!("by {k}"),
            None => self.whose(proof.facts[f].pair),
        };
        let mut lines = vec!["Why no order of the calls gives these answers:".to_string()];
        for (k, &f) in derived.iter().enumerate() {
            let fact = &proof.facts[f];
            let from: Vec<(usize, usize)> = fact.from.iter().map(|&g| proof.facts[g].pair).collect();
            let why = match reasons.reason(fact.pair, &from) {
                Some(why) => format!(" ({why})"),
                None if from.is_empty() => " (or the answers would be others)".into(),
                None => String::new(),
            };
            let given: Vec<String> = fact
                .from
                .iter()
                .map(|&g| format!("{} ({})", before(proof.facts[g].pair), source(g)))
                .collect();
            lines.push(match given.is_empty() {
                true => format!("  {}. {}{why}", k + 1, before(fact.pair)),
                false => format!("  {}. {}, so {}{why}", k + 1, given.join(" and "), before(fact.pair)),
            });
        }
        let links: Vec<String> =
            proof.cycle.iter().map(|&f| format!("{} ({})", before(proof.facts[f].pair), source(f))).collect();
        lines.push(format!("  Together they go round in a circle: {}.", links.join(", ")));
        lines
    }

    /// For clients that are too large for a proof: what would do if the client ordered less.
    fn without_one(&self) -> Vec<String> {
        // `seen` has the edges in it; take them out again for the question "what if".
        let without = |dropped: (usize, usize)| {
            let n = self.seen.before.len();
            let mut before = vec![vec![false; n]; n];
            for &(i, j) in self.ordered.iter().filter(|e| **e != dropped) {
                before[j][i] = true;
            }
            for k in 0..n {
                let earlier = before[k].clone();
                for row in before.iter_mut().filter(|row| row[k]) {
                    row.iter_mut().zip(&earlier).for_each(|(b, e)| *b |= e);
                }
            }
            Seen { before, ..self.seen.clone() }
        };
        let mut lines = vec!["The client makes these calls one after another:".to_string()];
        lines.extend(
            self.ordered.iter().map(|&(i, j)| format!("    {}, then {}", self.show(i), self.show(j))),
        );
        lines.push("Give up any one of these, and some order would do:".into());
        for &(i, j) in self.ordered {
            if let Ok(Some(order)) = explanation(self.wanted, &without((i, j)), true) {
                let words: Vec<String> = order.iter().map(|&c| self.show(c)).collect();
                lines.push(format!(
                    "    {}   (has {} before {})",
                    words.join(", "),
                    self.show(j),
                    self.show(i)
                ));
            }
        }
        lines
    }
}
