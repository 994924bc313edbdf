//! Rotated loops: programs whose iterations are known to begin before the loop have the outcomes and
//! failures of the same programs without that knowledge, under every model, with reductions and
//! without; and under sequential consistency those of every interleaving.
//!
//! `LINEAL_FULL=1` draws many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use lineal_check::graph::{self, Options};
use lineal_check::naive::interleave;
use lineal_lang::c11;
use lineal_model::observed::Observed;
use lineal_model::program::modes::Modes;
use lineal_model::program::{Instr, Machine};
use lineal_model::run::{Mode, Site};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use lineal_sweep::{Choices, smallest};
use std::collections::BTreeSet;

const LARGEST: u64 = 1_500;
const RESULTS: [&str; 3] = ["r0", "r1", "r2"];

fn order(rng: &mut Choices) -> &'static str {
    ["0", "2", "2", "5"][rng.below(4)]
}

fn cell(rng: &mut Choices) -> &'static str {
    ["x", "x", "y", "z"][rng.below(4)]
}

/// What an iteration begins with: it stands twice.
fn beginning(rng: &mut Choices) -> Vec<String> {
    let mut parts = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let (v, c) = (["a", "a", "b"][rng.below(3)], cell(rng));
        parts.push(match rng.below(12) {
            0..=5 => format!("{v} = atomic_load_explicit(&{c}, {})", order(rng)),
            6 => format!("{v} = look(&{c})"),
            7 => format!("{v} = atomic_exchange_explicit(&{c}, {}, {})", rng.below(3), rng.below(6)),
            8 => format!("{v} = atomic_fetch_add_explicit(&{c}, 0, {})", rng.below(6)),
            9 => format!("{v} = atomic_load_explicit(&{c}, 0) + {v}"),
            10 => format!("atomic_thread_fence({}), {v} = atomic_load_explicit(&{c}, 0)", 2 + rng.below(4)),
            _ => format!(
                "e = {}, atomic_compare_exchange_strong(&{c}, &e, {}), {v} = e",
                rng.below(3),
                rng.below(3)
            ),
        });
    }
    parts
}

fn condition(rng: &mut Choices) -> &'static str {
    ["a", "!a", "a != 2", "a == 1", "a != b", "a || !b", "a < 2"][rng.below(7)]
}

fn between(rng: &mut Choices, n: usize) -> String {
    match rng.below(10) {
        0 => format!("assert(a != {});", 1 + rng.below(3)),
        1 => "b = a;".into(),
        2 => format!("r{n} = a;"),
        3 => format!("atomic_store_explicit(&{}, {}, 3);", cell(rng), rng.below(3)),
        4 => "if (a == 3) p = 1;".into(),
        5 => "c = p;".into(),
        _ => String::new(),
    }
}

fn looped(rng: &mut Choices, n: usize) -> String {
    let first = beginning(rng);
    let (cond, body) = (condition(rng), between(rng, n));
    let second = if rng.below(8) == 0 { beginning(rng) } else { first.clone() };
    let (head, tail) = (first.join("; "), second.join("; "));
    match rng.below(5) {
        0 => format!("for ({}; {cond}; {}) {{ {body} }}", first.join(", "), second.join(", ")),
        1 => format!("{head}; while ({cond}) {{ {body} if (b == 2) {{ {tail}; continue; }} {tail}; }}"),
        2 => format!("{head}; for (;;) {{ if (!({cond})) break; {body} {tail}; }}"),
        3 => format!("{head}; again: if ({cond}) {{ {body} {tail}; goto again; }}"),
        _ => format!("{head}; while ({cond}) {{ {body} {tail}; }}"),
    }
}

fn step(rng: &mut Choices) -> String {
    let (c, value) = (cell(rng), rng.below(4));
    match rng.below(8) {
        0..=4 => format!("atomic_store_explicit(&{c}, {value}, {});", ["0", "3", "3", "5"][rng.below(4)]),
        5 => format!("atomic_fetch_add_explicit(&{c}, 1, {});", rng.below(6)),
        6 => "p = 2;".into(),
        _ => format!("a = atomic_load_explicit(&{c}, {});", order(rng)),
    }
}

fn program(rng: &mut Choices) -> String {
    let mut text = String::from(
        "#include <stdatomic.h>\n#include <pthread.h>\n#include <assert.h>\n\
         atomic_int x, y = 1, z = 2; int p, r0 = -1, r1 = -1, r2 = -1;\n\
         static int look(atomic_int *c) { return atomic_load_explicit(c, memory_order_acquire); }\n",
    );
    let threads = 2 + rng.below(2);
    for n in 0..threads {
        let mut body = String::new();
        for _ in 0..rng.below(3) {
            body += &step(rng);
            body.push(' ');
        }
        if n == 0 || rng.below(2) == 0 {
            body += &looped(rng, n);
            if rng.below(2) == 0 {
                body += &format!(" b = atomic_load_explicit(&{}, 0);", cell(rng));
            }
            if rng.below(4) == 0 {
                body += " c = p;";
            }
            body += &format!(" r{n} = a * 10 + b;");
        }
        if rng.below(2) == 0 {
            body += &step(rng);
        }
        text += &format!(
            "static void *t{n}(void *_) {{ int a = 0, b = 0, c = 0, e = 0; {body} return (void *)(long)(c + e); }}\n"
        );
    }
    let ids: Vec<String> = (0..threads).map(|n| format!("pthread_create(&t[{n}], 0, t{n}, 0);")).collect();
    let joins: Vec<String> = (0..threads).map(|n| format!("pthread_join(t[{n}], 0);")).collect();
    text + &format!("int main(void) {{ pthread_t t[3]; {} {} return 0; }}\n", ids.join(" "), joins.join(" "))
}

fn load(text: &str) -> Result<Machine, String> {
    let unit =
        c11::Unit::of("generated.c", text).and_then(|unit| c11::load(&[unit], &c11::Options::default()));
    unit.map(|(machine, _)| machine)
        .map_err(|found| format!("{:?}", found.first().map(|d| d.message.clone())))
}

fn is_rotated(machine: &Machine) -> bool {
    machine.program.loops.iter().any(|l| l.entrance.as_ref().is_some_and(|e| e.at.len() > 1))
}

/// The program as it was before anybody looked for copies.
fn plain(machine: &Machine) -> Machine {
    let mut program = machine.program.clone();
    for (pc, instr) in program.code.iter_mut().enumerate() {
        if let Instr::LoopHead { index } = instr
            && program.loops[*index as usize].entrance.is_some()
        {
            *instr = Instr::Jump { to: pc as u32 + 1 };
        }
    }
    program.loops.iter_mut().for_each(|l| l.counts = false);
    Machine::new(program)
}

/// `None`: too large. Whether something goes wrong, or the final values.
type Said = Option<Result<BTreeSet<String>, ()>>;

fn explored(machine: &Machine, memory: Memory, reduced: bool) -> (Said, u64) {
    let mut machine = machine.clone();
    let observe = RESULTS
        .iter()
        .map(|name| {
            let (loc, size, signed) = machine.global(name).expect("a result variable");
            Observed { name: (*name).into(), loc, size, signed }
        })
        .collect();
    let options = Options {
        observe,
        iterations: reduced,
        helping: reduced,
        waits: reduced,
        arrivals: reduced,
        ..Options::default()
    };
    let effort = Effort { max_states: Some(LARGEST), ..Effort::default() };
    let mut problem = graph::Problem { program: &mut machine, memory, options };
    let finding = graph::check(&mut problem, &effort, &Unwatched);
    let said = match finding.verdict {
        Verdict::Violated(_) => Some(Err(())),
        Verdict::Holds(_) => Some(Ok(finding.outcomes.keys().cloned().collect())),
        Verdict::Unknown(_) => None,
    };
    (said, finding.stats.executions)
}

fn interleaved(machine: &Machine) -> Said {
    let cells: Vec<_> = RESULTS
        .iter()
        .map(|n| machine.global(n).expect("a result variable"))
        .map(|(l, s, _)| (l, s))
        .collect();
    let found = interleave::explore(machine, &cells, true, 15_000);
    if found.gave_up {
        return None;
    }
    if !found.failures.is_empty() {
        return Some(Err(()));
    }
    let shown = |o: &Vec<lineal_model::run::Value>| {
        let values = o.iter().zip(RESULTS).map(|(v, name)| format!("{name}={}", v.signed(4) as i32));
        values.collect::<Vec<_>>().join(" ")
    };
    Some(Ok(found.outcomes.iter().map(shown).collect()))
}

fn differ(a: &Said, b: &Said) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

#[derive(Default)]
struct Tally {
    compared: u64,
    failing: u64,
    large: u64,
    executions: [u64; 2],
}

/// What goes wrong with the program, if anything does.
fn wrongly(rotated: &Machine, without: &Machine, memories: &[Memory], tally: &mut Tally) -> Option<String> {
    for &memory in memories {
        let (truth, all) = explored(without, memory, false);
        for (machine, reduced) in [(rotated, true), (rotated, false), (without, true)] {
            let (said, some) = explored(machine, memory, reduced);
            if differ(&truth, &said) {
                return Some(format!("{memory}, reduced {reduced}: {said:?} instead of {truth:?}"));
            }
            if let (true, Some(Ok(_)), Some(Ok(_))) = (reduced, &truth, &said) {
                if some > all {
                    return Some(format!("{memory}: {some} executions instead of {all}"));
                }
                if std::ptr::eq(machine, rotated) {
                    tally.executions[0] += all;
                    tally.executions[1] += some;
                }
            }
        }
        match truth {
            None => tally.large += 1,
            Some(Err(())) => tally.failing += 1,
            Some(Ok(_)) => tally.compared += 1,
        }
        if memory == Memory::Sc {
            for machine in [rotated, without] {
                let said = interleaved(machine);
                if differ(&truth, &said) {
                    return Some(format!("interleaved: {said:?} instead of {truth:?}"));
                }
            }
        }
    }
    None
}

const MEMORIES: [Memory; 4] = [Memory::Rc11, Memory::Sc, Memory::Tso, Memory::Ra];

#[test]
fn iterations_may_begin_before_the_loop() {
    let count = if lineal_sweep::full() { 20_000 } else { 150 };
    let first = lineal_sweep::seed(3);
    let (mut tally, mut rotated, mut drawn) = (Tally::default(), 0, 0);
    let of = |choices: &mut Choices| program(choices);
    let judge = |text: &String, tally: &mut Tally| {
        let machine = load(text).ok()?;
        is_rotated(&machine).then(|| wrongly(&machine, &plain(&machine), &MEMORIES, tally)).flatten()
    };
    for n in 0..count {
        let choices = &mut Choices::new(first.wrapping_mul(7_000_003) + n);
        let text = program(choices);
        drawn += 1;
        rotated += u64::from(is_rotated(&load(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))));
        if let Some(why) = judge(&text, &mut tally) {
            let small = smallest(choices.made(), of, |t| t.clone(), |t| judge(t, &mut Tally::default()));
            panic!("{n} (seed {first}): {why}\n{text}\na small one: {small}");
        }
    }
    println!(
        "{drawn} programs, {rotated} with copies: {} sets of outcomes agree ({} executions, {} reduced), \
         {} fail, {} too large",
        tally.compared, tally.executions[0], tally.executions[1], tally.failing, tally.large
    );
    assert!(rotated * 2 > drawn, "{rotated} of {drawn}");
    assert!(tally.compared > tally.large && tally.failing * 20 > tally.compared);
}

/// What is published is read after a wait that acquires, in both copies.
const PUBLISHED: &str = "#include <stdatomic.h>
#include <pthread.h>
atomic_int x; int p, r0, r1, r2;
static void *reader(void *_) {
    int a = atomic_load_explicit(&x, memory_order_acquire);
    while (!a) a = atomic_load_explicit(&x, memory_order_acquire);
    r0 = p;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    p = 1;
    atomic_store_explicit(&x, 1, memory_order_release);
    pthread_join(t, 0);
    return 0;
}
";

/// A deliberate mistake: one of two copies has another memory order by now, and nobody has compared them.
/// Whoever changes orders as it should be done has them compared.
#[test]
fn copies_that_differ_are_told_apart() {
    let machine = load(PUBLISHED).expect("a program");
    let entrance = machine.program.loops.iter().find_map(|l| l.entrance.clone()).expect("copies");
    let load = |at: &u32| {
        let copy = *at as usize + 1..=(at + entrance.length) as usize;
        copy.into_iter().find(|&pc| matches!(machine.program.code[pc], Instr::Load { .. })).expect("a load")
    };
    let inside = load(&entrance.at[1]);
    let weaker = Modes { mode: Mode::Relaxed, fail: Mode::Relaxed };
    let right = machine.with_modes(&[Site(inside as u32)], weaker);
    let mut wrong = machine.clone();
    wrong.program.code[inside] = right.program.code[inside];
    let none = &mut Tally::default();
    assert_eq!(explored(&machine, Memory::Rc11, true).0.map(|said| said.is_ok()), Some(true));
    assert_eq!(explored(&right, Memory::Rc11, true).0, Some(Err(())));
    assert_eq!(wrongly(&right, &plain(&right), &MEMORIES, none), None);
    assert!(wrongly(&wrong, &plain(&wrong), &[Memory::Rc11], none).is_some());
}
