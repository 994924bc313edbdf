//! When each value of a container was surely inside.
//!
//! Point `i` lies just after event `i`. For a value: `ca`, `ra` are call and return of its add,
//! `cr`, `rr` of its remove. A completed add that nothing removes has `cr = T`, `rr = T + 1` with
//! `T` the number of events; a pending add that nothing removes is left out, for it may never
//! have happened; a pending add that was removed had happened by the remove's return. The *core*
//! of a value is the points `[ra, cr)`: there it is inside in every linearization.

use super::{Conflict, Dense, Fast};
use lineal_model::adt::Object;
use lineal_model::history::{History, Method, Op, ValueId};

#[derive(Clone, Debug, Default)]
pub struct Lives {
    /// The adding operation of each value; values are in order of these.
    pub add: Vec<u32>,
    /// The removing one, or [`Lives::NOBODY`].
    pub remove: Vec<u32>,
    pub ca: Vec<u32>,
    pub ra: Vec<u32>,
    pub cr: Vec<u32>,
    pub rr: Vec<u32>,
    /// Removes that answered empty.
    pub empties: Vec<u32>,
    /// Removes that never returned, in order of their calls.
    pub pending: Vec<u32>,
    pub events: u32,
}

/// Which values to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    Yes,
}

impl Lives {
    pub const NOBODY: u32 = u32::MAX;

    /// Fails with a verdict of its own: a value removed twice or from nowhere; repeated adds.
    pub fn new(history: &History, object: &Object) -> Result<Lives, Fast> {
        let (methods, args, results) = (history.methods(), history.args(), history.results());
        let (calls, returns) = (history.calls(), history.returns());
        let events = history.events();
        let show = |op: u32| object.show(&history.op(op as usize), &history.values);

        let adds = methods.iter().filter(|m| **m == Method::Insert).count();
        let mut lives = Lives { events, ..Lives::default() };
        for column in
            [&mut lives.add, &mut lives.remove, &mut lives.ca, &mut lives.ra, &mut lives.cr, &mut lives.rr]
        {
            column.reserve_exact(adds);
        }
        let inserted = || (0..methods.len()).filter(|&i| methods[i] == Method::Insert);
        let mut dense = Dense::sized_for(inserted().map(|i| args[i]));
        for i in inserted() {
            let (n, new) = dense.insert(args[i]);
            if !new {
                return Err(Fast::Declined(format!(
                    "{} is added more than once: first by {}, again by {}",
                    history.values.show(args[i]),
                    at(history, lives.add[n as usize]),
                    at(history, i as u32),
                )));
            }
            lives.add.push(i as u32);
            lives.remove.push(Self::NOBODY);
            lives.ca.push(calls[i]);
            lives.ra.push(returns[i]);
            lives.cr.push(events);
            lives.rr.push(events + 1);
        }
        for i in (0..methods.len()).filter(|&i| methods[i] == Method::Remove) {
            if returns[i] == Op::PENDING {
                lives.pending.push(i as u32);
                continue;
            }
            match results[i] {
                ValueId::EMPTY => lives.empties.push(i as u32),
                ValueId::NONE => {
                    return Err(Fast::Declined(format!("{} has no recorded result", at(history, i as u32))));
                }
                value => match dense.find(value) {
                    None => {
                        let why = format!("{} removes a value that was never added", show(i as u32));
                        return Err(Fast::Violated(Conflict::new([i as u32], why)));
                    }
                    Some(n) => {
                        let n = n as usize;
                        if lives.remove[n] != Self::NOBODY {
                            let why =
                                format!("{} was added once and removed twice", history.values.show(value));
                            let ops = [lives.add[n], lives.remove[n], i as u32];
                            return Err(Fast::Violated(Conflict::new(ops, why)));
                        }
                        let (put, told) = (history.extra(lives.add[n] as usize), history.extra(i));
                        if told != ValueId::NONE && told != put {
                            let [put, told] = [put, told].map(|p| history.values.show(p));
                            let value = history.values.show(value);
                            let why = format!("{value} left with priority {told}, and was put with {put}");
                            return Err(Fast::Violated(Conflict::new([lives.add[n], i as u32], why)));
                        }
                        lives.remove[n] = i as u32;
                        lives.cr[n] = calls[i].max(lives.ca[n]);
                        lives.rr[n] = returns[i];
                        lives.ra[n] = lives.ra[n].min(returns[i]);
                    }
                },
            }
        }
        lives.retain(|l, n| l.remove[n] != Self::NOBODY || l.ra[n] != Op::PENDING);
        Ok(lives)
    }

    pub fn len(&self) -> usize {
        self.add.len()
    }

    pub fn is_removed(&self, n: usize) -> bool {
        self.remove[n] != Self::NOBODY
    }

    /// The operations of some values.
    pub fn ops_of(&self, values: impl IntoIterator<Item = u32>) -> Vec<u32> {
        values.into_iter().flat_map(|n| [self.add[n as usize], self.remove[n as usize]]).collect()
    }

    /// Without the values that nothing removes.
    pub fn only(&self, removed: Removed) -> Lives {
        let mut lives = self.clone();
        match removed {
            Removed::Yes => lives.retain(|l, n| l.is_removed(n)),
        }
        lives
    }

    fn retain(&mut self, keep: impl Fn(&Lives, usize) -> bool) {
        let keep: Vec<bool> = (0..self.len()).map(|n| keep(self, n)).collect();
        if keep.iter().all(|k| *k) {
            return;
        }
        for column in
            [&mut self.add, &mut self.remove, &mut self.ca, &mut self.ra, &mut self.cr, &mut self.rr]
        {
            let mut keep = keep.iter();
            column.retain(|_| *keep.next().expect("as many flags as values"));
        }
    }
}

fn at(history: &History, op: u32) -> String {
    match history.op(op as usize).line {
        0 => format!("operation {op}"),
        line => format!("line {line}"),
    }
}
