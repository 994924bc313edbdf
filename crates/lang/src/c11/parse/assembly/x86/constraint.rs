//! What a constraint says of its operand.
//!
//! Letters of GCC for x86: registers, memory, constants, `=@ccz` for the zero flag, a number or `[name]` for
//! the place of an output. Several alternatives, and letters for registers that no instruction here
//! has (`x`, `t`, `A`), are not read.

use super::*;

#[derive(Clone)]
pub(super) struct Constraint {
    /// `+`, or an input.
    pub reads: bool,
    /// Written before all inputs were read: `&`.
    pub early: bool,
    pub memory: bool,
    pub register: bool,
    /// Perhaps a number in the text.
    pub immediate: bool,
    /// The register, if the letter names one.
    pub fixed: Option<char>,
    /// The output whose place it shares.
    pub tied: Option<usize>,
    /// A flag of the processor, and whether it is wanted the other way round.
    pub flag: Option<bool>,
}

impl Constraint {
    /// In memory, and nowhere else.
    pub fn in_memory(&self) -> bool {
        self.memory && !self.register
    }
}

pub(super) fn read(text: &str, output: bool, outputs: &[Operand]) -> Option<Constraint> {
    let mut c = Constraint {
        reads: !output,
        early: false,
        memory: false,
        register: false,
        immediate: false,
        fixed: None,
        tied: None,
        flag: None,
    };
    let mut rest = text.trim();
    if output {
        c.reads = rest.starts_with('+');
        rest = rest.strip_prefix(['+', '='])?;
        if let Some(flag) = rest.strip_prefix("@cc") {
            c.flag = Some(negated(flag)?);
            return (!c.reads).then_some(c);
        }
    }
    if let Some(behind) = rest.strip_prefix('&') {
        (c.early, rest) = (output, behind);
    }
    if let Some(name) = rest.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        c.tied = Some(outputs.iter().position(|o| o.name.as_deref() == Some(name))?);
    } else if let Ok(number) = rest.parse::<usize>() {
        c.tied = Some(number).filter(|&n| n < outputs.len());
        c.tied?;
    }
    if c.tied.is_some() {
        c.register = true;
        return (!output).then_some(c);
    }
    for letter in rest.chars() {
        match letter {
            'a' | 'b' | 'c' | 'd' | 'S' | 'D' => {
                c.fixed = if c.register { return None } else { Some(letter) };
                c.register = true;
            }
            'r' | 'q' | 'Q' | 'R' | 'l' => {
                c.fixed = None;
                c.register = true;
            }
            'm' | 'o' => c.memory = true,
            'i' | 'n' | 'e' | 'Z' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' => c.immediate = true,
            'g' => (c.register, c.memory, c.immediate) = (true, true, true),
            _ => return None,
        }
    }
    (c.register || c.memory || c.immediate && !output).then_some(c)
}

/// Whether a condition is that the result was not zero; `None`: it looks at another flag.
pub(super) fn negated(condition: &str) -> Option<bool> {
    match condition {
        "z" | "e" => Some(false),
        "nz" | "ne" => Some(true),
        _ => None,
    }
}
