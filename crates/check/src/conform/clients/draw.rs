//! Clients at random: any that a list of all would have, or a client like one of those.

use super::arguments::{arguments, governed, starts_with_value};
use super::threads::may_hold;
use fastrand::Rng;
use lineal_model::object::{ArgClass, Call, Client, Object};

/// So many calls of each operation, with arguments of the declared class.
pub fn draw_calls(object: &Object, counts: &[usize], rng: &mut Rng) -> Vec<Call> {
    let different = Object { args: Some(ArgClass::Independent), values: None, ..object.clone() };
    let mut calls = arguments(&different, counts).into_iter().next().unwrap_or_default();
    let class = object.args.unwrap_or(ArgClass::Order);
    if object.values.is_none() && class == ArgClass::Independent {
        return calls;
    }
    let most = 1 + calls.len() as i64 / 2;
    let (low, high) = object.values.unwrap_or((i64::from(!starts_with_value(object)), most));
    for call in &mut calls {
        for slot in governed(object, call.operation) {
            *call.slot(slot) = Some(rng.i64(low..=high));
        }
    }
    calls
}

/// Threads that make the calls; `None` if these cannot.
pub fn draw_threads(object: &Object, calls: &[Call], several: bool, rng: &mut Rng) -> Option<Client> {
    let role = |c: usize| object.roles.iter().position(|r| r.operations.contains(&calls[c].operation));
    let mut order: Vec<usize> = (0..calls.len()).collect();
    rng.shuffle(&mut order);
    let several = several || object.kind.is_lock();
    let mut threads: Vec<Vec<usize>> = Vec::new();
    for c in order {
        let full = role(c).is_some_and(|r| {
            let of_it = |t: &&Vec<usize>| t.iter().any(|&c| role(c) == Some(r));
            threads.iter().filter(of_it).count() >= object.roles[r].max
        });
        let fits = |t: &Vec<usize>| {
            let same = t.iter().any(|&o| role(o) == role(c));
            if full { same } else { several || (role(c).is_some() && same) }
        };
        let places: Vec<usize> = (0..threads.len()).filter(|&t| fits(&threads[t])).collect();
        match rng.choice(&places) {
            Some(&t) if full || rng.bool() => {
                let at = rng.usize(..=threads[t].len());
                threads[t].insert(at, c);
            }
            _ if full => return None,
            _ => threads.push(vec![c]),
        }
    }
    client(object, calls, &threads)
}

/// The client without one of its calls; `None` if the others need it, or there are none.
pub fn without(object: &Object, client: &Client, call: usize) -> Option<Client> {
    let threads: Vec<Vec<usize>> = client
        .threads
        .iter()
        .map(|t| t.iter().copied().filter(|&c| c != call).collect::<Vec<_>>())
        .filter(|t| !t.is_empty())
        .collect();
    self::client(object, &client.calls, &threads).filter(|c| !c.calls.is_empty())
}

/// Calls are numbered as they are written, thread by thread.
fn client(object: &Object, calls: &[Call], threads: &[Vec<usize>]) -> Option<Client> {
    if object.kind.is_lock() && !threads.iter().all(|t| may_hold(object, calls, t)) {
        return None;
    }
    let made = threads.iter().flatten().map(|&c| calls[c]).collect();
    let mut next = 0..;
    let threads = threads.iter().map(|t| next.by_ref().take(t.len()).collect()).collect();
    Some(Client { calls: made, threads, waits: Vec::new() })
}
