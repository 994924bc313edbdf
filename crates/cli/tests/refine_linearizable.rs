//! `linearizable TYPE` under every combination of reductions: none changes a verdict or the length
//! of a counterexample, and processes that differ only in their number do count once. Runs that end
//! are also judged one by one, as histories, by trying every order.

#[path = "support/random_csp.rs"]
#[allow(dead_code)]
mod random_csp;

use lineal_check::monitor::Consistency;
use lineal_check::naive::history;
use lineal_check::naive::refine::Graph;
use lineal_check::refine::{Settings, check};
use lineal_lang::csp::load;
use lineal_model::adt::{Kind, Object};
use lineal_model::history::{Builder, Call, Method, Value, ValueId};
use lineal_model::lts::Label;
use lineal_model::process::term::Universe;
use lineal_model::process::{Claim, System};
use lineal_model::{Effort, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::{BTreeMap, BTreeSet};

/// Violated after so many visible events, or not; and the states visited.
fn decide(text: &str, settings: &Settings) -> (Option<usize>, u64) {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let answer =
        check(&loaded.model, &loaded.assertions[0], settings, &Effort::default(), &Unwatched).unwrap();
    let found = match answer.finding.verdict {
        Verdict::Holds(_) => None,
        Verdict::Violated(w) => Some(w.steps.iter().filter(|s| !s.what.starts_with('τ')).count()),
        Verdict::Unknown(limit) => panic!("{}\n{text}", limit.message),
    };
    (found, answer.tally.states)
}

fn steps(rng: &mut Choices, from: &[&str], most: u32) -> String {
    let one = |rng: &mut Choices| format!("tau{{{};}} -> ", from[rng.below(from.len() as u32) as usize]);
    (0..=rng.below(most)).map(|_| one(rng)).collect()
}

/// A register or a counter whose operations take a few careless steps.
fn model(rng: &mut Choices) -> String {
    let n = 2 + rng.below(2);
    let system = "Sys() = |||i:{0..N-1}@C(i);";
    match rng.below(3) {
        0 => {
            let body = match rng.below(3) {
                0 => "tau{L[i] = x; x = x + 1;} -> ".to_string(),
                _ => steps(rng, &["L[i] = x", "x = L[i] + 1", "L[i] = x; x = x + 1"], 2),
            };
            let system =
                format!("C(i) = [c < 3] fai_inv.i{{c = c + 1;}} -> {body}fai_res.i.(L[i]) -> C(i); {system}");
            format!("#define N {n}; var x = 0; var c = 0; var L[N]; {system} #assert Sys() linearizable fai;")
        }
        _ => {
            let write = match rng.below(2) {
                0 => "tau{x = v;} -> ".to_string(),
                _ => steps(rng, &["x = v", "y = v", "L[i] = x", "x = v; y = x", "y = L[i]"], 2),
            };
            let read = match rng.below(2) {
                0 => "tau{R[i] = x;} -> ".to_string(),
                _ => steps(rng, &["R[i] = x", "R[i] = y", "R[i] = x; y = x"], 2),
            };
            format!(
                "#define N {n}; var x = 0; var y = 0; var L[N]; var R[N]; \
                 W(i, v) = write_inv.i.v -> {write}write_res.i -> C(i); \
                 D(i) = read_inv.i -> {read}read_res.i.(R[i]) -> C(i); \
                 C(i) = W(i, 0) [] W(i, 1) [] D(i); {system} #assert Sys() linearizable register;"
            )
        }
    }
}

#[test]
fn no_reduction_changes_a_verdict() {
    let wanted = if lineal_sweep::full() { 400 } else { 20 };
    let mut rng = Choices::new(3);
    let (mut violated, mut fewer) = (0, 0);
    for _ in 0..wanted {
        let text = model(&mut rng);
        let (truth, plain) = decide(&text, &Settings::PLAIN);
        for bits in 1..32 {
            let settings = Settings {
                antichain: bits & 1 != 0,
                symmetry: bits & 2 != 0,
                reset: bits & 4 != 0,
                fuse: bits & 8 != 0,
                calls: bits & 16 != 0,
                ..Settings::default()
            };
            let (found, states) = decide(&text, &settings);
            assert_eq!(found, truth, "{settings:?}\n{text}");
            if bits == 2 && truth.is_none() {
                assert!(states < plain, "no symmetry was found: {states} of {plain} states\n{text}");
                fewer += 1;
            }
        }
        violated += usize::from(truth.is_some());
    }
    println!("{wanted} models, {violated} violated; symmetry saved states in all {fewer} that hold");
    assert!(violated * 5 >= wanted && fewer * 5 >= wanted, "unbalanced: {violated}, {fewer} of {wanted}");
}

/// A lock belongs to whoever took it; names are in its state, so there is no symmetry to use.
#[test]
fn a_lock_is_released_by_its_owner() {
    let lock = |release: &str| {
        format!(
            "var held = 0; var by = 9; \
             C(i) = acquire_inv.i -> [held == 0] tau{{held = 1; by = i;}} -> acquire_res.i -> Skip \
                 [] release_inv.i -> {release} tau{{held = 0;}} -> release_res.i -> Skip; \
             Sys() = |||i:{{0..1}}@C(i); #assert Sys() linearizable mutex;"
        )
    };
    for settings in [Settings::default(), Settings::PLAIN] {
        // Anyone releases what anyone holds.
        assert!(decide(&lock("[held == 1]"), &settings).0.is_some());
        assert_eq!(decide(&lock("[held == 1 && by == i]"), &settings).0, None);
    }
}

/// A call, some ways to carry it out, and its answer.
type Operation = (&'static str, Vec<&'static str>, &'static str);

/// Clients of one or two calls, which end well, stop, or never answer.
fn ending(rng: &mut Choices) -> String {
    let pick = |rng: &mut Choices, from: &[&str]| from[rng.below(from.len() as u32) as usize].to_string();
    let end = |rng: &mut Choices| pick(rng, &["Skip", "Skip", "Stop"]);
    let answer = |rng: &mut Choices, res: &str, next: &str| match rng.below(5) {
        0 => pick(rng, &["Stop", "Skip"]),
        _ => format!("{res} -> {next}"),
    };
    let n = 2 + rng.below(2);
    let (kind, ops): (&str, Vec<Operation>) = match rng.below(4) {
        0 => (
            "register",
            vec![
                (
                    "write_inv.i.1",
                    vec!["tau{x = 1;} -> ", "tau{y = 1;} -> tau{x = y;} -> ", ""],
                    "write_res.i",
                ),
                ("write_inv.i.i", vec!["tau{x = i;} -> ", "tau{x = 0;} -> tau{x = i;} -> "], "write_res.i"),
                (
                    "read_inv.i",
                    vec!["tau{L[i] = x;} -> ", "tau{L[i] = x; y = x;} -> ", "tau{L[i] = y;} -> "],
                    "read_res.i.(L[i])",
                ),
            ],
        ),
        1 => (
            "fai",
            vec![(
                "fai_inv.i",
                vec![
                    "tau{L[i] = x; x = x + 1;} -> ",
                    "tau{L[i] = x;} -> tau{x = L[i] + 1;} -> ",
                    "tau{x = x + 1;} -> tau{L[i] = x - 1;} -> ",
                ],
                "fai_res.i.(L[i])",
            )],
        ),
        2 => (
            "cas-register",
            vec![
                (
                    "cas_inv.i.0.1",
                    vec![
                        "tau{ if (x == 0) { x = 1; L[i] = 1; } else { L[i] = 0; } } -> ",
                        "tau{ L[i] = 0; if (x == 0) { L[i] = 1; } } -> tau{ if (L[i] == 1) { x = 1; } } -> ",
                    ],
                    "cas_res.i.(L[i])",
                ),
                ("write_inv.i.0", vec!["tau{x = 0;} -> "], "write_res.i"),
                ("read_inv.i", vec!["tau{L[i] = x;} -> "], "read_res.i.(L[i])"),
            ],
        ),
        _ => (
            "queue",
            vec![
                (
                    "enqueue_inv.i.7",
                    vec!["tau{q[t] = 7; t = t + 1;} -> ", "tau{t = t + 1;} -> tau{q[t - 1] = 7;} -> "],
                    "enqueue_res.i",
                ),
                ("enqueue_inv.i.i", vec!["tau{q[t] = i; t = t + 1;} -> "], "enqueue_res.i"),
                (
                    "dequeue_inv.i",
                    vec![
                        "[h < t] tau{L[i] = q[h]; h = h + 1;} -> ",
                        "[h < t] tau{L[i] = q[h];} -> tau{h = h + 1;} -> ",
                    ],
                    "dequeue_res.i.(L[i])",
                ),
                ("dequeue_inv.i", vec!["[h >= t] tau -> ", "tau -> "], "dequeue_res.i"),
            ],
        ),
    };
    let one = |rng: &mut Choices, next: &str| {
        let (inv, bodies, res) = &ops[rng.below(ops.len() as u32) as usize];
        let body = pick(rng, bodies);
        format!("{inv} -> {body}{}", answer(rng, res, next))
    };
    let client = |rng: &mut Choices| {
        let last = end(rng);
        match n == 2 && rng.below(2) == 0 {
            true => {
                let second = one(rng, &last);
                one(rng, &format!("({second})"))
            }
            false => one(rng, &last),
        }
    };
    let (p, q) = (client(rng), client(rng));
    let system = match rng.below(3) {
        0 => format!("P(0) ||| Q(1){}", if n == 3 { " ||| Q(2)" } else { "" }),
        1 => "||| i:{0..N-1}@(P(i) [] Q(i))".into(),
        _ => "||| i:{0..N-1}@P(i)".into(),
    };
    format!(
        "#define N {n}; var x = 0; var y = 0; var L[N]; var q[8]; var h = 0; var t = 0;\n\
         P(i) = {p};\nQ(i) = {q};\nSys() = {system};\n#assert Sys() linearizable {kind};\n"
    )
}

/// The length of the shortest trace that no order explains, by looking at every trace. `None` if
/// there are too many.
fn judged(text: &str) -> Option<Option<usize>> {
    let loaded = load("t.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{text}\n{p:#?}"));
    let Claim::Linearizable { object, init, .. } = &loaded.assertions[0].claim else { panic!("{text}") };
    let kind = Kind::from_word(object).unwrap();
    let universe = Universe::new(&loaded.model);
    let system = System::new(&universe, loaded.assertions[0].root).ok()?;
    let graph = Graph::of(&system, 1_500)?;
    let closure = |mut states: BTreeSet<usize>| {
        let mut work: Vec<usize> = states.iter().copied().collect();
        while let Some(s) = work.pop() {
            for (label, to) in &graph.steps[s] {
                if *label == Label::Internal && states.insert(*to) {
                    work.push(*to);
                }
            }
        }
        states
    };
    let mut traces = vec![(Vec::new(), closure(graph.start.iter().copied().collect()))];
    let mut seen = 0;
    while !traces.is_empty() {
        let mut longer = Vec::new();
        for (trace, states) in traces {
            seen += 1;
            if seen > 1_500 {
                return None;
            }
            let shown: Vec<String> = trace.iter().map(|e| universe.events.show(&loaded.model, *e)).collect();
            if !explained(kind, *init, &shown) {
                return Some(Some(trace.len()));
            }
            let mut next: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
            for (label, to) in states.iter().flat_map(|s| &graph.steps[*s]) {
                if let Label::Event(e) = label {
                    next.entry(*e).or_default().insert(*to);
                }
            }
            longer.extend(next.into_iter().map(|(e, to)| ([&trace[..], &[e]].concat(), closure(to))));
        }
        traces = longer;
    }
    Some(None)
}

fn explained(kind: Kind, init: i32, trace: &[String]) -> bool {
    let mut builder = Builder::new();
    let mut open: BTreeMap<i64, (u32, Method)> = BTreeMap::new();
    for event in trace.iter().filter(|e| *e != "terminate") {
        let mut parts = event.split('.');
        let name = parts.next().unwrap();
        let numbers: Vec<i64> = parts.map(|n| n.parse().unwrap()).collect();
        let (word, way) = name.split_once('_').unwrap();
        let method = kind.method(word).unwrap();
        let values: Vec<ValueId> = numbers.iter().map(|n| builder.values.int(*n)).collect();
        if way == "inv" {
            let mut call = Call::new(method, values[0]);
            call.arg = values.get(1).copied().unwrap_or(ValueId::NONE);
            call.extra = values.get(2).copied().unwrap_or(ValueId::NONE);
            open.insert(numbers[0], (builder.call(call), method));
        } else {
            let (op, method) = open.remove(&numbers[0]).expect("a call");
            let result = match (method, numbers.get(1)) {
                _ if !kind.answers(method) => ValueId::NONE,
                (_, None) => ValueId::EMPTY,
                (Method::Cas, Some(n)) => ValueId::bool(*n != 0),
                _ => values[1],
            };
            builder.ret(op, result);
        }
    }
    builder.values.int(init.into());
    let object = match kind {
        Kind::Queue => Object::new(kind),
        _ => Object::new(kind).init(Value::Int(init.into())),
    };
    history::holds(&builder.finish(), &object, Consistency::Linearizable)
}

#[test]
fn runs_that_end_are_judged_as_histories_are() {
    let full = lineal_sweep::full();
    let wanted = if full { 4_000 } else { 100 };
    let mut rng = Choices::new(5);
    let (mut models, mut violated, mut skipped) = (0, 0, 0);
    while models < wanted {
        let text = ending(&mut rng);
        let Some(truth) = judged(&text) else {
            skipped += 1;
            continue;
        };
        models += 1;
        violated += usize::from(truth.is_some());
        for bits in [0, 2, 15, 16, 31, rng.below(32)] {
            let settings = Settings {
                antichain: bits & 1 != 0,
                symmetry: bits & 2 != 0,
                reset: bits & 4 != 0,
                fuse: bits & 8 != 0,
                calls: bits & 16 != 0,
                ..Settings::default()
            };
            assert_eq!(decide(&text, &settings).0, truth, "{settings:?}\n{text}");
        }
    }
    println!("{models} models ({skipped} too large), {violated} violated");
    assert!(violated * 5 >= models && violated * 5 <= models * 4, "unbalanced: {violated} of {models}");
}
