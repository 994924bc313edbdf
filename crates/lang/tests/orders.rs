//! Where accesses are written, and what is written for other orders.

use lineal_lang::c11::orders::{self, Located, Source};
use lineal_lang::c11::{Options, Unit, object};
use lineal_model::program::modes::{Modes, Spot};
use lineal_model::run::Mode;

fn accesses(sources: &[Source]) -> Option<Vec<Spot>> {
    let units = sources.iter().map(|s| Unit::of(&s.name, &s.text).ok()).collect::<Option<Vec<_>>>()?;
    let (loaded, _) = object::load(&units, &Options::default()).ok()?;
    Some(loaded.compiled.operations.accesses())
}

/// A register whose operations have these bodies.
fn source(put: &str, get: &str) -> Vec<Source> {
    let text = format!(
        "#pragma lineal object register args=independent\n\
         #pragma lineal op write = put(value)\n\
         #pragma lineal op read = get() -> value\n\
         enum order {{ memory_order_relaxed, memory_order_acquire = 2, memory_order_release, \
         memory_order_acq_rel, memory_order_seq_cst }};\n\
         static _Atomic int x; static int y; static struct {{ _Atomic int at[2]; }} s, *p = &s;\n\
         void put(int value) {{\n{put}\n}}\n\
         int get(void) {{\n{get}\n}}\n"
    );
    vec![Source { name: "x.c".into(), text }]
}

fn located(sources: &[Source]) -> Vec<Located> {
    let all = accesses(sources).expect("it is an object");
    orders::locate(sources, &all, accesses)
}

/// Every access with these modes, line by line.
#[track_caller]
fn check(put: &str, mode: Mode, expected: &str) {
    let sources = source(put, "return 0;");
    let found = located(&sources);
    assert!(found.iter().all(|l| orders::by_hand(l).is_none()), "{found:?}");
    let changes: Vec<(&Located, Modes)> =
        found.iter().map(|l| (l, Modes { mode, fail: Mode::Relaxed })).collect();
    let new = orders::rewrite(&sources, &changes);
    let body = new[0].text.split("void put(int value) {\n").nth(1).and_then(|t| t.split("\n}").next());
    assert_eq!(body, Some(expected));
    let again = accesses(&new).expect("it is still an object");
    assert!(again.iter().all(|a| a.modes.mode == mode), "{again:?}");
}

#[test]
fn orders_that_are_written() {
    check(
        "atomic_store_explicit(&x, value, memory_order_seq_cst);",
        Mode::Release,
        "atomic_store_explicit(&x, value, memory_order_release);",
    );
    check("__atomic_store_n(&y, value, 5);", Mode::Release, "__atomic_store_n(&y, value, 3);");
}

#[test]
fn orders_that_are_not_written() {
    check(
        "atomic_store(&x, value);",
        Mode::Release,
        "atomic_store_explicit(&x, value, memory_order_release);",
    );
    check(
        "int old = 0; atomic_compare_exchange_strong(&x, &old, (value, 1));",
        Mode::AcqRel,
        "int old = 0; atomic_compare_exchange_strong_explicit(&x, &old, (value, 1), memory_order_acq_rel, memory_order_relaxed);",
    );
    check(
        "while (atomic_exchange( /* ) */ &x, 1)) {}",
        Mode::Acquire,
        "while (atomic_exchange_explicit( /* ) */ &x, 1, memory_order_acquire)) {}",
    );
}

#[test]
fn variables_without_a_function() {
    check("x = value;", Mode::Release, "atomic_store_explicit(&x, value, memory_order_release);");
    check("x += value;", Mode::AcqRel, "atomic_fetch_add_explicit(&x, value, memory_order_acq_rel);");
    check("y = x++;", Mode::Relaxed, "y = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);");
    check("--x;", Mode::Release, "atomic_fetch_sub_explicit(&x, 1, memory_order_release);");
    check(
        "y = p->at[1] + 1;",
        Mode::Acquire,
        "y = atomic_load_explicit(&p->at[1], memory_order_acquire) + 1;",
    );
    check(
        "_Atomic int *q = &x; *q = 2;",
        Mode::Release,
        "_Atomic int *q = &x; atomic_store_explicit(q, 2, memory_order_release);",
    );
}

#[test]
fn one_text_is_one_access() {
    let mut sources = source("set(value); set(value + 1);", "set(0); return 0;");
    sources[0].text =
        sources[0].text.replace("void put", "static void set(int v) { atomic_store(&x, v); }\nvoid put");
    let found = located(&sources);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn what_cannot_be_told_is_left_to_its_author() {
    let sources =
        source("enum { mine = memory_order_seq_cst }; atomic_store_explicit(&x, value, mine);", "return 0;");
    let found = located(&sources);
    assert_eq!(found.len(), 1);
    assert!(orders::by_hand(&found[0]).is_some());
    // What comes with its own fences has no order.
    assert!(located(&source("__sync_fetch_and_add(&y, value);", "return 0;")).is_empty());
}

#[test]
fn a_fence_goes_with_its_line() {
    let fence = |before: &str, after: &str| {
        let sources =
            source(&format!("{before}atomic_thread_fence(memory_order_seq_cst);{after}"), "return 0;");
        let found = located(&sources);
        let none = Modes { mode: Mode::Relaxed, fail: Mode::Relaxed };
        let new = orders::rewrite(&sources, &[(&found[0], none)]);
        new[0].text.split("void put(int value) {\n").nth(1).unwrap().split("\n}").next().unwrap().to_string()
    };
    assert_eq!(fence("y = 1;\n", "\ny = 2;"), "y = 1;\ny = 2;");
    assert_eq!(fence("y = 1; ", " y = 2;"), "y = 1;  y = 2;");
    assert_eq!(fence("if (y) ", ""), "if (y) atomic_thread_fence(memory_order_relaxed);");
}
