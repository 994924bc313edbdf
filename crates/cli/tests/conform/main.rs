//! The engine of `lineal check` against two slow deciders, on small objects and on objects whose
//! memory orders were drawn at random.
//!
//! - Every client, that is every partial order of the calls, is run as a program of its own in
//!   which calls wait for each other, and each of its executions is explained by trying every
//!   order of the calls.
//! - The algorithm as published, in two phases.
//!
//! The objects are small ones of this suite, some with random memory orders, and those of
//! `examples/`.
//!
//! With `LINEAL_FULL=1`: clients of 4 calls, and 500 random objects from a fresh seed.

mod against;
mod examples;
mod idle;
mod missed;
mod modes;
mod objects;
mod orders;
mod partial;
mod reductions;
mod robust;
mod slow;
mod starving;

use lineal_check::conform::clients::{self, Bound, Threads};
use lineal_check::conform::{self, Asked, Clients, Reductions, Refused};
use lineal_check::reference::Reference;
use lineal_check::seeded::{self, Bug};
use lineal_lang::c11::object::{self, Loaded};
use lineal_lang::c11::{Options, Unit};
use lineal_model::object::{Client, Level, Shows};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use objects::Template;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object that was read.
pub struct Subject {
    pub loaded: Loaded,
    pub text: String,
}

impl Subject {
    pub fn new(text: String) -> Self {
        Subject::named("object.c", text)
    }

    pub fn named(name: &str, text: String) -> Self {
        match Unit::of(name, &text).and_then(|unit| object::load(&[unit], &Options::default())) {
            Ok((loaded, _)) => Subject { loaded, text },
            Err(found) => panic!("{found:?}\n{text}"),
        }
    }

    /// What the calls of a client do one after another, where the object says so itself.
    pub fn reference(&self, client: &Client) -> Option<Arc<Reference>> {
        self.loaded.compiled.reference(client).map(|r| r.expect("it runs"))
    }

    pub fn clients(&self, size: usize) -> Vec<Client> {
        let object = &self.loaded.compiled.object;
        clients::multisets(object.operations.len(), &Bound::Total(size), size)
            .iter()
            .flat_map(|counts| clients::clients(object, counts, Threads::Parallel))
            .collect()
    }

    /// Every way to let threads make the calls of this client.
    pub fn arrangements(&self, client: &Client) -> Vec<Client> {
        let object = &self.loaded.compiled.object;
        let mut counts = vec![0; object.operations.len()];
        client.calls.iter().for_each(|c| counts[c.operation] += 1);
        let all = clients::clients(object, &counts, Threads::Any);
        // Calls are numbered thread by thread.
        let sorted = |c: &Client| {
            let mut calls = c.calls.clone();
            calls.sort();
            calls
        };
        all.into_iter().filter(|c| sorted(c) == sorted(client)).collect()
    }
}

/// What to ask about a subject.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub subject: &'a Subject,
    pub level: &'a Level,
    pub memory: Memory,
    /// Clients with more executions than this are left out.
    pub largest: u64,
    pub reductions: Reductions,
}

/// What was answered about the clients with the calls of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    Holds,
    Violated,
    Unsafe,
    TooLarge,
}

const LARGEST: u64 = 30_000;

/// The engine on all clients with the calls of this one.
fn engine_all(q: Question<'_>, client: &Client) -> Said {
    engine(q, Asked::Calls(client.calls.clone()))
}

fn engine(q: Question<'_>, asked: Asked) -> Said {
    answer(q, asked, conform::Question::Linearizable)
}

fn answer(q: Question<'_>, asked: Asked, question: conform::Question) -> Said {
    explored(q, asked, question).0
}

/// What was answered, and after how many complete executions.
fn explored(q: Question<'_>, asked: Asked, question: conform::Question) -> (Said, u64) {
    let problem = conform::Problem {
        clients: &q.subject.loaded.compiled,
        asked,
        memory: q.memory,
        level: q.level,
        unroll: None,
        question,
        unroll_at: &[],
        preemptions: None,
        reductions: q.reductions,
    };
    let effort = Effort { max_states: Some(q.largest), ..Effort::default() };
    let checked = match conform::check(&problem, &effort, &Unwatched) {
        Ok(checked) => checked,
        // A test of arguments, which goes by counts, is no answer.
        Err(Refused::Arguments { .. }) => return (Said::Holds, 0),
        Err(why) => panic!("{why:?}"),
    };
    let said = match checked.finding.verdict {
        Verdict::Holds(_) => Said::Holds,
        Verdict::Violated(_) => match checked.exhibit.expect("there is a client").shows {
            Shows::Error(_) => Said::Unsafe,
            _ => Said::Violated,
        },
        Verdict::Unknown(_) => Said::TooLarge,
    };
    (said, checked.finding.stats.executions)
}

fn full() -> bool {
    lineal_sweep::full()
}

/// Compares on every client up to `size` calls; stops at the first violation.
#[track_caller]
fn agree(name: &str, q: Question<'_>, size: usize) -> Said {
    for n in 1..=size {
        for client in q.subject.clients(n) {
            let fast = engine_all(q, &client);
            if fast == Said::TooLarge {
                return fast;
            }
            let slow = slow::every_client(q, &client);
            if slow == Said::TooLarge {
                return slow;
            }
            let calls: Vec<String> =
                client.calls.iter().map(|c| q.subject.loaded.compiled.object.show_call(c)).collect();
            assert_eq!(
                fast,
                slow,
                "{name}, level {}, {}: {}\n{}",
                q.level,
                q.memory,
                calls.join(" || "),
                q.subject.text
            );
            if matches!(fast, Said::Holds | Said::Violated) && q.memory != Memory::Tso {
                let published = slow::published(q, &client);
                assert!(
                    fast == published || published == Said::TooLarge,
                    "as published: {name}, level {}, {}: {}\n{}",
                    q.level,
                    q.memory,
                    calls.join(" || "),
                    q.subject.text
                );
            }
            if fast != Said::Holds {
                return fast;
            }
        }
    }
    Said::Holds
}

#[test]
fn the_objects_as_they_should_be() {
    let size = if full() { 4 } else { 3 };
    let mut seen: BTreeMap<Said, u32> = BTreeMap::new();
    for (name, template) in objects::all() {
        let subject = Subject::new(template.plain());
        for level in template.levels() {
            let all = [Memory::Rc11, Memory::Tso, Memory::Sc, Memory::Ra];
            for memory in all.into_iter().take(if full() { 4 } else { 2 }) {
                let size = if memory == Memory::Rc11 { size } else { size.min(3) };
                let q = Question {
                    subject: &subject,
                    level: &level,
                    memory,
                    largest: LARGEST,
                    reductions: Reductions::default(),
                };
                let said = agree(name, q, size);
                *seen.entry(said).or_default() += 1;
                println!("{name}, level {level}, {memory}: {said:?}");
            }
        }
    }
    println!("{seen:?}");
    assert!(seen[&Said::Holds] >= 10 && seen[&Said::Violated] >= 5, "{seen:?}");
}

#[test]
fn objects_with_random_memory_orders() {
    let (count, seed) = (if full() { 500 } else { 40 }, lineal_sweep::seed(7));
    println!("seed {seed}");
    let mut rng = Choices::new(seed);
    let mut seen: BTreeMap<Said, u32> = BTreeMap::new();
    for _ in 0..count {
        let all = objects::all();
        let (name, template): &(&str, Template) = &all[rng.below(all.len())];
        let subject = Subject::new(template.random(&mut rng));
        let levels = template.levels();
        let level = &levels[rng.below(levels.len())];
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Ra, Memory::Tso][rng.below(4)];
        let said = agree(
            name,
            Question {
                subject: &subject,
                level,
                memory,
                largest: LARGEST,
                reductions: Reductions::default(),
            },
            3,
        );
        *seen.entry(said).or_default() += 1;
    }
    println!("{count} objects: {seen:?}");
    assert!(seen.get(&Said::Holds).is_some_and(|&n| n >= count / 5), "{seen:?}");
    assert!(seen.get(&Said::Violated).is_some_and(|&n| n >= count / 5), "{seen:?}");
}

/// Each way to break the engine is noticed on some object.
#[test]
fn a_broken_engine_is_noticed() {
    for bug in [Bug::NoExtend, Bug::NoSync, Bug::NoEco, Bug::NoPorf, Bug::OneEdge, Bug::OneLayer] {
        let noticed = objects::telltales().iter().any(|(template, level, size)| {
            let subject = Subject::new(template.plain());
            let q = Question {
                subject: &subject,
                level,
                memory: Memory::Rc11,
                largest: LARGEST,
                reductions: Reductions::default(),
            };
            subject.clients(*size).iter().any(|client| {
                let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    seeded::with(bug, || engine_all(q, client))
                }));
                let whole = engine_all(q, client);
                // A violation that does not stand a second look is a panic.
                broken.map_or(true, |said| said != whole)
            })
        });
        assert!(noticed, "{bug:?}");
    }
}
