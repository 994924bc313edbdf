//! Inline assembly, as far as it is modelled.
//!
//! - An empty template computes nothing: operands are evaluated as the compiler would, an output that
//!   shares the place of an input gets its value, and the rest is a barrier for the compiler alone.
//!   That orders nothing between threads, so it is no event.
//! - Hints to the processor do nothing, and fences without operands become fences (`c11/assembly.rs`), if
//!   `"memory"` is among the clobbers: otherwise the compiler may move accesses across.
//!
//! Everything else is refused, by its first words.

use super::*;
use crate::c11::assembly::{Effect, effect, pieces};
use lineal_model::run::Mode;

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
        let effects: Option<Vec<Effect>> =
            pieces(&asm.template).and_then(|all| all.into_iter().map(effect).collect());
        let Some(effects) = effects.filter(|_| by_reference) else {
            let words: Vec<&str> = template.split([' ', '\t']).take(3).collect();
            return self.refuse(&format!("the inline assembly `{}`", words.join(" ")));
        };
        for effect in effects {
            let mode = match effect {
                Effect::Nothing => continue,
                Effect::Full => Mode::SeqCst,
                Effect::Acquire => Mode::Acquire,
                Effect::Release => Mode::Release,
            };
            if !asm.memory {
                return self.refuse(
                    "a fence in inline assembly without \"memory\", which the compiler may move accesses across,",
                );
            }
            self.pos = pos;
            self.emit(Instr::Fence { mode });
        }
        Ok(())
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
            if constraint.trim_start_matches(['=', '&']) == "m" && asm.memory {
                // Its address is known to the compiler, what is there stays.
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
            if self.records.size(&v.ty) != self.records.size(&ty.ty) {
                return self.refuse(
                    "inline assembly with an input of another size than the output it shares a place with",
                );
            }
            let v = self.convert(v, &ty)?;
            self.store(&spot, &v)?;
        }
        Ok(())
    }
}
