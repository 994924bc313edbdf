//! One instruction of a thread, with what is known of its registers.

use super::owner::{Label, Owner};
use super::value::Known;
use super::walk::{Next, State, Use, Walk};
use lineal_model::program::{Instr, IntKind, Reg, flow};
use lineal_model::run::{BlockId, Loc, Mode};

/// Functions that take a mutex or give it back, and return only then.
const LOCKS: [&str; 4] = ["pthread_mutex_lock", "pthread_mutex_unlock", "mtx_lock", "mtx_unlock"];
/// The same instruction's blocks are told apart up to so many.
const BLOCKS: u32 = 8;

impl Walk<'_> {
    pub fn step(&mut self, state: &mut State, since: &mut Vec<u32>) -> Next {
        let pc = state.pc;
        let instr = self.machine.program.code[pc as usize];
        let reg = |state: &State, r: Reg| state.frames[state.frames.len() - 1].regs[usize::from(r)];
        let args = |state: &State, first: Reg, count: u8| -> Vec<Known> {
            (first..first + u16::from(count)).map(|r| reg(state, r)).collect()
        };
        match instr {
            Instr::Const { dst, value } => set(state, dst, Known::Number(value as u64)),
            Instr::Move { dst, src } => set(state, dst, reg(state, src)),
            Instr::Extend { kind, dst, src } => {
                let value = match reg(state, src) {
                    Known::Number(n) => Known::Number(kind.extend(n)),
                    other if matches!(kind, IntKind::I64 | IntKind::U64) => other,
                    _ => Known::Nothing,
                };
                set(state, dst, value);
            }
            Instr::Un { op, kind, dst, a } => set(state, dst, reg(state, a).unary(op, kind)),
            Instr::Bin { op, kind, dst, a, b } => {
                set(state, dst, reg(state, a).binary(op, kind, reg(state, b)));
            }
            Instr::FrameAddr { dst, .. } | Instr::TlsAddr { dst, .. } => set(state, dst, Known::Private),
            Instr::Jump { to } => {
                state.pc = to;
                return if to <= pc { Next::Meet } else { Next::On };
            }
            Instr::BranchZero { cond, to } => match reg(state, cond) {
                Known::Number(0) => {
                    state.pc = to;
                    return if to <= pc { Next::Meet } else { Next::On };
                }
                Known::Number(_) | Known::Block { .. } | Known::Private => {}
                Known::Nothing => {
                    state.pc = pc + 1;
                    return Next::Part(to);
                }
            },
            Instr::LoopHead { index } => {
                for &r in &self.machine.program.loops[index as usize].dead {
                    set(state, r, Known::Number(0));
                }
                state.pc = pc + 1;
                return Next::Meet;
            }
            Instr::Call { function, args: first, count, dst } => {
                let args = args(state, first, count);
                return self.call(state, function, &args, dst);
            }
            Instr::CallPointer { pointer, args: first, count, dst } => {
                let args = args(state, first, count);
                return match function_at(reg(state, pointer)) {
                    Some(function) => self.call(state, function, &args, dst),
                    None => self.lost("it calls a function through a pointer that is not known", pc),
                };
            }
            Instr::Return { src } => return self.back(state, since, reg(state, src)),
            Instr::ReturnNothing => return self.back(state, since, Known::Number(0)),
            Instr::ThreadExit { .. } | Instr::Exit if self.counted.is_some() => {
                return self.lost("a thread ends in the middle", pc);
            }
            Instr::ThreadExit { .. } => return self.end(state, since),
            Instr::Exit | Instr::Fail { .. } | Instr::Refuse { .. } => return Next::Stop,
            Instr::Fence { mode: Mode::SeqCst } => state.last = None,
            Instr::Create { dst, function, argument } => {
                let Some(function) = function_at(reg(state, function)) else {
                    return self.lost("it starts a thread of which it is not known what it does", pc);
                };
                if self.counted.is_some() {
                    let args = [reg(state, argument)];
                    return self.call(state, function, &args, dst);
                }
                self.create(state, since, function, reg(state, argument));
                set(state, dst, Known::Nothing);
            }
            Instr::Join { dst, .. } => {
                self.join(state, since);
                set(state, dst, Known::Nothing);
            }
            Instr::Alloc { dst, .. } => {
                let nth = state.allocated.entry(pc).or_default();
                *nth = (*nth + 1).min(BLOCKS + 1);
                let block =
                    if *nth > BLOCKS { Known::Nothing } else { Known::Block { pc, nth: *nth, offset: 0 } };
                set(state, dst, block);
            }
            _ => {
                let (addresses, atomic) = accessed(&instr);
                for addr in addresses.into_iter().flatten() {
                    self.access(state, since, reg(state, addr), atomic);
                }
                for dst in flow::effects(&instr).0 {
                    set(state, dst, Known::Nothing);
                }
            }
        }
        state.pc = pc + 1;
        Next::On
    }

    fn lost(&mut self, why: &str, pc: u32) -> Next {
        self.lose(why, Some(pc));
        Next::Stop
    }

    fn call(&mut self, state: &mut State, function: u32, args: &[Known], dst: Reg) -> Next {
        let pc = state.pc;
        if state.frames.iter().any(|f| f.function == function) {
            return self.lost("a function calls itself", pc);
        }
        let caller = match &state.frames.last().expect("a thread has a frame").owner {
            // What the system calls back is not the system's.
            Owner::System if !self.functions.get(function).runtime => Owner::Client,
            other => other.clone(),
        };
        let owner = match self.functions.called(function, &caller, args) {
            Ok(owner) => owner,
            Err(library) => {
                let name = self.functions.get(function).name.clone();
                self.found.undeclared.insert(self.site(state), (library, name));
                Owner::Library(library, None)
            }
        };
        if let Some((library, entry)) = self.functions.entry(function)
            && entry.setup
        {
            self.found.set_up.insert(library);
            if state.others != Some(0) {
                self.found.late.insert(library);
            }
        }
        if let (Some(most), Owner::Library(n, object)) = (self.counted, &owner)
            && !matches!(&caller, Owner::Library(m, _) if m == n)
        {
            let calls = state.calls.entry(Label::Library(*n, object.clone())).or_default();
            *calls = (*calls + 1).min(most);
        }
        let frame = self.frame(function, owner, args, pc + 1, dst);
        state.frames.push(frame);
        state.pc = self.functions.get(function).entry;
        Next::On
    }

    fn back(&mut self, state: &mut State, since: &[u32], value: Known) -> Next {
        let frame = state.frames.pop().expect("a thread has a frame");
        if state.frames.is_empty() {
            state.frames.push(frame);
            return self.end(state, since);
        }
        state.pc = frame.back;
        set(state, frame.dst, value);
        Next::On
    }

    fn end(&mut self, state: &State, since: &[u32]) -> Next {
        // Nobody joins the main thread.
        if state.frames[0].function == self.machine.program.main {
            self.found.counts.insert(state.calls.clone());
            return Next::Stop;
        }
        if let Some(last) = &state.last {
            self.ends.entry(last.clone()).or_insert_with(|| since.to_vec());
        }
        Next::Stop
    }

    /// What the creator did comes before all the new thread does: a fence has to stand on both sides,
    /// unless the creator did nothing yet.
    fn create(&mut self, state: &mut State, since: &[u32], function: u32, argument: Known) {
        state.others = state.others.filter(|n| self.flat && *n < 60).map(|n| n + 1);
        self.found.nested |= state.frames[0].function != self.machine.program.main;
        let here = Use { label: Label::Start, site: self.site(state) };
        if let Some(last) = &state.last {
            self.crosses(last.clone(), here.clone(), since);
        }
        // Private memory is private to its thread.
        let argument = if argument == Known::Private { Known::Nothing } else { argument };
        let child = State {
            frames: vec![self.frame(function, self.thread_owner(function), &[argument], 0, 0)],
            pc: self.functions.get(function).entry,
            last: state.active.then_some(here),
            active: state.active,
            joined: state.joined,
            others: None,
            allocated: state.allocated.clone(),
            calls: state.calls.clone(),
        };
        self.open.push_back((child, Vec::new()));
    }

    fn thread_owner(&self, function: u32) -> Owner {
        self.functions.called(function, &Owner::Client, &[]).unwrap_or(Owner::Client)
    }

    /// The main thread may be alone again. Else what the other thread did comes before all that follows,
    /// and a fence has to stand on both sides, should anything be used then.
    fn join(&mut self, state: &mut State, since: &mut Vec<u32>) {
        if let Some(n) = state.others.filter(|n| *n > 0) {
            state.others = Some(n - 1);
        }
        if state.others == Some(0) {
            (state.last, state.active, state.joined) = (None, false, None);
        } else if self.busy {
            let here = Use { label: Label::Join, site: self.site(state) };
            state.joined.get_or_insert(here.site);
            (state.last, state.active) = (Some(here), true);
            since.clear();
        }
    }

    fn access(&mut self, state: &mut State, since: &mut Vec<u32>, at: Known, atomic: bool) {
        let top = state.frames.last().expect("a thread has a frame");
        if self.counted.is_some()
            || at == Known::Private
            || state.others == Some(0)
            || self.functions.is_constant(at)
        {
            return;
        }
        if self.is_own(top) {
            if let Some(library) = self.functions.library_at(at) {
                self.found.touches.insert(state.pc, library);
            }
            if let Known::Number(address) = at {
                self.found.accessed.insert(state.pc, address);
            }
            self.found.plain |= !atomic;
        }
        if !atomic {
            return;
        }
        let at = if at.is_one() { at } else { Known::Nothing };
        let (label, lock) = match &top.owner {
            Owner::Library(n, object) => (Label::Library(*n, object.clone()), self.functions.is_lock(*n)),
            Owner::System => (Label::System(at), LOCKS.contains(&&*self.system_function(state))),
            Owner::Client => (Label::Variable(at), false),
        };
        if let Known::Number(address) = at {
            self.found.shared.entry(address).or_default().insert(label.clone());
        }
        *self.found.used.entry(label.clone()).or_insert(true) &= lock;
        let now = Use { label, site: self.site(state) };
        if let Some(site) = state.joined {
            let ends: Vec<_> = self.ends.iter().map(|(last, path)| (last.clone(), path.clone())).collect();
            for (last, path) in ends {
                self.crosses(last, Use { label: Label::Join, site }, &path);
            }
        }
        if let Some(last) = &state.last
            && !last.label.is_same(&now.label)
        {
            if let (Label::System(_), Label::System(_), true) = (&last.label, &now.label, since.is_empty()) {
                let name = self.system_function(state);
                self.found.system.insert(name);
            } else {
                self.crosses(last.clone(), now.clone(), since);
            }
        }
        (state.last, state.active) = (Some(now), true);
        self.busy |= state.frames[0].function != self.machine.program.main;
        since.clear();
    }

    fn crosses(&mut self, last: Use, now: Use, since: &[u32]) {
        let between = || since.iter().copied().collect();
        self.found.crossings.entry((last, now)).or_insert_with(between);
    }

    /// What the client called of the system.
    fn system_function(&self, state: &State) -> String {
        let outermost = state.frames.iter().find(|f| f.owner == Owner::System);
        outermost.map_or(String::new(), |f| self.functions.get(f.function).name.clone())
    }
}

fn set(state: &mut State, dst: Reg, value: Known) {
    let top = state.frames.last_mut().expect("a thread has a frame");
    if let Some(place) = top.regs.get_mut(usize::from(dst)) {
        *place = value;
    }
}

fn function_at(address: Known) -> Option<u32> {
    let Known::Number(address) = address else { return None };
    let block = Loc(address).block();
    (block.owner() == BlockId::CODE_OWNER).then(|| block.number())
}

/// The registers with addresses, and whether the access is atomic.
fn accessed(instr: &Instr) -> ([Option<Reg>; 2], bool) {
    match *instr {
        Instr::Load { mode, addr, .. }
        | Instr::Store { mode, addr, .. }
        | Instr::Fetch { mode, addr, .. } => ([Some(addr), None], mode.is_atomic()),
        Instr::Cas { addr, .. }
        | Instr::Await { addr, .. }
        | Instr::AwaitAdd { addr, .. }
        | Instr::AwaitFetch { addr, .. }
        | Instr::AwaitCas { addr, .. } => ([Some(addr), None], true),
        Instr::Copy { to, from, .. } | Instr::CopyMany { to, from, .. } => ([Some(to), Some(from)], false),
        Instr::Fill { to, .. } => ([Some(to), None], false),
        _ => ([None, None], false),
    }
}
