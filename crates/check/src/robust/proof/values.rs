//! Values in formulas: numbers of a few bits.
//!
//! Values that are only compared for equality are told apart by any injective renaming; so many names
//! as there are constants, blocks and unknowns are enough. Of counters, a solution stays one if a gap
//! between two neighbouring values is made smaller, as long as it stays larger than every constant that a
//! difference is compared with, twice, and the same modulo every divisor; so many bits as that takes
//! are enough. What has another form is not followed: nothing is said about it then.

use super::encode::Instance;
use super::formula::{Bits, FALSE, Lit, constant};
use super::library::{Library, Sort, Wrote};
use super::term::{Binary, Term};
use super::tree::Act;
use std::collections::BTreeSet;

impl Instance<'_> {
    /// How many bits values need.
    ///
    /// Values that are only compared for equality are told apart by any injective renaming; so many
    /// names as there are constants, blocks and unknowns are enough. Of counters, a solution stays one
    /// if a gap between two neighbouring values is made smaller, as long as it stays larger than every
    /// constant that a difference is compared with, twice, and the same modulo every divisor.
    pub(super) fn widths(&mut self) {
        let mut unknowns = 4;
        let mut numbers = 4;
        for call in 0..self.calls.len() {
            let operation = &self.library.operations[self.calls[call]];
            let mut allocs = 0;
            for node in &operation.tree.nodes {
                unknowns += 1;
                numbers += 2 * usize::from(node.reads() || node.writes());
                if let Some(Term::Alloc(k)) = &node.value
                    && node.act == Act::Alloc
                {
                    allocs = allocs.max(k + 1);
                }
                for term in node.conditions.iter().map(|c| &c.0).chain(&node.value) {
                    term.parts(&mut |t| match t {
                        Term::Const(c) if !self.constants.contains(c) => self.constants.push(*c),
                        Term::Arg(_) | Term::Free(_) => unknowns += 1,
                        _ => {}
                    });
                }
            }
            for k in 0..allocs {
                self.blocks.insert((call, k), 0);
            }
        }
        for class in &self.library.classes {
            for (_, value) in &class.initial {
                match value {
                    Term::Const(c) if !self.constants.contains(c) => self.constants.push(*c),
                    Term::Initial(k) => self.initial = self.initial.max(*k as u64 + 1),
                    _ => {}
                }
            }
            for wrote in &class.wrote {
                if let Wrote::Constant(c) = wrote
                    && !self.constants.contains(c)
                {
                    self.constants.push(*c);
                }
            }
        }
        let named = self.library.named.iter().filter(|c| !self.constants.contains(c)).copied();
        let named: BTreeSet<i64> = named.collect();
        self.constants.extend(named);
        self.constants.retain(|c| *c != 0);
        self.constants.insert(0, 0);
        let mut next = self.constants.len() as u64 + self.initial;
        for id in self.blocks.values_mut() {
            *id = next;
            next += 1;
        }
        self.plain_width = (next as usize + unknowns).next_power_of_two().trailing_zeros() as usize;
        let step = (2 * self.library.largest + 2 + self.library.modulus) as usize;
        let range = numbers * step + self.library.largest as usize + 1;
        self.number_width = range.next_power_of_two().trailing_zeros() as usize + 1;
    }

    /// What stands for a block that a call allocates.
    pub fn block(&self, call: usize, number: usize) -> Option<u64> {
        self.blocks.get(&(call, number)).copied()
    }

    /// What stands for a constant.
    pub fn name_of(&self, value: u64) -> Option<u64> {
        self.constants.iter().position(|&c| c as u64 == value).map(|i| i as u64)
    }

    /// From here on, nothing else is called so.
    pub fn first_name(&self) -> u64 {
        self.constants.len() as u64 + self.initial + self.blocks.len() as u64
    }

    /// A value that is only compared.
    pub fn plain(&mut self, call: usize, term: &Term) -> Option<Bits> {
        let width = self.plain_width;
        match term {
            Term::Const(c) => {
                let id = self.constants.iter().position(|d| d == c)?;
                Some(constant(id as u64, width))
            }
            Term::Initial(k) => Some(constant(self.constants.len() as u64 + *k as u64, width)),
            Term::Alloc(k) => Some(constant(*self.blocks.get(&(call, *k))?, width)),
            Term::Read(n, _) => {
                let event = &self.events[*self.at[call].get(n)?];
                let plain = event.class.is_some_and(|c| self.library.classes[c].sort == Sort::Plain);
                event.read.clone().filter(|_| plain)
            }
            Term::Arg(_) | Term::Free(_) => {
                let key = (call, term.clone());
                if !self.frees.contains_key(&key) {
                    let bits = self.f.number(width);
                    self.frees.insert(key.clone(), bits);
                }
                self.frees.get(&key).cloned()
            }
            _ => None,
        }
    }

    /// A counter, and what was added to it.
    pub fn number(&mut self, call: usize, term: &Term) -> Option<Bits> {
        let (read, add) = self.library.number(self.calls[call], term)?;
        let width = self.number_width;
        let add = constant(add as u64, width);
        match read {
            None => Some(add),
            Some(n) => {
                let bits = self.events[*self.at[call].get(&n)?].read.clone()?;
                Some(self.f.sum(&bits, &add, FALSE))
            }
        }
    }

    pub(super) fn index(&mut self, call: usize, term: &Term) -> Option<Bits> {
        match Library::remainder(term) {
            Some((of, divisor)) => {
                let bits = self.number(call, of)?;
                Some(bits[..divisor.trailing_zeros() as usize].to_vec())
            }
            None => self.number(call, term),
        }
    }

    /// A condition on what a call read, if it is one of those that are followed.
    pub fn condition(&mut self, call: usize, term: &Term) -> Option<Lit> {
        let Term::Bin(op, size, a, b) = term else { return None };
        match op {
            Binary::Eq => {
                if let (Term::Bin(Binary::Sub, size, x, y), Term::Const(c)) = (&**a, &**b)
                    && (0..=32).contains(c)
                    && !size.signed
                {
                    let (x, y) = (self.number(call, x)?, self.number(call, y)?);
                    let gap = self.f.difference(&x, &y);
                    let c = constant(*c as u64, self.number_width);
                    return Some(self.f.equal(&gap, &c));
                }
                if Library::remainder(a).is_some() || Library::remainder(b).is_some() {
                    let (a, b) = (self.index(call, a)?, self.index(call, b)?);
                    return Some(self.f.equal(&a, &b));
                }
                let reads_number =
                    |t: &Term| self.library.number(self.calls[call], t).is_some_and(|n| n.0.is_some());
                if reads_number(a) || reads_number(b) {
                    let (a, b) = (self.number(call, a)?, self.number(call, b)?);
                    return Some(self.f.equal(&a, &b));
                }
                let (a, b) = (self.plain(call, a)?, self.plain(call, b)?);
                Some(self.f.equal(&a, &b))
            }
            Binary::Lt | Binary::Le => {
                if let (Term::Bin(Binary::Sub, inner, x, y), Term::Const(c)) = (&**a, &**b)
                    && (0..=32).contains(c)
                    && !size.signed
                    && !inner.signed
                {
                    let (x, y) = (self.number(call, x)?, self.number(call, y)?);
                    let gap = self.f.difference(&x, &y);
                    let c = constant(*c as u64 + u64::from(*op == Binary::Le), self.number_width);
                    return Some(self.f.below(&gap, &c));
                }
                let (a, b) = (self.number(call, a)?, self.number(call, b)?);
                Some(match op {
                    Binary::Lt => self.f.below(&a, &b),
                    _ => -self.f.below(&b, &a),
                })
            }
            _ => None,
        }
    }
}
