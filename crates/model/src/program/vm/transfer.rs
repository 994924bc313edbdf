//! Plain accesses that take several cells, or part of an atomic one: `memcpy`, struct
//! assignment, a `char` of an `int`.
//!
//! The bytes pass through a buffer on top of the thread's stack: read piece by piece, then
//! written piece by piece. Each piece is one question. A plain write to part of an atomic cell
//! reads the rest of it first.

use super::memory::Region;
use super::{BUFFER, CURSOR, PC, STAGE, VmThread};
use crate::program::{Instr, Machine, bytes_to_value, value_to_bytes};
use crate::run::{Loc, Mode, Op, Relayout, Step, Value, World};

/// What the question that is open was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A whole access in one question.
    Simple = 1,
    Read = 2,
    Write = 3,
    /// Reads the atomic cell that a plain write changes in part.
    Merge = 4,
}

pub(super) enum Flow {
    On,
    Stop(Step),
}

impl Machine {
    /// Starts moving `size` bytes for the instruction at `pc`; goes on as far as private memory
    /// allows.
    pub(super) fn begin(
        &self,
        t: &mut VmThread,
        stage: Stage,
        size: u32,
        world: &dyn World,
    ) -> Result<(), Step> {
        let buffer = t.words.len() + t.words.len() % 2;
        t.words.resize(buffer, 0);
        t.words.resize(buffer + 2 * (size as usize).div_ceil(8), 0);
        t.words[BUFFER] = buffer as u64 | u64::from(size) << 32;
        t.words[CURSOR] = 0;
        t.words[STAGE] = stage as u64;
        let instr = self.program.code[t.words[PC] as usize];
        let base = buffer as u32 * 4;
        match instr {
            Instr::Store { kind, src, .. } => {
                let value = self.take(t, src, kind);
                self.private_store(t, base, size as u8, value);
            }
            Instr::Fill { byte, .. } => {
                let byte = t.reg(byte) as u8;
                (0..size).for_each(|i| t.private_write(base + i, byte, true));
            }
            _ => {}
        }
        match self.advance(t, instr, world) {
            Flow::On => Ok(()),
            Flow::Stop(step) => Err(step),
        }
    }

    /// A piece was answered.
    pub(super) fn transfer_answered(
        &self,
        t: &mut VmThread,
        instr: Instr,
        value: Value,
        world: &dyn World,
    ) -> Option<Step> {
        let cursor = t.words[CURSOR] as u32;
        let base = (t.words[BUFFER] & 0xffff_ffff) as u32 * 4;
        let addr = self.other_side(t, instr) + u64::from(cursor);
        let (cell, part, len) = match self.piece(t, addr, cursor, world) {
            Ok(Piece::Cell { cell, part, len, .. }) => (cell, part, len),
            _ => unreachable!("the piece was there when it was asked about"),
        };
        let bytes = value_to_bytes(value);
        match t.words[STAGE] {
            s if s == Stage::Read as u64 => {
                for i in 0..len {
                    t.private_write(base + cursor + i, bytes[(part + i) as usize], !value.undefined);
                }
                t.words[CURSOR] += u64::from(len);
            }
            s if s == Stage::Merge as u64 => {
                let mut merged = bytes;
                for i in 0..len {
                    merged[(part + i) as usize] = t.private_byte(base + cursor + i).0;
                }
                t.words[STAGE] = Stage::Write as u64;
                let op = Op::Write {
                    loc: cell.0,
                    size: cell.1,
                    mode: Mode::NonAtomic,
                    value: bytes_to_value(&merged),
                };
                return Some(Step::Ask(op, self.site(t)));
            }
            _ => t.words[CURSOR] += u64::from(len),
        }
        self.advance(t, instr, world).into()
    }

    /// The address the present stage reads from or writes to.
    fn other_side(&self, t: &VmThread, instr: Instr) -> u64 {
        let reading = t.words[STAGE] == Stage::Read as u64;
        match instr {
            Instr::Load { addr, .. } | Instr::Store { addr, .. } => t.reg(addr),
            Instr::Copy { to, from, .. } | Instr::CopyMany { to, from, .. } => {
                t.reg(if reading { from } else { to })
            }
            Instr::Fill { to, .. } => t.reg(to),
            other => unreachable!("{other:?} moves no bytes"),
        }
    }

    fn piece(&self, t: &VmThread, addr: u64, cursor: u32, world: &dyn World) -> Result<Piece, Step> {
        let write = t.words[STAGE] != Stage::Read as u64;
        let left = (t.words[BUFFER] >> 32) as u32 - cursor;
        match self.region(t, addr, left, write, world).map_err(Step::Failed)? {
            Region::Private(offset) => Ok(Piece::Private { offset, len: left }),
            Region::Shared { block, offset, size: extent, layout } => {
                if !self.fits(layout, offset, left, extent) {
                    let site = self.site(t);
                    return Err(Step::Relayout(Relayout {
                        layout,
                        offset,
                        size: left,
                        extent,
                        atomic: false,
                        site,
                    }));
                }
                let cell = self.layout(layout).cell(offset, extent);
                let part = offset - cell.offset;
                let len = (u32::from(cell.size) - part).min(left);
                Ok(Piece::Cell { cell: (Loc(block.base().0 + u64::from(cell.offset)), cell.size), part, len })
            }
        }
    }

    /// Goes on until a question must be asked or the instruction is done.
    fn advance(&self, t: &mut VmThread, instr: Instr, world: &dyn World) -> Flow {
        let base = (t.words[BUFFER] & 0xffff_ffff) as u32 * 4;
        let size = (t.words[BUFFER] >> 32) as u32;
        loop {
            let cursor = t.words[CURSOR] as u32;
            if cursor >= size {
                let copying = matches!(instr, Instr::Copy { .. } | Instr::CopyMany { .. });
                if copying && t.words[STAGE] == Stage::Read as u64 {
                    t.words[STAGE] = Stage::Write as u64;
                    t.words[CURSOR] = 0;
                    if size > 0 {
                        continue;
                    }
                }
                return self.end(t, instr, base, size);
            }
            let addr = self.other_side(t, instr) + u64::from(cursor);
            let reading = t.words[STAGE] == Stage::Read as u64;
            match self.piece(t, addr, cursor, world) {
                Err(step) => return Flow::Stop(step),
                Ok(Piece::Private { offset, len }) => {
                    for i in 0..len {
                        let (from, to) = if reading {
                            (offset + i, base + cursor + i)
                        } else {
                            (base + cursor + i, offset + i)
                        };
                        let (byte, defined) = t.private_byte(from);
                        t.private_write(to, byte, defined);
                    }
                    t.words[CURSOR] += u64::from(len);
                }
                Ok(Piece::Cell { cell: (loc, size), part, len }) => {
                    let op = if reading {
                        Op::Read { loc, size, mode: Mode::NonAtomic, copy: true, wait: None }
                    } else if part > 0 || len < u32::from(size) {
                        t.words[STAGE] = Stage::Merge as u64;
                        Op::Read { loc, size, mode: Mode::NonAtomic, copy: true, wait: None }
                    } else {
                        let (value, defined) = self.gather(t, base + cursor, len);
                        let value = if defined { value } else { Value::UNDEFINED };
                        Op::Write { loc, size, mode: Mode::NonAtomic, value }
                    };
                    return Flow::Stop(Step::Ask(op, self.site(t)));
                }
            }
        }
    }

    /// Bytes of the buffer; undefined only if none of them was written.
    fn gather(&self, t: &VmThread, offset: u32, len: u32) -> (Value, bool) {
        let value = t.private_read(offset, len, true).unwrap_or(Value::ZERO);
        (value, (0..len).any(|i| t.private_byte(offset + i).1))
    }

    fn end(&self, t: &mut VmThread, instr: Instr, base: u32, size: u32) -> Flow {
        let mut outcome = Flow::On;
        if let Instr::Load { kind, dst, lenient, .. } = instr {
            match t.private_read(base, size, lenient) {
                Some(value) => t.set(dst, kind.extend(value.lo)),
                None => {
                    let text = "reads memory that was never written";
                    let failure = self.failure(t, crate::run::FailureKind::Uninitialised, text);
                    outcome = Flow::Stop(Step::Failed(failure));
                }
            }
        }
        t.words.truncate((t.words[BUFFER] & 0xffff_ffff) as usize);
        t.words[STAGE] = 0;
        t.words[CURSOR] = 0;
        t.words[BUFFER] = 0;
        t.next();
        outcome
    }
}

enum Piece {
    Private { offset: u32, len: u32 },
    Cell { cell: (Loc, u8), part: u32, len: u32 },
}
