//! Which clients to look at: every multiset of calls, smallest first, with arguments enough to
//! stand for all others.
//!
//! - *independent* arguments are all different: code that only moves them about does the same
//!   with any others, up to their names;
//! - under *equality* every way to make some of them equal is tried, under *order* every weak
//!   order; a finite domain is tried in full;
//! - clients that differ by exchanging calls of one operation are one client.
//!
//! Details: [`arguments`], [`threads`].

mod arguments;
#[cfg(test)]
mod covers;
mod draw;
mod threads;

pub use arguments::arguments;
pub use draw::{draw_calls, draw_threads, without};
use lineal_model::object::{Call, Client, Object, Role};
use threads::arrangements;

/// How many calls to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most so many in all.
    Total(usize),
    /// At most so many of each operation.
    Each(Vec<usize>),
}

impl Bound {
    pub fn total(&self) -> usize {
        match self {
            Bound::Total(n) => *n,
            Bound::Each(counts) => counts.iter().fold(0, |sum, &n| sum.saturating_add(n)),
        }
    }
}

/// How calls are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// One thread per call, except where a role allows fewer.
    Parallel,
    /// Every way to let threads make several calls.
    Any,
}

/// The numbers of calls per operation, with `size` calls in all.
pub fn multisets(operations: usize, bound: &Bound, size: usize) -> Vec<Vec<usize>> {
    fn fill(rest: usize, caps: &[usize], counts: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
        match caps.split_first() {
            None => {
                if rest == 0 {
                    out.push(counts.clone());
                }
            }
            Some((&cap, more)) => {
                for n in (0..=rest.min(cap)).rev() {
                    counts.push(n);
                    fill(rest - n, more, counts, out);
                    counts.pop();
                }
            }
        }
    }
    let caps = match bound {
        Bound::Total(_) => vec![size; operations],
        Bound::Each(counts) => counts.clone(),
    };
    let mut out = Vec::new();
    fill(size, &caps, &mut Vec::new(), &mut out);
    // Balanced ones first: they show more.
    out.sort_by_key(|counts| counts.iter().map(|n| n * n).sum::<usize>());
    out
}

/// The clients that make so many calls of each operation.
pub fn clients(object: &Object, counts: &[usize], threads: Threads) -> Vec<Client> {
    arguments(object, counts).iter().flat_map(|calls| arranged(object, calls, threads)).collect()
}

/// The clients that make these calls.
pub fn arranged(object: &Object, calls: &[Call], threads: Threads) -> Vec<Client> {
    let client = |threads: Vec<Vec<usize>>| {
        // Numbered as they are written, thread by thread.
        let order: Vec<usize> = threads.iter().flatten().copied().collect();
        let calls = order.iter().map(|&c| calls[c]).collect();
        let mut next = 0..;
        let threads = threads.iter().map(|t| next.by_ref().take(t.len()).collect()).collect();
        Client { calls, threads, waits: Vec::new() }
    };
    arrangements(object, calls, threads).into_iter().map(client).collect()
}

/// An operation, and an argument that its parameter cannot hold.
pub fn unfit(object: &Object, client: &Client) -> Option<(usize, i64)> {
    client.calls.iter().find_map(|call| {
        let mut call = *call;
        object.operations[call.operation].ranges.iter().find_map(|&(slot, low, high)| {
            let number = (*call.slot(slot))?;
            (number < low || number > high).then_some((call.operation, number))
        })
    })
}

/// A role that the threads of a client break.
pub fn broken_role<'a>(object: &'a Object, client: &Client) -> Option<&'a Role> {
    object.roles.iter().find(|role| {
        let calls = |t: &&Vec<usize>| t.iter().any(|&c| role.operations.contains(&client.calls[c].operation));
        client.threads.iter().filter(calls).count() > role.max
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multisets_have_the_size_asked_for() {
        assert_eq!(multisets(2, &Bound::Total(3), 3).len(), 4);
        assert_eq!(multisets(2, &Bound::Each(vec![5, 4]), 9), [vec![5, 4]]);
        assert!(multisets(2, &Bound::Each(vec![1, 1]), 3).is_empty());
    }
}
