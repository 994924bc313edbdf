//! Lemmas and axioms that the author of an object gives, as pragmas ([`lineal_model::fact`]).
//!
//! A fact is about all steps of some kinds: if what is given is so, then so is one of some alternatives.
//! Whether it is can be told once the last of these steps has been made, so there is an induction over the
//! last one ([`super::stated_induct`]), and no lemma is used before it goes through. Axioms are not shown; the
//! scope says which were used, and runs are held against them ([`super::stated_runs`]).
//!
//! **Steps in formulas.** Reads, stores and updates are those of the calls that are looked at, as far as they
//! are sequentially consistent. A *write* is any: of these calls, of others, the initial one. What others
//! wrote is known where somebody reads it: at the place of the source, that value. This is so for reads
//! that are not sequentially consistent as well, since what they read was written in the part that is.
//!
//! **Tells.** *`t` tells `s`*: every acquire read of what `t` wrote happens after `s`. That is a fact about
//! writes alone, so it may be used for any read, old or not.
//!
//! **Then update.** If what a further read-modify-write reads is overwritten already, then by the fact by a
//! read-modify-write, which reads the same write: two would. So what it reads is the last write there is.
//!
//! What is refused: locations that are also written in blocks which nobody else knows of, since iterations that
//! are left out do that too; values of locations that are not followed.

use super::encode::Instance;
use super::formula::{Bits, FALSE, Lit, TRUE, constant};
use super::library::{Library, Sort};
use super::shape::is_scalar;
use super::term::Term;
use super::tree::{Act, Node};
use lineal_model::Diagnostic;
use lineal_model::fact::{Alternative, Atom, Compare, Conclusion, Does, Fact, Step, Value, Which};
use lineal_model::object::Object;

/// Which steps are meant.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub does: Does,
    acquires: bool,
    releases: bool,
    pub class: usize,
    operation: Option<usize>,
    pub by: Option<usize>,
}

/// A fact whose names are known.
#[derive(Clone, Debug)]
pub struct Stated {
    pub fact: Fact,
    pub steps: Vec<Pattern>,
    /// By alternative.
    pub some: Vec<Option<Pattern>>,
}

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

/// The facts of an object; what is wrong with the others.
pub fn resolve(library: &Library, object: &Object) -> (Vec<Stated>, Vec<Diagnostic>) {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for fact in &object.facts {
        match Stated::of(library, object, fact) {
            Ok(stated) => all.push(stated),
            Err((why, help)) => {
                let mut d = Diagnostic::error("L0137", format!("{} `{}`: {why}", word(fact), fact.name));
                d.help = help;
                wrong.push(d.at(fact.at.clone()));
            }
        }
    }
    (all, wrong)
}

fn word(fact: &Fact) -> &'static str {
    if fact.granted { "axiom" } else { "lemma" }
}

/// As it is written in a pragma.
fn spelled(name: &str) -> String {
    name.replace('…', "")
}

/// Locations whose values a fact computes with, or compares by size.
pub fn numbers(library: &Library, object: &Object) -> Vec<usize> {
    let mut found = Vec::new();
    for fact in &object.facts {
        for (all, steps) in atoms(fact) {
            for atom in all {
                let Some((a, compare, b)) = values(atom) else { continue };
                let size = matches!(compare, Compare::Less | Compare::AtMost);
                let computes = |v: &Value| v.of.is_some() && (v.add > 0 || v.modulo.is_some());
                for v in [a, b].into_iter().filter(|_| size || computes(&a) || computes(&b)) {
                    let name = v.of.map(|(step, _)| steps[step].location.as_str());
                    found
                        .extend(library.classes.iter().position(|c| Some(spelled(&c.name).as_str()) == name));
                }
            }
        }
    }
    found
}

/// The largest number and the largest divisor that facts mention, and all numbers.
pub fn constants(object: &Object) -> (i64, i64, Vec<i64>) {
    let (mut largest, mut modulus, mut all) = (1, 1, Vec::new());
    for (a, _, b) in object.facts.iter().flat_map(atoms).flat_map(|(all, _)| all).filter_map(values) {
        for v in [a, b] {
            (largest, modulus) = (largest.max(v.add), modulus.max(v.modulo.unwrap_or(1)));
            all.extend(v.of.is_none().then_some(v.add));
        }
    }
    (largest, modulus, all)
}

/// The conditions of a fact, each with the steps that it numbers.
fn atoms(fact: &Fact) -> Vec<(Vec<&Atom>, Vec<&Step>)> {
    let steps: Vec<&Step> = fact.steps.iter().collect();
    let mut all = vec![(fact.given.iter().collect(), steps.clone())];
    if let Conclusion::Either(ways) = &fact.conclusion {
        for way in ways {
            all.push((way.atoms.iter().collect(), steps.iter().copied().chain(&way.some).collect()));
        }
    }
    all
}

fn values(atom: &Atom) -> Option<(Value, Compare, Value)> {
    match atom {
        Atom::Values(a, compare, b) => Some((*a, *compare, *b)),
        Atom::Not(atom) => values(atom),
        _ => None,
    }
}

type Wrong = (String, Option<String>);

impl Pattern {
    fn of(library: &Library, object: &Object, step: &Step) -> Result<Self, Wrong> {
        let class = library.classes.iter().position(|c| spelled(&c.name) == step.location);
        let Some(class) = class else {
            let all: Vec<String> =
                library.classes.iter().filter(|c| c.bytes > 0).map(|c| spelled(&c.name)).collect();
            let why = format!("operations touch no location `{}`", step.location);
            return Err((why, Some(format!("there are {}", all.join(", ")))));
        };
        let own = library.operations.iter().flat_map(|o| o.tree.nodes.iter().zip(&o.access));
        let own = own.filter(|(node, _)| node.own && node.writes());
        if own.into_iter().any(|(_, access)| access.as_ref().is_some_and(|a| a.0 == class)) {
            let why = format!("`{}` is also written where nobody else can see it", step.location);
            return Err((why, Some("facts are about locations that only shared steps write".into())));
        }
        let operation = step.operation.as_ref();
        let operation = operation.and_then(|name| object.operations.iter().position(|o| o.name == *name));
        let (acquires, releases) = (step.acquires, step.releases);
        Ok(Pattern { does: step.does, acquires, releases, class, operation, by: step.by })
    }

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

    /// Any write at all.
    pub fn is_open(&self) -> bool {
        let free = !self.acquires && !self.releases && self.operation.is_none() && self.by.is_none();
        self.does == Does::Write && free
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
    fn of(library: &Library, object: &Object, fact: &Fact) -> Result<Self, Wrong> {
        let pattern = |step: &Step| Pattern::of(library, object, step);
        let steps: Vec<Pattern> = fact.steps.iter().map(pattern).collect::<Result<_, _>>()?;
        let ways: &[Alternative] =
            if let Conclusion::Either(ways) = &fact.conclusion { ways } else { Default::default() };
        let some: Vec<Option<Pattern>> =
            ways.iter().map(|w| w.some.as_ref().map(pattern).transpose()).collect::<Result<_, _>>()?;
        for (all, steps) in atoms(fact) {
            let sort = |v: &Value| {
                let at = v.of.and_then(|(step, _)| {
                    library.classes.iter().find(|c| spelled(&c.name) == steps[step].location)
                });
                at.map(|c| (c.sort, &c.name))
            };
            for (a, _, b) in all.into_iter().filter_map(values) {
                match (sort(&a), sort(&b)) {
                    (Some((Sort::Wild, name)), _) | (_, Some((Sort::Wild, name))) => {
                        let help = "that is done where operations only add to what they read, or store numbers up to 32";
                        return Err((
                            format!("values of `{}` are not followed", spelled(name)),
                            Some(help.into()),
                        ));
                    }
                    (Some((x, one)), Some((y, other))) if x != y => {
                        let why = format!(
                            "`{}` holds numbers, and `{}` does not, or the other way round",
                            spelled(one),
                            spelled(other)
                        );
                        return Err((why, None));
                    }
                    _ => {}
                }
            }
        }
        Ok(Stated { fact: fact.clone(), steps, some })
    }

    pub fn name(&self) -> String {
        format!("{} {}", word(&self.fact), self.fact.name)
    }

    pub fn given(&self) -> &[Atom] {
        &self.fact.given
    }

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
