//! The end of the walk: is everything there, and where do threads start?

use super::*;
use lineal_model::run::Loc;

/// What runs before `main`, and when the process ends.
pub(super) const BEGIN: u32 = 3;
pub(super) const END: u32 = 4;

impl Lower<'_> {
    /// `<start>`: set up thread-local blocks, call the entry, end. `<main>`: call `main`.
    pub(super) fn stubs(&mut self, main: u32) {
        self.runtime = true;
        self.pos = Pos::default();
        self.begin_function(1);
        self.frame.next = 2;
        self.frame.max = 2;
        let shared: Vec<ThreadLocalInfo> = self.thread_locals.iter().filter(|t| t.shared).cloned().collect();
        let blocks: Vec<Reg> = shared.iter().map(|t| self.start_thread_local(t)).collect();
        self.out.functions[1].blocks.clone_from(&blocks);
        self.emit(Instr::CallPointer { pointer: 0, args: 1, count: 1, dst: 1 });
        self.run_destructors(false);
        self.end_thread_locals(&blocks);
        self.emit(Instr::ThreadExit { src: 1, early: false });
        self.end_function(1, 2);
        self.begin_function(2);
        let params = self.out.functions[main as usize].params.min(2);
        self.frame.next = 4;
        self.frame.max = 4;
        self.emit(Instr::Call { function: BEGIN, args: 1, count: 0, dst: 0 });
        self.emit(Instr::Const { dst: 1, value: 0 });
        self.emit(Instr::Const { dst: 2, value: 0 });
        self.emit(Instr::Call { function: main, args: 1, count: params as u8, dst: 0 });
        self.at_end();
        self.emit(Instr::Return { src: 0 });
        self.end_function(2, 1);
        self.calls(BEGIN, self.constructors.clone());
        self.calls(END, self.destructors.iter().rev().copied().collect());
    }

    /// A function that calls others.
    fn calls(&mut self, index: u32, functions: Vec<u32>) {
        self.begin_function(index);
        self.frame.next = 1;
        self.frame.max = 1;
        for function in functions {
            self.emit(Instr::Call { function, args: 0, count: 0, dst: 0 });
        }
        self.emit(Instr::Return { src: 0 });
        self.end_function(index, 0);
    }

    /// The address of a function without a prototype, in a register, becomes one of a function
    /// that takes arguments.
    pub(super) fn lose_prototype(&mut self, reg: Reg) {
        if let Some(&Instr::Const { dst, value }) = self.out.code.last()
            && dst == reg
            && !self.runtime
        {
            self.old_style.push((Loc(value as u64).block().number(), self.pos));
        }
    }

    /// Thread-specific storage is given back, if the program uses any.
    pub(super) fn run_destructors(&mut self, early: bool) {
        if let (Some(true), Some(Symbol::Function(end))) =
            (self.known.as_ref().map(|k| k.keys), self.linked.get("__lineal_end_thread").cloned())
        {
            let (early, dst) = (self.constant(u64::from(early)), self.temp());
            self.emit(Instr::Call { function: end, args: early, count: 1, dst });
        }
    }

    /// `main` exists, everything called is defined; then the stubs that threads start in.
    pub(super) fn finish(&mut self) {
        for (index, info) in self.functions.clone().iter().enumerate() {
            if let (false, Some(pos)) = (info.defined, info.called_at) {
                let f = &mut self.out.functions[index];
                f.unprototyped = info.ty.unspecified;
                let why = format!(
                    "the function `{}` is called, but not defined in the files given, and Lineal has none of this name",
                    f.name
                );
                (self.pos, self.runtime) = (pos, false);
                let hidden = usize::from(matches!(info.ty.ret.ty, Ty::Record(_)));
                self.refuse_calls(index as u32, (hidden + info.ty.params.len()) as u16, &why);
            }
        }
        for (f, pos) in std::mem::take(&mut self.old_style) {
            if self.out.functions[f as usize].unprototyped {
                let name = &self.out.functions[f as usize].name;
                let text =
                    format!("`{name}` is defined without parameters and called with some, which it ignores");
                self.runtime = false;
                self.warn_at(pos, "L0115", text, &format!("write `{name}(void *argument)`"));
            }
        }
        for (i, info) in self.globals.clone().iter().enumerate() {
            if let (false, Some(_)) = (info.exists, info.used) {
                self.out.globals[i].missing = true;
            }
            self.out.globals[i].constant |= is_constant(&info.ty);
            // A tentative definition of an array without a size has one element.
            if self.out.globals[i].bytes.is_empty()
                && let Ty::Array(element, None) = &info.ty.ty
            {
                let ty = QTy { ty: Ty::Array(element.clone(), Some(1)), quals: info.ty.quals };
                self.set_global(i as u32, ty, None);
            }
        }
        let main = match self.linked.get("main").cloned() {
            Some(Symbol::Function(f)) if self.functions[f as usize].defined => {
                let info = &self.functions[f as usize];
                let fits =
                    matches!(info.ty.ret.ty, Ty::Void | Ty::Int(_)) && matches!(info.ty.params.len(), 0 | 2);
                if !fits {
                    let _ = self.error_at(
                        self.main_at,
                        "L0103",
                        "`main` must return int and take no arguments or two",
                    );
                }
                f
            }
            _ => {
                if self.errors == 0 {
                    let d = Diagnostic::error("L0105", "there is no function `main`")
                        .help("`lineal verify` checks a closed program: give a file with a `main` that starts the threads");
                    self.diagnostics.push(d);
                }
                return;
            }
        };
        if self.errors > 0 {
            return;
        }
        self.stubs(main);
        self.tls();
        let mut layouts = Vec::new();
        let globals = self.out.globals.len();
        for i in 0..globals {
            layouts.push(self.records.layout(&self.globals[i].ty.clone()));
        }
        // Typed heap layouts were numbered behind a gap that globals fill.
        let heap = std::mem::take(&mut self.out.layouts);
        layouts.extend(heap);
        self.out.layouts = layouts;
        for instr in &mut self.out.code {
            if let Instr::Alloc { layout: lineal_model::program::instr::AllocLayout::Typed(id), .. } = instr {
                *id += globals as u32;
            }
        }
        self.out.shapes =
            std::mem::take(&mut self.out.shapes).into_iter().map(|(k, v)| (k + globals as u32, v)).collect();
        self.out.results.values_mut().for_each(|layout| *layout += globals as u32);
        self.out.main = 2;
        self.out.start = 1;
    }
}

/// Nobody may write to an object of this type, whatever the pointer.
fn is_constant(ty: &QTy) -> bool {
    ty.quals.konst || matches!(&ty.ty, Ty::Array(element, _) if is_constant(element))
}
