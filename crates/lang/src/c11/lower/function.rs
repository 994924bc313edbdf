//! Functions: their declarations, aliases and definitions, and the labels in them.

use super::declare::Declared;
use super::*;

impl Lower<'_> {
    pub(super) fn declare_function(
        &mut self,
        specs: &Specs,
        d: &Declarator,
        declared: &Declared,
    ) -> Lowered<u32> {
        let Ty::Function(ty) = &declared.ty.ty else { unreachable!("a function declarator") };
        let Some(name) = &d.name else { return Err(self.error("L0101", "a function without a name")) };
        let internal = specs.storage == Storage::Static;
        let known = match self.scopes[0].names.get(name) {
            Some(Symbol::Function(i)) => Some(*i),
            Some(_) => {
                return Err(self.error("L0107", format!("`{name}` is declared already as something else")));
            }
            None if !internal => match self.linked.get(name) {
                Some(Symbol::Function(i)) => Some(*i),
                _ => None,
            },
            None => None,
        };
        let index = known.unwrap_or_else(|| self.new_function(name, ty.clone()));
        if !internal {
            self.linked.entry(name.clone()).or_insert(Symbol::Function(index));
        }
        self.scopes[0].names.insert(name.clone(), Symbol::Function(index));
        if !self.at_file_scope() {
            self.scope().names.insert(name.clone(), Symbol::Function(index));
        }
        let info = &mut self.functions[index as usize];
        if !info.defined && (info.ty.unspecified || !self.runtime) {
            info.ty = ty.clone();
        }
        info.declared |= !self.runtime;
        info.noreturn |= specs.attributes.noreturn || d.attributes.noreturn;
        info.destructor |= specs.attributes.destructor || d.attributes.destructor;
        info.constructor |= specs.attributes.constructor || d.attributes.constructor;
        if let Some(target) = specs.attributes.alias.as_ref().or(d.attributes.alias.as_ref()) {
            self.alias(index, target)?;
        }
        Ok(index)
    }

    /// `name` is `target`, which is defined already: its calls are passed on.
    fn alias(&mut self, index: u32, target: &Name) -> Lowered<()> {
        let Some(Symbol::Function(function)) =
            self.scopes[0].names.get(target).or_else(|| self.linked.get(target)).cloned()
        else {
            return self.refuse("an alias of what is not a function defined above");
        };
        if !self.functions[function as usize].defined {
            return self.refuse("an alias of a function that is defined later");
        }
        let (params, runtime) = (self.out.functions[function as usize].params, self.runtime);
        self.functions[function as usize].called_at.get_or_insert(self.pos);
        self.functions[index as usize].defined = true;
        self.functions[index as usize].runtime = runtime;
        self.out.functions[index as usize].runtime = runtime;
        self.begin_function(index);
        self.frame.next = params;
        self.frame.max = params;
        let dst = self.temp();
        self.emit(Instr::Call { function, args: 0, count: params as u8, dst });
        self.emit(Instr::Return { src: dst });
        self.end_function(index, params);
        Ok(())
    }

    pub(super) fn announce(&mut self, specs: &Specs, d: &Declarator) -> Lowered<()> {
        let base = self.base(specs)?;
        let declared = self.declarator(base, d)?;
        self.declare_function(specs, d, &declared).map(|_| ())
    }

    pub(super) fn function(&mut self, specs: &Specs, d: &Declarator, body: &Block) -> Lowered<()> {
        let base = self.base(specs)?;
        let declared = self.declarator(base, d)?;
        let index = self.declare_function(specs, d, &declared)?;
        let Ty::Function(ty) = &declared.ty.ty else { unreachable!("a function declarator") };
        let name = self.out.functions[index as usize].name.clone();
        if self.functions[index as usize].defined {
            if self.runtime {
                return Ok(()); // The user's own version wins.
            }
            return Err(self.error("L0107", format!("the function `{name}` is defined twice")));
        }
        if name == "main" {
            self.main_at = d.pos;
        }
        self.functions[index as usize].defined = true;
        self.functions[index as usize].runtime = self.runtime;
        self.functions[index as usize].ty = ty.clone();
        self.out.functions[index as usize].unprototyped = ty.unspecified;
        self.out.functions[index as usize].runtime = self.runtime;
        self.begin_function(index);
        self.frame.ret = Some(ty.ret.clone());
        let hidden = u16::from(matches!(ty.ret.ty, Ty::Record(_)));
        let count = hidden + declared.params.len() as u16;
        if ty.variadic && !self.runtime {
            let why = format!("`{name}`, a function with variable arguments, is not modelled");
            self.refuse_calls(index, count, &why);
            return Ok(());
        }
        if specs.attributes.constructor
            || d.attributes.constructor
            || self.functions[index as usize].constructor
        {
            self.constructors.push(index);
        }
        if specs.attributes.destructor || d.attributes.destructor || self.functions[index as usize].destructor
        {
            self.destructors.push(index);
            self.facts.exits = true;
        }
        if count > 200 {
            return Err(self.error("L0104", "a function with more than 200 parameters is not modelled"));
        }
        self.frame.result = (hidden == 1).then_some(0);
        self.frame.next = count;
        self.frame.max = count;
        let blocks = self.known.as_ref().map_or(0, |k| {
            k.escaped.iter().filter(|o| matches!(o, Origin::Local((f, _)) if *f == index)).count()
        });
        self.frame.blocks = (0..blocks as u16).map(|i| count + i).rev().collect();
        self.out.functions[index as usize].blocks.clone_from(&self.frame.blocks);
        self.temps(blocks as u16);
        self.in_function = true;
        self.refusal = None;
        let errors = self.errors;
        self.scopes.push(Scope::default());
        let depth = self.scopes.len();
        let mark = self.mark();
        let mut outcome = Ok(());
        for (i, (pname, pty, pos)) in declared.params.iter().enumerate() {
            self.pos = *pos;
            if matches!(pty.ty, Ty::Void) {
                outcome = Err(self.error("L0103", "a parameter cannot have the type void"));
                break;
            }
            let pname = pname.clone().unwrap_or_else(|| "".into());
            outcome = outcome.and(self.param(&pname, pty.clone(), hidden + i as u16, i as u32, index));
        }
        if outcome.is_ok() {
            outcome = self.items(&body.items);
        }
        if outcome.is_err() && self.errors == errors {
            // No code is better than code with a hole in it.
            let whole = || (d.pos, format!("a part of `{name}` is not modelled").into());
            let refusal = self.refusal.take().unwrap_or_else(whole);
            self.give_up(&mark, refusal);
            outcome = Ok(());
        }
        self.in_function = false;
        self.scopes.truncate(depth - 1);
        self.pos = body.end;
        self.end_blocks();
        self.give_nothing(name == "main");
        outcome = outcome.and(self.close_labels());
        self.end_function(index, count);
        outcome
    }

    pub(super) fn close_labels(&mut self) -> Lowered<()> {
        let labels = std::mem::take(&mut self.frame.labels);
        let mut outcome = Ok(());
        let mut ordered: Vec<_> = labels.into_iter().collect();
        ordered.sort_by_key(|(_, l)| (l.at, l.pos));
        for (name, label) in ordered {
            let Some(at) = label.at else {
                outcome = Err(self.error_at(
                    label.pos,
                    "L0102",
                    format!("there is no label `{name}` in this function"),
                ));
                continue;
            };
            let back = label.jumps.iter().any(|(j, ..)| *j > at);
            for (j, pos, here) in label.jumps {
                let entered: Vec<usize> =
                    label.locals.iter().copied().filter(|l| !here.contains(l)).collect();
                let left: Vec<usize> = here
                    .into_iter()
                    .filter(|l| !label.locals.contains(l))
                    .filter(|l| matches!(self.frame.locals[*l].home, Home::Block(_)))
                    .collect();
                if entered.is_empty() && left.is_empty() {
                    self.patch(j, at as u32);
                    continue;
                }
                // On the way locals end with the scopes left, and begin, without a value, with
                // those entered.
                self.pos = pos;
                let detour = self.here();
                self.patch(j, detour);
                left.into_iter().for_each(|l| self.end_locals(l..l + 1));
                self.begin_anew(entered);
                self.emit(Instr::Jump { to: at as u32 });
            }
            if let (Some(head), false) = (label.head, back) {
                self.drop_head(head);
            }
        }
        outcome
    }
}
