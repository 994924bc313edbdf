//! Every reduction on and off, alone and together, on the objects of `examples/` and on mutants of
//! them with one or two other memory orders: the same verdicts.
//!
//! `LINEAL_FULL=1` takes 500 mutants, from a fresh seed, and clients of one more call.

use super::{Question, Said, Subject, engine, engine_all, examples, full};
use lineal_check::conform::clients::Bound;
use lineal_check::conform::{Asked, Reductions};
use lineal_check::seeded::{self, Bug};
use lineal_lang::c11::object;
use lineal_lang::c11::{Options, Unit};
use lineal_model::Memory;
use lineal_model::object::Level;
use lineal_sweep::Choices;
use std::collections::BTreeMap;

const LARGEST: u64 = 8_000;
const ORDERS: [&str; 5] = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
const LEVELS: [Level; 6] = Level::NAMED;

/// Everything, nothing, and everything but one.
fn combinations() -> [Reductions; 9] {
    let all = Reductions::default();
    [
        Reductions::NONE,
        all,
        Reductions { iterations: false, ..all },
        Reductions { waits: false, ..all },
        Reductions { calls: false, ..all },
        Reductions { helping: false, ..all },
        Reductions { calls: false, helping: false, ..all },
        Reductions { idle: false, ..all },
        Reductions { starving: false, ..all },
    ]
}

/// The text with some memory orders drawn anew; those of the headers stay.
pub fn mutant(text: &str, rng: &mut Choices) -> String {
    const WORD: &str = "memory_order_";
    let own = text.rfind("enum").map_or(0, |at| at + text[at..].find('}').unwrap_or(0));
    let mut places: Vec<usize> = text[own..].match_indices(WORD).map(|(at, _)| own + at).collect();
    let mut out = text.to_string();
    for _ in 0..rng.below(3) {
        if places.is_empty() {
            break;
        }
        let at = places.swap_remove(rng.below(places.len())) + WORD.len();
        let end = at + out[at..].find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(0);
        // The same length, so that other places stay where they are.
        let drawn = ORDERS[rng.below(ORDERS.len())];
        if drawn.len() <= end - at {
            out.replace_range(at..end, &format!("{drawn:width$}", width = end - at));
        }
    }
    out
}

#[test]
fn verdicts_do_not_depend_on_reductions() {
    let (count, size, mut rng) = if full() {
        let seed =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |d| d.as_secs());
        println!("seed {seed}");
        (500, 4, Choices::new(seed))
    } else {
        (24, 3, Choices::new(11))
    };
    let files: Vec<(String, String)> =
        ["queue", "stack", "set"].iter().flat_map(|folder| examples::objects(folder)).collect();
    let mut seen: BTreeMap<Said, u32> = BTreeMap::new();
    let mut made = 0;
    for n in 0.. {
        if made == count {
            break;
        }
        let (shown, text) = &files[n % files.len()];
        let text = if n < files.len() { text.clone() } else { mutant(text, &mut rng) };
        let unit = Unit::of(shown, &text).expect("only orders differ");
        // An order may not fit its access.
        let Ok((loaded, _)) = object::load(&[unit], &Options::default()) else { continue };
        made += 1;
        let subject = Subject { loaded, text };
        let level = &LEVELS[rng.below(LEVELS.len())];
        let memory = [Memory::Rc11, Memory::Rc11, Memory::Ra, Memory::Tso, Memory::Sc][rng.below(5)];
        if object::misfit(level, &subject.loaded.compiled.object).is_some() {
            continue;
        }
        for client in (1..=size).flat_map(|n| subject.clients(n)) {
            let ask = |reductions| {
                let q = Question { subject: &subject, level, memory, largest: LARGEST, reductions };
                engine_all(q, &client)
            };
            let [none, others @ ..] = combinations();
            let expected = ask(none);
            *seen.entry(expected).or_default() += 1;
            if expected == Said::TooLarge {
                break;
            }
            for reductions in others {
                let said = ask(reductions);
                let object = &subject.loaded.compiled.object;
                assert_eq!(
                    said,
                    expected,
                    "{shown}, level {level}, {memory}, {reductions:?}: {}\n{}",
                    object.show_client(&client),
                    subject.text
                );
            }
            if expected != Said::Holds {
                break;
            }
        }
    }
    println!("{made} objects: {seen:?}");
    assert!(seen[&Said::Holds] > 100 && seen.get(&Said::Violated).is_some_and(|&n| n > 0), "{seen:?}");
}

/// A helper that moves the tail without releasing anything breaks the queue, and must not be left
/// out for the publisher, who does release.
#[test]
fn a_swap_that_synchronises_less_is_not_left_to_others() {
    let files = examples::objects("queue");
    let (shown, text) = files.iter().find(|f| f.0.ends_with("michael-scott-heap.c")).expect("an example");
    let relaxed = "atomic_compare_exchange_strong_explicit(&q->tail, &t, next, memory_order_relaxed, \
                   memory_order_relaxed);";
    let weaker = text.replace("swing(&q->tail, t, next);", relaxed);
    assert_ne!(*text, weaker);
    let subject = Subject::named(shown, weaker);
    assert_eq!(worst(&subject, 3), Said::Unsafe);
    assert_eq!(seeded::with(Bug::HelpsAnyway, || worst(&subject, 3)), Said::Holds);
}

/// What the engine says, with all reductions, of the clients with up to so many calls.
fn worst(subject: &Subject, size: usize) -> Said {
    let (level, memory, reductions) = (&Level::R, Memory::Rc11, Reductions::default());
    let q = Question { subject, level, memory, largest: LARGEST, reductions };
    engine(q, Asked::Every(Bound::Total(size)))
}

/// A link that is taken back has to be filled in by whoever needs it: the one who made it does not
/// make it again. Here such a dequeue answers what nobody put there.
#[test]
fn a_link_that_was_taken_back_is_not_left_to_others() {
    let files = examples::objects("queue");
    let (shown, text) = files.iter().find(|f| f.0.ends_with("optimistic.c")).expect("an example");
    let mut changed = text.clone();
    for (from, to) in [
        ("    int value;\n", "    int value;\n    _Atomic int taken;\n"),
        ("n->value = value;", "n->value = value; atomic_store_explicit(&n->taken, 0, memory_order_relaxed);"),
        (
            "struct node *first =",
            "if (atomic_load_explicit(&h->taken, memory_order_acquire)
                 && atomic_load_explicit(&h->prev, memory_order_acquire)) return 100;
             struct node *first =",
        ),
        (
            "            return value;",
            "{ if (atomic_load_explicit(&first->prev, memory_order_acquire)) {
                   atomic_store_explicit(&first->prev, NULL, memory_order_release);
                   atomic_store_explicit(&first->taken, 1, memory_order_release);
               }
               return value; }",
        ),
    ] {
        assert!(changed.contains(from), "{from}");
        changed = changed.replacen(from, to, 1);
    }
    let subject = Subject::named(shown, changed);
    assert_eq!(worst(&subject, 4), Said::Violated);
    assert_eq!(seeded::with(Bug::FillsAnyway, || worst(&subject, 4)), Said::Holds);
}
