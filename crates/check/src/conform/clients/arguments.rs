//! Arguments enough to stand for all others, by the class that the author declares.
//!
//! Every argument that a class speaks of is a *place*: the value of a write, the expected and the
//! new value of a compare-and-swap. Under equality every way to make places equal is tried, under
//! order every weak order, from a finite domain every choice; calls of one operation may be
//! exchanged. What a register holds at first is one more place, as it may equal what is written.
//!
//! The value that goes with a key or a priority is moved about only, so it is different in every
//! call, unless a finite domain is declared or the type is the author's own.

use lineal_model::adt::Kind;
use lineal_model::history::Method;
use lineal_model::object::{ArgClass, Call, Object, Slot};
use std::collections::BTreeSet;

/// The arguments of an operation that the declared class speaks of.
pub fn governed(object: &Object, operation: usize) -> Vec<Slot> {
    let operation = &object.operations[operation];
    let taken: Vec<Slot> = Slot::ALL.into_iter().filter(|s| operation.takes.has(*s)).collect();
    let all = object.values.is_some() || object.kind == Kind::User || operation.method == Method::Cas;
    match all {
        true => taken,
        false => taken.into_iter().take(1).collect(),
    }
}

/// Whether the object starts with a value that arguments may equal.
pub(super) fn starts_with_value(object: &Object) -> bool {
    matches!(object.kind, Kind::Register | Kind::CasRegister)
}

/// All lists of calls with their arguments, so many calls of each operation.
pub fn arguments(object: &Object, counts: &[usize]) -> Vec<Vec<Call>> {
    // A column for each place of each operation, with a number for each call.
    let columns: Vec<(usize, Slot)> = (0..counts.len())
        .flat_map(|op| governed(object, op).into_iter().map(move |slot| (op, slot)))
        .filter(|&(op, _)| counts[op] > 0)
        .collect();
    let heights: Vec<usize> = columns.iter().map(|&(op, _)| counts[op]).collect();
    let tables = match (object.values, object.args.unwrap_or(ArgClass::Order)) {
        (Some((low, high)), _) => domain(&heights, low, high),
        (None, ArgClass::Independent) => vec![different(&heights)],
        (None, class) => classes(&heights, class, starts_with_value(object)),
    };
    // Nothing is below 0 where a type has no such numbers.
    let exists = |table: &Vec<Vec<i64>>| {
        object.values.is_some()
            || columns.iter().zip(table).all(|(&(op, slot), numbers)| {
                let least = object.operations[op].ranges.iter().filter(|r| r.0 == slot).map(|r| r.1).max();
                numbers.iter().all(|&n| n >= 0 || least.is_none_or(|least| n >= least))
            })
    };
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for table in tables.into_iter().filter(exists) {
        for table in pairings(&columns, table) {
            let calls = calls(object, counts, &columns, &table);
            let mut shape = calls.clone();
            shape.sort();
            if seen.insert(shape) {
                out.push(calls);
            }
        }
    }
    // Calls that differ first, about few things: they show more than calls that are repeated.
    out.sort_by_cached_key(|calls| {
        let apart: BTreeSet<&Call> = calls.iter().collect();
        let things: BTreeSet<i64> = calls.iter().flat_map(|c| [c.value, c.key, c.prio]).flatten().collect();
        (calls.len() - apart.len(), things.len())
    });
    out
}

/// The columns of one operation belong together by rows: every way to match them.
fn pairings(columns: &[(usize, Slot)], table: Vec<Vec<i64>>) -> Vec<Vec<Vec<i64>>> {
    let mut all = vec![table];
    for (c, column) in columns.iter().enumerate() {
        // The first column of an operation stays as it is.
        if c > 0 && columns[c - 1].0 == column.0 {
            all = all
                .into_iter()
                .flat_map(|table| {
                    rearrangements(&table[c]).into_iter().map(move |column| {
                        let mut table = table.clone();
                        table[c] = column;
                        table
                    })
                })
                .collect();
        }
    }
    all
}

/// The different orders of a list.
fn rearrangements(list: &[i64]) -> BTreeSet<Vec<i64>> {
    if list.is_empty() {
        return BTreeSet::from([Vec::new()]);
    }
    let mut out = BTreeSet::new();
    for i in 0..list.len() {
        let rest = [&list[..i], &list[i + 1..]].concat();
        out.extend(rearrangements(&rest).into_iter().map(|more| [&[list[i]][..], &more].concat()));
    }
    out
}

fn calls(object: &Object, counts: &[usize], columns: &[(usize, Slot)], table: &[Vec<i64>]) -> Vec<Call> {
    let mut fresh = table.iter().flatten().copied().max().unwrap_or(0).max(0);
    let mut out = Vec::new();
    for (operation, &count) in counts.iter().enumerate() {
        let takes = object.operations[operation].takes;
        for i in 0..count {
            let mut call = Call { operation, value: None, key: None, prio: None };
            for (column, numbers) in columns.iter().zip(table).filter(|(column, _)| column.0 == operation) {
                *call.slot(column.1) = Some(numbers[i]);
            }
            for slot in Slot::ALL.into_iter().filter(|s| takes.has(*s)) {
                call.slot(slot).get_or_insert_with(|| {
                    fresh += 1;
                    fresh
                });
            }
            out.push(call);
        }
    }
    out
}

/// Numbers from 1 on.
fn different(heights: &[usize]) -> Vec<Vec<i64>> {
    let mut next = 0;
    let mut column = |&n: &usize| {
        next += n as i64;
        (next - n as i64 + 1..=next).collect()
    };
    heights.iter().map(&mut column).collect()
}

/// Every partition, or every weak order, of the places; with `zero`, of the number 0 as well.
fn classes(heights: &[usize], class: ArgClass, zero: bool) -> Vec<Vec<Vec<i64>>> {
    let mut drawn = heights.to_vec();
    drawn.extend(zero.then_some(1));
    let number = |blocks: Vec<Vec<usize>>| {
        let home = blocks.iter().position(|b| zero && b[heights.len()] > 0);
        let mut table = vec![Vec::new(); heights.len()];
        let mut next = 0;
        for (k, block) in blocks.iter().enumerate() {
            let number = match home {
                // Below what is there at first, it itself, above it.
                Some(home) if class == ArgClass::Order => k as i64 - home as i64,
                Some(home) if k == home => 0,
                _ => {
                    next += 1;
                    next
                }
            };
            for (column, &n) in table.iter_mut().zip(block) {
                column.extend(std::iter::repeat_n(number, n));
            }
        }
        table
    };
    blocks(&drawn, class).into_iter().map(number).collect()
}

/// Every way to spread the places over classes of equal arguments: each class has so many of each
/// column. Under order, the classes are ranked as listed.
fn blocks(drawn: &[usize], class: ArgClass) -> Vec<Vec<Vec<usize>>> {
    fn parts(rest: &[usize]) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for &n in rest {
            all = all
                .into_iter()
                .flat_map(|p: Vec<usize>| (0..=n).map(move |k| [&p[..], &[k]].concat()))
                .collect();
        }
        all.retain(|p| p.iter().any(|&k| k > 0));
        all
    }
    fn go(
        rest: &[usize],
        class: ArgClass,
        least: &[usize],
        chosen: &mut Vec<Vec<usize>>,
        out: &mut Vec<Vec<Vec<usize>>>,
    ) {
        if rest.iter().all(|&n| n == 0) {
            out.push(chosen.clone());
            return;
        }
        for part in parts(rest) {
            // Under equality classes have no rank: list them in order.
            if class == ArgClass::Equality && part[..] < *least {
                continue;
            }
            let left: Vec<usize> = rest.iter().zip(&part).map(|(a, b)| a - b).collect();
            let bound = part.clone();
            chosen.push(part);
            go(&left, class, &bound, chosen, out);
            chosen.pop();
        }
    }
    let mut out = Vec::new();
    go(drawn, class, &[], &mut Vec::new(), &mut out);
    // The more different arguments, the easier to read.
    out.sort_by_key(|b| std::cmp::Reverse(b.len()));
    out
}

/// Every choice from a finite domain.
fn domain(heights: &[usize], low: i64, high: i64) -> Vec<Vec<Vec<i64>>> {
    fn choose(count: usize, from: i64, high: i64) -> Vec<Vec<i64>> {
        if count == 0 {
            return vec![Vec::new()];
        }
        (from..=high)
            .flat_map(|v| choose(count - 1, v, high).into_iter().map(move |rest| [&[v][..], &rest].concat()))
            .collect()
    }
    let mut tables: Vec<Vec<Vec<i64>>> = vec![Vec::new()];
    for &count in heights {
        let options = choose(count, low, high);
        tables = tables
            .into_iter()
            .flat_map(|t| options.iter().map(move |o| [&t[..], std::slice::from_ref(o)].concat()))
            .collect();
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_orders_and_partitions_are_counted_right() {
        // One operation whose calls are told apart by nothing: compositions and partitions of n.
        assert_eq!(blocks(&[4], ArgClass::Order).len(), 8);
        assert_eq!(blocks(&[4], ArgClass::Equality).len(), 5);
        // Every operation called once: weak orders 1, 3, 13, 75 and Bell numbers 1, 2, 5, 15.
        let ones = |n: usize| vec![1; n];
        assert_eq!(
            (1..5).map(|n| blocks(&ones(n), ArgClass::Order).len()).collect::<Vec<_>>(),
            [1, 3, 13, 75]
        );
        assert_eq!(
            (1..5).map(|n| blocks(&ones(n), ArgClass::Equality).len()).collect::<Vec<_>>(),
            [1, 2, 5, 15]
        );
    }

    #[test]
    fn what_is_there_at_first_is_one_more_place() {
        assert_eq!(classes(&[1], ArgClass::Equality, true), [vec![vec![1]], vec![vec![0]]]);
        let mut ordered = classes(&[1], ArgClass::Order, true);
        ordered.sort();
        assert_eq!(ordered, [vec![vec![-1]], vec![vec![0]], vec![vec![1]]]);
    }

    #[test]
    fn columns_of_one_operation_are_matched_in_every_way() {
        let columns = [(0, Slot::Key), (0, Slot::Value)];
        assert_eq!(pairings(&columns, vec![vec![1, 2], vec![1, 2]]).len(), 2);
        assert_eq!(pairings(&[(0, Slot::Key), (1, Slot::Key)], vec![vec![1, 2], vec![1, 2]]).len(), 1);
    }
}
