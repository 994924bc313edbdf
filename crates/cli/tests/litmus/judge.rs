//! What the two deciders say about one program under one model, in the same words.

use lineal_check::graph::{self as engine, Observed, Options, Problem};
use lineal_check::naive::executions;
use lineal_model::program::Machine;
use lineal_model::run::{Runnable, Value};
use lineal_model::{Effort, Memory, Unwatched, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// Partial graphs that the naive decider may go through.
const CAP: usize = 300_000;

#[derive(Debug, PartialEq, Eq)]
pub struct Judged {
    /// `race`, if anything is wrong; then nothing else is meant to be complete.
    pub fault: Option<String>,
    pub graphs: BTreeSet<String>,
    /// How many executions end in each.
    pub outcomes: BTreeMap<String, u64>,
}

impl Judged {
    /// How an engine's answer differs from this one.
    pub fn differs(&self, engine: &Judged) -> Option<String> {
        if self.fault != engine.fault {
            return Some(format!("naive finds {:?}, graph {:?}", self.fault, engine.fault));
        }
        if self.fault.is_some() || self == engine {
            return None;
        }
        let missing = self.graphs.difference(&engine.graphs).count();
        let extra = engine.graphs.difference(&self.graphs).count();
        Some(format!(
            "{} graphs, of which the engine misses {missing} and adds {extra}; outcomes {:?} and {:?}",
            self.graphs.len(),
            self.outcomes,
            engine.outcomes
        ))
    }
}

pub fn naive(machine: &Machine, memory: Memory, observe: &[Observed]) -> Result<Judged, String> {
    let mut outcomes = BTreeMap::new();
    let found = executions::enumerate_with(machine, memory, CAP, |x| {
        let values = observe.iter().map(|o| {
            let value = match x.mo(o.loc).last() {
                Some(&w) => x.events[w].value,
                None => machine.initial(o.loc, o.size),
            };
            format!("{}={}", o.name, shown(o, value))
        });
        *outcomes.entry(values.collect::<Vec<_>>().join(" ")).or_default() += 1;
    });
    if found.gave_up {
        return Err(format!("{memory}: more than {CAP} partial graphs"));
    }
    let fault = found.failures.keys().next().map(|kind| kind.word().to_string());
    Ok(Judged { fault, graphs: found.complete, outcomes })
}

fn shown(o: &Observed, value: Value) -> String {
    match o.signed {
        true => value.signed(o.size).to_string(),
        false => value.truncate(o.size).lo.to_string(),
    }
}

pub fn graph(machine: &mut Machine, memory: Memory, observe: &[Observed]) -> Result<Judged, String> {
    let leaves = Arc::new(Mutex::new(Vec::new()));
    let options = Options { leaves: Some(leaves.clone()), observe: observe.to_vec(), ..Options::default() };
    let mut problem = Problem { program: machine, memory, options };
    let effort = Effort { max_states: Some(100_000), ..Effort::DEFAULT };
    let finding = engine::check(&mut problem, &effort, &Unwatched);
    let fault = match finding.verdict {
        Verdict::Violated(witness) => Some(witness.kind.word().to_string()),
        Verdict::Holds(_) => None,
        Verdict::Unknown(limit) => return Err(format!("{memory}: {limit:?}")),
    };
    let leaves = std::mem::take(&mut *leaves.lock().map_err(|e| e.to_string())?);
    let count = leaves.len();
    let graphs: BTreeSet<String> = leaves.into_iter().collect();
    if fault.is_none() && graphs.len() != count {
        return Err(format!("{memory}: {count} graphs, {} of them different", graphs.len()));
    }
    Ok(Judged { fault, graphs, outcomes: finding.outcomes })
}
