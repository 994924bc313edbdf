//! Memory orders, known when the program is compiled or only when it runs.
//!
//! An order that a parameter or an inline function hands on is looked at when the access is made:
//! the code has the access once for each order, and an order that the access cannot have is an error there.

use super::*;

/// The order of an access.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Known(Mode),
    /// In a register; the access cannot have these.
    AtRunTime {
        reg: Reg,
        what: &'static str,
        wrong: &'static [Mode],
    },
}

/// Whether a compare-and-swap may fail without need.
#[derive(Clone, Copy)]
pub(super) enum Weak {
    Known(bool),
    AtRunTime(Reg),
}

impl From<Mode> for Given {
    fn from(mode: Mode) -> Given {
        Given::Known(mode)
    }
}

/// What loads and stores cannot be.
pub(super) const LOADS: &[Mode] = &[Mode::Release, Mode::AcqRel];
pub(super) const STORES: &[Mode] = &[Mode::Acquire, Mode::AcqRel];

impl Lower<'_> {
    pub(super) fn order(
        &mut self,
        arg: Option<&Expr>,
        explicit: bool,
        what: &'static str,
        wrong: &'static [Mode],
    ) -> Lowered<Given> {
        let Some(arg) = arg.filter(|_| explicit) else { return Ok(Given::Known(Mode::SeqCst)) };
        let Some(n) = self.try_const(arg).and_then(|c| c.as_int()) else {
            let v = self.value(arg)?;
            self.pos = arg.pos;
            let v = self.convert(v, &Ty::Int(IntTy::Long).plain())?;
            let reg = self.temp();
            self.emit(Instr::Move { dst: reg, src: v.reg });
            return Ok(Given::AtRunTime { reg, what, wrong });
        };
        match mode_of(n) {
            Some(mode) if !wrong.contains(&mode) => Ok(Given::Known(mode)),
            Some(mode) => Err(self.error_at(
                arg.pos,
                "L0103",
                format!("{what} cannot have the order memory_order_{}", mode.word()),
            )),
            None => Err(self.error_at(arg.pos, "L0103", format!("{n} is no memory order"))),
        }
    }

    /// A compare-and-swap that fails only loads: of a releasing order, the load's part counts.
    pub(super) fn failure_order(&mut self, arg: Option<&Expr>, explicit: bool) -> Lowered<Given> {
        let what = "a failed compare-exchange";
        let known = arg.filter(|_| explicit).and_then(|a| self.try_const(a)).and_then(|c| c.as_int());
        let load = match known.and_then(mode_of) {
            Some(Mode::Release) => Mode::Relaxed,
            Some(Mode::AcqRel) => Mode::Acquire,
            _ => return self.order(arg, explicit, what, LOADS),
        };
        if let (Some(arg), Some(mode)) = (arg, known.and_then(mode_of)) {
            let text = format!(
                "a failed compare-exchange only loads: memory_order_{} counts as memory_order_{} there",
                mode.word(),
                load.word()
            );
            self.warn_at(arg.pos, "L0114", text, "write the order of the load");
        }
        Ok(Given::Known(load))
    }

    pub(super) fn fence(&mut self, order: &Expr) -> Lowered<Val> {
        let pos = self.pos;
        let order = self.order(Some(order), true, "a fence", &[])?;
        self.pos = pos;
        self.ordered(order, &mut |l, mode| {
            if mode != Mode::Relaxed {
                l.emit(Instr::Fence { mode });
            }
        });
        Ok(self.void())
    }

    pub(super) fn weakness(&mut self, flag: &Expr) -> Lowered<Weak> {
        if let Some(c) = self.try_const(flag) {
            return Ok(Weak::Known(!c.is_zero()));
        }
        let v = self.value(flag)?;
        self.test(&v).map(Weak::AtRunTime)
    }

    /// The access, for whichever order it turns out to have.
    pub(super) fn ordered(&mut self, order: Given, access: &mut dyn FnMut(&mut Self, Mode)) {
        let (reg, what, wrong) = match order {
            Given::Known(mode) => return access(self, mode),
            Given::AtRunTime { reg, what, wrong } => (reg, what, wrong),
        };
        let mut ends = Vec::new();
        for n in 0..=5 {
            let mode = mode_of(n).expect("a memory order");
            if wrong.contains(&mode) {
                continue;
            }
            let (b, same) = (self.constant(n as u64), self.temp());
            self.emit(Instr::Bin { op: BinOp::Eq, kind: IntKind::I64, dst: same, a: reg, b });
            let other = self.emit(Instr::BranchZero { cond: same, to: 0 });
            let first = self.here();
            access(self, mode);
            self.out.given_orders.extend(first..self.here());
            ends.push(self.emit(Instr::Jump { to: 0 }));
            let here = self.here();
            self.patch(other, here);
        }
        self.fail(FailureKind::InvalidOrder, &format!("{what} is given a memory order that it cannot have"));
        let here = self.here();
        ends.into_iter().for_each(|end| self.patch(end, here));
    }
}
