//! The lives of locals: a shared one is a block, allocated where it is declared and freed where its
//! scope is left, by whatever way; a jump into a scope begins its locals without a value. What
//! `pthread_exit` ends, the machine ends by itself.

use super::*;
use lineal_model::program::instr::AllocLayout;
use lineal_model::run::BlockKind;

impl Lower<'_> {
    /// The life of a local begins, without a value.
    pub(super) fn begin_local(&mut self, home: &Home, size: u64, ty: &QTy, name: &str) {
        match *home {
            Home::Block(reg) => self.begin_block(reg, size, ty, name),
            Home::Private(object) => {
                self.emit(Instr::Forget { object });
            }
            Home::Register { reg, flag } => {
                if let Some(flag) = flag {
                    self.emit(Instr::Const { dst: flag, value: 0 });
                    // The register may hold anything: a loop that comes here again must not differ by it.
                    self.emit(Instr::Const { dst: reg, value: 0 });
                }
            }
        }
    }

    /// Code for a jump into the scope of these locals, past their declarations. Registers are
    /// taken from where no local of the function lives.
    pub(super) fn begin_anew(&mut self, locals: impl IntoIterator<Item = usize>) {
        let mark = std::mem::replace(&mut self.frame.next, self.frame.max);
        for index in locals {
            let local = self.frame.locals[index].clone();
            self.facts.skipped.insert(local.var);
            let size = self.records.size(&local.ty.ty).unwrap_or(0);
            self.begin_local(&local.home, size, &local.ty, &local.name);
        }
        self.frame.next = mark;
    }

    /// The locals in scope, oldest first.
    pub(super) fn in_scope(&self) -> std::collections::BTreeSet<usize> {
        let names = self.scopes.iter().flat_map(|s| s.names.values());
        names.filter_map(|s| if let Symbol::Local(i) = s { Some(*i) } else { None }).collect()
    }

    pub(super) fn begin_block(&mut self, reg: Reg, size: u64, ty: &QTy, name: &str) {
        self.emit(Instr::Free { addr: reg, kind: BlockKind::Stack });
        let bytes = self.constant(size);
        let layout = AllocLayout::Typed(self.heap_layout(ty, name));
        self.emit(Instr::Alloc { dst: reg, size: bytes, zeroed: false, kind: BlockKind::Stack, layout });
    }

    /// Shared locals declared since `first` end with their scope.
    pub(super) fn end_scope(&mut self, first: usize) {
        self.end_locals(first..self.frame.locals.len());
    }

    pub(super) fn end_locals(&mut self, locals: std::ops::Range<usize>) {
        let blocks: Vec<Reg> = self.frame.locals[locals]
            .iter()
            .filter_map(|l| if let Home::Block(r) = l.home { Some(r) } else { None })
            .collect();
        for addr in blocks {
            self.emit(Instr::Free { addr, kind: BlockKind::Stack });
            self.emit(Instr::Const { dst: addr, value: 0 });
        }
    }

    /// The blocks of this frame end. `main` keeps its own: the process ends with it.
    pub(super) fn end_blocks(&mut self) {
        if self.out.functions[self.frame.index as usize].name == "main" {
            return;
        }
        let blocks: Vec<Reg> = self
            .frame
            .locals
            .iter()
            .filter_map(|l| if let Home::Block(r) = l.home { Some(r) } else { None })
            .collect();
        for addr in blocks {
            self.emit(Instr::Free { addr, kind: BlockKind::Stack });
        }
    }
}
