//! Each reduction on and off, on random programs.
//!
//! - iterations: the same complete graphs, none twice, and a failure found iff there is one; where
//!   failed iterations leave something in private memory, or in what the next one starts with,
//!   fewer graphs with the same outcomes.
//! - rows: of the graphs that differ only in which thread of a class is which, at least one.
//!
//! `LINEAL_FULL=1` runs many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

mod script;

use lineal_check::graph::Options;
use lineal_model::run::{BlockId, Loc};
use lineal_model::{Effort, Memory, Verdict};
use script::random::{self, Flavour, Rng};
use script::twin::{ALL, Run, full, run, seed};
use script::{At, Ins, Script, Val};
use std::collections::{BTreeMap, BTreeSet};

const LARGE: Effort = Effort { seed: 0, max_states: Some(20_000), jobs: 1 };

/// Adds what the threads know in the end to the outcome.
fn recorded(mut script: Script) -> Script {
    for (t, body) in script.bodies[1..].iter_mut().enumerate() {
        for r in 0..2 {
            let at = At::Global(6 + 2 * t as u32 + r as u32);
            body.push(Ins::Store(at, Val::Reg(r), lineal_model::run::Mode::Relaxed));
        }
    }
    script
}

/// `None`: too large.
fn fails(run: &Run) -> Option<bool> {
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
fn iterations(
    script: &Script,
    exact: bool,
    memory: Memory,
    n: u64,
    tally: &mut BTreeMap<&str, u64>,
) -> Result<(), String> {
    let liveness = n % 3 == 0;
    let plain = run(script, memory, Options { liveness, ..Options::default() }, LARGE);
    let Some(expected) = fails(&plain) else { return Ok(()) };
    let jobs = if n % 5 == 0 { 2 } else { 1 };
    let options = Options { liveness, iterations: true, ..Options::default() };
    let reduced = run(script, memory, options, Effort { seed: n, jobs, ..LARGE });
    let Some(found) = fails(&reduced) else {
        return Err("the reduced search is larger".into());
    };
    if found != expected {
        return Err(format!("fails: {expected}, reduced: {found}: {:?} {:?}", plain.finding.verdict, reduced.finding.verdict));
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
    if exact && set.len() < all.len() {
        return Err(format!("{} graphs lost of {}: {:?}", all.len() - set.len(), all.len(), all.difference(&set).next()));
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
            let script = random::script(&mut Rng::new(first.wrapping_mul(11_000_027) + n), flavour);
            let script = recorded(script);
            let memory = ALL[n as usize % 4];
            let exact = flavour != Flavour::Rotated && !allocates(&script);
            if let Err(what) = iterations(&script, exact, memory, n, &mut tally) {
                panic!("{flavour:?} {n} (seed {first}) {memory}: {what}\n{script:?}");
            }
        }
        println!("{flavour:?}: {tally:?}");
        assert!(tally["programs"] * 3 > count, "too many programs are too large");
        assert!(tally["blocked, reduced"] < tally["blocked"], "nothing is reduced");
    }
}

/// The graph with threads renamed, as a value.
fn renamed(key: &str, to: &[usize]) -> Vec<String> {
    let thread = |t: &str| t.parse::<usize>().map_or(t.to_string(), |t| to[t].to_string());
    let event = |name: &str| match name.split_once('.') {
        Some((t, n)) => format!("{}.{n}", thread(t)),
        None => name.to_string(),
    };
    let loc = |hex: &str| {
        let loc = Loc(u64::from_str_radix(hex, 16).expect("a location"));
        let block = loc.block();
        if block.is_global() || block.owner() as usize >= to.len() {
            return hex.to_string();
        }
        let block = BlockId::new(to[block.owner() as usize] as u32, block.number());
        format!("{:x}", block.base().0 + loc.offset() as u64)
    };
    let value = |v: &str| match v.parse::<u64>() {
        Ok(n) if n >= 1000 && n < 1000 * to.len() as u64 => {
            (1000 * to[n as usize / 1000] + n as usize % 1000).to_string()
        }
        Ok(n) if n > 1 << 24 => u64::from_str_radix(&loc(&format!("{n:x}")), 16).expect("hex").to_string(),
        _ => v.to_string(),
    };
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

/// All ways to exchange threads of one class; main is thread 0.
fn permutations(rows: &[u8]) -> Vec<Vec<usize>> {
    fn extend(so_far: &mut Vec<usize>, rows: &[u8], out: &mut Vec<Vec<usize>>) {
        let t = so_far.len();
        if t > rows.len() {
            out.push(so_far.clone());
            return;
        }
        for to in 1..=rows.len() {
            if rows[to - 1] == rows[t - 1] && !so_far.contains(&to) {
                so_far.push(to);
                extend(so_far, rows, out);
                so_far.pop();
            }
        }
    }
    let mut out = Vec::new();
    extend(&mut vec![0], rows, &mut out);
    out
}

fn rows(script: &Script, rows: &[u8], memory: Memory, n: u64, tally: &mut BTreeMap<&str, u64>) -> Result<(), String> {
    let plain = run(script, memory, Options::default(), LARGE);
    let Some(expected) = fails(&plain) else { return Ok(()) };
    let jobs = if n % 5 == 0 { 2 } else { 1 };
    let options = Options { iterations: true, rows: rows.to_vec(), ..Options::default() };
    let reduced = run(script, memory, options, Effort { seed: 0, jobs, ..LARGE });
    let Some(found) = fails(&reduced) else { return Err("the reduced search is larger".into()) };
    if found != expected {
        return Err(format!("fails: {expected}, reduced: {found}: {:?} {:?}", plain.finding.verdict, reduced.finding.verdict));
    }
    *tally.entry("programs").or_default() += 1;
    if found {
        *tally.entry("failing").or_default() += 1;
        return Ok(());
    }
    let all = permutations(rows);
    let orbit = |key: &String| all.iter().map(|to| renamed(key, to)).min().expect("the identity");
    let expected: BTreeSet<Vec<String>> = plain.leaves.iter().map(orbit).collect();
    let found: BTreeSet<Vec<String>> = reduced.leaves.iter().map(orbit).collect();
    if let Some(lost) = expected.difference(&found).next().filter(|_| !allocates(script)) {
        let count = expected.difference(&found).count();
        return Err(format!("{count} of {} orbits lost: {lost:?}", expected.len()));
    }
    if let Some(new) = found.difference(&expected).next() {
        return Err(format!("not among the graphs: {new:?}"));
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
    for flavour in [Flavour::Atomics, Flavour::Retries, Flavour::Loops, Flavour::Spins] {
        let mut tally = BTreeMap::new();
        for n in 0..count {
            let (script, classes) =
                random::classes(&mut Rng::new(first.wrapping_mul(13_000_027) + n), flavour);
            let memory = ALL[n as usize % 4];
            if let Err(what) = rows(&script, &classes, memory, n, &mut tally) {
                panic!("{flavour:?} {n} (seed {first}) {memory} {classes:?}: {what}\n{script:?}");
            }
        }
        println!("{flavour:?}: {tally:?}");
        assert!(tally["programs"] * 3 > count, "too many programs are too large");
    }
}
