//! Arrays of variable length: blocks of the thread's own, as long as their scope. Their length is computed once,
//! where they are declared; `sizeof` asks the block.

use super::place::Spot;
use super::*;
use lineal_model::program::BinOp;
use lineal_model::program::instr::AllocLayout;
use lineal_model::run::BlockKind;

impl Lower<'_> {
    /// `T name[count];`, where `ty` is an array of unknown length.
    pub(super) fn declare_variable(&mut self, d: &Declarator, ty: QTy, count: &Expr) -> Lowered<()> {
        let Some(name) = &d.name else { return Ok(()) };
        let Ty::Array(element, None) = &ty.ty else { unreachable!("an array of unknown length") };
        let (pos, size) = (d.pos, self.size_of(element)?);
        let n = self.value(count)?;
        self.pos = pos;
        let n = self.convert(n, &Ty::Int(IntTy::Long).plain())?;
        let (zero, fits) = (self.constant(0), self.temp());
        self.emit(Instr::Bin { op: BinOp::Lt, kind: IntKind::I64, dst: fits, a: zero, b: n.reg });
        let skip = self.emit(Instr::BranchZero { cond: fits, to: 0 });
        let go_on = self.emit(Instr::Jump { to: 0 });
        let here = self.here();
        self.patch(skip, here);
        self.fail(FailureKind::OutOfBounds, &format!("the length of `{name}` is not positive"));
        let here = self.here();
        self.patch(go_on, here);
        let (factor, bytes) = (self.constant(size), self.temp());
        self.emit(Instr::Bin { op: BinOp::Mul, kind: IntKind::U64, dst: bytes, a: n.reg, b: factor });
        let var = (self.frame.index, self.frame.next_var);
        self.frame.next_var += 1;
        self.facts.escaped.insert(Origin::Local(var));
        // The first walk does not know yet how many blocks there are, and where only types are wanted none is
        // taken: the code is not run.
        let taken = self.known.as_ref().is_some_and(|k| k.escaped.contains(&Origin::Local(var)));
        let home = match taken {
            true => Home::Block(self.frame.blocks.pop().expect("as many as escape")),
            false => Home::Private(self.object(8, 8)),
        };
        self.frame.locals.push(Local {
            name: name.clone(),
            ty: ty.clone(),
            home: home.clone(),
            var,
            param: false,
        });
        let index = self.frame.locals.len() - 1;
        if let Home::Block(reg) = home {
            self.emit(Instr::Free { addr: reg, kind: BlockKind::Stack });
            let layout = AllocLayout::Typed(self.heap_layout(&element.clone(), name));
            self.emit(Instr::Alloc { dst: reg, size: bytes, zeroed: false, kind: BlockKind::Stack, layout });
        }
        self.declare_name(name, Symbol::Local(index))
    }

    /// The size of an array whose length was computed.
    pub(super) fn variable_size(&mut self, e: &Expr) -> Option<Val> {
        let ExprKind::Ident(name) = &e.kind else { return None };
        let Some(Symbol::Local(index)) = self.lookup(name) else { return None };
        let Ty::Array(_, None) = &self.frame.locals[index].ty.ty else { return None };
        let Spot::Memory { addr, .. } = self.local_spot(index) else { return None };
        let dst = self.temp();
        self.emit(Instr::BlockSize { dst, addr });
        Some(Val { reg: dst, ty: Ty::Int(IntTy::ULong), origin: None })
    }
}
