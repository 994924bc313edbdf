//! Facts that are given ([`super::stated`]) in formulas: which steps are meant, whether what is said of them is so,
//! and what follows for these calls.

use super::encode::Instance;
use super::formula::{Bits, FALSE, Lit, TRUE, constant};
use super::library::{Library, Sort};
use super::shape::is_scalar;
use super::stated::{Pattern, Stated};
use super::term::Term;
use super::tree::{Act, Node};
use lineal_model::fact::{Alternative, Atom, Compare, Conclusion, Does, Value, Which};

/// A step that is meant, in a formula.
#[derive(Clone, Debug)]
pub struct Bound {
    /// Of these calls.
    pub event: Option<usize>,
    /// A read of it.
    pub witness: Option<usize>,
    pub on: Lit,
    pub point: usize,
    old: Option<Bits>,
    new: Option<Bits>,
}

impl Bound {
    pub fn of(x: &Instance<'_>, e: usize) -> Self {
        let event = &x.events[e];
        let (old, new) = (event.read.clone(), event.wrote.clone().filter(|_| x.writes(e)));
        Bound { event: Some(e), witness: None, on: event.on, point: x.point(e), old, new }
    }
}

impl Pattern {
    /// Whether an access is one, of an operation of the library.
    pub fn fits(&self, library: &Library, operation: usize, n: usize) -> bool {
        let node: &Node = library.node(operation, n);
        let o = &library.operations[operation];
        let does = match self.does {
            Does::Read => node.reads(),
            Does::Write => node.writes(),
            Does::Store => node.act == Act::Write,
            Does::Update => node.act == Act::Update,
        };
        does && library.class_of(operation, n) == Some(self.class)
            && (node.acquires || !self.acquires)
            && (node.releases || !self.releases)
            && self.operation.is_none_or(|k| k == operation || o.round_of == Some(k))
    }
}

/// Before the first call: its value, if all locations of the class begin with one. `None`: nothing is said.
pub fn first_value(library: &Library, class: usize) -> Option<&Term> {
    let c = &library.classes[class];
    let all = &c.initial;
    let alike = !c.heap && all.len() < super::library::MOST_INITIAL;
    let alike = alike && all.windows(2).all(|w| w[0].1 == w[1].1);
    all.first().map(|(_, value)| value).filter(|_| alike)
}

impl Stated {
    /// Steps that are meant: of these calls, and, of writes, also what reads tell of.
    /// `tuple`: those that were chosen before.
    pub fn bind(&self, x: &Instance<'_>, pattern: &Pattern, tuple: &[Bound], told: bool) -> Vec<Bound> {
        let mut all = Vec::new();
        for e in x.indices() {
            let event = &x.events[e];
            let call = pattern.by.and_then(|of| tuple[of].event).map(|of| x.events[of].call);
            if x.is_sequential(e)
                && pattern.fits(x.library, x.calls[event.call], event.node)
                && (pattern.by.is_none() || call == Some(event.call))
            {
                all.push(Bound::of(x, e));
            }
        }
        if !pattern.is_open() {
            return all;
        }
        if told {
            for r in x.reads_of(pattern.class) {
                let (on, point, new) = (x.events[r].on, x.source(r), x.events[r].read.clone());
                all.push(Bound { event: None, witness: Some(r), on, point, old: None, new });
            }
        }
        let new = first_value(x.library, pattern.class);
        let new = new.and_then(|value| match (x.library.classes[pattern.class].sort, value) {
            (Sort::Number, Term::Const(c)) => Some(constant(*c as u64, x.number_width)),
            (Sort::Plain, Term::Const(c)) => x.name_of(*c as u64).map(|name| constant(name, x.plain_width)),
            _ => None,
        });
        // Of several locations nothing is said about which is meant, and facts are used for none.
        if new.is_some() && is_scalar(x.library, pattern.class) || !told {
            all.push(Bound { event: None, witness: None, on: TRUE, point: 0, old: None, new });
        }
        all
    }

    /// All choices of steps.
    pub fn tuples(&self, x: &Instance<'_>, told: bool) -> Vec<Vec<Bound>> {
        let mut all: Vec<Vec<Bound>> = vec![Vec::new()];
        for pattern in &self.steps {
            let longer = all.iter().flat_map(|tuple| {
                let more = self.bind(x, pattern, tuple, told).into_iter();
                more.map(|b| tuple.iter().cloned().chain([b]).collect())
            });
            all = longer.collect();
        }
        all
    }

    fn value(x: &mut Instance<'_>, tuple: &[Bound], value: &Value, sort: Sort) -> Option<Bits> {
        let Some((step, which)) = value.of else {
            let bits = match sort {
                Sort::Number => constant(value.add as u64, x.number_width),
                _ => constant(x.name_of(value.add as u64)?, x.plain_width),
            };
            return Some(Self::rest(bits, value));
        };
        let bits = match which {
            Which::Old => tuple[step].old.clone()?,
            Which::New => tuple[step].new.clone()?,
        };
        if sort != Sort::Number {
            return (value.add == 0 && value.modulo.is_none()).then_some(bits);
        }
        let add = constant(value.add as u64, x.number_width);
        let sum = if value.add == 0 { bits } else { x.f.sum(&bits, &add, FALSE) };
        Some(Self::rest(sum, value))
    }

    fn rest(bits: Bits, value: &Value) -> Bits {
        match value.modulo {
            Some(n) => bits[..n.trailing_zeros() as usize].to_vec(),
            None => bits,
        }
    }

    /// Whether two steps are at one location.
    pub fn together(
        &self,
        x: &mut Instance<'_>,
        a: &Bound,
        b: &Bound,
        classes: (usize, usize),
    ) -> Option<Lit> {
        if classes.0 != classes.1 {
            return Some(FALSE);
        }
        if is_scalar(x.library, classes.0) {
            return Some(TRUE);
        }
        match (a.event.or(a.witness), b.event.or(b.witness)) {
            (Some(a), Some(b)) if a == b => Some(TRUE),
            (Some(a), Some(b)) => Some(x.same(a, b)),
            // Each location has an initial write, and it is not said which is meant.
            _ => None,
        }
    }

    /// `None`: nothing is known.
    pub fn eval(
        &self,
        x: &mut Instance<'_>,
        tuple: &[Bound],
        steps: &[&Pattern],
        atom: &Atom,
    ) -> Option<Lit> {
        Some(match atom {
            Atom::Order(a, compare, b) => {
                let (p, q) = (tuple[*a].point, tuple[*b].point);
                match compare {
                    Compare::Less => x.lt(p, q),
                    _ => x.le(p, q),
                }
            }
            Atom::Together(a, b) => {
                self.together(x, &tuple[*a], &tuple[*b], (steps[*a].class, steps[*b].class))?
            }
            Atom::Reads(a, b) => {
                let at = self.together(x, &tuple[*a], &tuple[*b], (steps[*a].class, steps[*b].class))?;
                let from = x.source(tuple[*a].event?);
                let here = x.eq(from, tuple[*b].point);
                x.f.and2(at, here)
            }
            Atom::Session(a, b) => {
                let (a, b) = (x.events[tuple[*a].event?].call, x.events[tuple[*b].event?].call);
                x.session(a, b)
            }
            Atom::Not(atom) => -self.eval(x, tuple, steps, atom)?,
            Atom::Values(a, compare, b) => {
                let of = [a, b].into_iter().find_map(|v| v.of).map(|(step, _)| steps[step].class);
                let sort = of.map_or(Sort::Number, |c| x.library.classes[c].sort);
                let (a, b) = (Self::value(x, tuple, a, sort)?, Self::value(x, tuple, b, sort)?);
                match compare {
                    Compare::Equal => x.f.equal(&a, &b),
                    Compare::Differ => -x.f.equal(&a, &b),
                    Compare::Less => x.f.below(&a, &b),
                    Compare::AtMost => -x.f.below(&b, &a),
                }
            }
        })
    }

    /// What is given, of these steps. `None`: nothing is known, or it is not so.
    pub fn premises(&self, x: &mut Instance<'_>, tuple: &[Bound], before: Option<usize>) -> Option<Vec<Lit>> {
        let steps: Vec<&Pattern> = self.steps.iter().collect();
        let mut all: Vec<Lit> = tuple.iter().map(|b| b.on).collect();
        for atom in self.given() {
            all.push(self.eval(x, tuple, &steps, atom)?);
        }
        if let Some(cut) = before {
            all.extend(tuple.iter().map(|b| x.lt(b.point, cut)));
        }
        (!all.contains(&FALSE)).then_some(all)
    }

    /// What it says of these calls. `before`: only of steps before this point.
    pub fn assert(&self, x: &mut Instance<'_>, before: Option<usize>) {
        let ways = match &self.fact.conclusion {
            Conclusion::Either(ways) => ways,
            Conclusion::ThenUpdate(a) => return self.last(x, *a, before),
            _ => return,
        };
        for tuple in self.tuples(x, true) {
            let Some(all) = self.premises(x, &tuple, before) else { continue };
            let mut some = Vec::new();
            for (way, pattern) in ways.iter().zip(&self.some) {
                some.extend(self.way(x, &tuple, way, pattern.as_ref(), None, &mut |_| Some(TRUE)));
            }
            x.f.implies(&all, &some);
        }
    }

    /// An alternative, as literals of which one must be so. `by`: a point that the step is not after.
    pub fn way(
        &self,
        x: &mut Instance<'_>,
        tuple: &[Bound],
        way: &Alternative,
        pattern: Option<&Pattern>,
        by: Option<usize>,
        unknown: &mut dyn FnMut(&mut Instance<'_>) -> Option<Lit>,
    ) -> Vec<Lit> {
        let mut some = Vec::new();
        let choices = match pattern {
            Some(pattern) => {
                self.bind(x, pattern, tuple, false).into_iter().map(Some).collect::<Vec<Option<Bound>>>()
            }
            None => vec![None],
        };
        let steps: Vec<&Pattern> = self.steps.iter().chain(pattern).collect();
        for choice in choices {
            let mut all = Vec::new();
            if let Some(b) = &choice {
                all.push(b.on);
                all.extend(by.map(|p| x.le(b.point, p)));
            }
            let tuple: Vec<Bound> = tuple.iter().cloned().chain(choice).collect();
            for atom in &way.atoms {
                let lit = self.eval(x, &tuple, &steps, atom);
                all.extend(lit.or_else(|| unknown(x)));
            }
            some.push(x.f.and(&all));
        }
        some
    }

    /// What a further read-modify-write reads is the last write, if only such ones overwrite it.
    fn last(&self, x: &mut Instance<'_>, a: usize, before: Option<usize>) {
        if before.is_some() {
            return;
        }
        let class = self.steps[a].class;
        for tuple in self.tuples(x, true) {
            let Some(z) = tuple[a].witness else { continue };
            if x.is_sequential(z) || Some(z) == x.stale_event() || !x.writes(z) {
                continue;
            }
            let Some(all) = self.premises(x, &tuple, None) else { continue };
            for w in x.writes_of(class) {
                let (same, on, reached) = (x.same(w, z), x.events[w].on, x.le(x.point(w), x.source(z)));
                let given: Vec<Lit> = all.iter().copied().chain([same, on]).collect();
                x.f.implies(&given, &[reached]);
            }
            for r in x.reads_of(class) {
                if r != z {
                    let (same, on, reached) = (x.same(r, z), x.events[r].on, x.le(x.source(r), x.source(z)));
                    let given: Vec<Lit> = all.iter().copied().chain([same, on]).collect();
                    x.f.implies(&given, &[reached]);
                }
            }
        }
    }

    /// The synchronisation that it gives.
    pub fn synchronise(&self, x: &mut Instance<'_>, covered: &[Lit], before: Option<usize>) {
        match self.fact.conclusion {
            Conclusion::Before(a, b) => {
                for tuple in self.tuples(x, true) {
                    let (Some(a), Some(b)) = (tuple[a].event, tuple[b].event) else { continue };
                    let Some(mut all) = self.premises(x, &tuple, before) else { continue };
                    all.push(covered[a]);
                    x.f.implies(&all, &[covered[b]]);
                }
            }
            Conclusion::Tells { write, step } => {
                let class = self.steps[write].class;
                for tuple in self.tuples(x, true) {
                    let Some(a) = tuple[step].event else { continue };
                    let readers = match (tuple[write].witness, tuple[write].event) {
                        (Some(r), _) => vec![r],
                        (None, Some(_)) if !self.steps[write].is_open() => x.reads_of(class),
                        _ => continue,
                    };
                    let Some(mut all) = self.premises(x, &tuple, before) else { continue };
                    all.push(covered[a]);
                    for r in readers {
                        if Some(r) == x.stale_event() || tuple[write].event == Some(r) {
                            continue;
                        }
                        let mut given = all.clone();
                        let here = x.eq(x.source(r), tuple[write].point);
                        given.extend([x.events[r].on, here]);
                        self.acquire(x, covered, r, &given);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whoever reads this has seen what is covered.
    fn acquire(&self, x: &mut Instance<'_>, covered: &[Lit], r: usize, given: &[Lit]) {
        if x.node(r).acquires {
            x.f.implies(given, &[covered[r]]);
            return;
        }
        for fence in x.indices() {
            if x.node(fence).act == Act::Fence && x.node(fence).acquires {
                let (so, on) = (x.so(r, fence), x.events[fence].on);
                let all: Vec<Lit> = given.iter().copied().chain([so, on]).collect();
                x.f.implies(&all, &[covered[fence]]);
            }
        }
    }
}
