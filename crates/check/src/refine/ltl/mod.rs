//! Temporal logic: does every run of a process, or every fair one, satisfy a formula?
//!
//! Vardi and Wolper's method: the runs that do *not* satisfy it are those that an automaton accepts
//! (`normal`, `automaton`, `trim`), so a run of the product is looked for (`world`, `product`,
//! `search`), with fairness by strongly connected components (`fair`). Every run that is found is made
//! short (`lasso`), brought back to the process without reductions (`concrete`) and confirmed by code
//! that shares nothing with all this (`replay::lasso`).
//!
//! Reductions. Dead variables change no step, so they are always reset, except under global fairness,
//! whose steps are those between the states themselves. Fusion leaves out positions, and brings steps
//! of others forward past the positions of events: it is used if the formula has no `X`, no events and
//! no fairness. Symmetry is used if no renaming changes the formula, and without fairness, which is
//! about each party by its own name. Annotations of events are fairness in this respect.
//!
//! What cannot be brought back, because a state has several representatives, is looked for again without
//! these two.
//!
//! A run that faults violates a formula as it does other assertions; to that end states are visited
//! that no longer matter to the formula. A run into a state in which a condition of the formula has
//! no value is not followed; if nothing else is found, the answer is *unknown*.

mod automaton;
mod concrete;
mod fair;
mod judge;
mod lasso;
mod normal;
mod product;
mod search;
mod trim;
mod world;

use super::claim::{Answer, Case, Settings};
use super::confirm::unfinished;
use super::explore::Order;
use super::reduce::{Reduced, Reductions};
use super::replay::RunStep;
use super::safety::{self, Found as Seen, Wanted};
use super::search::{Outcome, Tally};
use super::symmetry::Symmetry;
use super::witness;
use crate::explain::temporal;
use crate::replay::lasso as again;
use crate::seeded::{self, Bug};
use automaton::Automaton;
use concrete::Run;
use lineal_model::lts::StepsOf;
use lineal_model::process::formula::Meaning;
use lineal_model::process::*;
use lineal_model::{Limit, Verdict};
use normal::Pool;
use product::Product;
use search::{Found, charge, is_due};
use world::World;

pub use judge::judge;

/// What became of something that was found.
enum Shown {
    Told(Box<Answer>),
    /// Its beginning does not settle the formula by itself.
    Open,
    /// It could not be brought back to the process itself.
    Lost,
}

/// What makes a claim about runs empty.
const NO_RUN: &str = "no run does what the annotations of events (wl, sl) ask for";

impl<'c, 'm> Case<'c, 'm> {
    pub(super) fn temporal(&self, ltl: &Ltl, fairness: Fairness) -> Result<Answer, Fault> {
        let ltl = &self.settled(ltl)?;
        let mut answer = match self.decide(ltl, fairness, self.settings)? {
            Some(answer) => answer,
            None => {
                let bare = Settings { symmetry: false, fuse: false, ..*self.settings };
                let again = self.decide(ltl, fairness, &bare)?;
                match again.filter(|answer| !matches!(answer.verdict, Verdict::Holds(_))) {
                    Some(mut answer) => {
                        if let Verdict::Unknown(limit) = &mut answer.verdict {
                            *limit = unfinished(limit.clone());
                        }
                        answer
                    }
                    None => match self.confirmed(None) {
                        Ok(answer) => answer,
                        Err(limit) => self.unknown(limit, Tally::default()),
                    },
                }
            }
        };
        answer.remarks.extend(ltl.notes.iter().cloned());
        Ok(answer)
    }

    /// The formula with what its conditions mean here.
    fn settled(&self, ltl: &Ltl) -> Result<Ltl, Fault> {
        let mut settled = ltl.clone();
        for atom in &mut settled.atoms {
            if let Meaning::Condition(e) = &mut atom.meaning {
                *e = self.universe.settled(e)?;
            }
        }
        Ok(settled)
    }

    /// `None`: something was found that could not be brought back to the process itself.
    fn decide(&self, ltl: &Ltl, fairness: Fairness, settings: &Settings) -> Result<Option<Answer>, Fault> {
        let events = |i: usize| matches!(ltl.atoms[i].meaning, Meaning::Event(..));
        let events = (0..ltl.atoms.len()).filter(|i| events(*i)).fold(0, |m, i| m | 1 << i);
        let mut pool = Pool::default();
        let wrong = pool.add(&ltl.formula, false);
        let Ok(automaton) = Automaton::of(&pool, wrong, events) else {
            let limit = Limit::method("The formula is too large: its automaton has thousands of states.");
            return Ok(Some(self.unknown(limit, Tally::default())));
        };
        let automaton = trim::trimmed(automaton);
        let watched: Vec<_> = ltl.conditions().collect();
        let reset = settings.reset && fairness != Fairness::Global;
        let unfair = fairness == Fairness::None && self.annotations().is_empty();
        let fuse = settings.fuse && unfair && events == 0 && !ltl.formula.has_next();
        let copies = settings.symmetry && unfair;
        let system = self.reduced(Reductions { reset, fuse, copies, calls: false }, &watched)?;
        let renaming = match copies {
            true => self.renaming(&system, None, &watched),
            false => None,
        };
        let named = |r: &super::renaming::Renaming| {
            let ids = ltl.atoms.iter().filter_map(|a| a.event(&self.universe.events));
            ids.into_iter().any(|e| r.generators().iter().any(|p| r.event(*p, e) != e))
        };
        let renaming = renaming.filter(|r| seeded::active(Bug::NamesForgotten) || !named(r));
        let symmetry = renaming.as_ref().map(|r| r as &dyn Symmetry);
        let mut product = Product::new(World::new(&system, symmetry, &ltl.atoms), &automaton);
        let found = search::search(&mut product, fairness, self.effort, self.watch);
        let found = match found {
            Found::Nothing => {
                let mut answer = self.nothing_found(&system, product)?;
                if let Verdict::Holds(scope) = &mut answer.verdict
                    && self.annotations().are_live()
                {
                    match self.some_run(&system, fairness) {
                        Found::Limit(limit) => return Ok(Some(self.unknown(limit, answer.tally))),
                        Found::Nothing => scope.vacuous.push(NO_RUN.into()),
                        Found::Sunk(_) | Found::Around(_) => {}
                    }
                }
                return Ok(Some(answer));
            }
            Found::Limit(limit) => return Ok(Some(self.unknown(limit, tally(&product)))),
            found => found,
        };
        let visited = tally(&product);
        let loose = self.reduced(Reductions { reset, ..Reductions::NONE }, &watched)?;
        let shown = self.shown(ltl, fairness, &mut product, &loose, found, visited)?;
        match shown {
            Shown::Told(answer) => return Ok(Some(*answer)),
            Shown::Lost => return Ok(None),
            Shown::Open => {}
        }
        // Part of the formula is true or false for reasons that no finite run shows.
        match search::endless(&mut product, fairness, self.effort, self.watch) {
            Found::Limit(limit) => Ok(Some(self.unknown(limit, visited))),
            // Whatever goes on from there faults, or cannot be followed.
            Found::Nothing => {
                let answer = self.nothing_found(&system, product)?;
                let holds = matches!(answer.verdict, Verdict::Holds(_));
                assert!(!holds, "a beginning goes on: {}; please report the model", self.assertion.text);
                Ok(Some(answer))
            }
            found => match self.shown(ltl, fairness, &mut product, &loose, found, visited)? {
                Shown::Told(answer) => Ok(Some(*answer)),
                Shown::Lost => Ok(None),
                Shown::Open => unreachable!("an endless run settles every formula"),
            },
        }
    }

    /// Whether any run counts at all: live events may ask for what nobody can do.
    fn some_run(&self, system: &Reduced<'c, 'm>, fairness: Fairness) -> Found {
        let automaton = Automaton::of(&Pool::default(), normal::TRUE, 0).expect("it has one state");
        let automaton = trim::trimmed(automaton);
        let mut product = Product::new(World::new(system, None, &[]), &automaton);
        search::endless(&mut product, fairness, self.effort, self.watch)
    }

    /// The witness for what was found.
    fn shown(
        &self,
        ltl: &Ltl,
        fairness: Fairness,
        product: &mut Product,
        loose: &Reduced<'c, 'm>,
        found: Found,
        visited: Tally,
    ) -> Result<Shown, Fault> {
        let lasso = lasso::shortest(product, fairness, found, self.watch);
        let plain = self.plain()?;
        let run = concrete::concrete(&product.world, loose, &plain, &lasso);
        let Some(run) = run else { return Ok(Shown::Lost) };
        let walked = again::walk(&plain, ltl, fairness, &run.prefix, run.cycle.as_deref());
        if let (Err(again::Refuted::Open), None) = (&walked, &run.cycle) {
            return Ok(Shown::Open);
        }
        let shortest = lasso.cycle.is_none();
        Ok(Shown::Told(Box::new(match self.confirmed_by(walked) {
            Ok(walked) => self.told(&plain, (ltl, fairness), &run, &walked, shortest, visited),
            Err(limit) => self.unknown(limit, visited),
        })))
    }

    /// No run violates the formula; whether all is well depends on what else was seen.
    fn nothing_found(&self, system: &Reduced<'c, 'm>, mut product: Product) -> Result<Answer, Fault> {
        // What no longer matters to the formula may still fault.
        let (mut state, mut work, mut steps) = (0, 0, 0);
        while state < product.world.states.len() as u32 && !product.world.is_endless() {
            if is_due(&product, &mut work, steps, self.effort)
                && let Some(limit) = charge(&product, self.effort, self.watch)
            {
                return Ok(self.unknown(limit, tally(&product)));
            }
            steps = product.world.out(state).len();
            state += 1;
        }
        let tally = tally(&product);
        if product.world.wrong.is_some() {
            let mut never = |_: &[u8], _: StepsOf<Fault>| false;
            let (seen, _) = safety::explore(
                system,
                None,
                Wanted::State(&mut never),
                Order::Breadth,
                self.effort,
                self.watch,
            );
            return Ok(match seen {
                Seen::Fault(failure) => {
                    self.settle(Outcome::Violated(failure), tally, None, Semantics::Traces)
                }
                Seen::Unknown(limit) => self.unknown(limit, tally),
                Seen::Nothing | Seen::At(_) => unreachable!("a run that faults was seen before"),
            });
        }
        if let Some(gap) = &product.world.gap {
            let mut limit = Limit::method(format!("{}.", witness::capital(&gap.message)));
            limit.at = self.universe.model.place(gap.spot);
            return Ok(self.unknown(limit, tally));
        }
        if let Some(fault) = &product.world.unclear {
            let limit = Limit::method(format!("a condition of the formula has no value: {}", fault.message));
            return Ok(self.unknown(limit, tally));
        }
        Ok(self.holds(tally))
    }

    fn told(
        &self,
        plain: &System,
        (ltl, fairness): (&Ltl, Fairness),
        run: &Run,
        walked: &again::Walked,
        shortest: bool,
        tally: Tally,
    ) -> Answer {
        let steps: Vec<RunStep> = walked
            .moves
            .iter()
            .map(|(index, m)| RunStep {
                index: *index,
                label: m.label,
                who: m.who,
                site: m.site,
                to: m.to.as_ref().ok().cloned(),
            })
            .collect();
        let repeats = run.cycle.as_ref().filter(|c| !c.is_empty()).map(|_| run.prefix.len());
        let mut witness = witness::lasso(self.universe, plain, &steps, repeats, run.cycle.is_some());
        witness.reasons = temporal::reasons(ltl, &walked.positions);
        witness.shortest = shortest;
        if let (Fairness::None, Some(first)) = (fairness, repeats)
            && let Some(kind) = again::ruled_out_by(plain, walked, first)
        {
            witness.hints.push(temporal::unfair(kind).into());
        }
        Answer {
            verdict: Verdict::Violated(Box::new(witness)),
            tally,
            run: steps.iter().map(|s| s.index).collect(),
            repeats,
            remarks: Vec::new(),
            example: None,
        }
    }

    /// What the replay says, if it confirms what was found.
    fn confirmed_by<T>(&self, found: Result<T, again::Refuted>) -> Result<T, Limit> {
        let hidden = self.universe.model.cells.iter().any(|c| c.hidden);
        match found {
            Ok(found) => Ok(found),
            Err(_) if hidden => self.confirmed(None),
            Err(why) => {
                panic!("a run was not confirmed ({why:?}): {}; please report the model", self.assertion.text)
            }
        }
    }
}

fn tally(product: &Product) -> Tally {
    Tally {
        states: product.world.states.len() as u64,
        pairs: product.len() as u64,
        bytes: product.size(),
        ..Tally::default()
    }
}
