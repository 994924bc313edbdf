//! One object against another, compared with the definition: every client, that is every partial
//! order of the calls, is run as a program of its own on both objects, and whatever the calls
//! answer and see on the one they must answer on the other, seeing no more.
//!
//! Compared are objects of this suite with variants of themselves, registers with random code, and
//! types under a lock with the levels that mean the same. `LINEAL_FULL=1` takes many more of each,
//! from a fresh seed.

use super::orders::{orders, threads};
use super::{LARGEST, Question, Said, Subject, engine_all, examples, full, objects, slow};
use lineal_check::conform::{self, Asked, Pair, Reductions, Refused};
use lineal_check::replay::calls::Seen;
use lineal_check::seeded::{self, Bug};
use lineal_model::adt::Kind;
use lineal_model::object::{Client, Level, Outcome, Shows};
use lineal_model::{Effort, LimitKind, Memory, Unwatched, Verdict};
use lineal_sweep::Choices;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Refines,
    Differs,
    /// The object goes wrong.
    Unsafe,
    /// The specification does.
    Wrong,
    /// By its method it cannot be told.
    Open,
    TooLarge,
}

/// The engine on all clients with these calls.
fn engine(a: &Subject, b: &Subject, memory: Memory, client: &Client, reductions: Reductions) -> Answer {
    let pair = Pair::new(&a.loaded.compiled, b.loaded.compiled.clone(), "other.c", None);
    let pair = pair.unwrap_or_else(|why| panic!("{why:?}"));
    let problem = conform::Problem {
        clients: &pair,
        asked: Asked::Calls(client.calls.clone()),
        memory,
        level: &Level::None,
        unroll: None,
        question: Default::default(),
        unroll_at: &[],
        preemptions: None,
        reductions,
    };
    let effort = Effort { max_states: Some(LARGEST), ..Effort::default() };
    let checked = match conform::check_clients(&problem, &effort, &Unwatched) {
        Ok(checked) => checked,
        Err(Refused::Other { .. }) => return Answer::Wrong,
        // A test of arguments, which goes by counts, is no answer.
        Err(Refused::Arguments { .. }) => return Answer::Refines,
        Err(why) => panic!("{why:?}"),
    };
    match checked.finding.verdict {
        Verdict::Holds(_) => Answer::Refines,
        Verdict::Violated(_) => match checked.exhibit.expect("there is a client").shows {
            Shows::Error(_) => Answer::Unsafe,
            _ => Answer::Differs,
        },
        Verdict::Unknown(limit) if matches!(limit.kind, LimitKind::Method | LimitKind::Loop) => Answer::Open,
        Verdict::Unknown(_) => Answer::TooLarge,
    }
}

/// By the definition.
fn defined(a: &Subject, b: &Subject, memory: Memory, client: &Client) -> Answer {
    let question = |subject| Question {
        subject,
        level: &Level::None,
        memory,
        largest: LARGEST,
        reductions: Reductions::default(),
    };
    let kind = a.loaded.compiled.object.kind;
    let several = memory == Memory::Tso || a.loaded.compiled.thread_state || b.loaded.compiled.thread_state;
    let n = client.calls.len();
    let mut said = Answer::Refines;
    for waits in orders(n) {
        for threads in threads(n, &waits, several) {
            let one = Client { waits: waits.clone(), threads, ..client.clone() };
            let theirs = match slow::run(question(b), &one) {
                Ok((seen, _)) => truths(kind, seen),
                Err(Said::Unsafe) => return Answer::Wrong,
                Err(_) => return Answer::TooLarge,
            };
            let ours = match slow::run(question(a), &one) {
                Ok((seen, _)) => truths(kind, seen),
                Err(Said::Unsafe) => return Answer::Unsafe,
                Err(_) => return Answer::TooLarge,
            };
            if !ours.iter().all(|s| theirs.iter().any(|t| matches(s, t))) {
                said = Answer::Differs;
            }
        }
    }
    said
}

/// What is seen in the second is seen in the first.
fn matches(s: &Seen, t: &Seen) -> bool {
    let rows = s.sees.iter().zip(&t.sees);
    s.outcomes == t.outcomes && rows.into_iter().all(|(s, t)| s.iter().zip(t).all(|(s, t)| *s || !*t))
}

/// Operations of a set answer true or false, by any number.
fn truths(kind: Kind, seen: HashSet<Seen>) -> HashSet<Seen> {
    let truth = |o: Outcome| match o {
        Outcome::Value(n) => Outcome::Value(i64::from(n != 0)),
        Outcome::Empty => Outcome::Value(0),
        Outcome::Nothing => Outcome::Nothing,
    };
    match kind {
        Kind::Set => seen
            .into_iter()
            .map(|s| Seen { outcomes: s.outcomes.iter().map(|&o| truth(o)).collect(), ..s })
            .collect(),
        _ => seen,
    }
}

/// Compares on every client up to `size` calls; stops at the first that tells the objects apart.
#[track_caller]
fn agree(a: &Subject, b: &Subject, memory: Memory, size: usize) -> Answer {
    for client in (1..=size).flat_map(|n| a.clients(n)) {
        let fast = engine(a, b, memory, &client, Reductions::default());
        if matches!(fast, Answer::TooLarge) {
            return fast;
        }
        let slow = defined(a, b, memory, &client);
        let told = |what: &str, fast, slow| {
            format!(
                "{what}, {memory}: {fast:?}, by the definition {slow:?}: {}\n{}\nagainst\n{}",
                a.loaded.compiled.object.show_client(&client),
                a.text,
                b.text
            )
        };
        if slow == Answer::TooLarge {
            return slow;
        }
        // What the definition here does not look at may make a difference in some client.
        let open = fast == Answer::Open && memory == Memory::Tso;
        assert!(fast == slow || open, "{}", told("engine", fast, slow));
        let unreduced = engine(a, b, memory, &client, Reductions::NONE);
        let told_less = open && unreduced == slow;
        assert!(
            unreduced == fast || unreduced == Answer::TooLarge || told_less,
            "{}",
            told("reduced", fast, unreduced)
        );
        if fast != Answer::Refines {
            return fast;
        }
    }
    Answer::Refines
}

#[test]
fn objects_against_variants_of_themselves() {
    let (count, seed) = (if full() { 1000 } else { 80 }, lineal_sweep::seed(23));
    println!("seed {seed}");
    let mut rng = Choices::new(seed);
    let mut seen: BTreeMap<Answer, u32> = BTreeMap::new();
    for _ in 0..count {
        let all = objects::all();
        let (name, template) = &all[rng.below(all.len())];
        let mut draw = || match rng.below(4) {
            0 => template.plain(),
            1 => template.raised(&mut rng),
            2 => template.lowered(&mut rng),
            _ => template.random(&mut rng),
        };
        let (a, b) = (Subject::new(draw()), Subject::new(draw()));
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Ra, Memory::Tso, Memory::Sc][rng.below(5)];
        let size = if full() && memory != Memory::Tso { 3 } else { 2 };
        let said = agree(&a, &b, memory, size);
        if full() {
            println!("{name}, {memory}: {said:?}");
        }
        *seen.entry(said).or_default() += 1;
    }
    println!("{count} pairs: {seen:?}");
    assert!(seen[&Answer::Refines] >= count / 6 && seen[&Answer::Differs] >= count / 10, "{seen:?}");
}

/// A register of a few cells, whose calls do what comes to mind.
fn register(rng: &mut Choices) -> String {
    let mut out = String::from(
        "#pragma lineal object register args=independent\n#pragma lineal op write = put(value)\n\
         #pragma lineal op read = get() -> value\nstatic int x, y;\n",
    );
    for write in [true, false] {
        let head = if write { "void put(int value) {" } else { "int get(void) { int r = 0;" };
        out.push_str(head);
        for _ in 0..1 + rng.below(3) {
            let cell = ["x", "y"][rng.below(2)];
            let (load, store) = ([0, 2, 5][rng.below(3)], [0, 3, 5][rng.below(3)]);
            let both = [0, 2, 3, 4, 5][rng.below(5)];
            let given = if write { "value" } else { "7" };
            let _ = match (rng.below(10), write) {
                (0..=3, true) => write!(out, " __atomic_store_n(&{cell}, value, {store});"),
                (0..=3, false) => write!(out, " r = r * 10 + __atomic_load_n(&{cell}, {load});"),
                (4, _) => write!(out, " __atomic_store_n(&{cell}, {given}, {store});"),
                (5, true) => write!(out, " __atomic_exchange_n(&{cell}, value, {both});"),
                (5, false) => write!(out, " r = r * 10 + __atomic_fetch_add(&{cell}, 0, {both});"),
                (6, true) => write!(out, " (void)__atomic_load_n(&{cell}, {load});"),
                (6 | 7, _) => write!(out, " __atomic_thread_fence({});", [2, 3, 4, 5][rng.below(4)]),
                (8, true) => write!(out, " __atomic_store_n(&y, __atomic_load_n(&x, {load}), {store});"),
                (_, true) => write!(out, " __atomic_store_n(&x, value, {store});"),
                (_, false) => write!(out, " r = r * 10 + __atomic_load_n(&x, {load});"),
            };
        }
        out.push_str(if write { " }\n" } else { " return r; }\n" });
    }
    out
}

/// The same with some memory orders drawn anew.
fn shifted(text: &str, rng: &mut Choices) -> String {
    let mut out = String::new();
    for line in text.split_inclusive(';') {
        let at = line.rfind(|c: char| c.is_ascii_digit()).filter(|_| line.contains("__atomic"));
        let all: &[&str] = match line {
            _ if line.contains("fence") => &["2", "3", "4", "5"],
            _ if line.contains("store_n") => &["0", "3", "5"],
            _ if line.contains("load_n") => &["0", "2", "5"],
            _ => &["0", "2", "3", "4", "5"],
        };
        match at.filter(|_| rng.below(2) == 0) {
            Some(at) => {
                let _ = write!(out, "{}{}{}", &line[..at], all[rng.below(all.len())], &line[at + 1..]);
            }
            None => out.push_str(line),
        }
    }
    out
}

fn registers(rng: &mut Choices) -> (Subject, Subject) {
    let text = register(rng);
    let other = if rng.below(4) == 0 { register(rng) } else { shifted(&text, rng) };
    (Subject::new(text), Subject::new(other))
}

#[test]
fn registers_with_random_code() {
    let (count, seed) = (if full() { 3000 } else { 300 }, lineal_sweep::seed(29));
    println!("seed {seed}");
    let mut rng = Choices::new(seed);
    let mut seen: BTreeMap<(Memory, Answer), u32> = BTreeMap::new();
    for _ in 0..count {
        let (a, b) = registers(&mut rng);
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Ra, Memory::Tso, Memory::Sc][rng.below(5)];
        let size = if memory == Memory::Tso || (!full() && rng.below(3) > 0) { 2 } else { 3 };
        *seen.entry((memory, agree(&a, &b, memory, size))).or_default() += 1;
    }
    println!("{count} pairs: {seen:?}");
    let of = |answer| seen.iter().filter(|(k, _)| k.1 == answer).map(|(_, n)| n).sum::<u32>();
    assert!(of(Answer::Refines) >= count / 6 && of(Answer::Differs) >= count / 8, "{seen:?}");
    assert!(of(Answer::Open) <= count / 10, "{seen:?}");
}

/// A type under a lock is the type at level `total`; the queue of Example 2.2 is the queue at `R`.
#[test]
fn objects_that_say_what_a_level_says() {
    let (count, seed) = (if full() { 600 } else { 60 }, lineal_sweep::seed(31));
    println!("seed {seed}");
    let mut rng = Choices::new(seed);
    let named = |name: &str| objects::all().into_iter().find(|o| o.0 == name).expect("an object").1;
    let queues = ["michael-scott", "herlihy-wing", "front-back"];
    let mut seen: BTreeMap<(String, Answer), u32> = BTreeMap::new();
    for k in 0..count {
        let (template, other, level) = match k % 3 {
            0 => (named("treiber"), objects::LOCKED_STACK.to_string(), Level::Total),
            1 => (named(queues[rng.below(3)]), objects::LOCKED_QUEUE.to_string(), Level::Total),
            _ => (named(queues[rng.below(3)]), named("front-back").plain(), Level::R),
        };
        let (a, b) = (Subject::new(template.random(&mut rng)), Subject::new(other));
        // Under tso a level is about what is missed, and an object about what it does besides.
        let memory = [Memory::Rc11, Memory::Ra, Memory::Sc][rng.below(3)];
        for client in (1..=3).flat_map(|n| a.clients(n)) {
            let by_object = engine(&a, &b, memory, &client, Reductions::default());
            let q = Question {
                subject: &a,
                level: &level,
                memory,
                largest: LARGEST,
                reductions: Reductions::default(),
            };
            let by_level = match engine_all(q, &client) {
                Said::Holds => Answer::Refines,
                Said::Violated => Answer::Differs,
                Said::Unsafe => Answer::Unsafe,
                Said::TooLarge => Answer::TooLarge,
            };
            let shown = a.loaded.compiled.object.show_client(&client);
            let large = [by_object, by_level].contains(&Answer::TooLarge);
            assert!(
                by_object == by_level || large,
                "{level}, {memory}, {shown}: {by_object:?} {by_level:?}\n{}",
                a.text
            );
            *seen.entry((level.to_string(), by_object)).or_default() += 1;
            if by_object != Answer::Refines {
                break;
            }
        }
    }
    println!("{count} objects: {seen:?}");
    for level in ["R", "total"] {
        for answer in [Answer::Refines, Answer::Differs] {
            assert!(seen.contains_key(&(level.to_string(), answer)), "{seen:?}");
        }
    }
}

#[test]
fn every_example_refines_itself() {
    let most = if full() { 3 } else { 2 };
    let mut compared = 0;
    for (shown, text) in ["queue", "stack", "set", "deque"].iter().flat_map(|f| examples::objects(f)) {
        let subject = Subject::named(&shown, text.clone());
        for memory in [Memory::Rc11, Memory::Tso, Memory::Ra, Memory::Sc] {
            if !full() && memory != Memory::Rc11 {
                continue;
            }
            for client in (1..=most).flat_map(|n| subject.clients(n)) {
                let said = engine(&subject, &subject, memory, &client, Reductions::default());
                let fine = matches!(said, Answer::Refines | Answer::Wrong | Answer::TooLarge);
                assert!(fine, "{shown}, {memory}: {said:?}");
                compared += usize::from(said == Answer::Refines);
            }
        }
    }
    println!("{compared} lists of calls");
    assert!(compared > 50, "{compared}");
}

/// Three calls in a row, by what they read of each other: in the first object the last step is a read
/// that misses a write, in the second one it is read. A client that makes the last call return before
/// the first is made lets values come out of thin air in the second only.
const MISSES: &str = r"
#pragma lineal object cas-register args=equality
#pragma lineal op write = put(value)
#pragma lineal op cas = pass(key, value) -> result
#pragma lineal op read = get() -> value
static int x, z;
void put(int value) { __atomic_store_n(&x, 1, 0); }
int pass(int key, int value) {
    int a = __atomic_load_n(&x, 0);
    return a && !__atomic_load_n(&z, 0);
}
int get(void) { __atomic_store_n(&z, 1, 0); return 1; }
";
const TAKES: &str = r"
#pragma lineal object cas-register args=equality
#pragma lineal op write = put(value)
#pragma lineal op cas = pass(key, value) -> result
#pragma lineal op read = get() -> value
static int x, y;
void put(int value) { __atomic_store_n(&x, 1, 0); }
int pass(int key, int value) {
    int a = __atomic_load_n(&x, 0);
    return !__atomic_exchange_n(&y, 2, 0) && a;
}
int get(void) { __atomic_fetch_or(&y, 4, 0); return 1; }
";

/// With seq_cst orders nobody may see the three calls go round in a circle that a client closes.
const CIRCLE: &str = r"
#pragma lineal object cas-register args=equality
#pragma lineal op write = put(value)
#pragma lineal op cas = pass(key, value) -> result
#pragma lineal op read = get() -> value
static int x, y;
void put(int value) { __atomic_store_n(&y, 1, STORE); }
int pass(int key, int value) {
    __atomic_store_n(&x, 1, STORE);
    return __atomic_load_n(&y, LOAD);
}
int get(void) { return __atomic_load_n(&x, LOAD); }
";

/// Pairs in which one call of each operation is enough to tell.
fn telltales() -> Vec<(Subject, Subject)> {
    let circle = |store: &str, load: &str| CIRCLE.replace("STORE", store).replace("LOAD", load);
    let texts = [(MISSES.into(), TAKES.into()), (circle("3", "2"), circle("5", "5"))];
    texts.into_iter().map(|(a, b)| (Subject::new(a), Subject::new(b))).collect()
}

/// Each way to break the engine is noticed on some pair.
#[test]
fn a_broken_comparison_is_noticed() {
    let noticed = |bug: Bug, a: &Subject, b: &Subject, client: &Client| {
        let ask = || engine(a, b, Memory::Rc11, client, Reductions::default());
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| seeded::with(bug, ask)));
        // A violation that does not stand a second look is a panic.
        broken.map_or(true, |said| said != ask())
    };
    let one_of_each = |c: &Client| (0..3).all(|op| c.calls.iter().any(|call| call.operation == op));
    for bug in [Bug::NoExtend, Bug::NoSync, Bug::NoEco, Bug::NoPorf, Bug::RoughOther] {
        let mut rng = Choices::new(37);
        let known = telltales()
            .iter()
            .any(|(a, b)| a.clients(3).iter().filter(|c| one_of_each(c)).any(|c| noticed(bug, a, b, c)));
        let drawn = || {
            let (a, b) = registers(&mut rng);
            a.clients(2).iter().any(|c| noticed(bug, &a, &b, c))
        };
        assert!(known || std::iter::repeat_with(drawn).take(400).any(|told| told), "{bug:?}");
    }
}

/// The same pairs by the definition.
#[test]
fn circles_that_only_a_client_closes() {
    for (a, b) in telltales() {
        for client in a.clients(3).iter().filter(|c| c.calls.iter().map(|c| c.operation).sum::<usize>() == 3)
        {
            for (a, b) in [(&a, &b), (&b, &a)] {
                let slow = defined(a, b, Memory::Rc11, client);
                assert_eq!(engine(a, b, Memory::Rc11, client, Reductions::default()), slow, "{}", a.text);
            }
        }
    }
}
