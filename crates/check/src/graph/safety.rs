//! Errors the engine finds itself: data races and misuse of memory.
//!
//! Two accesses of one cell by different threads, one of them a write and one non-atomic, race
//! unless happens-before orders them. Each new event is tested against all others, so a race is
//! found when its second event is added (and a revisited read is tested again). A block must be
//! allocated before each use, and each use must come before its release.

use super::event::{EventId, Kind};
use super::explore::{Halt, Search};
use crate::seeded::{self, Bug};
use lineal_model::run::{Failure, FailureKind, Loc, Op, Runnable};

impl<R: Runnable, const N: usize> Search<'_, R, N> {
    /// Tests the event just added; `false` if it is an error, which is then on record.
    pub fn safe(&mut self, id: EventId) -> Result<bool, Halt> {
        let Some((kind, message, other)) = self.offence(id) else { return Ok(true) };
        let e = self.graph.event(id);
        let mut message = message;
        let mut guilty = vec![id];
        if let Some(other) = other {
            guilty.push(other);
            if let Some(place) = self.program.place(self.graph.site(self.graph.event(other))) {
                message.push_str(&format!(" (the other at {place})"));
            }
        }
        let failure = Failure { kind, message, site: self.graph.site(e) };
        self.fail(failure, id.thread(), &guilty)?;
        Ok(false)
    }

    fn offence(&self, id: EventId) -> Option<(FailureKind, String, Option<EventId>)> {
        let e = self.graph.event(id);
        match e.kind {
            Kind::Read | Kind::Write => {
                let cell = &self.names.cells[e.cell as usize];
                self.misuse(id, cell.loc)
                    .or_else(|| self.race(id, cell.loc))
                    .or_else(|| self.uninitialised(id, cell.loc))
            }
            Kind::Free => match *self.graph.op(e) {
                Op::Free { loc, kind } => self.bad_free(id, loc, kind),
                _ => None,
            },
            _ => None,
        }
    }

    /// A use of a block that is not there.
    fn misuse(&self, id: EventId, loc: Loc) -> Option<(FailureKind, String, Option<EventId>)> {
        if loc.block().is_global() {
            return None;
        }
        let e = self.graph.event(id);
        let block = self.graph.block(loc.block());
        let name = || self.program.name_at(loc, None, self.graph.site(e), &self.graph);
        let Some(alloc) = block.alloc else {
            return Some((FailureKind::InvalidPointer, "uses memory that was never allocated".into(), None));
        };
        if let Some(free) = block.free {
            let text = if e.hb.contains(free) {
                format!("{} is used after it was freed", name())
            } else {
                format!("{} is used while another thread frees it", name())
            };
            return Some((FailureKind::UseAfterFree, text, Some(free)));
        }
        if !e.hb.contains(alloc) {
            let text = format!("{} is used, and its allocation does not happen before", name());
            return Some((FailureKind::Race, text, Some(alloc)));
        }
        None
    }

    fn race(&self, id: EventId, loc: Loc) -> Option<(FailureKind, String, Option<EventId>)> {
        let e = self.graph.event(id);
        let accesses = &self.graph.cells[e.cell as usize];
        if accesses.plain == 0 || seeded::active(Bug::NoRace) {
            return None;
        }
        let other = self.unordered(id, accesses.mo.iter().chain(&accesses.reads))?;
        let verb = |w: bool| if w { "write" } else { "read" };
        let plain = |m: lineal_model::run::Mode| if m.is_atomic() { "an atomic" } else { "a plain" };
        let o = self.graph.event(other);
        let text = format!(
            "data race on {}: {} {} and {} {} are not ordered",
            self.program.name_at(loc, None, self.graph.site(e), &self.graph),
            plain(e.mode),
            verb(e.is_write()),
            plain(o.mode),
            verb(o.is_write()),
        );
        Some((FailureKind::Race, text, Some(other)))
    }

    /// The first of `accesses` that conflicts with `id` and is not before it.
    fn unordered<'e>(&self, id: EventId, accesses: impl Iterator<Item = &'e EventId>) -> Option<EventId> {
        let e = self.graph.event(id);
        accesses.copied().find(|&x| {
            let o = self.graph.event(x);
            x.thread() != id.thread()
                && (e.is_write() || o.is_write())
                && !(e.mode.is_atomic() && o.mode.is_atomic())
                && !e.hb.contains(x)
        })
    }

    fn uninitialised(&self, id: EventId, loc: Loc) -> Option<(FailureKind, String, Option<EventId>)> {
        let e = self.graph.event(id);
        // An update is tested with its write, after its read.
        let read = match e.kind {
            Kind::Read => e.value,
            _ if e.is_update() => self.graph.event(EventId::new(id.thread(), id.index() - 1)).value,
            _ => return None,
        };
        if !read.undefined || matches!(self.graph.op(e), Op::Read { copy: true, .. }) {
            return None;
        }
        let name = self.program.name_at(loc, None, self.graph.site(e), &self.graph);
        let text = format!("{name} is read before anything was written to it");
        Some((FailureKind::Uninitialised, text, None))
    }

    fn bad_free(
        &self,
        id: EventId,
        loc: Loc,
        kind: lineal_model::run::BlockKind,
    ) -> Option<(FailureKind, String, Option<EventId>)> {
        let e = self.graph.event(id);
        let block = self.graph.block(loc.block());
        let alloc = match block.alloc {
            Some(alloc) if loc.offset() == 0 && !loc.block().is_global() => alloc,
            _ => {
                let text = "frees something that is not the start of an allocated block";
                return Some((FailureKind::InvalidFree, text.into(), None));
            }
        };
        let name = || self.program.name(loc, &self.graph);
        if !matches!(*self.graph.op(self.graph.event(alloc)), Op::Alloc { kind: k, .. } if k == kind) {
            let text = format!("{} is freed but does not come from malloc", name());
            return Some((FailureKind::InvalidFree, text, Some(alloc)));
        }
        if let Some(first) = block.free.filter(|&f| f != id) {
            return Some((FailureKind::DoubleFree, format!("{} is freed twice", name()), Some(first)));
        }
        if !e.hb.contains(alloc) {
            let text = format!("{} is freed, and its allocation does not happen before", name());
            return Some((FailureKind::Race, text, Some(alloc)));
        }
        for &cell in self.names.cells_of(loc.block()) {
            let Some(accesses) = self.graph.cells.get(cell as usize) else { continue };
            let used = accesses
                .mo
                .iter()
                .chain(&accesses.reads)
                .copied()
                .find(|&x| x.thread() != id.thread() && !e.hb.contains(x));
            if let Some(used) = used {
                let text = format!("{} is freed while another thread uses it", name());
                return Some((FailureKind::UseAfterFree, text, Some(used)));
            }
        }
        None
    }
}
