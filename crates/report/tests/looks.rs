//! What reports look like: hand-built ones, rendered without colour and compared with the files
//! in `looks/`. `LINEAL_BLESS=1` rewrites them; read the difference before committing it.

use lineal_model::run::FailureKind;
use lineal_model::verdict::{Step, TimelineOp};
use lineal_model::{
    Bound, Diagnostic, Extent, Finding, Limit, LimitKind, Memory, Place, Report, Scope, Stats, Storage,
    Verdict, Witness, WitnessKind,
};
use lineal_report::{Look, Sources, render};
use lineal_sweep::Choices;
use std::path::Path;

/// What knobs are called in these reports.
fn flags(knob: lineal_model::Knob) -> &'static str {
    match knob {
        lineal_model::Knob::MaxStates => "--max-states",
        lineal_model::Knob::TimeLimit => "--time-limit",
        lineal_model::Knob::Unroll => "--unroll",
        lineal_model::Knob::Replay => "--replay",
        lineal_model::Knob::SaveClient => "--save-client",
        lineal_model::Knob::Json => "--format json",
        other => other.word(),
    }
}

#[track_caller]
fn check(name: &str, report: &Report, width: usize) {
    let look =
        Look { width, command: "lineal verify counter.c --memory sc".into(), flags, ..Look::default() };
    compare(&format!("{name}.txt"), &render(report, &sources(), &look));
}

#[track_caller]
fn compare(file: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/looks").join(file);
    if std::env::var_os("LINEAL_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{file} differs; found:\n{found}\nexpected:\n{expected}");
}

const COUNTER: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int n;

void *worker(void *arg)
{
    int seen = atomic_load(&n);
    atomic_store(&n, seen + 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
}
";

fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("counter.c", COUNTER);
    sources.add("long.c", "int x = 1;".repeat(100_000));
    sources
}

fn at(line: u32, column: u32, width: u32) -> Place {
    Place { width, ..Place::new("counter.c", line, column) }
}

fn step(thread: u32, what: &str, line: u32) -> Step {
    Step { thread, what: what.into(), at: Some(Place::line("counter.c", line)), ..Step::default() }
}

fn report(verdict: Verdict) -> Report {
    let mut finding = Finding::new("every execution is safe", verdict);
    finding.stats = Stats { executions: 14, blocked: 2, ..Stats::default() };
    Report { command: "verify".into(), findings: vec![finding], diagnostics: vec![] }
}

fn lost_update() -> Witness {
    let mut steps = vec![
        step(0, "create thread 1", 17),
        step(0, "create thread 2", 18),
        step(1, "n → 0", 9),
        step(2, "n → 0", 9),
        step(1, "n = 1", 10),
        step(2, "n = 1", 10),
        step(0, "join thread 1", 19),
        step(0, "join thread 2", 20),
        step(0, "n → 1", 21),
    ];
    steps[8].reads_from = Some(5);
    steps[3].remark = "initial value: step 5 has not happened yet".into();
    let why = "assertion `n == 2` can fail. The value of n is then 1.";
    Witness {
        at: Some(at(21, 5, 14)),
        steps,
        threads: vec!["main".into(), "worker".into(), "worker".into()],
        hints: vec!["make the read and the write one step: atomic_fetch_add(&n, 1)".into()],
        shortest: true,
        replay: Some("1:0-3f-9a".into()),
        ..Witness::new(FailureKind::Assertion.into(), why)
    }
}

#[test]
fn a_lost_update() {
    check("lost-update", &report(Verdict::Violated(Box::new(lost_update()))), 100);
}

#[test]
fn a_lost_update_in_a_narrow_window() {
    check("lost-update-narrow", &report(Verdict::Violated(Box::new(lost_update()))), 60);
}

#[test]
fn many_threads() {
    let steps = (0..24).map(|i| step(i % 12, &format!("n.exchange({i}) → {}", i + 1), 9 + i % 2)).collect();
    let why = "two threads access n at the same time, one of them writes";
    let witness = Witness { steps, ..Witness::new(FailureKind::Race.into(), why) };
    check("many-threads", &report(Verdict::Violated(Box::new(witness))), 100);
}

#[test]
fn a_very_long_trace_loses_its_middle() {
    let steps = (0..1000).map(|i| step(i % 2, "n = 1", 10)).collect();
    let witness = Witness { steps, ..Witness::new(WitnessKind::Result, "it fails") };
    let text =
        render(&report(Verdict::Violated(Box::new(witness))), &sources(), &Look { flags, ..Look::default() });
    assert!(text.contains("800 steps left out"), "{text}");
    assert!(text.contains("\n  1000  "), "{text}");
}

#[test]
fn holds_with_everything_said() {
    let mut scope = Scope::program(Memory::Sc, 3);
    scope.assumptions = vec![lineal_model::Assumption::NoReuse, lineal_model::Assumption::AllocationSucceeds];
    scope.bounds = vec![
        Bound { knob: lineal_model::Knob::Unroll, value: 4, cut: 12, at: Some(at(9, 0, 0)) },
        Bound { knob: lineal_model::Knob::MaxStates, value: 2, cut: 0, at: None },
    ];
    let mut report = report(Verdict::Holds(scope));
    report.findings[0].outcomes = [("a=0 b=1".into(), 3), ("a=1 b=1".into(), 11)].into();
    report.findings[0].remarks = vec!["2 executions blocked in __VERIFIER_assume".into()];
    check("holds", &report, 100);
}

#[test]
fn holds_vacuously() {
    let mut scope = Scope::states(Storage::Fingerprint { bits: 64 });
    scope.vacuous = vec!["no execution completes: every one blocks".into()];
    let mut report = report(Verdict::Holds(scope));
    report.findings[0].stats =
        Stats { states: 1_234_567, seconds: 12.3, peak_bytes: 5 << 20, ..Stats::default() };
    check("vacuous", &report, 100);
}

#[test]
fn the_other_scopes() {
    let mut all = Report { command: "check".into(), ..Report::default() };
    let mut client = Scope::program(Memory::Rc11, 2);
    client.calls = Some(Extent::UpTo(4));
    let mut unbounded = Scope::program(Memory::Sc, 2);
    unbounded.calls = Some(Extent::Unbounded);
    for scope in [client, unbounded, Scope::history(1), Scope::states(Storage::Exact)] {
        all.findings.push(Finding::new("queue is linearizable", Verdict::Holds(scope)));
    }
    check("scopes", &all, 100);
}

#[test]
fn limits() {
    let mut all = Report { command: "verify".into(), ..Report::default() };
    let time = Limit {
        value: Some(60),
        covered: "812,331 executions were explored, none violates.".into(),
        ..Limit::new(LimitKind::Time, "The time limit of 60 s was reached (--time-limit).")
    };
    let method =
        Limit { at: Some(at(9, 16, 15)), ..Limit::method("Recursion goes deeper than 10,000 calls here.") };
    for limit in [time, method, Limit::states(100)] {
        all.findings.push(Finding::new("every execution is safe", Verdict::Unknown(limit)));
    }
    check("limits", &all, 100);
}

#[test]
fn a_history() {
    let op = |process: &str, what: &str, call, ret| TimelineOp {
        process: process.into(),
        what: what.into(),
        call,
        ret,
        ..TimelineOp::default()
    };
    let mut history = vec![
        op("p0", "enqueue(1)", 0, Some(3)),
        op("p1", "enqueue(2)", 5, Some(6)),
        op("p2", "enqueue(3)", 1, None),
        op("p0", "dequeue() → 2", 7, Some(9)),
    ];
    history[0].order = Some(1);
    history[1].order = Some(2);
    history[3].guilty = true;
    history[3].remark = "1 was enqueued before 2 and is still there".into();
    let why = "no order of the operations explains the results";
    let witness = Witness {
        client: vec![vec!["enqueue(1)".into(), "dequeue()".into()], vec!["enqueue(2)".into()], vec![]],
        history,
        ..Witness::new(WitnessKind::Result, why)
    };
    check("history", &report(Verdict::Violated(Box::new(witness))), 100);
}

#[test]
fn diagnostics() {
    let report = Report {
        command: "verify".into(),
        findings: vec![],
        diagnostics: vec![
            Diagnostic::error("L0104", "floating point is not modelled")
                .at(at(9, 9, 4))
                .note("used in this call", Some(at(17, 5, 14)))
                .note("a fact without a place", None)
                .help("use an integer"),
            Diagnostic::warning("L0150", "this label is never used").at(at(5, 0, 0)),
            Diagnostic::error("L0100", "unexpected end of line").at(Place::new("long.c", 1, 900_001)),
            Diagnostic::error("L0001", "there is no file `nowhere.c`"),
            Diagnostic::error("L0105", "unknown type `foo`").at(Place::new("not-here.c", 3, 2)),
        ],
    };
    check("diagnostics", &report, 100);
}

#[test]
fn hostile_text_stays_text() {
    let mut witness = lost_update();
    witness.why = "bad\x1b[2J name".into();
    witness.steps[0].what = "a\x1b]0;title\x07".into();
    let text =
        render(&report(Verdict::Violated(Box::new(witness))), &sources(), &Look { flags, ..Look::default() });
    assert!(!text.contains('\x1b') && !text.contains('\x07'), "{text}");
}

#[test]
fn json_follows_the_schema() {
    let mut all = report(Verdict::Violated(Box::new(lost_update())));
    all.findings.extend(report(Verdict::Holds(Scope::program(Memory::Sc, 2))).findings);
    all.findings.extend(report(Verdict::Unknown(Limit::states(7))).findings);
    all.findings[1].outcomes = [("a=0".into(), 1)].into();
    all.diagnostics.push(Diagnostic::warning("L0150", "hm").at(at(3, 1, 2)));
    let text = lineal_report::json::render(&all, 1, flags).replace(env!("CARGO_PKG_VERSION"), "VERSION");
    compare("report.json", &text);
    let lines = lineal_report::json::lines(&all, flags);
    assert_eq!(lines.lines().count(), 4);
    assert!(lines.lines().all(|line| line.starts_with('{') && line.ends_with('}')));
}

fn text(choices: &mut Choices) -> String {
    const WORDS: [&str; 10] = [
        "x",
        "",
        " ",
        "q.head → node#2",
        "日本語",
        "a_very_long_name_without_any_space_at_all_to_break_at",
        "\t",
        "\x1b[1m",
        "e\u{301}",
        ".",
    ];
    let n = choices.below(6);
    (0..n).map(|_| WORDS[choices.below(10) as usize]).collect::<Vec<_>>().join(" ")
}

fn place(choices: &mut Choices) -> Option<Place> {
    const FILES: [&str; 3] = ["counter.c", "long.c", "none.c"];
    let file = FILES[choices.below(3) as usize];
    let place = Place::new(file, choices.below(30) as u32, choices.below(90) as u32);
    (choices.below(4) > 0).then_some(Place { width: choices.below(50) as u32, ..place })
}

#[test]
fn any_witness_at_any_width_renders_without_control_characters() {
    let sources = sources();
    for seed in 0..3000 {
        let choices = &mut Choices::new(seed);
        let threads = 1 + choices.below(20) as u32;
        let steps = (0..choices.below(25))
            .map(|i| Step {
                thread: choices.below(threads),
                what: text(choices),
                at: place(choices),
                reads_from: (choices.below(2) == 0).then_some(choices.below(i + 1) as u32),
                remark: text(choices),
                guilty: choices.below(5) == 0,
                ..Step::default()
            })
            .collect();
        let history = (0..choices.below(12))
            .map(|_| {
                let call = choices.below(1000);
                let ret = (choices.below(4) > 0).then_some(call + choices.below(500));
                TimelineOp { process: text(choices), what: text(choices), call, ret, ..TimelineOp::default() }
            })
            .collect();
        let witness = Witness {
            at: place(choices),
            steps,
            history,
            threads: (0..choices.below(20)).map(|_| text(choices)).collect(),
            hints: vec![text(choices)],
            ..Witness::new(WitnessKind::Result, text(choices))
        };
        let mut report = report(Verdict::Violated(Box::new(witness)));
        report.diagnostics.push(Diagnostic {
            at: place(choices),
            ..Diagnostic::error("L0100", text(choices))
                .note(text(choices), place(choices))
                .help(text(choices))
        });
        let look =
            Look { width: 40 + choices.below(160) as usize, command: text(choices), ..Look::default() };
        let text = render(&report, &sources, &look);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "seed {seed}:\n{text:?}");
    }
}
