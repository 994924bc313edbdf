//! Injected bugs, and the models they were injected into, under every combination of reductions:
//! one verdict, and witnesses of one length.

use lineal_check::refine::{Settings, check};
use lineal_lang::csp::load;
use lineal_model::{Effort, Unwatched, Verdict};

fn example(path: &str) -> String {
    let path = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// `defines` stand before the include; each change must apply.
fn model(defines: &str, include: &str, changes: &[(&str, &str)], assertion: &str) -> String {
    let mut text = example(include);
    for (old, new) in changes {
        assert!(text.contains(old), "{include} does not contain {old}");
        text = text.replace(old, new);
    }
    format!("{defines}\n{text}\n#assert {assertion};\n")
}

/// The verdict, with how many visible events its witness has.
fn verdict(text: &str, bits: u32) -> (&'static str, Option<usize>) {
    let loaded = load("bug.csp", text, &|_| Err(String::new())).unwrap_or_else(|p| panic!("{p:#?}"));
    let settings = Settings {
        antichain: bits & 1 != 0,
        symmetry: bits & 2 != 0,
        reset: bits & 4 != 0,
        fuse: bits & 8 != 0,
        ..Settings::default()
    };
    let answer =
        check(&loaded.model, &loaded.assertions[0], &settings, &Effort::default(), &Unwatched).unwrap();
    let length = match &answer.finding.verdict {
        Verdict::Violated(w) => Some(w.steps.iter().filter(|s| !s.what.starts_with('τ')).count()),
        Verdict::Unknown(limit) => panic!("{limit:?}"),
        Verdict::Holds(_) => None,
    };
    (answer.finding.verdict.word(), length)
}

#[track_caller]
fn violated(text: String) {
    let first = verdict(&text, 0);
    assert_eq!(first.0, "violated");
    for bits in 1..16 {
        assert_eq!(verdict(&text, bits), first, "{bits:04b}");
    }
}

#[track_caller]
fn holds(text: String) {
    for bits in [0, 1, 2, 4, 8, 14, 13, 11, 7, 15] {
        assert_eq!(verdict(&text, bits).0, "holds", "{bits:04b}");
    }
}

const K3: &str = "#define K 3;";
const REGISTER: &str = "Register() refines RegisterA()";
const STACK2: &str = "#define N 2; #define SIZE 2;";
const STACK: &str = "Stack() refines StackA()";
const QUEUE2: &str = "#define N 2; #define SIZE 2;";
const QUEUE: &str = "Queue() refines QueueA()";
const SHANN: &str = "#define N 2; #define L 2; #define FIXED 1; #define CALLS 2;";
const MAILBOX: &str = "#define DELIVERIES 2; #define ROUNDS 4; #define UNKNOWN_IS_OK 0;";
const MAIL: &str = "Mailbox() refines MailboxA()";
const SNZI2: &str = "#define NODES 1; #define PROCS 2; #define ROUNDS 2; #define NO_VERSION_TEST 0;";
const SNZI: &str = "Snzi() refines SnziA()";

#[test]
fn clean_models_hold() {
    holds(model(K3, "register/register.inc", &[], REGISTER));
    holds(model(STACK2, "stack/height.inc", &[], STACK));
    holds(model(STACK2, "stack/height-points.inc", &[], STACK));
    holds(model(QUEUE2, "queue/michael-scott.inc", &[], QUEUE));
    holds(model(SHANN, "queue/shann.inc", &[], QUEUE));
    holds(model(MAILBOX, "mailbox/mailbox.inc", &[], MAIL));
    holds(model(SNZI2, "snzi/snzi.inc", &[], SNZI));
}

#[test]
fn register_bugs() {
    // The first value found is answered, without the way back.
    violated(model(
        K3,
        "register/register.inc",
        &[("{ DownScan(i-1, i) } else { UpScan(i+1) }", "{ read_res.i -> Reader() } else { UpScan(i+1) }")],
        REGISTER,
    ));
    // Old values are not cleared.
    violated(model(
        K3,
        "register/register.inc",
        &[("tau{B[i] = 0;} -> WriterScan(i-1)", "WriterScan(i-1)")],
        REGISTER,
    ));
    // The new value is set last, so a reader may run off the end.
    violated(model(
        K3,
        "register/register.inc",
        &[
            ("tau{B[v] = 1;} -> WriterScan(v-1)", "WriterScan(v, K-1)"),
            (
                "WriterScan(i) = if (i < 0) { write_res -> Skip }",
                "WriterScan(v, i) = if (i < 0) { tau{B[v] = 1;} -> write_res -> Skip }",
            ),
            ("-> WriterScan(i-1)", "-> WriterScan(v, i-1)"),
        ],
        REGISTER,
    ));
}

#[test]
fn stack_bugs() {
    // Pop, and push, without looking again.
    violated(model(
        STACK2,
        "stack/height.inc",
        &[("ifa (HL[i] == H) { tau{H = H - 1;", "ifa (true) { tau{H = H - 1;")],
        STACK,
    ));
    violated(model(
        STACK2,
        "stack/height.inc",
        &[
            ("H = H + 1; } HL[i] = H;", "HL[i] = HL[i] + 1; } H = HL[i];"),
            ("ifa (HL[i] == H) { tau{if", "ifa (true) { tau{if"),
        ],
        STACK,
    ));
    // The height after a pop is answered instead of the one before.
    violated(model(STACK2, "stack/height.inc", &[("pop_res.i.(HL[i] + 1)", "pop_res.i.HL[i]")], STACK));
    // Full is not noticed.
    violated(model(STACK2, "stack/height.inc", &[("if (H < SIZE)", "if (H < SIZE + 1)")], STACK));
}

#[test]
fn queue_bugs() {
    // The value is forgotten.
    violated(model(QUEUE2, "queue/michael-scott.inc", &[("VAL[Last] = v[i];", "VAL[Last] = 1;")], QUEUE));
    // An item is answered but stays.
    violated(model(
        QUEUE2,
        "queue/michael-scott.inc",
        &[("v[i] = VAL[1]; advance;", "v[i] = VAL[1];")],
        QUEUE,
    ));
    // The newest item is answered.
    violated(model(QUEUE2, "queue/michael-scott.inc", &[("v[i] = VAL[1];", "v[i] = VAL[Last];")], QUEUE));
    // Shann's queue as published.
    violated(model(&SHANN.replace("FIXED 1", "FIXED 0"), "queue/shann.inc", &[], QUEUE));
}

#[test]
fn mailbox_and_snzi_bugs() {
    violated(model(&MAILBOX.replace("OK 0", "OK 1"), "mailbox/mailbox.inc", &[], MAIL));
    violated(model(
        MAILBOX,
        "mailbox/mailbox.inc",
        &[("if (GT[(a/2)*8 + b/2] == 1)", "if (GT[(b/2)*8 + a/2] == 1)")],
        MAIL,
    ));
    violated(model(&SNZI2.replace("TEST 0", "TEST 1"), "snzi/snzi.inc", &[], SNZI));
    violated(model(
        SNZI2,
        "snzi/snzi.inc",
        &[("if (xc[p] >= 4) { Skip }", "if (xc[p] >= 6) { Skip }")],
        SNZI,
    ));
    violated(model(SNZI2, "snzi/snzi.inc", &[("if (xa[p] == 1) {", "if (xa[p] == 2) {")], SNZI));
}
