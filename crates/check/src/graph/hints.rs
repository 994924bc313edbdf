//! Which access would have to be stronger: found by trying.
//!
//! Each atomic access and fence of a failing execution is made stronger in turn (acquire or
//! release first, then seq_cst), then two at a time. The execution is run again: if its memory
//! model no longer allows it, the change removes *this execution*. The whole program is then
//! explored again with a small budget; only if that ends without an error the hint says that the
//! change makes every execution safe.

use super::witness::Case;
use super::{Options, Problem, decide};
use crate::replay::{self, Replayed};
use lineal_model::run::*;
use lineal_model::{Effort, Memory, Observer, Place, Verdict};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Executions of one whole re-check, and how many of those.
const BUDGET: u64 = 20_000;
const CHECKS: usize = 8;
/// Accesses that are tried.
const SITES: usize = 10;

/// Sentences on what removes the failure; empty if nothing was found.
pub fn hints<R: Runnable>(problem: &Problem<'_, R>, case: &Case, watch: &dyn Observer) -> Vec<String> {
    let program = &*problem.program;
    let replayed = match replay::replay(program, problem.memory, &case.decisions) {
        Ok(replayed) if problem.memory != Memory::Sc => replayed,
        _ => return Vec::new(),
    };
    let changes = changes(program, &replayed);
    let singles = changes.iter().map(|c| vec![c.clone()]);
    let pairs = changes.iter().enumerate().flat_map(|(i, a)| {
        let later = changes[i + 1..].iter();
        later.filter(|b| a.site != b.site && a.rank == b.rank).map(|b| vec![a.clone(), b.clone()])
    });
    let mut removes = None;
    let mut checks = 0;
    for attempt in singles.chain(pairs) {
        if watch.progress(lineal_model::Counts::default()) != ControlFlow::Continue(()) {
            break;
        }
        let single = attempt.len() == 1;
        let mut stronger = Stronger { inner: program, changes: attempt };
        if shows(&stronger, problem.memory, case) {
            continue;
        }
        if checks == CHECKS {
            break;
        }
        checks += 1;
        let text = stronger.changes.iter().map(|c| c.text.clone()).collect::<Vec<_>>().join(" and ");
        let options =
            Options { hints: false, observe: Vec::new(), preemptions: None, ..problem.options.clone() };
        let mut again = Problem { program: &mut stronger, memory: problem.memory, options };
        let effort = Effort { max_states: Some(BUDGET), ..Effort::DEFAULT };
        if let Verdict::Holds(_) = decide(&mut again, &effort, watch).0.verdict {
            return vec![format!("making {text} makes every execution safe")];
        }
        if single && removes.is_none() {
            removes = Some(format!("making {text} removes this execution, though not every failure"));
        }
    }
    removes.into_iter().collect()
}

/// Whether the failing execution is still one.
fn shows<R: Runnable>(program: &Stronger<'_, R>, memory: Memory, case: &Case) -> bool {
    match replay::replay(program, memory, &case.decisions) {
        Ok(replayed) => replayed.shows(program, case.failure.kind, case.thread),
        // Cannot say.
        Err(_) => true,
    }
}

/// One access made stronger.
#[derive(Clone, Debug)]
struct Change {
    site: Site,
    to: Mode,
    /// 1: acquire and release, 2: seq_cst.
    rank: u8,
    /// `the load of flag at mp.c:12 acquire`.
    text: String,
}

/// What can be made stronger in this execution, the mild changes first.
fn changes<R: Runnable>(program: &R, replayed: &Replayed) -> Vec<Change> {
    let mut sites: Vec<Site> = Vec::new();
    let mut found = Vec::new();
    for t in &replayed.taken {
        let (mode, noun, loc, mild) = match t.op {
            Op::Read { loc, mode, wait: None, .. } => (mode, "load", Some(loc), Mode::Acquire),
            Op::Write { loc, mode, .. } => (mode, "store", Some(loc), Mode::Release),
            Op::Rmw { loc, mode, wait: None, .. } => (mode, "update", Some(loc), Mode::AcqRel),
            Op::Fence { mode } => (mode, "fence", None, Mode::AcqRel),
            _ => continue,
        };
        if !mode.is_atomic() || sites.contains(&t.site) || sites.len() == SITES {
            continue;
        }
        let Some(place) = program.place(t.site) else { continue };
        sites.push(t.site);
        let of = loc.map_or(String::new(), |_| format!(" of {}", accessed(program, replayed, t.site)));
        let text = |to: Mode| format!("the {noun}{of} at {} {}", short(&place), to.word());
        for (rank, to) in [(1, mild), (2, Mode::SeqCst)] {
            let gains = (to.is_sc() && !mode.is_sc())
                || (to.acquires() && !mode.acquires())
                || (to.releases() && !mode.releases());
            if gains && (rank == 1 || !mode.is_sc()) {
                found.push(Change { site: t.site, to, rank, text: text(to) });
            }
        }
    }
    found.sort_by_key(|c| c.rank);
    found
}

/// What the access at `site` is made on in this execution: several variables, if it is in a function
/// that several others call.
fn accessed<R: Runnable>(program: &R, replayed: &Replayed, site: Site) -> String {
    let mut names: Vec<String> = Vec::new();
    for t in replayed.taken.iter().filter(|t| t.site == site) {
        let (Op::Read { loc, .. } | Op::Write { loc, .. } | Op::Rmw { loc, .. }) = t.op else { continue };
        let name = program.name_at(loc, None, site, &replayed.execution);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match &names[..] {
        [one] => one.clone(),
        [first, second] => format!("{first} and {second}"),
        [first, second, more @ ..] => format!("{first}, {second} and {} more", more.len()),
        [] => String::new(),
    }
}

fn short(place: &Place) -> String {
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    format!("{file}:{}", place.line)
}

/// A program with some accesses stronger than written.
struct Stronger<'p, R> {
    inner: &'p R,
    changes: Vec<Change>,
}

impl<R: Runnable> Stronger<'_, R> {
    fn strengthen(&self, step: Step) -> Step {
        let Step::Ask(mut op, site) = step else { return step };
        if let Some(change) = self.changes.iter().find(|c| c.site == site) {
            match &mut op {
                Op::Read { mode, .. } | Op::Write { mode, .. } | Op::Fence { mode } => *mode = change.to,
                Op::Rmw { mode, rmw, .. } => {
                    *mode = change.to;
                    if let Rmw::Cas { fail, .. } = rmw {
                        *fail = if change.to.is_sc() { Mode::SeqCst } else { (*fail).max(Mode::Acquire) };
                    }
                }
                _ => {}
            }
        }
        Step::Ask(op, site)
    }
}

impl<R: Runnable> Runnable for Stronger<'_, R> {
    type Thread = R::Thread;

    fn start(&self, id: ThreadId, entry: Entry) -> R::Thread {
        self.inner.start(id, entry)
    }
    fn main(&self) -> Entry {
        self.inner.main()
    }
    fn resume(&self, thread: &mut R::Thread, answer: Answer, world: &dyn World) -> Step {
        self.strengthen(self.inner.resume(thread, answer, world))
    }
    fn fork(&self, thread: &R::Thread) -> Option<R::Thread> {
        self.inner.fork(thread)
    }
    fn fork_into(&self, thread: &R::Thread, into: &mut R::Thread) -> bool {
        self.inner.fork_into(thread, into)
    }
    fn snapshot<'t>(&self, thread: &'t R::Thread) -> Option<Cow<'t, [u64]>> {
        // Of two copies of an access, perhaps only one is stronger.
        self.inner.literally(thread)
    }
    fn counts(&self, head: u32) -> bool {
        self.inner.counts(head)
    }
    fn is_entrance(&self, head: u32) -> bool {
        self.inner.is_entrance(head)
    }
    fn is_anonymous(&self, entry: Entry) -> bool {
        self.inner.is_anonymous(entry)
    }
    fn signs(&self, site: Site) -> bool {
        self.inner.signs(site)
    }
    fn initial(&self, loc: Loc, size: u8) -> Value {
        self.inner.initial(loc, size)
    }
    fn adapt(&mut self, change: Relayout) -> Result<(), Failure> {
        let message = "memory would have to be laid out anew".into();
        Err(Failure { kind: FailureKind::Unsupported, message, site: change.site })
    }
    fn place(&self, site: Site) -> Option<Place> {
        self.inner.place(site)
    }
    fn name(&self, loc: Loc, world: &dyn World) -> String {
        self.inner.name(loc, world)
    }
    fn name_at(&self, loc: Loc, size: Option<u8>, site: Site, world: &dyn World) -> String {
        self.inner.name_at(loc, size, site, world)
    }
    fn block_name(&self, block: BlockId, world: &dyn World) -> String {
        self.inner.block_name(block, world)
    }
    fn entry_name(&self, entry: Entry) -> String {
        self.inner.entry_name(entry)
    }
}
