//! The run-time library: its functions are known from the start, and those that the program can reach
//! are lowered, behind the program.

use super::*;

/// A unit of the library, and the names at its outermost level.
pub(super) struct Shelved<'u> {
    unit: &'u SourceUnit,
    scopes: Vec<Scope>,
}

/// Called by what is generated.
const ROOT: &str = "__lineal_end_thread";

impl Lower<'_> {
    /// `__builtin_popcount` needs no declaration.
    pub(super) fn announce_library<'u>(&mut self, units: &'u [SourceUnit]) -> Vec<Shelved<'u>> {
        self.runtime = true;
        let mut library = Vec::new();
        for unit in units.iter().filter(|u| u.runtime) {
            self.scopes = vec![Scope::default()];
            for external in unit.externals.iter() {
                let _ = match external {
                    External::Function { specs, declarator, .. } => self.announce(specs, declarator),
                    External::Declaration(d) if d.specs.storage == Storage::Typedef => self.declaration(d),
                    _ => Ok(()),
                };
            }
            library.push(Shelved { unit, scopes: std::mem::take(&mut self.scopes) });
        }
        library
    }

    /// Its variables, and the functions that are called, until no more of them are.
    pub(super) fn library(&mut self, mut library: Vec<Shelved<'_>>) {
        self.runtime = true;
        let mut waiting: Vec<(usize, &External)> = Vec::new();
        for (number, shelved) in library.iter_mut().enumerate() {
            self.scopes = std::mem::take(&mut shelved.scopes);
            for external in shelved.unit.externals.iter() {
                match external {
                    External::Function { .. } => waiting.push((number, external)),
                    External::Declaration(d) if d.specs.storage == Storage::Typedef => {}
                    // The error is in the list already.
                    other => drop(self.external(other)),
                }
            }
            shelved.scopes = std::mem::take(&mut self.scopes);
        }
        loop {
            let before = waiting.len();
            waiting.retain(|(number, external)| {
                let scopes = &mut library[*number].scopes;
                if !self.is_called(external, scopes) {
                    return true;
                }
                std::mem::swap(&mut self.scopes, scopes);
                let _ = self.external(external);
                std::mem::swap(&mut self.scopes, scopes);
                false
            });
            if waiting.len() == before {
                return;
            }
        }
    }

    fn is_called(&self, external: &External, scopes: &[Scope]) -> bool {
        let External::Function { declarator, .. } = external else { return false };
        let Some(name) = &declarator.name else { return false };
        let inside = scopes.first().and_then(|scope| scope.names.get(name));
        match inside.or_else(|| self.linked.get(name)) {
            Some(Symbol::Function(index)) => {
                let known = |f: fn(&Facts) -> bool| self.known.as_ref().is_some_and(f);
                let wanted = match &**name {
                    ROOT => true,
                    "__lineal_end_process" => known(|k| k.exits),
                    "__cleanup_all" => known(|k| k.handlers),
                    _ => false,
                };
                wanted || self.functions[*index as usize].called_at.is_some()
            }
            _ => false,
        }
    }
}
