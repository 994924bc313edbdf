//! Operations on a time line: one row each, as long as the operation was pending.

use crate::columns::{clean, cut, pad, paragraph, width};
use crate::look::Look;
use crate::style::{Ink, Paint};
use lineal_model::Knob;
use lineal_model::verdict::TimelineOp;

/// Longer histories are shown around their guilty operations only.
const MOST: usize = 80;

pub(crate) fn render(ops: &[TimelineOp], look: &Look, paint: Paint) -> String {
    let total = look.width;
    let shown = choose(ops);
    let label = |op: &TimelineOp| clean(&op.what);
    let process = column(shown.iter().map(|op| width(&clean(&op.process))), "process", 14);
    let what = column(shown.iter().map(|op| width(&label(op))), "operation", 34);
    let orders = shown.iter().any(|op| op.order.is_some());
    let order = if orders { 7 } else { 0 };
    let left = 2 + process + 2 + what + 2 + order;
    let clock = Clock::new(&shown, total.saturating_sub(left).max(20));

    let mut out = String::new();
    let mut head = format!("  {}  {}  ", pad("process", process), pad("operation", what));
    if orders {
        head.push_str(&pad("order", order));
    }
    head.push_str("time →");
    out.push_str(&format!("{}\n", paint.ink(Ink::Strong, head)));
    for op in &shown {
        let mark = if op.guilty { '>' } else { ' ' };
        let mut line = format!(
            "{mark} {}  {}  ",
            pad(&cut(&clean(&op.process), process), process),
            pad(&cut(&label(op), what), what)
        );
        if orders {
            line.push_str(&pad(&op.order.map_or(String::new(), |n| format!("#{n}")), order));
        }
        line.push_str(&clock.bar(op));
        let line = line.trim_end();
        out.push_str(&if op.guilty { paint.ink(Ink::Bad, line) } else { line.to_string() });
        out.push('\n');
        if !op.remark.is_empty() {
            let lead = format!("{}↳", " ".repeat(4 + process));
            out.push_str(&paragraph(&lead, process + 6, &clean(&op.remark), total));
        }
    }
    if shown.len() < ops.len() {
        let json = (look.flags)(Knob::Json);
        let note = format!("  … {} more operations; {json} has them all", ops.len() - shown.len());
        out.push_str(&format!("{}\n", paint.ink(Ink::Faint, note)));
    }
    if shown.iter().any(|op| op.ret.is_none()) {
        out.push_str("  (a bar that ends in … belongs to an operation that never returned)\n");
    }
    out
}

/// All of them, or those nearest in time to the guilty ones; in order of their calls.
fn choose(ops: &[TimelineOp]) -> Vec<&TimelineOp> {
    let mut shown: Vec<&TimelineOp> = ops.iter().collect();
    if shown.len() > MOST {
        let guilty: Vec<u64> = ops.iter().filter(|op| op.guilty).map(|op| op.call).collect();
        let far = |op: &&TimelineOp| guilty.iter().map(|g| g.abs_diff(op.call)).min().unwrap_or(op.call);
        shown.sort_by_key(far);
        shown.truncate(MOST);
    }
    shown.sort_by_key(|op| op.call);
    shown
}

fn column(widths: impl Iterator<Item = usize>, title: &str, most: usize) -> usize {
    widths.chain([width(title)]).max().unwrap_or(0).min(most)
}

/// Positions of events, squeezed to those that occur, then to the width there is.
struct Clock {
    moments: Vec<u64>,
    room: usize,
}

impl Clock {
    fn new(ops: &[&TimelineOp], room: usize) -> Clock {
        let mut moments: Vec<u64> = ops.iter().flat_map(|op| [Some(op.call), op.ret]).flatten().collect();
        moments.sort_unstable();
        moments.dedup();
        Clock { moments, room }
    }

    fn at(&self, moment: u64) -> usize {
        let rank = self.moments.partition_point(|m| *m < moment);
        let last = self.moments.len().saturating_sub(1).max(1);
        // Two columns a moment if there is room, so that bars can be told apart.
        if last * 2 < self.room { rank * 2 } else { rank * (self.room - 1) / last }
    }

    fn bar(&self, op: &TimelineOp) -> String {
        let from = self.at(op.call);
        let lead = " ".repeat(from);
        match op.ret {
            None => {
                let end = self.moments.last().map_or(from, |last| self.at(*last));
                format!("{lead}├{}…", "─".repeat((end - from).max(1)))
            }
            Some(ret) => {
                let to = self.at(ret);
                if to <= from {
                    format!("{lead}│")
                } else {
                    format!("{lead}├{}┤", "─".repeat(to - from - 1))
                }
            }
        }
    }
}
