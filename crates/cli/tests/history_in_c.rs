//! Types written in C: the built-in ones written again, held against them on random histories;
//! and what is said about types that are wrong.

#[path = "../../check/tests/monitor_support/mod.rs"]
mod monitor_support;

use lineal_check::monitor::{self, Consistency, Problem};
use lineal_check::naive;
use lineal_lang::c11::{Unit, spec};
use lineal_lang::history::{Format, Options, load, write};
use lineal_model::adt::{Object, UserType};
use lineal_model::history::{History, Method, Op, Value, ValueId};
use lineal_model::{Effort, Unwatched};
use lineal_sweep::Choices;
use monitor_support::{draft, show, subjects};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

const QUEUE: &str = "
int items[16], count;
void add(int v) { items[count++] = v; }
int first(void) {
    if (count == 0) return -1;
    int v = items[0];
    for (int i = 1; i < count; i++) items[i - 1] = items[i];
    items[--count] = 0;
    return v;
}
#pragma lineal op insert = add(value)
#pragma lineal op remove = first() -> value, empty if result < 0
";

/// Linked, so that blocks come and go.
const LINKED_QUEUE: &str = "
void *malloc(unsigned long); void free(void *);
struct node { int v; struct node *next; };
struct node *head, *tail;
void add(int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v; n->next = 0;
    if (tail) tail->next = n; else head = n;
    tail = n;
}
int first(int *out) {
    struct node *n = head;
    if (!n) return 0;
    *out = n->v; head = n->next;
    if (!head) tail = 0;
    free(n);
    return 1;
}
#pragma lineal op insert = add(value)
#pragma lineal op remove = first(out) -> out, empty if !result
";

const STACK: &str = "
void *malloc(unsigned long); void free(void *);
struct node { int v; struct node *next; } *top;
void push(int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = top; top = n; }
int pop(int *out) {
    struct node *n = top;
    if (!n) return 0;
    *out = n->v; top = n->next; free(n);
    return 1;
}
#pragma lineal op insert = push(value)
#pragma lineal op remove = pop(out) -> out, empty if !result
";

const BAG: &str = "
int __VERIFIER_nondet_range(int, int);
int items[16], count;
void add(int v) { int i = count++; while (i > 0 && items[i - 1] > v) { items[i] = items[i - 1]; i--; } items[i] = v; }
int any(void) {
    if (count == 0) return -1;
    int i = __VERIFIER_nondet_range(0, count - 1), v = items[i];
    for (; i + 1 < count; i++) items[i] = items[i + 1];
    items[--count] = 0;
    return v;
}
#pragma lineal op insert = add(value)
#pragma lineal op remove = any() -> value, empty if result < 0
";

const DEQUE: &str = "
int items[16], count;
void back(int v) { items[count++] = v; }
void front(int v) { for (int i = count++; i > 0; i--) items[i] = items[i - 1]; items[0] = v; }
int pop_back(void) { if (!count) return -1; int v = items[--count]; items[count] = 0; return v; }
int pop_front(void) {
    if (!count) return -1;
    int v = items[0];
    for (int i = 1; i < count; i++) items[i - 1] = items[i];
    items[--count] = 0;
    return v;
}
#pragma lineal op push-front = front(value)
#pragma lineal op push-back  = back(value)
#pragma lineal op pop-front  = pop_front() -> value, empty if result < 0
#pragma lineal op pop-back   = pop_back() -> value, empty if result < 0
";

const REGISTER: &str = "
int held, written;
#pragma lineal op read  = held -> value, empty if !written
#pragma lineal op write = (held = value, written = 1)
#pragma lineal op cas   = (written && held == value[0] ? (held = value[1], 1) : 0) -> value
";

const SET: &str = "
unsigned long bits;
int add(int v) { int was = bits >> v & 1; bits |= 1ul << v; return !was; }
int rem(int v) { int was = bits >> v & 1; bits &= ~(1ul << v); return was; }
int has(int v) { return bits >> v & 1; }
#pragma lineal op insert   = add(value) -> value
#pragma lineal op remove   = rem(value) -> value
#pragma lineal op contains = has(value) -> value
";

const COUNTER: &str = "
long long n;
#pragma lineal values long long
#pragma lineal op add  = (n += value)
#pragma lineal op inc  = ++n
#pragma lineal op read = n -> value
#pragma lineal op fai  = n++ -> value
";

const MUTEX: &str = "
void __VERIFIER_assume(int);
int held, owner;
void acquire(int who) { __VERIFIER_assume(!held); held = 1; owner = who; }
void release(int who) { __VERIFIER_assume(held && owner == who); held = owner = 0; }
#pragma lineal op acquire = acquire(thread)
#pragma lineal op release = release(thread)
";

const PRIORITY_QUEUE: &str = "
struct { int v, p; } items[16];
int count;
void put(int v, int p) {
    int i = count++;
    for (; i > 0 && items[i - 1].p > p; i--) items[i] = items[i - 1];
    items[i].v = v; items[i].p = p;
}
int rm(void) {
    if (!count) return -1;
    int v = items[0].v;
    for (int i = 1; i < count; i++) items[i - 1] = items[i];
    count--; items[count].v = items[count].p = 0;
    return v;
}
#pragma lineal op insert = put(value, prio)
#pragma lineal op remove = rm() -> value, empty if result < 0
";

fn made(name: &str, text: &str) -> UserType {
    let unit = Unit::of(name, text).unwrap_or_else(|d| panic!("{name}: {d:?}"));
    let declared = spec::declared(&unit).unwrap_or_else(|d| panic!("{name}: {d:?}"));
    let whole = format!("{text}\n{}", spec::driver(&declared));
    let whole = Unit::of(name, &whole).unwrap_or_else(|d| panic!("{name}: {d:?}"));
    spec::load(name, &[whole], &declared).unwrap_or_else(|d| panic!("{name}: {d:?}"))
}

/// The history as one of the user's type.
fn translated(history: &History, user: &UserType) -> History {
    let mut values = (*history.values).clone();
    let ops: Vec<Op> = history
        .ops()
        .map(|op| {
            let (name, items): (&str, Vec<ValueId>) = match op.method {
                Method::Insert if op.extra != ValueId::NONE => ("insert", vec![op.arg, op.extra]),
                Method::Insert => ("insert", vec![op.arg]),
                Method::Remove => ("remove", vec![op.arg]),
                Method::Contains => ("contains", vec![op.arg]),
                Method::Read => ("read", vec![]),
                Method::Write => ("write", vec![op.arg]),
                Method::Cas => ("cas", vec![op.arg, op.extra]),
                Method::PushFront => ("push-front", vec![op.arg]),
                Method::PushBack => ("push-back", vec![op.arg]),
                Method::PopFront => ("pop-front", vec![]),
                Method::PopBack => ("pop-back", vec![]),
                Method::Add if op.arg == ValueId::NONE => ("inc", vec![]),
                Method::Add => ("add", vec![op.arg]),
                Method::FetchIncrement => ("fai", vec![]),
                Method::Acquire => ("acquire", vec![]),
                Method::Release => ("release", vec![]),
                other => panic!("{other:?}"),
            };
            let arg = match &items[..] {
                [one] => *one,
                [] => ValueId::NONE,
                many => {
                    let many: Vec<Value> = many.iter().map(|&id| values.value(id)).collect();
                    values.intern(Value::List(many.into()))
                }
            };
            let index = user.find(name).unwrap_or_else(|| panic!("no {name}"));
            // A register that was never written holds nothing, not the value nil.
            let result = match (op.method, op.result) {
                (Method::Read, ValueId::NIL) => ValueId::EMPTY,
                (Method::Read, ValueId::EMPTY) => ValueId::NIL,
                (_, result) => result,
            };
            Op { method: Method::Custom, arg, extra: ValueId::small(index), result, ..op }
        })
        .collect();
    let mut new = history.with_ops(ops);
    new.values = Arc::new(values);
    new
}

/// Decides as the command line does.
fn holds(history: &History, object: &Object) -> bool {
    let problem = Problem::new(history, object);
    let checked = monitor::decide_parts(history, &problem, &Effort::default(), &Unwatched);
    let trouble = object.user.as_ref().expect("a user's type").trouble();
    assert!(checked.unknown().is_none() && trouble.is_none(), "{trouble:?}");
    checked.violated().is_none()
}

/// Whether a log can say all answers: drafts have some that none can.
fn legible(history: &History, object: &Object) -> bool {
    let user = object.user.as_ref().expect("a user's type");
    history.ops().filter(|op| !op.is_pending()).all(|op| {
        let operation = user.operation(&op);
        match op.result {
            ValueId::NONE => !operation.answers,
            ValueId::EMPTY => operation.may_be_empty,
            ValueId::NIL => false,
            _ => true,
        }
    })
}

/// Written and read again.
fn rewritten(history: &History, object: &Object, format: Format) -> History {
    let mut log = Vec::new();
    write(history, object, format, &object.init, &mut log).unwrap();
    let options = Options { user: object.user.clone(), ..Options::new(object.kind) };
    let loaded = load(&mut &log[..], "log", None, &options);
    loaded.unwrap_or_else(|d| panic!("{d:?}\n{}", String::from_utf8_lossy(&log))).history
}

/// Every built-in type that a few lines of C can say, on random histories with pending and failed
/// operations, repeated values and empty answers; some also written in another format and read again.
#[test]
fn types_in_c_are_the_built_in_ones() {
    let full = lineal_sweep::full();
    let count = if full { 20_000 } else { 1_500 };
    let pairs = [
        ("queue", QUEUE),
        ("queue", LINKED_QUEUE),
        ("stack", STACK),
        ("bag", BAG),
        ("deque", DEQUE),
        ("register", REGISTER),
        ("cas-register", REGISTER),
        ("set", SET),
        ("counter", COUNTER),
        ("fai", COUNTER),
        ("mutex", MUTEX),
        ("pq, fifo, min", PRIORITY_QUEUE),
    ];
    let subjects = subjects();
    for (i, (name, text)) in pairs.iter().enumerate() {
        let subject = subjects.iter().find(|s| s.name == *name).unwrap();
        let object = Object::of_user(Arc::new(made(&format!("{name}.c"), text)));
        let mut random = Choices::new(20_261_115 + i as u64);
        let mut tally = [0; 2];
        let mut converted = 0;
        for n in 0..count {
            let spoil = if 2 * tally[0] < n { 95 } else { 40 };
            let history = draft(&subject.object, &mut random, 9, spoil).build(&mut random);
            let truth = naive::history::holds(&history, &subject.object, Consistency::Linearizable);
            let own = translated(&history, object.user.as_ref().unwrap());
            let said = holds(&own, &object);
            assert_eq!(said, truth, "{name} in C\n{}", show(&history, &subject.object));
            if n % 8 == 0 && legible(&own, &object) {
                for format in [Format::Edn, Format::JsonLines] {
                    let again = rewritten(&own, &object, format);
                    assert_eq!(holds(&again, &object), truth, "{name} as {format:?}");
                    converted += 1;
                }
            }
            tally[usize::from(truth)] += 1;
        }
        println!(
            "{name} in C: {} hold, {} are violated, no difference; {converted} converted",
            tally[1], tally[0]
        );
        assert!(converted > count / 20, "{name}: {converted}");
        assert!(tally.iter().all(|&n| n * 10 >= count * 3), "{name}: lopsided, {tally:?}");
    }
}

/// Blocks are named by how they are reached: two ways to the same queue are one state.
#[test]
fn states_do_not_remember_how_they_came_about() {
    use lineal_model::adt::{Adt, user::Sequential};
    let user = made("queue.c", LINKED_QUEUE);
    let history = History::default();
    let adt = Sequential::new(&user, &history.values);
    let op = |name: &str, arg: ValueId| Op {
        method: Method::Custom,
        process: ValueId::small(0),
        key: ValueId::NONE,
        arg,
        extra: ValueId::small(user.find(name).unwrap()),
        result: ValueId::NONE,
        call: 0,
        ret: Op::PENDING,
        line: 0,
    };
    let run = |ops: &[(&str, u32)]| {
        ops.iter().fold(adt.initial(), |state, (name, arg)| {
            let mut out = Vec::new();
            adt.step(&state, &op(name, ValueId::small(*arg)), &mut out).unwrap();
            assert_eq!(out.len(), 1);
            out.pop().unwrap()
        })
    };
    let direct = run(&[("insert", 7), ("insert", 8)]);
    let detour = run(&[("insert", 5), ("insert", 7), ("remove", 0), ("insert", 8)]);
    assert_eq!(direct, detour);
    assert_ne!(direct, run(&[("insert", 8), ("insert", 7)]));
    assert_eq!(run(&[("insert", 1), ("remove", 0)]), adt.initial());
    assert!(adt.show(&direct).contains("v = 7"), "{}", adt.show(&direct));
}

struct Files(tempfile::TempDir);

impl Files {
    fn new(spec: &str, log: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("spec.c"), spec).unwrap();
        std::fs::write(dir.path().join("log.jsonl"), log).unwrap();
        Files(dir)
    }

    fn run(&self, flags: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_lineal"))
            .args(["history", "log.jsonl", "--as", "spec.c", "--format", "json"])
            .args(flags)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }
}

/// A type or a log that is refused, with the code, the place and a part of the message.
#[track_caller]
fn refused(spec: &str, log: &str, code: &str, at: (&str, u32), words: &str) {
    let output = Files::new(spec, log).run(&[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let found = json["diagnostics"].as_array().unwrap().iter().any(|d| {
        d["code"] == code
            && d["at"]["file"] == at.0
            && d["at"]["line"] == at.1
            && d["message"].as_str().unwrap().contains(words)
    });
    assert!(found, "{code} {at:?} `{words}`: {text}");
}

const LOG: &str = r#"{"process":0,"f":"put","value":1,"call":0,"return":1}"#;

#[test]
fn types_that_are_wrong() {
    let spec = |line: &str| format!("int x;\nvoid put(int v) {{ x = v; }}\n{line}\n");
    let wrong = |line: &str, code: &str, words: &str| refused(&spec(line), LOG, code, ("spec.c", 3), words);
    wrong("#pragma lineal op put = putt(value)", "L0102", "putt");
    wrong("#pragma lineal op put = put(value, 2)", "L0110", "2 arguments given, 1 expected");
    wrong("#pragma lineal op put", "L0160", "NAME = f");
    wrong("#pragma lineal op put = put(value) -> value", "L0103", "");
    wrong("#pragma lineal spec put = put(value) -> value, fuller if 1", "L0160", "empty if");
    wrong("#pragma lineal spec put = put(value), full if 1", "L0160", "`full if` is for objects");
    wrong("#pragma lineal op put = put(value), empty if 1, may fail", "L0160", "`may fail` is for objects");
    wrong("#pragma lineal thread_init put(1)", "L0160", "thread_init");
    wrong("#pragma lineal opp put = put(value)", "L0160", "no pragma");
    refused("int x;\n", LOG, "L0160", ("spec.c", 1), "no operation");
    let twice = "int x;\n#pragma lineal op put = x\n#pragma lineal op put = x\n";
    refused(twice, LOG, "L0160", ("spec.c", 3), "twice");
    let missing = spec("#pragma lineal op put = put(value)\n#pragma lineal init set_up()");
    refused(&missing, LOG, "L0102", ("spec.c", 4), "set_up");
    let fails = spec("#pragma lineal op put = put(value)\n#pragma lineal init put(1 / x)");
    refused(&fails, LOG, "L0161", ("spec.c", 4), "divides by zero");
    refused("int x\n#pragma lineal op put = x\n", LOG, "L0101", ("spec.c", 2), "");
}

#[test]
fn logs_that_do_not_fit_the_type() {
    let spec = "int x;\nvoid put(int v) { x = v; }\nint get(void) { return x; }\n\
        #pragma lineal op put = put(value)\n#pragma lineal op get = get() -> value\n\
        #pragma lineal op sum = (x = value[0] + value[1])\n#pragma lineal op of = (x = key) -> value\n";
    let wrong = |log: &str, code: &str, words: &str| refused(spec, log, code, ("log.jsonl", 1), words);
    wrong(r#"{"process":0,"f":"pop","call":0,"return":1}"#, "L0305", "spec.c has no operation `pop`");
    wrong(r#"{"process":0,"f":"put","value":[1,2],"call":0,"return":1}"#, "L0307", "one value");
    wrong(r#"{"process":0,"f":"put","call":0,"return":1}"#, "L0307", "one value");
    wrong(r#"{"process":0,"f":"sum","value":1,"call":0,"return":1}"#, "L0307", "2 values");
    wrong(r#"{"process":0,"f":"get","call":0,"return":1}"#, "L0312", "no result");
    wrong(r#"{"process":0,"f":"get","result":null,"call":0,"return":1}"#, "L0307", "empty if");
    wrong(r#"{"process":0,"f":"of","result":1,"call":0,"return":1}"#, "L0312", "key");
    wrong(r#"{"process":0,"f":"put","value":5000000000,"call":0,"return":1}"#, "L0324", "int");
    let taken = r#"{"process":0,"f":"put","value":1610612741,"call":2,"return":3}
{"process":0,"f":"put","value":"a","call":0,"return":1}"#;
    wrong(taken, "L0324", "text");
}

#[test]
fn types_that_fail_when_run() {
    let spec = "#include <assert.h>\n#include <stdlib.h>\nint x; int *p;\n\
        void put(int v) {\n    assert(v != 1);\n    x = 10 / v; }\n\
        void lose(void) {\n    free(p); p = malloc(4); free(p); *p = 1; }\n\
        void spin(void) { for (;;) x++; }\nvoid local(void) { int n = 1; p = &n; }\n\
        #pragma lineal op put = put(value)\n#pragma lineal op lose = lose()\n\
        #pragma lineal op spin = spin()\n#pragma lineal op local = local()\n\
        #pragma lineal read_only get\n#pragma lineal op get = (x = 5)\n";
    let call = |f: &str| format!(r#"{{"process":0,"f":{f},"call":0,"return":1}}"#);
    let wrong = |f: &str, line, words: &str| refused(spec, &call(f), "L0161", ("spec.c", line), words);
    wrong(r#""put","value":1"#, 5, "v != 1");
    wrong(r#""put","value":0"#, 6, "divides by zero");
    wrong(r#""lose""#, 8, "freed");
    wrong(r#""get""#, 16, "read_only");
    // What does not end is a limit, not an answer.
    let output = Files::new(spec, &call(r#""spin""#)).run(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("did not return within"));
}

#[test]
fn macros_texts_and_keys() {
    let spec = "#ifndef START\n#define START 0\n#endif\nint x[4] = { START, START };\n\
        #pragma lineal keys independent\n\
        #pragma lineal op put = (x[0] = value)\n#pragma lineal op get = x[0] -> value, empty if result == START\n";
    let log = r#"{"process":0,"f":"put","key":"a","value":"red","call":0,"return":5}
{"process":1,"f":"get","key":"b","result":null,"call":1,"return":2}
{"process":1,"f":"get","key":"a","result":"red","call":3,"return":4}
"#;
    let output = Files::new(spec, log).run(&[]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["results"][0]["verdict"], "holds", "{json}");
    assert_eq!(json["results"][0]["stats"]["keys"], 2, "{json}");
    assert_eq!(json["results"][0]["scope"]["assumptions"].as_array().unwrap().len(), 2, "{json}");
    // 1 is no longer nothing.
    let log = log.replace("null", "7");
    assert_eq!(Files::new(spec, &log).run(&["-D", "START=7"]).status.code(), Some(1));
    assert_eq!(Files::new(spec, &log).run(&["-D", "START=8"]).status.code(), Some(1));
    assert_eq!(Files::new(spec, &log).run(&["--init", "7"]).status.code(), Some(2));
}

/// Time limits hold while the functions run, and memory limits while states pile up.
#[test]
fn limits_hold_inside_the_functions() {
    let spec = "int x, y;\nvoid slow(int v) { for (int i = 0; i < 20000; i++) y = i; x = x * 31 + v & 0xfffff; y = 0; }\n\
        #pragma lineal op slow = slow(value)\n#pragma lineal op get = x -> value\n";
    let mut log = String::new();
    for i in 0..14 {
        log += &format!("{{\"process\":{i},\"f\":\"slow\",\"value\":{i},\"call\":{i},\"return\":100}}\n");
    }
    log += "{\"process\":99,\"f\":\"get\",\"result\":-1,\"call\":200,\"return\":201}\n";
    let files = Files::new(spec, &log);
    let started = std::time::Instant::now();
    let output = files.run(&["--time-limit", "1s"]);
    assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(started.elapsed().as_secs_f64() < 6.0, "{:?}", started.elapsed());
}

/// Rewritten in another format, a log means the same.
#[test]
fn conversions_keep_the_verdict() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/history");
    let run = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_lineal"))
            .arg("history")
            .args(args)
            .current_dir(&root)
            .output()
            .unwrap()
    };
    for (log, spec) in [
        ("bank.edn", "bank.c"),
        ("bank-torn.edn", "bank.c"),
        ("bounded-queue.jsonl", "bounded-queue.c"),
        ("lease-stale.jsonl", "lease.c"),
    ] {
        let expected = run(&[log, "--as", spec]).status.code();
        for to in ["edn", "jsonl"] {
            let converted = run(&["convert", log, "--as", spec, "--to", to]);
            assert!(converted.status.success(), "{}", String::from_utf8_lossy(&converted.stderr));
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &converted.stdout).unwrap();
            let again = run(&[file.path().to_str().unwrap(), "--as", spec]);
            let shown = String::from_utf8_lossy(&converted.stdout);
            assert_eq!(again.status.code(), expected, "{log} as {to}:\n{shown}");
        }
    }
    assert_eq!(run(&["convert", "bank.edn", "--as", "bank.c", "--to", "kv"]).status.code(), Some(2));
}

/// The same files as in `examples/`, seen from elsewhere.
#[test]
fn the_type_may_be_in_another_directory() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_lineal"))
        .args(["history", "examples/history/bank-torn.edn", "--as", "examples/history/bank.c"])
        .current_dir(root)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

/// One file serves `check` and `history`: its specification, under a partial lock, is the type.
#[test]
fn the_specification_of_a_checked_object_is_a_type() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/queue/own-specification.c");
    let spec = std::fs::read_to_string(example).unwrap();
    let log = |first: u32, second: u32| {
        [("enqueue", 1), ("enqueue", 2), ("dequeue", first), ("dequeue", second)]
            .iter()
            .zip(1..)
            .map(|((f, v), t)| format!(r#"{{"process":0,"f":"{f}","value":{v},"call":{t},"return":{t}.5}}"#))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for (order, code) in [((1, 2), 0), ((2, 1), 1)] {
        let output = Files::new(&spec, &log(order.0, order.1)).run(&[]);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stdout));
    }
}

/// What sets the specification up sets the type up, not what is for the object.
#[test]
fn a_specification_is_set_up_by_itself() {
    let spec = "int real, model;\nvoid set(int *at, int to) { *at = to; }\n\
        int get(void) { return real; }\nint s_get(void) { return model; }\n\
        #pragma lineal object spec level=none\n#pragma lineal init set(&real, 4)\n\
        #pragma lineal op get = get() -> value\n#pragma lineal spec get = s_get()\n";
    let own = format!("{spec}#pragma lineal spec_init set(&model, 5)\n");
    for (result, code) in [(5, 0), (4, 1), (0, 1)] {
        let log = format!(r#"{{"process":0,"f":"get","result":{result},"call":0,"return":1}}"#);
        let output = Files::new(&own, &log).run(&[]);
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let alone = "int x;\n#pragma lineal op put = (x = value)\n#pragma lineal spec_init x = 1\n";
    refused(alone, LOG, "L0160", ("spec.c", 3), "no `spec` line");
}
