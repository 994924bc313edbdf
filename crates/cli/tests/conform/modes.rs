//! Other access modes, against trying them all: what `weaken` finds holds and no single access can be
//! weaker; what `repair` finds holds, and nothing smaller does.

use super::objects::{self, Template};
use super::{LARGEST, Subject, examples};
use lineal_check::conform::clients::Bound;
use lineal_check::conform::{self, Asked, Clients, Reductions};
use lineal_model::object::Level;
use lineal_model::program::client::Compiled;
use lineal_model::program::modes::{Modes, Spot};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::BTreeMap;

/// An object, and what is asked of it.
#[derive(Clone, Copy)]
struct Asking<'a> {
    level: &'a Level,
    memory: Memory,
    calls: usize,
}

impl Asking<'_> {
    fn problem<'b>(&'b self, clients: &'b Compiled) -> conform::Problem<'b> {
        conform::Problem {
            clients,
            asked: Asked::Every(Bound::Total(self.calls)),
            memory: self.memory,
            level: self.level,
            unroll: None,
            question: Default::default(),
            unroll_at: &[],
            preemptions: None,
            reductions: Reductions::default(),
        }
    }

    /// `None`: too large, or nothing that can be asked.
    fn holds(&self, clients: &Compiled) -> Option<bool> {
        let checked = conform::check(&self.problem(clients), &effort(), &Unwatched).ok()?;
        match checked.finding.verdict {
            Verdict::Holds(_) => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::Unknown(_) => None,
        }
    }
}

fn effort() -> Effort {
    Effort { max_states: Some(LARGEST), ..Effort::default() }
}

fn with(clients: &Compiled, spots: &[Spot], changes: &[(usize, Modes)]) -> Compiled {
    let changes: Vec<(&Spot, Modes)> = changes.iter().map(|(i, m)| (&spots[*i], *m)).collect();
    clients.with_modes(&changes)
}

fn weight(spots: &[Spot], changes: &[(usize, Modes)]) -> i64 {
    let weight = |i: usize, m: Modes| i64::from(spots[i].access.weight(m));
    changes.iter().map(|&(i, m)| weight(i, m) - weight(i, spots[i].modes)).sum()
}

/// Every choice of stronger modes at so many accesses.
fn choices(spots: &[Spot], count: usize, from: usize) -> Vec<Vec<(usize, Modes)>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for i in from..spots.len() {
        for rest in choices(spots, count - 1, i + 1) {
            all.extend(spots[i].stronger().into_iter().map(|m| [&[(i, m)][..], &rest[..]].concat()));
        }
    }
    all
}

/// So many other repairs are tried.
const MOST: usize = 3000;

/// Weakens an object; says how many accesses changed.
#[track_caller]
fn weaken(clients: &Compiled, asking: Asking<'_>, shown: &str) -> Option<usize> {
    let spots = clients.spots();
    let found = conform::weaken(&asking.problem(clients), &spots, &effort(), &Unwatched).ok()?;
    let rewrite = found.checked.finding.rewrite.as_ref().filter(|r| r.minimal)?;
    assert_eq!(rewrite.changes.len(), found.changes.len());
    let new = with(clients, &spots, &found.changes);
    assert_eq!(asking.holds(&new), Some(true), "{shown}");
    for (i, spot) in new.spots().iter().enumerate() {
        for weaker in spot.weaker() {
            let further = new.with_modes(&[(spot, weaker)]);
            assert_ne!(asking.holds(&further), Some(true), "access {i} can be {weaker:?}: {shown}");
        }
    }
    Some(found.changes.len())
}

/// Repairs an object; says how many accesses changed. `Some(None)`: nothing helps.
#[track_caller]
fn repair(clients: &Compiled, asking: Asking<'_>, shown: &str) -> Option<Option<usize>> {
    let spots = clients.spots();
    let found = conform::repair(&asking.problem(clients), &spots, &effort(), &Unwatched).ok()?;
    let Verdict::Violated(_) = found.broken.finding.verdict else { return None };
    let Some(repaired) = found.repaired else {
        let all: Vec<(usize, Modes)> = spots.iter().enumerate().map(|(i, s)| (i, s.strongest())).collect();
        assert_eq!(asking.holds(&with(clients, &spots, &all)), Some(false), "{shown}");
        for one in choices(&spots, 1, 0) {
            assert_ne!(asking.holds(&with(clients, &spots, &one)), Some(true), "{one:?} helps: {shown}");
        }
        return Some(None);
    };
    repaired.checked.finding.rewrite.as_ref().filter(|r| r.minimal)?;
    let changes = repaired.changes;
    assert_eq!(asking.holds(&with(clients, &spots, &changes)), Some(true), "{shown}");
    let lighter = |other: &Vec<(usize, Modes)>| {
        other.len() < changes.len() || weight(&spots, other) < weight(&spots, &changes)
    };
    // Fewest changes first; where there are very many choices, not all.
    let others = (0..=changes.len()).flat_map(|count| choices(&spots, count, 0)).filter(lighter);
    for other in others.take(MOST) {
        let said = asking.holds(&with(clients, &spots, &other));
        assert_ne!(said, Some(true), "{other:?} is less than {changes:?}: {shown}");
    }
    Some(Some(changes.len()))
}

#[test]
fn random_objects_are_weakened_as_far_as_can_be() {
    sweep(
        11,
        |template, rng| template.raised(rng),
        |clients, asking, shown| match weaken(clients, asking, shown) {
            None => "nothing",
            Some(0) => "none",
            Some(1..=2) => "few",
            Some(_) => "many",
        },
    );
}

#[test]
fn random_objects_are_repaired_with_as_little_as_can_be() {
    sweep(
        12,
        |template, rng| if rng.below(2) == 0 { template.random(rng) } else { template.lowered(rng) },
        |clients, asking, shown| match repair(clients, asking, shown) {
            None => "nothing",
            Some(None) => "hopeless",
            Some(Some(1)) => "one",
            Some(Some(_)) => "several",
        },
    );
}

fn sweep(
    seed: u64,
    make: impl Fn(&Template, &mut Choices) -> String,
    search: impl Fn(&Compiled, Asking<'_>, &str) -> &'static str,
) {
    let (count, seed) = (if super::full() { 400 } else { 60 }, lineal_sweep::seed(seed));
    println!("seed {seed}");
    let mut rng = Choices::new(seed);
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..count {
        let all = objects::all();
        let (name, template) = &all[rng.below(all.len())];
        let text = make(template, &mut rng);
        let levels = template.levels();
        // Most objects keep a weak level, or nearly.
        let most = if rng.below(3) == 0 { levels.len() } else { 2 };
        let level = &levels[rng.below(most)];
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Ra][rng.below(3)];
        let subject = Subject::new(text);
        let asking = Asking { level, memory, calls: if *name == "michael-scott" { 2 } else { 3 } };
        let shown = format!("{name}, level {level}, {memory}\n{}", subject.text);
        *seen.entry(search(&subject.loaded.compiled, asking, &shown)).or_default() += 1;
    }
    println!("{count} objects: {seen:?}");
    let idle = seen.get("nothing").copied().unwrap_or(0);
    assert!(idle < count * 3 / 4 && seen.len() >= 3, "{seen:?}");
}

/// From nothing but seq_cst, orders come out that are as weak as those their authors chose.
#[test]
fn published_objects_are_found_again() {
    let of = |folder: &str, file: &str| {
        let all = examples::objects(folder);
        let (shown, text) = all.into_iter().find(|(shown, _)| shown.ends_with(file)).expect("an example");
        Subject::named(&shown, text)
    };
    let cases = [
        ("stack", "/treiber-heap.c", 4),
        ("queue", "/michael-scott-heap.c", 4),
        ("queue", "/herlihy-wing.c", 4),
    ];
    for (folder, file, calls) in cases {
        let subject = of(folder, file);
        let chosen = subject.loaded.compiled.spots();
        let all: Vec<(&Spot, Modes)> = chosen.iter().map(|s| (s, s.strongest())).collect();
        let start = subject.loaded.compiled.with_modes(&all);
        let asking = Asking { level: &Level::R, memory: Memory::Rc11, calls };
        let spots = start.spots();
        let found = conform::weaken(&asking.problem(&start), &spots, &Effort::default(), &Unwatched).unwrap();
        assert!(found.checked.finding.rewrite.is_some_and(|r| r.minimal));
        assert!(matches!(found.checked.finding.verdict, Verdict::Holds(_)));
        for (i, hand) in chosen.iter().enumerate() {
            let new = found.changes.iter().find(|c| c.0 == i).map_or(spots[i].modes, |c| c.1);
            let fits = new == hand.modes || new.is_weaker(hand.modes);
            assert!(fits, "{file}: {} has {:?}, found {new:?}", hand.place, hand.modes);
        }
    }
}

/// Each of these was made wrong by one order, and is right again with one change.
#[test]
fn wrong_orders_in_the_examples_are_repaired() {
    let cases = [("set", "/michael-list-acquire-publish.c", 3, 1), ("queue", "/front-back-split.c", 4, 2)];
    for (folder, file, calls, changes) in cases {
        let all = examples::objects(folder);
        let (shown, text) = all.into_iter().find(|(shown, _)| shown.ends_with(file)).expect("an example");
        let subject = Subject::named(&shown, text);
        let asking = Asking { level: &Level::R, memory: Memory::Rc11, calls };
        assert_eq!(repair(&subject.loaded.compiled, asking, &shown), Some(Some(changes)), "{file}");
    }
}

/// Levels that hold are found whichever way they are asked about.
#[test]
fn the_strongest_level_is_the_strongest_that_holds() {
    for (name, template) in objects::all() {
        let subject = Subject::new(template.plain());
        let object = &subject.loaded.compiled.object;
        let asking = Asking { level: &Level::R, memory: Memory::Rc11, calls: 3 };
        let problem = asking.problem(&subject.loaded.compiled);
        let found = conform::strongest(&problem, &effort(), &Unwatched).unwrap().finding;
        let holds = |level: &Level| Asking { level, ..asking }.holds(&subject.loaded.compiled);
        let Some(levels) = found.levels else {
            assert_eq!(holds(&Level::None), Some(false), "{name}");
            continue;
        };
        println!("{name}: {levels:?}");
        let named =
            |word: &String| Level::NAMED.into_iter().find(|l| l.to_string() == *word).expect("a level");
        for level in &levels.hold {
            assert_eq!(holds(&named(level)), Some(true), "{name}: {level}");
        }
        for beyond in &levels.fail {
            assert_eq!(holds(&named(&beyond.level)), Some(false), "{name}: {}", beyond.level);
            if beyond.alone {
                assert!(!beyond.client.is_empty() && object.operations.len() > 1);
            }
        }
        // Whatever else holds is below.
        let strongest =
            Level::NAMED.iter().rev().find(|l| holds(l) == Some(true)).expect("it is linearizable");
        let same = |l: &String| holds(&named(l)) == holds(strongest);
        assert!(levels.hold.iter().all(same) && found.verdict.word() == "holds", "{name}: {strongest}");
    }
}
