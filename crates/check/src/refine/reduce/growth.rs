//! What seems to make the state space of a process infinite: a variable, or the process itself.

use super::Reduced;
use lineal_model::process::term::{Term, TermId, Universe};
use lineal_model::process::{Cell, SiteId};

/// What grows in a process: a variable, or the process itself.
pub fn find(system: &Reduced, early: &[&[u8]], late: &[&[u8]]) -> Option<String> {
    let model = system.system.universe.model;
    let sizes = |states: &[&[u8]]| {
        let mut most = vec![0i64; model.cells.len()];
        for bytes in states {
            let state = system.unpack(bytes);
            for (m, v) in most.iter_mut().zip(&state.cells) {
                *m = (*m).max((*v as i64).abs());
            }
        }
        most
    };
    let (before, after) = (sizes(early), sizes(late));
    let growing = (0..model.cells.len())
        .filter(|c| after[*c] >= 20 && after[*c] > before[*c] && !is_bounded(&model.cells[*c]))
        .max_by_key(|c| (after[*c] - before[*c], std::cmp::Reverse(*c)));
    let Some(growing) = growing else { return more_processes(system, early, late) };
    Some(format!(
        "The variable `{}` keeps growing (it has reached {}): the state space may be infinite.",
        model.cell_name(growing),
        after[growing]
    ))
}

/// Whether a variable cannot grow for ever, whatever happens.
fn is_bounded(cell: &Cell) -> bool {
    cell.range.is_some_and(|(low, high)| low > i32::MIN && high < i32::MAX)
}

/// Whether late states have more processes side by side, or more left to do after them.
fn more_processes(system: &Reduced, early: &[&[u8]], late: &[&[u8]]) -> Option<String> {
    let universe = system.system.universe;
    // Thousandths of the average: a tree has so many shapes of one size that sizes grow slowly.
    let average = |states: &[&[u8]]| {
        let sum = states.iter().fold((0, 0), |sum, bytes| {
            let leaves = system.unpack(bytes).leaves;
            let deepest = leaves.iter().map(|t| universe.length(*t)).max().unwrap_or(0);
            (sum.0 + leaves.len(), sum.1 + deepest as usize)
        });
        (1000 * sum.0 / states.len().max(1), 1000 * sum.1 / states.len().max(1))
    };
    let (before, after) = (average(early), average(late));
    let (wide, deep) = (after.0 / 1000, after.1 / 1000);
    let last = late.last().map(|bytes| system.unpack(bytes).leaves).unwrap_or_default();
    let site = last.iter().rev().find_map(|t| begins_at(universe, *t));
    let name = site.map_or("A process".into(), |site| {
        format!("Process `{}`", universe.model.def(universe.model.site(site).def).name)
    });
    if wide >= 6 && after.0 > before.0 + 200 {
        return Some(format!(
            "{name} starts more and more processes (there are {wide} side by side): the state space may be infinite."
        ));
    }
    (deep >= 6 && after.1 > before.1 + 200).then(|| {
        format!(
            "{name} leaves more and more to do after it ({deep} levels): the state space may be infinite."
        )
    })
}

/// The place in the model that a term stands at.
fn begins_at(universe: &Universe, term: TermId) -> Option<SiteId> {
    match universe.term(term) {
        Term::At(site, _) => Some(*site),
        Term::Seq(t, _) | Term::Hide(t, _) | Term::Atomic(t) | Term::Interrupt(t, _) => {
            begins_at(universe, *t)
        }
        Term::Choice(_, kids) | Term::Parallel(_, _, kids) => {
            kids.iter().find_map(|k| begins_at(universe, *k))
        }
        Term::Stop | Term::Skip | Term::Done => None,
    }
}
