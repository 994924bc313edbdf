//! Updates that store what they read, taken for reads or not: the same verdicts, on the small objects
//! of this suite with such updates put between their statements, where they may synchronise what would
//! not be otherwise, or race. Small clients also by the slow decider, which knows nothing of this.
//!
//! `LINEAL_FULL=1` draws many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use super::{Question, Said, Subject, engine, explored, full, objects, slow};
use lineal_check::conform::clients::Bound;
use lineal_check::conform::{self, Asked, Reductions};
use lineal_check::seeded::{self, Bug};
use lineal_lang::c11::object;
use lineal_lang::c11::{Options, Unit};
use lineal_model::Memory;
use lineal_model::object::Level;
use lineal_sweep::Choices;
use std::collections::BTreeMap;

const LARGEST: u64 = 10_000;

/// An idle update of a cell that the object uses, or of one beside it; sometimes it is not idle, or a
/// plain access.
fn idle(cells: &[&str], rng: &mut Choices) -> String {
    let side = ["side", "other"][rng.below(2)];
    let cell = if rng.below(2) == 0 { cells[rng.below(cells.len())] } else { side };
    let order = ["0", "2", "3", "4", "4", "4", "5"][rng.below(7)];
    // If every execution has one, nothing is gained.
    let guard = cells[rng.below(cells.len())];
    let sometimes = match rng.below(4) {
        0 => String::new(),
        _ => format!("if (__atomic_load_n(&{guard}, {})) ", ["0", "2"][rng.below(2)]),
    };
    if rng.below(6) == 0 {
        return format!("{{ if ({cell} > 100) __atomic_store_n(&other, 1, 3); }}");
    }
    let update = match rng.below(11) {
        0..=4 => format!("__atomic_fetch_add(&{cell}, 0, {order});"),
        5 | 6 => format!("__atomic_fetch_or(&{cell}, 0, {order});"),
        7 | 8 => format!("__atomic_exchange_n(&{side}, {}, {order});", rng.below(2)),
        9 => format!("if (__atomic_fetch_or(&{side}, {}, {order})) other |= 0;", rng.below(2)),
        _ => format!("if (__atomic_fetch_and(&{cell}, -1, {order}) < 0) __atomic_store_n(&other, 1, 3);"),
    };
    format!("{{ {sometimes}{update} }}")
}

/// The object with idle updates behind some of its statements.
fn with_idle(text: &str, rng: &mut Choices) -> String {
    let declared = text.lines().filter_map(|l| l.strip_prefix("static int ")?.strip_suffix(';'));
    let names = declared.flat_map(|l| l.split(", ")).filter(|n| !n.contains('['));
    let mut cells: Vec<&str> = names.map(|n| n.split(' ').next().expect("a name")).collect();
    cells.extend(["side", "other"]);
    let lines: Vec<&str> = text.lines().collect();
    let mut out = vec!["static int side, other;".to_string()];
    let often = 2 + rng.below(3);
    for (n, line) in lines.iter().enumerate() {
        let next = lines.get(n + 1).map_or("", |l| l.trim());
        let body = line.starts_with("    ") && (line.ends_with(';') || line.ends_with('{'));
        if body && !next.starts_with("while") && !next.starts_with("else") && rng.below(often) == 0 {
            if rng.below(2) == 0 || line.ends_with('{') {
                out.extend([line.to_string(), idle(&cells, rng)]);
            } else {
                out.extend([format!("{{ {}", idle(&cells, rng)), line.to_string(), "}".into()]);
            }
        } else if let Some((head, rest)) = line.split_once(") { ")
            && line.starts_with(|c: char| c.is_alphabetic())
            && rng.below(2) == 0
        {
            out.push(format!("{head}) {{ {} {rest}", idle(&cells, rng)));
        } else {
            out.push(line.to_string());
        }
    }
    out.join("\n") + "\n"
}

fn ask<'a>(subject: &'a Subject, level: &'a Level, memory: Memory, reductions: Reductions) -> Question<'a> {
    Question { subject, level, memory, largest: LARGEST, reductions }
}

#[test]
fn idle_updates_may_be_reads() {
    let (count, size, slowly) = if full() { (4_000, 4, 3) } else { (120, 3, 2) };
    let first = lineal_sweep::seed(3);
    println!("seed {first}");
    let templates = objects::all();
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    for n in 0..count {
        let rng = &mut Choices::new(first.wrapping_mul(9_000_011) + n);
        let (name, template) = &templates[rng.below(templates.len())];
        let text = if rng.below(2) == 0 { template.plain() } else { template.lowered(rng) };
        let text = with_idle(&text, rng);
        let levels = template.levels();
        let level = &levels[rng.below(levels.len())];
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Ra, Memory::Sc][rng.below(4)];
        // Behind a declaration without braces, or so.
        let loaded = Unit::of("object.c", &text).and_then(|unit| object::load(&[unit], &Options::default()));
        let Ok((loaded, _)) = loaded else {
            *tally.entry("not C".into()).or_default() += 1;
            continue;
        };
        let subject = Subject { loaded, text };
        let (on, off) = (Reductions::default(), Reductions { idle: false, ..Reductions::default() });
        let plainly = Reductions { idle: true, ..Reductions::NONE };
        let mut said = Said::Holds;
        for client in (1..=size).flat_map(|n| subject.clients(n)) {
            let asked = |reductions| {
                let calls = Asked::Calls(client.calls.clone());
                explored(ask(&subject, level, memory, reductions), calls, conform::Question::Linearizable)
            };
            let (unreduced, count) = asked(off);
            said = unreduced;
            if said == Said::TooLarge {
                break;
            }
            let shown = || {
                let client = subject.loaded.compiled.object.show_client(&client);
                format!("{n} (seed {first}) {name}, level {level}, {memory}: {client}\n{}", subject.text)
            };
            let (reduced, fewer) = asked(on);
            // Of two things that are wrong, either may be found first.
            let wrong = |said: Said| matches!(said, Said::Violated | Said::Unsafe);
            let same = |other: Said| other == said || wrong(other) && wrong(said);
            assert!(same(reduced), "{reduced:?}, {said:?}: {}", shown());
            if said == Said::Holds && fewer < count {
                *tally.entry("clients with fewer executions".into()).or_default() += 1;
            }
            let (alone, _) = asked(plainly);
            assert!(same(alone) || alone == Said::TooLarge, "alone: {alone:?}, {said:?}: {}", shown());
            if client.calls.len() <= slowly {
                let slow = slow::every_client(ask(&subject, level, memory, on), &client);
                assert!(same(slow) || slow == Said::TooLarge, "slow: {slow:?}, {said:?}: {}", shown());
            }
            if said != Said::Holds {
                break;
            }
        }
        *tally.entry(format!("{said:?}")).or_default() += 1;
    }
    println!("{count} objects: {tally:?}");
    let many = |what: &str| tally.get(what).is_some_and(|&n| n * 20 > count);
    let all = ["Holds", "Violated", "Unsafe", "clients with fewer executions"];
    assert!(all.into_iter().all(many), "{tally:?}");
}

/// What the engine says of the clients with up to so many calls.
fn worst(text: &str, idle: bool) -> Said {
    let subject = Subject::new(text.into());
    let reductions = Reductions { idle, ..Reductions::default() };
    engine(ask(&subject, &Level::None, Memory::Rc11, reductions), Asked::Every(Bound::Total(3)))
}

/// Of the first two, one sees the other, since both have updated `baton`: idly.
const TOLD_BY_IDLE: &str = "
#include <assert.h>
#pragma lineal object counter level=none
#pragma lineal op inc = up()
#pragma lineal op read = look()
static int count, drawn, here[2], alone, baton;
void up(void) {
    int me = __atomic_fetch_add(&drawn, 1, 0);
    if (me < 2) {
        __atomic_store_n(&here[me], 1, 0);
        __atomic_fetch_add(&baton, 0, 4);
        if (!__atomic_load_n(&here[1 - me], 0)) assert(__atomic_fetch_add(&alone, 1, 0) == 0);
    }
    __atomic_fetch_add(&count, 1, 4);
}
int look(void) { return __atomic_load_n(&count, 2); }
";

#[test]
fn what_seems_wrong_is_looked_at_again() {
    assert_eq!((worst(TOLD_BY_IDLE, false), worst(TOLD_BY_IDLE, true)), (Said::Holds, Said::Holds));
    let believed = std::panic::catch_unwind(|| seeded::with(Bug::BelievesIdle, || worst(TOLD_BY_IDLE, true)));
    assert!(believed.map_or(true, |said| said != Said::Holds));
}

/// An update that changes nothing, and a plain read of the same cell.
const RACES: &str = "
#pragma lineal object counter level=none
#pragma lineal op inc = up()
#pragma lineal op read = look()
static int count, baton;
void up(void) {
    if (__atomic_load_n(&count, 2)) __atomic_fetch_add(&baton, 0, 4);
    __atomic_fetch_add(&count, 1, 4);
}
int look(void) { return baton + __atomic_load_n(&count, 2); }
";

#[test]
fn idle_updates_race_with_plain_reads() {
    assert_eq!((worst(RACES, false), worst(RACES, true)), (Said::Unsafe, Said::Unsafe));
    assert_eq!(seeded::with(Bug::IdleNeverRaces, || worst(RACES, true)), Said::Holds);
}
