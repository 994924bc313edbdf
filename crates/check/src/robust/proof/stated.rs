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

use lineal_model::Diagnostic;
use lineal_model::fact::{Alternative, Atom, Compare, Conclusion, Does, Fact, Step, Value};
use lineal_model::object::Object;

/// What is known of the locations of a class.
pub struct Known<'a> {
    pub name: &'a str,
    /// Values are numbers, or only told apart; `None`: they are not followed.
    pub numbers: Option<bool>,
    /// Also written in blocks that nobody else knows of.
    pub own: bool,
}

/// Which steps are meant.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub does: Does,
    pub acquires: bool,
    pub releases: bool,
    pub class: usize,
    pub operation: Option<usize>,
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

/// The facts of an object; what is wrong with the others.
pub fn resolve(known: &[Known<'_>], object: &Object) -> (Vec<Stated>, Vec<Diagnostic>) {
    let (mut all, mut wrong) = (Vec::new(), Vec::new());
    for fact in &object.facts {
        match Stated::of(known, object, fact) {
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
pub fn numbers(known: &[Known<'_>], object: &Object) -> Vec<usize> {
    let mut found = Vec::new();
    for fact in &object.facts {
        for (all, steps) in atoms(fact) {
            for atom in all {
                let Some((a, compare, b)) = values(atom) else { continue };
                let size = matches!(compare, Compare::Less | Compare::AtMost);
                let computes = |v: &Value| v.of.is_some() && (v.add > 0 || v.modulo.is_some());
                for v in [a, b].into_iter().filter(|_| size || computes(&a) || computes(&b)) {
                    let name = v.of.map(|(step, _)| steps[step].location.as_str());
                    found.extend(known.iter().position(|c| Some(spelled(c.name).as_str()) == name));
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
    fn of(known: &[Known<'_>], object: &Object, step: &Step) -> Result<Self, Wrong> {
        let class = known.iter().position(|c| spelled(c.name) == step.location);
        let Some(class) = class else {
            let all: Vec<String> = known.iter().map(|c| spelled(c.name)).collect();
            let why = format!("operations touch no location `{}`", step.location);
            return Err((why, Some(format!("there are {}", all.join(", ")))));
        };
        if known[class].own {
            let why = format!("`{}` is also written where nobody else can see it", step.location);
            return Err((why, Some("facts are about locations that only shared steps write".into())));
        }
        let operation = step.operation.as_ref();
        let operation = operation.and_then(|name| object.operations.iter().position(|o| o.name == *name));
        let (acquires, releases) = (step.acquires, step.releases);
        Ok(Pattern { does: step.does, acquires, releases, class, operation, by: step.by })
    }

    /// Any write at all.
    pub fn is_open(&self) -> bool {
        let free = !self.acquires && !self.releases && self.operation.is_none() && self.by.is_none();
        self.does == Does::Write && free
    }
}

impl Stated {
    fn of(known: &[Known<'_>], object: &Object, fact: &Fact) -> Result<Self, Wrong> {
        let pattern = |step: &Step| Pattern::of(known, object, step);
        let steps: Vec<Pattern> = fact.steps.iter().map(pattern).collect::<Result<_, _>>()?;
        let ways: &[Alternative] =
            if let Conclusion::Either(ways) = &fact.conclusion { ways } else { Default::default() };
        let some: Vec<Option<Pattern>> =
            ways.iter().map(|w| w.some.as_ref().map(pattern).transpose()).collect::<Result<_, _>>()?;
        for (all, steps) in atoms(fact) {
            let sort = |v: &Value| {
                let at =
                    v.of.and_then(|(step, _)| known.iter().find(|c| spelled(c.name) == steps[step].location));
                at.map(|c| (c.numbers, c.name))
            };
            for (a, _, b) in all.into_iter().filter_map(values) {
                match (sort(&a), sort(&b)) {
                    (Some((None, name)), _) | (_, Some((None, name))) => {
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
}
