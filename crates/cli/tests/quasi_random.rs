//! Factors of 0 are linearizability: random small objects have the same verdict with them as without.
//!
//! Objects are models whose processes take a few careless steps, and C code that does what comes to
//! mind. Quick by default, with a fixed seed; `LINEAL_FULL=1` takes 10,000 of each from a fresh one.

use lineal_check::conform::{self, Asked, Reductions, clients::Bound};
use lineal_check::refine::{Settings, check};
use lineal_lang::c11::object::{self, Loaded};
use lineal_lang::c11::{Options, Unit};
use lineal_lang::csp::load;
use lineal_lang::quasi::stated;
use lineal_model::object::Level;
use lineal_model::relaxed::relaxed;
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use lineal_sweep::{Choices, full, seed, smallest};
use std::fmt::Write;

/// What is said of an object: violated or not, and how far one has to go for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Holds,
    Violated(usize),
    Unknown,
}

fn any<'t>(rng: &mut Choices, of: &[&'t str]) -> &'t str {
    of[rng.below(of.len())]
}

/// Which operations have a factor of 0.
fn zero(rng: &mut Choices, [adds, takes]: [&str; 2]) -> String {
    match rng.below(4) {
        0 => format!("{adds}=0"),
        1 => format!("{takes}=0"),
        2 if adds != takes => format!("{{{adds},{takes}}}=0"),
        _ if adds != takes => format!("{adds}=0,{takes}=0"),
        _ => format!("{takes}=0"),
    }
}

/// A model of a container, and the words for its operations.
fn container(rng: &mut Choices) -> (String, &'static str, [&'static str; 2]) {
    let (word, [put, take]) = [("queue", ["enq", "deq"]), ("stack", ["push", "pop"])][rng.below(2)];
    let puts = any(
        rng,
        &[
            "tau{q[t] = v[i]; t = t + 1;} -> ",
            "tau{q[t] = v[i]; t = t + 1;} -> ",
            "tau{k[i] = t; t = t + 1;} -> tau{q[k[i]] = v[i];} -> ",
            "tau{k[i] = t;} -> tau{q[k[i]] = v[i]; t = k[i] + 1;} -> ",
            "tau{q[t] = q[h]; q[h] = v[i]; t = t + 1;} -> ",
        ],
    );
    let takes = any(
        rng,
        &[
            "tau{if (h < t) { r[i] = q[h]; h = h + 1; } else { r[i] = 0; }} -> ",
            "tau{if (h < t) { t = t - 1; r[i] = q[t]; } else { r[i] = 0; }} -> ",
            "tau{k[i] = h;} -> tau{if (k[i] < t) { r[i] = q[k[i]]; h = k[i] + 1; } else { r[i] = 0; }} -> ",
            "tau{k[i] = h; h = h + 1;} -> tau{if (k[i] < t) { r[i] = q[k[i]]; } else { r[i] = 0; }} -> ",
            "tau{if (h < t) { t = t - 1; r[i] = q[h]; q[h] = q[t]; } else { r[i] = 0; }} -> ",
        ],
    );
    let (items, calls) = (1 + rng.below(2), 1 + rng.below(2));
    let text = format!(
        "#define N 2; var q[9]; var h = 0; var t = 0; var c = 0; var d = 0; var v[N]; var r[N]; var k[N];\n\
         Put(i) = [c < {items}] {put}_inv.i.(c + 1){{c = c + 1; v[i] = c;}} -> {puts}{put}_res.i -> P(i);\n\
         Take(i) = [d < {calls}] {take}_inv.i{{d = d + 1;}} -> {takes}\
         (if (r[i] == 0) {{ {take}_res.i -> P(i) }} else {{ {take}_res.i.(r[i]) -> P(i) }});\n\
         P(i) = Put(i) [] Take(i);\nSys() = |||i:{{0..N-1}}@P(i);\n"
    );
    (text, word, [put, take])
}

/// A register or a counter whose operations take a few careless steps.
fn number(rng: &mut Choices) -> (String, &'static str, [&'static str; 2]) {
    let steps = |rng: &mut Choices, from: &[&str]| -> String {
        (0..=rng.below(2)).map(|_| format!("tau{{{};}} -> ", any(rng, from))).collect()
    };
    if rng.below(3) == 0 {
        let body = steps(rng, &["r[i] = x; x = x + 1", "r[i] = x", "x = r[i] + 1"]);
        let text = format!(
            "#define N 2; var x = 0; var c = 0; var r[N];\n\
             P(i) = [c < 3] fai_inv.i{{c = c + 1;}} -> {body}fai_res.i.(r[i]) -> P(i);\n\
             Sys() = |||i:{{0..N-1}}@P(i);\n"
        );
        return (text, "fai", ["fai", "fai"]);
    }
    let write = steps(rng, &["x = v", "x = v", "y = v", "x = v; y = x", "y = x"]);
    let read = steps(rng, &["r[i] = x", "r[i] = x", "r[i] = y", "r[i] = x; y = x"]);
    let text = format!(
        "#define N 2; var x = 0; var y = 0; var r[N];\n\
         W(i, v) = write_inv.i.v -> {write}write_res.i -> P(i);\n\
         R(i) = read_inv.i -> {read}read_res.i.(r[i]){{r[i] = 0;}} -> P(i);\n\
         P(i) = W(i, 0) [] W(i, 1) [] R(i);\nSys() = |||i:{{0..N-1}}@P(i);\n"
    );
    (text, "register", ["write", "read"])
}

/// A model that asserts the same without and with factors.
fn model(rng: &mut Choices) -> String {
    let (mut text, word, operations) = if rng.below(2) == 0 { container(rng) } else { number(rng) };
    let zero = zero(rng, operations);
    let _ = writeln!(text, "#assert Sys() linearizable {word};");
    let _ = writeln!(text, "#assert Sys() linearizable {word} quasi {zero};");
    let _ = writeln!(text, "#assert Sys() linearizable {word} quasi {zero} windows;");
    text
}

/// What is said of each assertion.
fn asserted(text: &str) -> Vec<Said> {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let one = |a| {
        let checked = check(&loaded.model, a, &Settings::default(), &Effort::default(), &Unwatched).unwrap();
        match checked.finding.verdict {
            Verdict::Holds(_) => Said::Holds,
            Verdict::Violated(w) => {
                Said::Violated(w.steps.iter().filter(|s| !s.what.starts_with('τ')).count())
            }
            Verdict::Unknown(_) => Said::Unknown,
        }
    };
    loaded.assertions.iter().map(one).collect()
}

#[test]
fn models() {
    let count = if full() { 10_000 } else { 400 };
    let mut rng = Choices::new(seed(5));
    let (mut violated, mut unknown) = (0, 0);
    for _ in 0..count {
        rng.begin();
        let text = model(&mut rng);
        let made = rng.made().to_vec();
        let wrong = |text: &String| {
            let said = asserted(text);
            said.iter().any(|s| *s != said[0]).then(|| format!("{said:?}"))
        };
        if wrong(&text).is_some() {
            panic!("{}", smallest(&made, model, String::clone, wrong));
        }
        let said = asserted(&text)[0];
        violated += usize::from(matches!(said, Said::Violated(_)));
        unknown += usize::from(said == Said::Unknown);
    }
    println!("{count} models, {violated} violated, {unknown} unknown");
    assert!(
        violated * 10 > count && violated * 10 < 9 * count && unknown * 20 < count,
        "{violated}, {unknown}"
    );
}

/// An object whose calls do what comes to mind, and the factors of 0.
struct Code {
    text: String,
    zero: String,
    memory: Memory,
}

fn code(rng: &mut Choices) -> Code {
    let memory = [Memory::Sc, Memory::Rc11, Memory::Rc11, Memory::Tso][rng.below(4)];
    let kind = ["register", "queue", "stack", "counter"][rng.below(4)];
    let order = |rng: &mut Choices| ["0", "5", "5"][rng.below(3)];
    let mut out = String::from("static int x, y, cell[9];\n");
    let (adds, takes) = match kind {
        "register" => ("write", "read"),
        "queue" => ("enqueue", "dequeue"),
        "stack" => ("push", "pop"),
        _ => ("add", "read"),
    };
    let args = if kind == "counter" { "" } else { " args=independent" };
    let _ = writeln!(out, "#pragma lineal object {kind}{args}");
    let given = if kind == "counter" { "" } else { "value" };
    let _ = writeln!(out, "#pragma lineal op {adds} = put({given})");
    let empty = if matches!(kind, "queue" | "stack") { ", empty if result == 0" } else { "" };
    let _ = writeln!(out, "#pragma lineal op {takes} = get() -> value{empty}");
    out.push_str(if kind == "counter" { "void put(void) { int value = 1;" } else { "void put(int value) {" });
    let (a, b, c) = (order(rng), order(rng), order(rng));
    let put = match (kind, rng.below(4)) {
        ("register", 0 | 1) => format!(" __atomic_store_n(&x, value, {a});"),
        ("register", 2) => format!(" __atomic_store_n(&x, value, {a}); __atomic_store_n(&y, value, {b});"),
        ("register", _) => format!(" __atomic_store_n(&y, value, {a});"),
        ("counter", 0 | 1) => format!(" __atomic_fetch_add(&x, value, {a});"),
        ("counter", 2) => {
            format!(" int n = __atomic_load_n(&x, {a}); __atomic_store_n(&x, n + value, {b});")
        }
        ("counter", _) => {
            format!(" __atomic_fetch_add(&x, value, {a}); __atomic_fetch_add(&y, value, {b});")
        }
        (_, 0 | 1) => {
            format!(" int n = __atomic_fetch_add(&x, 1, {a}); __atomic_store_n(&cell[n], value, {b});")
        }
        (_, 2) => format!(
            " int n = __atomic_load_n(&x, {a}); __atomic_store_n(&cell[n], value, {b}); __atomic_store_n(&x, n + 1, {c});"
        ),
        _ => format!(" __atomic_exchange_n(&cell[0], value, {a});"),
    };
    out.push_str(&put);
    out.push_str(" }\nint get(void) {");
    let get = match (kind, rng.below(4)) {
        ("register" | "counter", 0 | 1) => format!(" return __atomic_load_n(&x, {a});"),
        ("register" | "counter", 2) => format!(" return __atomic_load_n(&y, {a});"),
        ("register" | "counter", _) => format!(
            " int n = __atomic_load_n(&x, {a}); __atomic_store_n(&y, n, {b}); return __atomic_load_n(&y, {c});"
        ),
        ("queue", 0 | 1) => format!(
            " for (int i = 0; i < 4; i++) {{ int v = __atomic_exchange_n(&cell[i], 0, {a}); if (v) return v; }} return 0;"
        ),
        ("stack", 0 | 1) => format!(
            " for (int i = 3; i >= 0; i--) {{ int v = __atomic_exchange_n(&cell[i], 0, {a}); if (v) return v; }} return 0;"
        ),
        (_, 2) => format!(" return __atomic_exchange_n(&cell[0], 0, {a});"),
        _ => format!(
            " int v = __atomic_load_n(&cell[1], {a}); if (v) return v; return __atomic_exchange_n(&cell[0], 0, {b});"
        ),
    };
    out.push_str(&get);
    out.push_str(" }\n");
    Code { text: out, zero: zero(rng, [adds, takes]), memory }
}

/// What the engine says about all clients of three calls; with the executions it looked at.
fn checked(loaded: &Loaded, memory: Memory, level: &Level) -> (Said, u64) {
    let problem = conform::Problem {
        clients: &loaded.compiled,
        asked: Asked::Every(Bound::Total(3)),
        memory,
        level,
        unroll: None,
        unroll_at: &[],
        question: Default::default(),
        preemptions: None,
        reductions: Reductions::default(),
    };
    let checked = conform::check(&problem, &Effort::default(), &Unwatched).expect("a level that fits");
    let calls = checked.exhibit.as_ref().map_or(0, |e| e.client.calls.len());
    let said = match checked.finding.verdict {
        Verdict::Holds(_) => Said::Holds,
        Verdict::Violated(_) => Said::Violated(calls),
        Verdict::Unknown(_) => Said::Unknown,
    };
    (said, checked.finding.stats.executions)
}

/// With and without factors.
fn both(code: &Code) -> [(Said, u64); 2] {
    let unit = Unit::of("object.c", &code.text);
    let read = unit.and_then(|unit| object::load(&[unit], &Options::default()));
    let (mut loaded, _) = read.unwrap_or_else(|found| panic!("{found:?}\n{}", code.text));
    let level = loaded.compiled.object.level.clone().unwrap_or(Level::None);
    let plain = checked(&loaded, code.memory, &level);
    let factors = stated(&code.zero).expect("factors");
    let object = &mut loaded.compiled.object;
    object.quasi = Some(relaxed(object, &factors.classes, factors.semantics).expect("factors of 0").into());
    [plain, checked(&loaded, code.memory, &level)]
}

#[test]
fn objects() {
    let count = if full() { 10_000 } else { 200 };
    let mut rng = Choices::new(seed(6));
    let (mut violated, mut unknown) = (0, 0);
    for _ in 0..count {
        rng.begin();
        let code = self::code(&mut rng);
        let made = rng.made().to_vec();
        let wrong = |code: &Code| {
            let [plain, relaxed] = both(code);
            (plain != relaxed).then(|| format!("{plain:?} without, {relaxed:?} with {}", code.zero))
        };
        let said = both(&code);
        if said[0] != said[1] {
            panic!("{}", smallest(&made, self::code, |c| format!("{:?}\n{}", c.memory, c.text), wrong));
        }
        violated += usize::from(matches!(said[0].0, Said::Violated(_)));
        unknown += usize::from(said[0].0 == Said::Unknown);
    }
    println!("{count} objects, {violated} violated, {unknown} unknown");
    assert!(
        violated * 10 > count && violated * 10 < 9 * count && unknown * 20 < count,
        "{violated}, {unknown}"
    );
}
