//! Clients of which it was told, without exploring them, that they cannot complete: exploring them
//! shows just that, with no reduction at all. On objects that wait, drawn at random.
//!
//! `LINEAL_FULL=1` draws many more, from a fresh seed that is printed; `LINEAL_SEED=n` repeats it.

use super::{Subject, full};
use lineal_check::conform::clients::Bound;
use lineal_check::conform::{self, Asked, Clients, Reductions};
use lineal_check::graph;
use lineal_check::seeded::{self, Bug};
use lineal_model::object::{Client, Level};
use lineal_model::{Assumption, Effort, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::BTreeMap;

const MEMORIES: [Memory; 4] = [Memory::Rc11, Memory::Ra, Memory::Sc, Memory::Rc11];
const LARGEST: u64 = 20_000;

/// An object of two operations, one of which goes round a loop until something is there. What is put
/// there does not depend on the argument, so calls are alike.
fn waiting(rng: &mut Choices) -> String {
    let mut text = String::from(
        "#include <stdatomic.h>\n#include <assert.h>\n#include <stdlib.h>\nvoid __VERIFIER_assume(int);\n\
         int __VERIFIER_nondet_range(int, int);\n#pragma lineal object bag level=none args=independent\n\
         #pragma lineal op insert = put(value)\n#pragma lineal op remove = take() -> value\n\
         static atomic_int a, b = 1, s[2]; static int p;\n",
    );
    let puts = 1 + rng.below(3);
    let put: String = (0..puts).map(|_| deed(rng)).collect();
    let waits = match rng.below(6) {
        0 => format!("while (!{}) ;", load(rng)),
        _ => String::new(),
    };
    text += &format!("void put(int v) {{ int x = 0, e; {waits} {put} }}\n");
    let looks = 1 + rng.below(4);
    let before = if rng.below(2) == 0 { format!("x = {};", load(rng)) } else { String::new() };
    let body: String = (0..looks).map(|_| look(rng)).collect();
    let leaves = ["if (x) return x;", "if (x > 1) return x;", "", "if (x == 1) return 1;"][rng.below(4)];
    text += &format!("int take(void) {{ int x = 0, e; {before} for (;;) {{ {body} {leaves} }} }}\n");
    text
}

fn cell(rng: &mut Choices) -> &'static str {
    ["&a", "&a", "&b", "&s[0]", "&s[1]"][rng.below(5)]
}

fn load(rng: &mut Choices) -> String {
    let order = ["0", "2", "2", "5"][rng.below(4)];
    format!("atomic_load_explicit({}, {order})", cell(rng))
}

fn update(rng: &mut Choices) -> &'static str {
    ["0", "2", "3", "4", "4", "5"][rng.below(6)]
}

/// What changes something, for good.
fn deed(rng: &mut Choices) -> String {
    let (c, m) = (cell(rng), update(rng));
    let value = ["2", "1", "0", "2"][rng.below(4)];
    match rng.below(13) {
        12 => format!("if ({} == {}) {} ", load(rng), rng.below(3), cut(rng)),
        0..=3 => {
            let order = ["0", "3", "3", "5"][rng.below(4)];
            format!("atomic_store_explicit({c}, {value}, {order}); ")
        }
        4 | 5 => format!("x = atomic_exchange_explicit({c}, {value}, {m}); "),
        6 | 7 => format!("x = atomic_fetch_add_explicit({c}, 1, {m}); "),
        8 | 9 => {
            format!("e = 0; atomic_compare_exchange_strong_explicit({c}, &e, {value}, {m}, 0); ")
        }
        10 => "p = 2; ".into(),
        _ => format!("if (!{}) return; ", load(rng)),
    }
}

/// What ends the execution before its time.
fn cut(rng: &mut Choices) -> &'static str {
    ["exit(0);", "__VERIFIER_assume(0);", "__VERIFIER_nondet_range(2, 1);", "_Exit(0);"][rng.below(4)]
}

/// What looks for something, and may take it.
fn look(rng: &mut Choices) -> String {
    let (c, m) = (cell(rng), update(rng));
    match rng.below(22) {
        19 => format!("__VERIFIER_assume({} != {}); ", load(rng), rng.below(3)),
        20 => format!("if ({} == {}) {} ", load(rng), rng.below(3), cut(rng)),
        0..=4 => format!("x = {}; ", load(rng)),
        5..=8 => format!("x = atomic_exchange_explicit({c}, {}, {m}); ", rng.below(2)),
        9 | 10 => format!(
            "x = {}; if (x > 0 && atomic_compare_exchange_strong_explicit({c}, &x, x - 1, {m}, 0)) return x + 1; ",
            load(rng)
        ),
        11 => format!(
            "e = {}; if (atomic_compare_exchange_weak_explicit({c}, &e, {}, {m}, 2)) return 1; ",
            rng.below(2),
            rng.below(2)
        ),
        12 => "if (x) return x; ".into(),
        13 => "if (!x) continue; ".into(),
        14 => format!("x = atomic_fetch_add_explicit({c}, 0, {m}); "),
        15 => format!("if (x == 1) {{ atomic_store_explicit({c}, 0, 3); return 1; }} "),
        16 => "atomic_thread_fence(4); ".into(),
        17 => "if (x) x = p; ".into(),
        18 => format!("if (!atomic_fetch_or_explicit({c}, {}, {m})) continue; ", rng.below(2)),
        _ => "assert(x != 2); ".into(),
    }
}

/// The clients of up to so many calls that cannot complete.
fn told(subject: &Subject, memory: Memory, calls: usize) -> Vec<Client> {
    let problem = conform::Problem {
        clients: &subject.loaded.compiled,
        asked: Asked::Every(Bound::Total(calls)),
        memory,
        level: &Level::None,
        unroll: None,
        question: conform::Question::Linearizable,
        unroll_at: &[],
        preemptions: None,
        reductions: Reductions::default(),
    };
    let effort = Effort { max_states: Some(LARGEST), ..Effort::default() };
    conform::starving(&problem, &Bound::Total(calls), &effort, &Unwatched)
}

/// What exploring the client shows: whether nothing completes and nothing goes wrong; `None` if that
/// takes too long.
fn stuck(subject: &Subject, memory: Memory, client: &Client) -> Option<Result<(), String>> {
    let (mut program, _) = subject.loaded.compiled.program(client);
    let effort = Effort { max_states: Some(LARGEST), ..Effort::default() };
    let mut problem = graph::Problem { program: &mut program, memory, options: graph::Options::default() };
    let finding = graph::check(&mut problem, &effort, &Unwatched);
    match finding.verdict {
        Verdict::Unknown(_) if finding.stats.executions == 0 => None,
        Verdict::Violated(witness) => Some(Err(format!("{}: {}", witness.kind.word(), witness.why))),
        _ if finding.stats.executions > 0 => Some(Err("it completes".into())),
        _ => Some(Ok(())),
    }
}

#[test]
fn clients_that_starve() {
    let (count, calls) = if full() { (6_000, 5) } else { (250, 4) };
    let first = lineal_sweep::seed(5);
    let mut tally: BTreeMap<&str, u64> = BTreeMap::new();
    for n in 0..count {
        let rng = &mut Choices::new(first.wrapping_mul(7_000_003) + n);
        let subject = Subject::new(waiting(rng));
        let memory = MEMORIES[rng.below(4)];
        let clients = told(&subject, memory, calls);
        *tally.entry("objects").or_default() += 1;
        *tally.entry("that starve").or_default() += u64::from(!clients.is_empty());
        for client in clients {
            let shown = subject.loaded.compiled.object.show_client(&client);
            match stuck(&subject, memory, &client) {
                None => *tally.entry("too large").or_default() += 1,
                Some(Ok(())) => *tally.entry("clients").or_default() += 1,
                Some(Err(why)) => panic!("{n} (seed {first}) {memory}: {shown}: {why}\n{}", subject.text),
            }
        }
    }
    println!("{tally:?}");
    assert!(tally["that starve"] * 20 > tally["objects"], "{tally:?}");
    assert!(tally["clients"] > tally.get("too large").copied().unwrap_or(0), "{tally:?}");
}

/// A token that `put` takes away, whether somebody took it before or not: who comes late does not get
/// it, who comes early does.
const TOKEN: &str = "#include <stdatomic.h>
#pragma lineal object bag level=none args=independent
#pragma lineal op insert = put(value)
#pragma lineal op remove = take() -> value
static atomic_int token = 1;
void put(int v) { atomic_exchange_explicit(&token, 0, memory_order_acq_rel); }
int take(void) {
    for (;;) {
        if (atomic_exchange_explicit(&token, 0, memory_order_acq_rel)) return 1;
    }
}
";

#[test]
fn what_others_took_may_have_been_there() {
    let subject = Subject::new(TOKEN.into());
    let shown = |clients: Vec<Client>| -> Vec<String> {
        clients.iter().map(|c| subject.loaded.compiled.object.show_client(c)).collect()
    };
    let right = shown(told(&subject, Memory::Rc11, 3));
    assert!(!right.iter().any(|c| c.matches("remove").count() < 2), "{right:?}");
    assert!(right.iter().any(|c| c.matches("remove").count() == 2), "{right:?}");
    let wrong = seeded::with(Bug::TakenByAnyone, || shown(told(&subject, Memory::Rc11, 3)));
    assert!(wrong.iter().any(|c| c.matches("remove").count() == 1), "{wrong:?}");
}

/// Who takes the last item may find that the execution ends there.
const CUT: &str = "#include <stdatomic.h>
void __VERIFIER_assume(int);
#pragma lineal object bag level=none args=independent
#pragma lineal op insert = put(value)
#pragma lineal op remove = take() -> value
static atomic_int slot[2], count;
void put(int v) {
    int e = 0;
    if (!atomic_compare_exchange_strong(&slot[0], &e, v)) atomic_store(&slot[1], v);
}
int take(void) {
    int r;
    for (;;) {
        __VERIFIER_assume(atomic_load(&count) != 1);
        if ((r = atomic_exchange(&slot[0], 0)) || (r = atomic_exchange(&slot[1], 0))) break;
    }
    atomic_fetch_add(&count, 1);
    return r;
}
";

#[test]
fn executions_that_are_cut_short_are_not_complete() {
    let subject = Subject::new(CUT.into());
    let both = |clients: Vec<Client>| -> bool {
        let object = &subject.loaded.compiled.object;
        let calls = |c: &Client| ["insert", "remove"].map(|op| object.show_client(c).matches(op).count());
        clients.iter().any(|c| calls(c) == [2, 2])
    };
    for memory in [Memory::Rc11, Memory::Ra, Memory::Sc] {
        assert!(!both(told(&subject, memory, 4)), "{memory}");
        assert!(both(seeded::with(Bug::CutIsComplete, || told(&subject, memory, 4))), "{memory}");
    }
}

/// The whole check, with and without: the same clients without a complete execution, and as many
/// executions of the others.
#[test]
fn the_same_clients_are_stuck() {
    let queue = std::fs::read_to_string("../../tests/c/check/hw_queue.c").expect("a test's object");
    let subject = Subject::named("hw_queue.c", queue);
    for memory in [Memory::Rc11, Memory::Ra, Memory::Sc, Memory::Tso] {
        let ask = |starving: bool| {
            let problem = conform::Problem {
                clients: &subject.loaded.compiled,
                asked: Asked::Every(Bound::Total(6)),
                memory,
                level: &Level::R,
                unroll: None,
                question: conform::Question::Linearizable,
                unroll_at: &[],
                preemptions: None,
                reductions: Reductions { starving, ..Reductions::default() },
            };
            let finding =
                conform::check(&problem, &Effort::default(), &Unwatched).expect("an answer").finding;
            let Verdict::Holds(scope) = finding.verdict else { panic!("{:?}", finding.verdict) };
            let mut stuck: Vec<String> = scope
                .assumptions
                .iter()
                .flat_map(|a| match a {
                    Assumption::Stuck(clients) => clients.clone(),
                    _ => Vec::new(),
                })
                .collect();
            stuck.sort();
            assert!(scope.assumptions.contains(&Assumption::EndlessNotJudged), "{memory}");
            (finding.stats.clients, finding.stats.executions, finding.stats.blocked, stuck)
        };
        let (with, without) = (ask(true), ask(false));
        assert_eq!((with.0, with.1, &with.3), (without.0, without.1, &without.3), "{memory}");
        assert_eq!(with.2 < without.2, memory != Memory::Tso, "{memory}: {} {}", with.2, without.2);
        assert!(!with.3.is_empty());
    }
}
