//! The instructions of x86 that headers write atomic operations with, as what they are.
//!
//! | template | becomes |
//! | --- | --- |
//! | `lock; cmpxchg %src, %mem` | a compare-and-swap |
//! | `xchg %reg, %mem` | an exchange |
//! | `lock; xadd %reg, %mem` | fetch-and-add |
//! | `lock; add`, `sub`, `and`, `or`, `xor`, `inc`, `dec`, `not` on memory | the same, without a result |
//! | `setz`, `sete`, `setnz`, `setne` behind one of these, or an output `=@ccz` | whether its result was zero |
//! | `mov %reg, %mem`, `mov %mem, %reg` | a release store, an acquire load |
//! | `mfence`, `lock; orl $0, (%rsp)` and kin beside one of these | a full barrier |
//! | `syscall` with its registers as Linux wants them | a system call |
//!
//! What is locked is a full barrier as well, like GCC's `__sync_*`; a plain `mov` is stronger on x86
//! than a release or an acquire, so more may happen here than on the processor, never less. All this
//! binds the processor alone: without `"memory"` among the clobbers the compiler may move other accesses
//! across, and then the operations are relaxed ones, and a fence is refused.
//!
//! Operands are evaluated as GCC does: addresses of outputs and values of inputs once, before the first
//! instruction, into variables of the operands' own types; outputs are assigned behind the last. Registers are
//! variables in between, so that an output which a later instruction reads has the value it got.
//!
//! Whatever is not exactly that is refused where it is reached: an instruction without `lock` that is not
//! atomic, a suffix, a register or a modifier of another size than the memory (without any of them the
//! assembler takes four bytes), values that are not integers or pointers, an output that no
//! instruction writes, an input that one changes, an input that is read when an output without `&`
//! may have taken its register, memory that the compiler is not told of, and assembly that it may
//! leave out, since it is not `volatile` and has outputs.

mod build;
mod constraint;
mod operand;
mod steps;
mod template;

use super::super::*;
use crate::c11::assembly::{Effect, effect, pieces};
use constraint::Constraint;
use template::Place;

/// Why a template is not read.
enum Why {
    /// It is refused by its first words.
    Unknown,
    Named(&'static str),
}

type Read<T> = Result<T, Why>;

/// What a register holds: a variable, and how many bytes of it are known.
#[derive(Clone)]
struct Held {
    name: Name,
    width: Width,
}

#[derive(Clone, Copy, PartialEq)]
enum Width {
    /// As many as the C value of this operand has.
    Own(usize),
    /// As many as this memory has.
    Memory(Place),
    Bytes(u64),
    /// All of an output of one byte.
    Byte,
}

struct Reader<'p, 'a> {
    parser: &'p mut Parser<'a>,
    assembly: &'p Assembly,
    pos: Pos,
    constraints: Vec<Constraint>,
    /// For outputs where they go, for memory its address.
    places: Vec<Option<Expr>>,
    /// By operand, or by the output that shares the register.
    registers: Vec<Option<Held>>,
    /// Outputs in registers that an instruction has written.
    written: Vec<usize>,
    /// Whether memory operands were accessed.
    accessed: Vec<bool>,
    /// The memory of the instruction that is being read: its address and its size.
    memory: Option<(Expr, Width)>,
    /// Whether the last result was zero, and whether anybody asks.
    zero: Option<Name>,
    asked: bool,
    items: Vec<Stmt>,
    /// What has to be so of the types.
    fits: Option<Expr>,
    fresh: usize,
}

impl Parser<'_> {
    /// The template as a statement, if all of it is modelled, or as a refusal that says why not.
    pub(super) fn x86(&mut self, assembly: &Assembly, pos: Pos) -> Option<StmtKind> {
        let count = assembly.outputs.len() + assembly.inputs.len();
        let mut reader = Reader {
            parser: self,
            assembly,
            pos,
            constraints: Vec::new(),
            places: vec![None; count],
            registers: vec![None; count],
            written: Vec::new(),
            accessed: vec![false; count],
            memory: None,
            zero: None,
            asked: false,
            items: Vec::new(),
            fits: None,
            fresh: 0,
        };
        match reader.whole() {
            Ok(e) => Some(StmtKind::Expr(e)),
            Err(Why::Named(what)) => Some(StmtKind::Refused(what)),
            Err(Why::Unknown) => None,
        }
    }
}

impl Reader<'_, '_> {
    fn whole(&mut self) -> Read<Expr> {
        let all = pieces(&self.assembly.template).ok_or(Why::Unknown)?;
        // Hints and fences alone are not ours.
        if all.iter().all(|&p| effect(p).is_some()) {
            return Err(Why::Unknown);
        }
        let mut steps = Vec::new();
        for piece in all {
            steps.push(match effect(piece) {
                Some(effect) => steps::Step::Effect(effect, piece.locked),
                None if !piece.locked && piece.text.eq_ignore_ascii_case("syscall") => {
                    steps::Step::SystemCall
                }
                None => {
                    let instruction = template::read(piece.text, self.assembly).ok_or(Why::Unknown)?;
                    steps::Step::Instruction(instruction, piece.locked)
                }
            });
        }
        self.set_up()?;
        let told =
            |s: &steps::Step| matches!(s, steps::Step::Instruction(i, _) if template::set(&i.name).is_some());
        self.asked = self.constraints.iter().any(|c| c.flag.is_some()) || steps.iter().any(told);
        for step in &steps {
            self.step(step)?;
        }
        self.hand_over()?;
        self.may_be_left_out()?;
        let block = Block { items: std::mem::take(&mut self.items), end: self.pos };
        let whole = self.make(ExprKind::Statements(Box::new(block)))?;
        let Some(fits) = self.fits.take() else { return Ok(whole) };
        let refused = "inline assembly with an operand of another size or type than the instruction says";
        let refused = self.make(ExprKind::Refused(refused))?;
        self.make(ExprKind::ChooseExpr(Box::new(fits), Box::new(whole), Box::new(refused)))
    }

    /// Addresses and values, once each, before anything is done.
    fn set_up(&mut self) -> Read<()> {
        let (assembly, outputs) = (self.assembly, self.assembly.outputs.len());
        for (n, operand) in assembly.outputs.iter().chain(&assembly.inputs).enumerate() {
            let read = constraint::read(&operand.constraint, n < outputs, &assembly.outputs);
            self.constraints.push(read.ok_or(Why::Unknown)?);
        }
        for (n, operand) in assembly.outputs.iter().enumerate() {
            let c = self.constraints[n].clone();
            let object = self.without_casts(&operand.value)?;
            let fixed = matches!(object.kind, ExprKind::Ident(_)) && !c.in_memory();
            let place = if fixed {
                object
            } else {
                let address = self.unary(Unary::AddressOf, object)?;
                let held = self.hold(address);
                let pointer = self.name(&held)?;
                if c.in_memory() { pointer } else { self.unary(Unary::Deref, pointer)? }
            };
            if !c.in_memory() && c.reads {
                let name = self.hold(place.clone());
                self.registers[n] = Some(Held { name, width: Width::Own(n) });
            }
            self.places[n] = Some(place);
        }
        for (i, operand) in assembly.inputs.iter().enumerate() {
            let n = outputs + i;
            if self.constraints[n].in_memory() {
                let address = self.unary(Unary::AddressOf, operand.value.clone())?;
                let held = self.hold(address);
                self.places[n] = Some(self.name(&held)?);
                continue;
            }
            let name = self.hold(operand.value.clone());
            let register = self.register(n);
            if self.constraints[register].in_memory() || self.constraints[register].flag.is_some() {
                return Err(Why::Unknown);
            }
            if register != n && self.constraints[n].tied.is_some() {
                // Both are one register, of one size.
                let (a, b) = (self.word(Width::Own(n))?, self.word(Width::Own(register))?);
                let same = self.binary(Binary::Eq, a, b)?;
                self.require(same)?;
            }
            let held = Held { name, width: Width::Own(n) };
            if self.registers[register].replace(held).is_some() {
                return Err(Why::Unknown);
            }
        }
        Ok(())
    }

    /// GCC lets an output be a cast that changes no size, and assigns to what is cast.
    fn without_casts(&mut self, value: &Expr) -> Read<Expr> {
        let mut object = value;
        while let ExprKind::Cast(_, inner) = &object.kind {
            object = inner;
        }
        if let ExprKind::Cast(..) = value.kind {
            let size = |r: &mut Self, e: &Expr| r.make(ExprKind::SizeofExpr(Box::new(e.clone())));
            let (cast, own) = (size(self, value)?, size(self, object)?);
            let same = self.binary(Binary::Eq, cast, own)?;
            self.require(same)?;
        }
        Ok(object.clone())
    }

    /// Outputs get what their registers hold.
    fn hand_over(&mut self) -> Read<()> {
        for n in 0..self.assembly.outputs.len() {
            let c = self.constraints[n].clone();
            let Some(place) = self.places[n].clone() else { continue };
            if c.in_memory() {
                // What nobody accesses is unchanged, if the compiler does not take it for overwritten.
                if !self.accessed[n] && !c.reads && !self.assembly.memory {
                    return Err(Why::Named("inline assembly that does not write an output"));
                }
                continue;
            }
            if let Some(negated) = c.flag {
                let value = self.flag(negated)?;
                self.assign(place, value)?;
                continue;
            }
            let Some(held) = self.registers[n].clone() else {
                return Err(Why::Named("inline assembly that does not write an output"));
            };
            let size = self.make(ExprKind::SizeofExpr(Box::new(self.assembly.outputs[n].value.clone())))?;
            let fits = match held.width {
                Width::Own(m) if m == n => None,
                Width::Byte => {
                    let one = self.number(1);
                    Some(self.binary(Binary::Eq, size, one)?)
                }
                width => {
                    let (own, known) = (self.word(Width::Own(n))?, self.word(width)?);
                    Some(self.binary(Binary::Eq, own, known)?)
                }
            };
            if let Some(fits) = fits {
                self.require(fits)?;
            }
            let value = self.name(&held.name)?;
            self.assign(place, value)?;
        }
        Ok(())
    }

    /// What is not volatile stays where it is if it writes memory that others may look at.
    fn may_be_left_out(&self) -> Read<()> {
        let outputs = 0..self.assembly.outputs.len();
        let writes = outputs.into_iter().any(|n| self.constraints[n].in_memory());
        match self.assembly.volatile || self.assembly.memory && writes {
            true => Ok(()),
            false => Err(Why::Named(
                "inline assembly that is not `volatile`, so that the compiler may move it or leave it out,",
            )),
        }
    }
}
