//! Builds a [`History`] from operations that carry their times, in any order.
//!
//! At equal stamps calls precede returns, so that coarse clocks raise no false alarm: `a`
//! precedes `b` only if `a`'s return is stamped strictly before `b`'s call.

use super::builder::Call;
use super::{History, Op, ValueId, Values};
use std::sync::Arc;

/// A clock reading, in whatever unit the log uses.
pub type Stamp = i64;

#[derive(Debug, Default)]
pub struct TimedBuilder {
    pub values: Values,
    history: History,
    call: Vec<Stamp>,
    /// `Stamp::MAX`: pending.
    ret: Vec<Stamp>,
}

impl TimedBuilder {
    pub const PENDING: Stamp = Stamp::MAX;

    pub fn new() -> Self {
        TimedBuilder::default()
    }

    /// Goes on with values interned before.
    pub fn with(values: Values) -> Self {
        TimedBuilder { values, ..TimedBuilder::default() }
    }

    pub fn push(&mut self, call: Call, result: ValueId, times: (Stamp, Stamp)) {
        self.history.push(Op {
            method: call.method,
            process: call.process,
            key: call.key,
            arg: call.arg,
            extra: call.extra,
            result,
            call: 0,
            ret: Op::PENDING,
            line: call.line,
        });
        self.call.push(times.0);
        self.ret.push(times.1);
    }

    /// Multiplies all times. `None`: one of them is too large.
    pub fn rescale(&mut self, factor: Stamp) -> Option<()> {
        for time in self.call.iter_mut().chain(&mut self.ret) {
            if *time != Self::PENDING {
                *time = time.checked_mul(factor)?;
            }
        }
        Some(())
    }

    pub fn len(&self) -> usize {
        self.history.len()
    }

    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// Orders the events. Two operations on clocks that may differ by `skew` are ordered only if
    /// one returned more than `skew` before the other was called.
    pub fn finish(mut self, skew: Stamp) -> History {
        for ret in &mut self.ret {
            if *ret != Self::PENDING {
                *ret = ret.saturating_add(skew).min(Self::PENDING - 1);
            }
        }
        let calls = sorted_by(&self.call);
        let returns = sorted_by(&self.ret);
        let mut position = 0;
        let mut next_return = returns.into_iter().peekable();
        let mut ret_at = std::mem::take(&mut self.history.ret);
        let mut call_at = std::mem::take(&mut self.history.call);
        for &op in &calls {
            let now = self.call[op as usize];
            while let Some(done) = next_return.next_if(|&r| self.ret[r as usize] < now) {
                ret_at[done as usize] = position;
                position += 1;
            }
            call_at[op as usize] = position;
            position += 1;
        }
        for done in next_return {
            if self.ret[done as usize] != Self::PENDING {
                ret_at[done as usize] = position;
                position += 1;
            }
        }
        drop((std::mem::take(&mut self.call), std::mem::take(&mut self.ret)));
        self.history.events = position;
        self.history.call = permute(call_at, &calls);
        self.history.ret = permute(ret_at, &calls);
        let history = &mut self.history;
        history.method = permute(std::mem::take(&mut history.method), &calls);
        for column in [
            &mut history.process,
            &mut history.arg,
            &mut history.result,
            &mut history.extra,
            &mut history.key,
        ] {
            if !column.is_empty() {
                column.resize(calls.len(), ValueId::NONE);
                *column = permute(std::mem::take(column), &calls);
            }
        }
        history.line = permute(std::mem::take(&mut history.line), &calls);
        self.history.values = Arc::new(self.values);
        self.history
    }
}

/// Indices in order of their stamps. Logs are almost sorted, so insertion is tried first, and
/// given up once it has moved sixteen places an element.
fn sorted_by(stamps: &[Stamp]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..stamps.len() as u32).collect();
    let mut budget = 16 * stamps.len();
    for i in 1..order.len() {
        let moving = order[i];
        let key = stamps[moving as usize];
        let mut j = i;
        while j > 0 && stamps[order[j - 1] as usize] > key {
            order[j] = order[j - 1];
            j -= 1;
        }
        order[j] = moving;
        if i - j > budget {
            order.sort_by_key(|&i| (stamps[i as usize], i));
            return order;
        }
        budget -= i - j;
    }
    order
}

fn permute<T: Copy>(column: Vec<T>, order: &[u32]) -> Vec<T> {
    if order.windows(2).all(|w| w[0] < w[1]) {
        return column;
    }
    order.iter().map(|&i| column[i as usize]).collect()
}
