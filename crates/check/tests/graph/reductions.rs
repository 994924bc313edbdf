//! Each reduction on and off, on random programs.
//!
//! - iterations: the same complete graphs, none twice, and a failure found iff there is one; where
//!   failed iterations leave something in private memory, or in what the next one starts with,
//!   fewer graphs with the same outcomes.
//! - rows: of the graphs that differ only in which thread of a class is which, at least one.
//!
//! `LINEAL_FULL=1` runs many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use crate::script::random::{self, Flavour};
use crate::script::twin::{ALL, Run, exchanges, full, run, seed};
use crate::script::{At, Ins, Script, Val};
use lineal_check::graph::Options;
use lineal_check::seeded::{self, Bug};
use lineal_model::run::{BlockId, Loc};
use lineal_model::{Effort, Memory, Verdict};
use lineal_sweep::{Choices, smallest};
use std::collections::{BTreeMap, BTreeSet};

pub const LARGE: Effort = Effort { max_states: Some(20_000), ..Effort::DEFAULT };

/// Adds what the threads know in the end to the outcome.
pub fn recorded(mut script: Script) -> Script {
    for (t, body) in script.bodies[1..].iter_mut().enumerate() {
        for r in 0..2 {
            let at = At::Global(6 + 2 * t as u32 + r as u32);
            body.push(Ins::Store(at, Val::Reg(r), lineal_model::run::Mode::Relaxed));
        }
    }
    script
}

/// `None`: too large.
pub fn fails(run: &Run) -> Option<bool> {
    match run.finding.verdict {
        Verdict::Violated(_) => Some(true),
        Verdict::Holds(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn allocates(script: &Script) -> bool {
    script.bodies.iter().flatten().any(|i| matches!(i, Ins::Alloc { .. }))
}

/// What is wrong with taking iterations as one step, on this program; `None`: too large to say.
pub fn iterations(
    script: &Script,
    exact: bool,
    memory: Memory,
    n: u64,
    tally: &mut BTreeMap<&str, u64>,
) -> Result<(), String> {
    let liveness = n.is_multiple_of(3);
    let waits = !n.is_multiple_of(4);
    let reductions = Options { liveness, iterations: true, waits, ..Options::default() };
    reduced(script, exact, memory, n, reductions, tally)
}

/// What is wrong with these reductions.
fn reduced(
    script: &Script,
    exact: bool,
    memory: Memory,
    n: u64,
    reductions: Options,
    tally: &mut BTreeMap<&str, u64>,
) -> Result<(), String> {
    let liveness = reductions.liveness;
    let plain = run(script, memory, Options { liveness, ..Options::default() }, LARGE);
    let Some(expected) = fails(&plain) else { return Ok(()) };
    let jobs = if n.is_multiple_of(5) { 2 } else { 1 };
    let reduced = run(script, memory, reductions, Effort { seed: n, jobs, ..LARGE });
    let Some(found) = fails(&reduced) else {
        return Err("the reduced search is larger".into());
    };
    if found != expected {
        return Err(format!(
            "fails: {expected}, reduced: {found}: {:?} {:?}",
            plain.finding.verdict, reduced.finding.verdict
        ));
    }
    *tally.entry("programs").or_default() += 1;
    if found {
        *tally.entry("failing").or_default() += 1;
        return Ok(());
    }
    let set: BTreeSet<&String> = reduced.leaves.iter().collect();
    let all: BTreeSet<&String> = plain.leaves.iter().collect();
    if set.len() != reduced.leaves.len() {
        return Err(format!("{} graphs, {} of them different", reduced.leaves.len(), set.len()));
    }
    if !set.is_subset(&all) {
        return Err(format!("not among the graphs: {:?}", set.difference(&all).next()));
    }
    if exact && !allocates(script) && set.len() < all.len() {
        return Err(format!(
            "{} graphs lost of {}: {:?}",
            all.len() - set.len(),
            all.len(),
            all.difference(&set).next()
        ));
    }
    let outcomes = |r: &Run| r.finding.outcomes.keys().cloned().collect::<BTreeSet<String>>();
    if outcomes(&plain) != outcomes(&reduced) {
        return Err(format!("outcomes {:?}, reduced {:?}", outcomes(&plain), outcomes(&reduced)));
    }
    *tally.entry("graphs").or_default() += all.len() as u64;
    *tally.entry("reduced").or_default() += set.len() as u64;
    *tally.entry("blocked").or_default() += plain.finding.stats.blocked;
    *tally.entry("blocked, reduced").or_default() += reduced.finding.stats.blocked;
    Ok(())
}

#[test]
fn iterations_as_one_step() {
    let count = if full() { 30_000 } else { 250 };
    let first = seed();
    for flavour in [Flavour::Retries, Flavour::Rotated, Flavour::Loops, Flavour::Spins] {
        let mut tally = BTreeMap::new();
        for n in 0..count {
            let choices = &mut Choices::new(first.wrapping_mul(11_000_027) + n);
            let make = |choices: &mut Choices| recorded(random::script(choices, flavour));
            let script = make(choices);
            let memory = ALL[n as usize % 4];
            let exact = flavour == Flavour::Loops;
            if iterations(&script, exact, memory, n, &mut tally).is_err() {
                let wrong = |s: &Script| iterations(s, exact, memory, n, &mut BTreeMap::new()).err();
                let what = smallest(choices.made(), make, |s| format!("{s:?}"), wrong);
                panic!("{flavour:?} {n} (seed {first}) {memory}: {what}");
            }
        }
        println!("{flavour:?}: {tally:?}");
        assert!(tally["programs"] * 3 > count, "too many programs are too large");
        assert!(tally["blocked, reduced"] < tally["blocked"], "nothing is reduced");
    }
}

/// The same complete graphs, none twice, and failures, whether locks go to who waits for them or not.
fn handed_over(
    script: &Script,
    memory: Memory,
    n: u64,
    tally: &mut BTreeMap<&str, u64>,
) -> Result<(), String> {
    let reductions = Options { waits: true, iterations: n.is_multiple_of(4), ..Options::default() };
    reduced(script, true, memory, n, reductions, tally)
}

#[test]
fn locks_go_to_who_waits() {
    let count = if full() { 40_000 } else { 400 };
    let first = seed();
    let mut tally = BTreeMap::new();
    for n in 0..count {
        let choices = &mut Choices::new(first.wrapping_mul(19_000_013) + n);
        let make = |choices: &mut Choices| recorded(random::script(choices, Flavour::Locks));
        let script = make(choices);
        let memory = ALL[n as usize % 4];
        if handed_over(&script, memory, n, &mut tally).is_err() {
            let wrong = |s: &Script| handed_over(s, memory, n, &mut BTreeMap::new()).err();
            let what = smallest(choices.made(), make, |s| format!("{s:?}"), wrong);
            panic!("{n} (seed {first}) {memory}: {what}");
        }
    }
    println!("{tally:?}");
    assert!(tally["programs"] * 3 > count, "too many programs are too large");
    assert!(tally["blocked, reduced"] < tally["blocked"], "nothing is reduced");
}

#[test]
fn broken_locks_are_caught() {
    for bug in [Bug::PassesAnyway, Bug::LocksAnyway] {
        let compared = |n: u64| {
            let script = recorded(random::script(&mut Choices::new(23_000_009 + n), Flavour::Locks));
            handed_over(&script, ALL[n as usize % 4], n, &mut BTreeMap::new())
        };
        let notices = |n: u64| seeded::with(bug, || compared(n)).is_err();
        match (0..20_000).find(|&n| notices(n)) {
            Some(n) => println!("{bug:?}: caught by program {n}"),
            None => panic!("{bug:?} goes unnoticed"),
        }
    }
}

/// The global that keeps what a thread knows in the end, after threads changed names.
fn recorder(n: usize, to: &[usize]) -> usize {
    if n < 6 || n - 4 >= 2 * to.len() { n } else { 4 + 2 * to[(n - 4) / 2] + n % 2 }
}

/// A location in hexadecimal after threads changed names.
fn moved(hex: &str, to: &[usize]) -> String {
    let loc = Loc(u64::from_str_radix(hex, 16).expect("a location"));
    let block = loc.block();
    if block.is_global() {
        return format!("{:x}", crate::script::global(recorder(block.number() as usize, to) as u32).0);
    }
    if block.owner() as usize >= to.len() {
        return hex.to_string();
    }
    let block = BlockId::new(to[block.owner() as usize] as u32, block.number());
    format!("{:x}", block.base().0 + loc.offset() as u64)
}

/// A value: that of a thread, an address, or any other.
fn revalued(value: &str, to: &[usize]) -> String {
    match value.parse::<u64>() {
        Ok(n) if n >= 1000 && n < 1000 * to.len() as u64 => {
            (1000 * to[n as usize / 1000] + n as usize % 1000).to_string()
        }
        Ok(n) if n > 1 << 24 => {
            u64::from_str_radix(&moved(&format!("{n:x}"), to), 16).expect("hex").to_string()
        }
        _ => value.to_string(),
    }
}

/// The outcome after threads changed names: what thread `t` knows is in cells `4 + 2t` and on.
fn reread(outcome: &str, to: &[usize]) -> BTreeMap<usize, String> {
    let cell = |word: &str| {
        let (name, value) = word.split_once('=').expect("a cell and its value");
        let n: usize = name[1..].parse().expect("a number");
        (recorder(n, to), revalued(value, to))
    };
    outcome.split(' ').map(cell).collect()
}

/// The graph with threads renamed, as a value.
fn renamed(key: &str, to: &[usize]) -> Vec<String> {
    let thread = |t: &str| t.parse::<usize>().map_or(t.to_string(), |t| to[t].to_string());
    let event = |name: &str| match name.split_once('.') {
        Some((t, n)) => format!("{}.{n}", thread(t)),
        None => name.to_string(),
    };
    let loc = |hex: &str| moved(hex, to);
    let value = |v: &str| revalued(v, to);
    let mut parts = key.split('|');
    let mut out: Vec<String> = parts
        .next()
        .unwrap_or_default()
        .split(';')
        .filter(|s| !s.is_empty())
        .map(|s| {
            let (name, rest) = s.split_once(':').expect("an event");
            let (rest, rf) = rest.split_once('<').unwrap_or((rest, ""));
            let (rest, val) = rest.split_once('=').unwrap_or((rest, ""));
            let (kind, at) = rest.split_once('@').unwrap_or((rest, ""));
            let at = if at.is_empty() { String::new() } else { loc(at) };
            let (rf, whim) = rf.strip_suffix('!').map_or((rf, ""), |r| (r, "!"));
            format!("{}:{kind}@{at}={}<{}{whim}", event(name), value(val), event(rf))
        })
        .collect();
    out.extend(parts.map(|cell| {
        let (at, mo) = cell.split_once(':').expect("a cell");
        let mo: Vec<String> = mo.split(',').map(event).collect();
        format!("|{}:{}", loc(at), mo.join(","))
    }));
    out.sort();
    out
}

/// Graphs are compared up to all exchanges, which takes long.
const SMALL: Effort = Effort { max_states: Some(3_000), ..LARGE };

fn rows(
    script: &Script,
    exact: bool,
    rows: &[u8],
    memory: Memory,
    n: u64,
    tally: &mut BTreeMap<&str, u64>,
) -> Result<(), String> {
    let plain = run(script, memory, Options::default(), SMALL);
    let Some(expected) = fails(&plain) else { return Ok(()) };
    let jobs = if n.is_multiple_of(5) { 2 } else { 1 };
    let options = Options { iterations: true, rows: rows.to_vec(), ..Options::default() };
    let reduced = run(script, memory, options, Effort { seed: 0, jobs, ..SMALL });
    let Some(found) = fails(&reduced) else { return Err("the reduced search is larger".into()) };
    if found != expected {
        return Err(format!(
            "fails: {expected}, reduced: {found}: {:?} {:?}",
            plain.finding.verdict, reduced.finding.verdict
        ));
    }
    *tally.entry("programs").or_default() += 1;
    if found {
        *tally.entry("failing").or_default() += 1;
        return Ok(());
    }
    let all = exchanges(rows);
    let orbit = |key: &String| all.iter().map(|to| renamed(key, to)).min().expect("the identity");
    let expected: BTreeSet<Vec<String>> = plain.leaves.iter().map(orbit).collect();
    let found: BTreeSet<Vec<String>> = reduced.leaves.iter().map(orbit).collect();
    if let Some(lost) = expected.difference(&found).next().filter(|_| exact) {
        let count = expected.difference(&found).count();
        return Err(format!("{count} of {} orbits lost: {lost:?}", expected.len()));
    }
    if let Some(new) = found.difference(&expected).next() {
        return Err(format!("not among the graphs: {new:?}"));
    }
    let outcomes = |run: &Run| -> BTreeSet<BTreeMap<usize, String>> {
        let orbit = |o: &String| all.iter().map(|to| reread(o, to)).min().expect("the identity");
        run.finding.outcomes.keys().map(orbit).collect()
    };
    if let Some(lost) = outcomes(&plain).difference(&outcomes(&reduced)).next() {
        return Err(format!("outcome lost: {lost:?}"));
    }
    *tally.entry("graphs").or_default() += plain.leaves.len() as u64;
    *tally.entry("orbits").or_default() += expected.len() as u64;
    *tally.entry("reduced").or_default() += reduced.leaves.len() as u64;
    Ok(())
}

#[test]
fn calls_up_to_renaming() {
    let count = if full() { 30_000 } else { 250 };
    let first = seed();
    for flavour in [Flavour::Atomics, Flavour::Retries, Flavour::Rotated, Flavour::Loops, Flavour::Spins] {
        let mut tally = BTreeMap::new();
        for n in 0..count {
            let choices = &mut Choices::new(first.wrapping_mul(13_000_027) + n);
            let make = |choices: &mut Choices| {
                let (script, classes) = random::classes(choices, flavour);
                (recorded(script), classes)
            };
            // Others may leave out what a rotated loop, or private memory, makes up for.
            let exact = matches!(flavour, Flavour::Atomics | Flavour::Loops);
            let (script, classes) = make(choices);
            let memory = ALL[n as usize % 4];
            if rows(&script, exact, &classes, memory, n, &mut tally).is_err() {
                let wrong =
                    |(s, c): &(Script, Vec<u8>)| rows(s, exact, c, memory, n, &mut BTreeMap::new()).err();
                let what = smallest(choices.made(), make, |made| format!("{made:?}"), wrong);
                panic!("{flavour:?} {n} (seed {first}) {memory}: {what}");
            }
        }
        println!("{flavour:?}: {tally:?}");
        assert!(tally["programs"] * 3 > count, "too many programs are too large");
    }
}

/// A visitor who looks at the data behind an open door, and then finds it closed; and who closed it
/// writes to the data. The iteration in which that happens fails and is of no further use.
fn door(visitor_first: bool) -> Script {
    use Ins::*;
    use lineal_model::run::Mode::{AcqRel, Acquire, NonAtomic, Relaxed};
    let (at, data) = (At::Global(0), At::Global(4));
    let (expected, desired) = (Val::Reg(2), Val::Imm(1));
    let visitor = vec![
        Head(0),
        Load(2, at, Acquire),
        IfEq(2, 2, 10),
        Load(3, data, NonAtomic),
        Cas { ok: 3, old: 0, at, expected, desired, mode: AcqRel, fail: Relaxed, weak: false },
        IfEq(3, 1, 10),
        Set(0, Val::Imm(0)),
        Set(2, Val::Imm(0)),
        Set(3, Val::Imm(0)),
        Jump(0),
    ];
    let closer = vec![Swap(0, at, Val::Imm(2), Acquire), IfNe(0, 0, 3), Store(data, Val::Imm(7), NonAtomic)];
    Script::parallel(if visitor_first { vec![visitor, closer] } else { vec![closer, visitor] })
}

#[test]
fn races_of_dropped_iterations_are_found() {
    let races = |visitor_first: bool, jobs: usize| {
        let options = Options { iterations: true, ..Options::default() };
        let found = run(&door(visitor_first), Memory::Rc11, options, Effort { jobs, ..LARGE });
        fails(&found) == Some(true)
    };
    for (visitor_first, jobs) in [(true, 1), (false, 1), (true, 2), (false, 2)] {
        assert!(races(visitor_first, jobs), "visitor first: {visitor_first}, {jobs} workers");
    }
    let noticed = |first: bool| !seeded::with(Bug::NoRisk, || races(first, 1));
    assert!(noticed(true) || noticed(false), "{:?} goes unnoticed", Bug::NoRisk);
}

/// What is wrong with leaving steps to others, on this program.
fn helping(
    script: &Script,
    memory: Memory,
    n: u64,
    tally: &mut BTreeMap<&'static str, u64>,
) -> Result<(), String> {
    const SMALL: Effort = Effort { max_states: Some(3_000), ..LARGE };
    let options = |helping| Options { iterations: n % 7 != 3 || helping, helping, ..Options::default() };
    let plain = run(script, memory, options(false), SMALL);
    let Some(expected) = fails(&plain) else { return Ok(()) };
    let jobs = if n.is_multiple_of(5) { 2 } else { 1 };
    let reduced = run(script, memory, options(true), Effort { seed: n, jobs, ..SMALL });
    // An error may lie on either side of where a search gives up.
    let Some(found) = fails(&reduced) else { return Ok(()) };
    if found != expected {
        let (plain, reduced) = (&plain.finding.verdict, &reduced.finding.verdict);
        return Err(format!("{plain:?}, reduced {reduced:?}"));
    }
    *tally.entry("programs").or_default() += 1;
    if expected {
        *tally.entry("failing").or_default() += 1;
        return Ok(());
    }
    let outcomes = |r: &Run| r.finding.outcomes.keys().cloned().collect::<BTreeSet<String>>();
    let (all, some) = (outcomes(&plain), outcomes(&reduced));
    if all != some {
        return Err(format!("outcomes {all:?}, reduced {some:?}"));
    }
    *tally.entry("graphs").or_default() += plain.leaves.len() as u64;
    *tally.entry("reduced").or_default() += reduced.leaves.len() as u64;
    Ok(())
}

#[test]
fn steps_left_to_others() {
    let count = if full() { 30_000 } else { 400 };
    let first = seed();
    let make = |choices: &mut Choices| recorded(random::script(choices, Flavour::Helps));
    let mut tally = BTreeMap::new();
    for n in 0..count {
        let choices = &mut Choices::new(first.wrapping_mul(15_000_017) + n);
        let script = make(choices);
        let memory = ALL[n as usize % 4];
        if helping(&script, memory, n, &mut tally).is_err() {
            let wrong = |s: &Script| helping(s, memory, n, &mut BTreeMap::new()).err();
            let what = smallest(choices.made(), make, |s| format!("{s:?}"), wrong);
            panic!("{n} (seed {first}) {memory}: {what}");
        }
    }
    println!("{tally:?}");
    assert!(tally["reduced"] < tally["graphs"], "{tally:?}");
}

/// What is wrong with waiting for a lock that would be taken in vain, on this program.
fn polling(
    script: &Script,
    memory: Memory,
    n: u64,
    tally: &mut BTreeMap<&'static str, u64>,
) -> Result<(), String> {
    let jobs = if n.is_multiple_of(5) { 2 } else { 1 };
    // Where the conditions fail the rounds are made one by one, without end.
    let options = Options { iterations: true, unroll: Some(4), ..Options::default() };
    let reduced =
        run(script, memory, options, Effort { seed: n, jobs, max_states: Some(3_000), ..Effort::DEFAULT });
    let cut = |v: &Verdict| matches!(v, Verdict::Holds(scope) if scope.bounds.iter().any(|b| b.cut > 0));
    let found = match fails(&reduced) {
        Some(found) if !cut(&reduced.finding.verdict) => found,
        _ => {
            *tally.entry("unknown").or_default() += 1;
            return Ok(());
        }
    };
    // More rounds than lead anywhere: each thread is told news twice at most, and may forget it.
    let rounds = |n: u32| run(script, memory, Options { unroll: Some(n), ..Options::default() }, LARGE);
    let mut plain = rounds(3);
    // But a counter that runs away with each attempt may take one more, which is not left out, here and
    // where outcomes are compared.
    if found && fails(&plain) == Some(false) && cut(&plain.finding.verdict) {
        plain = rounds(4);
    }
    let Some(expected) = fails(&plain) else { return Ok(()) };
    if found != expected {
        return Err(format!(
            "fails: {expected}, reduced: {found}: {:?} {:?}",
            plain.finding.verdict, reduced.finding.verdict
        ));
    }
    *tally.entry("programs").or_default() += 1;
    if found {
        *tally.entry("failing").or_default() += 1;
        return Ok(());
    }
    let outcomes = |r: &Run| r.finding.outcomes.keys().cloned().collect::<BTreeSet<String>>();
    let some = outcomes(&reduced);
    if outcomes(&plain) != some && cut(&plain.finding.verdict) {
        plain = rounds(4);
        if fails(&plain).is_none() {
            return Ok(());
        }
    }
    let all = outcomes(&plain);
    if all != some {
        return Err(format!("outcomes {all:?}, reduced {some:?}"));
    }
    *tally.entry("graphs").or_default() += plain.leaves.len() as u64;
    *tally.entry("reduced").or_default() += reduced.leaves.len() as u64;
    Ok(())
}

/// Random programs of a flavour, with waiting that is seen and without; and with a mistake in what
/// sees it.
fn waiting_is_seen(flavour: Flavour, salt: u64, bug: Bug) {
    let script = |choices: &mut Choices| recorded(random::script(choices, flavour));
    let count = if full() { 30_000 } else { 250 };
    let first = seed();
    let mut tally = BTreeMap::new();
    for n in 0..count {
        let choices = &mut Choices::new(first.wrapping_mul(salt) + n);
        let made = script(choices);
        let memory = ALL[n as usize % 4];
        if polling(&made, memory, n, &mut tally).is_err() {
            let wrong = |s: &Script| polling(s, memory, n, &mut BTreeMap::new()).err();
            let what = smallest(choices.made(), script, |s| format!("{s:?}"), wrong);
            panic!("{n} (seed {first}) {memory}: {what}");
        }
    }
    println!("{tally:?}");
    assert!(tally["reduced"] < tally["graphs"], "{tally:?}");
    let compared = |n: u64| {
        let made = script(&mut Choices::new(salt + n));
        polling(&made, ALL[n as usize % 4], n, &mut BTreeMap::new())
    };
    let notices = |&n: &u64| seeded::with(bug, || compared(n)).is_err() && compared(n).is_ok();
    assert!((0..4_000).any(|n| notices(&n)), "{bug:?} goes unnoticed");
}

#[test]
fn polling_under_a_lock_is_waiting() {
    waiting_is_seen(Flavour::Polls, 13_000_027, Bug::PollsAnyway);
}

#[test]
fn additions_taken_back_are_waiting() {
    waiting_is_seen(Flavour::TakesBack, 17_000_023, Bug::MindsNothing);
}

/// Each mistake in a reduction is noticed by one of the comparisons above.
#[test]
fn broken_reductions_are_caught() {
    use Flavour::{Loops, Retries, Rotated};
    let cases = [
        (Bug::DropsLast, Loops, false),
        (Bug::OneStamp, Loops, false),
        (Bug::BuiltTwice, Loops, false),
        (Bug::NothingOwed, Loops, false),
        (Bug::ForsakesAnyway, Loops, false),
        (Bug::OwnIsNews, Retries, false),
        (Bug::RotatesAnything, Rotated, false),
        (Bug::RotatesOwn, Rotated, false),
        (Bug::NoPorfFirst, Retries, true),
        (Bug::NoDependency, Loops, true),
    ];
    for (bug, flavour, in_rows) in cases {
        let compared = |n: u64| {
            let memory = ALL[n as usize % 4];
            let choices = &mut Choices::new(17_000_023 + n);
            if in_rows {
                let (script, classes) = random::classes(choices, flavour);
                return rows(&recorded(script), flavour == Loops, &classes, memory, n, &mut BTreeMap::new());
            }
            let script = recorded(random::script(choices, flavour));
            iterations(&script, flavour == Loops, memory, n, &mut BTreeMap::new())
        };
        let notices = |n: u64| {
            let broken = std::panic::catch_unwind(|| seeded::with(bug, || compared(n)));
            let caught = !matches!(broken, Ok(Ok(())));
            if caught {
                compared(n).expect("without the mistake nothing is wrong");
            }
            caught
        };
        match (0..4_000).find(|&n| notices(n)) {
            Some(n) => println!("{bug:?}: caught by program {n}"),
            None => panic!("{bug:?} goes unnoticed"),
        }
    }
}
