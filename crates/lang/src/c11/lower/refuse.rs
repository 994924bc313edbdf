//! What is not modelled, and when that matters: only where an execution gets there.
//!
//! A construct that cannot be lowered takes the statement it stands in with it: its code is dropped and
//! an instruction in its place ([`Instr::Refuse`]) ends the check of whoever reaches it, in any thread
//! and client. A declaration takes its whole block, since the rest may use what it declares; a
//! statement that others can jump into takes its function. So a program is refused where it does not
//! get to the construct itself, but to the statement around it: never the other way round.
//!
//! Outside of functions there is nothing to get to, so such constructs are errors.

use super::*;

/// How far a function was built before a statement.
pub(super) struct Mark {
    code: usize,
    loops: usize,
    locals: usize,
    scopes: usize,
    breaks: usize,
    continues: usize,
    switches: usize,
    dry: u32,
    next: Reg,
}

impl Lower<'_> {
    /// What stands here is not modelled.
    pub(super) fn refuse<T>(&mut self, what: &str) -> Lowered<T> {
        if self.in_function && !self.runtime {
            self.refusal = Some((self.pos, format!("{what} is not modelled").into()));
            return Err(Reported);
        }
        let e = self.error("L0104", format!("{what} is not modelled"));
        if let Some(d) = self.diagnostics.last_mut().filter(|_| self.errors <= MAX_ERRORS) {
            d.help = Some("Lineal refuses what it cannot check exactly; rewrite this part, or leave it out with `#ifndef`".into());
        }
        Err(e)
    }

    /// A function that no header declares: perhaps a typing error, perhaps one that no execution calls.
    pub(super) fn undeclared(&mut self, name: &str, pos: Pos) -> Reported {
        if self.in_function && !self.runtime && !self.options.strict {
            let help = "include the header that declares it; Lineal brings its own C11 and POSIX headers. \
                        A check that gets there ends with `unknown`";
            self.warn_at(pos, "L0102", format!("the function `{name}` is not declared"), help);
            let why = format!("the function `{name}` is called, which no file given declares");
            self.refusal = Some((pos, why.into()));
            return Reported;
        }
        let e = self.error_at(pos, "L0102", format!("the function `{name}` is not declared"));
        if let Some(d) = self.diagnostics.last_mut().filter(|_| self.errors <= MAX_ERRORS) {
            d.help = Some("include the header that declares it; Lineal brings its own C11, POSIX threads and C library headers".into());
        }
        e
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            code: self.out.code.len(),
            loops: self.out.loops.len(),
            locals: self.frame.locals.len(),
            scopes: self.scopes.len(),
            breaks: self.frame.breaks.len(),
            continues: self.frame.continues.len(),
            switches: self.frame.switches.len(),
            dry: self.dry,
            next: self.frame.next,
        }
    }

    /// Puts the refusal in place of what was built since.
    pub(super) fn give_up(&mut self, since: &Mark, (pos, what): (Pos, Rc<str>)) {
        self.out.code.truncate(since.code);
        self.out.sites.truncate(since.code);
        self.out.loops.truncate(since.loops);
        let frame = &mut self.frame;
        frame.heads.retain(|(at, _)| *at < since.code);
        frame.breaks.truncate(since.breaks);
        frame.continues.truncate(since.continues);
        frame.switches.truncate(since.switches);
        for jumps in frame.breaks.iter_mut().chain(&mut frame.continues) {
            jumps.at.retain(|at| *at < since.code);
        }
        for label in frame.labels.values_mut() {
            label.jumps.retain(|(at, ..)| *at < since.code);
        }
        frame.labels.retain(|_, label| match label.at {
            Some(at) => at < since.code,
            None => !label.jumps.is_empty(),
        });
        // Their numbers stay used, so that both walks number the others alike.
        frame.locals.truncate(since.locals);
        frame.next = since.next;
        self.scopes.truncate(since.scopes);
        self.dry = since.dry;
        self.unused = false;
        self.pos = pos;
        let message = self.message(&what);
        self.emit(Instr::Refuse { message });
    }

    /// The calls of this function end here: `why` is a whole sentence.
    pub(super) fn refuse_calls(&mut self, index: u32, params: u16, why: &str) {
        self.begin_function(index);
        self.frame.next = params;
        self.frame.max = params;
        let message = self.message(why);
        self.emit(Instr::Refuse { message });
        self.end_function(index, params);
    }

    /// A statement, or the refusal that stands for it.
    pub(super) fn or_refused(
        &mut self,
        s: &Stmt,
        lower: impl FnOnce(&mut Self, &Stmt) -> Lowered<()>,
    ) -> Lowered<()> {
        let (mark, errors, before) = (self.mark(), self.errors, self.refusal.take());
        let outcome = lower(self, s);
        if outcome.is_ok() {
            self.refusal = before;
            return Ok(());
        }
        if self.errors > errors || has_label(s) || declares(s) {
            return outcome;
        }
        match self.refusal.take() {
            Some(refusal) => {
                self.give_up(&mark, refusal);
                self.refusal = before;
                Ok(())
            }
            None => outcome,
        }
    }
}

/// A block may use later what this one declares.
fn declares(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Declaration(_) => true,
        StmtKind::Label(_, body) | StmtKind::Case(_, _, body) | StmtKind::Default(body) => declares(body),
        _ => false,
    }
}

/// Somebody outside may jump into this statement.
fn has_label(s: &Stmt) -> bool {
    let inside = |s: &Stmt| matches!(s.kind, StmtKind::Case(..) | StmtKind::Default(_));
    match &s.kind {
        StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) => true,
        StmtKind::Block(b) => b.items.iter().any(has_label),
        StmtKind::If(_, a, b) => has_label(a) || b.as_deref().is_some_and(has_label),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For(.., body) => has_label(body),
        // Its own labels are for itself.
        StmtKind::Switch(_, body) => match &body.kind {
            StmtKind::Block(b) => b.items.iter().any(|s| !inside(s) && has_label(s) || inside(s) && names(s)),
            _ => has_label(body),
        },
        _ => false,
    }
}

/// A label with a name behind labels of a switch.
fn names(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Case(_, _, body) | StmtKind::Default(body) => match &body.kind {
            StmtKind::Case(..) | StmtKind::Default(_) => names(body),
            _ => has_label(body),
        },
        _ => false,
    }
}
