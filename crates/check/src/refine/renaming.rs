//! Symmetry of CSP# models (none found yet).

use super::symmetry::{Perm, Symmetry};
use lineal_model::process::System;
use lineal_model::process::expr::Expr;

pub struct Renaming<'u, 'm> {
    _imp: &'u System<'u, 'm>,
}

impl<'u, 'm> Renaming<'u, 'm> {
    pub fn find(_: &System<'u, 'm>, _: Option<&System<'u, 'm>>, _: &[&Expr]) -> Option<Self> {
        None
    }
}

impl Symmetry for Renaming<'_, '_> {
    fn canonical(&self, _: &[u8], _: &mut Vec<u8>) -> (Perm, usize) {
        unreachable!("no renaming is ever found")
    }
    fn spec_state(&self, _: Perm, _: &[u8], _: &mut Vec<u8>) -> usize {
        unreachable!("no renaming is ever found")
    }
    fn event(&self, _: Perm, event: u32) -> u32 {
        event
    }
    fn inverse(&self, perm: Perm) -> Perm {
        perm
    }
    fn compose(&self, a: Perm, _: Perm) -> Perm {
        a
    }
}
