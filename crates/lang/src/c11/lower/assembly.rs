//! Inline assembly, as far as it is modelled.
//!
//! - An empty template computes nothing: operands are evaluated as the compiler would, an output that
//!   shares the place of an input gets its value, and the rest is a barrier for the compiler alone.
//!   That orders nothing between threads, so it is no event.
//! - Hints to the processor (`pause`, `yield`, `nop`) do nothing.
//! - Fences without operands become fences: x86's `mfence` and the `lock`ed additions of nothing, and
//!   Arm's `dmb ish`, `dmb sy` and `dsb` are sequentially consistent ones; `lfence` and `dmb ishld` acquire.
//!   `sfence` releases, because on x86 nothing else could be overtaken by a store; Arm's `dmb ishst` does
//!   less than that and is refused.
//!
//! Everything else is refused, by its first words.

use super::*;
use lineal_model::run::Mode;

/// What a template does.
enum Effect {
    Nothing,
    Fence(Mode),
    Other,
}

impl Lower<'_> {
    pub(super) fn assembly(&mut self, asm: &Assembly) -> Lowered<()> {
        let pos = self.pos;
        let template = asm.template.to_ascii_lowercase();
        let template = template.split_whitespace().collect::<Vec<_>>().join(" ");
        if template.is_empty() {
            return self.empty_assembly(asm);
        }
        // An operand of a hint or a fence says which memory is meant; it is not accessed.
        let by_reference =
            asm.inputs.iter().chain(&asm.outputs).all(|o| o.constraint.trim_start_matches(['+', '=']) == "m");
        match effect(&template) {
            Effect::Nothing if by_reference => Ok(()),
            Effect::Fence(mode) if by_reference => {
                self.pos = pos;
                self.emit(Instr::Fence { mode });
                Ok(())
            }
            _ => {
                let words: Vec<&str> = template.split([' ', '\t']).take(3).collect();
                self.refuse(&format!("the inline assembly `{}`", words.join(" ")))
            }
        }
    }

    fn empty_assembly(&mut self, asm: &Assembly) -> Lowered<()> {
        let mut inputs = Vec::new();
        for input in &asm.inputs {
            // What only has to be in memory is not loaded.
            let v = match input.constraint.as_str() {
                "m" => None,
                _ => Some(self.value(&input.value)?),
            };
            inputs.push(v);
        }
        for (number, output) in asm.outputs.iter().enumerate() {
            let constraint = output.constraint.trim_start_matches('&');
            if let Some(rest) = constraint.strip_prefix('+') {
                if rest.contains('m') && !rest.contains(['r', 'q', 'g']) {
                    continue;
                }
                let spot = self.spot(&output.value)?;
                let v = self.load(spot.clone())?;
                // The compiler does not know the value any more; it is the same.
                self.store(&spot, &v)?;
                continue;
            }
            let mine = number.to_string();
            let shares = |o: &Operand| {
                let named = output.name.as_ref().is_some_and(|n| o.constraint == format!("[{n}]"));
                o.constraint == mine || named
            };
            let source = asm.inputs.iter().position(shares).and_then(|i| inputs[i].clone());
            let Some(v) = source else {
                return self.refuse("inline assembly whose result nothing determines");
            };
            let spot = self.spot(&output.value)?;
            let ty = self.spot_type(&spot);
            let v = self.convert(v, &ty)?;
            self.store(&spot, &v)?;
        }
        Ok(())
    }
}

fn effect(template: &str) -> Effect {
    let words = template.trim_end_matches(';').replace("%%", "%");
    let words = words.replace("lock;", "lock").replace("rep;", "rep").replace(", ", ",");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.as_str() {
        "nop" | "pause" | "yield" | "rep nop" | "isb" | "isb sy" => Effect::Nothing,
        "mfence" | "dmb ish" | "dmb sy" | "dmb" | "dsb ish" | "dsb sy" | "dsb" => Effect::Fence(Mode::SeqCst),
        "lock addl $0,(%rsp)"
        | "lock addl $0,0(%rsp)"
        | "lock orl $0,(%rsp)"
        | "lock orl $0,0(%rsp)"
        | "lock addl $0,(%esp)"
        | "lock addl $0,0(%esp)"
        | "lock addl $0,-4(%rsp)"
        | "lock addl $0,-128(%rsp)"
        | "lock addl $0x0,(%rsp)"
        | "lock addl $0x0,(%esp)"
        | "lock orq $0,(%rsp)"
        | "lock addq $0,0(%rsp)" => Effect::Fence(Mode::SeqCst),
        "lfence" | "dmb ishld" => Effect::Fence(Mode::Acquire),
        "sfence" => Effect::Fence(Mode::Release),
        _ => Effect::Other,
    }
}
