//! Robustness of the objects of `examples/` and of mutants, with failed attempts left out and with
//! all of them: what is robust as it is, is so without them, and a violation without them is one.
//! Of calls that only their values tell apart, the order never matters.
//!
//! `LINEAL_FULL=1` takes 300 mutants, from a fresh seed, and clients of one more call.

use super::reductions::mutant;
use super::{Question, Said, Subject, answer, examples, full};
use lineal_check::conform::clients::Bound;
use lineal_check::conform::{self, Asked, Reductions};
use lineal_lang::c11::object;
use lineal_lang::c11::{Options, Unit};
use lineal_model::Memory;
use lineal_model::object::Level;
use lineal_sweep::Choices;
use std::collections::BTreeMap;

#[test]
fn failed_attempts_may_be_left_out() {
    let (count, size) = if full() { (300, 4) } else { (60, 3) };
    let mut rng = Choices::new(lineal_sweep::seed(5));
    let files: Vec<(String, String)> =
        ["queue", "stack", "set"].iter().flat_map(|folder| examples::objects(folder)).collect();
    let mut seen: BTreeMap<(Said, Said), u32> = BTreeMap::new();
    for n in 0..count {
        let (shown, text) = &files[n % files.len()];
        let text = if n < files.len() { text.clone() } else { mutant(text, &mut rng) };
        let unit = Unit::of(shown, &text).expect("only orders differ");
        let Ok((loaded, _)) = object::load(&[unit], &Options::default()) else { continue };
        let subject = Subject { loaded, text };
        let memory = [Memory::Rc11, Memory::Ra, Memory::Tso][rng.below(3)];
        let ask = |iterations, calls| {
            let reductions = Reductions { iterations, calls, ..Reductions::NONE };
            let q = Question { subject: &subject, level: &Level::None, memory, largest: 60_000, reductions };
            answer(q, Asked::Every(Bound::Total(size)), conform::Question::Robust)
        };
        let (every, without) = (ask(false, false), ask(true, true));
        *seen.entry((every, without)).or_default() += 1;
        let fits = match (every, without) {
            (Said::TooLarge, _) | (_, Said::TooLarge) => true,
            // Something may be wrong with failed attempts only.
            (Said::Violated, Said::Holds) => true,
            (every, without) => every == without,
        };
        assert!(fits, "{shown}, {memory}: {every:?}, {without:?}\n{}", subject.text);
        let alike = ask(true, false);
        assert!(alike == without || [alike, without].contains(&Said::TooLarge), "{shown}\n{}", subject.text);
    }
    println!("with all attempts, without those that failed: {seen:?}");
    assert!(seen[&(Said::Holds, Said::Holds)] > 3 && seen[&(Said::Violated, Said::Violated)] > 2, "{seen:?}");
}
