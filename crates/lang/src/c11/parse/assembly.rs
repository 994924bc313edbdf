//! Inline assembly: read here, judged where it is lowered; atomic operations of x86 become those of C.

mod x86;

use super::*;

impl Parser<'_> {
    /// `asm volatile ("template" : outputs : inputs : clobbers);`
    pub(super) fn assembly(&mut self) -> Parsed<StmtKind> {
        let pos = self.pos();
        self.bump();
        let (mut jumps, mut volatile) = (false, false);
        while let Some(word) = self.word() {
            match word {
                "volatile" | "__volatile__" | "__volatile" => volatile = true,
                "inline" | "__inline" | "__inline__" => {}
                "goto" => jumps = true,
                _ => break,
            }
            self.bump();
        }
        if jumps {
            self.skip_parentheses()?;
            self.expect(";")?;
            return Ok(StmtKind::Refused("inline assembly that jumps (`asm goto`)"));
        }
        self.expect("(")?;
        let template = match self.peek() {
            Tok::Str(s) => String::from_utf8_lossy(s).into_owned(),
            _ => return Err(self.unexpected("an assembly template")),
        };
        self.bump();
        let (outputs, inputs) = (Vec::new(), Vec::new());
        let mut assembly = Assembly { volatile, template, outputs, inputs, memory: false };
        if self.eat(":") {
            assembly.outputs = self.operands()?;
            if self.eat(":") {
                assembly.inputs = self.operands()?;
            }
            if self.eat(":") {
                while let Tok::Str(clobber) = self.peek() {
                    assembly.memory |= &**clobber == b"memory";
                    self.bump();
                    self.eat(",");
                }
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        assembly.volatile |= assembly.outputs.is_empty();
        Ok(match self.x86(&assembly, pos) {
            Some(atomic) => atomic,
            None => StmtKind::Assembly(Box::new(assembly)),
        })
    }

    /// `[name] "constraint" (expression), …`
    fn operands(&mut self) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        while !self.is(":") && !self.is(")") {
            let mut name = None;
            if self.eat("[") {
                name = Some(self.ident()?);
                self.expect("]")?;
            }
            let Tok::Str(constraint) = self.peek().clone() else {
                return Err(self.unexpected("a constraint"));
            };
            self.bump();
            self.expect("(")?;
            let value = self.expression()?;
            self.expect(")")?;
            let constraint = String::from_utf8_lossy(&constraint).into_owned();
            operands.push(Operand { name, constraint, value });
            if !self.eat(",") {
                break;
            }
        }
        Ok(operands)
    }

    /// Assembly between functions: nobody can tell who reaches it, unless there is none.
    pub(super) fn toplevel_assembly(&mut self) -> Parsed<()> {
        let pos = self.pos();
        self.bump();
        let empty = matches!(self.peek_at(1), Tok::Str(s) if s.iter().all(u8::is_ascii_whitespace));
        self.skip_parentheses()?;
        self.eat(";");
        if empty {
            return Ok(());
        }
        Err(self.error_at("L0104", pos, "top-level assembly is not modelled".into()))
    }
}
