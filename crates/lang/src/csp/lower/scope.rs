//! Names inside one definition.

use super::super::ast::Name;
use super::Expr;
use lineal_model::process::DefId;

#[derive(Default)]
pub struct Scope {
    pub def: Option<DefId>,
    /// Parameters and variables that are visible now, innermost last.
    pub visible: Vec<(Name, u16)>,
    /// Every slot of the definition, visible or not.
    pub slot_names: Vec<Name>,
    /// Variables of the block being read.
    pub locals: Vec<(Name, u16)>,
    pub local_count: u16,
    /// Which of the slots and locals are the first of an array, and how long it is.
    pub slot_arrays: Vec<(u16, u32)>,
    pub local_arrays: Vec<(u16, u32)>,
    /// Arguments of the macro being expanded; whether it was given as a placeholder only.
    pub arguments: Vec<(Name, Expr, bool)>,
    pub macros: u32,
}

impl Scope {
    pub fn of(def: DefId, params: impl Iterator<Item = Name>) -> Self {
        let mut scope = Scope { def: Some(def), ..Scope::default() };
        params.for_each(|p| {
            scope.bind(p);
        });
        scope
    }

    pub fn bind(&mut self, name: Name) -> u16 {
        let slot = self.slot_names.len() as u16;
        self.slot_names.push(name.clone());
        self.visible.push((name, slot));
        slot
    }

    /// As many slots as the array has elements, the first under its name.
    pub fn bind_array(&mut self, name: Name, len: u32) -> u16 {
        let first = self.bind(name.clone());
        for i in 1..len {
            self.slot_names.push(format!("{name}[{i}]").into());
        }
        self.slot_arrays.push((first, len));
        first
    }

    /// As many locals as the array has elements, if it is one.
    pub fn declare(&mut self, name: Name, array: Option<u32>) -> u16 {
        let first = self.local_count;
        self.local_count += array.unwrap_or(1) as u16;
        self.locals.push((name, first));
        if let Some(len) = array {
            self.local_arrays.push((first, len));
        }
        first
    }

    /// A local that no name leads to.
    pub fn spare(&mut self) -> u16 {
        self.local_count += 1;
        self.local_count - 1
    }

    pub fn slot(&self, name: &str) -> Option<u16> {
        self.visible.iter().rev().find(|(n, _)| **n == *name).map(|(_, s)| *s)
    }

    pub fn local(&self, name: &str) -> Option<u16> {
        self.locals.iter().rev().find(|(n, _)| **n == *name).map(|(_, s)| *s)
    }
}
