//! Addresses: where they lead, what may be done there, and as which cell.

use super::{FP, FRAME, HEADER, PRIVATE, VmThread};
use crate::program::{IntKind, Machine, Reg, value_to_bytes};
use crate::run::*;

/// Where an address leads.
pub(super) enum Region {
    Private(u32),
    Shared { block: BlockId, offset: u32, size: u32, layout: u32 },
}

/// A lock, semaphore or condition: shared, or private and dealt with already.
pub(super) enum Sync {
    Cell(Loc),
    Done(Value),
}

pub(super) enum Access {
    Private(u32),
    Cell(Loc),
    Pieces,
}

impl Machine {
    /// Checks that `size` bytes at `addr` may be accessed.
    pub(super) fn region(
        &self,
        t: &VmThread,
        addr: u64,
        size: u32,
        write: bool,
        world: &dyn World,
    ) -> Result<Region, Failure> {
        let verb = if write { "writes" } else { "reads" };
        if !(1 << 16..=u64::MAX - (1 << 16)).contains(&addr) {
            let text = if addr == 0 {
                format!("{verb} through a null pointer")
            } else {
                format!("{verb} through a null pointer (plus {})", addr as i64)
            };
            return Err(self.failure(t, FailureKind::NullPointer, text));
        }
        let loc = Loc(addr);
        let invalid = |why: &str| self.failure(t, FailureKind::InvalidPointer, format!("{verb} {why}"));
        if addr >= 1 << 47 {
            return Err(invalid(&format!(
                "through {addr:#x}, which is no address (tag bits left in the pointer?)"
            )));
        }
        let (block, offset) = (loc.block(), loc.offset());
        if let Some(failure) = self.before_start(t, loc, verb, world) {
            return Err(failure);
        }
        let (extent, layout) = match block.owner() {
            BlockId::CODE_OWNER => return Err(invalid("the code of a function")),
            BlockId::GLOBAL_OWNER => match self.program.globals.get(block.number() as usize) {
                Some(g) if g.missing => {
                    let why = format!("`{}` is used, but not defined in the files given", g.name);
                    return Err(self.failure(t, FailureKind::Unsupported, self.refusal(t, &why)));
                }
                Some(g) if write && g.constant => {
                    return Err(invalid(&format!("`{}`, which is constant", g.name)));
                }
                Some(g) => (g.bytes.len() as u32, block.number()),
                None => return Err(invalid("through a pointer that leads nowhere")),
            },
            owner if block.number() >= PRIVATE => {
                if owner != t.id() {
                    let text = "a pointer to a local variable reached another thread in disguise";
                    return Err(self.failure(t, FailureKind::Unsupported, text));
                }
                let Some((base, extent)) = self.object(t, block.number() - PRIVATE) else {
                    return Err(self.failure(
                        t,
                        FailureKind::UseAfterFree,
                        format!("{verb} a local variable of a function that has returned"),
                    ));
                };
                if offset + size > extent {
                    let text = format!(
                        "{verb} {size} byte{} at offset {offset} of a local variable that has {extent}",
                        if size == 1 { "" } else { "s" }
                    );
                    return Err(self.failure(t, FailureKind::OutOfBounds, text));
                }
                return Ok(Region::Private(base + offset));
            }
            _ => match world.block(block) {
                Some(info) => (info.size, info.layout),
                None => return Err(invalid(&format!("through {addr:#x}, which leads to no object"))),
            },
        };
        if u64::from(offset) + u64::from(size) > u64::from(extent) {
            let name = self.block_name(block, world);
            let text = format!(
                "{verb} {size} byte{} at offset {offset} of `{name}`, which has {extent}",
                if size == 1 { "" } else { "s" }
            );
            return Err(self.failure(t, FailureKind::OutOfBounds, text));
        }
        Ok(Region::Shared { block, offset, size: extent, layout })
    }

    /// An offset just below 16 MiB is a negative one of the next block.
    pub(super) fn before_start(
        &self,
        t: &VmThread,
        loc: Loc,
        verb: &str,
        world: &dyn World,
    ) -> Option<Failure> {
        let below = Loc::MAX_BLOCK - u64::from(loc.offset());
        let next = BlockId(loc.block().0 + 1);
        let exists = match next.owner() {
            BlockId::GLOBAL_OWNER => (next.number() as usize) < self.program.globals.len(),
            owner if next.number() >= PRIVATE => {
                owner == t.id() && self.object(t, next.number() - PRIVATE).is_some()
            }
            _ => world.block(next).is_some(),
        };
        (below <= 1 << 20 && exists).then(|| {
            let text = format!(
                "{verb} {below} byte{} before the start of `{}`",
                if below == 1 { "" } else { "s" },
                self.block_name(next, world)
            );
            self.failure(t, FailureKind::OutOfBounds, text)
        })
    }

    /// A whole cell for an access of a scalar. `Ok(None)`: it takes several, or part of one.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn exact(
        &self,
        t: &VmThread,
        block: BlockId,
        offset: u32,
        extent: u32,
        layout: u32,
        size: u8,
        mode: Mode,
    ) -> Result<Option<Loc>, Step> {
        let cell = self.layout(layout).cell(offset, extent);
        if cell.offset == offset && cell.size == size {
            return Ok(Some(Loc(block.base().0 + u64::from(offset))));
        }
        let (size_in_bytes, atomic) = (u32::from(size), mode.is_atomic());
        let change = Relayout { layout, offset, size: size_in_bytes, extent, atomic, site: self.site(t) };
        if mode.is_atomic() {
            return Err(Step::Relayout(change));
        }
        self.fits(layout, offset, u32::from(size), extent).then_some(None).ok_or(Step::Relayout(change))
    }

    /// Whether plain access to these bytes cuts no plain cell.
    pub(super) fn fits(&self, layout: u32, offset: u32, size: u32, extent: u32) -> bool {
        if size == 0 {
            return true;
        }
        let layout = self.layout(layout);
        let first = layout.cell(offset, extent);
        let last = layout.cell(offset + size - 1, extent);
        (first.atomic || first.offset == offset)
            && (last.atomic || last.offset + u32::from(last.size) == offset + size)
    }

    pub(super) fn misaligned(&self, t: &VmThread, addr: u64, size: u8) -> Option<Step> {
        let align = u64::from(size.min(8));
        (!addr.is_multiple_of(align) && addr >= 1 << 16).then(|| {
            let text = format!("uses {addr:#x} as the address of {size} bytes: it is not aligned (tag bits left in the pointer?)");
            Step::Failed(self.failure(t, FailureKind::InvalidPointer, text))
        })
    }

    /// What the system keeps; only the library gets there.
    fn kernel(&self, t: &VmThread, addr: u64) -> Option<Loc> {
        let function = t.words[t.words[FP] as usize + 2] as u32;
        (addr >> 55 == 1 && self.program.functions[function as usize].runtime).then_some(Loc(addr))
    }

    /// An atomic or scalar access: done at once in private memory, else asked.
    pub(super) fn access(
        &self,
        t: &mut VmThread,
        addr: u64,
        size: u8,
        mode: Mode,
        write: bool,
        w: &dyn World,
    ) -> Result<Access, Step> {
        if let Some(loc) = self.kernel(t, addr) {
            return Ok(Access::Cell(loc));
        }
        if let Some(step) = self.misaligned(t, addr, size) {
            return Err(step);
        }
        match self.region(t, addr, u32::from(size), write, w).map_err(Step::Failed)? {
            Region::Private(offset) => Ok(Access::Private(offset)),
            Region::Shared { block, offset, size: extent, layout } => {
                Ok(match self.exact(t, block, offset, extent, layout, size, mode)? {
                    Some(loc) => Access::Cell(loc),
                    None => Access::Pieces,
                })
            }
        }
    }

    pub(super) fn sync_cell(
        &self,
        t: &mut VmThread,
        addr: u64,
        kind: IntKind,
        wait: Wait,
        rmw: Option<Rmw>,
        world: &dyn World,
    ) -> Result<Sync, Step> {
        let size = kind.size();
        if let Some(loc) = self.kernel(t, addr) {
            return Ok(Sync::Cell(loc));
        }
        match self.region(t, addr, u32::from(size), rmw.is_some(), world).map_err(Step::Failed)? {
            Region::Private(offset) => {
                let Some(old) = t.private_read(offset, u32::from(size), false) else {
                    return Err(self.uninitialised(t));
                };
                if !wait.until.holds(old, size) {
                    if !wait.cause.is_deadlock() {
                        return Err(Step::Stopped(wait.cause, self.site(t)));
                    }
                    let text = "waits for a lock, semaphore or condition that no other thread can reach";
                    return Err(Step::Failed(self.failure(t, FailureKind::Deadlock, text)));
                }
                if let Some(new) = rmw.and_then(|rmw| rmw.apply(old, size)) {
                    self.private_store(t, offset, size, new);
                }
                Ok(Sync::Done(old))
            }
            Region::Shared { block, offset, size: extent, layout } => {
                let cell = self.exact(t, block, offset, extent, layout, size, Mode::AcqRel)?;
                Ok(Sync::Cell(cell.expect("atomic accesses are whole cells")))
            }
        }
    }

    /// Where private object `index` lies, and its size; `None` once its frame is gone.
    pub(super) fn object(&self, t: &VmThread, index: u32) -> Option<(u32, u32)> {
        if let Some(&(offset, size)) = self.program.tls_objects.get(index as usize) {
            return Some((HEADER as u32 * 4 + offset, size));
        }
        let mut fp = t.words[FP] as usize;
        loop {
            let (function, first) = (t.words[fp + 2] as u32, (t.words[fp + 2] >> 32) as u32);
            let f = &self.program.functions[function as usize];
            if first <= index {
                let &(offset, size) = f.objects.get((index - first) as usize)?;
                let memory = (fp + FRAME + f.registers as usize).next_multiple_of(2) as u32 * 4;
                return Some((memory + offset, size));
            }
            if t.words[fp] == 0 {
                return None;
            }
            fp = (t.words[fp + 1] & 0xffff_ffff) as usize;
        }
    }

    pub(super) fn private_address(&self, t: &VmThread, object: u32) -> u64 {
        BlockId::new(t.id(), PRIVATE + object).base().0
    }

    pub(super) fn private_store(&self, t: &mut VmThread, offset: u32, size: u8, value: Value) {
        for (i, byte) in value_to_bytes(value).into_iter().take(size as usize).enumerate() {
            t.private_write(offset + i as u32, byte, true);
        }
    }

    /// A value from memory goes into `dst` (and the next register when wide).
    pub(super) fn put(&self, t: &mut VmThread, dst: Reg, kind: IntKind, value: Value) {
        t.set(dst, kind.extend(value.lo));
        if kind == IntKind::Wide {
            t.set(dst + 1, value.hi);
        }
    }

    pub(super) fn take(&self, t: &VmThread, src: Reg, kind: IntKind) -> Value {
        let hi = if kind == IntKind::Wide { t.reg(src + 1) } else { 0 };
        Value { lo: t.reg(src), hi, undefined: false }.truncate(kind.size())
    }

    pub(super) fn uninitialised(&self, t: &VmThread) -> Step {
        Step::Failed(self.failure(
            t,
            FailureKind::Uninitialised,
            "reads a local variable that was never written",
        ))
    }
}
