//! Sets, element by element: a sweep that changes the state only when it must.
//!
//! An add or remove that answered true is a *toggle*; everything else reads a state. A pending
//! add or remove is a toggle that may come as late as one likes, or never; a pending contains
//! says nothing. Between two events the state need flip only to satisfy an operation about to
//! return, and then the open toggle that returns first is the best one to spend. Repeated adds
//! of an element are no obstacle.

use super::{Bug, Conflict, Fast, seeded};
use lineal_model::history::{History, Method, Op, ValueId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug)]
pub struct Open {
    pub op: u64,
    /// The state it reads, or that it makes.
    pub state: bool,
    pub ret: u64,
    pub line: u32,
}

/// One element's sweep.
#[derive(Clone, Debug, Default)]
pub struct Element {
    state: bool,
    reads: Vec<Open>,
    toggles: Vec<Open>,
}

impl Element {
    pub fn call(&mut self, open: Open, is_toggle: bool) {
        if is_toggle {
            self.toggles.push(open);
        } else if open.state != self.state {
            self.reads.push(open);
        }
    }

    /// `Err`: nothing explains the operation that returns, which needs the state given.
    pub fn ret(&mut self, op: u64) -> Result<(), Open> {
        if let Some(i) = self.reads.iter().position(|o| o.op == op) {
            let read = self.reads[i];
            self.flip(read.state).ok_or(read)?;
        } else if let Some(i) = self.toggles.iter().position(|o| o.op == op) {
            let toggle = self.toggles[i];
            let made = toggle.state;
            if self.state == made {
                self.flip(!made).ok_or(Open { state: !made, ..toggle })?;
            }
            self.toggles.retain(|o| o.op != op);
            self.enter(made);
        }
        Ok(())
    }

    fn flip(&mut self, state: bool) -> Option<()> {
        let candidates = || self.toggles.iter().enumerate().filter(|(_, o)| o.state == state);
        let first = match seeded::active(Bug::SetFlipsByLatest) {
            true => candidates().max_by_key(|(_, o)| o.ret),
            false => candidates().min_by_key(|(_, o)| o.ret),
        };
        let (i, _) = first?;
        self.toggles.swap_remove(i);
        self.enter(state);
        Some(())
    }

    fn enter(&mut self, state: bool) {
        self.state = state;
        self.reads.retain(|o| o.state != state);
    }
}

/// What an operation does to its element: the state, and whether it is a toggle. `None`: nothing.
pub fn role(op: &Op) -> Option<Result<(bool, bool), ()>> {
    let answer = op.result.as_bool();
    Some(match (op.method, op.is_pending(), answer) {
        (Method::Contains, true, _) => return None,
        (Method::Insert, true, _) => Ok((true, true)),
        (Method::Remove, true, _) => Ok((false, true)),
        (Method::Contains, false, Some(s)) => Ok((s, false)),
        (Method::Insert, false, Some(true)) => Ok((true, true)),
        (Method::Insert, false, Some(false)) => Ok((true, false)),
        (Method::Remove, false, Some(true)) => Ok((false, true)),
        (Method::Remove, false, Some(false)) => Ok((false, false)),
        _ => Err(()),
    })
}

pub fn decide(history: &History) -> Fast {
    let mut elements: FxHashMap<ValueId, Element> = FxHashMap::default();
    let mut roles = Vec::with_capacity(history.len());
    for op in history.ops() {
        match role(&op) {
            Some(Err(())) => {
                return Fast::Declined(format!("line {} does not say what add or remove answered", op.line));
            }
            Some(Ok(role)) => roles.push(Some(role)),
            None => roles.push(None),
        }
    }
    for (i, is_return) in history.timeline() {
        let Some((state, is_toggle)) = roles[i as usize] else { continue };
        let op = history.op(i as usize);
        let element = elements.entry(op.arg).or_default();
        if !is_return {
            let open = Open { op: u64::from(i), state, ret: u64::from(op.ret), line: op.line };
            element.call(open, is_toggle);
        } else if element.ret(u64::from(i)).is_err() {
            return Fast::Violated(conflict(history, i));
        }
    }
    Fast::Holds
}

/// The element's operations up to the return that nothing explains.
fn conflict(history: &History, stuck: u32) -> Conflict {
    let op = history.op(stuck as usize);
    let ops = (0..history.len() as u32).filter(|&i| {
        let o = history.op(i as usize);
        o.arg == op.arg && o.call < op.ret
    });
    let needs = match role(&op) {
        Some(Ok((state, is_toggle))) => state != is_toggle,
        _ => false,
    };
    let why = format!(
        "when line {} returned, {} could not have been {} the set",
        op.line,
        history.values.show(op.arg),
        if needs { "in" } else { "out of" }
    );
    Conflict::new(ops, why)
}
