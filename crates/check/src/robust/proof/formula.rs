//! Propositional formulas in clauses, built by hand: gates, numbers of a few bits, and groups of clauses
//! that can be told apart in a refutation.

use rustc_hash::FxHashMap;

/// A variable, from 1 on, or its negation.
pub type Lit = i32;

/// The literal that is true.
pub const TRUE: Lit = 1;
pub const FALSE: Lit = -1;

/// A number, lowest bit first.
pub type Bits = Vec<Lit>;

#[derive(Clone, Debug)]
pub struct Formula {
    pub variables: i32,
    /// Clauses one after another, each closed by 0.
    pub clauses: Vec<Lit>,
    /// What a clause of a group is about, and the literal that switches the group on.
    pub groups: Vec<(String, Lit)>,
    gates: FxHashMap<(Lit, Lit), Lit>,
    group: Option<Lit>,
}

impl Default for Formula {
    fn default() -> Self {
        let (clauses, groups) = (vec![TRUE, 0], Vec::new());
        Formula { variables: 1, clauses, groups, gates: FxHashMap::default(), group: None }
    }
}

impl Formula {
    pub fn fresh(&mut self) -> Lit {
        self.variables += 1;
        self.variables
    }

    pub fn number(&mut self, width: usize) -> Bits {
        (0..width).map(|_| self.fresh()).collect()
    }

    /// The clauses that follow belong to this group.
    pub fn begin(&mut self, name: &str) {
        let found = self.groups.iter().find(|g| g.0 == name).map(|g| g.1);
        let switch = found.unwrap_or_else(|| {
            let switch = self.fresh();
            self.groups.push((name.to_string(), switch));
            switch
        });
        self.group = Some(switch);
    }

    pub fn end(&mut self) {
        self.group = None;
    }

    /// A definition belongs to no group.
    fn define(&mut self, clause: &[Lit]) {
        self.clauses.extend_from_slice(clause);
        self.clauses.push(0);
    }

    pub fn clause(&mut self, lits: &[Lit]) {
        if lits.contains(&TRUE) {
            return;
        }
        self.clauses.extend(lits.iter().copied().filter(|&l| l != FALSE));
        if let Some(switch) = self.group {
            self.clauses.push(-switch);
        }
        self.clauses.push(0);
    }

    /// If all of the first, then one of the second.
    pub fn implies(&mut self, all: &[Lit], some: &[Lit]) {
        let mut clause: Vec<Lit> = all.iter().map(|l| -l).collect();
        clause.extend_from_slice(some);
        self.clause(&clause);
    }

    pub fn require(&mut self, lit: Lit) {
        self.clause(&[lit]);
    }

    pub fn and2(&mut self, a: Lit, b: Lit) -> Lit {
        if a == FALSE || b == FALSE || a == -b {
            return FALSE;
        }
        if a == TRUE || a == b {
            return b;
        }
        if b == TRUE {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&gate) = self.gates.get(&key) {
            return gate;
        }
        let gate = self.fresh();
        self.define(&[-gate, a]);
        self.define(&[-gate, b]);
        self.define(&[gate, -a, -b]);
        self.gates.insert(key, gate);
        gate
    }

    pub fn and(&mut self, all: &[Lit]) -> Lit {
        all.iter().fold(TRUE, |sum, &l| self.and2(sum, l))
    }

    pub fn or(&mut self, all: &[Lit]) -> Lit {
        -all.iter().fold(TRUE, |sum, &l| self.and2(sum, -l))
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (left, right) = (self.and2(a, -b), self.and2(-a, b));
        self.or(&[left, right])
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut all = TRUE;
        for i in 0..a.len().max(b.len()) {
            let (x, y) = (bit(a, i), bit(b, i));
            let differ = self.xor(x, y);
            all = self.and2(all, -differ);
        }
        all
    }

    /// Unsigned.
    pub fn below(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = FALSE;
        for i in 0..a.len().max(b.len()) {
            let (x, y) = (bit(a, i), bit(b, i));
            let here = self.and2(-x, y);
            let differ = self.xor(x, y);
            let lower = self.and2(-differ, less);
            less = self.or(&[here, lower]);
        }
        less
    }

    /// Modulo the width of the first.
    pub fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Bits {
        let mut sum = Vec::with_capacity(a.len());
        for (i, &x) in a.iter().enumerate() {
            let y = bit(b, i);
            let half = self.xor(x, y);
            sum.push(self.xor(half, carry));
            let (both, over) = (self.and2(x, y), self.and2(half, carry));
            carry = self.or(&[both, over]);
        }
        sum
    }

    pub fn difference(&mut self, a: &[Lit], b: &[Lit]) -> Bits {
        let negated: Bits = (0..a.len()).map(|i| -bit(b, i)).collect();
        self.sum(a, &negated, TRUE)
    }
}

fn bit(number: &[Lit], i: usize) -> Lit {
    number.get(i).copied().unwrap_or(FALSE)
}

pub fn constant(value: u64, width: usize) -> Bits {
    (0..width).map(|i| if value >> i & 1 == 1 { TRUE } else { FALSE }).collect()
}
