//! Thread-local storage: private to its thread, or, where its address gets about, a block that
//! each thread allocates when it starts.

use super::*;

impl Lower<'_> {
    pub(super) fn declare_thread_local(
        &mut self,
        specs: &Specs,
        name: &Name,
        ty: QTy,
        init: Option<&Initializer>,
    ) -> Lowered<()> {
        let known = match self.scopes[0].names.get(name).or_else(|| self.linked.get(name)) {
            Some(Symbol::ThreadLocal(i)) if self.at_file_scope() || specs.storage == Storage::Extern => {
                Some(*i)
            }
            _ => None,
        };
        let index = known.unwrap_or_else(|| {
            let i = self.thread_locals.len();
            let var = (u32::MAX, i as u32);
            let shared = self.known.as_ref().is_some_and(|k| k.escaped.contains(&Origin::Local(var)));
            self.thread_locals.push(ThreadLocalInfo {
                name: name.clone(),
                ty: ty.clone(),
                object: i as u16,
                shared,
                bytes: Vec::new(),
                var,
            });
            i
        });
        if specs.storage != Storage::Static {
            self.linked.insert(name.clone(), Symbol::ThreadLocal(index));
        }
        self.declare_name(name, Symbol::ThreadLocal(index))?;
        let (ty, bytes) = match init {
            Some(init) => self.static_init(&ty, init)?,
            None => {
                let size = self.size_of(&ty)?;
                (ty, vec![0; size as usize])
            }
        };
        if bytes.len() > 1 << 16 {
            return self.refuse("a thread-local variable of more than 64 KiB");
        }
        if init.is_some() || self.thread_locals[index].bytes.is_empty() {
            self.thread_locals[index].ty = ty;
            self.thread_locals[index].bytes = bytes;
        }
        Ok(())
    }

    /// The image of each thread's private thread-local memory.
    pub(super) fn tls(&mut self) {
        for t in &self.thread_locals {
            let bytes = if t.shared { vec![0; 8] } else { t.bytes.clone() };
            let offset = self.out.tls.len().next_multiple_of(8);
            self.out.tls.resize(offset, 0);
            self.out.tls.extend(&bytes);
            self.out.tls_objects.push((offset as u32, bytes.len() as u32));
        }
    }

    /// Code at the start of a thread: a shared thread-local gets its block.
    pub(super) fn start_thread_local(&mut self, t: &ThreadLocalInfo) {
        let size = self.constant(t.bytes.len() as u64);
        let layout = self.heap_layout(&t.ty, &t.name);
        let dst = self.temp();
        self.emit(Instr::Alloc {
            dst,
            size,
            zeroed: true,
            kind: lineal_model::run::BlockKind::Stack,
            layout: lineal_model::program::instr::AllocLayout::Typed(layout),
        });
        if t.bytes.iter().any(|b| *b != 0) {
            let image = self.new_global(&t.name, t.ty.clone(), Some(t.bytes.clone()));
            self.out.globals[image as usize].constant = true;
            let from = self.constant(self.global_address(image));
            self.emit(Instr::Copy { to: dst, from, size: t.bytes.len() as u32 });
        }
        let slot = self.temp();
        self.emit(Instr::TlsAddr { dst: slot, object: t.object });
        self.emit(Instr::Store {
            kind: IntKind::U64,
            mode: lineal_model::run::Mode::NonAtomic,
            addr: slot,
            src: dst,
        });
    }
}
