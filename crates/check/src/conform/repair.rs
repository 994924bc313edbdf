//! The fewest accesses to strengthen so that an object that is violated holds.
//!
//! What goes wrong with some modes goes wrong with weaker ones ([`lineal_model::program::modes`]). So
//! a set of accesses can repair the object iff it does with all of them seq_cst. If it does not, some client still goes
//! wrong; the set is then made as large as possible while that client does, and every repair must
//! change one of the accesses left over. Sets that hit all these left-overs are tried, smallest
//! first: the first that holds has the fewest accesses (implicit hitting sets, as in MaxSAT).
//!
//! All sets of that size are found, and of all choices of modes at them the one with the least
//! weight that holds is taken: nothing that weighs less, at as few accesses, repairs the object.
//!
//! What is decided: with the modes found the object holds within the bound asked for; none with
//! fewer accesses changed does, nor one with as many and less weight. If it goes wrong with
//! everything seq_cst, no choice of modes helps. Fences are strengthened, never added.

use super::attempt::{Attempt, Attempts};
use super::check::{Checked, Refused};
use super::grow::check_clients;
use super::object::Clients;
use super::search::Problem;
use super::weaken::{Rewritten, in_words, object_with};
use lineal_model::object::Call;
use lineal_model::program::modes::{Modes, Spot};
use lineal_model::sought::{Goal, Rewrite};
use lineal_model::{Effort, Limit, Observer, Verdict};
use std::collections::BTreeSet;

/// A violated object as it is, and what repairs it.
pub struct Repaired {
    /// As it is.
    pub broken: Checked,
    /// With the modes found; `None`: it is not violated, or no choice of modes helps.
    pub repaired: Option<Rewritten>,
}

type Set = BTreeSet<usize>;

/// Looks for stronger modes. `spots` are the accesses that may be changed.
pub fn repair<C: Clients>(
    problem: &Problem<'_, C>,
    spots: &[Spot],
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Repaired, Refused> {
    let mut broken = check_clients(problem, effort, watch)?;
    if !matches!(broken.finding.verdict, Verdict::Violated(_)) {
        return Ok(Repaired { broken, repaired: None });
    }
    let mut attempts = Attempts::new(problem, effort, watch);
    attempts.stats = broken.finding.stats.clone();
    attempts.outcome(broken.clone());
    let mut search = Repair { attempts, spots, hit: Vec::new(), best: None };
    let end = search.all();
    let Repair { attempts, best, .. } = search;
    let rewrite = |changes: &[(usize, Modes)], minimal: bool| Rewrite {
        goal: Goal::Repair,
        accesses: spots.len() as u64,
        changes: in_words(spots, changes),
        minimal,
        tried: attempts.tried,
        diff: None,
        verified: false,
    };
    let repaired = match (best, end) {
        (Some((mut checked, changes)), end) => {
            checked.finding.rewrite = Some(rewrite(&changes, end.is_ok()));
            if let Err(limit) = end {
                let known =
                    "With the changes found by then it holds; whether fewer or weaker ones do is open.";
                checked.finding.verdict = Verdict::Unknown(Limit { covered: known.into(), ..limit });
            }
            Some((checked, changes))
        }
        (None, Ok(())) => {
            broken.finding.remarks.push(
                "no choice of access modes repairs this: it goes wrong with every access seq_cst too".into(),
            );
            None
        }
        (None, Err(limit)) => {
            let mut checked = Checked { exhibit: None, ..broken.clone() };
            checked.finding.wrong = String::new();
            checked.finding.verdict =
                Verdict::Unknown(Limit { covered: "No repair was found by then.".into(), ..limit });
            checked.finding.rewrite = Some(rewrite(&[], false));
            Some((checked, Vec::new()))
        }
    };
    let repaired = repaired.map(|(mut checked, changes)| {
        checked.finding.stats = attempts.stats.clone();
        checked.finding.property = format!("with stronger memory orders, {}", checked.finding.property);
        Rewritten { checked, changes }
    });
    Ok(Repaired { broken, repaired })
}

struct Repair<'a, C> {
    attempts: Attempts<'a, C>,
    spots: &'a [Spot],
    /// Every repair changes one of each of these.
    hit: Vec<Set>,
    /// A repair that holds.
    best: Option<(Checked, Vec<(usize, Modes)>)>,
}

impl<C: Clients> Repair<'_, C> {
    fn all(&mut self) -> Result<(), Limit> {
        let open: Vec<usize> =
            (0..self.spots.len()).filter(|&i| !self.spots[i].stronger().is_empty()).collect();
        let mut sets: Vec<Set> = Vec::new();
        for size in 0..=open.len() {
            self.attempts
                .stage(&format!("repairs with {size} change{}", if size == 1 { "" } else { "s" }), "");
            while let Some(set) = hitting(&self.hit, &open, size, &sets) {
                let strongest = self.strongest(&set);
                match self.attempt(&strongest)? {
                    Attempt::Holds(checked) => {
                        let changes = self.changes(&strongest);
                        self.best.get_or_insert((*checked, changes));
                        sets.push(set);
                    }
                    Attempt::Fails(calls) => {
                        let left = self.left_over(&open, set, calls)?;
                        if left.is_empty() {
                            return Ok(());
                        }
                        self.hit.push(left);
                    }
                    Attempt::Unknown(limit) => return Err(limit),
                }
            }
            if !sets.is_empty() {
                return self.weakest(&sets);
            }
        }
        Ok(())
    }

    fn attempt(&mut self, modes: &[Modes]) -> Result<Attempt, Limit> {
        let problem = self.attempts.problem;
        let clients = object_with(problem.clients, self.spots, modes);
        match self.attempts.attempt(&clients, problem.level) {
            Attempt::Unknown(limit) => Err(limit),
            // If no call returns any more, nothing is repaired.
            Attempt::Holds(checked) if is_empty(&checked) => Ok(Attempt::Fails(None)),
            attempt => Ok(attempt),
        }
    }

    /// These accesses as strong as can be, the others as they are.
    fn strongest(&self, set: &Set) -> Vec<Modes> {
        let modes = |(i, s): (usize, &Spot)| if set.contains(&i) { s.strongest() } else { s.modes };
        self.spots.iter().enumerate().map(modes).collect()
    }

    fn changes(&self, modes: &[Modes]) -> Vec<(usize, Modes)> {
        (0..modes.len()).filter(|&i| modes[i] != self.spots[i].modes).map(|i| (i, modes[i])).collect()
    }

    /// The accesses outside a set that is as large as it can be while these calls go wrong.
    fn left_over(&mut self, open: &[usize], set: Set, calls: Option<Vec<Call>>) -> Result<Set, Limit> {
        let mut most = set;
        let mut left = Set::new();
        for &i in open {
            if most.contains(&i) {
                continue;
            }
            most.insert(i);
            let modes = self.strongest(&most);
            let problem = self.attempts.problem;
            let fails = match &calls {
                Some(calls) => {
                    let clients = object_with(problem.clients, self.spots, &modes);
                    self.attempts.fails_on(&clients, problem.level, calls)?
                }
                None => matches!(self.attempt(&modes)?, Attempt::Fails(_)),
            };
            if !fails {
                most.remove(&i);
                left.insert(i);
            }
        }
        Ok(left)
    }

    /// Of all modes at one of these sets, the lightest that hold.
    fn weakest(&mut self, sets: &[Set]) -> Result<(), Limit> {
        let mut all: Vec<(u32, Vec<Modes>)> = Vec::new();
        for set in sets {
            let mut choices: Vec<(u32, Vec<Modes>)> = vec![(0, self.spots.iter().map(|s| s.modes).collect())];
            for &i in set {
                let spot = &self.spots[i];
                let with = |(weight, modes): &(u32, Vec<Modes>)| {
                    let (weight, modes) = (*weight, modes.clone());
                    spot.stronger().into_iter().map(move |new| {
                        let mut modes = modes.clone();
                        modes[i] = new;
                        (weight + spot.access.weight(new) - spot.access.weight(spot.modes), modes)
                    })
                };
                choices = choices.iter().flat_map(with).collect();
            }
            all.extend(choices);
        }
        all.sort_by_key(|(weight, _)| *weight);
        let mut wrong: Vec<Vec<Modes>> = Vec::new();
        for (_, modes) in all {
            let is_below = |w: &Vec<Modes>| modes.iter().zip(w).all(|(a, b)| a == b || a.is_weaker(*b));
            if wrong.iter().any(is_below) {
                continue;
            }
            match self.attempt(&modes)? {
                Attempt::Holds(checked) => {
                    let changes = self.changes(&modes);
                    self.best = Some((*checked, changes));
                    return Ok(());
                }
                _ => wrong.push(modes),
            }
        }
        Ok(())
    }
}

fn is_empty(checked: &Checked) -> bool {
    matches!(&checked.finding.verdict, Verdict::Holds(scope) if !scope.vacuous.is_empty())
}

/// A set of so many accesses that has one of each set to hit, and is none of those known.
fn hitting(hit: &[Set], open: &[usize], size: usize, known: &[Set]) -> Option<Set> {
    fn extend(hit: &[Set], open: &[usize], size: usize, known: &[Set], chosen: &mut Set) -> Option<Set> {
        let missed = hit.iter().find(|set| set.is_disjoint(chosen));
        match missed {
            Some(_) if size == 0 => None,
            Some(set) => set.iter().find_map(|&i| with(hit, open, size, known, chosen, i)),
            None if size == 0 => (!known.contains(chosen)).then(|| chosen.clone()),
            // Any other access will do: none is needed, but all sets of this size are asked for.
            None => {
                let rest: Vec<usize> = open.iter().copied().filter(|i| !chosen.contains(i)).collect();
                rest.into_iter().find_map(|i| with(hit, open, size, known, chosen, i))
            }
        }
    }
    fn with(
        hit: &[Set],
        open: &[usize],
        size: usize,
        known: &[Set],
        chosen: &mut Set,
        i: usize,
    ) -> Option<Set> {
        chosen.insert(i);
        let found = extend(hit, open, size - 1, known, chosen);
        chosen.remove(&i);
        found
    }
    extend(hit, open, size, known, &mut Set::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hitting_sets_are_found_smallest_first() {
        let sets: Vec<Set> =
            [&[0, 1][..], &[1, 2], &[3]].iter().map(|s| s.iter().copied().collect()).collect();
        let open = [0, 1, 2, 3, 4];
        assert_eq!(hitting(&sets, &open, 1, &[]), None);
        let first = hitting(&sets, &open, 2, &[]).unwrap();
        assert_eq!(first, Set::from([1, 3]));
        assert_eq!(hitting(&sets, &open, 2, &[first]), None);
        assert_eq!(hitting(&[], &open, 0, &[]), Some(Set::new()));
        let mut known = Vec::new();
        while let Some(set) = hitting(&sets[..1], &open, 2, &known) {
            known.push(set);
        }
        // Those of two among five that have 0 or 1.
        assert_eq!(known.len(), 7);
    }
}
