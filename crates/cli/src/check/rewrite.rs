//! `--weaken` and `--repair`: the source with other memory orders, as a diff that was put to the
//! test.
//!
//! Changed sources are read as any other input is, with the new texts in place of their files. A diff is printed only if the sources it
//! leads to have just the modes that were asked for; it counts as verified only if they were then
//! checked once more, with the same answer.

use super::{CheckArgs, Search};
use crate::desk::Desk;
use crate::preprocess;
use lineal_check::conform::{self, Checked, Problem, Refused, Rewritten};
use lineal_lang::c11::Unit;
use lineal_lang::c11::object::{self, Loaded};
use lineal_lang::c11::orders::{self, Located, Source};
use lineal_model::program::modes::{Access, Modes, Spot};
use lineal_model::run::Mode;
use lineal_model::sought::Goal;
use lineal_model::{Finding, Limit, Verdict};
use std::collections::BTreeSet;

/// What comes of the search: findings in the order to print them, the first with its exhibit.
pub struct Found {
    pub first: Checked,
    pub second: Option<Finding>,
}

pub enum Stop {
    Refused(Box<Refused>),
    Limit(Limit),
}

/// Looks for other modes, and for the diff that gives them.
pub fn run(
    args: &CheckArgs,
    name: Option<&str>,
    problem: &Problem<'_>,
    units: &[Unit],
    loaded: &Loaded,
    desk: &Desk,
) -> Result<Found, Stop> {
    desk.doing("finding the accesses in the source");
    let mut reader = Reader { args, name, desk, loaded, stopped: None };
    let sources = sources(units);
    let accesses = loaded.compiled.operations.accesses();
    let located = orders::locate(&sources, &accesses, |changed| {
        let again = reader.read(changed)?;
        Some(again.compiled.operations.accesses())
    });
    if let Some(limit) = reader.stopped.take() {
        return Err(Stop::Limit(limit));
    }
    let spots: Vec<Spot> = located.iter().map(|l| l.spot.clone()).collect();
    let refused = |why: Refused| Stop::Refused(Box::new(why));
    let mut write = |rewritten: Rewritten| {
        let mut text = Text { sources: &sources, located: &located, reader: &mut reader, problem };
        text.finish(rewritten)
    };
    if args.search() == Some(Search::Weaken) {
        let rewritten = conform::weaken(problem, &spots, &desk.effort, desk).map_err(refused)?;
        let mut first = write(rewritten);
        if matches!(first.finding.verdict, Verdict::Violated(_)) {
            first.finding.remarks.push("no weaker modes were looked for: it is wrong as it is".into());
        }
        return Ok(Found { first, second: None });
    }
    let mut found = conform::repair(problem, &spots, &desk.effort, desk).map_err(refused)?;
    if matches!(found.broken.finding.verdict, Verdict::Holds(_)) {
        found.broken.finding.remarks.push("there is nothing to repair".into());
    }
    let second = found.repaired.map(|rewritten| write(rewritten).finding);
    Ok(Found { first: found.broken, second })
}

/// The files that were read, as their author wrote them.
fn sources(units: &[Unit]) -> Vec<Source> {
    let mut names = BTreeSet::new();
    let mut all = Vec::new();
    for unit in units {
        for name in unit.file_names() {
            if name.starts_with('<') || !names.insert(name.to_string()) {
                continue;
            }
            if let Ok(text) = std::fs::read_to_string(name) {
                all.push(Source { name: name.to_string(), text });
            }
        }
    }
    all
}

/// Reads changed sources as the original ones were read.
struct Reader<'a> {
    args: &'a CheckArgs,
    name: Option<&'a str>,
    desk: &'a Desk,
    loaded: &'a Loaded,
    /// A limit was reached meanwhile.
    stopped: Option<Limit>,
}

impl Reader<'_> {
    /// The same object; `None` if it cannot be read, or its specification became another one.
    fn read(&mut self, changed: &[Source]) -> Option<Loaded> {
        self.stopped = self.stopped.take().or(self.desk.watch.reached());
        if self.stopped.is_some() {
            return None;
        }
        let units = preprocess::changed(&self.args.source, changed, self.desk).ok()?;
        let (mut again, _) = object::load_one(&units, &self.args.reading(), self.name).ok()?;
        again.compiled.object.quasi.clone_from(&self.loaded.compiled.object.quasi);
        let code = |l: &Loaded| l.compiled.specification.as_ref().map(|s| s.machine.program.code.clone());
        (code(&again) == code(self.loaded)).then_some(again)
    }
}

/// Modes on their way into the text.
struct Text<'a, 'b> {
    sources: &'a [Source],
    located: &'a [Located],
    reader: &'a mut Reader<'b>,
    problem: &'a Problem<'a>,
}

impl Text<'_, '_> {
    /// The finding with its diff, as far as there is one.
    fn finish(&mut self, rewritten: Rewritten) -> Checked {
        let Rewritten { mut checked, changes } = rewritten;
        let Some(rewrite) = &mut checked.finding.rewrite else { return checked };
        for (change, (i, _)) in rewrite.changes.iter_mut().zip(&changes) {
            change.by_hand = orders::by_hand(&self.located[*i]).map(str::to_string);
        }
        let written: Vec<(&Located, Modes)> = changes
            .iter()
            .zip(&rewrite.changes)
            .filter(|(_, change)| change.by_hand.is_none())
            .map(|((i, modes), _)| (&self.located[*i], *modes))
            .collect();
        if written.is_empty() {
            return checked;
        }
        let new = orders::rewrite(self.sources, &written);
        let again = self.reader.read(&new).filter(|again| self.has_modes(again, &written));
        let Some(again) = again else {
            let open = rewrite.changes.iter_mut().filter(|c| c.by_hand.is_none());
            open.for_each(|c| c.by_hand = Some("its text could not be changed with certainty".into()));
            return checked;
        };
        let whole = written.len() == changes.len();
        if whole || rewrite.goal == Goal::Weaken {
            match self.check(&again) {
                Some(Verdict::Holds(_)) => rewrite.verified = true,
                Some(Verdict::Violated(_)) | None => {
                    panic!("the changed source is not what its modes were; please report the input")
                }
                Some(Verdict::Unknown(_)) => {}
            }
        }
        let pairs = self.sources.iter().zip(&new).filter(|(old, new)| old.text != new.text);
        rewrite.diff =
            Some(pairs.map(|(old, new)| lineal_report::unified(&old.name, &old.text, &new.text)).collect());
        checked
    }

    /// Whether the object that was read has the modes that were written, and no other ones.
    fn has_modes(&self, again: &Loaded, written: &[(&Located, Modes)]) -> bool {
        let mut wanted = self.reader.loaded.compiled.operations.accesses();
        for (located, modes) in written {
            let of_it = |s: &&mut Spot| located.spot.sites.contains(&s.sites[0]);
            wanted.iter_mut().filter(of_it).for_each(|s| s.modes = *modes);
        }
        let shown = |all: Vec<Spot>| -> Vec<(Access, Modes)> {
            let is_there = |s: &Spot| s.access != Access::Fence || s.modes.mode != Mode::Relaxed;
            all.into_iter().filter(is_there).map(|s| (s.access, s.modes)).collect()
        };
        shown(wanted) == shown(again.compiled.operations.accesses())
    }

    fn check(&self, again: &Loaded) -> Option<Verdict> {
        let (clients, asked) = (&again.compiled, self.problem.asked.clone());
        self.reader.desk.doing("checking the changed source");
        let problem = Problem { clients, asked, ..*self.problem };
        let checked = conform::check(&problem, &self.reader.desk.effort, self.reader.desk).ok()?;
        Some(checked.finding.verdict)
    }
}
