//! Time per execution on the programs of the literature. `cargo bench -p lineal-check --bench graph`,
//! with a word to run only
//! the programs that contain it, and `JOBS=n` for n workers.

#[path = "../tests/graph/script/mod.rs"]
mod script;

use lineal_check::graph::{Options, Problem, check};
use lineal_model::run::Mode::*;
use lineal_model::{Effort, Memory, Unwatched};
use script::{At::*, Ins, Ins::*, Script, Val::*};

/// Seconds of processor time; of the clock where the system does not say.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    nanos.map_or_else(|| clock().as_secs_f64(), |n| n / 1e9)
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let k = 5;
    let writer = |v: u64| (0..k).map(|i| Store(Global(i), Imm(v), Relaxed)).collect::<Vec<Ins>>();
    let reader = || (0..k).map(|i| Load(0, Global(i), Relaxed)).collect::<Vec<Ins>>();
    let cas = |i: u64| {
        let (expected, desired) = (Imm(i), Imm(i + 1));
        vec![Cas { ok: 0, old: 1, at: Global(0), expected, desired, mode: SeqCst, fail: SeqCst, weak: false }]
    };
    let last_zero = |n: u32| {
        let mut bodies: Vec<Vec<Ins>> = vec![];
        // Scans down for a zero.
        let mut scan = vec![];
        for i in (0..=n).rev() {
            scan.push(Load(0, Global(i), SeqCst));
            scan.push(IfEq(0, 0, 1000));
        }
        bodies.push(scan);
        for j in 1..=n {
            bodies.push(vec![Load(0, Global(j - 1), SeqCst), Store(Global(j), Plus(0, 1), SeqCst)]);
        }
        bodies
    };
    let sll = |a: u32, b: u32| {
        vec![Store(Global(a), Imm(1), SeqCst), Load(0, Global(a), SeqCst), Load(1, Global(b), SeqCst)]
    };
    let twice = |v: u64| vec![Store(Global(0), Imm(v), SeqCst), Store(Global(1), Imm(v), SeqCst)];
    let fib = |a: u32, b: u32, n: usize| {
        let mut code = vec![];
        for _ in 0..n {
            code.push(Load(0, Global(a), SeqCst));
            code.push(Load(1, Global(b), SeqCst));
            code.push(Store(Global(a), Reg(0), SeqCst));
        }
        code
    };
    let programs: Vec<(&str, Vec<Vec<Ins>>)> = vec![
        ("counter 8", vec![vec![Add(0, Global(0), Imm(1), SeqCst)]; 8]),
        ("counter 8 relaxed", vec![vec![Add(0, Global(0), Imm(1), Relaxed)]; 8]),
        ("cas chain 10", (0..10).map(cas).collect()),
        ("writers first 5", vec![writer(1), writer(2), reader(), reader()]),
        ("readers first 5", vec![reader(), reader(), writer(1), writer(2)]),
        ("last zero 12", last_zero(12)),
        ("one writer 15 readers", {
            let mut b = vec![vec![Store(Global(0), Imm(1), SeqCst)]];
            b.extend(vec![vec![Load(0, Global(0), SeqCst)]; 15]);
            b
        }),
        ("double writers", {
            let mut b = vec![sll(0, 1), sll(1, 0)];
            b.extend((1..=4).map(twice));
            b
        }),
        ("fibonacci 3", vec![fib(0, 1, 3), fib(1, 0, 3), vec![Load(0, Global(0), SeqCst)]]),
    ];
    for (name, bodies) in programs {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.contains(w.as_str())) {
            continue;
        }
        for memory in [Memory::Sc, Memory::Tso, Memory::Ra, Memory::Rc11] {
            let mut script = Script::parallel(bodies.clone());
            let mut problem = Problem { program: &mut script, memory, options: Options::default() };
            let jobs = std::env::var("JOBS").ok().and_then(|j| j.parse().ok()).unwrap_or(1);
            let effort = Effort { max_states: Some(2_000_000), jobs, ..Effort::default() };
            let start = cpu();
            let finding = check(&mut problem, &effort, &Unwatched);
            let took = cpu() - start;
            let n = finding.stats.executions;
            println!(
                "{name:24} {memory:5} {:8} {n:9} executions {:9.3} s {:8.2} µs each",
                finding.verdict.word(),
                took,
                took * 1e6 / n.max(1) as f64,
            );
        }
    }
}
