//! Structs, unions, enums and attributes.

use super::*;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parsed<RecordSpec> {
        let pos = self.pos();
        let union = self.word() == Some("union");
        self.bump();
        let mut attributes = Attributes::default();
        self.attributes_if_any(&mut attributes)?;
        let tag = match self.peek() {
            Tok::Ident(_) => Some(self.ident()?),
            _ => None,
        };
        let mut fields = None;
        if self.eat("{") {
            let mut list = Vec::new();
            while !self.eat("}") {
                if self.eat(";") || self.eat_word(&["__extension__"]) {
                    continue;
                }
                if let Tok::Pragma(_) = self.peek() {
                    self.bump();
                    continue;
                }
                let pos = self.pos();
                if self.word() == Some("_Static_assert") || self.word() == Some("static_assert") {
                    let (cond, _) = self.static_assert()?;
                    list.push(FieldDecl::StaticAssert(cond, pos));
                    continue;
                }
                let specs = self.specs()?;
                // gcc lets the last semicolon be left out.
                if self.is(";") || self.is("}") {
                    let declarator = Declarator {
                        name: None,
                        derived: Vec::new(),
                        attributes: Attributes::default(),
                        pos,
                    };
                    list.push(FieldDecl::Field(Box::new(FieldSpec {
                        specs: specs.clone(),
                        declarator,
                        bits: None,
                    })));
                }
                while !self.is(";") && !self.is("}") {
                    let declarator = if self.is(":") {
                        Declarator {
                            name: None,
                            derived: Vec::new(),
                            attributes: Attributes::default(),
                            pos: self.pos(),
                        }
                    } else {
                        self.declarator(false)?
                    };
                    let bits = if self.eat(":") { Some(self.conditional()?) } else { None };
                    let mut declarator = declarator;
                    self.attributes_if_any(&mut declarator.attributes)?;
                    list.push(FieldDecl::Field(Box::new(FieldSpec {
                        specs: specs.clone(),
                        declarator,
                        bits,
                    })));
                    if !self.eat(",") {
                        break;
                    }
                }
                if !self.is("}") {
                    self.expect(";")?;
                }
            }
            fields = Some(list);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        self.attributes_if_any(&mut attributes)?;
        Ok(RecordSpec { union, tag, fields, attributes, pos })
    }

    pub(super) fn enumeration(&mut self) -> Parsed<EnumSpec> {
        let pos = self.pos();
        self.bump();
        self.attributes_if_any(&mut Attributes::default())?;
        let tag = match self.peek() {
            Tok::Ident(_) => Some(self.ident()?),
            _ => None,
        };
        let mut members = None;
        if self.eat("{") {
            let mut list = Vec::new();
            while !self.is("}") {
                let pos = self.pos();
                let name = self.ident()?;
                self.attributes_if_any(&mut Attributes::default())?;
                let value = if self.eat("=") { Some(self.conditional()?) } else { None };
                self.declare(&name, false);
                list.push((name, value, pos));
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}")?;
            members = Some(list);
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        self.attributes_if_any(&mut Attributes::default())?;
        Ok(EnumSpec { tag, members, pos })
    }

    pub(super) fn attributes_if_any(&mut self, into: &mut Attributes) -> Parsed<()> {
        while matches!(self.word(), Some("__attribute__" | "__attribute")) {
            self.attributes(into)?;
        }
        Ok(())
    }

    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        self.bump();
        self.expect("(")?;
        self.expect("(")?;
        while !self.is(")") {
            if self.eat(",") {
                continue;
            }
            let Some(word) = self.word().map(|w| w.trim_matches('_').to_owned()) else {
                return Err(self.unexpected("an attribute"));
            };
            self.bump();
            match word.as_str() {
                "packed" => into.packed = true,
                "noreturn" => into.noreturn = true,
                "aligned" => {
                    if self.eat("(") {
                        into.aligned.push(Some(self.conditional()?));
                        self.expect(")")?;
                    } else {
                        into.aligned.push(None);
                    }
                    continue;
                }
                "vector_size" => {
                    self.expect("(")?;
                    into.vector = Some(Box::new(self.conditional()?));
                    self.expect(")")?;
                    continue;
                }
                "transparent_union" => into.transparent_union = true,
                "constructor" => into.constructor = true,
                "mode" => into.refused = Some("the attribute `mode`"),
                "cleanup" => into.refused = Some("the attribute `cleanup`"),
                "destructor" => into.destructor = true,
                "alias" => {
                    self.expect("(")?;
                    match self.peek().clone() {
                        Tok::Str(s) => into.alias = Some(String::from_utf8_lossy(&s).as_ref().into()),
                        _ => return Err(self.unexpected("a name in quotes")),
                    }
                    self.bump();
                    self.expect(")")?;
                    continue;
                }
                "weakref" | "ifunc" => into.refused = Some("a function chosen when the program is loaded"),
                _ => {}
            }
            if self.is("(") {
                self.skip_parentheses()?;
            }
        }
        self.expect(")")?;
        self.expect(")")?;
        Ok(())
    }

    pub(super) fn skip_parentheses(&mut self) -> Parsed<()> {
        let mut open = 0;
        loop {
            match self.peek() {
                Tok::Punct("(") => open += 1,
                Tok::Punct(")") => open -= 1,
                Tok::End => return Err(self.unexpected("`)`")),
                _ => {}
            }
            self.bump();
            if open == 0 {
                return Ok(());
            }
        }
    }
}
