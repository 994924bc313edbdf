//! The step semantics of every operator, pinned: all runs of small processes, step by step.
//!
//! A run is written as its labels, `τ` for internal steps, `✓` for termination; runs are cut
//! after a number of steps and sorted. `!` marks a step that faults.

use lineal_lang::csp::load;
use lineal_model::lts::Label;
use lineal_model::process::term::Universe;
use lineal_model::process::{State, System};
use std::collections::BTreeSet;

fn runs(text: &str, length: usize) -> Vec<String> {
    let text = format!("{text}\n#assert P() deadlockfree;");
    let loaded = load("test.csp", &text, &|_| Err("no files".into())).unwrap_or_else(|p| panic!("{p:#?}"));
    let universe = Universe::new(&loaded.model);
    let system = System::new(&universe, loaded.assertions[0].root).unwrap();
    let mut found = BTreeSet::new();
    follow(&universe, &system, system.start(), &mut Vec::new(), length, &mut found);
    found.into_iter().collect()
}

fn follow(
    universe: &Universe,
    system: &System,
    state: &State,
    run: &mut Vec<String>,
    left: usize,
    found: &mut BTreeSet<String>,
) {
    let mut moves = Vec::new();
    system.moves(state, &mut moves);
    if moves.is_empty() || left == 0 {
        found.insert(run.join(" "));
    }
    if left == 0 {
        return;
    }
    for step in moves {
        run.push(match step.label {
            Label::Internal => "τ".into(),
            Label::Event(0) => "✓".into(),
            Label::Event(e) => universe.events.show(universe.model, e),
        });
        match step.to {
            Ok(to) => follow(universe, system, &to, run, left - 1, found),
            Err(_) => {
                run.push("!".into());
                found.insert(run.join(" "));
                run.pop();
            }
        }
        run.pop();
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut expected: Vec<&str> = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(runs(text, 6), expected, "{text}");
}

#[test]
fn stop_skip_prefix() {
    check("P() = Stop;", &[""]);
    check("P() = Skip;", &["✓"]);
    check("P() = a -> b.1.2 -> Skip;", &["a b.1.2 ✓"]);
    check("P() = (a,b) -> Stop;", &["a", "b"]);
}

#[test]
fn labels_are_evaluated_before_their_block() {
    check("var x = 0; P() = e.x.(x+1){x = 5;} -> e.x -> Stop;", &["e.0.1 e.5"]);
}

#[test]
fn tau_and_bare_blocks_are_invisible() {
    check("var x = 0; P() = tau{x = 1;} -> {x = x+1;} -> e.x -> Stop;", &["τ τ e.2"]);
    check("P() = tau -> a -> Stop;", &["τ a"]);
}

#[test]
fn statements() {
    check(
        "var x = 0; var a[3]; P() = go{ var i = 0; while (i < 3) { a[i] = i*i; i++; }; if (a[2] == 4) { x = 7; } else { x--; }; } -> e.x -> Stop;",
        &["go e.7"],
    );
    check("var x = 3; P() = go{ x--; x--; ; } -> e.x -> Stop;", &["go e.1"]);
}

#[test]
fn remainders_are_never_negative() {
    check("P() = e.((-1) % 3).((-7) / 2) -> Stop;", &["e.2.-3"]);
}

#[test]
fn precedence_of_expressions() {
    check("P() = e.(1 + 2 * 3).(7 - 2 - 1).(1 < 2 == true).(1 | 2 == 2) -> Stop;", &["e.7.4.1.1"]);
    check("P() = e.(!false && true).(true xor true).(-2 + 5).(6 & 3) -> Stop;", &["e.1.0.3.2"]);
    check(
        "var a = [0(2), 1..3]; P() = e.(&& i:{0..1}@(a[i] == 0)).(|| i:{0..4}@(a[i] == 3)).a[4] -> Stop;",
        &["e.1.1.3"],
    );
}

#[test]
fn if_tests_in_a_step_of_its_own() {
    check("P() = if (1 == 1) { a -> Stop } else { b -> Stop };", &["τ a"]);
    check("P() = if (1 == 2) { a -> Stop };", &["τ ✓"]);
    // The answer may be stale when the branch runs.
    check(
        "var x = 0; P() = (if (x == 0) { a.x -> Stop } else { b.x -> Stop }) ||| set{x = 1;} -> Stop;",
        &["τ a.0 set", "τ set a.1", "set τ b.1"],
    );
}

#[test]
fn ifa_joins_test_and_first_step() {
    check("P() = ifa (1 == 1) { a -> Stop } else { b -> Stop };", &["a"]);
    check(
        "var x = 0; Q() = a.x -> Stop; P() = (ifa (x == 0) { Q() } else { b.x -> Stop }) ||| set{x = 1;} -> Stop;",
        &["a.0 set", "set b.1"],
    );
    check("P() = ifa (false) { a -> Stop };", &["✓"]);
}

#[test]
fn ifb_waits_and_takes_a_step() {
    check("P() = ifb (1 == 2) { a -> Stop };", &[""]);
    check("var x = 0; P() = (ifb (x == 1) { a -> Stop }) ||| set{x = 1;} -> Stop;", &["set τ a"]);
}

#[test]
fn guards_join_the_first_step() {
    check("var x = 0; P() = ([x == 1] a -> Stop) ||| set{x = 1;} -> Stop;", &["set a"]);
    check(
        "var x = 0; P() = ([x == 0] tau -> a -> Stop) ||| set{x = 1;} -> Stop;",
        &["τ a set", "τ set a", "set"],
    );
}

#[test]
fn case_takes_a_step_and_the_first_that_holds() {
    check(
        "P() = case { 1 == 2: a -> Stop  1 == 1: b -> Stop  2 == 2: c -> Stop default: d -> Stop };",
        &["τ b"],
    );
    check("P() = case { 1 == 2: a -> Stop default: d -> Stop };", &["τ d"]);
}

#[test]
fn sequence_hides_the_tick() {
    check("P() = a -> Skip; b -> Skip;", &["a τ b ✓"]);
    check("P() = Skip; Skip; a -> Stop;", &["τ τ a"]);
    check("P() = (a -> Skip ||| b -> Skip); c -> Stop;", &["a b τ c", "b a τ c"]);
}

#[test]
fn external_choice_is_resolved_by_any_step() {
    check("P() = a -> Stop [] b -> Stop;", &["a", "b"]);
    check("P() = tau -> a -> Stop [] b -> Stop;", &["τ a", "b"]);
    check("P() = Skip [] b -> Stop;", &["✓", "b"]);
}

#[test]
fn general_choice_is_resolved_by_visible_steps_only() {
    check("P() = tau -> a -> Stop [*] b -> Stop;", &["τ a", "τ b", "b"]);
    check("P() = (x -> a -> Stop) \\ {x} [*] b -> Stop;", &["τ a", "τ b", "b"]);
    check("P() = a -> Stop [*] b -> Stop;", &["a", "b"]);
}

#[test]
fn internal_choice_takes_a_step_of_its_own() {
    check("P() = a -> Stop <> b -> Stop;", &["τ a", "τ b"]);
}

#[test]
fn interleaving_terminates_together() {
    check("P() = a -> Skip ||| b -> Skip;", &["a b ✓", "b a ✓"]);
    check("P() = Skip ||| Stop;", &[""]);
    check("P() = |||{2}@(a -> Skip);", &["a a ✓"]);
    check("P() = ||| x:{0..1};y:{2,4}@([x == 0 && y == 4] e.x.y -> Skip);", &["e.0.4"]);
}

#[test]
fn parallel_synchronises_on_common_events() {
    check("P() = a -> b -> Stop || b -> c -> Stop;", &["a b c"]);
    check("P() = a -> Stop || a -> Stop || a -> b -> Stop;", &["a b"]);
    check("Q(i) = e.i -> f -> Stop; P() = Q(1) || Q(2);", &["e.1 e.2 f", "e.2 e.1 f"]);
    check("P() = a -> Skip || Skip;", &["a ✓"]);
}

#[test]
fn events_with_a_block_never_synchronise() {
    check("var x = 0; P() = a{x = 1;} -> Stop || a -> Stop;", &["a a"]);
}

#[test]
fn alphabets_can_be_given() {
    check("Q() = a -> Stop; R() = b -> Stop; #alphabet R {a, b}; P() = Q() || R();", &["b"]);
}

#[test]
fn hiding_concrete_events() {
    check("P() = (a -> e.1 -> e.2 -> Stop) \\ {e.1};", &["a τ e.2"]);
    check("P() = (e.1 -> e.2 -> e.3 -> Stop) \\ {x:{1..2}@e.x};", &["τ τ e.3"]);
    check("var x = 1; P() = (e.x{x = 2;} -> e.x -> Stop) \\ {e.1};", &["τ e.2"]);
    // Binds tighter than |||.
    check("P() = a -> Stop ||| (a -> Stop) \\ {a};", &["a τ", "τ a"]);
}

#[test]
fn atomic_processes_go_first_until_they_block() {
    check("P() = atomic{a -> b -> Stop} ||| c -> Stop;", &["a b c"]);
    check("var x = 0; P() = atomic{a -> [x == 1] b -> Stop} ||| c{x = 1;} -> d -> Stop;", &["a c b d"]);
    check("P() = atomic{a -> Stop} ||| atomic{b -> Stop} ||| c -> Stop;", &["a b c", "b a c"]);
}

#[test]
fn interrupt_takes_over_at_any_time() {
    check("P() = (a -> b -> Stop) interrupt (c -> Stop);", &["a b c", "a c", "c"]);
    check("P() = (a -> Skip) interrupt (c -> Stop);", &["a ✓", "a c", "c"]);
}

#[test]
fn buffered_channels() {
    check(
        "channel c 1; P() = c!1 -> c!2 -> Stop ||| c?x -> e.x -> Stop;",
        &["c!1 c?1 c!2 e.1", "c!1 c?1 e.1 c!2"],
    );
    check("channel c 2; P() = c!3.4 -> c?x.y -> e.(x+y) -> Stop;", &["c!3.4 c?3.4 e.7"]);
    check("channel c 2; P() = c!3 -> c?[x > 3]x -> Stop;", &["c!3"]);
    check("channel c 2; P() = c!3 -> c?3 -> a -> Stop;", &["c!3 c?3 a"]);
    check("channel c[2] 1; P() = c[1]!7 -> c[1]?x -> e.x -> Stop;", &["c[1]!7 c[1]?7 e.7"]);
    check(
        "channel c 2; P() = c!3 -> e.call(ccount, c).call(cempty, c).call(cfull, c).call(csize, c).call(cpeek, c) -> Stop;",
        &["c!3 e.1.0.0.2.3"],
    );
}

#[test]
fn channels_without_a_buffer_meet() {
    check("channel c 0; P() = c!5 -> a -> Stop ||| c?x -> e.x -> Stop;", &["c.5 a e.5", "c.5 e.5 a"]);
    check("channel c 0; P() = c!5 -> Stop;", &[""]);
    check("channel c 0; var y = 0; P() = c!1 -> Stop ||| c?x{y = x;} -> e.y -> Stop;", &["c.1 e.1"]);
    check("channel c 0; P() = c!1 -> Stop ||| c?2 -> Stop;", &[""]);
}

#[test]
fn meeting_inside_a_choice_of_parallels() {
    check("channel c 0; P() = (c!5 -> Skip ||| c?x -> Skip) [] a -> Stop;", &["a", "c.5 ✓"]);
}

#[test]
fn calls_evaluate_their_arguments_when_they_begin() {
    check("var x = 1; Q(n) = e.n -> Stop; P() = Q(x+1) ||| set{x = 5;} -> Stop;", &["e.2 set", "set e.6"]);
    check("Q(n) = [n > 0] e.n -> Q(n-1) [] [n == 0] Skip; P() = Q(2);", &["e.2 e.1 ✓"]);
}

#[test]
fn macros_and_constants() {
    check(
        "#define N 2; enum {red, green}; var x = N; #define big x > green; #define twice(n) n + n; P() = [big] e.call(twice, x).green -> Stop;",
        &["e.4.1"],
    );
    check("var x = 0; #define inc { x = x + 1; } P() = go{ inc; call(inc); } -> e.x -> Stop;", &["go e.2"]);
}

#[test]
fn arrays_of_two_dimensions() {
    check("var m[2][3]; P() = go{m[1][2] = 4;} -> e.m[1][2].m[5] -> Stop;", &["go e.4.4"]);
}

#[test]
fn a_message_with_another_number_of_fields_waits() {
    check("channel c 1; P() = c!1.2 -> c?x -> Stop;", &["c!1.2"]);
    check("channel c 1; P() = c!1.2 -> c?x.y -> Stop;", &["c!1.2 c?1.2"]);
}

#[test]
fn faults() {
    check("var a[2]; P() = e.a[2] -> Stop;", &["τ !"]);
    check("var x = 0; P() = go{x = 1 / x;} -> Stop;", &["go !"]);
    check("var x:{0..3} = 3; P() = up{x++;} -> Stop;", &["up !"]);
    check("var x = 1; P() = go{while (x > 0) { x = 1; }} -> Stop;", &["go !"]);
    check("var x = 2147483647; P() = go{x++;} -> Stop;", &["go !"]);
}
