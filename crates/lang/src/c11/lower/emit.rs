//! Instructions, registers and room in the frame.

use super::*;
use lineal_model::program::rotated::Entrance;
use std::collections::BTreeSet;

impl Lower<'_> {
    // --- emitting ---

    pub(super) fn emit(&mut self, instr: Instr) -> usize {
        let at = self.out.code.len();
        self.out.code.push(instr);
        let place = self.place_index();
        self.out.sites.push(place);
        at
    }

    pub(super) fn place_index(&mut self) -> u32 {
        if self.runtime || self.pos.line == 0 {
            return 0;
        }
        if let Some(&i) = self.places.get(&self.pos) {
            return i;
        }
        let i = self.out.places.len() as u32;
        self.out.places.push(Some(self.files.place(self.pos)));
        self.places.insert(self.pos, i);
        i
    }

    pub(super) fn here(&self) -> u32 {
        self.out.code.len() as u32
    }

    pub(super) fn patch(&mut self, at: usize, target: u32) {
        match &mut self.out.code[at] {
            Instr::Jump { to } | Instr::BranchZero { to, .. } => *to = target,
            other => unreachable!("{other:?} does not jump"),
        }
    }

    pub(super) fn temp(&mut self) -> Reg {
        self.temps(1)
    }

    pub(super) fn temps(&mut self, n: u16) -> Reg {
        let r = self.frame.next;
        self.frame.next = self.frame.next.saturating_add(n);
        self.frame.max = self.frame.max.max(self.frame.next);
        if self.frame.max > 60_000 {
            self.frame.next = 0;
            let _ = self.error("L0108", "a function with too many temporaries");
        }
        r
    }

    pub(super) fn constant(&mut self, value: u64) -> Reg {
        let dst = self.temp();
        self.emit(Instr::Const { dst, value: value as i64 });
        dst
    }

    pub(super) fn int(&mut self, value: u64, ty: IntTy) -> Val {
        Val { reg: self.constant(value), ty: Ty::Int(ty), origin: None }
    }

    /// Room in the frame for an object of `size` bytes.
    pub(super) fn object(&mut self, size: u64, align: u64) -> u16 {
        let size = size.min(1 << 20) as u32;
        let offset = self.frame.memory.next_multiple_of(align.clamp(1, 8) as u32);
        self.frame.memory = offset + size;
        self.frame.objects.push((offset, size));
        (self.frame.objects.len() - 1) as u16
    }

    pub(super) fn message(&mut self, text: &str) -> u32 {
        if let Some(&i) = self.messages.get(text) {
            return i;
        }
        let i = self.out.strings.len() as u32;
        self.out.strings.push(text.into());
        self.messages.insert(text.into(), i);
        i
    }

    pub(super) fn fail(&mut self, kind: FailureKind, text: &str) {
        let message = self.message(text);
        self.emit(Instr::Fail { kind, message });
    }

    pub(super) fn close_loops(&mut self, index: u32) {
        let mut heads = std::mem::take(&mut self.frame.heads);
        self.find_entrances(index, &mut heads);
        let f = &self.out.functions[index as usize];
        let code = &self.out.code[f.entry as usize..f.end as usize];
        let dead = liveness::dead_at(code, f.entry, f.registers, &heads);
        // The machine reads these when the thread ends.
        let blocks = f.blocks.clone();
        let mut seen = BTreeSet::new();
        for ((_, id), registers) in heads.iter().zip(dead) {
            let known = &mut self.out.loops[*id as usize].dead;
            // Of an entrance at several places: what is dead at all of them.
            if seen.insert(*id) {
                *known = registers.into_iter().filter(|r| !blocks.contains(r)).collect();
            } else {
                known.retain(|r| registers.contains(r));
            }
        }
    }

    /// Which loops count, and which are rotated: these get heads where their iterations begin.
    fn find_entrances(&mut self, function: u32, heads: &mut Vec<(usize, u32)>) {
        for n in 0..heads.len() {
            let (head, id) = heads[n];
            let f = &self.out.functions[function as usize];
            let code = &self.out.code[f.entry as usize..f.end as usize];
            let counts = counting::counts(code, f.entry, head);
            let copies = if counts { None } else { rotated::copies(code, f.entry, f.registers, head) };
            let Some(rotated::Copies { at, length }) = copies else {
                self.out.loops[id as usize].counts = counts;
                continue;
            };
            let index = self.out.loops.len() as u32;
            self.out.insert(&at.iter().map(|&pc| (pc, Instr::LoopHead { index })).collect());
            let before = |pc: usize| at.iter().filter(|&&new| (new as usize) < pc).count();
            heads.iter_mut().for_each(|(pc, _)| *pc += before(*pc));
            let at: Vec<u32> = at.iter().zip(0..).map(|(pc, before)| pc + before).collect();
            heads.extend(at.iter().map(|&pc| (pc as usize, index)));
            let info = &mut self.out.loops[id as usize];
            // Whoever watches the entrances need not watch the head.
            info.counts = true;
            let place = info.place;
            let entrance = Some(Entrance { at, length });
            self.out.loops.push(LoopInfo { place, entrance, ..LoopInfo::default() });
        }
    }

    pub(super) fn loop_head(&mut self) -> usize {
        let index = self.out.loops.len() as u32;
        let place = self.place_index();
        self.out.loops.push(LoopInfo { place, ..LoopInfo::default() });
        let at = self.emit(Instr::LoopHead { index });
        self.frame.heads.push((at, index));
        at
    }

    /// Keeps the head only if something in the loop can depend on other threads.
    pub(super) fn settle_loop(&mut self, head: usize) {
        let shared = self.out.code[head + 1..].iter().any(liveness::visible);
        if !shared {
            self.drop_head(head);
        }
    }

    pub(super) fn drop_head(&mut self, head: usize) {
        self.out.code[head] = Instr::Jump { to: head as u32 + 1 };
        self.frame.heads.retain(|(at, _)| *at != head);
    }

    pub(super) fn wide_or(&self, size: u64, signed: bool) -> Option<IntKind> {
        IntKind::new(size, signed)
    }
}
