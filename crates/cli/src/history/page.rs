//! `--html`: which operations are drawn, and what is said about those that are not.

use super::watch::Watch;
use crate::flags::flag;
use lineal_check::monitor::{self, Answer, Detail, Part, Patience, Problem, label};
use lineal_model::history::{History, ValueId};
use lineal_report::page::Tab;
use std::borrow::Cow;

/// Pages hold at most so many operations; of longer logs, what lies around the error.
const DRAWN: usize = 1_000_000;

/// A key's history as far as it is drawn: its operations' own numbers, if not all of them are there.
struct Drawn<'a> {
    part: &'a Part<'a>,
    history: Cow<'a, History>,
    kept: Option<Vec<u32>>,
}

impl<'a> Drawn<'a> {
    /// At most `room` operations, among them these if possible, and what surrounds the first of them.
    fn new(part: &'a Part<'a>, room: usize, wanted: &[u32]) -> Self {
        let whole = &*part.history;
        if whole.len() <= room {
            return Drawn { part, history: Cow::Borrowed(whole), kept: None };
        }
        let middle = wanted.first().copied().unwrap_or(0) as usize;
        let mut wanted: Vec<u32> = wanted.iter().copied().take(room / 2).collect();
        let around = room - wanted.len();
        let from = middle.saturating_sub(around / 2).min(whole.len() - around);
        wanted.extend(from as u32..(from + around) as u32);
        wanted.sort_unstable();
        wanted.dedup();
        Drawn { part, history: Cow::Owned(whole.restrict(&wanted)), kept: Some(wanted) }
    }

    fn number(&self, op: u32) -> Option<u32> {
        match &self.kept {
            None => Some(op),
            Some(kept) => kept.binary_search(&op).ok().map(|n| n as u32),
        }
    }

    /// How many of the events drawn are among the first so many of all.
    fn events(&self, before: u32) -> u32 {
        let Some(kept) = &self.kept else { return before };
        let whole = &*self.part.history;
        let times = |&i: &u32| [whole.calls()[i as usize], whole.returns()[i as usize]];
        kept.iter().flat_map(times).filter(|&at| at < before).count() as u32
    }

    fn note(&self) -> Option<String> {
        self.kept
            .as_ref()
            .map(|kept| format!("the page shows {} of {} operations", kept.len(), self.part.history.len()))
    }
}

/// The page, and what is to be said about it.
pub fn page(title: &str, problem: &Problem, detail: &Detail, watch: &Watch) -> (String, Option<String>) {
    let Detail { decided, explanation, object } = detail;
    let problem = &Problem { object, ..*problem };
    let explanation = explanation.as_ref();
    let bad = decided.violated().map(|p| p.key);
    let mut parts: Vec<&Part> = decided.parts.iter().collect();
    parts.sort_by_key(|p| Some(p.key) != bad);
    let mut room = DRAWN;
    let mut cut: Vec<Drawn> = Vec::new();
    let mut left_out = 0;
    for part in parts {
        let explained = explanation.filter(|_| Some(part.key) == bad);
        let stuck = explained.and_then(|e| e.prefix).map(|p| p.1);
        let ops = explained.map_or(&[][..], |e| &e.ops);
        let order = explained.map_or(&[][..], |e| &e.order);
        // What returns where it goes wrong, else what was called last of what is wrong.
        let first = stuck.or(ops.last().copied());
        let wanted: Vec<u32> =
            first.into_iter().chain(ops.iter().copied()).chain(order.iter().map(|o| o.0)).collect();
        if room == 0 {
            left_out += 1;
            continue;
        }
        let drawn = Drawn::new(part, room, &wanted);
        room -= drawn.history.len();
        cut.push(drawn);
    }
    let note = cut.iter().find_map(|drawn| {
        let key = label(problem, drawn.part);
        drawn.note().map(|note| format!("{key}{note}"))
    });
    let note = match (note, left_out) {
        (note, 0) => note,
        (None, n) => Some(format!("the page has no room for {n} further keys")),
        (Some(note), n) => Some(format!("{note}, and has no room for {n} further keys")),
    };
    let tabs: Vec<Tab> = cut
        .iter()
        .map(|drawn| {
            let Drawn { part, history, .. } = drawn;
            let explained = explanation.filter(|_| Some(part.key) == bad);
            let number = |op: u32| drawn.number(op);
            let (verdict, why) = match part.answer() {
                None => ("undecided", "another key is violated, which is enough".to_string()),
                Some(Answer::Holds) => ("holds", String::new()),
                Some(Answer::Violated(conflict)) => ("violated", conflict.why.clone()),
                Some(Answer::Unknown(limit)) => {
                    ("unknown", format!("{} {}", lineal_report::limit(limit, flag), limit.covered))
                }
            };
            // The order of a key that holds, where a short search finds it.
            let order = match (explained, verdict) {
                (Some(e), _) => e.order.clone(),
                (None, "holds") if drawn.kept.is_none() && history.len() <= 5_000 => {
                    let own = Problem { history: &part.history, ..*problem };
                    monitor::order(&own, Patience::Little, watch).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            Tab {
                name: match part.key {
                    ValueId::NONE => "all".into(),
                    key => problem.history.values.show(key),
                },
                history,
                verdict,
                why,
                order: order.into_iter().filter_map(|(op, state)| Some((number(op)?, state))).collect(),
                stuck: explained.and_then(|e| e.prefix).and_then(|p| number(p.1)),
                prefix: explained.and_then(|e| e.prefix).map(|p| drawn.events(p.0)),
                note: drawn.note().unwrap_or_default(),
                guilty: explained.map_or(Vec::new(), |e| {
                    let own = e.minimal.as_ref().map_or(&e.ops, |m| &m.ops);
                    let some = own.len() < history.len();
                    own.iter().filter(|_| some).filter_map(|&op| number(op)).collect()
                }),
                failing: explained.map_or(Vec::new(), |e| {
                    e.failing.iter().filter_map(|f| Some((number(f.op)?, f.why.clone()))).collect()
                }),
            }
        })
        .collect();
    (lineal_report::page::render(title, problem.object, &tabs), note)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lineal_model::history::{Builder, Call, Method};

    /// What does not fit is cut around the error, and its numbers are translated.
    #[test]
    fn the_error_is_on_the_page() {
        let mut builder = Builder::new();
        for n in 0..100 {
            let write = Call::new(Method::Write, ValueId::small(0)).arg(ValueId::small(n));
            let op = builder.call(write);
            builder.ret(op, ValueId::NONE);
        }
        let history = Cow::Owned(builder.finish());
        let part = Part { key: ValueId::NONE, history, decision: None };
        for (room, wanted) in [(10, vec![97, 3]), (10, vec![0]), (10, vec![50, 2, 99]), (40, vec![])] {
            let drawn = Drawn::new(&part, room, &wanted);
            assert!(drawn.history.len() <= room, "{wanted:?}");
            for &op in &wanted {
                let number = drawn.number(op).expect("it is drawn") as usize;
                assert_eq!(drawn.history.op(number).arg, ValueId::small(op), "{wanted:?}");
                assert_eq!(drawn.events(2 * op), 2 * number as u32, "{wanted:?}");
            }
            let note = drawn.note().expect("something is left out");
            assert!(note.starts_with("the page shows ") && note.ends_with("of 100 operations"), "{note}");
        }
        let all = Drawn::new(&part, 100, &[97]);
        assert_eq!((all.history.len(), all.note(), all.number(97), all.events(7)), (100, None, Some(97), 7));
    }
}
