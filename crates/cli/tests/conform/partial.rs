//! Specifications under a partial lock, by their definition.
//!
//! The engine runs such calls one after another and computes which see which on the way. Here the
//! same functions run as a concurrent program with an ordinary lock in place of the partial one:
//! every execution is listed by the naive decider, the accesses to the lock are made plain, so
//! that they synchronise nothing, and happens-before is computed once more. Both must give the
//! same answers with the same synchronisation.

use super::Subject;
use lineal_check::naive::executions;
use lineal_check::replay::calls::{observe, permutations};
use lineal_model::Memory;
use lineal_model::object::{Client, Outcome};
use lineal_model::run::Mode;
use lineal_sweep::Choices;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Answers, and the pairs (i, j) such that j sees i.
type Observed = (Vec<Outcome>, BTreeSet<(usize, usize)>);

/// Three functions of random accesses inside a section.
fn functions(rng: &mut Choices) -> String {
    let mut out = String::from("static int lock; static int x; static int y; static int z;\n");
    for f in 0..3 {
        let _ = write!(out, "int s{f}(int value) {{ int seen = 0; TAKE;");
        for _ in 0..2 + rng.below(3) {
            let cell = ["x", "y"][rng.below(2)];
            let load = [0, 2, 2, 5][rng.below(4)];
            let store = [0, 3, 3, 5][rng.below(4)];
            let both = [0, 2, 3, 4][rng.below(4)];
            let _ = match rng.below(7) {
                0 | 1 => write!(out, " seen = seen * 4 + __atomic_load_n(&{cell}, {load});"),
                2 | 3 => write!(out, " __atomic_store_n(&{cell}, {}, {store});", 1 + rng.below(3)),
                4 => write!(out, " seen = seen * 4 + __atomic_fetch_add(&{cell}, 1, {both});"),
                5 => write!(out, " __atomic_thread_fence({});", [2, 3, 4, 5][rng.below(4)]),
                _ => write!(out, " z = z + 1; seen = seen * 4 + z;"),
            };
        }
        out.push_str(" GIVE; return seen; }\n");
    }
    out
}

fn subject(functions: &str, take: &str, give: &str) -> Subject {
    let mut text = String::from("#pragma lineal object spec args=independent\n");
    for f in 0..3 {
        let _ = writeln!(text, "#pragma lineal op f{f} = s{f}(value)");
        let _ = writeln!(text, "#pragma lineal spec f{f} = s{f}(value)");
    }
    Subject::new(text + &functions.replace("TAKE", take).replace("GIVE", give))
}

/// One call after another, in every order.
fn in_turn(subject: &Subject, client: &Client) -> BTreeSet<Observed> {
    let reference = subject.reference(client).unwrap();
    let n = client.calls.len();
    let mut all = BTreeSet::new();
    permutations(n, &mut |order| {
        let mut outcomes = vec![Outcome::Nothing; n];
        let mut pairs = BTreeSet::new();
        let mut state = reference.initial();
        for &c in order {
            let [end] = reference.step(state, c).expect("it can be run")[..] else { panic!("one way") };
            outcomes[c] = end.outcome;
            pairs.extend((0..n).filter(|&i| i != c && end.sees >> i & 1 == 1).map(|i| (i, c)));
            state = end.next;
        }
        all.insert((outcomes, pairs));
        false
    });
    all
}

/// All at once, with an ordinary lock that is forgotten afterwards. `None`: too many executions.
fn at_once(subject: &Subject, client: &Client) -> Option<BTreeSet<Observed>> {
    let (machine, marks) = subject.loaded.compiled.operations.client(client);
    let (lock, ..) = machine.global("lock").unwrap();
    let n = client.calls.len();
    let mut all = BTreeSet::new();
    let found = executions::enumerate_with(&machine, Memory::Rc11, 60_000, |x| {
        let mut x = x.clone();
        for event in x.events.iter_mut().filter(|e| e.loc == Some(lock)) {
            event.mode = Mode::NonAtomic;
        }
        let seen = observe(&x, Memory::Rc11, &marks).unwrap();
        let pairs = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
        let pairs = pairs.filter(|&(i, j)| i != j && seen.sees[j][i]).collect();
        all.insert((seen.outcomes, pairs));
    });
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    (!found.gave_up).then_some(all)
}

#[test]
fn partial_locks_as_defined() {
    let count = if super::full() { 100 } else { 5 };
    let mut rng = Choices::new(11);
    let (mut compared, mut left_out, mut partly) = (0, 0, 0);
    for _ in 0..count {
        let text = functions(&mut rng);
        let spec = subject(&text, "lineal_plock(&lock)", "lineal_punlock(&lock)");
        let real = subject(&text, "__lineal_await_cas(&lock, 0, 1, 0)", "__atomic_store_n(&lock, 0, 3)");
        for size in 1..=3 {
            for client in spec.clients(size) {
                let (a, Some(b)) = (in_turn(&spec, &client), at_once(&real, &client)) else {
                    left_out += 1;
                    continue;
                };
                assert_eq!(a, b, "{:?}\n{text}", client.calls);
                compared += 1;
                let full = size * (size - 1) / 2;
                partly += i32::from(a.iter().any(|(_, pairs)| !pairs.is_empty() && pairs.len() < full));
            }
        }
    }
    println!("{compared} clients compared, {left_out} too large, {partly} with some synchronisation");
    assert!(compared > 10 * left_out && partly > compared / 20, "{compared} {left_out} {partly}");
}
