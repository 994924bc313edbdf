//! Clients of several libraries, drawn at random: what the walk over the compiled client says, against
//! the paths of the client as it was drawn, and against exploring it.
//!
//! - Fences separate the libraries on every compiled path iff they do on every path as drawn.
//! - Where they do, exploring finds the client robust; with the fences that are suggested, too.
//!
//! Libraries are a register and a counter, one variable each, so that they are robust whatever clients do.
//! `LINEAL_FULL=1` draws 4,000 clients, from a fresh seed.

use lineal_check::graph::{Options, Problem};
use lineal_check::programs;
use lineal_check::robust::compose::{Client, Entry, Library, Standing, compose};
use lineal_lang::c11::{self, Unit};
use lineal_model::program::Machine;
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::{BTreeMap, BTreeSet};

/// A step of a thread.
#[derive(Clone, Debug)]
enum Step {
    Fence,
    Set(usize),
    Get(usize),
    /// What follows depends on what is read there.
    If(usize, Vec<Step>, Vec<Step>),
    Twice(Vec<Step>),
    /// In a function of its own.
    Helper(Vec<Step>),
}

const LIBRARIES: usize = 2;

fn steps(rng: &mut Choices, most: usize, depth: usize, fences: usize) -> Vec<Step> {
    let mut all = Vec::new();
    for _ in 0..rng.below(most + 1) {
        if rng.chance(fences) {
            all.push(Step::Fence);
        }
        let library = rng.below(LIBRARIES);
        all.push(match rng.below(if depth == 0 { 4 } else { 8 }) {
            0 | 1 => Step::Set(library),
            2 | 3 => Step::Get(library),
            4 | 5 => Step::If(library, steps(rng, 1, depth - 1, fences), steps(rng, 1, depth - 1, fences)),
            6 => Step::Twice(steps(rng, 1, depth - 1, fences)),
            _ => Step::Helper(steps(rng, 2, depth - 1, fences)),
        });
    }
    all
}

fn client(rng: &mut Choices) -> Vec<Vec<Step>> {
    let fences = [100, 80, 40, 0][rng.below(4)];
    let mut drawn: Vec<Vec<Step>> = (0..2).map(|_| steps(rng, 3, 1, fences)).collect();
    // Store buffering, which chance alone rarely comes to.
    if rng.chance(40) {
        for (l, thread) in drawn.iter_mut().enumerate() {
            let fence = rng.chance(fences).then_some(Step::Fence);
            let own = std::iter::once(Step::Set(l)).chain(fence).chain([Step::Get(1 - l)]);
            thread.truncate(1);
            thread.extend(own);
        }
    }
    drawn
}

/// Every path: libraries used, `None` for a fence.
fn paths(steps: &[Step]) -> Vec<Vec<Option<usize>>> {
    let Some((first, rest)) = steps.split_first() else { return vec![Vec::new()] };
    let heads: Vec<Vec<Option<usize>>> = match first {
        Step::Fence => vec![vec![None]],
        Step::Set(l) | Step::Get(l) => vec![vec![Some(*l)]],
        Step::If(l, yes, no) => {
            let both = paths(yes).into_iter().chain(paths(no));
            both.map(|p| std::iter::once(Some(*l)).chain(p).collect()).collect()
        }
        Step::Twice(body) => {
            let once = paths(body);
            once.iter().flat_map(|a| once.iter().map(|b| [&a[..], &b[..]].concat())).collect()
        }
        Step::Helper(body) => paths(body),
    };
    let tails = paths(rest);
    heads.iter().flat_map(|h| tails.iter().map(|t| [&h[..], &t[..]].concat())).collect()
}

fn is_fenced(client: &[Vec<Step>]) -> bool {
    let separated =
        |p: &Vec<Option<usize>>| p.windows(2).all(|w| w[0].is_none() || w[1].is_none() || w[0] == w[1]);
    client.iter().all(|thread| paths(thread).iter().all(separated))
}

fn text(client: &[Vec<Step>]) -> String {
    let mut helpers = Vec::new();
    let threads: Vec<String> = client.iter().map(|t| body(t, &mut helpers)).collect();
    let declared: String = (0..LIBRARIES).map(|l| format!("void set{l}(int); int get{l}(void);\n")).collect();
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\n{declared}{}\
         static void *left(void *u) {{ {} return u; }}\nstatic void *right(void *u) {{ {} return u; }}\n\
         int main(void) {{ pthread_t l, r; pthread_create(&l, 0, left, 0); pthread_create(&r, 0, right, 0);\n\
         pthread_join(l, 0); pthread_join(r, 0); }}\n",
        helpers.concat(),
        threads[0],
        threads[1]
    )
}

fn body(steps: &[Step], helpers: &mut Vec<String>) -> String {
    let one = |step: &Step, helpers: &mut Vec<String>| match step {
        Step::Fence => "atomic_thread_fence(memory_order_seq_cst);".to_string(),
        Step::Set(l) => format!("set{l}(1);"),
        Step::Get(l) => format!("get{l}();"),
        Step::If(l, yes, no) => {
            format!("if (get{l}()) {{ {} }} else {{ {} }}", body(yes, helpers), body(no, helpers))
        }
        Step::Twice(inner) => format!("for (int i = 0; i < 2; i++) {{ {} }}", body(inner, helpers)),
        Step::Helper(inner) => {
            let inner = body(inner, helpers);
            let name = format!("helper{}", helpers.len());
            helpers.push(format!("static void {name}(void) {{ {inner} }}\n"));
            format!("{name}();")
        }
    };
    steps.iter().map(|s| one(s, helpers)).collect::<Vec<_>>().join("\n")
}

fn library(l: usize) -> (Unit, Library) {
    let set = match l {
        1 => "atomic_fetch_add_explicit(&cell, v, memory_order_acq_rel)",
        _ => "atomic_store_explicit(&cell, v, memory_order_release)",
    };
    let name = format!("lib{l}.c");
    let text = format!(
        "#include <stdatomic.h>\nstatic atomic_int cell;\nvoid set{l}(int v) {{ {set}; }}\n\
         int get{l}(void) {{ return atomic_load_explicit(&cell, memory_order_acquire); }}\n"
    );
    let entry = |f: &str| Entry { function: format!("{f}{l}"), object: Vec::new(), setup: false };
    let standing = Standing::Robust { calls: None, lock: false, assumptions: Vec::new() };
    let library = Library {
        name: format!("register {l}"),
        files: vec![name.clone()],
        entries: vec![entry("set"), entry("get")],
        standing,
    };
    (Unit::of(&name, &text).expect("it is C"), library)
}

fn robust(machine: &Machine, memory: Memory) -> Option<bool> {
    let mut machine = machine.clone();
    let mut problem = Problem { program: &mut machine, memory, options: Options::default() };
    let effort = Effort { max_states: Some(20_000), ..Effort::default() };
    match programs::robust(&mut problem, &effort, &Unwatched).verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Violated(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

#[test]
fn random_clients() {
    let (count, seed) = (if lineal_sweep::full() { 4_000 } else { 250 }, lineal_sweep::seed(3));
    let mut seen: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    let (units, libraries): (Vec<Unit>, Vec<Library>) = (0..LIBRARIES).map(library).unzip();
    for n in 0..count {
        let drawn = client(&mut Choices::new(seed.wrapping_mul(1_000_003) + n));
        let text = text(&drawn);
        let own = Unit::of("client.c", &text).expect("it is C");
        let all: Vec<Unit> = std::iter::once(own).chain(units.iter().cloned()).collect();
        let (machine, _) = c11::load(&all, &c11::Options::default()).expect("a program");
        // Under ra fences do not order more than acq_rel ones do, and separate nothing.
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Tso][n as usize % 3];
        let options = Options::default();
        let sources = ["client.c".to_string()];
        let asked = Client { machine: &machine, sources: &sources, libraries: &libraries, memory, options };
        let fencing = asked.fencing();
        assert!(fencing.walked.lost.is_none(), "{text}");
        assert_eq!(fencing.is_enough(), is_fenced(&drawn), "{n}\n{text}\n{:?}", fencing.walked.crossings);
        let whole = robust(&machine, memory);
        let fenced = if fencing.is_enough() { "fenced" } else { "not fenced" };
        let is = whole.map_or("too large", |r| if r { "robust" } else { "not robust" });
        *seen.entry((fenced, is)).or_default() += 1;
        assert!(!fencing.is_enough() || whole != Some(false), "{n} under {memory}\n{text}");
        // What is suggested helps, and the answer says what exploring says.
        let effort = Effort { max_states: Some(20_000), ..Effort::default() };
        let finding = compose(&asked, &fencing, &effort, &Unwatched);
        let remarks = finding.remarks.join("\n");
        match (&finding.verdict, whole) {
            (Verdict::Holds(_), Some(true)) | (Verdict::Unknown(_), None) => {}
            (Verdict::Holds(_), None) => assert!(fencing.is_enough(), "{n}\n{text}"),
            (Verdict::Violated(_), Some(false)) => {
                assert!(remarks.contains("(tried)"), "{n} under {memory}\n{text}\n{remarks}");
            }
            (verdict, whole) => panic!("{n}: {verdict:?}, {whole:?}\n{text}"),
        }
        let fences: BTreeSet<u32> = fencing.fences.expect("each step is a call");
        assert_eq!(fences.is_empty(), fencing.walked.crossings.is_empty(), "{n}\n{text}");
    }
    println!("{count} clients, seed {seed}: {seen:?}");
    assert!(seen[&("fenced", "robust")] > 20 && seen[&("not fenced", "not robust")] > 5, "{seen:?}");
}
