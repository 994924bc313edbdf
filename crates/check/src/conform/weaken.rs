//! The weakest access modes that keep an object right.
//!
//! One access after another gets the weakest modes with which the object still holds, the others
//! being as they are by then; what is wrong with some modes is wrong with weaker ones
//! ([`lineal_model::program::modes`]), so one round is enough. That is not taken for granted: at the
//! end every weaker choice at every single access is tried once more with all others as they are
//! now, and whatever should hold after all is taken, until nothing does.
//!
//! What is decided: with the modes found the object holds within the bound asked for, and no single
//! access can be weaker. Another choice of modes may be weaker in some places and stronger in
//! others. An access that no client within the bound gets to is found to need nothing.

use super::attempt::{Attempt, Attempts};
use super::check::{Checked, Refused};
use super::grow::check_clients;
use super::object::Clients;
use super::search::Problem;
use lineal_model::object::Call;
use lineal_model::program::modes::{Modes, Spot};
use lineal_model::sought::{Change, Goal, Rewrite};
use lineal_model::{Effort, Limit, Observer, Verdict};

/// An object with other modes, and what is known about it.
pub struct Rewritten {
    /// With the modes found, or as it is if that is violated.
    pub checked: Checked,
    /// The accesses to change, by number, and their new modes.
    pub changes: Vec<(usize, Modes)>,
}

/// Looks for weaker modes. `spots` are the accesses that may be changed.
pub fn weaken<C: Clients>(
    problem: &Problem<'_, C>,
    spots: &[Spot],
    effort: &Effort,
    watch: &dyn Observer,
) -> Result<Rewritten, Refused> {
    let mut checked = check_clients(problem, effort, watch)?;
    let is_sound = matches!(&checked.finding.verdict, Verdict::Holds(scope) if scope.vacuous.is_empty());
    if !is_sound {
        if matches!(checked.finding.verdict, Verdict::Holds(_)) {
            checked.finding.remarks.push("no weaker modes were looked for: any would do".into());
        }
        return Ok(Rewritten { checked, changes: Vec::new() });
    }
    let mut attempts = Attempts::new(problem, effort, watch);
    attempts.stats = checked.finding.stats.clone();
    let mut search =
        Weaken { attempts, spots, now: spots.iter().map(|s| s.modes).collect(), telling: Vec::new() };
    let end = search.all(&mut checked);
    let Weaken { attempts, now, .. } = search;
    let changes: Vec<(usize, Modes)> =
        (0..spots.len()).filter(|&i| now[i] != spots[i].modes).map(|i| (i, now[i])).collect();
    let finding = &mut checked.finding;
    finding.stats = attempts.stats;
    finding.rewrite = Some(Rewrite {
        goal: Goal::Weaken,
        accesses: spots.len() as u64,
        changes: in_words(spots, &changes),
        minimal: end.is_ok(),
        tried: attempts.tried,
        diff: None,
        verified: false,
    });
    if !changes.is_empty() {
        finding.property = format!("with weaker memory orders, {}", finding.property);
    }
    if let Err(mut limit) = end {
        limit.covered = match changes.len() {
            0 => "The object holds as it is; no weaker modes were found by then.".into(),
            _ => "With the weaker modes found by then it holds; whether others can be weaker is open.".into(),
        };
        finding.verdict = Verdict::Unknown(limit);
    }
    Ok(Rewritten { checked, changes })
}

/// The changes, for people.
pub(super) fn in_words(spots: &[Spot], changes: &[(usize, Modes)]) -> Vec<Change> {
    let change = |&(i, new): &(usize, Modes)| {
        let spot = &spots[i];
        Change {
            at: spot.place.clone(),
            access: spot.access.word().into(),
            from: spot.modes.words(spot.access),
            to: new.words(spot.access),
            by_hand: None,
        }
    };
    changes.iter().map(change).collect()
}

/// The object with these modes at its accesses.
pub(super) fn object_with<C: Clients>(clients: &C, spots: &[Spot], modes: &[Modes]) -> C {
    let new: Vec<(&Spot, Modes)> =
        spots.iter().zip(modes).filter(|(s, m)| s.modes != **m).map(|(s, m)| (s, *m)).collect();
    clients.with_modes(&new)
}

struct Weaken<'a, C> {
    attempts: Attempts<'a, C>,
    spots: &'a [Spot],
    /// What each access has now. The object holds with that.
    now: Vec<Modes>,
    /// Which calls showed that an access cannot have some modes.
    telling: Vec<(usize, Modes, Vec<Call>)>,
}

impl<C: Clients> Weaken<'_, C> {
    fn all(&mut self, checked: &mut Checked) -> Result<(), Limit> {
        loop {
            let mut changed = false;
            for i in 0..self.spots.len() {
                let doing = format!("weaker modes, access {} of {}", i + 1, self.spots.len());
                self.attempts.stage(&doing, "");
                changed |= self.one(i, checked)?;
            }
            // A round without a change has tried every weaker choice against the others as they are.
            if !changed {
                return Ok(());
            }
        }
    }

    /// The weakest modes of one access with which the object holds; whether that is news.
    fn one(&mut self, i: usize, checked: &mut Checked) -> Result<bool, Limit> {
        let current = Spot { modes: self.now[i], ..self.spots[i].clone() };
        for new in current.weaker() {
            let mut modes = self.now.clone();
            modes[i] = new;
            let problem = self.attempts.problem;
            let clients = object_with(problem.clients, self.spots, &modes);
            let known = self.telling.iter().find(|(at, m, _)| (*at, *m) == (i, new)).map(|t| t.2.clone());
            if let Some(calls) = known
                && self.attempts.fails_on(&clients, problem.level, &calls)?
            {
                continue;
            }
            match self.attempts.attempt(&clients, problem.level) {
                Attempt::Unknown(limit) => return Err(limit),
                Attempt::Fails(calls) => self.telling.extend(calls.map(|c| (i, new, c))),
                Attempt::Holds(better) => {
                    self.now = modes;
                    *checked = *better;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
