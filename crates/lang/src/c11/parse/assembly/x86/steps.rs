//! What each instruction does.

use super::template::Instruction;
use super::*;

pub(super) enum Step {
    Effect(Effect, bool),
    SystemCall,
    Instruction(Instruction, bool),
}

impl Reader<'_, '_> {
    pub(super) fn step(&mut self, step: &Step) -> Read<()> {
        match step {
            Step::Effect(Effect::Nothing, _) => Ok(()),
            Step::Effect(_, _) if !self.assembly.memory => Err(Why::Named(UNTOLD_FENCE)),
            Step::Effect(effect, locked) => {
                if *locked {
                    // An addition, if only of nothing, sets the flags.
                    self.zero = None;
                }
                let order = match effect {
                    Effect::Acquire => 2,
                    Effect::Release => 3,
                    _ => 5,
                };
                let order = self.number(order);
                let fence = self.call("__atomic_thread_fence", vec![order])?;
                self.run(fence);
                Ok(())
            }
            Step::SystemCall => self.system_call(),
            Step::Instruction(i, locked) => self.instruction(i, *locked),
        }
    }

    fn instruction(&mut self, i: &Instruction, locked: bool) -> Read<()> {
        if let Some(negated) = template::set(&i.name) {
            return match (&i.places[..], locked) {
                ([place], false) => self.set(*place, negated),
                _ => Err(Why::Unknown),
            };
        }
        match (i.name.as_str(), locked, &i.places[..]) {
            ("cmpxchg", true, &[source, memory]) => self.compare_and_swap(i, source, memory),
            ("xadd", true, &[register, memory]) => {
                self.sized(i, memory)?;
                let value = self.value(register)?;
                let address = self.address(memory, true, true)?;
                let old = self.update("fetch_and_add", "fetch_add", address, value)?;
                let old = self.hold(old);
                // The flags are those of the sum, which nobody has asked for yet.
                self.zero = None;
                self.leave_all(register, old)
            }
            ("xchg", _, &[first, second]) => {
                let (register, memory) =
                    if self.in_memory(second) { (first, second) } else { (second, first) };
                self.sized(i, memory)?;
                let value = self.value(register)?;
                let address = self.address(memory, true, true)?;
                let order = self.number(if self.assembly.memory { 5 } else { 0 });
                self.fence()?;
                let old = self.call("__atomic_exchange_n", vec![address, value, order])?;
                let old = self.hold(old);
                self.fence()?;
                self.leave_all(register, old)
            }
            ("add" | "sub" | "and" | "or" | "xor", true, &[source, memory]) => {
                self.sized(i, memory)?;
                let value = self.value(source)?;
                self.arithmetic(&i.name, memory, value)
            }
            ("inc" | "dec" | "not", true, &[memory]) => {
                self.sized(i, memory)?;
                let number = self.number(if i.name == "not" { -1 } else { 1 });
                let number = self.in_its_type(number)?;
                match i.name.as_str() {
                    "inc" => self.arithmetic("add", memory, number),
                    "dec" => self.arithmetic("sub", memory, number),
                    // It alone leaves the flags as they are.
                    _ => {
                        let before = self.zero.take();
                        self.arithmetic("xor", memory, number)?;
                        self.zero = before;
                        Ok(())
                    }
                }
            }
            ("mov", false, &[from, to]) => self.move_word(i, from, to),
            ("cmpxchg" | "xadd" | "add" | "sub" | "and" | "or" | "xor" | "inc" | "dec" | "not", false, _) => {
                Err(Why::Named("an instruction without `lock`, which is not atomic, in inline assembly"))
            }
            _ => Err(Why::Unknown),
        }
    }

    /// A read-modify-write: a full barrier, if the compiler knows of it.
    fn update(&mut self, sync: &str, relaxed: &str, address: Expr, value: Expr) -> Read<Expr> {
        if self.assembly.memory {
            return self.call(&format!("__sync_{sync}"), vec![address, value]);
        }
        let order = self.number(0);
        self.call(&format!("__atomic_{relaxed}"), vec![address, value, order])
    }

    fn fence(&mut self) -> Read<()> {
        if self.assembly.memory {
            let fence = self.call("__sync_synchronize", vec![])?;
            self.run(fence);
        }
        Ok(())
    }

    fn arithmetic(&mut self, name: &str, memory: Place, value: Expr) -> Read<()> {
        let address = self.address(memory, true, true)?;
        if !self.asked {
            let whole =
                self.update(&format!("fetch_and_{name}"), &format!("fetch_{name}"), address, value)?;
            self.run(whole);
            return Ok(());
        }
        let result = self.update(&format!("{name}_and_fetch"), &format!("{name}_fetch"), address, value)?;
        let result = self.hold(result);
        let result = self.name(&result)?;
        let zero = self.unary(Unary::Not, result)?;
        self.zero = Some(self.hold(zero));
        Ok(())
    }

    /// `cmpxchg %src, %mem`: the value to be found is in the accumulator, where the one that was
    /// found comes to stand.
    fn compare_and_swap(&mut self, i: &Instruction, source: Place, memory: Place) -> Read<()> {
        self.sized(i, memory)?;
        let accumulator = self.accumulator()?;
        let wanted = self.value(Place::Operand(accumulator, None))?;
        let wanted = self.hold(wanted);
        let new = self.value(source)?;
        let address = self.address(memory, true, true)?;
        let want = self.name(&wanted)?;
        let found = if self.assembly.memory {
            let found = self.call("__sync_val_compare_and_swap", vec![address, want.clone(), new])?;
            let found = self.hold(found);
            if self.asked {
                let old = self.name(&found)?;
                let equal = self.binary(Binary::Eq, old, want)?;
                self.zero = Some(self.hold(equal));
            }
            found
        } else {
            let found = self.hold(want);
            let place = self.name(&found)?;
            let place = self.unary(Unary::AddressOf, place)?;
            let none = self.number(0);
            let arguments = vec![address, place, new, none.clone(), none.clone(), none];
            let done = self.call("__atomic_compare_exchange_n", arguments)?;
            self.zero = Some(self.hold(done));
            found
        };
        let (_, width) = self.memory.clone().ok_or(Why::Unknown)?;
        self.leave(accumulator, Held { name: found, width })
    }

    fn move_word(&mut self, i: &Instruction, from: Place, to: Place) -> Read<()> {
        let told = self.assembly.memory;
        match (self.in_memory(from), self.in_memory(to)) {
            (false, true) => {
                self.sized(i, to)?;
                let value = self.value(from)?;
                let address = self.address(to, false, true)?;
                let order = self.number(if told { 3 } else { 0 });
                let whole = self.call("__atomic_store_n", vec![address, value, order])?;
                self.run(whole);
                Ok(())
            }
            (true, false) => {
                self.sized(i, from)?;
                if let Place::Operand(n, _) = to {
                    self.same_size(Width::Own(n), false)?;
                }
                let address = self.address(from, true, false)?;
                let order = self.number(if told { 2 } else { 0 });
                let loaded = self.call("__atomic_load_n", vec![address, order])?;
                let loaded = self.hold(loaded);
                self.leave_all(to, loaded)
            }
            _ => Err(Why::Unknown),
        }
    }

    /// Whether the last result was zero.
    pub(super) fn flag(&mut self, negated: bool) -> Read<Expr> {
        let unset = Why::Named("inline assembly that asks for a flag which no instruction has set");
        let zero = self.zero.clone().ok_or(unset)?;
        let zero = self.name(&zero)?;
        if negated { self.unary(Unary::Not, zero) } else { Ok(zero) }
    }

    /// `setz`: one byte, of a register that may have more.
    fn set(&mut self, place: Place, negated: bool) -> Read<()> {
        let Place::Operand(n, part) = place else { return Err(Why::Unknown) };
        if self.constraints[n].in_memory() || part.is_some_and(|bytes| bytes != 1) {
            return Err(Why::Unknown);
        }
        let flag = self.flag(negated)?;
        let name = self.hold(flag);
        self.leave(self.register(n), Held { name, width: Width::Byte })
    }

    /// The number is in `rax`, where the result comes to stand, the arguments in `rdi`, `rsi`, `rdx`, and
    /// then in variables that are bound to `r10`, `r8` and `r9`.
    fn system_call(&mut self) -> Read<()> {
        if !self.assembly.memory {
            return Err(Why::Named("a system call in inline assembly that does not clobber \"memory\""));
        }
        let outputs = self.assembly.outputs.len();
        let accumulator = self.accumulator()?;
        let mut inputs: Vec<usize> = (outputs..self.constraints.len()).collect();
        inputs.retain(|&n| self.register(n) != accumulator);
        let mut order = vec![accumulator];
        for wanted in ["D", "S", "d", "r10", "r8", "r9"] {
            let Some(at) = inputs.iter().position(|&n| self.is_in(n, wanted)) else { break };
            order.push(inputs.remove(at));
        }
        if !inputs.is_empty() {
            return Err(Why::Unknown);
        }
        let mut arguments = Vec::new();
        for n in order {
            self.undisturbed(n)?;
            let held = self.registers[self.register(n)].clone().ok_or(Why::Unknown)?;
            arguments.push(self.name(&held.name)?);
        }
        let result = self.call("__lineal_system_call", arguments)?;
        let name = self.hold(result);
        self.zero = None;
        self.leave(accumulator, Held { name, width: Width::Own(accumulator) })
    }

    /// Whether an operand is in that register: by its letter, or because its variable is bound to it.
    fn is_in(&self, n: usize, register: &str) -> bool {
        let operand = self.operand(n);
        if operand.constraint == register {
            return true;
        }
        let ExprKind::Ident(name) = &operand.value.kind else { return false };
        let bound = matches!(self.parser.named(name), Some(Named::Register(r)) if &**r == register);
        bound && operand.constraint == "r"
    }
}

const UNTOLD_FENCE: &str =
    "a fence in inline assembly without \"memory\", which the compiler may move accesses across,";
