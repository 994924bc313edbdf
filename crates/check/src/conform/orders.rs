//! L(H): the orders of the calls that explain an execution.
//!
//! An order ℓ explains it iff it extends H and the client's own order, the abstract type gives
//! the observed answers when calls take effect in that order, and whatever ℓ obliges to
//! synchronise does: so(ℓ), transitively closed, lies in happens-before.
//!
//! The search places one call at a time and remembers dead ends by (calls placed, state of the
//! type, what may still synchronise); it never lists orders. It tries first the call whose
//! placement contradicts fewest of the edges that a client might add, so that the order found is
//! hard to refute.
//!
//! Neighbours that may as well change places are then put into one layer: calls of a layer may come
//! in any order. Five dequeues that find the queue empty are one layer, not an order of five.

use super::masks::{bits, contradicting};
use super::observe::{MAX_CALLS, Mask};
use super::spec::{After, Spec};
use super::{Contract, Rule};
use crate::reference::Trouble;
use lineal_model::Limit;
use lineal_model::object::{Outcome, Via};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Nodes between two looks at the clock.
const OFTEN: u64 = 2_000;

/// What an order must respect.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    /// `first[j]`: the calls that must come before `j`.
    pub first: &'a [Mask],
    /// `hb[j]`: the calls that `j` sees. `None`: synchronisation is not asked for.
    pub hb: Option<&'a [Mask]>,
    /// `edges[j]`: the calls `i` with an edge i→j that a client might add.
    pub edges: &'a [Mask],
}

pub struct Orders<'a, S: Spec> {
    spec: &'a S,
    /// Whether there is time to go on.
    go_on: &'a dyn Fn() -> ControlFlow<Limit>,
    rules: Vec<Rule>,
    /// Keys of the calls, for rules that go by key.
    keys: Vec<Option<i64>>,
    /// Calls that may be the origin of a rule.
    sources: Mask,
    /// Of rules that go by rounds: so many calls are one.
    parties: usize,
    n: usize,
    /// Nodes of the search, for statistics and limits.
    pub nodes: u64,
    /// How often it was asked whether to give up.
    asked: u64,
    /// What the specification could not say, or that there was no time. Then whatever is found out about orders means nothing.
    pub trouble: Option<Trouble>,
}

/// A point of the search: what the future depends on besides the calls placed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Node<T> {
    placed: Mask,
    state: T,
    /// By rule (and key), the last call it may start from.
    last: Vec<(u8, i64, u8)>,
    /// Of each possible origin that was placed: everything it must see itself.
    past: Rc<Vec<(u8, Mask)>>,
}

impl<'a, S: Spec> Orders<'a, S> {
    pub fn new(
        spec: &'a S,
        contract: &Contract,
        rules: &[Rule],
        outcomes: &[Outcome],
        go_on: &'a dyn Fn() -> ControlFlow<Limit>,
    ) -> Self {
        let Contract { kind, calls, .. } = contract;
        let good = (0..calls.len())
            .filter(|&i| calls[i].succeeds(*kind, outcomes[i]))
            .fold(0, |m: Mask, i| m | 1 << i);
        let of_good = |r: &Rule| match r.via {
            Via::Previous => *r,
            via => Rule { from: r.from & good, to: r.to & good, via },
        };
        let rules: Vec<Rule> = rules.iter().map(of_good).collect();
        let sources = rules.iter().fold(0, |m, r| m | r.from);
        let keys = calls.iter().map(|c| c.key.or(c.value)).collect();
        let parties = contract.size.map_or(1, |n| n.max(1) as usize);
        Orders {
            spec,
            go_on,
            rules,
            keys,
            sources,
            parties,
            n: calls.len(),
            nodes: 0,
            asked: 0,
            trouble: None,
        }
    }

    /// Layers such that every order of the calls within each of them is within the bounds, as
    /// `order` is. Not worth it where only `few` edges contradict the order.
    pub fn layers(&mut self, order: &[usize], bounds: Bounds<'_>, few: usize) -> Vec<Mask> {
        let single: Vec<Mask> = order.iter().map(|&c| 1 << c).collect();
        if contradicting(&single, bounds.edges).len() <= few {
            return single;
        }
        let mut node = self.start();
        let mut layers: Vec<Mask> = Vec::new();
        let mut rest = order;
        while let Some((&first, mut more)) = rest.split_first() {
            let Some(mut after) = self.place(&node, first, bounds).into_iter().next() else {
                // The order that was found took another way with the same calls.
                return single;
            };
            let mut layer: Mask = 1 << first;
            while let Some((&next, others)) = more.split_first() {
                let ends = self.place(&after, next, bounds);
                let all = layer | 1 << next;
                let fits = |orders: &mut Self, end: &Node<S::State>| {
                    orders.any_order(&node, all, end, bounds, &mut FxHashSet::default())
                };
                let Some(end) = ends.into_iter().find(|end| fits(self, end)) else { break };
                (layer, after, more) = (all, end, others);
            }
            layers.push(layer);
            (node, rest) = (after, more);
        }
        layers
    }

    /// Whether the calls may be placed in any order, always with the same end.
    fn any_order(
        &mut self,
        node: &Node<S::State>,
        rest: Mask,
        end: &Node<S::State>,
        bounds: Bounds<'_>,
        fine: &mut FxHashSet<Node<S::State>>,
    ) -> bool {
        if rest == 0 {
            return node == end;
        }
        if self.is_over() {
            return false;
        }
        if fine.contains(node) {
            return true;
        }
        let every = bits(rest).all(|c| {
            let more = rest & !(1 << c);
            bounds.first[c] & more == 0
                && self
                    .place(node, c, bounds)
                    .iter()
                    .any(|next| self.any_order(next, more, end, bounds, fine))
        });
        if every {
            fine.insert(node.clone());
        }
        every
    }

    /// Whether to give up; asked at each node.
    pub fn is_over(&mut self) -> bool {
        self.asked += 1;
        if self.trouble.is_none()
            && self.asked.is_multiple_of(OFTEN)
            && let ControlFlow::Break(limit) = (self.go_on)()
        {
            self.trouble = Some(Trouble::Limit(limit));
        }
        self.trouble.is_some()
    }

    fn start(&self) -> Node<S::State> {
        Node { placed: 0, state: self.spec.initial(), last: Vec::new(), past: Rc::default() }
    }

    /// Every way in which call `j` may come next.
    fn place(&mut self, node: &Node<S::State>, j: usize, bounds: Bounds<'_>) -> Vec<Node<S::State>> {
        let placed = |i: usize| node.placed >> i & 1 == 1;
        let known = (0..self.spec.readings(j)).any(|r| self.spec.element(j, r).is_some_and(placed));
        let mut out = Vec::new();
        let mut states = Vec::new();
        for reading in 0..self.spec.readings(j) {
            // What is not there yet cannot be what was taken.
            let element = self.spec.element(j, reading).filter(|&i| placed(i));
            if known && element.is_none() && !self.spec.takes_early() {
                continue;
            }
            let Some((last, past)) = self.synchronise(node, j, element, bounds.hb) else { continue };
            if let Err(trouble) = self.spec.step(&node.state, j, reading, &mut states) {
                self.trouble.get_or_insert(trouble);
                return Vec::new();
            }
            for After { state, sees } in states.drain(..) {
                if bounds.hb.is_none_or(|hb| sees & !hb[j] == 0) {
                    let placed = node.placed | 1 << j;
                    out.push(Node { placed, state, last: last.clone(), past: past.clone() });
                }
            }
        }
        out
    }

    /// An order within the bounds.
    pub fn find(&mut self, bounds: Bounds<'_>) -> Option<Vec<usize>> {
        debug_assert!(self.n <= MAX_CALLS);
        let mut dead = FxHashSet::default();
        let mut order = Vec::with_capacity(self.n);
        let start = self.start();
        self.extend(start, bounds, &mut dead, &mut order).then_some(order)
    }

    fn extend(
        &mut self,
        node: Node<S::State>,
        bounds: Bounds<'_>,
        dead: &mut FxHashSet<Node<S::State>>,
        order: &mut Vec<usize>,
    ) -> bool {
        if order.len() == self.n {
            return true;
        }
        if self.is_over() {
            return false;
        }
        if dead.contains(&node) {
            return false;
        }
        self.nodes += 1;
        let all: Mask = ((1u64 << self.n) - 1) as Mask;
        let open = all & !node.placed;
        let mut next: Vec<(u32, usize)> = (0..self.n)
            .filter(|&j| open >> j & 1 == 1 && bounds.first[j] & open & !(1 << j) == 0)
            .map(|j| ((bounds.edges[j] & open & !(1 << j)).count_ones(), j))
            .collect();
        next.sort_unstable();
        for (_, j) in next {
            for child in self.place(&node, j, bounds) {
                order.push(j);
                if self.extend(child, bounds, dead, order) {
                    return true;
                }
                order.pop();
            }
        }
        dead.insert(node);
        false
    }

    /// What is kept after call `j` takes effect; `None` if it does not see all it must.
    #[allow(clippy::type_complexity)]
    fn synchronise(
        &self,
        node: &Node<S::State>,
        j: usize,
        element: Option<usize>,
        hb: Option<&[Mask]>,
    ) -> Option<(Vec<(u8, i64, u8)>, Rc<Vec<(u8, Mask)>>)> {
        let Some(hb) = hb else { return Some((Vec::new(), node.past.clone())) };
        let past_of = |i: usize| node.past.iter().find(|p| p.0 as usize == i).map_or(0, |p| p.1);
        let mut seen: Mask = 0;
        let mut last = node.last.clone();
        for (r, rule) in self.rules.iter().enumerate() {
            let key = match rule.via {
                Via::Key => self.keys[j].unwrap_or(i64::MIN),
                _ => 0,
            };
            if rule.via == Via::Round {
                // Who is there already sees who comes now, and the other way round.
                let round = |l: &&(u8, i64, u8)| l.0 as usize == r;
                let there = last.iter().filter(round).fold(0, |m: Mask, l| m | 1 << l.2);
                if bits(there).any(|i| hb[i] >> j & 1 == 0) {
                    return None;
                }
                seen |= there;
                match there.count_ones() as usize + 1 == self.parties {
                    true => last.retain(|l| l.0 as usize != r),
                    false => last.push((r as u8, j as i64, j as u8)),
                }
                last.sort_unstable();
                continue;
            }
            if rule.via == Via::Every {
                if rule.to >> j & 1 == 1 {
                    let all = rule.from & node.placed;
                    seen |= bits(all).fold(all, |m, i| m | past_of(i));
                }
                continue;
            }
            let slot = last.iter().position(|l| l.0 as usize == r && l.1 == key);
            if rule.to >> j & 1 == 1 {
                let origin = match rule.via {
                    Via::Element => element.filter(|&i| rule.from >> i & 1 == 1),
                    _ => slot.map(|s| last[s].2 as usize),
                };
                if let Some(i) = origin {
                    seen |= 1 << i | past_of(i);
                }
            }
            if rule.from >> j & 1 == 1 && rule.via != Via::Element {
                match slot {
                    Some(s) => last[s].2 = j as u8,
                    None => {
                        last.push((r as u8, key, j as u8));
                        last.sort_unstable();
                    }
                }
            }
        }
        if seen & !hb[j] != 0 {
            return None;
        }
        if self.sources >> j & 1 == 0 || seen == 0 {
            return Some((last, node.past.clone()));
        }
        let mut past = (*node.past).clone();
        past.push((j as u8, seen));
        past.sort_unstable();
        Some((last, Rc::new(past)))
    }
}
