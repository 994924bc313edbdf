//! Statements and control flow.

use super::*;
use lineal_model::program::BinOp;

impl Lower<'_> {
    /// Statements one after another; an error in one does not hide those in the next.
    pub(super) fn items(&mut self, items: &[Stmt]) -> Lowered<()> {
        let mut outcome = Ok(());
        for item in items {
            let keeps = matches!(
                item.kind,
                StmtKind::Declaration(_) | StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_)
            );
            let mark = self.frame.next;
            let errors = self.errors;
            let result = self.statement(item);
            if !keeps {
                self.frame.next = mark;
            }
            // What was given up without an error may be something that the rest uses.
            if result.is_err() && self.errors == errors {
                return result;
            }
            outcome = outcome.and(result);
            if self.errors >= MAX_ERRORS {
                return Err(Reported);
            }
        }
        outcome
    }

    fn block(&mut self, block: &Block) -> Lowered<()> {
        let mark = self.frame.next;
        let first = self.frame.locals.len();
        self.scopes.push(Scope::default());
        let depth = self.scopes.len();
        let outcome = self.items(&block.items);
        self.end_scope(first);
        self.scopes.truncate(depth - 1);
        self.frame.next = mark;
        outcome
    }

    pub(super) fn statement(&mut self, s: &Stmt) -> Lowered<()> {
        self.or_refused(s, Self::any_statement)
    }

    fn any_statement(&mut self, s: &Stmt) -> Lowered<()> {
        self.pos = s.pos;
        match &s.kind {
            StmtKind::Empty | StmtKind::Pragma => Ok(()),
            StmtKind::Refused(what) => self.refuse(what),
            StmtKind::Assembly(asm) => self.assembly(asm),
            StmtKind::Expr(e) => self.discard(e),
            StmtKind::Declaration(d) => self.declaration(d),
            StmtKind::Block(b) => self.block(b),
            StmtKind::StaticAssert(cond, text) => self.static_assert(cond, text.as_deref()),
            StmtKind::If(cond, then, other) => {
                let skip = self.branch_unless(cond)?;
                let mut outcome = self.scoped(then);
                if let Some(other) = other {
                    let end = self.emit(Instr::Jump { to: 0 });
                    let here = self.here();
                    self.patch(skip, here);
                    outcome = outcome.and(self.scoped(other));
                    let here = self.here();
                    self.patch(end, here);
                } else {
                    let here = self.here();
                    self.patch(skip, here);
                }
                outcome
            }
            StmtKind::While(cond, body) => {
                let head = self.loop_head();
                let exit = self.exit_unless(cond)?;
                let outcome = self.loop_body(body);
                self.close_continues(head as u32);
                self.emit(Instr::Jump { to: head as u32 });
                self.close_loop(head, exit);
                outcome
            }
            StmtKind::DoWhile(body, cond) => {
                let head = self.loop_head();
                let outcome = self.loop_body(body);
                let here = self.here();
                self.close_continues(here);
                if self.is_constant(cond) == Some(false) {
                    // A statement in disguise.
                    self.close_loop(head, None);
                    self.drop_head(head);
                    return outcome;
                }
                let exit = self.exit_unless(cond)?;
                self.emit(Instr::Jump { to: head as u32 });
                self.close_loop(head, exit);
                outcome
            }
            StmtKind::For(init, cond, step, body) => {
                let mark = self.frame.next;
                let first = self.frame.locals.len();
                let mut counters = first..first;
                self.scopes.push(Scope::default());
                let depth = self.scopes.len();
                let outcome = (|| {
                    if let Some(init) = init {
                        self.statement(init)?;
                        counters.end = self.frame.locals.len();
                        if !matches!(init.kind, StmtKind::Declaration(_)) {
                            self.frame.next = mark;
                        }
                    }
                    self.pos = s.pos;
                    let head = self.loop_head();
                    let exit = match cond {
                        Some(cond) => self.exit_unless(cond)?,
                        None => None,
                    };
                    let outcome = self.loop_body(body);
                    let here = self.here();
                    self.close_continues(here);
                    if let Some(step) = step {
                        let mark = self.frame.next;
                        self.discard(step)?;
                        self.frame.next = mark;
                    }
                    self.emit(Instr::Jump { to: head as u32 });
                    self.close_loop(head, exit);
                    outcome
                })();
                self.end_locals(counters);
                self.scopes.truncate(depth - 1);
                self.frame.next = mark;
                outcome
            }
            StmtKind::Switch(value, body) => self.switch(value, body, s.pos),
            StmtKind::Case(low, high, body) => {
                let low_value = self.const_int(low, "a case label")?;
                let high_value = match high {
                    Some(e) => self.const_int(e, "a case label")?,
                    None => low_value,
                };
                self.pos = s.pos;
                let at = self.out.code.len();
                let Some(switch) = self.frame.switches.last_mut() else {
                    return Err(self.error("L0101", "a case label outside of switch"));
                };
                let kind = switch.ty.kind();
                let (low, high) = (kind.extend(low_value as u64), kind.extend(high_value as u64));
                let signed = kind.signed();
                let less = |a: u64, b: u64| if signed { (a as i64) <= (b as i64) } else { a <= b };
                if switch.cases.iter().any(|(l, h, _)| less(*l, high) && less(low, *h)) {
                    return Err(self.error("L0107", "this case label stands twice"));
                }
                switch.cases.push((low, high, at));
                self.passed();
                self.statement(body)
            }
            StmtKind::Default(body) => {
                let at = self.out.code.len();
                match self.frame.switches.last_mut() {
                    None => return Err(self.error("L0101", "`default` outside of switch")),
                    Some(switch) if switch.default.is_some() => {
                        return Err(self.error("L0107", "`default` stands twice"));
                    }
                    Some(switch) => switch.default = Some(at),
                }
                self.passed();
                self.statement(body)
            }
            StmtKind::Label(name, body) => {
                let head = self.loop_head();
                let (pos, locals) = (self.pos, self.in_scope().into_iter().collect());
                let label = self.frame.labels.entry(name.clone()).or_default();
                if label.at.is_some() {
                    return Err(self.error("L0107", format!("the label `{name}` stands twice")));
                }
                label.at = Some(head);
                label.head = Some(head);
                label.locals = locals;
                label.pos = pos;
                self.statement(body)
            }
            StmtKind::Goto(name) => {
                let at = self.emit(Instr::Jump { to: 0 });
                let (pos, locals) = (self.pos, self.in_scope().into_iter().collect());
                let label = self.frame.labels.entry(name.clone()).or_default();
                if label.at.is_none() && label.jumps.is_empty() {
                    label.pos = pos;
                }
                label.jumps.push((at, pos, locals));
                Ok(())
            }
            StmtKind::Break => {
                let Some(first) = self.frame.breaks.last().map(|b| b.locals) else {
                    return Err(self.error("L0101", "`break` outside of a loop or switch"));
                };
                let at = self.jump_out(first);
                self.frame.breaks.last_mut().expect("seen above").at.push(at);
                Ok(())
            }
            StmtKind::Continue => {
                let Some(first) = self.frame.continues.last().map(|c| c.locals) else {
                    return Err(self.error("L0101", "`continue` outside of a loop"));
                };
                let at = self.jump_out(first);
                self.frame.continues.last_mut().expect("seen above").at.push(at);
                Ok(())
            }
            StmtKind::Return(value) => self.give_back(value.as_ref(), s.pos),
        }
    }

    /// At a label of the present switch: what was declared between the two is jumped over.
    fn passed(&mut self) {
        let locals = self.in_scope();
        if let Some(switch) = self.frame.switches.last_mut() {
            let first = switch.first;
            switch.passed.extend(locals.range(first..));
        }
    }

    /// A jump that ends the locals declared since `first`.
    fn jump_out(&mut self, first: usize) -> usize {
        self.end_scope(first);
        self.emit(Instr::Jump { to: 0 })
    }

    fn jumps(&self) -> Jumps {
        Jumps { locals: self.frame.locals.len(), at: Vec::new() }
    }

    /// A statement that may be a declaration-free block of its own.
    fn scoped(&mut self, s: &Stmt) -> Lowered<()> {
        let mark = self.frame.next;
        let outcome = self.statement(s);
        self.frame.next = mark;
        outcome
    }

    /// Evaluates a condition; returns the jump taken when it is false.
    /// Leaves a loop unless the condition holds; `None`: it always does, so there is no such way
    /// out (and what is read after the loop is not alive at its head for that reason).
    fn exit_unless(&mut self, cond: &Expr) -> Lowered<Option<usize>> {
        if self.is_constant(cond) == Some(true) { Ok(None) } else { self.branch_unless(cond).map(Some) }
    }

    fn is_constant(&mut self, cond: &Expr) -> Option<bool> {
        self.try_const(cond)?.as_int().map(|n| n != 0)
    }

    fn branch_unless(&mut self, cond: &Expr) -> Lowered<usize> {
        let mark = self.frame.next;
        let v = self.value(cond)?;
        let reg = self.truth(&v)?;
        let at = self.emit(Instr::BranchZero { cond: reg, to: 0 });
        self.frame.next = mark;
        Ok(at)
    }

    fn loop_body(&mut self, body: &Stmt) -> Lowered<()> {
        self.frame.breaks.push(self.jumps());
        self.frame.continues.push(self.jumps());
        self.scoped(body)
    }

    fn close_continues(&mut self, target: u32) {
        for at in self.frame.continues.pop().unwrap_or_default().at {
            self.patch(at, target);
        }
    }

    fn close_loop(&mut self, head: usize, exit: Option<usize>) {
        let end = self.here();
        for at in self.frame.breaks.pop().unwrap_or_default().at {
            self.patch(at, end);
        }
        if let Some(exit) = exit {
            self.patch(exit, end);
        }
        self.settle_loop(head);
    }

    fn switch(&mut self, value: &Expr, body: &Stmt, pos: Pos) -> Lowered<()> {
        let selector = self.temp();
        let v = self.value(value)?;
        self.pos = pos;
        let Some(int) = v.ty.int() else {
            return Err(self.error("L0103", "switch needs a number"));
        };
        let ty = int.promote();
        let v = self.integer(v, ty);
        self.emit(Instr::Move { dst: selector, src: v.reg });
        let dispatch = self.emit(Instr::Jump { to: 0 });
        let first = self.frame.locals.len();
        let passed = Default::default();
        self.frame.switches.push(Switch { ty, cases: Vec::new(), default: None, first, passed });
        self.frame.breaks.push(self.jumps());
        let outcome = self.scoped(body);
        let switch = self.frame.switches.pop().expect("pushed above");
        let out = self.emit(Instr::Jump { to: 0 });
        let here = self.here();
        self.patch(dispatch, here);
        let outside = self.frame.next;
        if !switch.passed.is_empty() {
            self.begin_anew(switch.passed);
            self.frame.next = self.frame.max;
        }
        let mark = self.frame.next;
        for (low, high, at) in switch.cases {
            let hit = self.temp();
            let a = self.constant(low);
            if low == high {
                self.emit(Instr::Bin { op: BinOp::Ne, kind: ty.kind(), dst: hit, a: selector, b: a });
            } else {
                // Not in range: selector < low or high < selector.
                let (b, below) = (self.constant(high), self.temp());
                self.emit(Instr::Bin { op: BinOp::Lt, kind: ty.kind(), dst: below, a: selector, b: a });
                self.emit(Instr::Bin { op: BinOp::Lt, kind: ty.kind(), dst: hit, a: b, b: selector });
                self.emit(Instr::Bin { op: BinOp::Or, kind: IntKind::U64, dst: hit, a: hit, b: below });
            }
            self.emit(Instr::BranchZero { cond: hit, to: at as u32 });
            self.frame.next = mark;
        }
        self.frame.next = outside;
        let fall = self.emit(Instr::Jump { to: 0 });
        let end = self.here();
        self.patch(fall, switch.default.map_or(end, |d| d as u32));
        self.patch(out, end);
        for at in self.frame.breaks.pop().unwrap_or_default().at {
            self.patch(at, end);
        }
        outcome
    }

    fn give_back(&mut self, value: Option<&Expr>, pos: Pos) -> Lowered<()> {
        let ret = self.frame.ret.clone().unwrap_or_else(|| Ty::Void.plain());
        let src = match value {
            Some(e) => {
                let v = self.value_for(e, &ret)?;
                self.pos = pos;
                let v = self.convert(v, &ret)?;
                self.escape(&v);
                if let (Ty::Record(_), Some(to)) = (&ret.ty, self.frame.result) {
                    let size = self.size_of(&ret)? as u32;
                    self.emit(Instr::Copy { to, from: v.reg, size });
                }
                v.reg
            }
            None => {
                self.end_blocks();
                self.give_nothing(false);
                return Ok(());
            }
        };
        self.end_blocks();
        self.emit(Instr::Return { src });
        Ok(())
    }

    /// Returns without a value. That of `main` is 0 when its end is reached.
    pub(super) fn give_nothing(&mut self, main: bool) {
        if main || self.frame.ret.as_ref().is_none_or(|ty| ty.ty == Ty::Void) {
            let src = self.constant(0);
            self.emit(Instr::Return { src });
        } else {
            self.emit(Instr::ReturnNothing);
        }
    }
}
